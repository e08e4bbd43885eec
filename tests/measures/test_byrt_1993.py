"""Byrt, Bishop and Carlin (1993), "Bias, prevalence and kappa"."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.measures.made import error, pair_of, value

COUNT = st.integers(0, 10_000)


@given(COUNT, COUNT, COUNT, COUNT)
def test_kappa_follows_from_pabak_prevalence_and_bias(a: int, b: int, c: int, d: int) -> None:
    assume(a + b + c + d > 0)
    measures = pair_of([[a, b], [c, d]], ("yes", "no")).measures
    n = a + b + c + d
    prevalence, bias, pabak = (value(measures[f]) for f in ("prevalence_index", "bias_index", "pabak"))
    assert prevalence == pytest.approx((a - d) / n, abs=1e-12)
    assert bias == pytest.approx((b - c) / n, abs=1e-12)
    assert pabak == pytest.approx(2 * (a + d) / n - 1, abs=1e-12)
    if measures["cohen_kappa"].value is None:
        assert n in (a, d)
        return
    share = 1 - prevalence**2 + bias**2
    assert value(measures["cohen_kappa"]) * share == pytest.approx(pabak - prevalence**2 + bias**2, abs=1e-9)


def test_prevalence_varies_even_where_nobody_disagrees() -> None:
    measures = pair_of([[30, 0], [0, 10]], ("yes", "no")).measures
    assert value(measures["prevalence_index"]) == pytest.approx(0.5)
    assert error(measures["prevalence_index"]) == pytest.approx((0.75 / 40) ** 0.5)
    for name in ("bias_index", "pabak"):
        assert measures[name].standard_error is None
        assert str(measures[name].interval).startswith("no disagreement was seen")


def test_indices_belong_to_two_categories_and_are_given_for_each_of_more() -> None:
    three = pair_of([[5, 1, 0], [2, 6, 1], [0, 3, 9]])
    assert not {"prevalence_index", "bias_index", "pabak"} & set(three.measures)
    assert len(three.against_rest) == 3
    first = three.against_rest[0]
    assert value(first["prevalence_index"]) == pytest.approx((5 - 19) / 27)
    assert value(first["bias_index"]) == pytest.approx((1 - 2) / 27)
    assert value(first["pabak"]) == pytest.approx(1 - 2 * 3 / 27)
    assert pair_of([[5, 1], [2, 6]]).against_rest == ()
