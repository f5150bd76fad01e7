"""Runs scenarios a few at a time. They wait for processes most of the time, so they wait together."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable

__all__ = ["outcomes_of"]


def outcomes_of(
    names: Iterable[str], run: Callable[[str], Awaitable[object]], at_once: int, watchdog: float
) -> dict[str, BaseException | None]:
    """What each of these runs raised; None where it went well."""
    results: dict[str, BaseException | None] = {}

    async def run_all() -> None:
        gate = asyncio.Semaphore(at_once)

        async def run_one(name: str) -> None:
            async with gate:
                try:
                    await asyncio.wait_for(run(name), watchdog)
                    results[name] = None
                except BaseException as thrown:
                    results[name] = thrown

        await asyncio.gather(*(run_one(name) for name in names))

    asyncio.run(run_all())
    return results
