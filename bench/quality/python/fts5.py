"""SQLite's FTS5 in memory with its Porter stemmer, a column for each field and its BM25, by the standard library."""

from __future__ import annotations

import re
import sqlite3

from protocol import FIELDS, HITS, Tool, run


class Fts5:
    """One table."""

    name = "SQLite FTS5"
    version = sqlite3.sqlite_version

    def build(self, tools: list[Tool]) -> None:
        """Registers the catalog."""
        self.database = sqlite3.connect(":memory:")
        columns = ", ".join(FIELDS)
        self.database.execute(f"CREATE VIRTUAL TABLE tools USING fts5(id UNINDEXED, {columns}, tokenize = 'porter')")
        marks = ", ".join("?" for _ in FIELDS)
        rows = [(tool.id, *tool.fields().values()) for tool in tools]
        self.database.executemany(f"INSERT INTO tools VALUES (?, {marks})", rows)

    def search(self, query: str) -> list[tuple[str, float | None]]:
        """Ids and scores of what has any of the words, each quoted."""
        words = dict.fromkeys(re.findall(r"\w+", query.lower()))
        if not words:
            return []
        sql = f"SELECT id, -rank FROM tools WHERE tools MATCH ? ORDER BY rank LIMIT {HITS}"
        return list(self.database.execute(sql, (" OR ".join(f'"{word}"' for word in words),)))


if __name__ == "__main__":
    run(Fts5())
