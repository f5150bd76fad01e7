"""What can go wrong with a server, told apart by what helps against it. Knows no state and no timer."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED, PARSE_ERROR

__all__ = ["SAID", "FaultKind", "McpServerError", "StatusError", "describe", "is_header_fault", "kind_of", "number_of"]

FaultKind: TypeAlias = Literal[
    "lost", "needs_auth", "rate_limited", "timeout", "unavailable", "refused", "unusable", "failed"
]
"""What went wrong.

`lost`: the connection or its session is gone. `needs_auth`: only other credentials help. `rate_limited`: the server
asked to be left alone. `timeout`: silence, or the hard maximum. `unavailable`: there is no connection now. `refused`:
the server answered with a JSON-RPC error. `unusable`: it cannot be started, or speaks no MCP. `failed`: anything else.
"""


class McpServerError(Exception):
    """What went wrong with an MCP server.

    `details` names the `server`, and where there is one the `tool`, the JSON-RPC or HTTP `code`, `elapsed_ms`, and
    whether the same call may succeed later (`retryable`).
    """

    def __init__(self, message: str, kind: FaultKind, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind
        self.details = details


class StatusError(Exception):
    """An HTTP status that stands behind an error of the official package, which does not tell it."""

    def __init__(self, status: int, cause: BaseException) -> None:
        super().__init__(f"HTTP {status}: {describe(cause)}")
        self.status = status
        self.__cause__ = cause


def kind_of(thrown: BaseException) -> FaultKind:
    """Tells the errors of the official package apart."""
    if isinstance(thrown, McpServerError):
        return thrown.kind
    if is_header_fault(thrown):
        return "unusable"
    if isinstance(thrown, StatusError):
        return _OF_STATUS.get(thrown.status, "failed")
    if isinstance(thrown, MCPError):
        if thrown.code == CONNECTION_CLOSED or "Session terminated" in thrown.message:
            return "lost"
        # The official package says so itself when what came is no JSON.
        return "failed" if thrown.code == PARSE_ERROR else "refused"
    grouped = getattr(thrown, "exceptions", None)
    if grouped:
        return kind_of(grouped[0])
    if isinstance(thrown, OSError) or type(thrown).__name__ in _NETWORK:
        return "lost"
    return "failed"


def number_of(thrown: BaseException) -> int | None:
    """The number that says what went wrong: an HTTP status or a JSON-RPC code."""
    if isinstance(thrown, StatusError):
        return thrown.status
    return thrown.code if isinstance(thrown, MCPError) else None


def describe(thrown: BaseException) -> str:
    """The words of whatever was thrown."""
    inner = getattr(thrown, "exceptions", None)
    if inner:
        return describe(inner[0])
    if is_header_fault(thrown):
        return "a header has a value that cannot be sent"
    return str(thrown) or type(thrown).__name__


def is_header_fault(thrown: BaseException | None) -> bool:
    """Whether a request could not be made for one of its headers: the libraries' words repeat the value, a secret."""
    left, seen = [thrown], set[int]()
    while left:
        one = left.pop()
        # An error may be its own cause.
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        # Texts are encoded as ASCII for headers only.
        if "Illegal header" in str(one) or (isinstance(one, UnicodeEncodeError) and one.encoding == "ascii"):
            return True
        left += [one.__cause__, *getattr(one, "exceptions", ())]
    return False


_OF_STATUS: dict[int, FaultKind] = {
    401: "needs_auth",
    403: "needs_auth",
    404: "lost",
    410: "lost",
    429: "rate_limited",
}
SAID: dict[FaultKind, str] = {
    "lost": "was lost during the call, and nobody knows whether it happened",
    "needs_auth": "refused the credentials",
    "rate_limited": "asks to be called less often; try again later",
}
"""What a caller is told of the faults that need no words of the server."""
_NETWORK = frozenset(("ConnectError", "ReadError", "WriteError", "RemoteProtocolError", "ConnectTimeout", "CloseError"))
