"""Gwet (2008; 2014), AC1 and AC2 beside the kappas, with missing ratings: what his irrCAC gives in R."""

import pytest

from tests.agreement.made import annotations, expected, figures, units_of, value

# Four raters, twelve subjects, five categories, missing ratings (.): Krippendorff (2004, p. 230).
RATINGS = [
    "11.1", "2232", "3333", "3333", "2222", "1234", "4444", "1121", "2222", ".555", "..11", "..3.",
]  # fmt: skip
ROWS = [[None if sign == "." else sign for sign in row] for row in RATINGS]
FIGURES = ("gwet_ac2", "fleiss_kappa", "conger_kappa", "bennett_s")
# Value and chance agreement.
NOMINAL = {
    "gwet_ac1": (0.77544, 0.1903212),
    "fleiss_kappa": (0.76117, 0.2387153),
    "conger_kappa": (0.76282, 0.2334252),
    "bennett_s": (0.77273, 0.2),
}
# In the order of FIGURES.
WEIGHTED = {
    "linear": (0.85874, 0.81794, 0.81378, 0.84848),
    "quadratic": (0.91400, 0.86494, 0.85771, 0.90152),
    "ordinal": (0.89894, 0.85021, 0.84366, 0.88636),
    "radical": (0.81981, 0.78992, 0.78834, 0.81263),
    "ratio": (0.85737, 0.82134, 0.81197, 0.84024),
}


@pytest.mark.parametrize("figure", NOMINAL)
def test_without_weights(figure: str) -> None:
    found = figures(units_of(annotations(ROWS))).measures[figure]
    assert value(found) == pytest.approx(NOMINAL[figure][0], abs=5e-6)
    assert expected(found) == pytest.approx(NOMINAL[figure][1], abs=5e-8)
    # The subject whom one rater alone saw counts in chance agreement, not among the units.
    assert found.units == 11


@pytest.mark.parametrize("weights", WEIGHTED)
def test_with_weights(weights: str) -> None:
    measures = figures(units_of(annotations(ROWS), scale="ratio")).measures
    found = [value(measures[f"{figure}[{weights}]"]) for figure in FIGURES]
    assert found == pytest.approx(WEIGHTED[weights], abs=5e-6)
