"""What only our own engine can be asked: names, families of look-alikes, and what it is without one of its ideas.

Knows nothing of how the answers are shown.
"""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

from speed.driver.places import progress

from . import metrics, rankings
from .engines import HYBRID, OURS, SEMANTIC, Engine, binary, meaning
from .results import compared

if TYPE_CHECKING:
    from .rankings import Given, Ranking
    from .sets import Set

# What variants are compared by.
METRIC = "ndcg"
# The page that a model gets.
DIVERSE = "look-alikes behind"


def names(sets: list[Set]) -> dict[str, Any]:
    """How often tools stand first that are called by their names, by set."""
    found = {}
    for one in sets:
        progress(f"calling every tool of {one.name} by its name")
        report = json.loads(ask("names", one.arguments()[0]))
        found[one.name] = report | {part: dict(report[part]) for part in ("exact", "typos")}
    progress("")
    return found


def families() -> dict[str, Any]:
    """How a generated catalog of look-alikes shares a page."""
    return json.loads(ask("families"))


def variants(sets: list[Set], ours: dict[str, Ranking]) -> dict[str, Any]:
    """Our row beside itself: with the page that a model gets, and without each of its ideas."""
    engines = [Engine(DIVERSE, [str(binary()), "ours"], ["--diverse"])]
    ideas = ask("--ideas").split()
    engines += [Engine(f"without {idea}", [str(binary()), "ours"], ["--without", idea]) for idea in ideas]
    return beside(OURS, ours, rankings.collect(engines, sets, ""), sets)


def variants_of_meaning(sets: list[Set], hybrid: dict[str, Ranking], given: Given) -> dict[str, dict[str, Ranking]]:
    """The answers of our hybrid row without each of its ideas."""
    if any(one.missing for one in hybrid.values()):
        return {}
    engines = [without(HYBRID, idea) for idea in ask("--ideas-of-fusion").split()]
    found = rankings.collect(engines, sets, given)
    return {row.removeprefix(f"{HYBRID}, "): by_set for row, by_set in found.items()}


def variants_of_doubt(sets: list[Set], hybrid: dict[str, Ranking], given: Given) -> dict[str, dict[str, Ranking]]:
    """The answers of our rows with vectors without each idea of their doubt, which moves no hit."""
    if any(one.missing for one in hybrid.values()):
        return {}
    engines = [without(HYBRID, idea) for idea in ask("--ideas-of-doubt").split()]
    engines += [without(SEMANTIC, idea) for idea in ask("--ideas-of-doubt-alone").split()]
    return rankings.collect(engines, sets, given)


def without(row: str, idea: str) -> Engine:
    """One of our rows with vectors, without an idea."""
    return meaning(f"{row}, without {idea}", row, "--without", idea)


def beside(row: str, own: dict[str, Ranking], others: dict[str, dict[str, Ranking]], sets: list[Set]) -> dict[str, Any]:
    """What a row gains or loses by changes."""
    ranked = {row: own, **others}
    for name, by_set in ranked.items():
        failed = next((one.missing for one in by_set.values() if one.missing), None)
        if failed:
            raise SystemExit(f"{name}: {failed}")
    progress("comparing ours with itself")
    values = rankings.measured(ranked, sets)
    only = {
        name: {found: {METRIC: columns[METRIC]} for found, columns in by_set.items()} for name, by_set in values.items()
    }
    estimates = metrics.estimate(only)
    progress("")
    return {name: compared(by_set, estimates[row]) for name, by_set in estimates.items() if name != row}


def ask(*arguments: str) -> str:
    """What our binary prints."""
    return subprocess.run([str(binary()), *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout
