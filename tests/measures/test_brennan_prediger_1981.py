"""Brennan and Prediger (1981), "Coefficient kappa: some uses, misuses, and alternatives", p. 689."""

import pytest

from tests.measures.made import expected, pair_of, value


def test_kappa_and_s_of_one_table() -> None:
    measures = pair_of([[50, 0, 0], [10, 10, 10], [20, 0, 0]]).measures
    assert value(measures["observed_agreement"]) == pytest.approx(0.6)
    assert expected(measures["cohen_kappa"]) == pytest.approx(0.45)
    assert value(measures["cohen_kappa"]) == pytest.approx(0.27, abs=0.005)
    assert value(measures["bennett_s"]) == pytest.approx(0.4)
