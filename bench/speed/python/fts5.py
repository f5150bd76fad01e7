"""SQLite's FTS5 in memory with its Porter stemmer and its BM25, by the standard library."""

from __future__ import annotations

import re
import sqlite3
from typing import Any

from protocol import HITS, run, text_of


class Fts5:
    """One table of one text."""

    name = "SQLite FTS5"
    version = sqlite3.sqlite_version

    def __init__(self) -> None:
        self.rows: dict[str, int] = {}
        self.database = sqlite3.connect(":memory:")
        self.database.execute("CREATE VIRTUAL TABLE tools USING fts5(id UNINDEXED, text, tokenize = 'porter')")

    def prepare(self, tool: dict[str, Any]) -> tuple[str, str]:
        """Id and text."""
        return tool["id"], text_of(tool)

    def query(self, text: str) -> str:
        """Any of the words, without those that say nothing."""
        words = [word for word in re.findall(r"\w+", text.lower()) if word not in STOP]
        return " OR ".join(f'"{word}"' for word in words) or '""'

    def build(self, tools: list[tuple[str, str]]) -> None:
        """Registers the catalog."""
        for tool in tools:
            self.put(tool)
        self.database.commit()

    def search(self, query: str) -> list[Any]:
        """Ids and scores."""
        sql = f"SELECT id, rank FROM tools WHERE tools MATCH ? ORDER BY rank LIMIT {HITS}"
        return self.database.execute(sql, (query,)).fetchall()

    def update(self, tool: tuple[str, str]) -> None:
        """Registers one."""
        self.put(tool)
        self.database.commit()

    def ids(self, hits: list[Any]) -> list[str]:
        """The ids."""
        return [hit[0] for hit in hits]

    def put(self, tool: tuple[str, str]) -> None:
        """Replaces by id or adds."""
        row = self.rows.get(tool[0])
        if row is not None:
            self.database.execute("DELETE FROM tools WHERE rowid = ?", (row,))
        row = self.database.execute("INSERT INTO tools (id, text) VALUES (?, ?)", tool).lastrowid
        self.rows[tool[0]] = row or 0


STOP_WORDS = "the a of for to and in with from by on this that or is as at be it an i me we you can my are do please"
STOP = frozenset(STOP_WORDS.split())

if __name__ == "__main__":
    run(Fts5())
