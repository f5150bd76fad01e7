"""bm25s with its default tokeniser (lower case, English stop words); with `stem`, also the stemmer of its examples."""

from __future__ import annotations

import sys
from importlib.metadata import version
from typing import Any

import bm25s
import Stemmer
from protocol import HITS, Tool, run


class Sparse:
    """One index of one text."""

    name = "bm25s"
    version = version("bm25s")

    def __init__(self, stem: bool) -> None:
        self.stemmer = Stemmer.Stemmer("english") if stem else None

    def build(self, tools: list[Tool]) -> None:
        """Registers the catalog."""
        self.ids = [tool.id for tool in tools]
        self.index = bm25s.BM25()
        self.index.index(self.tokens([tool.text() for tool in tools]), show_progress=False)

    def search(self, query: str) -> list[tuple[str, float | None]]:
        """Ids and scores; what has no word of the query scores 0 and is no hit."""
        tokens = self.tokens([query])
        places, scores = self.index.retrieve(tokens, k=min(HITS, len(self.ids)), show_progress=False)
        hits = zip(places[0], scores[0], strict=True)
        return [(self.ids[place], float(score)) for place, score in hits if score > 0]

    def tokens(self, texts: list[str]) -> Any:
        """The words of texts."""
        return bm25s.tokenize(texts, stemmer=self.stemmer, show_progress=False)


if __name__ == "__main__":
    run(Sparse("stem" in sys.argv[3:]))
