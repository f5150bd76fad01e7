"""Adds members to an object in a JSON text that a person wrote: what is there stays as it is, comments and all.

Knows no configuration. The text was read before, so it is whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from ..jsonc import blanked, without_comments

__all__ = ["insert_members"]

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]', re.DOTALL)
_INDENT = "  "


class _Object(NamedTuple):
    """Where an object begins and ends: the places of its braces."""

    open: int
    close: int


def insert_members(text: str, key: str, members: Mapping[str, Any]) -> str:
    """The text with members added to the object under a key of the outermost one; the key is added where it is not."""
    root, named = _find(blanked(text), key)
    return _insert(text, root, {key: members}) if named is None else _insert(text, named, members)


def _find(text: str, key: str) -> tuple[_Object, _Object | None]:
    """The outermost object, and the last one that stands under the key."""
    tokens = list(_TOKEN.finditer(text))
    opened: list[tuple[int, bool]] = []
    root, named = _Object(0, 0), None
    for at, token in enumerate(tokens):
        if token[0] in "{[":
            before = tokens[at - 2] if at >= 2 and tokens[at - 1][0] == ":" else None
            is_named = len(opened) == 1 and before is not None and json.loads(before[0]) == key
            opened.append((token.start(), is_named))
        elif token[0] in "}]":
            start, is_named = opened.pop()
            if not opened:
                root = _Object(start, token.start())
            elif is_named and token[0] == "}":
                named = _Object(start, token.start())
    return root, named


def _insert(text: str, place: _Object, members: Mapping[str, Any]) -> str:
    end = "\r\n" if "\r\n" in text else "\n"
    line = text.rfind("\n", 0, place.open) + 1
    outer = text[line : place.open][: len(text[line : place.open]) - len(text[line : place.open].lstrip())]
    inner = outer + _INDENT
    written = f",{end}".join(
        f"{inner}{json.dumps(name, ensure_ascii=False)}: {_indented(entry, inner, end)}"
        for name, entry in members.items()
    )
    head, body, tail = text[: place.open + 1], text[place.open + 1 : place.close], text[place.close :]
    # Behind the last member, and before whatever comment follows it.
    last = len(blanked(text)[place.open + 1 : place.close].rstrip())
    if last and "," not in without_comments(text)[place.open + 1 + last : place.close]:
        body = f"{body[:last]},{body[last:]}"
    return f"{head}{body.rstrip()}{end}{written}{end}{outer}{tail}"


def _indented(entry: Any, indent: str, end: str) -> str:
    return json.dumps(entry, indent=2, ensure_ascii=False).replace("\n", f"{end}{indent}")
