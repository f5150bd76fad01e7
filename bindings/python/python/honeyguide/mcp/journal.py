"""What is worth knowing of a server, in words that give nothing away. Knows no state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .dial import is_garbage
from .fault import McpServerError, describe, is_header_fault
from .options import Diagnostic

__all__ = ["Journal"]

_MOST = 100
"""How many diagnostics are kept; whoever listens hears all."""


class Journal:
    """What is worth knowing of a server."""

    def __init__(
        self, server: str, listener: Callable[[Diagnostic], object] | None, redact: Callable[[str], str]
    ) -> None:
        self._server = server
        self._listener = listener
        self.redact = redact
        self._kept: list[Diagnostic] = []
        self._told_of_garbage = False

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What was told of late."""
        return list(self._kept)

    def tell(self, code: str, message: str, **more: Any) -> None:
        """Notes something, and says it to whoever listens."""
        diagnostic: Any = {"server": self._server, "code": code, "message": self.redact(message), **more}
        self._kept.append(diagnostic)
        del self._kept[:-_MOST]
        if self._listener is not None:
            self._listener(diagnostic)

    def complain(self, error: Exception) -> None:
        """Notes an error that the connection survived: once that the server writes what is no message."""
        if not is_garbage(error) or self._told_of_garbage:
            return
        self._told_of_garbage = True
        first = str(error).partition("\n")[0]
        self.tell("garbage", f"server `{self._server}` writes what is no message to its output: {first}")

    def words_of(self, thrown: BaseException, addition: str = "") -> str:
        """The words of an error, with the server's name in them."""
        said = describe(thrown)
        # Only our own words name the server: a server could write its name to speak in ours.
        named = isinstance(thrown, McpServerError) and f"`{self._server}`" in said
        return self.redact((said if named else f"server `{self._server}`: {said}") + addition)

    def harmless(self, thrown: BaseException) -> BaseException | None:
        """What was raised, unless it tells what must not be told."""
        if is_header_fault(thrown):
            return None
        words = f"{thrown} {describe(thrown)}"
        return thrown if self.redact(words) == words else None
