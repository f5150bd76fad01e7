"""Honeyguide keeps an agent's tools, skills and facts outside the prompt and discloses what a turn needs.

Importing this package loads what a catalog and a search need; the rest, such as `asyncio`, comes with its first use.
"""

from __future__ import annotations

from .client import Honeyguide

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .errors import HoneyguideError, InternalError, InvalidInputError, NotFoundError, StateError
    from .schema import Context
    from .session import Session

__version__ = "0.1.0"

__all__ = [
    "Context",
    "Honeyguide",
    "HoneyguideError",
    "InternalError",
    "InvalidInputError",
    "NotFoundError",
    "Session",
    "StateError",
    "__version__",
]


# Where the names lie that a program may do without.
_LATE = {
    "Context": "schema",
    "HoneyguideError": "errors",
    "InternalError": "errors",
    "InvalidInputError": "errors",
    "NotFoundError": "errors",
    "Session": "session",
    "StateError": "errors",
}


def __getattr__(name: str) -> Any:
    module = _LATE.get(name)
    if module is None:
        raise AttributeError(f"module `honeyguide` has no attribute `{name}`")
    found = getattr(__import__(f"{__name__}.{module}", fromlist=[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
