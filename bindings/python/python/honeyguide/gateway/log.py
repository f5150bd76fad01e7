"""What the person who runs the gateway reads: lines on the standard error. Knows nothing of what they say."""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from .harmless import cut, on_one_line

__all__ = ["Log", "Loudness"]

Loudness: TypeAlias = Literal["quiet", "normal", "verbose"]


_LONGEST = 2000
"""How many characters a line has at the most: a name that a model wrote may be as long as it likes."""


class Log:
    """Writes lines, each one line whatever is in it."""

    def __init__(self, loudness: Loudness = "normal") -> None:
        self._loudness = loudness

    def fault(self, message: str) -> None:
        """What keeps something from working; always said."""
        self._write(message)

    def note(self, message: str) -> None:
        """What is worth knowing; not said when quiet."""
        if self._loudness != "quiet":
            self._write(message)

    def detail(self, message: str) -> None:
        """What helps to find a fault; said when verbose."""
        if self._loudness == "verbose":
            self._write(message)

    def take_over(self, redact: Callable[[str], str]) -> None:
        """Takes what libraries log and warn of: details, in the same form, without what must not be told."""
        log = self

        class _Lines(logging.Handler):
            def emit(self, record: logging.LogRecord) -> None:
                log.detail(redact(f"{record.name}: {record.getMessage()}"))

        logging.basicConfig(handlers=[_Lines()], level=logging.WARNING, force=True)

        def show(message: Any, category: type[Warning], *_: Any, **__: Any) -> None:
            log.detail(redact(f"{category.__name__}: {message}"))

        warnings.showwarning = show

    def _write(self, message: str) -> None:
        try:
            sys.stderr.write(f"honeyguide: {cut(on_one_line(message), _LONGEST, lambda _: '…')}\n")
            sys.stderr.flush()
        except (OSError, ValueError):
            pass  # Nobody reads it any more, which is no reason to stop.
