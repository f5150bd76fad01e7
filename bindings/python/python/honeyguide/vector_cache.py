"""A file of vectors that programs share: what one has embedded, no other embeds again. Knows no embedder.

A cache that fails is said once and left out: what it would have spared is embedded.
"""

from __future__ import annotations

import json

from . import _native
from .errors import HoneyguideError, from_wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from typing import Any

    from .run import DoorName

__all__ = ["VectorCache"]


class VectorCache:
    """The vectors of a file."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        from os import fspath

        self._path = fspath(path)
        self._failed = False

    async def read(self, model: Any, keys: Sequence[str], door: DoorName) -> list[dict[str, str]]:
        """The vectors of these texts that are there."""
        answer = await self._ask("readVectors", {"model": model, "keys": keys}, door)
        vectors: list[dict[str, str]] = answer["vectors"] if answer else []
        return vectors

    async def add(self, model: Any, vectors: Sequence[dict[str, str]], door: DoorName) -> None:
        """Adds vectors of texts that are not there yet."""
        if vectors:
            await self._ask("addVectors", {"model": model, "vectors": vectors}, door)

    async def _ask(self, operation: str, request: dict[str, Any], door: DoorName) -> Any:
        if self._failed:
            return None
        text = json.dumps({"path": self._path, **request})
        try:
            if door == "Blocking":
                answer = _native.call_files(operation, text)
            else:
                import asyncio

                # It may have to wait for another program.
                answer = await asyncio.to_thread(_native.call_files, operation, text)
            envelope = json.loads(answer)
            if "error" in envelope:
                raise from_wire(envelope["error"])
            return envelope["ok"]
        except (HoneyguideError, OSError) as error:
            import warnings

            self._failed = True
            warnings.warn(f"{error}; vectors are embedded without it", RuntimeWarning, stacklevel=2)
            return None
