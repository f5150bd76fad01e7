"""From the facade's keywords to the names and texts of the wire. Knows no operation and no default."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .errors import InvalidInputError
    from .refuse import Refused

__all__ = ["camel", "invalid_json", "wire_names"]


_CAMEL: dict[str, str] = {}


def camel(name: str) -> str:
    """The name on the wire: `top_k` is `topK` there."""
    known = _CAMEL.get(name)
    if known is None:
        first, *rest = name.split("_")
        # A program has few keywords.
        known = _CAMEL[name] = first + "".join(part[:1].upper() + part[1:] for part in rest)
    return known


def wire_names(options: Mapping[str, Any], **fixed: Any) -> Any:
    """The options under their names on the wire, and beside them what is named so already."""
    visible = options.get("visible")
    # A list would be read as rules without any.
    if visible is not None and not hasattr(visible, "keys"):
        from .errors import InvalidInputError

        raise InvalidInputError("invalid_request", "`visible` is a mapping with `allow`, `deny` or both")
    return {**{camel(name): part for name, part in options.items()}, **fixed}


def invalid_json(refused: Refused) -> InvalidInputError:
    """The exception for a value of the application that JSON cannot say."""
    from .errors import InvalidInputError

    details = {"path": refused.path, "reason": refused.reason}
    return InvalidInputError("invalid_json", f"{refused}; pass plain data", details)
