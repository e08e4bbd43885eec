"""GATE user guide, chapter 10: tables 10.2 to 10.4 and equation 10.2."""

import pytest

from tests.measures.made import expected, pair_of, value

# Table 10.2: annotator 1 in rows, annotator 2 in columns.
TABLE_10_2 = [[1, 2], [3, 4]]


def test_table_10_3_expected_agreement_of_cohen() -> None:
    kappa = pair_of(TABLE_10_2, ("cat1", "cat2")).measures["cohen_kappa"]
    assert expected(kappa) == pytest.approx(0.3 * 0.4 + 0.7 * 0.6)
    assert value(kappa) == pytest.approx(-2 / 23)


def test_table_10_4_expected_agreement_of_scott() -> None:
    pi = pair_of(TABLE_10_2, ("cat1", "cat2")).measures["scott_pi"]
    assert expected(pi) == pytest.approx(0.35**2 + 0.65**2)
    assert value(pi) == pytest.approx((0.5 - 0.545) / (1 - 0.545))


def test_equation_10_2_specific_agreement() -> None:
    first, second = pair_of(TABLE_10_2, ("cat1", "cat2")).specific
    assert value(first) == pytest.approx(2 * 1 / (2 * 1 + 2 + 3))
    assert value(second) == pytest.approx(2 * 4 / (2 + 3 + 2 * 4))
