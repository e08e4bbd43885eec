"""Bhapkar (1966), and Bishop, Fienberg and Holland's test of rater bias (1975): vision of 7,477 women."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import chi2, f
from statsmodels.stats.contingency_tables import SquareTable

from tests.measures.made import Table, annotations, figures, pair_of, units_of
from tests.measures.test_stuart_maxwell import VISION
from tests.properties import examples

SQUARE = st.lists(st.lists(st.integers(0, 30), min_size=3, max_size=3), min_size=3, max_size=3)


def test_vision_of_either_eye() -> None:
    tests = pair_of(VISION, scale="ordinal").tests
    assert tests["bhapkar"].statistic == pytest.approx(11.97572016, abs=5e-9)
    assert tests["bhapkar"].degrees == 3
    assert tests["bhapkar"].p == pytest.approx(chi2.sf(11.97572016, 3), rel=1e-8)
    assert tests["rater_bias"].statistic == pytest.approx(11.88491518, abs=5e-9)
    assert tests["rater_bias"].degrees == 1
    assert tests["rater_bias"].discordant == 2181


@examples(40)
@given(SQUARE)
def test_bhapkar_against_statsmodels(table: Table) -> None:
    assume(sum(map(sum, table)) > 0)
    ours = pair_of(table).tests["bhapkar"]
    used = [k for k in range(3) if sum(table[k]) + sum(row[k] for row in table)]
    square = np.array(table)[np.ix_(used, used)]
    if ours.statistic is None or ours.degrees != len(used) - 1:
        return
    theirs = SquareTable(square, shift_zeros=False).homogeneity(method="bhapkar")
    assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-8)


def test_documents_are_compared_where_they_are_known_and_f_takes_their_number_into_account() -> None:
    random = np.random.default_rng(2)
    first = random.integers(0, 3, 400)
    second = np.where(random.random(400) < 0.3, random.integers(0, 3, 400), first)
    rows = [(str(a), str(b)) for a, b in zip(first, second, strict=True)]
    documents = [f"d{n // 20}" for n in range(400)]
    test = figures(units_of(annotations(rows, documents=documents))).pairs[0].tests["bhapkar"]
    sums = np.array([[int((x == k).sum()) for k in (0, 1)] for x in first.reshape(20, 20)])
    sums -= np.array([[int((x == k).sum()) for k in (0, 1)] for x in second.reshape(20, 20)])
    mean, covariance = sums.mean(axis=0), np.cov(sums.T)
    hotelling = 20 * mean @ np.linalg.inv(covariance) @ mean
    assert test.statistic == pytest.approx(hotelling * 20 / 19)
    assert test.p == pytest.approx(f.sf((20 - 2) / (2 * 19) * hotelling, 2, 18))
    assert str(test.method).startswith("F distribution")
    assert test.by_document


def test_an_exact_p_is_that_of_stuart_and_maxwell() -> None:
    tests = pair_of([[5, 4, 0], [1, 7, 6], [0, 1, 3]]).tests
    assert str(tests["bhapkar"].method) == "exact"
    assert tests["bhapkar"].p == tests["stuart_maxwell"].p
    assert (tests["bhapkar"].statistic or 0) > (tests["stuart_maxwell"].statistic or 0)


def test_differences_without_any_variance_have_their_reason() -> None:
    tests = pair_of([[0, 40], [0, 0]]).tests
    assert tests["stuart_maxwell"].p is not None
    assert str(tests["bhapkar"].undefined).startswith("every document or unit differs in the same way")
    assert tests["bhapkar"].p is None


def test_annotators_who_never_disagree_have_their_reason() -> None:
    tests = pair_of([[3, 0], [0, 5]], ("1", "2"), scale="ordinal").tests
    for name in ("bhapkar", "rater_bias"):
        assert str(tests[name].undefined) == "the two annotators never disagree"


def test_rater_bias_asks_who_gives_the_higher_value_whatever_the_order_of_the_names() -> None:
    rows = [("10", "9")] * 12 + [("9", "10")] * 3 + [("1", "1")] * 5
    one = figures(units_of(annotations(rows), scale="interval", categories=["10", "1", "9"])).pairs[0]
    assert one.tests["rater_bias"].statistic == pytest.approx(81 / 15)
    marked = [*rows, ("none", "9"), ("10", "none")]
    export = annotations(marked)
    other = figures(units_of(export, scale="interval", non_annotated="none")).pairs[0]
    assert other.tests["rater_bias"].statistic == pytest.approx(81 / 15)
    assert "rater_bias" not in pair_of([[3, 1], [2, 5]]).tests
