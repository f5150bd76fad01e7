"""What one request to the model lists, through the facade."""

from __future__ import annotations

import asyncio

import pytest
from honeyguide import Honeyguide, InvalidInputError

THREE = ["search_capabilities", "invoke_tool", "get_skill_content"]


@pytest.fixture
def hg() -> Honeyguide:
    hg = Honeyguide()
    hg.tools.register([{"id": "read file", "description": "Read a file", "execute": lambda args: args["path"]}])
    return hg


def names(disclosed: object) -> list[str]:
    return [tool["name"] for tool in disclosed["tools"]]  # type: ignore[index]


def test_the_funnel_lists_the_three_tools(hg: Honeyguide) -> None:
    assert names(hg.disclose()) == THREE


def test_a_listed_tool_is_called_by_the_name_it_is_listed_under(hg: Honeyguide) -> None:
    disclosed = hg.disclose(mode="replace", query="read a file", top_k=1)
    (listed,) = disclosed["exposed"]
    assert names(disclosed) == [*THREE, listed["name"]]
    assert listed["toolId"] == "read file"
    assert asyncio.run(hg.call(listed["name"], {"path": "a.txt"})) == "a.txt"


def test_a_conversation_lists_what_it_may_see(hg: Honeyguide) -> None:
    session = hg.session("s", visible={"deny": {"ids": ["read file"]}})
    assert session.disclose(mode="suggest", query="read a file")["exposed"] == []


def test_a_query_with_half_a_character_is_a_query(hg: Honeyguide) -> None:
    assert hg.disclose(mode="replace", query="read \ud800 file")["exposed"][0]["toolId"] == "read file"


def test_a_share_outside_its_range_is_refused(hg: Honeyguide) -> None:
    with pytest.raises(InvalidInputError) as caught:
        hg.disclose(mode="auto", share=2.0)
    assert caught.value.code == "invalid_request"
