"""Runs one engine through the protocol of the embedding bench and prints its one line of JSON. Knows no engine.

`SCRIPT FOLDER TEXTS QUERIES THREADS`; the files have a JSON string in each line.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

SAMPLE = 3
BATCH = 32


def run(engine: str, version: str, load: Callable[[str, int], Callable[[list[str]], Any]]) -> None:
    """Measures what `load(folder, threads)` gives back: a function from texts to vectors."""
    folder, texts_path, queries_path, threads = sys.argv[1:5]
    texts, queries = lines(texts_path), lines(queries_path)
    before, began = time.process_time(), time.perf_counter()
    encode = load(folder, int(threads))
    encode(["ready"])
    loaded, loaded_cpu = time.perf_counter() - began, time.process_time() - before

    before, each = time.process_time(), []
    for query in queries:
        began = time.perf_counter()
        encode([query])
        each.append(time.perf_counter() - began)
    query_cpu = (time.process_time() - before) / len(queries)

    before, began = time.process_time(), time.perf_counter()
    vectors = encode(texts)
    wall, spent = time.perf_counter() - began, time.process_time() - before
    figures = {
        "engine": engine,
        "version": version,
        "load_ms": loaded * 1e3,
        "load_cpu_ms": loaded_cpu * 1e3,
        "query_p50_ms": statistics.median(each) * 1e3,
        "query_p99_ms": sorted(each)[len(each) * 99 // 100] * 1e3,
        "query_cpu_ms": query_cpu * 1e3,
        "texts_per_second": len(texts) / wall,
        "texts_per_cpu_second": len(texts) / spent,
        "resident_mb": status("VmRSS"),
        "peak_mb": status("VmHWM"),
        "sample": [[float(value) for value in vector] for vector in vectors[:SAMPLE]],
    }
    print(json.dumps(figures))


def lines(path: str) -> list[str]:
    """The strings of a file of JSON lines."""
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def status(field: str) -> float:
    """A line of the process's status, in megabytes."""
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith(field):
            return int(line.split()[1]) / 1024
    return 0.0
