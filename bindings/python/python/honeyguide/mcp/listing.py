"""All pages of a server's tools. Knows no catalog, and trusts nothing of what it reads."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from .fault import McpServerError, number_of

__all__ = ["Listing", "list_all"]

_MOST_PAGES = 1000
_INVALID_PARAMETERS = -32602
"""JSON-RPC's code for parameters that are wrong: here, a cursor that no longer counts."""


class Listing:
    """A server's tools, each name once, in its order; and what is wrong, though the rest of it stands."""

    def __init__(self) -> None:
        self.tools: dict[str, Mapping[str, Any]] = {}
        self.faults: list[dict[str, str]] = []


class _StaleCursorError(Exception):
    pass


async def list_all(server: str, read_page: Callable[[str | None], Awaitable[Any]]) -> Listing:
    """Reads every page. A cursor that stopped counting means that the list changed: all is read once more."""
    try:
        return await _walk(server, read_page)
    except _StaleCursorError:
        pass
    try:
        return await _walk(server, read_page)
    except _StaleCursorError as stale:
        raise stale.__cause__ or stale from None


async def _walk(server: str, read_page: Callable[[str | None], Awaitable[Any]]) -> Listing:
    listing = Listing()
    seen: set[str] = set()
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        try:
            page = await read_page(cursor)
        except Exception as thrown:
            if cursor is not None and number_of(thrown) == _INVALID_PARAMETERS:
                raise _StaleCursorError from thrown
            raise
        tools = page.get("tools") if isinstance(page, Mapping) else None
        if not isinstance(tools, list):
            message = f"server `{server}` answered tools/list without a list of tools"
            raise McpServerError(message, "failed", server=server, retryable=True)
        for tool in tools:
            _take(server, listing, tool)
        following = page.get("nextCursor")
        # The empty text is a cursor like any other; only one that is missing ends the list.
        if following is None:
            return listing
        if not isinstance(following, str) or following in seen:
            break
        seen.add(following)
        cursor = following
    kept = len(listing.tools)
    message = f"server `{server}` goes on listing after a cursor that leads nowhere new; {kept} tools were kept"
    listing.faults.append({"code": "cursor_not_advancing", "message": message})
    return listing


def _take(server: str, listing: Listing, tool: object) -> None:
    name = tool.get("name") if isinstance(tool, Mapping) else None
    if not isinstance(tool, Mapping) or not isinstance(name, str) or name == "":
        message = f"server `{server}` lists a tool without a name"
        listing.faults.append({"code": "invalid_tool", "message": message})
    elif name in listing.tools:
        message = f"server `{server}` lists `{name}` twice; the first one stands"
        listing.faults.append({"code": "duplicate_tool", "message": message, "tool": name})
    else:
        listing.tools[name] = tool
