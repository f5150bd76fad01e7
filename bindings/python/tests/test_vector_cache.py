"""A file of vectors that programs share."""

from __future__ import annotations

import warnings

import pytest
from honeyguide import Honeyguide


class Toy:
    """Counts what it embeds."""

    id = "toy"
    dimensions = 2

    def __init__(self, revision=None):
        self.revision = revision
        self.embedded = 0

    def embed(self, texts, role):
        self.embedded += len(texts)
        return [[len(text), 1] for text in texts]


def program(path, revision=None):
    """An engine of its own, as another program would have it."""
    toy = Toy(revision)
    return Honeyguide(embedder=toy, vector_cache=path, method="hybrid"), toy


def tools(*descriptions):
    return [
        {"id": f"tool_{place}", "description": description, "execute": lambda args: 1}
        for place, description in enumerate(descriptions)
    ]


async def test_what_one_program_has_embedded_no_other_embeds_again_and_one_edit_is_one_text(tmp_path):
    path = tmp_path / "vectors"
    hg, toy = program(path)
    hg.tools.register(tools("Read a file", "Send a mail"))
    await hg.warm_up()
    assert toy.embedded == 2

    hg, toy = program(path)
    hg.tools.register(tools("Read a file", "Send a mail"))
    assert (await hg.warm_up())["embedded"] == 2
    assert toy.embedded == 0

    hg.tools.register(tools("Read a whole file"))
    await hg.warm_up()
    assert toy.embedded == 1


def test_the_same_behind_the_synchronous_door_and_for_another_revision(tmp_path):
    path = tmp_path / "vectors"
    for revision, expected in [("1", 1), ("1", 0), ("2", 1)]:
        hg, toy = program(path, revision)
        hg.tools.register(tools("Read a file"))
        hg.warm_up_sync()
        assert toy.embedded == expected


async def test_a_cache_that_fails_is_said_once_and_everything_is_embedded_without_it(tmp_path):
    hg, toy = program(tmp_path)
    hg.tools.register(tools("Read a file", "Send a mail"))
    with pytest.warns(RuntimeWarning) as caught:
        assert (await hg.warm_up())["embedded"] == 2
    assert (toy.embedded, len(caught)) == (2, 1)
    assert str(tmp_path) in str(caught[0].message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hg.tools.register(tools("Count files"))
        await hg.warm_up()
