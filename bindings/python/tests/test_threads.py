"""Many threads and a running loop on one engine."""

import asyncio
import threading


def echo(args):
    return args


def tools(prefix, count):
    return [{"id": f"{prefix}{n}", "description": f"Read file number {n}", "execute": echo} for n in range(count)]


def in_threads(count, work):
    meeting, failures = threading.Barrier(count, timeout=60), []

    def run(number):
        try:
            meeting.wait()
            work(number)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    assert failures == []


def test_eight_threads_search_register_remove_and_call_at_once(hg):
    hg.tools.register(tools("base", 20))

    def work(number):
        for turn in range(20):
            mine = f"own{number}_{turn}_"
            hg.tools.register(tools(mine, 5))
            assert [hit["id"] for hit in hg.tools.search(f"{mine}3", top_k=1)] == [f"{mine}3"]
            assert hg.tools.invoke_sync(f"{mine}3", {"n": number}) == {"n": number}
            assert len(hg.tools.search("read file", top_k=10)) == 10
            hg.tools.remove([f"{mine}{n}" for n in range(5)])

    in_threads(8, work)
    assert hg.tools.size == 20


def test_whoever_finds_a_tool_can_call_it(hg):
    done = threading.Event()

    def work(number):
        if number == 0:
            for turn in range(200):
                hg.tools.register({"id": f"late{turn}", "description": "late bird", "execute": echo})
            done.set()
            return
        while not done.is_set():
            for hit in hg.tools.search("late bird", top_k=3):
                assert hg.call_sync(hit["id"], {"a": 1}) == {"a": 1}

    in_threads(4, work)


async def test_the_loop_goes_on_while_a_thread_registers(hg):
    ticks, done = [], threading.Event()

    async def heart():
        while not done.is_set():
            ticks.append(True)
            await asyncio.sleep(0)

    beating = asyncio.ensure_future(heart())
    try:
        for turn in range(5):
            before = len(ticks)
            await asyncio.to_thread(hg.tools.register, tools(f"batch{turn}_", 500))
            assert len(ticks) > before
    finally:
        done.set()
        await beating
    assert hg.tools.size == 2500
