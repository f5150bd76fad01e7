"""Items that cannot be taken: a clear code with the item's id, the rest of the batch intact."""

import copy
import math
from collections.abc import Mapping

import pytest
from honeyguide import HoneyguideError, InvalidInputError


def echo(args):
    return args


def cycle():
    value = {"type": "object"}
    value["properties"] = {"self": value}
    return value


class Throwing(dict):
    def items(self):
        raise RuntimeError("no")


class ThrowingMapping(Mapping):
    def __getitem__(self, key):
        raise RuntimeError("no")

    def __iter__(self):
        return iter(["id"])

    def __len__(self):
        return 1


GOOD = {"id": "good", "description": "A good one", "execute": echo}

BAD = [
    (5, "invalid_item", None),
    ("text", "invalid_item", None),
    (None, "invalid_item", None),
    (b"bytes", "invalid_item", None),
    ({"description": "no id", "execute": echo}, "invalid_item", None),
    ({"id": 7, "execute": echo}, "invalid_item", None),
    ({"id": [], "execute": echo}, "invalid_item", None),
    ({"id": "", "execute": echo}, "invalid_id", None),
    ({"id": "a\0b", "execute": echo}, "invalid_id", None),
    ({"id": "a\u200bb", "execute": echo}, "invalid_id", None),
    ({"id": "x" * 513, "execute": echo}, "invalid_id", None),
    ({"id": "invoke_tool", "execute": echo}, "reserved_id", "invoke_tool"),
    ({"id": "lonely", "description": "no function"}, "missing_executor", "lonely"),
    ({"id": "lonely", "execute": "text"}, "missing_executor", "lonely"),
    ({"id": "half\ud800", "execute": echo}, "invalid_json", "half\\ud800"),
    ({"id": "x", "description": "\udc00", "execute": echo}, "invalid_json", "x"),
    ({"id": "x", "description": 5, "execute": echo}, "invalid_item", "x"),
    ({"id": "x", "inputSchema": {"default": math.nan}, "execute": echo}, "invalid_json", "x"),
    ({"id": "x", "inputSchema": cycle(), "execute": echo}, "invalid_json", "x"),
    ({"id": "x", "inputSchema": {"enum": {1, 2}}, "execute": echo}, "invalid_json", "x"),
    ({"id": "x", "inputSchema": {"properties": {1: {}}}, "execute": echo}, "invalid_json", "x"),
    ({"id": "x", "annotations": Throwing(a=1), "execute": echo}, "invalid_json", "x"),
    ({"id": "x", "inputSchema": {"maximum": 10**5000}, "execute": echo}, "invalid_json", "x"),
    ({"id": "x", "inputSchema": complex, "execute": echo}, "invalid_schema", "x"),
    (ThrowingMapping(), "invalid_json", None),
]


def name(case):
    try:
        return ascii(case)[:40]
    except ValueError:
        return "huge"


@pytest.mark.parametrize(("item", "code", "id"), BAD, ids=name)
def test_one_bad_item_raises_with_its_code_and_id(hg, item, code, id):
    with pytest.raises(InvalidInputError) as caught:
        hg.tools.register(item)
    assert caught.value.code == code
    if id is not None:
        assert caught.value.details["id"] == id
    assert hg.tools.size == 0


@pytest.mark.parametrize(("item", "code", "id"), BAD, ids=name)
def test_a_bad_item_of_a_batch_is_a_diagnostic_and_the_others_stand(hg, item, code, id):
    response = hg.tools.register([{**GOOD, "id": "before"}, item, {**GOOD, "id": "after"}])
    assert response["rejected"] == [1]
    errors = [found for found in response["diagnostics"] if found["severity"] == "error"]
    assert [(found["code"], found["index"]) for found in errors] == [(code, 1)]
    if id is not None:
        assert errors[0]["id"] == id
    assert [tool["id"] for tool in hg.tools.list()] == ["before", "after"]
    assert hg.tools.invoke_sync("after", {"a": 1}) == {"a": 1}


def test_a_place_in_an_item_is_named_by_a_json_pointer(hg):
    with pytest.raises(InvalidInputError) as caught:
        hg.tools.register({"id": "x", "inputSchema": {"properties": {"a/b": {"default": math.inf}}}, "execute": echo})
    assert caught.value.details["path"] == "/inputSchema/properties/a~1b/default"


@pytest.mark.parametrize("catalog", ["skills", "facts"])
def test_the_other_catalogs_refuse_in_the_same_way(hg, catalog):
    with pytest.raises(InvalidInputError) as caught:
        getattr(hg, catalog).register({"id": "x", "body": math.nan})
    assert (caught.value.code, caught.value.details["id"]) == ("invalid_json", "x")


def test_a_function_that_cannot_be_a_tool_is_refused_by_its_name(hg):
    def starred(*args: int): ...

    with pytest.raises(HoneyguideError, match="starred") as caught:
        hg.tool(starred)
    assert caught.value.code == "invalid_schema"
    response = hg.tools.register([starred, GOOD])
    assert response["rejected"] == [0]
    assert hg.tools.size == 1


@pytest.mark.parametrize(
    "id", ["__proto__", "constructor", "__class__", "__init__", "工具", "é", "a b", "🐦", "x" * 512]
)
def test_unusual_ids_are_ids(hg, id):
    hg.tools.register({"id": id, "description": "strange bird", "execute": echo})
    assert hg.tools.get(id)["id"] == id
    assert [hit["id"] for hit in hg.tools.search("strange bird")] == [id]
    assert hg.tools.invoke_sync(id, {"a": 1}) == {"a": 1}
    assert hg.tools.remove(id) == [id]
    assert hg.tools.get(id) is None


def test_registering_changes_nothing_that_was_passed(hg):
    item = {"id": "x", "inputSchema": {"type": "object", "properties": {"a": {"type": "integer"}}}, "execute": echo}
    before = copy.deepcopy(item)
    batch = [item]
    hg.tools.register(batch)
    hg.tools.invoke_sync("x", {"a": 1})
    assert item == before
    assert batch == [item]
    assert list(item) == list(before)


@pytest.mark.parametrize(
    "schema",
    [
        None,
        {},
        {"type": "object"},
        {"type": "object", "properties": {"f": True, "g": False}},
        {"anyOf": [{"type": "object"}, {"type": "null"}]},
        {"type": "object", "properties": {"n": {"enum": [60, None, True, "a"]}}},
        {"type": "object", "properties": {"n": {"maximum": 5_000_000_000, "default": 2**70}}},
        {"$defs": {"n": {"properties": {"n": {"$ref": "#/$defs/n"}}}}, "$ref": "#/$defs/n"},
        {"type": "object", "properties": {"n": {"items": {"$ref": "#/properties/n"}}}},
        {"type": "object", "x-anything": [1.5, {"b": 1, "a": 2}], "$ref": "https://example.com/x.json"},
    ],
    ids=name,
)
def test_any_schema_is_taken_and_comes_back_as_it_was(hg, schema):
    hg.tools.register({"id": "x", "description": "bird", "inputSchema": schema, "execute": echo})
    hit = hg.tools.search("bird", include=["schema"])[0]
    assert hit.get("inputSchema") == schema
    assert hg.tools.get("x")["inputSchema"] == schema
    if schema:
        assert list(hit["inputSchema"]) == list(schema)


def test_a_tool_without_a_schema_is_called_without_arguments(hg):
    hg.tools.register({"id": "x", "execute": lambda args: [args]})
    assert hg.call_sync("invoke_tool", {"toolId": "x"}) == [{}]
    assert [hit["id"] for hit in hg.tools.search("x")] == ["x"]


def test_a_function_whose_parameters_are_the_schemas_gets_them_by_name_as_with_bind(hg):
    schema = {"type": "object", "properties": {"location": {"type": "string"}, "unit": {"type": "string"}}}

    def by_name(location, unit="celsius"):
        return f"{location} in {unit}"

    def whole(arguments):
        return arguments

    tools = {"named": by_name, "whole": whole, "plain": lambda location: location}
    hg.tools.register(
        [{"id": id, "description": "x", "inputSchema": schema, "execute": function} for id, function in tools.items()]
    )
    assert hg.tools.invoke_sync("named", {"location": "Oslo"}) == "Oslo in celsius"
    assert hg.tools.invoke_sync("named", {"location": "Oslo", "unit": "K"}) == "Oslo in K"
    assert hg.tools.invoke_sync("whole", {"location": "Oslo"}) == {"location": "Oslo"}
    assert hg.tools.invoke_sync("plain", {"location": "Oslo"}) == {"location": "Oslo"}


def test_an_iterable_is_a_batch(hg):
    hg.tools.register({**GOOD, "id": str(number)} for number in range(3))
    hg.tools.register(({**GOOD, "id": "tuple"},))
    assert [tool["id"] for tool in hg.tools.list()] == ["0", "1", "2", "tuple"]


def test_an_empty_batch_changes_nothing(hg):
    response = hg.tools.register([])
    assert (response["added"], response["rejected"], response["diagnostics"]) == (0, [], [])


def test_of_an_id_that_stands_twice_the_last_counts(hg):
    response = hg.tools.register([{**GOOD, "execute": lambda args: 1}, {**GOOD, "execute": lambda args: 2}])
    assert "duplicate_id" in [found["code"] for found in response["diagnostics"]]
    assert hg.tools.size == 1
    assert hg.tools.invoke_sync("good") == 2


def test_a_refused_replacement_leaves_the_old_tool_and_its_function(hg):
    hg.tools.register({**GOOD, "execute": lambda args: "old"})
    response = hg.tools.register([{**GOOD, "description": math.nan, "execute": lambda args: "new"}])
    assert response["rejected"] == [0]
    assert hg.tools.get("good")["description"] == "A good one"
    assert hg.tools.invoke_sync("good") == "old"


def test_options_that_do_not_exist_are_refused():
    from honeyguide import Honeyguide

    with pytest.raises(InvalidInputError) as caught:
        Honeyguide(token_budgets=5)
    assert caught.value.code == "invalid_request"
    with pytest.raises(InvalidInputError):
        Honeyguide(token_budget=math.nan)
