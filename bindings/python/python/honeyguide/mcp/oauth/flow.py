"""Drives the official package's own OAuth: it decides what is asked and checks what comes, the requests are sent here.

Its provider is an `httpx2.Auth`, a generator of requests; handing it the answers ourselves is what makes each of them a
guarded one. Keeps nothing, and asks for nothing twice.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider, OAuthFlowError
from mcp.client.auth.utils import (
    build_oauth_authorization_server_metadata_discovery_urls,
    create_oauth_metadata_request,
    extract_resource_metadata_from_www_auth,
    extract_scope_from_www_auth,
    handle_auth_metadata_response,
    issuers_match,
)
from mcp.shared.auth import (
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthMetadata,
    OAuthToken,
    ProtectedResourceMetadata,
)
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from mcp_types import LATEST_PROTOCOL_VERSION
from pydantic import BaseModel, ValidationError

from .addresses import is_loopback_host
from .fault import SignInError
from .fetch import Fetch
from .guard import shown
from .store import Entry, is_token
from .waiting import Waiting

__all__ = ["Challenge", "Wishes", "renew", "sign_in"]

_LONG_AGO = 1.0


@dataclass(frozen=True)
class Wishes:
    """What the application wants of a sign-in."""

    client_name: str = "Honeyguide"
    scopes: tuple[str, ...] | None = None
    """In place of those that the server asks for."""
    client_id: str | None = None
    """A client that is known to the authorization server already."""
    client_secret: str | None = None
    port: int | None = None
    """The port that the browser comes back to (default: the one that was registered, or any)."""
    allowed_hosts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Challenge:
    """What a server said when it refused."""

    resource_metadata: str | None = None
    scope: str | None = None
    status: int = 401

    @staticmethod
    def of(response: httpx2.Response) -> Challenge:
        """What is said in a server's response."""
        place, scope = extract_resource_metadata_from_www_auth(response), extract_scope_from_www_auth(response)
        return Challenge(place, scope, response.status_code)

    def response(self, request: httpx2.Request) -> httpx2.Response:
        """The refusal, with nothing in it but this."""
        parts = {"resource_metadata": self.resource_metadata, "scope": self.scope}
        said = ", ".join(f'{name}="{value}"' for name, value in parts.items() if value)
        return httpx2.Response(401, headers={"www-authenticate": f"Bearer {said}".strip()}, request=request)


async def sign_in(
    server: str,
    challenge: Challenge,
    known: Entry,
    wishes: Wishes,
    on_address: Callable[[str], Awaitable[object]],
    fetch: Fetch,
) -> Entry:
    """Has a person sign in; answers all that is to be kept of it."""
    stored = _client_of(known)
    async with Waiting(_port_of(stored), wishes.port) as waiting:
        address = waiting.address
        desk = _Desk(client=_client_for(address, stored, wishes))
        asked: list[str] = []

        async def show(url: str) -> None:
            await _check_person_may_go(provider, url, fetch)
            _choose_method(provider, wishes)
            url = _with_one_query(provider, url)
            asked.append(parse_qs(urlsplit(url).query).get("state", [""])[-1])
            if not asked[-1]:
                raise SignInError("answer_unusable", "the authorization endpoint is no address of a page")
            await on_address(url)

        async def brought() -> AuthorizationCodeResult:
            said = await waiting.brought(asked[-1])
            return AuthorizationCodeResult(code=said["code"], state=said["state"], iss=said.get("iss"))

        metadata = OAuthClientMetadata.model_validate(
            {
                "redirect_uris": [address],
                "client_name": wishes.client_name,
                "token_endpoint_auth_method": "none",
                "scope": " ".join(wishes.scopes) if wishes.scopes else None,
            }
        )
        provider = OAuthClientProvider(server, metadata, desk, show, brought)
        if wishes.scopes:
            challenge = replace(challenge, scope=" ".join(wishes.scopes))
        await _drive(provider, desk, fetch, challenge)
    context = provider.context
    issuer = context.auth_server_url if context.oauth_metadata is None else str(context.oauth_metadata.issuer)
    return Entry(
        issuer=issuer or _origin_of(server),
        resource=context.get_resource_url(),
        allowed_hosts=wishes.allowed_hosts or known.allowed_hosts,
        client=None if desk.client is None else _plain(desk.client, without={"issuer"}),
        tokens=_kept(desk.tokens),
    )


async def renew(server: str, known: Entry, fetch: Fetch) -> Mapping[str, Any]:
    """Asks the authorization server that gave the tokens for new ones; answers them."""
    issuer = known.issuer or ""
    desk = _Desk(_model(OAuthToken, known.tokens), _model(OAuthClientInformationFull, known.client))
    metadata = OAuthClientMetadata(redirect_uris=None)
    provider = OAuthClientProvider(server, metadata, desk)
    context = provider.context
    # What the provider knows of an authorization server it forgets with the process, and then asks the wrong one.
    context.oauth_metadata = await _metadata_of(issuer, server, fetch)
    context.auth_server_url = issuer
    resource = {"resource": known.resource or server, "authorization_servers": [issuer]}
    context.protected_resource_metadata = _model(ProtectedResourceMetadata, resource)
    context.token_expiry_time = _LONG_AGO
    request = _request_to(server)
    flow = provider.async_auth_flow(request)
    try:
        asked = await flow.__anext__()
        if asked is request:
            raise SignInError("sign_in_needed", "there is nothing to ask for new tokens with")
        desk.tokens = None
        await flow.asend(_judged(await fetch.hand_in(asked), OAuthToken))
    finally:
        await flow.aclose()
    return _kept(desk.tokens)


class _Desk:
    """What the official package takes for a store: nothing is kept before all of it is there."""

    def __init__(self, tokens: OAuthToken | None = None, client: OAuthClientInformationFull | None = None) -> None:
        self.tokens = tokens
        self.client = client

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


async def _drive(provider: OAuthClientProvider, desk: _Desk, fetch: Fetch, challenge: Challenge) -> None:
    request = _request_to(provider.context.server_url)
    flow = provider.async_auth_flow(request)
    try:
        asked = await flow.__anext__()
        answer = challenge.response(request)
        while True:
            asked = await flow.asend(answer)
            if asked is request:
                return
            answer = await _answer(provider, asked, fetch)
    except (OAuthFlowError, httpx2.InvalidURL, httpx2.HTTPError, ValueError) as error:
        raise SignInError("answer_unusable", _one_line(error)) from None
    finally:
        await flow.aclose()


async def _answer(provider: OAuthClientProvider, asked: httpx2.Request, fetch: Fetch) -> httpx2.Response:
    if asked.method == "GET":
        return _looked(await fetch.look(asked))
    context = provider.context
    if context.oauth_metadata is None and context.auth_server_url is not None:
        # The official package would go on with the MCP server in its place.
        raise SignInError("answer_unusable", f"authorization server {context.auth_server_url} says nothing of itself")
    if asked.headers.get("content-type", "").startswith("application/json"):
        return _judged(await fetch.hand_in(asked), OAuthClientInformationFull)
    return _judged(await fetch.hand_in(asked), OAuthToken)


def _looked(response: httpx2.Response) -> httpx2.Response:
    """Metadata. Where a server names its authorization servers, the official package would take itself in the place of
    addresses that are none."""
    said = response.json() if response.status_code == 200 else {}
    return _judged(response, ProtectedResourceMetadata) if "authorization_servers" in said else response


def _judged(response: httpx2.Response, model: type[BaseModel]) -> httpx2.Response:
    """An answer that the official package can read; of one that it cannot, it would log all there is, secrets too."""
    place = shown(response.request.url)
    try:
        said = model.model_validate_json(response.content)
    except ValidationError:
        raise SignInError("answer_unusable", f"{place} answers with something else than was asked for") from None
    if isinstance(said, OAuthToken) and not is_token(said.access_token):
        raise SignInError("answer_unusable", f"{place} answers with a token that cannot be sent")
    return response


async def _metadata_of(issuer: str, server: str, fetch: Fetch) -> OAuthMetadata | None:
    for place in build_oauth_authorization_server_metadata_discovery_urls(issuer, server):
        response = await fetch.look(create_oauth_metadata_request(place))
        _, metadata = await handle_auth_metadata_response(response)
        if metadata is None:
            continue
        if not issuers_match(str(metadata.issuer), issuer):
            raise SignInError("answer_unusable", f"metadata of {issuer} is of another issuer")
        return metadata
    if issuers_match(_origin_of(server), issuer):
        return None
    raise SignInError("answer_unusable", f"authorization server {issuer} says nothing of itself")


async def _check_person_may_go(provider: OAuthClientProvider, address: str, fetch: Fetch) -> None:
    """Judges all that the way of the person depends on, before the person goes it."""
    metadata = provider.context.oauth_metadata
    methods = None if metadata is None else metadata.code_challenge_methods_supported
    if methods is not None and "S256" not in methods:
        raise SignInError("answer_unusable", "the authorization server takes no S256, which keeps codes from others")
    for url in [address, *([] if metadata is None else [str(metadata.token_endpoint)])]:
        fetch.guard.check(httpx2.URL(url))
        await fetch.guard.addresses(httpx2.URL(url).host)


def _with_one_query(provider: OAuthClientProvider, address: str) -> str:
    """An endpoint may have a query of its own (RFC 6749, 3.1), which the official package does not expect."""
    metadata = provider.context.oauth_metadata
    endpoint = "" if metadata is None else str(metadata.authorization_endpoint)
    return f"{endpoint}&{address[len(endpoint) + 1 :]}" if "?" in endpoint else address


def _choose_method(provider: OAuthClientProvider, wishes: Wishes) -> None:
    """How a client of the application's own proves that it is that: as the authorization server can, basic first."""
    client, metadata = provider.context.client_info, provider.context.oauth_metadata
    if client is None or not wishes.client_id:
        return
    methods = None if metadata is None else metadata.token_endpoint_auth_methods_supported
    is_post = methods is not None and "client_secret_basic" not in methods and "client_secret_post" in methods
    client.token_endpoint_auth_method = (
        "none" if wishes.client_secret is None else "client_secret_post" if is_post else "client_secret_basic"
    )


def _client_of(known: Entry) -> OAuthClientInformationFull | None:
    if known.client is None or known.issuer is None:
        return None
    client: OAuthClientInformationFull = _model(OAuthClientInformationFull, {**known.client, "issuer": known.issuer})
    return client


def _client_for(
    address: str, stored: OAuthClientInformationFull | None, wishes: Wishes
) -> OAuthClientInformationFull | None:
    """The client that signs in with an answer to this address; nothing where one is to be registered."""
    if wishes.client_id:
        given = {"client_id": wishes.client_id, "client_secret": wishes.client_secret, "redirect_uris": [address]}
        return OAuthClientInformationFull.model_validate(given)
    is_for_it = stored is not None and [str(uri) for uri in stored.redirect_uris or ()] == [address]
    return stored if is_for_it else None


def _port_of(client: OAuthClientInformationFull | None) -> int | None:
    """The port that a client was registered with."""
    for uri in (client and client.redirect_uris) or ():
        if is_loopback_host(uri.host or ""):
            return uri.port
    return None


def _kept(tokens: OAuthToken | None) -> Mapping[str, Any]:
    if tokens is None:
        raise SignInError("answer_unusable", "the authorization server gave no tokens")
    kept = _plain(tokens, without={"expires_in"})
    if tokens.expires_in is not None:
        kept["expires_at"] = int(time.time()) + tokens.expires_in
    return kept


def _plain(model: BaseModel, without: set[str]) -> dict[str, Any]:
    return model.model_dump(mode="json", exclude_none=True, exclude=without)


def _model(kind: type[Any], said: Any) -> Any:
    try:
        return kind.model_validate(said)
    except ValidationError:
        raise SignInError("sign_in_needed", "what is kept of the sign-in cannot be used; sign in anew") from None


def _request_to(server: str) -> httpx2.Request:
    # The version is what makes the official package name the resource always.
    return httpx2.Request("POST", server, headers={MCP_PROTOCOL_VERSION_HEADER: LATEST_PROTOCOL_VERSION})


def _origin_of(server: str) -> str:
    parts = urlsplit(server)
    return f"{parts.scheme}://{parts.netloc}"


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:300]
