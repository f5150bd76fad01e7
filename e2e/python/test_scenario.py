"""Drives every step of the scenario through the public facade of the installed package.

Writes down what was observed for the other languages to be compared with.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from . import canonical
from .compare import compare_step
from .world import DIVERGENCE, HOME, SCENARIO, World

KNOWN = {entry["step"] for entry in DIVERGENCE if entry["language"] == "python"}


class Run:
    """One world on one event loop, and the transcript."""

    def __init__(self) -> None:
        self.world = World()
        self.loop = asyncio.new_event_loop()
        folder = HOME / ".build"
        folder.mkdir(exist_ok=True)
        self.transcript = (folder / "python.jsonl").open("w", encoding="utf-8")

    def take(self, step: dict[str, Any]) -> list[str]:
        """Does one step and says what differs."""
        observed: Any = {"broken": "the runner failed"}
        differences = ["the runner failed"]
        try:
            observed = self.loop.run_until_complete(self.world.take(step))
            differences = compare_step(self.world, step, observed)
        finally:
            kept = canonical.comparable(observed, step.get("unstable", {}))
            line = {"step": step["name"], "differences": differences, "observed": kept}
            self.transcript.write(f"{canonical.write(line)}\n")
        return differences


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """The run that all steps share."""
    run = Run()
    yield run
    run.transcript.close()
    run.loop.close()


@pytest.mark.parametrize("step", SCENARIO["steps"], ids=lambda step: step["name"])
def test_step(run: Run, step: dict[str, Any]) -> None:
    """The step answers as expected, or is known not to; `e2e/compare` fails when a known difference goes away."""
    differences = run.take(step)
    if step["name"] not in KNOWN:
        assert differences == []
