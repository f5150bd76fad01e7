"""When a ranking should rather say nothing: what that costs, and how often it still answers what it cannot.

Positives are all queries of a set; negatives are the frozen ones, asked again without their right tools. A rule accepts
an answer or does not. What it costs is the recall@5 of the positives that it does not accept, over all queries of the
set; what is left to gain is the share of the negatives that it accepts all the same. Knows no engine.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from .metrics import measure

# The most recall@5 that may be lost on any set.
LOST_MOST = 0.02
# Points of a curve that are kept; a picture shows no more.
POINTS = 60

Trust = dict[str, Any]
Rule = Callable[[Trust], bool]


@dataclass(frozen=True)
class Case:
    """What one ranking answered to one set."""

    positives: list[tuple[Trust, float]]
    negatives: list[Trust]

    def outcome(self, accepts: Rule) -> dict[str, float]:
        """What a rule loses and what it lets through; shares from 0 to 1."""
        found = [recall for _, recall in self.positives if recall > 0]
        kept = [recall for trust, recall in self.positives if recall > 0 and accepts(trust)]
        wrong = sum(accepts(trust) for trust in self.negatives)
        return {
            "kept": len(kept) / max(1, len(found)),
            "lost": (sum(found) - sum(kept)) / max(1, len(self.positives)),
            "false_ok": wrong / max(1, len(self.negatives)),
        }

    def has_statuses(self) -> bool:
        """Whether the ranking itself says how far it can be trusted."""
        return all("status" in trust for trust, _ in self.positives)

    def tuned(self) -> float:
        """The highest threshold that loses no more than it may; a higher one never loses less."""
        steps = self.steps()
        most = bisect_right(steps, LOST_MOST, key=lambda step: self.outcome(at_least(step))["lost"])
        return steps[most - 1] if most else 0.0

    def curve(self) -> list[list[float]]:
        """Threshold, kept, lost and false ok, from accepting all to accepting none."""
        steps = [*self.steps(), float("inf")]
        shown = [steps[round(place * (len(steps) - 1) / POINTS)] for place in range(POINTS + 1)]
        points = []
        for step in dict.fromkeys(shown):
            outcome = self.outcome(at_least(step))
            numbers = [outcome["kept"], outcome["lost"], outcome["false_ok"]]
            points.append([round(min(step, 1e9), 4), *(round(number, 4) for number in numbers)])
        return points

    def steps(self) -> list[float]:
        """Every confidence there is, ascending."""
        trusts = [trust for trust, _ in self.positives] + self.negatives
        return sorted({trust["confidence"] for trust in trusts})


def case(lines: list[dict[str, Any]], gold: list[list[str]], negatives: list[int]) -> Case:
    """One ranking's answers, seen as positives and negatives."""
    recalls = [measure(line["ids"], right)["recall_5"] for line, right in zip(lines, gold, strict=True)]
    return Case(list(zip(lines, recalls, strict=True)), [lines[number]["without"] for number in negatives])


def at_least(threshold: float) -> Rule:
    """Accepts what has a hit and is as confident."""
    return lambda trust: trust["confidence"] > 0 and trust["confidence"] >= threshold


def status_in(*statuses: str) -> Rule:
    """Accepts what has one of these statuses."""
    return lambda trust: trust["status"] in statuses


def shared(cases: list[Case]) -> float:
    """The highest threshold that loses no more than it may on any of the sets: what a user could ship."""
    return min((one.tuned() for one in cases), default=0.0)


def rules(
    cases: dict[str, dict[str, Case]], as_shipped: AbstractSet[str] = frozenset()
) -> dict[str, dict[str, dict[str, float]]]:
    """What each rule loses and lets through, by rule and set: statuses where a ranking has any, and cut-offs.

    Of rows that are only looked at as they are shipped there are no cut-offs.
    """
    outcomes: dict[str, dict[str, dict[str, float]]] = {}

    def add(name: str, by_set: dict[str, Case], rule: Callable[[Case], Rule]) -> None:
        outcomes[name] = {found: one.outcome(rule(one)) for found, one in by_set.items()}

    for row, by_set in cases.items():
        if all(one.has_statuses() for one in by_set.values()):
            add(f"{row}, ok", by_set, lambda _: status_in("ok"))
            add(f"{row}, ok or weak", by_set, lambda _: status_in("ok", "weak"))
        if row in as_shipped:
            continue
        cut = shared(list(by_set.values()))
        add(f"{row}, one cut-off", by_set, lambda _, cut=cut: at_least(cut))
        add(f"{row}, best cut-offs", by_set, lambda one: at_least(one.tuned()))
    return outcomes
