"""Lists of terms: one a line, and what is wrong with them is said by file and line."""

from collections.abc import Callable
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput, Problem
from reportgen.campaign import load
from reportgen.campaign.csv_tables import read_terms
from tests.campaign.conftest import Make

OnlyProblem = Callable[..., Problem]

CANDIDATES = "[[unit_sets]]\nid = 'genes'\nunits = 'candidates'\nfile = 'genes.txt'\n"


def read(folder: Path, content: bytes) -> tuple[str, ...]:
    path = folder / "genes.txt"
    path.write_bytes(content)
    return read_terms(path, "c/genes.txt")


def test_terms_stand_one_a_line_between_comments_and_blank_lines(tmp_path: Path) -> None:
    """What is there twice counts once, and Windows' line ends and byte order mark are no part of it."""
    content = "\ufeff# names\r\nypdA\r\n\r\n  spo 0A \r\nypdA\r\nx#y\r\n".encode()
    assert read(tmp_path, content) == ("ypdA", "spo 0A", "x#y")


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"", 0, "lists no term."),
        (b"# nothing\n\n", 0, "lists no term."),
        (b"abc\ncaf\xe9\n", 2, "byte 0xe9 is not UTF-8."),
    ],
    ids=["empty", "comments", "Latin-1"],
)
def test_a_list_without_terms_or_in_another_encoding_is_refused(
    tmp_path: Path, content: bytes, line: int, message: str
) -> None:
    """The place is named where there is one."""
    with pytest.raises(BadInput) as caught:
        read(tmp_path, content)
    (problem,) = caught.value.problems
    assert (problem.file, problem.line, problem.message) == ("c/genes.txt", line, message)
    assert problem.remedy


def test_a_campaign_reads_its_lists_when_it_is_loaded(
    make: Make, problem: OnlyProblem, smallest: str
) -> None:
    """A mistake stops before any export is read."""
    campaign = load(make(smallest + CANDIDATES, {"genes.txt": "ypdA\n"}))
    version = campaign.version("1.0")
    assert version.terms(version.unit_sets[0]) == ("ypdA",)
    found = problem(smallest + CANDIDATES, {"genes.txt": "# none\n"})
    assert found.file.endswith("genes.txt")
    assert found.message == "lists no term."
