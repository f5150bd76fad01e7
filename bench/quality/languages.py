#!/usr/bin/env python3
"""Prints how well queries in other languages than English find their tools: NDCG@10, in hundredths, by language.

`bench/quality/languages.py [--meaning] [--without IDEA] [CODE ...]`; with `--meaning` the rows are words, meaning (the model of the
bench, which is English) and both. The sets stand in `bench/quality/languages`, a folder each:
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

from quality.driver import engines, metrics, sets, vectors

FOLDER = engines.QUALITY / "languages"
# How our binary calls the rows.
ROWS = {engines.OURS: "ours", engines.FLAT: "flat"}
MEANING = {"words": "ours", **{engines.MEANING[row]: engines.MEANING[row] for row in (engines.SEMANTIC, engines.HYBRID)}}


def main() -> None:
    """Builds, ranks, shows."""
    parser = argparse.ArgumentParser(description="NDCG@10 in other languages than English.")
    parser.add_argument("codes", nargs="*", metavar="CODE", help="only these languages")
    parser.add_argument("--meaning", action="store_true", help="words, meaning and both in place of words and flat BM25")
    parser.add_argument("--without", metavar="IDEA", help="an idea of ours is switched off")
    options = parser.parse_args()
    only = options.codes
    known = sorted(path.parent.name for path in FOLDER.glob("*/tools.jsonl"))
    if unknown := set(only) - set(known):
        raise SystemExit(f"no set for {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    engines.build()
    found = [sets.read(FOLDER / code) for code in only or known]
    vectors_of = vectors.collect(found) if options.meaning else {}
    if isinstance(vectors_of, str):
        raise SystemExit(vectors_of)
    rows = MEANING if options.meaning else ROWS
    print(f"{'':4}{'queries':>8}", *(f"{row + ': odd':>18}{'even':>6}{'all':>6}" for row in rows))
    for one in found:
        # Which ideas there are depends on what ranks, so only ours go without one.
        shown = [cells(scores(one, way, options.without, vectors_of.get(one.name))) for way in rows.values()]
        print(f"{one.name:4}{len(one.gold):8}", *shown)


def scores(found: sets.Set, way: str, without: str | None, of_set: vectors.Vectors | None) -> list[float]:
    """NDCG@10 of each query."""
    command = [str(engines.binary()), way, *found.arguments()]
    command += ["--vectors", *of_set.paths()] if of_set and way != ROWS[engines.OURS] else []
    command += ["--without", without] if without and way == (engines.MEANING[engines.HYBRID] if of_set else ROWS[engines.OURS]) else []
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
