"""`Honeyguide`: the whole of the engine behind one object. Knows how to name things, and decides nothing.

Imports what a first search needs; the verbs that need more import it.
"""

from __future__ import annotations

import os
from _weakref import ref  # what `weakref` offers, without the rest of it

from .catalogs import Catalog, Servers, ToolCatalog
from .host import Host, late
from .item import FunctionTool
from .request import wire_names
from .transport import Transport

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar, overload

    from .generated.types import (
        Diagnostic,
        DiscloseResponse,
        ResolveResponse,
        TokensResponse,
    )
    from .options import (
        Approve,
        CallOptions,
        DiscloseOptions,
        Embedder,
        EngineOptions,
        Fork,
        ModelToolsOptions,
        Progress,
        RecallOptions,
        Rerank,
        ScopeOptions,
        SessionOptions,
        TokensOptions,
        ToolFields,
        Unpack,
        WarmedUp,
    )
    from .session import Session
    from .skills import SkillCatalog

    Function = TypeVar("Function", bound=Callable[..., Any])

__all__ = ["Conversation", "Honeyguide"]


class Conversation:
    """What can be asked with a conversation in mind, or without one."""

    def __init__(self, host: Host, scope: Mapping[str, Any]) -> None:
        self._host = host
        self._engine = host.engine
        self._scope = scope

    async def call(self, name: str, args: Mapping[str, Any] | str | None = None, **options: Unpack[CallOptions]) -> Any:
        """Answers a model's call of one of the three tools, or of a catalog tool: a reply, or the tool's own value.

        `args` is what the model sent, parsed or as JSON text. A model's mistake, and a tool's failure, is a reply.
        """
        from .run import call

        return await call(self._host, name, args, {**options, **self._scope})

    def call_sync(self, name: str, args: Mapping[str, Any] | str | None = None, **options: Unpack[CallOptions]) -> Any:
        """The same for a program without an event loop: the tool runs in this thread."""
        from .run import call, drive

        return drive(call(self._host, name, args, {**options, **self._scope}, door="Blocking"))

    async def recall(self, query: str, **options: Unpack[RecallOptions]) -> Any:
        """The `search_capabilities` result for a host that puts it before the model itself; None on no match."""
        from .questions import recall

        return await recall(self._host, query, {**options, **self._scope})

    def recall_sync(self, query: str, **options: Unpack[RecallOptions]) -> Any:
        """The same for a program without an event loop."""
        from .questions import recall
        from .run import drive

        return drive(recall(self._host, query, {**options, **self._scope}, "Blocking"))

    def disclose(self, **options: Unpack[DiscloseOptions]) -> DiscloseResponse:
        """What one request to the model is to list: the three tools, and as much of the catalog as the mode discloses.

        A tool that is listed is called with `call`, by the name that it is listed under.
        """
        from .questions import disclose

        return disclose(self._host, {**options, **self._scope})

    async def disclose_async(self, **options: Unpack[DiscloseOptions]) -> DiscloseResponse:
        """The same where the engine ranks by meaning: has the embedder make the query's vector."""
        from .questions import disclose_async

        return await disclose_async(self._host, {**options, **self._scope})

    def resolve(self, call: Mapping[str, Any] | str, **options: Unpack[ScopeOptions]) -> ResolveResponse:
        """Repairs and validates a call of `invoke_tool`, `{toolId, args}`, and runs nothing."""
        from .questions import resolve

        return resolve(self._host, call, {**options, **self._scope})


class Honeyguide(Conversation):
    """Tools, skills and facts outside the prompt. Without options: lexical, in process, offline."""

    def __init__(
        self,
        *,
        approve: Approve | None = None,
        embedder: Embedder | None = None,
        rerank: Rerank | None = None,
        vector_cache: str | os.PathLike[str] | None = None,
        fork: Fork | None = None,
        project_root: str | os.PathLike[str] | None = None,
        **options: Unpack[EngineOptions],
    ) -> None:
        about = None
        if embedder is not None:
            from .embedder import about_embedder

            about = about_embedder(embedder)
        top = None
        if rerank is not None:
            from .rerank import top_of

            top = top_of(rerank)
        self._transport = Transport(wire_names(options, embedder=about, rerankTop=top))
        cache = None
        if vector_cache is not None:
            from .vector_cache import VectorCache

            cache = VectorCache(vector_cache)
        host = Host(
            self._transport.send,
            self._transport.send_step,
            approve=approve,
            embedder=embedder,
            method=options.get("method"),
            cache=cache,
            rerank=rerank,
            fork=fork,
            project_root=project_root,
        )
        super().__init__(host, {})
        self.tools = ToolCatalog(host)
        self.facts = Catalog(host, "fact", {})
        self.servers = Servers(host.engine)
        _live(self)

    @late
    def skills(self) -> SkillCatalog:
        """The skills."""
        from .skills import SkillCatalog

        return SkillCatalog(self._host)

    if TYPE_CHECKING:

        @overload
        def tool(self, function: Function, /) -> Function: ...
        @overload
        def tool(self, /, **fields: Unpack[ToolFields]) -> Callable[[Function], Function]: ...

    def tool(self, function: Any = None, /, **fields: Any) -> Any:
        """Registers a function as a tool, by its type hints and docstring; usable with and without brackets."""

        def add(function: Any) -> Any:
            self.tools.register(FunctionTool(function, wire_names(fields)))
            return function

        return add if function is None else add(function)

    async def warm_up(self, *, on_progress: Callable[[Progress], object] | None = None) -> WarmedUp:
        """Embeds every text that has no vector yet.

        Searches by meaning begin that by themselves and go by words until then; whoever wants to wait for it, or to see
        it fail, calls this.
        """
        return await self._host.meaning.warm_up(on_progress)

    def warm_up_sync(self, *, on_progress: Callable[[Progress], object] | None = None) -> WarmedUp:
        """The same for a program without an event loop: the embedder runs in this thread."""
        from .run import drive

        done: WarmedUp = drive(self._host.meaning.warm_up(on_progress, door="Blocking"))
        return done

    def session(self, id: str, **options: Unpack[SessionOptions]) -> Session:
        """A conversation; `visible` says what it may see and call from now on, and None lifts what was said."""
        from .session import Session

        if options:
            self._engine.set_session(wire_names(options, session=id))
        return Session(self._host, id)

    def model_tools(self, **options: Unpack[ModelToolsOptions]) -> list[Any]:
        """The three definitions for the model: the same bytes whatever is registered."""
        return self._engine.model_tools(wire_names(options))["tools"]

    def model_tools_digest(self, **options: Unpack[ModelToolsOptions]) -> str:
        """SHA-256 of those bytes, in hex."""
        return self._engine.model_tools(wire_names(options))["digest"]

    def for_model(self, result: Any, *, max_result_chars: int | None = None) -> Any:
        """A tool's result as the model should read it."""
        from .arguments import write_result

        return self._engine.for_model({"result": write_result(result), "maxResultChars": max_result_chars})["result"]

    def tokens(self, **options: Unpack[TokensOptions]) -> TokensResponse:
        """Estimated tokens: of a prompt that held every definition, of the three tools, and of given texts."""
        return self._engine.tokens(wire_names(options))

    def diagnose(self) -> list[Diagnostic]:
        """Compiles every schema and says what is wrong in the catalogs."""
        return self._engine.diagnose({})["diagnostics"]

    def save(self) -> bytes:
        """Definitions and servers as bytes; functions stay with the program."""
        return self._transport.native.save()

    def load(self, snapshot: bytes) -> None:
        """Takes saved definitions in place of the present ones; functions stay bound to ids that are still there."""
        # What is no bytes at all is no saved catalog either: the engine says so.
        self._transport.load(bytes(snapshot) if isinstance(snapshot, bytes | bytearray | memoryview) else b"")
        self._host.executors.keep({tool["id"] for tool in self.tools.list()})

    def _after_fork(self) -> None:
        self._transport.native.after_fork()
        self._host.after_fork()


# The engines that are in use, by their addresses.
_living: dict[int, ref[Honeyguide]] = {}


def _live(honeyguide: Honeyguide) -> None:
    address = id(honeyguide)
    _living[address] = ref(honeyguide, lambda _: _living.pop(address, None))


def _after_fork_in_child() -> None:
    for living in list(_living.values()):
        honeyguide = living()
        if honeyguide is not None:
            honeyguide._after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
