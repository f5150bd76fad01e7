"""Everything a scenario changes: clients, saved bytes, what was observed. Knows nothing of what an answer should be."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from honeyguide._native import Engine

from .client import Client, observe
from .expand import expand
from .files import Files

HOME = Path(__file__).parent.parent


def read_json(file: str) -> Any:
    """A file of the scenario's folder."""
    return json.loads((HOME / file).read_text(encoding="utf-8"))


SCENARIO = read_json("scenario.json")
DIVERGENCE = read_json("divergence.json")["differences"]


class World:
    """The state of a run."""

    def __init__(self) -> None:
        self.clients: dict[str, Client] = {}
        self.engines: dict[str, Engine] = {}
        self.saved: dict[str, bytes] = {}
        self.observed: dict[str, Any] = {}
        self.files = Files(HOME / ".build" / "files-python")
        self.fixtures = {name: read_json(file) for name, file in SCENARIO["fixtures"].items()}

    def expand(self, value: Any) -> Any:
        """A value of the scenario with its short forms written out."""
        return expand(value, self)

    async def take(self, step: dict[str, Any]) -> Any:
        """Does one step and remembers what it observed."""
        arguments = self.expand(step.get("arguments", {}))
        observed = self.files.hide(await self._run(step.get("on", "main"), step["operation"], arguments))
        self.observed[step["name"]] = observed
        return observed

    async def operate(self, client: Client, operation: str, arguments: dict[str, Any]) -> Any:
        """One operation on one client, as it is observed."""
        if operation in ("call", "invoke"):
            return await client.call(operation, arguments, self)
        return await observe(lambda: client.run(operation, arguments, self))

    async def _run(self, on: str, operation: str, arguments: dict[str, Any]) -> Any:
        if operation == "create":
            return await observe(lambda: self._create(on, arguments))
        if operation == "raw":
            return self._raw(on, arguments)
        if on not in self.clients:
            self.clients[on] = Client(self.files.home)
        client = self.clients[on]
        if operation == "together":
            steps = [self.operate(client, step["operation"], step["arguments"]) for step in arguments["steps"]]
            return {"value": await asyncio.gather(*steps)}
        return await self.operate(client, operation, arguments)

    async def _create(self, on: str, arguments: dict[str, Any]) -> None:
        self.clients[on] = Client(self.files.home, **arguments)

    def _raw(self, on: str, arguments: dict[str, Any]) -> Any:
        """The engine's own text, past the facade: for what the facade never asks, and to compare bytes."""
        if on not in self.engines:
            self.engines[on] = Engine(json.dumps(arguments.get("options", {})))
        request = arguments.get("request")
        text = arguments.get("text") or json.dumps(request, ensure_ascii=False, separators=(",", ":"))
        envelope = self.engines[on].call(arguments["operation"], text)
        return {"value": json.loads(envelope), "text": envelope}
