"""A value as JSON text, the same bytes as the Node half writes. Knows nothing of what it says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..refuse import printable

__all__ = ["text_of"]


def text_of(value: Any) -> str:
    """Compact JSON text, the same bytes as JavaScript writes."""
    return printable(json.dumps(_as_javascript(value), ensure_ascii=False, separators=(",", ":")))


def _as_javascript(value: Any) -> Any:
    # It has one kind of numbers: 2.0 is 2.
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if isinstance(value, Mapping):
        return {key: _as_javascript(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_as_javascript(part) for part in value]
    return value
