"""Tests of what the reference has embedded of a tool: which words, and in which order."""

from __future__ import annotations

import pytest
from driver.projection import projection


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("readFile", "readFile read File"),
        ("read_file", "read_file read file"),
        ("parseJSON2xml", "parseJSON2xml parse JSON2xml"),
        ("HTTPServer", "HTTPServer"),
        ("v2Foo-bar", "v2Foo-bar"),
    ],
)
def test_a_name_stands_as_it_is_written_and_cut(name, words):
    assert projection({"id": "x", "name": name}) == words


def test_properties_are_read_with_their_texts_and_what_lies_within_them_but_not_the_schema_itself():
    schema = {
        "title": "no",
        "description": "no",
        "properties": {
            "mode": {"description": "how", "enum": ["fast", 3, "slow"], "default": "no"},
            "filter": {"properties": {"byName": {"description": "which"}}},
            "rows": {"items": {"description": "no", "enum": ["no"], "properties": {"id": {}}}},
            "pair": {"items": [{"properties": {"no": {}}}], "anyOf": [{"properties": {"no": {}}}]},
            "any": True,
        },
    }
    line = {"id": "go", "description": "Goes.", "inputSchema": schema}
    assert projection(line) == "go Goes. mode how fast slow filter byName by Name which rows id pair any"


def test_a_skill_is_its_name_and_description():
    line = {"id": "tidy_up", "description": "Tidies.", "body": "Do it.", "inputSchema": {"properties": {"no": {}}}}
    assert projection(line) == "tidy_up tidy up Tidies."
