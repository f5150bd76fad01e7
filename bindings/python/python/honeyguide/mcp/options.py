"""What can be said when a server is registered, and every default of it. Knows nothing of how it is done."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, TypedDict

from .backoff import Backoff
from .clock import Clock, SystemClock

if sys.version_info >= (3, 11):
    from typing import NotRequired, Required, Unpack
else:
    from typing_extensions import NotRequired, Required, Unpack

__all__ = [
    "APPROVALS",
    "ApprovalRule",
    "Diagnostic",
    "DriftPolicy",
    "ServerAddress",
    "ServerOptions",
    "ServerSettings",
    "Settings",
    "ToolTerms",
    "Unpack",
]

DriftPolicy: TypeAlias = Literal["allow", "warn", "quarantine"]
"""What happens to a tool whose definition is not the one that was seen first."""


ApprovalRule: TypeAlias = Literal["destructive", "writes", "none"] | Callable[[Mapping[str, Any]], bool]
"""Which tools of a server somebody is asked about before they run: those that say that they destroy, all that do not
say that they only read, none, or those that a function picks; it gets the tool as the server lists it."""


APPROVALS = ("destructive", "writes", "none")
"""The rules that have a name."""


class ToolTerms(TypedDict, total=False):
    """What holds for one tool."""

    timeout_ms: float
    """The longest silence."""
    maximum_ms: float
    """The longest call, whatever progress it reports."""
    requires_approval: bool
    """Whether somebody is asked before it runs, whatever `approval` says."""


class Diagnostic(TypedDict):
    """Something to know of a server that still works."""

    server: Required[str]
    code: Required[str]
    """What happened, in one word: `definition_changed`, `cursor_not_advancing`, `connection_lost` and so on."""
    message: Required[str]
    tool: NotRequired[str]
    """The tool, by its name on the server."""
    old_digest: NotRequired[str]
    """With `definition_changed`: the digest that was seen first."""
    new_digest: NotRequired[str]
    """With `definition_changed`: the present one."""


class ServerSettings(TypedDict, total=False):
    """How a server is dealt with."""

    description: str | None
    """One line for the model (default: what the server says of itself)."""
    timeout_ms: float
    """The longest silence of a call or a listing (default 60,000); progress ends it."""
    maximum_ms: float
    """The longest call (default 600,000)."""
    connect_timeout_ms: float
    """The longest handshake (default 30,000)."""
    settle_ms: float
    """How long a burst of change notices may go on before the tools are listed again (default 100)."""
    tools: Mapping[str, ToolTerms]
    """What holds for single tools, by their names on the server."""
    approval: ApprovalRule
    """Which tools somebody is asked about before they run (default `none`); judged anew with each listing."""
    on_change: DriftPolicy
    """What happens to a tool whose definition changes (default `warn`)."""
    digests: Mapping[str, str]
    """Digests of definitions that were seen before this run, by tool: `digests` of an earlier handle."""
    backoff: Backoff
    """When a server is dialled again."""
    on_diagnostic: Callable[[Diagnostic], object] | None
    """Hears what is worth knowing, as it happens."""
    on_status: Callable[[Any, str], object] | None
    """Hears where the server stands, whenever that changes: a `ServerStatus`, and the server."""
    on_progress: Callable[[Mapping[str, Any], str, str, Any], object] | None
    """Hears the progress of calls: what was reported, the server, the tool, and the `context` of this very call."""
    mode: Literal["legacy", "auto"]
    """Whether the server is asked for the revision without sessions first (`auto`) or not (`legacy`, the default)."""
    clock: Clock
    """The time (default: the system's)."""


class ServerAddress(TypedDict, total=False):
    """How a server is reached: a transport, a command or an address."""

    transport: AbstractAsyncContextManager[Any] | Callable[[], AbstractAsyncContextManager[Any]] | None
    """A transport of the official package, or a function that makes one; only a function can reconnect."""
    command: str | None
    """A program to start, which speaks over its pipes."""
    args: Sequence[str] | None
    env: Mapping[str, str] | None
    """The program's environment, beside `PATH` and `HOME`; nothing else of ours reaches it."""
    cwd: str | None
    url: str | None
    """An address that speaks Streamable HTTP."""
    headers: Mapping[str, str] | None
    auth: Any
    """Credentials, as the official package's HTTP client takes them."""


class ServerOptions(ServerAddress, ServerSettings, total=False):
    """How one server is reached and dealt with."""


@dataclass(frozen=True)
class Settings:
    """The settings with every default filled in."""

    description: str | None = None
    timeout_ms: float = 60_000
    maximum_ms: float = 600_000
    connect_timeout_ms: float = 30_000
    settle_ms: float = 100
    tools: Mapping[str, ToolTerms] = field(default_factory=dict)
    approval: ApprovalRule = "none"
    on_change: DriftPolicy = "warn"
    digests: Mapping[str, str] = field(default_factory=dict)
    backoff: Backoff = field(default_factory=Backoff)
    on_diagnostic: Callable[[Diagnostic], object] | None = None
    on_status: Callable[[Any, str], object] | None = None
    on_progress: Callable[[Mapping[str, Any], str, str, Any], object] | None = None
    mode: Literal["legacy", "auto"] = "legacy"
    clock: Clock = field(default_factory=SystemClock)
