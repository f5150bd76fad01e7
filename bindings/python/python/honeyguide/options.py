"""The keyword options of the facade, as types. Read by type checkers alone; the engine holds every default."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias, TypedDict

from .generated.types import (
    DisclosureMode,
    EmbedRole,
    Filter,
    FolderInclude,
    Include,
    Method,
    RefusedVector,
    SearchHit,
    SkillScope,
    Visible,
)

if sys.version_info >= (3, 11):
    from typing import Unpack
else:
    from typing_extensions import Unpack

__all__ = [
    "Approval",
    "Approve",
    "CallOptions",
    "DiscloseOptions",
    "Embedder",
    "EngineOptions",
    "Fork",
    "LoadFolderOptions",
    "ModelToolsOptions",
    "Progress",
    "RecallOptions",
    "Rerank",
    "ScopeOptions",
    "SearchNeedsOptions",
    "SearchOptions",
    "ServerOptions",
    "SessionOptions",
    "SkillListingOptions",
    "TokensOptions",
    "ToolFields",
    "Unpack",
    "WarmedUp",
]


class Declined(TypedDict, total=False):
    """An answer to the question whether a tool may run, with a reason for the model."""

    approved: bool
    reason: str


Approval: TypeAlias = bool | Declined
Approve: TypeAlias = Callable[[dict[str, Any]], Approval | Awaitable[Approval]]
"""Asks whether a tool may run: gets `toolId`, `arguments`, `annotations`, `digest`, `session`, `toolCallId`."""


Fork: TypeAlias = Callable[[dict[str, Any]], str | Awaitable[str]]
"""Has a sub-agent follow a skill: gets `skillId`, `prompt`, `allowedTools`, `model`, `effort`, `session`."""


class LoadFolderOptions(TypedDict, total=False):
    """How a folder of skills is loaded. `discover` names the folders that are looked for above a touched file."""

    scope: SkillScope
    watch: bool
    discover: Sequence[str] | Literal[False]
    depth: int
    folders: int
    include: Sequence[FolderInclude]


class EngineOptions(TypedDict, total=False):
    """Settings of one engine."""

    token_budget: int
    page_chars: int
    max_result_chars: int
    repair_arguments: bool
    ok_evidence: float
    weak_evidence: float
    method: Method
    fusion: Literal["sum", "ranks", "deviations"]


class Embedder(Protocol):
    """Embeds texts.

    May also have a `revision`, the `scripts` and the `languages` that its model knows, and a `timeout_ms` for queries.
    """

    @property
    def id(self) -> str:
        """The model's name; vectors of different names never meet."""

    @property
    def dimensions(self) -> int:
        """The length of its vectors."""

    def embed(
        self, texts: list[str], role: EmbedRole, /
    ) -> Sequence[Sequence[float]] | Awaitable[Sequence[Sequence[float]]]:
        """One vector for each text, in their order; at once, or to be awaited."""


class Rerank(Protocol):
    """Orders hits anew. May have a `top` (20 hits), a `timeout_ms` (2,000) and an `on_failure` that hears why not.

    Of a model's search a quarter of them may be skills.
    """

    def rank(self, query: str, hits: Sequence[SearchHit], /) -> Sequence[float] | Awaitable[Sequence[float]]:
        """How well each hit answers the query, one number for each, in their order: higher is better."""


class Progress(TypedDict):
    """How far an embedding of texts is."""

    embedded: int
    total: int


class WarmedUp(Progress):
    """What became of texts; those whose vectors were none are found by their words."""

    refused: Sequence[RefusedVector]


class ScopeOptions(TypedDict, total=False):
    """Whose call it is: a conversation, and what this call may see on top of what the conversation may."""

    session: str | None
    visible: Visible | None


class SessionOptions(TypedDict, total=False):
    """What a conversation may see and call."""

    visible: Visible | None


class SearchNeedsOptions(ScopeOptions, total=False):
    """How a catalog is searched for several needs."""

    top_k: int | None
    offset: int | None
    include: Sequence[Include] | None
    filter: Filter | None
    min_score: float | None
    explain: bool | None
    method: Method | None
    strict: bool | None
    query_vectors: Sequence[Sequence[float]] | None


class SearchOptions(ScopeOptions, total=False):
    """How a catalog is searched."""

    top_k: int | None
    offset: int | None
    include: Sequence[Include] | None
    filter: Filter | None
    min_score: float | None
    explain: bool | None
    method: Method | None
    strict: bool | None
    query_vector: Sequence[float] | None


class TokensOptions(ScopeOptions, total=False):
    """What is estimated beside the catalogs."""

    texts: Sequence[str]


class SkillListingOptions(TypedDict, total=False):
    """How much is listed of the skills, and what was listed before."""

    budget_chars: int | None
    context_tokens: int | None
    sent: Mapping[str, str] | None
    visible: Visible | None


class RecallOptions(ScopeOptions, total=False):
    """How much is recalled; with `strict`, raises where words alone would answer though the engine ranks by meaning."""

    top_k_tools: int | None
    top_k_skills: int | None
    strict: bool | None


class CallOptions(ScopeOptions, total=False):
    """How a call is made. `context` reaches the executor untouched; `timeout_ms` bounds the executor alone."""

    context: Any
    approve: Approve | None
    timeout_ms: float | None
    tool_call_id: str | None


class ServerOptions(TypedDict, total=False):
    """What is said of a server."""

    description: str | None
    instructions: str | None
    status: Literal["ready", "pending", "unavailable"] | None


class ModelToolsOptions(TypedDict, total=False):
    """In which shape the three tool definitions are handed out."""

    format: Literal["plain", "openai", "anthropic", "gemini"] | None
    strict: bool | None


class DiscloseOptions(ScopeOptions, ModelToolsOptions, total=False):
    """How much of the catalog one request to the model lists, and in which shape."""

    mode: DisclosureMode | None
    query: str | None
    query_vector: Sequence[float] | None
    top_k: int | None
    context_tokens: int | None
    share: float | None
    everything_before: bool | None


class ToolFields(TypedDict, total=False):
    """What a function does not say of itself as a tool."""

    id: str
    name: str
    title: str
    description: str
    output_schema: Mapping[str, Any]
    server: str
    tags: Sequence[str]
    annotations: Mapping[str, Any]
    requires_approval: bool
    search_text: str
