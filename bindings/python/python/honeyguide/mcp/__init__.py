"""MCP servers in the catalog: listed whole, kept fresh, and none of them takes the others down.

Needs the official package: `pip install "honeyguide[mcp]"`.
"""

from __future__ import annotations

try:
    import mcp.client.session  # noqa: F401
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError('honeyguide.mcp needs the MCP package; pip install "honeyguide[mcp]"') from missing

from .backoff import Backoff
from .clock import Clock
from .config import McpServers, register_mcp_servers
from .definition import parts_of
from .fault import McpServerError
from .options import ApprovalRule, Diagnostic, DriftPolicy, ServerOptions, ServerSettings, ToolTerms
from .register import register_mcp_server
from .server import McpServer, ServerStatus

__all__ = [
    "ApprovalRule",
    "Backoff",
    "Clock",
    "Diagnostic",
    "DriftPolicy",
    "McpServer",
    "McpServerError",
    "McpServers",
    "ServerOptions",
    "ServerSettings",
    "ServerStatus",
    "ToolTerms",
    "parts_of",
    "register_mcp_server",
    "register_mcp_servers",
]
