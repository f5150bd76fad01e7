"""From a Python value to JSON text, or to the reason why it cannot be written.

Knows nothing of items or operations. The text is what the value says: no `NaN`, no key that is not a string, no half
of a surrogate pair, nothing converted in silence.
"""

from __future__ import annotations

from ._native import write_plain
from .jsontext import compact, parse, quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Raw", "Refused", "escape", "printable", "write", "write_request"]

_MOST_LEVELS = 200
# The whole numbers that every reader of JSON reads alike.
_SAFE = 2**53 - 1


class Raw(str):
    """JSON text that goes out, or came in, as it stands."""

    __slots__ = ()

    @property
    def value(self) -> Any:
        """What the text says."""
        return parse(self)


class Refused(Exception):  # noqa: N818 (it is a reason on its way into a record, not an error that a user sees)
    """Why a value cannot be written: where (a JSON Pointer), a reason of the wire, and a sentence."""

    def __init__(self, path: str, reason: str, message: str) -> None:
        super().__init__(path, reason, message)
        self.path = path
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return f"{self.message} (at `{self.path}`)" if self.path else self.message

    def under(self, key: str) -> Refused:
        """The same refusal, seen from one level above."""
        return Refused(f"/{escape(key)}{self.path}", self.reason, self.message)


def write(value: object) -> Raw:
    """The value as compact JSON text; raises `Refused`."""
    text = write_plain(value)
    return Raw(_write_other(value) if text is None else text)


def _write_other(value: object) -> str:
    """The same for what may hold anything, such as an object that passes for a `dict`."""
    try:
        text = compact(value)
        if not text.isascii():
            text.encode()
        _check_keys(value)
    except Exception:
        _find_fault(value, "", [])
        raise Refused("", "unsupported", "the value cannot be written as JSON") from None
    return text


def write_request(request: dict[str, Any]) -> str:
    """A request of the wire: parts that are `Raw` go in as they stand, parts that are None are left out."""
    pieces = []
    before = "{"
    for key, part in request.items():
        if part is None:
            continue
        if isinstance(part, Raw):
            text: str = part
        elif type(part) is str and part.isascii():
            text = quote(part)
        elif type(part) is int and -_SAFE <= part <= _SAFE:
            text = str(part)
        elif isinstance(part, list) and part and isinstance(part[0], Raw):
            # A batch is long: its items are joined once, with all the rest.
            items = [","] * (2 * len(part) - 1)
            items[::2] = part
            pieces += (f'{before}"{key}":[', *items, "]")
            before = ","
            continue
        else:
            try:
                text = write(part)
            except Refused as refused:
                raise refused.under(key) from None
        pieces.append(f'{before}"{key}":{text}')
        before = ","
    return "".join((*pieces, "}")) if pieces else "{}"


def printable(text: str) -> str:
    """The text with every half of a surrogate pair spelt out, so that it can be shown and sent."""
    if not isinstance(text, str):
        return text  # For the engine to refuse.
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


_LEAVES = frozenset((str, int, float, bool, type(None)))


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


def escape(key: str) -> str:
    """A key as it stands in a JSON Pointer."""
    return printable(key).replace("~", "~0").replace("/", "~1")
