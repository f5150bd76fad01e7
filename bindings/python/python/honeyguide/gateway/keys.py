"""Which keys of a configuration are misspelt or stand twice: what nobody reads would be a rule that does not hold.

Knows no value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .fault import ConfigurationFault, nearest
from .jsonc import keys_that_stand_twice
from .own import OWN_KEYS

__all__ = ["check_top", "check_twice", "odd_keys"]

_GROUPS = ("mcpServers", "servers")
_TOP = ("honeyguide", *_GROUPS)
_OF_A_SERVER = ("command", "args", "env", "cwd", "url", "headers", "type", "disabled", "oauth")
"""What the entry of a server may say."""
_ALIASES = {"environment": "env"}
"""What people write for it."""
_SHORT = 5
"""Of a word with fewer letters, two others make another word."""


def check_top(file: str, read: Mapping[str, Any]) -> None:
    """Refuses a key beside the servers that is meant for us; others are for the clients that read the same file."""
    for key in read:
        if key in _TOP:
            continue
        if key.lower() in (own.lower() for own in OWN_KEYS):
            raise ConfigurationFault(f"{file}: {key}: unknown key; it belongs below `honeyguide`")
        near = _meant(key, _TOP, 2)
        if near is not None:
            raise ConfigurationFault(f"{file}: {key}: unknown key; did you mean `{near}`?")


def check_twice(file: str, text: str) -> None:
    """Refuses a key that stands twice, where it matters: only the second one would hold."""
    for path, line, column in keys_that_stand_twice(text):
        if path[0] not in _TOP:
            continue
        is_server = len(path) == 2 and path[0] in _GROUPS
        what = f"server `{path[-1]}` stands twice; rename one of them" if is_server else f"`{path[-1]}` stands twice"
        raise ConfigurationFault(f"{file}:{line}:{column}: {what}")


def odd_keys(server: str, written: object) -> list[str]:
    """What is likely misspelt in the entry of a server: clients have keys of their own, so nothing ends for it."""
    if not isinstance(written, Mapping):
        return []
    known = (*_OF_A_SERVER, *_ALIASES)
    said: list[str] = []
    for key in written:
        if key in _OF_A_SERVER:
            continue
        near = _meant(key, (word for word in known if len(word) < _SHORT), 1)
        near = near or _meant(key, (word for word in known if len(word) >= _SHORT), 2)
        if near is not None:
            said.append(f"server `{server}`: unknown key `{key}`; did you mean `{_ALIASES.get(near, near)}`?")
    return said


def _meant(key: str, words: Iterable[str], most: int) -> str | None:
    """The word that is nearest, whatever its letters' case."""
    by_small = {word.lower(): word for word in words}
    small = nearest(key.lower(), by_small, most)
    return None if small is None else by_small[small]
