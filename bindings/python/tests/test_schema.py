"""Tools out of functions: schemas from type hints, and arguments read back into the types."""

import datetime
import decimal
import enum
import functools
import pathlib
import sys
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, Literal, NewType, Optional, TypedDict, TypeVar, Union

import pytest
from honeyguide import Context
from honeyguide.refuse import Refused
from honeyguide.schema import executor_of_type, tool_of_function

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Point:
    x: int
    y: int = 0


@dataclass
class Node:
    name: str
    children: list["Node"] = field(default_factory=list)


class Options(TypedDict):
    depth: int
    where: NotRequired[Point]


ABOUT = {"context": None, "tool_id": "f"}
UserId = NewType("UserId", str)
Item = TypeVar("Item")


@dataclass
class Box(Generic[Item]):
    content: Item


def tool(function, **fields):
    return tool_of_function(function, fields)


def schema_of(hint):
    def f(a):
        pass

    f.__annotations__ = {"a": hint}
    return tool(f)["inputSchema"]["properties"]["a"]


def read(hint, value):
    def f(a):
        return a

    f.__annotations__ = {"a": hint}
    return tool(f)["execute"].call({"a": value}, ABOUT)


POINT = {
    "type": "object",
    "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}},
    "required": ["x"],
    "additionalProperties": False,
}


def test_a_function_says_what_it_is():
    def read_file(path: str, limit: int = 10, *, strict: bool = False) -> str:
        """Read a file.

        Args:
            path: Where it is.
        """
        return f"{path}{limit}{strict}"

    item = tool(read_file)
    executor = item.pop("execute")
    assert item == {
        "id": "read_file",
        "description": "Read a file.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "Where it is."},
                "limit": {"type": "integer", "default": 10},
                "strict": {"type": "boolean", "default": False},
            },
            "additionalProperties": False,
            "required": ["path"],
        },
    }
    assert executor.call({"path": "a", "strict": True}, ABOUT) == "a10True"


@pytest.mark.parametrize(
    ("hint", "schema"),
    [
        (str, {"type": "string"}),
        (int, {"type": "integer"}),
        (float, {"type": "number"}),
        (bool, {"type": "boolean"}),
        (None, {"type": "null"}),
        (Any, {}),
        (object, {}),
        (Optional[int], {"anyOf": [{"type": "integer"}, {"type": "null"}]}),  # noqa: UP045
        (int | None, {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        (Union[int, str], {"anyOf": [{"type": "integer"}, {"type": "string"}]}),  # noqa: UP007
        (list, {"type": "array", "items": {}}),
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (Sequence[str], {"type": "array", "items": {"type": "string"}}),
        (set[int], {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}),
        (tuple, {"type": "array"}),
        (tuple[int, ...], {"type": "array", "items": {"type": "integer"}}),
        (
            tuple[int, str],
            {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "minItems": 2, "maxItems": 2},
        ),
        (dict, {"type": "object"}),
        (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (Mapping[str, Any], {"type": "object", "additionalProperties": {}}),
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
        (Literal["a", 1, None], {"enum": ["a", 1, None]}),
        (Colour, {"type": "string", "enum": ["red", "blue"]}),
        (Annotated[int, "How many."], {"type": "integer", "description": "How many."}),
        (UserId, {"type": "string"}),
        (datetime.datetime, {"type": "string", "format": "date-time"}),
        (datetime.date, {"type": "string", "format": "date"}),
        (uuid.UUID, {"type": "string", "format": "uuid"}),
        (pathlib.Path, {"type": "string"}),
        (Point, POINT),
        (
            Options,
            {
                "type": "object",
                "properties": {"depth": {"type": "integer"}, "where": POINT},
                "required": ["depth"],
                "additionalProperties": False,
            },
        ),
    ],
    ids=str,
)
def test_a_type_has_its_schema(hint, schema):
    assert schema_of(hint) == schema


@pytest.mark.parametrize(
    ("hint", "value", "expected"),
    [
        (int, 3.0, 3),
        (float, 3, 3.0),
        (Point, {"x": 1}, Point(1)),
        (list[Point], [{"x": 1}, {"x": 2, "y": 3}], [Point(1), Point(2, 3)]),
        (Point | None, None, None),
        (Point | None, {"x": 1}, Point(1)),
        (Colour, "blue", Colour.BLUE),
        (Literal[Colour.RED], "red", Colour.RED),
        (Colour | int, 5, 5),
        (int | bool, True, True),
        (tuple[int, Point], [1, {"x": 2}], (1, Point(2))),
        (tuple[str, ...], ["a"], ("a",)),
        (set[int], [1, 2, 2], {1, 2}),
        (frozenset[str], ["a"], frozenset({"a"})),
        (dict[str, Point], {"a": {"x": 1}}, {"a": Point(1)}),
        (dict[Literal["a"], int], {"a": 1}, {"a": 1}),
        (Options, {"depth": 1, "where": {"x": 2}}, {"depth": 1, "where": Point(2)}),
        (datetime.date, "2026-01-02", datetime.date(2026, 1, 2)),
        (datetime.datetime, "2026-01-02T03:04:05", datetime.datetime(2026, 1, 2, 3, 4, 5)),
        (uuid.UUID, "12345678123456781234567812345678", uuid.UUID(int=0x12345678123456781234567812345678)),
        (pathlib.Path, "a/b", pathlib.Path("a/b")),
        (decimal.Decimal, "1.10", decimal.Decimal("1.10")),
        (Node, {"name": "a", "children": [{"name": "b"}]}, Node("a", [Node("b")])),
        (Box, {"content": [1]}, Box([1])),
        (Any, {"free": [1]}, {"free": [1]}),
    ],
    ids=str,
)
def test_an_argument_arrives_as_its_type(hint, value, expected):
    got = read(hint, value)
    assert got == expected
    assert type(got) is type(expected)


def test_a_type_that_contains_itself_is_defined_once():
    def f(a: Node, b: Node | None = None):
        return a, b

    schema = tool(f)["inputSchema"]
    assert schema["properties"] == {
        "a": {"$ref": "#/$defs/Node"},
        "b": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}], "default": None},
    }
    assert schema["$defs"] == {
        "Node": {
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
            },
            "required": ["name"],
            "additionalProperties": False,
        }
    }


@pytest.mark.parametrize(
    ("hint", "word"),
    [
        (bytes, "base64"),
        (dict[int, str], "`str` keys"),
        (type(pytest), "module"),
        (Literal[b"x"], "choice"),
        (complex, "complex"),
        (list["Missing"], "Missing"),  # noqa: F821
    ],
    ids=str,
)
def test_a_type_without_a_json_form_is_refused_with_a_remedy(hint, word):
    with pytest.raises(Refused, match=word) as caught:
        schema_of(hint)
    assert caught.value.reason == "schema"


def test_parameters_that_no_name_can_fill_are_refused():
    def starred(*args: int): ...

    def keywords(**kwargs: int): ...

    def positional(a: int, /): ...

    for function in (starred, keywords, positional):
        with pytest.raises(Refused, match="by name") as caught:
            tool(function)
        assert caught.value.reason == "schema"


def test_a_method_without_its_object_is_refused():
    class Files:
        def read(self, path: str) -> str:
            return path

    with pytest.raises(Refused, match="bound method"):
        tool(Files.read)
    assert list(tool(Files().read)["inputSchema"]["properties"]) == ["path"]


def test_hints_that_cannot_be_resolved_are_refused():
    def f(a: "Nowhere"): ...  # noqa: F821

    with pytest.raises(Refused, match="Nowhere"):
        tool(f)


def test_a_parameter_without_a_hint_takes_anything():
    assert tool(lambda a, b=None: (a, b))["inputSchema"] == {
        "type": "object",
        "properties": {"a": {}, "b": {"default": None}},
        "additionalProperties": False,
        "required": ["a"],
    }


def test_a_default_that_json_cannot_say_is_left_out_and_a_choice_travels_as_its_value():
    def f(a: object = object(), b: Colour = Colour.RED): ...

    properties = tool(f)["inputSchema"]["properties"]
    assert properties == {"a": {}, "b": {"type": "string", "enum": ["red", "blue"], "default": "red"}}


def test_the_context_is_no_argument_of_the_model():
    def f(a: int, user: Context[dict]) -> object:
        return a, user

    item = tool(f)
    assert list(item["inputSchema"]["properties"]) == ["a"]
    user = {}
    assert item["execute"].call({"a": 1}, {"context": user})[1] is user


def test_a_wrapped_function_keeps_its_hints():
    def inner(a: int) -> int:
        """Adds."""
        return a + 1

    @functools.wraps(inner)
    def outer(*args, **kwargs):
        return inner(*args, **kwargs)

    item = tool(outer)
    assert item["description"] == "Adds."
    assert item["inputSchema"]["properties"] == {"a": {"type": "integer"}}
    assert item["execute"].call({"a": 1}, ABOUT) == 2


def test_a_callable_object_and_a_partial_are_tools():
    class Adder:
        """Adds."""

        def __call__(self, a: int) -> int:
            return a + 1

    assert tool(Adder())["inputSchema"]["properties"] == {"a": {"type": "integer"}}

    def add(a: int, b: int) -> int:
        return a + b

    item = tool(functools.partial(add, b=2), id="add2")
    assert item["id"] == "add2"
    assert item["execute"].call({"a": 1}, ABOUT) == 3


def test_what_is_given_stands_above_what_the_function_says():
    item = tool(lambda: 1, id="one", description="Gives one.", server="numbers")
    assert (item["id"], item["description"], item["server"]) == ("one", "Gives one.", "numbers")


def test_registering_changes_neither_function_nor_hints():
    def f(a: Node): ...

    before = dict(vars(f)), dict(f.__annotations__)
    tool(f)
    assert (dict(vars(f)), dict(f.__annotations__)) == before


def test_a_type_stands_for_the_whole_schema_of_a_tool():
    schema, executor = executor_of_type(Point, lambda point: point.x)
    assert schema == POINT
    assert executor.call({"x": 4}, ABOUT) == 4


def test_a_type_that_contains_itself_stands_for_a_schema_with_an_object_at_its_root():
    schema, _ = executor_of_type(Node, lambda node: node)
    assert schema["type"] == "object"
    assert schema["properties"]["children"]["items"] == {"$ref": "#/$defs/Node"}
    assert list(schema["$defs"]) == ["Node"]
