"""Which function runs which tool. Knows nothing of definitions: those are the engine's."""

from __future__ import annotations

from _thread import allocate_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .executor import Executor
    from .generated.types import RegisterResponse
    from .item import ReadItem

__all__ = ["Executors"]


class Executors:
    """The bound functions by tool id. Reads take no lock; a write is one piece with the engine's own."""

    def __init__(self) -> None:
        self._bound: dict[str, Executor] = {}
        self._writing = allocate_lock()

    def find(self, id: str) -> Executor | None:
        """The function of a tool, if one is bound."""
        return self._bound.get(id)

    def bind(self, id: str, executor: Executor) -> None:
        """Binds a function to a tool that is there."""
        with self._writing:
            self._bound[id] = executor

    def put(
        self, items: Sequence[ReadItem], send: Callable[[], RegisterResponse], *, replace_all: bool
    ) -> RegisterResponse:
        """Registers with the engine and binds the functions of the items that it took."""
        with self._writing:
            # New ids first, so that whoever finds a tool can run it; a replaced tool keeps its function until the
            # engine has taken the new definition.
            ready = {item.id: item.execute for item in items if item.id is not None and item.execute is not None}
            fresh = [id for id in ready if id not in self._bound]
            self._bound.update((id, ready[id]) for id in fresh)
            taken: dict[str, Executor] = {}
            try:
                response = send()
                rejected = set(response["rejected"])
                for at, item in enumerate(items):
                    if at not in rejected and item.id is not None and item.execute is not None:
                        taken[item.id] = item.execute
            finally:
                for id in fresh:
                    if id not in taken:
                        del self._bound[id]
            if replace_all:
                self._bound = taken
            else:
                self._bound.update(taken)
            return response

    def drop(self, remove: Callable[[], list[str]]) -> list[str]:
        """Removes from the engine and forgets the functions of what was removed."""
        with self._writing:
            removed = remove()
            for id in removed:
                self._bound.pop(id, None)
            return removed

    def keep(self, ids: set[str]) -> None:
        """Forgets the functions of all other tools."""
        with self._writing:
            for id in self._bound.keys() - ids:
                del self._bound[id]

    def after_fork(self) -> None:
        """Gives the child a lock that no vanished thread can hold."""
        self._writing = allocate_lock()
