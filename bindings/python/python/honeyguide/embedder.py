"""What embeds texts, as an application brings it, and its vectors. Knows nothing of searches and steps."""

from __future__ import annotations

import sys

from .errors import InvalidInputError, StateError
from .executor import Executor
from .refuse import printable
from .run import Attempt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .run import DoorName

__all__ = ["about_embedder", "embed", "failed"]

_QUERY_TIMEOUT_MS = 10_000
# Lists of what a model knows; all where one is absent.
_KNOWN = ("scripts", "languages")


def about_embedder(embedder: Any) -> dict[str, Any]:
    """What the engine is to know of an embedder; raises when it is none."""
    if not callable(getattr(embedder, "embed", None)):
        message = "an embedder has a method `embed` beside its `id` and `dimensions`"
        raise InvalidInputError("invalid_request", message)
    about = {name: getattr(embedder, name, None) for name in ("id", "revision", "dimensions", *_KNOWN)}
    # A string is left as it is, for the engine to refuse: it is no list of letters.
    about |= {name: list(said) for name in _KNOWN if (said := about[name]) is not None and not isinstance(said, str)}
    return {name: said for name, said in about.items() if said is not None}


async def embed(embedder: Any, texts: list[str], role: str, door: DoorName) -> Attempt:
    """Embeds texts: vectors as the engine reads them, or what went wrong. A query's time is bounded."""
    # Behind it stands `asyncio`, which is slow to import.
    from . import door as doors

    executor = Executor(embedder.embed, lambda texts, role: ((texts, role), {}))
    timeout_ms = None
    if role == "query":
        timeout_ms = getattr(embedder, "timeout_ms", None) or _QUERY_TIMEOUT_MS
    opened: doors.Door = getattr(doors, door)()
    attempt = await opened.run(executor, texts, {"context": role, "tool_id": "embed"}, timeout_ms)
    if attempt.timed_out or attempt.aborted:
        return attempt
    if attempt.error is not None:
        # A KeyboardInterrupt or SystemExit is meant for the program.
        if not isinstance(attempt.error, Exception):
            raise attempt.error
        return Attempt(error=failed(f"it failed with {_said(attempt.error)}", attempt.error))
    try:
        vectors = _numbers(attempt.value, len(texts))
        if role == "query":
            # Of texts each vector is judged alone, by the engine; a query has but one.
            for vector in vectors:
                _must_fit(vector, embedder.dimensions)
        return Attempt([_text(vector) for vector in vectors])
    except StateError as error:
        return Attempt(error=error)


def failed(what: str, cause: BaseException | None = None) -> StateError:
    """The exception for an embedder that gave no vectors."""
    error = StateError("embedding_failed", f"the embedder gave no vectors: {what}")
    error.__cause__ = cause
    return error


def _numbers(vectors: Any, count: int) -> list[Any]:
    from array import array

    if isinstance(vectors, str | bytes | dict) or not hasattr(vectors, "__iter__"):
        raise failed("what it gave is no list of vectors")
    listed = list(vectors)
    if len(listed) != count:
        raise failed(f"it gave {len(listed)} vectors for {count} texts")
    try:
        return [array("f", vector) for vector in listed]
    except (TypeError, ValueError, OverflowError) as cause:
        raise failed("one of its vectors is no list of numbers", cause) from cause


def _must_fit(vector: Any, dimensions: int) -> None:
    from math import isfinite

    if len(vector) != dimensions:
        raise failed(f"it gave {len(vector)} numbers where its model has {dimensions} dimensions")
    if not all(isfinite(number) for number in vector):
        raise failed("it gave a number that is not finite")
    if not any(vector):
        raise failed("it gave a vector of zeros")


def _text(vector: Any) -> str:
    """Base64 of little-endian 32-bit floats."""
    from binascii import b2a_base64

    if sys.byteorder == "big":
        vector.byteswap()
    return b2a_base64(vector.tobytes(), newline=False).decode()


def _said(error: BaseException) -> str:
    try:
        return printable(str(error)) or type(error).__name__
    except Exception:
        return type(error).__name__
