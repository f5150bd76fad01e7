#!/usr/bin/env python3
"""Prints how well queries in other languages than English find their tools: NDCG@10, in hundredths, by language.

`bench/quality/languages.py [--without IDEA] [CODE ...]`. The sets stand in `bench/quality/languages`, a folder each:
written by hand, and committed before any ranking of them was seen. Rules are made while looking at the queries with
odd numbers; the even ones are held out and say whether a rule is one of the language or of the queries.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from statistics import fmean

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from quality.driver import engines, metrics, sets

FOLDER = engines.QUALITY / "languages"
# How our binary calls the rows.
ROWS = {engines.OURS: "ours", engines.FLAT: "flat"}


def main() -> None:
    """Builds, ranks, shows."""
    parser = argparse.ArgumentParser(description="NDCG@10 in other languages than English.")
    parser.add_argument("codes", nargs="*", metavar="CODE", help="only these languages")
    parser.add_argument("--without", metavar="IDEA", help="an idea of ours is switched off")
    options = parser.parse_args()
    only = options.codes
    known = sorted(path.parent.name for path in FOLDER.glob("*/tools.jsonl"))
    if unknown := set(only) - set(known):
        raise SystemExit(f"no set for {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    engines.build()
    print(f"{'':4}{'queries':>8}", *(f"{row + ': odd':>18}{'even':>6}{'all':>6}" for row in ROWS))
    for code in only or known:
        found = sets.read(FOLDER / code)
        print(f"{code:4}{len(found.gold):8}", *(cells(scores(found, way, options.without)) for way in ROWS.values()))


def scores(found: sets.Set, way: str, without: str | None) -> list[float]:
    """NDCG@10 of each query."""
    command = [str(engines.binary()), way, *found.arguments()]
    command += ["--without", without] if without and way == ROWS[engines.OURS] else []
    said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    # What comes first says which engine it is.
    answers = [answer["ids"] for answer in map(json.loads, said.splitlines()) if "ids" in answer]
    return metrics.columns(answers, found.gold)["ndcg"]


def cells(values: list[float]) -> str:
    """The means over the queries with odd numbers, counted from one, those with even ones, and all."""
    odd, even, both = (100 * fmean(part) for part in (values[::2], values[1::2], values))
    return f"{odd:18.1f}{even:6.1f}{both:6.1f}"


if __name__ == "__main__":
    main()
