"""Figures of three and more annotators as functions of the size of the non-annotated category."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reportgen.counts import count
from reportgen.measures import ScaleSetting
from reportgen.measures.analysis import measures_of
from reportgen.measures.size_curve import size_curve_of_many
from reportgen.measures.unit_set_data import UnitsOfAll, declared_distance
from reportgen.results import SizeCurve
from reportgen.units import CodedUnits
from tests.measures.made import Matrix, Rows, annotations, figures, matrix, units_of
from tests.properties import examples

NAMES = ("a", "b", "none")
FIGURES = {
    *("observed_agreement", "bennett_s", "fleiss_kappa"),
    *("conger_kappa", "krippendorff_alpha", "gwet_ac1", "krippendorff_alpha[d]"),
}
TABLE_4: dict[str, Matrix] = {"d": [[0, 0.5, 1], [0.5, 0, 1], [1, 1, 0]]}
SAME_OF_TWO = {"fleiss_kappa": "scott_pi", "conger_kappa": "cohen_kappa"}
LABEL = st.sampled_from(NAMES)
UNITS = st.integers(3, 5).flatmap(
    lambda many: st.lists(st.lists(LABEL, min_size=many, max_size=many), min_size=2, max_size=8)
)
THREE: Rows = [("a", "a", "b"), ("a", "none", "none"), ("b", "b", "b"), ("none", "none", "none")]


def curve_of(rows: Rows, sizes: tuple[int, ...] = ()) -> SizeCurve | None:
    export = annotations(rows, order=NAMES)
    return figures(units_of(export, categories=NAMES[:2], non_annotated="none"), TABLE_4, sizes).curve


def known(rows: Rows, sizes: tuple[int, ...] = ()) -> SizeCurve:
    curve = curve_of(rows, sizes)
    assert curve is not None
    return curve


def whole_of(units: CodedUnits) -> UnitsOfAll:
    distance = declared_distance("d", NAMES, TABLE_4["d"], NAMES)
    return UnitsOfAll(
        units, count(units), ScaleSetting(non_annotated=units.non_annotated, distances=(distance,))
    )


def grown(rows: Rows, size: int) -> dict[str, float | None]:
    """Return the measures themselves of marked units with as many that all left unmarked as make the size."""
    marked = [row for row in rows if set(row) != {"none"}]
    unmarked = [("none",) * len(rows[0])] if size > len(marked) else []
    weights = [1] * len(marked) + [size - len(marked)] * len(unmarked)
    export = annotations([*marked, *unmarked], weights=weights, order=NAMES)
    units = units_of(export, categories=NAMES[:2], non_annotated="none")
    return {name: each.value for name, each in measures_of(whole_of(units)).items()}


@pytest.mark.slow
@examples(8)
@given(UNITS)
def test_every_size_gives_what_the_measures_give_with_that_many_unmarked_units(rows: Rows) -> None:
    curve = known(rows)
    assume(curve.marked)
    assert curve.values.keys() == FIGURES
    # Of one unit alone no coefficient is defined.
    for place, size in [*enumerate(curve.sizes)][curve.marked == 1 :]:
        measures = grown(rows, size)
        for name, values in curve.values.items():
            figure = measures[name]
            assert values[place] == (None if figure is None else pytest.approx(figure, rel=1e-9, abs=1e-9))


@examples(40)
@given(UNITS)
def test_the_curve_goes_through_the_figures_themselves(rows: Rows) -> None:
    units = units_of(annotations(rows, order=NAMES), categories=NAMES[:2], non_annotated="none")
    found = figures(units, TABLE_4)
    curve = found.curve
    assert curve is not None
    assert curve.declared == len(rows)
    assert curve.marked == sum(set(row) != {"none"} for row in rows)
    place = curve.sizes.index(curve.declared)
    for name, values in curve.values.items():
        figure = found.measures[name].value
        assert values[place] == (None if figure is None else pytest.approx(figure, abs=1e-12))


@examples(40)
@given(UNITS)
def test_figures_tend_to_their_limit(rows: Rows) -> None:
    curve = known(rows, (10**12,))
    place = curve.sizes.index(10**12)
    assert curve.limit.keys() == curve.values.keys()
    for name, limit in curve.limit.items():
        last = curve.values[name][place]
        assert last == (None if limit is None else pytest.approx(limit, abs=1e-9))


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
    own = figures(units, TABLE_4).pairs[0].curve
    found = size_curve_of_many(whole_of(units))
    assert own is not None
    assert found is not None
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


def test_sizes_are_those_of_a_pair_and_hold_the_sizes_asked_for() -> None:
    curve = known(THREE, (2, 77, 5000))
    assert {3, 4, 77, 5000} <= set(curve.sizes)
    assert (min(curve.sizes), max(curve.sizes) >= 100 * 5000) == (3, True)
    assert all(len(values) == len(curve.sizes) for values in curve.values.values())


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
    curve = figures(units_of(export, categories=NAMES[:2], non_annotated="none")).curve
    assert curve is not None
    assert all(-1 <= each <= 1 for values in curve.values.values() for each in values if each is not None)
    limit = 1 - Fraction(59 * 10**9, 59 * 60 * (10**12 + 10**9))
    assert curve.limit["conger_kappa"] == float(limit)
