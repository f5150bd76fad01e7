"""Tests of the sets in other languages: what is asked for is there, and no tool decides a figure alone."""

from __future__ import annotations

from collections import Counter

import languages
import pytest
from speed.driver.catalogs import lines

CODES = sorted(path.name for path in languages.FOLDER.iterdir())


@pytest.mark.parametrize("code", CODES)
def test_every_query_has_a_tool_of_its_set_and_no_tool_is_asked_for_too_often(code: str):
    read = {name: lines(languages.FOLDER / code / f"{name}.jsonl") for name in ("tools", "queries")}
    ids = {tool["id"] for tool in read["tools"]}
    asked = Counter(right for query in read["queries"] for right in query["gold"])
    assert len(ids) == len(read["tools"])
    assert set(asked) <= ids
    assert max(asked.values()) <= 3
    assert len({query["query"] for query in read["queries"]}) == len(read["queries"])
