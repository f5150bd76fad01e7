"""Tasks on one loop and the threads behind them: each call keeps its own arguments, context and fate.

What runs side by side is shown by barriers and counters. A timeout only guards against a hang.
"""

import asyncio
import contextvars
import threading

import pytest

USER: contextvars.ContextVar[str] = contextvars.ContextVar("user")
GUARD = 30


def blocking(hg, work, **fields):
    hg.tools.register({"id": "tool", "description": "Reads", "execute": work, **fields})


@pytest.mark.parametrize("way", ["call", "invoke"])
async def test_blocking_tools_that_wait_for_each_other_both_finish(hg, way):
    meeting = threading.Barrier(3, timeout=GUARD)
    blocking(hg, lambda args: meeting.wait() >= 0)
    run = hg.call if way == "call" else hg.tools.invoke
    assert await asyncio.gather(*(run("tool", {}) for _ in range(3))) == [True] * 3


async def test_blocking_tools_side_by_side_each_see_the_variables_of_their_own_caller(hg):
    # As many as the threads of a loop on the smallest machine: min(32, cores + 4).
    meeting = threading.Barrier(5, timeout=GUARD)

    def who(args):
        before = USER.get()
        meeting.wait()
        USER.set("somebody else")
        return before

    blocking(hg, who)

    async def caller(name):
        USER.set(name)
        seen = await hg.call("tool", {})
        return seen, USER.get()

    names = [f"user{n}" for n in range(5)]
    assert await asyncio.gather(*(caller(name) for name in names)) == [(name, name) for name in names]


async def test_a_blocking_tool_may_search_register_and_call_from_its_thread(hg):
    hg.tools.register({"id": "inner", "description": "Adds", "execute": lambda args: args["n"] + 1})

    def outer(args):
        hg.tools.register({"id": f"made{args['n']}", "description": "Made inside", "execute": lambda inner: inner})
        found = [hit["id"] for hit in hg.tools.search("made inside", top_k=100)]
        assert f"made{args['n']}" in found
        return hg.tools.invoke_sync("inner", {"n": args["n"]})

    blocking(hg, outer)
    answers = await asyncio.gather(*(hg.call("tool", {"n": n}) for n in range(20)))
    assert answers == [n + 1 for n in range(20)]
    assert hg.tools.size == 22


async def test_tasks_that_search_register_call_and_are_cancelled_do_not_disturb_each_other(hg):
    started, stopped = {n: asyncio.Event() for n in range(0, 80, 4)}, []

    async def endless(args):
        started[args["n"]].set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.append(args["n"])

    hg.tools.register({"id": "endless", "description": "Never ends", "execute": endless})
    hg.tools.register({"id": "echo", "description": "Says it again", "execute": lambda args: args})

    async def work(n):
        if n % 4 == 0:
            task = asyncio.ensure_future(hg.call("endless", {"n": n}))
            await started[n].wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        elif n % 4 == 1:
            assert await hg.call("echo", {"n": n}) == {"n": n}
        elif n % 4 == 2:
            hg.tools.register({"id": f"own{n}", "description": "owned thing", "execute": lambda args: n})
            assert await hg.call(f"own{n}", {}) == n
            hg.tools.remove(f"own{n}")
        else:
            reply = await hg.call("search_capabilities", {"query": "says it again"})
            assert "echo" in str(reply)

    await asyncio.wait_for(asyncio.gather(*(work(n) for n in range(80))), GUARD)
    assert sorted(stopped) == list(started)
    assert hg.tools.size == 2


async def test_the_loop_beats_while_eight_threads_register_search_and_call(hg):
    threads, rounds = 8, 15
    left = [rounds] * threads
    beats = 0

    def work(number):
        for turn in range(rounds):
            mine = f"own{number}_{turn}_"
            hg.tools.register(
                [{"id": f"{mine}{n}", "description": "Reads", "execute": lambda args: args} for n in range(20)]
            )
            assert hg.tools.search(f"{mine}7", top_k=1)[0]["id"] == f"{mine}7"
            assert hg.call_sync(f"{mine}7", {"n": turn}) == {"n": turn}
            left[number] -= 1

    async def heart():
        nonlocal beats
        while any(left):
            beats += 1
            await asyncio.sleep(0)

    beating = asyncio.ensure_future(heart())
    before = beats
    await asyncio.gather(*(asyncio.to_thread(work, number) for number in range(threads)))
    await asyncio.wait_for(beating, GUARD)
    assert beats > before + 1
    assert hg.tools.size == threads * rounds * 20


def test_other_threads_run_while_one_is_inside_the_engine(hg):
    """The interpreter's lock is given up: a counter in Python moves while another thread registers a large batch."""
    batch = [
        {"id": f"tool{n}", "description": f"Reads file {n} " * 20, "execute": lambda args: args} for n in range(2_000)
    ]
    native, moved = hg._transport.native, []
    inside, counted = threading.Event(), threading.Event()

    class Watched:
        """The native engine, with a signal before the thread goes in and a look at the counter when it is back."""

        def __getattr__(self, name):
            return getattr(native, name)

        def call(self, operation, request):
            inside.set()
            before = counter[0]
            answer = native.call(operation, request)
            moved.append(counter[0] - before)
            return answer

    counter = [0]

    def count():
        inside.wait(GUARD)
        while not counted.is_set():
            counter[0] += 1

    hg._transport.native = Watched()
    counting = threading.Thread(target=count)
    counting.start()
    try:
        hg.tools.register(batch)
    finally:
        counted.set()
        counting.join(GUARD)
    assert sum(moved) > 0


async def test_tools_that_hang_take_no_thread_from_the_others(hg):
    # More than the threads of a loop on the smallest machine.
    hanging, release = 40, threading.Event()
    entered = threading.Semaphore(0)

    def hang(args):
        entered.release()
        release.wait(GUARD)

    hg.tools.register({"id": "hangs", "description": "Hangs", "execute": hang})
    hg.tools.register({"id": "quick", "description": "Adds", "execute": lambda args: args["n"] + 1})
    late = [asyncio.ensure_future(hg.call("hangs", {})) for _ in range(hanging)]
    try:
        for _ in range(hanging):
            assert await asyncio.to_thread(entered.acquire, timeout=GUARD)
        assert await hg.call("quick", {"n": 1}) == 2
    finally:
        release.set()
    await asyncio.gather(*late)
