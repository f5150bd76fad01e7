"""The scripted server of e2e/mcp as a test deals with it: its directory, its log, its control file."""

import asyncio
import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

MCP = Path(__file__).resolve().parents[4] / "e2e" / "mcp"
PROGRAM = str(MCP / "server.mjs")


class ScriptedServer:
    def __init__(self, script):
        self.directory = Path(tempfile.mkdtemp(prefix="honeyguide-mcp-"))
        self._child = None
        self._actions = 0
        (self.directory / "script.json").write_text(json.dumps(script), encoding="utf-8")

    @property
    def command(self):
        return {"command": shutil.which("node"), "args": [PROGRAM, "stdio", str(self.directory)]}

    async def listen(self):
        ports = len(self.log("port"))
        self._end()
        self._begin()
        await eventually(lambda: len(self.log("port")) > ports)
        return f"http://127.0.0.1:{self.log('port')[-1]['port']}/mcp"

    def log(self, event=None):
        file = self.directory / "log.jsonl"
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        entries = []
        for line in text.splitlines():
            with contextlib.suppress(ValueError):  # half a line, which is whole when it is read again
                entries.append(json.loads(line))
        return [entry for entry in entries if event is None or entry["event"] == event]

    def messages(self, method):
        return [entry for entry in self.log("message") if entry["method"] == method]

    async def control(self, action):
        with (self.directory / "control.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(action) + "\n")
        self._actions += 1
        place = self._actions
        await eventually(lambda: any(entry["place"] == place for entry in self.log("done")))

    async def kill(self):
        """Ends it without a warning; waits until it runs, for it may be dialled and not be started yet."""
        await eventually(lambda: self.log("start"))
        os.kill(self.log("start")[-1]["pid"], signal.SIGKILL)

    @property
    def running(self):
        return [entry["pid"] for entry in self.log("start") + self.log("child") if is_running(entry["pid"])]

    def dispose(self):
        self._end()
        for pid in self.running:
            os.kill(pid, signal.SIGKILL)
        shutil.rmtree(self.directory, ignore_errors=True)

    def _begin(self):
        self._child = subprocess.Popen(["node", PROGRAM, "http", str(self.directory)], stdin=subprocess.PIPE)

    def _end(self):
        if self._child is not None:
            self._child.kill()
            self._child.wait()
            self._child.stdin.close()
            self._child = None


def is_running(pid):
    try:
        os.kill(pid, 0)
        # One that ended and was not asked for its code is no process any more.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return os.path.exists("/proc/self") is False
    except ProcessLookupError:
        return False


async def eventually(holds, what=lambda: ""):
    """Waits until something holds; fails with `what` when it does not come to."""
    for _ in range(10_000):
        if holds():
            return
        await asyncio.sleep(0.005)
    raise AssertionError(f"it did not come to hold: {what()}")
