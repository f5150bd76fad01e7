"""JSON text, read and written by the parts in C of Python's own `json`.

The package `json` itself is not imported: it brings `re`, `enum` and `functools`, which together cost more than all of
this package. Where a Python has those parts in another shape, `json` does the work. Knows nothing of what it carries.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    # What reads a value from a place in a text, what writes any value, and what writes a text.
    Parts: TypeAlias = tuple[Callable[[str, int], tuple[Any, int]], Callable[[object], str], Callable[[str], str]]

__all__ = ["compact", "parse", "parse_from", "quote"]


def parse(text: str) -> Any:
    """What a text says. It is of the engine: JSON, with no blank around it."""
    return parse_from(text, 0)[0]


def _unknown(value: object) -> Any:
    raise TypeError(f"a value of type `{type(value).__name__}` has no JSON form")


def _constant(name: str) -> float:
    return float(name.replace("Infinity", "inf"))


class _Settings:
    """What the scanner reads its settings from: those of `json.loads` without arguments."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    array_hook = None
    parse_float = float
    parse_int = int
    parse_constant = staticmethod(_constant)
    memo: dict[str, str] = {}


def _without_json() -> Parts:
    from _json import encode_basestring, make_encoder, make_scanner

    def write(value: object) -> str:
        # Made anew for each value: what it remembers to find a cycle is not for two threads.
        encoder = make_encoder({}, _unknown, encode_basestring, None, ":", ",", False, False, False)
        return "".join(encoder(value, 0))

    scan = make_scanner(_Settings)  # type: ignore[arg-type]  # it reads attributes, of anything
    if scan('{"a":[1,"\u00e9"]}', 0)[0] != {"a": [1, "\u00e9"]} or write({"a": [1.5, None]}) != '{"a":[1.5,null]}':
        raise ImportError("this Python writes JSON in another way")
    return scan, write, encode_basestring


def _with_json() -> Parts:
    import json

    encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return json.JSONDecoder().raw_decode, encoder.encode, encoder.encode


try:
    parse_from, compact, quote = _without_json()
except Exception:
    parse_from, compact, quote = _with_json()
