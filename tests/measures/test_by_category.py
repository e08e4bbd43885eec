"""Units as one category sees them are the same units, whichever way they are counted."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reportgen.counts import ContingencyTable
from reportgen.measures.sets import labels_of
from reportgen.measures.unit_profiles import LabelPatterns, against_rest, categories_of, one_category
from reportgen.readers import NO_DOCUMENT
from reportgen.units import NO_CATEGORY
from tests.measures.made import annotations, figures, units_of
from tests.properties import examples

SIZE = 4
DOCUMENT = st.sampled_from([NO_DOCUMENT, 0, 1, 2])
ROW = st.tuples(
    DOCUMENT, st.lists(st.integers(NO_CATEGORY, SIZE - 1), min_size=3, max_size=3), st.integers(1, 5)
)


@examples(100)
@given(rows=st.lists(ROW, min_size=1, max_size=8))
def test_a_category_sees_how_often_each_unit_has_it(rows: list[tuple[int, list[int], int]]) -> None:
    document, labels, n = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    profiles = LabelPatterns(labels, document, np.arange(len(n)), n, SIZE)
    for category in range(SIZE):
        expected = Counter[tuple[int, int, int]]()
        for where, given_labels, units in rows:
            rated = [label for label in given_labels if label != NO_CATEGORY]
            expected[where, rated.count(category), len(rated)] += units
        found = one_category(profiles, category)
        has, ratings = (found.labels == 0).sum(axis=1), (found.labels != NO_CATEGORY).sum(axis=1)
        seen = zip(found.document, has[found.profile], ratings[found.profile], strict=True)
        assert (
            dict(zip(((int(a), int(b), int(c)) for a, b, c in seen), found.n.tolist(), strict=True))
            == expected
        )


@examples(100)
@given(
    rows=st.lists(
        st.tuples(DOCUMENT, st.integers(0, SIZE - 1), st.integers(0, SIZE - 1), st.integers(1, 5)), min_size=1
    )
)
def test_a_category_of_two_annotators_keeps_who_gave_it(rows: list[tuple[int, int, int, int]]) -> None:
    document, row, column, n = (np.array(each, dtype=np.int64) for each in zip(*rows, strict=True))
    table = ContingencyTable(0, 1, SIZE, document, row, column, n)
    for category in range(SIZE):
        expected = Counter[tuple[int, bool, bool]]()
        for where, one, other, units in rows:
            expected[where, one != category, other != category] += units
        found = against_rest(table, category)
        seen = zip(found.document.tolist(), found.row.tolist(), found.column.tolist(), strict=True)
        assert dict(zip(seen, found.n.tolist(), strict=True)) == expected


def test_categories_that_the_same_units_have_are_computed_once() -> None:
    labels = np.array([[0, 1], [0, 1], [2, 2]])
    profiles = LabelPatterns(labels, np.array([0, 0, 1]), np.arange(3), np.ones(3, dtype=np.int64), SIZE)
    asked: list[int] = []

    def name(category: int) -> str:
        asked.append(category)
        return f"computed of {category}"

    assert categories_of(profiles).compute_all(name) == (
        "computed of 0",
        "computed of 0",
        "computed of 2",
        "computed of 3",
    )
    assert sorted(asked) == [0, 2, 3]


def test_labels_that_one_annotator_alone_gave_to_the_same_units_have_figures_of_their_own() -> None:
    """Tables of labels are computed once where they are the same, for both annotators."""
    rows = [("x|y", "x"), ("x|y", "x"), ("z", "y|z"), ("z", "z")]
    units = units_of(annotations(rows, separator="|"), scale="set")
    (pair,) = figures(units).pairs
    specific = dict(zip(labels_of(units.sets or ()).names, pair.specific, strict=True))
    # 2 · both / (one's + the other's)
    assert {name: each.value for name, each in specific.items()} == {"x": 1.0, "y": 0.0, "z": 1.0}
