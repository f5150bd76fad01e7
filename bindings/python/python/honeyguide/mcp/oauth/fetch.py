"""Sends the requests of OAuth: guarded, bounded in size and time, answered in JSON or not at all.

Knows which requests look for a server and which hold secrets; not what they are for.
"""

from __future__ import annotations

import ssl
from functools import cached_property
from typing import Any, NamedTuple

import anyio
import httpcore2
import httpx2
from pydantic_core import from_json

from .fault import SignInError, error_in
from .guard import Guard, GuardedBackend, Network, shown

__all__ = ["Fetch"]

_MOST_REDIRECTS = 3
_LARGEST = 1_000_000
"""The largest answer, in bytes."""
_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_NOWHERE = 404
_PASSING = frozenset(("server_error", "slow_down", "temporarily_unavailable"))
"""Error codes that say nothing of what was handed in."""
_PASSED = frozenset(("authorization", "content-type", "mcp-protocol-version"))
"""What is taken over of a request's headers. There is an `authorization` only where a client has a secret."""


class _Answer(NamedTuple):
    status: int
    headers: httpx2.Headers
    body: bytes

    @property
    def said(self) -> dict[str, Any] | None:
        """The JSON object that it is, if it is one."""
        kind = self.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json" and not (kind.startswith("application/") and kind.endswith("+json")):
            return None
        try:
            said = from_json(self.body)
        except ValueError:
            return None
        return said if isinstance(said, dict) else None


class Fetch:
    """Sends requests for one MCP server."""

    def __init__(self, guard: Guard, network: Network) -> None:
        self.guard = guard
        self._backend = GuardedBackend(guard, network.backend)
        self._patience = network.patience

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        return httpx2.create_ssl_context()

    async def look(self, request: httpx2.Request) -> httpx2.Response:
        """Looks for metadata. What is no JSON object is as good as nothing: some sites have a page for everything."""
        url = request.url
        for _ in range(_MOST_REDIRECTS + 1):
            answer = await self._send(request, url)
            where = answer.headers.get("location")
            if answer.status not in _REDIRECTS or where is None:
                break
            try:
                url = url.join(where)
            except httpx2.InvalidURL:
                raise SignInError("answer_unusable", f"{shown(url)} leads to no address") from None
        else:
            raise SignInError("answer_unusable", f"{shown(request.url)} is redirected too often")
        if answer.status >= 500 or answer.status == 429:
            raise SignInError("unreachable", f"{shown(url)} answers with HTTP {answer.status}")
        if answer.status != 200:
            return _response(answer.status, b"", request)
        return _response(_NOWHERE if answer.said is None else 200, answer.body, request)

    async def hand_in(self, request: httpx2.Request) -> httpx2.Response:
        """Sends what holds secrets, to one place only; answers what was said when the answer is yes."""
        answer, place = await self._send(request, request.url), shown(request.url)
        if answer.status in _REDIRECTS:
            raise SignInError("answer_unusable", f"{place} is of no use: it redirects what is not for others")
        if answer.status >= 500 or answer.status == 429:
            raise SignInError("unreachable", f"{place} answers with HTTP {answer.status}")
        said = answer.said
        if answer.status in (200, 201):
            if said is None:
                raise SignInError("answer_unusable", f"{place} answers with something else than JSON")
            return _response(answer.status, answer.body, request)
        error = error_in(said)
        if error in _PASSING:
            raise SignInError("unreachable", f"{place} answers with `{error}`", error)
        why = f"HTTP {answer.status}" if error is None else f"`{error}`"
        raise SignInError("sign_in_refused", f"{place} refuses with {why}", error)

    async def _send(self, request: httpx2.Request, url: httpx2.URL) -> _Answer:
        self.guard.check(url)
        headers = {name: value for name, value in request.headers.items() if name in _PASSED}
        headers |= {"host": url.netloc.decode("ascii"), "accept": "application/json", "accept-encoding": "identity"}
        place = httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
        try:
            with anyio.fail_after(self._patience):
                # One connection for one request: nothing is sent over one that was checked for another.
                async with httpcore2.AsyncConnectionPool(self._tls, network_backend=self._backend) as pool:
                    body = request.content or None
                    async with pool.stream(request.method, place, headers=list(headers.items()), content=body) as got:
                        return _Answer(got.status, httpx2.Headers(got.headers), await _read(got, url))
        except TimeoutError:
            raise SignInError("unreachable", f"{shown(url)} does not answer in time") from None
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException) as thrown:
            raise SignInError("unreachable", f"{shown(url)} cannot be reached ({type(thrown).__name__})") from None


async def _read(response: httpcore2.Response, url: httpx2.URL) -> bytes:
    body = b""
    async for chunk in response.aiter_stream():
        body += chunk
        if len(body) > _LARGEST:
            raise SignInError("answer_unusable", f"{shown(url)} answers with more than {_LARGEST:,} bytes")
    return body


def _response(status: int, body: bytes, request: httpx2.Request) -> httpx2.Response:
    return httpx2.Response(status, headers={"content-type": "application/json"}, content=body, request=request)
