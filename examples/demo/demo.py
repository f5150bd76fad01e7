"""A scripted agent on 527 real MCP tools.

The script holds nothing but the model's calls: every reply and number is computed.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

from honeyguide import Honeyguide

folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "data"


def read(name: str) -> str:
    """A file of the data folder."""
    return (folder / name).read_text(encoding="utf-8")


async def main() -> None:
    """Registers everything, then answers the scripted calls."""
    hg = Honeyguide()
    tools = [json.loads(line) for line in read("tools.jsonl").splitlines() if line]
    hg.tools.register([{**tool, "execute": echo(tool["id"])} for tool in tools])
    hg.skills.register(json.loads(read("skills.json")))

    cost = hg.tokens()
    everything, three = cost["catalog"], cost["modelTools"]
    print(
        f"{hg.tools.size} tools and {hg.skills.size} skills; the prompt holds {len(hg.model_tools())} tool definitions"
    )
    print(f"  everything in the prompt  {bar(everything, everything)} {everything} tokens")
    print(f"  three tools               {bar(three, everything)} {three} tokens")

    turns = 0
    replies = 0
    for task in json.loads(read("script.json")):
        print(f"\n> {task['task']}")
        for call in task["calls"]:
            start = time.perf_counter_ns()
            reply = await hg.call(call["name"], call["arguments"])
            micros = (time.perf_counter_ns() - start) / 1000
            tokens = hg.tokens(texts=[compact(reply)])["texts"][0]
            turns += 1
            replies += tokens
            print(f"  {call['name']}({compact(call['arguments'])})")
            print(f"    [{micros:.0f} µs, {tokens} tokens]")
            for line in told(reply):
                print(f"    {line}")

    before = everything * turns
    now = three * turns + replies
    print(
        f"\n{turns} model turns: {before} tokens of definitions with everything in the prompt, "
        f"{now} with Honeyguide (replies included)"
    )
    print(f"that is {before / now:.1f} times less")


def echo(tool_id: str) -> Any:
    """An executor that tells what it was called with."""
    return lambda args: {"tool": tool_id, "received": args}


def told(reply: dict[str, Any]) -> list[str]:
    """A reply in a few lines."""
    if reply.get("isError"):
        candidates = ", ".join(reply.get("candidates", []))
        return [f"{reply['error']}: {reply['message']}", f"candidates: {candidates}", f"next: {reply['next']}"]
    if "status" in reply:
        found = [hit for group in reply["tools"]["groups"] for hit in group["hits"]]
        hits = [f"tool  {hit['toolId']} ({number(hit['score'])})" for hit in found]
        skills = [f"skill {skill['skillId']} ({number(skill['score'])})" for skill in reply["skills"]]
        hint = [f"hint: {reply['hint']}"] if "hint" in reply else []
        return [f"status: {reply['status']}", *hits, *skills, *hint]
    if "skillId" in reply:
        first = reply["body"].split("\n")[0]
        return [f"{reply['name']}, {reply['totalChars']} characters: {first}"]
    return [compact(reply)]


def compact(value: Any) -> str:
    """JSON as JavaScript writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def number(value: float) -> str:
    """As JavaScript writes it: without a fraction of nothing."""
    return f"{value:g}"


def bar(part: int, whole: int) -> str:
    """A share of forty squares."""
    return ("█" * max(1, (80 * part + whole) // (2 * whole))).ljust(40, "·")


asyncio.run(main())
