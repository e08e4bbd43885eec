"""Fleiss (1971), "Measuring nominal scale agreement among many raters": 30 patients, 6 psychiatrists."""

from functools import cache

import pytest

from reportgen.measures import UnitSetAgreement
from tests.measures.made import annotations, expected, figures, observed, units_of, value

DIAGNOSES = [
    "444444", "222555", "233335", "555555", "222444", "113333", "333355", "113334", "114444", "555555",
    "144444", "124444", "222333", "144444", "224445", "333335", "111455", "111112", "224444", "133555",
    "555555", "244444", "224555", "114444", "144445", "222224", "111155", "224444", "133333", "555555",
]  # fmt: skip
ROWS = [list(row) for row in DIAGNOSES]


@cache
def of_all() -> UnitSetAgreement:
    return figures(units_of(annotations(ROWS), categories=list("12345")))


def test_observed_agreement_is_the_mean_over_patients() -> None:
    observed_agreement = of_all().measures["observed_agreement"]
    assert value(observed_agreement) == pytest.approx(0.5556, abs=5e-5)
    assert observed_agreement.units == 30


def test_alpha_and_the_expected_agreement_of_fleiss() -> None:
    alpha = of_all().measures["krippendorff_alpha"]
    assert value(alpha) == pytest.approx(0.4334098282820288, abs=1e-12)
    assert 1 - observed(alpha) == pytest.approx(0.5556, abs=5e-5)
    # Fleiss prints an expected agreement of .2201 (exactly .219938), alpha's small-sample term apart.
    assert 1 - expected(alpha) * 179 / 180 == pytest.approx(0.219938, abs=5e-7)
    assert 1 - observed(alpha) / (expected(alpha) * 179 / 180) == pytest.approx(0.4302445, abs=5e-8)


def test_kappa_of_all_diagnoses() -> None:
    kappa = of_all().measures["fleiss_kappa"]
    assert value(kappa) == pytest.approx(0.430, abs=5e-4)
    # The digits that R's irr gives.
    assert value(kappa) == pytest.approx(0.4302445, abs=5e-8)
    assert observed(kappa) == pytest.approx(0.5556, abs=5e-5)
    # Fleiss sums shares that he has rounded, to .2201.
    assert expected(kappa) == pytest.approx(0.2201, abs=2.5e-4)


@pytest.mark.parametrize(
    ("category", "printed", "by_r"),
    [(0, 0.248, 0.245), (1, 0.248, 0.245), (2, 0.517, 0.520), (3, 0.470, 0.471), (4, 0.565, 0.566)],
)
def test_kappa_of_each_diagnosis(category: int, printed: float, by_r: float) -> None:
    """Fleiss computes from shares that he has rounded; R's irr does not."""
    rest = of_all().against_rest[category]
    assert value(rest["fleiss_kappa"]) == pytest.approx(printed, abs=5e-3)
    assert value(rest["fleiss_kappa"]) == pytest.approx(by_r, abs=5e-4)


@pytest.mark.parametrize("category", range(5))
def test_specific_agreement_of_a_diagnosis_counts_pairs_of_psychiatrists(category: int) -> None:
    specific = of_all().specific[category]
    used = [row.count("12345"[category]) for row in DIAGNOSES]
    assert value(specific) == pytest.approx(sum(n * (n - 1) for n in used) / (5 * sum(used)), rel=1e-12)


def test_the_mean_of_the_kappas_of_pairs_is_lights() -> None:
    agreement = of_all()
    assert len(agreement.pairs) == 15
    mean = agreement.mean_over_pairs["cohen_kappa"]
    assert mean.pairs == 15
    assert mean.value == pytest.approx(0.4594121444, abs=5e-11)
    assert value(agreement.measures["light_kappa"]) == pytest.approx(0.4594121444, abs=5e-11)
