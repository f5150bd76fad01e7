"""The reference: `ratel-ai` by its public interface, its default method (BM25). Skills go into its skill catalog."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from protocol import HITS, Tool, run
from ratel_ai import ExecutableTool, Skill, SkillCatalog, ToolCatalog


class Reference:
    """Its catalog of tools, or of skills."""

    name = "ratel-ai"
    version = version("ratel-ai")

    def build(self, tools: list[Tool]) -> None:
        """Registers the catalog."""
        skills = any(tool.body for tool in tools)
        self.catalog: Any = SkillCatalog() if skills else ToolCatalog()
        pending = self.catalog.register([(skill if skills else executable)(tool) for tool in tools])
        # What is returned is awaited for embeddings, of which there are none here.
        pending.close()

    def search(self, query: str) -> list[tuple[str, float | None]]:
        """Ids and scores."""
        hits = self.catalog.search(query, HITS)
        return [(getattr(hit, "tool_id", None) or hit.skill_id, hit.score) for hit in hits]


def executable(tool: Tool) -> ExecutableTool:
    """A tool with what runs it."""
    return ExecutableTool(
        id=tool.id,
        name=tool.name,
        description=tool.description,
        input_schema=tool.schema,
        execute=lambda arguments: arguments,
    )


def skill(tool: Tool) -> Skill:
    """A skill."""
    return Skill(id=tool.id, name=tool.name, description=tool.description, body=tool.body)


if __name__ == "__main__":
    run(Reference())
