"""Embedders behind HTTP endpoints: OpenAI's protocol, which most servers speak, and Ollama's. Knows no search.

Requests go through the standard library: `HTTPS_PROXY` and `NO_PROXY` are followed, and certificates are those of
OpenSSL (`SSL_CERT_FILE`, `SSL_CERT_DIR`) unless a context is given. A key is sent and never said.
"""

from __future__ import annotations

import json
import os
import random
import time
import urllib.error
import urllib.request
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, TypedDict
from urllib.parse import urlsplit, urlunsplit

from .errors import StateError

if TYPE_CHECKING:
    import ssl
    import sys
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Literal

    if sys.version_info >= (3, 11):
        from typing import Unpack
    else:
        from typing_extensions import Unpack

__all__ = ["EndpointEmbedder", "EndpointOptions", "ollama_embedder", "openai_embedder"]

# Before a request is made again: the first wait, doubled each time; the longest; the longest an endpoint may ask for.
_FIRST_WAIT, _LONGEST_WAIT, _LONGEST_ASKED = 0.5, 8.0, 60.0
# Answers that may be another one next time.
_PASSING = frozenset({408, 409, 425, 429})
# The most that is read of an answer, in bytes: far above any batch of vectors.
_LONGEST_ANSWER = 256 * 1024 * 1024


class EndpointOptions(TypedDict, total=False):
    """What all endpoints have in common, beside the model and the length of its vectors."""

    base_url: str
    """Where the endpoint is; a path that is already there stays."""
    revision: str
    """The model's revision, when the endpoint has one."""
    scripts: Sequence[str]
    """The scripts that the model knows, such as `Latn`; all when absent."""
    languages: Sequence[str]
    """The languages that the model knows, such as `en`; all when absent."""
    query_prefix: str
    """What stands before each query, for models that are trained so."""
    document_prefix: str
    """What stands before each document."""
    batch_size: int
    """Texts in one request (default 64)."""
    max_retries: int
    """How often a request is made again (default 3) after 408, 409, 429, 5xx or no answer."""
    request_timeout: float
    """How long one request may take, in seconds (default 30)."""
    timeout_ms: float
    """How long the embedding of a query may take before words alone answer (default 10,000)."""
    headers: Mapping[str, str]
    """Sent with each request."""
    ssl_context: ssl.SSLContext
    """Which certificates are trusted."""


class Protocol:
    """How an endpoint is spoken to."""

    path: str
    secret: str | None = None

    def headers(self) -> dict[str, str]:
        """What each request carries."""
        return {}

    def body(self, texts: Sequence[str]) -> dict[str, Any]:
        """What is sent for these texts."""
        raise NotImplementedError

    def vectors(self, answer: Any) -> list[list[float]]:
        """The vectors in an answer, in the order of the texts; ValueError says what is wrong with it."""
        raise NotImplementedError


class EndpointEmbedder:
    """An embedder behind an endpoint: batches, retries and time limits, whatever the protocol."""

    def __init__(
        self,
        model: str,
        dimensions: int,
        protocol: Protocol,
        default_url: str,
        *,
        wait: Callable[[float], object] = time.sleep,
        **options: Unpack[EndpointOptions],
    ) -> None:
        self.id = model
        self.dimensions = dimensions
        # What stands before documents is in their vectors, so it belongs to the revision.
        prefix = options.get("document_prefix")
        said = [options.get("revision"), json.dumps(prefix) if prefix else None]
        self.revision = " ".join(part for part in said if part) or None
        self.scripts = options.get("scripts")
        self.languages = options.get("languages")
        self.timeout_ms = options.get("timeout_ms")
        self._options = options
        self._protocol = protocol
        self._url = options.get("base_url", default_url).rstrip("/") + protocol.path
        if urlsplit(self._url).scheme not in ("http", "https"):
            raise ValueError(f"`base_url` is no http or https address: {self._url}")
        self._wait = wait
        handlers: list[urllib.request.BaseHandler] = [_NoRedirect()]
        if (context := options.get("ssl_context")) is not None:
            handlers.append(urllib.request.HTTPSHandler(context=context))
        self._opener = urllib.request.build_opener(*handlers)

    def embed(self, texts: Sequence[str], role: Literal["query", "document"]) -> list[list[float]]:
        """One vector for each text, in their order."""
        name: Literal["query_prefix", "document_prefix"] = "query_prefix" if role == "query" else "document_prefix"
        prefix = self._options.get(name, "")
        size = max(1, self._options.get("batch_size", 64))
        vectors: list[list[float]] = []
        for first in range(0, len(texts), size):
            vectors.extend(self._batch([prefix + text for text in texts[first : first + size]]))
        return vectors

    def _batch(self, texts: list[str]) -> list[list[float]]:
        retries = self._options.get("max_retries", 3)
        attempt = 0
        while True:
            try:
                return self._request(texts)
            except _NoVectorsError as no:
                if not no.passing or attempt >= retries:
                    raise self._failed(str(no), attempt + 1) from no.__cause__
                self._wait(_back_off(attempt) if no.asked is None else no.asked)
            attempt += 1

    def _request(self, texts: list[str]) -> list[list[float]]:
        headers = {"content-type": "application/json", **self._protocol.headers(), **self._options.get("headers", {})}
        body = json.dumps(self._protocol.body(texts)).encode()
        request = urllib.request.Request(self._url, body, headers, method="POST")
        timeout = self._options.get("request_timeout", 30.0)
        try:
            with self._opener.open(request, timeout=timeout) as response:
                text = response.read(_LONGEST_ANSWER + 1)
        except urllib.error.HTTPError as error:
            raise _refusal(error) from None
        except (OSError, urllib.error.URLError) as error:
            reason = getattr(error, "reason", error)
            timed_out = isinstance(reason, TimeoutError)
            what = f"no answer within {timeout:g} s" if timed_out else f"no answer: {reason}"
            raise _NoVectorsError(what, passing=True) from error
        return self._read(text, len(texts))

    def _read(self, text: bytes, count: int) -> list[list[float]]:
        # What is wrong with an answer stays wrong.
        try:
            if len(text) > _LONGEST_ANSWER:
                raise ValueError(f"it has more than {_LONGEST_ANSWER} bytes")
            if text.lstrip().startswith(b"<"):
                raise ValueError("it is a page, not JSON; look at `base_url`")
            vectors = self._protocol.vectors(json.loads(text))
            if len(vectors) != count:
                raise ValueError(f"it has {len(vectors)} vectors for {count} texts")
            for vector in vectors:
                if len(vector) != self.dimensions:
                    raise ValueError(f"a vector has {len(vector)} numbers, not {self.dimensions}")
        except ValueError as error:
            raise _NoVectorsError(f"an answer that cannot be read: {error}", passing=False) from None
        return vectors

    def _failed(self, what: str, attempts: int) -> StateError:
        secret = self._protocol.secret
        said = what.replace(secret, "…") if secret else what
        times = "" if attempts == 1 else f", {attempts} times"
        host = urlsplit(self._url).netloc.rpartition("@")[2]
        return StateError("embedding_failed", f"{host} gave no vectors of {self.id}: {said}{times}")


def openai_embedder(
    model: str,
    dimensions: int,
    *,
    api_key: str | None = None,
    shorten: bool = False,
    wait: Callable[[float], object] = time.sleep,
    **options: Unpack[EndpointOptions],
) -> EndpointEmbedder:
    """An embedder behind an OpenAI-compatible endpoint: `POST {base_url}/embeddings`.

    The key is that of the environment (`OPENAI_API_KEY`) unless one is given. `shorten` asks for vectors of
    `dimensions`, where the model can shorten them.
    """
    key = api_key or os.environ.get("OPENAI_API_KEY")
    protocol = _OpenAI(model, dimensions if shorten else None, key)
    return EndpointEmbedder(model, dimensions, protocol, "https://api.openai.com/v1", wait=wait, **options)


def ollama_embedder(
    model: str,
    dimensions: int,
    *,
    wait: Callable[[float], object] = time.sleep,
    **options: Unpack[EndpointOptions],
) -> EndpointEmbedder:
    """An embedder behind an Ollama server (`OLLAMA_HOST`, else this machine): `POST {base_url}/api/embed`."""
    url = _ollama_host(os.environ.get("OLLAMA_HOST"))
    return EndpointEmbedder(model, dimensions, _Ollama(model), url, wait=wait, **options)


class _OpenAI(Protocol):
    path = "/embeddings"

    def __init__(self, model: str, dimensions: int | None, key: str | None) -> None:
        self.model = model
        self.dimensions = dimensions
        self.secret = key

    def headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.secret}"} if self.secret else {}

    def body(self, texts: Sequence[str]) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self.model, "input": list(texts), "encoding_format": "float"}
        return body if self.dimensions is None else {**body, "dimensions": self.dimensions}

    def vectors(self, answer: Any) -> list[list[float]]:
        data = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(data, list):
            raise ValueError("it has no list `data`")
        by_place: dict[int, list[float]] = {}
        for place, item in enumerate(data):
            said = item if isinstance(item, dict) else {}
            index, embedding = said.get("index", place), said.get("embedding")
            if not isinstance(embedding, list):
                raise ValueError("an item has no list `embedding`")
            if type(index) is not int or not 0 <= index < len(data):
                raise ValueError("the items' `index` are not those of the texts")
            if index in by_place:
                raise ValueError("two items have one `index`")
            by_place[index] = embedding
        # The place in the request need not be that in the answer.
        return [by_place[place] for place in range(len(data))]


class _Ollama(Protocol):
    path = "/api/embed"

    def __init__(self, model: str) -> None:
        self.model = model

    def body(self, texts: Sequence[str]) -> dict[str, Any]:
        # Too long a text is cut by the server rather than refused.
        return {"model": self.model, "input": list(texts), "truncate": True}

    def vectors(self, answer: Any) -> list[list[float]]:
        embeddings = answer.get("embeddings") if isinstance(answer, dict) else None
        if not isinstance(embeddings, list) or not all(isinstance(vector, list) for vector in embeddings):
            raise ValueError("it has no list `embeddings` of lists")
        return embeddings


class _NoVectorsError(Exception):
    """Why a request gave no vectors, whether another may, and how long the endpoint asks to wait for it."""

    def __init__(self, what: str, *, passing: bool, asked: float | None = None) -> None:
        super().__init__(what)
        self.passing = passing
        self.asked = asked


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A key is for the host that it was given to."""

    def redirect_request(self, *_args: Any, **_named: Any) -> None:
        return None


def _refusal(error: urllib.error.HTTPError) -> _NoVectorsError:
    with error:
        text = error.read(2_000).decode(errors="replace")
    said = "" if text.lstrip().startswith("<") else " " + " ".join(text.split())[:200]
    passing = error.code in _PASSING or error.code >= 500
    return _NoVectorsError(f"HTTP {error.code}{said}", passing=passing, asked=_asked(error.headers.get("retry-after")))


def _asked(said: str | None) -> float | None:
    """`Retry-After` in seconds or as a date (RFC 9110, 10.2.3)."""
    if not said:
        return None
    try:
        seconds = float(said) if said.isdigit() else parsedate_to_datetime(said).timestamp() - time.time()
    except ValueError:
        return None
    return min(max(seconds, 0.0), _LONGEST_ASKED)


def _back_off(attempt: int) -> float:
    """Doubled each time, and between half and all of that, so that many clients do not come back at once."""
    return min(_FIRST_WAIT * 2.0**attempt, _LONGEST_WAIT) * (0.5 + random.random() / 2)


def _ollama_host(host: str | None) -> str:
    """As Ollama reads it: a host, a host with a port, or a whole address."""
    if not host:
        return "http://127.0.0.1:11434"
    has_scheme = "://" in host
    parts = urlsplit(host if has_scheme else f"http://{host}")
    name = "127.0.0.1" if parts.hostname == "0.0.0.0" else parts.hostname
    port = parts.port or (None if has_scheme else 11434)
    shown = f"[{name}]" if name and ":" in name else name
    return urlunsplit((parts.scheme, f"{shown}:{port}" if port else str(shown), "", "", ""))
