"""The command line of the program `honeyguide`: from words to a command, or to what is wrong with them.

Does nothing and imports little: it is read also where the MCP package is missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .fault import ConfigurationFault, meant, nearest

__all__ = ["CLIENTS", "Command", "read_command"]

CLIENTS = ("claude-code", "claude-desktop", "cursor", "vscode", "codex", "windsurf")

_EVERYWHERE = {"--help": False, "--version": False}
_OPTIONS: Mapping[str, Mapping[str, bool]] = {
    "": _EVERYWHERE,
    "mcp": {"--config": True, "--skills": True, "--quiet": False, "--verbose": False, **_EVERYWHERE},
    "mcp check": {"--config": True, **_EVERYWHERE},
    "mcp login": {"--config": True, "--no-browser": False, "--allow-host": True, **_EVERYWHERE},
    "mcp logout": {"--config": True, **_EVERYWHERE},
    "mcp import": {"--from": True, "--to": True, "--yes": False, "--json": False, **_EVERYWHERE},
}
"""The options of each command, and whether they take a value."""
_WITH_SERVER = ("mcp login", "mcp logout")
"""The commands that are for one server, which is named without an option."""
_SHORT = {"-h": "--help"}


class Command(NamedTuple):
    """What is to be done."""

    name: str
    """Such as `mcp check`; empty when none was named."""
    values: Mapping[str, Sequence[str]]
    """The values of each option that was given; of one that takes none, an empty text."""
    server: str | None = None
    """What stands without an option."""

    def has(self, option: str) -> bool:
        """Whether an option was given."""
        return option in self.values

    def all(self, option: str) -> Sequence[str]:
        """Every value of an option."""
        return self.values.get(option, ())


def read_command(words: Sequence[str]) -> Command:
    """Reads a command line; raises `ConfigurationFault`."""
    name, rest = "", list(words)
    while rest and not rest[0].startswith("-") and name not in _WITH_SERVER:
        known = [one for one in _OPTIONS if one.rpartition(" ")[0] == name and one]
        if not known:
            break
        called = f"{name} {rest.pop(0)}".strip()
        if called not in known:
            raise ConfigurationFault(f"unknown command `{called}`; {_instead(called, known, name)}")
        name = called
    servers: list[str] = []
    command = Command(name, _read_options(name, rest, servers), next(iter(servers), None))
    for client in command.all("--from"):
        if client not in CLIENTS:
            raise ConfigurationFault(f"unknown client `{client}`; {meant(client, CLIENTS)}")
    return command


def _read_options(name: str, rest: list[str], servers: list[str]) -> dict[str, list[str]]:
    known, values = _OPTIONS[name], dict[str, list[str]]()
    while rest:
        if name in _WITH_SERVER and not servers and not rest[0].startswith("-"):
            servers.append(rest.pop(0))
            continue
        written, equals, value = rest.pop(0).partition("=")
        option = _SHORT.get(written, written)
        if not option.startswith("-"):
            raise ConfigurationFault(f"unexpected argument `{option}`; see {_help_of(name)}")
        if option not in known:
            raise ConfigurationFault(f"unknown option `{written}`; {_instead(written, known, name)}")
        if known[option] and not equals:
            if not rest or rest[0].startswith("-"):
                raise ConfigurationFault(f"option `{option}` needs a value")
            value = rest.pop(0)
        if known[option] and value == "":
            raise ConfigurationFault(f"option `{option}` needs a value")
        if equals and not known[option]:
            raise ConfigurationFault(f"option `{option}` takes no value")
        values.setdefault(option, []).append(value)
    return values


def _instead(word: str, known: Sequence[str] | Mapping[str, object], name: str) -> str:
    near = nearest(word, known)
    return f"see {_help_of(name)}" if near is None else f"did you mean `{near}`?"


def _help_of(name: str) -> str:
    return f"`{' '.join(('honeyguide', name)).strip()} --help`"
