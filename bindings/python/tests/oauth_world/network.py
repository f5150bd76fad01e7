"""The network of a scenario: names lead where its table says, and every good address to the scripted server."""

import asyncio
import http.client
from urllib.parse import parse_qs, urlencode, urlsplit

import httpcore2
import httpx2
from honeyguide.mcp import dial
from honeyguide.mcp.oauth.guard import Network


class Plain(httpcore2.AsyncNetworkStream):
    """A stream that takes TLS for done."""

    def __init__(self, inner):
        self._inner = inner

    async def read(self, max_bytes, timeout=None):
        return await self._inner.read(max_bytes, timeout)

    async def write(self, buffer, timeout=None):
        await self._inner.write(buffer, timeout)

    async def aclose(self):
        await self._inner.aclose()

    async def start_tls(self, *_args, **_options):
        return self

    def get_extra_info(self, _info):
        return None


class MadeNetwork(httpcore2.AsyncNetworkBackend):
    def __init__(self, resolves, port):
        self._resolves = {name: list(answers) for name, answers in resolves.items()}
        self._port = port
        self._real = httpcore2.AnyIOBackend()
        self.dials = []
        self.network = Network(self.resolve, self)

    async def resolve(self, host):
        answers = self._resolves.get(host, [])
        if answers and isinstance(answers[0], list):
            return answers[0] if len(answers) == 1 else answers.pop(0)
        return answers

    async def connect_tcp(self, host, port, timeout=None, local_address=None, socket_options=None):
        self.dials.append(host)
        return Plain(await self._real.connect_tcp("127.0.0.1", self._port, timeout))

    def client(self):
        """What `dial.Client` is while a scenario runs: the requests of the MCP transport go to the script as well."""
        port = self._port

        class Transport(httpx2.AsyncHTTPTransport):
            async def handle_async_request(self, request):
                # The header `Host` stays what it was.
                request.url = request.url.copy_with(scheme="http", host="127.0.0.1", port=port)
                return await super().handle_async_request(request)

        class Client(dial.Client):
            def __init__(self, **options):
                super().__init__(transport=Transport(), **options)

        return Client


class Browser:
    """What a person does with the address that it is given."""

    def __init__(self, does, port):
        self._does = does
        self._port = port
        self.seen = []

    def __call__(self, address):
        self._going = asyncio.ensure_future(asyncio.to_thread(self._go, address))

    async def gone(self):
        await self._going

    def _go(self, address):
        self.seen.append(address)
        to = urlsplit(address)
        asked = {name: values[0] for name, values in parse_qs(to.query).items()}
        if self._does == "deny":
            iss = f"{to.scheme}://{to.netloc}"
            said = {
                "error": "access_denied",
                "error_description": "secret-of-theirs",
                "state": asked["state"],
                "iss": iss,
            }
            return self._bring(asked["redirect_uri"], said)
        status, headers = ask("GET", self._port, f"{to.path}?{to.query}", to.netloc)
        assert status == 302, status
        back = urlsplit(headers["location"])
        said = {name: values[0] for name, values in parse_qs(back.query).items()}
        where = back._replace(query="").geturl()
        if self._does in ("foreignHost", "wrongPath", "post"):
            self._bring_wrongly(where, said)
        changes = {
            "wrongState": {"state": "another"},
            "noState": {"state": None},
            "wrongIssuer": {"iss": "https://other.example"},
            "noIssuer": {"iss": None},
            "noCode": {"code": None},
        }
        said |= changes.get(self._does, {})
        return self._bring(where, {name: value for name, value in said.items() if value is not None})

    def _bring(self, where, said):
        to = urlsplit(where)
        status, _ = ask("GET", to.port, f"{to.path}?{urlencode(said)}", to.netloc)
        assert status == 200, status

    def _bring_wrongly(self, where, said):
        to = urlsplit(where)
        method = "POST" if self._does == "post" else "GET"
        path = "/other" if self._does == "wrongPath" else to.path
        host = "other.example" if self._does == "foreignHost" else to.netloc
        status, _ = ask(method, to.port, f"{path}?{urlencode(said)}", host)
        assert status >= 400, status


def ask(method, port, target, host):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request(method, target, headers={"Host": host})
        response = connection.getresponse()
        return response.status, {name.lower(): value for name, value in response.getheaders()}
    finally:
        connection.close()
