"""Embedders behind endpoints, against a server that answers as it is told."""

from __future__ import annotations

import asyncio
import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from honeyguide import Honeyguide, HoneyguideError
from honeyguide.embedders import ollama_embedder, openai_embedder

KEY = "sk-CANARY-0123456789"


def vector_of(text):
    return [len(text), 1]


def good(asked):
    data = [{"index": place, "embedding": vector_of(text)} for place, text in enumerate(asked["body"]["input"])]
    return 200, {}, json.dumps({"data": data[::-1]})


def saying(status, body, headers=None):
    return lambda _asked: (status, headers or {}, body)


@contextmanager
def serving(*answers):
    """A server that answers in turn, then always with the last; its address, and what it was asked."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            text = self.rfile.read(int(self.headers["content-length"]))
            each = {"path": self.path, "key": self.headers["authorization"], "body": json.loads(text)}
            answer = answers[min(len(asked), len(answers) - 1)]
            asked.append(each)
            status, headers, body = answer(each)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1/", asked
    finally:
        server.shutdown()
        server.server_close()


def made(url, **more):
    return openai_embedder("m", 2, **{"base_url": url, "api_key": KEY, "wait": lambda _: None, **more})


def test_an_endpoint_is_asked_in_batches_and_gives_the_vectors_in_the_order_of_the_texts():
    texts = ["a", "bb", "ccc"]
    with serving(good) as (url, asked):
        vectors = made(url, batch_size=2, document_prefix="passage: ").embed(texts, "document")
    assert vectors == [vector_of("passage: " + text) for text in texts]
    assert [(each["path"], len(each["body"]["input"])) for each in asked] == [
        ("/v1/embeddings", 2),
        ("/v1/embeddings", 1),
    ]
    assert asked[0]["key"] == f"Bearer {KEY}"
    assert "dimensions" not in asked[0]["body"]


def test_the_key_is_that_of_the_environment_unless_one_is_given(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "from the environment")
    with serving(good) as (url, asked):
        made(url, api_key=None, shorten=True).embed(["a"], "query")
    assert asked[0]["key"] == "Bearer from the environment"
    assert asked[0]["body"]["dimensions"] == 2


def test_another_text_before_documents_is_another_revision():
    options = [{}, {"document_prefix": "a"}, {"document_prefix": "b"}, {"revision": "1", "document_prefix": "b"}]
    assert len({openai_embedder("m", 2, **more).revision for more in options}) == 4


@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_a_passing_refusal_is_asked_again_with_growing_waits(status):
    waits = []
    with serving(saying(status, "later")) as (url, asked), pytest.raises(HoneyguideError) as caught:
        made(url, wait=waits.append).embed(["a"], "query")
    assert caught.value.code == "embedding_failed"
    assert len(asked) == 4
    assert all(half <= wait <= 2 * half for half, wait in zip([0.25, 0.5, 1.0], waits, strict=True))


def test_an_endpoint_says_how_long_to_wait_and_a_minute_is_the_most():
    late = saying(429, "", {"retry-after": "7"})
    never = saying(503, "", {"retry-after": "99999"})
    past = saying(503, "", {"retry-after": "Mon, 01 Jan 2024 00:00:00 GMT"})
    strange = saying(503, "", {"retry-after": "soon"})
    waits = []
    with serving(late, never, past, good) as (url, _):
        made(url, wait=waits.append).embed(["a"], "query")
    assert waits == [7.0, 60.0, 0.0]
    with serving(strange, good) as (url, _):
        made(url, wait=waits.append).embed(["a"], "query")
    assert 0.25 <= waits[-1] <= 0.5


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (saying(401, json.dumps({"error": f"bad key {KEY}"})), "HTTP 401"),
        (saying(200, "<!doctype html><h1>hi</h1>"), "look at `base_url`"),
        (saying(200, '{"data":['), "cannot be read"),
        (saying(200, '{"data":{}}'), "no list `data`"),
        (saying(200, '{"data":[]}'), "0 vectors for 2 texts"),
        (saying(200, '{"data":[{"embedding":[1]},{"embedding":[1]}]}'), "1 numbers, not 2"),
        (saying(200, '{"data":[{"index":0,"embedding":[1,2]},{"index":0,"embedding":[1,2]}]}'), "one `index`"),
        (saying(200, '{"data":[{"index":9,"embedding":[1,2]}]}'), "`index`"),
        (saying(307, "", {"location": "http://127.0.0.1:9/"}), "HTTP 307"),
    ],
)
def test_an_answer_without_vectors_is_a_reason_without_the_key(answer, reason):
    with serving(answer) as (url, asked), pytest.raises(HoneyguideError) as caught:
        made(url, max_retries=0).embed(["a", "b"], "document")
    assert reason in str(caught.value)
    assert "CANARY" not in str(caught.value)
    assert len(asked) == 1


def test_what_will_not_change_is_not_asked_again():
    with serving(saying(400, "no such model")) as (url, asked), pytest.raises(HoneyguideError, match="no such model"):
        made(url).embed(["a"], "query")
    assert len(asked) == 1


def test_an_endpoint_that_does_not_answer_is_given_up_and_asked_again():
    answered = threading.Event()

    def silent(_asked):
        answered.wait(30)
        return 200, {}, ""

    try:
        with serving(silent, good) as (url, asked):
            assert made(url, request_timeout=0.1, max_retries=100).embed(["abc"], "query") == [vector_of("abc")]
            # A busy machine may miss the time more than once.
            assert len(asked) > 1
            answered.set()
    finally:
        answered.set()


def test_nobody_there_is_a_reason():
    with pytest.raises(HoneyguideError, match="no answer"):
        made("http://127.0.0.1:9/v1", max_retries=0).embed(["a"], "query")


def test_an_address_of_another_kind_is_refused():
    with pytest.raises(ValueError, match="http"):
        made("file:///etc")


def test_an_endpoint_that_is_down_leaves_the_words_to_answer():
    async def search(url):
        hg = Honeyguide(embedder=made(url, max_retries=0), method="hybrid")
        hg.tools.register({"id": "read_file", "description": "Read a file", "execute": lambda args: 1})
        with pytest.raises(HoneyguideError):
            await hg.warm_up()
        return await hg.tools.search_async("read a file")

    with serving(saying(500, "no")) as (url, _):
        assert asyncio.run(search(url))[0]["id"] == "read_file"


def test_ollama_is_asked_for_all_texts_at_once_where_the_environment_says(monkeypatch):
    with serving(saying(200, '{"embeddings":[[1,2],[3,4]]}')) as (url, asked):
        monkeypatch.setenv("OLLAMA_HOST", url.removeprefix("http://").removesuffix("/v1/"))
        assert ollama_embedder("m", 2).embed(["a", "b"], "document") == [[1, 2], [3, 4]]
    assert (asked[0]["path"], asked[0]["body"]) == ("/api/embed", {"model": "m", "input": ["a", "b"], "truncate": True})


def test_ollama_that_says_something_else_is_a_reason():
    with serving(saying(200, '{"embedding":[1,2]}')) as (url, _), pytest.raises(HoneyguideError, match="embeddings"):
        ollama_embedder("m", 2, base_url=url).embed(["a"], "query")


@pytest.mark.parametrize(
    ("host", "url"),
    [
        (None, "http://127.0.0.1:11434"),
        ("box", "http://box:11434"),
        ("0.0.0.0:1234", "http://127.0.0.1:1234"),
        ("https://box.example/", "https://box.example"),
        ("[::1]:9", "http://[::1]:9"),
    ],
)
def test_a_host_is_read_as_ollama_reads_it(host, url):
    from honeyguide.embedders import _ollama_host

    assert _ollama_host(host) == url
