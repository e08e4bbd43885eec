"""Cohen (1960), "A coefficient of agreement for nominal scales", p. 37, its proportions as 100 units."""

import pytest

from tests.measures.made import expected, observed, pair_of, value

TABLE = [[25, 13, 12], [12, 2, 16], [3, 15, 2]]


def test_agreement_below_chance() -> None:
    measures = pair_of(TABLE).measures
    assert value(measures["observed_agreement"]) == pytest.approx(0.29, abs=1e-12)
    assert expected(measures["cohen_kappa"]) == pytest.approx(0.35, abs=0.006)
    assert value(measures["cohen_kappa"]) == pytest.approx((0.29 - 0.35) / (1 - 0.35), abs=0.006)


def test_the_highest_kappa_of_these_margins() -> None:
    highest = pair_of(TABLE).measures["kappa_max"]
    assert observed(highest) == pytest.approx(0.90, abs=1e-12)
    assert value(highest) == pytest.approx(0.85, abs=0.006)
    assert highest.standard_error is None
    assert str(highest.interval) == "it is a ceiling that follows from the margins, not an estimate"


def test_kappa_of_a_table_with_the_highest_agreement_is_kappa_max() -> None:
    reached = pair_of([[40, 5, 5], [0, 30, 0], [0, 0, 20]])
    margins = pair_of([[25, 15, 10], [10, 10, 10], [5, 10, 5]])
    assert reached.table.row_totals.tolist() == margins.table.row_totals.tolist()
    assert reached.table.column_totals.tolist() == margins.table.column_totals.tolist()
    assert value(margins.measures["kappa_max"]) == pytest.approx(value(reached.measures["cohen_kappa"]))
    assert value(reached.measures["kappa_max"]) == pytest.approx(value(reached.measures["cohen_kappa"]))
