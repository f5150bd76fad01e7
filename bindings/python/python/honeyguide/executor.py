"""How one tool's function is called. Knows nothing of the engine, of threads or of event loops."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Arrange = Callable[[dict[str, Any], Any], tuple[tuple[Any, ...], dict[str, Any]]]

__all__ = ["Executor"]


class Executor:
    """A function and the way in which it takes a call's arguments.

    Without `arrange` the function gets the arguments as one value (made from them by `read`, when given), and the
    call's context after it if it has a second parameter without a default, or one called `context`.
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
        self._style: tuple[bool, str] | None = None

    def call(self, arguments: dict[str, Any], context: Any) -> Any:
        """Calls the function; what it returns may have to be awaited."""
        if self._arrange is not None:
            positional, keywords = self._arrange(arguments, context)
            return self.function(*positional, **keywords)
        value = arguments if self._read is None else self._read(arguments)
        wants = self._inspect()[1]
        if wants == "nothing":
            return self.function()
        if wants == "context":
            return self.function(value, context)
        if wants == "context by name":
            return self.function(value, context=context)
        return self.function(value)

    @property
    def may_block(self) -> bool:
        """Whether calling the function does its work, rather than return something to await or iterate."""
        return self._inspect()[0]

    def _inspect(self) -> tuple[bool, str]:
        # Lazy, since `inspect` is slow to import and most tools of a catalog are never called.
        if self._style is None:
            import inspect

            target = self.function
            if not inspect.isroutine(target) and not hasattr(target, "func"):
                target = type(target).__call__
            returns_at_once = (
                inspect.iscoroutinefunction(target)
                or inspect.isasyncgenfunction(target)
                or inspect.isgeneratorfunction(target)
            )
            self._style = not returns_at_once, _wants(inspect, self.function)
        return self._style


def _wants(inspect: Any, function: Callable[..., Any]) -> str:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return "arguments"
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(places) > 1 and (places[1].default is inspect.Parameter.empty or places[1].name == "context"):
        return "context"
    if any(p.kind is p.KEYWORD_ONLY and p.name == "context" for p in parameters):
        return "context by name"
    if not places and not any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return "nothing"
    return "arguments"
