#!/usr/bin/env python3
"""Measures the speed of the engine beside others: a table, `bench/results/speed.json` and `bench/results/speed.svg`.

`bench/speed/run.py [--size N ...] [--rounds N] [--ours] [--group core|python|node ...] [--real]`; bench/README.md says
what is measured and how to read it.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import catalogs, engines, extras, picture, places, rounds, table

SIZES = [100, 1000, 10_000]
GROUPS = ["core", "python", "node"]
# The cold starts register so many tools.
COLD_SIZE = 100
# From here on an index that is built anew for every change takes longer than it is worth in an SDK's row.
LARGEST_FOR_ALL = 10_000


def main() -> None:
    """Prepares, measures, shows, writes."""
    options = read_options()
    all_engines = engines.prepare(options.group or GROUPS, peers=not options.ours)
    sets = [catalogs.generated(size) for size in options.size or SIZES]
    sets += catalogs.real() if options.real else []
    kept = earlier(options.out) if options.keep else {}
    results = {"load_before": extras.load(), "machine": extras.machine(), "rounds": options.rounds, "catalogs": {}}
    for catalog in sets:
        chosen = all_engines
        if not catalog.generated or catalog.tools > LARGEST_FOR_ALL:
            chosen = [engine for engine in all_engines if engine.group == "core"]
        groups = rounds.measure(catalog, chosen, options.rounds)
        old = kept.get("catalogs", {}).get(catalog.name, {})
        entry = old | {"realism": catalog.realism(), "groups": old.get("groups", {}) | groups}
        run = {"commit": results["machine"]["commit"], "load": extras.load(), "rounds": options.rounds}
        entry["runs"] = old.get("runs", {}) | dict.fromkeys(groups, run)
        if catalog.generated and chosen:
            entry["readers"] = extras.readers(str(engines.release_folder() / engines.OURS), catalog, options.rounds)
        results["catalogs"][catalog.name] = entry
        write(options.out, results | {"load_after": extras.load()})
    results["cold"] = extras.cold(catalogs.generated(COLD_SIZE))
    results["files"] = extras.files()
    results["load_after"] = extras.load()
    places.progress("")
    write(options.out, results)
    print(table.show(results))


def read_options() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description="Measures the speed of the engine beside others.")
    parser.add_argument("--size", type=int, action="append", help=f"tools of a generated catalog (default {SIZES})")
    parser.add_argument("--rounds", type=int, default=5, help="rounds, interleaved (default 5)")
    parser.add_argument("--group", action="append", choices=GROUPS, help="only these engines")
    parser.add_argument("--ours", action="store_true", help="without peers")
    parser.add_argument("--real", action="store_true", help="also the catalogs in $HONEYGUIDE_DATA")
    parser.add_argument("--keep", action="store_true", help="keep the other groups of the results that are there")
    parser.add_argument("--out", type=Path, default=places.RESULTS, help="folder of the results")
    return parser.parse_args()


def earlier(folder: Path) -> dict:
    """The results of an earlier run; none when there are none."""
    file = folder / "speed.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def write(folder: Path, results: dict) -> None:
    """Writes the file and the picture."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "speed.json").write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / "speed.svg").write_text(picture.draw(results), encoding="utf-8")


if __name__ == "__main__":
    main()
