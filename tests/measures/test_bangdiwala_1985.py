"""Bangdiwala's B (1985), with Gwet's standard error, and Maxwell's RE (1977)."""

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reportgen.measures import Estimate, coefficients
from reportgen.measures.unit_set_data import ScaleSetting, UnitsOfPair
from tests.measures.made import Table, annotations, error, figures, pair_of, units_of, value
from tests.properties import examples

# irrCAC, data set cont3x3abstractors: two abstractors, 100 pregnancies.
ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
SQUARE = st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=3, max_size=3)


def test_abstractors_as_irrcac_has_them() -> None:
    found = pair_of(ABSTRACTORS).measures["bangdiwala_b"]
    assert value(found) == pytest.approx(0.8059604, abs=5e-8)
    assert error(found) == pytest.approx(0.05449465, abs=5e-9)
    assert found.units == 100


@examples(40)
@given(SQUARE, st.permutations(range(3)))
def test_it_is_one_area_over_another_and_knows_no_order(table: Table, order: list[int]) -> None:
    counts = np.array(table)
    rows, columns = counts.sum(axis=1), counts.sum(axis=0)
    assume((rows * columns).sum() > 0 and counts.sum() > 1)
    assume((np.diagonal(counts) ** 2 < rows * columns).any())
    found = pair_of(table).measures["bangdiwala_b"]
    assert value(found) == pytest.approx((np.diagonal(counts) ** 2).sum() / (rows * columns).sum())
    moved = pair_of([[table[i][j] for j in order] for i in order]).measures["bangdiwala_b"]
    assert value(moved) == pytest.approx(value(found))
    assert moved.standard_error == pytest.approx(found.standard_error)


def test_perfect_agreement_is_one_and_no_common_category_has_a_reason() -> None:
    assert value(pair_of([[3, 0], [0, 4]]).measures["bangdiwala_b"]) == 1
    assert str(pair_of([[3, 0], [0, 4]]).measures["bangdiwala_b"].interval).startswith("no disagreement")
    found = pair_of([[0, 9], [0, 0]]).measures["bangdiwala_b"]
    assert str(found.undefined) == "no category was used by both annotators"
    strangers = figures(units_of(annotations([("a", None), (None, "b")]))).measures["bangdiwala_b"]
    assert str(strangers.undefined) == "no unit was rated by both annotators"


def test_disagreement_that_it_does_not_see_is_no_perfect_agreement() -> None:
    """Of b and c each was used by one of the two alone: their product of totals is 0, and B would be 1."""
    found = pair_of([[1, 0, 0], [0, 0, 2], [0, 0, 0]]).measures["bangdiwala_b"]
    assert found.value is None
    assert str(found.undefined).startswith("they differ only on categories that one of the two never used")
    seen = pair_of([[1, 0, 0], [0, 1, 2], [0, 0, 0]]).measures["bangdiwala_b"]
    assert value(seen) == pytest.approx(2 / 4)


def test_sets_have_none() -> None:
    export = annotations([("a", "a"), ("a|b", "b|c"), ("c", "a|c")], separator="|")
    found = figures(units_of(export, scale="set")).measures
    assert value(found["observed_agreement"]) == pytest.approx(1 / 3)
    assert "bangdiwala_b" not in found


def test_maxwells_re_is_pabak_of_two_categories() -> None:
    found = pair_of([[6, 1], [3, 10]]).measures
    assert value(found["maxwell_re"]) == pytest.approx(0.6)
    assert found["maxwell_re"] == found["pabak"]
    assert "maxwell_re" not in pair_of(ABSTRACTORS).measures


def test_agreement_on_the_chart_is_asked_an_interval_between_0_and_1(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[float, float]] = []

    def with_interval(estimate: Estimate, _moved: Any, _clusters: Any, bounds: Any, **_more: Any) -> Estimate:  # noqa: ANN401
        asked.append(bounds)
        return estimate

    monkeypatch.setattr(coefficients, "with_interval", with_interval)
    pair = pair_of([[3, 1], [0, 3]])
    asked.clear()
    coefficients._bangdiwala_b(UnitsOfPair(pair.table, ScaleSetting()))  # noqa: SLF001
    assert asked == [(0, 1)]
