"""The configuration of the gateway: several files as one, every fault with its place. Dials nothing."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from ..mcp.definition import id_of, needs_approval, parts_of
from ..mcp.expand import expand
from ..mcp.options import ApprovalRule, DriftPolicy, ServerSettings, ToolTerms
from ..mcp.redact import redactor
from .fault import ConfigurationFault, nearest
from .files import read_object
from .keys import check_top, check_twice, odd_keys
from .own import check_own, server_of

__all__ = ["Gateway", "absolute", "is_disabled", "read_gateway"]


@dataclass(frozen=True)
class Gateway:
    """What the gateway serves, and how."""

    servers: Mapping[str, Any] = field(default_factory=dict)
    """As they are written, also those that are switched off."""
    places: Mapping[str, str] = field(default_factory=dict)
    """The file that each stands in, as it was named."""
    skills: tuple[str, ...] = ()
    """Folders, absolute."""
    ask: ApprovalRule = "destructive"
    always: tuple[str, ...] = ()
    """`server__tool`, or the beginning of it and `*`; before `never`."""
    never: tuple[str, ...] = ()
    on_change: DriftPolicy = "warn"
    max_result_chars: int = 0
    """0 for all of them."""
    tools: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @property
    def warnings(self) -> list[str]:
        """What is likely to be a mistake, and ends nothing."""
        return [said for name, written in self.servers.items() for said in odd_keys(name, written)]

    @property
    def names(self) -> list[str]:
        """The servers that are not switched off."""
        return [name for name, written in self.servers.items() if not is_disabled(written)]

    def redact(self, text: str) -> str:
        """A text without the values of variables, environments and headers, and without the secrets of clients."""
        secrets = list(expand(dict(self.servers), os.environ).secrets)
        for written in self.servers.values():
            for key in ("env", "headers"):
                values = written.get(key) if isinstance(written, Mapping) else None
                secrets += [str(value) for value in values.values()] if isinstance(values, Mapping) else []
            own = written.get("oauth") if isinstance(written, Mapping) else None
            secrets += [str(own["clientSecret"])] if isinstance(own, Mapping) and own.get("clientSecret") else []
        return redactor(secrets)(text)

    def settings_of(self, server: str) -> ServerSettings:
        """What holds for one server."""

        def approval(tool: Mapping[str, Any]) -> bool:
            id = id_of(server, tool["name"])
            if _is_named(id, self.always):
                return True
            return not _is_named(id, self.never) and needs_approval(tool, self.ask)

        tools: dict[str, ToolTerms] = {}
        for id, terms in self.tools.items():
            of, name = parts_of(id) or ("", "")
            if of == server:
                wire = {"timeoutMs": "timeout_ms", "maximumMs": "maximum_ms"}
                tools[name] = cast(ToolTerms, {wire[key]: value for key, value in terms.items()})
        return {"approval": approval, "tools": tools, "on_change": self.on_change}

    def idle_rules(self, server: str, listed: Iterable[Mapping[str, Any]]) -> list[str]:
        """What is said of tools that a server does not list, though it lists some: a misspelt rule does not hold."""
        ids = [tool["id"] for tool in listed if server_of(tool["id"]) == server]
        rules = [("approval.always", id) for id in self.always] + [("approval.never", id) for id in self.never]
        said = []
        for place, one in [*rules, *(("tools", id) for id in self.tools)]:
            if ids and server_of(one) == server and not any(_is_named(id, (one,)) for id in ids):
                near = nearest(one, ids)
                mean = "" if near is None else f"; did you mean `{near}`?"
                said.append(f"honeyguide.{place}: `{one}` is no tool that server `{server}` lists{mean}")
        return said


def is_disabled(written: object) -> bool:
    """Whether a server is switched off."""
    return isinstance(written, Mapping) and written.get("disabled") is True


def read_gateway(files: Iterable[str], skills: Iterable[str] = ()) -> Gateway:
    """Reads configurations as one; raises `ConfigurationFault`."""
    merging = _Merging()
    for file in files:
        merging.add(file)
    return merging.done(skills)


def _is_named(id: str, patterns: Iterable[str]) -> bool:
    return any(id.startswith(one[:-1]) if one.endswith("*") else id == one for one in patterns)


class _Merging:
    """Configurations on their way to becoming one."""

    def __init__(self) -> None:
        self._servers: dict[str, Any] = {}
        self._places: dict[str, str] = {}
        self._skills: list[str] = []
        self._said: dict[str, tuple[Any, str]] = {}
        self._rules: dict[str, list[tuple[str, str]]] = {"always": [], "never": []}
        self._tools: dict[str, tuple[Mapping[str, float], str]] = {}

    def add(self, file: str) -> None:
        """Takes one file; raises `ConfigurationFault`."""
        path = absolute(file, os.getcwd())
        read, text = read_object(path, file)
        check_top(file, read)
        check_twice(file, text)
        own = check_own(file, read.get("honeyguide"))
        groups = [key for key in ("mcpServers", "servers") if key in read]
        if not groups and not own.get("skills"):
            raise ConfigurationFault(
                f"{file}: it names no servers (`mcpServers` or `servers`) and no skills (`honeyguide.skills`)"
            )
        for key in groups:
            if not isinstance(read[key], Mapping):
                raise ConfigurationFault(f"{file}: `{key}` is no object")
            for name, one in read[key].items():
                self._add_server(name, one, file)
        self._skills += [absolute(_expanded(folder, file), os.path.dirname(path)) for folder in own.get("skills", ())]
        approval = own.get("approval", {})
        for key, value in (("approval.ask", approval.get("ask")), *((key, own.get(key)) for key in _SINGLE)):
            if value is not None:
                self._say(key, value, file)
        for key, rules in self._rules.items():
            rules += [(pattern, file) for pattern in approval.get(key) or ()]
        for tool, terms in own.get("tools", {}).items():
            if tool in self._tools:
                raise ConfigurationFault(f"honeyguide.tools.{tool} stands in {self._tools[tool][1]} and in {file}")
            self._tools[tool] = (terms, file)

    def _add_server(self, name: str, one: object, file: str) -> None:
        before = self._places.get(name)
        if before is not None:
            both = f"twice in {file}" if before == file else f"in {before} and in {file}"
            raise ConfigurationFault(f"server `{name}` stands {both}; rename one of them")
        self._servers[name], self._places[name] = one, file

    def _say(self, key: str, value: Any, file: str) -> None:
        """Notes what several files may say, which must be the same."""
        before = self._said.setdefault(key, (value, file))
        if before[0] != value:
            raise ConfigurationFault(f"honeyguide.{key} is `{before[0]}` in {before[1]} and `{value}` in {file}")

    def done(self, skills: Iterable[str]) -> Gateway:
        """All files as one, and folders beside them."""
        for key, rules in self._rules.items():
            for pattern, file in rules:
                self._find(pattern, f"{file}: honeyguide.approval.{key}: `{pattern}`")
        for tool, (_, file) in self._tools.items():
            self._find(tool, f"{file}: honeyguide.tools.{tool}: it")
        said = {key: value for key, (value, _) in self._said.items()}
        folders = [*self._skills, *(absolute(folder, os.getcwd()) for folder in skills)]
        return Gateway(
            servers=self._servers,
            places=self._places,
            skills=tuple(dict.fromkeys(folders)),
            ask=said.get("approval.ask", "destructive"),
            always=tuple(pattern for pattern, _ in self._rules["always"]),
            never=tuple(pattern for pattern, _ in self._rules["never"]),
            on_change=said.get("onChange", "warn"),
            max_result_chars=int(said.get("maxResultChars", 0)),
            tools={tool: terms for tool, (terms, _) in self._tools.items()},
        )

    def _find(self, pattern: str, said: str) -> None:
        """Refuses what is of no server: a rule for it was meant for another one."""
        server = server_of(pattern)
        if server not in self._servers:
            near = nearest(server, self._servers)
            mean = "" if near is None else f"; did you mean `{near}`?"
            raise ConfigurationFault(f"{said} is of no server of the configuration{mean}")


def _expanded(folder: str, file: str) -> str:
    """A folder of skills with its variables put in."""
    expanded = expand(folder, os.environ)
    if expanded.missing:
        variable = expanded.missing[0].variable
        raise ConfigurationFault(f"{file}: honeyguide.skills: a variable has no value: `{variable}`")
    return str(expanded.value)


_SINGLE = ("onChange", "maxResultChars")


def absolute(path: str, base: str) -> str:
    """A path from a folder; `~` is the home."""
    if path == "~" or path.startswith("~/"):
        path = os.path.expanduser("~") + path[1:]
    return os.path.abspath(os.path.join(base, path))
