"""Refuses what means nothing where servers are registered: a misspelt setting would be a rule that does not hold."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import Any, get_args

from ..errors import InvalidInputError
from .options import APPROVALS, DriftPolicy, ServerOptions, ToolTerms

__all__ = ["check_names", "check_settings", "servers_of"]


def check_settings(settings: Mapping[str, Any]) -> None:
    """Raises when something of a server's settings means nothing."""
    check_names("the settings of a server", settings, ServerOptions.__optional_keys__)
    rule = settings.get("approval", "none")
    if not callable(rule):
        _check_word("approval", rule, APPROVALS)
    _check_word("on_change", settings.get("on_change", "warn"), get_args(DriftPolicy))
    for tool, terms in _object("`tools`", settings.get("tools", {})).items():
        place = f"`tools` of `{tool}`"
        check_names(place, _object(place, terms), ToolTerms.__optional_keys__)
        for name, value in terms.items():
            if name == "requires_approval":
                if not isinstance(value, bool):
                    raise _refused(f"{place}: `{name}` is neither true nor false")
            elif isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
                raise _refused(f"{place}: `{name}` is no number of milliseconds")


def servers_of(config: object) -> Mapping[str, Any]:
    """The servers of a configuration; raises when it is not one."""
    if inspect.isawaitable(config):
        raise _refused("the configuration is not there yet: await it first")
    if not isinstance(config, Mapping):
        raise _refused("the configuration is no object; pass what its file holds, parsed, not its text or path")
    servers = config.get("mcpServers", config.get("servers"))
    if not isinstance(servers, Mapping):
        raise _refused("the configuration names no servers; pass an object with `mcpServers` (or `servers`)")
    return servers


def check_names(what: str, given: Mapping[str, Any], known: Collection[str]) -> None:
    """Raises when a name among these is not known."""
    unknown = next((name for name in given if name not in known), None)
    if unknown is not None:
        raise _refused(f"{what}: `{unknown}` means nothing; {_meant(unknown, known)}")


def _check_word(name: str, value: object, known: Collection[str]) -> None:
    if value not in known:
        raise _refused(f"`{name}` is {value!r}; {_meant(str(value), known)}")


def _meant(written: str, known: Collection[str]) -> str:
    near = get_close_matches(written.lower(), known, 1)
    return f"did you mean `{near[0]}`?" if near else f"known: {', '.join(sorted(known))}"


def _object(what: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise _refused(f"{what} is no object")
    return value


def _refused(message: str) -> InvalidInputError:
    return InvalidInputError("invalid_request", message)
