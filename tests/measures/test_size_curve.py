"""Figures as functions of the size of the non-annotated category."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reportgen.counts import count
from reportgen.measures import ScaleSetting
from reportgen.measures.analysis import PairAgreement
from reportgen.measures.size_curve import size_curve_of_many
from reportgen.measures.unit_set_data import UnitsOfAll, declared_distance
from reportgen.results import SizeCurve
from reportgen.units import CodedUnits
from tests.measures.made import Matrix, Rows, Table, annotations, figures, matrix, pair_of, units_of
from tests.present import present
from tests.properties import examples

# Figures as functions of the size of the non-annotated category.


NAMES = ("a", "b", "none")
TABLE_4: Matrix = [[0, 0.5, 1], [0.5, 0, 1], [1, 1, 0]]
SQUARE = st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=3, max_size=3)


def analysed(table: Table, sizes: tuple[int, ...] = ()) -> PairAgreement:
    export = matrix(table, NAMES)
    units = units_of(export, categories=NAMES[:2], non_annotated="none")
    return figures(units, {"d": TABLE_4}, sizes).pairs[0]


def curve_of_pair(pair: PairAgreement) -> SizeCurve:
    return present(pair.curve)


def with_unmarked(table: Table, unmarked: int) -> Table:
    return [*table[:2], [*table[2][:2], unmarked]]


@examples(40)
@given(SQUARE, st.sampled_from([0, 1, 7, 500, 10**6]))
def test_a_size_on_the_curve_gives_what_that_many_unmarked_units_give(table: Table, unmarked: int) -> None:
    marked = sum(map(sum, table)) - table[2][2]
    assume(marked > 0)
    assume(any(table[i][j] for i in range(3) for j in (2,)) or any(table[2]))
    curve = curve_of_pair(analysed(table, (marked + unmarked,)))
    place = curve.sizes.index(marked + unmarked)
    measures = analysed(with_unmarked(table, unmarked)).measures
    for name, values in curve.values.items():
        if name in measures and (unmarked or any(table[2]) or any(row[2] for row in table)):
            figure = measures[name].value
            assert values[place] == (None if figure is None else pytest.approx(figure, rel=1e-9, abs=1e-9))


def test_sizes_start_where_everything_is_marked_and_hold_the_sizes_asked_for() -> None:
    curve = curve_of_pair(analysed([[4, 1, 2], [0, 5, 1], [1, 0, 86]], (3, 14, 77, 5000)))
    assert (curve.declared, curve.marked) == (100, 14)
    assert {14, 77, 100, 5000} <= set(curve.sizes)
    assert min(curve.sizes) == 14
    assert max(curve.sizes) >= 100 * 5000
    assert all(len(values) == len(curve.sizes) for values in curve.values.values())


def test_without_a_non_annotated_category_there_is_no_curve() -> None:
    assert pair_of([[4, 1], [2, 3]]).curve is None


# Figures of three and more annotators as functions of the size of the non-annotated category.


NAMES = ("a", "b", "none")
FIGURES = {
    *("observed_agreement", "bennett_s", "fleiss_kappa"),
    *("conger_kappa", "krippendorff_alpha", "gwet_ac1", "krippendorff_alpha[d]"),
}
TABLES: dict[str, Matrix] = {"d": [[0, 0.5, 1], [0.5, 0, 1], [1, 1, 0]]}
SAME_OF_TWO = {"fleiss_kappa": "scott_pi", "conger_kappa": "cohen_kappa"}
LABEL = st.sampled_from(NAMES)
UNITS = st.integers(3, 5).flatmap(
    lambda many: st.lists(st.lists(LABEL, min_size=many, max_size=many), min_size=2, max_size=8)
)
THREE: Rows = [("a", "a", "b"), ("a", "none", "none"), ("b", "b", "b"), ("none", "none", "none")]


def curve_of(rows: Rows, sizes: tuple[int, ...] = ()) -> SizeCurve | None:
    export = annotations(rows, order=NAMES)
    return figures(units_of(export, categories=NAMES[:2], non_annotated="none"), TABLES, sizes).curve


def known(rows: Rows, sizes: tuple[int, ...] = ()) -> SizeCurve:
    return present(curve_of(rows, sizes))


def whole_of(units: CodedUnits) -> UnitsOfAll:
    distance = declared_distance("d", NAMES, TABLES["d"], NAMES)
    return UnitsOfAll(
        units, count(units), ScaleSetting(non_annotated=units.non_annotated, distances=(distance,))
    )


@examples(40)
@given(UNITS)
def test_the_curve_goes_through_the_figures_themselves(rows: Rows) -> None:
    units = units_of(annotations(rows, order=NAMES), categories=NAMES[:2], non_annotated="none")
    found = figures(units, TABLES)
    curve = present(found.curve)
    assert curve.declared == len(rows)
    assert curve.marked == sum(set(row) != {"none"} for row in rows)
    place = curve.sizes.index(curve.declared)
    for name, values in curve.values.items():
        figure = found.measures[name].value
        assert values[place] == (None if figure is None else pytest.approx(figure, abs=1e-12))


@examples(40)
@given(UNITS)
def test_the_limit_sums_disagreements_and_marks_over_the_pairs_of_annotators(rows: Rows) -> None:
    curve = known(rows)
    pairs = [pair for row in rows for pair in combinations(row, 2)]
    apart = sum(one != other for one, other in pairs)
    marks = sum((one != "none") + (other != "none") for one, other in pairs)
    both = sum("none" not in pair for pair in pairs)
    same = sum(one == other != "none" for one, other in pairs)
    limit = 1 - Fraction(apart, marks) if marks else None
    for name in ("fleiss_kappa", "conger_kappa", "krippendorff_alpha"):
        assert curve.limit[name] == (None if limit is None else pytest.approx(float(limit), abs=1e-14))
    assert curve.f_labelled == (2 * same / marks if marks else None)
    assert curve.f_unlabelled == (2 * both / marks if marks else None)


@examples(40)
@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=3, max_size=3))
def test_of_two_annotators_it_is_the_curve_of_their_table(table: list[list[int]]) -> None:
    assume(any(map(any, table)))
    units = units_of(matrix(table, NAMES), categories=NAMES[:2], non_annotated="none")
    own = present(figures(units, TABLES).pairs[0].curve)
    found = present(size_curve_of_many(whole_of(units)))
    assert (found.declared, found.marked, found.sizes) == (own.declared, own.marked, own.sizes)
    assert (found.f_labelled, found.f_unlabelled) == pytest.approx((own.f_labelled, own.f_unlabelled))
    for name in FIGURES - {"gwet_ac1"}:
        of_two = SAME_OF_TWO.get(name, name)
        for mine, theirs in zip(found.values[name], own.values[of_two], strict=True):
            assert mine == (None if theirs is None else pytest.approx(theirs, abs=1e-12))
        assert found.limit[name] == pytest.approx(own.limit[of_two])


def test_three_annotators_by_hand() -> None:
    """d = 2 + 2 + 0 + 0, marks 3 + 1 + 3, so that the limit is 1 - 4 / (2 · 7)."""
    curve = known(THREE)
    assert (curve.declared, curve.marked) == (4, 3)
    assert curve.limit["fleiss_kappa"] == pytest.approx(10 / 14, abs=1e-14)
    assert curve.limit["conger_kappa"] == 10 / 14
    assert curve.values["observed_agreement"][curve.sizes.index(4)] == pytest.approx(1 - 4 / 12)
    assert curve.sums is not None
    assert (curve.sums.disagreements, curve.sums.marks) == (4, 7)
    # a 3 times and b 4 times; marks 3, 2 and 2, of a 2, 1 and 0, of b 1, 1 and 2.
    assert (curve.sums.squares, curve.sums.products) == (9 + 16, (6 + 6 + 4) + 2 + (1 + 2 + 2))


def test_with_a_missing_rating_among_the_units_compared_there_is_no_curve() -> None:
    assert curve_of([*THREE, ("a", "a", None)]) is None


def test_units_that_one_alone_rated_leave_what_rests_on_units_compared() -> None:
    alone = known([*THREE, (None, "b", None)])
    assert alone.values.keys() == FIGURES - {"fleiss_kappa", "conger_kappa", "gwet_ac1"}
    assert alone.values == {name: known(THREE).values[name] for name in alone.values}


def test_without_a_non_annotated_category_or_a_unit_there_is_no_curve() -> None:
    assert figures(units_of(annotations(THREE, order=NAMES))).curve is None
    assert curve_of([("a", None, None)]) is None


def test_where_nothing_is_marked_there_is_nothing_to_tend_to() -> None:
    curve = known([("none",) * 3] * 5)
    assert (curve.marked, min(curve.sizes)) == (0, 1)
    for name in ("fleiss_kappa", "conger_kappa", "krippendorff_alpha"):
        assert set(curve.values[name]) == {curve.limit[name]} == {None}
    assert set(curve.values["observed_agreement"]) == {1.0}
    assert (curve.f_labelled, curve.f_unlabelled) == (None, None)


def test_a_million_million_units_of_sixty_annotators_do_not_overflow() -> None:
    rows = [("a",) * 60, ("a",) * 59 + ("b",), ("none",) * 60]
    export = annotations(rows, weights=[10**12, 10**9, 10**12], order=NAMES)
    curve = present(figures(units_of(export, categories=NAMES[:2], non_annotated="none")).curve)
    assert all(-1 <= each <= 1 for values in curve.values.values() for each in values if each is not None)
    limit = 1 - Fraction(59 * 10**9, 59 * 60 * (10**12 + 10**9))
    assert curve.limit["conger_kappa"] == float(limit)
