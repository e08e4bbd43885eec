"""Is a figure higher than before, and do two annotators use the categories alike? From sums by document.

Pairing takes into account that both figures may be of the same documents. Of categories: Bowker,
Stuart-Maxwell and others.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache
from typing import TypeVar

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.counts import ContingencyTable
from reportgen.counts.tables import dense_codes
from reportgen.measures.estimate import (
    LEAST_DEGREES,
    LEVEL,
    Estimate,
    Floats,
    Spread,
    chi_square_above,
    f_above,
    figure,
    holm,
    logit,
    one_minus_leverage,
    slope,
    t_at,
    t_quantile,
    two_sided,
    within,
)
from reportgen.measures.estimate import ROUNDING as ROUNDING_ERROR
from reportgen.measures.standard_errors import clusters_to_show
from reportgen.measures.unit_set_data import ScaleSetting, rated_only
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results import Figure, Interval, SymmetryTest
from reportgen.results.parts import Change, DifferenceTest, Method
from reportgen.units import NO_CATEGORY
from reportgen.units.labels import Mask, sums_by

# What each document contributes to a figure: how far it moves it, and how far leaving it out would.


class NoDifference(StrEnum):
    """Why a difference of two figures has no test; a closed list, translated when a page is rendered."""

    UNDEFINED = "one of the two figures is undefined"
    ONE_DOCUMENT = "one document or unit alone does not show how figures vary"
    FEW = "a test takes 6 documents, or units, of each version, for a category 6 that have it"
    NO_VARIATION = "every document or unit contributes the same, so that nothing can be said of the variation"
    NO_SPREAD = "how far the figure varies from document to document is not known"
    CATEGORIES = "the versions use different categories"
    SCALE = "the scale of the categories, or their order on it, is another in the two versions"
    DISTANCES = "the distances between categories are others in the two versions"
    COMPUTED = "each version has distances of its own, computed from its own table"
    MATCHING = "marks are matched by other rules in the two versions"


@dataclass(frozen=True, eq=False)
class Contributions:
    """A figure, and how much each document moves it: the sum of its units' influence values over all units.

    `documents` are the codes of documents, sorted, `moved` (documents,) what each moves, `apart` what leaving
    it out would. `alone` and `alone_apart` are the sums of squares of both over the units without a document,
    `groups` how many documents there are, or such units. `about` are the documents that the figure is about,
    all where it is None; `untouched` is how many there are beside `groups` that it is not about, such as
    those without a category. `alike` is how many documents, or units, would have as large a share of what the
    figure is divided by if all had the same. `single` says that each document is one unit.
    """

    value: float
    documents: Codes
    moved: Floats
    apart: Floats
    alone: float
    alone_apart: float
    groups: int
    alike: float
    about: Codes | None = None
    untouched: int = 0
    single: bool = False

    @property
    def touched(self) -> Codes:
        """Return the documents that the figure is about."""
        return self.documents if self.about is None else self.about

    @property
    def standard_error(self) -> float:
        """Return the standard error of the figure, with the factor G / (G - 1): that of reports."""
        return error_of(self.moved, self.alone, self.groups)

    @property
    def left_out(self) -> Floats:
        """Return what leaving out each document moves, times √((G - 1)/G): squares add up to a variance."""
        return self.apart * math.sqrt((self.groups - 1) / self.groups)

    @property
    def variance(self) -> float:
        """Return the jackknife's variance, (G - 1)/G Σ (θ without g - θ)²."""
        return total_of(self.left_out**2) + self.variance_alone

    @property
    def variance_alone(self) -> float:
        """Return what of it comes from units without a document."""
        return (self.groups - 1) / self.groups * self.alone_apart

    @property
    def degrees(self) -> float:
        """Return the degrees of freedom of the variance: documents alike less one, as of an interval."""
        return max(self.alike - 1, LEAST_DEGREES)

    def times(self, factor: float) -> "Contributions":
        """Return what the documents move of a multiple of the figure, which stays as it is."""
        square = factor * factor
        return replace(
            self,
            moved=self.moved * factor,
            apart=self.apart * factor,
            alone=self.alone * square,
            alone_apart=self.alone_apart * square,
        )

    @property
    def sampled(self) -> int:
        """Return how many documents, or units, were annotated, whether they touch the figure or not."""
        return self.groups + self.untouched


def contributions_of(estimate: Estimate, documents: Codes | None = None) -> Contributions | NoDifference:
    """Return what each document contributes to a figure, or why that can't be said.

    `documents` has the code that each document has in both versions, by its code in the figure's own; without
    it codes stay as they are.
    """
    if estimate.value is None:
        return NoDifference.UNDEFINED
    if estimate.spread is None:
        return NoDifference.NO_SPREAD
    spread = replace(estimate.spread, clusters=estimate.spread.clusters.in_groups)
    clusters = spread.clusters
    influence, weight = _by_cell(spread)
    own = clusters.document == NO_DOCUMENT
    code = clusters.document[~own]
    common_code = code if documents is None else documents[code]
    distinct, position = dense_codes(common_code, int(common_code.max(initial=0)) + 1)
    moved, share = (
        np.bincount(position, weights=(clusters.n * part)[~own], minlength=len(distinct)).astype(np.float64)
        for part in (influence, weight)
    )
    apart = influence / one_minus_leverage(weight)
    # A unit that moves nothing may still count in what the figure is divided by.
    about = (influence != 0) | ((weight != 0) & (spread.weight is not None))
    touched = np.bincount(position, weights=about[~own], minlength=len(distinct)) > 0
    silent = int(clusters.n[own & ~about].sum()) if not len(distinct) else int((~touched).sum())
    contributions = Contributions(
        value=estimate.value,
        documents=distinct,
        moved=moved,
        apart=moved / one_minus_leverage(share),
        alone=total_of((clusters.n * influence * influence)[own]),
        alone_apart=total_of((clusters.n * apart * apart)[own]),
        groups=clusters.groups,
        alike=spread.alike,
        single=len(code) > 0 and int(np.bincount(position, weights=clusters.n[~own]).max()) == 1,
    )
    return _narrowed(contributions, distinct[touched], silent)


def _by_cell(spread: Spread) -> tuple[Floats, Floats]:
    """Return for each cell what one of its units moves a figure, and its share of what that is divided by."""
    clusters = spread.clusters
    influence: Floats = spread.influence.reshape(-1)[clusters.cell] / clusters.units
    if spread.weight is None:
        return influence, np.full(len(influence), 1 / clusters.units)
    return influence, spread.weight.reshape(-1)[clusters.cell] / clusters.units


def _narrowed(contributions: Contributions, about: Codes, silent: int) -> Contributions:
    """Return contributions whose groups are the documents in which some unit is what the figure is about.

    Agreement on a category says nothing of documents without it, and they say nothing of how it varies: of
    sixty documents of which three have the category, three are the sample. Counting all of them makes a t
    test err up to five times too often (docs/comparing.md). Surveys count the degrees of freedom of a part
    of the population likewise (Korn and Graubard 1999, Analysis of Health Surveys). A figure that no unit
    moves, which is a perfect one, is taken to be about what the other figure is about.
    """
    groups = contributions.groups - silent
    if groups <= 0:
        return replace(contributions, about=about)
    return replace(contributions, about=about, groups=groups, untouched=silent)


def total_of(values: Floats) -> float:
    """Return a sum that does not depend on the order of its terms."""
    return math.fsum(values[values != 0].tolist())


def error_of(moved: Floats, alone: float, groups: int) -> float:
    """Return the standard error that comes from what documents, and units alone, move: by influence."""
    return math.sqrt(groups / (groups - 1) * (total_of(moved * moved) + alone))


ALPHA = 1 - LEVEL
# The fewest documents, or units, of either side that a test takes: of five against forty it erred up to 19
# times in a hundred at .05.
LEAST_TESTED = 6
# Below it a difference has no digits to tell a slope by.
NEAR = 1e-9

Name = TypeVar("Name", str, tuple[str, str])
Twice = tuple[Estimate, Estimate]


@dataclass(frozen=True)
class EstimateDifference:
    """The second figure less the first, its t test and 95% interval, cut at what a difference can be.

    `method` says which clusters the two have in common: all ("paired"), some ("overlapping") or none
    ("unpaired"). With n clusters in each version the standard error would be `spread` / √n, and the degrees
    of freedom `ratio` (n - 1).
    """

    value: float
    standard_error: float
    statistic: float
    degrees: float
    p: float
    low: float
    high: float
    method: Method = "paired"
    spread: float = math.nan
    ratio: float = 1.0


def difference(
    first: Estimate,
    second: Estimate,
    documents: tuple[Codes, Codes] | None = None,
    *,
    same_material: bool = False,
) -> EstimateDifference | NoDifference:
    """Test whether a figure is another under two versions, or say why there is no test.

    `documents` has the common codes of both versions' documents, as in `contributions_of`. Where all are
    in both the test is the paired one; `same_material` makes it so even where a document that both versions
    have gives one of the two figures nothing. Below LEAST_TESTED documents, or units, there is no test.
    """
    one, other = (
        contributions_of(estimate, None if documents is None else documents[version])
        for version, estimate in enumerate((first, second))
    )
    if isinstance(one, NoDifference):
        return one if one is NoDifference.UNDEFINED or isinstance(other, Contributions) else other
    if isinstance(other, NoDifference):
        return other
    bounds = first.spread.bounds if first.spread else (-math.inf, math.inf)
    shared = len(np.intersect1d(one.documents, other.documents, assume_unique=True))
    groups = min(one.groups, other.groups)
    if not shared:
        tested = unpaired(*stretched(one, other, bounds))
    elif same_material or shared == max(len(one.documents), len(other.documents)):
        tested, groups = paired(one, other), _groups(one, other)
    else:
        tested = overlapping(*stretched(one, other, bounds))
    if isinstance(tested, NoDifference):
        return tested
    return NoDifference.FEW if groups < LEAST_TESTED else _within(tested, first, second)


def stretched(
    one: Contributions, other: Contributions, bounds: tuple[float, float]
) -> tuple[Contributions, Contributions]:
    """Return what moves two figures as it moves them on the logit scale, in units of their difference.

    The test is then that of the difference on the scale, on which errors do not depend on where a figure is.
    A step on the scale comes to the difference over that on the scale, so that interval and p value agree.
    """
    if not (within(one.value, bounds) and within(other.value, bounds)):
        return one, other
    moved, apart = other.value - one.value, logit(other.value, bounds) - logit(one.value, bounds)
    middle = (one.value + other.value) / 2
    step = moved / apart if abs(moved) > NEAR and apart != 0 else 1 / slope(middle, bounds)
    return one.times(slope(one.value, bounds) * step), other.times(slope(other.value, bounds) * step)


def _within(tested: EstimateDifference, first: Estimate, second: Estimate) -> EstimateDifference:
    """Return a difference whose interval has only what can be: the least of one less the most of the other.

    Both true figures are unknown, so that neither observed value narrows it; what is cut off so takes no
    coverage.
    """
    (least, most), (low, high) = (
        estimate.spread.possible if estimate.spread else (-math.inf, math.inf) for estimate in (first, second)
    )
    return replace(tested, low=max(low - most, tested.low), high=min(high - least, tested.high))


def paired(
    first: Contributions, second: Contributions, *, linear: bool | None = None
) -> EstimateDifference | NoDifference:
    """Compare two figures of the same documents (Gwet 2016), by what leaving out each moves the difference.

    Gwet's variance, that of the documents' differences in influence (`linear`), errs up to twice too often
    where few documents have most of a category (docs/uncertainty.md); of documents of one weight both are the
    same. Units without a document, and documents of a single unit, are taken as he has it. Document codes
    have to mean the same in both. Gwet (2016), Educational and Psychological Measurement 76(4), 609-637.
    """
    linear = first.single and second.single if linear is None else linear
    one, other = ((figure.documents, figure.moved if linear else figure.apart) for figure in (first, second))
    _, moved = _differing(one, other)
    groups = _groups(first, second)
    if groups < 2:
        return NoDifference.ONE_DOCUMENT
    shrunk = 1.0 if linear else (groups - 1) / groups
    error = error_of(moved * shrunk, first.alone + second.alone, groups)
    most = max(first.sampled, second.sampled)
    size = error * math.sqrt(most), groups / most
    return _difference_tested(second.value - first.value, error, groups - 1, "paired", size)


def _groups(first: Contributions, second: Contributions) -> int:
    """Return how many documents show how the figures vary.

    A document in which no two annotators rated the same unit, though it tells how often categories are used,
    is no group of either figure.
    """
    documents = len(np.union1d(first.touched, second.touched))
    if not documents:
        return min(first.groups, second.groups)
    silent = [max(0, len(figure.touched) - figure.groups) for figure in (first, second)]
    return max(documents - max(silent), 0)


def _differing(first: tuple[Codes, Floats], second: tuple[Codes, Floats]) -> tuple[Codes, Floats]:
    """Return the documents of both, sorted, and what each moves the second figure less the first."""
    if np.array_equal(first[0], second[0]):
        return first[0], second[1] - first[1]
    documents = np.union1d(first[0], second[0])
    moved = np.zeros(len(documents))
    moved[np.searchsorted(documents, second[0])] += second[1]
    moved[np.searchsorted(documents, first[0])] -= first[1]
    return documents, moved


def overlapping(first: Contributions, second: Contributions) -> EstimateDifference | NoDifference:
    """Compare two figures of samples that have some documents in common.

    Each version's documents have the factor of their own number and move their own figure alone; what the
    common ones share cancels. With all in common, of equal weight, it is the paired test, with none the
    unpaired one. A version of few documents leaves few degrees of freedom, however many the other has: they
    are Satterthwaite's for three sums of squares, over the documents of both, of the first, of the second.
    """
    if min(first.groups, second.groups) < 2:
        return NoDifference.ONE_DOCUMENT
    documents, moved = _differing((first.documents, first.left_out), (second.documents, second.left_out))
    squares = moved * moved
    ours, theirs = (np.isin(documents, figure.touched) for figure in (first, second))
    parts = [
        *(
            (total_of(squares[which]), which.sum().item() * free)
            for which, free in (
                (ours & theirs, 1 - 1 / min(first.groups, second.groups)),
                (ours & ~theirs, first.degrees / first.groups),
                (theirs & ~ours, second.degrees / second.groups),
            )
        ),
        *((figure.variance_alone, figure.groups - 1) for figure in (first, second)),
    ]
    total = math.fsum(part for part, _ in parts)
    if total < ROUNDING_ERROR**2:
        return NoDifference.NO_VARIATION
    degrees = total**2 / math.fsum(part**2 / free for part, free in parts if part > 0)
    error, size = math.sqrt(total), _overlap_size(first, second, total)
    degrees = _no_wider(degrees, error, first, second)
    return _difference_tested(second.value - first.value, error, degrees, "overlapping", size)


# So many times the degrees of freedom that are looked for are halved between two that enclose them.
HALVINGS = 60


def _no_wider(degrees: float, error: float, first: Contributions, second: Contributions) -> float:
    """Return degrees of freedom with which the interval is no wider than those of both figures together.

    A sum of squares over one or two documents would leave hardly a degree, though each figure's own variance
    comes from all its documents, and the error of the difference is at most the sum of the two errors. The
    degrees are raised to where the interval is as wide as both, and never beyond their sum.
    """
    together = math.fsum(
        t_at(figure.degrees, (1 + LEVEL) / 2) * math.sqrt(figure.variance) for figure in (first, second)
    )
    most = first.degrees + second.degrees
    if degrees >= most or t_at(degrees, (1 + LEVEL) / 2) * error <= together:
        return degrees
    low, high = degrees, most
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        wider = t_at(middle, (1 + LEVEL) / 2) * error > together
        low, high = (middle, high) if wider else (low, middle)
    return high


def _overlap_size(first: Contributions, second: Contributions, total: float) -> tuple[float, float]:
    """Return `spread` and `ratio` of as many documents in each version, as large a part of them in common."""
    mine, theirs = first.variance, second.variance
    common = mine + theirs - total
    spread = mine * first.sampled + theirs * second.sampled - common * min(first.sampled, second.sampled)
    return math.sqrt(max(spread, 0.0)), min(figure.groups / figure.sampled for figure in (first, second))


def unpaired(first: Contributions, second: Contributions) -> EstimateDifference | NoDifference:
    """Compare two figures of different documents; degrees of freedom after Welch and Satterthwaite.

    Variances and degrees of freedom are those of both figures' intervals: what leaving out each document
    moves, and the documents alike less one (benchmarks/differences.py). Quenouille (1956), Biometrika
    43(3-4), 353-360; Bell and McCaffrey (2002), Survey Methodology 28(2), 169-181.
    """
    if min(first.groups, second.groups) < 2:
        return NoDifference.ONE_DOCUMENT
    one, other = first.variance, second.variance
    if one + other < ROUNDING_ERROR**2:
        return NoDifference.NO_VARIATION
    # Welch and Satterthwaite: (v₁ + v₂)² / (v₁² / f₁ + v₂² / f₂).
    degrees = (one + other) ** 2 / (one**2 / first.degrees + other**2 / second.degrees)
    mine, theirs = one * first.sampled, other * second.sampled
    squares = mine**2 * first.sampled / first.alike + theirs**2 * second.sampled / second.alike
    size = math.sqrt(mine + theirs), (mine + theirs) ** 2 / squares
    error = math.sqrt(one + other)
    degrees = _no_wider(degrees, error, first, second)
    return _difference_tested(second.value - first.value, error, degrees, "unpaired", size)


def _difference_tested(
    value: float, error: float, degrees: float, method: Method, size: tuple[float, float]
) -> EstimateDifference | NoDifference:
    if error < ROUNDING_ERROR:
        return NoDifference.NO_VARIATION
    # What is left of a difference of equal numbers is no difference.
    value = 0.0 if abs(value) < ROUNDING_ERROR else value
    statistic = value / error
    is_whole = degrees == int(degrees)
    quantile = t_quantile(int(degrees)) if is_whole else t_at(degrees, (1 + LEVEL) / 2)
    half = quantile * error
    p = two_sided(statistic, degrees)
    return EstimateDifference(value, error, statistic, degrees, p, value - half, value + half, method, *size)


def clusters_needed(tested: EstimateDifference) -> int | None:
    """Return how many clusters in each version would show a difference as large as the one seen.

    With a power of 80%, as in `clusters_to_show`. None where the difference is shown already, or is 0.
    """
    if tested.p <= ALPHA or tested.value == 0:
        return None
    return clusters_to_show(tested.spread, abs(tested.value), tested.ratio)


# One figure twice, as results have it.


def _no_more_than(figures: tuple[Figure, Figure], tested: EstimateDifference) -> Interval:
    """Return the interval of a difference, cut where both figures' own intervals allow no more.

    It is not cut past 0, of which the p value tells.
    """
    spans = [figure.interval for figure in figures]
    low, high = tested.low, tested.high
    (first, second) = spans
    if first and second and None not in (first.low, first.high, second.low, second.high):
        least, most = (
            float(second.low or 0) - float(first.high or 0),
            float(second.high or 0) - float(first.low or 0),
        )
        low = max(low, least) if not low <= 0 < least else low
        high = min(high, most) if not most < 0 <= high else high
    return Interval(low=low, high=high, level=LEVEL)


def change(
    shown: Twice,
    tested: Twice | None = None,
    reason: NoDifference | None = None,
    documents: tuple[Codes, Codes] | None = None,
    *,
    same_material: bool = False,
) -> Change:
    """Return a figure twice with the test of its difference, unless there is a `reason` against one.

    `tested` is the same figure from other codes of documents, by which the two can be compared;
    `documents` and `same_material` are as in `difference`.
    """
    first, second = (estimate.value for estimate in shown)
    moved = None if first is None or second is None else second - first
    if reason is None or moved is None:
        outcome = difference(*(tested or shown), documents, same_material=same_material)
    else:
        outcome = reason
    figures = figure(shown[0]), figure(shown[1])
    if isinstance(outcome, NoDifference):
        return Change(first=figures[0], second=figures[1], difference=moved, untested=outcome)
    return Change(
        first=figures[0],
        second=figures[1],
        difference=outcome.value,
        standard_error=outcome.standard_error,
        interval=_no_more_than(figures, outcome),
        test=DifferenceTest(
            method=outcome.method, statistic=outcome.statistic, degrees=outcome.degrees, p=outcome.p
        ),
        needed=clusters_needed(outcome),
    )


def with_holm(changes: Mapping[Name, Change]) -> dict[Name, Change]:
    """Return several changes that answer one question, their p values adjusted."""
    adjusted = holm([change.test.p if change.test else None for change in changes.values()])
    return {
        name: change.model_copy(update={"test": change.test.model_copy(update={"adjusted": p})})
        if change.test
        else change
        for (name, change), p in zip(changes.items(), adjusted, strict=True)
    }


# Sums of signed differences: how unusual they are, and how unusual among all choices of their signs.

EXACT_STATES = 100_000
MOST_EXACT = 1000
# The sums of signed differences are numbered by 64-bit integers.
LARGEST_KEY = 2**62
# What is left of a dimension below this share is zero but for rounding.
RANK = 1e-9
TIE = 1e-9


def quadratic_forms(steps: Codes, times: Codes, sums: Codes) -> tuple[Floats, int]:
    """Return S' V⁻ S for each of many sums (sums, dimensions), and the rank of V.

    V is the sum of squares of the steps, each as many times as it occurs. Elimination takes first the
    dimension of which most is left, and stops where nothing is: categories may hang together in groups
    of very different size.
    """
    # Σ times · step step' (dimensions, dimensions), in floats: the square of a count may be huge.
    moved, weight = steps.astype(np.float64), times.astype(np.float64)
    squares = np.array([(moved * (weight * column)[:, None]).sum(axis=0) for column in moved.T])
    totals = np.maximum(np.diagonal(squares), 1.0)
    left, forms, rank = sums.astype(np.float64), np.zeros(len(sums)), 0
    while rank < len(squares):
        share = np.diagonal(squares) / totals
        pivot = int(np.argmax(share))
        if share[pivot] <= RANK:
            break
        column = squares[:, pivot] / squares[pivot, pivot]
        forms = forms + left[:, pivot] * left[:, pivot] / squares[pivot, pivot]
        left = left - left[:, pivot, None] * column[None, :]
        squares = squares - column[:, None] * squares[pivot][None, :]
        rank += 1
    return forms, rank


def exact_p(steps: Codes, times: Codes, statistic: float) -> tuple[float, float] | None:
    """Return the share of all choices of signs, one a cluster, that differ as much, and the least such share.

    None where there are too many. The least share is that of the choices that differ the most.

    By chance a cluster's difference is as likely as its opposite. Sums that several choices lead to are
    followed once, with how many lead there; a sum is one number, its digits of different bases.
    """
    reach = (np.abs(steps) * times[:, None]).sum(axis=0)
    places = _place_values(reach.tolist())
    if places is None:
        return None
    keys, ways = np.zeros(1, dtype=np.int64), np.ones(1)
    for step, count in zip((steps * places).sum(axis=1).tolist(), times.tolist(), strict=True):
        keys, ways = _both_signs(keys, ways, step, count)
        if len(keys) > EXACT_STATES:
            return None
    digits = (keys + (reach * places).sum())[:, None] // places % (2 * reach + 1)
    forms, _ = quadratic_forms(steps, times, digits - reach)
    all_ways = math.fsum(ways.tolist())
    share, least = (
        math.fsum(ways[forms >= far * (1 - TIE)].tolist()) / all_ways
        for far in (statistic, float(forms.max()))
    )
    return share, least


def signs_p(sums: Codes) -> float | None:
    """Return how often sums over clusters (clusters,) differ as much from nothing if signs fall by chance.

    None where none differs; of single units it is McNemar's exact test. Exact up to MOST_EXACT clusters that
    differ, else by chi-square. McNemar (1947), Psychometrika 12(2), 153-157.
    """
    steps, times = np.unique(np.abs(sums[sums != 0]), return_counts=True)
    if len(steps) == 0:
        return None
    statistic = float(int(sums.sum()) ** 2 / int((steps * steps * times).sum()))
    few = int(times.sum()) <= MOST_EXACT
    exact = exact_p(steps[:, None].astype(np.int64), times.astype(np.int64), statistic) if few else None
    return chi_square_above(1, statistic) if exact is None else exact[0]


# So many clusters are followed exactly; larger sums are followed in coarser steps.
MOST_EXCHANGED = 100
LARGEST_SUM = 1_000


def exchange_p(sums: Codes, took_part: Mask, who: int) -> float | None:
    """Return how often somebody's sum over clusters is as far from zero if people are exchanged at random.

    `sums` (clusters, people) are sums of differences, those of a cluster adding up to zero; `took_part`
    says of whom there are some. In each cluster `who` could have been anybody there. None where nothing
    differs. Of two people in every cluster it is `signs_p`; of many clusters by chi-square.
    """
    here = took_part[:, who] & (sums != 0).any(axis=1)
    values, took_part = sums[here], took_part[here]
    if not len(values):
        return None
    people = took_part.sum(axis=1)
    if (people == 2).all():
        return signs_p(values[:, who])
    if len(values) > MOST_EXCHANGED:
        variance = float(((values * values).sum(axis=1) / people).sum())
        return chi_square_above(1, float(values[:, who].sum()) ** 2 / variance)
    step = -(-int(np.abs(values).max(axis=1).sum()) // LARGEST_SUM)
    values = np.sign(values) * ((np.abs(values) + step // 2) // step)
    observed, reach = abs(int(values[:, who].sum())), int(np.abs(values).max(axis=1).sum())
    ways = np.zeros(2 * reach + 1)
    ways[reach] = 1.0
    for row, there, many in zip(values, took_part, people.tolist(), strict=True):
        steps, times = np.unique(row[there], return_counts=True)
        moved = np.zeros_like(ways)
        for by, number in zip(steps.tolist(), times.tolist(), strict=True):
            kept = ways[max(0, -by) : len(ways) - max(0, by)]
            moved[max(0, by) : max(0, by) + len(kept)] += kept * (number / many)
        ways = moved
    far = np.abs(np.arange(-reach, reach + 1)) >= observed
    return min(1.0, math.fsum(ways[far].tolist()))


def _place_values(reach: Sequence[int]) -> Codes | None:
    """Return what a digit from -reach to reach is worth in each place; None where numbers grow too large."""
    values = [1]
    for most in reach:
        values.append(values[-1] * (2 * most + 1))
    return np.array(values[:-1], dtype=np.int64) if values[-1] < LARGEST_KEY else None


def _both_signs(keys: Codes, ways: Floats, step: int, count: int) -> tuple[Codes, Floats]:
    """Return the sums after `count` further steps of either sign, and in how many ways each is reached."""
    negative = range(count + 1)
    moves = np.array([step * (count - 2 * times) for times in negative], dtype=np.int64)
    choices = np.array([math.comb(count, times) for times in negative], dtype=np.float64)
    reached, position = np.unique((keys[:, None] + moves).ravel(), return_inverse=True)
    return reached, sums_by(position, (ways[:, None] * choices).ravel(), len(reached))


EXACT_BELOW = 25
MOST_DIMENSIONS = 500
# Where the differences have no variance but for rounding.
ROUNDING = 1e-9


class NoTest(StrEnum):
    """Why a test can't be made; a closed list."""

    NO_UNITS = "no unit was rated by both annotators"
    NO_DISAGREEMENT = "the two annotators never disagree"
    NO_DIFFERENCE = "no unit tells the margins apart"
    BALANCED = "within every document the differences cancel out"
    FEW_DOCUMENTS = "too few documents or units have a disagreement for so many categories"
    MANY_CATEGORIES = "too many pairs of categories are confused to test them together"
    NO_VARIATION = (
        "every document or unit differs in the same way, so that nothing can be said of its variation"
    )


class TestMethod(StrEnum):
    """How a p value was computed; a closed list."""

    EXACT = "exact"
    CHI_SQUARE = "chi-square"
    F = "F distribution, as Hotelling's test"


def bowker(table: ContingencyTable, _setting: ScaleSetting) -> SymmetryTest:
    """Test whether each two categories are confused equally often in both directions (Bowker 1948)."""
    rows = np.flatnonzero(table.row != table.column)
    row, column = table.row[rows], table.column[rows]
    both = np.minimum(row, column), np.maximum(row, column)
    kinds = np.ravel_multi_index(both, (table.categories, table.categories))
    return _test(table, rows, (kinds, np.where(row < column, 1, -1)))


def stuart_maxwell(table: ContingencyTable, _setting: ScaleSetting) -> SymmetryTest:
    """Test whether both annotators use each category equally often (Stuart 1955, Maxwell 1970)."""
    return _stuart_maxwell(table)


@lru_cache(maxsize=1)
def _stuart_maxwell(table: ContingencyTable) -> SymmetryTest:
    rows = np.flatnonzero(table.row != table.column)
    ones = np.ones_like(rows)
    return _test(table, rows, (table.row[rows], ones), (table.column[rows], -ones))


def mcnemar(table: ContingencyTable, setting: ScaleSetting) -> SymmetryTest | None:
    """Test whether both annotators mark equally often (McNemar 1947); None where no unit can be unmarked."""
    category = setting.non_annotated
    if category == NO_CATEGORY:
        return None
    rows = np.flatnonzero((table.row == category) != (table.column == category))
    return _test(table, rows, (np.zeros_like(rows), np.where(table.row[rows] == category, 1, -1)))


def rater_bias(whole: ContingencyTable, setting: ScaleSetting) -> SymmetryTest | None:
    """Test whether one annotator gives the higher category more often than the other.

    None where categories have no order. (above - below)² / (above + below) over the units on
    which the two differ: McNemar's test of who is higher (Bishop, Fienberg and Holland 1975; R's
    irr::rater.bias).
    """
    values = setting.values
    if values is None:
        return None
    table = rated_only(whole, setting)
    sign = np.sign(values[table.row] - values[table.column]).astype(np.int64)
    rows = np.flatnonzero(sign)
    return _test(table, rows, (np.zeros_like(rows), sign[rows]))


def bhapkar(table: ContingencyTable, _setting: ScaleSetting) -> SymmetryTest:
    """Test what the Stuart-Maxwell test does, as Bhapkar (1966) has it.

    V is the covariance of the differences about their mean, not about zero, so that with G independent units
    the statistic is X / (1 - X / G), X being Stuart's and Maxwell's: larger, and as large for large G. Where
    documents are known they are the G, and the statistic is G / (G - 1) times Hotelling's T² of their sums: p
    comes from F, as chi-square would find far too many differences in some dozens of documents. Whatever the
    signs of the differences, either statistic orders outcomes alike, so that an exact p value is the same.
    """
    stuart = _stuart_maxwell(table)
    if stuart.statistic is None or stuart.degrees is None:
        return stuart
    groups = table.documents + int(table.n[table.document == NO_DOCUMENT].sum())
    remainder = 1 - stuart.statistic / groups
    if remainder <= ROUNDING:
        nothing = dict.fromkeys(("statistic", "degrees", "p", "method"))
        return stuart.model_copy(update={**nothing, "undefined": NoTest.NO_VARIATION})
    statistic = stuart.statistic / remainder
    test = stuart.model_copy(update={"statistic": statistic})
    if stuart.method == TestMethod.EXACT:
        return test
    if not stuart.by_document:
        p = chi_square_above(stuart.degrees, statistic)
        return test.model_copy(update={"p": p, "least_p": None})
    free = groups - stuart.degrees
    p = f_above(stuart.degrees, free, free * statistic / (groups * stuart.degrees))
    return test.model_copy(update={"p": p, "least_p": None, "method": TestMethod.F})


def _test(table: ContingencyTable, rows: Codes, *moves: tuple[Codes, Codes]) -> SymmetryTest:
    """Test that differences have mean zero, from their sums by document.

    `rows` are the entries of the table that differ; one unit of each moves the dimension of a code by 1 or
    -1, once for each of `moves`. The statistic is D' V⁻ D with D the sum over documents and V the sum of
    their squares; with each unit a document of its own it is the classical one.
    """
    by_document = bool((table.document[rows] != NO_DOCUMENT).any())
    plain = SymmetryTest(by_document=by_document, discordant=int(table.n[rows].sum()))
    used = np.unique([codes for codes, _ in moves])
    if len(rows) == 0 or len(used) > MOST_DIMENSIONS:
        return plain.model_copy(update={"undefined": _why_none(table, rows)})
    steps = np.zeros((len(rows), len(used)), dtype=np.int64)
    for codes, sign in moves:
        steps[np.arange(len(rows)), np.searchsorted(used, codes)] = sign
    sums, times = _document_sums(table, rows, steps)
    if len(times) == 0:
        return plain.model_copy(update={"undefined": NoTest.BALANCED})
    return _symmetry_tested(plain, sums, times)


def _why_none(table: ContingencyTable, rows: Codes) -> NoTest:
    if len(rows):
        return NoTest.MANY_CATEGORIES
    if table.units == 0:
        return NoTest.NO_UNITS
    return NoTest.NO_DIFFERENCE if table.disagreements else NoTest.NO_DISAGREEMENT


def _symmetry_tested(plain: SymmetryTest, sums: Codes, times: Codes) -> SymmetryTest:
    """Return the test of distinct sums of differences, each found in so many clusters."""
    forms, degrees = quadratic_forms(sums, times, (sums * times[:, None]).sum(axis=0)[None, :])
    statistic = float(forms[0])
    outcome = {"statistic": statistic, "degrees": degrees}
    exact = exact_p(sums, times, statistic) if plain.discordant < EXACT_BELOW else None
    if exact is not None:
        p, least = exact
        return plain.model_copy(update={**outcome, "p": p, "least_p": least, "method": TestMethod.EXACT})
    clusters = int(times.sum())
    if clusters < 2 * degrees:
        return plain.model_copy(update={"undefined": NoTest.FEW_DOCUMENTS})
    # With a variance about zero the statistic is never more than the clusters that differ.
    p, least = (chi_square_above(degrees, far) for far in (statistic, clusters))
    return plain.model_copy(update={**outcome, "p": p, "least_p": least, "method": TestMethod.CHI_SQUARE})


def _document_sums(table: ContingencyTable, rows: Codes, steps: Codes) -> tuple[Codes, Codes]:
    """Return sums of differences (sums, dimensions) that are not zero, and how many clusters have each.

    Units without a document are clusters of their own.
    """
    document, n = table.document[rows], table.n[rows]
    in_document = document != NO_DOCUMENT
    here = document[in_document]
    _, position = dense_codes(here, int(here.max(initial=-1)) + 1)
    sums = np.zeros((int(position.max(initial=-1)) + 1, steps.shape[1]), dtype=np.int64)
    moved, times = steps[in_document], n[in_document]
    row, column = np.nonzero(moved)
    np.add.at(sums.reshape(-1), position[row] * steps.shape[1] + column, moved[row, column] * times[row])
    every = np.concatenate([sums, steps[~in_document]])
    times = np.concatenate([np.ones(len(sums), dtype=np.int64), n[~in_document]])
    moving = every.any(axis=1)
    return every[moving], times[moving]
