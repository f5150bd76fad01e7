"""Runs one scenario of e2e/gateway/scenarios.json: each step by its verb. The Node half has a twin of this file."""

import asyncio
import json
import re

import mcp_types as types
from honeyguide import Honeyguide
from mcp.shared.exceptions import MCPError
from mcp_world.scripted import eventually

from .expect import fault_in, fault_in_text
from .place import GATEWAY, Place
from .program import AnyResult, Program, run_to_end

EXPECTED = ("gives", "has", "json", "fails")


async def run_scenario(scenario, defaults):
    place = Place(scenario, defaults)
    try:
        await place.prepare()
        for step in scenario.get("before", []):
            await run_step(place, step["run"])
        if any("run" in step for step in scenario["steps"]):
            await Walk(place).go(scenario["steps"])
            return
        program = await Program.start(place.fill(scenario.get("arguments", ["mcp", "--config", "{config}"])), place)
        try:
            walk = Talk(place, program)
            async with program.client(walk.ask, scenario.get("client", {})) as client:
                walk.client = client
                await walk.go(scenario["steps"])
                await walk.leave()
        finally:
            await program.end()
        program.check_lines()
        await eventually(lambda: walk.running() == [], lambda: f"still running: {walk.running()}")
    finally:
        place.dispose()


async def run_step(place, given):
    """Runs the program to its end and compares."""
    given = place.fill(given)
    code, output, errors = await run_to_end(given["arguments"], place)
    told = f"it ended with {code}, said {output!r} and {errors!r}"
    assert code == given["exits"], told
    expected = dict(given)
    if "file" in given:
        expected["stdout"] = (GATEWAY / given["file"]).read_text(encoding="utf-8")
    for stream, text in (("stdout", output), ("stderr", errors)):
        if stream in expected:
            check(fault_in_text(text, expected[stream], stream), told)
    if "json" in given:
        check(fault_in(json.loads(output), given["json"], part=True), told)


def check(fault, told=""):
    assert fault is None, f"{fault}\n{told}"


class Walk:
    """The steps that need no connection."""

    def __init__(self, place):
        self.place = place

    async def go(self, steps):
        for at, step in enumerate(steps):
            verb = next(iter(step))
            name = re.sub(r"[A-Z]", lambda letter: "_" + letter.group().lower(), verb)
            try:
                given = step[verb] if verb == "run" else self.place.fill(step[verb])
                done = getattr(self, f"do_{name}")(given)
                if asyncio.iscoroutine(done):
                    await done
            except BaseException as thrown:
                told = f"{type(thrown).__name__}: {thrown}\n{self.told()}"
                raise AssertionError(f"step {at + 1} {json.dumps(step)[:2000]}: {told}") from thrown

    def told(self):
        return ""

    async def do_run(self, given):
        await run_step(self.place, given)

    def do_write_config(self, _given):
        self.place.write_configuration()

    def do_write(self, given):
        self.place.write(given["path"], given["text"] if "text" in given else given["json"])

    def do_file(self, given):
        self.check_file(self.place.path(given["path"]), given)

    def do_backup(self, given):
        target = self.place.path(given["of"])
        copies = list(target.parent.glob(f"{target.name}.bak-*"))
        assert [re.fullmatch(r"\d{8}T\d{6}Z", one.name.rpartition(".bak-")[2]) is not None for one in copies] == [True]
        self.check_file(copies[0], given)

    def check_file(self, path, given):
        if given.get("absent"):
            assert not path.exists()
            return
        text = path.read_text(encoding="utf-8")
        if "mode" in given:
            assert f"{path.stat().st_mode & 0o777:o}" == given["mode"]
        if "text" in given:
            assert text == given["text"]
        if "json" in given:
            check(fault_in(json.loads(text), given["json"], part=False))
        check(fault_in_text(text, {key: given[key] for key in ("contains", "lacks") if key in given}))

    async def do_gone(self, _given):
        await eventually(lambda: self.running() == [], lambda: f"still running: {self.running()}")

    def running(self):
        reached = [name for name, server in self.place.servers.items() if server._child is None]
        return [pid for name in reached for pid in self.place.servers[name].running]


class Talk(Walk):
    """The steps of a client that is connected."""

    def __init__(self, place, program):
        super().__init__(place)
        self.program = program
        self.client = None
        self.calls = {}
        self.heard = {}
        self.questions = []
        self.answers = asyncio.Queue()

    def told(self):
        return f"stderr: {self.program.stderr}\nlines: {self.program.lines[-3:]}"

    async def leave(self):
        for call in self.calls.values():
            call.cancel()
        if self.calls:
            await asyncio.wait(self.calls.values())

    async def ask(self, _context, params):
        self.questions.append(params)
        given = await self.answers.get()
        if given.get("fails"):
            return types.ErrorData(code=types.INTERNAL_ERROR, message="no window")
        return types.ElicitResult(**given)

    # -------------------------------------------------------------------------------------------------- the verbs

    def do_about(self, given):
        session = self.client.session
        found = {
            "server": plain(session.server_info),
            "capabilities": plain(session.server_capabilities),
            "instructions": session.instructions,
        }
        check(fault_in(found, given["has"], part=True))

    async def do_tools(self, _given):
        lists = []
        for _ in range(2):
            await self.client.list_tools()
            lists.append(json.dumps(json.loads(self.program.lines[-1])["result"]["tools"]))
        expected = json.dumps(Honeyguide().model_tools())
        assert lists == [expected, expected]

    async def do_ready(self, ids):
        for id in ids:
            await self.comes_to_search({"query": id}, lambda reply, id=id: has_hit(reply, id))

    async def do_lost(self, id):
        await self.comes_to_search({"query": id}, lambda reply: id not in {hit["toolId"] for hit in hits(reply)})

    async def do_search(self, given):
        arguments = {key: value for key, value in given.items() if key != "has"}
        await self.comes_to_search(
            arguments,
            lambda reply: fault_in(reply, given["has"], part=True) is None,
            lambda reply: fault_in(reply, given["has"], part=True),
        )

    async def comes_to_search(self, arguments, holds, why=lambda reply: reply):
        for _ in range(5000):
            reply = text_of(await self.send("search_capabilities", arguments))
            if holds(reply):
                return reply
            await asyncio.sleep(0.01)
        raise AssertionError(f"it did not come to hold: {why(reply)}")

    async def do_call(self, given):
        await self.expect(self.send(given["name"], given["arguments"]), given)

    async def do_invoke(self, given):
        if "first" in given:
            found = await self.comes_to_search({"query": given["first"]}, lambda reply: bool(list(hits(reply))))
            given = {**given, "tool": next(hits(found))["toolId"]}
        await self.expect(self.invoke(given), given)

    def do_start(self, given):
        heard = self.heard.setdefault(given["as"], []) if given.get("progress") else None
        self.calls[given["as"]] = asyncio.ensure_future(self.invoke(given, heard))

    async def do_await(self, given):
        await self.expect(self.calls[given["as"]], given)

    def do_abort(self, name):
        self.calls[name].cancel()

    async def do_progress(self, given):
        await eventually(lambda: self.heard[given["as"]] == given["gives"], lambda: str(self.heard))

    def do_answer(self, given):
        self.answers.put_nowait(given)

    async def do_asked(self, count):
        await eventually(lambda: len(self.questions) == count, lambda: f"{len(self.questions)} questions")

    def do_question(self, given):
        question = self.questions[-1]
        message = question.message
        if "is" in given:
            assert message == given["is"]
        check(fault_in_text(message, {key: given[key] for key in ("contains", "lacks") if key in given}))
        if "longest" in given:
            assert len(message) <= given["longest"], len(message)
        if "lines" in given:
            assert len(message.splitlines()) == given["lines"], message
        if "schema" in given:
            assert question.requested_schema == given["schema"]

    async def do_reached(self, given):
        server = self.place.servers[given["server"]]

        def calls():
            return [one["params"] for one in server.messages("tools/call") if one["params"]["name"] == given["tool"]]

        await eventually(lambda: len(calls()) == given["count"], lambda: f"{calls()}")
        if "arguments" in given:
            assert calls()[-1]["arguments"] == given["arguments"]

    async def do_seen(self, given):
        server = self.place.servers[given["server"]]
        await eventually(
            lambda: len(server.messages(given["method"])) == given["count"],
            lambda: str(server.messages(given["method"])),
        )

    async def do_cancelled(self, given):
        server = self.place.servers[given["server"]]
        last = server.messages(given["method"])[-1]["id"]

        def given_up():
            return [one["params"]["requestId"] for one in server.messages("notifications/cancelled")]

        await eventually(lambda: given_up() == [last], lambda: f"{given_up()} are not {[last]}")

    async def do_control(self, given):
        await self.place.servers[given["server"]].control({key: given[key] for key in given if key != "server"})

    async def do_kill(self, given):
        await self.place.servers[given["server"]].kill()

    async def do_stderr(self, given):
        def fault():
            return fault_in_text(self.program.stderr, {"contains": given.get("contains", [])})

        await eventually(lambda: fault() is None, fault)
        check(fault_in_text(self.program.stderr, {"lacks": given.get("lacks", [])}))

    def do_send(self, line):
        self.program.say(line)

    async def do_many(self, given):
        calls = [self.invoke({"tool": given["tool"], "args": {"n": n}}) for n in range(given["times"])]
        texts = [result["content"][0]["text"] for result in await asyncio.gather(*calls)]
        assert texts == [f'{{"n":{n}}}' for n in range(given["times"])]

    def do_signal(self, name):
        self.program.signal(name)

    def do_close_input(self, _given):
        self.program.close_input()

    def do_close_output(self, _given):
        self.program.close_output()
        self.program.say('{"jsonrpc":"2.0","id":"late","method":"ping"}')

    async def do_exits(self, code):
        assert await self.program.exits() == code

    # ------------------------------------------------------------------------------------------------------------

    async def invoke(self, given, heard=None):
        arguments = {"toolId": given["tool"], "args": given["args"]}
        return await self.send("invoke_tool", arguments, heard, raw=given.get("raw", False))

    async def send(self, name, arguments, heard=None, raw=False):
        """Calls a tool of the gateway; its result as it came."""

        async def hear(progress, _total, _message):
            heard.append(progress)

        on_progress = None if heard is None else hear
        if self.client.protocol_version >= "2026":
            # The client of the package answers questions that come instead of a result, and calls again.
            return plain(await self.client.call_tool(name, arguments, progress_callback=on_progress))
        params = types.CallToolRequestParams(name=name, arguments=arguments)
        request = types.CallToolRequest(params=params)
        try:
            result = await self.client.session.send_request(request, AnyResult, progress_callback=on_progress)
        except ValueError:
            # The package does not know this kind of result.
            raw = True
        # What it takes for no part of its revision it leaves out; what came is in the line.
        return (
            json.loads(self.program.lines[-1])["result"]
            if raw
            else result.model_dump(by_alias=True, exclude_unset=True)
        )

    async def expect(self, work, given):
        try:
            result = await work
        except (MCPError, asyncio.CancelledError):
            assert given.get("fails") is True
            return
        assert "fails" not in given, f"it gave {result}"
        if "gives" in given:
            check(fault_in(result, given["gives"], part=False))
        if "has" in given:
            check(fault_in(result, given["has"], part=True))
        if "json" in given:
            check(fault_in(text_of(result), given["json"], part=True))


def plain(model):
    return model.model_dump(by_alias=True, mode="json", exclude_none=True)


def text_of(result):
    assert [part["type"] for part in result["content"]] == ["text"], result
    return json.loads(result["content"][0]["text"])


def hits(reply):
    return (hit for group in reply["tools"]["groups"] for hit in group["hits"])


def has_hit(reply, id):
    return any(hit["toolId"] == id and not hit.get("unavailable") for hit in hits(reply))
