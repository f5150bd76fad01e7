"""Makes the transport that an address asks for: a child that never outlives us, or HTTP. Knows no protocol."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from contextvars import ContextVar
from typing import Any
from urllib.parse import urlsplit

import httpx2
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import MCP_DEFAULT_SSE_READ_TIMEOUT, MCP_DEFAULT_TIMEOUT

from .fault import McpServerError
from .options import ServerAddress

__all__ = ["Client", "Dial", "Dialled", "Exchange", "exchange", "is_garbage"]

_INHERITED = ("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER")
"""What the official package hands on of our environment, whatever is declared."""
_KEPT = frozenset(("HOME", "PATH"))
_PATIENCE = httpx2.Timeout(MCP_DEFAULT_TIMEOUT, read=MCP_DEFAULT_SSE_READ_TIMEOUT)
"""What the official package waits for, in seconds."""
_TAIL = 400
"""How much of what a server complains about is kept for an error's message, in bytes."""

_GUARDED = """(PATH=/usr/bin:/bin; trap '' TERM HUP INT
while kill -0 "$PPID" 2>/dev/null && kill -0 "$$" 2>/dev/null; do sleep 2 || break; done
kill -s TERM -- "-$$"; sleep 1; kill -s KILL -- "-$$") </dev/null >/dev/null 2>&1 &
exec "$@\""""
"""Becomes the server, and leaves a guard in its group: when the server or the program that started it is gone, the
guard ends whatever is left of the group, and itself. It polls, since nothing tells a child of its parent's SIGKILL
everywhere."""


class Exchange:
    """What became of one request below the protocol: an HTTP status that is an error, and the result as it came."""

    status: int | None = None
    fault: McpServerError | None = None
    """Why the server was not asked."""
    result: dict[str, Any] | None = None


exchange: ContextVar[Exchange | None] = ContextVar("exchange", default=None)
"""The request that is being sent; the transport works in its sender's context."""


class Dialled:
    """One transport, and what is known of its other end."""

    def __init__(self, transport: AbstractAsyncContextManager[Any], errors: Any = None) -> None:
        self.transport = transport
        self._errors = errors
        self._complaints = ""

    @property
    def complaints(self) -> str:
        """What the server last wrote to its standard error."""
        if self._errors is not None:
            self._complaints = self._tail(self._errors)
        return self._complaints

    def close(self) -> None:
        """Lets go of the file behind the complaints."""
        self._complaints, errors, self._errors = self.complaints, self._errors, None
        if errors is not None:
            errors.close()

    def _tail(self, errors: Any) -> str:
        # Read past the file's own buffers: the server writes to the descriptor.
        size = os.fstat(errors.fileno()).st_size
        return os.pread(errors.fileno(), _TAIL, max(0, size - _TAIL)).decode("utf-8", "replace").strip()


class Dial:
    """How a server is dialled; `again` says whether there can be a second time."""

    def __init__(self, server: str, address: ServerAddress) -> None:
        ways = [address.get(way) for way in ("transport", "command", "url")]
        given = [way for way in ways if way is not None]
        if len(given) != 1:
            message = f"server `{server}` needs one of `transport`, `command` and `url`, and got {len(given)}"
            raise McpServerError(message, "unusable", server=server)
        url = address.get("url")
        # Said at once, since no time and no retry mends it.
        if url is not None and not _is_http(url):
            message = f"the url of server `{server}` is none that starts with http:// or https://"
            raise McpServerError(message, "unusable", server=server)
        self._server = server
        self._address = address
        transport = address.get("transport")
        self.again = transport is None or not hasattr(transport, "__aenter__")

    def __call__(self) -> Dialled:
        """Makes the transport of one connection."""
        transport: Any = self._address.get("transport")
        if transport is not None:
            return Dialled(transport() if self.again else transport)
        command = self._address.get("command")
        return self._stdio(command) if command is not None else Dialled(self._http())

    def _stdio(self, command: str) -> Dialled:
        declared = dict(self._address.get("env") or {})
        path = declared.get("PATH", os.environ.get("PATH"))
        cwd = self._address.get("cwd")
        # The system says of a working folder that is missing what it says of a program.
        if cwd is not None and not os.path.isdir(cwd):
            message = f"server `{self._server}`: its working folder `{cwd}` is not there"
            raise McpServerError(message, "unusable", server=self._server)
        found = os.path.join(cwd, command) if cwd and os.path.dirname(command) else command
        if shutil.which(found, path=path) is None:
            message = f"server `{self._server}` cannot be started: there is no program `{command}`"
            raise McpServerError(message, "unusable", server=self._server)
        errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115  # the child's, and ours
        args = list(self._address.get("args") or ())
        if sys.platform != "win32":
            hidden = [name for name in _INHERITED if name not in _KEPT and name not in declared]
            script = f"unset {' '.join(hidden)}\n{_GUARDED}" if hidden else _GUARDED
            command, args = "/bin/sh", ["-c", script, "sh", command, *args]
        parameters = StdioServerParameters(
            command=command, args=args, env=declared, cwd=cwd, encoding_error_handler="replace"
        )
        return Dialled(stdio_client(parameters, errlog=errors), errors)

    @contextlib.asynccontextmanager
    async def _http(self) -> AsyncIterator[Any]:
        url = self._address.get("url") or ""
        headers: Mapping[str, str] = self._address.get("headers") or {}
        # Blanks around a value are nobody's, and no request takes them.
        client = Client(
            headers={name: value.strip() for name, value in headers.items()},
            auth=self._address.get("auth"),
            timeout=_PATIENCE,
        )
        client.event_hooks["response"].append(_note_status)
        async with client, streamable_http_client(url, http_client=client) as streams:
            yield streams


class Client(httpx2.AsyncClient):
    """Answers in the place of the server where credentials cannot be had: the official package would end the
    connection, and all calls with it."""

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Sends a request."""
        try:
            return await super().send(request, **options)
        except McpServerError as fault:
            noted = exchange.get()
            if noted is None:
                raise
            noted.fault = fault
            return httpx2.Response(503, request=request)


async def _note_status(response: httpx2.Response) -> None:
    noted = exchange.get()
    if noted is not None:
        # The last one counts: a request that was refused may be sent again with other credentials.
        noted.status = response.status_code if response.status_code >= 400 else None


def _is_http(url: Any) -> bool:
    try:
        address = urlsplit(str(url))
    except ValueError:
        return False
    return address.scheme.lower() in ("http", "https") and bool(address.hostname)


def is_garbage(fault: Exception) -> bool:
    """Whether a server wrote what is no message: a log line, or the progress of a download."""
    return isinstance(fault, ValueError)
