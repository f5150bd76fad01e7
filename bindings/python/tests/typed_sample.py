"""A program as its author's type checker sees it. mypy reads it strictly; lines that must fail say with what."""

from __future__ import annotations

from typing import Any

from honeyguide import Context, Honeyguide, HoneyguideError, Session
from typing_extensions import assert_type

hg = Honeyguide(token_budget=4000, approve=lambda call: {"approved": True, "reason": call["toolId"]})


@hg.tool
def add(a: int, b: int = 1) -> int:
    """Adds."""
    return a + b


@hg.tool(id="math__double", requires_approval=True)
async def double(a: int, user: Context[str]) -> int:
    """Doubles."""
    return a * len(user)


assert_type(add(1), int)
add("1")  # type: ignore[arg-type]

hit = hg.tools.search("add", top_k=3, include=["schema"], filter={"servers": ["math"]})[0]
assert_type(hit["id"], str)
assert_type(hit["score"], float)
hg.tools.search("add", top_n=3)  # type: ignore[call-arg]
hg.tools.search("add", method="magic")  # type: ignore[arg-type]
assert_type(hg.tools.search("add", explain=True)[0]["explanation"]["parts"][0]["value"], float)

page = hg.tools.search_needs(["add", "double"], top_k=3, filter={"servers": ["math"]})
assert_type(page["hits"][0]["needs"], list[int])
assert_type(page["needs"][0]["query"], str)
hg.session("c").facts.search_needs("one need", explain=True)
hg.tools.search_needs(["add"], method="magic")  # type: ignore[arg-type]


class Axes:
    """An embedder of one's own."""

    id = "axes"
    dimensions = 2

    async def embed(self, texts: list[str], role: str) -> list[list[float]]:
        """Makes a vector of each text."""
        return [[float(len(text)), 1.0] for text in texts]


near = Honeyguide(embedder=Axes(), method="hybrid")
Honeyguide(embedder=object())  # type: ignore[arg-type]

assert_type(hg.tools.register({"id": "x", "execute": lambda args: args})["added"], int)
assert_type(hg.tools.remove("x"), list[str])
assert_type(hg.session("c", visible={"allow": {"servers": ["math"]}}), Session)
assert_type(hg.call_sync("add", {"a": 1}), Any)


async def agent() -> None:
    """One turn."""
    try:
        await hg.call("invoke_tool", '{"toolId":"add"}', context=1, timeout_ms=50)
        await hg.tools.invoke("add", {"a": 1}, approve=lambda call: False)
        assert_type((await near.warm_up(on_progress=print))["embedded"], int)
        assert_type((await near.tools.search_needs_async("add", strict=True))["hits"][0]["score"], float)
    except HoneyguideError as error:
        assert_type(error.code, str)
