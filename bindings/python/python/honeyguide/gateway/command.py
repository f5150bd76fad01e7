"""What the program `honeyguide` does, by its command line. Knows no protocol."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence

from .. import __version__
from ..errors import HoneyguideError
from .arguments import Command, read_command
from .fault import ConfigurationFault
from .help import HELP
from .log import Log, Loudness

__all__ = ["answer_without_packages", "run"]

_NOTHING_TO_SERVE = (
    "nothing to serve: pass --config FILE or --skills FOLDER; "
    "`honeyguide mcp import` makes a configuration of the servers that your clients have"
)


def answer_without_packages(words: Sequence[str]) -> int | Command:
    """The exit code where a command line asks for no more than words, else the command."""
    try:
        command = read_command(words)
        if command.has("--help"):
            sys.stdout.write(HELP[command.name])
            return 0
        if command.has("--version"):
            sys.stdout.write(f"{__version__}\n")
            return 0
        if command.name == "":
            raise ConfigurationFault("a command is missing; see `honeyguide --help`")
        if command.name == "mcp" and not (command.has("--config") or command.has("--skills")):
            raise ConfigurationFault(_NOTHING_TO_SERVE)
        if command.name in ("mcp login", "mcp logout") and command.server is None:
            raise ConfigurationFault(f"a server is missing; see `honeyguide {command.name} --help`")
        if command.name in ("mcp check", "mcp login", "mcp logout") and not command.has("--config"):
            raise ConfigurationFault("option `--config` is missing")
    except ConfigurationFault as fault:
        Log().fault(str(fault))
        return 2
    return command


def run(command: Command) -> int:
    """Does what the command says; answers the exit code."""
    loudness: Loudness = "quiet" if command.has("--quiet") else "verbose" if command.has("--verbose") else "normal"
    log = Log(loudness)
    try:
        if command.name == "mcp import":
            from .bring import bring

            return bring(command)
        from .stdio import take_over

        if command.name in ("mcp login", "mcp logout"):
            from .login import log_in_or_out

            return log_in_or_out(command, log)
        pipe = take_over() if command.name == "mcp" else (0, 1)
        from .settings import read_gateway

        settings = read_gateway(command.all("--config"), command.all("--skills"))
        if command.name == "mcp check":
            from .check import check

            log.take_over(settings.redact)
            for warning in settings.warnings:
                log.note(warning)
            return asyncio.run(check(settings, log))
        from .serve import run_gateway

        return run_gateway(settings, log, pipe)
    except ConfigurationFault as fault:
        log.fault(str(fault))
        return 2
    except HoneyguideError as thrown:
        log.fault(str(thrown))
        return 1
    except KeyboardInterrupt:
        return 130
    finally:
        log.end()
