"""Every scenario of e2e/gateway/scenarios.json, against the real program, a few at a time."""

import json

import pytest

pytest.importorskip("mcp")

from gateway_world.place import GATEWAY
from gateway_world.scenario import run_scenario
from honeyguide.gateway.mask import mask_address, mask_arguments
from mcp_world.at_once import outcomes_of

DATA = json.loads((GATEWAY / "scenarios.json").read_text(encoding="utf-8"))
SCENARIOS = {scenario["name"]: scenario for scenario in DATA["scenarios"]}
MASKS = json.loads((GATEWAY / "masks.json").read_text(encoding="utf-8"))["masks"]
AT_ONCE = 4
WATCHDOG = 120


@pytest.fixture(scope="session")
def outcomes(request):
    """What became of each selected scenario."""
    items = request.session.items
    chosen = [item.callspec.params["name"] for item in items if item.name.startswith("test_gateway_scenario[")]
    return outcomes_of(chosen, lambda name: run_scenario(SCENARIOS[name], DATA["defaults"]), AT_ONCE, WATCHDOG)


@pytest.mark.parametrize("name", SCENARIOS)
def test_gateway_scenario(name, outcomes):
    if outcomes[name] is not None:
        raise outcomes[name]


@pytest.mark.parametrize(("written", "shown"), MASKS)
def test_what_looks_secret_is_masked(written, shown):
    assert (mask_address(written) if isinstance(written, str) else mask_arguments(written)) == shown
