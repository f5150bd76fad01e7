"""Messages that are nested deeper than the official package reads: what can be said of them without reading them whole.

Whoever waits for such a message would wait for ever. Knows no method.
"""

from __future__ import annotations

import json
import re
from typing import Any, TypeAlias

import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

__all__ = ["Id", "answer_to", "id_of_request", "in_place_of", "is_too_deep"]

Id: TypeAlias = int | str

_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+', re.DOTALL)


def is_too_deep(fault: Any) -> bool:
    """Whether a message was not taken for its depth."""
    return isinstance(fault, ValidationError) and "recursion limit" in fault.errors(include_url=False)[0]["msg"]


def id_of_request(text: str) -> Id | None:
    """The id of a message that somebody else waits for an answer to."""
    members = _outermost(text)
    return _id_in(members) if "method" in members else None


def answer_to(id: Id, code: int = types.INVALID_PARAMS) -> SessionMessage:
    """The error that is the answer to a request whose own cannot be had."""
    error = types.ErrorData(code=code, message="the message is nested too deeply")
    return SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=id, error=error))


def in_place_of(text: str) -> SessionMessage | None:
    """What stands in for an answer that we wait for ourselves; nothing when it is none."""
    members = _outermost(text)
    id = None if "method" in members else _id_in(members)
    return None if id is None else answer_to(id, types.PARSE_ERROR)


def _id_in(members: dict[str, str]) -> Id | None:
    try:
        id = json.loads(members.get("id", "null"))
    except ValueError:
        return None
    return id if isinstance(id, str) or type(id) is int else None


def _outermost(text: str) -> dict[str, str]:
    """The members of the outermost object: the text of each value, or the first sign of one that has parts."""
    members: dict[str, str] = {}
    depth, key, is_value = 0, "", False
    for token in _TOKENS.finditer(text):
        sign = token[0]
        if depth == 1 and sign == ":":
            is_value = True
        elif depth == 1 and sign == ",":
            is_value = False
        elif depth == 1 and is_value and sign not in "]}":
            members[key] = sign
        elif depth == 1 and sign.startswith('"'):
            key = _text(sign)
        depth += (sign in "{[") - (sign in "}]")
    return members


def _text(written: str) -> str:
    try:
        return str(json.loads(written))
    except ValueError:
        return written
