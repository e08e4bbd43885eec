"""How many units each document holds, read from a CSV table."""

from pathlib import Path

import pytest

from reportgen.campaign.csv_tables import read_sizes
from tests.campaign.conftest import reading, refusing


def _sizes(folder: Path, text: str) -> dict[str, int]:
    sizes: dict[str, int] = reading(folder, read_sizes)(text)
    return sizes


def _refusals(folder: Path, text: str) -> list[tuple[int, str, str]]:
    return refusing(reading(folder, read_sizes))(text)


@pytest.mark.parametrize(
    "text",
    ["document,size\na,10\nb,0\n", "Size;Document\n10;a\n0;b\n", "document\tsize\n\na\t10\n\t\nb\t0\n"],
)
def test_sizes_are_read_by_document(tmp_path: Path, text: str) -> None:
    """The order of the columns and the delimiter are the file's own."""
    assert _sizes(tmp_path, text) == {"a": 10, "b": 0}


@pytest.mark.parametrize("text", ["a,10\nb,20\n", "document,size,size\n", "name,size\na,1\n"])
def test_the_columns_are_document_and_size(tmp_path: Path, text: str) -> None:
    """A first row that names other columns may be data."""
    ((line, key, message),) = _refusals(tmp_path, text)
    assert (line, key) == (1, "first row")
    assert message.endswith("document and size were expected.")


def test_all_that_is_wrong_comes_at_once(tmp_path: Path) -> None:
    """Each row is told with its line and cell."""
    text = "document,size\na,-1\nb,1.5\nc,\nc,7\n,8\nd,9,9\ne," + "9" * 5000 + "\n"
    assert [(line, key) for line, key, _ in _refusals(tmp_path, text)] == [
        (2, "row a, column size"),
        (3, "row b, column size"),
        (4, "row c, column size"),
        (5, "row c"),
        (6, "column document"),
        (7, ""),
        (8, "row e, column size"),
    ]


def test_a_document_stands_there_once(tmp_path: Path) -> None:
    """The error names the line of the first."""
    assert _refusals(tmp_path, "document,size\na,1\na,1\n") == [(3, "row a", "is on line 2 already.")]


def test_a_table_without_documents_is_refused(tmp_path: Path) -> None:
    """Column names alone declare nothing."""
    assert _refusals(tmp_path, "document,size\n") == [(1, "", "lists no document.")]
