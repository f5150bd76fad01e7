"""`honeyguide mcp login` and `logout`, and a gateway that runs meanwhile: the real program, a person, a server."""

import asyncio
import contextlib
import json
import shutil
import sys
from types import SimpleNamespace

import pytest

pytest.importorskip("mcp")

from gateway_world.program import Program, run_to_end
from mcp_world.scripted import eventually
from oauth_world.network import Browser
from oauth_world.world import SECRET, World

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or sys.platform == "win32", reason="the server is a program of node"
)
HINT = "run `honeyguide mcp login s --config config.json`"


@pytest.fixture
async def world(monkeypatch):
    world = World({"server": {"local": True}}, {})
    await world.listen(monkeypatch)
    (world.root / "config.json").write_text(json.dumps({"mcpServers": {"s": {"url": world.url}}}))
    yield world
    await world.dispose()


def place_of(world):
    paths = {"PATH": "/usr/bin:/bin", "HOME": str(world.root), "XDG_CONFIG_HOME": str(world.root / "config")}
    package = next(path for path in sys.path if path.endswith("bindings/python/python"))
    return SimpleNamespace(cwd=world.root, environment={**paths, "PYTHONPATH": package})


async def log_in(world, browser, *options):
    """Signs in by the program; the person reads the address off the standard error."""
    program = await Program.start(
        ["mcp", "login", "s", "--config", "config.json", "--no-browser", *options], place_of(world)
    )
    with contextlib.suppress(AssertionError):
        await eventually(lambda: " at this address: " in program.stderr or program.process.returncode is not None)
    if " at this address: " in program.stderr and browser is not None:
        browser(program.stderr.partition(" at this address: ")[2].split()[0])
        await browser.gone()
    return program


async def test_a_person_signs_in_and_a_gateway_that_runs_already_finds_the_server(world):
    gateway = await Program.start(["mcp", "--config", "config.json"], place_of(world))
    async with gateway.client(None, {}) as client:
        await eventually(lambda: f"server `s` needs credentials: {HINT}" in gateway.stderr, lambda: gateway.stderr)
        program = await log_in(world, Browser("approve", world.port))
        assert await program.exits() == 0, program.stderr
        assert program.stderr.endswith("honeyguide: signed in to server `s`\n")
        assert await program.process.stdout.read() == b""
        found = await client.call_tool("search_capabilities", {"query": "look"})
        assert "s__look" in found.content[0].text
        seen = await client.call_tool("invoke_tool", {"toolId": "s__look", "args": {}})
        assert seen.content[0].text == "seen"
    await gateway.end()
    assert not SECRET.search(gateway.stderr)
    assert not SECRET.search(program.stderr)


async def test_a_call_finds_a_server_again_that_its_credentials_were_taken_from_and_given_back(world):
    assert await (await log_in(world, Browser("approve", world.port))).exits() == 0
    gateway = await Program.start(["mcp", "--config", "config.json", "--verbose"], place_of(world))
    async with gateway.client(None, {}) as client:
        await eventually(lambda: "server `s` is ready" in gateway.stderr, lambda: gateway.stderr)
        await world.do_control({"do": "expire"})
        await world.do_control({"do": "revoke"})
        refused = await client.call_tool("invoke_tool", {"toolId": "s__look", "args": {}})
        assert json.loads(refused.content[0].text)["next"].endswith(HINT)
        assert world.entry().get("tokens") is None
        assert await (await log_in(world, Browser("approve", world.port))).exits() == 0
        seen = await client.call_tool("invoke_tool", {"toolId": "s__look", "args": {}})
        assert seen.content[0].text == "seen"
    await gateway.end()


async def test_check_says_whether_somebody_is_signed_in_and_logout_forgets(world):
    place = place_of(world)
    check = ["mcp", "check", "--config", "config.json"]
    code, said, _ = await run_to_end(check, place)
    assert code == 1
    assert HINT in said
    assert await (await log_in(world, Browser("approve", world.port))).exits() == 0
    code, said, _ = await run_to_end(check, place)
    assert (code, said.splitlines()[1].split()[:3]) == (0, ["s", "ready", "1"])
    code, said, errors = await run_to_end(["mcp", "logout", world.url], place)
    assert (code, said, errors) == (0, "", f"honeyguide: signed out of server `{world.url}`\n")
    assert world.entry() == {"generation": 2}
    assert (await run_to_end(check, place))[0] == 1


async def test_a_person_who_says_no_is_not_signed_in(world):
    program = await log_in(world, Browser("deny", world.port))
    assert await program.exits() == 1
    assert "access_denied" in program.stderr
    assert "Traceback" not in program.stderr
    assert world.entry() == {}


async def test_an_interrupt_ends_the_waiting_and_leaves_nothing(world):
    program = await log_in(world, None)
    program.signal("SIGINT")
    assert await program.exits() == 1
    assert program.stderr.endswith("honeyguide: not signed in to server `s`: interrupted\n")
    assert "Traceback" not in program.stderr
    assert not world.file.exists()


async def test_a_server_that_wants_no_credentials_is_said_to_be_one(world):
    async def answer(reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        status = "200 OK" if head.startswith(b"POST /mcp") else "404 Not Found"
        writer.write(f"HTTP/1.1 {status}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{{}}".encode())
        await writer.drain()
        writer.close()

    open_server = await asyncio.start_server(answer, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{open_server.sockets[0].getsockname()[1]}/mcp"
    code, _, errors = await run_to_end(["mcp", "login", url, "--no-browser"], place_of(world))
    open_server.close()
    assert code == 1
    assert "the server wants no credentials" in errors


async def test_an_unreachable_server_is_said_to_be_one(world):
    code, _, errors = await run_to_end(["mcp", "login", "http://127.0.0.1:9/mcp", "--no-browser"], place_of(world))
    assert code == 1
    assert "cannot be reached" in errors
