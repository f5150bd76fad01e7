"""Tests of suite.py: a miscounted suite would be a green light nobody checked."""

from __future__ import annotations

import io
import sys
import tempfile
import unittest
from contextlib import redirect_stdout
from pathlib import Path

import suite


class Counting(unittest.TestCase):
    """The totals line of each runner, as the runner prints it."""

    def test_every_runner_is_understood(self) -> None:
        for line, expected in {
            "test result: ok. 6 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.15s": (6, 0),
            "test result: FAILED. 6 passed; 1 failed; 0 ignored; 0 measured": (6, 1),
            "      Tests  1 failed | 30 passed | 2 skipped (33)": (30, 1),
            "\x1b[2m      Tests \x1b[22m \x1b[1m\x1b[32m4 passed\x1b[39m\x1b[22m\x1b[90m (4)\x1b[39m": (4, 0),
            "=========== 2 failed, 10 passed, 1 skipped in 0.12s ===========": (10, 2),
            "2 failed, 10 passed, 1 warning in 0.12s": (10, 2),
            "10 passed in 62.12s (0:01:02)": (10, 0),
            "3 passed, 1 error in 0.12s": (3, 1),
            "\x1b[32m\x1b[1m10 passed\x1b[0m\x1b[32m in 0.02s\x1b[0m": (10, 0),
            "# pass 5": (5, 0),
            "ℹ fail 2": (0, 2),
            "7 passed, 3 failed": (7, 3),
            "node: 7 passed, 3 failed": (0, 0),
            " Test Files  1 failed | 3 passed (4)": (0, 0),
            "all 12 passed in spirit": (0, 0),
        }.items():
            with self.subTest(line):
                self.assertEqual(suite.count(line), expected)


class Running(unittest.TestCase):
    """What `make` sees of a suite."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(setattr, suite, "RESULTS", suite.RESULTS)
        suite.RESULTS = Path(folder.name) / "suites"

    def run_suite(self, kind: str, name: str, code: str) -> int:
        with redirect_stdout(io.TextIOWrapper(io.BytesIO())):
            return suite.run(kind, name, [sys.executable, "-c", code])

    def totals(self, kind: str) -> tuple[int, str]:
        with redirect_stdout(io.StringIO()) as out:
            status = suite.totals(kind)
        return status, out.getvalue().splitlines()[-1]

    def test_a_suite_that_reports_no_test_fails(self) -> None:
        self.assertEqual(self.run_suite("test", "empty", "pass"), 1)

    def test_a_suite_that_dies_after_its_totals_fails(self) -> None:
        self.assertEqual(self.run_suite("test", "dies", "print('3 passed, 0 failed'); exit(3)"), 1)
        self.assertEqual(self.totals("test"), (1, "3 passed, 1 failed"))

    def test_a_suite_that_reports_a_failure_fails_whatever_its_status(self) -> None:
        self.assertEqual(self.run_suite("test", "liar", "print('3 passed, 1 failed')"), 1)

    def test_a_command_that_is_not_there_fails(self) -> None:
        with redirect_stdout(io.StringIO()):
            self.assertEqual(suite.run("test", "absent", ["./no-such-command"]), 1)

    def test_totals_are_summed_and_a_failed_check_counts(self) -> None:
        self.assertEqual(self.run_suite("test", "one", "print('3 passed, 0 failed')"), 0)
        self.assertEqual(self.run_suite("test", "two", "print('4 passed, 0 failed')"), 0)
        self.assertEqual(self.run_suite("check", "lint", "exit(1)"), 1)
        self.assertEqual(self.totals("test"), (0, "7 passed, 0 failed"))
        self.assertEqual(self.totals("all"), (1, "7 passed, 1 failed"))

    def test_totals_of_nothing_fail(self) -> None:
        self.assertEqual(self.totals("all"), (1, "0 passed, 0 failed"))

    def test_what_is_forgotten_is_not_counted(self) -> None:
        self.run_suite("test", "one", "print('3 passed, 0 failed')")
        suite.forget("test")
        self.assertEqual(self.totals("test"), (1, "0 passed, 0 failed"))


if __name__ == "__main__":
    unittest.main()
