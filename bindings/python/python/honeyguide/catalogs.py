"""The three catalogs as an application sees them. Knows nothing of steps, and holds no item: the engine does.

Imports what a first search needs; the verbs that need more import it.
"""

from __future__ import annotations

from .item import read_item, split_batch
from .refuse import printable
from .request import wire_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, Literal, TypeAlias

    from .generated.client import EngineClient
    from .generated.types import Kind, RegisterResponse, SearchHit, SearchNeedsResponse, Server
    from .host import Host
    from .item import FunctionTool, ReadItem
    from .options import CallOptions, Rerank, SearchNeedsOptions, SearchOptions, ServerOptions, Unpack

    Item: TypeAlias = Mapping[str, Any] | Callable[..., Any] | FunctionTool

__all__ = ["Catalog", "CatalogSearch", "Servers", "ToolCatalog", "ToolSearch"]


class CatalogSearch:
    """Searching one catalog."""

    def __init__(self, host: Host, kind: Kind, scope: Mapping[str, Any]) -> None:
        self._host = host
        self._engine = host.engine
        self._kind = kind
        self._scope = scope

    def search(self, query: str, **options: Unpack[SearchOptions]) -> list[SearchHit]:
        """The best hits, best first; at once, from words or from a `query_vector`."""
        return self._engine.search(self._request(query, options))["hits"]

    async def search_async(
        self, query: str, *, rerank: Rerank | Literal[False] | None = None, **options: Unpack[SearchOptions]
    ) -> list[SearchHit]:
        """The same; a method that compares meanings has the embedder make the query's vector.

        `rerank` orders the best hits anew (default: the engine's, when it has one; False is none).
        """
        asked = self._request(query, options)
        means = await self._means([asked["query"]], options, "query_vector")
        vectors = means.pop("queryVectors", None)
        if vectors is not None:
            means["queryVector"] = vectors[0]
        asked.update(means)
        chosen = self._host.rerank if rerank is None else rerank or None
        if chosen is not None:
            from .rerank import reranked_page

            return await reranked_page(chosen, self._engine, asked)
        return self._engine.search(asked)["hits"]

    def search_needs(self, queries: str | Iterable[str], **options: Unpack[SearchNeedsOptions]) -> SearchNeedsResponse:
        """One page for several needs, which take turns on it, and of each whether its best hit answers it."""
        return self._engine.search_needs(self._needs(queries, options))

    async def search_needs_async(
        self, queries: str | Iterable[str], **options: Unpack[SearchNeedsOptions]
    ) -> SearchNeedsResponse:
        """The same for methods that compare meanings; says how much was compared, and why when it was not."""
        asked = self._needs(queries, options)
        texts = asked["queries"] if isinstance(asked["queries"], list) else []
        asked.update(await self._means(texts, options, "query_vectors"))
        return self._engine.search_needs(asked)

    def _request(self, query: str, options: Mapping[str, Any]) -> Any:
        # A query that was cut inside an emoji is still a query.
        asked: Any = {"kind": self._kind, "query": printable(query)}
        if options or self._scope:
            asked = wire_names({**options, **self._scope}, **asked)
            if asked.get("queryVector") is not None:
                asked["queryVector"] = list(asked["queryVector"])
        return asked

    def _needs(self, queries: str | Iterable[str], options: Mapping[str, Any]) -> Any:
        # A lone text is one need, and what is no list is for the engine to refuse.
        wanted: Any = [queries] if isinstance(queries, str) else queries
        if hasattr(wanted, "__iter__"):
            wanted = [printable(query) for query in wanted]
        asked = wire_names({**options, **self._scope}, kind=self._kind, queries=wanted)
        if asked.get("queryVectors") is not None:
            asked["queryVectors"] = [list(vector) for vector in asked["queryVectors"]]
        return asked

    async def _means(self, queries: Sequence[Any], options: Mapping[str, Any], given: str) -> dict[str, Any]:
        """What the request does not say of meaning itself."""
        if options.get(given) is not None:
            return {}
        return await self._host.meaning.of(queries, options.get("method"), self._kind)


class Catalog(CatalogSearch):
    """One catalog."""

    def register(self, items: Item | Iterable[Item]) -> RegisterResponse:
        """Adds one item or many, replacing in place by id. Raises when the one item is refused; of many, says which."""
        batch, many = split_batch(items)
        response = self._put([read_item(item, self._kind) for item in batch], replace_all=False)
        refused = [found for found in response["diagnostics"] if found["severity"] == "error"]
        if refused and not many:
            from .errors import from_diagnostic

            raise from_diagnostic(refused[0])
        return response

    def replace_all(self, items: Iterable[Item]) -> RegisterResponse:
        """Makes these items the whole catalog."""
        # One item without a list is a list of one: read key by key it would empty the catalog.
        batch, _ = split_batch(items)
        return self._put([read_item(item, self._kind) for item in batch], replace_all=True)

    def remove(self, ids: str | Iterable[str]) -> list[str]:
        """Removes items by id and says which there were."""
        names = [ids] if isinstance(ids, str) else list(ids)
        return self._engine.remove({"kind": self._kind, "ids": names})["removed"]

    def get(self, id: str) -> Any:
        """The definition as it was registered, or None."""
        return self._engine.get({"kind": self._kind, "id": id})["item"]

    def list(self, *, offset: int | None = None, limit: int | None = None) -> list[Any]:
        """A page of definitions, in the order of registration."""
        return self._engine.list({"kind": self._kind, "offset": offset, "limit": limit})["items"]

    @property
    def size(self) -> int:
        """How many items there are."""
        return self._engine.size({"kind": self._kind})["size"]

    def _put(self, items: Sequence[ReadItem], *, replace_all: bool) -> RegisterResponse:
        send = self._engine.replace_all if replace_all else self._engine.register
        return send({"kind": self._kind, "items": [item.text for item in items]})


class ToolSearch(CatalogSearch):
    """Searching and calling tools."""

    def __init__(self, host: Host, scope: Mapping[str, Any]) -> None:
        super().__init__(host, "tool", scope)

    async def invoke(self, id: str, args: Mapping[str, Any] | str | None = None, **options: Unpack[CallOptions]) -> Any:
        """Calls a tool from the application: its value by identity, or its own exception; mistakes raise."""
        from .run import invoke

        return await invoke(self._host, id, args, {**options, **self._scope})

    def invoke_sync(self, id: str, args: Mapping[str, Any] | str | None = None, **options: Unpack[CallOptions]) -> Any:
        """The same for a program without an event loop: the tool runs in this thread."""
        from .run import drive, invoke

        return drive(invoke(self._host, id, args, {**options, **self._scope}, door="Blocking"))


class ToolCatalog(Catalog, ToolSearch):
    """The tools, each with the function that runs it."""

    def __init__(self, host: Host) -> None:
        ToolSearch.__init__(self, host, {})

    def bind(self, id: str, execute: Callable[..., Any]) -> None:
        """Gives a tool that came from `load` its function.

        A function whose parameters are the schema's takes them by name, as under `@hg.tool`; any other one takes the
        arguments as one dict.
        """
        from .errors import InvalidInputError, NotFoundError
        from .schema import executor_of_definition  # reads type hints, which an import must not pay for

        if not callable(execute):
            kind = type(execute).__name__
            message = f"tool `{printable(id)}` cannot be bound to a value of type `{kind}`; pass a function"
            raise InvalidInputError("missing_executor", message, {"id": id})
        definition = self.get(id)
        if definition is None:
            message = f"unknown tool `{printable(id)}`; load or register its definition before binding it"
            raise NotFoundError("unknown_tool", message, {"id": id})
        self._host.executors.bind(id, executor_of_definition(definition, execute))

    def remove(self, ids: str | Iterable[str]) -> list[str]:
        """Removes tools by id and says which there were."""
        return self._host.executors.drop(lambda: Catalog.remove(self, ids))

    def _put(self, items: Sequence[ReadItem], *, replace_all: bool) -> RegisterResponse:
        def send() -> RegisterResponse:
            return Catalog._put(self, items, replace_all=replace_all)

        return self._host.executors.put(items, send, replace_all=replace_all)


class Servers:
    """What the model is told of each server."""

    def __init__(self, engine: EngineClient) -> None:
        self._engine = engine

    def set(self, name: str, **said: Unpack[ServerOptions]) -> None:
        """Describes a server; replaces what was said of it."""
        self._engine.set_server(wire_names(said, name=name))

    def remove(self, name: str) -> None:
        """Forgets what was said of a server; its tools stay."""
        self._engine.remove_server({"name": name})

    def list(self) -> list[Server]:
        """The servers that were described, by name."""
        return self._engine.list_servers({})["servers"]
