"""The step loop beside the engine: what it does with steps of other versions, and with text that must stay as it is."""

import json

import pytest
from honeyguide.errors import HoneyguideError, InternalError, unwrap
from honeyguide.executor import Executor
from honeyguide.executors import Executors
from honeyguide.meaning import Meaning
from honeyguide.run import Host, drive, read_step


class Engine:
    """Answers with given steps, and keeps what it was asked."""

    def __init__(self, *envelopes):
        self.envelopes = list(envelopes)
        self.requests = []

    def step(self, request):
        self.requests.append(request)
        return read_step(self.envelopes.pop(0))

    resume = step


def test_a_step_of_an_unknown_kind_is_an_error_that_names_it():
    engine = Engine('{"ok":{"kind":"sing","call":{"toolId":"x"}}}')
    with pytest.raises(InternalError) as caught:
        drive(Host(engine, Executors(), None, Meaning(engine, None, None)).call("x", {}, {}, "Blocking"))
    assert (caught.value.code, caught.value.details) == ("internal", {"kind": "sing"})


def test_a_call_goes_back_to_the_byte():
    arguments = '{"a":1e400,"b":1.10,"c":12345678901234567890,"\\"call\\":":"\\u00e9é","a":2}'
    text = f'{{"toolId":"x","arguments":{arguments}, "n":1E5}}'
    engine = Engine(f'{{"ok":{{"kind":"invoke","call":{text}}}}}', '{"ok":{"kind":"reply","hostValue":true}}')
    executors = Executors()
    executors.bind("x", Executor(lambda args: args["b"]))
    assert drive(Host(engine, executors, None, Meaning(engine, None, None)).call("x", {}, {}, "Blocking")) == 1.1
    assert engine.requests[1]["call"] == text
    assert engine.requests[1]["outcome"] == {"kind": "ok"}


def test_text_that_looks_like_the_key_is_not_the_key():
    step = read_step('{"ok":{"kind":"\\"call\\":","call":{"call":1}}}')
    assert step["call"] == '{"call":1}'


@pytest.mark.parametrize(
    ("category", "builtin"),
    [("invalid_input", ValueError), ("not_found", LookupError), ("state", RuntimeError), ("internal", RuntimeError)],
)
def test_an_error_is_raised_by_its_category(category, builtin):
    error = {"code": "some_code", "category": category, "message": "m", "details": {"a": 1}}
    with pytest.raises(builtin) as caught:
        unwrap(json.dumps({"error": error}))
    assert isinstance(caught.value, HoneyguideError)
    assert (caught.value.code, caught.value.category, caught.value.details) == ("some_code", category, {"a": 1})


def test_an_error_of_a_category_to_come_is_still_an_error():
    with pytest.raises(HoneyguideError):
        unwrap('{"error":{"code":"c","category":"new","message":"m","details":{}}}')
