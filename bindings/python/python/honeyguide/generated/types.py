# Written by `make gen` from the engine's wire structs; do not edit.
"""The types of the wire."""

from __future__ import annotations

import sys
from typing import Any, Literal, TypeAlias, TypedDict

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired

Kind: TypeAlias = Literal["tool", "skill", "fact"]
Method: TypeAlias = Literal["lexical", "semantic", "hybrid"]
Include: TypeAlias = Literal["description", "schema", "item"]
Format: TypeAlias = Literal["plain", "openai", "anthropic", "gemini"]
ServerStatus: TypeAlias = Literal["ready", "pending", "unavailable"]
Severity: TypeAlias = Literal["error", "warning"]
Outcome: TypeAlias = dict[str, Any]
Step: TypeAlias = Any


class Visible(TypedDict):
    allow: NotRequired[Selector | None]
    deny: NotRequired[Selector | None]


class Selector(TypedDict):
    ids: NotRequired[list[str] | None]
    servers: NotRequired[list[str] | None]
    tags: NotRequired[list[str] | None]
    annotations: NotRequired[dict[str, bool] | None]


class Options(TypedDict):
    tokenBudget: NotRequired[int | None]
    pageChars: NotRequired[int | None]
    maxResultChars: NotRequired[int | None]
    repairArguments: NotRequired[bool | None]


class RegisterRequest(TypedDict):
    kind: Kind
    items: list[Any]


class ReplaceAllRequest(TypedDict):
    kind: Kind
    items: list[Any]


class RemoveRequest(TypedDict):
    kind: Kind
    ids: list[str]


class GetRequest(TypedDict):
    kind: Kind
    id: str


class ListRequest(TypedDict):
    kind: Kind
    offset: NotRequired[int | None]
    limit: NotRequired[int | None]


class SizeRequest(TypedDict):
    kind: Kind


class Filter(TypedDict):
    servers: NotRequired[list[str] | None]
    tags: NotRequired[list[str] | None]
    ids: NotRequired[list[str] | None]
    readOnly: NotRequired[bool | None]


class SearchRequest(TypedDict):
    kind: Kind
    query: str
    topK: NotRequired[Any | None]
    offset: NotRequired[int | None]
    method: NotRequired[Method | None]
    queryVector: NotRequired[list[float] | None]
    include: NotRequired[list[Include] | None]
    filter: NotRequired[Filter | None]
    minScore: NotRequired[float | None]
    session: NotRequired[str | None]
    visible: NotRequired[Visible | None]


class SetServerRequest(TypedDict):
    name: str
    description: NotRequired[str | None]
    instructions: NotRequired[str | None]
    status: NotRequired[ServerStatus | None]


class RemoveServerRequest(TypedDict):
    name: str


class SetSessionRequest(TypedDict):
    session: str
    visible: NotRequired[Visible | None]


class EndSessionRequest(TypedDict):
    session: str


class ModelToolsRequest(TypedDict):
    format: NotRequired[Format | None]
    strict: NotRequired[bool | None]


class StepRequest(TypedDict):
    name: str
    arguments: NotRequired[Any | None]
    session: NotRequired[str | None]
    visible: NotRequired[Visible | None]
    now: int


class ResumeRequest(TypedDict):
    call: Any
    outcome: Outcome
    now: int


class InvokeRequest(TypedDict):
    toolId: str
    args: NotRequired[Any | None]
    session: NotRequired[str | None]
    visible: NotRequired[Visible | None]
    now: int


class ResolveRequest(TypedDict):
    arguments: Any
    session: NotRequired[str | None]
    visible: NotRequired[Visible | None]


class RecallRequest(TypedDict):
    query: str
    topKTools: NotRequired[Any | None]
    topKSkills: NotRequired[Any | None]
    session: NotRequired[str | None]
    visible: NotRequired[Visible | None]
    now: int


class ForModelRequest(TypedDict):
    result: Any
    maxResultChars: NotRequired[int | None]


class RegisterResponse(TypedDict):
    added: int
    replaced: int
    unchanged: int
    removed: int
    rejected: list[int]
    diagnostics: list[Diagnostic]
    revision: int


class RemoveResponse(TypedDict):
    removed: list[str]
    revision: int


class GetResponse(TypedDict):
    item: Any | None


class ListResponse(TypedDict):
    items: list[Any]
    total: int


class SizeResponse(TypedDict):
    size: int


class SearchResponse(TypedDict):
    hits: list[SearchHit]
    total: int


class SearchHit(TypedDict):
    id: str
    score: float
    rank: int
    description: NotRequired[str | None]
    inputSchema: NotRequired[Any | None]
    item: NotRequired[Any | None]


class ListServersResponse(TypedDict):
    servers: list[Server]


class RevisionResponse(TypedDict):
    revision: int


class ModelToolsResponse(TypedDict):
    tools: list[Any]
    digest: str


class ResolveResponse(TypedDict):
    toolId: str
    arguments: Any
    requiresApproval: bool
    annotations: NotRequired[Any | None]
    digest: str


class RecallResponse(TypedDict):
    result: Any | None


class ForModelResponse(TypedDict):
    result: Any
    truncated: bool


class DiagnoseResponse(TypedDict):
    diagnostics: list[Diagnostic]


class Diagnostic(TypedDict):
    code: str
    severity: Severity
    kind: Kind
    index: NotRequired[int]
    id: NotRequired[str]
    path: NotRequired[str]
    message: str


class Server(TypedDict):
    name: str
    description: NotRequired[str]
    instructions: NotRequired[str]
    status: ServerStatus


class EmptyRequest(TypedDict):
    pass
