"""What the gateway says to the model and to the person at the client. The Node half says the same.

Knows nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..mcp.definition import parts_of
from .brief import brief
from .harmless import as_name, visible
from .text import text_of

__all__ = ["FORM", "SIGN_IN", "allowing_line", "instructions", "question", "refusal_in", "sign_in", "unknown_tool"]

_MOST_OF_ARGUMENTS = 1000
"""About how many characters of arguments a person reads."""
_MOST_OF_NAMES = 1000

SIGN_IN = "put them into its `headers`, or have a program that signs in as its `command`"
"""What a person can do for a server that wants credentials."""


def sign_in(server: str, file: str) -> str:
    """What a person can do for a server that the gateway itself can be signed in to."""
    return f"run `honeyguide mcp login {_word(server)} --config {_word(file)}`, or put them into its `headers`"


def _word(text: str) -> str:
    """A word of a command line that stands between back-ticks."""
    shown = visible(text).replace("`", "'")
    return f'"{shown}"' if re.search(r"\s", shown) else shown


FORM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "decision": {
            "type": "string",
            "title": "Decision",
            "enum": ["once", "session", "no"],
            "enumNames": ["Allow once", "Allow this tool until the session ends", "Do not allow"],
        }
    },
    "required": ["decision"],
}
"""What the person may answer."""


def instructions(servers: Iterable[str], *, skills: bool) -> str:
    """What a client is told of this server: nothing that changes while it runs."""
    parts = [
        "The tools of other servers stand behind three tools: find them with search_capabilities, "
        "call them with invoke_tool; open a skill with get_skill_content."
    ]
    listed = _listed([as_name(name) for name in servers])
    if listed:
        parts.append(f"Servers: {listed}.")
    if skills:
        parts.append("There are skills as well.")
    return " ".join(parts)


def _listed(names: Iterable[str]) -> str:
    text = ""
    for name in names:
        if len(text) + len(name) > _MOST_OF_NAMES:
            return f"{text}, …"
        text += f", {name}" if text else name
    return text


def question(id: str, arguments: Any) -> str:
    """What the person is asked. Arguments and names were written by others, and must not be able to ask otherwise."""
    server, tool = parts_of(id) or ("", id)
    shown = brief({} if arguments is None else arguments, _MOST_OF_ARGUMENTS)
    return f"Allow `{as_name(tool)}` of server `{as_name(server)}` to run?\nArguments: {shown}"


def refusal_in(action: str, content: Mapping[str, Any] | None) -> str:
    """Why an answer that is no clear yes is a no."""
    if action == "decline":
        return "the user did not allow this call"
    if action == "cancel":
        return "the user dismissed the question"
    if content is not None and content.get("decision") == "no":
        return "the user did not allow this call"
    return "the answer is none of those that were offered"


def allowing_line(id: str) -> str:
    """What to do where nobody can be asked."""
    return (
        f'tell the user that this needs an approval, which this client cannot ask for; `"never": [{text_of(id)}]` '
        "below `honeyguide.approval` in the gateway's configuration allows it without one"
    )


def unknown_tool(name: str, known: Iterable[str]) -> str:
    """Why a call of another tool than the three is refused."""
    return f"unknown tool `{name}`; this server has {', '.join(known)}, and calls other tools through invoke_tool"
