"""Where things are, and how progress is shown. Knows no engine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SPEED = ROOT / "bench" / "speed"
RESULTS = ROOT / "bench" / "results"
SCRATCH = ROOT / ".build" / "bench"
SETS = SCRATCH / "sets"
VENV = SCRATCH / "venv" / "bin"
NODE = SPEED / "node"


def progress(text: str) -> None:
    """Says what is going on; on a terminal always in the same line."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
    elif text:
        print(text, file=sys.stderr, flush=True)


def attempt(what: str, command: list[str], cwd: Path = ROOT) -> str | None:
    """Runs a command of the preparation; answers with the reason when it failed."""
    progress(what)
    run = subprocess.run(command, check=False, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode == 0:
        return None
    lines = [line.strip() for line in run.stdout.splitlines() if line.strip()]
    telling = [line for line in lines if "error" in line.lower()] or lines or ["no output"]
    return f"{what}: {telling[0][:200]}"
