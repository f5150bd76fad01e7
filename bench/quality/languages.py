#!/usr/bin/env python3
"""Prints how well queries in other languages than English find their tools: NDCG@10, in hundredths, by language.

`bench/quality/languages.py [--meaning] [--doubt] [--without IDEA] [CODE ...]`. With `--meaning` the rows are words,
meaning (the model of the bench, which is English) and both; with `--doubt` the cells are hundredths of the queries:
right answers lost to `no_match`, and, once the right tools are taken out, wrong ones called `ok`. The sets stand in
`bench/quality/languages`, a folder each: written by hand, and committed before any ranking of them was seen. Rules are
made while looking at the queries with odd numbers; the even ones are held out and say whether a rule is one of the
language or of the queries.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from statistics import fmean
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from quality.driver import engines, metrics, sets, vectors

FOLDER = engines.QUALITY / "languages"
# How our binary calls the rows.
WORDS, SEMANTIC, HYBRID = "ours", engines.MEANING[engines.SEMANTIC], engines.MEANING[engines.HYBRID]
ROWS = {engines.OURS: WORDS, engines.FLAT: "flat"}
ROWS_OF_MEANING = {"words": WORDS, "meaning": SEMANTIC, "both": HYBRID}
# Hits among which a right one is no longer lost.
PAGE = 5


def main() -> None:
    """Builds, ranks, shows."""
    parser = argparse.ArgumentParser(description="NDCG@10 in other languages than English.")
    parser.add_argument("codes", nargs="*", metavar="CODE", help="only these languages")
    parser.add_argument("--meaning", action="store_true", help="words, meaning and both")
    parser.add_argument("--doubt", action="store_true", help="what is doubted wrongly, and what is not")
    parser.add_argument("--without", metavar="IDEA", help="an idea of ours is switched off")
    options = parser.parse_args()
    only = options.codes
    known = sorted(path.parent.name for path in FOLDER.glob("*/tools.jsonl"))
    if unknown := set(only) - set(known):
        raise SystemExit(f"no set for {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    engines.build()
    found = [sets.read(FOLDER / code) for code in only or known]
    made = vectors.collect(found) if options.meaning else {}
    if isinstance(made, str):
        raise SystemExit(made)
    # Flat BM25 doubts nothing.
    of_words = {engines.OURS: WORDS} if options.doubt else ROWS
    rows = ROWS_OF_MEANING if options.meaning else of_words
    changed = HYBRID if options.meaning else WORDS
    print(f"{'':4}{'queries':>8}", *(f"{row + ': odd':>18}{'even':>8}{'all':>8}" for row in rows))
    for one in found:
        shown = []
        for way in rows.values():
            files = made[one.name].paths() if way in (SEMANTIC, HYBRID) else []
            answers = ask(one, way, files, options.without if way == changed else None)
            shown.append(doubts(answers, one.gold) if options.doubt else gains(answers, one.gold))
        print(f"{one.name:4}{len(one.gold):8}", *shown)


def ask(found: sets.Set, way: str, files: list[str], without: str | None) -> list[dict[str, Any]]:
    """The answer to each query."""
    command = [str(engines.binary()), way, *found.arguments()]
    command += ["--vectors", *files] if files else []
    command += ["--without", without] if without else []
    said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    # What comes first says which engine it is.
    return [answer for answer in map(json.loads, said.splitlines()) if "ids" in answer]


def gains(answers: list[dict[str, Any]], gold: list[list[str]]) -> str:
    """NDCG@10 over the queries with odd numbers, counted from one, those with even ones, and all."""
    values = metrics.columns([answer["ids"] for answer in answers], gold)["ndcg"]
    odd, even, both = (100 * fmean(part) for part in (values[::2], values[1::2], values))
    return f"{odd:18.1f}{even:8.1f}{both:8.1f}"


def doubts(answers: list[dict[str, Any]], gold: list[list[str]]) -> str:
    """The same of what is lost, and of what is accepted wrongly."""
    lost = [
        answer.get("status") == "no_match" and not set(right).isdisjoint(answer["ids"][:PAGE])
        for answer, right in zip(answers, gold, strict=True)
    ]
    accepted = [(answer.get("without") or {}).get("status") == "ok" for answer in answers]
    cells = [
        f"{100 * fmean(lost[part]):.0f} / {100 * fmean(accepted[part]):.0f}"
        for part in (slice(0, None, 2), slice(1, None, 2), slice(None))
    ]
    return f"{cells[0]:>18}{cells[1]:>8}{cells[2]:>8}"


if __name__ == "__main__":
    main()
