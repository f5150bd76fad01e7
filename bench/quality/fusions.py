#!/usr/bin/env python3
"""Prints what every formula that was tried makes of words and meaning together: NDCG@10 by set.

`bench/quality/fusions.py [--set NAME ...]`. It decides nothing: the engine has one of these formulas built in, and
`make bench-quality` measures that. Here all of them are computed from the engine's scores of words and the vectors of
the bench, in floats. docs/semantic.md says what was learnt from it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from quality import arms
from quality.driver import engines, metrics, sets, vectors
from quality.driver.table import line, points
from speed.driver.catalogs import lines
from speed.driver.places import VENV, progress

if TYPE_CHECKING:
    from collections.abc import Callable

    from quality.driver.sets import Set

DIMENSIONS = 384
# What the engine takes: see core/retrieval/src/rank/fusion.rs.
WEIGHT, DOCUMENTS, MEAN, DEVIATION, FLOOR = 2.4, 8, 0.07, 0.083, 2
# See core/retrieval/src/rank/phrases.rs and values.rs.
SHARE, VALUES = 0.6, 0.5
NEIGHBOURS = "words-side-by-side"
CHOSEN, WORDS, MEANING = "ours", "words alone", "meaning alone"
NOTHING = -1e9


class Case:
    """One set, as matrices of a row for each query and a column for each tool."""

    def __init__(self, found: Set, files: vectors.Vectors) -> None:
        import numpy as np  # noqa: PLC0415, RUF100 - it is there only in the environment of the benches

        self.np = np
        tools = lines(found.folder / "tools.jsonl")
        self.ids = [tool["id"] for tool in tools]
        self.servers = [tool.get("server") for tool in tools]
        self.gold = found.gold
        texts, queries = (np.fromfile(path, "<f4").reshape(-1, DIMENSIONS) for path in (files.texts, files.queries))
        if len(texts) != len(tools):
            raise SystemExit(
                f"{found.name}: {len(texts)} texts of {len(tools)} tools; a text that two have stands once"
            )
        self.texts, self.queries = texts.astype(np.float64), queries.astype(np.float64)
        self.cosines = self.queries @ self.texts.T
        # Words alone; those of values lessened; both with what words side by side add.
        self.words, self.lessened, self.beside = (np.zeros(self.cosines.shape) for _ in range(3))
        self.named = np.zeros(self.cosines.shape, bool)
        for row, answer in enumerate(said_of_words(found)):
            self.words[row, answer["places"]] = answer["scores"]
            self.beside[row, answer["places"]] = answer["beside"]
            self.named[row, answer["named"]] = True
        for row, answer in enumerate(said_of_words(found, "--without", NEIGHBOURS)):
            self.lessened[row, answer["places"]] = answer["beside"]
        asked = [query["query"] for query in lines(found.folder / "queries.jsonl")]
        # A query that the model cannot read goes by its words, if there are any.
        silent = self.words.max(1) == 0
        self.known = np.array([[latin(text) >= 0.5 or alone] for text, alone in zip(asked, silent, strict=True)])
        self.by_id = np.argsort(np.argsort(np.array([tool.encode() for tool in self.ids], dtype=object)))

    def z(self, values: Any, documents: float = 0.0, mean: float = MEAN, deviation: float = DEVIATION) -> Any:
        """Deviations above the mean of a query's documents, and of some imagined ones."""
        count = values.shape[1] + documents
        centre = (values.sum(1, keepdims=True) + documents * mean) / count
        spread = (values.var(1, keepdims=True) * values.shape[1] + documents * deviation**2) / count
        return (values - centre) / self.np.sqrt(self.np.maximum(spread, 1e-18))

    def meaning(self, cosines: Any = None, documents: float = DOCUMENTS) -> Any:
        """What the engine takes for meaning."""
        return self.np.maximum(0, self.z(self.cosines if cosines is None else cosines, documents))

    def ranks(self, values: Any) -> Any:
        """From 1 for the best."""
        return self.np.argsort(self.np.argsort(-values, 1, kind="stable"), 1, kind="stable") + 1

    def unit(self, values: Any) -> Any:
        """Vectors of length one."""
        return values / self.np.linalg.norm(values, axis=1, keepdims=True)

    def answers(self, scores: Any) -> list[list[str]]:
        """The best ten ids of each query, named ones first."""
        np = self.np
        scores = np.where(self.named, 1e6 + scores, scores)
        found = []
        for row in scores:
            near = np.argpartition(-row, min(50, len(row) - 1))[:50]
            best = sorted(near, key=lambda place: (-row[place], self.by_id[place]))[:10]
            found.append([self.ids[place] for place in best if row[place] > NOTHING / 2])
        return found


def said_of_words(found: Set, *without: str) -> list[dict[str, Any]]:
    """What the engine says of the words of each query."""
    command = [str(engines.binary()), "words", *found.arguments(), *without]
    said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return [json.loads(answer) for answer in said.stdout.splitlines()]


def supported(case: Case, scores: Any) -> Any:
    """Drops what no word supports and no meaning stands out for."""
    deviations = case.z(case.cosines, DOCUMENTS)
    return case.np.where((case.words > 0) | case.named | ((deviations >= FLOOR) & case.known), scores, NOTHING)


def ours(
    case: Case,
    weight: float = WEIGHT,
    documents: float = DOCUMENTS,
    cosines: Any = None,
    *,
    share: float = SHARE,
    values: float = VALUES,
) -> Any:
    """The engine's formula, and what it is with other constants."""
    of_values = (case.words - case.lessened) / (1 - VALUES)
    words = case.words - (1 - values) * of_values + share / SHARE * (case.beside - case.lessened)
    return supported(case, words + weight * case.meaning(cosines, documents) * case.known)


def formulas() -> dict[str, Callable[[Case], Any]]:
    """Every formula, by what the table calls it."""
    found: dict[str, Callable[[Case], Any]] = {
        CHOSEN: ours,
        WORDS: lambda case: case.np.where(case.words > 0, case.words, NOTHING),
        MEANING: lambda case: case.cosines,
        "ranks, 1 / (60 + rank)": by_ranks,
    }
    for weight in (0.5, 1, 1.5):
        found[f"z of words + {weight} z"] = partial(
            lambda weight, case: case.z(case.words) + weight * case.z(case.cosines), weight
        )
    for weight in (1, 1.5, 2, 2.25, 2.5, 2.75, 3, 4, 5):
        found[f"words + {weight} z"] = partial(lambda weight, case: ours(case, weight), weight)
    for share in (0, 0.2, 0.4, 0.5, 0.7, 0.8, 1):
        found[f"neighbours {share}"] = partial(lambda share, case: ours(case, share=share), share)
    for values in (0, 0.25, 0.75, 1):
        found[f"values {values}"] = partial(lambda values, case: ours(case, values=values), values)
    for weight in (20, 25, 30, 35, 40):
        found[f"words + {weight} cosine"] = partial(
            lambda weight, case: case.beside + weight * case.cosines * case.known, weight
        )
    for weight in (1, 2):
        found[f"words / best + {weight} cosine"] = partial(by_best, weight)
    for documents in (0, 2, 32, 128):
        found[f"{documents} imagined documents"] = partial(
            lambda documents, case: ours(case, documents=documents), documents
        )
    found["no gate for scripts"] = lambda case: case.beside + WEIGHT * case.meaning()
    found["no floor"] = lambda case: case.beside + WEIGHT * case.meaning() * case.known
    found["words of the best lessen meaning"] = lambda case: supported(
        case,
        case.beside + 2 * WEIGHT / (1 + case.words.max(1, keepdims=True) / 20) * case.meaning() * case.known,
    )
    return found | arms.formulas(ours, WEIGHT)


def by_best(weight: float, case: Case) -> Any:
    """Words as a share of the best hit's."""
    share = case.words / case.np.maximum(case.words.max(1, keepdims=True), 1e-9)
    return share + weight * case.cosines * case.known


def by_ranks(case: Case) -> Any:
    """Reciprocal ranks, the usual fusion."""
    words = case.np.where(case.words > 0, 1 / (60 + case.ranks(case.words)), 0)
    return words + 1 / (60 + case.ranks(case.cosines))


def latin(text: str) -> float:
    """The share of Latin letters among the letters, roughly: those below the Greek ones."""
    letters = [letter for letter in text if letter.isalpha()]
    return sum(letter < "\u0370" for letter in letters) / len(letters) if letters else 1.0


def main() -> None:
    """Computes, measures, prints."""
    parser = argparse.ArgumentParser(description="What was tried to make one score of words and meaning.")
    parser.add_argument("--set", action="append", help="only this set of $HONEYGUIDE_DATA; may be given again")
    found = sets.find(parser.parse_args().set or [])
    engines.build()
    files = vectors.collect(found)
    if isinstance(files, str):
        raise SystemExit(files)
    if Path(sys.prefix).resolve() != VENV.parent.resolve():
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        os.execv(VENV / "python", [str(VENV / "python"), *sys.argv])
    values: metrics.Values = {name: {} for name in formulas()}
    for one in found:
        progress(f"trying every formula on {one.name}")
        case = Case(one, files[one.name])
        for name, formula in formulas().items():
            measured = metrics.columns(case.answers(formula(case)), case.gold)
            values[name][one.name] = {"ndcg": measured["ndcg"]}
    progress("drawing the queries anew, a thousand times")
    show(metrics.estimate(values), [one.name for one in found])
    show_oracles(values, [one.name for one in found])


def show(estimates: metrics.Estimates, names: list[str]) -> None:
    """The table."""
    progress("")
    print(f"{line('NDCG@10', names, [*names, metrics.MACRO])}{'least gain':>14}  macro - ours, 95 of 100")
    for row, by_set in estimates.items():
        better = {name: max(estimates[arm][name]["ndcg"].mean for arm in (WORDS, MEANING)) for name in names}
        least = min(by_set[name]["ndcg"].mean - better[name] for name in names)
        cells = [points(by_set[name]["ndcg"].mean) for name in [*names, metrics.MACRO]]
        minus = by_set[metrics.MACRO]["ndcg"].minus(estimates[CHOSEN][metrics.MACRO]["ndcg"])
        low, high = minus.interval()
        print(
            f"{line(row, names, cells)}{100 * least:>+14.2f}"
            f"  {100 * minus.mean:+.2f} [{100 * low:+.2f} {100 * high:+.2f}]"
        )
    print("least gain: over the better of words alone and meaning alone, on the set where it is least")


def show_oracles(values: metrics.Values, names: list[str]) -> None:
    """How far a better weight could lead: the best of each set, and of each query, chosen with the answers known."""
    weighed = [row for row in values if row == CHOSEN or (row.startswith("words + ") and row.endswith(" z"))]
    by_set, by_query = [], []
    for name in names:
        gains = [list(values[row][name]["ndcg"]) for row in [WORDS, MEANING, *weighed]]
        by_set.append(max(sum(row) / len(row) for row in gains))
        best = [max(each) for each in zip(*gains, strict=True)]
        by_query.append(sum(best) / len(best))
    for row, found in (("the best weight of each set", by_set), ("the best weight of each query", by_query)):
        print(line(row, names, [points(value) for value in [*found, sum(found) / len(found)]]))


if __name__ == "__main__":
    main()
