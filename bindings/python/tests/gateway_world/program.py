"""The program `honeyguide` as a child process, and the official client at the other end of its pipes."""

import asyncio
import contextlib
import json
import os
import signal
import sys

import anyio
import mcp_types as types
from mcp import Client
from mcp.shared.message import SessionMessage
from mcp_world.scripted import eventually
from pydantic import BaseModel, ConfigDict

WATCHDOG = 60


class AnyResult(BaseModel):
    model_config = ConfigDict(extra="allow")


def command(arguments):
    return [sys.executable, "-m", "honeyguide", *arguments]


async def run_to_end(arguments, place):
    """Runs the program to its end: its code and what it said."""
    process = await asyncio.create_subprocess_exec(
        *command(arguments),
        cwd=place.cwd,
        env=place.environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        output, errors = await asyncio.wait_for(process.communicate(), WATCHDOG)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    return process.returncode, output.decode(), errors.decode()


class Program:
    """One run that serves."""

    def __init__(self, process):
        self.process = process
        self.lines = []
        self.stderr = ""
        self._reading = [asyncio.create_task(self._read_errors())]

    @classmethod
    async def start(cls, arguments, place):
        process = await asyncio.create_subprocess_exec(
            *command(arguments),
            cwd=place.cwd,
            env=place.environment,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=2**26,
            start_new_session=True,
        )
        return cls(process)

    async def _read_errors(self):
        while chunk := await self.process.stderr.read(65_536):
            self.stderr += chunk.decode("utf-8", "replace")

    @contextlib.asynccontextmanager
    async def transport(self):
        """The pipes, as the official client takes them; each line is kept."""
        incoming_writer, incoming = anyio.create_memory_object_stream(100)
        outgoing, outgoing_reader = anyio.create_memory_object_stream(0)

        async def read():
            async with incoming_writer:
                while line := await self.process.stdout.readline():
                    self.lines.append(line.decode())
                    with contextlib.suppress(ValueError):
                        message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
                        await incoming_writer.send(SessionMessage(message))

        async def write():
            async with outgoing_reader:
                async for sent in outgoing_reader:
                    text = sent.message.model_dump_json(by_alias=True, exclude_unset=True)
                    with contextlib.suppress(OSError):
                        self.process.stdin.write(text.encode() + b"\n")
                        await self.process.stdin.drain()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(read)
            tasks.start_soon(write)
            yield incoming, outgoing
            tasks.cancel_scope.cancel()

    def client(self, ask, options):
        """The official client of this program."""
        mode = options.get("protocol", "2025")
        return Client(
            self.transport(),
            mode="legacy" if mode == "2025" else mode,
            elicitation_callback=ask if options.get("elicitation") else None,
            cache=None,
        )

    def say(self, line):
        self.process.stdin.write(line.encode() + b"\n")

    def close_input(self):
        self.process.stdin.close()

    def close_output(self):
        self.process._transport.get_pipe_transport(1).close()

    def signal(self, name):
        self.process.send_signal(getattr(signal, name))

    async def exits(self):
        """The code that it ends with; none when a signal ended it."""
        code = await asyncio.wait_for(self.process.wait(), WATCHDOG)
        await asyncio.wait(self._reading)
        return code if code >= 0 else None

    async def end(self):
        """Ends it, kindly at first."""
        if self.process.returncode is None:
            self.close_input()
            try:
                await asyncio.wait_for(self.process.wait(), WATCHDOG)
            except asyncio.TimeoutError:
                os.killpg(self.process.pid, signal.SIGKILL)
                await self.process.wait()
                raise AssertionError(f"the program did not end: {self.stderr}") from None
        await asyncio.wait(self._reading)

    def check_lines(self):
        """Every line that it wrote is a message of the protocol."""
        for line in self.lines:
            assert json.loads(line)["jsonrpc"] == "2.0", line


async def settled(program, holds):
    await eventually(holds, lambda: program.stderr)
