"""What the first call of a tool asks of its function: how to call it, and why it does not take the arguments.

Knows nothing of the engine. Imported with the first call: most tools of a catalog are never called.
"""

from __future__ import annotations

from .errors import InvalidInputError
from .refuse import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .executor import Executor

__all__ = ["InvalidArgumentsError", "Style", "UnreadableError"]


class UnreadableError(Exception):
    """Why one argument of a typed function could not be read."""

    def __init__(self, name: str, cause: Exception) -> None:
        super().__init__(name, cause)
        self.name = name
        self.cause = cause


class InvalidArgumentsError(InvalidInputError):
    """The types of a function, which see more than its schema says, do not take the arguments."""

    executor: Executor | None = None
    """Whose types: a tool may call another one."""

    @classmethod
    def by(cls, executor: Executor, tool_id: str, cause: Exception) -> InvalidArgumentsError:
        """The error for what reading the arguments raised; a pydantic error tells of each place."""
        path = ""
        if isinstance(cause, UnreadableError):
            path, cause = f"/{escape(cause.name)}", cause.cause
        try:
            found = cause.errors()  # type: ignore[attr-defined]
            issues = [(path + "".join(f"/{escape(str(part))}" for part in one["loc"]), one["msg"]) for one in found]
        except Exception:
            issues = [(path, str(cause))]
        message = "; ".join(f"`{place}`: {said}" if place else said for place, said in issues)
        error = cls("invalid_arguments", message, {"toolId": tool_id, "path": issues[0][0] if issues else path})
        error.executor = executor
        return error


class Style:
    """What a look at a function shows of how to call it."""

    __slots__ = ("blocks", "names", "places")

    def __init__(self, function: Callable[..., Any]) -> None:
        import inspect

        target = function
        if not inspect.isroutine(target) and not hasattr(target, "func"):
            target = type(target).__call__
        kinds = (inspect.iscoroutinefunction, inspect.isasyncgenfunction, inspect.isgeneratorfunction)
        self.blocks = not any(is_kind(target) for is_kind in kinds)
        self.places = 1
        self.names: tuple[str, ...] = ()
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            return  # A built-in that does not say what it takes.
        places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        if len(places) > 1 and (places[1].default is inspect.Parameter.empty or places[1].name == "context"):
            self.places = 2
        elif not places and not any(p.kind is p.VAR_POSITIONAL for p in parameters):
            self.places = 0
        self.names = tuple(p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.name in _ABOUT)


_ABOUT = ("context", "tool_id", "session", "tool_call_id")
