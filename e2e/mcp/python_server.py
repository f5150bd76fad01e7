"""A server of the official Python package, as its users write one."""

from mcp.server import MCPServer

server = MCPServer("sums", instructions="Adds numbers.")


@server.tool()
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@server.tool()
def fail() -> str:
    """Always fails."""
    raise ValueError("as asked")


if __name__ == "__main__":
    server.run()
