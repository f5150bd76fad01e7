"""Carries requests to the engine and answers back: JSON text both ways. Knows no operation and no default."""

from __future__ import annotations

from ._native import Engine
from .errors import InvalidInputError, from_wire, unwrap
from .jsontext import parse
from .refuse import Refused, write_request
from .request import invalid_json
from .run import read_step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Transport"]


class Transport:
    """One engine, spoken to in dicts."""

    __slots__ = ("native",)

    def __init__(self, options: dict[str, Any]) -> None:
        try:
            self.native = Engine(_write(options))
        except InvalidInputError:
            raise
        except ValueError as refused:
            # The engine writes what is wrong as JSON into the one text that a constructor can raise.
            raise from_wire(parse(str(refused))) from None

    def send(self, operation: str, request: object, /) -> Any:
        """Answers one operation, or raises what the envelope says."""
        return unwrap(self.native.call(operation, _write(request)))

    def send_step(self, operation: str, request: object, /) -> Any:
        """The same for an operation that answers with a step: its `call` stays text."""
        return read_step(self.native.call(operation, _write(request)))

    def load(self, snapshot: bytes) -> None:
        """Takes saved definitions in place of the present ones."""
        unwrap(self.native.load(snapshot))


def _write(request: Any) -> str:
    try:
        return write_request(request)
    except Refused as refused:
        raise invalid_json(refused) from None
