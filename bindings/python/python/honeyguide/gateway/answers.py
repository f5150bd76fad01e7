"""What a call of one of the three tools is answered with, as MCP says it. Knows no connection and asks nobody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..client import Honeyguide
from ..errors import HoneyguideError
from .text import text_of

__all__ = ["answer_with", "is_servers", "pass_on"]

_NOT_THEIRS = "resultType"
"""What could make a result a question to the person in the gateway's name."""


def answer_with(reply: Any) -> dict[str, Any]:
    """A reply of Honeyguide's own, as JSON text."""
    result: dict[str, Any] = {"content": [{"type": "text", "text": text_of(reply)}]}
    if isinstance(reply, Mapping) and _is_error(reply):
        result["isError"] = True
    return result


def is_servers(value: Any) -> bool:
    """Whether it is a server's answer: those of core have no content, and one that has none may be read as text."""
    return isinstance(value, Mapping) and ("content" in value or not _is_error(value))


def pass_on(hg: Honeyguide, result: Mapping[str, Any], most: int) -> dict[str, Any]:
    """What a server said, whole; within the limit of characters, where there is one."""
    said = {key: part for key, part in result.items() if key != _NOT_THEIRS}
    try:
        return {"content": [], **(_cut(hg, said, most) if most else said)}
    except HoneyguideError as thrown:
        text = f"the server answered with what is no JSON: {thrown}"
        return {"content": [{"type": "text", "text": text}], "isError": True}


def _cut(hg: Honeyguide, said: dict[str, Any], most: int) -> dict[str, Any]:
    # Structure that says what was cut would only repeat it.
    rest = {key: part for key, part in said.items() if key != "structuredContent"}
    content = hg.for_model(rest).get("content", [])
    structured = said.get("structuredContent")
    if structured is None or content != rest.get("content", []) or len(text_of(structured)) > most:
        return {**rest, "content": content}
    return {**rest, "content": content, "structuredContent": structured}


def _is_error(value: Mapping[str, Any]) -> bool:
    return value.get("isError") is True and isinstance(value.get("error"), str)
