from typing import final

__all__ = ["Engine", "call_files", "write_plain"]

def call_files(operation: str, request: str) -> str:
    """Answers one operation on a shared file; other Python threads run meanwhile."""

def write_plain(value: object) -> str | None:
    """A plain value as JSON text; None when it is not plain."""

@final
class Engine:
    """The engine. Every method may be called from any thread."""

    def __new__(cls, options: str) -> Engine:
        """Opens an engine; a refusal is a `ValueError` whose text is the error's JSON."""

    def call(self, operation: str, request: str) -> str:
        """Answers one operation; other Python threads run meanwhile."""

    def save(self) -> bytes:
        """The whole state as bytes."""

    def load(self, snapshot: bytes) -> str:
        """Takes over a saved state."""

    def after_fork(self) -> None:
        """Frees what a vanished thread may have held; called in the child of a fork."""
