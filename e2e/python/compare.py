"""Compares what was observed with what was expected: exactly, but where a matcher loosens and says how much.

Knows nothing of operations. `e2e/README.md` lists the matchers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from . import canonical
from .expand import Nothing, pointed
from .world import World


def compare_step(world: World, step: dict[str, Any], observed: dict[str, Any]) -> list[str]:
    """What differs, in sentences; empty when nothing does."""
    comparison = Comparison(world)
    expected = world.expand(step["expect"])
    # The text of an envelope is compared between the languages, not with the scenario.
    for key in observed:
        if key != "text" and key not in expected:
            comparison.found.append(f"unexpected {key}: {canonical.write(observed[key])}")
    for key, wanted in expected.items():
        if key not in observed:
            comparison.found.append(f"no {key} came")
        elif key in ("error", "thrown"):
            # An error is its code: of its record, the keys that are given are compared.
            for part, value in wanted.items():
                comparison.compare(value, observed[key].get(part, Nothing), f"/{key}/{part}")
        else:
            comparison.compare(wanted, observed[key], f"/{key}")
    return comparison.found


class Comparison:
    """One comparison, and what it found."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.found: list[str] = []

    def compare(self, wanted: Any, actual: Any, path: str) -> None:
        """Notes what differs at this place and below."""
        name = next(iter(wanted), "") if isinstance(wanted, dict) else ""
        if name in MATCHERS:
            self._match(name, wanted, actual, path)
        elif actual is Nothing:
            self.found.append(f"{path} is missing; expected {canonical.write(wanted)}")
        elif isinstance(wanted, list) and isinstance(actual, list):
            if len(wanted) != len(actual):
                shown = canonical.write(actual)[:300]
                self.found.append(f"{path} has {len(actual)} entries, expected {len(wanted)}: {shown}")
            for place, (part, value) in enumerate(zip(wanted, actual, strict=False)):
                self.compare(part, value, f"{path}/{place}")
        elif isinstance(wanted, dict) and isinstance(actual, dict):
            for key, part in wanted.items():
                self.compare(part, actual.get(key, Nothing), f"{path}/{key}")
            for key in actual.keys() - wanted.keys():
                self.found.append(f"{path}/{key} was not expected: {canonical.write(actual[key])}")
        elif canonical.write(wanted) != canonical.write(actual):
            self.found.append(f"{path} is {canonical.write(actual)}, expected {canonical.write(wanted)}")

    def _match(self, name: str, wanted: Any, actual: Any, path: str) -> None:
        if actual is Nothing:
            if name != "$absent":
                self.found.append(f"{path} is missing; expected {name}")
        elif name == "$at":
            for pointer, part in wanted[name].items():
                self.compare(part, pointed(actual, pointer), f"{path}{pointer}")
        elif name == "$all":
            for part in wanted[name]:
                self.compare(part, actual, path)
        elif not MATCHERS[name](self.world, actual, wanted[name], wanted):
            argument = canonical.write(wanted[name])
            self.found.append(f"{path} does not match {name} {argument}: {canonical.write(actual)}")


def _is_score(value: Any, digits: int | None = None) -> bool:
    """A finite number above zero; with `digits`, of at most so many significant ones."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or value <= 0:
        return False
    return digits is None or float(f"{value:.{digits}g}") == value


def _is_text(_world: World, actual: Any, parts: list[str], wanted: Any) -> bool:
    if not isinstance(actual, str) or actual == "" or len(actual) > wanted.get("atMost", math.inf):
        return False
    return all(part in actual for part in parts)


def _has_length(_world: World, actual: Any, wanted: Any, _: Any) -> bool:
    if not isinstance(actual, list):
        return False
    if isinstance(wanted, int):
        return len(actual) == wanted
    return bool(wanted.get("atLeast", 0) <= len(actual) <= wanted.get("atMost", math.inf))


def _ids_of(hits: Any) -> list[Any]:
    return [hit["id"] for hit in hits] if isinstance(hits, list) else []


def _are_hits(_world: World, actual: Any, ids: list[str], _: Any) -> bool:
    return _ids_of(actual) == ids and all(
        _is_score(hit["score"]) and hit["rank"] == place for place, hit in enumerate(actual)
    )


def _found_tools(answer: Any) -> list[str]:
    """The ids in the tools bucket of a search's answer, in the order in which a model reads them."""
    return [hit["toolId"] for group in answer["tools"]["groups"] for hit in group["hits"]]


def _is_as_earlier(world: World, actual: Any, name: str, _: Any) -> bool:
    earlier = world.observed.get(name, {})
    return "value" in earlier and canonical.write(earlier["value"]) == canonical.write(actual)


def _tokens(text: str) -> int:
    """The estimate of the contract: ASCII bytes / 3 rounded up, plus 1.5 per other character."""
    other = sum(not character.isascii() for character in text)
    return math.ceil((len(text) - other) / 3) + math.ceil(other * 1.5)


MATCHERS: dict[str, Callable[[World, Any, Any, Any], bool]] = {
    "$any": lambda *_: True,
    "$absent": lambda _world, _actual, *_: False,
    "$score": lambda _world, actual, digits, _: _is_score(actual, None if digits is True else digits),
    "$digest": lambda _world, actual, *_: isinstance(actual, str) and bool(re.fullmatch("[0-9a-f]{64}", actual)),
    "$text": _is_text,
    "$length": _has_length,
    "$first": lambda _world, actual, wanted, _: isinstance(actual, list) and actual[: len(wanted)] == wanted,
    "$sorted": lambda _world, actual, ids, _: sorted(_ids_of(actual)) == ids,
    "$hits": _are_hits,
    "$found": lambda _world, actual, ids, _: _found_tools(actual) == ids,
    "$without": lambda _world, actual, parts, _: not any(part in canonical.write(actual) for part in parts),
    "$oneOf": lambda _world, actual, wanted, _: actual in wanted,
    "$same": _is_as_earlier,
    "$differs": lambda world, actual, name, _: not _is_as_earlier(world, actual, name, _),
    "$tokens": lambda _world, actual, most, _: _tokens(canonical.write(actual)) <= most,
    "$at": lambda *_: True,
    "$all": lambda *_: True,
}
"""Each matcher: whether the value holds, given the matcher's argument."""
