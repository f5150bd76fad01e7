"""The interpreter's lock is not held while the engine works."""

import sys
import threading
import time

from honeyguide import Honeyguide


def test_another_thread_runs_while_the_engine_searches():
    hg = Honeyguide()
    hg.tools.register(
        [
            {"id": f"server{n % 7}__read_{n}", "description": f"Read the file number {n} of a folder", "execute": print}
            for n in range(2000)
        ]
    )
    native = hg._transport.native
    inside = False

    def search():
        nonlocal inside
        for _ in range(200):
            inside = True
            native.call("search", '{"kind":"tool","query":"read the file of a folder of a server","topK":1000}')
            inside = False

    # No thread is made to give up the lock, so who runs while the other one is inside the engine was let in by it.
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        thread = threading.Thread(target=search)
        thread.start()
        ran_meanwhile = False
        while thread.is_alive() and not ran_meanwhile:
            ran_meanwhile = inside
            time.sleep(0)
        thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert ran_meanwhile
