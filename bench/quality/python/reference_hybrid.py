"""The reference's hybrid, computed by us: reciprocal ranks over its own BM25 ranking and over the bench's vectors.

As it does it: both arms cut at depth 100, 1 / (60 + rank) with ranks from 0, ties by id. Its own hybrid would embed
with a model of its own; with the same model as ours, what differs is the ranking. The arguments say whose texts the
vectors are of: ours, or those that it would embed itself.
"""

from __future__ import annotations

import sys

import numpy as np
from protocol import HITS, Tool, lines, run
from reference import Reference

DEPTH, SHIFT = 100, 60
DIMENSIONS = 384


class Hybrid(Reference):
    """Its catalog, and cosines."""

    name = "ratel-ai, hybrid"

    def build(self, tools: list[Tool]) -> None:
        """Registers the catalog, and reads the vectors of its texts and of the queries."""
        super().build(tools)
        self.ids = [tool.id for tool in tools]
        queries_path, *vectors = sys.argv[2:5]
        texts, asked = (np.fromfile(path, "<f4").reshape(-1, DIMENSIONS) for path in vectors)
        queries = [line["query"] for line in lines(queries_path)]
        if (len(texts), len(asked)) != (len(tools), len(queries)):
            raise SystemExit(f"{len(texts)} and {len(asked)} vectors for {len(tools)} tools and {len(queries)} queries")
        self.texts, self.asked = texts, dict(zip(queries, asked, strict=True))

    def search(self, query: str) -> list[tuple[str, float | None]]:
        """Ids and sums of reciprocal ranks."""
        words = [getattr(hit, "tool_id", None) or hit.skill_id for hit in self.catalog.search(query, DEPTH)]
        cosines = self.texts @ self.asked[query]
        meanings = [self.ids[place] for place in np.argsort(-cosines, kind="stable")[:DEPTH]]
        sums: dict[str, float] = {}
        for arm in (words, meanings):
            for rank, found in enumerate(arm):
                sums[found] = sums.get(found, 0.0) + 1 / (SHIFT + rank)
        best = sorted(sums, key=lambda found: (-sums[found], found))
        return [(found, sums[found]) for found in best[:HITS]]


if __name__ == "__main__":
    run(Hybrid())
