"""Where the clients of a machine keep their servers. Reads nothing."""

from __future__ import annotations

import os
import sys
from typing import Literal, NamedTuple

__all__ = ["TITLES", "ClientFile", "Whereabouts", "client_files"]

TITLES = {
    "claude-code": "Claude Code",
    "claude-desktop": "Claude Desktop",
    "cursor": "Cursor",
    "vscode": "VS Code",
    "codex": "Codex",
    "windsurf": "Windsurf",
}
"""How the clients call themselves, in the order in which their servers get their names."""


class Whereabouts(NamedTuple):
    """Where paths start from."""

    cwd: str
    home: str


class ClientFile(NamedTuple):
    """A file of a client, and the keys that lead to its servers: of the present folder before those of the user."""

    client: str
    path: str
    keys: tuple[str, ...]
    kind: Literal["json", "toml"] = "json"
    refused_in: str | None = None
    """The file that says which servers the person refused, when there is one."""
    refused: tuple[tuple[str, ...], ...] = ()
    """The keys that lead to lists of them."""


def client_files(here: Whereabouts, platform: str = sys.platform) -> list[ClientFile]:
    """All places, for one folder and one user."""
    cwd, home = here
    config = _config_folder(home, platform)
    join = os.path.join
    servers = ("mcpServers",)
    own = join(home, ".claude.json")
    project = ("projects", cwd)
    refused = tuple((*project, name) for name in ("disabledMcpServers", "disabledMcpjsonServers"))
    return [
        ClientFile("claude-code", own, (*project, "mcpServers"), refused_in=own, refused=refused),
        ClientFile("claude-code", join(cwd, ".mcp.json"), servers, refused_in=own, refused=refused),
        ClientFile("claude-code", own, servers, refused_in=own, refused=refused),
        ClientFile("claude-desktop", join(config, "Claude", "claude_desktop_config.json"), servers),
        ClientFile("cursor", join(cwd, ".cursor", "mcp.json"), servers),
        ClientFile("cursor", join(home, ".cursor", "mcp.json"), servers),
        ClientFile("vscode", join(cwd, ".vscode", "mcp.json"), ("servers",)),
        ClientFile("vscode", join(config, "Code", "User", "mcp.json"), ("servers",)),
        ClientFile("codex", join(home, ".codex", "config.toml"), ("mcp_servers",), "toml"),
        ClientFile("windsurf", join(home, ".codeium", "windsurf", "mcp_config.json"), servers),
    ]


def _config_folder(home: str, platform: str) -> str:
    if platform == "darwin":
        return os.path.join(home, "Library", "Application Support")
    if platform == "win32":
        return os.path.join(home, "AppData", "Roaming")
    return os.path.join(home, ".config")
