"""bm25s with its numpy backend, English stems and stop words; it has no change, so a change is a new index."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import bm25s
import Stemmer
from protocol import HITS, run, text_of


class Sparse:
    """One index of one text."""

    name = "bm25s"
    version = version("bm25s")

    def __init__(self) -> None:
        self.stemmer = Stemmer.Stemmer("english")
        self.texts: dict[str, str] = {}

    def prepare(self, tool: dict[str, Any]) -> tuple[str, str]:
        """Id and text."""
        return tool["id"], text_of(tool)

    def query(self, text: str) -> str:
        """The words."""
        return text

    def build(self, tools: list[tuple[str, str]]) -> None:
        """Registers the catalog."""
        self.texts.update(tools)
        self.index()

    def search(self, query: str) -> Any:
        """Places and scores."""
        tokens = self.tokens([query])
        return self.retriever.retrieve(tokens, k=min(HITS, len(self.texts)), show_progress=False)

    def update(self, tool: tuple[str, str]) -> None:
        """Registers one."""
        self.texts[tool[0]] = tool[1]
        self.index()

    def ids(self, hits: Any) -> list[str]:
        """The ids."""
        return [self.keys[place] for place in hits[0][0]]

    def index(self) -> None:
        """Builds the index anew."""
        self.keys = list(self.texts)
        self.retriever = bm25s.BM25()
        self.retriever.index(self.tokens(list(self.texts.values())), show_progress=False)

    def tokens(self, texts: list[str]) -> Any:
        """The stems of texts."""
        return bm25s.tokenize(texts, stopwords="en", stemmer=self.stemmer, show_progress=False)


if __name__ == "__main__":
    run(Sparse())
