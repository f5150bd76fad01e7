"""From a Python value to JSON text, or to the reason why it cannot be written.

Knows nothing of items or operations. The text is what the value says: no `NaN`, no key that is not a string, no half
of a surrogate pair, nothing converted in silence.
"""

from __future__ import annotations

from ._native import write_plain
from .jsontext import parse, quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Raw", "Refused", "escape", "printable", "write", "write_request"]

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
    if text is None:
        from .thorough import write_thoroughly

        text = write_thoroughly(value)
    return Raw(text)


def write_request(request: dict[str, Any]) -> str:
    """A request of the wire: parts that are `Raw` go in as they stand, parts that are None are left out."""
    pieces: list[str] = []
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


def escape(key: str) -> str:
    """A key as it stands in a JSON Pointer."""
    return printable(key).replace("~", "~0").replace("/", "~1")
