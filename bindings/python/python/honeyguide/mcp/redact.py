"""Keeps what was put in for a variable, or declared as a secret, out of every message. Knows nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable

__all__ = ["redactor"]

_SHORTEST = 4
"""Shorter values would tear up words, and are no secrets."""


def redactor(secrets: Iterable[str]) -> Callable[[str], str]:
    """Replaces the secrets in a text."""
    # The longest first: one may hold another.
    known = sorted({secret for secret in secrets if len(secret) >= _SHORTEST}, key=len, reverse=True)

    def redact(text: str) -> str:
        for secret in known:
            text = text.replace(secret, "***")
        return text

    return redact
