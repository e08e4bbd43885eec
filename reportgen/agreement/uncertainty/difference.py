"""Is one coefficient higher than another? Pairing takes into account that both are of the same documents."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from reportgen.agreement import distances
from reportgen.agreement.estimate import LEVEL, ROUNDING, Clusters, Floats, t_quantile
from reportgen.agreement.several import gwet, many, over_pairs
from reportgen.agreement.whole import Whole
from reportgen.study import NO_DOCUMENT, Codes

PAIR = 2


class NoDifference(StrEnum):
    """Why two figures can't be compared; a closed list, translated when a page is rendered."""

    UNDEFINED = "one of the two figures is undefined"
    ONE_DOCUMENT = "one document alone does not show how figures vary"
    NO_VARIATION = "every document contributes the same, so that nothing can be said of the variation"


@dataclass(frozen=True, eq=False)
class Contributions:
    """A figure, and how much each document moves it: the sum of its units' influence values over all units.

    `documents` are the codes of documents, sorted, `moved` (documents,) what each moves. `alone` is the sum
    of squares over the units without a document, `groups` how many documents there are, or such units.
    """

    value: float
    documents: Codes
    moved: Floats
    alone: float
    groups: int

    @property
    def standard_error(self) -> float:
        """Return the standard error of the figure, with the factor G / (G - 1)."""
        return _error(self.moved, self.alone, self.groups)


@dataclass(frozen=True)
class Difference:
    """The second figure less the first, its t test and 95% interval."""

    value: float
    standard_error: float
    statistic: float
    degrees: float
    p: float
    low: float
    high: float


def contributions(value: float, influence: Floats, clusters: Clusters) -> Contributions:
    """Return what each document contributes, from the influence of a unit of each kind."""
    each = influence.reshape(-1)[clusters.cell] / clusters.units
    own = clusters.document == NO_DOCUMENT
    documents, place = np.unique(clusters.document[~own], return_inverse=True)
    moved = np.bincount(place, weights=(clusters.n * each)[~own], minlength=len(documents)).astype(np.float64)
    alone = float((clusters.n * each * each)[own].sum())
    return Contributions(value, documents, moved, alone, clusters.groups)


def _error(moved: Floats, alone: float, groups: int) -> float:
    return math.sqrt(groups / (groups - 1) * (float((moved * moved).sum()) + alone))


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
    groups = len(documents) or min(first.groups, second.groups)
    if groups < PAIR:
        return NoDifference.ONE_DOCUMENT
    error = _error(moved, first.alone + second.alone, groups)
    return _tested(second.value - first.value, error, groups - 1)


def unpaired(first: Contributions, second: Contributions) -> Difference | NoDifference:
    """Compare two figures of different documents; degrees of freedom after Welch and Satterthwaite."""
    if min(first.groups, second.groups) < PAIR:
        return NoDifference.ONE_DOCUMENT
    one, other = first.standard_error**2, second.standard_error**2
    if one + other < ROUNDING**2:
        return NoDifference.NO_VARIATION
    degrees = (one + other) ** 2 / (one**2 / (first.groups - 1) + other**2 / (second.groups - 1))
    return _tested(second.value - first.value, math.sqrt(one + other), degrees)


def _tested(value: float, error: float, degrees: float) -> Difference | NoDifference:
    from scipy.special import stdtr, stdtrit

    if error < ROUNDING:
        return NoDifference.NO_VARIATION
    statistic = value / error
    whole = degrees == int(degrees)
    quantile = t_quantile(int(degrees)) if whole else float(stdtrit(degrees, (1 + LEVEL) / 2))
    half = quantile * error
    p = 2 * float(stdtr(degrees, -abs(statistic)))
    return Difference(value, error, statistic, degrees, p, value - half, value + half)


Found = Contributions | None


def _observed(whole: Whole) -> Found:
    profiles = whole.profiles
    if profiles.units == 0:
        return None
    agreeing = 1 - profiles.mean_distance(1.0 - np.eye(profiles.categories))
    value = float((agreeing * profiles.times).sum()) / profiles.units
    return contributions(value, agreeing - value, profiles.clusters)


def alpha(whole: Whole, *, small_sample: bool = False) -> Found:
    """Return what each document contributes to nominal alpha, None where it is undefined.

    `small_sample` multiplies the influence by 1 - 1/n, n being all ratings, as Gwet's pairedCAC does. Every
    interval of a report leaves it out, as his irrCAC does.
    """
    profiles, plain = whole.profiles, distances.nominal(whole.categories)
    figure = many.alpha(profiles, plain)
    if figure.value is None or figure.observed is None or figure.expected is None:
        return None
    ratings = int(profiles.totals.sum())
    factor = 1 - 1 / ratings
    influence = many.alpha_influence(profiles, plain, figure.observed, figure.expected * factor)
    scale = factor if small_sample else 1.0
    return contributions(figure.value, scale * influence, profiles.clusters)


def _of_profiles(formula: Callable[[gwet.Rated, distances.Distance], gwet.Linear | None]) -> "Function":
    def compute(whole: Whole) -> Found:
        if whole.profiles.units == 0:
            return None
        plain = distances.nominal(whole.categories)
        linear = formula(gwet.rated(whole.rated, plain), plain)
        return None if linear is None else contributions(linear.value, linear.influence, whole.rated.clusters)

    return compute


def _conger(whole: Whole) -> Found:
    found, plain = whole.ratings, distances.nominal(whole.categories)
    if found.paired_units == 0:
        return None
    linear = over_pairs.conger(found, over_pairs.mean_distances(found, plain), plain)
    return None if linear is None else contributions(linear.value, linear.influence, found.clusters)


Function = Callable[[Whole], Found]

# The figures of all annotators that can be compared, by id.
COMPARABLE: Mapping[str, Function] = {
    "observed_agreement": _observed,
    "bennett_s": _of_profiles(gwet.uniform),
    "fleiss_kappa": _of_profiles(gwet.fleiss),
    "conger_kappa": _conger,
    "gwet_ac1": _of_profiles(gwet.gwet),
    "krippendorff_alpha": alpha,
}


def compare(figure: str, first: Whole, second: Whole, *, same_documents: bool) -> Difference | NoDifference:
    """Test whether a figure differs between two unit sets; `same_documents` have the same codes.

    Raises KeyError for a figure that is not COMPARABLE.
    """
    one, other = COMPARABLE[figure](first), COMPARABLE[figure](second)
    if one is None or other is None:
        return NoDifference.UNDEFINED
    return (paired if same_documents else unpaired)(one, other)
