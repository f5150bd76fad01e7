#!/usr/bin/env python3
"""What import, 100 tools and a first search cost in a fresh process: start_cost.py [ROUNDS]

Prints milliseconds of CPU (user and system) above the bare interpreter's, per language, after `make build` or in an
environment where the packages are installed. Bare and full processes alternate, so that both see the same machine.
"""

from __future__ import annotations

import os
import statistics
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NODE = os.environ.get("NODE", "node")
PYTHON = os.environ.get("PYTHON", str(ROOT / ".venv/bin/python"))

NODE_PROGRAM = """
import { honeyguide } from "honeyguide";
const hg = honeyguide();
hg.tools.register(Array.from({ length: 100 }, (_, n) => ({
  id: `server__create_issue_${n}`, description: `Create issue number ${n} in a repository of the team`,
  inputSchema: {
    type: "object", properties: { title: { type: "string", description: "Its title" }, limit: { type: "integer" } },
  },
  execute: () => n,
})));
if (hg.tools.search("create an issue").length === 0) throw new Error("found nothing");
"""
PYTHON_PROGRAM = """
from honeyguide import Honeyguide
hg = Honeyguide()
properties = {"title": {"type": "string", "description": "Its title"}, "limit": {"type": "integer"}}
schema = {"type": "object", "properties": properties}
hg.tools.register([
    {"id": f"server__create_issue_{n}", "description": f"Create issue number {n} in a repository of the team",
     "inputSchema": schema, "execute": lambda n=n: n}
    for n in range(100)
])
assert hg.tools.search("create an issue")
"""
IMPORT = {"node": 'import "honeyguide";', "python": "import honeyguide"}


def main(rounds: int) -> int:
    # `-X frozen_modules` and bytecode are as a user has them: the first round warms the caches and is not counted.
    for name, program, command in (
        ("node", NODE_PROGRAM, [NODE, "--input-type=module", "-e"]),
        ("python", PYTHON_PROGRAM, [PYTHON, "-c"]),
    ):
        programs = {"bare": "", "import": IMPORT[name], "whole": program}
        times: dict[str, list[float]] = {key: [] for key in programs}
        for _ in range(rounds + 1):
            for key, text in programs.items():
                times[key].append(cpu_of([*command, text]))
        for key in ("import", "whole"):
            above = [full - bare for full, bare in zip(times[key][1:], times["bare"][1:], strict=True)]
            least = min(times[key][1:]) - min(times["bare"][1:])
            print(f"{name:7} {key:7} least {least:6.1f} ms, median of {rounds} {statistics.median(above):6.1f} ms")
    return 0


def cpu_of(command: list[str]) -> float:
    """Milliseconds of CPU that a process took, with what it started."""
    child = os.posix_spawnp(command[0], command, os.environ | {"PYTHONPATH": ""})
    _, status, used = os.wait4(child, 0)
    if status != 0:
        raise SystemExit(f"{command[0]} failed")
    return (used.ru_utime + used.ru_stime) * 1000


if __name__ == "__main__":
    os.chdir(ROOT / "bindings/node")
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 15))
