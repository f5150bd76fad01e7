"""Writes out what the scenario says in short: series, fixtures, parts of earlier answers.

Knows nothing of operations.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Sources(Protocol):
    """Where short forms take their content from."""

    fixtures: Mapping[str, list[Any]]
    observed: Mapping[str, Any]


class Nothing:
    """What stands where nothing does."""


def expand(value: Any, sources: Sources) -> Any:
    """The value with every short form written out."""
    if isinstance(value, list):
        return [expand(item, sources) for item in value]
    if not isinstance(value, dict):
        return value
    if "$series" in value:
        return _series(value, sources)
    if "$fixtures" in value:
        return [expand(item, sources) for name in value["$fixtures"] for item in sources.fixtures[name]]
    if "$from" in value:
        return pointed(sources.observed[value["$from"]], value["at"])
    return {key: expand(part, sources) for key, part in value.items()}


def pointed(value: Any, pointer: str) -> Any:
    """What stands at a JSON Pointer; `Nothing` when nothing does."""
    for key in pointer.split("/")[1:]:
        name = key.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        else:
            return Nothing
    return value


def _series(short: dict[str, Any], sources: Sources) -> Any:
    """`{"$series": template, "count", "from"?, "join"?, "end"?}`: once per number, `{n}` being the number."""
    template = expand(short["$series"], sources)
    start = short.get("from", 0)
    items = [_number_in(template, str(number)) for number in range(start, start + short["count"])]
    return items if "join" not in short else short["join"].join(items) + short.get("end", "")


def _number_in(value: Any, number: str) -> Any:
    if isinstance(value, str):
        return value.replace("{n}", number)
    if isinstance(value, list):
        return [_number_in(item, number) for item in value]
    if isinstance(value, dict):
        return {key: _number_in(part, number) for key, part in value.items()}
    return value
