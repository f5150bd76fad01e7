"""JSON as people write it into configurations, with comments and trailing commas. Knows no configuration.

The standard library reads; here those two are turned into blanks before, so that each place keeps its line and column.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

__all__ = ["JsonFault", "blanked", "keys_that_stand_twice", "read_jsonc", "without_comments"]

_STRING = r'"(?:[^"\\\n]|\\.)*"'
_COMMENTS = re.compile(rf"{_STRING}|(//[^\n]*|/\*.*?\*/)", re.DOTALL)
_COMMAS = re.compile(rf"{_STRING}|(,)(?=\s*[}}\]])", re.DOTALL)
_TOKENS = re.compile(rf"{_STRING}|[{{}}\[\]:,]", re.DOTALL)
_DEEPEST = 200
"""How deep values may stand in each other; whoever reads deeper ones runs out of stack at some point."""
_INK = re.compile(r"[^\n\r\t]")


class JsonFault(Exception):  # noqa: N818 (it is a place in a file on its way into a sentence)
    """Why a text is no JSON, and where: lines and columns count from 1."""

    def __init__(self, why: str, line: int, column: int) -> None:
        super().__init__(f"{line}:{column}: {why}")
        self.why = why
        self.line = line
        self.column = column


def read_jsonc(text: str) -> Any:
    """What a text says."""
    blank = blanked(text)
    depth = 0
    for token in _TOKENS.finditer(blank):
        depth += (token[0] in "{[") - (token[0] in "}]")
        if depth > _DEEPEST:
            raise JsonFault("nested too deeply", *_place(blank, token.start()))
    try:
        return json.loads(blank, parse_constant=_refuse)
    except json.JSONDecodeError as fault:
        raise JsonFault(fault.msg, fault.lineno, fault.colno) from None
    except (RecursionError, ValueError) as fault:
        raise JsonFault(str(fault), 1, 1) from None


def keys_that_stand_twice(text: str) -> Iterator[tuple[list[str], int, int]]:
    """The keys that lead to each that stands a second time in its object, with line and column; the text is whole."""
    text = blanked(text)
    opened: list[_Open] = []
    for token in _TOKENS.finditer(text):
        sign = token[0]
        if sign in "{[":
            opened.append(_Open(sign == "{"))
        elif sign in "}]":
            opened.pop()
        elif sign == ",":
            opened[-1].awaits_key = opened[-1].is_object
        elif sign != ":" and opened and opened[-1].awaits_key:
            here, key = opened[-1], json.loads(sign)
            here.awaits_key, here.key = False, key
            if key in here.keys:
                path = [each.key for each in opened if each.is_object]
                yield path, *_place(text, token.start())
            here.keys.add(key)


def _place(text: str, start: int) -> tuple[int, int]:
    """Line and column of a character."""
    return text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)


class _Open:
    """An object or a list that is being read."""

    def __init__(self, is_object: bool) -> None:
        self.is_object = self.awaits_key = is_object
        self.keys: set[str] = set()
        self.key = ""


def without_comments(text: str) -> str:
    """A text of the same length without comments."""
    return _COMMENTS.sub(lambda found: _INK.sub(" ", found[0]) if found[1] else found[0], text)


def blanked(text: str) -> str:
    """A text of the same length without comments and trailing commas."""
    without = without_comments(text)

    def blank(found: re.Match[str]) -> str:
        before = without[: found.start()].rstrip()[-1:]
        return " " if found[1] and before not in ("", "[", "{", ",", ":") else found[0]

    return _COMMAS.sub(blank, without)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"`{constant}` is no JSON")
