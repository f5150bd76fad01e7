"""Pydantic's part in a tool's schema: models in hints, and arguments read into them.

Knows nothing of functions. Never imports pydantic: a program whose hints hold a pydantic type has imported it.
"""

from __future__ import annotations

import inspect
import json
import sys
import typing
from typing import Any

from .refuse import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["concerns", "concerns_default", "field", "shapes", "whole"]


def concerns(hint: Any) -> bool:
    """Whether pydantic has to read this type, or a part of it."""
    return sys.modules.get("pydantic") is not None and _concerns(hint, [])


def concerns_default(default: Any) -> bool:
    """Whether a default is a pydantic `Field(…)`."""
    return sys.modules.get("pydantic") is not None and type(default).__module__.startswith("pydantic.")


def field(hint: Any, default: Any) -> tuple[Any, Any]:
    """The hint with what a `Field(…)` in the default's place says of it, and the default itself."""
    if not concerns_default(default):
        return hint, default
    if default.is_required():
        return typing.Annotated[hint, default], inspect.Parameter.empty
    return typing.Annotated[hint, default], default.get_default(call_default_factory=True)


def shapes(
    hints: dict[str, Any],
) -> tuple[dict[str, dict[str, Any]], dict[str, Callable[[Any], Any]], dict[str, Any]]:
    """By name: each type's schema and how to read a JSON value into it; and the definitions that they share."""
    pydantic = sys.modules["pydantic"]
    try:
        adapters = {key: pydantic.TypeAdapter(hint) for key, hint in hints.items()}
        schemas, shared = pydantic.TypeAdapter.json_schemas(
            [(key, "validation", adapter) for key, adapter in adapters.items()]
        )
    except Exception as cause:
        raise Refused("/inputSchema", "schema", f"pydantic cannot describe it: {cause}") from None
    readers = {key: _reader(adapter) for key, adapter in adapters.items()}
    return {key: dict(schemas[(key, "validation")]) for key in hints}, readers, shared.get("$defs", {})


def whole(hint: Any) -> tuple[dict[str, Any], Callable[[Any], Any]]:
    """The schema of one type with its definitions inside, and how to read a JSON value into it."""
    try:
        adapter = sys.modules["pydantic"].TypeAdapter(hint)
        return adapter.json_schema(), _reader(adapter)
    except Exception as cause:
        raise Refused("/inputSchema", "schema", f"pydantic cannot describe it: {cause}") from None


def _reader(adapter: Any) -> Callable[[Any], Any]:
    # Through JSON text, since that is what the value is: a strict model takes a date from text in this mode only.
    return lambda value: adapter.validate_json(json.dumps(value))


def _concerns(hint: Any, seen: list[Any]) -> bool:
    if any(hint is known for known in seen):
        return False
    seen.append(hint)
    if hasattr(hint, "__get_pydantic_core_schema__") or hasattr(hint, "__pydantic_core_schema__"):
        return True
    if type(hint).__module__.partition(".")[0] in ("pydantic", "annotated_types"):
        return True
    parts = list(typing.get_args(hint))
    if isinstance(hint, type) and (hasattr(hint, "__dataclass_fields__") or typing.is_typeddict(hint)):
        try:
            parts += typing.get_type_hints(hint, include_extras=True).values()
        except Exception:
            return False
    return any(_concerns(part, seen) for part in parts)
