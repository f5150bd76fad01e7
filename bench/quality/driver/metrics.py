"""How good a ranking is, and how sure that is. Knows nothing of engines and sets but their names.

A metric is a number from 0 to 1 for one query; a set's is the mean over its queries, the macro mean is the mean over
the sets, so that a set of 92 queries counts as much as one of 1,500. Intervals come from resampling: the queries of
each set are drawn again with replacement, with the same draws for every row, so that the difference of two rows has an
interval of its own.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

METRICS = ("ndcg", "recall_1", "recall_5", "recall_10", "mrr")
MACRO = "macro"
SEED = 4
RESAMPLES = 1000
# 95 of 100 resamples lie between these shares.
LOW, HIGH = 0.025, 0.975

# By row, set and metric: a value for each query.
Values = dict[str, dict[str, dict[str, list[float]]]]


def measure(ids: list[str], gold: list[str]) -> dict[str, float]:
    """Every metric of one answer: the best ten ids, and the ids that are right."""
    ranks = [rank for rank, found in enumerate(ids[:10]) if found in gold]
    gain = sum(1 / math.log2(rank + 2) for rank in ranks)
    best = sum(1 / math.log2(rank + 2) for rank in range(min(10, len(gold))))
    recalls = {f"recall_{most}": sum(rank < most for rank in ranks) / len(gold) for most in (1, 5, 10)}
    return {"ndcg": gain / best, **recalls, "mrr": 1 / (ranks[0] + 1) if ranks else 0.0}


def columns(answers: list[list[str]], gold: list[list[str]]) -> dict[str, list[float]]:
    """Every metric of a set's answers, a value for each query."""
    measured = [measure(ids, right) for ids, right in zip(answers, gold, strict=True)]
    return {metric: [values[metric] for values in measured] for metric in METRICS}


@dataclass
class Estimate:
    """A mean, and the means of the resamples."""

    mean: float
    resampled: list[float] = field(repr=False)

    def interval(self) -> tuple[float, float]:
        """Where 95 of 100 resamples lie."""
        return interval(self.resampled)

    def minus(self, other: Estimate) -> Estimate:
        """The difference of two rows, draw by draw."""
        pairs = zip(self.resampled, other.resampled, strict=True)
        return Estimate(self.mean - other.mean, [ours - theirs for ours, theirs in pairs])


# By row, set (and `macro`) and metric.
Estimates = dict[str, dict[str, dict[str, Estimate]]]


def estimate(values: Values, resamples: int = RESAMPLES) -> Estimates:
    """Means and resampled means of every row, of each set and of the macro mean; rows must have the same sets."""
    rows = list(values)
    estimates: Estimates = {row: {} for row in rows}
    for name in values[rows[0]] if rows else ():
        draws = drawn(name, len(next(iter(values[rows[0]][name].values()))), resamples)
        for row in rows:
            estimates[row][name] = {
                metric: Estimate(mean(numbers), [mean(list(map(numbers.__getitem__, draw))) for draw in draws])
                for metric, numbers in values[row][name].items()
            }
    for row in rows:
        sets = list(estimates[row].values())
        estimates[row][MACRO] = {metric: macro([found[metric] for found in sets]) for metric in sets[0]}
    return estimates


def macro(estimates: list[Estimate]) -> Estimate:
    """The mean over sets, draw by draw."""
    resampled = [mean(list(draw)) for draw in zip(*(one.resampled for one in estimates), strict=True)]
    return Estimate(mean([one.mean for one in estimates]), resampled)


def drawn(name: str, queries: int, resamples: int) -> list[list[int]]:
    """The same draws for a set whichever other sets and rows there are."""
    chance = random.Random(f"{SEED} {name}")
    return [chance.choices(range(queries), k=queries) for _ in range(resamples)]


def interval(numbers: list[float]) -> tuple[float, float]:
    """The numbers below which 2.5 and 97.5 of 100 lie."""
    ascending = sorted(numbers)
    last = len(ascending) - 1
    return ascending[round(last * LOW)], ascending[round(last * HIGH)]


def mean(numbers: list[float]) -> float:
    """The arithmetic mean; 0 of nothing."""
    return sum(numbers) / len(numbers) if numbers else 0.0
