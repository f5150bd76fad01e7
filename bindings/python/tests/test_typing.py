"""The types of the public API, as a strict type checker reads them."""

import pathlib
import subprocess
import sys

import honeyguide

SAMPLE = pathlib.Path(__file__).with_name("typed_sample.py")


def test_a_typed_program_passes_a_strict_checker(tmp_path):
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={tmp_path}", str(SAMPLE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("Success"), done.stdout + done.stderr


def test_the_package_says_that_it_is_typed():
    assert (pathlib.Path(honeyguide.__file__).parent / "py.typed").exists()
