"""The page that the browser comes back to: one request on this machine, and nobody else's. Knows no token.

A server of its own in place of one of a framework: it answers one request and then is gone.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from types import TracebackType
from urllib.parse import parse_qs

from .fault import SignInError, error_in

__all__ = ["Waiting"]

_PATH = "/callback"
_HOST = "127.0.0.1"
_LARGEST = 16_384
_PATIENCE_WITH_BROWSER = 10.0
_PATIENCE_WITH_PERSON = 600.0
_DONE = "You can close this window."
_REASONS = {200: "OK", 400: "Bad Request", 404: "Not Found", 405: "Method Not Allowed", 421: "Misdirected Request"}


class Waiting:
    """Waits on a port of this machine for the browser to bring an answer; a port may be wanted, or required."""

    def __init__(self, wanted: int | None = None, required: int | None = None) -> None:
        self._wanted = wanted
        self._required = required
        self._server: asyncio.Server | None = None
        self._port = 0
        self._brought: asyncio.Future[dict[str, str]] = asyncio.get_running_loop().create_future()

    @property
    def address(self) -> str:
        """Where the browser is to go."""
        return f"http://{_HOST}:{self._port}{_PATH}"

    async def __aenter__(self) -> Waiting:
        if self._required is not None:
            self._server = await self._open(self._required)
            if self._server is None:
                raise SignInError("unreachable", f"port {self._required} is another program's now")
        else:
            self._server = None if self._wanted is None else await self._open(self._wanted)
            self._server = self._server or await asyncio.start_server(self._answer, _HOST, 0, limit=_LARGEST)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, thrown: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.close()

    async def _open(self, port: int) -> asyncio.Server | None:
        try:
            return await asyncio.start_server(self._answer, _HOST, port, limit=_LARGEST)
        except (OSError, OverflowError):
            return None

    async def brought(self, state: str) -> dict[str, str]:
        """What the browser brings; raises when it is a no, or the answer to another question."""
        try:
            said = await asyncio.wait_for(self._brought, _PATIENCE_WITH_PERSON)
        except asyncio.TimeoutError:
            raise SignInError("sign_in_refused", "nobody signed in within ten minutes") from None
        if not secrets.compare_digest(said.get("state", "").encode(), state.encode()):
            raise SignInError("sign_in_refused", "the browser brought the answer to another question")
        if "error" in said:
            error = error_in(said)
            why = "" if error is None else f" (`{error}`)"
            raise SignInError("sign_in_refused", f"the sign-in was refused{why}", error)
        if not said.get("code"):
            raise SignInError("answer_unusable", "the browser brought an answer without a code")
        return said

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        status = 400
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), _PATIENCE_WITH_BROWSER)
            status, query = self._judge(head.decode("latin-1"))
            text = _DONE if status == 200 else _REASONS[status]
            writer.write(_page(status, text))
            await asyncio.wait_for(writer.drain(), _PATIENCE_WITH_BROWSER)
            if status == 200 and not self._brought.done():
                self._brought.set_result(query)
        except (OSError, EOFError, asyncio.LimitOverrunError, asyncio.TimeoutError):
            pass  # Whatever that was, the browser was it not.
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    def _judge(self, head: str) -> tuple[int, dict[str, str]]:
        line, *rest = head.split("\r\n")
        method, _, target = line.rpartition(" ")[0].partition(" ")
        hosts = [value.strip() for name, _, value in (one.partition(":") for one in rest) if name.lower() == "host"]
        # A name that somebody else's page made lead to this machine is no name of ours.
        if hosts != [f"{_HOST}:{self._port}"]:
            return 421, {}
        path, _, query = target.partition("?")
        if path != _PATH:
            return 404, {}
        if method != "GET":
            return 405, {}
        if self._brought.done():
            return 404, {}
        given = parse_qs(query, keep_blank_values=True)
        # What is said twice is said by nobody.
        return 200, {name: values[0] for name, values in given.items() if len(values) == 1}


def _page(status: int, text: str) -> bytes:
    body = f"<!doctype html><meta charset=utf-8><title>Honeyguide</title><p>{text}</p>\n".encode()
    head = (
        f"HTTP/1.1 {status} {_REASONS[status]}\r\nContent-Type: text/html; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\nCache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n"
        "Content-Security-Policy: default-src 'none'\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
    )
    return head.encode("ascii") + body
