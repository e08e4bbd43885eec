"""A campaign.toml that is not TOML."""

from collections.abc import Callable
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput, Problem
from reportgen.campaign import load

OnlyProblem = Callable[..., Problem]


@pytest.mark.parametrize(
    ("lines", "line", "message", "remedy"),
    [
        ("title = Gene renaming", 2, "what follows = is not a value.", "in quotes"),
        ("title", 2, "a key without = was found.", 'Write key = "value".'),
        ("= 5", 2, "neither a key", "key ="),
        ("é = 5", 2, "neither a key", "accents"),
        ('title = "a" "b"', 2, "something follows the end of the value.", "inside the quotes"),
        ("a = 1\na = 2", 3, "this key has a value already.", "Keep one"),
        ("a = { b = 1, b = 2 }", 2, "this key has a value already.", "Keep one"),
        ("[a]\n[a]", 3, "this table was opened before.", "under one [table]"),
        ("a = []\n[[a]]", 3, "was closed where it was first written.", "in one place"),
        ("a = {}\n[a.b]", 3, "this table was opened before.", "under one [table]"),
        ("a = {}\na.b = 1", 3, "was closed where it was first written.", "in one place"),
        ("[a", 2, "a bracket of a table's name is not closed.", "[[table]]"),
        ('a = ["x"', 2, "a list is not closed.", '["one", "two"]'),
        ('a = ["x" "y"]', 2, "a list is not closed.", '["one", "two"]'),
        ('a = { b = "x"', 2, "a table in braces is not closed.", "on one line"),
        (r'a = "C:\exports"', 2, "a text in double quotes has a single backslash.", "single quotes"),
        ('a = "x\nb = 1', 2, "a text is not closed by a quote on its line.", "Add the quote"),
        ('a = "x', 2, "a text is not closed by a quote.", "Add the quote"),
        ("a = 2009-02-30", 2, "no such date exists.", "year first"),
        ("a = 2009-13-01", 2, "this is not a date.", "year first"),
        ("a = 1.2.2009  # February", 2, "this is not a date.", "year first"),
        ("a = 1/2/2009", 2, "this is not a date.", "year first"),
        ('b = 1\na = """\nx\ny\n', 3, "not closed", "quote"),
        ("a = '''\n\n\n", 2, "what begins here is not closed.", "Close its quotes"),
        ("a = " + "[" * 100_000, 2, "lists or tables are nested too deeply.", "brackets"),
        ("a = " + "9" * 5000, 2, "a number has too many digits.", "smaller"),
        ("a = '\x01'", 2, "this is not TOML", "toml.io"),
    ],
)
def test_malformed_toml_is_told_with_line_and_remedy(
    problem: OnlyProblem, lines: str, line: int, message: str, remedy: str
) -> None:
    """The error names the line, shows it, and says how to write it."""
    found = problem(f"# first line\n{lines}")
    assert (found.file, found.line) == ("c/campaign.toml", line)
    assert message in found.message
    assert remedy in found.remedy
    assert str(found).isprintable()


def test_the_line_is_shown(problem: OnlyProblem) -> None:
    """Nobody has to count lines to see what is meant."""
    found = problem("title = Gene\r\n")
    assert found.message == 'what follows = is not a value. The line reads "title = Gene".'


def test_a_key_of_a_thousand_parts_is_refused(make: Callable[..., Path]) -> None:
    folder = make(f"title = 'T'\n{'.'.join(['a'] * 1000)} = 1\n")
    with pytest.raises(BadInput, match="lists or tables are nested too deeply"):
        load(folder)
