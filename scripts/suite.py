#!/usr/bin/env python3
"""Runs one suite, shows its output as it comes, and remembers its time and its own totals for `make test`.

Knows nothing of what a suite tests: it reads the totals that cargo, vitest, pytest, node's runner and our own
scripts print.

    suite.py run test NAME COMMAND...    a suite that must report at least one test
    suite.py run check NAME COMMAND...   a step that only passes or fails
    suite.py totals test|check|all       a table, and last a line `N passed, N failed`
    suite.py forget test|check|all       starts a new count
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from pathlib import Path

RESULTS = Path(__file__).resolve().parent.parent / ".build" / "suites"
COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
CARGO = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed;")
PYTEST = re.compile(r"^=*\s?(?=.*\b(?:passed|failed|error)).*\bin [\d.]+s(?: \([\d:]+\))?\s?=*$")
VITEST = re.compile(r"^\s+Tests\s+(?=\d)")
NODE = re.compile(r"^(?:#|\u2139) (pass|fail) (\d+)$")
PLAIN = re.compile(r"^(\d+) passed, (\d+) failed\b(?!.* in [\d.]+s)")


def count(line: str) -> tuple[int, int]:
    """What one line of output reports: how many tests passed and how many failed."""
    line = COLOURS.sub("", line.rstrip())
    if found := CARGO.match(line) or PLAIN.match(line):
        return int(found[1]), int(found[2])
    if found := NODE.match(line):
        return (int(found[2]), 0) if found[1] == "pass" else (0, int(found[2]))
    if VITEST.match(line) or PYTEST.match(line):
        return _amount(line, "passed"), _amount(line, "failed") + _amount(line, "errors?")
    return 0, 0


def _amount(line: str, word: str) -> int:
    found = re.search(rf"(\d+) {word}\b", line)
    return int(found[1]) if found else 0


def run(kind: str, name: str, command: list[str]) -> int:
    """Runs the command; returns what `make` should see."""
    print(f"── {name} ──", flush=True)
    start = time.monotonic()
    passed = failed = 0
    try:
        with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0
        ) as process:
            for raw in process.stdout or ():
                sys.stdout.buffer.write(raw)
                sys.stdout.flush()
                more = count(raw.decode("utf-8", "replace"))
                passed, failed = passed + more[0], failed + more[1]
        status = process.returncode
    except OSError as error:
        print(error)
        status = 127
    why = ""
    if kind == "check":
        passed, failed = 0, int(status != 0)
    elif status != 0 and failed == 0:
        failed, why = 1, f", stopped with status {status}"
    elif passed + failed == 0:
        failed, why = 1, ", no test reported"
    seconds = time.monotonic() - start
    result = {"kind": kind, "name": name, "seconds": seconds, "passed": passed, "failed": failed}
    RESULTS.mkdir(parents=True, exist_ok=True)
    path = RESULTS / f"{kind}-{name}.json"
    path.write_text(json.dumps(result), encoding="utf-8")
    said = ("ok" if failed == 0 else "FAILED") if kind == "check" else f"{passed} passed, {failed} failed"
    print(f"── {name}: {said}{why} in {seconds:.1f} s ──", flush=True)
    return int(failed > 0)


def totals(kind: str) -> int:
    """Prints the table and the totals; fails when anything failed or nothing ran."""
    results = _remembered(kind)
    passed = sum(result["passed"] for result in results)
    failed = sum(result["failed"] for result in results)
    print()
    for result in results:
        mark = "FAILED" if result["failed"] else "ok"
        counts = "" if result["kind"] == "check" else f"{result['passed']:5} passed {result['failed']:4} failed"
        print(f"{result['kind']:6} {result['name']:12} {mark:7} {result['seconds']:7.1f} s {counts}".rstrip())
    checks = [result for result in results if result["kind"] == "check"]
    if checks:
        print(f"checks: {sum(not check['failed'] for check in checks)} of {len(checks)} ok")
    print(f"time: {sum(result['seconds'] for result in results):.0f} s")
    if not results:
        print("nothing ran")
    print(f"{passed} passed, {failed} failed", flush=True)
    return int(failed > 0 or not results)


def _remembered(kind: str) -> list[dict]:
    """The results since the last `forget`, in the order in which the suites ended."""
    paths = sorted(RESULTS.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
    results = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    return [result for result in results if kind in (result["kind"], "all")]


def forget(kind: str) -> int:
    """Takes the remembered results of this kind away."""
    for path in RESULTS.glob("*.json" if kind == "all" else f"{kind}-*.json"):
        path.unlink()
    return 0


def main(arguments: list[str]) -> int:
    """Reads the command line."""
    kinds = {"test", "check"}
    match arguments:
        case ["run", kind, name, *command] if kind in kinds and command:
            return run(kind, name, command)
        case ["totals", kind] if kind in kinds | {"all"}:
            return totals(kind)
        case ["forget", kind] if kind in kinds | {"all"}:
            return forget(kind)
        case _:
            print(__doc__)
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
