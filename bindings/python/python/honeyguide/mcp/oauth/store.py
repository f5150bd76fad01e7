"""What is kept of signing in, from one run to the next: one file for all MCP servers of a user, and both languages.

`e2e/oauth/README.md` has its shape. Tokens have a generation, which only grows: whoever was refused with older ones
removes none. Knows no request.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from pydantic_core import Url

from .fault import SignInError
from .lock import Lock, held

__all__ = ["CredentialStore", "Entry", "canonical", "default_place", "is_token"]

_PATIENCE_FOR_FILE = 10.0
_PATIENCE_FOR_TURN = 60.0
_LEEWAY = 5
"""How many seconds before its end a token is over."""
_OTHERS = 0o077
_WRITING = re.compile(r"\.[0-9a-f]{16}")
_FORGOTTEN = 3600.0
_TOKEN = re.compile(r"[\x21-\x7e]+")

_Part: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Entry:
    """What is kept for one server, in the words of the protocols."""

    generation: int = 0
    """How often its tokens were written or removed."""
    issuer: str | None = None
    """The authorization server that the tokens and the client are of."""
    resource: str | None = None
    """What the tokens are for (RFC 8707)."""
    allowed_hosts: tuple[str, ...] = ()
    """Names that may lead to private addresses, since a person said so."""
    client: _Part | None = None
    """The answer to the registration (RFC 7591, 3.2.1)."""
    tokens: _Part | None = None
    """The answer of the token endpoint (RFC 6749, 5.1), with `expires_at`, in seconds since 1970, for `expires_in`."""

    @property
    def is_over(self) -> bool:
        """Whether the tokens are known to be too old."""
        expires = (self.tokens or {}).get("expires_at")
        return isinstance(expires, int | float) and expires - _LEEWAY <= time.time()

    @property
    def can_be_renewed(self) -> bool:
        """Whether there is all that it takes to ask for new tokens without a person."""
        return bool((self.tokens or {}).get("refresh_token") and self.client and self.issuer)


def canonical(address: str) -> str:
    """The key of a server: its address as WHATWG writes it, without user and fragment, and without a path of `/`."""
    try:
        url = Url(address)
    except ValueError:
        url = None
    if url is None or url.scheme not in ("http", "https") or url.host is None:
        raise SignInError("address_refused", "what is signed in to must be an address of http or https")
    port = "" if url.port in (None, {"http": 80, "https": 443}[url.scheme]) else f":{url.port}"
    query = "" if url.query is None else f"?{url.query}"
    path = "" if url.path in (None, "/") and not query else url.path or "/"
    return f"{url.scheme}://{url.host}{port}{path}{query}"


def default_place() -> Path:
    """Where the file is, unless another place is named."""
    if sys.platform == "win32":
        base = os.environ.get("APPDATA") or os.path.expanduser("~\\AppData\\Roaming")
    else:
        base = os.environ.get("XDG_CONFIG_HOME") or ""
        if not os.path.isabs(base):
            base = os.path.expanduser("~/.config")
    return Path(base) / "honeyguide" / "credentials.json"


class CredentialStore:
    """The file of credentials. Every change is whole, and waits for its turn."""

    def __init__(self, place: str | os.PathLike[str] | None = None) -> None:
        self.place = Path(place or default_place())

    def read(self, server: str) -> Entry:
        """What is kept for a server now."""
        said = _object(_object(self._read().get("servers")).get(canonical(server)))
        hosts = said.get("allowedHosts")
        return Entry(
            generation=_generation_in(said),
            issuer=_text(said.get("issuer")),
            resource=_text(said.get("resource")),
            allowed_hosts=tuple(host for host in hosts if isinstance(host, str)) if isinstance(hosts, list) else (),
            client=_with(said.get("client"), "client_id"),
            tokens=_sendable(said.get("tokens")),
        )

    def turn(self, server: str, refused: int) -> AbstractAsyncContextManager[Lock | None]:
        """The right to ask for new tokens in the place of those of generation `refused`; nothing, once there are."""
        key = canonical(server)
        self._make_room()
        digest = hashlib.sha256(key.encode()).hexdigest()[:16]
        overdue = SignInError("unreachable", "another process takes too long to ask for new tokens")
        place = self.place.with_name(f"{self.place.name}.{digest}.lock")
        return held(place, _PATIENCE_FOR_TURN, overdue, lambda: self.read(key).generation != refused)

    async def sign_in(self, server: str, entry: Entry) -> None:
        """Keeps what a person has just allowed, whatever was there. Its generation is given here."""
        parts = {
            "issuer": entry.issuer,
            "resource": entry.resource,
            "allowedHosts": list(entry.allowed_hosts) or None,
            "client": entry.client,
            "tokens": entry.tokens,
        }
        await self._change(server, lambda said: {**said, **parts})

    async def renew(self, server: str, generation: int, tokens: _Part) -> bool:
        """Keeps new tokens, unless others came in the place of those that they were asked for with."""
        return await self._change(server, lambda said: {**said, "tokens": tokens}, generation)

    async def forget(self, server: str, generation: int, *, client: bool = False) -> bool:
        """Removes tokens that were refused, and the client with them, unless others came in their place."""
        gone = {"tokens": None, **({"client": None} if client else {})}
        return await self._change(server, lambda said: {**said, **gone}, generation)

    async def sign_out(self, server: str) -> bool:
        """Removes all that is kept for a server; answers whether somebody was signed in."""
        before = self.read(server)
        if before.tokens is None and before.client is None:
            return False
        return await self._change(server, lambda _: {})

    async def _change(self, server: str, change: Callable[[_Part], dict[str, Any]], only: int | None = None) -> bool:
        key = canonical(server)
        self._make_room()
        place = self.place.with_name(f"{self.place.name}.lock")
        overdue = SignInError("store_unusable", f"credentials file `{self.place}` is being changed by another process")
        async with held(place, _PATIENCE_FOR_FILE, overdue) as lock:
            whole = self._read()
            servers = _object(whole.get("servers"))
            said = _object(servers.get(key))
            generation = _generation_in(said)
            if only is not None and generation != only:
                return False
            # The entry stays when nothing else does: a generation never comes back.
            after = {"generation": generation + 1, **_without(change(said), "generation")}
            self._write({"version": 1, **whole, "servers": {**servers, key: after}}, lock)
        return True

    def _read(self) -> dict[str, Any]:
        try:
            with self.place.open(encoding="utf-8") as file:
                if sys.platform != "win32" and os.fstat(file.fileno()).st_mode & _OTHERS:
                    raise self._unusable(f"others can read it; run chmod 600 {self.place}")
                said = json.load(file)
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise self._unusable(error.strerror) from None
        except ValueError:
            said = None
        if not isinstance(said, dict) or said.get("version") != 1 or not isinstance(said.get("servers"), dict):
            raise self._unusable("it is none of this version; move it away")
        return said

    def _make_room(self) -> None:
        folder = self.place.parent
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise self._unusable(error.strerror) from None

    def _write(self, content: _Part, lock: Lock | None) -> None:
        made = self.place.with_name(f"{self.place.name}.{secrets.token_hex(8)}")
        try:
            with open(made, "x", encoding="utf-8", opener=_private) as file:
                json.dump(content, file, indent=2, ensure_ascii=False)
                file.write("\n")
                file.flush()
                os.fsync(file.fileno())
            if lock is None or not lock.is_held():
                raise self._unusable("its lock was lost; try again")
            os.replace(made, self.place)
            self._sweep()
        except OSError as error:
            raise self._unusable(error.strerror) from None
        finally:
            made.unlink(missing_ok=True)

    def _sweep(self) -> None:
        """Removes what killed processes left half written, once nobody can be writing it any more."""
        for left in self.place.parent.glob(f"{self.place.name}.*"):
            if _WRITING.fullmatch(left.suffix) and left.is_file() and time.time() - left.stat().st_mtime > _FORGOTTEN:
                left.unlink(missing_ok=True)

    def _unusable(self, why: str | None) -> SignInError:
        return SignInError("store_unusable", f"credentials file `{self.place}`: {why}")


def is_token(text: object) -> bool:
    """Whether a request can carry it in its header."""
    return isinstance(text, str) and _TOKEN.fullmatch(text) is not None


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _generation_in(said: _Part) -> int:
    generation = said.get("generation")
    return generation if isinstance(generation, int) else 0


def _without(said: _Part, key: str) -> dict[str, Any]:
    """The fields that have a value, but one."""
    return {name: part for name, part in said.items() if name != key and part is not None}


def _with(part: Any, field: str) -> _Part | None:
    """A part that has what makes it one; of one that is misshapen, nothing is known."""
    return part if isinstance(_object(part).get(field), str) else None


def _sendable(part: Any) -> _Part | None:
    """Tokens that a request can carry; the library's words for others would repeat them."""
    return part if is_token(_object(part).get("access_token")) else None


def _object(part: Any) -> dict[str, Any]:
    return part if isinstance(part, dict) else {}


def _text(part: Any) -> str | None:
    return part if isinstance(part, str) else None
