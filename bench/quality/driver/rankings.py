"""Has engines rank sets, one process each, and keeps the answers of those that never change.

A peer's answers depend on its adapter, its version and the set alone; they are kept in `.build/bench/rankings` under
the digest of these, so that a second run asks only what has changed. Ours are always asked anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from speed.driver.places import SCRATCH, progress

from . import metrics

if TYPE_CHECKING:
    from .engines import Engine
    from .sets import Set
    from .vectors import Vectors

    # By set, or why there are none.
    Given = dict[str, Vectors] | str

KEPT = SCRATCH / "rankings"
LONGEST_SECONDS = 1800


@dataclass
class Ranking:
    """One engine's answers to one set, a line for each query; or why there are none."""

    version: str = ""
    lines: list[dict[str, Any]] | None = None
    missing: str | None = None

    def ids(self) -> list[list[str]]:
        """The best ids of each query."""
        return [line["ids"] for line in self.lines or []]


def collect(engines: list[Engine], sets: list[Set], given: Given) -> dict[str, dict[str, Ranking]]:
    """The answers of every engine to every set, as many processes at a time as there are cores."""
    pairs = [(engine, found) for engine in engines for found in sets]
    # The longest first, so that none is left over at the end.
    pairs.sort(key=lambda pair: -pair[1].tools * len(pair[1].gold))
    done: dict[tuple[str, str], Ranking] = {}
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        futures = [(engine, found, pool.submit(rank, engine, found, given)) for engine, found in pairs]
        for place, (engine, found, future) in enumerate(futures):
            progress(f"ranking {place + 1} of {len(futures)}: {engine.name} on {found.name}")
            done[engine.name, found.name] = future.result()
    progress("")
    return {engine.name: {found.name: done[engine.name, found.name] for found in sets} for engine in engines}


def measured(ranked: dict[str, dict[str, Ranking]], sets: list[Set]) -> metrics.Values:
    """Every metric of every row that has answered all sets."""
    whole = {row: by_set for row, by_set in ranked.items() if all(one.missing is None for one in by_set.values())}
    return {
        row: {found.name: metrics.columns(by_set[found.name].ids(), found.gold) for found in sets}
        for row, by_set in whole.items()
    }


def rank(engine: Engine, found: Set, given: Given = "no vectors") -> Ranking:
    """The answers of one engine to one set, kept ones where there are."""
    if engine.missing:
        return Ranking(missing=engine.missing)
    vectors: list[str] = []
    if engine.before_vectors is not None:
        if isinstance(given, str):
            return Ranking(missing=given)
        vectors = [*engine.before_vectors, *given[found.name].paths(projected=engine.is_projected)]
    kept = KEPT / f"{key(engine, found, vectors)}.jsonl" if engine.sources else None
    if kept is not None and kept.exists():
        return parse(kept.read_text(encoding="utf-8"), len(found.gold))
    command = [*engine.command, *found.arguments(), *vectors, *engine.arguments]
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=LONGEST_SECONDS)
    except subprocess.TimeoutExpired:
        return Ranking(missing=f"took more than {LONGEST_SECONDS} s")
    if done.returncode != 0:
        errors = [line for line in done.stderr.splitlines() if line.strip()] or [f"exit code {done.returncode}"]
        return Ranking(missing=errors[-1][:200])
    ranking = parse(done.stdout, len(found.gold))
    if kept is not None and ranking.missing is None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(done.stdout, encoding="utf-8")
    return ranking


def key(engine: Engine, found: Set, vectors: list[str]) -> str:
    """Differs when anything differs that the answers depend on."""
    about = [engine.name, engine.packages, *engine.arguments, platform.python_version(), found.digest()]
    # The names of the files say what is in them.
    about += [path.rpartition("/")[2] for path in vectors]
    about += [source.read_text(encoding="utf-8") for source in engine.sources]
    return hashlib.sha256("\0".join(about).encode()).hexdigest()[:24]


def parse(output: str, queries: int) -> Ranking:
    """The lines that an engine printed."""
    about, *lines = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    if len(lines) != queries:
        return Ranking(missing=f"answered {len(lines)} of {queries} queries")
    return Ranking(about["version"], lines)
