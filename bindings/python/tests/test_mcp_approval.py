"""Which tools of a server are asked about before they run, and what is told of a server and of each call."""

import asyncio

import pytest

pytest.importorskip("mcp")

from honeyguide import Honeyguide, InvalidInputError
from honeyguide.mcp import register_mcp_server, register_mcp_servers
from honeyguide.mcp.definition import needs_approval
from mcp_world.scripted import ScriptedServer, eventually


def listed(name, **annotations):
    return {"name": name, "description": "x", "inputSchema": {"type": "object"}, "annotations": annotations}


WIPE, LOOK, NOTE = listed("wipe", destructiveHint=True), listed("look", readOnlyHint=True), {"name": "note"}


@pytest.fixture
def scripted():
    made = []

    def make(**script):
        made.append(ScriptedServer({"tools": [WIPE, LOOK, {**NOTE, "inputSchema": {"type": "object"}}], **script}))
        return made[-1]

    yield make
    for server in made:
        server.dispose()


@pytest.mark.parametrize(
    ("rule", "asked"),
    [
        ("none", []),
        ("destructive", ["wipe"]),
        ("writes", ["wipe", "note"]),
        (lambda tool: tool["name"] == "look", ["look"]),
        (lambda tool: tool["annotations"]["readOnlyHint"], ["wipe", "look", "note"]),
        (lambda tool: None, ["wipe", "look", "note"]),
    ],
)
def test_a_rule_asks_for_what_it_names_and_for_what_it_cannot_judge(rule, asked):
    assert [tool["name"] for tool in (WIPE, LOOK, NOTE) if needs_approval(tool, rule)] == asked


@pytest.mark.parametrize(
    "annotations", [None, "yes", ["destructiveHint"], {"destructiveHint": "true"}, {"readOnlyHint": 1}]
)
def test_nothing_but_a_plain_yes_of_a_server_counts_as_one(annotations):
    tool = {"name": "t", "annotations": annotations}
    assert not needs_approval(tool, "destructive")
    assert needs_approval(tool, "writes")


async def test_the_terms_of_a_tool_come_before_the_rule_and_a_listing_is_judged_anew(scripted):
    server, hg = scripted(), Honeyguide()
    terms = {"wipe": {"requires_approval": False}, "look": {"requires_approval": True}}
    handle = await register_mcp_server(hg, name="s", approval="destructive", tools=terms, **server.command)

    def asked():
        return sorted(tool["name"] for tool in hg.tools.list() if tool.get("requiresApproval"))

    assert asked() == ["look"]
    await server.control({"do": "setTools", "tools": [WIPE, LOOK, listed("note", destructiveHint=True)]})
    await handle.refresh()
    assert asked() == ["look", "note"]
    await handle.close()


async def test_a_rule_that_nobody_knows_is_refused_before_anything_is_dialled(scripted):
    server = scripted()
    with pytest.raises(InvalidInputError, match="`approval` is 'write'; did you mean `writes`\\?") as caught:
        await register_mcp_server(Honeyguide(), name="s", approval="write", **server.command)
    assert caught.value.code == "invalid_request"
    assert server.log("start") == []


SERVERS = {"mcpServers": {"files": {"command": "no-such-program"}}}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"onChange": "quarantine"}, "`onChange` means nothing; did you mean `on_change`?"),
        ({"on_change": "quarantin"}, "`on_change` is 'quarantin'; did you mean `quarantine`?"),
        (
            {"tools": {"x": {"requiresApproval": True}}},
            "`tools` of `x`: `requiresApproval` means nothing; did you mean `requires_approval`?",
        ),
        ({"tools": {"x": {"requires_aproval": True}}}, "did you mean `requires_approval`?"),
        ({"tools": {"x": {"requires_approval": "yes"}}}, "neither true nor false"),
        ({"tools": {"x": {"timeout_ms": "10"}}}, "no number of milliseconds"),
        ({"tools": {"x": True}}, "`tools` of `x` is no object"),
        ({"tools": []}, "`tools` is no object"),
        ({"something_else": 1}, "known: approval, args"),
    ],
)
async def test_settings_that_mean_nothing_are_refused_of_one_server_of_all_and_of_each(settings, words):
    for attempt in (
        register_mcp_server(Honeyguide(), name="files", command="x", **settings),
        register_mcp_servers(Honeyguide(), SERVERS, **settings),
        register_mcp_servers(Honeyguide(), SERVERS, each={"files": settings}),
    ):
        with pytest.raises(InvalidInputError) as caught:
            await attempt
        assert words in str(caught.value)


async def test_what_holds_for_a_server_that_is_not_there_is_refused():
    with pytest.raises(InvalidInputError, match="did you mean `files`"):
        await register_mcp_servers(Honeyguide(), SERVERS, each={"fils": {"approval": "writes"}})


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ("servers.json", "parsed, not its text or path"),
        (None, "parsed, not its text or path"),
        (SERVERS["mcpServers"], "names no servers"),
    ],
)
async def test_a_configuration_that_is_none_is_refused(config, words):
    with pytest.raises(InvalidInputError, match=words):
        await register_mcp_servers(Honeyguide(), config)
    assert (await register_mcp_servers(Honeyguide(), {"mcpServers": {}})).servers == {}


async def test_a_configuration_has_to_be_awaited():
    async def load():
        return SERVERS

    coming = load()
    with pytest.raises(InvalidInputError, match="await it first"):
        await register_mcp_servers(Honeyguide(), coming)
    await coming


async def test_progress_comes_with_the_context_of_its_own_call(scripted):
    server, hg, heard = scripted(does={"look": {"wait": True}}), Honeyguide(), []
    handle = await register_mcp_server(hg, name="s", on_progress=lambda *said: heard.append(said), **server.command)
    first = asyncio.ensure_future(hg.tools.invoke("s__look", {}, context="first"))
    await eventually(lambda: len(server.messages("tools/call")) == 1)
    await server.control({"do": "tick", "progress": 1})
    await eventually(lambda: len(heard) == 1)
    second = asyncio.ensure_future(hg.tools.invoke("s__look", {}, context="second"))
    await eventually(lambda: len(server.messages("tools/call")) == 2)
    await server.control({"do": "tick", "progress": 2})
    await eventually(lambda: len(heard) == 3)
    found = sorted((context, said["progress"], server_name, tool) for said, server_name, tool, context in heard)
    assert found == [("first", 1, "s", "look"), ("first", 2, "s", "look"), ("second", 2, "s", "look")]
    await server.control({"do": "release"})
    await asyncio.gather(first, second)
    await handle.close()


async def test_the_status_is_heard_whenever_it_changes(scripted):
    server, hg, heard = scripted(), Honeyguide(), []
    handle = await register_mcp_server(
        hg, name="s", on_status=lambda status, name: heard.append((name, status.state, status.tools)), **server.command
    )
    await server.kill()
    await eventually(lambda: handle.status.state == "waiting")
    assert heard[-2:] == [("s", "ready", 3), ("s", "waiting", 3)]
    assert {state for _, state, _ in heard} == {"connecting", "ready", "waiting"}
    await handle.close()
