"""Writes a value that is not plain, such as an object that passes for a `dict`, or finds what JSON cannot say in it.

Knows nothing of items or operations. Imported with the first such value.
"""

from __future__ import annotations

from .jsontext import compact
from .refuse import Refused, escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["write_thoroughly"]

_MOST_LEVELS = 200
_LEAVES = frozenset((str, int, float, bool, type(None)))


def write_thoroughly(value: object) -> str:
    """The value as compact JSON text; raises `Refused`."""
    try:
        text = compact(value)
        if not text.isascii():
            text.encode()
        _check_keys(value)
    except Exception:
        _find_fault(value, "", [])
        raise Refused("", "unsupported", "the value cannot be written as JSON") from None
    return text


def _check_keys(value: object) -> None:
    """Refuses keys that `json` would turn into strings in silence. The value was just written, so it is a tree."""
    if isinstance(value, dict):
        for key, child in value.items():
            if type(key) is not str and not isinstance(key, str):
                raise TypeError("a key that is not a string")
            if type(child) not in _LEAVES:
                _check_keys(child)
    elif isinstance(value, (list, tuple)):
        for child in value:
            if type(child) not in _LEAVES:
                _check_keys(child)


def _find_fault(value: object, path: str, above: list[int]) -> None:
    """Walks to the first place that cannot be written and raises its `Refused`."""
    if isinstance(value, str):
        _find_surrogate(value, path)
    elif isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise Refused(path, "notFinite", f"{value!r} is not a number that JSON can say")
    elif isinstance(value, int):
        try:
            str(value)
        except ValueError as cause:
            raise Refused(path, "bigInteger", str(cause)) from None
    elif isinstance(value, (dict, list, tuple)):
        if id(value) in above:
            raise Refused(path, "cycle", "the value contains itself")
        if len(above) >= _MOST_LEVELS:
            raise Refused(path, "unsupported", f"the value is nested more than {_MOST_LEVELS} levels deep")
        above.append(id(value))
        _find_in_children(value, path, above)
        above.pop()
    elif value is not None:
        raise Refused(path, "unsupported", f"a value of type `{type(value).__name__}` has no JSON form")


def _find_in_children(value: Any, path: str, above: list[int]) -> None:
    try:
        pairs = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
    except Exception as cause:
        raise Refused(path, "getter", f"reading it raised {type(cause).__name__}") from None
    for key, child in pairs:
        if isinstance(value, dict):
            if not isinstance(key, str):
                raise Refused(path, "unsupported", f"a key of type `{type(key).__name__}` is not a string")
            _find_surrogate(key, path)
        _find_fault(child, f"{path}/{escape(str(key))}", above)


def _find_surrogate(text: str, path: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Refused(path, "loneSurrogate", "the text holds half of a surrogate pair") from None
