"""Rows of text below each other. Knows nothing of what they say."""

from __future__ import annotations

from collections.abc import Sequence

from .harmless import on_one_line

__all__ = ["table"]


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table with its head, each column as wide as its widest cell."""
    lines = [list(head), *([on_one_line(cell) for cell in row] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    shown = ("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)
    return "".join(f"{line.rstrip()}\n" for line in shown)
