"""The key `honeyguide` of a configuration: what it may hold, and what is wrong with it. Knows no server."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from .fault import ConfigurationFault, meant

__all__ = ["OWN_KEYS", "check_own", "server_of"]

_Check: TypeAlias = Callable[[str, Any], object]

_LARGEST = 2**53 - 1
"""Beyond it numbers of JSON stop being exact."""


def check_own(file: str, block: object) -> Mapping[str, Any]:
    """The block as it stands, once nothing is wrong with it; raises `ConfigurationFault` otherwise."""
    try:
        return _object("honeyguide", {} if block is None else block, _KEYS)
    except ConfigurationFault as fault:
        raise ConfigurationFault(f"{file}: {fault}") from None


def server_of(pattern: str) -> str:
    """The server that a tool's id, or the beginning of one, is of."""
    return pattern.partition("__")[0]


def _object(path: str, value: object, keys: Mapping[str, _Check]) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ConfigurationFault(f"{path}: must be an object")
    for key in value:
        # One that is misspelt would be a rule that does not hold.
        if key not in keys:
            raise ConfigurationFault(f"{path}.{key}: unknown key; {meant(key, keys)}")
    said = {key: part for key, part in value.items() if part is not None}
    for key, part in said.items():
        keys[key](f"{path}.{key}", part)
    return said


def _texts(path: str, value: object) -> None:
    if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
        raise ConfigurationFault(f"{path}: must be a list of texts")


def _patterns(path: str, value: Any) -> None:
    _texts(path, value)
    for pattern in value:
        if not _is_tool(pattern.removesuffix("*") + "x" if pattern.endswith("*") else pattern):
            raise ConfigurationFault(f"{path}: `{pattern}` must be `server__tool` or `server__*`")


def _is_tool(id: str) -> bool:
    return id.find("__") > 0 and not id.endswith("__") and "*" not in id


def _one_of(words: Sequence[str]) -> _Check:
    def check(path: str, value: object) -> None:
        if value not in words:
            raise ConfigurationFault(f"{path}: must be one of {', '.join(f'`{word}`' for word in words)}")

    return check


def _whole_number(least: int, said: str) -> _Check:
    def check(path: str, value: object) -> None:
        # JSON has one kind of numbers: 2.0 is whole.
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not (is_number and least <= value <= _LARGEST and value == int(value)):  # type: ignore[operator, call-overload]
            raise ConfigurationFault(f"{path}: must be a whole number{said}")

    return check


def _tools(path: str, value: object) -> None:
    if not isinstance(value, Mapping):
        raise ConfigurationFault(f"{path}: must be an object")
    for tool, terms in value.items():
        if not _is_tool(tool):
            raise ConfigurationFault(f"{path}.{tool}: must be `server__tool`")
        _object(f"{path}.{tool}", terms, _TERMS)


_above_zero = _whole_number(1, " above 0")
_TERMS: Mapping[str, _Check] = {"timeoutMs": _above_zero, "maximumMs": _above_zero}
_APPROVAL: Mapping[str, _Check] = {
    "ask": _one_of(("destructive", "writes", "none")),
    "always": _patterns,
    "never": _patterns,
}
_KEYS: Mapping[str, _Check] = {
    "skills": _texts,
    "approval": lambda path, value: _object(path, value, _APPROVAL),
    "onChange": _one_of(("warn", "allow", "quarantine")),
    "maxResultChars": _whole_number(0, ", 0 or more"),
    "tools": _tools,
}

OWN_KEYS = tuple(_KEYS)
"""What may stand below `honeyguide`."""
