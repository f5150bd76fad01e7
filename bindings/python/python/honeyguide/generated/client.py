# Written by `make gen` from the engine's wire structs; do not edit.
"""The engine's operations as methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from .types import (
        DiagnoseResponse,
        EmptyRequest,
        EndSessionRequest,
        ForModelRequest,
        ForModelResponse,
        GetRequest,
        GetResponse,
        InvokeRequest,
        ListRequest,
        ListResponse,
        ListServersResponse,
        ModelToolsRequest,
        ModelToolsResponse,
        RecallRequest,
        RecallResponse,
        RegisterRequest,
        RegisterResponse,
        RemoveRequest,
        RemoveResponse,
        RemoveServerRequest,
        ReplaceAllRequest,
        ResolveRequest,
        ResolveResponse,
        ResumeRequest,
        RevisionResponse,
        SearchRequest,
        SearchResponse,
        SetServerRequest,
        SetSessionRequest,
        SizeRequest,
        SizeResponse,
        Step,
        StepRequest,
    )


class Send(Protocol):
    """Sends one operation and returns its parsed answer, or raises what the envelope says."""

    def __call__(self, operation: str, request: object, /) -> Any: ...


class EngineClient:
    """The engine's operations as methods."""

    def __init__(self, send: Send) -> None:
        self.send = send

    def register(self, request: RegisterRequest) -> RegisterResponse:
        """Adds items to a catalog, replacing in place by id; each is parsed alone."""
        response: RegisterResponse = self.send("register", request)
        return response

    def replace_all(self, request: ReplaceAllRequest) -> RegisterResponse:
        """Makes these items the whole catalog."""
        response: RegisterResponse = self.send("replaceAll", request)
        return response

    def remove(self, request: RemoveRequest) -> RemoveResponse:
        """Removes items by id; unknown ids are passed over."""
        response: RemoveResponse = self.send("remove", request)
        return response

    def get(self, request: GetRequest) -> GetResponse:
        """Reads one item back as it was registered."""
        response: GetResponse = self.send("get", request)
        return response

    def list(self, request: ListRequest) -> ListResponse:
        """Reads a page of items back, in the order of registration."""
        response: ListResponse = self.send("list", request)
        return response

    def size(self, request: SizeRequest) -> SizeResponse:
        """Counts the items of a catalog."""
        response: SizeResponse = self.send("size", request)
        return response

    def search(self, request: SearchRequest) -> SearchResponse:
        """Searches one catalog in the plain order."""
        response: SearchResponse = self.send("search", request)
        return response

    def set_server(self, request: SetServerRequest) -> RevisionResponse:
        """Describes a server; replaces what was said of it."""
        response: RevisionResponse = self.send("setServer", request)
        return response

    def remove_server(self, request: RemoveServerRequest) -> RevisionResponse:
        """Forgets what was said of a server; its tools stay."""
        response: RevisionResponse = self.send("removeServer", request)
        return response

    def list_servers(self, request: EmptyRequest) -> ListServersResponse:
        """The servers that were described."""
        response: ListServersResponse = self.send("listServers", request)
        return response

    def set_session(self, request: SetSessionRequest) -> RevisionResponse:
        """Opens a conversation or changes what it may see."""
        response: RevisionResponse = self.send("setSession", request)
        return response

    def end_session(self, request: EndSessionRequest) -> RevisionResponse:
        """Forgets a conversation."""
        response: RevisionResponse = self.send("endSession", request)
        return response

    def model_tools(self, request: ModelToolsRequest) -> ModelToolsResponse:
        """Hands out the three tool definitions."""
        response: ModelToolsResponse = self.send("modelTools", request)
        return response

    def step(self, request: StepRequest) -> Step:
        """Answers a model's call of one of the three tools, or of a catalog tool by its id."""
        response: Step = self.send("step", request)
        return response

    def resume(self, request: ResumeRequest) -> Step:
        """Goes on with a call after the host has done what a step asked for."""
        response: Step = self.send("resume", request)
        return response

    def invoke(self, request: InvokeRequest) -> Step:
        """Starts a call from host code: mistakes are errors, not replies."""
        response: Step = self.send("invoke", request)
        return response

    def resolve(self, request: ResolveRequest) -> ResolveResponse:
        """Repairs and validates a call and runs nothing."""
        response: ResolveResponse = self.send("resolve", request)
        return response

    def recall(self, request: RecallRequest) -> RecallResponse:
        """Searches as `search_capabilities` does, for a host that puts the result before the model itself."""
        response: RecallResponse = self.send("recall", request)
        return response

    def for_model(self, request: ForModelRequest) -> ForModelResponse:
        """Prepares a tool's result for the model."""
        response: ForModelResponse = self.send("forModel", request)
        return response

    def diagnose(self, request: EmptyRequest) -> DiagnoseResponse:
        """Compiles every schema and says what is wrong in the catalogs."""
        response: DiagnoseResponse = self.send("diagnose", request)
        return response
