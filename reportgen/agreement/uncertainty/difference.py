"""Is a figure higher than before? Pairing takes into account that both may be of the same documents."""

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal

import numpy as np

from reportgen.agreement.estimate import LEVEL, ROUNDING, Estimate, Floats, t_quantile
from reportgen.study import NO_DOCUMENT, Codes

PAIR = 2
ALPHA = 1 - LEVEL
POWER = 0.8
# More clusters than these are no plan.
MOST_CLUSTERS = 1_000_000_000

Method = Literal["paired", "overlapping", "unpaired"]


class NoDifference(StrEnum):
    """Why a difference of two figures has no test; a closed list, translated when a page is rendered."""

    UNDEFINED = "one of the two figures is undefined"
    ONE_DOCUMENT = "one document or unit alone does not show how figures vary"
    NO_VARIATION = "every document or unit contributes the same, so that nothing can be said of the variation"
    NO_SPREAD = "how far the figure varies from document to document is not known"
    CATEGORIES = "the two versions have other categories, and the figure depends on which there are"
    SCALE = "the scale of the categories, or their order on it, is another in the two versions"
    DISTANCES = "the distances between categories are others in the two versions"
    MATCHING = "marks are matched by other rules in the two versions"


@dataclass(frozen=True, eq=False)
class Contributions:
    """A figure, and how much each document moves it: the sum of its units' influence values over all units.

    `documents` are the codes of documents, sorted, `moved` (documents,) what each moves. `alone` is the sum
    of squares over the units without a document, `groups` how many documents there are, or such units.
    `about` are the documents that the figure is about, all where it is None; `untouched` is how many there
    are beside `groups` that it is not about, such as those without a category.
    """

    value: float
    documents: Codes
    moved: Floats
    alone: float
    groups: int
    about: Codes | None = None
    untouched: int = 0

    @property
    def touched(self) -> Codes:
        """Return the documents that the figure is about."""
        return self.documents if self.about is None else self.about

    @property
    def standard_error(self) -> float:
        """Return the standard error of the figure, with the factor G / (G - 1)."""
        return _error(self.moved, self.alone, self.groups)

    @property
    def sampled(self) -> int:
        """Return how many documents, or units, were annotated, whether they touch the figure or not."""
        return self.groups + self.untouched


@dataclass(frozen=True)
class Difference:
    """The second figure less the first, its t test and 95% interval, which is cut nowhere.

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


def contributions_of(estimate: Estimate, documents: Codes | None = None) -> Contributions | NoDifference:
    """Return what each document contributes to a figure, or why that can't be said.

    `documents` has the code that each document has in both versions, by its code in the figure's own; without
    it codes stay as they are.
    """
    if estimate.value is None:
        return NoDifference.UNDEFINED
    if estimate.spread is None:
        return NoDifference.NO_SPREAD
    clusters = estimate.spread.clusters
    each = estimate.spread.influence.reshape(-1)[clusters.cell] / clusters.units
    own = clusters.document == NO_DOCUMENT
    code = clusters.document[~own]
    found, place = np.unique(code if documents is None else documents[code], return_inverse=True)
    moved = np.bincount(place, weights=(clusters.n * each)[~own], minlength=len(found)).astype(np.float64)
    alone = _sum((clusters.n * each * each)[own])
    touched = np.bincount(place, weights=(each != 0)[~own], minlength=len(found)) > 0
    silent = int(clusters.n[own & (each == 0)].sum()) if not len(found) else int((~touched).sum())
    whole = Contributions(estimate.value, found, moved, alone, clusters.groups)
    return _narrowed(whole, found[touched], silent)


def _narrowed(found: Contributions, about: Codes, silent: int) -> Contributions:
    """Return contributions whose groups are the documents in which some unit has influence on the figure.

    Agreement on a category says nothing of documents without it, and they say nothing of how it varies: of
    sixty documents of which three have the category, three are the sample. Counting all of them makes a t
    test err up to five times too often (docs/comparing.md). Surveys count the degrees of freedom of a part
    of the population likewise (Korn and Graubard 1999, Analysis of Health Surveys). A figure that no unit
    moves, which is a perfect one, is taken to be about what the other figure is about.
    """
    groups = found.groups - silent
    if groups <= 0:
        return replace(found, about=about)
    return replace(found, about=about, groups=groups, untouched=silent)


def _sum(values: Floats) -> float:
    """Return a sum that does not hang on the order of its terms."""
    return math.fsum(values.tolist())


def _error(moved: Floats, alone: float, groups: int) -> float:
    return math.sqrt(groups / (groups - 1) * (_sum(moved * moved) + alone))


def difference(
    first: Estimate,
    second: Estimate,
    documents: tuple[Codes, Codes] | None = None,
    *,
    same_material: bool = False,
) -> Difference | NoDifference:
    """Test whether a figure is another under two versions, or say why there is no test.

    `documents` has the common codes of both versions' documents, as in `contributions_of`. Where some stand
    in both the test is the paired one. `same_material` calls it so even where a document that both versions
    have gives one of the two figures nothing.
    """
    one, other = (
        contributions_of(each, None if documents is None else documents[place])
        for place, each in enumerate((first, second))
    )
    if isinstance(one, NoDifference):
        return one if one is NoDifference.UNDEFINED or isinstance(other, Contributions) else other
    if isinstance(other, NoDifference):
        return other
    shared = len(np.intersect1d(one.documents, other.documents, assume_unique=True))
    if not shared:
        return unpaired(one, other)
    found = paired(one, other)
    same = same_material or shared == max(len(one.documents), len(other.documents))
    return (
        replace(found, method="paired" if same else "overlapping") if isinstance(found, Difference) else found
    )


def paired(first: Contributions, second: Contributions) -> Difference | NoDifference:
    """Compare two figures of the same documents, or of samples that overlap (Gwet 2016).

    The variance is that of the documents' differences in influence; a document that only one of the two has
    contributes nothing to the other. Document codes have to mean the same in both. Gwet (2016),
    Educational and Psychological Measurement 76(4), 609-637.
    """
    documents = np.union1d(first.documents, second.documents)
    moved = np.zeros(len(documents))
    moved[np.searchsorted(documents, second.documents)] += second.moved
    moved[np.searchsorted(documents, first.documents)] -= first.moved
    groups = _groups(first, second)
    if groups < PAIR:
        return NoDifference.ONE_DOCUMENT
    error, most = _error(moved, first.alone + second.alone, groups), max(first.sampled, second.sampled)
    size = error * math.sqrt(most), groups / most
    return _tested(second.value - first.value, error, groups - 1, "paired", size)


def _groups(first: Contributions, second: Contributions) -> int:
    """Return how many documents show how the figures vary.

    A document in which no two annotators rated the same unit, though it tells how often categories are used,
    is no group of either figure.
    """
    documents = len(np.union1d(first.touched, second.touched))
    if not documents:
        return min(first.groups, second.groups)
    silent = [max(0, len(each.touched) - each.groups) for each in (first, second)]
    return max(documents - max(silent), 0)


def unpaired(first: Contributions, second: Contributions) -> Difference | NoDifference:
    """Compare two figures of different documents; degrees of freedom after Welch and Satterthwaite."""
    if min(first.groups, second.groups) < PAIR:
        return NoDifference.ONE_DOCUMENT
    one, other = first.standard_error**2, second.standard_error**2
    if one + other < ROUNDING**2:
        return NoDifference.NO_VARIATION
    degrees = (one + other) ** 2 / (one**2 / (first.groups - 1) + other**2 / (second.groups - 1))
    mine, theirs = one * first.sampled, other * second.sampled
    squares = mine**2 * first.sampled / first.groups + theirs**2 * second.sampled / second.groups
    size = math.sqrt(mine + theirs), (mine + theirs) ** 2 / squares
    return _tested(second.value - first.value, math.sqrt(one + other), degrees, "unpaired", size)


def _tested(
    value: float, error: float, degrees: float, method: Method, size: tuple[float, float]
) -> Difference | NoDifference:
    from scipy.special import stdtr, stdtrit

    if error < ROUNDING:
        return NoDifference.NO_VARIATION
    # What is left of a difference of equal numbers is no difference.
    value = 0.0 if abs(value) < ROUNDING else value
    statistic = value / error
    whole = degrees == int(degrees)
    quantile = t_quantile(int(degrees)) if whole else float(stdtrit(degrees, (1 + LEVEL) / 2))
    half = quantile * error
    p = 2 * float(stdtr(degrees, -abs(statistic)))
    return Difference(value, error, statistic, degrees, p, value - half, value + half, method, *size)


def clusters_needed(found: Difference) -> int | None:
    """Return how many clusters in each version would show a difference as large as the one seen.

    The least n with (t(.975) + t(.80)) · spread / √n ≤ |difference|, both t with `ratio` (n - 1) degrees of
    freedom: a two-sided test at .05 then has a power of about 80%. It holds if what is to be annotated
    resembles what there is. None where the difference is shown already, or is 0. Lachin (1981), Controlled
    Clinical Trials 2(2), 93-113, with t in place of normal quantiles.
    """
    if found.p <= ALPHA or found.value == 0:
        return None
    low, high = PAIR - 1, PAIR
    while not _shows(found, high):
        low, high = high, 2 * high
        if high > MOST_CLUSTERS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _shows(found, middle) else (middle, high)
    return high


def _shows(found: Difference, clusters: int) -> bool:
    """Tell whether so many clusters in each version would show a difference as large."""
    from scipy.special import stdtrit

    degrees = found.ratio * (clusters - 1)
    quantiles = float(stdtrit(degrees, 1 - ALPHA / 2)) + float(stdtrit(degrees, POWER))
    return quantiles * found.spread / math.sqrt(clusters) <= abs(found.value)
