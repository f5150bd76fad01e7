"""Registers one MCP server. Knows who is registered already; everything else is the running server's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast
from weakref import WeakKeyDictionary

from ..client import Honeyguide
from .checked import check_settings
from .definition import fault_of_name
from .dial import Dial
from .fault import McpServerError
from .options import ServerAddress, ServerOptions, Settings, Unpack
from .redact import passwords_in, redactor
from .server import McpServer

__all__ = ["register_mcp_server", "start_server"]


async def register_mcp_server(hg: Honeyguide, *, name: str, **options: Unpack[ServerOptions]) -> McpServer:
    """Connects to a server, lists its tools and puts them into the catalog as `<server>__<tool>`.

    Raises when that fails; once it has succeeded, a lost server is dialled again by itself.
    """
    server = start_server(hg, name, options)
    try:
        await server.connect()
    except BaseException:
        await server.close()
        raise
    return server


_registered: WeakKeyDictionary[Honeyguide, dict[str, McpServer]] = WeakKeyDictionary()


def start_server(hg: Honeyguide, name: str, options: ServerOptions, secrets: Iterable[str] = ()) -> McpServer:
    """Makes a server that has not been dialled yet. `secrets` stay out of all it says."""
    fault = fault_of_name(name)
    if fault is not None:
        raise McpServerError(fault, "unusable", server=str(name))
    check_settings(options)
    servers = _registered.setdefault(hg, {})
    if name in servers and servers[name].status.state != "closed":
        message = f"server `{name}` is registered already; close it first, or choose another name"
        raise McpServerError(message, "unusable", server=name)
    given = cast("dict[str, Any]", options)
    places = ServerAddress.__annotations__
    address = cast(ServerAddress, {key: value for key, value in given.items() if key in places})
    settings = Settings(**{key: value for key, value in given.items() if key not in places})
    addresses = (str(address.get("url") or ""), *(address.get("args") or ()))
    passwords = [password for one in addresses for password in passwords_in(one)]
    hidden = [*secrets, *passwords, *(address.get("headers") or {}).values(), *(address.get("env") or {}).values()]
    servers[name] = McpServer(hg, name, Dial(name, address), settings, redactor(hidden))
    return servers[name]
