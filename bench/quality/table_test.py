"""Tests of what the tables say: a reader must see what is missing, and what is chance."""

from __future__ import annotations

from driver import table

FIGURES = {metric: [0.5, 0.4, 0.6] for metric in table.ALL_METRICS}


def row(*minus: float) -> dict[str, object]:
    """A row of one set with a difference to ours."""
    both = {"set": FIGURES, "macro": FIGURES}
    return {"version": "1", "sets": both, "minus_ours": {name: {"ndcg": list(minus)} for name in both}}


def lines(rows: dict[str, object]) -> dict[str, str]:
    """The lines of the ranking, by row."""
    shown = table.ranking({"sets": {"set": {"tools": 3, "queries": 4}}, "rows": rows}).splitlines()
    return {name: next(line for line in shown if line.startswith(name)) for name in rows}


def test_an_engine_that_cannot_be_had_says_why_in_its_row():
    shown = lines({"honeyguide": row(0, 0, 0), "other": {"missing": "no wheel for this system"}})
    assert shown["other"].endswith("not measured: no wheel for this system")


def test_a_sign_says_whether_a_difference_is_beyond_chance():
    shown = lines(
        {"ours": row(0, 0, 0), "better": row(0.1, 0.05, 0.2), "like": row(0.1, -0.1, 0.2), "worse": row(-1, -1, -1)}
    )
    assert {name: next((sign for sign in "+~" if f"50.0{sign}" in line), "") for name, line in shown.items()} == {
        "ours": "",
        "better": "+",
        "like": "~",
        "worse": "",
    }


def test_few_negatives_are_marked():
    outcome = {"kept": 1.0, "lost": 0.013, "false_ok": 0.4}
    rules = {"rule": {"small": outcome, "large": outcome, "macro": outcome}}
    shown = table.doubts({"doubts": {"rules": rules}, "sets": {"small": {"negatives": 16}, "large": {"negatives": 96}}})
    assert "16(few)" in shown
    assert "96(few)" not in shown
    assert "1.3 / 40" in shown


def test_without_negatives_there_is_no_table_of_doubt():
    assert "not measured" in table.doubts({"doubts": {"rules": {"rule": {}}}, "sets": {}})
