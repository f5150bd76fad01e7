"""The folders that skills are loaded from: walks them as the engine says, and remembers where each skill lies.

Knows nothing of what a skill is.
"""

from __future__ import annotations

import os
from _thread import allocate_lock

from .errors import StateError
from .skill_files import IGNORE_BYTES, forward, list_folder, read_inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Literal, TypeAlias

    from .generated.client import EngineClient
    from .generated.types import (
        Diagnostic,
        IgnoreRules,
        LoadSkillsResponse,
        Outcome,
        SkillRoot,
        SkillScope,
        SkillText,
        ValidateSkillsResponse,
    )

    FolderPath: TypeAlias = str | os.PathLike[str]

__all__ = ["SkillFolders"]

_DISCOVERED = (".agents/skills", ".claude/skills")


class SkillFolders:
    """The folders of one engine."""

    def __init__(self, engine: EngineClient, project: FolderPath | None) -> None:
        self._engine = engine
        self._project = None if project is None else os.fspath(project)
        self._folders: dict[tuple[str, str], SkillRoot] = {}
        self._places: dict[str, str] = {}
        self._looked_in: set[str] = set()
        self._discover: Sequence[str] = ()
        self._diagnostics: list[Diagnostic] = []
        self._watching: list[Any] = []
        # One load after the other: a load takes the whole of what it found for all that there is.
        self._loading = allocate_lock()

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What was wrong when the folders were last loaded."""
        return list(self._diagnostics)

    def add(
        self,
        paths: FolderPath | Iterable[FolderPath],
        scope: SkillScope = "project",
        watch: bool = False,
        discover: Sequence[str] | Literal[False] | None = None,
        **bounds: Any,
    ) -> LoadSkillsResponse:
        """Loads folders, beside those that are loaded already."""
        if discover is not None:
            self._discover = discover or ()
        elif scope == "project" and not self._discover:
            self._discover = _DISCOVERED
        listed = _listed(paths)
        if watch:
            self._watch(listed)
        for path in listed:
            self._folders[path, scope] = {"path": forward(path), "scope": scope, "bounds": bounds}  # type: ignore[typeddict-item]
        return self.reload()

    def reload(self) -> LoadSkillsResponse:
        """Walks all folders again: what is new comes in, what was edited is indexed again, what is gone goes."""
        with self._loading:
            roots = [self._with_rules(root) for root in list(self._folders.values())]
            walk, files = self._walk(roots)
            report = self._engine.load_skills({"walk": walk, "files": files})
            self._places = {skill["id"]: skill["directory"] for skill in report["skills"]}
            self._diagnostics = report["diagnostics"]
            return report

    def validate(self, paths: FolderPath | Iterable[FolderPath]) -> ValidateSkillsResponse:
        """What breaks the specification in the skills of these folders; loads nothing."""
        walk, files = self._walk([{"path": forward(path)} for path in _listed(paths)])
        return self._engine.validate_skills({"walk": walk, "files": files})

    def read(self, skill_id: str, file: str, most_bytes: int) -> Outcome:
        """Reads a file of a skill, for the engine."""
        place = self._places.get(skill_id)
        if place is None:
            return {"kind": "notBound"}
        read = read_inside(place, file, most_bytes)
        text = read.get("text")
        if text is None:
            return {"kind": "error", "name": read.get("problem") or "unreadable"}
        return {"kind": "text", "text": text}

    def touch(self, paths: Iterable[str]) -> list[str]:
        """Paths as the engine knows them, relative to the project; loads the folders of skills that lie above them."""
        project = self._root()
        inside = [_within(project, path) for path in paths]
        # All of them are looked at, also behind one that brings something new.
        if any([self._discover_above(project, path) for path in inside]):  # noqa: C419
            self.reload()
        return inside

    def unwatch(self) -> None:
        """Stops watching."""
        watching, self._watching = self._watching, []
        for stop in watching:
            stop.set()

    def after_fork(self) -> None:
        """In a forked child: no thread is left that holds the lock or watches."""
        self._loading = allocate_lock()
        self._watching = []

    def _root(self) -> str:
        return os.path.abspath(self._project or os.getcwd())

    def _walk(self, roots: list[SkillRoot]) -> tuple[Any, list[SkillText]]:
        step = self._engine.walk_skills({"roots": roots})
        while step["list"]:
            listings = [list_folder(folder, step["mostEntries"]) for folder in step["list"]]
            step = self._engine.walk_skills({"walk": step["walk"], "listings": listings})
        files = [read_inside(place["directory"], place["file"], step["mostBytes"]) for place in step["read"]]
        return step["walk"], files

    def _discover_above(self, project: str, path: str) -> bool:
        """Looks for folders of skills from a file's folder up to the project's, in each folder once."""
        is_new = False
        if not self._discover or path.startswith("..") or os.path.isabs(path):
            return is_new
        below = path
        while "/" in below:
            below = below.rsplit("/", 1)[0]
            if below in self._looked_in:
                continue
            self._looked_in.add(below)
            for name in self._discover:
                folder = os.path.join(project, below, name)
                if not os.path.isdir(folder) or os.path.islink(folder):
                    continue
                self._folders[folder, "project"] = {"path": forward(folder), "scope": "project", "below": below}
                is_new = True
        return is_new

    def _with_rules(self, root: SkillRoot) -> SkillRoot:
        below = root.get("below")
        if below is None:
            return root
        parts = below.split("/")
        rules: list[IgnoreRules] = []
        for depth in range(len(parts) + 1):
            at = "/".join(parts[:depth])
            text = read_inside(os.path.join(self._root(), at), ".gitignore", IGNORE_BYTES).get("text")
            if text:
                rules.append({"at": at, "text": text})
        return {**root, "rules": rules}

    def _watch(self, paths: list[str]) -> None:
        import threading

        try:
            from watchfiles import watch
        except ImportError:
            message = "watching folders needs the package `watchfiles`; install `honeyguide[watch]`"
            raise ImportError(message) from None
        for path in paths:
            if not os.path.isdir(path):
                message = f"`{path}` cannot be watched, since it is no folder; load it without `watch`"
                raise StateError("unreadable_file", message, {"path": path})
        stop = threading.Event()

        def work() -> None:
            for _ in watch(*paths, stop_event=stop, debounce=100, raise_interrupt=False, ignore_permission_denied=True):
                self.reload()

        self._watching.append(stop)
        threading.Thread(target=work, daemon=True).start()


def _listed(paths: FolderPath | Iterable[FolderPath]) -> list[str]:
    listed = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    return [os.path.abspath(os.fspath(path)) for path in listed]


def _within(project: str, path: str) -> str:
    try:
        within = os.path.relpath(os.path.join(project, path), project)
    except ValueError:  # another drive
        return path
    return path if within.startswith("..") or os.path.isabs(within) else forward(within)
