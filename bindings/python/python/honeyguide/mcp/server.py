"""One MCP server behind a catalog: connected, dialled again when it is lost, its tools kept in step.

Decides when; how to speak is the connection's, what stands in the catalog the shelf's.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Iterable, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from ..client import Honeyguide
from .backoff import delay_after
from .connection import Connection, Hearing
from .definition import is_repeatable
from .dial import Dial, Dialled
from .fault import SAID, FaultKind, McpServerError, describe, kind_of, number_of
from .journal import Journal
from .listing import list_all
from .options import Diagnostic, Settings
from .patience import Limits
from .shelf import Shelf

__all__ = ["McpServer", "ServerStatus"]

ServerState: TypeAlias = Literal["connecting", "ready", "waiting", "needs_auth", "failed", "closed"]
"""Where a server stands. `needs_auth` and `failed` stay until `refresh`: dialling again helps against neither."""


class ServerStatus(NamedTuple):
    """What is known of a server now."""

    state: ServerState
    tools: int
    """How many tools stand in the catalog."""
    quarantined: tuple[str, ...]
    """The tools that are held back, by their names on the server."""
    failures: int
    """How many attempts failed in a row, with those whose connection broke soon after it stood."""
    error: str | None
    """Why it is not ready."""


class McpServer:
    """One MCP server behind a catalog."""

    def __init__(self, hg: Honeyguide, name: str, dial: Dial, settings: Settings, redact: Callable[[str], str]) -> None:
        self.name = name
        self._hg = hg
        self._dial = dial
        self._settings = settings
        self._loop = asyncio.get_running_loop()
        self._journal = Journal(name, settings.on_diagnostic, redact)
        self._shelf = Shelf(hg, name, settings, self._run, self._journal.tell)
        self._state: ServerState = "connecting"
        self._connection: Connection | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._opening: Connection | None = None
        self._listing: asyncio.Task[None] | None = None
        self._list_again = False
        self._settling: Callable[[], object] | None = None
        self._waiting: Callable[[], object] | None = None
        self._failures = 0
        self._ready_since = 0.0
        self._error: str | None = None
        self._instructions: str | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._ending: set[asyncio.Task[Any]] = set()
        self._announce()

    @property
    def status(self) -> ServerStatus:
        """Where it stands now."""
        names, held = self._shelf.names, tuple(self._shelf.held)
        return ServerStatus(self._state, len(names), held, self._failures, self._error)

    @property
    def server_instructions(self) -> str | None:
        """How to use the server, in its own words."""
        return self._instructions

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What was worth knowing of late."""
        return self._journal.diagnostics

    @property
    def digests(self) -> dict[str, str]:
        """What each tool's definition was when first seen, or accepted: for `digests` of the next run."""
        return self._shelf.digests

    def accept(self, tools: str | Iterable[str] | None = None) -> list[str]:
        """Takes tools that are held back since their definition changed: all, or those named. Answers which."""
        return self._shelf.accept(tools)

    async def refresh(self) -> None:
        """Lists the tools anew; dials first when there is no connection, also one that was given up."""
        if self._listing is not None:
            # It may have begun before what the caller knows of happened.
            await asyncio.wait({self._listing})
        if self._state == "closed":
            raise self._unavailable()
        if self._state != "ready" or self._connection is None:
            return await self.connect()
        return await self._list(self._connection)

    async def close(self) -> None:
        """Ends the connection and takes the tools out of the catalog; from any task."""
        if self._state == "closed":
            return
        self._state = "closed"
        for stop in (self._waiting, self._settling):
            if stop is not None:
                stop()
        self._shelf.clear()
        self._hg.servers.remove(self.name)
        connection, self._connection = self._connection, None
        if self._connecting is not None:
            # Ends the handshake, and whoever waits for it hears why.
            self._end(self._opening)
            await asyncio.wait({self._connecting})
        self._end(connection)
        for task in self._tasks - self._ending:
            task.cancel()
        if self._ending:
            await asyncio.wait(self._ending)

    def _end(self, connection: Connection | None, *, gently: bool = False) -> None:
        if connection is not None:
            task = self._start(connection.retire() if gently else connection.close())
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    async def connect(self) -> None:
        """Dials, once for all who ask. Raises what went wrong; by then the next attempt is planned, where one helps."""
        if self._waiting is not None:
            self._waiting()
            self._waiting = None
        if self._connecting is None:
            self._connecting = self._start(self._open())
            self._connecting.add_done_callback(self._connected)
        # Whoever stops waiting stops nobody else's attempt.
        await asyncio.shield(self._connecting)

    def _connected(self, task: asyncio.Task[None]) -> None:
        self._connecting = None

    async def _open(self) -> None:
        self._state = "connecting"
        self._announce()
        dialled: Dialled | None = None
        connection: Connection | None = None
        try:
            dialled = self._dial()
            hearing = Hearing(self._list_soon, self._lost, self._journal.complain)
            connection = self._opening = Connection(self.name, dialled, self._settings, hearing)
            await connection.open()
            if self._is_closed():
                raise self._unavailable()
            self._instructions = connection.instructions
            self._connection = connection
            await self._list(connection)
            if self._is_closed() or self._connection is not connection:
                raise self._unavailable()
        except BaseException as thrown:
            if self._connection is connection:
                self._connection = None
            # Nobody waits for its end, not even the next attempt: a server that does not want to end takes its time.
            self._end(connection)
            raise self._connect_fault(thrown, dialled) from self._journal.harmless(thrown)
        finally:
            self._opening = None
        self._state = "ready"
        self._error = None
        self._ready_since = self._settings.clock.now()
        self._announce()
        if self._list_again:
            self._list_soon()

    def _connect_fault(self, thrown: BaseException, dialled: Dialled | None) -> McpServerError:
        """Notes why there is no connection, and plans the next attempt where one can help."""
        kind: FaultKind = "unavailable" if self._is_closed() else kind_of(thrown)
        complaint = "" if dialled is None else dialled.complaints
        message = self._journal.words_of(thrown, f"; it said: {complaint}" if complaint else "")
        if not self._is_closed():
            self._error = message
            self._failures += 1
            self._down(kind, message)
        return McpServerError(message, kind, server=self.name)

    def _down(self, kind: FaultKind, message: str) -> None:
        if kind == "needs_auth":
            self._state = "needs_auth"
            self._journal.tell("needs_auth", f"{message}; call refresh() with other credentials in place")
        elif kind == "unusable" or not self._dial.again:
            self._state = "failed"
            self._journal.tell("failed", message)
        else:
            self._state = "waiting"
            self._journal.tell("connection_failed", message)
            self._plan()
        self._announce()

    def _plan(self) -> None:
        """Dials again after a while."""
        delay = delay_after(max(0, self._failures - 1), self._settings.backoff, self._settings.clock)

        def dial() -> None:
            self._waiting = None
            self._start(self._quietly(self.connect()))

        self._waiting = self._settings.clock.after(delay, dial)

    def _lost(self, connection: Connection | None, thrown: BaseException) -> None:
        """The connection broke; whoever notices first says so, and the others find another one or none."""
        if connection is None or connection is not self._connection:
            return
        self._connection = None
        # While it is still being made, who makes it hears of it.
        if self._state != "ready":
            return
        lived = self._settings.clock.now() - self._ready_since
        # One that breaks as soon as it stands is no success: the delays go on growing.
        if lived >= self._settings.backoff.healthy_ms:
            self._failures = 0
        self._error = self._journal.redact(f"server `{self.name}` was lost: {describe(thrown)}")
        self._journal.tell("connection_lost", self._error)
        if self._dial.again:
            self._state = "waiting"
            self._failures += 1
            self._plan()
        else:
            self._state = "failed"
        self._announce()
        self._end(connection)

    async def _run(self, tool: Mapping[str, Any], arguments: Any, context: Any) -> Any:
        """Calls a tool, on the event loop that the connection lives on, whichever the caller is on."""
        if asyncio.get_running_loop() is self._loop:
            return await self._call(tool, arguments, context)
        there = asyncio.run_coroutine_threadsafe(self._call(tool, arguments, context), self._loop)
        return await asyncio.wrap_future(there)

    async def _call(self, tool: Mapping[str, Any], arguments: Any, context: Any) -> Any:
        began = self._settings.clock.now()
        attempt = 0
        while True:
            attempt += 1
            connection = await self._usable()
            try:
                limits, hear = self._limits_of(tool), self._progress_of(tool, context)
                return await connection.call(tool["name"], arguments, limits, hear)
            except Exception as thrown:
                kind = kind_of(thrown)
                if kind == "lost":
                    self._lost(connection, thrown)
                elif kind == "needs_auth":
                    self._refuse_credentials(connection, thrown)
                if kind != "lost" or attempt > 1 or not is_repeatable(tool):
                    # Nobody waits for it, but the next call should find a connection.
                    if kind == "lost":
                        self._start(self._quietly(self._usable()))
                    raise self._call_fault(thrown, kind, tool["name"], began) from self._journal.harmless(thrown)

    def _limits_of(self, tool: Mapping[str, Any]) -> Limits:
        terms = self._settings.tools.get(tool["name"], {})
        silence = terms.get("timeout_ms", self._settings.timeout_ms)
        return Limits(silence, terms.get("maximum_ms", self._settings.maximum_ms))

    def _progress_of(self, tool: Mapping[str, Any], context: Any) -> Callable[[Mapping[str, Any]], object]:
        def hear(progress: Mapping[str, Any]) -> None:
            if self._settings.on_progress is not None:
                self._settings.on_progress(progress, self.name, tool["name"], context)

        return hear

    async def _usable(self) -> Connection:
        """A connection, or the reason why there is none. Dials when that was not tried since the last one broke."""
        if self._connecting is not None or (self._state == "waiting" and self._failures <= 1):
            await self.connect()
        if self._connection is None:
            raise self._unavailable()
        return self._connection

    def _refuse_credentials(self, connection: Connection, thrown: BaseException) -> None:
        """One 401 is enough: what was refused now will be refused again."""
        if connection is not self._connection:
            return
        self._connection = None
        self._error = self._journal.redact(f"server `{self.name}` refused the credentials: {describe(thrown)}")
        self._down("needs_auth", self._error)
        # Others who asked at the same time hear of the same refusal, each its own.
        self._end(connection, gently=True)

    def _call_fault(self, thrown: BaseException, kind: FaultKind, tool: str, began: float) -> McpServerError:
        if isinstance(thrown, McpServerError) and kind == "timeout":
            return thrown
        refused = "cannot be called now" if kind == "unavailable" else "refused the call"
        said = SAID.get(kind) or f"{refused}: {describe(thrown)}"
        code = number_of(thrown)
        details = {
            "server": self.name,
            "tool": tool,
            "elapsed_ms": round(self._settings.clock.now() - began),
            "retryable": kind in ("lost", "rate_limited", "unavailable"),
            **({} if code is None else {"code": code}),
        }
        return McpServerError(self._journal.redact(f"`{tool}`: server `{self.name}` {said}"), kind, **details)

    def _unavailable(self) -> McpServerError:
        why = "" if self._error is None else f" ({self._error})"
        kind: FaultKind = "needs_auth" if self._state == "needs_auth" else "unavailable"
        message = f"server `{self.name}` is not available now: {self._state}{why}"
        return McpServerError(message, kind, server=self.name, retryable=self._state == "waiting")

    def _list_soon(self) -> None:
        """Lists the tools soon: many notices in a row are one."""
        if self._state != "ready" or self._listing is not None:
            self._list_again = True
        elif self._settling is None:
            self._settling = self._settings.clock.after(self._settings.settle_ms, self._settle)

    def _settle(self) -> None:
        self._settling = None
        if self._connection is not None:
            self._start(self._list_again_on(self._connection))

    async def _list_again_on(self, connection: Connection) -> None:
        try:
            await self._list(connection)
        except Exception as thrown:
            if kind_of(thrown) == "lost":
                self._lost(connection, thrown)
            message = f"the tools of server `{self.name}` stay as they were: {describe(thrown)}"
            self._journal.tell("listing_failed", self._journal.redact(message))

    async def _list(self, connection: Connection) -> None:
        """Lists the tools, one listing at a time."""
        if self._listing is None:
            self._listing = self._start(self._read_all(connection))
            self._listing.add_done_callback(self._listed)
        await asyncio.shield(self._listing)

    def _listed(self, _task: asyncio.Task[None]) -> None:
        self._listing = None
        if self._list_again and self._state == "ready":
            self._list_soon()

    async def _read_all(self, connection: Connection) -> None:
        self._list_again = False
        limits = Limits(self._settings.timeout_ms, self._settings.maximum_ms)
        listing = await list_all(self.name, lambda cursor: connection.list(cursor, limits))
        # Listed by a connection that is gone, it may be older than what another one listed.
        if connection is self._connection and not self._is_closed():
            self._shelf.stock(listing)

    def _announce(self) -> None:
        """Tells the catalog, and so the model, how the server does."""
        if self._is_closed():
            return
        # Nothing is known of it yet: a search should say that more may come.
        fresh = self._state == "connecting" and self._failures == 0 and not self._shelf.names
        about = None if self._connection is None else self._connection.about
        self._hg.servers.set(
            self.name,
            description=self._settings.description or about,
            instructions=self._instructions,
            status="ready" if self._state == "ready" else "pending" if fresh else "unavailable",
        )
        if self._settings.on_status is not None:
            self._settings.on_status(self.status, self.name)

    def _is_closed(self) -> bool:
        return self._state == "closed"

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Work that nobody may wait for; what it raises is nobody's either."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()

    async def _quietly(self, work: Coroutine[Any, Any, Any]) -> None:
        # What went wrong is noted, and the next attempt is planned.
        with contextlib.suppress(McpServerError):
            await work
