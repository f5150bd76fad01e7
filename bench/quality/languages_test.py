"""Tests of the figures by language: halves are told apart, and a doubted answer is not lost from sight."""

from __future__ import annotations

from collections import Counter

import languages
import pytest
from speed.driver.catalogs import lines

CODES = sorted(path.name for path in languages.LANGUAGES.iterdir())


def answer(ids: list[str], status: str, without: str) -> dict[str, object]:
    """What the engine says of one query."""
    return {"ids": ids, "status": status, "without": {"status": without}}


def test_the_first_query_is_odd_and_the_second_even():
    answers = [answer(["a"], "ok", "ok"), answer(["b", "a"], "no_match", "weak")]
    figures = languages.figures(answers, [["a"], ["c"]])
    assert (figures["odd"], figures["even"]) == (100, 0)


def test_a_right_answer_is_doubted_only_where_it_is_shown():
    answers = [answer(["a"], "no_match", "ok"), answer(["b"], "no_match", "weak")]
    figures = languages.figures(answers, [["a"], ["c"]])
    assert (figures["right, doubted"], figures["wrong, ok"]) == (100, 50)


@pytest.mark.parametrize("code", CODES)
def test_every_query_has_a_tool_of_its_set_and_no_tool_is_asked_for_too_often(code: str):
    read = {name: lines(languages.LANGUAGES / code / f"{name}.jsonl") for name in ("tools", "queries")}
    ids = {tool["id"] for tool in read["tools"]}
    asked = Counter(right for query in read["queries"] for right in query["gold"])
    assert len(ids) == len(read["tools"])
    assert set(asked) <= ids
    assert max(asked.values()) <= 3
    assert len({query["query"] for query in read["queries"]}) == len(read["queries"])
