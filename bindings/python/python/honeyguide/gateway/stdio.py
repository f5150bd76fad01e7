"""The two ends of the pipe to the client: lines that come, lines that go. Knows no protocol.

The official package's own ends wait in threads that nothing can end; these end with the program.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import select
import sys
import threading
from collections.abc import AsyncIterator

__all__ = ["Incoming", "Outgoing", "take_over"]

_AHEAD = 100
"""How many lines are read ahead of whoever takes them."""
_CHUNK = 65_536
_LONGEST = 64 * 2**20
"""The longest message of a client, in bytes; a longer one is the end."""


def take_over() -> tuple[int, int]:
    """The descriptors of the pipe, for the protocol alone: whatever else is printed goes to the standard error."""
    sys.stdout.flush()
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return incoming, outgoing


class Incoming:
    """The lines of a descriptor, read by a thread that does not keep the program from ending."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self.fault: str | None = None
        """Why it ended, when the other end did not end it."""
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue(_AHEAD)
        threading.Thread(target=self._read, daemon=True, name="stdin").start()

    async def __aiter__(self) -> AsyncIterator[str]:
        while (line := await self._lines.get()) is not None:
            yield line

    def _read(self) -> None:
        parts: list[bytes] = []
        length = 0
        try:
            while (chunk := os.read(self._descriptor, _CHUNK)) and length <= _LONGEST:
                first, *others = chunk.split(b"\n")
                parts.append(first)
                length += len(first)
                for other in others:
                    line = b"".join(parts).decode("utf-8", "replace")
                    if line.strip():
                        self._hand_over(line)
                    parts, length = [other], len(other)
            if length > _LONGEST:
                self.fault = "the client wrote a message that is too long; the connection is closed"
        except OSError:
            pass  # It is gone, which is an end like any other.
        self._hand_over(None)

    def _hand_over(self, line: str | None) -> None:
        try:
            asyncio.run_coroutine_threadsafe(self._lines.put(line), self._loop).result()
        except RuntimeError:
            return  # The loop is gone, and with it whoever would read this.


class Outgoing:
    """A descriptor to write to, by a thread that does not keep the program from ending."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._waiting: queue.SimpleQueue[tuple[bytes, asyncio.Future[None]]] = queue.SimpleQueue()
        threading.Thread(target=self._write, daemon=True, name="stdout").start()

    async def deserted(self) -> None:
        """Waits until nobody reads any more."""
        gone = asyncio.Event()
        if hasattr(select, "poll"):
            threading.Thread(target=self._watch, args=(gone,), daemon=True, name="stdout watch").start()
        await gone.wait()

    async def write(self, text: str) -> None:
        """Writes, and returns when it is written; raises when nobody reads any more."""
        written: asyncio.Future[None] = self._loop.create_future()
        self._waiting.put((text.encode("utf-8", "replace"), written))
        await written

    async def flush(self) -> None:
        """There is nothing to flush."""

    def _watch(self, gone: asyncio.Event) -> None:
        poll = select.poll()
        # What ended is told without being asked for.
        poll.register(self._descriptor, 0)
        poll.poll()
        with contextlib.suppress(RuntimeError):  # The loop is gone.
            self._loop.call_soon_threadsafe(gone.set)

    def _write(self) -> None:
        while True:
            left, written = self._waiting.get()
            failure: OSError | None = None
            try:
                while left:
                    left = left[os.write(self._descriptor, left) :]
            except OSError as error:
                failure = error
            try:
                self._loop.call_soon_threadsafe(_settle, written, failure)
            except RuntimeError:
                return  # The loop is gone.


def _settle(written: asyncio.Future[None], failure: OSError | None) -> None:
    if written.done():
        return
    if failure is None:
        written.set_result(None)
    else:
        written.set_exception(failure)
