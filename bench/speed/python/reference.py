"""The reference: `ratel-ai` by its public interface. It builds its index inside the first search after a change."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from protocol import HITS, run
from ratel_ai import ExecutableTool, ToolCatalog


class Reference:
    """Its catalog of tools."""

    name = "ratel-ai"
    version = version("ratel-ai")

    def __init__(self) -> None:
        self.catalog = ToolCatalog()

    def prepare(self, tool: dict[str, Any]) -> ExecutableTool:
        """A definition with what runs it."""
        return ExecutableTool(
            id=tool["id"],
            name=tool.get("name", tool["id"]),
            description=tool.get("description", ""),
            input_schema=tool.get("inputSchema") or {},
            execute=lambda arguments: arguments,
        )

    def query(self, text: str) -> str:
        """The words."""
        return text

    def build(self, tools: list[ExecutableTool]) -> None:
        """Registers the catalog."""
        self.update(tools)

    def search(self, query: str) -> Any:
        """Ids and scores."""
        return self.catalog.search(query, HITS)

    def update(self, tools: Any) -> None:
        """Registers one or many; what it returns is awaited for embeddings, of which there are none here."""
        pending = self.catalog.register(tools)
        close = getattr(pending, "close", None)
        if close is not None:
            close()

    def ids(self, hits: Any) -> list[str]:
        """The ids."""
        return [hit.tool_id for hit in hits]


if __name__ == "__main__":
    run(Reference())
