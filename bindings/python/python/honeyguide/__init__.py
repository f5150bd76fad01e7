"""Honeyguide keeps an agent's tools, skills and facts outside the prompt and discloses what a turn needs.

Importing this package loads neither `asyncio` nor `inspect`, nor any type module: those come with the first use.
"""

from __future__ import annotations

from .client import Honeyguide
from .errors import HoneyguideError, InternalError, InvalidInputError, NotFoundError, StateError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

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


def __getattr__(name: str) -> Any:
    if name == "Context":
        from .schema import Context

        return Context
    if name == "Session":
        from .session import Session

        return Session
    raise AttributeError(f"module `honeyguide` has no attribute `{name}`")
