"""Values that Python has and JSON has not, by the names that the scenario gives them. Knows nothing of steps."""

from __future__ import annotations

from typing import Any

from .executors import Executors


class Unreadable(dict[str, Any]):
    """A dict that raises when it is read."""

    def __init__(self) -> None:
        super().__init__(broken=None)

    def items(self) -> Any:
        """Raises."""
        raise RuntimeError("the fixture cannot be read")


def make_item(item: Any, executors: Executors) -> Any:
    """The item with each `{"$value": name}` made, and each executor's name replaced by its function."""
    made = _make(item)
    if not isinstance(made, dict) or not isinstance(made.get("execute"), str):
        return made
    return {**made, "execute": executors.named(made["execute"])}


def _make(value: Any) -> Any:
    if isinstance(value, list):
        return [_make(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "$value" in value:
        return _maker(value["$value"])
    return {key: _make(part) for key, part in value.items()}


def _maker(name: str) -> Any:
    match name:
        case "notFinite":
            return float("nan")
        case "bigInteger":
            return 10**30
        case "loneSurrogate":
            return "\ud83d"
        case "cycle":
            value: dict[str, Any] = {}
            value["self"] = value
            return value
        case "getter":
            return Unreadable()
        case _:
            raise LookupError(f"no value `{name}`")
