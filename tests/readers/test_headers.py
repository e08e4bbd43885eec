"""First rows that name columns are taken for what they are, whatever annotators and labels are called."""

import time
from pathlib import Path

import pytest

from reportgen.readers import ReaderOptions, read_export, string_tables
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


@pytest.mark.parametrize(
    ("row", "units"),
    [
        ("Total,5,7", 8),
        ("Total agreement,,0.75", 8),
        ("Percent agreement:,75%,", 8),
        ("Cohen's kappa,.5,", 8),
        # Labels behind it, another word.
        ("Total agreement,a,b", 9),
        ("Total score essay,1,2", 9),
    ],
)
def test_rows_called_like_sums_are_no_units(tmp_path: Path, row: str, units: int) -> None:
    rows = [f"u{number},{'ab'[number % 2]},{'ab'[number % 3 == 0]}" for number in range(8)]
    text = "\n".join(["text,anna,bob", *rows[:4], row, *rows[4:]]) + "\n"
    found = table_of(READER, written(tmp_path, {"r.csv": text}))
    assert len(ratings_of(found).unit_names) == units


@pytest.mark.parametrize(
    ("row", "units"),
    [
        # Called so in any column, or sums, means and numbers of the others, of no unit.
        (",,Total,10,10", 10),
        (",,,3,2", 10),
        (",,Σ,3,8", 10),
        ("t2,s11,Total,yes,no", 11),
    ],
)
@pytest.mark.parametrize("apart", [False, True])
def test_a_row_of_no_unit_that_sums_up_others_is_left_out(
    tmp_path: Path, row: str, units: int, *, apart: bool
) -> None:
    """So it is below the labels of each coder, in a file or a sheet of their own."""
    rows = [
        f"t{n % 2},s{n},Words {n} of a text.,{'no' if n % 3 else 'yes'},{'no' if n % 5 else 'yes'}"
        for n in range(1, 11)
    ]
    table = [line.split(",") for line in ("text,sentence id,words,anna,ben", *rows, row)]
    files = {"r.csv": table}
    if apart:
        files = {f"{who}.csv": [[*line[:3], line[at]] for line in table] for who, at in (("a", 3), ("b", 4))}
        files = {name: [[*lines[0][:3], "label"], *lines[1:]] for name, lines in files.items()}
    for name, lines in files.items():
        (tmp_path / name).write_text("\n".join(map(",".join, lines)), encoding="utf-8")
    content = read_export([(tmp_path / name, name) for name in files]).ratings
    assert len(content.unit_names) == units
    assert set(content.labels) == {"yes", "no"}


@pytest.mark.parametrize("header", ["0,1,2", "1,2,3", "anna,bob,cara"])
def test_numbers_of_annotators_are_no_labels(tmp_path: Path, header: str) -> None:
    rows = "".join(f"{number}.5,{number + 1}.5,{number}.5\n" for number in (1, 1, 2, 2))
    found = table_of(READER, written(tmp_path, {"r.csv": f"{header}\n{rows}"}))
    assert found.content.annotators == tuple(header.split(","))


def test_whoever_lists_the_annotators_has_a_header(tmp_path: Path) -> None:
    files = written(tmp_path, {"r.csv": "yes,no\nno,no\nyes,yes\n"})
    assert table_of(READER, files, annotators=("yes", "no")).content.annotators == ("yes", "no")
    assert ReaderOptions().annotators is None


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


def test_a_column_whose_labels_no_other_has_is_still_no_annotator(tmp_path: Path) -> None:
    rows = "".join(f"u{row},x,{'xy'[row % 2]},note {row}\n" for row in range(12))
    (file,) = written(tmp_path, {"e.csv": f"unit,A,B,C\n{rows}"})
    found = read_export([(file.path, file.name)]).ratings
    assert found.annotators == ("A", "B")
