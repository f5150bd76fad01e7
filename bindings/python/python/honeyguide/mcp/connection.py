"""One connection to a server, from its handshake to its end, through a session of the official package.

Knows no catalog and never dials twice. A task of its own opens and closes it: whoever asks for either may be any task.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from typing import Any, Literal

import anyio
import mcp_types as types
from mcp.client.session import ClientSession, IncomingMessage
from mcp.client.subscriptions import listen
from mcp.shared.exceptions import MCPError
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from pydantic import BaseModel, ConfigDict

from .dial import Dialled, Exchange, exchange
from .fault import McpServerError, StatusError
from .halves import Mended
from .options import Settings
from .patience import Limits, with_patience

__all__ = ["Connection", "Hearing"]

_CLIENT = types.Implementation(name="honeyguide", version="0.1.0")
_PATIENCE_WITH_ENDINGS = 6
"""How many seconds a transport may take to wind down before it is cut off; the official one for stdio takes up to 4."""


class Hearing:
    """Who hears of a connection: that the tools changed, that it ended unasked, and what it survived."""

    def __init__(
        self,
        list_changed: Callable[[], object],
        lost: Callable[[Connection, BaseException], object],
        error: Callable[[Exception], object],
    ) -> None:
        self.list_changed = list_changed
        self.lost = lost
        self.error = error


class _AnyResult(BaseModel):
    model_config = ConfigDict(extra="allow")


class _Dispatcher(JSONRPCDispatcher[Any]):
    """Keeps each result as it came: what a server sends is the model's and the application's to read."""

    def __init__(self, read: Any, write: Any, ended: asyncio.Event) -> None:
        super().__init__(read, write)
        self._ended = ended

    async def run(self, *args: Any, **options: Any) -> None:
        """Drives the receive loop, and says when it is over."""
        try:
            await super().run(*args, **options)
        finally:
            self._ended.set()

    async def send_raw_request(self, *args: Any, **options: Any) -> dict[str, Any]:
        """Sends a request, and notes its result."""
        noted = exchange.get()
        raw = await super().send_raw_request(*args, **options)
        if noted is not None:
            # A copy: the session takes fields out of it that are not of its revision.
            noted.result = dict(raw)
        return raw


class Connection:
    """One connection to a server."""

    def __init__(self, server: str, dialled: Dialled, settings: Settings, hearing: Hearing) -> None:
        self._server = server
        self._dialled = dialled
        self._settings = settings
        self._hearing = hearing
        self._session: ClientSession | None = None
        self._stop = asyncio.Event()
        self._scope = anyio.CancelScope()
        self._handshake = anyio.CancelScope()
        self._ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._owner: asyncio.Task[None] | None = None
        self._over = False
        self._asking = 0
        self._idle = asyncio.Event()
        self._idle.set()

    async def open(self) -> None:
        """Starts the transport and shakes hands."""
        self._owner = asyncio.create_task(self._own(), name=f"mcp {self._server}")
        limit = self._settings.connect_timeout_ms

        async def ready(_heard: Callable[[], None]) -> None:
            await asyncio.shield(self._ready)

        def overdue(_limit: str, elapsed: int) -> McpServerError:
            message = f"server `{self._server}` did not finish its handshake within {elapsed} ms"
            return McpServerError(message, "timeout", server=self._server, elapsed_ms=elapsed, retryable=True)

        await with_patience(self._settings.clock, Limits(limit, limit), ready, overdue)

    @property
    def instructions(self) -> str | None:
        """How to use the server, in its own words."""
        return None if self._session is None else self._session.instructions

    @property
    def about(self) -> str | None:
        """What the server says it is, in a line."""
        info = None if self._session is None else self._session.server_info
        return None if info is None else info.description or info.title

    async def list(self, cursor: str | None, limits: Limits) -> Any:
        """One page of tools, as the server sent it."""
        params = None if cursor is None else types.PaginatedRequestParams(cursor=cursor)
        return await self._patiently(types.ListToolsRequest(params=params), limits, None, None)

    async def call(
        self, tool: str, arguments: Any, limits: Limits, on_progress: Callable[[Mapping[str, Any]], object]
    ) -> Any:
        """Calls a tool; its result as the server sent it."""
        params = types.CallToolRequestParams(name=tool, arguments=arguments)
        return await self._patiently(types.CallToolRequest(params=params), limits, tool, on_progress)

    async def close(self) -> None:
        """Ends the connection, and waits until it has ended."""
        self._over = True
        self._handshake.cancel()
        self._stop.set()
        if self._owner is None:
            return
        _, running = await asyncio.wait({self._owner}, timeout=_PATIENCE_WITH_ENDINGS)
        if running:
            self._scope.cancel()
            await asyncio.wait({self._owner}, timeout=_PATIENCE_WITH_ENDINGS)

    async def retire(self) -> None:
        """Ends the connection once those who asked over it have their answers, or have had time for them."""
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._idle.wait(), _PATIENCE_WITH_ENDINGS)
        await self.close()

    async def _own(self) -> None:
        """Opens, waits to be told to stop, and closes: all in this one task, as the official package asks."""
        noted = Exchange()
        token = exchange.set(noted)
        thrown: BaseException | None = None
        try:
            with self._scope:
                async with contextlib.AsyncExitStack() as stack:
                    read, write = await stack.enter_async_context(self._dialled.transport)
                    dispatcher = _Dispatcher(Mended(read), write, self._stop)
                    session = ClientSession(dispatcher=dispatcher, message_handler=self._hear, client_info=_CLIENT)
                    await stack.enter_async_context(session)
                    self._session = session
                    with self._handshake:
                        await self._negotiate(session, stack)
                    if not self._handshake.cancelled_caught:
                        exchange.reset(token)
                        self._ready.set_result(None)
                        # That the other end is gone stops it too.
                        await self._stop.wait()
        except BaseException as caught:
            thrown = caught
        self._dialled.close()
        if not self._ready.done():
            error = thrown or MCPError(code=types.CONNECTION_CLOSED, message="Connection closed")
            self._ready.set_exception(_with_status(error, noted))
            self._ready.exception()  # Somebody may have stopped waiting for it.
        elif not self._over:
            self._over = True
            self._hearing.lost(self, thrown or MCPError(code=types.CONNECTION_CLOSED, message="the connection ended"))
        if isinstance(thrown, asyncio.CancelledError):
            raise thrown

    async def _negotiate(self, session: ClientSession, stack: contextlib.AsyncExitStack) -> None:
        if self._settings.mode == "auto":
            try:
                await session.discover()
            except (MCPError, RuntimeError):
                await session.initialize()
        else:
            await session.initialize()
        if session.discover_result is not None:
            await stack.enter_async_context(listen(session, tools_list_changed=True))

    async def _hear(self, message: IncomingMessage) -> None:
        if isinstance(message, Exception):
            self._hearing.error(message)
        elif isinstance(message, types.ToolListChangedNotification):
            self._hearing.list_changed()

    async def _patiently(
        self,
        request: types.Request[Any, Any],
        limits: Limits,
        tool: str | None,
        on_progress: Callable[[Mapping[str, Any]], object] | None,
    ) -> Any:
        session = self._session
        if session is None or self._over:
            raise MCPError(code=types.CONNECTION_CLOSED, message="Connection closed")

        async def work(heard: Callable[[], None]) -> Any:
            # Asked for always: a server reports progress only to those who want it.
            async def progressed(progress: float, total: float | None, message: str | None) -> None:
                heard()
                if on_progress is not None:
                    on_progress({"progress": progress, "total": total, "message": message})

            noted = Exchange()
            exchange.set(noted)
            try:
                await session.send_request(request, _AnyResult, progress_callback=progressed)
            except Exception as thrown:
                # Whoever judges the result's shape did so after it came.
                if noted.result is None:
                    raise _with_status(thrown, noted) from thrown
            return noted.result

        def overdue(limit: Literal["silence", "maximum"], elapsed: int) -> McpServerError:
            what = "tools/list" if tool is None else f"`{tool}`"
            why = "was silent for too long" if limit == "silence" else "took longer than it may"
            message = f"{what} of server `{self._server}` {why}: given up after {elapsed} ms"
            about = {"server": self._server, "elapsed_ms": elapsed, "retryable": True}
            return McpServerError(message, "timeout", **(about if tool is None else {**about, "tool": tool}))

        self._asking += 1
        self._idle.clear()
        try:
            return await with_patience(self._settings.clock, limits, work, overdue)
        finally:
            self._asking -= 1
            if self._asking == 0:
                self._idle.set()


def _with_status(thrown: BaseException, noted: Exchange) -> BaseException:
    if noted.fault is not None:
        return noted.fault
    return thrown if noted.status is None else StatusError(noted.status, thrown)
