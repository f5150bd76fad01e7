"""Runs one of the `programs` of e2e/oauth/scenarios.json: each step by its verb. TypeScript has a twin of this file."""

import asyncio
import contextlib
import json
import re
from pathlib import Path

import honeyguide
from gateway_world.program import Program, run_to_end
from mcp_world.scripted import eventually

from .network import Browser
from .world import SECRET, World

SHOWN = re.compile(r"^honeyguide: to sign in to `p`, open (\S+)\n", re.MULTILINE)


async def run_program_scenario(scenario, monkeypatch):
    world = World({"server": {**scenario.get("server", {}), "local": True}}, {})
    await world.listen(monkeypatch)
    place = Place(scenario, world)
    try:
        for number, step in enumerate(scenario["steps"]):
            [(verb, given)] = step.items()
            try:
                await place.do(verb, given)
            except BaseException as thrown:
                told = "" if place.gateway is None else place.gateway.stderr
                message = f"step {number + 1} {json.dumps(step)}: {type(thrown).__name__}: {thrown}\n{told}"
                raise AssertionError(message) from thrown
    finally:
        await place.end()
        await world.dispose()
    for text in place.said:
        assert SECRET.search(text) is None, text


class Place:
    def __init__(self, scenario, world):
        self.world = world
        self.cwd = world.root
        self.config = world.root / "config.json"
        self.said = []
        self.gateway = None
        self.client = None
        home = world.root / "home"
        home.mkdir()
        world.file = home / ".config" / "honeyguide" / "credentials.json"
        package = str(Path(honeyguide.__file__).parents[1])
        paths = {"PATH": "/usr/bin:/bin", "HOME": str(home), "PYTHONPATH": package}
        self.environment = {**paths, **scenario.get("environment", {})}
        entry = {"url": world.url, **({"oauth": scenario["oauth"]} if "oauth" in scenario else {})}
        self.config.write_text(json.dumps({"mcpServers": {"p": entry}}))
        self._open = contextlib.AsyncExitStack()

    async def do(self, verb, given):
        own = getattr(self, f"do_{verb}", None)
        done = getattr(self.world, f"do_{verb}")(given) if own is None else own(given)
        if asyncio.iscoroutine(done):
            await done

    def fill(self, text, escape=False):
        return text.replace("{config}", re.escape(str(self.config)) if escape else str(self.config))

    async def do_login(self, given):
        does = given.get("browser", "approve")
        arguments = ["mcp", "login", "p", "--config", str(self.config), "--no-browser"]
        program = await Program.start(arguments, self)
        await eventually(lambda: SHOWN.search(program.stderr) or program.process.returncode is not None)
        shown = SHOWN.search(program.stderr)
        if does == "nobody":
            assert shown is None, program.stderr
        elif does == "SIGINT":
            program.signal(does)
        else:
            browser = Browser(does, self.world.port)
            browser(shown[1])
            await browser.gone()
        assert await program.exits() == given["exits"], program.stderr
        assert given["stderr"] in program.stderr.splitlines(), program.stderr
        assert await program.process.stdout.read() == b""
        self.said.append(program.stderr)

    async def do_logout(self, given):
        await self.run(["mcp", "logout", "p"], given)

    async def do_check(self, given):
        await self.run(["mcp", "check"], given)

    async def run(self, arguments, given):
        code, output, errors = await run_to_end([*arguments, "--config", str(self.config)], self)
        self.said += [output, errors]
        assert code == given["exits"], errors
        assert "stderr" not in given or given["stderr"] in errors.splitlines(), errors
        assert re.search(self.fill(given.get("stdout", ""), escape=True), output, re.MULTILINE), output

    async def do_serve(self, _given):
        self.gateway = await Program.start(["mcp", "--config", str(self.config)], self)
        self.client = await self._open.enter_async_context(self.gateway.client(None, {}))

    async def do_call(self, given):
        last = None
        for _ in range(400):
            last = await self.client.call_tool("invoke_tool", {"toolId": "p__look", "args": {}})
            text = last.content[0].text
            if "fails" not in given and text == "seen":
                return
            if "fails" in given and last.is_error and self.fill(given["fails"]) in json.loads(text).get("next", ""):
                return
            await asyncio.sleep(0.02)
        raise AssertionError(last)

    async def do_stderr(self, line):
        await eventually(lambda: self.fill(line) in self.gateway.stderr.splitlines(), lambda: self.gateway.stderr)

    async def end(self):
        await self._open.aclose()
        if self.gateway is not None:
            await self.gateway.end()
            self.said.append(self.gateway.stderr)
