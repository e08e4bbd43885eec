"""Rows as programs write them are taken as they are, and that changes nothing."""

import csv
import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.base.files import SAMPLE_ROWS, rows
from reportgen.readers import read_export, table_rows, table_shapes
from reportgen.readers.annotations import Texts
from reportgen.readers.table_rows import mend_rows, to_fill_down

# What tables have besides labels, and what looks like it.
CELLS = (
    *("", " ", "a", "a ", "b", "1", "2,5", "50%", "item", "label", "label "),
    *("Total", "total:", "mean", "Total agreement", "see the notes below", "# by hand", '{"ImportId":"q"}'),
)


@st.composite
def tables(draw: st.DrawFn) -> list[tuple[int, list[str]]]:
    """Draw rows, most of them as long as the header, most of their cells filled."""
    width = draw(st.integers(1, 4))
    cells = st.one_of(st.sampled_from(CELLS), st.sampled_from("abcd"))
    header = st.one_of(st.just(["item", "who", "label", "note"][:width]), st.lists(cells, max_size=4))
    row = st.one_of(st.lists(cells, min_size=width, max_size=width), st.lists(cells, max_size=5))
    rows = [draw(header), *draw(st.lists(row, max_size=9))]
    return [(number, cells) for number, cells in enumerate(rows, 1) if cells]


@given(tables())
def test_rows_as_programs_write_them_need_not_be_looked_at(rows: list[tuple[int, list[str]]]) -> None:
    if not rows:
        return
    found = mend_rows(rows)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(table_rows, "are_as_expected", lambda *_: False)
        assert mend_rows(rows) == found


@given(st.lists(st.lists(st.sampled_from("abcd"), min_size=3, max_size=3), max_size=12))
def test_no_column_without_an_empty_cell_is_filled_down(rows: list[list[str]]) -> None:

    assert to_fill_down(pd.DataFrame(rows, columns=["document", "item", "label"], dtype="object")) == ()


def test_a_row_of_sums_is_left_out_below_rows_without_an_empty_cell() -> None:
    rows = [(1, ["item", "Ann", "Bob"]), *((n, [f"u{n}", "1", "2"]) for n in range(2, 9))]
    assert mend_rows(rows)[1].skip_rows == ()
    assert mend_rows([*rows, (9, ["Mean", "1.0", "2.0"])])[1].skip_rows == (9,)


@pytest.mark.parametrize(("units", "left_out"), [("123456789abc", True), ("121221211221", False)])
def test_a_row_without_a_key_sums_up_others_only_where_the_first_column_has_keys(
    units: str, *, left_out: bool
) -> None:
    """A first annotator who skipped a unit is no row of means."""
    rows = [(n, [unit, "12"[n % 4 == 0], "21"[n % 4 == 0]]) for n, unit in enumerate(units, 2)]
    found = mend_rows([(1, ["Ann", "Bob", "Cid"]), *rows, (14, ["", "1", "2"])])[1].skip_rows
    assert found == ((14,) if left_out else ())


@given(st.text(alphabet='ab,; \r\n"', max_size=40), st.sampled_from([None, 1, SAMPLE_ROWS + 1]))
def test_rows_without_quotation_marks_are_those_of_pythons_reader(text: str, limit: int | None) -> None:
    read = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    assert rows(text, ",", limit) == read[:limit]
    many = f"a,b\r\n{text}\r\n" * (SAMPLE_ROWS + 2)
    plain = [row for row in csv.reader(io.StringIO(many, newline="")) if row]
    assert rows(many, ",", SAMPLE_ROWS + 1) == plain[: SAMPLE_ROWS + 1]


@pytest.mark.parametrize(("people", "looks"), [(4, 1.0), (3, 0.0)])
@pytest.mark.parametrize("others_first", [False, True])
def test_four_values_of_five_tell_what_a_column_looks_like(
    people: int, looks: float, *, others_first: bool
) -> None:
    values = [f"rater{number}" if number < people else f"{number}?" for number in range(5)]
    column = table_shapes.Column("who", Texts.of(values[:: -1 if others_first else 1]))
    assert column.looks(table_shapes.OF_PERSON) == looks


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=12), st.sampled_from([1, 1000]))
def test_pairs_of_codes_are_told_apart_whatever_room_they_take(
    pairs: list[tuple[int, int]], spread: int
) -> None:
    columns = table_shapes.TableColumns(
        {"a": Texts.of(str(one) for one, _ in pairs), "b": Texts.of(str(other) for _, other in pairs)}
    )
    codes = columns.codes(("a", "b"))
    assert len({*zip(pairs, codes.tolist(), strict=True)}) == len({*pairs}) == len({*codes.tolist()})
    group, value = (np.array([pair[side] * spread for pair in pairs], dtype=np.int64) for side in (0, 1))
    others = {one: len({other for first, other in pairs if first == one}) for one, _ in pairs}
    assert sorted(table_shapes.values_by(group, value).tolist()) == sorted(others.values())


@pytest.mark.parametrize(
    ("last", "is_left_out"),
    [
        ("Σ,12,12", True),  # how many there are
        ("Ergebnis,36,36", True),  # sums
        ("13,12,12", True),  # called as others are, but in every column
        ("13,5,12", False),
        ("13,5,5", False),  # a rare label
        ("Σ,12,3", False),  # a label beside a sum
        ("Σ,11,11", False),
    ],
)
def test_a_last_row_of_sums_is_left_out_whatever_it_is_called(
    tmp_path: Path, last: str, *, is_left_out: bool
) -> None:
    rows = [f"{n},{(n % 3) + 2},{(n * 2) % 3 + 2}" for n in range(1, 13)]
    file = tmp_path / "t.csv"
    file.write_text("\n".join(["item,ann,ben", *rows, last, ""]), encoding="utf-8")
    assert len(read_export([(file, "t.csv")]).ratings.unit_names) == 13 - is_left_out


def beside(*more: list[str]) -> list[tuple[int, list[str]]]:
    """Return a table of eight units with an empty column and further cells behind its first rows."""
    rows = [["item", "Ann", "Bob"], *([f"u{n}", "a", "b"] for n in range(8))]
    width = max(map(len, more))
    behind = [*(["", *cells] for cells in more), *([""] * (width + 1) for _ in range(9 - len(more)))]
    return [(n, [*row, *own]) for n, (row, own) in enumerate(zip(rows, behind, strict=True), 1)]


def test_a_smaller_table_and_notes_beside_a_table_are_left_out() -> None:
    for more in ((["label", "Ann"], ["a", "8"]), ([""], [""], ["see Bob"]), (["x"], ["1"], ["2"], ["3"])):
        rows, mended = mend_rows(beside(*more))
        assert ({len(row) for _, row in rows}, mended.width) == ({3}, 3)
        assert mended.sentences == ["what is beside the first 3 columns left out"]
    # What has a cell in half of the rows is no note, and an empty column alone hides nothing.
    assert mend_rows(beside(["x"], *(["1"] for _ in range(4))))[1].width == 0
    assert mend_rows(beside([]))[1].width == 0


@pytest.mark.parametrize(
    ("first", "left_out"),
    [
        (["--- 1 ---", "u1", "u2", "u3"], (2,)),
        (["u9", "u1", "u2", "u3"], ()),  # a unit that nobody labelled
        (["Text 1", "", "", ""], ()),  # it is filled once for the rows below
        (["Ann", "Bea", "Cy", "Di"], ()),  # names that have nothing in common
    ],
)
def test_a_row_with_one_cell_that_is_called_unlike_others_is_a_heading(
    first: list[str], left_out: tuple[int, ...]
) -> None:
    rows = [["item", "Ann", "Bob"], [first[0], "", ""], *([name, "a", "b"] for name in first[1:])]
    assert mend_rows([*enumerate(rows, 1)])[1].skip_rows == left_out


def test_rows_that_somebody_says_are_left_out_are_those_and_no_others() -> None:
    rows = [(1, ["item", "Ann", "Bob"]), *((n, [f"u{n}", "1", "2"]) for n in range(2, 9))]
    rows.append((9, ["Mean", "1.0", "2.0"]))
    found = mend_rows(rows)[1]
    assert dict(found.why) == {9: "sums up other rows"}
    for skip_rows, number in (((), 8), ((9,), 7), ((2, 9), 6)):
        mended, said = mend_rows(rows, skip_rows=skip_rows)
        assert (len(mended) - 1, said.skip_rows, dict(said.why)) == (number, skip_rows, {})
