"""Very many categories of two annotators: no table of all of them by all of them is made."""

import pytest

from reportgen.measures.annotators import dawid_skene
from reportgen.measures.annotators.dawid_skene import NotFitted, refused
from reportgen.report import matrices
from reportgen.results.parts import Withheld
from reportgen.results.unit_sets import Confusion
from tests.findings.made_results import pair, unit_set
from tests.measures.made import annotations, units_of

MANY = tuple(f"c{number:03}" for number in range(200))
SPARSE = Confusion(rows="A", columns="B", categories=MANY, cells=((0, 0, 5), (1, 0, 1), (150, 3, 2)))


def test_labels_that_are_withheld_join_without_a_table_of_all_cells() -> None:
    joined = SPARSE.joined({"c001", "c150"}, "others")
    assert joined.counts is None
    assert joined.categories == (*(name for name in MANY if name not in {"c001", "c150"}), "others")
    assert joined.filled == {(0, 0): 5, (198, 0): 1, (198, 2): 2}
    assert (joined.units, joined.count("others", "c003")) == (8, 2)
    # A table of all cells stays one.
    few = Confusion(
        rows="A", columns="B", categories=("x", "y", "z"), counts=((4, 1, 0), (0, 2, 3), (1, 0, 0))
    )
    assert few.joined({"y", "z"}, "rest").counts == ((4, 1), (1, 5))


@pytest.mark.parametrize("withheld", [None, Withheld(labels=("c001",), below=3)])
def test_no_page_has_a_matrix_of_hundreds_of_categories(withheld: Withheld | None) -> None:
    two = pair({("x", "x"): 1}).model_copy(update={"confusion": SPARSE, "withheld": withheld})
    assert matrices.confusion(unit_set(two), two) is None


def test_errors_of_annotators_among_very_many_categories_are_not_estimated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    units = units_of(annotations(["xxy", "yyy"]), categories=tuple("abcdefxyz"))
    assert refused(units) is None
    monkeypatch.setattr(dawid_skene, "MOST_CELLS", len(units.categories) ** 2 - 1)
    assert refused(units) is NotFitted.TOO_LARGE
