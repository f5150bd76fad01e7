"""The step loop: does what core asks for, until core has an answer. Knows nothing of catalogs.

One body for both doors. It is written as a coroutine; behind the synchronous door it never waits for an event loop,
so the caller drives it by hand.
"""

from __future__ import annotations

from .arguments import write_arguments
from .calling import InvalidArgumentsError
from .errors import InternalError
from .executor import Executor
from .host import now
from .refuse import printable, write
from .request import wire_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Mapping
    from typing import Any, Literal, TypeAlias

    from .generated.types import Outcome
    from .host import Host

    DoorName: TypeAlias = Literal["Waiting", "Blocking"]
    # What becomes of an exception of a function: words for the model, or the same exception again.
    Failures: TypeAlias = Literal["replied", "raised"]

__all__ = ["Attempt", "call", "drive", "finish", "invoke"]


class Attempt:
    """What came of running a function: a value, an error of its own, or neither because time was up."""

    __slots__ = ("aborted", "elapsed_ms", "error", "timed_out", "value")

    def __init__(
        self,
        value: Any = None,
        error: BaseException | None = None,
        *,
        aborted: bool = False,
        timed_out: bool = False,
        elapsed_ms: int = 0,
    ) -> None:
        self.value = value
        self.error = error
        self.aborted = aborted
        self.timed_out = timed_out
        self.elapsed_ms = elapsed_ms

    @property
    def outcome(self) -> Outcome:
        """The header that core gets; the value itself never leaves the host."""
        if self.timed_out:
            return {"kind": "timeout", "elapsedMs": self.elapsed_ms}
        if self.aborted:
            return {"kind": "aborted", "message": _sentence(self.error)}
        if self.error is not None:
            return {"kind": "error", "name": printable(type(self.error).__name__), "message": _sentence(self.error)}
        return {"kind": "ok"}


async def call(host: Host, name: str, args: object, options: Mapping[str, Any], door: DoorName = "Waiting") -> Any:
    """Answers a call of the model; what goes wrong is a reply."""
    turn = _turn(host, options, door, "replied")
    request = wire_names(_scope(options), name=printable(name), arguments=write_arguments(args), now=now())
    if name == "search_capabilities":
        host.meaning.wake(door)
    return await turn.finish(host.steps.step(request))


async def invoke(host: Host, id: str, args: object, options: Mapping[str, Any], door: DoorName = "Waiting") -> Any:
    """Answers a call of the application; what goes wrong is an exception, a function's own where it has one."""
    turn = _turn(host, options, door, "raised")
    request = wire_names(_scope(options), toolId=id, args=write_arguments(args), now=now())
    return await turn.finish(host.steps.invoke(request))


async def finish(host: Host, step: Mapping[str, Any], door: DoorName) -> Any:
    """Goes on from a step that a question to the engine was answered with; whose it is stands in its `call`."""
    waiting = {**step, "call": write(step["call"])}
    return await _turn(host, {}, door, "replied").finish(waiting)


def _turn(host: Host, options: Mapping[str, Any], door: DoorName, failures: Failures) -> Turn:
    unknown = options.keys() - _OPTIONS
    if unknown:
        raise TypeError(f"unknown option `{min(unknown)}`; known are {', '.join(sorted(_OPTIONS))}")
    wait = options.get("timeout_ms")
    if wait is not None and not (type(wait) in (int, float) and wait > 0):
        raise TypeError("the option `timeout_ms` is no number of milliseconds above 0")
    approve = host.approve if options.get("approve") is None else options["approve"]
    return Turn(host, door, {**options, "approve": approve}, failures)


class Turn:
    """One call from its first step to its reply."""

    def __init__(self, host: Host, door: DoorName, options: Mapping[str, Any], failures: Failures) -> None:
        self._host = host
        self._door = door
        self._options = options
        self._failures = failures
        self._value: Any = None

    async def finish(self, step: Any) -> Any:
        """Goes on from the first step to the answer: core's own words, or the executor's very value."""
        while step["kind"] != "reply":
            handler = _HANDLERS.get(step["kind"])
            if handler is None:
                kind = step["kind"]
                message = f"core asks for a step of kind `{kind}`, which this version cannot do; update `honeyguide`"
                raise InternalError("internal", message, {"kind": kind})
            outcome = await handler(self, step["call"].value, step)
            step = self._host.steps.resume({"call": step["call"], "outcome": outcome, "now": now()})
        return self._value if step.get("hostValue") else step["reply"]

    async def _invoke(self, call: Any, step: Any) -> Outcome:
        executor = self._host.executors.find(call["toolId"])
        if executor is None:
            return {"kind": "notBound"}
        attempt = await self._run(executor, call["arguments"], call, self._options.get("timeout_ms"))
        self._value = attempt.value
        if isinstance(attempt.error, InvalidArgumentsError) and attempt.error.executor is not executor:
            # The mistake of a tool which called another one is no mistake of the model.
            return {"kind": "error", "name": "Error", "message": _sentence(attempt.error)}
        return attempt.outcome

    async def _embed(self, _: Any, step: Any) -> Outcome:
        attempt = await self._host.meaning.embed(step["texts"], step["role"], self._door)
        if attempt is None:
            return {"kind": "noHandler"}
        outcome = attempt.outcome
        return {"kind": "vectors", "vectors": attempt.value} if outcome["kind"] == "ok" else outcome

    async def _rerank(self, _: Any, step: Any) -> Outcome:
        from .rerank import judge

        ranking = self._host.rerank
        if ranking is None:
            return {"kind": "noHandler"}
        return await judge(ranking, step["query"], step["hits"], self._door)

    async def _ask(self, call: Any, step: Any) -> Outcome:
        approve = self._options["approve"]
        if approve is None:
            return {"kind": "noHandler"}
        question = {name: call.get(name) for name in ("toolId", "arguments", "annotations", "digest", "session")}
        question["toolCallId"] = self._options.get("tool_call_id")
        attempt = await self._run(Executor(approve), question, call, None)
        if attempt.error is not None:
            return attempt.outcome
        answer: object = attempt.value
        if isinstance(answer, dict):
            reason = answer.get("reason")
            # Nothing but a plain yes is a yes.
            outcome: Outcome = {"kind": "approval", "approved": answer.get("approved") is True}
            return outcome if reason is None else {**outcome, "reason": printable(str(reason))}
        return {"kind": "approval", "approved": answer is True}

    async def _read(self, call: Any, step: Any) -> Outcome:
        folders = self._host.folders
        # Run as functions are: on an event loop, a slow disk keeps nobody else waiting.
        reader = Executor(lambda path: folders.read(call["skillId"], path, step["mostBytes"]))
        attempt = await self._run(reader, step["path"], call, None)
        outcome: Outcome = attempt.value if attempt.error is None else attempt.outcome
        return outcome

    async def _fork(self, call: Any, step: Any) -> Outcome:
        fork = self._host.fork
        if fork is None:
            return {"kind": "noHandler"}
        request = {name: step.get(name) for name in ("prompt", "allowedTools", "model", "effort")}
        request.update(skillId=call["skillId"], session=call.get("session"))
        attempt = await self._run(Executor(fork), request, call, self._options.get("timeout_ms"))
        if attempt.outcome["kind"] != "ok":
            return attempt.outcome
        if not isinstance(attempt.value, str):
            return {"kind": "error", "name": "TypeError", "message": "it answered with something that is no text"}
        return {"kind": "text", "text": printable(attempt.value)}

    async def _run(self, executor: Executor, arguments: Any, call: Any, timeout_ms: float | None) -> Attempt:
        # Loaded with the first function that runs: behind it stands `asyncio`, which is slow to import.
        from . import door

        opened: door.Door = getattr(door, self._door)()
        about = {
            "context": self._options.get("context"),
            "tool_id": call.get("toolId"),
            "session": call.get("session"),
            "tool_call_id": self._options.get("tool_call_id"),
        }
        attempt = await opened.run(executor, arguments, about, timeout_ms)
        # A KeyboardInterrupt or SystemExit is meant for the program, never for the model.
        is_theirs = self._failures == "raised" or not isinstance(attempt.error, Exception)
        if attempt.error is not None and is_theirs and not attempt.aborted:
            raise attempt.error
        return attempt


_OPTIONS = frozenset(("session", "visible", "context", "approve", "timeout_ms", "tool_call_id"))
_HANDLERS: dict[str, Callable[[Turn, Any, Any], Awaitable[Outcome]]] = {
    "approve": Turn._ask,
    "invoke": Turn._invoke,
    "embed": Turn._embed,
    "rerank": Turn._rerank,
    "read": Turn._read,
    "fork": Turn._fork,
}


def drive(body: Coroutine[Any, Any, Any]) -> Any:
    """Runs a coroutine that waits for nothing to its end."""
    try:
        body.send(None)
    except StopIteration as end:
        return end.value
    body.close()
    raise InternalError("internal", "a call behind the synchronous door waited for an event loop")


def _scope(options: Mapping[str, Any]) -> dict[str, Any]:
    return {"session": options.get("session"), "visible": options.get("visible")}


def _sentence(error: BaseException | None) -> str:
    try:
        return printable(str(error))
    except Exception:
        return f"{type(error).__name__} without a readable message"
