"""One client of the installed package: each operation of the scenario as a call of the public facade.

Decides nothing.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from honeyguide import Honeyguide, HoneyguideError

from .embedder import Embedder
from .executors import FORKS, RANKINGS, Executors
from .values import make_item

if TYPE_CHECKING:
    from .world import World


class Client:
    """A client, and its fixture executors."""

    def __init__(
        self,
        project_root: str,
        options: dict[str, Any] | None = None,
        approve: Any = None,
        embedder: Any = None,
        rerank: str | None = None,
        fork: str | None = None,
    ) -> None:
        self.executors = Executors()
        named = {**_snake(options or {}), "project_root": project_root}
        if approve is not None:
            named["approve"] = lambda _call: approve
        if embedder is not None:
            named["embedder"] = Embedder(embedder[0])
        if rerank is not None:
            named["rerank"] = RANKINGS[rerank]
        if fork is not None:
            named["fork"] = FORKS[fork]
        self.hg = Honeyguide(**named)

    async def run(self, operation: str, arguments: dict[str, Any], world: World) -> Any:
        """Answers one operation; what it raises is for the caller to observe."""
        hg = self.hg
        rest = dict(arguments)
        inside = rest.pop("in", None)
        kind = rest.pop("kind", None)
        place = hg if inside is None else hg.session(inside)
        catalog: Any = {"tool": hg.tools, "skill": hg.skills, "fact": hg.facts}.get(kind)
        match operation:
            case "register":
                if "item" in rest:
                    return catalog.register(make_item(rest["item"], self.executors))
                return catalog.register([make_item(item, self.executors) for item in rest["items"]])
            case "replaceAll":
                return catalog.replace_all([make_item(item, self.executors) for item in rest["items"]])
            case "remove":
                return catalog.remove(rest["ids"])
            case "bind":
                return hg.tools.bind(rest["toolId"], self.executors.named(rest["execute"]))
            case "get":
                return catalog.get(rest["id"])
            case "list":
                return catalog.list(**rest)
            case "size":
                return catalog.size
            case "search" | "searchAsync":
                query = rest.pop("query")
                if inside is not None:
                    catalog = {"tool": place.tools, "skill": place.skills, "fact": place.facts}[kind]
                if operation == "search":
                    return catalog.search(query, **_snake(rest))
                return await catalog.search_async(query, **_snake(rest))
            case "searchNeeds" | "searchNeedsAsync":
                if inside is not None:
                    catalog = {"tool": place.tools, "skill": place.skills, "fact": place.facts}[kind]
                queries = rest.pop("queries")
                if operation == "searchNeeds":
                    return catalog.search_needs(queries, **_snake(rest))
                return await catalog.search_needs_async(queries, **_snake(rest))
            case "warmUp":
                return await hg.warm_up()
            case "setServer":
                return hg.servers.set(rest.pop("name"), **_snake(rest))
            case "removeServer":
                return hg.servers.remove(rest["name"])
            case "listServers":
                return hg.servers.list()
            case "setSession":
                hg.session(rest["session"], visible=rest["visible"])
                return None
            case "endSession":
                return hg.session(rest["session"]).end()
            case "modelTools":
                return hg.model_tools(**_snake(rest))
            case "modelToolsDigest":
                return hg.model_tools_digest(**_snake(rest))
            case "disclose":
                return place.disclose(**_snake(rest))
            case "discloseAsync":
                return await place.disclose_async(**_snake(rest))
            case "resolve":
                return place.resolve(rest.pop("arguments"), **_snake(rest))
            case "recall":
                return await place.recall(rest.pop("query"), **_snake(rest))
            case "forModel":
                return hg.for_model(rest.pop("result"), **_snake(rest))
            case "tokens":
                return hg.tokens(**rest)
            case "diagnose":
                return hg.diagnose()
            case "files":
                return world.files.write(rest["files"])
            case "loadFolder":
                paths = [world.files.place(path) for path in rest.pop("paths")]
                return hg.skills.load_folder(paths, **_snake(rest))
            case "refresh":
                return hg.skills.refresh()
            case "skillDiagnostics":
                return hg.skills.diagnostics()
            case "validate":
                return hg.skills.validate([world.files.place(path) for path in rest["paths"]])
            case "touch":
                return place.touch(rest["paths"])
            case "skillListing":
                return place.skill_listing(**_snake(rest))
            case "save":
                world.saved[rest["as"]] = saved = hg.save()
                return {"bytes": len(saved), "digest": hashlib.sha256(saved).hexdigest()}
            case "load":
                return hg.load(_bytes_of(rest, world))
            case _:
                raise LookupError(f"this runner knows no operation `{operation}`")

    async def call(self, operation: str, arguments: dict[str, Any], world: World) -> Any:
        """Answers a call of the model, or of host code; what came of it, as it is observed."""
        options = dict(arguments)
        name, sent = options.pop("name", None), options.pop("arguments", None)
        tool_id, given = options.pop("toolId", None), options.pop("args", None)
        inside, abort = options.pop("in", None), options.pop("abort", False)
        approve = options.pop("approve", None)
        asked: list[Any] = []
        named = _snake(options)
        if approve is not None:
            named["approve"] = self._approver(approve, asked, world)
        place = self.hg if inside is None else self.hg.session(inside)
        work = place.call(name, sent, **named) if operation == "call" else place.tools.invoke(tool_id, given, **named)
        observed = await observe(lambda: self._abortable(work) if abort else work)
        value = observed.get("value")
        if any(value is kept for kept in self.executors.handed_out):
            observed["identity"] = True
        if hasattr(value, "__aiter__"):
            del observed["value"]
            observed = {"stream": [chunk async for chunk in value], **observed}
        return observed if approve is None else {**observed, "asked": asked}

    async def _abortable(self, work: Any) -> Any:
        task = asyncio.ensure_future(work)
        self.executors.started = task.cancel
        try:
            return await task
        finally:
            self.executors.started = None

    def _approver(self, approve: Any, asked: list[Any], world: World) -> Callable[[Any], Awaitable[Any]]:
        async def answer(call: Any) -> Any:
            asked.append(
                {key: call[key] for key in ("toolId", "arguments", "annotations") if call.get(key) is not None}
            )
            if isinstance(approve, bool):
                return approve
            said = dict(approve)
            if first := said.pop("first", None):
                await world.operate(self, first["operation"], first["arguments"])
            return said

        return answer


async def observe(work: Callable[[], Awaitable[Any]]) -> dict[str, Any]:
    """What came of a call: a value, an error of the package, or an exception of a tool."""
    try:
        return {"value": await work()}
    except HoneyguideError as error:
        record = {"code": error.code, "category": error.category, "message": str(error), "details": error.details}
        return {"error": record}
    except (Exception, asyncio.CancelledError) as thrown:
        return {"thrown": {"name": type(thrown).__name__, "message": str(thrown)}}


def _snake(options: dict[str, Any]) -> dict[str, Any]:
    """The keywords of the facade for the names on the wire."""
    return {re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name): part for name, part in options.items()}


def _bytes_of(arguments: dict[str, Any], world: World) -> bytes:
    """What is to be loaded: saved bytes, whole, cut (`keep`) or damaged (`flip`), or a text."""
    if "text" in arguments:
        return arguments["text"].encode()
    saved = bytearray(world.saved[arguments["from"]][: arguments.get("keep")])
    if "flip" in arguments:
        saved[arguments["flip"]] ^= 1
    return bytes(saved)
