"""One tool of a server as one of the catalog, and what tells whether it changed. Knows no connection."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any
from unicodedata import category

from .options import ApprovalRule

__all__ = [
    "canonical",
    "digest_of",
    "fault_of_name",
    "fields_of",
    "id_of",
    "is_repeatable",
    "needs_approval",
    "parts_of",
]

_SEPARATOR = "__"
"""Between a server's name and a tool's. No server's name holds it, so an id can be read back."""

_UNWRITABLE = frozenset(("Cc", "Cs"))
"""What no id holds: not every reader of one gets it back as it was."""


def fault_of_name(name: object) -> str | None:
    """Why a name cannot be a server's, if it cannot: an id must be read in one way only."""
    if not isinstance(name, str) or name == "":
        return "a server needs a name, a text that is not empty"
    if any(category(letter) in _UNWRITABLE for letter in name):
        shown = "".join("?" if category(letter) in _UNWRITABLE else letter for letter in name)
        return f"a server's name holds no control character and no half of a character, which `{shown}` does"
    if _SEPARATOR in name or name.endswith("_"):
        return (
            f"a server's name holds no `__` and ends with no `_`, which `{name}` does: "
            "its tools' ids could be read in two ways"
        )
    return None


def id_of(server: str, tool: str) -> str:
    """The id of a server's tool in the catalog."""
    return f"{server}{_SEPARATOR}{tool}"


def parts_of(id: str) -> tuple[str, str] | None:
    """The server and the tool of an id."""
    server, separator, tool = id.partition(_SEPARATOR)
    return (server, tool) if server and separator else None


_HOSTS_OWN = frozenset(("tags", "searchText", "requiresApproval", "execute", "$refused"))
"""What only the host may say of a tool: a server could raise its rank, dodge a rule of visibility or an approval."""


def fields_of(server: str, tool: Mapping[str, Any], requires_approval: bool | None) -> dict[str, Any]:
    """The fields of a catalog tool: everything that the server said, under the catalog's names."""
    annotations = tool.get("annotations")
    said = annotations.get("title") if isinstance(annotations, Mapping) else None
    title = said if tool.get("title") is None else tool["title"]
    fields = {key: value for key, value in tool.items() if value is not None and key not in _HOSTS_OWN}
    if title is not None:
        fields["title"] = title
    if requires_approval is not None:
        fields["requiresApproval"] = requires_approval
    fields.setdefault("description", tool["name"] if title is None else title)
    fields.setdefault("inputSchema", {"type": "object"})
    return {**fields, "id": id_of(server, tool["name"]), "server": server}


def needs_approval(tool: Mapping[str, Any], rule: ApprovalRule) -> bool:
    """Whether a rule has somebody asked before this tool runs. What cannot be judged is asked about."""
    if callable(rule):
        try:
            return rule(tool) is not False
        except Exception:
            return True
    annotations = tool.get("annotations")
    said = annotations if isinstance(annotations, Mapping) else {}
    if rule == "writes":
        return said.get("readOnlyHint") is not True
    return rule == "destructive" and said.get("destructiveHint") is True


def is_repeatable(tool: Mapping[str, Any]) -> bool:
    """Whether a call may be made again when nobody knows what became of it."""
    annotations = tool.get("annotations")
    if not isinstance(annotations, Mapping):
        return False
    return annotations.get("readOnlyHint") is True or annotations.get("idempotentHint") is True


def digest_of(tool: Mapping[str, Any]) -> str:
    """SHA-256 of what a model or a person would judge the tool by, in hex. Icons and `_meta` may change."""
    judged = {key: tool[key] for key in _JUDGED if key in tool}
    return hashlib.sha256(canonical(judged).encode("utf-8", "surrogatepass")).hexdigest()


_JUDGED = ("annotations", "description", "inputSchema", "name", "outputSchema", "title")


def canonical(value: object) -> str:
    """JSON text with sorted keys, so that a server may say the same in another order."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
