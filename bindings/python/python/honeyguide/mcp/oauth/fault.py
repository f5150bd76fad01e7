"""What can go wrong when somebody signs in, told apart by what helps against it. Knows no request and no file."""

from __future__ import annotations

import re
from typing import Any, Literal, TypeAlias

from ..fault import FaultKind, McpServerError

__all__ = ["SignInCode", "SignInError", "error_in"]

SignInCode: TypeAlias = Literal[
    "sign_in_needed", "sign_in_refused", "address_refused", "answer_unusable", "unreachable", "store_unusable"
]
"""Why there are no tokens.

`sign_in_needed`: a person has to sign in. `sign_in_refused`: the person or the authorization server said no.
`address_refused`: an address that a server chose leads where it must not. `answer_unusable`: an answer that is none.
`unreachable`: the same may succeed later. `store_unusable`: the file of credentials cannot be used.
"""

_KINDS: dict[SignInCode, FaultKind] = {
    "sign_in_needed": "needs_auth",
    "sign_in_refused": "needs_auth",
    "address_refused": "failed",
    "answer_unusable": "failed",
    "unreachable": "unavailable",
    "store_unusable": "failed",
}
_ERROR = re.compile("[a-z_]{1,40}")


class SignInError(McpServerError):
    """Why there are no tokens. It tells nothing of what a server wrote but its error code, and no secret."""

    def __init__(self, code: SignInCode, message: str, error: str | None = None) -> None:
        super().__init__(message, _KINDS[code], retryable=code == "unreachable")
        self.code = code
        self.error = error
        """The error code of OAuth (RFC 6749, 5.2), where the authorization server sent one."""


def error_in(said: Any) -> str | None:
    """The error code of OAuth in an answer. Whatever else stands there may tell too much."""
    error = said.get("error") if isinstance(said, dict) else None
    return error if isinstance(error, str) and _ERROR.fullmatch(error) else None
