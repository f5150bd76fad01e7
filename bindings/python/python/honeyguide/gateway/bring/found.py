"""Reads what the clients have: each server as it would stand in a configuration, or why it cannot. Writes nothing."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ...mcp.config import KNOWN
from ...mcp.written import misshapen
from ..fault import ConfigurationFault
from ..files import FileFault, is_missing, parse_json, read_text
from .clients import TITLES, ClientFile, Whereabouts, client_files

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["BrokenFile", "Found", "read_clients"]


class Found(NamedTuple):
    """One server of a client."""

    client: str
    path: str
    name: str
    entry: Mapping[str, Any] | None = None
    """As it would be written; none when it cannot be taken."""
    why: str | None = None
    """Why it cannot."""


class BrokenFile(NamedTuple):
    """A file that could not be read."""

    client: str
    path: str
    fault: FileFault


def read_clients(here: Whereabouts, clients: Sequence[str]) -> tuple[list[Found], list[BrokenFile], list[str]]:
    """Reads the files of some clients, or of all, each once; answers what was found, what was broken, and the paths."""
    files = [file for file in client_files(here) if not clients or file.client in clients]
    read: dict[str, Any] = {}
    broken: list[BrokenFile] = []
    for file in files:
        if file.path in read:
            continue
        try:
            read[file.path] = _read(file)
        except FileFault as fault:
            read[file.path] = None
            if not is_missing(fault):
                broken.append(BrokenFile(file.client, file.path, fault))
    found: list[Found] = []
    for file in files:
        servers = _inside(read[file.path], file.keys)
        lists = [_inside(read.get(file.refused_in or ""), keys) for keys in file.refused]
        refused = [name for one in lists if isinstance(one, list) for name in one]
        if isinstance(servers, Mapping):
            for name, written in servers.items():
                off = {"disabled": True} if name in refused else written
                found.append(_found(file, name, off, here))
    return found, broken, list(read)


def _inside(value: Any, keys: Sequence[str]) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _read(file: ClientFile) -> Mapping[str, Any]:
    text = read_text(file.path)
    value = parse_json(text) if file.kind == "json" else _parse_toml(text)
    if not isinstance(value, Mapping):
        raise FileFault("it is no object")
    return value


def _parse_toml(text: str) -> Mapping[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        why, _, place = str(error).rpartition(" (at ")
        numbers = [int(number) for number in re.findall(r"\d+", place)]
        line, column = numbers if len(numbers) == 2 else (text.count("\n") + 1, None)
        raise FileFault(f"it is no TOML: {why.lower()}", line, column) from None


def _found(file: ClientFile, name: str, written: object, here: Whereabouts) -> Found:
    try:
        return Found(file.client, file.path, name, _entry(file.client, written, here))
    except ConfigurationFault as why:
        return Found(file.client, file.path, name, why=str(why))


_OF_EDITOR = re.compile(r"\$\{(workspaceFolder|userHome)\}")
_OF_CLIENT = re.compile(r"\$\{(?!env:)[^}:]*:(?!-)[^}]*\}")
"""A reference that only its client can resolve, such as `${input:key}`."""
_HONEYGUIDE = re.compile(
    r"(^|[/\\])(@honeyguide/mcp|honeyguide(-mcp)?)(\.(cmd|exe|js|mjs))?(@[^/\\]*|\[.*|[=~<>!]=?.*)?$", re.DOTALL
)


def _entry(client: str, written: object, here: Whereabouts) -> Mapping[str, Any]:
    """A server in the words of a configuration; raises `ConfigurationFault` where there are none."""
    if not isinstance(written, Mapping):
        raise ConfigurationFault("its configuration is not an object")
    if written.get("disabled") is True or written.get("enabled") is False:
        raise ConfigurationFault("it is disabled")
    url = written.get("url", written.get("serverUrl"))
    if written.get("command") is None and url is None:
        raise ConfigurationFault("it has no `command` and no `url`")
    kind = written.get("type")
    if kind is not None and not (isinstance(kind, str) and kind in KNOWN):
        raise ConfigurationFault(f"its type `{kind}` is not known")
    own = _of_codex(written) if client == "codex" else {key: written.get(key) for key in ("headers", "env")}
    fields = {**{key: written.get(key) for key in ("command", "args", "cwd")}, "url": url, **own}
    said = {key: part for key, part in fields.items() if part not in (None, {}, [])}
    entry: Mapping[str, Any] = _replaced(said, here)
    if _is_honeyguide(entry):
        raise ConfigurationFault("it is honeyguide itself")
    if (wrong := misshapen(entry)) is not None:
        raise ConfigurationFault(wrong)
    if (theirs := _reference_of_client(entry, "")) is not None:
        reference, field = theirs
        raise ConfigurationFault(f"it has `{reference}` in {field}, which only {TITLES[client]} fills in")
    return entry


def _of_codex(written: Mapping[str, Any]) -> dict[str, Any]:
    """The environment and the headers: Codex names variables in fields of their own."""

    def mapping(key: str) -> Mapping[str, Any]:
        value = written.get(key)
        return value if isinstance(value, Mapping) else {}

    inherited = written.get("env_vars")
    names = inherited if isinstance(inherited, list) else []
    bearer = written.get("bearer_token_env_var")
    return {
        "headers": {
            **mapping("http_headers"),
            **{name: f"${{{variable}}}" for name, variable in mapping("env_http_headers").items()},
            **({"Authorization": f"Bearer ${{{bearer}}}"} if isinstance(bearer, str) else {}),
        },
        "env": {**mapping("env"), **{str(name): f"${{{name}}}" for name in names}},
    }


def _replaced(value: Any, here: Whereabouts) -> Any:
    """What an editor would fill in for its folder and its user is known here."""
    if isinstance(value, str):
        return _OF_EDITOR.sub(lambda found: here.home if found[1] == "userHome" else here.cwd, value)
    if isinstance(value, list):
        return [_replaced(part, here) for part in value]
    if isinstance(value, Mapping):
        return {key: _replaced(part, here) for key, part in value.items()}
    return value


def _reference_of_client(value: object, field: str) -> tuple[str, str] | None:
    if isinstance(value, str):
        reference = _OF_CLIENT.search(value)
        return None if reference is None else (reference[0], field)
    parts: list[tuple[str, Any]] = []
    if isinstance(value, Mapping):
        parts = [(f"{field}.{key}" if field else str(key), part) for key, part in value.items()]
    elif isinstance(value, list):
        parts = [(f"{field}[{at}]", part) for at, part in enumerate(value)]
    return next((found for place, part in parts if (found := _reference_of_client(part, place))), None)


def _is_honeyguide(entry: Mapping[str, Any]) -> bool:
    """A gateway behind a gateway would hide the same servers twice."""
    args = entry.get("args")
    words = [entry.get("command"), *(args if isinstance(args, list) else [])]
    return any(_HONEYGUIDE.search(str(word)) is not None for word in words)
