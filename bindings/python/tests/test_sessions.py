"""Who may see and call what, per conversation and per call; and catalogs that outlive the program."""

import pytest
from honeyguide import Honeyguide, InvalidInputError, NotFoundError


def echo(args):
    return args


@pytest.fixture
def hg(hg):
    hg.tools.register(
        [
            {"id": "files__read", "description": "Read a file", "execute": echo},
            {"id": "files__delete", "description": "Delete a file", "execute": echo},
        ]
    )
    return hg


READ_ONLY = {"allow": {"ids": ["files__read"]}}


def shown(found):
    return [hit["toolId"] for group in found["tools"]["groups"] for hit in group["hits"]]


async def test_a_conversation_sees_and_calls_only_what_it_may(hg):
    session = hg.session("c1", visible=READ_ONLY)
    assert [hit["id"] for hit in session.tools.search("file")] == ["files__read"]
    assert shown(await session.call("search_capabilities", {"query": "file"})) == ["files__read"]
    assert shown(await session.recall("file")) == ["files__read"]
    for reply in (
        await session.call("invoke_tool", {"toolId": "files__delete"}),
        await session.call("files__delete", {}),
    ):
        assert reply["error"] == "unknown_tool"
        assert "files__delete" not in str(reply.get("candidates"))
    with pytest.raises(NotFoundError):
        await session.tools.invoke("files__delete")
    with pytest.raises(NotFoundError):
        session.resolve({"toolId": "files__delete", "args": {}})
    assert await session.call("files__read", {"a": 1}) == {"a": 1}


async def test_a_hidden_tool_answers_as_an_unknown_one(hg):
    session = hg.session("c1", visible=READ_ONLY)
    hidden = await session.call("invoke_tool", {"toolId": "files__delete"})
    hg.tools.remove("files__delete")
    assert await session.call("invoke_tool", {"toolId": "files__delete"}) == hidden


async def test_visibility_per_call_is_added_to_the_conversation_s(hg):
    session = hg.session("c1", visible=READ_ONLY)
    nothing = {"deny": {"ids": ["files__read"]}}
    assert session.tools.search("file", visible=nothing) == []
    assert len(hg.tools.search("file", visible=READ_ONLY)) == 1
    assert (await hg.call("files__read", {}, visible=nothing))["error"] == "unknown_tool"


async def test_asking_for_a_conversation_again_does_not_widen_what_it_may_see(hg):
    hg.session("c1", visible=READ_ONLY)
    again = hg.session("c1")
    assert [hit["id"] for hit in again.tools.search("file")] == ["files__read"]
    hg.session("c1", visible=None)
    assert len(again.tools.search("file")) == 2


async def test_visibility_taken_away_during_an_approval_counts(hg):
    hg.tools.register({"id": "danger", "description": "Danger", "requiresApproval": True, "execute": echo})
    session = hg.session("c1")

    def approve(question):
        hg.session("c1", visible={"deny": {"ids": ["danger"]}})
        return True

    assert (await session.call("danger", {}, approve=approve))["error"] == "unknown_tool"


def test_a_conversation_ends(hg):
    session = hg.session("c1", visible=READ_ONLY)
    session.end()
    assert len(hg.session("c1").tools.search("file")) == 2


def test_a_call_is_resolved_and_not_run(hg):
    ran = []
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    hg.tools.register({"id": "x", "inputSchema": schema, "requiresApproval": True, "execute": ran.append})
    resolved = hg.resolve({"toolId": "x", "args": {"n": "7"}})
    assert (resolved["toolId"], resolved["arguments"], resolved["requiresApproval"]) == ("x", {"n": 7}, True)
    assert ran == []


async def test_recall_is_the_search_of_the_model_or_nothing(hg):
    assert shown(await hg.recall("read file", top_k_tools=1)) == ["files__read"]
    assert await hg.recall("zebra quantum") is None
    assert hg.recall_sync("read file", top_k_tools=1) == await hg.recall("read file", top_k_tools=1)


async def test_a_saved_catalog_is_loaded_and_its_functions_are_bound_again(hg):
    hg.servers.set("files", description="Disk")
    hg.tools.register({"id": "danger", "description": "Danger", "requiresApproval": True, "execute": echo})
    other = Honeyguide()
    other.load(hg.save())
    assert other.tools.list() == hg.tools.list()
    assert other.servers.list() == hg.servers.list()
    assert other.tools.search("file") == hg.tools.search("file")
    assert (await other.call("files__read", {}))["error"] == "not_bound"
    other.tools.bind("files__read", lambda args: "bound")
    assert await other.call("files__read", {}) == "bound"
    other.tools.bind("danger", echo)
    assert (await other.call("danger", {}))["error"] == "needs_approval"
    assert other.save() == hg.save()


async def test_a_load_keeps_only_the_functions_of_what_was_loaded(hg):
    snapshot = hg.save()
    hg.tools.register({"id": "later", "description": "Later", "execute": echo})
    hg.load(snapshot)
    assert hg._host.executors.find("later") is None
    assert await hg.call("files__read", {"a": 1}) == {"a": 1}


def test_only_a_function_can_be_bound(hg):
    with pytest.raises(InvalidInputError) as caught:
        hg.tools.bind("files__read", "text")
    assert caught.value.code == "missing_executor"


def test_a_function_cannot_be_bound_to_nothing(hg):
    with pytest.raises(NotFoundError) as caught:
        hg.tools.bind("nobody", echo)
    assert caught.value.code == "unknown_tool"


@pytest.mark.parametrize(
    "change", [lambda b: b"", lambda b: b[:-1], lambda b: b"x" + b, lambda b: b[:60] + b"!" + b[61:]]
)
def test_damaged_bytes_are_refused_and_nothing_changes(hg, change):
    snapshot = hg.save()
    with pytest.raises(InvalidInputError) as caught:
        hg.load(change(snapshot))
    assert caught.value.code == "invalid_snapshot"
    assert hg.save() == snapshot


async def test_no_option_of_a_call_leads_out_of_its_conversation(hg):
    hg.tools.register({"id": "secret__x", "description": "Secret", "execute": echo})
    guest = hg.session("guest", visible={"deny": {"ids": ["secret__x"]}})
    for session in ("other", None):
        assert guest.call_sync("secret__x", {}, session=session)["error"] == "unknown_tool"
        assert (await guest.call("secret__x", {}, session=session))["error"] == "unknown_tool"
        assert guest.tools.search("secret", session=session) == []
        assert guest.recall_sync("secret__x", session=session) is None
        with pytest.raises(NotFoundError):
            guest.resolve({"toolId": "secret__x"}, session=session)
        with pytest.raises(NotFoundError):
            guest.tools.invoke_sync("secret__x", {}, session=session)


async def test_a_function_is_bound_as_it_was_registered():
    def create(repo: str, title: str) -> str:
        """Creates an issue."""
        return f"{repo}: {title}"

    hg = Honeyguide()
    hg.tool(create)
    other = Honeyguide()
    other.load(hg.save())
    other.tools.bind("create", create)
    assert await other.call("create", {"repo": "honey", "title": "Hello"}) == "honey: Hello"
    other.tools.bind("create", lambda args: sorted(args))
    assert await other.call("create", {"repo": "honey", "title": "Hello"}) == ["repo", "title"]


def test_one_item_in_place_of_a_list_does_not_empty_the_catalog(hg):
    hg.tools.replace_all({"id": "only", "description": "The only one", "execute": echo})
    assert [tool["id"] for tool in hg.tools.list()] == ["only"]
    hg.facts.register({"id": "kept", "body": "b"})
    hg.facts.replace_all(fact for fact in [{"id": "next", "body": "b"}])
    assert [fact["id"] for fact in hg.facts.list()] == ["next"]


@pytest.mark.parametrize("rules", [[], (), "all", 5])
def test_rules_that_are_none_are_refused_and_not_lost(rules):
    hg = Honeyguide()
    with pytest.raises(InvalidInputError):
        hg.session("s", visible=rules)
    with pytest.raises(InvalidInputError):
        hg.tools.search("file", visible=rules)
