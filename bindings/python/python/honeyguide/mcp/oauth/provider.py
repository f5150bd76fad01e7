"""Puts the tokens of one MCP server on its requests, and gets new ones, once for all who need them.

Calls never wait for each other here, as they do in the official package's provider, but for the one who asks for
tokens. Knows neither the file nor the protocol.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Iterable, Mapping
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

import anyio
import httpx2
import mcp_types as types
from mcp.client.auth.utils import extract_field_from_www_auth, union_scopes
from pydantic import BaseModel

from .. import dial
from .fault import SignInError
from .fetch import Fetch
from .flow import Challenge, Wishes, renew, sign_in
from .guard import Guard, Network
from .store import CredentialStore, Entry, canonical

__all__ = ["OnAddress", "SignIn"]

OnAddress = Callable[[str], Awaitable[object] | object]
"""Gets the address at which a person can sign in."""

_PATIENCE_WITH_SERVER = 30.0
"""For how many seconds a server may think about who asks."""
_LONGEST_TURN = 45.0
"""How many seconds new tokens may take: others wait for them, and take the turn away after 120."""


class SignIn(httpx2.Auth):
    """Credentials for one MCP server, for `auth=`."""

    def __init__(
        self,
        url: str,
        store: CredentialStore,
        wishes: Wishes,
        on_address: OnAddress | None = None,
        network: Network | None = None,
    ) -> None:
        self._server = canonical(url)
        self._origin = _origin(httpx2.URL(self._server))
        self._store = store
        self._wishes = wishes
        self._on_address = on_address
        self._network = network or Network()
        self._guard = Guard(self._server, wishes.allowed_hosts, self._network.resolve)
        self._flights: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, asyncio.Task[Entry]]] = (
            WeakKeyDictionary()
        )
        self._refused = -1

    @property
    def has_news(self) -> bool:
        """Whether there are tokens that the server has not refused yet: somebody signed in elsewhere."""
        entry = self._store.read(self._server)
        return entry.tokens is not None and entry.generation != self._refused

    async def sign_in(self, challenge: Challenge | None = None) -> None:
        """Has a person sign in, whatever tokens there are. Without what the server said, it is asked."""
        challenge = challenge or await self.ask()
        if challenge.status not in (401, 403):
            raise SignInError("answer_unusable", f"{self._server} asks for no credentials: HTTP {challenge.status}")
        await self._signed_in(challenge)

    async def ask(self, headers: Mapping[str, str] | None = None) -> Challenge:
        """What the server says to somebody without credentials."""
        params = types.InitializeRequestParams(
            protocol_version=types.LATEST_PROTOCOL_VERSION,
            capabilities=types.ClientCapabilities(),
            client_info=types.Implementation(name="honeyguide", version="0.1.0"),
        )
        request = {"jsonrpc": "2.0", "id": 1, **_wire(types.InitializeRequest(params=params))}
        await self._guard.settle()
        headers = {**(headers or {}), "accept": "application/json, text/event-stream"}
        try:
            async with (
                dial.Client(timeout=_PATIENCE_WITH_SERVER) as client,
                client.stream("POST", self._server, json=request, headers=headers) as response,
            ):
                return Challenge.of(response)
        except httpx2.TransportError as thrown:
            message = f"{self._server} cannot be reached now ({type(thrown).__name__})"
            raise SignInError("unreachable", message) from None

    async def async_auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        """Sends a request with the tokens there are, and once more when others help."""
        if _origin(request.url) != self._origin:
            # Tokens are for the one who gave them.
            yield request
            return
        if self._on_address is not None:
            # Before the server has said anything.
            await self._guard.settle()
        sent = await self._fresh()
        _put(request, sent)
        response = yield request
        if not _is_refusal(response):
            return
        better = await self._after_refusal(response, sent)
        if better is not None:
            _put(request, better)
            response = yield request
            sent = better
        if _is_refusal(response):
            self._refused = sent.generation

    async def _fresh(self) -> Entry:
        entry = self._store.read(self._server)
        return await self._renewed(entry) if entry.is_over and entry.can_be_renewed else entry

    async def _after_refusal(self, response: httpx2.Response, sent: Entry) -> Entry | None:
        """Tokens that may help in the place of those that were refused."""
        now = self._store.read(self._server)
        if now.generation != sent.generation and now.tokens:
            return now
        if response.status_code == 401 and now.can_be_renewed:
            now = await self._renewed(now)
            if now.tokens:
                return now
        if self._on_address is None:
            return None
        challenge = Challenge.of(response)
        if response.status_code == 403:
            challenge = replace(challenge, scope=union_scopes((sent.tokens or {}).get("scope"), challenge.scope))
        await self._signed_in(challenge)
        return self._store.read(self._server)

    async def _renewed(self, refused: Entry) -> Entry:
        return await self._once(f"renew {refused.generation}", lambda: self._renew(refused.generation))

    async def _renew(self, refused: int) -> Entry:
        async with self._store.turn(self._server, refused):
            entry = self._store.read(self._server)
            if entry.generation == refused and entry.can_be_renewed:
                await self._renew_in_turn(entry)
        return self._store.read(self._server)

    async def _renew_in_turn(self, entry: Entry) -> None:
        try:
            with anyio.fail_after(_LONGEST_TURN):
                tokens = await renew(self._server, entry, self._fetch(entry.allowed_hosts))
        except TimeoutError:
            raise SignInError("unreachable", "the authorization server takes too long") from None
        except SignInError as error:
            if error.error not in _HOPELESS:
                raise
            await self._store.forget(self._server, entry.generation, client=_HOPELESS[error.error])
        else:
            await self._store.renew(self._server, entry.generation, tokens)

    async def _signed_in(self, challenge: Challenge) -> Entry:
        return await self._once("sign in", lambda: self._sign_in(challenge))

    async def _sign_in(self, challenge: Challenge) -> Entry:
        known = self._store.read(self._server)
        fetch = self._fetch(self._wishes.allowed_hosts or known.allowed_hosts)
        entry = await sign_in(self._server, challenge, known, self._wishes, self._show, fetch)
        await self._store.sign_in(self._server, entry)
        return entry

    async def _show(self, address: str) -> None:
        if self._on_address is None:
            raise SignInError("sign_in_needed", "nobody is there to sign in")
        shown = self._on_address(address)
        if inspect.isawaitable(shown):
            await shown

    def _fetch(self, allowed_hosts: Iterable[str]) -> Fetch:
        self._guard.allow(allowed_hosts)
        return Fetch(self._guard, self._network)

    async def _once(self, what: str, work: Callable[[], Coroutine[Any, Any, Entry]]) -> Entry:
        """Does something once for all who ask for it at the same time, also when some of them stop waiting."""
        flights = self._flights.setdefault(asyncio.get_running_loop(), {})
        if what not in flights:
            flights[what] = flight = asyncio.ensure_future(work())

            def landed(flight: asyncio.Task[Entry]) -> None:
                del flights[what]
                if not flight.cancelled():
                    flight.exception()  # All who asked may be gone.

            flight.add_done_callback(landed)
        return await asyncio.shield(flights[what])


_HOPELESS = {"invalid_grant": False, "invalid_client": True, "unauthorized_client": True}
"""The errors after which tokens are worth nothing any more, and whether the client is neither."""


def _put(request: httpx2.Request, entry: Entry) -> None:
    token = (entry.tokens or {}).get("access_token")
    if token:
        request.headers["Authorization"] = f"Bearer {token}"


def _is_refusal(response: httpx2.Response) -> bool:
    if response.status_code == 401:
        return True
    return response.status_code == 403 and extract_field_from_www_auth(response, "error") == "insufficient_scope"


def _wire(message: BaseModel) -> dict[str, Any]:
    return message.model_dump(mode="json", by_alias=True, exclude_none=True)


def _origin(url: httpx2.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port
