"""What a model sent and what a tool returned, as JSON text. Knows no operation and no default."""

from __future__ import annotations

from .refuse import Raw, Refused, printable, write
from .request import invalid_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["write_arguments", "write_result"]


def write_arguments(arguments: object) -> Raw | None:
    """What the model sent, for the engine to judge. JSON text goes out as a JSON string: the engine reads it."""
    if arguments is None or (isinstance(arguments, str) and not arguments.strip()):
        return None
    if isinstance(arguments, str):
        return write(printable(arguments))
    try:
        return write(arguments)
    except Refused as refused:
        # Python's json reads NaN and halves of surrogate pairs, so these came from a model: its mistake, to be answered
        # with a reply. The halves go out as escapes, the rest as a string that is not JSON: the engine says what is
        # wrong with either.
        import json

        if refused.reason == "loneSurrogate":
            try:
                return Raw(json.dumps(arguments, allow_nan=False))
            except ValueError:
                pass
        if refused.reason in ("notFinite", "loneSurrogate"):
            return write(json.dumps(arguments))
        raise invalid_json(refused) from None


def write_result(result: object) -> Raw:
    """A tool's result as JSON text; models, dataclasses, sets, times and paths are written as what they say."""
    try:
        return write(result)
    except Refused as refused:
        if refused.reason not in ("unsupported", "loneSurrogate"):
            raise invalid_json(refused) from None
    try:
        return write(_plain(result))
    except Refused as refused:
        raise invalid_json(refused) from None


def _plain(value: Any) -> Any:
    if hasattr(type(value), "model_dump"):
        return value.model_dump(mode="json", by_alias=True)
    if hasattr(type(value), "__dataclass_fields__"):
        return {name: _plain(getattr(value, name)) for name in type(value).__dataclass_fields__}
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    if isinstance(value, (set, frozenset)):
        return sorted((_plain(part) for part in value), key=str)
    if hasattr(type(value), "isoformat"):
        return value.isoformat()
    if hasattr(type(value), "__fspath__") or type(value).__module__ in ("decimal", "uuid"):
        return str(value)
    return printable(value) if isinstance(value, str) else value
