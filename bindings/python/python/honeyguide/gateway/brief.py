"""Arguments on few characters, so that no part of them hides another one: each value is cut by itself, and the room for
keys is taken first. Knows no question.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .harmless import visible
from .text import text_of

__all__ = ["brief"]

_LEAST = 32
"""How many characters a value gets at least, with the word on what was cut of it."""
_LONGEST_KEY = 40
_BLANKS = re.compile("[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]{2,}")
"""The category Zs."""


def brief(value: Any, most: int) -> str:
    """A value as JSON of not many more characters than these."""
    whole = _written(value)
    if len(whole) <= most:
        return whole
    is_object = isinstance(value, Mapping)
    if not (is_object or isinstance(value, list)) or most < 2 * _LEAST:
        return _cut_short(whole, most)
    if is_object:
        parts = [_part(f"{_cut_short(_written(key), _LONGEST_KEY)}:", each) for key, each in value.items()]
    else:
        parts = [_part("", each) for each in value]
    fitting = _fitting(parts, most)
    shares = _shares(fitting, most)
    shown = [part.key + brief(part.value, share) for part, share in zip(fitting, shares, strict=True)]
    if len(fitting) < len(parts):
        shown.append(f"… ({len(parts) - len(fitting)} more)")
    return f"{{{','.join(shown)}}}" if is_object else f"[{','.join(shown)}]"


class _Part(NamedTuple):
    key: str
    value: Any
    room: int
    """Of the key, with what stands around it."""
    length: int
    """Of the whole value."""


def _part(key: str, value: Any) -> _Part:
    return _Part(key, value, len(key) + 1, len(_written(value)))


def _fitting(parts: Sequence[_Part], most: int) -> Sequence[_Part]:
    """The first parts, as many as can be shown with something of their values; one always."""
    left = most
    for place, part in enumerate(parts):
        left -= part.room + min(part.length, _LEAST)
        if left < 0:
            return parts[: max(1, place)]
    return parts


def _shares(parts: Sequence[_Part], most: int) -> list[int]:
    """How many characters each value gets: a short one what it needs, the others the same share of what is left."""
    shares = [_LEAST] * len(parts)
    left = most - sum(part.room for part in parts)
    for done, (place, part) in enumerate(sorted(enumerate(parts), key=lambda each: each[1].length)):
        shares[place] = max(min(_LEAST, part.length), min(part.length, left // (len(parts) - done)))
        left -= shares[place]
    return shares


def _cut_short(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    note = f"… ({len(text)} characters)"
    return text[: max(_LEAST // 2, most - len(note))] + note


def _written(value: Any) -> str:
    """As JSON without what cannot be seen, with runs of blanks as one sign: they would push the rest out of sight."""
    return _BLANKS.sub("␣", visible(text_of(value)))
