"""Makes text that somebody else wrote harmless where a person reads it. Knows no question and no log."""

from __future__ import annotations

import re
from collections.abc import Callable
from unicodedata import category

__all__ = ["as_name", "cut", "on_one_line", "visible"]

_INVISIBLE = frozenset(("Cc", "Cf", "Zl", "Zp", "Co", "Cs"))
"""What a screen does not show as what it is: controls, directions, zero widths, line ends, private and broken."""
_BLANK = re.compile("[\u3164\u2800\u115f\u1160\u034f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Letters and marks that are blank: fillers, joiners, the empty Braille pattern, selectors of variations."""
_LINE_ENDS = re.compile("\\s*[\r\n\u2028\u2029]+\\s*")
_MOST_OF_NAME = 100


def visible(text: str) -> str:
    """The text without what cannot be seen."""
    if text.isascii() and text.isprintable():
        return text
    return _BLANK.sub("", "".join(letter for letter in text if category(letter) not in _INVISIBLE))


def on_one_line(text: str) -> str:
    """The text on one line."""
    return visible(_LINE_ENDS.sub(" ", text).replace("\t", " ")).strip()


def as_name(name: str) -> str:
    """A name to stand between back-ticks."""
    return cut(visible(name).replace("`", "'"), _MOST_OF_NAME, lambda _: "…")


def cut(text: str, most: int, rest: Callable[[int], str]) -> str:
    """The first characters, with a word on what was left out."""
    return text if len(text) <= most else text[:most] + rest(len(text))
