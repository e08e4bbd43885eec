"""Which labels of people are withheld: no cell below the smallest is shown, and no sum gives one back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from reportgen.measures.analysis import small_cells, withheld

TABLES = arrays(
    np.int64, array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=6), elements=st.integers(0, 9)
)


@given(TABLES, st.integers(1, 5))
def test_small_cells_are_withheld_and_no_line_has_only_one_of_them(uses: np.ndarray, smallest: int) -> None:
    hidden = small_cells(uses, smallest)
    small = (uses > 0) & (uses < smallest)
    assert hidden[small].all()
    assert hidden.any() == small.any()
    for line in (*hidden, *hidden.T):
        assert line.sum() != 1
    for own, line in zip(uses, hidden, strict=True):
        # Together they are enough, or nothing of the person is shown.
        assert not line.any() or own[line].sum() >= smallest or not own[~line].any()


@pytest.mark.parametrize(
    ("uses", "smallest", "expected"),
    [
        ([[5, 5], [5, 5]], 3, [[0, 0], [0, 0]]),
        ([[3, 5, 9], [3, 5, 9]], 3, [[0, 0, 0], [0, 0, 0]]),
        # The next least beside the small one, of both, so that neither sum gives it back.
        ([[2, 5, 9], [4, 6, 9]], 3, [[1, 1, 0], [1, 1, 0]]),
        ([[2, 5, 9], [4, 6, 9]], 2, [[0, 0, 0], [0, 0, 0]]),
        # Two of one unit each are fewer than three together.
        ([[1, 1, 9, 20], [1, 1, 9, 20]], 3, [[1, 1, 1, 0], [1, 1, 1, 0]]),
        # One that nobody else used: an empty cell beside it hides whose it is.
        ([[1, 4, 30], [0, 7, 30]], 3, [[1, 1, 0], [1, 1, 0]]),
    ],
)
def test_what_is_withheld_beside_a_small_cell(
    uses: list[list[int]], smallest: int, expected: list[list[int]]
) -> None:
    assert small_cells(np.array(uses), smallest).astype(int).tolist() == expected


def test_a_table_of_two_joins_what_either_did_seldom_and_what_other_tables_withhold() -> None:
    names, nothing = ("a", "b", "c", "d"), np.zeros((2, 4), dtype=bool)
    assert withheld(np.array([[9, 9, 9, 9], [9, 9, 9, 9]]), nothing, names, 3) is None
    joined = withheld(np.array([[9, 2, 8, 30], [9, 9, 9, 30]]), nothing, names, 3)
    assert joined is not None
    assert (joined.labels, joined.below) == (("b", "c"), 3)
    elsewhere = nothing.copy()
    elsewhere[0, 3] = True
    joined = withheld(np.array([[9, 9, 8, 30], [9, 9, 9, 30]]), elsewhere, names, 3)
    assert joined is not None
    # One alone would be given back by the sum of the others.
    assert joined.labels == ("c", "d")


def test_a_label_is_joined_with_the_least_used_and_with_an_unused_one_last() -> None:
    """The first is withheld elsewhere, so that no sum of a line may give it back."""
    two = np.array([[5, 4, 0], [5, 4, 0]])
    hidden = np.array([[True, False, False], [False, False, False]])
    found = withheld(two, hidden, ("a", "b", "c"), 2)
    assert found is not None
    assert (found.labels, found.below) == (("a", "b"), 2)
