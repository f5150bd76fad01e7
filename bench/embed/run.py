#!/usr/bin/env python3
"""Measures our encoder beside others on the same model, texts and cores: a table, and `bench/results/embed.json`.

`bench/embed/run.py MODEL_FOLDER [--rounds N] [--texts N] [--threads N ...] [--ours] [--no-candle] [--out FOLDER]`;
bench/README.md says what is measured. `make bench-embed` is this with all-MiniLM-L6-v2.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "speed"))

from driver import engines, extras, places, rounds  # noqa: E402

SCRATCH = places.SCRATCH / "embed"
VENV = SCRATCH / "venv" / "bin"
PACKAGES = [
    "sentence-transformers==6.2.0",
    "torch==2.15.0",
    "onnxruntime==1.32.0",
    "onnx==1.23.2",
    "sympy",
    "coloredlogs",
]
QUERIES = 100
# A pool of candle's would only add to the threads that are counted.
ENVIRONMENT = {"RAYON_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false", "HF_HUB_OFFLINE": "1"}
# Larger is better in the first two.
FIGURES = (
    "texts_per_second",
    "texts_per_cpu_second",
    "query_p50_ms",
    "query_p99_ms",
    "query_cpu_ms",
    "load_ms",
    "peak_mb",
)
# How far apart vectors of one text may be.
LEAST_COSINE = 0.999


@dataclass
class Encoder:
    """One row."""

    name: str
    command: list[str]
    more: list[str]
    missing: str | None = None


def main() -> None:
    """Prepares, measures, shows, writes."""
    options = read_options()
    os.environ.update(ENVIRONMENT)
    encoders = prepare(options)
    files = texts(options.texts)
    results: dict[str, Any] = {
        "machine": extras.machine(),
        "load_before": extras.load(),
        "model": options.model.parent.name if options.model.name == "model" else options.model.name,
        "texts": counted(files[0]),
        "queries": counted(files[1]),
        "rounds": options.rounds,
        "threads": {},
    }
    for threads in options.threads:
        results["threads"][str(threads)] = measure(
            encoders, [str(options.model), *map(str, files), str(threads)], options.rounds
        )
    results["load_after"] = extras.load()
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "embed.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print(table(results))


def read_options() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description="Measures our encoder beside others.")
    parser.add_argument("model", type=Path, help="the folder of a BERT")
    parser.add_argument("--rounds", type=int, default=5, help="rounds, interleaved (default 5)")
    parser.add_argument("--texts", type=int, default=300, help="texts of a round (default 300)")
    parser.add_argument("--threads", type=int, action="append", help="threads (default one, and one for each core)")
    parser.add_argument("--ours", action="store_true", help="without peers")
    parser.add_argument("--no-candle", action="store_true", help="without candle, which takes minutes to build")
    parser.add_argument("--out", type=Path, default=places.RESULTS, help="folder of the results")
    options = parser.parse_args()
    options.model = options.model.resolve()
    options.threads = options.threads or sorted({1, os.cpu_count() or 1})
    return options


def prepare(options: argparse.Namespace) -> list[Encoder]:
    """Builds and installs what is measured; what cannot be had says why."""
    SCRATCH.mkdir(parents=True, exist_ok=True)
    candle = not (options.ours or options.no_candle)
    features = ["--features", "portable"] if candle else []
    command = ["cargo", "build", "--release", "--package", "honeyguide-bench-embed", *features]
    failed = places.attempt(
        "building our encoder" + (" and candle (minutes, the first time)" if candle else ""), command
    )
    if failed:
        raise SystemExit(failed)
    binary = str(engines.release_folder() / "honeyguide-bench-embed")
    found = [Encoder("honeyguide", [binary, "fast"], [])]
    if candle:
        found.append(Encoder("candle-transformers", [binary, "portable"], []))
    if not options.ours:
        found += python_encoders(options.model)
    return found


def python_encoders(model: Path) -> list[Encoder]:
    """The encoders in Python, in an environment of their own; the ONNX files are made from the same weights."""
    failed = None
    if not (VENV / "python").exists():
        failed = places.attempt("making a Python environment", ["python3", "-m", "venv", str(VENV.parent)])
        pip = [str(VENV / "pip"), "install", "--quiet", "--disable-pip-version-check", *PACKAGES]
        failed = failed or places.attempt("installing torch and onnxruntime (gigabytes, the first time)", pip)
    python, scripts = str(VENV / "python"), HERE / "python"
    plain, fused = SCRATCH / "plain.onnx", SCRATCH / "fused.onnx"
    config = json.loads((model / "config.json").read_text(encoding="utf-8"))
    sizes = [str(config["num_attention_heads"]), str(config["hidden_size"])]
    export = [python, str(scripts / "export.py"), str(model), str(plain), str(fused), *sizes]
    unexported = failed or places.attempt("exporting to ONNX", export)
    runtime = [python, str(scripts / "runtime.py")]
    return [
        Encoder("onnxruntime", runtime, [str(plain)], unexported),
        Encoder("onnxruntime, fused", runtime, [str(fused)], unexported),
        Encoder("sentence-transformers", [python, str(scripts / "reference.py")], [], failed),
    ]


def texts(count: int) -> tuple[Path, Path]:
    """Files of texts and queries: from the sets in $HONEYGUIDE_DATA in turn, else from the generated catalog."""
    from driver import catalogs

    sets = catalogs.real()
    if not sets:
        failed = places.attempt(
            "building the generator", ["cargo", "build", "--release", "--package", "honeyguide-bench-kit"]
        )
        if failed:
            raise SystemExit(failed)
        sets = [catalogs.generated(1000)]
    tools = [catalogs.lines(one.folder / "tools.jsonl") for one in sets]
    queries = [catalogs.lines(one.folder / "queries.jsonl") for one in sets]
    documents = [f"{tool['name']}: {tool.get('description', '')}" for tool in in_turn(tools, count)]
    asked = [query["query"] for query in in_turn(queries, QUERIES)]
    paths = SCRATCH / "texts.jsonl", SCRATCH / "queries.jsonl"
    for path, values in zip(paths, (documents, asked), strict=True):
        path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return paths


def in_turn(lists: list[list[Any]], count: int) -> list[Any]:
    """The first values of each list, then the second ones, up to a count."""
    longest = max(len(one) for one in lists)
    return [one[place] for place in range(longest) for one in lists if place < len(one)][:count]


def counted(path: Path) -> dict[str, float]:
    """How many texts a file has, and how long they are."""
    values = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {"count": len(values), "mean_characters": round(sum(map(len, values)) / len(values), 1)}


def measure(encoders: list[Encoder], arguments: list[str], count: int) -> dict[str, Any]:
    """All encoders in turns, a fresh process each; ratios are taken within a round."""
    runs: dict[str, list[dict[str, Any]]] = {encoder.name: [] for encoder in encoders}
    missing = {encoder.name: encoder.missing for encoder in encoders if encoder.missing}
    for number in range(count):
        for encoder in encoders:
            if encoder.name in missing:
                continue
            places.progress(f"{arguments[-1]} threads: round {number + 1} of {count}, {encoder.name}")
            line = rounds.run([*encoder.command, *arguments, *encoder.more])
            if isinstance(line, str):
                missing[encoder.name] = line
            else:
                runs[encoder.name].append(line)
    places.progress("")
    ours = runs[encoders[0].name]
    rows: dict[str, Any] = {}
    for encoder in encoders:
        lines = runs[encoder.name]
        if encoder.name in missing or not ours:
            rows[encoder.name] = {"missing": missing.get(encoder.name, "ours failed")}
            continue
        row: dict[str, Any] = {"version": lines[0]["version"], "cosine": agreement(lines[0], ours[0])}
        row |= {key: rounds.spread([line[key] for line in lines]) for key in (*FIGURES, "load_cpu_ms", "resident_mb")}
        pairs = list(zip(lines, ours, strict=True))
        row["over_ours"] = {key: rounds.spread([line[key] / own[key] for line, own in pairs]) for key in FIGURES}
        rows[encoder.name] = row
    return rows


def agreement(one: dict[str, Any], other: dict[str, Any]) -> float:
    """The least cosine between the sample's vectors; an engine that computes something else is no comparison."""
    pairs = zip(one["sample"], other["sample"], strict=True)
    least = min(sum(a * b for a, b in zip(mine, theirs, strict=True)) for mine, theirs in pairs)
    if least < LEAST_COSINE:
        raise SystemExit(f"{one['engine']} computes other vectors: cosine {least}")
    return round(least, 6)


def table(results: dict[str, Any]) -> str:
    """The results for people."""
    lines = [
        f"{results['model']}: {results['texts']['count']} texts of {results['texts']['mean_characters']} characters, "
        f"{results['queries']['count']} queries of {results['queries']['mean_characters']}; "
        f"medians of {results['rounds']} rounds, in brackets the ratio to ours within a round"
    ]
    columns = {
        "texts_per_second": "texts/s",
        "texts_per_cpu_second": "texts/CPU s",
        "query_p50_ms": "one query, ms",
        "query_p99_ms": "p99, ms",
        "query_cpu_ms": "CPU ms",
        "load_ms": "load, ms",
        "peak_mb": "peak MB",
    }
    for threads, rows in results["threads"].items():
        lines += [
            "",
            f"{threads} thread{'s' if threads != '1' else ''}".ljust(24)
            + "".join(f"{name:>19}" for name in columns.values()),
        ]
        for name, row in rows.items():
            if "missing" in row:
                lines.append(f"{name:24}  {row['missing']}")
                continue
            cells = [f"{row[key]['median']:.4g} ({row['over_ours'][key]['median']:.2f})" for key in columns]
            lines.append(f"{name:24}" + "".join(f"{cell:>19}" for cell in cells))
    return "\n".join(lines)


if __name__ == "__main__":
    main()
