"""Kendall's W, corrected for ties: by its printed formula, Spearman's and Friedman's statistics, and R."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import friedmanchisquare, rankdata, spearmanr

from tests.measures.made import value
from tests.measures.test_mcgraw_wong_1996 import ANXIETY, NUMBERS, of
from tests.properties import examples


def by_formula(rows: list[list[int]]) -> float | None:
    """W = 12 S / (k² (n³ - n) - k ΣT)."""
    columns = np.array(rows).T
    ranks = np.array([rankdata(column) for column in columns])
    k, n = ranks.shape
    sums = ranks.sum(axis=0)
    ties = sum(int((t**3 - t).sum()) for t in (np.unique(c, return_counts=True)[1] for c in columns))
    whole = k**2 * (n**3 - n) - k * ties
    return 12 * ((sums - sums.mean()) ** 2).sum() / whole if whole else None


def test_anxiety_as_r_has_it() -> None:
    assert value(of(ANXIETY)["kendall_w"]) == pytest.approx(0.539656876, abs=5e-10)
    assert value(of(ANXIETY, "ordinal")["kendall_w"]) == pytest.approx(0.539656876, abs=5e-10)


@examples(40)
@given(NUMBERS)
def test_it_is_the_formula_with_the_correction_for_ties(rows: list[list[int]]) -> None:
    assert of(rows)["kendall_w"].value == pytest.approx(by_formula(rows))


@examples(20)
@given(st.lists(st.permutations(range(6)), min_size=3, max_size=5))
def test_without_ties_it_is_friedmans_statistic_and_spearmans_mean(orders: list[list[int]]) -> None:
    rows = np.array(orders).T.tolist()
    several = len(orders)
    found = value(of(rows)["kendall_w"])
    assert found == pytest.approx(friedmanchisquare(*np.array(rows)).statistic / (several * 5))
    pairs = [spearmanr(a, b).statistic for place, a in enumerate(orders) for b in orders[place + 1 :]]
    assert found == pytest.approx((1 + (several - 1) * np.mean(pairs)) / several)


@pytest.mark.slow
@examples(20)
@given(NUMBERS)
def test_only_the_order_of_an_annotators_ratings_matters(rows: list[list[int]]) -> None:
    assume(by_formula(rows) is not None)
    own = [[each**2 + 10 * place for place, each in enumerate(row)] for row in rows]
    one, other = of(rows)["kendall_w"], of(own)["kendall_w"]
    assert value(other) == pytest.approx(value(one))


def test_opposite_orders_of_two_have_nothing_in_common() -> None:
    assert value(of([(1, 3), (2, 2), (3, 1)])["kendall_w"]) == pytest.approx(0)


def test_equal_values_are_ties_whatever_they_are_called() -> None:
    plain = value(of([(1, 1), (1, 2), (2, 2), (3, 2)])["kendall_w"])
    assert plain == pytest.approx(by_formula([[1, 1], [1, 2], [2, 2], [3, 2]]))
