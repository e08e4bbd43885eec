"""Labels: who gave which label to which unit, and their parts."""

import numpy as np

from reportgen.readers import Codes
from reportgen.units.labels import NO_CATEGORY, Labels
from tests.present import present


def codes(*values: int) -> Codes:
    return np.array(values, dtype=np.int64)


# Of the first unit three say x, x, y; of the second two y; of the third one x; the fourth weighs nothing.
LABELS = Labels(
    documents=("d", "e"),
    annotators=("A", "B", "C"),
    categories=("x", "y"),
    document=codes(0, 1, -1, 1),
    weight=codes(1, 5, 2, 0),
    unit=codes(0, 0, 0, 1, 1, 2, 3, 3),
    annotator=codes(0, 1, 2, 2, 0, 1, 0, 1),
    label=codes(0, 0, 1, 1, 1, 0, 1, 1),
    at=codes(7, 6, 5, 4, 3, 2, 1, 0),
)


def test_what_is_known_of_rows_and_units() -> None:
    assert LABELS.per_unit.tolist() == [3, 2, 1, 2]
    assert LABELS.row_document.tolist() == [0, 0, 0, 1, 1, -1, 1, 1]
    assert LABELS.row_weight.tolist() == [1, 1, 1, 5, 5, 2, 0, 0]
    assert LABELS.alike.tolist() == [2, 2, 1, 2, 2, 1, 2, 2]
    assert [column.tolist() for column in LABELS.cells] == [
        [0, 0, 1, 2, 3],
        [0, 1, 1, 0, 1],
        [2, 1, 2, 1, 2],
        [0, 0, 1, 2, 2, 3, 4, 4],
    ]
    assert LABELS.labels_of(2).tolist() == [1, 1, NO_CATEGORY, NO_CATEGORY]
    assert [column.tolist() for column in Labels().cells] == [[]] * 4


def test_rows_are_chosen_and_units_stay() -> None:
    by_mask, by_place = LABELS.where(LABELS.annotator == 1), LABELS.where(codes(5, 1))
    assert (by_mask.unit.tolist(), by_mask.label.tolist()) == ([0, 2, 3], [0, 0, 1])
    assert (by_place.unit.tolist(), by_place.annotator.tolist()) == ([2, 0], [1, 1])
    assert present(by_place.at).tolist() == [2, 6]
    assert by_place.per_unit.tolist() == [1, 0, 1, 0]


def test_units_are_chosen_and_numbered_anew_with_their_rows() -> None:
    some = LABELS.of_units(np.array([False, True, False, True]))
    assert (some.document.tolist(), some.weight.tolist()) == ([1, 1], [5, 0])
    assert (some.unit.tolist(), some.annotator.tolist()) == ([0, 0, 1, 1], [2, 0, 0, 1])


def test_pairable_are_the_rows_of_units_with_two_labels_or_more_that_weigh_something() -> None:
    assert LABELS.pairable.unit.tolist() == [0, 0, 0, 1, 1]
    assert LABELS.pairable.weight is LABELS.weight
