"""Keeps processes, and both languages, from changing the same thing at once; outlives no crash.

A lock is a directory that says whose it is: made beside its place and renamed into it, which succeeds for one only.
`e2e/oauth/README.md` says it step by step, for both languages. Knows nothing of what it protects.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import platform
import random
import re
import secrets
import shutil
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from .fault import SignInError

__all__ = ["Lock", "held"]

_STALE = 120.0
"""After how many seconds a lock is nobody's: no one holds one longer than 60."""
_FORGOTTEN = 3600.0
_SHORTEST_WAIT, _LONGEST_WAIT = 0.02, 0.05
_OWNER = "owner"
_NONCE = re.compile("[0-9a-f]{16}")


class Lock:
    """One try after the other to take a lock."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._nonce = secrets.token_hex(8)

    def attempt(self) -> bool:
        """Takes the lock if it is free, or left behind by who is gone."""
        return self._take() or (self._take_over() and self._take())

    def is_held(self) -> bool:
        """Whether it is still ours: whoever slept for long may have lost it."""
        return _owner_of(self._place).get("nonce") == self._nonce

    def release(self) -> None:
        """Gives it back, if it is still ours."""
        if self.is_held():
            with contextlib.suppress(OSError):
                self._place.rename(self._beside(self._nonce, ".done"))
            shutil.rmtree(self._beside(self._nonce, ".done"), ignore_errors=True)

    def _take(self) -> bool:
        made = self._beside(self._nonce, "")
        made.mkdir(mode=0o700, exist_ok=True)
        owner = {"pid": os.getpid(), "host": platform.node(), "nonce": self._nonce}
        (made / _OWNER).write_text(json.dumps(owner), encoding="utf-8")
        try:
            # Onto a directory that holds something this fails.
            made.rename(self._place)
        except OSError:
            shutil.rmtree(made, ignore_errors=True)
            return False
        return True

    def _take_over(self) -> bool:
        """Moves away a lock that is nobody's. Where it goes is named for its owner, and taken from then on."""
        owner = _owner_of(self._place)
        if not _is_gone(self._place, owner):
            return False
        # Of one whose owner cannot be read, nobody knows the number.
        nonce = owner.get("nonce", secrets.token_hex(8))
        try:
            self._place.rename(self._beside(nonce, ".gone"))
        except OSError:
            return False
        self._forget()
        return True

    def _forget(self) -> None:
        """Removes what was left behind long ago."""
        for left in self._place.parent.glob(f"{self._place.name}.*"):
            with contextlib.suppress(OSError):
                if time.time() - left.stat().st_mtime > _FORGOTTEN:
                    shutil.rmtree(left)

    def _beside(self, nonce: str, kind: str) -> Path:
        return self._place.with_name(f"{self._place.name}.{nonce}{kind}")


@contextlib.asynccontextmanager
async def held(
    place: Path, patience: float, overdue: SignInError, is_needless: Callable[[], bool] | None = None
) -> AsyncIterator[Lock | None]:
    """Holds a lock, which is waited for so many seconds; nothing, once it is needless."""
    lock, began = Lock(place), time.monotonic()
    while not _attempt(lock, place):
        if is_needless is not None and is_needless():
            yield None
            return
        if time.monotonic() - began > patience:
            raise overdue
        await asyncio.sleep(random.uniform(_SHORTEST_WAIT, _LONGEST_WAIT))
    try:
        yield lock
    finally:
        lock.release()


def _attempt(lock: Lock, place: Path) -> bool:
    try:
        return lock.attempt()
    except OSError as error:
        raise SignInError("store_unusable", f"credentials folder `{place.parent}`: {error.strerror}") from None


def _owner_of(place: Path) -> dict[str, Any]:
    """Whose a lock is, as far as that can be read."""
    try:
        said = json.loads((place / _OWNER).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    is_sound = isinstance(said, dict) and isinstance(said.get("pid"), int) and _NONCE.fullmatch(str(said.get("nonce")))
    return said if is_sound else {}


def _is_gone(place: Path, owner: dict[str, Any]) -> bool:
    if owner and owner.get("host") == platform.node() and not _lives(owner["pid"]):
        return True
    try:
        written = (place / _OWNER if owner else place).stat().st_mtime
    except OSError:
        return False
    return time.time() - written > _STALE


def _lives(pid: int) -> bool:
    # On Windows the same call would end the process.
    if sys.platform == "win32" or pid <= 0:
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        pass  # It is another user's.
    return True
