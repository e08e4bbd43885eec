"""Sums over some units, or over several sets of them side by side: documents, samples, other sizes."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from reportgen.measures.distances import CategoryDistance, nominal
from reportgen.measures.estimate import Floats
from reportgen.measures.formulas import Formula
from reportgen.measures.profiles import PAIR, Profiles
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.units import NO_CATEGORY

# What is summed of labels: all of the units, those of each of two annotators, shares of each unit's own, and
# those of each of any number of annotators.
TOTALS, FIRST, SECOND, SHARES, OWN = "totals", "first", "second", "shares", "own"


@dataclass(frozen=True, eq=False)
class DistanceWeights:
    """What coefficients take from a distance between categories; it is the same for all units.

    The weights of AC2 are 1 - δ / δ_max, δ_max being the largest distance between any two categories,
    declared or used, unless `given` says how far apart categories are that have nothing in common: weights
    belong to the scale, and are the same for every pair of annotators.
    """

    distance: CategoryDistance
    given: float = 0.0

    @property
    def categories(self) -> int:
        """Return how many categories there are."""
        return self.distance.size

    @property
    def uniform(self) -> float:
        """Return the mean distance of two categories, each as likely."""
        return self.distance.total / self.categories**2 if self.categories else 0.0

    @cached_property
    def farthest(self) -> float:
        """Return the distance at which the weights of AC2 are 0."""
        return self.given or self.distance.farthest(np.ones(self.categories, dtype=np.bool_))

    @property
    def weights(self) -> float:
        """Return the sum of these weights over all pairs of categories."""
        return self.distance.alike(self.farthest)


class OnScale:
    """Sums under a distance: what they take from it alone, which no unit moves."""

    scale: DistanceWeights

    @property
    def uniform(self) -> float | Fraction:
        """Return the mean distance of two categories."""
        return self.scale.uniform

    @property
    def farthest(self) -> float:
        """Return the distance at which the weights of AC2 are 0."""
        return self.scale.farthest

    @property
    def weights(self) -> float | Fraction:
        """Return the sum of these weights."""
        return self.scale.weights

    @property
    def categories(self) -> int:
        """Return how many categories there are."""
        return self.scale.categories


@dataclass(frozen=True, eq=False)
class VectorizedSums(OnScale):
    """Sums as coefficients take them (`formulas.CoefficientSums`), each of one value a row (rows,).

    `labels` has by name how often each category is among some labels (rows, categories), of OWN those of each
    annotator (rows, annotators, categories).
    """

    scale: DistanceWeights
    units: Floats
    ratings: Floats
    apart: Floats
    met: Floats
    labels: Mapping[str, Floats]

    def chance(self, one: str, other: str, *, replaced: bool = True) -> Floats:
        """Return the mean distance of two labels drawn at random (rows,)."""
        p, q = self.share(one), self.share(other)
        found: Floats = (p * self.scale.distance.toward(q)).sum(axis=-1)
        if replaced:
            return found
        # What is not put back takes from its own category alone, which is at no distance.
        drawn = self.mass(other)
        return quotient(found * drawn, drawn - 1)

    def share(self, name: str) -> Floats:
        """Return each category's share of some labels (rows, categories)."""
        if name not in self._known:
            labels = self.labels[name]
            self._known[name] = quotient(labels, labels.sum(axis=-1)[..., None])
        return self._known[name]

    @cached_property
    def _known(self) -> dict[str, Floats]:
        """Return the shares that were asked for before."""
        return {}

    def mixed(self) -> Floats:
        """Return how often two labels drawn from all units differ (rows,)."""
        shares = self.share(SHARES)
        found: Floats = (shares * (1 - shares)).sum(axis=-1)
        return found

    def between(self) -> Floats:
        """Return the mean distance of two annotators' labels, each drawn from that one's own (rows,)."""
        shares, others, pairs = self.apart_from_others()
        return quotient((shares * others).sum(axis=(-1, -2)), pairs)

    def apart_from_others(self) -> tuple[Floats, Floats, Floats]:
        """Return what `between` is made of, for those annotators who labelled anything.

        That is each one's shares, how far a label is from those of all others, on average over each, added up
        (rows, annotators, categories), and how many others they all have together (rows,).
        """
        labels = self.labels[OWN]
        drawn = labels.sum(axis=-1)[..., None]
        shares = np.divide(labels, drawn, out=np.zeros_like(labels), where=drawn > 0)
        toward = self.scale.distance.toward
        others = toward(shares.sum(axis=-2))[..., None, :] - toward(shares)
        many = (drawn > 0).sum(axis=(-1, -2)).astype(np.float64)
        return shares, others, many * (many - 1)

    def mass(self, name: str) -> Floats:
        """Return how many labels are summed under a name (rows,)."""
        found: Floats = self.labels[name].sum(axis=-1)
        return found


class OrdinalRows(VectorizedSums):
    """Sums under Krippendorff's ordinal distance, which comes from each row's own labels.

    It is the squared difference of two categories' mean ranks (2004, section 11.3), so that the mean distance
    of two labels is twice the variance of their ranks. `apart` and `met` are of such distances too.
    """

    def chance(self, one: str, other: str, *, replaced: bool = True) -> Floats:
        """Return the mean distance of two labels drawn at random (rows,)."""
        p, q, ranks = self.share(one), self.share(other), mean_ranks(self.labels[TOTALS])
        apart = ranks[:, :, None] - ranks[:, None, :]
        found: Floats = (p * np.einsum("rl,rkl->rk", q, apart * apart)).sum(axis=-1)
        drawn = self.mass(other)
        return found if replaced else quotient(found * drawn, drawn - 1)


def mean_ranks(labels: Floats) -> Floats:
    """Return the mean rank of each category among some labels, as a share of them (rows, categories)."""
    shares = quotient(labels, labels.sum(axis=-1)[..., None])
    ranks: Floats = np.cumsum(shares, axis=-1) - shares / 2
    return ranks


def quotient(above: Floats, below: Floats) -> Floats:
    """Return a quotient, NaN where it is by nothing."""
    found: Floats = np.full(np.broadcast_shapes(np.shape(above), np.shape(below)), np.nan)
    np.divide(above, below, out=found, where=below > 0)
    return found


def values_of(formula: Formula, rows: VectorizedSums) -> Floats:
    """Return a coefficient of each row (rows,), NaN where it is undefined."""
    with np.errstate(divide="ignore", invalid="ignore"):
        observed, expected = formula(rows)
    return 1 - quotient(observed, np.asarray(expected))


# What figures are made of, cluster by cluster: whole numbers that add up, so that clusters can be drawn.

# Shares are kept as multiples of one over their common denominator, or of one over this where that is more.
FINEST = 2**30


@dataclass(frozen=True, eq=False)
class SumsLayout:
    """Which columns hold what: the categories in use, and the denominator of shares.

    `pairs` are the places of every two categories, none unless distances are needed.
    """

    used: Codes
    scale: int
    pairs: tuple[Codes, Codes]

    @property
    def columns(self) -> int:
        """Return how many columns there are."""
        return 4 + 4 * len(self.used) + len(self.pairs[0])

    def place(self, part: str) -> slice:
        """Return the columns of a part."""
        size, single = len(self.used), ("units", "apart", "met", "rated")
        if part in single:
            return slice(single.index(part), single.index(part) + 1)
        start = len(single) + ("totals", "shares", "first", "second", "pairs").index(part) * size
        return slice(start, start + (len(self.pairs[0]) if part == "pairs" else size))


def layout(found: Profiles, *, distances: bool) -> SumsLayout:
    """Return the layout for units; `distances` says whether every two categories are needed."""
    used = np.unique(found.labels[found.labels != NO_CATEGORY])
    several = [many for many in np.unique(found.ratings).tolist() if many >= PAIR]
    scale = math.lcm(*(many * (many - 1) for many in several))
    size = len(used) if distances else 0
    one, other = np.triu_indices(size, k=1)
    return SumsLayout(used, min(scale, FINEST), (one.astype(np.int64), other.astype(np.int64)))


@dataclass(frozen=True, eq=False)
class UnitSums:
    """Sums over units, one row for each time that they are taken (rows, columns)."""

    layout: SumsLayout
    matrix: Codes

    def of(self, part: str) -> Floats:
        """Return the sums of a part (rows, its columns)."""
        return self.matrix[:, self.layout.place(part)].astype(np.float64)

    def one(self, part: str) -> Floats:
        """Return the sums of a part of one column (rows,), those that are shares as such."""
        sums = self.of(part)[:, 0]
        return sums / self.layout.scale if part in ("apart", "met") else sums


@dataclass(frozen=True, eq=False)
class ClusterSums:
    """The sums of each kind of cluster (columns, kinds): documents, and units without one.

    `times` is how many clusters are of a kind, which only units without a document can have in common.
    """

    layout: SumsLayout
    columns: Codes
    times: Codes
    documents: npt.NDArray[np.bool_]

    @cached_property
    def total(self) -> Codes:
        """Return the sums over all clusters (columns,)."""
        total: Codes = (self.columns * self.times).sum(axis=1)
        return total


def cluster_sums(found: Profiles, chosen: SumsLayout) -> ClusterSums:
    """Return the sums of each cluster of units."""
    known = found.document != NO_DOCUMENT
    documents, place = np.unique(found.document[known], return_inverse=True)
    alone = np.flatnonzero(~known)
    clusters = len(documents) + len(alone)
    cluster = np.zeros(len(found.n), dtype=np.int64)
    cluster[known], cluster[alone] = place, len(documents) + np.arange(len(alone))
    by_kind = _by_kind(found, chosen)
    columns = np.zeros((chosen.columns, clusters), dtype=np.int64)
    times = np.where(known, found.n, 1)
    for place_of, row in enumerate(by_kind):
        np.add.at(columns[place_of], cluster, row[found.profile] * times)
    counted = np.ones(clusters, dtype=np.int64)
    counted[len(documents) :] = found.n[alone]
    return ClusterSums(chosen, columns, counted, np.arange(clusters) < len(documents))


def _by_kind(found: Profiles, chosen: SumsLayout) -> Codes:
    """Return what one unit of each kind adds to each column (columns, kinds)."""
    ratings, times = found.ratings, _label_counts(found, chosen.used)
    several = ratings >= PAIR
    others = np.maximum(ratings - 1, 1)
    apart = np.where(several, ratings * ratings - (times * times).sum(axis=0), 0)
    rows = [
        several[None, :].astype(np.int64),
        _shares(apart, ratings * others, chosen.scale)[None, :],
        _shares(apart, others, chosen.scale)[None, :],
        np.ones((1, len(ratings)), dtype=np.int64),
        times * several,
        _shares(times, ratings, chosen.scale),
        *(_given(found, chosen.used, several, who) for who in range(PAIR)),
        _shares(2 * times[chosen.pairs[0]] * times[chosen.pairs[1]] * several, others, chosen.scale),
    ]
    return np.concatenate(rows)


def _shares(above: Codes, below: Codes, scale: int) -> Codes:
    """Return shares as multiples of 1 / scale, rounded where the scale is no common denominator."""
    nearest: Codes = (2 * above * scale + below) // (2 * below)
    return nearest


def _label_counts(found: Profiles, used: Codes) -> Codes:
    """Return how often each category stands among the labels of each kind (categories, kinds)."""
    kind, column = np.nonzero(found.labels != NO_CATEGORY)
    times = np.zeros((len(used), len(found.labels)), dtype=np.int64)
    np.add.at(times, (np.searchsorted(used, found.labels[kind, column]), kind), 1)
    return times


def _given(found: Profiles, used: Codes, several: npt.NDArray[np.bool_], who: int) -> Codes:
    """Return whether one of two annotators gave each category to a unit of each kind (categories, kinds)."""
    if found.labels.shape[1] != PAIR:
        return np.zeros((len(used), len(found.labels)), dtype=np.int64)
    given: Codes = ((found.labels[:, who] == used[:, None]) & several).astype(np.int64)
    return given


# Coefficients of sums over samples of clusters, one for each row of sums.

Compute = Callable[[UnitSums], Floats]


def of_nominal(formula: Formula, categories: int) -> Compute:
    """Return the function that gives a coefficient over so many categories of each row of sums (rows,)."""
    scale = DistanceWeights(nominal(categories))

    def compute(sums: UnitSums) -> Floats:
        return values_of(formula, _rows(sums, scale, sums.one("apart"), sums.one("met")))

    return compute


def with_distance(formula: Formula, matrix: Floats) -> Compute:
    """Return the function that gives alpha with a fixed distance (categories, categories)."""

    def compute(sums: UnitSums) -> Floats:
        used, (one, other) = sums.layout.used, sums.layout.pairs
        met = (sums.of("pairs") * matrix[used[one], used[other]]).sum(axis=1) / sums.layout.scale
        scale = DistanceWeights(CategoryDistance("", matrix[np.ix_(used, used)]))
        return values_of(formula, _rows(sums, scale, met, met))

    return compute


def on_ranks(formula: Formula) -> Compute:
    """Return the function that gives alpha with Krippendorff's ordinal distance, of each row's own ranks."""

    def compute(sums: UnitSums) -> Floats:
        one, other = sums.layout.pairs
        ranks = mean_ranks(sums.of(TOTALS))
        met = (sums.of("pairs") * (ranks[:, one] - ranks[:, other]) ** 2).sum(axis=1) / sums.layout.scale
        plain = _rows(sums, DistanceWeights(nominal(len(sums.layout.used))), met, met)
        rows = OrdinalRows(plain.scale, plain.units, plain.ratings, met, met, plain.labels)
        return values_of(formula, rows)

    return compute


def _rows(sums: UnitSums, scale: DistanceWeights, apart: Floats, met: Floats) -> VectorizedSums:
    labels = {name: sums.of(name) for name in (TOTALS, SHARES, FIRST, SECOND)}
    return VectorizedSums(scale, sums.one("units"), labels[TOTALS].sum(axis=1), apart, met, labels)
