"""Carries requests to the engine and answers back: JSON text both ways. Knows no operation and no default."""

from __future__ import annotations

from ._native import Engine
from .jsontext import parse, parse_from
from .refuse import Raw, Refused, write_request
from .request import camel, invalid_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .generated.client import EngineClient, Send
else:

    class EngineClient:
        """The engine's operations as methods. Only type checkers have a list of them: an import pays for none."""

        def __init__(self, send: Send) -> None:
            self._send = send

        def __getattr__(self, method: str) -> Any:
            if method.startswith("_"):
                raise AttributeError(method)
            send, operation = self._send, camel(method)

            def call(request: object) -> Any:
                return send(operation, request)

            # From now on it is found at once.
            setattr(self, method, call)
            return call


__all__ = ["EngineClient", "Transport", "read_step", "unwrap"]


class Transport:
    """One engine, spoken to in dicts."""

    __slots__ = ("native",)

    def __init__(self, options: dict[str, Any]) -> None:
        request = _write(options)
        try:
            self.native = Engine(request)
        except ValueError as refused:
            from .errors import from_wire

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


def unwrap(envelope: str) -> Any:
    """The response in an envelope, or the exception it stands for."""
    answer = parse(envelope)
    if "error" in answer:
        from .errors import from_wire

        raise from_wire(answer["error"])
    return answer["ok"]


def read_step(envelope: str) -> Any:
    """The step in an envelope, with the text of its `call` untouched: it goes back as it came."""
    step = unwrap(envelope)
    if "call" in step:
        # A quote inside a string is escaped, so the first `"call":` is the key. `call` precedes free data in a step.
        start = envelope.index('"call":') + len('"call":')
        step["call"] = Raw(envelope[start : parse_from(envelope, start)[1]])
    return step


def _write(request: Any) -> str:
    try:
        return write_request(request)
    except Refused as refused:
        raise invalid_json(refused) from None
