"""Signing in: what the scenarios of e2e/oauth do not reach. Locks, the store, what is sent to whom."""

import asyncio
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

pytest.importorskip("mcp")

import httpcore2
import httpx2
from honeyguide.mcp.oauth import CredentialStore, Entry, SignInError, sign_in
from honeyguide.mcp.oauth.fetch import Fetch
from honeyguide.mcp.oauth.flow import Wishes
from honeyguide.mcp.oauth.guard import Guard, Network
from honeyguide.mcp.oauth.lock import Lock, held
from honeyguide.mcp.oauth.provider import SignIn
from honeyguide.mcp.oauth.waiting import Waiting

SERVER = "https://mcp.example/mcp"
NONCE = "00112233aabbccdd"
LATE = SignInError("unreachable", "late")


# --------------------------------------------------------------------------------------------------------------- locks


def left_by(place, *, pid=1, host="elsewhere", age=0, text=None):
    """A lock that somebody holds."""
    place.mkdir()
    owner = {"pid": pid, "host": host, "nonce": NONCE}
    (place / "owner").write_text(json.dumps(owner) if text is None else text)
    for path in (place / "owner", place):
        os.utime(path, (time.time() - age,) * 2)


def dead_pid():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_a_lock_is_held_by_one_at_a_time(tmp_path):
    one, other = Lock(tmp_path / "l"), Lock(tmp_path / "l")
    assert one.attempt()
    assert not other.attempt()
    one.release()
    assert other.attempt()
    assert not one.is_held()
    assert os.listdir(tmp_path) == ["l"]


@pytest.mark.parametrize(
    ("left", "is_taken"),
    [
        ({"host": platform.node(), "pid": os.getpid()}, False),
        ({"host": "elsewhere", "pid": 2**22 + 1}, False),
        ({"age": 110}, False),
        ({"text": "half a"}, False),
        ({"age": 130}, True),
        ({"age": 130, "host": platform.node(), "pid": os.getpid()}, True),
        ({"text": "half a", "age": 130}, True),
    ],
)
def test_a_lock_is_taken_over_when_its_owner_is_gone_and_not_before(tmp_path, left, is_taken):
    left_by(tmp_path / "l", **left)
    assert Lock(tmp_path / "l").attempt() is is_taken


@pytest.mark.skipif(sys.platform == "win32", reason="nobody is asked there whether a process lives")
def test_a_lock_of_a_process_that_died_is_taken_over_at_once(tmp_path):
    left_by(tmp_path / "l", host=platform.node(), pid=dead_pid())
    assert Lock(tmp_path / "l").attempt()
    assert sorted(os.listdir(tmp_path)) == ["l", f"l.{NONCE}.gone"]


def test_who_comes_second_to_take_over_from_one_owner_takes_nothing_from_a_third(tmp_path):
    place = tmp_path / "l"
    left_by(place, age=130)
    assert Lock(place).attempt()
    # A second one saw the same owner before that, and only now does what follows from it.
    with pytest.raises(OSError, match="l"):
        place.rename(tmp_path / f"l.{NONCE}.gone")
    assert json.loads((place / "owner").read_text())["nonce"] != NONCE


def test_who_lost_a_lock_does_not_give_back_that_of_another(tmp_path):
    slow, next_one = Lock(tmp_path / "l"), Lock(tmp_path / "l")
    assert slow.attempt()
    os.utime(tmp_path / "l" / "owner", (time.time() - 130,) * 2)
    assert next_one.attempt()
    slow.release()
    assert next_one.is_held()


async def test_nobody_waits_for_what_became_needless_or_takes_too_long(tmp_path):
    left_by(tmp_path / "l")
    async with held(tmp_path / "l", 60, LATE, lambda: True) as lock:
        assert lock is None
    with pytest.raises(SignInError) as caught:
        async with held(tmp_path / "l", 0, LATE):
            raise AssertionError
    assert caught.value is LATE


# ----------------------------------------------------------------------------------------------------------- the store

WRITER = """
import asyncio, sys
from honeyguide.mcp.oauth import CredentialStore, Entry

async def main(place, server):
    for number in range(20):
        await CredentialStore(place).sign_in(server, Entry(tokens={"access_token": str(number)}))

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.fixture
def store(tmp_path):
    return CredentialStore(tmp_path / "honeyguide" / "credentials.json")


async def test_processes_that_write_at_once_lose_nothing(store):
    servers = ["https://a.example", "https://b.example", "https://b.example"]
    words = [sys.executable, "-c", WRITER, str(store.place)]
    running = [await asyncio.create_subprocess_exec(*words, server) for server in servers]
    assert [await process.wait() for process in running] == [0, 0, 0]
    assert [store.read(server).generation for server in servers] == [20, 40, 40]


async def test_tokens_of_another_generation_are_neither_overwritten_nor_removed(store):
    await store.sign_in(SERVER, Entry(tokens={"access_token": "new"}))
    assert not await store.renew(SERVER, 0, {"access_token": "old"})
    assert not await store.forget(SERVER, 0)
    assert store.read(SERVER) == Entry(1, tokens={"access_token": "new"})
    assert await store.forget(SERVER, 1)
    assert store.read(SERVER) == Entry(2)


async def test_what_a_killed_process_left_half_written_is_removed_when_it_is_old(store):
    await store.sign_in(SERVER, Entry(tokens={"access_token": "a"}))
    old, young = (store.place.with_name(f"credentials.json.{number * 16}") for number in ("a", "b"))
    for path in (old, young):
        path.write_text("{half")
    os.utime(old, (time.time() - 4000,) * 2)
    await store.sign_in(SERVER, Entry(tokens={"access_token": "b"}))
    assert not old.exists()
    assert young.exists()


async def test_a_folder_that_cannot_be_made_is_said(tmp_path):
    (tmp_path / "honeyguide").write_text("a file")
    with pytest.raises(SignInError, match="honeyguide") as caught:
        await CredentialStore(tmp_path / "honeyguide" / "credentials.json").sign_in(SERVER, Entry())
    assert caught.value.code == "store_unusable"


@pytest.mark.skipif(sys.platform == "win32", reason="the folder is another one there")
def test_the_store_stands_in_the_persons_own_folder(monkeypatch):
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setenv("XDG_CONFIG_HOME", "/elsewhere")
    assert CredentialStore().place == Path("/elsewhere/honeyguide/credentials.json")
    monkeypatch.delenv("XDG_CONFIG_HOME")
    assert CredentialStore().place == Path("/home/me/.config/honeyguide/credentials.json")


def test_what_is_no_address_of_the_web_has_no_credentials():
    for address in ("file:///etc/passwd", "mcp.example", "", "https://"):
        with pytest.raises(SignInError):
            sign_in(address)


# ------------------------------------------------------------------------------------------------ what is sent to whom


def client_of(auth, answer):
    return httpx2.AsyncClient(auth=auth, transport=httpx2.MockTransport(answer))


async def test_tokens_are_sent_to_their_own_server_only(store):
    await store.sign_in(SERVER, Entry(tokens={"access_token": "mine"}))
    sent = {}

    async def answer(request):
        sent[str(request.url)] = request.headers.get("authorization")
        return httpx2.Response(200)

    async with client_of(sign_in(SERVER, store=store), answer) as client:
        for url in (SERVER, "https://mcp.example:8443/mcp", "http://mcp.example/mcp", "https://other.example/mcp"):
            await client.get(url)
    assert [url for url, token in sent.items() if token] == [SERVER]


async def test_calls_do_not_wait_for_each_other(store):
    await store.sign_in(SERVER, Entry(tokens={"access_token": "mine"}))
    second = asyncio.Event()

    async def answer(request):
        if request.content == b"first":
            await second.wait()
        second.set()
        return httpx2.Response(200)

    async with client_of(sign_in(SERVER, store=store), answer) as client:
        first = asyncio.ensure_future(client.post(SERVER, content=b"first"))
        await asyncio.sleep(0)
        await client.post(SERVER, content=b"second")
        await first


async def test_there_is_news_when_somebody_signed_in_since_the_last_refusal(store):
    auth = sign_in(SERVER, store=store)
    good = []

    async def answer(request):
        return httpx2.Response(200 if request.headers.get("authorization") in good else 401)

    async with client_of(auth, answer) as client:
        assert (await client.get(SERVER)).status_code == 401
        assert not auth.has_news
        await store.sign_in(SERVER, Entry(tokens={"access_token": "one"}))
        assert auth.has_news
        assert (await client.get(SERVER)).status_code == 401
        assert not auth.has_news
        await store.sign_in(SERVER, Entry(tokens={"access_token": "two"}))
        good.append("Bearer two")
        assert (await client.get(SERVER)).status_code == 200


# ------------------------------------------------------------------------------------------------- a made network


class Talk(httpcore2.AsyncMockStream):
    """A connection that answers what its maker says, and tells for which name TLS was asked."""

    def __init__(self, backend):
        super().__init__([])
        self._backend = backend
        self._heard = b""
        self._said = False

    async def write(self, buffer, timeout=None):
        self._heard += buffer

    async def read(self, max_bytes, timeout=None):
        if self._said:
            return b""
        self._said = True
        head, _, body = self._heard.partition(b"\r\n\r\n")
        method, target, _ = head.split(b"\r\n")[0].decode().split(" ")
        status, said, *more = self._backend.answer(method, target, body.decode())
        text = json.dumps(said).encode()
        lines = [f"HTTP/1.1 {status} X", "Content-Type: application/json", f"Content-Length: {len(text)}", *more]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + text

    async def start_tls(self, ssl_context, server_hostname=None, timeout=None):
        self._backend.names.append(server_hostname)
        return self


class Made(httpcore2.AsyncNetworkBackend):
    def __init__(self, answer, silent=()):
        self.answer = answer
        self.names = []
        self.dials = []
        self._silent = silent
        self.network = Network(self.resolve, self)

    async def resolve(self, host):
        return ["93.184.215.14", "93.184.215.15"]

    async def connect_tcp(self, host, port, timeout=None, local_address=None, socket_options=None):
        self.dials.append(host)
        if host in self._silent:
            raise httpcore2.ConnectTimeout
        return Talk(self)


async def test_a_checked_address_is_connected_to_and_tls_asks_for_the_name():
    made = Made(lambda *_: (200, {"a": 1}), silent=["93.184.215.14"])
    fetch = Fetch(Guard(SERVER, [], made.resolve), made.network)
    response = await fetch.look(httpx2.Request("GET", "https://auth.example/x"))
    assert response.json() == {"a": 1}
    assert made.dials == ["93.184.215.14", "93.184.215.15"]
    assert made.names == ["auth.example"]


def authorization_server(requests, *, methods):
    """An authorization server that grants everything."""

    def answer(method, target, body):
        requests.append((target, body))
        if target.startswith("/.well-known/oauth-protected-resource"):
            return 200, {"resource": SERVER, "authorization_servers": ["https://auth.example"]}
        if target.startswith("/.well-known"):
            places = {name: f"https://auth.example/{name}" for name in ("authorization_endpoint", "token_endpoint")}
            return 200, {
                "issuer": "https://auth.example",
                **places,
                "token_endpoint_auth_methods_supported": methods,
            }
        return 200, {"access_token": "given", "token_type": "bearer", "expires_in": "3600", "scope": "a b c"}

    return answer


async def signed_in(store, wishes, *, first, methods=("client_secret_basic",)):
    """Signs in because of a refusal; the address that the person was sent to, and the requests that were sent."""
    requests, addresses = [], []
    made = Made(authorization_server(requests, methods=list(methods)))

    async def on_address(address):
        addresses.append({name: values[0] for name, values in parse_qs(urlsplit(address).query).items()})
        back = urlsplit(addresses[-1]["redirect_uri"])
        reader, writer = await asyncio.open_connection(back.hostname, back.port)
        target = f"{back.path}?code=secret&state={addresses[-1]['state']}"
        writer.write(f"GET {target} HTTP/1.1\r\nHost: {back.netloc}\r\n\r\n".encode())
        assert b"You can close this window." in await reader.read()
        writer.close()

    async def answer(request):
        return httpx2.Response(200) if request.headers.get("authorization") == "Bearer given" else first

    async with client_of(SignIn(SERVER, store, wishes, on_address, made.network), answer) as client:
        assert (await client.post(SERVER, json={})).status_code == 200
    return addresses[0], requests


async def test_a_refusal_for_lack_of_scopes_asks_for_those_there_were_and_the_new_ones(store):
    await store.sign_in(SERVER, Entry(tokens={"access_token": "few", "scope": "a b"}))
    header = {"www-authenticate": 'Bearer error="insufficient_scope", scope="b c"'}
    asked, _ = await signed_in(store, Wishes(client_id="mine"), first=httpx2.Response(403, headers=header))
    assert asked["scope"] == "a b c"
    assert store.read(SERVER).tokens["scope"] == "a b c"


async def test_the_applications_scopes_stand_in_place_of_the_servers(store):
    header = {"www-authenticate": 'Bearer scope="theirs"'}
    wishes = Wishes(client_id="mine", scopes=("ours", "too"))
    asked, _ = await signed_in(store, wishes, first=httpx2.Response(401, headers=header))
    assert (asked["scope"], asked["client_id"]) == ("ours too", "mine")


@pytest.mark.parametrize(
    ("secret", "methods", "method"),
    [
        (None, ["client_secret_basic"], "none"),
        ("s", ["client_secret_basic", "client_secret_post"], "client_secret_basic"),
        ("s", ["client_secret_post"], "client_secret_post"),
    ],
)
async def test_a_client_of_the_applications_own_proves_itself_as_the_server_can(store, secret, methods, method):
    wishes = Wishes(client_id="mine", client_secret=secret)
    _, requests = await signed_in(store, wishes, first=httpx2.Response(401), methods=methods)
    assert store.read(SERVER).client["token_endpoint_auth_method"] == method
    assert ("client_secret=s" in requests[-1][1]) is (method == "client_secret_post")
    assert store.read(SERVER).tokens["expires_at"] > time.time() + 3000


# ------------------------------------------------------------------------------------------------------ the way back


async def test_a_port_that_is_taken_is_not_waited_on():
    async with Waiting() as one:
        port = urlsplit(one.address).port
        async with Waiting(port) as other:
            assert urlsplit(other.address).port != port
    async with Waiting(port) as again:
        assert urlsplit(again.address).port == port


async def test_noise_on_the_port_brings_nothing():
    async with Waiting() as waiting:
        where = urlsplit(waiting.address)
        for noise in (
            b"\x16\x03\x01\r\n\r\n",
            b"GET " + b"x" * 40_000,
            b"GET /callback?code=a&state=s HTTP/1.1\r\n\r\n",
        ):
            reader, writer = await asyncio.open_connection(where.hostname, where.port)
            writer.write(noise)
            writer.write_eof()
            assert b"You can close" not in await reader.read()
            writer.close()
        reader, writer = await asyncio.open_connection(where.hostname, where.port)
        writer.write(f"GET /callback?code=a&state=s HTTP/1.1\r\nHost: {where.netloc}\r\n\r\n".encode())
        assert (await waiting.brought("s"))["code"] == "a"
        await reader.read()
        writer.close()
