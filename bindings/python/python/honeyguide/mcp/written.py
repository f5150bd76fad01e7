"""What a person may write of a server, and what no program and no request could take of it. Knows no variable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["misshapen", "unusable"]

_NEVER = re.compile("[\0\ud800-\udfff]")
"""What no argument, variable or path holds."""
_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADERS_VALUE = re.compile(r"[\t\x20-\x7e]*")


def misshapen(written: Mapping[str, Any]) -> str | None:
    """What is wrong with the shape of a configuration."""
    for field in ("command", "cwd", "url"):
        if written.get(field) is not None and not isinstance(written[field], str):
            return f"its `{field}` is no text"
    args = written.get("args")
    if args is not None and not (isinstance(args, list) and all(isinstance(part, str) for part in args)):
        return "its `args` are no list of texts"
    for field in ("env", "headers"):
        values = written.get(field)
        if values is not None and not (
            isinstance(values, Mapping) and not any(isinstance(value, Mapping | list) for value in values.values())
        ):
            return f"its `{field}` is no object of texts"
    return None


def unusable(value: Mapping[str, Any]) -> str | None:
    """What cannot be handed on of a configuration that is as it should be; says nothing of what stands there."""
    for place, text in _texts_of(value):
        if _NEVER.search(text):
            return f"its `{place}` has a character that nothing takes"
    for name, text in (value.get("headers") or {}).items():
        if not _HEADER.fullmatch(name):
            return "its `headers` have a name that no header has"
        if not _HEADERS_VALUE.fullmatch(text):
            return f"a header has a value that cannot be sent (`{name}`)"
    if any("=" in name or name == "" for name in value.get("env") or {}):
        return "its `env` has a name that no variable has"
    return None


def _texts_of(value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for field in ("command", "cwd", "url"):
        if value.get(field) is not None:
            yield field, value[field]
    for part in value.get("args") or ():
        yield "args", part
    for field in ("env", "headers"):
        for name, part in (value.get(field) or {}).items():
            yield field, name
            yield (f"{field}.{name}" if not _NEVER.search(name) else field), part
