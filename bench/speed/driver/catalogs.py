"""The catalogs that engines are measured on: generated ones by size, and real ones from a folder. Knows no engine."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .engines import release_folder
from .places import SETS, progress

MOST_QUERIES = 1000
FEWER_QUERIES = 300
UPDATES = 200


@dataclass
class Catalog:
    """Three files, and how often its queries are asked."""

    name: str
    generated: bool
    tools: int
    passes: int
    folder: Path

    def arguments(self) -> list[str]:
        """What an adapter takes."""
        files = [str(self.folder / f"{name}.jsonl") for name in ("tools", "queries", "updates")]
        return [*files, str(self.passes)]

    def realism(self) -> dict[str, float]:
        """How it resembles others."""
        command = [str(release_folder() / "generate"), "--realism", *self.arguments()[:2]]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def generated(tools: int) -> Catalog:
    """The generated catalog of a size, made unless it is there."""
    folder = SETS / str(tools)
    queries = MOST_QUERIES if tools <= 3000 else FEWER_QUERIES
    progress(f"generating {tools} tools")
    command = [str(release_folder() / "generate"), str(folder), str(tools), str(queries)]
    subprocess.run(command, check=True)
    return Catalog(str(tools), True, tools, passes(tools), folder)


def real() -> list[Catalog]:
    """The catalogs in $HONEYGUIDE_DATA, one folder each; a change is another description, or another id."""
    data = os.environ.get("HONEYGUIDE_DATA")
    found = sorted(path.parent for path in Path(data).glob("*/tools.jsonl")) if data else []
    catalogs = []
    for source in found:
        tools = lines(source / "tools.jsonl")
        folder = SETS / source.name
        folder.mkdir(parents=True, exist_ok=True)
        write(folder / "tools.jsonl", tools)
        write(folder / "queries.jsonl", lines(source / "queries.jsonl")[:MOST_QUERIES])
        write(folder / "updates.jsonl", [changed(tools, number) for number in range(UPDATES)])
        catalogs.append(Catalog(source.name, False, len(tools), passes(len(tools)), folder))
    return catalogs


def passes(tools: int) -> int:
    """Fewer passes where each takes long."""
    return 5 if tools <= 3000 else 3


def changed(tools: list[Any], number: int) -> Any:
    """A replaced tool, or a new one."""
    tool = dict(tools[number * 7 % len(tools)])
    if number % 2 == 0:
        tool["description"] = f"{tool.get('description', '')} Changed {number} times."
    else:
        tool["id"] = f"{tool['id']}_{number}"
    return tool


def lines(path: Path) -> list[Any]:
    """The values of a file of JSON lines."""
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def write(path: Path, values: list[Any]) -> None:
    """Writes JSON lines."""
    path.write_text("".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values), encoding="utf-8")
