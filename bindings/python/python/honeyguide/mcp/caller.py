"""Who calls a server's tool: hears of this one call, and of no other. Knows no server and no catalog."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["Caller"]


class Caller:
    """Given as the `context` of a call, hears what becomes of it.

    Several calls of one tool at once each have their own.
    """

    def __init__(self, on_progress: Callable[[Mapping[str, Any]], object] | None = None) -> None:
        self.on_progress = on_progress
        """Hears `progress`, `total` and `message`, on the event loop of the server."""
        self.result: Any = None
        """What the server said, once it has; with `hg.call`, tells it from a reply of Honeyguide's own."""
