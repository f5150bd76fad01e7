"""`honeyguide mcp import`: what the clients of this machine have, brought into a configuration."""

from .command import bring

__all__ = ["bring"]
