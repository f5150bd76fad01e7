"""The MCP server that the client talks to: three tools, and what is behind them. Knows no process and no file."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

import mcp_types as types
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError

from .. import __version__
from . import words
from .answers import answer_with, is_servers, pass_on
from .approval import Approvals, Asking
from .catalog import Behind, Hearing

__all__ = ["make_server"]

_NAME = "honeyguide"
_PATIENCE_WITH_PERSONS = 3600.0
"""For how many seconds the answer to a question counts that was asked by answering a call."""

_whole: ContextVar[list[dict[str, Any]] | None] = ContextVar("whole", default=None)
"""Where the result of the request that is being answered is kept as it came: the official package would drop what it
does not know."""
_STANDS_IN = frozenset(("content", "isError", "tools"))
"""What there is of a result only because the official package wants it."""


def make_server(behind: Behind) -> Server[Any]:
    """The server of one connection."""
    tools = behind.hg.model_tools()
    known = [tool["name"] for tool in tools]
    session = behind.hg.session("gateway")
    approvals = Approvals()

    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        _keep({"tools": tools})
        return types.ListToolsResult(tools=[])

    async def call_tool(context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams) -> Any:
        if params.name not in known:
            raise MCPError(code=types.INVALID_PARAMS, message=words.unknown_tool(params.name, known))
        await behind.ready_for(params.name, params.arguments or {})
        progress = _Progress(context)
        asking = Asking(approvals, context, params)
        approve = asking.ask if asking.possible else None
        try:
            reply = await session.call(params.name, params.arguments, context=progress, approve=approve)
        finally:
            await progress.end()
        if asking.question is not None:
            return asking.question
        is_theirs = params.name == "invoke_tool" and is_servers(reply)
        _keep(pass_on(behind.hg, reply, behind.most) if is_theirs else answer_with(behind.helped(reply)))
        return types.CallToolResult(content=[])

    server: Server[Any] = Server(
        _NAME,
        version=__version__,
        instructions=words.instructions(behind.names, skills=behind.has_skills),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    server.middleware += [
        RequestStateBoundary(RequestStateSecurity.ephemeral(ttl=_PATIENCE_WITH_PERSONS), default_audience=_NAME),
        _keep_whole,
    ]
    return server


def _keep(result: dict[str, Any]) -> None:
    kept = _whole.get()
    if kept is not None:
        kept.append(result)


async def _keep_whole(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Puts a result in its place as it came, once the official package has dealt with what stood in for it."""
    kept: list[dict[str, Any]] = []
    token = _whole.set(kept)
    try:
        shaped = await call_next(ctx)
    finally:
        _whole.reset(token)
    if not kept or not isinstance(shaped, dict):
        return shaped
    ours = {key: part for key, part in shaped.items() if key not in _STANDS_IN}
    whole = {**kept[0], **ours}
    meta = [part for part in (kept[0].get("_meta"), ours.get("_meta")) if isinstance(part, Mapping)]
    return {**whole, "_meta": {**meta[0], **meta[1]}} if len(meta) == 2 else whole


class _Progress(Hearing):
    """Hands a call's progress on, in its order and before its result."""

    def __init__(self, context: ServerRequestContext[Any, Any]) -> None:
        self._session = context.session
        self._last: asyncio.Task[None] | None = None

    def hear(self, said: Mapping[str, Any]) -> None:
        self._last = asyncio.ensure_future(self._send(said, self._last))

    async def end(self) -> None:
        if self._last is not None:
            await asyncio.wait({self._last})

    async def _send(self, said: Mapping[str, Any], before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await asyncio.wait({before})
        await self._session.report_progress(said["progress"], said.get("total"), said.get("message"))
