"""One run of the gateway, from the start to the last process ended. Knows no tool and no question."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import Any, cast

from mcp.server.stdio import stdio_server

from ..mcp.halves import Mended
from .catalog import Behind
from .log import Log
from .server import make_server
from .settings import Gateway
from .stdio import Incoming, Outgoing

__all__ = ["run_gateway"]

_PATIENCE_WITH_ENDINGS = 5.0
"""For how many seconds servers may take to end; what is left then, their guards end."""


def run_gateway(settings: Gateway, log: Log, pipe: tuple[int, int]) -> int:
    """Serves until the client goes or a signal comes; answers the exit code."""
    log.take_over(settings.redact)
    code = asyncio.run(_serve(settings, log, *pipe))
    log.end()
    # Whatever a library leaves running does not keep the program: all that is ours has ended.
    os._exit(code)


async def _serve(settings: Gateway, log: Log, incoming: int, outgoing: int) -> int:
    stop = asyncio.Event()
    _on_signals(stop, log)
    behind = Behind(settings, log)
    if not await behind.start():
        log.fault("no server of the configuration can be tried, and there are no skills")
        return 2
    ends = Incoming(incoming), Outgoing(outgoing)
    talk = asyncio.ensure_future(_talk(make_server(behind), *ends, log))
    over = {talk, *(asyncio.ensure_future(end) for end in (stop.wait(), ends[1].deserted()))}
    await asyncio.wait(over, return_when=asyncio.FIRST_COMPLETED)
    if ends[0].fault is not None:
        log.note(ends[0].fault)
    # From now on a signal ends the program at once.
    stop.set()
    await _end(talk, behind, log)
    return 0


async def _talk(server: Any, incoming: Incoming, outgoing: Outgoing, log: Log) -> None:
    told: list[str] = []

    def complain(_fault: Exception) -> None:
        # Once, and nothing of what it wrote.
        if not told:
            told.append("the client wrote what is no message")
            log.note(told[0])

    async with stdio_server(cast(Any, incoming), cast(Any, outgoing)) as (read, write):
        await server.run(Mended(read, complain, write.send), write, server.create_initialization_options())


async def _end(talk: asyncio.Future[None], behind: Behind, log: Log) -> None:
    talk.cancel()
    closing = asyncio.ensure_future(behind.close())
    done, _ = await asyncio.wait({talk, closing}, timeout=_PATIENCE_WITH_ENDINGS)
    for task in done:
        if not task.cancelled() and (thrown := task.exception()) is not None:
            log.detail(f"at the end: {thrown!r}")


def _on_signals(stop: asyncio.Event, log: Log) -> None:
    loop = asyncio.get_running_loop()

    def heard(name: str) -> None:
        if stop.is_set():
            os._exit(1)
        log.detail(f"ends, since it was sent {name}")
        stop.set()

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is None:
            continue
        if sys.platform == "win32":
            signal.signal(number, lambda *_, name=name: loop.call_soon_threadsafe(heard, name))
        else:
            loop.add_signal_handler(number, heard, name)
