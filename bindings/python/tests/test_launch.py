"""The program `honeyguide` where the package for MCP is missing: what it asks uv for, and that it stops."""

import json
import os
import subprocess
import sys
from pathlib import Path

import honeyguide
import pytest

ARGUMENTS = ["mcp", "--config", "a b.json"]


@pytest.fixture
def without_mcp(tmp_path):
    """Runs the program in a Python that has no package `mcp`, beside a stand-in for uv."""
    (tmp_path / "mcp").mkdir()
    (tmp_path / "mcp" / "__init__.py").write_text("raise ModuleNotFoundError(\"No module named 'mcp'\", name='mcp')")
    uv = tmp_path / "uv"
    report = (
        "import json, os, sys; print(json.dumps([sys.argv[1:], os.environ.get('HONEYGUIDE_LAUNCHED'), os.getpid()]))"
    )
    uv.write_text(f"#!{sys.executable}\n{report}; print(sys.stdin.read()); sys.exit(5)\n")
    uv.chmod(0o755)

    def run(arguments, **environment):
        path = os.pathsep.join((str(tmp_path), str(Path(honeyguide.__file__).parents[1])))
        return subprocess.Popen(
            [sys.executable, "-m", "honeyguide", *arguments],
            env={"PATH": os.environ["PATH"], "PYTHONPATH": path, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    run.uv = str(uv)
    return run


def test_without_uv_it_says_what_to_install(without_mcp):
    process = without_mcp(ARGUMENTS)
    assert process.communicate() == (
        "",
        'honeyguide: its commands need the package for MCP: run pip install "honeyguide[mcp]", '
        "or start it as uvx honeyguide\n",
    )
    assert process.returncode == 2


@pytest.mark.skipif(sys.platform == "win32", reason="a script stands in for uv")
def test_uv_takes_its_place_with_exactly_its_own_version_its_arguments_its_input_and_its_code(without_mcp):
    process = without_mcp(ARGUMENTS, UV=without_mcp.uv)
    output, errors = process.communicate("a line")
    reported, read = output.splitlines()
    wanted = ["tool", "run", "--from", f"honeyguide[mcp]=={honeyguide.__version__}", "honeyguide", *ARGUMENTS]
    # The very process: a signal to it is one to what took its place.
    assert json.loads(reported) == [wanted, "1", process.pid]
    assert (read, errors, process.returncode) == ("a line", "", 5)


@pytest.mark.skipif(sys.platform == "win32", reason="a script stands in for uv")
def test_uv_is_not_asked_a_second_time(without_mcp):
    process = without_mcp(ARGUMENTS, UV=without_mcp.uv, HONEYGUIDE_LAUNCHED="1")
    output, errors = process.communicate()
    assert (output, process.returncode) == ("", 2)
    assert "pip install" in errors


def test_help_and_a_wrong_command_line_need_no_package(without_mcp):
    process = without_mcp(["mcp", "--help"])
    output, errors = process.communicate()
    assert output.startswith("usage: honeyguide mcp --config FILE")
    assert (errors, process.returncode) == ("", 0)
    process = without_mcp(["mcp", "--confg", "x"])
    assert process.communicate()[1] == "honeyguide: unknown option `--confg`; did you mean `--config`?\n"
    assert process.returncode == 2


def test_the_package_without_the_program_imports_nothing_of_the_gateway():
    program = "import sys, honeyguide; print([name for name in sys.modules if 'gateway' in name or 'launch' in name])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
