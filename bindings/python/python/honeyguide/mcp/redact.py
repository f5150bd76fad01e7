"""Keeps what was put in for a variable, or declared as a secret, out of every message. Knows nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from urllib.parse import unquote

__all__ = ["passwords_in", "redactor"]

_SHORTEST = 4
"""Shorter values would tear up words, and are no secrets."""


_PASSWORD = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#:]*:([^/?#]*)@")


def passwords_in(address: str) -> list[str]:
    """The password in an address, as it is written there and as it is meant."""
    found = _PASSWORD.match(address)
    return [] if found is None else [found[1], unquote(found[1])]


def _parts_of(secret: str) -> list[str]:
    """A secret and what may be shown of it alone: a line, when it has several, and the password of an address."""
    return [secret, *(line.strip() for line in secret.splitlines()), *passwords_in(secret)]


def redactor(secrets: Iterable[str]) -> Callable[[str], str]:
    """Replaces the secrets in a text; with whatever of one may be shown alone."""
    # The longest first: one may hold another.
    parts = {part for secret in secrets for part in _parts_of(secret)}
    known = sorted((part for part in parts if len(part) >= _SHORTEST), key=len, reverse=True)

    def redact(text: str) -> str:
        for secret in known:
            text = text.replace(secret, "***")
        return text

    return redact
