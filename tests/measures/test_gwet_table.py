"""Gwet's irrCAC, data set cont3x3abstractors: two abstractors, 100 charts, standard errors."""

import pytest

from tests.measures.made import error, pair_of, value

# Ectopic pregnancy, abnormal and normal intrauterine pregnancy.
ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]


@pytest.mark.parametrize(
    ("measure", "coefficient", "standard_error"),
    [
        ("cohen_kappa", 0.7964094, 0.05891072),
        ("scott_pi", 0.7962397, 0.05905473),
        ("bennett_s", 0.835, 0.04693346),
        ("krippendorff_alpha", 0.7972585, 0.05905473),
        ("observed_agreement", 0.89, 0.03128898),
    ],
)
def test_coefficient_and_standard_error(measure: str, coefficient: float, standard_error: float) -> None:
    found = pair_of(ABSTRACTORS).measures[measure]
    assert value(found) == pytest.approx(coefficient, abs=5e-8)
    assert error(found) == pytest.approx(standard_error, abs=6e-8)


def test_the_standard_error_of_alpha_leaves_out_the_small_sample_factor() -> None:
    # As irrCAC does for a table of two; with the factor it would be 199/200 of it.
    measures = pair_of(ABSTRACTORS).measures
    assert error(measures["krippendorff_alpha"]) == pytest.approx(error(measures["scott_pi"]), rel=1e-12)
