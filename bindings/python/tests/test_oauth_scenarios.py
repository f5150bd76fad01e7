"""Every scenario of e2e/oauth/scenarios.json, against a server that does what the scenario says."""

import asyncio
import json
import shutil
import sys

import pytest

pytest.importorskip("mcp")

from honeyguide.mcp.oauth.addresses import is_public
from honeyguide.mcp.oauth.store import canonical
from oauth_world.programs import run_program_scenario
from oauth_world.world import OAUTH, all_of, run_scenario

DATA = json.loads((OAUTH / "scenarios.json").read_text(encoding="utf-8"))
SCENARIOS = all_of(DATA)
WATCHDOG = 120

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="the server is a program of node")


@pytest.mark.parametrize("name", SCENARIOS)
async def test_oauth_scenario(name, monkeypatch):
    if SCENARIOS[name].get("posix") and sys.platform == "win32":
        pytest.skip("files have no mode there")
    await asyncio.wait_for(run_scenario(SCENARIOS[name], DATA["resolves"], monkeypatch), WATCHDOG)


PROGRAMS = {scenario["name"]: scenario for scenario in DATA["programs"]}


@pytest.mark.skipif(sys.platform == "win32", reason="the programs are started as those of POSIX are")
@pytest.mark.parametrize("name", PROGRAMS)
async def test_oauth_program(name, monkeypatch):
    await asyncio.wait_for(run_program_scenario(PROGRAMS[name], monkeypatch), WATCHDOG)


@pytest.mark.parametrize(("written", "key"), DATA["canonical"])
def test_an_address_is_one_key_however_it_is_written(written, key):
    assert canonical(written) == key


@pytest.mark.parametrize("address", DATA["addresses"]["public"])
def test_an_address_of_the_internet_may_be_led_to(address):
    assert is_public(address)


@pytest.mark.parametrize("address", DATA["addresses"]["refused"])
def test_an_address_of_a_network_of_its_own_may_not_be_led_to(address):
    assert not is_public(address)
