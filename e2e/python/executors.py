"""The named fixture executors: what each answers, the same in every language. Knows nothing of the package."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import Any


class FixtureError(Exception):
    """What a failing tool raises."""


class UnauthorizedError(Exception):
    """What a tool raises whose server wants credentials."""


class AbortError(Exception):
    """What a tool raises that gave up by itself."""


class Executors:
    """The functions of one client; keeps every value that it handed out, so that its identity can be checked."""

    def __init__(self) -> None:
        self.handed_out: list[Any] = []
        self.started: Callable[[], object] | None = None
        self._counts: Counter[str] = Counter()

    def named(self, name: str, tool_id: str) -> Callable[..., Any]:
        """The function of this name, for one tool."""
        make: Callable[[str], Callable[..., Any]] = getattr(self, f"_{name}")
        return make(tool_id)

    def _keep(self, value: Any) -> Any:
        self.handed_out.append(value)
        return value

    def _echo(self, tool_id: str) -> Callable[..., Any]:
        return lambda arguments: self._keep({"tool": tool_id, "arguments": arguments})

    def _echoAsync(self, tool_id: str) -> Callable[..., Any]:  # noqa: N802 (the name in the fixtures)
        async def echo(arguments: Any) -> Any:
            await asyncio.sleep(0)
            return self._keep({"tool": tool_id, "arguments": arguments})

        return echo

    def _inspect(self, tool_id: str) -> Callable[..., Any]:
        return lambda arguments, context: self._keep({"tool": tool_id, "arguments": arguments, "context": context})

    def _caller(self, _tool_id: str) -> Callable[..., Any]:
        # An executor in Python is given its arguments and the context, nothing else: see `divergence.json`.
        return lambda _arguments, _context: self._keep({"session": None, "toolCallId": None})

    def _counter(self, tool_id: str) -> Callable[..., Any]:
        def count(_arguments: Any) -> Any:
            self._counts[tool_id] += 1
            return self._keep({"count": self._counts[tool_id]})

        return count

    def _throw(self, _tool_id: str) -> Callable[..., Any]:
        def fail(_arguments: Any) -> Any:
            raise FixtureError("the fixture failed on purpose")

        return fail

    def _unauthorized(self, _tool_id: str) -> Callable[..., Any]:
        async def fail(_arguments: Any) -> Any:
            raise UnauthorizedError("the fixture wants credentials")

        return fail

    def _cancelled(self, _tool_id: str) -> Callable[..., Any]:
        async def fail(_arguments: Any) -> Any:
            raise AbortError("the fixture gave up")

        return fail

    def _stream(self, _tool_id: str) -> Callable[..., Any]:
        async def parts() -> AsyncIterator[Any]:
            for part in range(3):
                yield {"part": part}

        return lambda _arguments: self._keep(parts())

    def _slow(self, _tool_id: str) -> Callable[..., Any]:
        async def wait(_arguments: Any) -> Any:
            if self.started is not None:
                self.started()
            await asyncio.Event().wait()

        return wait
