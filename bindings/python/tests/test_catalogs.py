"""The verbs of every catalog."""

import pytest
from honeyguide import InvalidInputError


def echo(args):
    return args


def tool(id, description, **fields):
    return {"id": id, "description": description, "execute": echo, **fields}


FILES = [
    tool("files__read", "Read a file", tags=["disk"], annotations={"readOnlyHint": True}),
    tool("files__delete", "Delete a file", tags=["disk"], annotations={"destructiveHint": True}),
    tool("mail__send", "Send an email", server="post"),
]


@pytest.fixture
def hg(hg):
    hg.tools.register(FILES)
    return hg


def ids(hits):
    return [hit["id"] for hit in hits]


def test_a_search_gives_ids_scores_and_ranks(hg):
    hits = hg.tools.search("send an email")
    assert ids(hits)[0] == "mail__send"
    assert set(hits[0]) == {"id", "score", "rank"}
    assert hits[0]["rank"] == 0
    assert hits[0]["score"] > 0


def test_a_search_is_cut_paged_filtered_and_filled(hg):
    assert len(hg.tools.search("file", top_k=1)) == 1
    assert ids(hg.tools.search("file", top_k=1, offset=1)) == ids(hg.tools.search("file"))[1:]
    assert ids(hg.tools.search("file email", filter={"servers": ["post"]})) == ["mail__send"]
    assert ids(hg.tools.search("file", filter={"readOnly": True})) == ["files__read"]
    assert ids(hg.tools.search("file", visible={"deny": {"ids": ["files__read"]}})) == ["files__delete"]
    hit = hg.tools.search("email", include=["description", "item"])[0]
    assert hit["description"] == "Send an email"
    assert hit["item"] == {"id": "mail__send", "description": "Send an email", "server": "post"}
    assert hg.tools.search("email", min_score=1e9) == []


async def test_a_search_has_an_asynchronous_door(hg):
    assert await hg.tools.search_async("email", top_k=1) == hg.tools.search("email", top_k=1)


@pytest.mark.parametrize("query", ["", "   ", "\0", "\ud83d", "🐦" * 5000, "x" * 100_000])
def test_any_text_is_a_query(hg, query):
    assert isinstance(hg.tools.search(query), list)


def test_a_method_that_needs_a_model_is_refused_by_a_code(hg):
    with pytest.raises(InvalidInputError) as caught:
        hg.tools.search("file", method="semantic")
    assert caught.value.code == "method_unavailable"


def test_an_option_that_does_not_exist_is_refused_by_its_name(hg):
    with pytest.raises(InvalidInputError, match="topk"):
        hg.tools.search("file", topk=3)


@pytest.mark.parametrize("query", [None, 5, b"file", ["file"]])
def test_a_query_that_is_no_text_is_refused(hg, query):
    with pytest.raises(InvalidInputError):
        hg.tools.search(query)


def test_what_json_cannot_say_in_an_option_is_refused_by_its_place(hg):
    with pytest.raises(InvalidInputError) as caught:
        hg.tools.search("file", filter={"servers": ["\ud800"]})
    assert (caught.value.code, caught.value.details["path"]) == ("invalid_json", "/filter/servers/0")


def test_several_needs_share_a_page_and_each_says_what_became_of_it(hg):
    found = hg.tools.search_needs(["send an email", "quantum physics", "read a file"], top_k=2)
    assert [need["status"] for need in found["needs"]] == ["ok", "no_match", "ok"]
    assert [(hit["id"], hit["needs"], hit["rank"]) for hit in found["hits"]] == [
        ("mail__send", [0], 0),
        ("files__read", [2], 1),
    ]


def test_one_need_has_the_hits_of_a_search_and_its_status(hg):
    found = hg.tools.search_needs("email")
    assert found["needs"] == [{"query": "email", "status": "ok", "total": 1}]
    hits = [{key: hit[key] for key in hit if key != "needs"} for hit in found["hits"]]
    assert hits == hg.tools.search("email")


def test_needs_are_searched_for_within_a_conversation_and_in_every_catalog(hg):
    guest = hg.session("guest", visible={"deny": {"servers": ["post"]}})
    assert guest.tools.search_needs(["send an email"])["hits"] == []
    hg.facts.register({"id": "lunch", "body": "Lunch is at noon."})
    hg.skills.register({"id": "tidy", "description": "Tidy a folder up", "body": "List it."})
    assert ids(hg.facts.search_needs(["when is lunch"])["hits"]) == ["lunch"]
    assert ids(hg.skills.search_needs(iter(["tidy up"]))["hits"]) == ["tidy"]


def test_more_needs_than_a_page_can_serve_are_refused_by_a_code(hg):
    with pytest.raises(InvalidInputError) as caught:
        hg.tools.search_needs(["x"] * 17)
    assert caught.value.code == "too_many_needs"


@pytest.mark.parametrize("queries", [None, 5, [7], [None]])
def test_needs_that_are_no_texts_are_refused(hg, queries):
    with pytest.raises(InvalidInputError) as caught:
        hg.tools.search_needs(queries)
    assert caught.value.code == "invalid_request"


def test_the_parts_of_an_explanation_add_up_to_the_score(hg):
    hit = hg.tools.search("read a file from disk", explain=True)[0]
    parts = hit["explanation"]["parts"]
    assert ("disk", "tags") in [(part["word"], part["field"]) for part in parts]
    total = 0.0
    for part in parts:
        total += part["value"]
    assert total == hit["score"]
    assert "explanation" not in hg.tools.search("file")[0]


def test_items_are_read_back_page_by_page(hg):
    assert ids(hg.tools.list()) == ["files__read", "files__delete", "mail__send"]
    assert ids(hg.tools.list(offset=1, limit=1)) == ["files__delete"]
    assert hg.tools.get("mail__send")["server"] == "post"
    assert hg.tools.get("nothing") is None
    assert hg.tools.size == 3


def test_items_are_removed_one_by_one_and_together(hg):
    assert hg.tools.remove("files__read") == ["files__read"]
    assert hg.tools.remove(["mail__send", "nothing"]) == ["mail__send"]
    assert ids(hg.tools.list()) == ["files__delete"]


async def test_a_removed_tool_is_unknown_and_its_function_is_gone(hg):
    hg.tools.remove("mail__send")
    reply = await hg.call("invoke_tool", {"toolId": "mail__send"})
    assert reply["error"] == "unknown_tool"
    assert hg._host.executors.find("mail__send") is None


async def test_a_whole_catalog_is_replaced_with_its_functions(hg):
    response = hg.tools.replace_all([tool("new", "New"), {**FILES[0], "execute": lambda args: "changed"}])
    assert (response["added"], response["removed"]) == (1, 2)
    assert await hg.tools.invoke("files__read") == "changed"
    assert hg._host.executors.find("mail__send") is None


def test_a_definition_registered_again_is_replaced_in_place(hg):
    response = hg.tools.register(tool("files__read", "Sing a song"))
    assert (response["added"], response["replaced"]) == (0, 1)
    assert hg.tools.size == 3
    assert "files__read" not in ids(hg.tools.search("read"))[:0]
    assert ids(hg.tools.search("sing song")) == ["files__read"]


def test_skills_and_facts_have_the_same_verbs(hg):
    hg.skills.register({"id": "release", "description": "Release a version", "body": "# Steps\nTag it."})
    hg.facts.register([{"id": "sky", "body": "The sky is blue", "pin": "retrieved"}])
    assert ids(hg.skills.search("release version")) == ["release"]
    assert ids(hg.facts.search("sky")) == ["sky"]
    assert (hg.skills.size, hg.facts.size) == (1, 1)
    assert hg.skills.replace_all([])["removed"] == 1


def test_servers_are_described_listed_and_forgotten(hg):
    hg.servers.set("post", description="Mail", instructions="Be kind", status="pending")
    assert hg.servers.list() == [
        {"name": "post", "description": "Mail", "instructions": "Be kind", "status": "pending"}
    ]
    hg.servers.remove("post")
    assert hg.servers.list() == []


def test_the_definitions_for_the_model_never_change(hg):
    before, digest = hg.model_tools(), hg.model_tools_digest()
    assert [definition["name"] for definition in before] == ["search_capabilities", "invoke_tool", "get_skill_content"]
    hg.tools.replace_all([])
    hg.tools.search("file")
    assert (hg.model_tools(), hg.model_tools_digest()) == (before, digest)


@pytest.mark.parametrize("format", ["plain", "openai", "anthropic", "gemini"])
@pytest.mark.parametrize("strict", [False, True])
def test_the_definitions_come_in_the_shape_of_each_provider(hg, format, strict):
    assert len(hg.model_tools(format=format, strict=strict)) == 3


def test_a_clean_catalog_has_nothing_to_diagnose(hg):
    assert hg.diagnose() == []
    hg.tools.register(tool("odd", "Odd", inputSchema={"type": "nonsense"}))
    assert [(found["id"], found["code"]) for found in hg.diagnose()] == [("odd", "invalid_schema")]


def test_tokens_are_estimated_for_the_catalogs_and_for_texts(hg):
    before = hg.tokens(texts=("abc", ""))
    assert before["texts"][1] == 0
    hg.tools.register(tool("more", "One more tool with a description"))
    after = hg.tokens()
    assert after["catalog"] > before["catalog"]
    assert after["modelTools"] == before["modelTools"]
