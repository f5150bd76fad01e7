"""The catalog of skills, with those that lie in folders. Knows nothing of how folders are walked."""

from __future__ import annotations

from .catalogs import Catalog

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .generated.client import EngineClient
    from .generated.types import Diagnostic, LoadSkillsResponse, ValidateSkillsResponse
    from .meaning import Meaning
    from .options import LoadFolderOptions, Rerank, Unpack
    from .skill_folders import FolderPath, SkillFolders

__all__ = ["SkillCatalog"]


class SkillCatalog(Catalog):
    """The skills."""

    def __init__(
        self, engine: EngineClient, meaning: Meaning, folders: SkillFolders, rerank: Rerank | None = None
    ) -> None:
        super().__init__(engine, "skill", {}, meaning, rerank)
        self._folders = folders

    def load_folder(
        self, paths: FolderPath | Iterable[FolderPath], **options: Unpack[LoadFolderOptions]
    ) -> LoadSkillsResponse:
        """Loads the skills of a folder, or of several, beside those that are loaded already.

        Says what it took, and what not and why.
        """
        return self._folders.add(paths, **options)

    def refresh(self) -> LoadSkillsResponse:
        """Looks at all loaded folders again."""
        return self._folders.reload()

    def diagnostics(self) -> list[Diagnostic]:
        """What was wrong with folders and files when they were last looked at."""
        return self._folders.diagnostics

    def validate(self, paths: FolderPath | Iterable[FolderPath]) -> ValidateSkillsResponse:
        """What breaks the Agent Skills specification in the skills of a folder, or of several; loads nothing."""
        return self._folders.validate(paths)

    def unwatch(self) -> None:
        """Stops watching the folders that were loaded with `watch`."""
        self._folders.unwatch()
