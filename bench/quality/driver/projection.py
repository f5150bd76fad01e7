"""The text that the reference has embedded of a tool or a skill: its words, joined by spaces. Knows nothing of vectors.

As it does it: the name as it is written and cut into words, the description, and of each property of the schema the
name in both ways, the description and the texts among its values, then what lies within it; of lists, what lies within
their items. Of a skill, name and description; bodies are not read.
"""

from __future__ import annotations

from typing import Any


def projection(line: dict[str, Any]) -> str:
    """The text of a line of a set."""
    parts = [*identifier(line.get("name", line["id"])), line.get("description", "")]
    if not line.get("body"):
        parts += within(line.get("inputSchema"))
    return " ".join(part for part in parts if part)


def within(schema: Any) -> list[str]:
    """The words of a schema's properties."""
    if not isinstance(schema, dict):
        return []
    parts: list[str] = []
    properties = schema.get("properties")
    for name, child in properties.items() if isinstance(properties, dict) else ():
        parts += identifier(name)
        if isinstance(child, dict):
            description, values = child.get("description"), child.get("enum")
            parts += [description] if isinstance(description, str) else []
            parts += [value for value in values if isinstance(value, str)] if isinstance(values, list) else []
        parts += within(child)
    return parts + within(schema.get("items"))


def identifier(name: str) -> list[str]:
    """A name as it is written and, where that differs, cut at underscores and before capitals behind small letters."""
    cut, before = "", ""
    for letter in name:
        if letter == "_":
            cut += " "
        else:
            cut += f" {letter}" if letter.isupper() and before.islower() else letter
        before = letter
    return [name] if cut == name else [name, cut]
