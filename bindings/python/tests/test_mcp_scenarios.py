"""Every scenario of e2e/mcp/scenarios.json, over its doors, a few at a time."""

import asyncio
import json

import pytest

pytest.importorskip("mcp")

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


@pytest.fixture(scope="session")
def outcomes(request):
    """What became of each selected run. They wait for processes most of the time, so they wait together."""
    chosen = {item.callspec.params["name"] for item in request.session.items if item.name.startswith("test_scenario[")}
    results = {}

    async def run_all():
        gate = asyncio.Semaphore(AT_ONCE)

        async def run_one(name):
            scenario, door = RUNS[name]
            async with gate:
                try:
                    await asyncio.wait_for(run_scenario(scenario, DATA["defaults"], door), 60)
                    results[name] = None
                except BaseException as thrown:
                    results[name] = thrown

        await asyncio.gather(*(run_one(name) for name in chosen))

    asyncio.run(run_all())
    return results


@pytest.mark.parametrize("name", RUNS)
def test_scenario(name, outcomes):
    if outcomes[name] is not None:
        raise outcomes[name]
