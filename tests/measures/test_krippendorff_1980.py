"""Krippendorff (1980), "Content Analysis", p. 133: two observers, ten units, a dichotomy."""

import pytest

from tests.measures.made import annotations, expected, figures, observed, units_of, value

UNITS = ["00", "11", "01", "00", "00", "01", "00", "01", "10", "00"]


def test_dichotomy() -> None:
    measures = figures(units_of(annotations([list(row) for row in UNITS]))).measures
    assert value(measures["observed_agreement"]) == pytest.approx(0.6)
    assert observed(measures["krippendorff_alpha"]) == pytest.approx(0.4)
    assert expected(measures["krippendorff_alpha"]) == pytest.approx(0.442, abs=5e-4)
    assert value(measures["krippendorff_alpha"]) == pytest.approx(0.095, abs=5e-4)


def test_alpha_takes_the_sample_for_the_population_only_in_the_limit() -> None:
    measures = figures(units_of(annotations([list(row) for row in UNITS], weights=[100_000] * 10))).measures
    assert measures["krippendorff_alpha"].units == 1_000_000
    assert value(measures["krippendorff_alpha"]) == pytest.approx(value(measures["scott_pi"]), abs=1e-6)
