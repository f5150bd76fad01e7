"""Which servers of a configuration a person signs in to, by `honeyguide mcp login`: their credentials, and what to do
without.

Asks no person, and knows neither tools nor tokens.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from ..mcp.config import McpServers, has_credentials, read_written
from ..mcp.fault import McpServerError
from ..mcp.oauth import CredentialStore, SignIn, sign_in
from ..mcp.server import McpServer
from . import words
from .settings import Gateway

__all__ = ["Credentials", "SignInServer", "how_to_sign_in", "sign_in_server"]

_PATIENCE_WITH_NEWS = 5.0
"""For how many seconds a call waits for servers that somebody has just signed in to."""


@dataclass(frozen=True)
class SignInServer:
    """A server that may be signed in to."""

    url: str
    headers: Mapping[str, str]
    """Of its own, without credentials."""
    own: Mapping[str, Any]
    """What its entry says of signing in, as arguments of `sign_in`."""


def sign_in_server(name: str, written: object) -> SignInServer | None:
    """The server as one that is signed in to; nothing when it is none."""
    try:
        value = read_written(name, written, os.environ).value
        url = value.get("url")
        if not url or value.get("command") or has_credentials(value):
            return None
        parts = urlsplit(url)
        if parts.scheme.lower() not in ("http", "https") or "@" in parts.netloc:
            return None
        sign_in(url)
    except (McpServerError, ValueError):
        return None  # Whoever starts the server says what is wrong with it.
    return SignInServer(url, value.get("headers") or {}, _own(value.get("oauth")))


def how_to_sign_in(settings: Gateway, server: str) -> str:
    """What a person can do for a server that wants credentials."""
    if sign_in_server(server, settings.servers.get(server)) is None:
        return words.SIGN_IN
    return words.sign_in(server, settings.places.get(server, "FILE"))


def _own(said: object) -> dict[str, Any]:
    """The part that clients write below `oauth`, as far as it is what it should be."""
    said = said if isinstance(said, Mapping) else {}
    own: dict[str, Any] = {}
    for key, argument in (("clientId", "client_id"), ("clientSecret", "client_secret")):
        if isinstance(said.get(key), str):
            own[argument] = said[key]
    port, scopes = said.get("callbackPort"), said.get("scopes")
    if type(port) is int and 0 < port < 65_536:
        own["port"] = port
    if isinstance(scopes, list) and all(isinstance(scope, str) for scope in scopes):
        own["scopes"] = scopes
    return own


class Credentials:
    """The credentials of a gateway's servers."""

    def __init__(self) -> None:
        self._store = CredentialStore()
        self._of: dict[str, SignIn] = {}

    def of(self, server: str, url: str) -> SignIn:
        """The credentials for a server: stored ones, for which nobody is asked."""
        self._of[server] = sign_in(url, store=self._store)
        return self._of[server]

    async def take_news(self, servers: McpServers) -> None:
        """Dials the servers anew that somebody has signed in to meanwhile, in another terminal."""
        fresh = [
            servers.servers[name]
            for name, auth in self._of.items()
            if name in servers.servers and servers.servers[name].status.state == "needs_auth" and _has_news(auth)
        ]
        if fresh:
            await asyncio.wait([asyncio.ensure_future(_try(server)) for server in fresh], timeout=_PATIENCE_WITH_NEWS)


def _has_news(auth: SignIn) -> bool:
    try:
        return auth.has_news
    except McpServerError:
        return False  # The file is not to be used now, which whoever signs in hears.


async def _try(server: McpServer) -> None:
    # What goes wrong is told by the server itself.
    with contextlib.suppress(McpServerError):
        await server.refresh()
