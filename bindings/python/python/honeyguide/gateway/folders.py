"""The folders of skills of the gateway: read at the start, and looked at again while it runs. Knows no server."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence

from ..client import Honeyguide
from .log import Log

__all__ = ["Folders", "fault_of_folder"]

_FRESH_ENOUGH = 1.0
"""For how many seconds nobody looks again."""
_PATIENCE = 0.25
"""For how many seconds that is waited for; what a large folder has anew is found by the next search."""


def fault_of_folder(path: str) -> str | None:
    """Why a folder of skills cannot be read, if it cannot."""
    if os.path.isdir(path):
        return None
    return f"skills: `{path}`: {'it is no folder' if os.path.exists(path) else 'there is no such folder'}"


class Folders:
    """Folders of skills."""

    def __init__(self, hg: Honeyguide, paths: Sequence[str], log: Log) -> None:
        self._hg = hg
        self._paths = paths
        self._log = log
        self._first: asyncio.Task[None] | None = None
        self._again: asyncio.Task[None] | None = None
        self._told: set[str] = set()
        self._looked = 0.0

    def start(self) -> None:
        """Begins to read, and does not wait."""
        if self._paths:
            self._first = asyncio.create_task(asyncio.to_thread(self._load))

    async def fresh(self) -> None:
        """Waits until all folders were read once, and for a moment until they were looked at again."""
        if self._first is None:
            return
        loop = asyncio.get_running_loop()
        if not self._first.done():
            await asyncio.shield(self._first)
            self._looked = loop.time()
        if (self._again is None or self._again.done()) and loop.time() - self._looked > _FRESH_ENOUGH:
            self._looked = loop.time()
            self._again = asyncio.create_task(asyncio.to_thread(self._look_again))
        if self._again is not None:
            await asyncio.wait({self._again}, timeout=_PATIENCE)

    def _load(self) -> None:
        for path in self._paths:
            if (fault := fault_of_folder(path)) is not None:
                self._log.note(fault)
                continue
            try:
                self._hg.skills.load_folder(path, discover=False)
            except Exception as thrown:
                self._log.note(f"skills: `{path}`: {thrown}")
        self._tell()

    def _look_again(self) -> None:
        try:
            self._hg.skills.refresh()
        except Exception as thrown:
            self._log.note(f"skills: {thrown}")
        self._tell()

    def _tell(self) -> None:
        """Says what is wrong with the folders, each thing once."""
        for found in self._hg.skills.diagnostics():
            place = ":".join(str(part) for part in (found.get("file"), found.get("line")) if part is not None)
            said = f"skills: {place}: {found['message']}" if place else f"skills: {found['message']}"
            if said not in self._told:
                self._told.add(said)
                (self._log.note if found["severity"] == "error" else self._log.detail)(said)
