"""Randolph (2005): free-marginal kappa, an alternative to Fleiss' where margins are not fixed."""

import pytest

from tests.measures.made import annotations, expected, figures, observed, units_of, value

# p. 17: three raters, two categories that are used equally often.
ROWS = [list(row) for row in ("YYY", "YYN", "NNY", "NNN")]


def test_with_even_margins_both_kappas_are_the_same() -> None:
    measures = figures(units_of(annotations(ROWS))).measures
    for name in ("fleiss_kappa", "randolph_kappa", "bennett_s"):
        assert value(measures[name]) == pytest.approx(0.33, abs=5e-3)
    assert observed(measures["randolph_kappa"]) == pytest.approx(2 / 3)
    assert expected(measures["randolph_kappa"]) == pytest.approx(1 / 2)


def test_categories_that_nobody_used_count_where_they_are_declared() -> None:
    measures = figures(units_of(annotations(ROWS), categories=["Y", "N", "?"])).measures
    assert value(measures["randolph_kappa"]) == pytest.approx(1 - (1 / 3) / (2 / 3))
    assert value(measures["fleiss_kappa"]) == pytest.approx(1 / 3)
