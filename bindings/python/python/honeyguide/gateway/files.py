"""Reads a file that should hold a JSON object. Knows nothing of what stands in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .fault import ConfigurationFault
from .jsonc import JsonFault, read_jsonc

__all__ = ["read_object", "read_text"]

_MOST_BYTES = 64 * 1024 * 1024


def read_text(path: str, file: str) -> str:
    """The text of a file, which a message calls `file`; raises `ConfigurationFault`."""
    try:
        with open(path, "rb") as opened:
            content = opened.read(_MOST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise ConfigurationFault(f"{file}: there is no such file") from None
    except IsADirectoryError:
        raise ConfigurationFault(f"{file}: it is a folder") from None
    except PermissionError:
        raise ConfigurationFault(f"{file}: it may not be read") from None
    except OSError as error:
        raise ConfigurationFault(f"{file}: it cannot be read: {error.strerror or error}") from None
    if len(content) > _MOST_BYTES:
        raise ConfigurationFault(f"{file}: it is larger than {_MOST_BYTES} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigurationFault(f"{file}: it is no UTF-8") from None


def read_object(path: str, file: str) -> Mapping[str, Any]:
    """The object in a file, which a message calls `file`; raises `ConfigurationFault`, with its place in the file."""
    try:
        read = read_jsonc(read_text(path, file))
    except JsonFault as fault:
        raise ConfigurationFault(f"{file}:{fault.line}:{fault.column}: it is no JSON: {fault.why}") from None
    if not isinstance(read, Mapping):
        raise ConfigurationFault(f"{file}: it is no object")
    return read
