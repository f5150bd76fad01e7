"""What a failed operation raises: one base class, one subclass per category.

Knows nothing of operations. A program branches on `code`, never on the message. Imported with the first failure, or by
a program that names one.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

__all__ = [
    "HoneyguideError",
    "InternalError",
    "InvalidInputError",
    "NotFoundError",
    "StateError",
]


class HoneyguideError(Exception):
    """A failure with a stable `code`, its facts as `details`, and the `category` that the code belongs to."""

    category = "internal"

    def __init__(self, code: str, message: str, details: Mapping[str, Any] | None = None) -> None:
        # All arguments are handed on, so that a pickled error comes back whole.
        super().__init__(code, message, details)
        self.code = code
        self.message = message
        self.details: dict[str, Any] = dict(details or {})

    def __str__(self) -> str:
        return self.message


class InvalidInputError(HoneyguideError, ValueError):
    """The caller passed something wrong."""

    category = "invalid_input"


class NotFoundError(HoneyguideError, LookupError):
    """The caller named something that is not there, or may not be seen."""

    category = "not_found"


class StateError(HoneyguideError, RuntimeError):
    """The thing is there, but cannot be done now."""

    category = "state"


class InternalError(HoneyguideError, RuntimeError):
    """A bug in Honeyguide."""

    category = "internal"


_BY_CATEGORY = {kind.category: kind for kind in (InvalidInputError, NotFoundError, StateError, InternalError)}


def from_wire(error: Mapping[str, Any]) -> HoneyguideError:
    """The exception for an error of the engine."""
    kind = _BY_CATEGORY.get(error.get("category", ""), InternalError)
    return kind(error["code"], error["message"], error.get("details"))


def from_diagnostic(diagnostic: Mapping[str, Any]) -> HoneyguideError:
    """The exception for the one item that was given and refused."""
    details = {key: fact for key, fact in diagnostic.items() if key not in ("code", "message")}
    return InvalidInputError(diagnostic["code"], diagnostic["message"], details)
