"""What importing the package costs and offers."""

import subprocess
import sys

import honeyguide
import pytest

SLOW = ["asyncio", "inspect", "pydantic", "dataclasses", "concurrent.futures", "logging", "importlib.metadata"]


def fresh(program):
    # `-I` keeps what the test run has put into the environment out.
    return subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("module", SLOW)
def test_importing_the_package_does_not_import(module):
    assert fresh(f"import sys, honeyguide; print({module!r} in sys.modules)") == "False\n"


def test_a_catalog_is_registered_and_searched_without_asyncio_or_inspect():
    program = """
import sys
from honeyguide import Honeyguide
hg = Honeyguide()
hg.tools.register({"id": "read_file", "description": "Read a file", "execute": lambda args: args})
print(hg.call_sync("search_capabilities", {"query": "read file"})["status"], "asyncio" in sys.modules, "inspect" in sys.modules)
"""  # noqa: E501
    assert fresh(program) == "ok False False\n"


def test_everything_that_is_listed_exists():
    for name in honeyguide.__all__:
        assert getattr(honeyguide, name) is not None


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError):
        honeyguide.nothing  # noqa: B018


def test_nothing_public_begins_with_native():
    assert not [name for name in honeyguide.__all__ if name.startswith("_native")]
