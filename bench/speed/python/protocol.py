"""Runs one engine through the protocol of the speed bench and prints its one line of JSON. Knows no engine."""

from __future__ import annotations

import ctypes
import gc
import hashlib
import json
import sys
import time
from pathlib import Path
from typing import Any, Protocol

HITS = 5
UPDATE_SECONDS = 4
SEARCH_SECONDS = 6
UPDATES_LEAST = 5
AGAIN = 3


class Engine(Protocol):
    """What is measured. `prepare` and `query` make what a host would have at hand already, and are not measured."""

    name: str
    version: str

    def prepare(self, tool: dict[str, Any]) -> Any:
        """A tool as the engine takes it."""

    def query(self, text: str) -> Any:
        """A query as the engine takes it."""

    def build(self, tools: list[Any]) -> None:
        """Registers the catalog."""

    def search(self, query: Any) -> Any:
        """Finds the best five."""

    def update(self, tool: Any) -> None:
        """Registers one tool more, or replaces one."""

    def ids(self, hits: Any) -> list[str]:
        """The ids of an answer, best first."""


def run(engine: Engine) -> None:
    """Measures an engine on what the arguments name."""
    tools_path, queries_path, updates_path, passes = sys.argv[-4:]
    asked = lines(queries_path)
    tools = [engine.prepare(tool) for tool in lines(tools_path)]
    changes = [engine.prepare(tool) for tool in lines(updates_path)]
    queries = [engine.query(line["query"]) for line in asked]

    before = resident()
    began = time.process_time_ns()
    engine.build(tools)
    built = time.process_time_ns()
    engine.search(queries[0])
    first = time.process_time_ns()
    held = max(0, resident() - before)

    started = time.monotonic()
    least = [timed(engine, query) for query in queries]
    for _ in range(int(passes) - 1):
        if time.monotonic() - started > SEARCH_SECONDS:
            break
        least = [min(earlier, timed(engine, query)) for earlier, query in zip(least, queries, strict=True)]
    found, digest = 0, hashlib.sha256()
    for query, line in zip(queries, asked, strict=True):
        ids = engine.ids(engine.search(query))
        found += any(gold in ids for gold in line["gold"])
        digest.update((",".join(ids) + "\n").encode())

    update = updates(engine, changes, queries)
    figures = {
        "engine": engine.name,
        "version": engine.version,
        "tools": len(tools),
        "build_cpu_ms": (built - began) / 1e6,
        "first_cpu_ms": (first - built) / 1e6,
        "p50_us": quantile(least, 0.5) / 1e3,
        "p99_us": quantile(least, 0.99) / 1e3,
        "mean_us": sum(least) / len(least) / 1e3,
        **update,
        "rss_growth": held,
        "memory": held,
        "hits_at_5": found / len(queries),
        "hash": digest.hexdigest()[:16],
    }
    print(json.dumps(figures))


def updates(engine: Engine, changes: list[Any], queries: list[Any]) -> dict[str, float]:
    """One change and one search after it, again and again; not for ever where each rebuilds."""
    took, firsts, ratios = [], [], []
    started = time.monotonic()
    for place, change in enumerate(changes):
        query = queries[place % len(queries)]
        began = time.process_time_ns()
        engine.update(change)
        first = timed(engine, query)
        took.append(time.process_time_ns() - began)
        warm = min(timed(engine, query) for _ in range(AGAIN))
        firsts.append(first)
        ratios.append(first / max(1, warm))
        if time.monotonic() - started > UPDATE_SECONDS and len(took) >= UPDATES_LEAST:
            break
    return {
        "update_cpu_us": quantile(took, 0.5) / 1e3,
        "updates": len(took),
        "first_after_change_us": quantile(firsts, 0.5) / 1e3,
        "first_after_change_over_warm": quantile(ratios, 0.5),
    }


def timed(engine: Engine, query: Any) -> int:
    """Nanoseconds of one search."""
    began = time.perf_counter_ns()
    engine.search(query)
    return time.perf_counter_ns() - began


def quantile(numbers: list[Any], share: float) -> float:
    """The value below which a share of the numbers lies."""
    return sorted(numbers)[round((len(numbers) - 1) * share)]


def resident() -> int:
    """Bytes of memory held, when all that is not in use has been given back."""
    gc.collect()
    try:
        ctypes.CDLL("libc.so.6").malloc_trim(0)
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
    except OSError:
        return 0


def lines(path: str) -> list[Any]:
    """The values of a file of JSON lines."""
    with Path(path).open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def text_of(tool: dict[str, Any]) -> str:
    """The text of a tool, for engines that index one text: name, description, parameters."""
    parts = [tool.get("name", ""), tool.get("description", "")]
    walk(tool.get("inputSchema") or {}, parts)
    return " ".join(parts)


def walk(schema: Any, parts: list[str]) -> None:
    """Collects the texts of a schema."""
    if not isinstance(schema, dict):
        return
    if isinstance(schema.get("description"), str):
        parts.append(schema["description"])
    parts.extend(value for value in schema.get("enum") or [] if isinstance(value, str))
    properties = schema.get("properties")
    for name, part in properties.items() if isinstance(properties, dict) else ():
        parts.append(name)
        walk(part, parts)
    walk(schema.get("items"), parts)
