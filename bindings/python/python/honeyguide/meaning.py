"""Vectors for searches and for texts: asks the embedder, gives the engine what it made. Decides nothing of ranking."""

from __future__ import annotations

import time
from _thread import allocate_lock

from .errors import InvalidInputError, StateError
from .run import drive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from .generated.client import EngineClient
    from .generated.types import Method, MissingVectorsResponse
    from .options import Progress, WarmedUp
    from .run import Attempt, DoorName
    from .vector_cache import VectorCache

__all__ = ["Meaning"]

# Texts that are asked for together, and embedded together.
_PAGE_SIZE = 1_024
_BATCH_SIZE = 64
# After a failure nothing is embedded in the background for so long.
_PAUSE_SECONDS = 30.0


class Meaning:
    """What a host needs to search by meaning."""

    def __init__(
        self, engine: EngineClient, embedder: Any, method: Method | None, cache: VectorCache | None = None
    ) -> None:
        self._cache = cache
        self._engine = engine
        self._embedder = embedder
        self._method: Method = method or "lexical"
        self._listeners: list[Callable[[Progress], object]] = []
        self._paused_until = 0.0
        self._task: Any = None
        self.after_fork()

    def after_fork(self) -> None:
        """In a forked child: whoever embedded is gone, and may have held the lock."""
        self._lock = allocate_lock()
        self._running: Any = None

    async def of(
        self, queries: Sequence[Any], method: Method | None, kind: str | None, door: DoorName = "Waiting"
    ) -> dict[str, Any]:
        """What a search for these queries says of meaning, in the names of the wire: vectors, or why there are none."""
        wanted: Method = method or self._method
        is_blank = not any(isinstance(query, str) and query.strip() for query in queries)
        if wanted == "lexical" or self._embedder is None or is_blank:
            return {"method": wanted}
        if not self._is_there(kind, door):
            return {"method": wanted, "degraded": "no_vectors"}
        attempt = await self._embed(list(queries), "query", door)
        if attempt.timed_out:
            return {"method": wanted, "degraded": "timeout"}
        if attempt.error is not None:
            return {"method": wanted, "degraded": "aborted" if attempt.aborted else "embedding_failed"}
        return {"method": wanted, "queryVectors": attempt.value}

    async def embed(self, texts: list[str], role: str, door: DoorName) -> Attempt | None:
        """Embeds for a step of the engine; None without an embedder."""
        return None if self._embedder is None else await self._embed(texts, role, door)

    async def _embed(self, texts: list[str], role: str, door: DoorName) -> Attempt:
        from .embedder import embed  # only whoever has an embedder pays for it

        return await embed(self._embedder, texts, role, door)

    def wake(self, door: DoorName) -> None:
        """Begins to embed what has no vector, when the engine ranks by meaning, without waiting for it."""
        if self._method != "lexical" and self._embedder is not None:
            self._is_there(None, door)

    async def warm_up(
        self, on_progress: Callable[[Progress], object] | None = None, door: DoorName = "Waiting"
    ) -> WarmedUp:
        """Embeds every text that has no vector; whoever asks while that is under way waits for the same."""
        if self._embedder is None:
            self._engine.missing_vectors({"limit": 0})  # says what is wrong
        if on_progress is None:
            return await self._start(door)
        self._listeners.append(on_progress)
        try:
            return await self._start(door)
        finally:
            self._listeners.remove(on_progress)

    def _is_there(self, kind: str | None, door: DoorName) -> bool:
        """Whether there is something to compare a query with. What is missing is begun in the background."""
        page = self._missing(0, 0, kind)
        if page["missing"] > 0 and self._running is None and time.monotonic() >= self._paused_until:
            if door == "Waiting":
                import asyncio

                # The loop keeps no hold on a task of its own.
                self._task = asyncio.get_running_loop().create_task(self._in_background(door))
            else:
                import threading

                threading.Thread(target=lambda: drive(self._in_background(door)), daemon=True).start()
        return page["total"] > page["missing"]

    async def _in_background(self, door: DoorName) -> None:
        try:
            await self._start(door)
        except Exception:
            self._paused_until = time.monotonic() + _PAUSE_SECONDS

    async def _start(self, door: DoorName) -> WarmedUp:
        from concurrent.futures import Future

        mine: Future[WarmedUp] = Future()
        with self._lock:
            running: Future[WarmedUp] | None = self._running
            if running is None:
                self._running = mine
        if running is not None:
            joined: WarmedUp = await _result(running, door)
            return joined
        try:
            done = await self._embed_missing(door)
        except BaseException as error:
            self._running = None
            others = error if isinstance(error, Exception) else StateError("aborted", "the embedding was cancelled")
            mine.set_exception(others)
            raise
        self._running = None
        mine.set_result(done)
        return done

    async def _embed_missing(self, door: DoorName) -> WarmedUp:
        refused: list[Any] = []
        page = self._missing(0, _PAGE_SIZE)
        # What never gets a vector stands first on every page.
        while page["texts"]:
            left = await self._without_cached(page, door)
            for first in range(0, len(left), _BATCH_SIZE):
                refused.extend(await self._embed_batch(page["model"], left[first : first + _BATCH_SIZE], door))
                self._tell()
            page = self._missing(len(refused), _PAGE_SIZE)
        return {"embedded": page["total"] - page["missing"], "total": page["total"], "refused": refused}

    async def _without_cached(self, page: MissingVectorsResponse, door: DoorName) -> list[Any]:
        """The texts of a page that the cache does not know; of the others the engine has the vectors then."""
        texts: list[Any] = list(page["texts"])
        if self._cache is None:
            return texts
        vectors: Any = await self._cache.read(page["model"], [missing["key"] for missing in texts], door)
        if not vectors:
            return texts
        put = self._engine.put_vectors({"model": page["model"], "vectors": vectors})
        known = {each["key"] for each in vectors} - {each["key"] for each in put["refused"]}
        self._tell()
        return [missing for missing in texts if missing["key"] not in known]

    async def _embed_batch(self, model: Any, batch: list[Any], door: DoorName) -> list[Any]:
        attempt = await self._embed([missing["text"] for missing in batch], "document", door)
        if attempt.error is not None:
            raise attempt.error
        keyed: Any = [
            {"key": missing["key"], "vector": vector} for missing, vector in zip(batch, attempt.value, strict=True)
        ]
        refused = self._engine.put_vectors({"model": model, "vectors": keyed})["refused"]
        # No vector of a batch is one: then it is the embedder that is wrong, not a text.
        if refused and len(refused) == len(batch):
            raise InvalidInputError(refused[0]["code"], refused[0]["message"])
        if self._cache is not None:
            wrong = {each["key"] for each in refused}
            await self._cache.add(model, [each for each in keyed if each["key"] not in wrong], door)
        return refused

    def _tell(self) -> None:
        if not self._listeners:
            return
        page = self._missing(0, 0)
        for listener in list(self._listeners):
            try:
                listener({"embedded": page["total"] - page["missing"], "total": page["total"]})
            except Exception as error:
                import warnings

                warnings.warn(f"a progress listener failed: {error!r}", RuntimeWarning, stacklevel=2)

    def _missing(self, offset: int, limit: int, kind: Any = None) -> MissingVectorsResponse:
        return self._engine.missing_vectors({"offset": offset, "limit": limit, "kind": kind})


async def _result(running: Any, door: DoorName) -> Any:
    if door == "Blocking":
        return running.result()
    import asyncio

    # Shielded, since to give up waiting is not to give up what is under way.
    return await asyncio.shield(asyncio.wrap_future(running))
