"""Runs one scenario of e2e/mcp/scenarios.json: each step by its verb. TypeScript has a twin of this file."""

import asyncio
import json
import re

from honeyguide import Honeyguide
from honeyguide.mcp.register import start_server

from .clock import ManualClock
from .scripted import ScriptedServer, eventually

MARKS = ("over", "touch")


async def run_scenario(scenario, defaults, door):
    """Runs a scenario over one door."""
    world = await World.of(scenario, defaults, door)
    try:
        for place, step in enumerate(scenario["steps"]):
            if step.get("over", door) != door:
                continue
            verb = next(key for key in step if key not in MARKS)
            try:
                done = getattr(world, f"do_{verb}")(step[verb], step)
                if asyncio.iscoroutine(done):
                    await done
            except BaseException as thrown:
                told = f"{type(thrown).__name__}: {thrown}\n{world.told()}"
                raise AssertionError(f"step {place + 1} {json.dumps(step)}: {told}") from thrown
    finally:
        await world.dispose()


def snake(name):
    return re.sub(r"[A-Z]", lambda letter: "_" + letter.group().lower(), name)


def options_of(given):
    options = {snake(key): value for key, value in given.items()}
    if "tools" in options:
        options["tools"] = {
            name: {snake(key): value for key, value in terms.items()} for name, terms in options["tools"].items()
        }
    return options


class World:
    def __init__(self, server, door):
        self.server = server
        self.door = door
        self.hg = Honeyguide()
        self.clock = ManualClock()
        self.calls = {}
        self.connecting = None
        self.heard = 0
        self.noticed = 0

    @classmethod
    async def of(cls, scenario, defaults, door):
        scripted = ScriptedServer({**defaults, **scenario.get("server", {})})
        world = cls(scripted, door)
        reached = scripted.command if door == "stdio" else {"url": await scripted.listen()}
        options = {**reached, **options_of(scenario.get("options", {}))}
        world.handle = start_server(
            world.hg, "s", {**options, "clock": world.clock, "on_progress": world.hear_progress}
        )
        world.count_notices(world.handle)
        return world

    def count_notices(self, handle):
        hear = handle._list_soon

        def noticed():
            self.noticed += 1
            hear()

        handle._list_soon = noticed

    def hear_progress(self, _progress, _server, _tool, _context):
        self.heard += 1

    # ------------------------------------------------------------------------------------------------- the verbs

    async def do_connect(self, given, _):
        given = given or {}
        failed = await settles(self.handle.connect(), given)
        if failed and given.get("then") != "stays":
            await self.handle.close()

    def do_connecting(self, _given, _):
        self.connecting = asyncio.ensure_future(self.handle.connect())

    async def do_connected(self, given, _):
        await settles(self.connecting, given)

    async def do_refresh(self, given, _):
        await settles(self.handle.refresh(), given or {})

    async def do_close(self, _given, _):
        await self.handle.close()

    def do_accept(self, given, _):
        assert self.handle.accept(given.get("tools")) == given["gives"]

    async def do_tools(self, names, _):
        def present():
            return sorted(tool["id"].removeprefix("s__") for tool in self.hg.tools.list())

        await comes_to(present, sorted(names))

    async def do_count(self, size, _):
        await comes_to(lambda: self.hg.tools.size, size)

    async def do_get(self, given, _):
        await matches(lambda: self.hg.tools.get(given["id"]), given["has"])

    def do_lacks(self, given, _):
        assert not self.hg.tools.get(given["id"]).keys() & set(given["fields"])

    def do_instructions(self, text, _):
        assert self.handle.server_instructions == text

    async def do_status(self, has, _):
        def status():
            found = self.handle.status._asdict()
            return {**found, "quarantined": list(found["quarantined"])}

        await matches(status, has)

    async def do_state(self, state, step):
        if "touch" in step:  # over HTTP nothing but a call shows that a server is gone
            await asyncio.gather(self.invoke(step["touch"], {}), return_exceptions=True)
        await comes_to(lambda: self.handle.status.state, state)

    async def do_diagnostics(self, codes, _):
        await comes_to(lambda: [found["code"] for found in self.handle.diagnostics], codes)

    def do_changed(self, given, _):
        found = next(
            one
            for one in self.handle.diagnostics
            if one["code"] == "definition_changed" and one["tool"] == given["tool"]
        )
        assert re.fullmatch("[0-9a-f]{64}", found["old_digest"])
        assert re.fullmatch("[0-9a-f]{64}", found["new_digest"])
        assert found["old_digest"] != found["new_digest"]

    def do_digest(self, given, _):
        assert self.handle.digests[given["tool"]] == given["is"]

    async def do_recall(self, given, _):
        found = await self.hg.recall(given["query"])
        group = found["tools"]["groups"][0]
        if "server" in given:
            assert group["server"] == given["server"]
        if "first" in given:
            assert group["hits"][0]["toolId"] == given["first"]
        if "unavailable" in given:
            assert group["hits"][0]["unavailable"] is True

    async def do_call(self, given, _):
        answer = self.invoke(given["tool"], given.get("args", {}))
        if "forModel" in given:
            assert self.hg.for_model(await answer) == given["forModel"]
        else:
            await settles(answer, given)

    async def do_calls(self, given, _):
        answers = await asyncio.gather(*(self.invoke(given["tool"], {}) for _ in range(given["times"])))
        assert answers == [given["gives"]] * given["times"]

    def do_start(self, given, _):
        self.calls[given["as"]] = asyncio.ensure_future(self.invoke(given["tool"], given.get("args", {})))

    async def do_await(self, given, _):
        await settles(self.calls[given["as"]], given)

    def do_abort(self, name, _):
        self.calls[name].cancel()

    async def do_heard(self, count, _):
        await comes_to(lambda: self.heard, count)

    def do_advance(self, milliseconds, _):
        self.clock.advance(milliseconds)

    async def do_timers(self, count, _):
        await comes_to(lambda: self.clock.waiting, count)

    async def do_seen(self, given, _):
        await comes_to(lambda: len(self.server.messages(given["method"])), given["count"])

    async def do_notices(self, count, _):
        await comes_to(lambda: self.noticed, count)

    async def do_event(self, given, _):
        if "count" in given:
            await comes_to(lambda: len(self.server.log(given["event"])), given["count"])
        else:
            await eventually(lambda: self.server.log(given["event"]))

    async def do_cancelled(self, method, _):
        def named():
            return [entry["params"]["requestId"] for entry in self.server.messages("notifications/cancelled")]

        await comes_to(named, [self.server.messages(method)[-1]["id"]])

    async def do_control(self, action, _):
        await self.server.control(action)

    async def do_kill(self, _given, _):
        await self.server.kill()

    async def do_restart(self, _given, _):
        await self.server.listen()

    async def do_outage(self, given, _):
        left, attempts = given["minutes"] * 60_000, 0
        while True:
            await eventually(lambda: self.clock.waiting == 1 and self.handle.status.state == "waiting", self.told)
            delay = self.clock.until_next
            if delay > left:
                break
            left -= delay
            before = self.handle.status.failures
            self.clock.advance(delay)
            await eventually(lambda before=before: self.handle.status.failures > before, self.told)
            attempts += 1
        assert 5 < attempts <= given["most"]

    def do_environment(self, given, _):
        environment = self.server.log("start")[0]["environment"]
        assert given["has"].items() <= environment.items()
        assert set(environment) <= set(given["only"])

    async def do_gone(self, _given, _):
        await comes_to(lambda: self.server.running, [])

    # ------------------------------------------------------------------------------------------------------------

    async def invoke(self, tool, arguments):
        return await self.hg.tools.invoke(f"s__{tool}", arguments)

    def told(self):
        log = [{key: part for key, part in entry.items() if key != "params"} for entry in self.server.log()]
        return f"{self.handle.status}\n{self.handle.diagnostics}\n{log}"

    async def dispose(self):
        await self.handle.close()
        self.server.dispose()


async def settles(work, given):
    """Waits for an answer and compares it, or what was raised; answers whether it failed."""
    try:
        value = await work
    except asyncio.CancelledError as cancelled:
        thrown, kind = cancelled, "aborted"
    except Exception as error:
        thrown, kind = error, getattr(error, "kind", None) or getattr(error, "code", None)
    else:
        assert "fails" not in given, f"it gave {value}"
        if "gives" in given:
            assert value == given["gives"]
        return False
    if "fails" not in given:
        raise thrown
    assert kind == given["fails"], repr(thrown)
    if "retryable" in given:
        assert thrown.details["retryable"] == given["retryable"]
    if "says" in given:
        assert given["says"] in str(thrown)
    return True


async def comes_to(observe, expected):
    await eventually(lambda: observe() == expected, lambda: f"{observe()} is not {expected}")


async def matches(observe, has):
    def holds(found, wanted):
        if isinstance(wanted, dict):
            return isinstance(found, dict) and all(key in found and holds(found[key], wanted[key]) for key in wanted)
        return found == wanted

    await eventually(lambda: holds(observe(), has), lambda: f"{observe()} has not {has}")
