"""Distances between categories, read from a CSV table."""

from collections.abc import Callable
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput
from reportgen.campaign import DistanceMatrix
from reportgen.campaign.csv_tables import read_distances
from tests.campaign.conftest import reading, refusing

Read = Callable[[str], DistanceMatrix]
Refusals = Callable[[str], list[tuple[int, str, str]]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    return reading(tmp_path, read_distances)


@pytest.fixture
def refusals(read: Read) -> Refusals:
    return refusing(read)


def test_a_table_is_read_in_the_order_of_its_columns(read: Read) -> None:
    """Categories and distances stay together; its id and its reason are whose table it is."""
    table = read(",New,Former\nNew,0,0.25\nFormer,0.25,0\n")
    assert table == DistanceMatrix("", ("New", "Former"), ((0, 0.25), (0.25, 0)), "", "t")


def test_rows_may_stand_in_another_order(read: Read) -> None:
    """The columns' order is the categories' order."""
    assert read(",A,B,C\nC,2,3,0\nA,0,1,2\nB,1,0,3\n").rows == ((0, 1, 2), (1, 0, 3), (2, 3, 0))


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_the_delimiter_is_detected(read: Read, mark: str) -> None:
    """Whatever the spreadsheet wrote is read."""
    assert read(",A,B\nA,0,0.5\nB,.5,0\n".replace(",", mark)).rows == ((0, 0.5), (0.5, 0))


def test_a_decimal_comma_counts_where_the_delimiter_is_another(read: Read) -> None:
    """Half a French spreadsheet is no text."""
    assert read(";A;B\nA;0;0,5\nB;5e-1;0,0\n").rows == ((0, 0.5), (0.5, 0))


def test_blank_rows_and_blanks_around_cells_do_not_count(read: Read) -> None:
    """What a spreadsheet leaves behind is passed over."""
    assert read("\n, A ,B\nA,0, 1\n,,\nB, 1 ,-0\n\n").rows == ((0, 1), (1, 0))


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("far", 'is "far", which is not a number; a distance was expected.'),
        ("", "is empty; a distance was expected."),
        ("nan", 'is "nan", which is not finite.'),
        ("-Infinity", 'is "-Infinity", which is not finite.'),
        ("1e999", 'is "1e999", which is not finite.'),
        ("1_0", 'is "1_0", which is not a number; a distance was expected.'),
        ("-0.5", "is -0.5; a distance is never negative."),
    ],
)
def test_a_cell_is_a_finite_number_that_is_not_negative(refusals: Refusals, cell: str, message: str) -> None:
    """The error names the line and the cell."""
    assert (2, "row A, column B", message) in refusals(f",A,B\nA,0,{cell}\nB,1,0\n")


def test_the_diagonal_is_zero(refusals: Refusals) -> None:
    """A category is not away from itself."""
    assert refusals(",A,B\nA,0,1\nB,1,0.1\n") == [
        (3, "row B, column B", "is 0.1; a category is at distance 0 from itself.")
    ]


def test_a_table_is_symmetric(refusals: Refusals) -> None:
    """Both cells are named with their values, once."""
    message = "is 0.4, but row A, column B (line 2) is 0.5; distances are the same both ways."
    assert refusals(",A,B\nA,0,0.5\nB,0.4,0\n") == [(3, "row B, column A", message)]


def test_a_table_is_square(refusals: Refusals) -> None:
    """The counts are named, and the categories that are missing."""
    assert refusals(",A,B\nA,0,1\n") == [
        (1, "", "is not square: 1 row and 2 columns."),
        (1, "column B", 'has no row; the rows are "A".'),
    ]


def test_a_row_has_one_distance_a_column(refusals: Refusals) -> None:
    """A short row is named, not filled."""
    assert (3, "row B", "has 1 distance; 2 were expected, one a column.") in refusals(",A,B\nA,0,1\nB,1\n")


def test_rows_have_the_columns_names(read: Read, refusals: Refusals) -> None:
    """A mistyped category is found with what was meant."""
    text = ",Former,New\nFormer,0,1\nNwe,1,0\n"
    assert [key for _, key, _ in refusals(text)] == ["column New", "row Nwe"]
    with pytest.raises(BadInput) as raised:
        read(text)
    assert raised.value.problems[1].remedy == 'Did you mean "New"?'


def test_names_are_there_once(refusals: Refusals) -> None:
    """A category has one row and one column."""
    found = refusals(",A,A,\nA,0,0,1\nA,0,0,1\n,1,1,0\n")
    assert (1, "column A", "is the second column of that name.") in found
    assert (1, "column 4", "has no name.") in found
    assert (3, "row A", "is the second row of that name.") in found


@pytest.mark.parametrize("text", ["", "\n\n", ",,\n"])
def test_an_empty_file_is_refused(refusals: Refusals, text: str) -> None:
    """Nothing is no table."""
    assert refusals(text) == [(0, "", "is empty.")]


def test_a_table_without_columns_is_refused(refusals: Refusals) -> None:
    """A first row without categories says nothing."""
    assert "names no category" in refusals("A\nB\n")[0][2]


def test_a_cell_beyond_all_bounds_is_told(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the CSV reader refuses is refused in words."""
    monkeypatch.setattr("reportgen.base.files.FIELD_LIMIT", 10)
    with pytest.raises(BadInput, match="is no CSV table: a quote is not closed"):
        read(f",A\nA,{'0' * 100}\n")
