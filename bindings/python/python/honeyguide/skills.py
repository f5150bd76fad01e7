"""The catalog of skills, with those that lie in folders. Knows nothing of how folders are walked."""

from __future__ import annotations

from .catalogs import Catalog

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .generated.types import Diagnostic, LoadSkillsResponse, ValidateSkillsResponse
    from .host import Host
    from .options import LoadFolderOptions, Unpack
    from .skill_folders import FolderPath

__all__ = ["SkillCatalog"]


class SkillCatalog(Catalog):
    """The skills."""

    def __init__(self, host: Host) -> None:
        super().__init__(host, "skill", {})

    def load_folder(
        self, paths: FolderPath | Iterable[FolderPath], **options: Unpack[LoadFolderOptions]
    ) -> LoadSkillsResponse:
        """Loads the skills of a folder, or of several, beside those that are loaded already.

        Says what it took, and what not and why.
        """
        return self._host.folders.add(paths, **options)

    def refresh(self) -> LoadSkillsResponse:
        """Looks at all loaded folders again."""
        return self._host.folders.reload()

    def diagnostics(self) -> list[Diagnostic]:
        """What was wrong with folders and files when they were last looked at."""
        return self._host.folders.diagnostics

    def validate(self, paths: FolderPath | Iterable[FolderPath]) -> ValidateSkillsResponse:
        """What breaks the Agent Skills specification in the skills of a folder, or of several; loads nothing."""
        return self._host.folders.validate(paths)

    def unwatch(self) -> None:
        """Stops watching the folders that were loaded with `watch`."""
        self._host.folders.unwatch()
