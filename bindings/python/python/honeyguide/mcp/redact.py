"""Keeps what was put in for a variable, or declared as a secret, out of every message. Knows nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable

__all__ = ["redactor"]

_SHORTEST = 4
"""Shorter values would tear up words, and are no secrets."""


def redactor(secrets: Iterable[str]) -> Callable[[str], str]:
    """Replaces the secrets in a text; of one with several lines, such as a key, each line as well."""
    # The longest first: one may hold another.
    parts = {part for secret in secrets for part in (secret, *(line.strip() for line in secret.splitlines()))}
    known = sorted((part for part in parts if len(part) >= _SHORTEST), key=len, reverse=True)

    def redact(text: str) -> str:
        for secret in known:
            text = text.replace(secret, "***")
        return text

    return redact
