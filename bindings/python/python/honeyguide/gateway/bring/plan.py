"""What becomes of each server that was found: which are taken, under which names. Reads and writes nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from ...mcp.definition import canonical, fault_of_name
from .found import Found

__all__ = ["Planned", "plan"]

Action: TypeAlias = Literal["take", "rename", "same", "leave"]


class Planned(NamedTuple):
    """What happens to one server."""

    found: Found
    action: Action
    name: str | None = None
    """Under which name it stands in the configuration."""
    why: str | None = None


def plan(found: Sequence[Found], present: Mapping[str, Any]) -> tuple[list[Planned], dict[str, Any]]:
    """Plans in the order of what was found, beside what stands in the configuration; answers also what is added."""
    taken = {name: _sameness(entry) for name, entry in present.items()}
    planned: list[Planned] = []
    added: dict[str, Any] = {}
    for one in found:
        if one.entry is None:
            planned.append(Planned(one, "leave", why=one.why))
            continue
        whole = _sameness(one.entry)
        twin = next((name for name, other in taken.items() if other == whole), None)
        if twin is not None:
            planned.append(Planned(one, "same", twin, "it is there already"))
            continue
        proper = _proper_name(one.name)
        name = _free_name(proper, taken)
        taken[name] = whole
        added[name] = one.entry
        if name == one.name:
            planned.append(Planned(one, "take", name))
        else:
            why = "a server's name holds no `__` and ends with no `_`" if name == proper else "the name is taken"
            planned.append(Planned(one, "rename", name, why))
    return planned, added


def _sameness(entry: object) -> str:
    """The same for two servers that are started or reached in the same way."""
    said = entry if isinstance(entry, Mapping) else {}
    filled: dict[str, Any] = {"args": [], "env": {}, "headers": {}}
    keys = ("command", "args", "env", "cwd", "url", "headers")
    return canonical({key: said[key] if said.get(key) is not None else filled.get(key) for key in keys})


def _proper_name(name: str) -> str:
    if fault_of_name(name) is None:
        return name
    return re.sub("__+", "_", name).rstrip("_") or "server"


def _free_name(name: str, taken: Mapping[str, str]) -> str:
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free
