"""The program `honeyguide`: starts the gateway, or helps where the package for MCP is missing. Knows no command."""

from __future__ import annotations

import os
import subprocess
import sys

from . import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

_TRIED = "HONEYGUIDE_LAUNCHED"
"""Set for the program that this one starts in its place: it does not start another one."""


def main(words: Sequence[str] | None = None) -> int:
    """Runs the program; answers its exit code."""
    from .gateway.command import answer_without_packages, run

    words = sys.argv[1:] if words is None else words
    command = answer_without_packages(words)
    if isinstance(command, int):
        return command
    try:
        import mcp.client.session  # noqa: F401
    except ModuleNotFoundError:
        return _without_mcp(words)
    return run(command)


def _without_mcp(words: Sequence[str]) -> int:
    """The package for MCP is an extra, so that agents which need none stay small. uvx installs it at once."""
    uv = os.environ.get("UV")
    if uv and not os.environ.get(_TRIED):
        program = [uv, "tool", "run", "--from", f"honeyguide[mcp]=={__version__}", "honeyguide", *words]
        environment = {**os.environ, _TRIED: "1"}
        if sys.platform == "win32":  # Nothing takes a program's place there.
            return subprocess.run(program, env=environment, check=False).returncode
        os.execve(uv, program, environment)
    remedy = 'run pip install "honeyguide[mcp]", or start it as uvx honeyguide'
    sys.stderr.write(f"honeyguide: its commands need the package for MCP: {remedy}\n")
    return 2
