"""What stands behind the verbs of one engine: the engine, the functions, whom to ask, and parts made when needed.

Knows nothing of steps and of catalogs. A program pays for a part with the first verb that needs it, not with its start.
"""

from __future__ import annotations

import os
import time

from .executors import Executors
from .transport import EngineClient

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from functools import cached_property as late
    from typing import Any

    from .generated.client import Send
    from .generated.types import Method
    from .meaning import Meaning
    from .options import Approve, Embedder, Fork, Rerank
    from .skill_folders import SkillFolders
    from .vector_cache import VectorCache
else:

    class late:  # noqa: N801 (it is written as `property` is)
        """`functools.cached_property` without `functools`; when two threads come first, both get the same."""

        def __init__(self, make: Callable[[Any], Any]) -> None:
            self._make = make

        def __set_name__(self, owner: type, name: str) -> None:
            self._name = name

        def __get__(self, holder: Any, owner: type | None = None) -> Any:
            return holder.__dict__.setdefault(self._name, self._make(holder))


__all__ = ["Host", "late", "now"]


class Host:
    """What is the same for every call of one engine."""

    def __init__(
        self,
        send: Send,
        send_step: Send,
        *,
        approve: Approve | None = None,
        embedder: Embedder | None = None,
        method: Method | None = None,
        cache: VectorCache | None = None,
        rerank: Rerank | None = None,
        fork: Fork | None = None,
        project_root: str | os.PathLike[str] | None = None,
    ) -> None:
        self.engine = EngineClient(send)
        self.steps = EngineClient(send_step)
        self.executors = Executors()
        self.approve = approve
        self.rerank = rerank
        self.fork = fork
        self._embedder = embedder
        self._method: Method | None = method
        self._cache = cache
        self._project_root = None if project_root is None else os.fspath(project_root)

    @late
    def meaning(self) -> Meaning:
        """Who makes vectors."""
        from .meaning import Meaning

        return Meaning(self.engine, self._embedder, self._method, self._cache)

    @late
    def folders(self) -> SkillFolders:
        """The folders that skills lie in."""
        from .skill_folders import SkillFolders

        return SkillFolders(self.engine, self._project_root)

    def after_fork(self) -> None:
        """Gives the child locks that no vanished thread can hold."""
        self.executors.after_fork()
        made: Any
        for name in ("meaning", "folders"):
            if (made := self.__dict__.get(name)) is not None:
                made.after_fork()


def now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000
