"""Tests of the metrics by examples worked out by hand: a wrong metric would praise a wrong ranking."""

from __future__ import annotations

import math

import pytest
from driver import metrics

SECOND, THIRD = 1 / math.log2(3), 1 / math.log2(4)


def test_one_right_tool_gains_less_the_further_down_it_stands():
    assert [
        metrics.measure(ids, ["x"])["ndcg"] for ids in (["x"], ["a", "x"], ["a", "b", "x"], ["a"])
    ] == pytest.approx([1, SECOND, THIRD, 0])


def test_two_right_tools_are_held_against_the_best_order_of_two():
    measured = metrics.measure(["x", "a", "y"], ["y", "x"])
    assert measured["ndcg"] == pytest.approx((1 + THIRD) / (1 + SECOND))
    assert {key: measured[key] for key in ("recall_1", "recall_5", "recall_10", "mrr")} == {
        "recall_1": 0.5,
        "recall_5": 1.0,
        "recall_10": 1.0,
        "mrr": 1.0,
    }


def test_recall_counts_the_first_one_five_and_ten():
    ids = ["a", "x", "b", "c", "d", "y", "e", "f", "g", "z"]
    measured = metrics.measure(ids, ["x", "y", "z", "never"])
    assert [measured[f"recall_{most}"] for most in (1, 5, 10)] == [0, 0.25, 0.75]
    assert measured["mrr"] == 0.5


def test_nothing_counts_after_the_tenth():
    measured = metrics.measure([*"abcdefghij", "x"], ["x"])
    assert set(measured.values()) == {0}


def test_more_than_ten_right_tools_can_still_reach_a_full_gain():
    gold = [f"tool {number}" for number in range(12)]
    assert metrics.measure(gold[:10], gold)["ndcg"] == pytest.approx(1)


def test_the_macro_mean_gives_a_small_set_the_weight_of_a_large_one():
    values = {"row": {"large": {"ndcg": [1.0] * 9}, "small": {"ndcg": [0.0]}}}
    estimates = metrics.estimate(values, 20)["row"]
    assert [estimates[name]["ndcg"].mean for name in ("large", "small", metrics.MACRO)] == [1.0, 0.0, 0.5]
    assert estimates[metrics.MACRO]["ndcg"].interval() == (0.5, 0.5)


def test_an_interval_is_as_wide_as_the_draws_spread():
    values = {"row": {"set": {"ndcg": [0.0, 1.0] * 50}}}
    low, high = metrics.estimate(values, 2000)["row"]["set"]["ndcg"].interval()
    # The mean of 100 fair coins: one half, give or take 1.96 times a twentieth.
    assert (low, high) == pytest.approx((0.402, 0.598), abs=0.021)


def test_rows_are_compared_on_the_same_draws():
    values = {
        "ours": {"set": {"ndcg": [0.0, 0.2, 0.4, 0.8]}},
        "a tenth more": {"set": {"ndcg": [0.1, 0.3, 0.5, 0.9]}},
    }
    estimates = metrics.estimate(values, 200)
    difference = estimates["a tenth more"]["set"]["ndcg"].minus(estimates["ours"]["set"]["ndcg"])
    assert difference.interval() == pytest.approx((0.1, 0.1))
    assert estimates["ours"]["set"]["ndcg"].interval() != pytest.approx((0.35, 0.35))


def test_a_set_is_drawn_the_same_whatever_else_is_measured():
    alone = metrics.estimate({"row": {"b": {"ndcg": [0.1, 0.5, 0.9]}}}, 50)["row"]["b"]["ndcg"]
    beside = {
        "other": {"a": {"ndcg": [1.0]}, "b": {"ndcg": [0.0] * 3}},
        "row": {"a": {"ndcg": [0.0]}, "b": {"ndcg": [0.1, 0.5, 0.9]}},
    }
    assert metrics.estimate(beside, 50)["row"]["b"]["ndcg"].resampled == alone.resampled
