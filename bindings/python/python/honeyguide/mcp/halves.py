"""Halves of surrogate pairs in JSON text: programs in JavaScript write them where they cut a text within a sign.

The official package takes such text for no JSON at all, so that a call would never be answered. Knows no method.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

__all__ = ["Mended", "without_halves"]

_ESCAPED = re.compile(r"\\u[dD][89a-fA-F]")
_HALF = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\ufffd"


def without_halves(text: str) -> str:
    """The text with a replacement character in place of each half; other text as it is, also what is no JSON."""
    if not _ESCAPED.search(text):
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    # Reading has joined the pairs; what is left are halves.
    return _HALF.sub(_REPLACEMENT, json.dumps(value, ensure_ascii=False))


class Mended:
    """The incoming stream of a transport of the official package, with the messages that it did not take for any."""

    def __init__(self, stream: Any, on_fault: Callable[[Exception], object] | None = None) -> None:
        self._stream = stream
        self._on_fault = on_fault

    async def receive(self) -> Any:
        """The next message, or the fault in its place."""
        return self._look_at(await self._stream.receive())

    def __aiter__(self) -> Mended:
        return self

    async def __anext__(self) -> Any:
        return self._look_at(await self._stream.__anext__())

    async def __aenter__(self) -> Mended:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *thrown: Any) -> Any:
        return await self._stream.__aexit__(*thrown)

    async def aclose(self) -> None:
        """Closes it."""
        await self._stream.aclose()

    @property
    def last_context(self) -> Any:
        """In whose context the last message was sent."""
        return getattr(self._stream, "last_context", None)

    def _look_at(self, item: Any) -> Any:
        item = _mended(item)
        if isinstance(item, Exception) and self._on_fault is not None:
            self._on_fault(item)
        return item


def _mended(item: Any) -> Any:
    if not isinstance(item, ValidationError):
        return item
    written = item.errors(include_url=False)[0].get("input")
    if not isinstance(written, str) or (text := without_halves(written)) == written:
        return item
    try:
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(text, by_name=False))
    except ValidationError:
        return item
