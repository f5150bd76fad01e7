"""`Session`: one conversation, with its id filled in. Holds nothing: the engine does."""

from __future__ import annotations

from .catalogs import CatalogSearch, ToolSearch
from .client import Conversation
from .errors import InvalidInputError
from .host import now
from .request import wire_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .generated.types import SkillListingResponse, TouchResponse
    from .host import Host
    from .options import SkillListingOptions, Unpack

__all__ = ["Session"]


class Session(Conversation):
    """One conversation: the same verbs, with the session filled in."""

    def __init__(self, host: Host, id: str) -> None:
        # Without an id every call would be outside of any conversation, and free of its rules.
        if not isinstance(id, str) or id == "":
            raise InvalidInputError("invalid_request", "a conversation needs an id, a text that is not empty")
        scope = {"session": id}
        super().__init__(host, scope)
        self.id = id
        self.tools = ToolSearch(host, scope)
        self.skills = CatalogSearch(host, "skill", scope)
        self.facts = CatalogSearch(host, "fact", scope)

    def touch(self, paths: str | Iterable[str]) -> TouchResponse:
        """Says that files were touched, relative to the project or absolute.

        Skills that wait for them may be seen from now on, and folders of skills that lie above them are loaded.
        """
        inside = self._host.folders.touch([paths] if isinstance(paths, str) else paths)
        return self._engine.touch({"session": self.id, "paths": inside, "now": now()})

    def skill_listing(self, **options: Unpack[SkillListingOptions]) -> SkillListingResponse:
        """The skills that this conversation was not sent, as text for its prompt; from now on they count as sent."""
        return self._engine.skill_listing(wire_names(options, session=self.id, now=now()))

    def end(self) -> None:
        """Forgets the conversation."""
        self._engine.end_session({"session": self.id})
