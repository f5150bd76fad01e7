"""JSON text that is the same in every language: keys in their order, no spaces, whole numbers without a point.

Knows nothing of steps.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable
from typing import Any


def write(value: Any) -> str:
    """The canonical text of a value."""
    return json.dumps(_whole(value), ensure_ascii=False, separators=(",", ":"))


def comparable(observed: Any, pointers: Iterable[str]) -> Any:
    """What is compared between the languages: null in place of what stands at these JSON Pointers.

    Of a raw answer it is the text.
    """
    if "text" in observed:
        return {"text": observed["text"]}
    changed = copy.deepcopy(observed)
    for pointer in pointers:
        *keys, last = pointer.split("/")[1:]
        part = changed
        for key in keys:
            part = part.get(key) if isinstance(part, dict) else None
        if isinstance(part, dict) and last in part:
            part[last] = None
    return changed


def _whole(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {key: _whole(part) for key, part in value.items()}
    return value
