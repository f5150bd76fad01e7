"""Every scenario of e2e/mcp/scenarios.json, over its doors, a few at a time."""

import json

import pytest

pytest.importorskip("mcp")

from mcp_world.at_once import outcomes_of
from mcp_world.scenario import run_scenario
from mcp_world.scripted import MCP

DATA = json.loads((MCP / "scenarios.json").read_text(encoding="utf-8"))
DOORS = ("stdio", "http")
RUNS = {
    f"{scenario['name']} ({door})": (scenario, door)
    for scenario in DATA["scenarios"]
    for door in scenario.get("over", DOORS)
}
AT_ONCE = 6
WATCHDOG = 60


@pytest.fixture(scope="session")
def outcomes(request):
    """What became of each selected run."""
    chosen = {item.callspec.params["name"] for item in request.session.items if item.name.startswith("test_scenario[")}

    def run(name):
        scenario, door = RUNS[name]
        return run_scenario(scenario, DATA["defaults"], door)

    return outcomes_of(chosen, run, AT_ONCE, WATCHDOG)


@pytest.mark.parametrize("name", RUNS)
def test_scenario(name, outcomes):
    if outcomes[name] is not None:
        raise outcomes[name]
