"""A second opinion on differences: documents exchanged between two versions, by sums that add up."""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cached_property

import numpy as np
import numpy.typing as npt

from reportgen.base.dataclass import dataclass
from reportgen.catalogue import CATALOGUE
from reportgen.measures import formulas
from reportgen.measures.distances import CategoryDistance, nominal, set_distances
from reportgen.measures.estimate import ROUNDING, Floats
from reportgen.measures.formulas import (
    FIRST,
    SECOND,
    SHARES,
    TOTALS,
    Formula,
    VectorizedSums,
    formula_of,
    values_of,
)
from reportgen.measures.unit_profiles import LabelPatterns, without
from reportgen.measures.unit_set_data import UnitsOfAll, scale_distances
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.units import NO_CATEGORY
from reportgen.units.labels import nothing, sums_by

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


def sums_layout(profiles: LabelPatterns, *, distances: bool) -> SumsLayout:
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


def cluster_sums(profiles: LabelPatterns, chosen: SumsLayout) -> ClusterSums:
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


def _by_kind(profiles: LabelPatterns, chosen: SumsLayout) -> Codes:
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


def _label_counts(profiles: LabelPatterns, used: Codes) -> Codes:
    """Return how often each category is among the labels of each kind (categories, kinds)."""
    kind, column = np.nonzero(profiles.labels != NO_CATEGORY)
    category = np.searchsorted(used, profiles.labels[kind, column])
    return sums_by((category, kind), np.ones_like(kind), (len(used), len(profiles.labels)))


def _given(profiles: LabelPatterns, used: Codes, is_paired: npt.NDArray[np.bool_], who: int) -> Codes:
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
ALPHA: Formula = formulas.krippendorff_alpha


def kinds_of_unit(units: UnitsOfAll) -> LabelPatterns:
    """Return the units of a unit set by kind, units with a single rating too.

    Of two annotators the labels of each are in the annotators' order.
    """
    if units.annotators != 2 or units.rated.labels.shape[1] < 2:
        return units.rated
    both, single = units.pair.profiles, units.rated.only(units.rated.ratings < 2)
    return LabelPatterns(
        np.concatenate([both.labels, single.labels]),
        np.concatenate([both.document, single.document]),
        np.concatenate([both.profile, len(both.labels) + single.profile]),
        np.concatenate([both.n, single.n]),
        units.categories,
    )


def figures_by_units(units: UnitsOfAll) -> Iterator[tuple[LabelPatterns, dict[str, Compute]]]:
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
        # Alpha on the scale of the study.
        figures: dict[str, Compute] = {}
        if units.setting.values is not None:
            totals = np.ones(units.categories - (units.setting.non_annotated >= 0), dtype=np.int64)
            for distance in scale_distances(totals, units.setting):
                ordinal = distance.id == "ordinal"
                compute = on_ranks(ALPHA) if ordinal else with_distance(ALPHA, distance.matrix)
                figures[f"krippendorff_alpha[{distance.id}]"] = compute
        yield without(paired, units.setting.non_annotated), figures


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


# Sums of clusters beyond which exchanging takes too long.
MOST_CELLS = 1_000_000


# Is one figure higher than another? Second opinion: the two versions of each document are exchanged.
#
# What is tested is that they are exchangeable: which of a document's two annotations came first has nothing
# to do with its marks. That is more than equal figures: it fails too where one version uses other categories
# though agreement is the same. In return no distribution is assumed, nor many documents; the documents
# have to be independent of each other, units within them need not be.
#
# Pitman (1937), Supplement to the Journal of the Royal Statistical Society 4(1), 119-130; Phipson and Smyth
# (2010), Statistical Applications in Genetics and Molecular Biology 9(1), 39, for the 1 in (1 + b) / (1 + m).

EXCHANGES = 4999
SEED_OF_EXCHANGES = 1937
# With so few documents that differ, every exchange is tried.
MOST_EXACT = 14
# Documents that are exchanged together: one byte says which of them are.
BYTE = 8
Bytes = npt.NDArray[np.uint8]


class NoPermutation(StrEnum):
    """Why nothing is exchanged; a closed list, translated when a page is rendered."""

    UNDEFINED = "one of the two figures is undefined"
    ONE_DOCUMENT = "exchanging takes two documents or more that are in both versions"
    TOO_LARGE = "there are too many categories and documents to exchange them"
    MOSTLY_UNDEFINED = "after most exchanges the figure is undefined"
    NOT_FROM_SUMS = "the figure is not a sum over documents, so that exchanging them would take too long"


@dataclass(frozen=True)
class Permuted:
    """How often an exchange gives a difference at least as large as the one seen.

    `samples` is how many exchanges were tried, `undefined` after how many of them a figure was undefined:
    these are left out. `exact` says that all exchanges were tried, `p` then being a share; otherwise it is
    (1 + as large) / (1 + defined).
    """

    p: float
    samples: int
    exact: bool
    undefined: int
    seed: int = SEED_OF_EXCHANGES


def permutation(
    first: UnitsOfAll, second: UnitsOfAll, figures: Collection[str], samples: int = EXCHANGES
) -> dict[str, Permuted | NoPermutation]:
    """Return the two-sided permutation test of each of some figures of all annotators, by its id.

    A document's code has to mean the same in both; documents of one of the two alone, and units without a
    document, stay where they are. Raises ValueError where the two do not have the same categories.
    """
    if first.units.categories != second.units.categories:
        raise ValueError("figures over other categories can't be exchanged")
    tests: dict[str, Permuted | NoPermutation] = dict.fromkeys(figures, NoPermutation.NOT_FROM_SUMS)
    for names, one, other in _computed_of_both(first, second, figures):
        both = _exchangeable(one, other, distances=any("[" in name for name in names))
        if isinstance(both, NoPermutation):
            tests |= dict.fromkeys(names, both)
        else:
            tests |= permuted(both, names, samples)
    return tests


Asked = tuple[dict[str, Compute], LabelPatterns, LabelPatterns]


def _computed_of_both(first: UnitsOfAll, second: UnitsOfAll, figures: Collection[str]) -> Iterator[Asked]:
    """Yield the figures that rest on the same units, and those units of both versions."""
    ours, theirs = list(_computed(first)), list(_computed(second))
    for units, computed in ours:
        for others, computed_of_other in theirs:
            names = {
                name: computed[name] for name in figures if name in computed and name in computed_of_other
            }
            if names:
                yield names, units, others


def _computed(units_of_all: UnitsOfAll) -> Iterator[tuple[LabelPatterns, dict[str, Compute]]]:
    """Yield the units that figures are about, and the figures; alpha between sets too."""
    yield from figures_by_units(units_of_all)
    if units_of_all.setting.sets is not None and units_of_all.categories <= MOST_ON_SCALE:
        units = kinds_of_unit(units_of_all)
        yield units.only(units.ratings >= 2), alphas(set_distances(units_of_all.setting.sets))


@dataclass(frozen=True, eq=False)
class Exchangeable:
    """The sums of both versions, and what exchanging a document moves from one to the other.

    `first` and `second` (columns,) are over everything, `moved` (columns, documents) is the second less the
    first in each document that differs.
    """

    layout: SumsLayout
    first: Codes
    second: Codes
    moved: Codes


def _exchangeable(
    one: LabelPatterns, other: LabelPatterns, *, distances: bool
) -> Exchangeable | NoPermutation:
    chosen = sums_layout(_together(one, other), distances=distances)
    mine, theirs = _documents(one), _documents(other)
    shared = np.intersect1d(mine, theirs)
    if len(shared) < 2:
        return NoPermutation.ONE_DOCUMENT
    if chosen.columns * (len(mine) + len(theirs)) > MOST_CELLS:
        return NoPermutation.TOO_LARGE
    before, after = cluster_sums(one, chosen), cluster_sums(other, chosen)
    return exchangeable(before, after, (np.searchsorted(mine, shared), np.searchsorted(theirs, shared)))


def _documents(units: LabelPatterns) -> Codes:
    """Return the codes of the documents, in the order in which their sums are."""
    return np.unique(units.document[units.document != NO_DOCUMENT])


def _together(one: LabelPatterns, other: LabelPatterns) -> LabelPatterns:
    """Return the kinds of both, filled up to as many ratings: what a common layout is made from."""
    width = max(one.labels.shape[1], other.labels.shape[1])
    labels = [
        np.pad(units.labels, ((0, 0), (0, width - units.labels.shape[1])), constant_values=NO_CATEGORY)
        for units in (one, other)
    ]
    categories = max(one.categories, other.categories)
    return LabelPatterns(np.concatenate(labels), nothing(), nothing(), nothing(), categories)


def exchangeable(first: ClusterSums, second: ClusterSums, places: tuple[Codes, Codes]) -> Exchangeable:
    """Return what can be exchanged of two versions, `places` being where the shared documents are.

    A document with the same sums in both changes nothing and is left out. Documents are ordered by their
    sums, so that neither their own order nor that of the two versions changes a sample.
    """
    before, after = first.columns[:, places[0]], second.columns[:, places[1]]
    moved, both = after - before, after + before
    differs = np.flatnonzero(moved.any(axis=0))
    gained = second.total - first.total
    up = 1 if not gained.any() or gained[np.flatnonzero(gained)[0]] > 0 else -1
    order = np.lexsort((*(up * moved[:, differs])[::-1], *both[:, differs][::-1]))
    return Exchangeable(first.layout, first.total, second.total, moved[:, differs[order]])


def permuted(
    both: Exchangeable, figures: Mapping[str, Compute], samples: int
) -> dict[str, Permuted | NoPermutation]:
    """Return the tests of some figures, given the functions that compute them from sums, by their ids."""
    documents = both.moved.shape[1]
    exact = documents <= MOST_EXACT
    moved = _exchanged(both.moved, _all(documents) if exact else _sampled(documents, samples))
    # The first row is what was seen: nothing has changed sides.
    moved = np.concatenate([np.zeros((1, len(both.first)), dtype=np.int64), moved])
    first = UnitSums(both.layout, both.first[None, :] + moved)
    second = UnitSums(both.layout, both.second[None, :] - moved)
    return {name: _answer(compute(second) - compute(first), exact=exact) for name, compute in figures.items()}


def _answer(differences: Floats, *, exact: bool) -> Permuted | NoPermutation:
    """Return the test from the difference that was seen and those after each exchange."""
    observed, apart = abs(float(differences[0])), np.abs(differences[1:])
    if np.isnan(observed):
        return NoPermutation.UNDEFINED
    defined = apart[~np.isnan(apart)]
    if 2 * len(defined) <= len(apart):
        return NoPermutation.MOSTLY_UNDEFINED
    # What is equal but for rounding counts as equal.
    as_large, more = int((defined >= observed - ROUNDING).sum()), 0 if exact else 1
    p = (more + as_large) / (more + len(defined))
    return Permuted(p, len(apart), exact, len(apart) - len(defined))


def _all(documents: int) -> Bytes:
    """Return every choice of documents (2 to the power of documents, bytes of eight documents)."""
    numbers = np.arange(1 << documents, dtype=np.int64)
    return np.stack(
        [numbers >> start & (1 << BYTE) - 1 for start in range(0, documents or 1, BYTE)], axis=1
    ).astype(np.uint8)


def _sampled(documents: int, samples: int) -> Bytes:
    """Return choices of documents at random (samples, bytes of eight documents), the same each time."""
    generator = np.random.Generator(np.random.PCG64(SEED_OF_EXCHANGES))
    return generator.integers(0, 1 << BYTE, size=(samples, -(-documents // BYTE)), dtype=np.uint8)


def _exchanged(moved: Codes, chosen: Bytes) -> Codes:
    """Return the sums over the chosen documents (samples, columns).

    The sums of every choice of eight documents are taken once and looked up. They are whole numbers: no order
    of summation can change them.
    """
    sums = np.zeros((len(chosen), len(moved)), dtype=np.int64)
    changed = np.flatnonzero(moved.any(axis=1))
    part = np.zeros((len(chosen), len(changed)), dtype=np.int64)
    for byte_index, byte in enumerate(chosen.T):
        eight = moved[changed, byte_index * BYTE : (byte_index + 1) * BYTE]
        part += _choices(eight)[byte]
    sums[:, changed] = part
    return sums


def _choices(moved: Codes) -> Codes:
    """Return the sums over every choice of up to eight documents (256, columns)."""
    chosen = np.zeros((1, len(moved)), dtype=np.int64)
    for column in moved.T:
        chosen = np.concatenate([chosen, chosen + column])
    return np.tile(chosen, ((1 << BYTE) // len(chosen), 1))
