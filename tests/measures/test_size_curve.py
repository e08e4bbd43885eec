"""Figures as functions of the size of the non-annotated category."""

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reportgen.measures.analysis import PairAgreement
from reportgen.results import SizeCurve
from tests.measures.made import Matrix, Table, figures, matrix, pair_of, units_of
from tests.properties import examples

NAMES = ("a", "b", "none")
TABLE_4: Matrix = [[0, 0.5, 1], [0.5, 0, 1], [1, 1, 0]]
SQUARE = st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=3, max_size=3)


def analysed(table: Table, sizes: tuple[int, ...] = ()) -> PairAgreement:
    export = matrix(table, NAMES)
    units = units_of(export, categories=NAMES[:2], non_annotated="none")
    return figures(units, {"d": TABLE_4}, sizes).pairs[0]


def curve_of(pair: PairAgreement) -> SizeCurve:
    assert pair.curve is not None
    return pair.curve


def with_unmarked(table: Table, unmarked: int) -> Table:
    return [*table[:2], [*table[2][:2], unmarked]]


@examples(40)
@given(SQUARE, st.sampled_from([0, 1, 7, 500, 10**6]))
def test_a_size_on_the_curve_gives_what_that_many_unmarked_units_give(table: Table, unmarked: int) -> None:
    marked = sum(map(sum, table)) - table[2][2]
    assume(marked > 0)
    assume(any(table[i][j] for i in range(3) for j in (2,)) or any(table[2]))
    curve = curve_of(analysed(table, (marked + unmarked,)))
    place = curve.sizes.index(marked + unmarked)
    measures = analysed(with_unmarked(table, unmarked)).measures
    for name, values in curve.values.items():
        if name in measures and (unmarked or any(table[2]) or any(row[2] for row in table)):
            figure = measures[name].value
            assert values[place] == (None if figure is None else pytest.approx(figure, rel=1e-9, abs=1e-9))


@examples(40)
@given(SQUARE)
def test_the_curve_goes_through_the_figures_themselves(table: Table) -> None:
    assume(table[2][2] > 0)
    pair = analysed(table)
    curve = curve_of(pair)
    assert curve.declared == pair.table.units
    place = curve.sizes.index(curve.declared)
    for name, values in curve.values.items():
        figure = pair.measures[name].value
        assert values[place] == (None if figure is None else pytest.approx(figure, abs=1e-12))


@examples(40)
@given(SQUARE)
def test_figures_tend_to_their_limit(table: Table) -> None:
    assume(table[2][2] > 0)
    curve = curve_of(analysed(table, (10**12,)))
    place = curve.sizes.index(10**12)
    assert curve.limit.keys() == curve.values.keys()
    for name, limit in curve.limit.items():
        last = curve.values[name][place]
        if limit is not None:
            assert last == pytest.approx(limit, abs=1e-6)
        else:
            assert last is None


@examples(40)
@given(SQUARE)
def test_unweighted_figures_rise_with_the_size(table: Table) -> None:
    assume(table[2][2] > 0)
    curve = curve_of(analysed(table))
    for name in (
        "observed_agreement",
        "bennett_s",
        "scott_pi",
        "cohen_kappa",
        "krippendorff_alpha",
        "finn_r",
    ):
        known = [each for each in curve.values[name] if each is not None]
        assert all(before <= after + 1e-12 for before, after in pairwise(known))


def test_sizes_start_where_everything_is_marked_and_hold_the_sizes_asked_for() -> None:
    curve = curve_of(analysed([[4, 1, 2], [0, 5, 1], [1, 0, 86]], (3, 14, 77, 5000)))
    assert (curve.declared, curve.marked) == (100, 14)
    assert {14, 77, 100, 5000} <= set(curve.sizes)
    assert min(curve.sizes) == 14
    assert max(curve.sizes) >= 100 * 5000
    assert all(len(values) == len(curve.sizes) for values in curve.values.values())


def test_a_thousand_million_units_do_not_overflow() -> None:
    pair = analysed([[10**9, 3 * 10**8, 2], [10**7, 10**9, 5], [7, 1, 4 * 10**9]], (10**11,))
    curve = curve_of(pair)
    assert curve.declared == sum([10**9, 3 * 10**8, 2, 10**7, 10**9, 5, 7, 1, 4 * 10**9])
    assert all(-1 <= each <= 1 for values in curve.values.values() for each in values if each is not None)
    assert curve.limit["cohen_kappa"] == pytest.approx(
        1 - (3 * 10**8 + 10**7 + 15) / (2 * (2 * 10**9 + 3 * 10**8 + 10**7) + 15), rel=1e-9
    )


def test_where_nothing_is_marked_there_is_nothing_to_tend_to() -> None:
    curve = curve_of(analysed([[0, 0, 0], [0, 0, 0], [0, 0, 5]]))
    assert (curve.marked, min(curve.sizes)) == (0, 1)
    assert set(curve.values["cohen_kappa"]) == {None}
    assert curve.limit["cohen_kappa"] is None
    assert set(curve.values["observed_agreement"]) == {1.0}


def test_all_units_marked_is_the_least_size_of_its_own_curve() -> None:
    curve = curve_of(analysed([[4, 1, 2], [0, 5, 1], [1, 0, 0]]))
    assert curve.declared == curve.marked == min(curve.sizes) == 14


def test_without_a_non_annotated_category_there_is_no_curve() -> None:
    assert pair_of([[4, 1], [2, 3]]).curve is None
