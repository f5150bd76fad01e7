"""Turns what was measured into plain numbers for the file, the table and the picture. Measures nothing."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from speed.driver import extras

from . import abstention, metrics, picture
from .engines import FLAT, HYBRID, OURS, REFERENCE_HYBRID, REFERENCE_OWN, SEMANTIC

if TYPE_CHECKING:
    from pathlib import Path

    from .rankings import Ranking
    from .sets import Set

ABOUT = (
    "Shares from 0 to 1. A metric is [mean, low, high], low and high around 95 of 100 resamples of the queries; "
    "`minus_ours` is the difference to the first row, resampled in pairs. A point of a curve is [threshold, kept, "
    "lost, false_ok]."
)


def about(sets: list[Set], frozen: dict[str, list[int]]) -> dict[str, Any]:
    """What the figures stand on."""
    sizes = {
        found.name: {
            "tools": found.tools,
            "queries": len(found.gold),
            "negatives": len(frozen.get(found.name, [])),
        }
        for found in sets
    }
    machine = {key: value for key, value in extras.machine().items() if key not in ("processor", "cores")}
    drawn = {"seed": metrics.SEED, "resamples": metrics.RESAMPLES}
    return {"about": ABOUT, "machine": machine, **drawn, "sets": sizes}


def rows(ranked: dict[str, dict[str, Ranking]], estimates: metrics.Estimates) -> dict[str, Any]:
    """Every engine's figures, or why there are none."""
    found: dict[str, Any] = {}
    for row, by_set in ranked.items():
        if row in estimates:
            version = next(iter(by_set.values())).version
            found[row] = {"version": version, **compared(estimates[row], estimates[OURS])}
        else:
            found[row] = {"missing": next(one.missing for one in by_set.values() if one.missing)}
    return found


def compared(row: dict[str, dict[str, metrics.Estimate]], ours: dict[str, dict[str, metrics.Estimate]]) -> Any:
    """A row's figures by set and metric, and their differences to ours."""
    figures: dict[str, Any] = {"sets": {}, "minus_ours": {}}
    for name, by_metric in row.items():
        figures["sets"][name] = {metric: numbers(one) for metric, one in by_metric.items()}
        minus = {metric: one.minus(ours[name][metric]) for metric, one in by_metric.items()}
        figures["minus_ours"][name] = {metric: numbers(one) for metric, one in minus.items()}
    return figures


def numbers(one: metrics.Estimate) -> list[float]:
    """Mean, low, high."""
    return [round(number, 5) for number in (one.mean, *one.interval())]


def meaning(rows: dict[str, Any]) -> dict[str, Any]:
    """What our hybrid row gains over the better of its two arms, set by set, and over the reference's hybrid."""
    if "missing" in rows[HYBRID]:
        return {}

    def ndcg(row: str, name: str) -> float:
        return rows[row]["sets"][name]["ndcg"][0]

    arms = {name: max(ndcg(OURS, name), ndcg(SEMANTIC, name)) for name in rows[OURS]["sets"] if name != metrics.MACRO}
    gains = {name: round(ndcg(HYBRID, name) - better, 5) for name, better in arms.items()}
    peers = [row for row in (REFERENCE_HYBRID, REFERENCE_OWN) if "missing" not in rows.get(row, {"missing": ""})]
    over = {row: round(ndcg(HYBRID, metrics.MACRO) - ndcg(row, metrics.MACRO), 5) for row in peers}
    return {"over_the_better_arm": gains, "over_the_reference": over}


def doubts(
    ranked: dict[str, dict[str, Ranking]],
    doubted: dict[str, dict[str, Ranking]],
    sets: list[Set],
    frozen: dict[str, list[int]],
) -> dict[str, Any]:
    """What each rule of abstention loses and lets through, and the curves."""
    judged = {row: ranked[row] for row in (OURS, HYBRID, SEMANTIC, FLAT)}
    judged |= doubted
    judged = {row: by_set for row, by_set in judged.items() if all(one.missing is None for one in by_set.values())}
    cases = {
        row: {
            found.name: abstention.case(by_set[found.name].lines or [], found.gold, frozen[found.name])
            for found in sets
            if frozen.get(found.name)
        }
        for row, by_set in judged.items()
    }
    outcomes = abstention.rules(cases, as_shipped=set(doubted))
    for by_set in filter(None, outcomes.values()):
        sums = {key: [one[key] for one in by_set.values()] for key in ("kept", "lost", "false_ok")}
        by_set[metrics.MACRO] = {key: metrics.mean(values) for key, values in sums.items()}
    rounded = {
        rule: {name: {key: round(value, 5) for key, value in one.items()} for name, one in by_set.items()}
        for rule, by_set in outcomes.items()
    }
    curves = {row: {name: one.curve() for name, one in by_set.items()} for row, by_set in cases.items()}
    return {"rules": rounded, "curves": curves}


def write(folder: Path, results: dict[str, Any]) -> None:
    """Writes the file, a list of numbers on one line, and the picture."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(results, indent=1, ensure_ascii=False)
    text = re.sub(r"\[\s+(-?[\d.][^\[\]{}\"]*?)\s+\]", lambda list_: f"[{' '.join(list_[1].split())}]", text)
    (folder / "quality.json").write_text(text + "\n", encoding="utf-8")
    (folder / "quality.svg").write_text(picture.draw(results), encoding="utf-8")
