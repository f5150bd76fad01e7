"""Honeyguide's Python package, by its public interface."""

from __future__ import annotations

from typing import Any

import honeyguide
from protocol import HITS, run


class Ours:
    """The catalog of tools."""

    name = "honeyguide (Python)"
    version = honeyguide.__version__

    def __init__(self) -> None:
        self.engine = honeyguide.Honeyguide()

    def prepare(self, tool: dict[str, Any]) -> dict[str, Any]:
        """A definition with what runs it."""
        return {**tool, "execute": lambda **arguments: arguments}

    def query(self, text: str) -> str:
        """The words."""
        return text

    def build(self, tools: list[dict[str, Any]]) -> None:
        """Registers the catalog."""
        self.engine.tools.register(tools)

    def search(self, query: str) -> Any:
        """Ids and scores."""
        return self.engine.tools.search(query, top_k=HITS)

    def update(self, tool: dict[str, Any]) -> None:
        """Registers one."""
        self.engine.tools.register(tool)

    def ids(self, hits: Any) -> list[str]:
        """The ids."""
        return [hit["id"] for hit in hits]


if __name__ == "__main__":
    run(Ours())
