"""Hripcsak and Rothschild (2005): the limit of kappa is F; with more categories it lies between two."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reportgen.results import SizeCurve
from tests.campaigns import GENE_RENAMING, results_of
from tests.measures.made import Table, pair_of

FORT = [[71, 13, 23], [8, 69, 15], [7, 8, 18840]]


def curve_of(table: Table) -> SizeCurve:
    names = tuple(f"c{place}" for place in range(len(table)))
    curve = pair_of(table, names, non_annotated=names[-1]).curve
    assert curve is not None
    return curve


def test_fort_table_1_has_its_limit_between_two_f_measures() -> None:
    curve = curve_of(FORT)
    assert curve.f_labelled == pytest.approx(0.746667, abs=5e-7)
    assert curve.f_unlabelled == pytest.approx(0.858667, abs=5e-7)
    assert curve.limit["cohen_kappa"] == pytest.approx(0.802667, abs=5e-7)


def test_with_one_category_both_are_the_limit() -> None:
    curve = curve_of([[5, 2], [3, 100]])
    assert curve.f_labelled == curve.f_unlabelled == pytest.approx(10 / 15)
    assert curve.limit["cohen_kappa"] == pytest.approx(10 / 15)


@given(
    st.integers(2, 4).flatmap(
        lambda size: st.lists(
            st.lists(st.integers(0, 9), min_size=size, max_size=size), min_size=size, max_size=size
        )
    )
)
def test_the_limit_of_kappa_is_the_mean_of_labelled_and_unlabelled_f(table: Table) -> None:
    assume(sum(map(sum, table)) > 0)
    curve = curve_of(table)
    limit = curve.limit["cohen_kappa"]
    if limit is None:
        assert curve.f_labelled is curve.f_unlabelled is None
        return
    assert curve.f_labelled is not None
    assert curve.f_unlabelled is not None
    assert (curve.f_labelled + curve.f_unlabelled) / 2 == pytest.approx(limit, abs=1e-12)


def test_it_holds_in_every_unit_set_of_the_gene_renaming_campaign() -> None:
    curves = [each.size_curve for each in results_of(GENE_RENAMING).unit_sets if each.size_curve]
    assert curves
    for curve in curves:
        assert curve.f_labelled is not None
        assert curve.f_unlabelled is not None
        for name in ("cohen_kappa", "scott_pi", "krippendorff_alpha"):
            assert curve.limit[name] == pytest.approx((curve.f_labelled + curve.f_unlabelled) / 2)
