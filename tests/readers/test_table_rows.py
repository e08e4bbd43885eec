"""Rows as programs write them are taken as they are, and that changes nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.readers import table_rows
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
        patched.setattr(table_rows, "_are_as_expected", lambda _: False)
        assert mend_rows(rows) == found


@given(st.lists(st.lists(st.sampled_from("abcd"), min_size=3, max_size=3), max_size=12))
def test_no_column_without_an_empty_cell_is_filled_down(rows: list[list[str]]) -> None:
    import pandas as pd

    assert to_fill_down(pd.DataFrame(rows, columns=["document", "item", "label"], dtype="object")) == ()


def test_a_row_of_sums_is_left_out_below_rows_without_an_empty_cell() -> None:
    rows = [(1, ["item", "Ann", "Bob"]), *((n, [f"u{n}", "1", "2"]) for n in range(2, 9))]
    assert mend_rows(rows)[1].skip_rows == ()
    assert mend_rows([*rows, (9, ["Mean", "1.0", "2.0"])])[1].skip_rows == (9,)
