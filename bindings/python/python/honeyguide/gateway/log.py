"""What the person who runs the gateway reads: lines on the standard error. Knows nothing of what they say."""

from __future__ import annotations

import contextlib
import logging
import queue
import sys
import threading
import warnings
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from .harmless import cut, on_one_line

__all__ = ["Log", "Loudness"]

Loudness: TypeAlias = Literal["quiet", "normal", "verbose"]


_LONGEST = 2000
"""How many characters a line has at the most: a name that a model wrote may be as long as it likes."""

_MOST_WAITING = 1000
"""How many lines wait for whoever does not read; later ones are lost."""
_PATIENCE = 1.0
"""For how many seconds they are waited for at the end."""


class Log:
    """Writes lines, each one line whatever is in it."""

    def __init__(self, loudness: Loudness = "normal") -> None:
        self._loudness = loudness
        self._lines: queue.SimpleQueue[str | None] | None = None
        self._writer: threading.Thread | None = None

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

    def whole(self, message: str) -> None:
        """What is of no use when it is cut, such as an address; always said."""
        self._write(message, longest=len(message))

    def take_over(self, redact: Callable[[str], str]) -> None:
        """Takes what libraries log and warn of: details, in the same form, without what must not be told."""
        # A client may not read what it is told: whoever serves it does not wait for that.
        self._lines = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write_all, args=(self._lines,), daemon=True, name="stderr")
        self._writer.start()
        log = self

        class _Lines(logging.Handler):
            def emit(self, record: logging.LogRecord) -> None:
                log.detail(redact(f"{record.name}: {record.getMessage()}"))

        logging.basicConfig(handlers=[_Lines()], level=logging.WARNING, force=True)

        def show(message: Any, category: type[Warning], *_: Any, **__: Any) -> None:
            log.detail(redact(f"{category.__name__}: {message}"))

        warnings.showwarning = show

    def end(self) -> None:
        """Waits a moment until all is written."""
        if self._lines is not None and self._writer is not None:
            self._lines.put(None)
            self._writer.join(_PATIENCE)

    def _write(self, message: str, longest: int = _LONGEST) -> None:
        line = f"honeyguide: {cut(on_one_line(message), longest, lambda _: '…')}\n"
        if self._lines is None:
            _write_line(line)
        elif self._lines.qsize() < _MOST_WAITING:
            self._lines.put(line)

    def _write_all(self, lines: queue.SimpleQueue[str | None]) -> None:
        while (line := lines.get()) is not None:
            _write_line(line)


def _write_line(line: str) -> None:
    # Nobody may read it any more, which is no reason to stop.
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(line)
        sys.stderr.flush()
