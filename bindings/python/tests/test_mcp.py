"""MCP servers beside the scenarios: configurations, secrets, tasks, threads, real servers, leftover processes."""

import asyncio
import json
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

pytest.importorskip("mcp")

from honeyguide import Honeyguide
from honeyguide.mcp import McpServerError, parts_of, register_mcp_server, register_mcp_servers
from honeyguide.mcp.definition import id_of
from honeyguide.mcp.expand import expand
from honeyguide.mcp.redact import redactor
from mcp_world.clock import ManualClock
from mcp_world.scripted import MCP, ScriptedServer, eventually

TOOLS = [{"name": "look", "description": "Looks a thing up", "inputSchema": {"type": "object"}}]
REFERENCE = MCP.parents[1] / "node_modules" / "@modelcontextprotocol"


@pytest.fixture
def scripted():
    made = []

    def make(**script):
        made.append(ScriptedServer({"tools": TOOLS, **script}))
        return made[-1]

    yield make
    for server in made:
        server.dispose()


# ------------------------------------------------------------------------------------------------- configurations


@pytest.mark.parametrize(
    ("written", "expanded"),
    [
        ("${A}", "one"),
        ("Bearer ${env:A}", "Bearer one"),
        ("${NONE:-two}", "two"),
        ("${EMPTY:-two}", "two"),
        ("${EMPTY}", ""),
        ("${NONE:-}", ""),
        ("${env:NONE:-http://x:1/y}", "http://x:1/y"),
        ("${A}${A}/$A", "oneone/$A"),
    ],
)
def test_a_variable_is_expanded(written, expanded):
    found = expand(written, {"A": "one", "EMPTY": ""})
    assert (found.value, found.missing) == (expanded, [])


def test_a_missing_variable_is_named_with_its_place_and_nothing_else_is_said():
    written = {"env": {"KEY": "${A}"}, "args": ["-t", "${NOPE}"], "headers": {"Authorization": "${input:token}"}}
    found = expand(written, {"A": "secret"}).missing
    assert found == [("args[1]", "NOPE"), ("headers.Authorization", "input:token")]
    assert written["env"] == {"KEY": "${A}"}


def test_a_secret_is_kept_out_of_a_text_the_longer_one_first_and_words_are_left_whole():
    assert redactor(["secret", "secret-long", "a"])("a secret-long, a secret") == "a ***, a ***"


async def test_a_good_server_is_ready_although_others_fail_hang_and_are_written_wrong(scripted):
    good, hanging = scripted(), scripted(starts=["silent"])
    hg = Honeyguide()
    config = {
        "mcpServers": {
            "good": {**good.command, "env": {"TOKEN": "${TOKEN}"}},
            "broken": {"command": "no-such-program"},
            "hanging": hanging.command,
            "unset": {"url": "https://${HOST}/mcp", "headers": {"Authorization": "Bearer ${TOKEN_2}"}},
            "both": {"command": "x", "url": "https://example.com"},
            "file": {"url": "file:///etc/passwd"},
            "__": {"command": "x"},
            "off": {"command": "no-such-program", "disabled": True},
        }
    }
    # The clock stands still: the hanging one is never given up while this test runs.
    servers = await register_mcp_servers(hg, config, environment={"TOKEN": "t0ken"}, clock=ManualClock(), wait_ms=0)
    try:
        await eventually(lambda: servers.servers["good"].status.state == "ready")
        await eventually(lambda: servers.servers["broken"].status.state == "failed")
        assert [tool["id"] for tool in hg.tools.list()] == ["good__look"]
        assert servers.servers["hanging"].status.state == "connecting"
        assert (await hg.recall("looks a thing up"))["pending"] == ["hanging"]
        named = "`HOST` in url, `TOKEN_2` in headers.Authorization"
        assert str(servers.errors["unset"]) == f"server `unset`: a variable has no value: {named}"
        assert "one of `transport`, `command` and `url`" in str(servers.errors["both"])
        assert "none that starts with http:// or https://" in str(servers.errors["file"])
        assert list(servers.errors) == ["unset", "both", "file", "__"]
        assert "off" not in servers.servers
    finally:
        await servers.close()


async def test_a_server_that_is_late_is_found_as_soon_as_it_is_ready(scripted):
    late, hg, clock = scripted(starts=["exit", "ok"]), Honeyguide(), ManualClock()
    servers = await register_mcp_servers(hg, {"mcpServers": {"late": late.command}}, clock=clock)
    try:
        assert hg.tools.size == 0
        await eventually(lambda: clock.waiting == 1)
        clock.advance(1000)
        await eventually(lambda: servers.servers["late"].status.state == "ready")
        assert (await hg.recall("looks a thing up"))["tools"]["groups"][0]["hits"][0]["toolId"] == "late__look"
    finally:
        await servers.close()


async def test_an_expanded_value_stands_in_no_message_though_the_server_shouts_it(scripted):
    loud = scripted(starts=["exit"], earlyStderr="cannot log in with hunter2hunter2\n")
    config = {"mcpServers": {"loud": {**loud.command, "env": {"PASSWORD": "${PASSWORD}"}}}}
    told = []
    environment = {"PASSWORD": "hunter2hunter2"}
    servers = await register_mcp_servers(
        Honeyguide(), config, environment=environment, clock=ManualClock(), on_diagnostic=told.append
    )
    try:
        said = repr([servers.servers["loud"].status, servers.servers["loud"].diagnostics, told])
        assert "cannot log in with ***" in said
        assert "hunter2hunter2" not in said
    finally:
        await servers.close()


async def test_the_credentials_of_a_header_reach_the_server(scripted):
    url = await scripted(authorization="Bearer s3cret-value").listen()
    right = {"type": "http", "url": url, "headers": {"Authorization": "Bearer ${TOKEN}"}}
    wrong = {"url": url, "headers": {"Authorization": "Bearer no"}}
    config = {"servers": {"right": right, "wrong": wrong}}
    servers = await register_mcp_servers(
        Honeyguide(), config, environment={"TOKEN": "s3cret-value"}, clock=ManualClock()
    )
    try:
        assert servers.servers["right"].status.state == "ready"
        assert servers.servers["wrong"].status.state == "needs_auth"
    finally:
        await servers.close()


# ---------------------------------------------------------------------------------------------------------- names


@pytest.mark.parametrize("name", ["", "a__b", "a_", "__a"])
async def test_a_name_that_makes_ids_ambiguous_cannot_be_a_servers(name):
    with pytest.raises(McpServerError):
        await register_mcp_server(Honeyguide(), name=name, command="x")


def test_an_id_tells_its_server_and_its_tool_whatever_the_tool_is_called():
    for server in ("s", "my-srv", "a_b", "名"):
        for tool in ("x", "_x", "__x", "a__b", "a.b", "ns/sub"):
            assert parts_of(id_of(server, tool)) == (server, tool)
    assert parts_of("plain") is None


async def test_one_name_is_one_server_and_a_closed_one_gives_it_free(scripted):
    hg = Honeyguide()
    first = await register_mcp_server(hg, name="one", **scripted().command)
    with pytest.raises(McpServerError, match="registered already"):
        await register_mcp_server(hg, name="one", **scripted().command)
    await first.close()
    second = await register_mcp_server(hg, name="one", **scripted().command)
    assert hg.tools.size == 1
    await second.close()


async def test_a_tool_that_the_application_put_in_a_servers_place_stays_when_the_server_closes(scripted):
    hg = Honeyguide()
    handle = await register_mcp_server(hg, name="s", **scripted().command)
    hg.tools.register({"id": "s__look", "description": "Ours", "execute": lambda _: "ours"})
    await handle.close()
    assert await hg.tools.invoke("s__look") == "ours"


# ----------------------------------------------------------------------------------------------- tasks and threads


async def test_servers_opened_in_one_task_are_closed_in_others_in_any_order(scripted):
    hg = Honeyguide()
    made = [scripted() for _ in range(3)]

    async def open_all():
        return [await register_mcp_server(hg, name=f"s{at}", **one.command) for at, one in enumerate(made)]

    handles = await asyncio.create_task(open_all())
    for place in (1, 0, 2):
        await asyncio.create_task(handles[place].close())
    await eventually(lambda: [pid for one in made for pid in one.running] == [])
    assert hg.tools.size == 0


async def test_a_caller_who_gives_up_waiting_for_a_connection_stops_nobody_elses(scripted):
    server, hg = scripted(), Honeyguide()
    handle = await register_mcp_server(hg, name="s", **server.command)
    await server.kill()
    await eventually(lambda: handle.status.state == "waiting")
    calls = [asyncio.create_task(hg.tools.invoke("s__look")) for _ in range(2)]
    await asyncio.sleep(0)
    calls[0].cancel()
    assert (await calls[1])["content"] == [{"type": "text", "text": "{}"}]
    await handle.close()


async def test_a_thread_without_an_event_loop_calls_a_tool(scripted):
    hg = Honeyguide()
    handle = await register_mcp_server(hg, name="s", **scripted().command)
    answers = []
    thread = threading.Thread(target=lambda: answers.append(hg.tools.invoke_sync("s__look", {"a": 1})))
    thread.start()
    await eventually(lambda: answers)
    thread.join()
    assert answers[0]["content"] == [{"type": "text", "text": '{"a":1}'}]
    await handle.close()


# ------------------------------------------------------------------------------------------------------- processes

HOST = """
import asyncio, sys
from honeyguide import Honeyguide
from honeyguide.mcp import register_mcp_server

async def main():
    await register_mcp_server(Honeyguide(), name="s", command=sys.argv[1], args=sys.argv[2:])
    print("ready", flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_no_process_outlives_a_program_however_it_ends(scripted, how):
    # A server that heeds neither the end of its input nor a signal, and that started one of the same kind.
    server = scripted(stubborn=True, child=True)
    command = server.command
    arguments = [sys.executable, "-c", HOST, command["command"], *command["args"]]
    host = subprocess.Popen(arguments, stdout=subprocess.PIPE)
    try:
        assert host.stdout.readline() == b"ready\n"
        asyncio.run(eventually(lambda: len(server.log("child")) == 1))
        assert len(server.running) == 2
        host.send_signal(how)
        host.wait()
        asyncio.run(eventually(lambda: server.running == [], lambda: str(server.running)))
    finally:
        host.kill()
        host.wait()
        host.stdout.close()


# ---------------------------------------------------------------------------------------------------- real servers


def reference(name):
    manifest = REFERENCE / f"server-{name}" / "package.json"
    if not manifest.exists():
        pytest.skip(f"server-{name} is not installed; run npm ci")
    program = next(iter(json.loads(manifest.read_text(encoding="utf-8"))["bin"].values()))
    return {"command": "node", "args": [str(manifest.parent / program)]}


async def test_the_everything_server_is_registered_whole_and_reports_progress():
    hg, heard = Honeyguide(), []
    handle = await register_mcp_server(
        hg, name="everything", **reference("everything"), on_progress=lambda *said: heard.append(said)
    )
    assert handle.status.tools > 8
    assert "Everything Server" in handle.server_instructions
    asked = {"toolId": "everything__get-structured-content", "args": {"location": "New York"}}
    structured = await hg.call("invoke_tool", asked)
    assert structured["structuredContent"]["conditions"]
    assert hg.for_model(structured)["content"] == []
    image = await hg.tools.invoke("everything__get-tiny-image", {})
    assert any(part["type"] == "image" for part in image["content"])
    await hg.tools.invoke("everything__trigger-long-running-operation", {"duration": 0.2, "steps": 2})
    assert heard
    await handle.close()


async def test_the_filesystem_server_reads_in_its_directory_and_in_no_other(tmp_path):
    (tmp_path / "a.txt").write_text("hello")
    way = reference("filesystem")
    hg = Honeyguide()
    handle = await register_mcp_server(hg, name="files", command=way["command"], args=[*way["args"], str(tmp_path)])
    read = await hg.call("invoke_tool", {"toolId": "files__read_text_file", "args": {"path": str(tmp_path / "a.txt")}})
    assert read["content"] == [{"type": "text", "text": "hello"}]
    refused = await hg.call("invoke_tool", {"toolId": "files__read_text_file", "args": {"path": "/etc/hostname"}})
    assert refused["isError"] is True
    await handle.close()


async def test_the_memory_server_remembers_what_it_was_told(tmp_path):
    hg = Honeyguide()
    file = tmp_path / "memory.json"
    handle = await register_mcp_server(hg, name="memory", **reference("memory"), env={"MEMORY_FILE_PATH": str(file)})
    entities = [{"name": "Ann", "entityType": "person", "observations": ["likes honey"]}]
    await hg.tools.invoke("memory__create_entities", {"entities": entities})
    graph = await hg.tools.invoke("memory__read_graph", {})
    assert graph["structuredContent"]["entities"][0]["name"] == "Ann"
    assert file.exists()
    await handle.close()


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_server_of_the_official_package_is_registered_in_either_revision(mode):
    hg = Honeyguide()
    program = str(Path(MCP) / "python_server.py")
    handle = await register_mcp_server(hg, name="sums", command=sys.executable, args=[program], mode=mode)
    assert handle.server_instructions == "Adds numbers."
    result = await hg.call("invoke_tool", {"toolId": "sums__add", "args": {"a": 1, "b": 2}})
    assert result["structuredContent"] == {"result": 3}
    assert (await hg.call("invoke_tool", {"toolId": "sums__fail"}))["isError"] is True
    await handle.close()


def test_the_package_is_imported_without_the_mcp_package():
    program = "import sys, honeyguide; print('mcp' in sys.modules, 'asyncio' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"


@pytest.mark.parametrize(
    ("field", "bad"),
    [
        ("command", {"command": 5}),
        ("args", {"command": "x", "args": "y"}),
        ("args", {"command": "x", "args": [1]}),
        ("env", {"command": "x", "env": 5}),
        ("env", {"command": "x", "env": {"A": {}}}),
        ("headers", {"url": "http://127.0.0.1:9", "headers": ["a"]}),
    ],
)
async def test_a_misshapen_field_is_one_servers_error_and_the_others_stand(field, bad):
    config = {"mcpServers": {"bad": bad, "good": {"command": "no-such-program", "env": {"A": None, "B": 5}}}}
    servers = await register_mcp_servers(Honeyguide(), config, clock=ManualClock(), wait_ms=0)
    try:
        assert f"`{field}`" in str(servers.errors["bad"])
        assert list(servers.servers) == ["good"]
    finally:
        await servers.close()
