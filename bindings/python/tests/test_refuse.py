"""Values as JSON text, or the place and reason why not."""

import enum
import json
import math

import pytest
from honeyguide.refuse import Raw, Refused, printable, write, write_request
from hypothesis import given
from hypothesis import strategies as st


def refusal(value):
    with pytest.raises(Refused) as caught:
        write(value)
    return caught.value.path, caught.value.reason


def cycle():
    value = {"a": []}
    value["a"].append(value)
    return value


class ThrowingMapping(dict):
    def items(self):
        raise RuntimeError("no")


class Colour(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    LOW = 1


@pytest.mark.parametrize(
    ("value", "path", "reason"),
    [
        ({"a": {"b": [1, math.nan]}}, "/a/b/1", "notFinite"),
        (math.inf, "", "notFinite"),
        (-math.inf, "", "notFinite"),
        (cycle(), "/a/0", "cycle"),
        ({"a": "\ud83d"}, "/a", "loneSurrogate"),
        ({"a": {"\udc00": 1}}, "/a", "loneSurrogate"),
        ({"a": {1: 2}}, "/a", "unsupported"),
        ({"a": {None: 2}}, "/a", "unsupported"),
        ({True: 1}, "", "unsupported"),
        ({"a": {1, 2}}, "/a", "unsupported"),
        ({"a": b"x"}, "/a", "unsupported"),
        ({"a": object()}, "/a", "unsupported"),
        ({"a": Colour.RED}, "/a", "unsupported"),
        ({"a": ThrowingMapping(b=1)}, "/a", "getter"),
        ({"a": 10**5000}, "/a", "bigInteger"),
        ({"a/b~c": {"x": math.nan}}, "/a~1b~0c/x", "notFinite"),
    ],
)
def test_what_json_cannot_say_is_refused_with_its_place(value, path, reason):
    assert refusal(value) == (path, reason)


def test_a_value_too_deep_to_write_is_refused():
    value = leaf = {}
    for _ in range(100_000):
        leaf["a"] = {}
        leaf = leaf["a"]
    path, reason = refusal(value)
    assert reason == "unsupported"
    assert path.startswith("/a/a")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [1, 2.5, None, True, "é"]}, '{"b":1,"a":[1,2.5,null,true,"é"]}'),
        (10**40, "1" + "0" * 40),
        ((1, 2), "[1,2]"),
        (Level.LOW, "1"),
        ("\0\u2028", '"\\u0000\u2028"'),
        ({"": {"__proto__": 1}}, '{"":{"__proto__":1}}'),
    ],
)
def test_what_json_can_say_is_written_compactly_in_its_own_order(value, text):
    assert write(value) == text


def test_a_value_that_stands_in_two_places_is_no_cycle():
    shared = {"x": 1}
    assert write([shared, shared]) == '[{"x":1},{"x":1}]'


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec=None)), inner),
)


@given(json_values)
def test_a_value_comes_back_as_it_was_or_is_refused(value):
    try:
        text, reason = write(value), None
    except Refused as refused:
        text, reason = None, refused.reason
    if text is None:
        assert reason in ("notFinite", "loneSurrogate")
    else:
        text.encode()
        assert json.loads(text) == value


def test_a_request_leaves_out_what_is_not_given_and_takes_raw_text_as_it_is():
    request = {"a": None, "b": Raw("1e400"), "c": [Raw("{}"), Raw("1.0")], "d": [], "e": "x"}
    assert write_request(request) == '{"b":1e400,"c":[{},1.0],"d":[],"e":"x"}'


def test_a_refusal_in_a_request_names_the_field():
    with pytest.raises(Refused) as caught:
        write_request({"visible": {"x": math.nan}})
    assert caught.value.path == "/visible/x"


def test_text_is_printable_with_halves_of_surrogate_pairs_spelt_out():
    assert printable("a\ud800é") == "a\\ud800é"
    assert printable("plain") == "plain"
