"""First rows that name columns are taken for what they are, whatever annotators and labels are called."""

import time
from pathlib import Path

import pytest

from reportgen.readers import ReaderOptions, string_tables
from reportgen.readers.ratings import READER
from reportgen.readers.table_columns import find_layout
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


@pytest.mark.slow
def test_twenty_thousand_columns_are_understood_at_once(tmp_path: Path) -> None:
    columns = 20_000
    lines = ["unit," + ",".join(f"A{number}" for number in range(columns))]
    for row in range(3):
        cells = ("xy"[row % 2] if column % 400 == row else "" for column in range(columns))
        lines.append(f"u{row},{','.join(cells)}")
    (file,) = written(tmp_path, {"e.csv": "\n".join(lines)})
    table = string_tables.read_table(file)
    begun = time.monotonic()
    assert len(find_layout(table, ReaderOptions()).annotators) == columns
    assert time.monotonic() - begun < 5
