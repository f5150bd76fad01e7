from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from array import array
from pathlib import Path

import pytest
from honeyguide import HoneyguideError
from honeyguide_local import Progress, local_model

from .conftest import WIDTH, write_model

MANY = ["the cat sat on the mat"] * 20_000


def test_a_model_says_what_it_is_before_it_is_read(tiny: Path):
    model = local_model(tiny)
    assert (model.id, model.dimensions, model.max_tokens) == ("tiny", WIDTH, 512)
    assert model.prefixes == {"query": "", "document": ""}
    assert "Latin" in model.scripts
    assert model.languages == []
    assert len(model.revision) == 32
    assert model.revision != local_model(tiny, prefixes={"query": "query: "}).revision


def test_every_text_has_its_vector_in_order(tiny: Path):
    cat, mat, nothing = local_model(tiny).embed(["cat", "mat", ""], "document")
    assert isinstance(cat, array)
    # The numbers of the tokens in the vocabulary.
    assert (len(cat), cat[0], mat[0]) == (WIDTH, 5, 8)
    assert list(nothing) == [0] * WIDTH
    assert local_model(tiny).embed([], "query") == []


def test_a_prefix_stands_before_texts_of_its_role_only(tiny: Path):
    model = local_model(tiny, prefixes={"query": "cat "})
    assert model.embed(["mat"], "query")[0][0] == 6.5
    assert model.embed(["mat"], "document")[0][0] == 8


def test_one_text_in_place_of_a_list_is_refused(tiny: Path):
    with pytest.raises(TypeError, match="list of texts"):
        local_model(tiny).embed("cat", "query")


def test_other_threads_run_while_a_thread_embeds(tiny: Path):
    model = local_model(tiny, threads=1)
    model.warm_up()
    turns, stop = 0, False

    def count() -> None:
        nonlocal turns
        while not stop:
            turns += 1
            time.sleep(0)

    # So long an interval that a thread runs only when another one gives the interpreter's lock back by itself.
    interval = sys.getswitchinterval()
    counter = threading.Thread(target=count)
    sys.setswitchinterval(1000)
    try:
        counter.start()
        before = turns
        model.embed(MANY, "document")
        after = turns
    finally:
        stop = True
        sys.setswitchinterval(interval)
        counter.join()
    assert after > before


async def test_the_event_loop_ticks_while_it_embeds(tiny: Path):
    model = local_model(tiny, threads=1)
    await model.warm_up_async()
    task = asyncio.ensure_future(model.embed_async(MANY, "document"))
    ticks = 0
    while not task.done():
        ticks += 1
        await asyncio.sleep(0)
    assert len(task.result()) == len(MANY)
    # A call that blocked the loop would be done at the second look.
    assert ticks > 2


async def test_a_cancelled_caller_ends_the_work(tiny: Path):
    model = local_model(tiny, threads=1)
    begun = asyncio.Event()
    task = asyncio.ensure_future(model.embed_async(MANY * 20, "document", on_progress=lambda _: begun.set()))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(await model.embed_async(["cat"], "query")) == 1


def test_progress_never_falls_and_ends_with_all(tiny: Path):
    seen: list[Progress] = []
    local_model(tiny, threads=1).embed(MANY, "document", on_progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == (len(MANY), len(MANY))


def test_what_a_callback_raises_ends_the_work(tiny: Path):
    class EnoughError(Exception): ...

    def enough(_: Progress) -> None:
        raise EnoughError

    with pytest.raises(EnoughError):
        local_model(tiny).embed(MANY, "document", on_progress=enough)


@pytest.mark.skipif(sys.platform == "win32", reason="the signal is POSIX")
def test_an_interrupt_ends_the_work(tiny: Path):
    # Whoever starts the tests in the background has them ignore interrupts.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            local_model(tiny).embed(MANY * 20, "document", on_progress=lambda _: signal.raise_signal(signal.SIGINT))
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.parametrize("when", ["before the model is read", "after it is read", "while another thread embeds"])
def test_parent_and_child_of_a_fork_both_embed(tiny: Path, when: str):
    # A process of its own: pytest has threads, of which Python warns.
    script = """
import os, sys, threading, warnings
from honeyguide_local import local_model
warnings.simplefilter("ignore")
path, when = sys.argv[1:]
model = local_model(path)
expected = local_model(path).embed(["the cat"] * 200, "query")
if when != "before the model is read":
    model.warm_up()
thread = None
if when == "while another thread embeds":
    begun = threading.Event()
    work = lambda: model.embed(["the cat sat on the mat"] * 50_000, "document", on_progress=lambda _: begun.set())
    thread = threading.Thread(target=work)
    thread.start()
    begun.wait()
child = os.fork()
same = model.embed(["the cat"] * 200, "query") == expected
if child == 0:
    os._exit(0 if same else 1)
_, status = os.waitpid(child, 0)
if thread:
    thread.join()
sys.exit(0 if same and status == 0 else 1)
"""
    subprocess.run([sys.executable, "-c", script, str(tiny), when], check=True, timeout=120)


def test_threads_that_come_first_together_share_a_model(tiny: Path):
    model = local_model(tiny)
    barrier, found = threading.Barrier(8), []

    def embed() -> None:
        barrier.wait()
        found.append(model.embed(["the cat"], "query")[0])

    threads = [threading.Thread(target=embed) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert all(vector == found[0] for vector in found)


def test_what_is_missing_or_wrong_is_an_error_of_honeyguide(tmp_path: Path, tiny: Path):
    with pytest.raises(HoneyguideError) as missing:
        local_model(tmp_path / "nowhere")
    assert (missing.value.code, isinstance(missing.value, LookupError)) == ("model_missing_file", True)
    (tiny / "model.safetensors").unlink()
    with pytest.raises(HoneyguideError) as missing:
        local_model(tiny)
    assert missing.value.details == {"file": "model.safetensors", "path": str(tiny)}
    write_model(tiny)
    with pytest.raises(HoneyguideError) as invalid:
        local_model(tiny, threads=-1)
    assert (invalid.value.code, isinstance(invalid.value, ValueError)) == ("model_invalid_option", True)
    with pytest.raises(HoneyguideError) as invalid:
        local_model(tiny).embed(["cat"], "passage")  # type: ignore[arg-type]
    assert invalid.value.code == "model_invalid_option"


def test_a_broken_file_is_found_at_the_first_use_and_every_time(tiny: Path):
    (tiny / "tokenizer.json").write_text("{", encoding="utf-8")
    model = local_model(tiny)
    for _ in range(2):
        with pytest.raises(HoneyguideError) as broken:
            model.embed(["cat"], "query")
        assert broken.value.code == "model_unreadable"


def test_importing_reads_no_honeyguide():
    script = "import honeyguide_local, sys, json; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    modules = json.loads(done.stdout)
    assert "honeyguide_local._local" in modules
    assert not {"honeyguide", "asyncio"} & set(modules)
