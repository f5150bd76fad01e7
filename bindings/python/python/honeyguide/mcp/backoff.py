"""How long to wait before a server is dialled again: ever longer, up to a cap, and never all at the same moment."""

from __future__ import annotations

from typing import NamedTuple

from .clock import Clock

__all__ = ["Backoff", "delay_after"]


class Backoff(NamedTuple):
    """Delays in milliseconds."""

    base_ms: float = 1000
    """Before the first attempt; each later one waits twice as long."""
    cap_ms: float = 120_000
    """The longest; jitter comes on top."""
    healthy_ms: float = 30_000
    """A connection that lived this long starts over at the base."""


def delay_after(failures: int, backoff: Backoff, clock: Clock) -> float:
    """The delay after so many failed attempts in a row: up to half longer by chance, never shorter than promised."""
    delay: float = min(backoff.cap_ms, backoff.base_ms * 2.0 ** min(failures, 30))
    return delay * (1 + clock.random() / 2)
