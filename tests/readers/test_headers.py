"""First rows that name columns are taken for what they are, whatever annotators and labels are called."""

from pathlib import Path

import pytest

from reportgen.readers import ReaderOptions
from reportgen.readers.ratings import READER
from tests.readers.content import ratings_of, table_of, written


@pytest.mark.parametrize(
    "header",
    [
        "item,A,B",  # annotators that are called like labels
        ",A,B",  # an index of pandas
        "snippet,A,B",  # numbered units, and a word above them
        "snippet,1,2",
        "snippet,1021,1022",
        "id,0,1",
    ],
)
@pytest.mark.parametrize("labels", ["AB", "12", "01"])
def test_a_header_is_no_row_of_data(tmp_path: Path, header: str, labels: str) -> None:
    one, other = labels[0], labels[1]
    rows = "".join(f"{number},{one},{other if number % 2 else one}\n" for number in range(1, 6))
    found = table_of(READER, written(tmp_path, {"r.csv": f"{header}\n{rows}"}))
    assert found.content.annotators == tuple(header.split(",")[1:])
    assert len(ratings_of(found).unit_names) == 5


@pytest.mark.parametrize("header", ["0,1,2", "1,2,3", "anna,bob,cara"])
def test_numbers_of_annotators_are_no_labels(tmp_path: Path, header: str) -> None:
    rows = "".join(f"{number}.5,{number + 1}.5,{number}.5\n" for number in (1, 1, 2, 2))
    found = table_of(READER, written(tmp_path, {"r.csv": f"{header}\n{rows}"}))
    assert found.content.annotators == tuple(header.split(","))


def test_whoever_lists_the_annotators_has_a_header(tmp_path: Path) -> None:
    files = written(tmp_path, {"r.csv": "yes,no\nno,no\nyes,yes\n"})
    assert table_of(READER, files, annotators=("yes", "no")).content.annotators == ("yes", "no")
    assert ReaderOptions().annotators is None
