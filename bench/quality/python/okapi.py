"""rank_bm25's BM25Okapi. It has no tokeniser: words are cut at spaces, as its documentation does, in lower case."""

from __future__ import annotations

from importlib.metadata import version

import numpy as np
from protocol import HITS, Tool, run
from rank_bm25 import BM25Okapi


class Okapi:
    """One index of one text."""

    name = "rank_bm25"
    version = version("rank-bm25")

    def build(self, tools: list[Tool]) -> None:
        """Registers the catalog."""
        self.ids = [tool.id for tool in tools]
        self.index = BM25Okapi([tool.text().lower().split() for tool in tools])

    def search(self, query: str) -> list[tuple[str, float | None]]:
        """Ids and scores; a score may be negative here, but one of 0 is no hit."""
        scores = self.index.get_scores(query.lower().split())
        best = np.argsort(-scores, kind="stable")[:HITS]
        return [(self.ids[place], float(scores[place])) for place in best if scores[place] != 0]


if __name__ == "__main__":
    run(Okapi())
