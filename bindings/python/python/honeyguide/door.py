"""The two doors to the host's functions: one waits on the event loop, one blocks the caller's thread.

Knows nothing of steps. Imported with the first function that runs, since `asyncio` is slow to import.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, Protocol

from .executor import Executor
from .run import Attempt

__all__ = ["Blocking", "Door", "Waiting"]


class Door(Protocol):
    """How functions of the host are run."""

    async def run(
        self, executor: Executor, arguments: Any, about: Mapping[str, Any], timeout_ms: float | None
    ) -> Attempt:
        """Runs one function and says what came of it."""


class Waiting:
    """Runs functions for a caller on an event loop: blocking ones in a thread, the others on the loop."""

    async def run(
        self, executor: Executor, arguments: Any, about: Mapping[str, Any], timeout_ms: float | None
    ) -> Attempt:
        """Runs one function; when the caller is cancelled, so is the function."""
        return await _bounded(_work(executor, arguments, about), timeout_ms)


class Blocking:
    """Runs functions for a caller without an event loop, in the caller's thread."""

    async def run(
        self, executor: Executor, arguments: Any, about: Mapping[str, Any], timeout_ms: float | None
    ) -> Attempt:
        """Runs one function to its end without waiting; what it returns to be awaited gets an event loop of its own."""
        if timeout_ms is None or not executor.may_block:
            attempt = _attempt(executor.call, arguments, about)
        else:
            attempt = _in_thread(timeout_ms, executor.call, arguments, about)
        if not _is_awaitable(attempt.value):
            return attempt
        if asyncio._get_running_loop() is not None:
            _discard(attempt.value)
            raise RuntimeError("an async function cannot run behind a synchronous door on an event loop; use `await`")
        return asyncio.run(_bounded(_await(attempt.value), timeout_ms))


async def _bounded(work: Coroutine[Any, Any, Attempt], timeout_ms: float | None) -> Attempt:
    start = time.monotonic()
    # A task of its own tells the function's own CancelledError from a cancellation of the caller.
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait({task}, timeout=None if timeout_ms is None else timeout_ms / 1000)
        if not task.done():
            await _cancel(task)
            return _late(start)
    except asyncio.CancelledError:
        await _cancel(task)
        raise
    try:
        return task.result()
    except asyncio.CancelledError as error:
        return Attempt(error=error, aborted=True)


async def _cancel(task: asyncio.Future[Attempt]) -> None:
    task.cancel()
    await asyncio.wait({task})


async def _work(executor: Executor, arguments: Any, about: Mapping[str, Any]) -> Attempt:
    if executor.may_block:
        attempt = await _in_own_thread(executor.call, arguments, about)
    else:
        attempt = _attempt(executor.call, arguments, about)
    return await _await(attempt.value) if _is_awaitable(attempt.value) else attempt


async def _in_own_thread(function: Callable[..., Any], *arguments: Any) -> Attempt:
    loop = asyncio.get_running_loop()
    finished: asyncio.Future[Attempt] = loop.create_future()

    def settle(attempt: Attempt) -> None:
        if not finished.done():
            finished.set_result(attempt)

    def hand_over(attempt: Attempt) -> None:
        # The loop may be gone: then nobody waits any more.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, attempt)

    # Not the loop's pool of a few threads: a function that hangs would keep one for ever, and the program from ending.
    _start(hand_over, function, *arguments)
    return await finished


def _in_thread(timeout_ms: float, function: Callable[..., Any], *arguments: Any) -> Attempt:
    start = time.monotonic()
    finished: list[Attempt] = []
    _start(finished.append, function, *arguments).join(timeout_ms / 1000)
    return finished[0] if finished else _late(start)


def _start(then: Callable[[Attempt], None], function: Callable[..., Any], *arguments: Any) -> threading.Thread:
    """Runs a function in a thread of its own, with the caller's context variables."""
    inherited = contextvars.copy_context()

    def work() -> None:
        then(inherited.run(_attempt, function, *arguments))

    # A thread cannot be stopped; as a daemon it does not keep the program from ending.
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def _attempt(function: Callable[..., Any], *arguments: Any) -> Attempt:
    # The error is a value, not raised: an event loop cannot carry a StopIteration, and must not see a KeyboardInterrupt
    # before the caller does.
    try:
        return Attempt(function(*arguments))
    except BaseException as error:
        return Attempt(error=error, aborted=isinstance(error, asyncio.CancelledError))


async def _await(value: Awaitable[Any]) -> Attempt:
    try:
        return Attempt(await value)
    except (asyncio.CancelledError, GeneratorExit):
        raise
    except BaseException as error:
        return Attempt(error=error)


def _late(start: float) -> Attempt:
    return Attempt(timed_out=True, elapsed_ms=round((time.monotonic() - start) * 1000))


def _is_awaitable(value: object) -> bool:
    return hasattr(type(value), "__await__")


def _discard(value: Any) -> None:
    close = getattr(value, "close", None)
    if close is not None:
        close()
