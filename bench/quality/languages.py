#!/usr/bin/env python3
"""Measures ours on the sets in `bench/quality/languages`: NDCG@10 by language, and how often an answer is doubted.

`bench/quality/languages.py [--without IDEA] [CODE ...]`. Odd lines of `queries.jsonl` were looked at when rules were
made, even ones were not. Knows nothing of what the engine does with a language.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from statistics import mean
from typing import Any

# The benches are folders beside each other; this one uses parts of the speed bench's driver.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from quality.driver import engines, sets
from quality.driver.metrics import measure

LANGUAGES = engines.QUALITY / "languages"
COLUMNS = ("tools", "queries", "odd", "even", "right, doubted", "wrong, ok")
# A right answer among so many reaches a model.
PAGE = 5


def main() -> None:
    """Ranks, measures, shows."""
    options = read_options()
    folders = [LANGUAGES / code for code in options.codes] or sorted(
        path.parent for path in LANGUAGES.glob("*/tools.jsonl")
    )
    engines.build()
    rows = {folder.name: row(sets.read(folder), options.without) for folder in folders}
    print(show(rows))


def read_options() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description="Measures ours on the sets of bench/quality/languages.")
    parser.add_argument("codes", nargs="*", metavar="CODE", help="only these languages")
    parser.add_argument("--without", metavar="IDEA", help="switch one idea of the ranking off")
    return parser.parse_args()


def row(found: sets.Set, without: str | None) -> dict[str, float]:
    """The figures of one language."""
    command = [str(engines.binary()), "ours", *found.arguments()]
    command += ["--without", without] if without else []
    ran = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    answers = [answer for answer in map(json.loads, ran.stdout.splitlines()) if "ids" in answer]
    return {"tools": found.tools, "queries": len(found.gold), **figures(answers, found.gold)}


def figures(answers: list[dict[str, Any]], gold: list[list[str]]) -> dict[str, float]:
    """NDCG@10 of either half; of right answers, how many are doubted; with the right tool gone, how many are ok."""
    gains = [100 * measure(answer["ids"], right)["ndcg"] for answer, right in zip(answers, gold, strict=True)]
    shown = [answer for answer, right in zip(answers, gold, strict=True) if set(answer["ids"][:PAGE]) & set(right)]
    return {
        "odd": mean(gains[::2]),
        "even": mean(gains[1::2]),
        "right, doubted": share(shown, "no_match"),
        "wrong, ok": share([answer["without"] for answer in answers], "ok"),
    }


def share(answers: list[dict[str, Any]], status: str) -> float:
    """How many of a hundred have this status."""
    return 100 * mean(answer["status"] == status for answer in answers) if answers else 0.0


def show(rows: dict[str, dict[str, float]]) -> str:
    """The table, with the mean over the languages."""
    means = {column: mean(row[column] for row in rows.values()) for column in COLUMNS}
    lines = ["| language | " + " | ".join(COLUMNS) + " |", "|---|" + "---|" * len(COLUMNS)]
    for name, figures in [*rows.items(), ("mean", means)]:
        cells = (f"{figures[column]:.{0 if column in COLUMNS[:2] else 1}f}" for column in COLUMNS)
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
