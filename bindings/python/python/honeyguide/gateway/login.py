"""`honeyguide mcp login` and `honeyguide mcp logout`: a person signs in to a server, or out of it. Serves nobody."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping

from ..mcp.config import has_credentials
from ..mcp.expand import expand
from ..mcp.oauth import CredentialStore, SignInError, sign_in
from .arguments import Command, is_address
from .fault import ConfigurationFault, meant
from .log import Log
from .mask import mask_address
from .settings import read_gateway

__all__ = ["log_in_or_out"]


def log_in_or_out(command: Command, log: Log) -> int:
    """Answers the code to end with."""
    name, url = _named(command)
    log.take_over()
    log_in = command.name == "mcp login"
    try:
        asyncio.run(_log_in(name, url, command, log) if log_in else _log_out(name, url, log))
    except SignInError as error:
        log.fault(f"server `{name}`: {error}")
        return 1
    except KeyboardInterrupt:
        log.fault(f"not signed in to server `{name}`: interrupted")
        return 1
    return 0


async def _log_in(name: str, url: str, command: Command, log: Log) -> None:
    def show(address: str) -> None:
        log.note(f"sign in to server `{name}` at this address: {address}")
        if not command.has("--no-browser"):
            _open(address)

    await sign_in(url, on_address=show, allowed_hosts=command.all("--allow-host")).sign_in()
    log.note(f"signed in to server `{name}`")


async def _log_out(name: str, url: str, log: Log) -> None:
    done = await CredentialStore().sign_out(url)
    log.note(f"signed out of server `{name}`" if done else f"nobody was signed in to server `{name}`")


def _named(command: Command) -> tuple[str, str]:
    """What a server is called, and its address; raises `ConfigurationFault`."""
    server = command.server or ""
    if is_address(server):
        return mask_address(server), server
    settings = read_gateway(command.all("--config"))
    if server not in settings.servers:
        raise ConfigurationFault(f"unknown server `{server}`; {meant(server, settings.servers)}")
    written = settings.servers[server]
    url = written.get("url") if isinstance(written, Mapping) else None
    if not isinstance(url, str):
        raise ConfigurationFault(f"server `{server}` has no `url`: it signs in by itself")
    if has_credentials(written):
        raise ConfigurationFault(f"server `{server}` has an `Authorization` of its own in its `headers`")
    expanded = expand({"url": url}, os.environ)
    if expanded.missing:
        named = ", ".join(f"`{variable}`" for _, variable in expanded.missing)
        raise ConfigurationFault(f"server `{server}`: a variable has no value: {named}")
    return server, expanded.value["url"]


def _open(address: str) -> None:
    """Opens an address in the person's browser; where that is not possible, it was printed."""
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            os.startfile(address)
            return
        program = shutil.which("open" if sys.platform == "darwin" else "xdg-open")
        if program is not None:
            nothing = subprocess.DEVNULL
            subprocess.Popen([program, address], stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True)
