"""What a host asks about the catalogs: what to put before a model, what to list for it, and what a call would be.

Knows nothing of functions: nothing here runs one.
"""

from __future__ import annotations

from .arguments import write_arguments
from .host import now
from .refuse import Raw, printable
from .request import wire_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .generated.types import DiscloseResponse, ResolveResponse
    from .host import Host
    from .run import DoorName

__all__ = ["disclose", "disclose_async", "recall", "resolve"]


async def recall(host: Host, query: str, options: Mapping[str, Any], door: DoorName = "Waiting") -> Any:
    """The `search_capabilities` result, or None when nothing matches."""
    asked = printable(query)
    fixed = {"query": asked, **await _means(host, asked, None, door), "now": now()}
    answer = host.engine.recall(wire_names(options, **fixed))
    if "step" not in answer:
        return answer["result"]
    from .run import finish

    return await finish(host, answer["step"], door)


def disclose(host: Host, options: Mapping[str, Any]) -> DiscloseResponse:
    """What one request to the model is to list."""
    return host.engine.disclose(_disclosing(options))


async def disclose_async(host: Host, options: Mapping[str, Any]) -> DiscloseResponse:
    """The same, with the vector of the query."""
    asked = _disclosing(options)
    if isinstance(query := asked.get("query"), str) and asked.get("queryVector") is None:
        asked.update(await _means(host, query, "tool", "Waiting"))
    return host.engine.disclose(asked)


def resolve(host: Host, call: Mapping[str, Any] | str, options: Mapping[str, Any]) -> ResolveResponse:
    """A call, repaired and validated."""
    return host.engine.resolve(wire_names(options, arguments=write_arguments(call) or Raw("null")))


async def _means(host: Host, query: str, kind: str | None, door: DoorName) -> dict[str, Any]:
    """The query's vector, or why there is none."""
    means = await host.meaning.of([query], None, kind, door)
    return {"queryVector": means.get("queryVectors", [None])[0], "degraded": means.get("degraded")}


def _disclosing(options: Mapping[str, Any]) -> Any:
    asked = wire_names(options)
    if isinstance(query := asked.get("query"), str):
        asked["query"] = printable(query)
    if asked.get("queryVector") is not None:
        asked["queryVector"] = list(asked["queryVector"])
    return asked
