"""The time as this package asks for it, so that a test can hold it. Knows no server."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from typing import Protocol

__all__ = ["Clock", "SystemClock"]


class Clock(Protocol):
    """The present, a later moment, and chance."""

    def now(self) -> float:
        """Milliseconds that only grow."""

    def after(self, milliseconds: float, run: Callable[[], object]) -> Callable[[], object]:
        """Runs something later on the event loop, once; answers how to call it off."""

    def random(self) -> float:
        """A number from 0 up to 1."""


class SystemClock:
    """The system's time."""

    def now(self) -> float:
        """Milliseconds that only grow."""
        return time.monotonic() * 1000

    def after(self, milliseconds: float, run: Callable[[], object]) -> Callable[[], object]:
        """Runs something later on the event loop, once; answers how to call it off."""
        return asyncio.get_running_loop().call_later(milliseconds / 1000, run).cancel

    def random(self) -> float:
        """A number from 0 up to 1."""
        return random.random()
