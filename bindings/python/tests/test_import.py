"""What importing the package costs and offers."""

import subprocess
import sys
import threading

import honeyguide
import pytest
from honeyguide.host import late

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


LATE = [
    "arguments",
    "calling",
    "errors",
    "generated",
    "meaning",
    "questions",
    "rerank",
    "run",
    "session",
    "skill_folders",
    "skills",
    "thorough",
]


@pytest.mark.parametrize("module", LATE)
def test_a_catalog_is_registered_and_searched_without_the_module(module):
    program = f"""
import sys
from honeyguide import Honeyguide
hg = Honeyguide()
hg.tools.register({{"id": "read_file", "description": "Read a file", "execute": lambda args: args}})
print(hg.tools.search("read file")[0]["id"], "honeyguide.{module}" in sys.modules)
"""
    assert fresh(program) == "read_file False\n"


def test_a_part_that_two_threads_need_at_once_is_one_for_both():
    both = threading.Barrier(2)

    class Holder:
        @late
        def part(self):
            both.wait(30)
            return object()

    holder = Holder()
    parts = []
    threads = [threading.Thread(target=lambda: parts.append(holder.part)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert parts[0] is parts[1] is holder.part


def test_everything_that_is_listed_exists():
    for name in honeyguide.__all__:
        assert getattr(honeyguide, name) is not None


def test_what_is_imported_late_is_listed_before():
    assert fresh("import honeyguide; print(set(honeyguide.__all__) <= set(dir(honeyguide)))") == "True\n"


def test_a_name_that_was_imported_late_stays():
    assert fresh("import honeyguide; honeyguide.StateError; print('StateError' in vars(honeyguide))") == "True\n"


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError):
        honeyguide.nothing  # noqa: B018


def test_nothing_public_begins_with_native():
    assert not [name for name in honeyguide.__all__ if name.startswith("_native")]
