"""Arguments and addresses as they are shown: without what looks like a secret. `e2e/gateway/masks.json` has the rules.

Knows no configuration.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["mask_address", "mask_arguments"]

_HIDDEN = "***"
_WORDS = re.compile("token|key|secret|password|passwd|pwd|auth|credential|bearer|cookie", re.IGNORECASE)
_NAMED = re.compile(r"(-{0,2}[A-Za-z0-9_.-]+)(=|:\s*)(.*)", re.DOTALL)
_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*://)([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL)
_PREFIXES = (
    *("sk-", "pk_", "rk_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xoxa-", "xoxb-", "xoxp-"),
    *("npm_", "pypi-", "AKIA", "AIza", "eyJ", "hf_"),
)
_RANDOM = re.compile(r"(?!/|\.\.?/|~/)(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9+/=_-]{24,}")


def mask_arguments(arguments: Sequence[str]) -> list[str]:
    """The arguments of a program as they are shown."""
    shown: list[str] = []
    hide = False
    for argument in arguments:
        shown.append(_hide(argument) if hide else _mask(argument))
        hide = argument.startswith("-") and "=" not in argument and _WORDS.search(argument) is not None
    return shown


def mask_address(address: str) -> str:
    """An address as it is shown."""
    parts = _ADDRESS.fullmatch(address)
    if parts is None:
        return _mask(address)
    scheme, host, path, query, fragment = (part or "" for part in parts.groups())
    user, at, place = host.rpartition("@")
    if at:
        name, colon, secret = user.partition(":")
        user = f"{name}:{_hide(secret)}" if colon else _hide(user)
    path = "/".join(_hide(part) if _looks_secret(part) else part for part in path.split("/"))
    if query:
        query = "?" + "&".join(_mask_value(part) for part in query[1:].split("&"))
    return f"{scheme}{user}{at}{place}{path}{query}{f'#{_hide(fragment)}' if fragment else ''}"


def _mask(argument: str) -> str:
    if _ADDRESS.fullmatch(argument):
        return mask_address(argument)
    named = _NAMED.fullmatch(argument)
    if named is not None and _WORDS.search(named[1]) and named[3]:
        return f"{named[1]}{named[2]}{_hide(named[3])}"
    if named is not None and named[2] == "=":
        return f"{named[1]}={_mask(named[3])}"
    return _hide(argument) if _looks_secret(argument) else argument


def _mask_value(pair: str) -> str:
    name, equals, value = pair.partition("=")
    return f"{name}={_hide(value)}" if equals else _hide(name)


def _hide(text: str) -> str:
    # A reference says where a secret is, and not what it is.
    return text if "${" in text else _HIDDEN


def _looks_secret(text: str) -> bool:
    return text.startswith(_PREFIXES) or _RANDOM.fullmatch(text) is not None
