"""A model in a folder as an embedder: texts to vectors without the interpreter's lock. Decides nothing."""

from __future__ import annotations

import json
from array import array
from typing import NamedTuple

from ._local import Job, Model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from os import PathLike
    from typing import Any, Literal

    Role = Literal["query", "document"]

__all__ = ["LocalModel", "Progress", "local_model"]


class Progress(NamedTuple):
    """How far an embedding is, in texts."""

    done: int
    total: int


class LocalModel:
    """An embedder: the object that honeyguide takes. It may be used from any thread, and after a fork."""

    def __init__(self, model: Model) -> None:
        self._model = model
        outline: Mapping[str, Any] = json.loads(model.outline())
        self.id: str = outline["id"]
        self.dimensions: int = outline["dimensions"]
        #: The longest text in tokens.
        self.max_tokens: int = outline["maxTokens"]
        #: What is written before queries and documents.
        self.prefixes: Mapping[str, str] = outline["prefixes"]

    @property
    def revision(self) -> str:
        """A digest of everything that vectors depend on. Reads the files through once, so best after `warm_up`."""
        with _errors():
            return self._model.revision()

    @property
    def scripts(self) -> list[str]:
        """The Unicode scripts that the vocabulary covers, such as `Latin`."""
        with _errors():
            return self._model.scripts()

    @property
    def languages(self) -> list[str]:
        """The languages in Latin letters that the vocabulary was certainly made for, such as `en`."""
        with _errors():
            return self._model.languages()

    def warm_up(self) -> None:
        """Reads the model now."""
        with _errors():
            self._model.warm_up()

    async def warm_up_async(self) -> None:
        """Reads the model now, in a thread."""
        import asyncio

        await asyncio.to_thread(self.warm_up)

    def embed(
        self, texts: Sequence[str], role: Role, *, on_progress: Callable[[Progress], object] | None = None
    ) -> list[array[float]]:
        """One vector for each text, as an array of 32-bit floats. The first call reads the model.

        Other Python threads run meanwhile. What `on_progress` raises, and Ctrl-C, ends the work.
        """
        return self._rows(texts, role, Job(), on_progress)

    async def embed_async(
        self, texts: Sequence[str], role: Role, *, on_progress: Callable[[Progress], object] | None = None
    ) -> list[array[float]]:
        """The same in a thread; `on_progress` is called on the event loop. Cancelling the caller ends the work."""
        import asyncio

        loop, job = asyncio.get_running_loop(), Job()

        def told(progress: Progress) -> None:
            if on_progress is not None:
                loop.call_soon_threadsafe(on_progress, progress)

        try:
            return await asyncio.to_thread(self._rows, texts, role, job, told if on_progress else None)
        except asyncio.CancelledError:
            job.cancel()
            raise

    def __repr__(self) -> str:
        return f"LocalModel(id={self.id!r}, dimensions={self.dimensions})"

    def _rows(
        self, texts: Sequence[str], role: Role, job: Job, on_progress: Callable[[Progress], object] | None
    ) -> list[array[float]]:
        if isinstance(texts, str):
            raise TypeError("embed takes a list of texts, not one text")
        total = len(texts)
        tell = None if on_progress is None else lambda done: on_progress(Progress(done, total))
        with _errors():
            flat = memoryview(self._model.embed(list(texts), role, job, tell))
        size = 4 * self.dimensions
        return [_vector(flat[row * size : (row + 1) * size]) for row in range(total)]


def local_model(
    path: str | PathLike[str],
    *,
    id: str | None = None,
    max_tokens: int | None = None,
    prefixes: Mapping[str, str] | None = None,
    pooling: Literal["cls", "mean", "max", "mean_sqrt_len_tokens"] | None = None,
    normalize: bool | None = None,
    threads: int | None = None,
) -> LocalModel:
    """A model in a folder. Names missing files at once and reads the weights when they are first needed.

    The options are for where a model's files are silent or wrong: its name, the longest text in tokens, what is written
    before a `query` and a `document`, how tokens become one vector, whether vectors get length one, how many threads
    encode.
    """
    options = {
        "id": id,
        "maxTokens": max_tokens,
        "prefixes": None if prefixes is None else dict(prefixes),
        "pooling": pooling,
        "normalize": normalize,
        "threads": threads,
    }
    with _errors():
        return LocalModel(Model(path, json.dumps(options)))


def _vector(row: memoryview) -> array[float]:
    vector = array("f")
    vector.frombytes(row)
    return vector


class _errors:  # noqa: N801  (a context manager by its use)
    """Turns the native part's refusals into honeyguide's exceptions, which are imported when there is one."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        if isinstance(error, ValueError) and str(error).startswith('{"'):
            from honeyguide.errors import from_wire

            raise from_wire(json.loads(str(error))) from None
