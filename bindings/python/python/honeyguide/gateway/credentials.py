"""Which servers the gateway signs in to by itself, with what somebody allowed by `honeyguide mcp login`.

Asks no person, and knows neither tools nor tokens.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Any

from ..mcp.config import McpServers, has_credentials
from ..mcp.fault import McpServerError
from ..mcp.oauth import CredentialStore, SignIn, sign_in
from ..mcp.server import McpServer
from . import words
from .settings import Gateway

__all__ = ["Credentials", "how_to_sign_in", "is_signed_in_to"]

_PATIENCE_WITH_NEWS = 5.0
"""For how many seconds a call waits for servers that somebody has just signed in to."""


def is_signed_in_to(written: object) -> bool:
    """Whether a server, as it is written, gets its credentials from the store."""
    return isinstance(written, Mapping) and bool(written.get("url")) and not has_credentials(written)


def how_to_sign_in(settings: Gateway, server: str) -> str:
    """What a person can do for a server that wants credentials."""
    if not is_signed_in_to(settings.servers.get(server)):
        return words.SIGN_IN
    return words.sign_in(server, settings.places[server])


class Credentials:
    """The credentials of a gateway's servers."""

    def __init__(self, settings: Gateway) -> None:
        self._settings = settings
        self._store = CredentialStore()
        self._of: dict[str, SignIn] = {}

    def of(self, server: str, url: str) -> Any:
        """The credentials for a server."""
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
