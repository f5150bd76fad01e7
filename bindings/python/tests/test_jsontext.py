"""JSON text without the package `json`: the same text, the same values, and the package where it has to be."""

import json
import subprocess
import sys
import threading

import pytest
from honeyguide import jsontext
from hypothesis import given
from hypothesis import strategies as st

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
def test_a_value_is_written_as_json_writes_it(value):
    assert jsontext.compact(value) == json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


@given(VALUES)
def test_a_text_is_read_as_json_reads_it(value):
    text = json.dumps(value, ensure_ascii=False)
    assert jsontext.parse(text) == json.loads(text)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, object(), {"a": b"x"}])
def test_what_json_refuses_is_refused(value):
    with pytest.raises((ValueError, TypeError)):
        jsontext.compact(value)


def test_a_value_that_contains_itself_is_refused():
    value = []
    value.append(value)
    with pytest.raises(ValueError, match=r"[Cc]ircular"):
        jsontext.compact(value)


def test_a_value_that_two_threads_write_at_once_is_not_taken_for_one_that_contains_itself():
    value = [{"a": [n]} for n in range(200)]
    faults = []
    start = threading.Barrier(4)

    def work():
        start.wait()
        try:
            for _ in range(200):
                jsontext.compact(value)
        except ValueError as fault:
            faults.append(fault)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []


def test_a_text_that_is_cut_is_an_error():
    with pytest.raises((ValueError, StopIteration)):
        jsontext.parse('{"ok":[1,')


def fresh(program):
    return subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("module", ["json", "re", "enum", "functools", "weakref", "contextlib", "typing"])
def test_a_catalog_is_registered_and_searched_without_importing(module):
    program = f"""
import sys
before = {module!r} in sys.modules
from honeyguide import Honeyguide
hg = Honeyguide()
hg.tools.register({{"id": "read_file", "description": "Read a file", "execute": lambda args: args}})
print(hg.tools.search("read file")[0]["id"], ({module!r} in sys.modules) == before)
"""
    assert fresh(program) == "read_file True\n"


def test_a_python_without_those_parts_uses_json():
    program = """
import sys
sys.modules["_json"] = None
from honeyguide import Honeyguide
hg = Honeyguide()
hg.tools.register({"id": "read_file", "description": "Lies d\u00e4s", "execute": lambda args: args})
print(hg.tools.search("read file")[0]["id"], hg.call_sync("read_file", {}), "json" in sys.modules)
"""
    assert fresh(program) == "read_file {} True\n"
