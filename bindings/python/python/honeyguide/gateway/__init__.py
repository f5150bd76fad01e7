"""The gateway: an MCP server that shows three tools, and reaches all tools and skills of a configuration through them.

Needs the official package: `pip install "honeyguide[mcp]"`.
"""
