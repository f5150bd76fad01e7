"""The named fixture executors: what each answers, the same in every language. Knows nothing of the package."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
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

    def named(self, name: str) -> Callable[..., Any]:
        """The function of this name."""
        function: Callable[..., Any] = getattr(self, f"_{name}")
        return function

    def _keep(self, value: Any) -> Any:
        self.handed_out.append(value)
        return value

    def _echo(self, arguments: Any, *, tool_id: str) -> Any:
        return self._keep({"tool": tool_id, "arguments": arguments})

    async def _echoAsync(self, arguments: Any, *, tool_id: str) -> Any:  # noqa: N802 (the name in the fixtures)
        await asyncio.sleep(0)
        return self._echo(arguments, tool_id=tool_id)

    def _inspect(self, arguments: Any, context: Any, *, tool_id: str) -> Any:
        return self._keep({"tool": tool_id, "arguments": arguments, "context": context})

    def _caller(self, _arguments: Any, *, session: str, tool_call_id: str) -> Any:
        return self._keep({"session": session, "toolCallId": tool_call_id})

    def _counter(self, _arguments: Any, *, tool_id: str) -> Any:
        self._counts[tool_id] += 1
        return self._keep({"count": self._counts[tool_id]})

    def _throw(self, _arguments: Any) -> Any:
        raise FixtureError("the fixture failed on purpose")

    async def _unauthorized(self, _arguments: Any) -> Any:
        raise UnauthorizedError("the fixture wants credentials")

    async def _cancelled(self, _arguments: Any) -> Any:
        raise AbortError("the fixture gave up")

    def _stream(self, _arguments: Any) -> AsyncIterator[Any]:
        async def parts() -> AsyncIterator[Any]:
            for part in range(3):
                yield {"part": part}

        stream: AsyncIterator[Any] = self._keep(parts())
        return stream

    async def _slow(self, _arguments: Any) -> Any:
        if self.started is not None:
            self.started()
        await asyncio.Event().wait()


def _fork_echo(request: dict[str, Any]) -> str:
    tools = " ".join(request["allowedTools"])
    return f"{request['skillId']}: {request['prompt']} [{tools}] {request['model'] or '-'} {request['effort'] or '-'}"


def _fork_throw(_request: dict[str, Any]) -> str:
    raise FixtureError("the fixture failed on purpose")


FORKS = {"echo": _fork_echo, "throw": _fork_throw}
"""The named fixture sub-agents."""


class _Ranking:
    """A fixture ranking: a number for each hit, from their places."""

    def __init__(self, judge: Callable[[int], list[int]]) -> None:
        self._judge = judge

    def rank(self, _query: str, hits: Sequence[Any]) -> list[int]:
        return self._judge(len(hits))


def _rank_throw(_count: int) -> list[int]:
    raise FixtureError("the fixture failed on purpose")


RANKINGS = {
    "turned": _Ranking(lambda count: list(range(count))),
    "few": _Ranking(lambda _count: [1]),
    "throw": _Ranking(_rank_throw),
}
"""The named fixture rankings: one puts what comes last first, the others fail."""
