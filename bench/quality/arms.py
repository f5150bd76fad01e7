"""What was tried to make the arm of meaning better before words and meaning are put together; used by `fusions.py`.

Nothing here reads an answer, and none of it is in the engine: but for the last, no row is better than plain cosines,
and that one shows on two sets only, for reasons that docs/semantic.md doubts. Needs only what a `Case` has.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from quality.fusions import Case

    Formula = Callable[[Case], Any]

# How many of the best, or nearest, and how far something goes to them.
BEST, NEAREST, STEP = 5, 3, 0.2


def formulas(ours: Callable[..., Any], weight: float) -> dict[str, Formula]:
    """Each by what the table calls it; `ours` is the engine's formula, `weight` what a deviation is worth in it."""
    found: dict[str, Formula] = {
        "mean vector taken off": lambda case: ours(
            case, cosines=case.queries @ case.unit(case.texts - case.texts.mean(0)).T
        ),
        "query moved to its five best": lambda case: ours(case, cosines=moved(case, ours)),
        "texts moved to their neighbours": lambda case: ours(case, cosines=case.queries @ smoothed(case).T),
        "words of neighbours added": lambda case: ours(case) + STEP / 2 * of_nearest(case, case.words),
        "whitened": lambda case: ours(case, cosines=whitened(case)),
        "servers' mean beside": lambda case: of_servers(case, ours(case)),
    }
    for directions in (1, 3):
        found[f"{directions} first directions taken off"] = partial(
            lambda directions, case: ours(case, cosines=without_first(case, directions)), directions
        )
    for share in (0.1, 0.3):
        found[f"{share} of the nearness to others taken off"] = partial(
            lambda share, case: ours(case, cosines=less_hubs(case, share)), share
        )
    return found


def near(case: Case) -> Any:
    """Similarities of the texts to each other, none to itself."""
    similar = case.texts @ case.texts.T
    case.np.fill_diagonal(similar, -1)
    return similar


def moved(case: Case, ours: Callable[..., Any]) -> Any:
    """Rocchio: the query's vector goes a fifth of the way to its best hits."""
    best = case.np.argsort(-ours(case), 1)[:, :BEST]
    return case.unit(case.queries + STEP * case.texts[best].mean(1)) @ case.texts.T


def smoothed(case: Case) -> Any:
    """Every text's vector goes a fifth of the way to those of its three nearest."""
    nearest = case.np.argsort(-near(case), 1)[:, :NEAREST]
    return case.unit(case.texts + STEP * case.texts[nearest].mean(1))


def of_nearest(case: Case, scores: Any) -> Any:
    """The score of the document that is nearest to each."""
    return scores[:, near(case).argmax(1)]


def whitened(case: Case) -> Any:
    """All directions of a catalog alike, the strong ones shrunk towards the mean of all."""
    np = case.np
    mean = case.texts.mean(0)
    values, directions = np.linalg.eigh(np.cov((case.texts - mean).T))
    scale = (directions / np.sqrt(values.clip(0) + 3 * values.mean())) @ directions.T
    return case.unit((case.queries - mean) @ scale) @ case.unit((case.texts - mean) @ scale).T


def without_first(case: Case, directions: int) -> Any:
    """All but the top (Mu, Viswanath, 2018): without the mean and the directions in which texts differ most."""
    mean = case.texts.mean(0)
    first = case.np.linalg.svd(case.texts - mean, full_matrices=False)[2][:directions]
    texts, queries = (values - mean for values in (case.texts, case.queries))
    return case.unit(queries - queries @ first.T @ first) @ case.unit(texts - texts @ first.T @ first).T


def less_hubs(case: Case, share: float) -> Any:
    """Cross-domain similarity (Conneau et al., 2018): a text that is near to many others is less near to a query."""
    nearest = case.np.sort(near(case), 1)[:, -10:].mean(1)
    return case.cosines - share * nearest


def of_servers(case: Case, scores: Any) -> Any:
    """A third of a score comes from the others of the server; a tool without a server stands for itself."""
    np = case.np
    if not any(case.servers):
        return scores
    positive = np.maximum(scores, 0)
    means = positive.copy()
    for server in {server for server in case.servers if server}:
        same = np.array([other == server for other in case.servers])
        means[:, same] = 2 * positive[:, same].sum(1, keepdims=True) / (same.sum() + 1)
    return np.where(scores > 0, (2 * scores + means) / 3, scores)
