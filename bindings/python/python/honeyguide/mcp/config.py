"""Registers the servers of a configuration as Claude Code, Cursor and VS Code write it.

Reads no file, and writes nothing back.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Mapping
from typing import Any, cast

from ..client import Honeyguide
from .checked import check_names, check_settings, servers_of
from .expand import Expanded, expand
from .fault import McpServerError
from .options import ServerOptions, ServerSettings, Unpack
from .register import start_server
from .server import McpServer
from .written import misshapen, unusable

__all__ = ["McpServers", "has_credentials", "read_written", "register_mcp_servers"]

KNOWN = frozenset(("stdio", "http", "streamable-http", "streamableHttp"))
"""The types of servers that can be reached."""
_FIELDS = ("command", "args", "env", "cwd", "url", "headers")


class McpServers:
    """The servers of a configuration: each that could be tried, and why others could not, by name."""

    def __init__(self, servers: Mapping[str, McpServer], errors: Mapping[str, McpServerError]) -> None:
        self.servers = servers
        self.errors = errors
        self._attempts = [asyncio.ensure_future(_quietly(server)) for server in servers.values()]

    async def settled(self) -> None:
        """Waits until each server has answered or failed once."""
        if self._attempts:
            await asyncio.wait(self._attempts)

    async def close(self) -> None:
        """Closes all servers."""
        await asyncio.gather(*(server.close() for server in self.servers.values()))


async def register_mcp_servers(
    hg: Honeyguide,
    config: Mapping[str, Any],
    *,
    environment: Mapping[str, str] | None = None,
    wait_ms: float = 10_000,
    each: Mapping[str, ServerSettings] | None = None,
    credentials: Callable[[str, str], Any] | None = None,
    **settings: Unpack[ServerSettings],
) -> McpServers:
    """Registers all servers side by side. None waits for another or fails with it, and a failure is no exception.

    `environment` is what variables stand for (default: `os.environ`). `wait_ms` is the longest wait for slow servers;
    they go on, and their tools come when they are ready. `each` holds for single servers, by name.
    `credentials` gets the name and the address of each server that has an address and no `Authorization` of its own,
    and answers its `auth`.
    """
    servers: dict[str, McpServer] = {}
    errors: dict[str, McpServerError] = {}
    known = os.environ if environment is None else environment
    written = servers_of(config)
    check_settings(settings)
    check_names("`each`", each or {}, written)
    for own in (each or {}).values():
        check_settings(own)
    for name, one in written.items():
        if isinstance(one, Mapping) and one.get("disabled") is True:
            continue
        try:
            own = {**settings, **(each or {}).get(name, {})}
            servers[name] = _start_written(hg, name, one, own, known, credentials)
        except McpServerError as error:
            errors[name] = error
    registered = McpServers(servers, errors)
    if registered._attempts:
        await asyncio.wait(registered._attempts, timeout=wait_ms / 1000)
    return registered


def _start_written(
    hg: Honeyguide,
    name: str,
    written: object,
    settings: Mapping[str, Any],
    environment: Mapping[str, str],
    credentials: Callable[[str, str], Any] | None,
) -> McpServer:
    read = read_written(name, written, environment)
    address = {key: value for key, value in read.value.items() if key != "oauth"}
    if credentials is not None and address.get("url") and not address.get("command") and not has_credentials(address):
        address["auth"] = credentials(name, address["url"])
    return start_server(hg, name, cast(ServerOptions, {**settings, **address}), read.secrets)


def has_credentials(written: Mapping[str, Any]) -> bool:
    """Whether a server is written with an `Authorization` of its own."""
    return any(header.lower() == "authorization" for header in written.get("headers") or {})


def read_written(name: str, written: object, environment: Mapping[str, str]) -> Expanded:
    """How a server is reached, with its variables expanded; raises when it cannot be tried."""

    def refuse(why: str) -> McpServerError:
        return McpServerError(f"server `{name}`: {why}", "unusable", server=name)

    if not isinstance(written, Mapping):
        raise refuse("its configuration is not an object")
    kind = written.get("type")
    if kind is not None and not isinstance(kind, str):
        raise refuse("its `type` is no text")
    if kind is not None and kind not in KNOWN:
        known = ", ".join(sorted(KNOWN))
        raise refuse(
            f"its type `{kind}` is not known; known: {known}. In a program, pass a transport to register_mcp_server"
        )
    if (wrong := misshapen(written)) is not None:
        raise refuse(wrong)
    written = {key: _texts(part) if key in ("env", "headers") else part for key, part in written.items()}
    expanded = expand({key: written[key] for key in (*_FIELDS, "oauth") if key in written}, environment)
    if expanded.missing:
        named = ", ".join(f"`{variable}` in {field}" for field, variable in expanded.missing)
        raise refuse(f"a variable has no value: {named}")
    if (wrong := unusable(expanded.value)) is not None:
        raise refuse(wrong)
    return expanded


def _texts(values: Mapping[str, Any] | None) -> dict[str, str]:
    """Values as texts: clients write numbers and booleans too, and null for what is not to be set."""
    said = {name: value for name, value in (values or {}).items() if value is not None}
    return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in said.items()}


async def _quietly(server: McpServer) -> None:
    # The server's status tells what went wrong, and it is dialled again where that helps.
    with contextlib.suppress(McpServerError):
        await server.connect()
