"""The configuration that servers are added to: read, and written so that nothing that was there is lost.

Knows no client.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any, NamedTuple

from ..fault import ConfigurationFault
from ..files import FileFault, is_missing, parse_json, read_text
from .insert import insert_members

__all__ = ["Target", "read_target", "write_target"]


class Target(NamedTuple):
    """A configuration that may be added to."""

    path: str
    text: str | None
    """What stands there, when it is there."""
    key: str
    """The key that its servers stand under."""
    servers: Mapping[str, Any]


def read_target(path: str, name: str) -> Target:
    """Looks at a target, which the person wrote as `name`; raises `ConfigurationFault`."""
    if os.path.islink(path):
        raise ConfigurationFault(f"{name}: it is a link; name the file that it leads to")
    if not os.path.lexists(path) and not os.path.isdir(os.path.dirname(path)):
        raise ConfigurationFault(f"{name}: there is no folder `{os.path.dirname(name)}`")
    try:
        text = read_text(path)
        value = parse_json(text)
    except FileFault as fault:
        if is_missing(fault):
            return Target(path, None, "mcpServers", {})
        raise ConfigurationFault(fault.of(name)) from None
    if not isinstance(value, Mapping):
        raise ConfigurationFault(f"{name}: it is no object")
    key = "servers" if "mcpServers" not in value and "servers" in value else "mcpServers"
    servers = value.get(key, {})
    if not isinstance(servers, Mapping):
        raise ConfigurationFault(f"{name}: `{key}` is no object")
    return Target(path, text, key, servers)


def write_target(target: Target, added: Mapping[str, Any], now: datetime | None = None) -> str | None:
    """Writes the target with these servers added; answers where the old one was copied to."""
    if target.text is None:
        text = insert_members(f'{{\n  "{target.key}": {{}}\n}}\n', target.key, added)
    else:
        text = insert_members(target.text, target.key, added)
    # A file that does not say afterwards what it should is not written at all.
    written = parse_json(text)
    if not isinstance(written, Mapping) or written.get(target.key) != {**target.servers, **added}:
        raise ConfigurationFault(f"{target.path}: servers cannot be added to it by a program; add them by hand")
    try:
        backup = None if target.text is None else _keep_copy(target.path, now or datetime.now(timezone.utc))
        _replace(target.path, text)
    except OSError as error:
        raise ConfigurationFault(f"{target.path}: it cannot be written: {error.strerror or error}") from None
    return backup


def _keep_copy(path: str, now: datetime) -> str:
    backup = f"{path}.bak-{now.strftime('%Y%m%dT%H%M%SZ')}"
    with open(path, "rb") as old:
        content = old.read()
    # What it holds may be as secret as what the new one does. A copy that is there is of this very second: it stays.
    with contextlib.suppress(FileExistsError):
        _write(backup, content)
    return backup


def _replace(path: str, text: str) -> None:
    """Whole or not at all, and for its owner only."""
    temporary = f"{path}.{os.getpid()}.tmp"
    with contextlib.suppress(FileNotFoundError):
        os.unlink(temporary)
    try:
        _write(temporary, text.encode("utf-8", "surrogatepass"))
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _write(path: str, content: bytes) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
