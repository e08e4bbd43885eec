"""Gwet (2008; 2014), AC1 and AC2 beside the kappas, with missing ratings: what his irrCAC gives in R."""

from collections.abc import Mapping
from functools import cache

import pytest

from reportgen.measures import Estimate
from reportgen.measures.analysis import rated_twice
from tests.measures.made import annotations, expected, figures, pair_of, repeated, units_of, value

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


@cache
def of_scale(scale: str) -> Mapping[str, Estimate]:
    return figures(units_of(annotations(ROWS), scale=scale)).measures


@pytest.mark.parametrize("figure", NOMINAL)
def test_without_weights(figure: str) -> None:
    found = of_scale("nominal")[figure]
    assert value(found) == pytest.approx(NOMINAL[figure][0], abs=5e-6)
    assert expected(found) == pytest.approx(NOMINAL[figure][1], abs=5e-8)
    # The subject whom one rater alone saw counts in chance agreement, not among the units.
    assert found.units == 11


@pytest.mark.parametrize("weights", WEIGHTED)
def test_with_weights(weights: str) -> None:
    measures = of_scale("ratio")
    found = [value(measures[f"{figure}[{weights}]"]) for figure in FIGURES]
    assert found == pytest.approx(WEIGHTED[weights], abs=5e-6)


# Two raters on a scale of 1 to 5 of which they use 2 and 3 alone.
INSIDE = [[0, 0, 0, 0, 0], [0, 40, 10, 0, 0], [0, 10, 40, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]
POINTS = ("1", "2", "3", "4", "5")


@pytest.mark.parametrize(
    ("figure", "wanted"),
    [
        ("gwet_ac2[quadratic]", 0.97647),
        ("gwet_ac2[linear]", 0.92),
        ("gwet_ac2[ordinal]", 0.96364),
        ("bennett_s[quadratic]", 0.95),
        ("bennett_s[linear]", 0.875),
        ("weighted_kappa[linear]", 0.6),
        ("fleiss_kappa[linear]", 0.6),
    ],
)
def test_weights_belong_to_the_declared_scale_not_to_the_categories_in_use(
    figure: str, wanted: float
) -> None:
    measures = pair_of(INSIDE, POINTS, scale="interval").measures
    rows = [(POINTS[i], POINTS[j]) for i, j in repeated(INSIDE)]
    whole = figures(units_of(annotations(rows), scale="interval", categories=POINTS)).measures
    three = annotations([(*row, row[0]) for row in rows[:60]])
    third = figures(units_of(three, scale="interval", categories=POINTS))
    assert value(whole[figure]) == pytest.approx(wanted, abs=5e-6)
    if figure in measures:
        assert value(measures[figure]) == pytest.approx(wanted, abs=5e-6)
    if figure.startswith("gwet_ac2"):
        # The same distance for every pair, whatever this pair used.
        assert {pair.measures[figure].farthest for pair in third.pairs} == {third.measures[figure].farthest}
        assert whole[figure].farthest == third.measures[figure].farthest


@pytest.mark.parametrize("scale", ["nominal", "ordinal"])
def test_figures_without_subjects_whom_one_rater_alone_saw_are_those_of_the_others(scale: str) -> None:
    """The subject's rating counts in chance agreement; over the other eleven it does not."""
    seen_twice = [row for row in ROWS if sum(label is not None for label in row) > 1]
    kept, others = (figures(units_of(annotations(rows), scale=scale)) for rows in (ROWS, seen_twice))
    found = rated_twice(kept)
    assert {"fleiss_kappa", "conger_kappa", "gwet_ac1"} <= {*found}
    assert all(found[name] == others.measures[name] for name in found)
    assert value(found["fleiss_kappa"]) != pytest.approx(value(kept.measures["fleiss_kappa"]), abs=1e-4)
    assert rated_twice(others) == {}
