"""A forked child answers, whatever the parent's threads were doing. An alarm in the child guards against a hang."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading

import pytest
from honeyguide import Honeyguide

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform has no fork"),
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),
]
GUARD = 30


def tools(prefix, count):
    return [
        {"id": f"{prefix}{n}", "description": f"Read file {n}", "inputSchema": {"required": ["a"]}, "execute": dict}
        for n in range(count)
    ]


def in_child(work, guard=GUARD):
    """The exit code of a child that does this: 0 when nothing was raised, negative when the alarm ended a hang."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    status = 1
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(guard)
        work()
        status = 0
    except BaseException as failure:
        sys.stderr.write(f"{failure!r}\n")
        sys.stderr.flush()
    finally:
        os._exit(status)


class Busy:
    """Threads that do one thing over and over, and have done it at least once when the block begins."""

    def __init__(self, *works):
        self.stop = threading.Event()
        self.began = [threading.Event() for _ in works]
        self.threads = [threading.Thread(target=self.run, args=pair) for pair in zip(works, self.began, strict=True)]

    def run(self, work, began):
        while not self.stop.is_set():
            work()
            began.set()

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        assert all(began.wait(GUARD) for began in self.began)
        return self

    def __exit__(self, *_):
        self.stop.set()
        for thread in self.threads:
            thread.join(GUARD)


def use(hg):
    hg.tools.register(tools("child", 3))
    assert hg.tools.search("child2", top_k=1)[0]["id"] == "child2"
    assert hg.call_sync("child2", {"a": 1}) == {"a": 1}
    assert hg.call_sync("child2", {})["error"] == "invalid_arguments"
    assert hg.session("mine").call_sync("child1", {"a": 1}) == {"a": 1}
    hg.load(hg.save())
    assert hg.tools.remove("child0") == ["child0"]


def test_a_child_answers_while_threads_of_the_parent_write_search_call_and_open_conversations(hg):
    hg.tools.register(tools("base", 50))
    turns = iter(range(10**9))
    busy = Busy(
        lambda: hg.tools.register(tools(f"loop{next(turns) % 3}_", 20)),
        lambda: hg.tools.search("read file", top_k=20),
        lambda: hg.call_sync("base1", {"a": 1}),
        # A schema that was not seen before: the cache of compiled ones is written.
        lambda: hg.tools.register({**tools("new", 1)[0], "inputSchema": {"maxProperties": next(turns) + 10}}),
        lambda: hg.session(f"s{next(turns)}").call_sync("search_capabilities", {"query": "read"}),
    )
    with busy:
        statuses = [in_child(lambda: use(hg)) for _ in range(15)]
    assert statuses == [0] * 15


def test_a_forked_child_searches_and_registers_while_the_parent_writes(hg):
    hg.tools.register(tools("base", 50))
    stop = threading.Event()

    def work():
        hg.tools.register(tools("child", 5))
        assert hg.tools.search("child3", top_k=1)[0]["id"] == "child3"
        hg.session("mine", visible={"allow": {"ids": ["child3"]}})
        assert hg.session("mine").call_sync("child3", {"a": 1}) == {"a": 1}
        hg.tools.remove("child3")
        hg.load(hg.save())

    def write():
        turn = 0
        while not stop.is_set():
            hg.tools.register(tools(f"loop{turn % 3}_", 20))
            hg.session(f"s{turn % 5}", visible={"deny": {"ids": ["none"]}})
            turn += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        statuses = [in_child(work, guard=20) for _ in range(30)]
    finally:
        stop.set()
        writer.join(60)
    assert statuses == [0] * 30


def test_a_child_of_a_child_answers(hg):
    hg.tools.register(tools("base", 5))
    with Busy(lambda: hg.tools.register(tools("loop", 20))):

        def child():
            use(hg)
            assert in_child(lambda: use(hg)) == 0

        assert in_child(child) == 0


def test_a_child_that_is_forked_inside_a_tool_answers(hg):
    hg.tools.register({"id": "forks", "description": "Forks", "execute": lambda args: in_child(lambda: use(hg))})
    with Busy(lambda: hg.tools.register(tools("loop", 20))):
        assert hg.call_sync("forks", {}) == 0


def test_what_a_child_changes_the_parent_does_not_see(hg):
    hg.tools.register(tools("base", 2))
    assert in_child(lambda: hg.tools.remove(["base0", "base1"])) == 0
    assert hg.tools.size == 2


def answer(queue, hg):
    signal.alarm(GUARD)
    use(hg)
    queue.put(hg.tools.size)


def test_workers_of_multiprocessing_answer():
    fork = multiprocessing.get_context("fork")
    hg = Honeyguide()
    hg.tools.register(tools("base", 10))
    queue = fork.SimpleQueue()
    workers = [fork.Process(target=answer, args=(queue, hg)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(2 * GUARD)
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    assert [queue.get() for _ in workers] == [12, 12, 12]


def test_a_program_ends_while_its_threads_are_inside_the_engine():
    program = """
import threading
from honeyguide import Honeyguide
hg = Honeyguide()
def work():
    while True:
        hg.tools.register([{"id": f"t{n}", "execute": dict} for n in range(50)])
        hg.tools.search("t7")
for _ in range(4):
    threading.Thread(target=work, daemon=True).start()
while hg.tools.size < 50:
    pass
print("done")
"""
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=2 * GUARD, check=False
    )
    assert (ended.returncode, ended.stdout) == (0, "done\n"), ended.stderr


class Gated:
    """An embedder that waits for its gate."""

    id = "gated"
    dimensions = 2

    def __init__(self):
        self.gate = threading.Event()

    def embed(self, texts, role):
        self.gate.wait(10)
        return [[float("erase" in text or "delete" in text), 0.1] for text in texts]


def test_a_child_searches_by_meaning_whatever_the_parent_was_embedding():
    embedder = Gated()
    hg = Honeyguide(embedder=embedder, method="hybrid")
    hg.tools.register({"id": "delete_flow", "description": "Delete a flow", "execute": dict})
    hg.call_sync("search_capabilities", {"query": "delete flow"})

    def child():
        embedder.gate.set()
        hg.warm_up_sync()
        assert hg.recall_sync("erase it")["tools"]["groups"][0]["hits"][0]["toolId"] == "delete_flow"

    try:
        assert in_child(child) == 0
    finally:
        embedder.gate.set()
