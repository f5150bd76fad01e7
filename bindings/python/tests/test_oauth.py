"""Signing in: what is sent to whom, where the scenarios of e2e/oauth do not reach."""

import asyncio
import json
import time
import traceback
from urllib.parse import parse_qs, urlsplit

import pytest

pytest.importorskip("mcp")

import httpcore2
import httpx2
from honeyguide import Honeyguide
from honeyguide.mcp import McpServerError, register_mcp_server
from honeyguide.mcp.oauth import CredentialStore, Entry, SignInError, sign_in
from honeyguide.mcp.oauth.fetch import Fetch
from honeyguide.mcp.oauth.flow import Wishes
from honeyguide.mcp.oauth.guard import Guard, Network
from honeyguide.mcp.oauth.provider import SignIn
from honeyguide.mcp.oauth.waiting import Waiting

SERVER = "https://mcp.example/mcp"


@pytest.fixture
def store(tmp_path):
    return CredentialStore(tmp_path / "honeyguide" / "credentials.json")


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


ISSUERS = ("https://auth.example",)


def authorization_server(
    requests, *, methods, endpoint="https://auth.example/authorize", token="given", servers=ISSUERS
):
    """An authorization server that grants everything."""

    def answer(method, target, body):
        requests.append((target, body))
        if target.startswith("/.well-known/oauth-protected-resource"):
            return 200, {"resource": SERVER, "authorization_servers": servers}
        if target.startswith("/.well-known"):
            places = {"authorization_endpoint": endpoint, "token_endpoint": "https://auth.example/token"}
            return 200, {
                "issuer": "https://auth.example",
                **places,
                "token_endpoint_auth_methods_supported": methods,
            }
        return 200, {"access_token": token, "token_type": "bearer", "expires_in": "3600", "scope": "a b c"}

    return answer


async def test_two_that_share_a_store_ask_for_new_tokens_once(store):
    kept = {"access_token": "old", "refresh_token": "again", "expires_at": 1}
    await store.sign_in(SERVER, Entry(issuer="https://auth.example", client={"client_id": "mine"}, tokens=kept))
    requests, sent = [], []
    made = Made(authorization_server(requests, methods=["none"]))

    async def answer(request):
        sent.append(request.headers["authorization"])
        return httpx2.Response(200)

    async def call():
        async with client_of(SignIn(SERVER, store, Wishes(), None, made.network), answer) as client:
            await client.get(SERVER)

    await asyncio.gather(call(), call(), call())
    assert sent == ["Bearer given"] * 3
    assert [body.split("&")[0] for target, body in requests if body] == ["grant_type=refresh_token"]
    assert store.read(SERVER).tokens["refresh_token"] == "again"


async def signed_in(store, wishes, *, first, methods=("client_secret_basic",), **server):
    """Signs in because of a refusal; the address that the person was sent to, and the requests that were sent."""
    requests, addresses = [], []
    made = Made(authorization_server(requests, methods=list(methods), **server))

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


async def test_an_authorization_endpoint_may_have_a_query_of_its_own(store):
    wishes, endpoint = Wishes(client_id="mine"), "https://auth.example/authorize?tenant=a"
    asked, _ = await signed_in(store, wishes, first=httpx2.Response(401), endpoint=endpoint)
    assert (asked["tenant"], asked["response_type"]) == ("a", "code")


@pytest.mark.parametrize("endpoint", ["https://auth.example/authorize#part", "https://auth.example:x/", 7])
async def test_an_authorization_endpoint_that_is_no_page_is_of_no_use(store, endpoint):
    with pytest.raises(SignInError) as caught:
        await signed_in(store, Wishes(client_id="mine"), first=httpx2.Response(401), endpoint=endpoint)
    assert caught.value.code == "answer_unusable"


BAD_TOKENS = ["", "hidden\r\nX-More: yes", "hidden\xe9", "hidden two", "hidden\x7f", "hidden\u2028", "hidden\0"]


@pytest.mark.parametrize("token", BAD_TOKENS)
async def test_a_token_that_no_header_takes_is_never_kept_and_never_said(store, token):
    with pytest.raises(SignInError) as caught:
        await signed_in(store, Wishes(client_id="mine"), first=httpx2.Response(401), token=token)
    assert caught.value.code == "answer_unusable"
    assert "hidden" not in f"{caught.value!r} {caught.value.__cause__!r}"
    assert store.read(SERVER).tokens is None


@pytest.mark.parametrize("token", BAD_TOKENS)
async def test_a_new_token_that_no_header_takes_does_not_replace_the_old_one(store, token):
    kept = {"access_token": "old", "refresh_token": "again", "expires_at": 1}
    await store.sign_in(SERVER, Entry(issuer="https://auth.example", client={"client_id": "mine"}, tokens=kept))
    made = Made(authorization_server([], methods=["none"], token=token))
    async with client_of(SignIn(SERVER, store, Wishes(), None, made.network), lambda _: None) as client:
        with pytest.raises(SignInError) as caught:
            await client.get(SERVER)
    assert caught.value.code == "answer_unusable"
    assert "hidden" not in str(caught.value)
    assert store.read(SERVER).tokens["access_token"] == "old"


@pytest.mark.parametrize("token", BAD_TOKENS)
async def test_a_stored_token_that_no_header_takes_is_none(store, token):
    await store.sign_in(SERVER, Entry(tokens={"access_token": token}))
    assert store.read(SERVER).tokens is None


@pytest.mark.parametrize("value", ["hidden\nX-More: yes", "hidden\xe9"])
async def test_an_error_of_a_header_does_not_print_its_value(value):
    reader = await asyncio.start_server(lambda _reader, writer: writer.close(), "127.0.0.1", 0)
    url = f"http://127.0.0.1:{reader.sockets[0].getsockname()[1]}/mcp"
    with pytest.raises(McpServerError) as caught:
        await register_mcp_server(Honeyguide(), name="s", url=url, headers={"X-Key": value})
    reader.close()
    assert "a header has a value that cannot be sent" in str(caught.value)
    assert "hidden" not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize(
    "servers", [["file:///etc/passwd"], ["https://auth.example", "file:///etc/passwd"], ["no address"], [], "x", None]
)
async def test_authorization_servers_that_are_none_are_refused_and_the_server_does_not_stand_in(store, servers):
    with pytest.raises(SignInError) as caught:
        await signed_in(store, Wishes(client_id="mine"), first=httpx2.Response(401), servers=servers)
    assert caught.value.code in ("answer_unusable", "address_refused")
    assert store.read(SERVER).tokens is None


@pytest.mark.parametrize("place", ["https://[::1", "no address", "https://", "http://\x7f/", "//auth.example/x"])
async def test_a_hint_of_metadata_that_is_no_address_is_refused(store, place):
    header = {"www-authenticate": f'Bearer resource_metadata="{place}"'}
    with pytest.raises(SignInError) as caught:
        await signed_in(store, Wishes(client_id="mine"), first=httpx2.Response(401, headers=header))
    assert caught.value.code in ("answer_unusable", "address_refused")


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
