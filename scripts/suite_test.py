"""Tests of suite.py: a miscounted suite would be a green light nobody checked."""

from __future__ import annotations

import sys

import pytest
import suite


@pytest.fixture(autouse=True)
def _results(tmp_path, monkeypatch):
    monkeypatch.setattr(suite, "RESULTS", tmp_path / "suites")


@pytest.fixture
def run():
    """Runs a suite that is this Python program."""
    return lambda kind, name, code: suite.run(kind, name, [sys.executable, "-c", code])


@pytest.fixture
def totals(capsys):
    """The status of the totals and their last line."""

    def read(kind: str) -> tuple[int, str]:
        capsys.readouterr()
        return suite.totals(kind), capsys.readouterr().out.splitlines()[-1]

    return read


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("test result: ok. 6 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.15s", (6, 0)),
        ("test result: FAILED. 6 passed; 1 failed; 0 ignored; 0 measured", (6, 1)),
        ("      Tests  1 failed | 30 passed | 2 skipped (33)", (30, 1)),
        ("\x1b[2m      Tests \x1b[22m \x1b[1m\x1b[32m4 passed\x1b[39m\x1b[22m\x1b[90m (4)\x1b[39m", (4, 0)),
        ("=========== 2 failed, 10 passed, 1 skipped in 0.12s ===========", (10, 2)),
        ("2 failed, 10 passed, 1 warning in 0.12s", (10, 2)),
        ("10 passed in 62.12s (0:01:02)", (10, 0)),
        ("3 passed, 1 error in 0.12s", (3, 1)),
        ("\x1b[32m\x1b[1m10 passed\x1b[0m\x1b[32m in 0.02s\x1b[0m", (10, 0)),
        ("# pass 5", (5, 0)),
        ("ℹ fail 2", (0, 2)),  # noqa: RUF001
        ("7 passed, 3 failed", (7, 3)),
        ("node: 7 passed, 3 failed", (0, 0)),
        (" Test Files  1 failed | 3 passed (4)", (0, 0)),
        ("all 12 passed in spirit", (0, 0)),
    ],
)
def test_the_totals_of_every_runner_are_understood(line, expected):
    assert suite.count(line) == expected


def test_a_suite_that_reports_no_test_fails(run):
    assert run("test", "empty", "pass") == 1


def test_a_suite_that_dies_after_its_totals_fails(run, totals):
    assert run("test", "dies", "print('3 passed, 0 failed'); exit(3)") == 1
    assert totals("test") == (1, "3 passed, 1 failed")


def test_a_suite_that_reports_a_failure_fails_whatever_its_status(run):
    assert run("test", "liar", "print('3 passed, 1 failed')") == 1


def test_a_command_that_is_not_there_fails():
    assert suite.run("test", "absent", ["./no-such-command"]) == 1


def test_totals_are_summed_and_a_failed_check_counts(run, totals):
    assert run("test", "one", "print('3 passed, 0 failed')") == 0
    assert run("test", "two", "print('4 passed, 0 failed')") == 0
    assert run("check", "lint", "exit(1)") == 1
    assert totals("test") == (0, "7 passed, 0 failed")
    assert totals("all") == (1, "7 passed, 1 failed")


def test_totals_of_nothing_fail(totals):
    assert totals("all") == (1, "0 passed, 0 failed")


def test_what_is_forgotten_is_not_counted(run, totals):
    run("test", "one", "print('3 passed, 0 failed')")
    suite.forget("test")
    assert totals("test") == (1, "0 passed, 0 failed")
