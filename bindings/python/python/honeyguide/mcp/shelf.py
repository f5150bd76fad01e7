"""The tools of one server in the catalog: put there, kept in step with the server's list, held back when they changed.

Knows no connection: what runs a tool is handed in.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, NamedTuple

from ..client import Honeyguide
from .definition import canonical, digest_of, fields_of, id_of, needs_approval
from .listing import Listing
from .options import Settings

__all__ = ["Shelf"]


class _Shelved(NamedTuple):
    text: str
    """The definition that was put into the catalog, as text."""
    item: Any
    """The same as the catalog has it."""


class Shelf:
    """The tools of one server in the catalog."""

    def __init__(
        self,
        hg: Honeyguide,
        server: str,
        settings: Settings,
        run: Callable[[Mapping[str, Any], Any, Any], Awaitable[Any]],
        tell: Callable[..., None],
    ) -> None:
        self._hg = hg
        self._server = server
        self._settings = settings
        self._run = run
        self._tell = tell
        self._shelved: dict[str, _Shelved] = {}
        self._held: dict[str, Mapping[str, Any]] = {}
        self._digests = dict(settings.digests)

    @property
    def names(self) -> list[str]:
        """The tools in the catalog, by their names on the server."""
        return list(self._shelved)

    @property
    def held(self) -> list[str]:
        """The tools that are held back until they are accepted."""
        return list(self._held)

    @property
    def digests(self) -> dict[str, str]:
        """What each tool's definition was when it was first seen, or accepted."""
        return dict(self._digests)

    def stock(self, listing: Listing) -> None:
        """Makes the catalog hold what the server lists: what is the same is not touched, nor are others' tools."""
        for fault in listing.faults:
            self._tell(**fault)
        passed = [tool for tool in listing.tools.values() if self._passes(tool)]
        kept = {tool["name"] for tool in passed}
        self._remove([name for name in self._shelved if name not in kept])
        for name in self.held:
            if name not in listing.tools:
                del self._held[name]
        self._put(passed)

    def accept(self, names: str | Iterable[str] | None = None) -> list[str]:
        """Takes held tools as they are now: all, or those that are named. Answers which."""
        wanted = self.held if names is None else [names] if isinstance(names, str) else list(names)
        tools = [self._held.pop(name) for name in wanted if name in self._held]
        for tool in tools:
            self._digests[tool["name"]] = digest_of(tool)
        self._put(tools)
        return [tool["name"] for tool in tools]

    def clear(self) -> None:
        """Takes everything out of the catalog."""
        self._held.clear()
        self._remove(self.names)

    def _passes(self, tool: Mapping[str, Any]) -> bool:
        """Whether a tool may stand in the catalog, by what was seen of it before."""
        name = tool["name"]
        new, old = digest_of(tool), self._digests.get(name)
        if old is None or old == new:
            self._digests[name] = new
            self._held.pop(name, None)
            return True
        policy = self._settings.on_change
        known = self._held.get(name)
        if policy != "allow" and not (known is not None and digest_of(known) == new):
            then = "it is held back until it is accepted" if policy == "quarantine" else "the new one is used"
            message = f"server `{self._server}` changed the definition of `{name}`; {then}"
            self._tell(code="definition_changed", message=message, tool=name, old_digest=old, new_digest=new)
        if policy == "quarantine":
            self._held[name] = tool
            return False
        self._digests[name] = new
        return True

    def _put(self, tools: Iterable[Mapping[str, Any]]) -> None:
        fresh: list[tuple[str, str, dict[str, Any]]] = []
        for tool in tools:
            name = tool["name"]
            fields = fields_of(self._server, tool, self._approval_of(tool))
            text = canonical(fields)
            if name in self._shelved and self._shelved[name].text == text and self._is_ours(name):
                continue
            fresh.append((name, text, {**fields, "execute": self._executor(tool)}))
        if not fresh:
            return
        response = self._hg.tools.register([item for _, _, item in fresh])
        refused = set(response["rejected"])
        for place, (name, text, item) in enumerate(fresh):
            if place not in refused:
                self._shelved[name] = _Shelved(text, self._hg.tools.get(item["id"]))
            elif name in self._shelved:
                # What the catalog held before under this id is no longer what the server offers.
                self._remove([name])
        for found in response["diagnostics"]:
            index = found.get("index")
            tool_name = {} if index is None else {"tool": fresh[index][0]}
            self._tell(code=found["code"], message=found["message"], **tool_name)

    def _approval_of(self, tool: Mapping[str, Any]) -> bool | None:
        """Whether somebody is asked before a tool runs; None where nothing says so."""
        said = self._settings.tools.get(tool["name"], {}).get("requires_approval")
        if said is not None:
            return said
        return True if needs_approval(tool, self._settings.approval) else None

    def _executor(self, tool: Mapping[str, Any]) -> Callable[[Any, Any], Awaitable[Any]]:
        async def execute(arguments: Any, context: Any) -> Any:
            return await self._run(tool, arguments, context)

        return execute

    def _is_ours(self, name: str) -> bool:
        """Whether what stands in the catalog is still what was put there."""
        return bool(self._hg.tools.get(id_of(self._server, name)) == self._shelved[name].item)

    def _remove(self, names: Iterable[str]) -> None:
        """Takes tools out, but none that somebody else put there since."""
        names = list(names)
        ours = [id_of(self._server, name) for name in names if name in self._shelved and self._is_ours(name)]
        for name in names:
            self._shelved.pop(name, None)
        if ours:
            self._hg.tools.remove(ours)
