"""Runs engines in turns, a fresh process each, and compares them round by round. Knows nothing of what they measure.

Rounds are interleaved, so that what else the machine does falls on all alike; a ratio is taken within a round, and what
is reported is the median of the rounds' ratios with the least and the greatest.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
from typing import TYPE_CHECKING, Any

from .places import progress

if TYPE_CHECKING:
    from .catalogs import Catalog
    from .engines import Engine

# Searches are compared with a catalog's, which hands out ids and scores as the peers do. What a change, a build and the
# memory cost is compared with the engine's, which keeps what it publishes ready for readers: a bare catalog does less.
WHOLE = "honeyguide engine"
OF_THE_WHOLE = ("update_cpu_us", "ready_cpu_ms", "memory")
COMPARED = ("p50_us", "p99_us", "mean_us", "update_cpu_us", "build_cpu_ms", "ready_cpu_ms", "memory")
LONGEST_SECONDS = 1200


def measure(catalog: Catalog, engines: list[Engine], rounds: int) -> dict[str, Any]:
    """All engines on one catalog."""
    runs: dict[str, list[dict[str, Any]]] = {}
    missing = {engine.name: engine.missing for engine in engines if engine.missing}
    for number in range(rounds):
        for engine in engines:
            if engine.name in missing:
                continue
            progress(f"{catalog.name}: round {number + 1} of {rounds}, {engine.name}")
            line = run([*engine.command, *catalog.arguments()])
            if isinstance(line, str):
                missing[engine.name] = line
            else:
                runs.setdefault(engine.name, []).append(line)
    progress("")
    groups: dict[str, dict[str, Any]] = {}
    ours: dict[str, str] = {}
    for engine in engines:
        base = ours.setdefault(engine.group, engine.name)
        rows = groups.setdefault(engine.group, {})
        if engine.name in missing:
            rows[engine.name] = {"missing": missing[engine.name]}
        else:
            whole = WHOLE if engine.group == "core" else base
            bases = {key: whole if key in OF_THE_WHOLE else base for key in COMPARED}
            ours_runs = {key: runs.get(name, []) for key, name in bases.items() if name not in missing}
            rows[engine.name] = summary(runs[engine.name], ours_runs)
    return groups


def summary(lines: list[dict[str, Any]], bases: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """Medians of an engine's rounds, and its ratios against ours, by figure."""
    row: dict[str, Any] = {"version": lines[0]["version"], "hits_at_5": lines[0]["hits_at_5"]}
    row["same_hits_each_round"] = len({line["hash"] for line in lines}) == 1
    row["hash"] = lines[0]["hash"]
    numbers = [key for key, value in lines[0].items() if isinstance(value, int | float)]
    row |= {key: spread([line[key] for line in lines]) for key in numbers if key not in ("tools", "hits_at_5")}
    ratios = {}
    for key in COMPARED:
        pairs = [line[key] / ours[key] for line, ours in zip(lines, bases.get(key, []), strict=False) if ours.get(key)]
        if pairs:
            ratios[key] = spread(pairs)
    row["over_ours"] = ratios
    return row


def spread(numbers: list[float]) -> dict[str, float]:
    """Median, least, greatest."""
    rounded = {"median": statistics.median(numbers), "min": min(numbers), "max": max(numbers)}
    return {key: float(f"{value:.4g}") for key, value in rounded.items()}


def run(command: list[str]) -> dict[str, Any] | str:
    """One process and its line, or the reason why there is none."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command = ["nice", "-n", "-10", *command]
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=LONGEST_SECONDS)
    except subprocess.TimeoutExpired:
        return f"took more than {LONGEST_SECONDS} s"
    lines = done.stdout.splitlines()
    if done.returncode != 0 or not lines:
        errors = [line for line in done.stderr.splitlines() if line.strip()] or [f"exit code {done.returncode}"]
        return errors[-1][:200]
    figures = json.loads(lines[-1])
    if "build_cpu_ms" in figures:
        # Some build inside the first search: only the sum says the same of all.
        figures["ready_cpu_ms"] = figures["build_cpu_ms"] + figures["first_cpu_ms"]
    return figures
