"""The made home, working directory and servers of one scenario, and the texts that name them."""

import json
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

import honeyguide
from mcp_world.scripted import PROGRAM, ScriptedServer

GATEWAY = Path(__file__).resolve().parents[4] / "e2e" / "gateway"
CLAUDE_DESKTOP = {
    "darwin": "~/Library/Application Support/Claude/claude_desktop_config.json",
    "win32": "~/AppData/Roaming/Claude/claude_desktop_config.json",
}
VSCODE_USER = {
    "darwin": "~/Library/Application Support/Code/User/mcp.json",
    "win32": "~/AppData/Roaming/Code/User/mcp.json",
}
NOISE = """
import os, sys, threading, time

def make_noise():
    # As soon as the program serves: before that, its standard output is its own.
    while sys.stdout is sys.__stdout__:
        time.sleep(0.001)
    for stream in (sys.stdout, sys.__stdout__):
        print("noise", file=stream, flush=True)
    os.write(1, b"noise\\n")
    os.system("echo noise")

threading.Thread(target=make_noise, daemon=True).start()
"""


class Place:
    def __init__(self, scenario, defaults):
        self.root = Path(os.path.realpath(tempfile.mkdtemp(prefix="honeyguide-gateway-")))
        self.cwd, self.home = self.root / "work", self.root / "home"
        self.cwd.mkdir()
        self.home.mkdir()
        self._scenario = scenario
        self.servers = {
            name: ScriptedServer({**defaults["server"], **script})
            for name, script in scenario.get("servers", {"s": {}}).items()
        }
        self._urls = {}
        if scenario.get("noise"):
            (self.root / "noise").mkdir()
            (self.root / "noise" / "sitecustomize.py").write_text(NOISE)

    async def prepare(self):
        """Starts what the test starts, and writes what is there before."""
        for name, door in self._scenario.get("over", {}).items():
            assert door == "http"
            self._urls[name] = await self.servers[name].listen()
        for path, content in self._scenario.get("files", {}).items():
            self.write(self.fill(path), self.fill(content))
        for path, target in self._scenario.get("links", {}).items():
            self.path(path).symlink_to(target)
        if not any("run" in step for step in self._scenario["steps"]):
            self.write_configuration()

    def write_configuration(self):
        """Writes the configuration of the scenario."""
        if "configText" in self._scenario:
            return self.write("config.json", self.fill(self._scenario["configText"]))
        config = dict(self._scenario.get("config", {}))
        written = {name: self._reached(name) for name in self.servers} | config.pop("mcpServers", {})
        return self.write("config.json", self.fill({"mcpServers": written, **config}))

    def _reached(self, name):
        if name in self._urls:
            return {"url": self._urls[name]}
        return {"command": "{node}", "args": ["{server}", "stdio", f"{{dir:{name}}}"]}

    @property
    def environment(self):
        """What the program gets: PATH, HOME and what Python needs to find the package that is tested."""
        paths = [str(Path(honeyguide.__file__).parents[1])]
        if self._scenario.get("noise"):
            paths.insert(0, str(self.root / "noise"))
        added = self.fill(self._scenario.get("environment", {}))
        return {"PATH": os.environ["PATH"], "HOME": str(self.home), "PYTHONPATH": os.pathsep.join(paths), **added}

    def fill(self, value, escape=False):
        """A value with what its texts name."""
        if isinstance(value, dict):
            return {self.fill(key): self.fill(part, escape or key == "matches") for key, part in value.items()}
        if isinstance(value, list):
            return [self.fill(part, escape) for part in value]
        if not isinstance(value, str):
            return value

        def replace(found):
            named = self._named(found[1])
            return found[0] if named is None else re.escape(named) if escape else named

        return re.sub(r"\{([a-z:-]+[a-z0-9]*)\}", replace, value)

    def _named(self, name):
        kind, _, of = name.partition(":")
        if kind == "dir" and of in self.servers:
            return str(self.servers[of].directory)
        if kind == "url" and of in self._urls:
            return self._urls[of]
        return {
            "config": str(self.cwd / "config.json"),
            "cwd": str(self.cwd),
            "home": str(self.home),
            "node": shutil.which("node"),
            "server": PROGRAM,
            "version": honeyguide.__version__,
            "launcher:command": "uvx",
            "claude-desktop": CLAUDE_DESKTOP.get(sys.platform, "~/.config/Claude/claude_desktop_config.json"),
            "vscode-user": VSCODE_USER.get(sys.platform, "~/.config/Code/User/mcp.json"),
        }.get(name)

    def path(self, path):
        """Where a path of a scenario is."""
        return self.home / path[2:] if path.startswith("~/") else self.cwd / path

    def write(self, path, content):
        """Writes a text as it is, anything else as JSON."""
        target = self.path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content if isinstance(content, str) else json.dumps(content, indent=2), encoding="utf-8")

    def dispose(self):
        """Takes everything away."""
        for server in self.servers.values():
            server.dispose()
        shutil.rmtree(self.root, ignore_errors=True)
