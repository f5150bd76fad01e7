"""Keeps requests that a server chose the address of from leading where only we can go.

What is connected to is what was checked: a name is resolved once. Knows no protocol above that.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

import httpcore2
import httpx2
from pydantic_core import Url

from .addresses import is_loopback, is_loopback_host, is_public, literal
from .fault import SignInError

__all__ = ["Guard", "GuardedBackend", "Network", "Resolve", "shown"]

Resolve: TypeAlias = Callable[[str], Awaitable[list[str]]]
"""The addresses of a name."""


async def _resolve(host: str) -> list[str]:
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return []
    return list(dict.fromkeys(str(place[0]) for *_, place in found))


@dataclass
class Network:
    """What is below the requests. Tests have one of their own."""

    resolve: Resolve = _resolve
    backend: httpcore2.AsyncNetworkBackend = field(default_factory=httpcore2.AnyIOBackend)
    patience: float = 10.0
    """The longest request, in seconds."""


_PATIENCE_WITH_ONE = 2.0
"""For how many seconds one of several addresses is tried."""


class Guard:
    """What one MCP server, through what it and its authorization server write, may make us connect to."""

    def __init__(self, server: str, allowed: Iterable[str], resolve: Resolve) -> None:
        self._own = _host_of(server)
        self._allowed: set[str] = set()
        self.allow(allowed)
        self._resolve = resolve
        self._is_local = is_loopback_host(self._own)
        self._is_private: bool | None = None

    def allow(self, hosts: Iterable[str]) -> None:
        """Lets names lead to private addresses, since a person said so."""
        self._allowed |= {host.lower() for host in hosts}

    async def settle(self) -> None:
        """Sees whether the server itself is at a private address, once: its name may lead elsewhere later."""
        if self._is_private is None:
            found = await self._find(self._own)
            self._is_private = bool(found) and not any(is_public(address) for address in found)

    def check(self, url: httpx2.URL) -> None:
        """Refuses an address by the way it is written: without TLS anybody can read along, but on this machine."""
        if url.scheme == "https" and url.host and not url.userinfo:
            return
        if not (url.scheme == "http" and self._is_local and is_loopback_host(url.host)):
            raise SignInError("address_refused", f"{shown(url)} is refused: signing in goes over https")

    async def addresses(self, host: str) -> list[str]:
        """Where a host may be connected to."""
        await self.settle()
        found = await self._find(host)
        if not found:
            raise SignInError("unreachable", f"host `{host}` cannot be found")
        public = [is_public(address) for address in found]
        # A server's own host may be a private one: it was the user who chose it. A name that is both is a trick.
        if all(public) or (not any(public) and self._may_be_private(host, found)):
            return found
        message = f"host `{host}` is refused: it leads to an address that is not of the public internet"
        raise SignInError("address_refused", message)

    async def _find(self, host: str) -> list[str]:
        written = literal(host)
        if written is not None:
            return [written]
        # Names of this machine need nobody to resolve them.
        return ["127.0.0.1", "::1"] if is_loopback_host(host) else await self._resolve(host)

    def _may_be_private(self, host: str, found: list[str]) -> bool:
        if host.lower() in self._allowed or (self._is_private and host.lower() == self._own):
            return True
        return self._is_local and is_loopback_host(host) and all(is_loopback(address) for address in found)


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Connects to what a guard lets through. TLS above it still asks for the name that was written."""

    def __init__(self, guard: Guard, inner: httpcore2.AsyncNetworkBackend) -> None:
        self._guard = guard
        self._inner = inner

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Connects to the first address that answers."""
        failure: Exception = httpcore2.ConnectError(f"host `{host}` has no address")
        addresses = await self._guard.addresses(host)
        for address in addresses:
            # One that says nothing leaves time for the next one.
            patience = timeout if address == addresses[-1] else _PATIENCE_WITH_ONE
            try:
                return await self._inner.connect_tcp(address, port, patience, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as thrown:
                failure = thrown
        raise failure

    async def sleep(self, seconds: float) -> None:
        """Waits."""
        await self._inner.sleep(seconds)


def shown(url: httpx2.URL) -> str:
    """An address without what may be a secret."""
    return str(url.copy_with(userinfo=b"", query=None, fragment=None))


def _host_of(server: str) -> str:
    host = Url(server).host or ""
    return host.strip("[]").lower()
