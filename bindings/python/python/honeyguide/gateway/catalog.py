"""What stands behind the three tools: servers and skill folders in one catalog. Knows no client of the gateway."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..client import Honeyguide
from ..mcp.config import McpServers, register_mcp_servers
from ..mcp.definition import parts_of
from ..mcp.options import Diagnostic
from ..mcp.server import ServerStatus
from . import words
from .credentials import Credentials, how_to_sign_in
from .folders import Folders
from .harmless import as_name
from .log import Log
from .settings import Gateway

__all__ = ["Behind", "Hearing"]


class Hearing:
    """What a call brings along as its `context`, to hear of its own progress."""

    def hear(self, said: Mapping[str, Any]) -> None:
        """Hears `progress`, `total` and `message`."""


class Behind:
    """The catalog of one gateway."""

    def __init__(self, settings: Gateway, log: Log) -> None:
        self.most = settings.max_result_chars
        """The most characters of a result's text; 0 for all."""
        self.hg = Honeyguide(max_result_chars=self.most) if self.most else Honeyguide()
        self.names = settings.names
        self.has_skills = bool(settings.skills)
        self._settings = settings
        self._log = log
        self._servers: McpServers | None = None
        self._credentials = Credentials()
        self._folders = Folders(self.hg, settings.skills, log)
        self._told: dict[str, str] = {}

    async def start(self) -> bool:
        """Begins to dial all servers and to read all skills, and waits for neither; answers whether there are any."""
        for warning in self._settings.warnings:
            self._log.note(warning)
        servers = self._servers = await register_mcp_servers(
            self.hg,
            {"mcpServers": self._settings.servers},
            each={name: self._settings.settings_of(name) for name in self.names},
            wait_ms=0,
            on_diagnostic=self._hear,
            on_status=self._hear_status,
            on_progress=_hand_on,
            credentials=self._credentials.of,
        )
        for error in servers.errors.values():
            self._log.note(str(error))
        self._folders.start()
        return bool(servers.servers or self.has_skills)

    async def close(self) -> None:
        """Ends all servers."""
        if self._servers is not None:
            await self._servers.close()

    async def ready_for(self, tool: str, arguments: Mapping[str, Any]) -> None:
        """Waits for what a call cannot do without, which servers are not."""
        ids = (arguments.get("toolId"), arguments.get("skillId"), tool)
        self._log.detail(f"call of `{as_name(next(id for id in ids if isinstance(id, str)))}`")
        if self._servers is not None:
            await self._credentials.take_news(self._servers)
        if tool != "invoke_tool":
            await self._folders.fresh()

    def helped(self, reply: Any) -> Any:
        """A reply of core, with what to do where only the gateway knows it."""
        error = reply.get("error") if isinstance(reply, Mapping) else None
        next = None
        if error == "needs_approval":
            next = words.allowing_line(reply["toolId"])
        elif error in ("unknown_tool", "tool_failed"):
            parts = parts_of(reply.get("toolId") or reply.get("requested") or "")
            next = None if parts is None else self._why_absent(*parts)
        return reply if next is None else {**reply, "next": next}

    def _why_absent(self, server: str, tool: str) -> str | None:
        """Why a tool is not there now, for a model: its server, or itself, is held up; nothing when neither is."""
        servers = self._servers
        if servers is None:
            return None
        if (error := servers.errors.get(server)) is not None:
            return f"{error}; tell the user"
        if server not in servers.servers:
            return None
        status = servers.servers[server].status
        if tool in status.quarantined:
            changed = f"server `{server}` changed the definition of `{tool}`, and it is held back"
            return f"{changed}; tell the user: a restart of the gateway takes the present definition"
        if status.state == "ready":
            return None
        said = f"server `{server}` is not there now ({status.state})"
        if status.state == "needs_auth":
            return f"{said}; tell the user that it needs credentials: {how_to_sign_in(self._settings, server)}"
        why = "" if status.error is None else f": {status.error}"
        return f"{said}{why}; {'tell the user' if status.state == 'failed' else 'try again later, or tell the user'}"

    def _hear(self, said: Diagnostic) -> None:
        """Tells of the servers; of an outage that goes on, once."""
        server, text = said["server"], said["message"]
        if said["code"] == "needs_auth":
            text = f"server `{server}` needs credentials: {how_to_sign_in(self._settings, server)}"
        elif said["code"] == "definition_changed" and self._settings.on_change == "quarantine":
            text = f"{text}; restart the gateway to take it once you have looked at it"
        if self._told.get(server) != text:
            self._told[server] = text
            self._log.note(text)

    def _hear_status(self, status: ServerStatus, server: str) -> None:
        if status.state == "ready":
            self._told.pop(server, None)
            for rule in self._settings.idle_rules(server, self.hg.tools.list()):
                if rule not in self._told:
                    self._told[rule] = rule
                    self._log.note(rule)
            tools = "tool" if status.tools == 1 else "tools"
            self._log.detail(f"server `{server}` is ready, with {status.tools} {tools}")


def _hand_on(said: Mapping[str, Any], _server: str, _tool: str, context: Any) -> None:
    if isinstance(context, Hearing):
        context.hear(said)
