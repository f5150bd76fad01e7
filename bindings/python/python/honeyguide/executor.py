"""How one tool's function is called. Knows nothing of the engine, of threads or of event loops."""

from __future__ import annotations

from .errors import InvalidInputError
from .refuse import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    Arrange = Callable[[dict[str, Any], Any], tuple[tuple[Any, ...], dict[str, Any]]]

__all__ = ["Executor", "InvalidArgumentsError", "UnreadableError"]


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


class Executor:
    """A function and the way in which it takes a call's arguments.

    Without `arrange` the function gets the arguments as one value (made from them by `read`, when given). A second
    parameter without a default, or one called `context`, gets the caller's context. Keyword-only parameters called
    `context`, `tool_id`, `session` or `tool_call_id` get what they are called.
    """

    __slots__ = ("_arrange", "_read", "_style", "function")

    def __init__(
        self,
        function: Callable[..., Any],
        arrange: Arrange | None = None,
        read: Callable[[Any], Any] | None = None,
    ) -> None:
        self.function = function
        self._arrange = arrange
        self._read = read
        self._style: _Style | None = None

    def call(self, arguments: dict[str, Any], about: Mapping[str, Any]) -> Any:
        """Calls the function; what it returns may have to be awaited."""
        try:
            positional, keywords = self._prepare(arguments, about)
        except Exception as cause:
            raise InvalidArgumentsError.by(self, about["tool_id"], cause) from cause
        return self.function(*positional, **keywords)

    @property
    def may_block(self) -> bool:
        """Whether calling the function does its work, rather than return something to await or iterate."""
        return self._look().blocks

    def _prepare(self, arguments: dict[str, Any], about: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        if self._arrange is not None:
            return self._arrange(arguments, about["context"])
        style = self._look()
        value = arguments if self._read is None else self._read(arguments)
        return (value, about["context"])[: style.places], {name: about[name] for name in style.names}

    def _look(self) -> _Style:
        # Lazy, since `inspect` is slow to import and most tools of a catalog are never called.
        if self._style is None:
            self._style = _Style(self.function)
        return self._style


class _Style:
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
