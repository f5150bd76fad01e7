"""Descriptions out of docstrings in three styles."""

import pytest
from honeyguide.docstring import parse_docstring

GOOGLE = """Read a file.

    Returns its text: all of it.

    Args:
        path (str): Where it is,
            from the root.
        limit: How much: at most.
        *rest: Whatever.

    Returns:
        str: The text.

    Raises:
        OSError: When it fails.
    """

NUMPY = """Read a file.

    Returns its text: all of it.

    Parameters
    ----------
    path : str
        Where it is,
        from the root.
    limit : int, optional
        How much: at most.
    *rest
        Whatever.

    Returns
    -------
    str
        The text.
    """

SPHINX = """Read a file.

    Returns its text: all of it.

    :param path: Where it is,
        from the root.
    :param int limit: How much: at most.
    :param rest: Whatever.
    :type path: str
    :returns: The text.
    :raises OSError: When it fails.
    """


@pytest.mark.parametrize("text", [GOOGLE, NUMPY, SPHINX], ids=["google", "numpy", "sphinx"])
def test_the_three_styles_say_the_same(text):
    assert parse_docstring(text) == (
        "Read a file.\n\nReturns its text: all of it.",
        {"path": "Where it is, from the root.", "limit": "How much: at most.", "rest": "Whatever."},
    )


@pytest.mark.parametrize("text", [None, "", "   \n  "])
def test_no_docstring_says_nothing(text):
    assert parse_docstring(text) == ("", {})


def test_numpy_names_that_share_a_line_share_their_description():
    assert parse_docstring("X.\n\nParameters\n----------\na, b : int\n    Both.\n")[1] == {"a": "Both.", "b": "Both."}


def test_prose_with_colons_is_prose():
    text = "Use when: the user asks.\n\nExample usage: call it.\n    indented: still prose"
    assert parse_docstring(text) == (text, {})


def test_a_section_about_something_else_is_no_argument():
    assert parse_docstring("X.\n\nRaises:\n    ValueError: no.\nArgs:\n    a: yes")[1] == {"a": "yes"}
