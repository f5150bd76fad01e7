"""Halves of surrogate pairs in JSON text: programs in JavaScript write them where they cut a text within a sign.

The official package takes such text for no JSON at all, so that a call would never be answered. Knows no method.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from typing import Any

import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from .deep import answer_to, id_of_request, in_place_of, is_too_deep

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

    def __init__(
        self,
        stream: Any,
        on_fault: Callable[[Exception], object] | None = None,
        refuse: Callable[[SessionMessage], Awaitable[object]] | None = None,
    ) -> None:
        self._stream = stream
        self._on_fault = on_fault
        self._refuse = refuse

    async def receive(self) -> Any:
        """The next message, or the fault in its place."""
        return await self._look_at(await self._stream.receive())

    def __aiter__(self) -> Mended:
        return self

    async def __anext__(self) -> Any:
        return await self._look_at(await self._stream.__anext__())

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

    async def _look_at(self, item: Any) -> Any:
        if is_too_deep(item):
            text = _written(item)
            if (answer := in_place_of(text)) is not None:
                return answer
            asked = id_of_request(text)
            if asked is not None and self._refuse is not None:
                await self._refuse(answer_to(asked))
                return item
        item = _mended(item)
        if isinstance(item, Exception) and self._on_fault is not None:
            self._on_fault(item)
        return item


def _written(fault: ValidationError) -> str:
    written = fault.errors(include_url=False)[0].get("input")
    return written if isinstance(written, str) else ""


def _mended(item: Any) -> Any:
    if not isinstance(item, ValidationError):
        return item
    written = _written(item)
    if (text := without_halves(written)) == written:
        return item
    try:
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(text, by_name=False))
    except ValidationError:
        return item
