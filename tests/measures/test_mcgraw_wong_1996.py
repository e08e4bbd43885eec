"""Intraclass correlations of Shrout and Fleiss (1979), McGraw and Wong (1996); Kendall's W."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import friedmanchisquare, rankdata, spearmanr

from benchmarks.numbers import by_f
from reportgen.measures import ConfidenceInterval, Estimate, complete_ratings
from reportgen.measures.complete_ratings import absolute_agreement, icc_consistency
from reportgen.measures.unit_profiles import LabelPatterns
from reportgen.measures.unit_set_data import complete
from reportgen.readers import NO_DOCUMENT
from tests.measures.made import Rows, annotations, error, figures, units_of, value
from tests.properties import examples

# Intraclass correlations: Shrout and Fleiss (1979), McGraw and Wong (1996), and by analysis of variance.


# Shrout and Fleiss (1979), table 2: four judges rate six targets.
SHROUT = [(9, 2, 5, 8), (6, 1, 3, 2), (8, 4, 6, 8), (7, 1, 2, 6), (10, 5, 6, 9), (6, 2, 4, 7)]
# R irr, data set `anxiety`: three judges rate twenty persons from 1 to 6.
ANXIETY = [
    (3, 3, 2), (3, 6, 1), (3, 4, 4), (4, 6, 4), (5, 2, 3), (5, 4, 2), (2, 2, 1), (3, 4, 6), (5, 3, 1),
    (2, 3, 1), (2, 2, 1), (6, 3, 2), (1, 3, 3), (5, 3, 3), (2, 2, 1), (2, 2, 1), (1, 1, 3), (2, 3, 3),
    (4, 3, 2), (3, 4, 2),
]  # fmt: skip
NAMES = ("icc_a1", "icc_c1", "kendall_w", "finn_r[two-way]")
ALL = ("0", "1", "2", "5", "9")
NUMBERS = st.integers(2, 4).flatmap(
    lambda width: st.lists(
        st.lists(st.sampled_from([0, 1, 2, 5, 9]), min_size=width, max_size=width), min_size=2, max_size=9
    )
)


def of(
    rows: Sequence[Sequence[int | None]],
    scale: str = "interval",
    documents: Sequence[str] = (),
    weights: Sequence[int] = (),
    categories: Sequence[str] | None = None,
) -> dict[str, Estimate]:
    """The figures of numbers in rows of units."""
    labels: Rows = [[None if each is None else str(each) for each in row] for row in rows]
    export = annotations(labels, documents=documents, weights=weights)
    task: dict[str, Any] = {} if categories is None else {"categories": list(categories)}
    return dict(figures(units_of(export, scale=scale, **task)).measures)


def mean_squares(rows: Sequence[Sequence[int]]) -> tuple[float, float, float]:
    """Mean squares of units, annotators and error, as every textbook has them."""
    x = np.array(rows, dtype=float)
    n, k = x.shape
    units = k * ((x.mean(axis=1) - x.mean()) ** 2).sum() / (n - 1)
    annotators = n * ((x.mean(axis=0) - x.mean()) ** 2).sum() / (k - 1)
    rest = x - x.mean(axis=1)[:, None] - x.mean(axis=0)[None, :] + x.mean()
    return units, annotators, (rest**2).sum() / ((n - 1) * (k - 1))


def test_shrout_and_fleiss_example() -> None:
    found = of(SHROUT)
    assert value(found["icc_a1"]) == pytest.approx(0.29, abs=0.005)
    assert value(found["icc_c1"]) == pytest.approx(0.71, abs=0.005)
    assert [found[name].units for name in NAMES] == [6] * 4
    assert mean_squares(SHROUT) == pytest.approx((11.24, 32.49, 1.02), abs=0.005)


def test_anxiety_as_r_has_it() -> None:
    assert value(of(ANXIETY)["icc_a1"]) == pytest.approx(0.1979982594, abs=5e-11)


def ends(estimate: Estimate) -> tuple[float, float]:
    assert isinstance(estimate.interval, ConfidenceInterval), estimate.interval
    return estimate.interval.low, estimate.interval.high


def test_the_intervals_of_f_that_are_simulated_are_those_of_r_and_spss() -> None:
    """R psych, ICC on Shrout and Fleiss' data: ICC2 .02 to .76, ICC3 .34 to .95; R irr, icc on `anxiety`."""
    for rows, absolute, expected in (
        (SHROUT, True, (0.019, 0.761)),
        (SHROUT, False, (0.342, 0.946)),
        (ANXIETY, True, (-0.039, 0.494)),
    ):
        codes, once = np.array(rows), np.ones(len(rows), dtype=np.int64)
        units = complete(codes, np.full(len(rows), NO_DOCUMENT), once, 11)
        assert by_f(units, np.arange(11.0), absolute=absolute) == pytest.approx(expected, abs=5e-4)


def test_intervals_assume_no_normal_ratings() -> None:
    twice = [*ANXIETY, *ANXIETY]
    for name in ("icc_a1", "icc_c1"):
        found = of(twice)[name]
        assert isinstance(found.interval, ConfidenceInterval)
        assert str(found.interval.method) == "leaving out each unit, t on the logit scale"
        alone = of(twice, documents=[f"d{place}" for place in range(40)])[name]
        assert ends(alone) == pytest.approx(ends(found))


@pytest.mark.parametrize("scale", ["interval", "ratio"])
def test_finn_has_no_points_to_count_on_a_scale_of_any_numbers(scale: str) -> None:
    """Distinct values are no points: the same ratings to 0, 1 and 2 decimals had three figures."""
    random = np.random.default_rng(21)
    truth = random.random(60) * 10
    rows = [tuple(float(t + e) for e in random.normal(0, 0.5, 2)) for t in truth + 2]
    for decimals in range(3):
        labels = [tuple(f"{each:.{decimals}f}" for each in row) for row in rows]
        found = figures(units_of(annotations(labels), scale=scale)).measures
        for name in ("finn_r", "finn_r[two-way]"):
            assert found[name].value is None
            assert "points of a scale" in str(found[name].undefined)
    several = figures(units_of(annotations([("1", "2", "2"), ("3", "3", "4")]), scale=scale)).measures
    assert several["finn_r"].value is None


@examples(40)
@given(NUMBERS)
def test_every_figure_is_that_of_the_mean_squares(rows: list[list[int]]) -> None:
    units, annotators, rest = mean_squares(rows)
    n, k = len(rows), len(rows[0])
    found, ranked = of(rows, categories=ALL), of(rows, "ordinal", categories=ALL)
    absolute = units + (k - 1) * rest + k * (annotators - rest) / n
    consistent = units + (k - 1) * rest
    *_, of_codes = mean_squares([[ALL.index(str(each)) for each in row] for row in rows])
    assert value(ranked["finn_r[two-way]"]) == pytest.approx(1 - of_codes / 2, abs=1e-9)
    for name, whole in (("icc_a1", absolute), ("icc_c1", consistent)):
        if whole < 1e-9:
            assert str(found[name].undefined).startswith("the ratings do not vary")
        else:
            assert value(found[name]) == pytest.approx((units - rest) / whole, abs=1e-9)


def test_a_stricter_annotator_disagrees_but_is_consistent() -> None:
    found = of([(1, 2), (3, 4), (5, 6)])
    assert value(found["icc_c1"]) == pytest.approx(1)
    assert value(found["icc_a1"]) == pytest.approx(4 / 4.5)
    assert str(found["icc_c1"].interval).startswith("every document or unit contributes the same")


@pytest.mark.parametrize("annotators", [2, 3, 4])
def test_the_least_correlation_is_of_as_many_people(annotators: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[Any] = set()

    def from_complete(_table: LabelPatterns, own: Estimate, _moved: Any, ends: Any, _weight: Any) -> Estimate:  # noqa: ANN401
        asked.add(ends)
        return own

    monkeypatch.setattr(complete_ratings, "from_complete", from_complete)
    numbers = np.array([0.0, 1.0, 4.0])
    labels = np.array([[0] * annotators, [2] * annotators, [*range(annotators - 1), 2]]) % 3
    table = complete(labels, np.full(3, NO_DOCUMENT), np.ones(3, dtype=np.int64), 3)
    absolute_agreement(table, numbers)
    icc_consistency(table, numbers)
    least = -1 / (annotators - 1)
    assert asked == {(-math.inf, least), (least, -math.inf)}


@pytest.mark.parametrize("scale", ["ordinal", "interval", "ratio"])
def test_only_units_that_all_annotators_gave_a_number_count(scale: str) -> None:
    rows = [*ANXIETY, (1, None, 6), (None, 2, 5), (6, 1, None)]
    whole, alone = of(rows, scale), of(ANXIETY, scale)
    for name in NAMES:
        assert whole[name] == alone[name]
        assert whole[name].recomputable
    labels = [[str(each) for each in row] for row in ANXIETY] + [["none", "2", "3"], ["none"] * 3]
    marked = figures(units_of(annotations(labels), scale=scale, non_annotated="none")).measures
    for name in NAMES:
        assert marked[name] == alone[name]


def test_a_row_stands_for_as_many_units_as_its_weight() -> None:
    rows, times = [(1, 2), (2, 2), (4, 3), (5, 5)], [3, 1, 2, 4]
    weighted = of(rows, "ordinal", weights=times)
    single = of([row for row, n in zip(rows, times, strict=True) for _ in range(n)], "ordinal")
    for name in NAMES:
        assert value(weighted[name]) == pytest.approx(value(single[name]), rel=1e-12)
        assert error(weighted[name]) == pytest.approx(error(single[name]), rel=1e-9)
        assert weighted[name].units == 10


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([(1,), (2,)], "no unit was rated by two annotators"),
        ([(1, None), (None, 2)], "no unit was rated by both annotators"),
        ([(1, 2, None), (None, 2, 1), (2, None, 2)], "no unit was rated by all annotators"),
        ([(1, 2)], "one unit alone does not show how ratings differ between units"),
        ([(1, 2, 2), (1, None, 2)], "one unit alone does not show how ratings differ between units"),
    ],
)
def test_too_few_units_have_their_reason(rows: list[tuple[int | None, ...]], reason: str) -> None:
    found = of(rows, "ordinal", categories=("1", "2"))
    assert {str(found[name].undefined) for name in NAMES} == {reason}
    complete = sum(None not in row for row in rows if len(row) > 1)
    assert {found[name].units for name in NAMES} == {complete}


def test_ratings_that_do_not_vary_share_out_nothing() -> None:
    found = of([(2, 2), (2, 2)], categories=("1", "2"))
    for name in ("icc_a1", "icc_c1", "kendall_w"):
        assert str(found[name].undefined).startswith("the ratings do not vary")
    ranked = of([(2, 2), (2, 2)], "ordinal", categories=("1", "2"))
    assert value(ranked["finn_r[two-way]"]) == 1
    habits = of([(1, 2), (1, 2)], categories=("1", "2"))
    assert value(habits["icc_a1"]) == 0
    assert str(habits["icc_c1"].undefined).startswith("the ratings do not vary")
    # A total variance that is estimated as zero.
    assert str(of([(1, 2), (2, 1)])["icc_a1"].undefined).startswith("the ratings do not vary")


def test_one_category_leaves_finn_undefined() -> None:
    found = of([(2, 2), (2, 2)], "ordinal")
    assert str(found["finn_r[two-way]"].undefined).startswith("only one category is declared or used")


def test_nominal_categories_have_no_such_figure() -> None:
    assert not set(NAMES) & of(ANXIETY, "nominal").keys()


@examples(30)
@given(NUMBERS)
def test_finn_one_way_is_the_mean_variance_of_units(rows: list[list[int]]) -> None:
    kept = [row[: 2 + place % (len(row) - 1)] for place, row in enumerate(rows)]
    variances = [np.var([ALL.index(str(each)) for each in row], ddof=1) for row in kept]
    padded = [[*row, *[None] * (len(rows[0]) - len(row))] for row in kept]
    found = of(padded, "ordinal", categories=ALL)["finn_r"]
    assert value(found) == pytest.approx(1 - np.mean(variances) / 2, abs=1e-9)
    assert found.units == len(rows)


# Kendall's W, corrected for ties: by its printed formula, Spearman's and Friedman's statistics, and R.


def by_formula(rows: list[list[int]]) -> float | None:
    """W = 12 S / (k² (n³ - n) - k ΣT)."""
    columns = np.array(rows).T
    ranks = np.array([rankdata(column) for column in columns])
    k, n = ranks.shape
    sums = ranks.sum(axis=0)
    ties = sum(int((t**3 - t).sum()) for t in (np.unique(c, return_counts=True)[1] for c in columns))
    whole = k**2 * (n**3 - n) - k * ties
    return 12 * ((sums - sums.mean()) ** 2).sum() / whole if whole else None


def test_w_of_anxiety_as_r_has_it() -> None:
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
