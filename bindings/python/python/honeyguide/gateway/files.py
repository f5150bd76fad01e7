"""Reads a file that people write, and says in plain words why it cannot be read. Knows nothing of what stands in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .fault import ConfigurationFault
from .jsonc import JsonFault, read_jsonc

__all__ = ["FileFault", "is_missing", "parse_json", "read_object", "read_text"]

_MOST_BYTES = 64 * 1024 * 1024
_MISSING = "there is no such file"


class FileFault(Exception):  # noqa: N818 (it is a place in a file on its way into a sentence)
    """Why a file is no value, and where: lines and columns count from 1."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column

    def place(self, file: str) -> str:
        """The place in a file, as compilers write it."""
        return ":".join(str(part) for part in (file, self.line, self.column) if part is not None)

    def of(self, file: str) -> str:
        """The place, and what is wrong there."""
        return f"{self.place(file)}: {self.message}"


def is_missing(fault: FileFault) -> bool:
    """Whether there is no file at all."""
    return fault.message == _MISSING


def read_text(path: str) -> str:
    """The text of a file; raises `FileFault`."""
    try:
        with open(path, "rb") as opened:
            content = opened.read(_MOST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise FileFault(_MISSING) from None
    except IsADirectoryError:
        raise FileFault("it is a folder") from None
    except PermissionError:
        raise FileFault("it may not be read") from None
    except (OSError, ValueError) as error:
        raise FileFault(f"it cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(content) > _MOST_BYTES:
        raise FileFault(f"it is larger than {_MOST_BYTES} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileFault("it is no UTF-8") from None


def parse_json(text: str) -> Any:
    """What a JSON text says, with comments and trailing commas; raises `FileFault`."""
    try:
        return read_jsonc(text)
    except JsonFault as fault:
        raise FileFault(f"it is no JSON: {fault.why}", fault.line, fault.column) from None


def read_object(path: str, file: str) -> tuple[Mapping[str, Any], str]:
    """The object in a file, which a message calls `file`, and its text; raises `ConfigurationFault`."""
    try:
        text = read_text(path)
        read = parse_json(text)
    except FileFault as fault:
        raise ConfigurationFault(fault.of(file)) from None
    if not isinstance(read, Mapping):
        raise ConfigurationFault(f"{file}: it is no object")
    return read, text
