"""`honeyguide mcp login` and `honeyguide mcp logout`: a person signs in to a server, or out of it. Serves nobody."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys

from ..mcp.config import read_written
from ..mcp.fault import McpServerError
from ..mcp.oauth import SignInError, sign_in, sign_out
from .arguments import Command
from .credentials import SignInServer, sign_in_server
from .fault import ConfigurationFault, nearest
from .log import Log
from .settings import Gateway, read_gateway

__all__ = ["log_in_or_out"]


def log_in_or_out(command: Command, log: Log) -> int:
    """Answers the code to end with."""
    name, settings = command.server or "", read_gateway(command.all("--config"))
    server = _server_of(name, settings)
    log.take_over(settings.redact)
    try:
        if command.name == "mcp logout":
            return asyncio.run(_log_out(name, server, log))
        return asyncio.run(_until_signalled(name, server, command, log))
    except SignInError as error:
        log.fault(f"server `{name}`: {error}")
    except (asyncio.CancelledError, KeyboardInterrupt):
        log.fault("given up; nothing was stored")
    return 1


async def _until_signalled(name: str, server: SignInServer, command: Command, log: Log) -> int:
    work = asyncio.ensure_future(_log_in(name, server, command, log))
    if sys.platform != "win32":
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(number, work.cancel)
    return await work


async def _log_in(name: str, server: SignInServer, command: Command, log: Log) -> int:
    def show(address: str) -> None:
        log.whole(f"to sign in to `{name}`, open {address}")
        if not command.has("--no-browser") and not _open(address):
            log.note("no browser could be opened; open it yourself")

    auth = sign_in(server.url, on_address=show, allowed_hosts=command.all("--allow-host"), **server.own)
    challenge = await auth.ask(server.headers)
    if 200 <= challenge.status < 300:
        log.note(f"server `{name}` asks for no credentials")
        return 0
    if challenge.status not in (401, 403):
        log.fault(f"server `{name}` answers with HTTP {challenge.status}")
        return 1
    await auth.sign_in(challenge)
    log.note(f"signed in to `{name}`")
    return 0


async def _log_out(name: str, server: SignInServer, log: Log) -> int:
    was_known = await sign_out(server.url)
    log.note(f"signed out of `{name}`" if was_known else f"nobody was signed in to `{name}`")
    return 0


def _server_of(name: str, settings: Gateway) -> SignInServer:
    if name not in settings.servers:
        near = nearest(name, settings.servers)
        hint = "" if near is None else f"; did you mean `{near}`?"
        raise ConfigurationFault(f"server `{name}` is not in the configuration{hint}")
    try:
        read_written(name, settings.servers[name], os.environ)
    except McpServerError as fault:
        raise ConfigurationFault(str(fault)) from None
    server = sign_in_server(name, settings.servers[name])
    if server is None:
        why = "it needs a `url`, and no `Authorization` in its `headers`"
        raise ConfigurationFault(f"server `{name}` is none to sign in to: {why}")
    return server


def _open(address: str) -> bool:
    """Opens an address in the person's browser; answers whether there is one."""
    try:
        if sys.platform == "win32":
            os.startfile(address)
            return True
        program = shutil.which("open" if sys.platform == "darwin" else "xdg-open")
        if program is None:
            return False
        nothing = subprocess.DEVNULL
        subprocess.Popen([program, address], stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True)
    except OSError:
        return False
    return True
