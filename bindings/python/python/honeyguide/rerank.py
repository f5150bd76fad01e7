"""Orders the best hits of a search anew, by what an application's own model or function makes of them.

Knows no ranking of the engine's; when the application's fails, the engine's order stays.
"""

from __future__ import annotations

from .errors import StateError
from .executor import Executor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .generated.types import SearchHit

__all__ = ["hits_for", "reranked"]

# As many as a model for pairs of texts reads in the time below on one core.
_TOP, _TIMEOUT_MS, _MOST = 20, 2_000, 1_000


def hits_for(rerank: Any, offset: int, top_k: int) -> int:
    """How many hits there must be for a page behind `offset`, and for ordering the best anew."""
    return min(max(_top(rerank), offset + top_k), _MOST)


async def reranked(rerank: Any, query: str, hits: Sequence[SearchHit]) -> list[SearchHit]:
    """The hits, the best of them in the application's order; named hits stay in front."""
    # Behind it stands `asyncio`, which is slow to import.
    from .door import Waiting

    named = sum(1 for hit in hits if hit.get("explanation", {}).get("named"))
    best = list(hits[named : max(_top(rerank), named)])
    if len(best) < 2:
        return list(hits)
    executor = Executor(rerank.rank, lambda best, query: ((query, best), {}))
    timeout_ms = getattr(rerank, "timeout_ms", None) or _TIMEOUT_MS
    # Copies: what the application does to them stays with it.
    shown: Any = [dict(hit) for hit in best]
    attempt = await Waiting().run(executor, shown, {"context": query, "tool_id": "rerank"}, timeout_ms)
    if attempt.error is not None and not isinstance(attempt.error, Exception):
        raise attempt.error
    scores, failure = _scores(attempt, len(best))
    if failure is not None:
        await _tell(getattr(rerank, "on_failure", None), failure)
        return list(hits)
    # Equal scores stay in the engine's order: sorting keeps it.
    places = sorted(range(len(best)), key=lambda place: -scores[place])
    ordered = [*hits[:named], *(best[place] for place in places), *hits[named + len(best) :]]
    return [{**hit, "rank": rank} for rank, hit in enumerate(ordered)]


def _top(rerank: Any) -> int:
    top = getattr(rerank, "top", None)
    return top if isinstance(top, int) and top > 0 else _TOP


async def _tell(listener: Any, failure: StateError) -> None:
    """A listener's own failure is nobody's but its own."""
    if listener is None:
        return
    try:
        told = listener(failure)
        if hasattr(told, "__await__"):
            await told
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
