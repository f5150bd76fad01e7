"""Variables in a configuration: `${VAR}`, `${VAR:-default}`, `${env:VAR}`. Knows nothing of servers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

__all__ = ["Expanded", "Missing", "expand"]

_REFERENCE = re.compile(r"\$\{(?:env:)?([^}:]*)(?::(-?)([^}]*))?\}")


class Missing(NamedTuple):
    """A variable without a value, and where it stands, such as `headers.Authorization`."""

    field: str
    variable: str


class Expanded(NamedTuple):
    """What came of expanding; `secrets` are what was put in, to be kept out of messages."""

    value: Any
    missing: list[Missing]
    secrets: list[str]


def expand(value: object, environment: Mapping[str, str], field: str = "") -> Expanded:
    """The value with every text in it expanded; the value itself is left as it is."""
    missing: list[Missing] = []
    secrets: list[str] = []

    def expand_text(text: str, place: str) -> str:
        def replace(match: re.Match[str]) -> str:
            name, dash, rest = match.groups()
            present = environment.get(name)
            found = present
            if dash == "-":
                # As in a shell: a default also stands in for an empty value.
                found = present or rest
            elif dash is not None:
                found = None
            if found is None:
                missing.append(Missing(place, match.group()[2:-1] if dash == "" else name))
                return match.group()
            if found == present:
                secrets.append(found)
            return found

        return _REFERENCE.sub(replace, text)

    def walk(part: object, place: str) -> object:
        if isinstance(part, str):
            return expand_text(part, place)
        if isinstance(part, (list, tuple)):
            return [walk(entry, f"{place}[{index}]") for index, entry in enumerate(part)]
        if isinstance(part, Mapping):
            return {key: walk(entry, f"{place}.{key}" if place else str(key)) for key, entry in part.items()}
        return part

    return Expanded(walk(value, field), missing, secrets)
