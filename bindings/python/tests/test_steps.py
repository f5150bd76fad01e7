"""The step loop beside the engine: what it does with steps of other versions, and with text that must stay as it is."""

import json
import pathlib
import re

import honeyguide
import pytest
from honeyguide.errors import HoneyguideError, InternalError
from honeyguide.executor import Executor
from honeyguide.host import Host
from honeyguide.run import call, drive
from honeyguide.transport import EngineClient, read_step, unwrap

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "schema.json"
STUB = pathlib.Path(honeyguide.__file__).parent / "generated" / "client.pyi"


class Engine:
    """Answers with given steps, and keeps what it was asked."""

    def __init__(self, *envelopes):
        self.envelopes = list(envelopes)
        self.requests = []

    def send(self, operation, request):
        self.requests.append(request)
        return read_step(self.envelopes.pop(0))


def test_a_step_of_an_unknown_kind_is_an_error_that_names_it():
    engine = Engine('{"ok":{"kind":"sing","call":{"toolId":"x"}}}')
    with pytest.raises(InternalError) as caught:
        drive(call(Host(engine.send, engine.send), "x", {}, {}, "Blocking"))
    assert (caught.value.code, caught.value.details) == ("internal", {"kind": "sing"})


def test_a_call_goes_back_to_the_byte():
    arguments = '{"a":1e400,"b":1.10,"c":12345678901234567890,"\\"call\\":":"\\u00e9é","a":2}'
    text = f'{{"toolId":"x","arguments":{arguments}, "n":1E5}}'
    engine = Engine(f'{{"ok":{{"kind":"invoke","call":{text}}}}}', '{"ok":{"kind":"reply","hostValue":true}}')
    host = Host(engine.send, engine.send)
    host.executors.bind("x", Executor(lambda args: args["b"]))
    assert drive(call(host, "x", {}, {}, "Blocking")) == 1.1
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


def test_every_operation_goes_out_under_its_name_on_the_wire():
    sent = []
    client = EngineClient(lambda operation, request: sent.append(operation))
    for method in re.findall(r"    def ([a-z]\w*)\(", STUB.read_text(encoding="utf-8")):
        getattr(client, method)({})
    assert sent == list(json.loads(SCHEMA.read_text(encoding="utf-8"))["operations"])


def test_what_is_no_operation_is_refused_by_the_engine(hg):
    with pytest.raises(HoneyguideError) as caught:
        hg._engine.sing({})
    assert caught.value.code == "unknown_operation"
