"""The help of the program `honeyguide`. `e2e/gateway/help` holds the same, for both languages. Knows nothing else."""

from __future__ import annotations

__all__ = ["HELP"]

HELP: dict[str, str] = {
    "": """\
usage: honeyguide COMMAND [options]

Leads an agent to the right tool.

commands:
  mcp            serve the servers and skills of a configuration as one MCP server
  mcp check      connect to every server of a configuration and say how it does
  mcp import     make a configuration of the servers that your clients have
  mcp login      sign in to a server of a configuration
  mcp logout     forget what was stored of a server

options:
  -h, --help     show this text
  --version      show the version
""",
    "mcp": """\
usage: honeyguide mcp --config FILE [--config FILE …] [--skills FOLDER …] [options]

Serves all tools of the servers in a configuration, and the skills of folders, as one MCP server
with three tools, over standard input and output.

options:
  --config FILE  a configuration: the object that Claude Code, Cursor and VS Code write,
                 with comments, and with settings below `honeyguide`; several are merged
  --skills FOLDER
                 a folder of skills, beside those that the configuration names
  --quiet        say nothing but what ends the program
  --verbose      say more: when a server is ready, which tool is called
  -h, --help     show this text
  --version      show the version

commands:
  honeyguide mcp check --config FILE     connect to every server and say how it does
  honeyguide mcp import                  make a configuration of the servers that your clients have
  honeyguide mcp login SERVER --config FILE
                                         sign in to a server
  honeyguide mcp logout SERVER --config FILE
                                         forget what was stored of a server
""",
    "mcp check": """\
usage: honeyguide mcp check --config FILE [--config FILE …] [options]

Connects to every server of a configuration and says how it does. Ends with code 1 when one failed.

options:
  --config FILE  a configuration; several are merged
  -h, --help     show this text
  --version      show the version
""",
    "mcp import": """\
usage: honeyguide mcp import [--from CLIENT …] [--to FILE] [--yes] [options]

Shows the MCP servers that the clients of this machine have, and with --yes adds them to a
configuration. The files of the clients are never changed.

options:
  --from CLIENT  claude-code, claude-desktop, cursor, vscode, codex or windsurf; several may be
                 named (default: all)
  --to FILE      the configuration (default: honeyguide.mcp.json)
  --yes          write it; the file that was there is kept beside it
  --json         print JSON in place of a table
  -h, --help     show this text
  --version      show the version
""",
    "mcp login": """\
usage: honeyguide mcp login SERVER --config FILE [--config FILE …] [options]

Signs in to a server of a configuration: opens its page in the browser, waits until the browser comes
back to this machine, and stores the tokens for everything of honeyguide that this person runs.

options:
  --config FILE  a configuration; several are merged
  --no-browser   only print the address of the page
  --allow-host HOST
                 an authorization server that may be at a private address; several may be named
  -h, --help     show this text
  --version      show the version
""",
    "mcp logout": """\
usage: honeyguide mcp logout SERVER --config FILE [--config FILE …] [options]

Forgets the tokens of a server, and how its authorization server knows honeyguide. Nobody else is told.

options:
  --config FILE  a configuration; several are merged
  -h, --help     show this text
  --version      show the version
""",
}
"""By command."""
