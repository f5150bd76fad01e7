"""Plain values as JSON text, written by the native module: the text of `json`, or nothing at all."""

import collections
import enum
import json
import math

import pytest
from honeyguide._native import write_plain
from honeyguide.refuse import write
from hypothesis import given
from hypothesis import strategies as st

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.tuples(inner) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


class Word(str):
    __slots__ = ()


class Level(enum.IntEnum):
    LOW = 1


Point = collections.namedtuple("Point", "x")


def nested(levels):
    value = []
    for _ in range(levels):
        value = [value]
    return value


def cycle():
    value = {"a": []}
    value["a"].append((value,))
    return value


def as_json(value):
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


@given(VALUES)
def test_a_plain_value_is_written_as_json_writes_it(value):
    assert write_plain(value) == as_json(value)


@pytest.mark.parametrize("number", [1e16, 1e-7, 1.0, -0.0, 1.5e300, 5e-324, 123456789.125, 0.1 + 0.2])
def test_a_number_has_the_digits_of_python(number):
    assert write_plain({"n": number}) == f'{{"n":{number!r}}}'


@pytest.mark.parametrize("letter", [chr(code) for code in range(0x20)] + ['"', "\\", "/", "\x7f", "\u2028", "😀"])
def test_a_letter_is_escaped_as_json_escapes_it(letter):
    assert write_plain({letter: [letter]}) == as_json({letter: [letter]})


@pytest.mark.parametrize(
    "value",
    [
        math.nan,
        -math.inf,
        2**63,
        -(2**63) - 1,
        "\ud83d",
        {"\udc00": 1},
        {1: 2},
        {Word("a"): 2},
        Word("a"),
        Level.LOW,
        Point(1),
        collections.OrderedDict(a=1),
        b"x",
        {1, 2},
        object(),
        cycle(),
        nested(200),
    ],
)
def test_what_is_not_plain_is_not_written(value):
    assert write_plain(value) is None
    assert write_plain({"a": [value]}) is None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (collections.OrderedDict(a=Word("b")), '{"a":"b"}'),
        ({Word("a"): [Level.LOW]}, '{"a":[1]}'),
        (Point(2**64), "[18446744073709551616]"),
        (nested(200), "[" * 201 + "]" * 201),
    ],
)
def test_what_is_not_plain_and_yet_json_is_written_all_the_same(value, text):
    assert write(value) == text


def test_a_value_that_stands_in_two_places_is_plain():
    shared = {"x": [1]}
    assert write_plain([shared, shared]) == '[{"x":[1]},{"x":[1]}]'


def test_a_value_is_as_it_was_when_it_is_written():
    value = {"b": [1, {"é": (None,)}], "a": 1.5}
    before = repr(value)
    write_plain(value)
    assert repr(value) == before
