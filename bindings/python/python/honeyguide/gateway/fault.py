"""What is wrong with what a person wrote, in words for that person. Knows nothing else."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["ConfigurationFault", "meant", "nearest"]

_MOST_EDITS = 2


class ConfigurationFault(Exception):  # noqa: N818 (it is a sentence on its way to a person)
    """What is wrong with a configuration or a command line, and where."""


def nearest(word: str, known: Iterable[str], most: int = _MOST_EDITS) -> str | None:
    """The known word that was probably meant."""
    ranked = sorted(((_edits(word, one), place, one) for place, one in enumerate(known)), key=lambda each: each[:2])
    return ranked[0][2] if ranked and ranked[0][0] <= most else None


def meant(word: str, known: Iterable[str]) -> str:
    """What is near to a word, or all that there is."""
    known = list(known)
    near = nearest(word, known)
    return f"known: {', '.join(known)}" if near is None else f"did you mean `{near}`?"


def _edits(one: str, other: str) -> int:
    """How many letters are to be put in, taken out or changed to make one word the other."""
    row = list(range(len(other) + 1))
    for line, letter in enumerate(one, 1):
        above, row[0] = row[0], line
        for place, there in enumerate(other, 1):
            above, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, above + (letter != there))
    return row[-1]
