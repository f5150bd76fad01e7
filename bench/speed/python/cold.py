"""One cold start: `cold.py bare|tools|honeyguide|ratel TOOLS.jsonl`. Imports only what the row needs."""

import sys

what, path = sys.argv[1:]
if what != "bare":
    import json

    with open(path, encoding="utf-8") as file:
        tools = [json.loads(line) for line in file]
if what == "honeyguide":
    import honeyguide

    engine = honeyguide.Honeyguide()
    engine.tools.register([{**tool, "execute": lambda **arguments: arguments} for tool in tools])
    hits = engine.tools.search("export the table to a file", top_k=5)
if what == "ratel":
    from ratel_ai import ExecutableTool, ToolCatalog

    catalog = ToolCatalog()
    for tool in tools:
        catalog.register(
            ExecutableTool(
                id=tool["id"],
                name=tool["name"],
                description=tool["description"],
                input_schema=tool["inputSchema"],
                execute=lambda arguments: arguments,
            )
        )
    hits = catalog.search("export the table to a file", 5)
