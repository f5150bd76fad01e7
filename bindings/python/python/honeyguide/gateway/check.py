"""`honeyguide mcp check`: connects to every server of a configuration once, and says how each does. Serves nobody."""

from __future__ import annotations

import asyncio
import sys
import time

from ..client import Honeyguide
from ..mcp.config import register_mcp_servers
from .credentials import Credentials, how_to_sign_in
from .folders import fault_of_folder
from .log import Log
from .settings import Gateway, is_disabled
from .table import table

__all__ = ["check"]

_HEAD = ("server", "state", "tools", "ms", "what to know")


async def check(settings: Gateway, log: Log) -> int:
    """Prints a table; answers the code to end with."""
    progress = _Progress(len(settings.servers))

    idle: list[str] = []

    async def one(name: str, written: object) -> tuple[str, ...]:
        row = await _try(name, written, settings, idle)
        progress.step()
        return row

    rows = await asyncio.gather(*(one(name, written) for name, written in settings.servers.items()))
    progress.end()
    sys.stdout.write(table(_HEAD, rows))
    sys.stdout.flush()
    missing = idle + [fault for path in settings.skills if (fault := fault_of_folder(path)) is not None]
    for fault in missing:
        log.fault(fault)
    return 0 if not missing and all(state in ("ready", "disabled") for _, state, *_ in rows) else 1


async def _try(name: str, written: object, settings: Gateway, idle: list[str]) -> tuple[str, ...]:
    if is_disabled(written):
        return (name, "disabled", "0", "-", "")
    began = time.monotonic()
    hg = Honeyguide()
    servers = await register_mcp_servers(
        hg,
        {"mcpServers": {name: written}},
        each={name: settings.settings_of(name)},
        credentials=Credentials().of,
        wait_ms=0,
    )
    for error in servers.errors.values():
        return (name, "unusable", "0", "-", str(error))
    await servers.settled()
    spent = str(round((time.monotonic() - began) * 1000))
    server = servers.servers[name]
    status, notes = server.status, [said["message"] for said in server.diagnostics]
    if status.state == "ready":
        idle += settings.idle_rules(name, hg.tools.list())
    await servers.close()
    if status.state == "needs_auth":
        what = f"it needs credentials: {how_to_sign_in(settings, name)}"
    else:
        what = "; ".join(notes) if status.state == "ready" else status.error or ""
    return (name, status.state, str(status.tools), spent, what)


class _Progress:
    """How far it is, for a person who waits at a terminal."""

    def __init__(self, all: int) -> None:
        self._all = all
        self._done = 0

    def step(self) -> None:
        """One more."""
        self._done += 1
        self._write(f"\r{self._done} of {self._all} servers")

    def end(self) -> None:
        """Takes the line away."""
        self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(text)
            sys.stderr.flush()
