"""What the facade and the boundary add to a search: bench/search.py [TOOLS]

Prints microseconds per call (best of many short rounds), for the facade, for the bare native call, and for its JSON.
The twin of `bindings/node/bench/search.mjs`: the same tools and questions.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable

from honeyguide import Honeyguide
from honeyguide._native import Engine

# Many short rounds: on a machine that others use, the best one had the processor to itself.
ROUNDS = 60
CALLS = 200

NOUNS = (  # noqa: SIM905 (words, not lines)
    "issue file branch commit review label message channel invoice customer order ticket event calendar contact table "
    "row column page comment folder image user team project task note report alert metric"
).split()
VERBS = "create list get update delete search send archive merge close open export import assign move".split()  # noqa: SIM905
SERVERS = "github slack mail drive jira stripe notion postgres calendar grafana".split()  # noqa: SIM905


def tool(place: int) -> dict[str, object]:
    verb = VERBS[place % len(VERBS)]
    noun = NOUNS[place // len(VERBS) % len(NOUNS)]
    server = SERVERS[place % len(SERVERS)]
    words = ["name", "owner", "created", "updated"]
    return {
        "id": f"{server}__{verb}_{noun}_{place}",
        "description": f"{verb} a {noun} on {server}. Use it when the user asks to {verb} one {noun} or several.",
        "server": server,
        "inputSchema": {
            "type": "object",
            "properties": {
                f"{noun}_id": {"type": "string", "description": f"The {noun} to {verb}"},
                "limit": {"type": "integer", "description": "How many at the most", "default": 20},
                "fields": {"type": "array", "items": {"type": "string", "enum": words}},
            },
            "required": [f"{noun}_id"],
        },
        "execute": lambda args: args,
    }


def query(place: int) -> str:
    noun = NOUNS[place * 7 % len(NOUNS)]
    verb = VERBS[place * 3 % len(VERBS)]
    return f"{verb} the {noun} that my team opened on {SERVERS[place % len(SERVERS)]}"


def main(count: int) -> None:
    tools = [tool(place) for place in range(count)]
    queries = [query(place) for place in range(50)]
    hg = Honeyguide()
    registered = best(1, lambda _: hg.tools.replace_all(tools), rounds=9)
    native = Engine("{}")
    native.load(hg.save())
    requests = [json.dumps({"kind": "tool", "query": text}) for text in queries]
    answers = [native.call("search", request) for request in requests]
    first = tools[0]
    argument = {next(iter(first["inputSchema"]["properties"])): "x"}  # type: ignore[index]
    report("register, per tool", registered / count)
    report("hg.tools.search", best(CALLS, lambda call: hg.tools.search(queries[call % 50])))
    report("native.call(search)", best(CALLS, lambda call: native.call("search", requests[call % 50])))
    report("native.call(size)", best(CALLS, lambda _: native.call("size", '{"kind":"tool"}')))
    report("json.loads of an answer", best(CALLS, lambda call: json.loads(answers[call % 50])))
    with_schemas = best(CALLS, lambda call: hg.tools.search(queries[call % 50], include=["schema", "description"]))
    report("hg.tools.search, with schemas", with_schemas)
    report("hg.tools.invoke_sync", best(CALLS, lambda _: hg.tools.invoke_sync(first["id"], argument)))


def best(times: int, run: Callable[[int], object], rounds: int = ROUNDS) -> float:
    least = float("inf")
    for _ in range(rounds):
        began = time.perf_counter_ns()
        for call in range(times):
            run(call)
        least = min(least, (time.perf_counter_ns() - began) / 1000 / times)
    return least


def report(what: str, microseconds: float) -> None:
    print(f"{what:32} {microseconds:9.2f} µs")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
