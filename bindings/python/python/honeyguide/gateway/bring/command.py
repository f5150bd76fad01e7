"""Does an import: shows what the clients have, and adds it to a configuration when asked to. Decides nothing itself."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from ..arguments import Command
from ..fault import ConfigurationFault
from ..mask import mask_address, mask_arguments
from ..settings import absolute
from ..table import table
from .clients import Whereabouts, client_files
from .found import BrokenFile, read_clients
from .plan import Planned, plan
from .target import read_target, write_target

__all__ = ["bring"]

_TARGET = "honeyguide.mcp.json"
_HEAD = ("client", "file", "server", "how", "what happens")


def bring(command: Command, here: Whereabouts | None = None) -> int:
    """Does what the command line says; answers the code to end with."""
    here = here or Whereabouts(os.getcwd(), os.path.expanduser("~"))
    to = [_TARGET, *command.all("--to")][-1]
    path = absolute(to, here.cwd)
    if any(file.path == path for file in client_files(here)):
        raise ConfigurationFault(f"{to}: it is a client's own file, which is never changed; choose another one")
    target = read_target(path, to)
    found, broken, looked = read_clients(here, command.all("--from"))
    planned, added = plan(found, target.servers)
    written = command.has("--yes") and bool(added)
    backup = write_target(target, added) if written else None
    entry = {"command": "uvx", "args": ["honeyguide", "mcp", "--config", path]}
    if command.has("--json"):
        report = {
            "target": path,
            "written": written,
            "backup": backup,
            "faults": [_fault(one, here) for one in broken],
            "servers": [_shown(one, here) for one in planned],
            "entry": entry,
        }
        _print(json.dumps(report, indent=2, ensure_ascii=False) + "\n")
        return 0
    kept = None if backup is None else _short(backup, here)
    _print(_table(planned, broken, looked, here))
    _print(f"\n{_outcome(len(added), len(planned), to, written, kept)}\n")
    if written:
        said = json.dumps({"mcpServers": {"honeyguide": entry}}, indent=2, ensure_ascii=False)
        _print(f"\nPut this into your clients, in place of the servers that it now serves:\n{said}\n")
    return 0


def _print(text: str) -> None:
    sys.stdout.write(text.encode("utf-8", "backslashreplace").decode())


def _fault(broken: BrokenFile, here: Whereabouts) -> dict[str, Any]:
    places = {"line": broken.fault.line, "column": broken.fault.column}
    return {
        "client": broken.client,
        "message": broken.fault.message,
        **{key: number for key, number in places.items() if number is not None},
        "file": _short(broken.path, here),
    }


def _shown(planned: Planned, here: Whereabouts) -> dict[str, Any]:
    """One server as a person may see it."""
    client, path, name, entry, _ = planned.found
    shown = {"client": client, "file": _short(path, here), "server": name, "action": planned.action}
    if planned.name is not None:
        shown["as"] = planned.name
    if planned.why is not None:
        shown["why"] = planned.why
    if entry is None:
        return shown
    names = {"environment": entry.get("env"), "headers": entry.get("headers")}
    listed = {key: list(values) for key, values in names.items() if isinstance(values, Mapping)}
    return {**shown, "how": _how(entry), **listed}


def _how(entry: Mapping[str, Any]) -> str:
    if entry.get("url") is not None:
        return mask_address(str(entry["url"]))
    args = entry.get("args")
    shown = mask_arguments([str(part) for part in args]) if isinstance(args, list) else []
    return " ".join([str(entry.get("command")), *shown])


def _table(planned: Sequence[Planned], broken: Sequence[BrokenFile], looked: Sequence[str], here: Whereabouts) -> str:
    if not planned and not broken:
        places = "".join(f"  {_short(path, here)}\n" for path in looked)
        return f"no client of this machine has a server; these files were looked for:\n{places}"
    rows: list[tuple[str, ...]] = []
    for one in planned:
        shown = _shown(one, here)
        names = f" (env: {', '.join(shown['environment'])})" if "environment" in shown else ""
        happens = "take" if one.action == "rename" else one.action
        name = f" as `{one.name}`" if one.action in ("rename", "same") else ""
        why = "" if one.why is None else f": {one.why}"
        how = f"{shown.get('how', '')}{names}"
        rows.append((shown["client"], shown["file"], shown["server"], how, f"{happens}{name}{why}"))
    faults = [(one.client, one.fault.place(_short(one.path, here)), "", "", one.fault.message) for one in broken]
    return table(_HEAD, [*rows, *faults])


def _outcome(count: int, all: int, to: str, written: bool, backup: str | None) -> str:
    servers = f"{count} {'server' if count == 1 else 'servers'}"
    if written:
        return f"Wrote {servers} to {to}." + ("" if backup is None else f" What was there is kept as {backup}.")
    if count:
        return f"Nothing was written; --yes writes {servers} to {to}."
    return "Nothing to write." if all == 0 else f"Nothing to write: {to} has them all."


def _short(path: str, here: Whereabouts) -> str:
    """A path as a person would write it here."""
    for folder, prefix in ((here.cwd, ""), (here.home, f"~{os.sep}")):
        try:
            within = os.path.relpath(path, folder)
        except ValueError:  # another drive
            continue
        if within != "." and not within.startswith(".."):
            return prefix + within
    return path
