"""Stuart (1955), Maxwell (1970), Bowker (1948), McNemar (1947): vision of 7,477 women, and by hand."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, chi2
from statsmodels.stats.contingency_tables import SquareTable

from reportgen.measures.analysis import PairAgreement
from tests.measures.made import Table, annotations, figures, pair_of, units_of
from tests.measures.test_fort_2010 import TABLE_1
from tests.properties import examples

# Stuart (1955): right eye in rows, left eye in columns, best grade first.
VISION = [[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]]


def test_vision_of_either_eye() -> None:
    test = pair_of(VISION).tests["stuart_maxwell"]
    assert test.statistic == pytest.approx(11.95656962, abs=5e-9)
    assert test.degrees == 3
    assert test.p == pytest.approx(chi2.sf(11.95656962, 3), rel=1e-8)
    assert str(test.method) == "chi-square"


@pytest.mark.parametrize("table", [VISION, TABLE_1])
def test_bowker_and_stuart_maxwell_against_statsmodels(table: Table) -> None:
    square = SquareTable(np.array(table), shift_zeros=False)
    tests = pair_of(table).tests
    for ours, theirs in (
        (tests["bowker"], square.symmetry()),
        (tests["stuart_maxwell"], square.homogeneity()),
    ):
        assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-10)
        assert ours.degrees == theirs.df
        assert ours.p == pytest.approx(theirs.pvalue, rel=1e-8)


def test_unconnected_groups_of_categories_cost_a_degree_of_freedom_each() -> None:
    # a and b are confused, c and d are, 5 thousand million times more often; never across.
    table = [[5, 30, 0, 0], [12, 5, 0, 0], [0, 0, 5, 10**11 + 10**6], [0, 0, 10**11, 5]]
    test = pair_of(table).tests["stuart_maxwell"]
    assert test.degrees == 2
    assert test.statistic == pytest.approx(18**2 / 42 + 1e12 / (2e11 + 1e6), rel=1e-9)
    assert pair_of(table).tests["bowker"].degrees == 2


def test_huge_counts_by_document_do_not_overflow() -> None:
    rows = [("a", "b"), ("b", "a")] * 30
    units = units_of(annotations(rows, documents=[f"d{n // 2}" for n in range(60)], weights=[10**9, 10] * 30))
    tests = figures(units).pairs[0].tests
    assert tests["bowker"].statistic == pytest.approx(30, rel=1e-9)
    assert tests["bowker"].by_document
    assert tests["stuart_maxwell"].degrees == 1


@given(st.integers(0, 24), st.integers(0, 24), st.integers(0, 5))
def test_mcnemar_below_25_discordant_units_is_the_binomial_test(b: int, c: int, both: int) -> None:
    test = pair_of([[both, b], [c, 7]], ("x", "none"), non_annotated="none").tests["mcnemar"]
    assert test.discordant == b + c
    if b + c == 0:
        assert str(test.undefined) == "the two annotators never disagree"
    elif b + c < 25:
        assert str(test.method) == "exact"
        assert test.p == pytest.approx(binomtest(b, b + c).pvalue, rel=1e-9)
    else:
        assert str(test.method) == "chi-square"
        assert test.p == pytest.approx(chi2.sf((b - c) ** 2 / (b + c), 1), rel=1e-9)
    if b + c:
        assert test.statistic == pytest.approx((b - c) ** 2 / (b + c), rel=1e-12)


PAIRS = list(itertools.permutations("abc", 2))


@examples(60)
@given(st.lists(st.tuples(st.sampled_from(PAIRS), st.integers(0, 4)), min_size=1, max_size=12))
def test_exact_p_by_document_is_that_of_every_choice_of_signs(
    units: list[tuple[tuple[str, str], int]],
) -> None:
    documents = [f"d{document}" if document else None for _, document in units]
    rows = [pair for pair, _ in units]
    export = annotations(rows, documents=documents, annotators="xy")
    pair = figures(units_of(export, categories=list("abc"), non_annotated="c")).pairs[0]
    vectors: dict[str, list[list[int]]] = {
        "bowker": [[(p == k) - (p == k[::-1]) for k in (("a", "b"), ("a", "c"), ("b", "c"))] for p in rows],
        "stuart_maxwell": [[(p[0] == k) - (p[1] == k) for k in "abc"] for p in rows],
        "mcnemar": [[(p[0] == "c") - (p[1] == "c")] for p in rows],
    }
    for name, steps in vectors.items():
        check_by_hand(pair, name, steps, [document or f"own{n}" for n, document in enumerate(documents)])


def check_by_hand(pair: PairAgreement, name: str, steps: list[list[int]], clusters: list[str]) -> None:
    """Compare with every choice of signs and a pseudoinverse."""
    sums: dict[str, np.ndarray[tuple[int], np.dtype[np.int64]]] = {}
    for step, cluster in zip(steps, clusters, strict=True):
        sums[cluster] = sums.get(cluster, np.zeros(len(step), dtype=np.int64)) + np.array(step)
    moving = np.array([each for each in sums.values() if each.any()])
    test = pair.tests[name]
    if len(moving) == 0:
        assert test.p is None
        assert test.undefined is not None
        return
    inverse = np.linalg.pinv(moving.T @ moving, rcond=1e-9)
    signs = np.array(list(itertools.product((1, -1), repeat=len(moving))))
    reached = signs @ moving
    statistics = np.einsum("si,ij,sj->s", reached, inverse, reached)
    assert test.statistic == pytest.approx(statistics[0], rel=1e-9, abs=1e-9)
    assert test.degrees == np.linalg.matrix_rank(moving)
    assert test.p == pytest.approx((statistics >= statistics[0] - 1e-9).mean(), rel=1e-9)


def test_ties_count_as_extreme() -> None:
    assert pair_of([[3, 4], [4, 3]]).tests["bowker"].p == 1
    # Twice 5 against 1: as extreme are the sums (±4, ±4), (±6, …) and (…, ±6) of six signs each.
    test = pair_of([[3, 5, 0], [1, 3, 5], [0, 1, 3]]).tests["bowker"]
    ways = {6: 2, 4: 12, 2: 30, 0: 20}
    extreme = sum(ways[x] * ways[y] for x in ways for y in ways if x * x + y * y >= 4 * 4 + 4 * 4)
    assert str(test.method) == "exact"
    assert test.p == pytest.approx(extreme / 2**12, rel=1e-12)


def test_mcnemar_when_only_real_categories_are_confused() -> None:
    test = pair_of([[3, 2, 0], [1, 4, 0], [0, 0, 9]], ("a", "b", "none"), non_annotated="none").tests[
        "mcnemar"
    ]
    assert str(test.undefined) == "no unit tells the margins apart"


def test_few_documents_and_many_categories() -> None:
    rows = [(a, b) for a, b in itertools.permutations("abcdefg", 2)]
    units = units_of(annotations(rows, documents=[f"d{n % 3}" for n in range(len(rows))]))
    test = figures(units).pairs[0].tests["bowker"]
    assert str(test.undefined) == "too few documents or units have a disagreement for so many categories"
    assert test.discordant == 42
