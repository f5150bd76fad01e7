"""Tests of how engines are asked: what cannot be had says why; kept answers are those of the same adapter and set."""

from __future__ import annotations

import sys

import pytest
from driver import rankings
from driver.engines import Engine
from driver.sets import read

ADAPTER = """
import json, sys
print(json.dumps({"engine": "example", "version": "7"}))
for line in open(sys.argv[2]):
    print(json.dumps({"ids": [json.loads(line)["query"]], "score": 1}))
"""


@pytest.fixture(autouse=True)
def _kept(tmp_path, monkeypatch):
    monkeypatch.setattr(rankings, "KEPT", tmp_path / "rankings")


@pytest.fixture
def example(tmp_path):
    """A set of one tool and two queries."""
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "tools.jsonl").write_text('{"id": "x"}\n')
    (folder / "queries.jsonl").write_text('{"query": "x", "gold": ["x"]}\n{"query": "y", "gold": ["x"]}\n')
    return read(folder)


@pytest.fixture
def engine(tmp_path):
    """An engine that is this Python program."""

    def make(code: str) -> Engine:
        path = tmp_path / "adapter.py"
        path.write_text(code)
        return Engine("example", [sys.executable, str(path)], sources=[path])

    return make


def test_an_engine_answers_every_query_of_a_set(engine, example):
    ranking = rankings.rank(engine(ADAPTER), example)
    assert (ranking.version, ranking.ids(), ranking.missing) == ("7", [["x"], ["y"]], None)


def test_an_engine_that_fails_says_why(engine, example):
    assert rankings.rank(engine("raise SystemExit('no such thing')"), example).missing == "no such thing"


def test_an_engine_that_answers_too_little_is_not_measured(engine, example):
    assert rankings.rank(engine("print('{}'); print('{}')"), example).missing == "answered 1 of 2 queries"


def test_an_engine_that_could_not_be_installed_is_not_started(example):
    assert rankings.rank(Engine("example", ["/nowhere"], missing="no wheel"), example).missing == "no wheel"


def test_answers_are_kept_until_the_adapter_changes(engine, example, monkeypatch):
    first = rankings.rank(engine(ADAPTER), example)
    monkeypatch.setattr(rankings.subprocess, "run", lambda *_, **__: pytest.fail("asked again"))
    assert rankings.rank(engine(ADAPTER), example) == first
    with pytest.raises(pytest.fail.Exception, match="asked again"):
        rankings.rank(engine(ADAPTER + "\n"), example)


def test_a_failure_is_not_kept(engine, example):
    rankings.rank(engine("raise SystemExit('busy')"), example)
    assert not rankings.KEPT.exists()


def test_a_row_that_misses_a_set_is_measured_on_none(engine, example):
    ranked = {
        "whole": {"set": rankings.rank(engine(ADAPTER), example)},
        "missing": {"set": rankings.Ranking(missing="no wheel")},
    }
    measured = rankings.measured(ranked, [example])
    assert {row: by_set["set"]["recall_1"] for row, by_set in measured.items()} == {"whole": [1.0, 0.0]}
