"""Krippendorff (2004), "Content Analysis", second edition, chapter 11."""

import pytest

from tests.measures.made import annotations, expected, figures, observed, units_of, value

# p. 227: two observers, three values.
TWO_OBSERVERS = ["aa", "ab", "bb", "bb", "bb", "bb", "bc", "cc", "cc", "cc", "cc", "cc"]
# p. 230: four observers, five values, missing data (.).
FOUR_OBSERVERS = [
    "11.1", "2232", "3333", "3333", "2222", "1234", "4444", "1121", "2222", ".555", "..11", "..3.",
]  # fmt: skip
ROWS = [[None if sign == "." else sign for sign in row] for row in FOUR_OBSERVERS]


def test_two_observers_nominal() -> None:
    measures = figures(units_of(annotations([list(row) for row in TWO_OBSERVERS]))).measures
    alpha = measures["krippendorff_alpha"]
    assert value(measures["observed_agreement"]) == pytest.approx(0.833, abs=5e-4)
    assert observed(alpha) == pytest.approx(0.1667, abs=5e-5)
    assert expected(alpha) == pytest.approx(0.6268, abs=5e-5)
    assert value(alpha) == pytest.approx(0.734, abs=5e-4)


def test_four_observers_with_missing_data_nominal() -> None:
    agreement = figures(units_of(annotations(ROWS)))
    alpha = agreement.measures["krippendorff_alpha"]
    assert value(alpha) == pytest.approx(0.743421052632, abs=5e-13)
    assert observed(alpha) == pytest.approx(0.2, abs=1e-12)
    assert expected(alpha) == pytest.approx(0.779, abs=5e-4)
    # The last unit has one rating and is not paired.
    assert alpha.units == 11


@pytest.mark.parametrize(
    ("scale", "distance", "printed"),
    [
        ("ordinal", "ordinal", 0.8153875038),
        ("interval", "interval", 0.8491071429),
        ("ratio", "interval", 0.8491071429),
        ("ratio", "ratio", 0.7974027747),
    ],
)
def test_four_observers_on_other_scales(scale: str, distance: str, printed: float) -> None:
    measures = figures(units_of(annotations(ROWS), scale=scale)).measures
    assert value(measures[f"krippendorff_alpha[{distance}]"]) == pytest.approx(printed, abs=5e-11)
    # The bare name is the nominal figure on every scale.
    assert value(measures["krippendorff_alpha"]) == pytest.approx(0.743421052632, abs=5e-13)


def test_interval_disagreements() -> None:
    alpha = figures(units_of(annotations(ROWS), scale="interval")).measures["krippendorff_alpha[interval]"]
    assert observed(alpha) == pytest.approx(0.433, abs=2e-3)
    assert expected(alpha) == pytest.approx(2.872, abs=1e-3)


def test_two_conventions_of_observed_agreement_with_missing_data() -> None:
    measures = figures(units_of(annotations(ROWS))).measures
    # The mean over units; weighted by ratings it is one minus alpha's observed disagreement, .8.
    assert value(measures["observed_agreement"]) == pytest.approx(0.8181818, abs=5e-8)
    assert 1 - observed(measures["krippendorff_alpha"]) == pytest.approx(0.8, abs=1e-12)
