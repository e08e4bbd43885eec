"""Sums over clusters of units: whole numbers that add up, so that clusters can be exchanged."""

import math
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

import numpy as np
import numpy.typing as npt

from reportgen.base.dataclass import dataclass
from reportgen.catalogue import CATALOGUE
from reportgen.measures import formulas
from reportgen.measures.distances import CategoryDistance, nominal
from reportgen.measures.estimate import Floats
from reportgen.measures.formulas import FIRST, SECOND, SHARES, TOTALS, Formula, VectorizedSums, values_of
from reportgen.measures.named import formula_of
from reportgen.measures.profiles import Profiles, without
from reportgen.measures.unit_set_data import UnitsOfAll, scale_distances
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.units import NO_CATEGORY
from reportgen.units.coded import sums_by

# Shares are kept as multiples of one over their common denominator, or of one over this where that is more.
FINEST = 2**30


@dataclass(frozen=True, eq=False)
class SumsLayout:
    """Which columns have what: the categories in use, and the denominator of shares.

    `pairs` (2, pairs) are the places of every two categories, none unless distances are needed.
    """

    used: Codes
    scale: int
    pairs: Codes

    @property
    def columns(self) -> int:
        """Return how many columns there are."""
        return 4 + 4 * len(self.used) + int(self.pairs.shape[1])

    def columns_of(self, part: str) -> slice:
        """Return the columns of a part."""
        size, single = len(self.used), ("units", "apart", "met", "rated")
        if part in single:
            return slice(single.index(part), single.index(part) + 1)
        start = len(single) + ("totals", "shares", "first", "second", "pairs").index(part) * size
        return slice(start, self.columns if part == "pairs" else start + size)


def sums_layout(profiles: Profiles, *, distances: bool) -> SumsLayout:
    """Return the layout for units; `distances` says whether every two categories are needed."""
    used = np.unique(profiles.labels[profiles.labels != NO_CATEGORY])
    ratings = [many for many in np.unique(profiles.ratings).tolist() if many >= 2]
    scale = math.lcm(*(many * (many - 1) for many in ratings))
    size = len(used) if distances else 0
    return SumsLayout(used, min(scale, FINEST), np.stack(np.triu_indices(size, k=1)).astype(np.int64))


@dataclass(frozen=True, eq=False)
class UnitSums:
    """Sums over units, one row for each time that they are taken (rows, columns)."""

    layout: SumsLayout
    matrix: Codes

    def of(self, part: str) -> Floats:
        """Return the sums of a part (rows, its columns)."""
        return self.matrix[:, self.layout.columns_of(part)].astype(np.float64)

    def column(self, part: str) -> Floats:
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


def cluster_sums(profiles: Profiles, chosen: SumsLayout) -> ClusterSums:
    """Return the sums of each cluster of units."""
    in_document = profiles.document != NO_DOCUMENT
    documents, position = np.unique(profiles.document[in_document], return_inverse=True)
    alone = np.flatnonzero(~in_document)
    clusters = len(documents) + len(alone)
    cluster = np.zeros(len(profiles.n), dtype=np.int64)
    cluster[in_document], cluster[alone] = position, len(documents) + np.arange(len(alone))
    by_kind = _by_kind(profiles, chosen)
    columns = np.zeros((chosen.columns, clusters), dtype=np.int64)
    times = np.where(in_document, profiles.n, 1)
    for column, row in enumerate(by_kind):
        np.add.at(columns[column], cluster, row[profiles.profile] * times)
    counted = np.ones(clusters, dtype=np.int64)
    counted[len(documents) :] = profiles.n[alone]
    return ClusterSums(chosen, columns, counted, np.arange(clusters) < len(documents))


def _by_kind(profiles: Profiles, chosen: SumsLayout) -> Codes:
    """Return what one unit of each kind adds to each column (columns, kinds)."""
    ratings, times = profiles.ratings, _label_counts(profiles, chosen.used)
    is_paired = ratings >= 2
    others = np.maximum(ratings - 1, 1)
    apart = np.where(is_paired, ratings * ratings - (times * times).sum(axis=0), 0)
    one, other = chosen.pairs
    rows = [
        is_paired[None, :].astype(np.int64),
        _shares(apart, ratings * others, chosen.scale)[None, :],
        _shares(apart, others, chosen.scale)[None, :],
        np.ones((1, len(ratings)), dtype=np.int64),
        times * is_paired,
        _shares(times, ratings, chosen.scale),
        *(_given(profiles, chosen.used, is_paired, who) for who in range(2)),
        _shares(2 * times[one] * times[other] * is_paired, others, chosen.scale),
    ]
    return np.concatenate(rows)


def _shares(above: Codes, below: Codes, scale: int) -> Codes:
    """Return shares as multiples of 1 / scale, rounded where the scale is no common denominator."""
    return (2 * above * scale + below) // (2 * below)


def _label_counts(profiles: Profiles, used: Codes) -> Codes:
    """Return how often each category is among the labels of each kind (categories, kinds)."""
    kind, column = np.nonzero(profiles.labels != NO_CATEGORY)
    category = np.searchsorted(used, profiles.labels[kind, column])
    return sums_by((category, kind), np.ones_like(kind), (len(used), len(profiles.labels)))


def _given(profiles: Profiles, used: Codes, is_paired: npt.NDArray[np.bool_], who: int) -> Codes:
    """Return whether one of two annotators gave each category to a unit of each kind (categories, kinds)."""
    if profiles.labels.shape[1] != 2:
        return np.zeros((len(used), len(profiles.labels)), dtype=np.int64)
    by_annotator: Codes = ((profiles.labels[:, who] == used[:, None]) & is_paired).astype(np.int64)
    return by_annotator


# Coefficients of sums over clusters, one for each row of sums.

Compute = Callable[[UnitSums], Floats]


def of_nominal(formula: Formula, categories: int) -> Compute:
    """Return the function that gives a coefficient over so many categories of each row of sums (rows,)."""
    distance = nominal(categories)

    def compute(sums: UnitSums) -> Floats:
        return values_of(formula, _rows(sums, distance, sums.column("apart"), sums.column("met")))

    return compute


def with_distance(formula: Formula, matrix: Floats) -> Compute:
    """Return the function that gives alpha with a fixed distance (categories, categories)."""

    def compute(sums: UnitSums) -> Floats:
        used, (one, other) = sums.layout.used, sums.layout.pairs
        met = (sums.of("pairs") * matrix[used[one], used[other]]).sum(axis=1) / sums.layout.scale
        distance = CategoryDistance("", matrix[np.ix_(used, used)])
        return values_of(formula, _rows(sums, distance, met, met))

    return compute


def on_ranks(formula: Formula) -> Compute:
    """Return the function that gives alpha with Krippendorff's ordinal distance, of each row's own ranks."""

    def compute(sums: UnitSums) -> Floats:
        one, other = sums.layout.pairs
        ranks = formulas.mean_ranks(sums.of(TOTALS))
        met = (sums.of("pairs") * (ranks[:, one] - ranks[:, other]) ** 2).sum(axis=1) / sums.layout.scale
        plain = _rows(sums, nominal(len(sums.layout.used)), met, met)
        rows = formulas.OrdinalRows(plain.distance, plain.units, plain.ratings, met, met, plain.labels)
        return values_of(formula, rows)

    return compute


def _rows(sums: UnitSums, distance: CategoryDistance, apart: Floats, met: Floats) -> VectorizedSums:
    labels = {name: sums.of(name) for name in (TOTALS, SHARES, FIRST, SECOND)}
    return VectorizedSums(distance, sums.column("units"), labels[TOTALS].sum(axis=1), apart, met, labels)


# Which figures are computed from such sums, and of which units.

# With more categories than these, the sums of every two of them would be too many.
MOST_ON_SCALE = 20
ALPHA = formulas.krippendorff_alpha


def kinds_of_unit(units: UnitsOfAll) -> Profiles:
    """Return the units of a unit set by kind, units with a single rating too.

    Of two annotators the labels of each are in the annotators' order.
    """
    if units.annotators != 2 or units.rated.labels.shape[1] < 2:
        return units.rated
    both, single = units.pair.profiles, units.rated.only(units.rated.ratings < 2)
    return Profiles(
        np.concatenate([both.labels, single.labels]),
        np.concatenate([both.document, single.document]),
        np.concatenate([both.profile, len(both.labels) + single.profile]),
        np.concatenate([both.n, single.n]),
        units.categories,
    )


def figures_by_units(units: UnitsOfAll) -> Iterator[tuple[Profiles, dict[str, Compute]]]:
    """Yield the units that figures are about, and the figures."""
    rated, size = kinds_of_unit(units), units.categories
    paired = rated.only(rated.ratings >= 2)
    of_all, of_paired = (dict(_nominal(units, of_categories=declared)) for declared in (True, False))
    if len(rated.labels) == len(paired.labels):
        of_paired, of_all = of_paired | of_all, {}
    yield paired, of_paired
    yield rated, of_all
    if size <= MOST_ON_SCALE:
        yield paired, alphas(units.setting.distances)
        yield without(paired, units.setting.non_annotated), _on_scale(units)


def _nominal(units: UnitsOfAll, *, of_categories: bool) -> Iterator[tuple[str, Compute]]:
    """Yield the bare figures: those that take two categories at least, or the others.

    The former are drawn with the units that have a single rating, which some of them count. A chance that
    gives any category gives none where there is one alone.
    """
    for measure in CATALOGUE:
        formula = formula_of(measure) if measure.coefficient else None
        here = "plain" in (measure.pair if units.annotators == 2 else ()) or "plain" in measure.all
        if formula is None or not here or formula.by_annotators or formula.of_categories != of_categories:
            continue
        if units.categories >= 2 or not formula.any_category:
            yield measure.id, of_nominal(formula, units.categories)


def alphas(distances: Iterable[CategoryDistance]) -> dict[str, Compute]:
    """Return alpha with some distances."""
    return {f"krippendorff_alpha[{each.id}]": with_distance(ALPHA, each.matrix) for each in distances}


def _on_scale(units: UnitsOfAll) -> dict[str, Compute]:
    """Return alpha on the scale of the study."""
    figures: dict[str, Compute] = {}
    if units.setting.values is not None:
        totals = np.ones(units.categories - (units.setting.non_annotated >= 0), dtype=np.int64)
        for distance in scale_distances(totals, units.setting):
            ordinal = distance.id == "ordinal"
            compute = on_ranks(ALPHA) if ordinal else with_distance(ALPHA, distance.matrix)
            figures[f"krippendorff_alpha[{distance.id}]"] = compute
    return figures
