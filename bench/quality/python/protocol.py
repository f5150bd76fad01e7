"""Runs one engine over a set: a line that names it, then a line for each query. Knows no engine.

An engine takes what a user would hand it (name, description, parameters, server, a skill's body) and cuts it into words
its own way. What is right is nowhere here.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from speed.python.protocol import lines, walk

HITS = 10


@dataclass(frozen=True)
class Tool:
    """What is handed over."""

    id: str
    name: str
    description: str
    parameters: str
    server: str
    body: str
    schema: dict[str, Any]

    def fields(self) -> dict[str, str]:
        """The texts, for an engine that tells fields apart."""
        return {key: getattr(self, key) for key in FIELDS}

    def text(self) -> str:
        """All of it, for an engine that takes one text."""
        return " ".join(part for part in self.fields().values() if part)


FIELDS = ("name", "description", "parameters", "server", "body")


class Engine(Protocol):
    """What is asked."""

    name: str
    version: str

    def build(self, tools: list[Tool]) -> None:
        """Takes the catalog."""

    def search(self, query: str) -> list[tuple[str, float | None]]:
        """The best ten ids with their scores; without a score where the engine tells none."""


def run(engine: Engine) -> None:
    """Answers the queries of the set that the arguments name."""
    tools_path, queries_path = sys.argv[1:3]
    engine.build([tool(value) for value in lines(tools_path)])
    print(json.dumps({"engine": engine.name, "version": engine.version}))
    for line in lines(queries_path):
        hits = engine.search(line["query"])[:HITS]
        print(json.dumps({"ids": [hit for hit, _ in hits], "score": hits[0][1] if hits else 0.0}))


def tool(value: dict[str, Any]) -> Tool:
    """A tool of a line."""
    parameters: list[str] = []
    schema = value.get("inputSchema") or {}
    walk(schema, parameters)
    return Tool(
        id=value["id"],
        name=value.get("name", value["id"]),
        description=value.get("description", ""),
        parameters=" ".join(parameters),
        server=value.get("server", ""),
        body=value.get("body", ""),
        schema=schema,
    )
