"""Tests between versions and intervals of changes: against scipy, statsmodels, leaving documents out."""

import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import pytest
import statsmodels.api as sm
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import stats

from reportgen.counts import count
from reportgen.measures import NoDifference, ScaleSetting, UnitsOfAll, coefficients
from reportgen.measures.estimate import Estimate
from reportgen.measures.figures_of_sums import specific_agreement
from reportgen.measures.significance_tests import (
    Contributions,
    EstimateDifference,
    change,
    contributions_of,
    difference,
    overlapping,
    paired,
    unpaired,
)
from reportgen.results.parts import Change
from tests.measures.made import annotations, figures_named, units_of, value
from tests.present import present

Labels = npt.NDArray[np.int64]
Figure = Callable[[UnitsOfAll], Estimate]
LETTERS = "abc"
RAREST = 2

FIGURES: dict[str, Figure] = {
    "observed_agreement": lambda whole: coefficients.observed(whole)["observed_agreement"],
    "krippendorff_alpha": lambda whole: coefficients.krippendorff_alpha(whole)["krippendorff_alpha"],
    "fleiss_kappa": lambda whole: figures_named(whole, "fleiss_kappa")["fleiss_kappa"],
    "gwet_ac1": lambda whole: figures_named(whole, "gwet_ac1")["gwet_ac1"],
    "cohen_kappa": lambda whole: figures_named(whole.pair, "cohen_kappa")["cohen_kappa"],
    "specific_agreement": lambda whole: specific_agreement(whole.profiles, 2),
}


def whole(labels: Labels, documents: Sequence[int]) -> UnitsOfAll:
    """Labels (units, annotators) in documents; a document's code is its number."""
    rows = [[LETTERS[label] for label in row] for row in labels.tolist()]
    every = [*range(max(documents) + 1)]
    units = units_of(
        annotations(rows, documents=[f"d{place:03}" for place in documents]), categories=tuple(LETTERS)
    )
    assert len(units.documents) == len(set(documents)) <= len(every)
    return UnitsOfAll(units, count(units), ScaleSetting())


def versions(sizes: Sequence[int], seed: int, annotators: int = 2) -> tuple[Labels, Labels, list[int]]:
    """Two versions of documents of these sizes, whose rates of error differ; the second is better."""
    random = np.random.default_rng(seed)
    documents = [place for place, size in enumerate(sizes) for _ in range(size)]
    rate = random.beta(2, 4, len(sizes))[documents][:, None]
    truth = random.choice(3, (len(documents), 1), p=(0.5, 0.3, 0.2))

    def version(factor: float) -> Labels:
        shape = (len(documents), annotators)
        wrong = random.random(shape) < factor * rate
        labels: Labels = np.where(wrong, random.integers(0, 3, shape), truth)
        return labels

    return version(1.0), version(0.8), documents


def agreed(labels: Labels) -> npt.NDArray[np.float64]:
    same: npt.NDArray[np.float64] = (labels[:, 0] == labels[:, 1]).astype(np.float64)
    return same


def of(found: EstimateDifference | NoDifference) -> EstimateDifference:
    assert isinstance(found, EstimateDifference), found
    return found


def both(one: Estimate, other: Estimate, codes: tuple[Labels, Labels] | None = None) -> list[Contributions]:
    """What each document contributes to both figures."""
    parts = [
        contributions_of(each, None if codes is None else codes[place])
        for place, each in enumerate((one, other))
    ]
    return [part for part in parts if isinstance(part, Contributions)]


def apart(one: Estimate, other: Estimate) -> EstimateDifference:
    """The test that takes the documents of both for different ones, without the logit scale."""
    return of(unpaired(*both(one, other)))


@pytest.mark.parametrize("seed", range(5))
def test_with_documents_of_one_size_the_paired_test_of_observed_agreement_is_scipy_s(seed: int) -> None:
    """The difference is then the mean of the documents' differences, and nothing has to be linearised."""
    first, second, documents = versions([12] * 15, seed)
    one, other = (FIGURES["observed_agreement"](whole(each, documents)) for each in (first, second))
    ours = of(difference(one, other))
    means = [agreed(each).reshape(15, 12).mean(axis=1) for each in (first, second)]
    theirs = stats.ttest_rel(means[1], means[0])
    ends = theirs.confidence_interval(0.95)
    assert ours.method == "paired"
    assert (ours.statistic, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-9)
    assert (ours.low, ours.high, ours.degrees) == pytest.approx((ends.low, ends.high, 14), rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_with_documents_of_one_size_the_unpaired_test_of_observed_agreement_is_welch_s(seed: int) -> None:
    first, _, documents = versions([12] * 15, seed)
    _, second, others = versions([12] * 9, seed + 100)
    one, other = (
        FIGURES["observed_agreement"](whole(labels, places))
        for labels, places in ((first, documents), (second, others))
    )
    ours = apart(one, other)
    means = [agreed(each).reshape(-1, 12).mean(axis=1) for each in (first, second)]
    theirs = stats.ttest_ind(means[1], means[0], equal_var=False)
    ends = theirs.confidence_interval(0.95)
    assert (ours.statistic, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-9)
    assert (ours.low, ours.high, ours.degrees) == pytest.approx((ends.low, ends.high, theirs.df), rel=1e-9)


def test_with_documents_of_any_size_the_error_is_that_of_a_regression_clustered_by_document() -> None:
    """statsmodels: agreement on each unit against its version."""
    sizes = [3 + place % 7 for place in range(20)]
    first, second, documents = versions(sizes, seed=20)
    one, other = (FIGURES["observed_agreement"](whole(each, documents)) for each in (first, second))
    ours = of(paired(*both(one, other), linear=True))
    agreement = np.concatenate([agreed(first), agreed(second)])
    later = np.repeat([0.0, 1.0], len(first))
    fitted = sm.OLS(agreement, sm.add_constant(later)).fit(
        cov_type="cluster", cov_kwds={"groups": np.tile(documents, 2)}
    )
    # statsmodels multiplies the variance by (N - 1) / (N - 2) too, N being the rows of the regression.
    rows = len(agreement)
    theirs = float(fitted.bse[1]) * math.sqrt((rows - 2) / (rows - 1))
    assert ours.value == pytest.approx(float(fitted.params[1]), rel=1e-9)
    assert ours.standard_error == pytest.approx(theirs, rel=1e-9)
    assert ours.method == "paired"


def without_each(figure: str, labels: Labels, codes: Labels) -> dict[int, float]:
    """By how much leaving out each document that has to do with a figure moves it, computed anew."""
    every = value(FIGURES[figure](whole(labels, codes.tolist())))
    rare = figure == "specific_agreement"
    return {
        left: value(FIGURES[figure](whole(labels[codes != left], codes[codes != left].tolist()))) - every
        for left in np.unique(codes).tolist()
        if not rare or (labels[codes == left] == RAREST).any()
    }


# To the first order in what is expected; shares and ratios of sums are exact.
CLOSE = {"observed_agreement": 1e-9, "specific_agreement": 1e-9}


@pytest.mark.parametrize("annotators", [2, 3])
@pytest.mark.parametrize("figure", FIGURES)
def test_the_variance_of_other_documents_is_of_leaving_each_out(figure: str, annotators: int) -> None:
    sizes = [2 + place % 9 for place in range(15)]
    parts = [versions(sizes, seed, annotators)[0] for seed in (1, 2)]
    codes = np.repeat(np.arange(15), sizes)
    found = apart(*(FIGURES[figure](whole(each, codes.tolist())) for each in parts))
    moved = [without_each(figure, each, codes).values() for each in parts]
    theirs = sum(sum(each * each for each in part) * (len(part) - 1) / len(part) for part in moved)
    assert found.standard_error == pytest.approx(math.sqrt(theirs), rel=CLOSE.get(figure, 0.02))


def moved_by_both(figure: str, sides: Sequence[tuple[Labels, Labels]]) -> npt.NDArray[np.float64]:
    """What leaving out each document moves the second figure less the first, scaled to each version's own."""
    found = np.zeros(1 + max(codes.max() for _, codes in sides))
    for sign, (labels, codes) in zip((-1, 1), sides, strict=True):
        moved = without_each(figure, labels, codes)
        found[list(moved)] += sign * math.sqrt((len(moved) - 1) / len(moved)) * np.array([*moved.values()])
    return found


@pytest.mark.parametrize("figure", FIGURES)
def test_samples_that_overlap_are_left_out_together(figure: str) -> None:
    sizes = [3 + place % 7 for place in range(20)]
    first, second, documents = versions(sizes, seed=20)
    codes = np.array(documents)
    one, here = codes < 12, codes >= 7
    sides = [(first[one], codes[one]), (second[here], codes[here])]
    figures = [FIGURES[figure](whole(labels, places.tolist())) for labels, places in sides]
    ours = of(overlapping(*both(figures[0], figures[1], (np.arange(12), np.arange(7, 20)))))
    theirs = math.sqrt((moved_by_both(figure, sides) ** 2).sum())
    assert ours.method == "overlapping"
    assert ours.standard_error == pytest.approx(theirs, rel=CLOSE.get(figure, 0.02))
    assert 7 < ours.degrees < 20


@pytest.mark.parametrize("groups", [5, 6])
def test_a_test_takes_six_documents_of_either_version(groups: int) -> None:
    """Of five against forty it rejects up to 19 times in a hundred where nothing has changed."""
    first, second, documents = versions([12] * 40, seed=6)
    few = np.array(documents) < groups
    some = np.array(documents)[few].tolist()
    for name in ("krippendorff_alpha", "observed_agreement"):
        compute = FIGURES[name]
        short, long = compute(whole(first[few], some)), compute(whole(second, documents))
        again = compute(whole(second[few], some))
        elsewhere = np.arange(groups), np.arange(100, 140)
        overlap = np.arange(groups), np.arange(40)
        found = [
            difference(short, long, elsewhere),
            difference(long, short, elsewhere[::-1]),
            difference(short, long, overlap),
            difference(short, again),
        ]
        assert all((each is NoDifference.FEW) is (groups < 6) for each in found)


def test_a_version_of_one_document_has_no_test_though_the_other_has_it_too() -> None:
    first, second, documents = versions([12] * 20, seed=6)
    alone = np.array(documents) < 1
    for compute in FIGURES.values():
        one, other = compute(whole(first[alone], [0] * 12)), compute(whole(second, documents))
        assert difference(one, other, (np.arange(1), np.arange(20))) is NoDifference.ONE_DOCUMENT


def test_a_document_that_is_just_like_all_others_is_still_one_that_has_the_category() -> None:
    """Of three annotators two give c, everywhere: no document moves it from one half, and all have it."""
    half = np.array([[2, 2, 0]] * 12)
    other = np.where(np.arange(12)[:, None] % 4 == 0, 2, half)
    codes = np.repeat(np.arange(6), 2).tolist()
    one, less = (FIGURES["specific_agreement"](whole(each, codes)) for each in (half, other))
    assert value(one) == 0.5
    parts = [contributions_of(each) for each in (one, less)]
    assert [len(part.touched) for part in parts if not isinstance(part, NoDifference)] == [6, 6]


def with_rare(present: Sequence[int], wrong: Sequence[int], documents: int = 30) -> UnitsOfAll:
    """Documents of five units, of which those present have two of category c; some disagree on one."""
    rows = np.zeros((documents * 5, 2), dtype=np.int64)
    for place in present:
        rows[place * 5 : place * 5 + 2] = 2
    for place in wrong:
        rows[place * 5, 0] = 1
    return whole(rows, np.repeat(np.arange(documents), 5).tolist())


def test_a_category_is_tested_on_the_documents_that_have_it() -> None:
    """Documents without it contribute nothing to its agreement, and are no degrees of freedom."""
    one, other = with_rare(range(1, 7), (1, 2)), with_rare(range(1, 8), (3,))
    rare = FIGURES["specific_agreement"]
    found = of(difference(rare(one), rare(other)))
    assert (found.method, found.degrees) == ("paired", 6)
    # The same as if the others had never been annotated.
    fewer = of(difference(rare(with_rare(range(1, 7), (1, 2), 8)), rare(with_rare(range(1, 8), (3,), 8))))
    assert (found.value, found.standard_error, found.p) == pytest.approx(
        (fewer.value, fewer.standard_error, fewer.p)
    )
    few = rare(with_rare(range(1, 6), (1, 2))), rare(with_rare(range(1, 6), (3,)))
    assert difference(*few) is NoDifference.FEW
    # Alpha is about all of them.
    alpha = FIGURES["krippendorff_alpha"]
    every = of(difference(alpha(one), alpha(other)))
    assert every.degrees == 29


def test_a_perfect_figure_is_about_what_the_other_one_is_about() -> None:
    rare = FIGURES["specific_agreement"]
    one, perfect = rare(with_rare(range(1, 8), (1, 2))), rare(with_rare(range(1, 8), ()))
    for first, second in ((one, perfect), (perfect, one)):
        found = of(difference(first, second, same_material=True))
        assert (found.degrees, found.method) == (6, "paired")
        assert apart(first, second).degrees == pytest.approx(6, abs=0.2)
    same = difference(perfect, perfect, same_material=True)
    assert same is NoDifference.NO_VARIATION


def test_a_category_of_one_document_has_no_test() -> None:
    rare = FIGURES["specific_agreement"]
    one, other = with_rare((1,), (1,)), with_rare((1,), ())
    assert difference(rare(one), rare(other)) is NoDifference.ONE_DOCUMENT
    elsewhere = [contributions_of(rare(each)) for each in (one, with_rare((1, 2), (1,)))]
    assert unpaired(*elsewhere) is NoDifference.ONE_DOCUMENT  # type: ignore[arg-type]


LEVEL = 0.05
INTERVALS_CLOSE = 1e-9


def compared(
    figure: str, sides: Sequence[tuple[Labels, Labels]], codes: tuple[Labels, Labels]
) -> tuple[Estimate, Estimate, Change]:
    one, other = (FIGURES[figure](whole(labels, places.tolist())) for labels, places in sides)
    return one, other, change((one, other), documents=codes)


def check(found: Change) -> None:
    """See that the interval is no wider than both together, and says the same as the p value."""
    first, second, own = found.first.interval, found.second.interval, found.interval
    if found.test is None or own is None or own.low is None or own.high is None:
        return
    assert (found.test.p < LEVEL) == (own.low > 0 or own.high < 0)
    if first is None or second is None or None in (first.low, second.low):
        return
    assert second.high is not None
    wide = own.high - own.low
    assert (
        wide <= present(first.high) - present(first.low) + second.high - present(second.low) + INTERVALS_CLOSE
    )


sizes_of_documents = st.lists(st.sampled_from([1, 2, 3, 5, 8, 40, 120]), min_size=4, max_size=14)


def sides_of(
    sizes: Sequence[int], seed: int, shared: tuple[int, int]
) -> tuple[list[tuple[Labels, Labels]], tuple[Labels, Labels]]:
    """Return the versions, the first without the last documents, the second without the first ones."""
    first, second, documents = versions(sizes, seed)
    codes, many = np.array(documents), len(sizes)
    until, start = max(3, many - shared[0] % many), min(shared[1] % many, many - 3)
    one, here = codes < until, codes >= start
    return [(first[one], codes[one]), (second[here], codes[here])], (np.arange(until), np.arange(start, many))


@pytest.mark.slow
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(
    sizes_of_documents,
    st.integers(0, 10**6),
    st.tuples(st.integers(0, 13), st.integers(0, 13)),
    st.sampled_from([*FIGURES]),
)
def test_the_interval_of_a_change_always_agrees_with_its_versions(
    sizes: list[int], seed: int, shared: tuple[int, int], figure: str
) -> None:
    check(compared(figure, *sides_of(sizes, seed, shared))[2])


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("shared", [(0, 0), (1, 0), (1, 1), (5, 5), (8, 8)])
def test_the_interval_of_a_change_agrees_with_its_versions(figure: str, shared: tuple[int, int]) -> None:
    sizes = [120, 3, 8, 5, 2, 8, 3, 5, 8, 40, 2, 120]
    for seed in range(3):
        check(compared(figure, *sides_of(sizes, seed, shared))[2])


@pytest.mark.parametrize("sizes", [[8, 3], [5, 1, 120], [2] * 4, [3, 8, 5] * 25], ids=["2", "3", "4", "75"])
@pytest.mark.parametrize("figure", FIGURES)
def test_so_it_does_with_few_documents_and_with_many(figure: str, sizes: list[int]) -> None:
    for seed in range(3):
        first, second, documents = versions(sizes, seed)
        everywhere, codes = np.arange(len(sizes)), np.array(documents)
        sides = [(first, codes), (second, codes)]
        check(compared(figure, sides, (everywhere, everywhere))[2])
        # None of the documents is in both versions.
        check(compared(figure, sides, (everywhere, everywhere + len(sizes)))[2])


def test_one_large_document_of_one_version_alone_leaves_the_degrees_of_the_versions() -> None:
    sizes = [*[6] * 20, 150]
    first, second, documents = versions(sizes, seed=2)
    codes = np.array(documents)
    here = codes < 20
    one, other = (
        FIGURES["krippendorff_alpha"](whole(first, documents)),
        FIGURES["krippendorff_alpha"](whole(second[here], codes[here].tolist())),
    )
    found = of(difference(one, other, (np.arange(21), np.arange(20))))
    assert found.method == "overlapping"
    assert one.interval is not None
    check(change((one, other), documents=(np.arange(21), np.arange(20))))
