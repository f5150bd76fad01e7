"""A search whose best hits an application orders anew."""

from __future__ import annotations

import asyncio

import pytest
from honeyguide import Honeyguide

QUERY = "handles a file"


@pytest.fixture
def hg():
    hg = Honeyguide()
    tools = [
        {"id": f"{id}_file", "description": "Handles a file " + "again " * place, "execute": lambda args: 1}
        for place, id in enumerate("abcde")
    ]
    hg.tools.register(tools)
    return hg


class Ranking:
    def __init__(self, rank, **more):
        self.rank = rank
        self.failures = []
        self.on_failure = self.failures.append
        vars(self).update(more)


def turned():
    return Ranking(lambda _query, hits: range(len(hits)))


def ids(hits):
    return [hit["id"] for hit in hits]


async def test_the_best_hits_are_ordered_anew_and_show_no_more_than_was_asked_for(hg):
    hits = await hg.tools.search_async(QUERY, rerank=turned())
    assert ids(hits) == ids(hg.tools.search(QUERY))[::-1]
    assert [hit["rank"] for hit in hits] == [0, 1, 2, 3, 4]
    assert sorted(hits[0]) == ["id", "rank", "score"]


async def test_a_page_is_cut_after_the_best_were_ordered(hg):
    turned_ids = ids(hg.tools.search(QUERY))[::-1]
    assert ids(await hg.tools.search_async(QUERY, top_k=2, rerank=turned())) == turned_ids[:2]
    assert ids(await hg.tools.search_async(QUERY, top_k=2, offset=2, rerank=turned())) == turned_ids[2:4]


async def test_a_ranking_is_told_hits_with_descriptions_and_no_more_than_it_wants(hg):
    told = []

    async def rank(query, hits):
        told.append((query, [hit["description"] for hit in hits]))
        return [0] * len(hits)

    hits = await hg.tools.search_async(QUERY, rerank=Ranking(rank, top=2))
    assert ids(hits) == ids(hg.tools.search(QUERY))
    assert [(query, len(descriptions)) for query, descriptions in told] == [(QUERY, 2)]


async def test_a_named_tool_stays_in_front(hg):
    hits = await hg.tools.search_async(QUERY + " with c_file", rerank=turned())
    assert (ids(hits)[0], len(hits)) == ("c_file", 5)


async def test_what_a_ranking_does_to_its_hits_and_a_listener_to_its_failure_stays_there(hg):
    def clears(_query, hits):
        hits[0]["id"] = "another"
        hits.clear()

    async def not_listening(_failure):
        raise ValueError("not listening")

    expected = ids(hg.tools.search(QUERY))
    with pytest.warns(RuntimeWarning, match="not listening"):
        assert ids(await hg.tools.search_async(QUERY, rerank=Ranking(clears, on_failure=not_listening))) == expected
    five = Ranking(lambda _query, hits: (place for place, _ in enumerate(hits)))
    assert ids(await hg.tools.search_async(QUERY, rerank=five)) == expected[::-1]


async def never(_query, _hits):
    await asyncio.Event().wait()


def throws(_query, _hits):
    raise TypeError("no model")


@pytest.mark.parametrize(
    ("rank", "code"),
    [
        (throws, "tool_failed"),
        (lambda _query, _hits: [1], "tool_failed"),
        (lambda _query, _hits: [1, 2, 3, 4, float("nan")], "tool_failed"),
        (lambda _query, _hits: None, "tool_failed"),
        (lambda _query, _hits: ["1", "2", "3", "4", "5"], "tool_failed"),
        (never, "timeout"),
    ],
)
async def test_the_engines_order_stays_when_a_ranking_fails(hg, rank, code):
    rerank = Ranking(rank, timeout_ms=5)
    assert ids(await hg.tools.search_async(QUERY, rerank=rerank)) == ids(hg.tools.search(QUERY))
    assert [failure.code for failure in rerank.failures] == [code]
