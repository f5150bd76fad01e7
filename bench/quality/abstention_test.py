"""Tests of what abstention costs, by a set of four queries and two negatives worked out by hand."""

from __future__ import annotations

from driver.abstention import at_least, case, rules, shared, status_in


def trust(confidence: float, status: str) -> dict[str, object]:
    return {"confidence": confidence, "status": status}


def example(negative: float = 2.0):
    """Right and sure, right and less sure, right but sixth, wrong; the first and the last are negatives."""
    ids = [["x"], ["a", "x"], [*"abcde", "x"], ["a"]]
    sure = [(9, "ok"), (4, "weak"), (3, "ok"), (1, "no_match")]
    lines = [{"ids": hits, **trust(*answer), "without": trust(8, "ok")} for hits, answer in zip(ids, sure, strict=True)]
    lines[0]["without"] = trust(negative, "weak")
    return case(lines, [["x"]] * 4, [0, 3])


def test_only_what_was_found_can_be_lost():
    assert example().outcome(status_in("ok")) == {"kept": 0.5, "lost": 0.25, "false_ok": 0.5}
    assert example().outcome(status_in("ok", "weak")) == {"kept": 1.0, "lost": 0.0, "false_ok": 1.0}


def test_a_threshold_accepts_what_reaches_it():
    assert example().outcome(at_least(4)) == {"kept": 1.0, "lost": 0.0, "false_ok": 0.5}
    assert example().outcome(at_least(4.5)) == {"kept": 0.5, "lost": 0.25, "false_ok": 0.5}


def test_an_answer_without_hits_is_never_accepted():
    assert example(negative=0.0).outcome(at_least(0))["false_ok"] == 0.5


def test_the_tuned_threshold_is_the_highest_that_loses_at_most_two_points():
    assert example().tuned() == 4


def test_the_shared_threshold_is_the_lowest_of_the_sets():
    lower = case([{"ids": ["x"], **trust(3, "ok"), "without": trust(3, "ok")}], [["x"]], [0])
    assert shared([example(), lower]) == 3


def test_a_curve_runs_from_accepting_all_to_accepting_none():
    curve = example().curve()
    assert curve[0][1:] == [1.0, 0.0, 1.0]
    assert curve[-1][1:] == [0.0, 0.5, 0.0]


def test_each_rule_speaks_of_its_own_ranking():
    outcomes = rules({"ours": {"set": example()}, "other": {"set": example(negative=9.0)}})
    assert outcomes["ours, best cut-offs"]["set"]["false_ok"] == 0.5
    assert outcomes["other, best cut-offs"]["set"]["false_ok"] == 1.0


def test_a_ranking_without_statuses_has_cut_offs_only():
    lines = [{"ids": ["x"], "confidence": 3, "without": {"confidence": 1}}]
    assert list(rules({"flat": {"set": case(lines, [["x"]], [0])}})) == ["flat, one cut-off", "flat, best cut-offs"]
