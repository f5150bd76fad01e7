"""The sets that engines are measured on: every folder of $HONEYGUIDE_DATA with tools and queries. Knows no engine."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path

from speed.driver.catalogs import lines

VARIABLE = "HONEYGUIDE_DATA"
# Of a digest, in the list of the negatives.
DIGITS = 16


@dataclass(frozen=True)
class Set:
    """Two files, and which tools answer each query."""

    name: str
    folder: Path
    tools: int
    gold: list[list[str]]

    def arguments(self) -> list[str]:
        """What an adapter takes."""
        return [str(self.folder / "tools.jsonl"), str(self.folder / "queries.jsonl")]

    def digest(self) -> str:
        """Differs when a file differs."""
        digest = hashlib.sha256()
        for path in self.arguments():
            digest.update(Path(path).read_bytes())
        return digest.hexdigest()


def find(only: list[str]) -> list[Set]:
    """The sets, by name; all of them when none is named."""
    data = os.environ.get(VARIABLE)
    if not data:
        raise SystemExit(f"set {VARIABLE} to a folder of sets, one folder each with tools.jsonl and queries.jsonl")
    folders = sorted(path.parent for path in Path(data).glob("*/tools.jsonl"))
    sets = [read(folder) for folder in folders if (folder / "queries.jsonl").exists()]
    unknown = set(only) - {found.name for found in sets}
    if unknown or not sets:
        raise SystemExit(f"no set {', '.join(sorted(unknown)) or 'at all'} in {data}")
    return [found for found in sets if not only or found.name in only]


def read(folder: Path) -> Set:
    """One set."""
    with (folder / "tools.jsonl").open(encoding="utf-8") as file:
        tools = sum(1 for _ in file)
    return Set(folder.name, folder, tools, [line["gold"] for line in lines(folder / "queries.jsonl")])


def negatives(path: Path, known: list[Set]) -> dict[str, list[int]]:
    """The frozen negatives of the sets at hand: lines of `queries.jsonl`, counted from 0; none of a changed set."""
    frozen = json.loads(path.read_text(encoding="utf-8"))["sets"]
    same = [found for found in known if frozen.get(found.name, {}).get("files") == found.digest()[:DIGITS]]
    return {found.name: frozen[found.name]["lines"] for found in same}
