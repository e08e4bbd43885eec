"""Campaign folders made for one test, and what is wrong with them."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from reportgen.base.errors import BadInput, Problem
from reportgen.campaign import load

SMALLEST = """\
title = "Smallest"
[[guidelines]]
version = "1.0"
exports = "exports/1.0"
"""

Make = Callable[..., Path]
Problems = Callable[..., tuple[Problem, ...]]


def reading(folder: Path, reader: Callable[[Path, str], Any]) -> Callable[[str | bytes], Any]:
    """Return a function that reads a file, called "t", from its content."""

    def read(content: str | bytes) -> Any:  # noqa: ANN401 - whatever the reader returns
        (folder / "table").write_bytes(content if isinstance(content, bytes) else content.encode())
        return reader(folder / "table", "t")

    return read


def problems_in(read: Callable[..., Any], content: str | bytes) -> tuple[Problem, ...]:
    """Return why a file is refused."""
    with pytest.raises(BadInput) as raised:
        read(content)
    assert all(problem.file == "t" and problem.remedy for problem in raised.value.problems)
    return raised.value.problems


def refusing(read: Callable[..., Any]) -> Callable[[str | bytes], list[tuple[int, str, str]]]:
    """Return a function that gives line, key and message of all that is wrong with a file."""
    return lambda content: [(each.line, each.key, each.message) for each in problems_in(read, content)]


@pytest.fixture
def smallest() -> str:
    """Return the text of the smallest campaign.toml."""
    return SMALLEST


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Return a function that makes a campaign folder from the text of its campaign.toml and other files."""

    def make_one(toml: str | bytes, files: Mapping[str, str] | None = None) -> Path:
        folder = tmp_path / "gene-renaming"
        for name, text in ({"exports/1.0/ratings.csv": "item,A1,A2\n"} | dict(files or {})).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        (folder / "campaign.toml").write_bytes(toml if isinstance(toml, bytes) else toml.encode())
        return folder

    return make_one


@pytest.fixture
def problems(make: Make) -> Problems:
    """Return a function that gives what is wrong with a campaign.toml, the campaign being called "c"."""

    def problems_of(toml: str | bytes, files: Mapping[str, str] | None = None) -> tuple[Problem, ...]:
        with pytest.raises(BadInput) as raised:
            load(make(toml, files), "c")
        return raised.value.problems

    return problems_of


@pytest.fixture
def problem(problems: Problems) -> Callable[..., Problem]:
    """Return a function that gives the only thing that is wrong with a campaign.toml."""

    def only_problem(toml: str | bytes, files: Mapping[str, str] | None = None) -> Problem:
        found = problems(toml, files)
        assert len(found) == 1, "\n".join(map(str, found))
        return found[0]

    return only_problem


@pytest.fixture
def whole() -> tuple[str, Mapping[str, str]]:
    """Return a campaign.toml that uses every key, and the files that it speaks of."""
    files = {
        "exports/1.0/A1/one.csv": "x",
        "exports/1.1/A1/one.csv": "x",
        "exports/1.1/A2/one.csv": "x",
        "guidelines/1.0.md": "# Guidelines",
        "distances/expert.csv": ",Former,New\nFormer,0,0.5\nNew,0.5,0\n",
        "distances/second.csv": ",Former,New\nFormer,0,1\nNew,1,0\n",
        "controls.csv": "unit,label\nu1,New\n",
        "sizes.csv": "document,size\none,12\n",
        "terms.txt": "spo0A\n",
        "prompts/1.0.md": "Is it a gene?",
    }
    return (Path(__file__).parent / "whole.toml").read_text(encoding="utf-8"), files
