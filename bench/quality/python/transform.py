"""FastMCP's BM25 search transform: a server with the tools, asked through its own `search_tools`. It tells no scores.

Ids are the names of its tools, since names must differ there; a skill's body stands behind its description.
"""

from __future__ import annotations

import asyncio
from importlib.metadata import version

from fastmcp import FastMCP
from fastmcp.server.transforms.search import BM25SearchTransform
from fastmcp.tools.base import Tool as FastTool
from fastmcp.tools.base import ToolResult
from protocol import HITS, Tool, run


class Described(FastTool):
    """A tool that is only found."""

    async def run(self, arguments: dict[str, object]) -> ToolResult:
        """Answers nothing."""
        return ToolResult(content=[])


class Transform:
    """One server."""

    name = "FastMCP"
    version = version("fastmcp")

    def build(self, tools: list[Tool]) -> None:
        """Registers the catalog."""
        self.server = FastMCP("bench")
        for tool in tools:
            description = f"{tool.description}\n{tool.body}" if tool.body else tool.description
            self.server.add_tool(Described(name=tool.id, description=description, parameters=tool.schema))
        names = lambda found: [{"name": tool.name} for tool in found]  # noqa: E731
        self.server.add_transform(BM25SearchTransform(max_results=HITS, search_result_serializer=names))
        self.loop = asyncio.new_event_loop()

    def search(self, query: str) -> list[tuple[str, float | None]]:
        """Ids alone."""
        answer = self.loop.run_until_complete(self.server.call_tool("search_tools", {"query": query}))
        return [(tool["name"], None) for tool in answer.structured_content["result"]]


if __name__ == "__main__":
    run(Transform())
