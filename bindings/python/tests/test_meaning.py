"""Searches by meaning: who embeds what when, and what is answered while that is not done or fails."""

import asyncio
import threading
import time

import pytest
from honeyguide import Honeyguide, HoneyguideError, InvalidInputError, StateError

DIRECTIONS = (("delete", "erase"), ("create",), ("weather",))


def vector_of(text):
    """How many words of each direction a text has, and a little of everything."""
    return [*(float(sum(word in text.lower() for word in words)) for words in DIRECTIONS), 0.1]


class Toy:
    """An embedder; `answer` makes the vectors, `asked` notes what it was asked for."""

    id = "toy"
    dimensions = 4

    def __init__(self, answer=None, **attributes):
        self.answer = answer or (lambda texts: [vector_of(text) for text in texts])
        self.asked = []
        for name, value in attributes.items():
            setattr(self, name, value)

    def embed(self, texts, role):
        self.asked.append((list(texts), role))
        return self.answer(texts)


class AsyncToy(Toy):
    async def embed(self, texts, role):
        await asyncio.sleep(0)
        return super().embed(texts, role)


TOOLS = [
    {"id": id, "description": f"It can {id.replace('_', ' a ')}", "execute": lambda args: args}
    for id in ("create_flow", "delete_flow", "get_weather")
]


def opened(embedder, method="hybrid"):
    hg = Honeyguide(embedder=embedder, method=method)
    hg.tools.register(TOOLS)
    return hg


def first_tool(reply):
    return reply["tools"]["groups"][0]["hits"][0]["toolId"]


def fails(*_):
    raise RuntimeError("down")


@pytest.mark.parametrize("kind", [Toy, AsyncToy])
def test_what_is_missing_is_embedded_once_and_told(kind):
    embedder = kind()
    hg = opened(embedder)
    told = []

    async def both():
        return await asyncio.gather(hg.warm_up(on_progress=told.append), hg.warm_up())

    first, second = asyncio.run(both())
    assert first == second == {"embedded": 3, "total": 3, "refused": []}
    assert told == [{"embedded": 3, "total": 3}]
    texts = [f"{id.replace('_', ' ')}\nIt can {id.replace('_', ' a ')}" for id in (tool["id"] for tool in TOOLS)]
    assert embedder.asked == [(texts, "document")]
    hg.tools.remove("create_flow")
    hg.tools.register(TOOLS)
    assert hg.warm_up_sync() == first
    assert len(embedder.asked) == 1


def test_texts_come_in_batches_and_one_whose_vector_is_none_stops_no_other():
    embedder = Toy(lambda texts: [[0.0] * 4 if "number 7\n" in text else vector_of(text) for text in texts])
    hg = Honeyguide(embedder=embedder, method="hybrid")
    hg.skills.register([{"id": f"number {n}", "description": "x", "body": ""} for n in range(150)])
    done = hg.warm_up_sync()
    assert (done["embedded"], done["total"], [one["code"] for one in done["refused"]]) == (149, 150, ["invalid_vector"])
    assert [len(texts) for texts, _ in embedder.asked] == [64, 64, 22]


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (fails, "embedding_failed"),
        (lambda texts: [[1, 2, 3, 4]], "embedding_failed"),
        (lambda texts: None, "embedding_failed"),
        (lambda texts: list(texts), "embedding_failed"),
        (lambda texts: [[1, 2] for _ in texts], "invalid_vector"),
        (lambda texts: [[1, float("nan"), 0, 0] for _ in texts], "invalid_vector"),
    ],
)
def test_an_embedder_that_fails_is_an_error_and_words_go_on(answer, code):
    hg = opened(Toy(answer))
    with pytest.raises(HoneyguideError) as raised:
        hg.warm_up_sync()
    assert raised.value.code == code

    async def searches():
        assert (await hg.tools.search_async("delete flow"))[0]["id"] == "delete_flow"
        with pytest.raises(StateError) as strictly:
            await hg.tools.search_async("delete flow", strict=True)
        assert strictly.value.code == "no_vectors"

    asyncio.run(searches())


def test_without_an_embedder_there_is_nothing_to_warm_up(hg):
    with pytest.raises(InvalidInputError) as raised:
        hg.warm_up_sync()
    assert raised.value.code == "method_unavailable"


@pytest.mark.parametrize("is_sync", [True, False])
def test_a_first_search_goes_by_words_and_begins_to_embed_without_waiting(is_sync):
    gate = threading.Event()

    def slow(texts):
        gate.wait(10)
        return [vector_of(text) for text in texts]

    hg = opened(Toy(slow))
    question = ("search_capabilities", {"query": "delete flow"})

    async def asked():
        reply = await hg.call(*question)
        gate.set()
        await hg.warm_up()
        return reply, await hg.call("search_capabilities", {"query": "erase it"})

    if is_sync:
        reply = hg.call_sync(*question)
        gate.set()
        hg.warm_up_sync()
        later = hg.call_sync("search_capabilities", {"query": "erase it"})
    else:
        reply, later = asyncio.run(asked())
    assert (reply["degraded"], first_tool(reply)) == ("no_vectors", "delete_flow")
    assert ("degraded" in later, first_tool(later)) == (False, "delete_flow")


def test_after_a_failure_the_background_pauses():
    embedder = Toy(fails)
    hg = opened(embedder)

    async def searches():
        for _ in range(5):
            await hg.tools.search_async("delete flow")
            await asyncio.sleep(0.02)

    asyncio.run(searches())
    assert len(embedder.asked) == 1


def test_an_engine_that_ranks_by_words_embeds_nothing():
    embedder = Toy()
    hg = opened(embedder, "lexical")
    assert "degraded" not in hg.call_sync("search_capabilities", {"query": "delete flow"})
    assert "degraded" not in hg.recall_sync("delete flow")
    asyncio.run(hg.tools.search_async("delete flow"))
    assert embedder.asked == []


def test_searches_follow_the_method_of_the_engine_or_their_own():
    embedder = AsyncToy()
    hg = opened(embedder)

    async def searches():
        await hg.warm_up()
        for place in (hg.tools, hg.session("s").tools):
            for options in ({}, {"method": "semantic"}):
                assert (await place.search_async("erase it", **options))[0]["id"] == "delete_flow"
        asked = len(embedder.asked)
        await hg.tools.search_async("erase it", method="lexical")
        await hg.tools.search_async("  ")
        assert len(embedder.asked) == asked
        needs = await hg.tools.search_needs_async(["erase it", "weather"])
        assert [hit["id"] for hit in needs["hits"]][:2] == ["delete_flow", "get_weather"]
        assert needs["coverage"] == {"embedded": 3, "total": 3}
        assert first_tool(await hg.recall("erase it")) == "delete_flow"

    asyncio.run(searches())
    assert first_tool(hg.recall_sync("erase it")) == "delete_flow"


def test_the_best_few_that_a_request_lists_are_found_by_meaning():
    hg = opened(AsyncToy())
    wanted = {"mode": "replace", "query": "erase it", "top_k": 1}

    async def disclosures():
        await hg.warm_up()
        return [await place.disclose_async(**wanted) for place in (hg, hg.session("s"))]

    for disclosed in asyncio.run(disclosures()):
        assert [tool["toolId"] for tool in disclosed["exposed"]] == ["delete_flow"]
        assert "degraded" not in disclosed
    own = hg.disclose(**wanted, query_vector=tuple(vector_of("erase it")))
    assert own["exposed"][0]["toolId"] == "delete_flow"
    assert hg.disclose(**wanted)["degraded"] == "no_embedder"


def test_a_vector_of_the_callers_own_is_searched_for_at_once():
    hg = opened(Toy())
    hg.warm_up_sync()
    options = {"query_vector": vector_of("erase it"), "method": "semantic"}
    assert hg.tools.search("?", **options)[0]["id"] == "delete_flow"
    assert asyncio.run(hg.tools.search_async("?", **options))[0]["id"] == "delete_flow"
    with pytest.raises(InvalidInputError, match="searchAsync"):
        hg.tools.search("?", method="hybrid")


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (fails, "embedding_failed"),
        (lambda texts: [[1.0, 2.0]], "embedding_failed"),
        (lambda texts: [[float("inf"), 0, 0, 1]], "embedding_failed"),
        (lambda texts: [[0, 0, 0, 0]], "embedding_failed"),
        (lambda texts: [], "embedding_failed"),
        (lambda texts: time.sleep(0.2), "timeout"),
    ],
)
def test_a_query_that_cannot_be_embedded_goes_by_words_or_not_at_all(broken, reason):
    embedder = Toy(timeout_ms=20)
    hg = opened(embedder)
    hg.warm_up_sync()
    embedder.answer = broken

    async def searches():
        assert (await hg.tools.search_async("delete flow"))[0]["id"] == "delete_flow"
        assert (await hg.tools.search_needs_async("delete flow"))["degraded"] == reason
        with pytest.raises(StateError) as raised:
            await hg.tools.search_async("delete flow", strict=True)
        assert raised.value.code == reason
        reply = await hg.call("search_capabilities", {"query": "delete flow"})
        assert (reply["degraded"], reply["status"]) == (reason, "ok")

        with pytest.raises(HoneyguideError) as caught:
            await hg.recall("delete flow", strict=True)
        assert caught.value.code == reason
        disclosed = await hg.disclose_async(mode="replace", query="delete flow", top_k=1)
        assert (disclosed["exposed"][0]["toolId"], disclosed["degraded"]) == ("delete_flow", reason)

    asyncio.run(searches())
    assert hg.recall_sync("delete flow")["degraded"] == reason
    with pytest.raises(HoneyguideError) as caught:
        hg.recall_sync("delete flow", strict=True)
    assert caught.value.code == reason


def test_what_was_saved_is_found_without_embedding_it_again():
    hg = opened(Toy())
    hg.warm_up_sync()
    embedder = Toy()
    other = Honeyguide(embedder=embedder, method="hybrid")
    other.load(hg.save())
    assert first_tool(other.recall_sync("erase it")) == "delete_flow"
    assert embedder.asked == [(["erase it"], "query")]


def test_what_is_no_embedder_is_refused():
    for embedder, word in [
        (object(), "embed"),
        (Toy(dimensions=0), "dimensions"),
        (Toy(scripts=["Klingon"]), "Klingon"),
        (Toy(languages=["English"]), "English"),
        (Toy(languages="en"), '"en"'),
        (Toy(scripts="Latn"), '"Latn"'),
    ]:
        with pytest.raises(InvalidInputError, match=word):
            Honeyguide(embedder=embedder)
    with pytest.raises(InvalidInputError, match="embedder"):
        Honeyguide(method="hybrid")


def test_an_event_loop_goes_on_while_five_hundred_tools_are_embedded():
    hg = Honeyguide(embedder=Toy(lambda texts: time.sleep(0.01) or [vector_of(text) for text in texts]))
    hg.tools.register([{"id": f"tool_{n}", "description": f"{n}", "execute": lambda args: args} for n in range(500)])
    beats = 0

    async def heart():
        nonlocal beats
        while True:
            await asyncio.sleep(0.001)
            beats += 1

    async def embedded():
        beating = asyncio.create_task(heart())
        done = await hg.warm_up()
        beating.cancel()
        return done

    assert asyncio.run(embedded())["embedded"] == 500
    assert beats > 8


def test_threads_register_and_search_while_texts_are_embedded():
    hg = Honeyguide(embedder=Toy(), method="hybrid")
    failures = []

    def work(number):
        try:
            for turn in range(20):
                item = {"id": f"t{number}_{turn}", "description": "delete a flow", "execute": lambda args: args}
                hg.tools.register(item)
                hg.recall_sync("erase it")
                hg.warm_up_sync()
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert hg.warm_up_sync() == {"embedded": 160, "total": 160, "refused": []}
