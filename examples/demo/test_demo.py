"""The Python demo computes what it prints: another fixture prints another answer.

That both languages print the same is tested beside it, in `demo.test.ts`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def run(folder: Path) -> str:
    """What the demo prints over a data folder."""
    environment = {**os.environ, "PYTHONUTF8": "1"}
    command = [sys.executable, str(HERE / "demo.py"), str(folder)]
    return subprocess.run(command, capture_output=True, check=True, encoding="utf-8", env=environment).stdout


def test_the_agent_holds_three_definitions_for_the_whole_catalog() -> None:
    output = run(HERE / "data")
    assert output.startswith("527 tools and 3 skills; the prompt holds 3 tool definitions")
    everything, three = (int(tokens) for tokens in re.findall(r" (\d+) tokens\n", output)[:2])
    assert everything > 50 * three


def test_a_changed_skill_is_what_the_agent_reads(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    shutil.copytree(HERE / "data", folder)
    skills = folder / "skills.json"
    skills.write_text(
        skills.read_text(encoding="utf-8").replace("# Release notes", "# Another heading"), encoding="utf-8"
    )
    assert "# Another heading" in run(folder)
    assert "# Another heading" not in run(HERE / "data")
