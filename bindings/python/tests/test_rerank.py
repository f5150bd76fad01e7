"""A search whose best hits an application orders anew."""

from __future__ import annotations

import asyncio
import time

import pytest
from honeyguide import Honeyguide, InvalidInputError

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


def shown(result):
    return [hit["toolId"] for group in result["tools"]["groups"] for hit in group["hits"]]


def with_ranking(hg, ranking):
    ours = Honeyguide(rerank=ranking)
    ours.load(hg.save())
    return ours


async def test_an_engine_with_a_ranking_has_it_order_what_the_model_finds_and_its_own_searches(hg):
    ours, expected = with_ranking(hg, turned()), ids(hg.tools.search(QUERY))[::-1]
    for place in (ours, ours.session("s")):
        assert shown(await place.call("search_capabilities", {"query": QUERY})) == expected
        assert shown(await place.recall(QUERY, top_k_tools=2)) == expected[:2]
        assert ids(await place.tools.search_async(QUERY)) == expected
    assert ids(await ours.tools.search_async(QUERY, rerank=False)) == expected[::-1]
    assert ids(ours.tools.search(QUERY)) == expected[::-1]
    assert await ours.recall("xylophone") is None


def test_the_synchronous_doors_have_it_order_as_well(hg):
    async def rank(_query, hits):
        return range(len(hits))

    expected = ids(hg.tools.search(QUERY))[::-1]
    for ranking in (turned(), Ranking(rank)):
        ours = with_ranking(hg, ranking)
        assert shown(ours.call_sync("search_capabilities", {"query": QUERY})) == expected
        visible = {"deny": {"ids": [expected[0]]}}
        assert shown(ours.recall_sync(QUERY, visible=visible)) == expected[1:]


async def test_it_is_told_no_more_hits_than_it_wants_and_none_that_is_named(hg):
    told = []

    def rank(query, hits):
        told.append((query, [(hit["kind"], hit["id"], bool(hit["description"])) for hit in hits]))
        return range(len(hits))

    ours = with_ranking(hg, Ranking(rank, top=4))
    named = QUERY + " with c_file"
    assert shown(await ours.call("search_capabilities", {"query": named}))[0] == "c_file"
    assert told == [(named, [("tool", f"{id}_file", True) for id in "abd"])]


@pytest.mark.parametrize("door", ["call", "call_sync", "recall", "recall_sync"])
async def test_the_engines_order_stays_in_a_models_search_when_its_ranking_fails(hg, door):
    for rank, code in ((throws, "tool_failed"), (lambda _query, _hits: [1], "tool_failed"), (sleeps, "timeout")):
        ranking = Ranking(rank, timeout_ms=5)
        ours = with_ranking(hg, ranking)
        arguments = (QUERY,) if door.startswith("recall") else ("search_capabilities", {"query": QUERY})
        answer = getattr(ours, door)(*arguments)
        result = answer if door.endswith("_sync") else await answer
        assert shown(result) == ids(hg.tools.search(QUERY))
        assert [failure.code for failure in ranking.failures] == [code]


def test_a_listener_that_is_to_be_awaited_is_behind_a_synchronous_door():
    heard = []

    async def listen(failure):
        await asyncio.sleep(0)
        heard.append(failure.code)

    ours = Honeyguide(rerank=Ranking(throws, on_failure=listen))
    tools = [{"id": id, "description": "Handles a file", "execute": lambda args: 1} for id in "ab"]
    ours.tools.register(tools)
    assert len(shown(ours.recall_sync(QUERY))) == 2
    assert heard == ["tool_failed"]


async def test_what_is_no_ranking_is_refused(hg):
    with pytest.raises(InvalidInputError, match="rank"):
        Honeyguide(rerank=object())
    with pytest.raises(InvalidInputError, match="rank"):
        await hg.tools.search_async(QUERY, rerank=object())


async def test_the_parts_of_a_hit_stay_as_they_were_asked_for(hg):
    hits = await hg.tools.search_async(QUERY, include=["description"], explain=True, rerank=turned())
    assert sorted(hits[0]) == ["description", "explanation", "id", "rank", "score"]


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


def sleeps(_query, _hits):
    time.sleep(0.2)


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
