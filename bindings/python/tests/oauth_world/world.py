"""Runs one scenario of e2e/oauth/scenarios.json: each step by its verb. TypeScript has a twin of this file."""

import asyncio
import copy
import hashlib
import json
import logging
import os
import platform
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

from honeyguide import Honeyguide
from honeyguide.mcp import dial
from honeyguide.mcp.oauth import CredentialStore, SignInError
from honeyguide.mcp.oauth.flow import Wishes
from honeyguide.mcp.oauth.provider import SignIn
from honeyguide.mcp.register import start_server
from mcp_world.scripted import eventually

from .network import Browser, MadeNetwork

OAUTH = Path(__file__).resolve().parents[4] / "e2e" / "oauth"
SECRET = re.compile(r"(access|refresh|code)-\d+|secret-\w+")
PROCESS = """
import asyncio, sys
from honeyguide import Honeyguide
from honeyguide.mcp.oauth import sign_in
from honeyguide.mcp.register import start_server

async def main(url, store, calls):
    server = start_server(Honeyguide(), "s", {"url": url, "auth": sign_in(url, store=store)})
    await server.connect()
    await asyncio.gather(*(server._run({"name": "look"}, {}, None) for _ in range(calls)))
    await server.close()

asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
"""


def all_of(data):
    """Every scenario, each case of one by itself."""
    found = {}
    for scenario in data["scenarios"]:
        for name, value in (scenario.get("cases") or {"": None}).items():
            one = _filled({key: part for key, part in scenario.items() if key not in ("cases", "name")}, value)
            found[scenario["name"].replace("{case}", name)] = one
    return found


def _filled(part, value):
    if isinstance(part, dict):
        if part == {"$case": True}:
            return copy.deepcopy(value)
        return {_filled(key, value): _filled(one, value) for key, one in part.items()}
    if isinstance(part, list):
        return [_filled(one, value) for one in part]
    return part.replace("{case}", value) if isinstance(part, str) and isinstance(value, str) else part


async def run_scenario(scenario, resolves, monkeypatch):
    world = World(scenario, resolves)
    await world.listen(monkeypatch)
    try:
        for place, step in enumerate(scenario["steps"]):
            [(verb, given)] = step.items()
            try:
                done = getattr(world, f"do_{verb}")(given)
                if asyncio.iscoroutine(done):
                    await done
            except BaseException as thrown:
                told = "\n".join(json.dumps(entry) for entry in world.log())
                message = f"step {place + 1} {json.dumps(step)}: {type(thrown).__name__}: {thrown}\n{told}"
                raise AssertionError(message) from thrown
        world.is_discreet()
    finally:
        await world.dispose()


class World(logging.Handler):
    def __init__(self, scenario, resolves):
        super().__init__()
        self.root = Path(os.path.realpath(tempfile.mkdtemp(prefix="honeyguide-oauth-")))
        self.script = scenario.get("server", {})
        self.options = scenario.get("options", {})
        self.resolves = {**resolves, **scenario.get("resolves", {})}
        self.file = self.root / "config" / "honeyguide" / "credentials.json"
        self.store = CredentialStore(self.file)
        self.clients = {}
        self.said = []
        self.waiting = None
        self.actions = 0

    async def listen(self, monkeypatch):
        (self.root / "script.json").write_text(json.dumps(self.script))
        self._begin()
        await eventually(lambda: (self.root / "port").exists())
        self.port = int((self.root / "port").read_text())
        self.network = None
        self.url = f"http://127.0.0.1:{self.port}/mcp"
        if not self.script.get("local"):
            self.network = MadeNetwork(self.resolves, self.port)
            self.url = "https://mcp.example/mcp"
            monkeypatch.setattr(dial, "Client", self.network.client())
        logging.getLogger().addHandler(self)
        logging.getLogger().setLevel(logging.DEBUG)

    def _begin(self):
        program = [shutil.which("node"), str(OAUTH / "server.mjs"), str(self.root)]
        self.child = subprocess.Popen(program, stdin=subprocess.PIPE)

    def emit(self, record):
        self.said.append(logging.Formatter().format(record))

    def is_discreet(self):
        for text in self.said:
            assert SECRET.search(text) is None, text

    async def dispose(self):
        logging.getLogger().removeHandler(self)
        logging.getLogger().setLevel(logging.WARNING)
        for client in self.clients.values():
            await client.close()
        self.child.stdin.close()
        self.child.kill()
        self.child.wait()
        shutil.rmtree(self.root)

    # -------------------------------------------------------------------------------------------------- what it is

    def log(self):
        file = self.root / "log.jsonl"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def requests(self, given):
        def fits(entry):
            grant = entry.get("form", {}).get("grant_type")
            return entry.get("endpoint") == given["endpoint"] and given.get("grant") in (None, grant)

        return [entry for entry in self.log() if fits(entry)]

    def entry(self):
        whole = json.loads(self.file.read_text()) if self.file.exists() else {"servers": {}}
        return whole["servers"].get(self.url, {})

    def connect(self, on_address=None):
        return self.connection(self.auth_of(on_address))

    def connection(self, auth):
        return start_server(Honeyguide(), "s", {"url": self.url, "auth": auth})

    def auth_of(self, on_address):
        wishes = Wishes(
            client_id=self.options.get("clientId"),
            client_secret=self.options.get("clientSecret"),
            allowed_hosts=tuple(self.options.get("allowedHosts", ())),
        )
        if on_address is None:
            wishes = Wishes()
        network = self.network and self.network.network
        return SignIn(self.url, self.store, wishes, on_address, network)

    def expect(self, thrown, given):
        for one in chain(thrown):
            self.said.append(str(one))
        if "fails" not in given:
            if thrown is not None:
                raise thrown
            return
        assert thrown is not None, "it succeeded"
        wanted = given["fails"] if isinstance(given["fails"], list) else [given["fails"]]
        assert codes_of(thrown) & set(wanted), f"{codes_of(thrown)}: {thrown!r}"
        assert given.get("says", "") in str(thrown), str(thrown)

    # --------------------------------------------------------------------------------------------------- the verbs

    async def do_signIn(self, given):  # noqa: N802 (the verb's name)
        browser = Browser(given.get("browser", "approve"), self.port)
        auth = self.auth_of(browser)
        clients = [self.connection(auth) for _ in range(given.get("count", 1))]
        try:
            for thrown in await asyncio.gather(*(thrown_by(client.connect()) for client in clients)):
                self.expect(thrown, given)
            if browser.seen:
                await browser.gone()
        finally:
            for client in clients:
                await client.close()

    async def do_signOut(self, _given):  # noqa: N802 (the verb's name)
        await self.store.sign_out(self.url)

    async def do_calls(self, given):
        name = given.get("as", "a")
        if name not in self.clients:
            self.clients[name] = self.connect()
        client = self.clients[name]
        if client.status.state != "ready":
            thrown = await thrown_by(client.refresh())
            if thrown is not None:
                self.expect(thrown, given)
                return
        work = (client._run({"name": "look"}, {}, None) for _ in range(given.get("count", 1)))
        for thrown in await asyncio.gather(*(thrown_by(one) for one in work)):
            self.expect(thrown, given)

    def do_start(self, given):
        self.waiting = asyncio.ensure_future(self.do_calls(given["calls"]))

    async def do_await(self, _given):
        await self.waiting

    async def do_processes(self, given):
        words = [sys.executable, "-c", PROCESS, self.url, str(self.file), str(given["calls"])]
        children = [await asyncio.create_subprocess_exec(*words, stderr=subprocess.PIPE) for _ in range(given["count"])]
        for child in children:
            _, told = await child.communicate()
            self.said.append(told.decode())
            assert child.returncode == 0, told.decode()

    async def do_control(self, given):
        with (self.root / "control.jsonl").open("a") as file:
            file.write(json.dumps(given) + "\n")
        self.actions += 1
        await eventually(lambda: any(one.get("place") == self.actions for one in self.log()))

    def do_limit(self, milliseconds):
        self.network.network.patience = milliseconds / 1000

    async def do_requests(self, given):
        await eventually(lambda: len(self.requests(given)) >= given["count"], lambda: self.requests(given))
        assert len(self.requests(given)) == given["count"]

    def do_last(self, given):
        last = self.requests(given)[-1]
        for part in ("query", "form"):
            wanted = given.get(part, {})
            assert {name: last[part].get(name) for name in wanted} == wanted

    def do_dials(self, given):
        dials = set(self.network.dials)
        assert "is" not in given or dials == set(listed(given["is"])), dials
        assert set(listed(given.get("has", []))) <= dials, dials
        assert not set(listed(given.get("lacks", []))) & dials, dials

    def do_store(self, given):
        entry = self.entry()
        found = {
            "generation": entry.get("generation", 0),
            "tokens": "tokens" in entry,
            "client": "client" in entry,
            "refresh": "refresh_token" in entry.get("tokens", {}),
            "has": {name: entry.get(name) for name in given.get("has", {})},
        }
        if "minted" in given:
            minted = json.loads((self.root / "minted.json").read_text())
            found["minted"] = entry["tokens"]["access_token"] == minted["access_token"]
        assert {name: found[name] for name in given} == given

    async def do_mint(self, _given):
        await self.do_control({"do": "mint"})
        minted = json.loads((self.root / "minted.json").read_text())
        assert await self.store.renew(self.url, self.store.read(self.url).generation, minted)

    def do_age(self, _given):
        whole = json.loads(self.file.read_text())
        whole["servers"][self.url]["tokens"]["expires_at"] = 1
        self.file.write_text(json.dumps(whole))

    def do_write(self, text):
        self.file.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
        self.file.write_text(text)
        self.file.chmod(0o600)

    def do_text(self, text):
        assert self.file.read_text() == text

    def do_whole(self, wanted):
        assert has(json.loads(self.file.read_text()), wanted)

    def do_mode(self, mode):
        self.file.chmod(int(mode, 8))

    def do_modes(self, given):
        for path, mode in ((self.file, given["file"]), (self.file.parent, given["folder"])):
            assert oct(stat.S_IMODE(path.stat().st_mode)) == f"0o{mode}"

    def do_left(self, names):
        left = (one.name for one in self.file.parent.iterdir() if one.suffix != ".gone")
        assert sorted(left) == sorted([*names, self.file.name])

    def do_abandon(self, which):
        digest = hashlib.sha256(self.url.encode()).hexdigest()[:16]
        middle = "" if which == "store" else f".{digest}"
        lock = self.file.with_name(f"{self.file.name}{middle}.lock")
        lock.mkdir()
        dead = subprocess.Popen([sys.executable, "-c", ""])
        dead.wait()
        owner = {"pid": dead.pid, "host": platform.node(), "nonce": "00112233aabbccdd"}
        (lock / "owner").write_text(json.dumps(owner))


async def thrown_by(work):
    try:
        await work
    except Exception as thrown:
        return thrown
    return None


def chain(thrown):
    """An error, and all that stands behind it."""
    found = []
    open_ones = [thrown]
    while open_ones:
        one = open_ones.pop()
        if one is not None and one not in found:
            found.append(one)
            open_ones += [one.__cause__, one.__context__, *getattr(one, "exceptions", ())]
    return found


def codes_of(thrown):
    """A server that refuses, and nobody who could sign in: that is what the state `needs_auth` says."""
    codes = {one.code for one in chain(thrown) if isinstance(one, SignInError)}
    return codes or ({"sign_in_needed"} if getattr(thrown, "kind", "") == "needs_auth" else set())


def listed(value):
    return value if isinstance(value, list) else [value]


def has(found, wanted):
    if isinstance(wanted, dict):
        return isinstance(found, dict) and all(key in found and has(found[key], one) for key, one in wanted.items())
    return found == wanted
