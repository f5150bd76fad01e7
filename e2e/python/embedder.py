"""The fixture embedder, as its file defines it: how many words of each direction a text has, and a rest.

Knows nothing of the package.
"""

from __future__ import annotations

import asyncio
from typing import Any

from .executors import FixtureError


class Embedder:
    """An embedder made from the fixture."""

    def __init__(self, fixture: dict[str, Any]) -> None:
        self.id: str = fixture["id"]
        self.revision: str = fixture["revision"]
        self.dimensions: int = fixture["dimensions"]
        self.scripts: list[str] = fixture["scripts"]
        self.languages: list[str] = fixture["languages"]
        self.timeout_ms: int = fixture["timeoutMs"]
        self._fixture = fixture

    async def embed(self, texts: list[str], _role: str) -> list[list[float]]:
        """One vector for each text, but where the fixture fails on purpose."""
        if any(self._fails(text, "throw") for text in texts):
            raise FixtureError("the fixture cannot embed this")
        if any(self._fails(text, "hang") for text in texts):
            await asyncio.Event().wait()
        if any(self._fails(text, "few") for text in texts):
            return []
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        if self._fails(text, "dimensions"):
            return [1.0]
        if self._fails(text, "zeros"):
            return [0.0] * self.dimensions
        lower = text.lower()
        counts = [float(sum(word in lower for word in words)) for words in self._fixture["directions"]]
        return [*counts, self._fixture["rest"]]

    def _fails(self, text: str, how: str) -> bool:
        return any(kind == how and word in text for word, kind in self._fixture["failures"].items())
