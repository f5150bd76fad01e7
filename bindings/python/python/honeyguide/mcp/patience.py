"""How long an answer is waited for: progress is a sign of life, silence ends it, and so does a hard maximum.

Knows no MCP.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Literal, NamedTuple, TypeVar

from .clock import Clock

__all__ = ["Limits", "with_patience"]

Answer = TypeVar("Answer")


class Limits(NamedTuple):
    """When to stop waiting, in milliseconds: the longest silence, and the longest wait whatever is heard meanwhile."""

    silence_ms: float
    maximum_ms: float


async def with_patience(
    clock: Clock,
    limits: Limits,
    work: Callable[[Callable[[], None]], Awaitable[Answer]],
    overdue: Callable[[Literal["silence", "maximum"], int], Exception],
) -> Answer:
    """Starts the work and waits. It is cancelled when the caller is, or when a limit is reached.

    The caller is told of a limit at once, whether or not the work heeds its cancellation.
    """
    began = clock.now()
    ended = asyncio.Event()
    late: list[Exception] = []
    stop: dict[str, Callable[[], object]] = {}

    def expire(limit: Literal["silence", "maximum"]) -> None:
        late.append(overdue(limit, round(clock.now() - began)))
        ended.set()

    def heard() -> None:
        if not ended.is_set():
            stop["silence"]()
            stop["silence"] = clock.after(limits.silence_ms, lambda: expire("silence"))

    async def run() -> Answer:
        return await work(heard)

    stop["silence"] = clock.after(limits.silence_ms, lambda: expire("silence"))
    stop["maximum"] = clock.after(limits.maximum_ms, lambda: expire("maximum"))
    task = asyncio.create_task(run())
    task.add_done_callback(lambda _: ended.set())
    try:
        await ended.wait()
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.wait({task})
        raise
    finally:
        ended.set()
        for call_off in stop.values():
            call_off()
    if task.done():
        return task.result()
    task.cancel()
    _ending.add(task)
    task.add_done_callback(_forget)
    raise late[0]


_ending: set[asyncio.Task[Any]] = set()
"""Work that was cancelled and is left to end by itself; kept, so that it is not collected before."""


def _forget(task: asyncio.Task[Any]) -> None:
    _ending.discard(task)
    if not task.cancelled():
        task.exception()
