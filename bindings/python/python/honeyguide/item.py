"""Reads one item that an application passed: its definition as JSON text, and for a tool its executor.

Knows nothing of the engine. Never changes the item.
"""

from __future__ import annotations

from .executor import Executor
from .refuse import Raw, Refused, printable, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

__all__ = ["FunctionTool", "ReadItem", "read_item", "split_batch"]


class FunctionTool:
    """A function that is to become a tool, and what it does not say of itself."""

    __slots__ = ("fields", "function")

    def __init__(self, function: Callable[..., Any], fields: Mapping[str, Any]) -> None:
        self.function = function
        self.fields = fields


class ReadItem:
    """An item ready for the engine; one that cannot be written is a record which keeps its place in the batch."""

    __slots__ = ("execute", "id", "text")

    def __init__(self, text: Raw, id: str | None = None, execute: Executor | None = None) -> None:
        self.text = text
        self.id = id
        self.execute = execute


def split_batch(items: object) -> tuple[list[Any], bool]:
    """The items one by one, and whether it was a batch: any iterable that is not itself an item is one."""
    if isinstance(items, (list, tuple)):
        return list(items), True
    if isinstance(items, (str, bytes, dict)) or callable(items) or hasattr(items, "keys"):
        return [items], False
    try:
        return list(items), True  # type: ignore[call-overload]
    except TypeError:
        return [items], False


def read_item(item: object, kind: str) -> ReadItem:
    """Reads one item; whatever is wrong with it becomes a record for the engine to judge."""
    id = None
    try:
        fields = _fields(item, kind)
        id = fields.get("id")
        execute = _take_executor(fields) if kind == "tool" else None
        return ReadItem(write(fields), id if isinstance(id, str) else None, execute)
    except Refused as refused:
        record = {"path": refused.path, "reason": refused.reason}
        if refused.message:
            record["message"] = printable(refused.message)
        if isinstance(id, str):
            record["id"] = printable(id)
        return ReadItem(write({"$refused": record}))


def _fields(item: Any, kind: str) -> dict[str, Any]:
    if hasattr(item, "keys") and hasattr(item, "__getitem__"):
        try:
            return dict(item)
        except Exception as cause:
            raise Refused("", "getter", f"reading it raised {type(cause).__name__}") from None
    if kind == "tool" and (isinstance(item, FunctionTool) or callable(item)):
        from .schema import tool_of_function

        return (
            tool_of_function(item.function, item.fields) if isinstance(item, FunctionTool) else tool_of_function(item)
        )
    raise Refused("", "notAnObject", f"got a value of type `{type(item).__name__}`")


def _take_executor(fields: dict[str, Any]) -> Executor:
    execute = fields.pop("execute", None)
    if execute is None:
        raise Refused("/execute", "missingExecutor", "")
    if not callable(execute) and not isinstance(execute, Executor):
        message = f"a value of type `{type(execute).__name__}` cannot be called"
        raise Refused("/execute", "missingExecutor", message)
    schema = fields.get("inputSchema")
    if isinstance(execute, Executor):
        executor = execute
    else:
        executor = Executor(execute, schema=schema if isinstance(schema, dict) else None)
    if schema is not None and not isinstance(schema, (dict, bool, str, int, float, list, tuple)):
        from .schema import executor_of_type

        fields["inputSchema"], executor = executor_of_type(schema, executor.function)
    return executor
