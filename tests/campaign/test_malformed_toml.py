"""A campaign.toml that is not TOML."""

from collections.abc import Callable
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput, Problem
from reportgen.campaign import load
from tests.cases import cases

OnlyProblem = Callable[..., Problem]


@pytest.mark.parametrize(("lines", "line", "message", "remedy"), cases(__file__, "malformed"))
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
