"""How one tool's function is called. Knows nothing of the engine, of threads or of event loops."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from .calling import Style

    Arrange = Callable[[dict[str, Any], Any], tuple[tuple[Any, ...], dict[str, Any]]]

__all__ = ["Executor"]


class Executor:
    """A function and the way in which it takes a call's arguments.

    Without `arrange` the function gets the arguments as one value (made from them by `read`, when given). A second
    parameter without a default, or one called `context`, gets the caller's context. Keyword-only parameters called
    `context`, `tool_id`, `session` or `tool_call_id` get what they are called. With a `schema` whose properties are the
    function's parameters, it gets them by name.
    """

    __slots__ = ("_arrange", "_read", "_schema", "_style", "function")

    def __init__(
        self,
        function: Callable[..., Any],
        arrange: Arrange | None = None,
        read: Callable[[Any], Any] | None = None,
        schema: Any = None,
    ) -> None:
        self.function = function
        self._schema = schema
        self._arrange = arrange
        self._read = read
        self._style: Style | None = None

    def call(self, arguments: dict[str, Any], about: Mapping[str, Any]) -> Any:
        """Calls the function; what it returns may have to be awaited."""
        try:
            positional, keywords = self._prepare(arguments, about)
        except Exception as cause:
            from .calling import InvalidArgumentsError

            raise InvalidArgumentsError.by(self, about["tool_id"], cause) from cause
        return self.function(*positional, **keywords)

    @property
    def may_block(self) -> bool:
        """Whether calling the function does its work, rather than return something to await or iterate."""
        return self._look().blocks

    def _prepare(self, arguments: dict[str, Any], about: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        if self._schema is not None:
            from .schema import executor_of_definition

            self._arrange = executor_of_definition({"inputSchema": self._schema}, self.function)._arrange
            self._schema = None
        if self._arrange is not None:
            return self._arrange(arguments, about["context"])
        style = self._look()
        value = arguments if self._read is None else self._read(arguments)
        return (value, about["context"])[: style.places], {name: about[name] for name in style.names}

    def _look(self) -> Style:
        # Lazy, since `inspect` is slow to import and most tools of a catalog are never called.
        if self._style is None:
            from .calling import Style

            self._style = Style(self.function)
        return self._style
