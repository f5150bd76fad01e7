"""From a docstring to what it says of the function and of each argument.

Reads the Google, NumPy and Sphinx styles; knows nothing of types or schemas.
"""

from __future__ import annotations

import re

__all__ = ["parse_docstring"]

_ARGUMENTS = {"args", "arguments", "parameters", "params", "other parameters", "keyword args", "keyword arguments"}
_SECTIONS = _ARGUMENTS | {
    "attributes", "example", "examples", "note", "notes", "raises", "references", "return", "returns", "see also",
    "todo", "warning", "warnings", "warns", "yield", "yields",
}  # fmt: skip

_GOOGLE_ENTRY = re.compile(r"\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)")
_NUMPY_ENTRY = re.compile(r"\*{0,2}(\w+(?:\s*,\s*\w+)*)\s*(?::.*)?$")
_SPHINX_FIELD = re.compile(r":(\w+)(?:\s+([^:]*))?:\s*(.*)")
_SPHINX_ARGUMENTS = {"param", "parameter", "arg", "argument", "key", "keyword"}


def parse_docstring(text: str | None) -> tuple[str, dict[str, str]]:
    """The description (everything before the first section) and the arguments' descriptions by name."""
    about: list[str] = []
    arguments: dict[str, list[str]] = {}
    lines = _dedent(text or "")
    section: str | None = None
    entry: list[str] | None = None
    entry_indent = 0
    numpy = False
    at = 0
    while at < len(lines):
        line = lines[at]
        stripped = line.strip()
        indent = len(line) - len(line.lstrip())
        at += 1

        field = _SPHINX_FIELD.match(stripped) if indent == 0 else None
        if field:
            section, numpy = "sphinx", False
            name = field[2].split()[-1] if field[2] and field[2].split() else ""
            entry = [field[3]]
            if field[1] in _SPHINX_ARGUMENTS and name:
                arguments[name.lstrip("*")] = entry
            continue

        if indent == 0 and stripped:
            underlined = at < len(lines) and re.fullmatch(r"-{3,}", lines[at].strip()) is not None
            title = stripped.removesuffix(":").lower()
            if title in _SECTIONS and (underlined or stripped.endswith(":")):
                section, entry, numpy, entry_indent = title, None, underlined, 0
                at += underlined
                continue
            if section is not None and not (numpy and section in _ARGUMENTS):
                # Text at the margin after a section belongs to nothing that a caller needs.
                entry = None
                continue

        if section is None:
            about.append(line)
        elif section in _ARGUMENTS and stripped:
            found = (_NUMPY_ENTRY if numpy else _GOOGLE_ENTRY).match(stripped)
            if found and (indent == 0 if numpy else entry is None or indent <= entry_indent):
                entry, entry_indent = [] if numpy else [found[2]], indent
                for name in found[1].split(","):
                    arguments[name.strip()] = entry
            elif entry is not None:
                entry.append(stripped)
        elif section == "sphinx" and entry is not None and stripped:
            entry.append(stripped)
    return "\n".join(about).strip(), {name: " ".join(part).strip() for name, part in arguments.items()}


def _dedent(text: str) -> list[str]:
    """The lines without the margin that all but the first share (as `inspect.cleandoc` does)."""
    lines = text.expandtabs().splitlines()
    margins = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    margin = min(margins, default=0)
    return [line.strip() if at == 0 else line[margin:].rstrip() for at, line in enumerate(lines)]
