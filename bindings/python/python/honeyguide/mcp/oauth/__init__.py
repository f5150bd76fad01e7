"""Signing in to MCP servers: tokens that are kept between runs, renewed once for all, and asked for nowhere else.

`sign_in(url, …)` is what `auth=` of a server takes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from .fault import SignInCode, SignInError
from .flow import Wishes
from .provider import OnAddress, SignIn
from .store import CredentialStore, Entry

__all__ = ["CredentialStore", "Entry", "OnAddress", "SignIn", "SignInCode", "SignInError", "sign_in", "sign_out"]


def sign_in(
    url: str,
    *,
    store: CredentialStore | str | os.PathLike[str] | None = None,
    on_address: OnAddress | None = None,
    client_name: str = "Honeyguide",
    scopes: Iterable[str] | None = None,
    client_id: str | None = None,
    client_secret: str | None = None,
    port: int | None = None,
    allowed_hosts: Iterable[str] = (),
) -> SignIn:
    """Credentials for the MCP server at an address.

    `store` is a file of credentials (default: the user's, which the gateway uses as well). `on_address` gets the
    address at which a person can sign in; without it nobody is asked, and a server that wants a person is
    `needs_auth`. `scopes` are asked for in place of those that the server names. `client_id` and `client_secret` are
    of a client that the authorization server knows; without them one is registered. `port` is where the browser comes
    back to. `allowed_hosts` are names of authorization servers that may be at private addresses.
    """
    wishes = Wishes(
        client_name=client_name,
        scopes=None if scopes is None else tuple(scopes),
        client_id=client_id,
        client_secret=client_secret,
        port=port,
        allowed_hosts=tuple(allowed_hosts),
    )
    kept = store if isinstance(store, CredentialStore) else CredentialStore(store)
    return SignIn(url, kept, wishes, on_address)


async def sign_out(url: str, *, store: CredentialStore | str | os.PathLike[str] | None = None) -> bool:
    """Forgets what is kept of the MCP server at an address; answers whether somebody was signed in."""
    return await (store if isinstance(store, CredentialStore) else CredentialStore(store)).sign_out(url)
