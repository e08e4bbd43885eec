"""Zwick (1988), "Another look at interrater agreement", p. 376: equal margins, all coefficients equal."""

import pytest

from tests.measures.made import pair_of, value


def test_with_equal_and_uniform_margins_s_pi_and_kappa_are_the_same() -> None:
    measures = pair_of([[20, 0, 0, 5], [0, 10, 15, 0], [0, 15, 10, 0], [5, 0, 0, 20]]).measures
    assert value(measures["observed_agreement"]) == pytest.approx(0.6)
    for name in ("bennett_s", "scott_pi", "cohen_kappa"):
        assert value(measures[name]) == pytest.approx(0.467, abs=5e-4)
    assert value(measures["kappa_max"]) == pytest.approx(1)
