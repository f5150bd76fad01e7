"""tantivy's Python package in memory, with a field for each text and its default tokeniser: lower case, no stems."""

from __future__ import annotations

import re
from importlib.metadata import version

import tantivy
from protocol import FIELDS, HITS, Tool, run


class Inverted:
    """One index."""

    name = "tantivy"
    version = version("tantivy")

    def build(self, tools: list[Tool]) -> None:
        """Registers the catalog."""
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("id", stored=True, tokenizer_name="raw")
        for field in FIELDS:
            builder.add_text_field(field)
        self.index = tantivy.Index(builder.build())
        writer = self.index.writer(num_threads=1)
        for tool in tools:
            writer.add_document(tantivy.Document(id=tool.id, **tool.fields()))
        writer.commit()
        self.index.reload()
        self.searcher = self.index.searcher()

    def search(self, query: str) -> list[tuple[str, float | None]]:
        """Ids and scores of what has any of the words; signs that its query language reads are left out."""
        words = re.findall(r"\w+", query.lower())
        parsed = self.index.parse_query(" ".join(words), list(FIELDS))
        hits = self.searcher.search(parsed, HITS).hits
        return [(self.searcher.doc(address)["id"][0], float(score)) for score, address in hits]


if __name__ == "__main__":
    run(Inverted())
