#!/usr/bin/env python3
"""Measures how well queries find their tools, beside other engines: tables, `bench/results/quality.json` and `.svg`.

`bench/quality/run.py [--set NAME ...] [--ours] [--out FOLDER]`; bench/README.md says what is measured and how to read
it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

# The benches are folders beside each other; this one uses parts of the speed bench's driver.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from quality.driver import engines, metrics, questions, rankings, results, sets, table, vectors
from speed.driver.places import RESULTS, progress

NEGATIVES = engines.QUALITY / "negatives.json"


def main() -> None:
    """Prepares, ranks, measures, shows, writes."""
    options = read_options()
    found = sets.find(options.set or [])
    frozen = sets.negatives(NEGATIVES, found)
    engines.build()
    given = vectors.collect(found)
    ranked = rankings.collect(engines.prepare(peers=not options.ours), found, given)
    progress("drawing the queries anew, a thousand times")
    report = results.about(found, frozen)
    report["rows"] = results.rows(ranked, metrics.estimate(rankings.measured(ranked, found)))
    hybrid = ranked[engines.HYBRID]
    without = questions.variants_of_meaning(found, hybrid, given)
    doubted = questions.variants_of_doubt(found, hybrid, given)
    report["meaning"] = results.meaning(report["rows"])
    report["doubts"] = results.doubts(ranked, doubted, found, frozen)
    report["variants"] = questions.variants(found, ranked[engines.OURS])
    report["variants_of_meaning"] = questions.beside(engines.HYBRID, hybrid, without, found) if without else {}
    report["names"] = questions.names(found)
    report["families"] = questions.families()
    results.write(options.out, report)
    print(table.show(report))


def read_options() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description="Measures how well queries find their tools, beside other engines.")
    parser.add_argument("--set", action="append", help="only this set of $HONEYGUIDE_DATA; may be given again")
    parser.add_argument("--ours", action="store_true", help="without peers")
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder of the results")
    return parser.parse_args()


if __name__ == "__main__":
    main()
