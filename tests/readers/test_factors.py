"""Values that are looked at once each say what a list of them says, and rows of codes what tuples say."""

import math
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.readers.annotations import Factor, Texts, are_different, different_rows, row_codes
from reportgen.readers.in_memory import GivenColumn, marks_of, name_of, ratings_of

texts = st.lists(st.sampled_from(["", " ", "a", "a ", "b", "B"]), max_size=12)


def in_order(values: list[str]) -> tuple[str, ...]:
    """Return the different values as they first come."""
    return tuple(dict.fromkeys(values))


@given(texts, texts, st.data())
def test_a_factor_says_what_its_values_say(first: list[str], second: list[str], data: st.DataObject) -> None:
    both = Texts.joined([Texts.of(first), Texts.of(second)])
    assert both.tolist() == [*first, *second]
    assert both.levels == in_order([*first, *second])
    chosen = data.draw(st.lists(st.booleans(), min_size=len(both), max_size=len(both)))
    kept = [value for value, is_kept in zip(both, chosen, strict=True) if is_kept]
    some = both.taken(np.array(chosen, dtype=np.bool_))
    assert (some.tolist(), some.levels) == (kept, in_order(kept))
    plain = some.mapped(lambda value: value.strip().lower())
    assert plain.tolist() == [value.strip().lower() for value in kept]
    assert plain.levels == in_order(plain.tolist())
    assert some.where(str.strip).tolist() == [bool(value.strip()) for value in kept]
    assert some.each(2).tolist() == [value for value in kept for _ in range(2)]
    assert Factor.alike("x", len(kept)).tolist() == ["x"] * len(kept)


codes = st.lists(st.tuples(st.integers(-1, 3), st.integers(0, 3)), max_size=12)


@given(codes, st.sampled_from([1, 100_000]))
def test_rows_of_codes_are_told_apart_as_tuples_are(rows: list[tuple[int, int]], spread: int) -> None:
    columns = [np.array([row[place] * spread for row in rows], dtype=np.int64) for place in (0, 1)]
    first, place = different_rows(*columns)
    different = [*dict.fromkeys(rows)]
    assert [rows[row] for row in first.tolist()] == different
    assert [different[code] for code in place.tolist()] == rows
    assert len({*zip(rows, row_codes(*columns).tolist(), strict=True)}) == len(different)
    assert are_different(*columns) == (len(different) == len(rows))


MIXED = [1, 1.0, "1", True, None, math.nan, -0.0, 0.0, 2, "x", np.float64(1), ("b", "a")]


@pytest.mark.parametrize("kind", [list, lambda values: pd.Series(values, dtype="object")])
def test_values_in_memory_are_called_what_each_is_called_alone(
    kind: Callable[[list[object]], object],
) -> None:
    column = GivenColumn(kind(MIXED * 2))
    assert [name_of(value) for value in column.factor] == [name_of(value) for value in MIXED * 2]
    assert column.cells.tolist()[:8] == ["1", "1", "1", "True", "", "", name_of(-0.0), name_of(0.0)]


@pytest.mark.parametrize("kind", ["int64", "uint8", "float32", "float64", "bool"])
def test_numbers_of_an_array_are_called_as_those_of_a_list(kind: str) -> None:
    array = np.array([3, 0, 1, 1, -0.0 if kind.startswith("float") else 0, 3]).astype(kind)
    assert [*map(name_of, GivenColumn(array).factor)] == [*map(name_of, array.tolist())]


def test_units_of_a_frame_are_what_is_equal_and_their_missing_labels_are_left_out() -> None:
    frame = {"item": [1, 1.0, "1", 2], "document": ["d", "d", "d", None], "annotator": list("abab")}
    found = ratings_of(marks_of({**frame, "label": ["x", "y", None, "x"]}, {}), "")
    assert (found.unit_names, found.documents) == (("1", "2"), ("d",))
    assert (found.unit.tolist(), found.document.tolist()) == ([0, 0, 1], [0, -1])
    assert (found.annotators, found.labels, found.label.tolist()) == (("a", "b"), ("x", "y"), [0, 1, 0])


def test_rows_in_memory_may_have_other_lengths() -> None:
    found = ratings_of(marks_of([["x", "y"], [], ["y", None, "x"]], {}), "")
    assert (found.annotators, found.unit_names) == (("A1", "A2", "A3"), ("0", "2"))
    assert (found.unit.tolist(), found.annotator.tolist()) == ([0, 0, 1, 1], [0, 1, 0, 2])
