"""Orders the best hits of a search anew, by what an application's own model or function makes of them.

Knows no ranking of the engine's; when the application's fails, the engine's order stays.
"""

from __future__ import annotations

from .errors import InvalidInputError, StateError
from .executor import Executor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .generated.client import EngineClient
    from .generated.types import Outcome, Page, SearchHit
    from .run import DoorName

__all__ = ["judge", "reranked_page", "top_of"]

# As many as a model for pairs of texts reads in the time below on one core.
_TOP, _TIMEOUT_MS, _MOST = 20, 2_000, 1_000


def top_of(rerank: Any) -> int:
    """How many hits are ordered anew; raises when it is no ranking."""
    if not callable(getattr(rerank, "rank", None)):
        raise InvalidInputError("invalid_request", "what orders hits anew has a method `rank`")
    top = getattr(rerank, "top", None)
    return min(top, _MOST) if isinstance(top, int) and top > 0 else _TOP


async def reranked_page(rerank: Any, engine: EngineClient, asked: Any) -> list[SearchHit]:
    """The page that a search asks for, cut after the best were ordered anew."""
    included = asked.get("include") or []
    asked.update(rerankTop=top_of(rerank), include=list(dict.fromkeys([*included, "description"])))
    found = engine.search(asked)
    page = await _reranked(rerank, asked["query"], found["hits"], found["page"])
    if "description" not in included:
        # What only the ordering needed goes.
        for hit in page:
            hit.pop("description", None)
    return page


async def _reranked(rerank: Any, query: str, hits: Sequence[SearchHit], page: Page) -> list[SearchHit]:
    """The page of these hits, the best of which come in the application's order; named hits stay in front."""
    named, wanted = page["named"], slice(page["first"], page["first"] + page["length"])
    best = list(hits[named : max(top_of(rerank), named)])
    if len(best) < 2:
        return list(hits[wanted])
    outcome = await judge(rerank, query, best)
    scores = outcome.get("scores")
    if scores is None:
        return list(hits[wanted])
    # Equal scores stay in the engine's order: sorting keeps it.
    places = sorted(range(len(best)), key=lambda place: -scores[place])
    ordered = [*hits[:named], *(best[place] for place in places), *hits[named + len(best) :]]
    for rank, hit in enumerate(ordered):
        hit["rank"] = rank
    return ordered[wanted]


async def judge(rerank: Any, query: str, hits: Sequence[Any], door: DoorName = "Waiting") -> Outcome:
    """What the application makes of hits: a number for each, or what became of that; then its listener hears why."""
    # Behind it stands `asyncio`, which is slow to import.
    from . import door as doors

    executor = Executor(rerank.rank, lambda best, query: ((query, best), {}))
    timeout_ms = getattr(rerank, "timeout_ms", None) or _TIMEOUT_MS
    # Copies: what the application does to them stays with it.
    shown: Any = [dict(hit) for hit in hits]
    opened: doors.Door = getattr(doors, door)()
    attempt = await opened.run(executor, shown, {"context": query, "tool_id": "rerank"}, timeout_ms)
    # A KeyboardInterrupt or SystemExit is meant for the program.
    if attempt.error is not None and not isinstance(attempt.error, Exception) and not attempt.aborted:
        raise attempt.error
    scores, failure = _scores(attempt, len(hits))
    if failure is None:
        return {"kind": "scores", "scores": scores}
    listener = getattr(rerank, "on_failure", None)
    if listener is not None:
        await _tell(listener, failure, opened)
    return {"kind": "error", "message": str(failure)}


async def _tell(listener: Any, failure: StateError, door: Any) -> None:
    """A listener's own failure is nobody's but its own."""
    try:
        told = listener(failure)
        if hasattr(told, "__await__"):

            async def wait(_: StateError) -> None:
                await told

            attempt = await door.run(Executor(wait), failure, {"context": None, "tool_id": "rerank"}, None)
            if attempt.error is not None:
                raise attempt.error
    except Exception as error:
        import warnings

        warnings.warn(f"a listener to a failed ranking failed: {error!r}", RuntimeWarning, stacklevel=2)


def _scores(attempt: Any, count: int) -> tuple[list[float], StateError | None]:
    stands = "the order of the engine stands"
    if attempt.timed_out:
        return [], StateError("timeout", f"{stands}: it took longer than it may")
    if attempt.error is not None:
        failure = StateError("tool_failed", f"{stands}: it failed with {attempt.error!r}")
        failure.__cause__ = attempt.error
        return [], failure
    from math import isfinite

    try:
        given = list(attempt.value)
        scores = [] if any(isinstance(score, str) for score in given) else [float(score) for score in given]
    except (TypeError, ValueError, OverflowError):
        scores = []
    if len(scores) == count and all(map(isfinite, scores)):
        return scores, None
    return [], StateError("tool_failed", f"{stands}: it gave no {count} finite numbers")
