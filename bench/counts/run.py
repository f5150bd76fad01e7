#!/usr/bin/env python3
"""Counts the instructions of a build, a search and a change with callgrind, and compares them with the kept counts.

`bench/counts/run.py [--accept] [TOOLS ...]`. Each count is the difference of two runs over what they do more, so that
reading, setting up and printing fall out. Knows nothing of time: the counts hold on a noisy machine.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
KEPT = HERE / "counts.json"
SIZES = [100, 1000]
TOLERANCE = 1.03

# What a run does: builds, searches of a catalog, searches of an engine (JSON in and out), registrations of one tool.
BASE = (1, 100, 100, 20)
MORE = {
    "build": (3, 100, 100, 20),
    "search": (1, 300, 100, 20),
    "engine search": (1, 100, 300, 20),
    "update": (1, 100, 100, 60),
}


def main(arguments: list[str]) -> int:
    """Counts, prints, compares; 1 when something grew by more than the tolerance."""
    accept = "--accept" in arguments
    sizes = [int(argument) for argument in arguments if argument != "--accept"] or SIZES
    if shutil.which("valgrind") is None:
        print("instruction counts need valgrind, which is not installed: nothing was counted")
        return 1 if accept else 0
    binary = build()
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {"counts": {}}
    now = {str(size): count(binary, size) for size in sizes}
    worse = report(kept["counts"], now)
    if accept:
        merged = kept["counts"] | now
        about = "Instructions per operation; written by `make bench-counts-accept`"
        content = {"about": about, "machine": platform.machine(), "counts": merged}
        KEPT.write_text(json.dumps(content, indent=2) + "\n")
        print(f"wrote {KEPT.relative_to(HERE.parent.parent)}")
        return 0
    if worse:
        print(
            f"grew by more than {TOLERANCE - 1:.0%}: {', '.join(worse)}; when that is meant, make bench-counts-accept"
        )
    return 1 if worse else 0


def build() -> Path:
    """Builds the binary as it is shipped, and says where it is."""
    command = ["cargo", "build", "--release", "--package", "honeyguide-bench-counts", "--message-format=json"]
    progress("building the binary to count")
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=HERE).stdout
    messages = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    files = [message["executable"] for message in messages if message.get("executable")]
    return Path(files[-1])


def count(binary: Path, size: int) -> dict[str, int]:
    """Instructions per operation at a size."""
    base = instructions(binary, size, BASE)
    counts = {}
    for name, work in MORE.items():
        more = sum(work) - sum(BASE)
        counts[name] = round((instructions(binary, size, work) - base) / more)
    return counts


def instructions(binary: Path, size: int, work: tuple[int, ...]) -> int:
    """Instructions of one run."""
    progress(f"{size} tools: {work[0]} builds, {work[1]} and {work[2]} searches, {work[3]} updates under callgrind")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--quiet"]
        command = [*valgrind, str(binary), str(size), *map(str, work)]
        run = subprocess.run(command, check=False, capture_output=True, text=True)
        if run.returncode != 0:
            raise SystemExit(f"{' '.join(command)}\n{run.stdout}{run.stderr}")
        for line in reversed(out.read_text().splitlines()):
            if line.startswith(("totals:", "summary:")):
                return int(line.split()[1])
    raise SystemExit("callgrind wrote no total")


def report(kept: dict[str, dict[str, int]], now: dict[str, dict[str, int]]) -> list[str]:
    """Prints the counts beside the kept ones; answers with what grew too much."""
    progress("")
    print(f"{'tools':>8}  {'operation':14} {'kept':>14} {'now':>14}  ratio")
    worse = []
    for size, counts in now.items():
        for name, instructions_now in counts.items():
            before = kept.get(size, {}).get(name)
            ratio = instructions_now / before if before else None
            shown = f"{ratio:.3f}" if ratio else "-"
            print(f"{size:>8}  {name:14} {before or '-':>14} {instructions_now:>14}  {shown}")
            if ratio and ratio > TOLERANCE:
                worse.append(f"{name} at {size} ({shown})")
    return worse


def progress(text: str) -> None:
    """Shows what is being done, on a terminal only in place."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
    elif text:
        print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    os.environ.pop("LD_PRELOAD", None)
    raise SystemExit(main(sys.argv[1:]))
