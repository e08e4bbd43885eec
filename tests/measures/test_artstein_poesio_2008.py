"""Artstein and Poesio (2008), "Inter-coder agreement for computational linguistics", p. 558."""

import pytest

from tests.measures.made import error, expected, pair_of, value

# Rows coder B, columns coder A: statements and requests for information.
TABLE = [[20, 10], [20, 50]]
CATEGORIES = ("STAT", "IReq")


def test_table_2_and_its_coefficients() -> None:
    measures = pair_of(TABLE, CATEGORIES).measures
    assert value(measures["observed_agreement"]) == pytest.approx(0.7)
    assert expected(measures["bennett_s"]) == pytest.approx(0.5)
    assert value(measures["bennett_s"]) == pytest.approx(0.4)
    assert expected(measures["scott_pi"]) == pytest.approx(0.545, abs=5e-4)
    assert value(measures["scott_pi"]) == pytest.approx(0.341, abs=5e-4)
    assert expected(measures["cohen_kappa"]) == pytest.approx(0.54)
    assert value(measures["cohen_kappa"]) == pytest.approx(0.348, abs=5e-4)


def test_specific_agreement() -> None:
    statement, request = (value(each) for each in pair_of(TABLE, CATEGORIES).specific)
    assert statement == pytest.approx(0.571, abs=5e-4)
    assert request == pytest.approx(0.769, abs=5e-4)


def test_a_declared_but_unused_category_moves_s_alone() -> None:
    table = [[*row, 0] for row in TABLE] + [[0, 0, 0]]
    more, plain = pair_of(table).measures, pair_of(TABLE).measures
    assert value(more["bennett_s"]) == pytest.approx((0.7 - 1 / 3) / (1 - 1 / 3))
    for name in ("scott_pi", "cohen_kappa", "krippendorff_alpha", "observed_agreement", "kappa_max"):
        assert more[name].value == pytest.approx(plain[name].value, rel=1e-12)
    for name in ("scott_pi", "cohen_kappa", "krippendorff_alpha", "observed_agreement"):
        assert error(more[name]) == pytest.approx(error(plain[name]), rel=1e-12)
