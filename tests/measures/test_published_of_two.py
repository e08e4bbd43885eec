"""Worked examples of papers and packages for two annotators."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import binomtest, chi2, f
from statsmodels.stats.contingency_tables import SquareTable

from reportgen.measures import coefficients
from reportgen.measures.analysis import PairAgreement
from reportgen.measures.unit_set_data import ScaleSetting, UnitsOfPair
from reportgen.results import SizeCurve
from tests.measures.made import (
    Table,
    annotations,
    error,
    expected,
    figures,
    intervals_asked,
    observed,
    pair_of,
    units_of,
    value,
)
from tests.measures.test_fort_2010 import TABLE_1
from tests.present import present
from tests.properties import examples

# Cohen (1960), "A coefficient of agreement for nominal scales", p. 37, its proportions as 100 units.


COHEN = [[25, 13, 12], [12, 2, 16], [3, 15, 2]]


def test_agreement_below_chance() -> None:
    measures = pair_of(COHEN).measures
    assert value(measures["observed_agreement"]) == pytest.approx(0.29, abs=1e-12)
    assert expected(measures["cohen_kappa"]) == pytest.approx(0.35, abs=0.006)
    assert value(measures["cohen_kappa"]) == pytest.approx((0.29 - 0.35) / (1 - 0.35), abs=0.006)


def test_the_highest_kappa_of_these_margins() -> None:
    highest = pair_of(COHEN).measures["kappa_max"]
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


# Zwick (1988), "Another look at interrater agreement", p. 376: equal margins, all coefficients equal.


def test_with_equal_and_uniform_margins_s_pi_and_kappa_are_the_same() -> None:
    measures = pair_of([[20, 0, 0, 5], [0, 10, 15, 0], [0, 15, 10, 0], [5, 0, 0, 20]]).measures
    assert value(measures["observed_agreement"]) == pytest.approx(0.6)
    for name in ("bennett_s", "scott_pi", "cohen_kappa"):
        assert value(measures[name]) == pytest.approx(0.467, abs=5e-4)
    assert value(measures["kappa_max"]) == pytest.approx(1)


# Brennan and Prediger (1981), "Coefficient kappa: some uses, misuses, and alternatives", p. 689.


def test_kappa_and_s_of_one_table() -> None:
    measures = pair_of([[50, 0, 0], [10, 10, 10], [20, 0, 0]]).measures
    assert value(measures["observed_agreement"]) == pytest.approx(0.6)
    assert expected(measures["cohen_kappa"]) == pytest.approx(0.45)
    assert value(measures["cohen_kappa"]) == pytest.approx(0.27, abs=0.005)
    assert value(measures["bennett_s"]) == pytest.approx(0.4)


# Agresti (1992), "Modelling patterns of agreement and disagreement", p. 202: Landis and Koch's table.


CARCINOMA = [[22, 2, 2, 0], [5, 7, 14, 0], [0, 2, 36, 0], [0, 1, 17, 10]]


def test_kappa_and_its_standard_error() -> None:
    kappa = pair_of(CARCINOMA).measures["cohen_kappa"]
    assert value(kappa) == pytest.approx(0.493, abs=5e-4)
    assert error(kappa) == pytest.approx(0.057, abs=5e-4)


def test_kappa_of_one_category_against_the_rest_is_cohens() -> None:
    # Agresti pools the margins (.781 .247 .402 .435); ours are Cohen's on the table of two.
    rest = [value(each["cohen_kappa"]) for each in pair_of(CARCINOMA).against_rest]
    assert rest[1:] == pytest.approx([0.266, 0.441, 0.459], abs=5e-4)
    for category, kappa in enumerate(rest):
        folded = [[0, 0], [0, 0]]
        for i, row in enumerate(CARCINOMA):
            for j, n in enumerate(row):
                folded[i != category][j != category] += n
        assert kappa == pytest.approx(value(pair_of(folded).measures["cohen_kappa"]), rel=1e-12)


# GATE user guide, chapter 10: tables 10.2 to 10.4 and equation 10.2.


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


# Gwet's irrCAC, data set cont3x3abstractors: two abstractors, 100 charts, standard errors.


# Ectopic pregnancy, abnormal and normal intrauterine pregnancy.
ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]


@pytest.mark.parametrize(
    ("measure", "coefficient", "standard_error"),
    [
        ("cohen_kappa", 0.7964094, 0.05891072),
        ("scott_pi", 0.7962397, 0.05905473),
        ("bennett_s", 0.835, 0.04693346),
        ("krippendorff_alpha", 0.7972585, 0.05905473),
        ("observed_agreement", 0.89, 0.03128898),
    ],
)
def test_coefficient_and_standard_error(measure: str, coefficient: float, standard_error: float) -> None:
    found = pair_of(ABSTRACTORS).measures[measure]
    assert value(found) == pytest.approx(coefficient, abs=5e-8)
    assert error(found) == pytest.approx(standard_error, abs=6e-8)


def test_the_standard_error_of_alpha_leaves_out_the_small_sample_factor() -> None:
    # As irrCAC does for a table of two; with the factor it would be 199/200 of it.
    measures = pair_of(ABSTRACTORS).measures
    assert error(measures["krippendorff_alpha"]) == pytest.approx(error(measures["scott_pi"]), rel=1e-12)


# Artstein and Poesio (2008), "Inter-coder agreement for computational linguistics", p. 558.


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


# Byrt, Bishop and Carlin (1993), "Bias, prevalence and kappa".


COUNT = st.integers(0, 10_000)


@given(COUNT, COUNT, COUNT, COUNT)
def test_kappa_follows_from_pabak_prevalence_and_bias(a: int, b: int, c: int, d: int) -> None:
    assume(a + b + c + d > 0)
    measures = pair_of([[a, b], [c, d]], ("yes", "no")).measures
    n = a + b + c + d
    prevalence, bias, pabak = (value(measures[f]) for f in ("prevalence_index", "bias_index", "pabak"))
    assert prevalence == pytest.approx((a - d) / n, abs=1e-12)
    assert bias == pytest.approx((b - c) / n, abs=1e-12)
    assert pabak == pytest.approx(2 * (a + d) / n - 1, abs=1e-12)
    if measures["cohen_kappa"].value is None:
        assert n in (a, d)
        return
    share = 1 - prevalence**2 + bias**2
    assert value(measures["cohen_kappa"]) * share == pytest.approx(pabak - prevalence**2 + bias**2, abs=1e-9)


def test_indices_belong_to_two_categories_and_are_given_for_each_of_more() -> None:
    three = pair_of([[5, 1, 0], [2, 6, 1], [0, 3, 9]])
    assert not {"prevalence_index", "bias_index", "pabak"} & set(three.measures)
    assert len(three.against_rest) == 3
    first = three.against_rest[0]
    assert value(first["prevalence_index"]) == pytest.approx((5 - 19) / 27)
    assert value(first["bias_index"]) == pytest.approx((1 - 2) / 27)
    assert value(first["pabak"]) == pytest.approx(1 - 2 * 3 / 27)
    assert pair_of([[5, 1], [2, 6]]).against_rest == ()


# Hripcsak and Rothschild (2005): the limit of kappa is F; with more categories it lies between two.


FORT = [[71, 13, 23], [8, 69, 15], [7, 8, 18840]]


def curve_of(table: Table) -> SizeCurve:
    names = tuple(f"c{place}" for place in range(len(table)))
    return present(pair_of(table, names, non_annotated=names[-1]).curve)


def test_fort_table_1_has_its_limit_between_two_f_measures() -> None:
    curve = curve_of(FORT)
    assert curve.f_labelled == pytest.approx(0.746667, abs=5e-7)
    assert curve.f_unlabelled == pytest.approx(0.858667, abs=5e-7)
    assert curve.limit["cohen_kappa"] == pytest.approx(0.802667, abs=5e-7)


def test_with_one_category_both_are_the_limit() -> None:
    curve = curve_of([[5, 2], [3, 100]])
    assert curve.f_labelled == curve.f_unlabelled == pytest.approx(10 / 15)
    assert curve.limit["cohen_kappa"] == pytest.approx(10 / 15)


@given(
    st.integers(2, 4).flatmap(
        lambda size: st.lists(
            st.lists(st.integers(0, 9), min_size=size, max_size=size), min_size=size, max_size=size
        )
    )
)
def test_the_limit_of_kappa_is_the_mean_of_labelled_and_unlabelled_f(table: Table) -> None:
    assume(sum(map(sum, table)) > 0)
    curve = curve_of(table)
    limit = curve.limit["cohen_kappa"]
    if limit is None:
        assert curve.f_labelled is curve.f_unlabelled is None
        return
    assert (present(curve.f_labelled) + present(curve.f_unlabelled)) / 2 == pytest.approx(limit, abs=1e-12)


# Bangdiwala's B (1985), with Gwet's standard error, and Maxwell's RE (1977).


SQUARE = st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=3, max_size=3)


def test_abstractors_as_irrcac_has_them() -> None:
    found = pair_of(ABSTRACTORS).measures["bangdiwala_b"]
    assert value(found) == pytest.approx(0.8059604, abs=5e-8)
    assert error(found) == pytest.approx(0.05449465, abs=5e-9)
    assert found.units == 100


@examples(40)
@given(SQUARE, st.permutations(range(3)))
def test_it_is_one_area_over_another_and_knows_no_order(table: Table, order: list[int]) -> None:
    counts = np.array(table)
    rows, columns = counts.sum(axis=1), counts.sum(axis=0)
    assume((rows * columns).sum() > 0 and counts.sum() > 1)
    assume((np.diagonal(counts) ** 2 < rows * columns).any())
    found = pair_of(table).measures["bangdiwala_b"]
    assert value(found) == pytest.approx((np.diagonal(counts) ** 2).sum() / (rows * columns).sum())
    moved = pair_of([[table[i][j] for j in order] for i in order]).measures["bangdiwala_b"]
    assert value(moved) == pytest.approx(value(found))
    assert moved.standard_error == pytest.approx(found.standard_error)


def test_perfect_agreement_is_one_and_no_common_category_has_a_reason() -> None:
    assert value(pair_of([[3, 0], [0, 4]]).measures["bangdiwala_b"]) == 1
    assert str(pair_of([[3, 0], [0, 4]]).measures["bangdiwala_b"].interval).startswith("no disagreement")
    found = pair_of([[0, 9], [0, 0]]).measures["bangdiwala_b"]
    assert str(found.undefined) == "no category was used by both annotators"
    strangers = figures(units_of(annotations([("a", None), (None, "b")]))).measures["bangdiwala_b"]
    assert str(strangers.undefined) == "no unit was rated by both annotators"


def test_disagreement_that_it_does_not_see_is_no_perfect_agreement() -> None:
    """Of b and c each was used by one of the two alone: their product of totals is 0, and B would be 1."""
    found = pair_of([[1, 0, 0], [0, 0, 2], [0, 0, 0]]).measures["bangdiwala_b"]
    assert found.value is None
    assert str(found.undefined).startswith("they differ only on categories that one of the two never used")
    seen = pair_of([[1, 0, 0], [0, 1, 2], [0, 0, 0]]).measures["bangdiwala_b"]
    assert value(seen) == pytest.approx(2 / 4)


def test_sets_have_none() -> None:
    export = annotations([("a", "a"), ("a|b", "b|c"), ("c", "a|c")], separator="|")
    found = figures(units_of(export, scale="set")).measures
    assert value(found["observed_agreement"]) == pytest.approx(1 / 3)
    assert "bangdiwala_b" not in found


def test_maxwells_re_is_pabak_of_two_categories() -> None:
    found = pair_of([[6, 1], [3, 10]]).measures
    assert value(found["maxwell_re"]) == pytest.approx(0.6)
    assert found["maxwell_re"] == found["pabak"]
    assert "maxwell_re" not in pair_of(ABSTRACTORS).measures


def test_agreement_on_the_chart_is_asked_an_interval_between_0_and_1() -> None:
    pair = UnitsOfPair(pair_of([[3, 1], [0, 3]]).table, ScaleSetting())
    (asked,) = intervals_asked(coefficients, lambda: coefficients._bangdiwala_b(pair))  # noqa: SLF001
    assert asked["bounds"] == (0, 1)


# Bhapkar (1966), and Bishop, Fienberg and Holland's test of rater bias (1975): vision of 7,477 women.


LARGER = st.lists(st.lists(st.integers(0, 30), min_size=3, max_size=3), min_size=3, max_size=3)


def test_vision_of_either_eye() -> None:
    tests = pair_of(VISION, scale="ordinal").tests
    assert tests["bhapkar"].statistic == pytest.approx(11.97572016, abs=5e-9)
    assert tests["bhapkar"].degrees == 3
    assert tests["bhapkar"].p == pytest.approx(chi2.sf(11.97572016, 3), rel=1e-8)
    assert tests["rater_bias"].statistic == pytest.approx(11.88491518, abs=5e-9)
    assert tests["rater_bias"].degrees == 1
    assert tests["rater_bias"].discordant == 2181


@examples(40)
@given(LARGER)
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


# Stuart (1955): right eye in rows, left eye in columns, best grade first.
VISION = [[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]]


def test_stuart_maxwell_of_vision_of_either_eye() -> None:
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
