"""A coefficient as a figure: its value from sums over units, its interval from how a unit moves them.

Weighted kappa and Light's kappa are means over pairs of annotators. What chance gives then comes from what
two annotators did on the units that they share, so that these are functions of sums of every pair, not of the
sums of all units.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.counts import sum_cells
from reportgen.measures import formulas
from reportgen.measures.distances import CategoryDistance, DistanceInfluence, Nominal, Slope, nominal
from reportgen.measures.estimate import (
    LOWEST,
    ROUNDING,
    Clusters,
    Estimate,
    Floats,
    Undefined,
    no_estimate,
    with_exact_bound,
    with_interval,
)
from reportgen.measures.formulas import FIRST, OWN, SECOND, SHARES, TOTALS, Dual, Formula
from reportgen.measures.unit_profiles import LabelPatterns, PairTables, UnitRatings
from reportgen.readers import Codes
from reportgen.units import NO_CATEGORY, Mask
from reportgen.units.labels import sums_by

# What one unit adds to each sum, by kind of unit, and the sums of all.


@dataclass(frozen=True, eq=False)
class UnitsByKind(ABC):
    """Units by kind, and what one of each kind adds to every sum under a distance (kinds,)."""

    kinds: LabelPatterns | UnitRatings
    distance: CategoryDistance

    @property
    def clusters(self) -> Clusters:
        """Return what influence values are clustered by; a cell is a kind."""
        return self.kinds.clusters

    @cached_property
    def units(self) -> Floats:
        """Return whether a unit is compared at all."""
        return (self.kinds.ratings >= 2).astype(np.float64)

    @cached_property
    def ratings(self) -> Floats:
        """Return its ratings, 0 of one that is not compared."""
        return self.kinds.ratings * self.units

    @cached_property
    def apart(self) -> Floats:
        """Return the mean distance of its pairs of ratings, 0 without a pair."""
        return self.kinds.mean_distance(self.distance)

    @property
    def met(self) -> Floats:
        """Return the same, times its ratings."""
        return self.apart * self.ratings

    @abstractmethod
    def mass(self, name: str) -> Floats:
        """Return what a unit adds to all categories together."""

    @abstractmethod
    def sum_over(self, name: str, by_category: Floats) -> Floats:
        """Return the sum of a value by category over some labels of a unit, each as it adds to the sums."""

    @property
    @abstractmethod
    def sums_of_labels(self) -> Mapping[str, Floats]:
        """Return by name how often each category is among some labels of all units."""

    @cached_property
    def total(self) -> formulas.VectorizedSums:
        """Return the sums over all units, as the only row."""
        times = self.kinds.times
        return formulas.VectorizedSums(
            self.distance,
            units=(times * self.units).sum(keepdims=True),
            ratings=(times * self.ratings).sum(keepdims=True),
            apart=(times * self.apart).sum(keepdims=True),
            met=(times * self.met).sum(keepdims=True),
            labels={name: sums[None] for name, sums in self.sums_of_labels.items()},
        )


@dataclass(frozen=True, eq=False)
class UnitsByLabels(UnitsByKind):
    """Units by their labels, no matter who gave them."""

    kinds: LabelPatterns

    def mass(self, name: str) -> Floats:
        """Return what a unit adds to all categories together."""
        labels, weight = labels_added(self.kinds, name)
        mass: Floats = weight * (labels != NO_CATEGORY).sum(axis=1)
        return mass

    def sum_over(self, name: str, by_category: Floats) -> Floats:
        """Return the sum of a value by category over some labels of a unit, each as it adds to the sums."""
        labels, weight = labels_added(self.kinds, name)
        sums: Floats = weight * np.where(labels != NO_CATEGORY, by_category[labels], 0.0).sum(axis=1)
        return sums

    @property
    def sums_of_labels(self) -> Mapping[str, Floats]:
        """Return by name how often each category is among some labels of all units (categories,)."""
        return _sums_of_labels(self.kinds)


@dataclass(frozen=True, eq=False)
class UnitsByAnnotators(UnitsByKind):
    """Units by who gave which label: what takes chance from each annotator's own labels."""

    kinds: UnitRatings

    def mass(self, name: str) -> Floats:
        """Return how many labels a unit adds: OWN are all that it has."""
        return self.sum_over(name, np.ones((len(self.kinds.annotators), len(self.kinds.categories))))

    def sum_over(self, name: str, by_category: Floats) -> Floats:  # noqa: ARG002 - there is OWN alone
        """Return the sum over its labels of a value by annotator and category."""
        return self.kinds.sum_by_unit(by_category[self.kinds.annotator, self.kinds.label])

    @property
    def sums_of_labels(self) -> Mapping[str, Floats]:
        """Return how often each annotator gave each category (annotators, categories)."""
        return {OWN: self.kinds.labels_by_annotator.astype(np.float64)}


def labels_added(profiles: LabelPatterns, name: str) -> tuple[Codes, Floats]:
    """Return some labels of each kind of unit (kinds, labels), and what each adds to its category."""
    labels = profiles.labels
    if name == TOTALS:
        return labels, (profiles.ratings >= 2).astype(np.float64)
    if name == SHARES:
        return labels, 1 / profiles.ratings
    column = (FIRST, SECOND).index(name)
    return labels[:, column : column + 1], np.ones(len(labels))


def names_of(profiles: LabelPatterns) -> tuple[str, ...]:
    """Return which labels are summed."""
    return (TOTALS, SHARES, FIRST, SECOND) if profiles.labels.shape[1] == 2 else (TOTALS, SHARES)


@lru_cache(maxsize=4)
def _sums_of_labels(profiles: LabelPatterns) -> Mapping[str, Floats]:
    """Return how often each category is among some labels: the same under every distance."""
    return {name: _sum_of(profiles, *labels_added(profiles, name)) for name in names_of(profiles)}


def _sum_of(profiles: LabelPatterns, labels: Codes, weight: Floats) -> Floats:
    sums, (kind, column) = np.zeros(profiles.categories), np.nonzero(labels != NO_CATEGORY)
    # Whole numbers as far as they go: the units of one weight together.
    for each in sorted(set(weight.tolist())):
        times = np.where(weight == each, profiles.times, 0)
        sums += sums_by(labels[kind, column], times[kind], len(sums)) * each
    return sums


# How sums move a coefficient: its derivative at some sums, along others.


class MovedSums(formulas.CoefficientSums):
    """Sums as coefficients take them, and how a unit of each kind moves them.

    Those of the population: drawing without putting back, which corrects for small samples, moves no sampling
    error. Gwet's irrCAC leaves that factor out of alpha's variance likewise; his pairedCAC has it.
    """

    def __init__(self, along: UnitsByKind, *, drifting: bool = False) -> None:
        """Take the derivative at the sums of all units; `drifting` says that distances move with them."""
        at = along.total
        self.distance, self._at, self._along = at.distance, at, along
        self._by_labels = along if drifting and isinstance(along, UnitsByLabels) else None
        self.units = Dual(float(at.units[0]), along.units)
        self.ratings = Dual(float(at.ratings[0]), along.ratings)
        self.apart = self._drifting(Dual(float(at.apart[0]), along.apart), at.units)
        self.met = self._drifting(Dual(float(at.met[0]), along.met), at.ratings)

    def chance(self, one: str, other: str, *, replaced: bool = True) -> Dual:  # noqa: ARG002 - of the population
        """Return the mean distance of two labels drawn at random."""
        first, second = (self._at.share(name)[0] for name in (one, other))
        there = self._at.distance.toward(second)
        back = there if one == other else self._at.distance.toward(first)
        value = float((first * there).sum())
        # Σ p_k q_l δ_kl is moved by Σ ∂p_k (δ q)_k + Σ ∂q_l (δ p)_l.
        distance = Dual(value, self._moved(one, there, value) + self._moved(other, back, value))
        return self._drifting(distance, np.ones(1), lambda row, column: first[row] * second[column])

    def between(self) -> Dual:
        """Return the mean distance of two labels of two annotators, each drawn from that one's own."""
        shares, others, pairs = (array[0] for array in self._at.apart_from_others())
        mean = (shares * others).sum(axis=-1)
        # Both of a pair are moved alike: ∂ = 2 Σ_g ∂p_g · δ(others of g) / pairs, p_g = n_g / N_g.
        drawn = np.maximum(self._at.labels[OWN][0].sum(axis=-1), 1)
        moved = self._along.sum_over(OWN, (others - mean[:, None]) / drawn[:, None])
        return Dual(float(mean.sum()) / pairs, moved * 2 / pairs)

    def mixed(self) -> Dual:
        """Return how often two labels drawn from all units differ."""
        shares = self._at.share(SHARES)[0]
        # Σ π (1 - π) is moved by 1 - 2π.
        by_category = 1 - 2 * shares
        slope = self._moved(SHARES, by_category, float((shares * by_category).sum()))
        return Dual(float((shares * (1 - shares)).sum()), slope)

    def _moved(self, name: str, by_category: Floats, mean: float) -> Floats:
        """Return how the mean over some labels of a value by category is moved."""
        # A mean m = Σ n_k v_k / N is moved by (Σ v over the new labels - m times their number) / N.
        moved = self._along.sum_over(name, by_category) - mean * self._along.mass(name)
        return moved / float(self._at.mass(name)[0])

    def _drifting(self, mean: Dual, scale: Floats, slope: Slope | None = None) -> Dual:
        """Add what a unit moves through the distances.

        `slope` is the derivative of the mean by each distance: how often two labels meet on a unit, as a
        share of all ratings, where nothing else is said.
        """
        if self._by_labels is None or self._by_labels.distance.drift is None:
            return mean
        profiles, ratings = self._by_labels.kinds, float(self._at.ratings[0])
        slope_of = slope or (lambda row, column: profiles.coincidences.at(row, column) / ratings)
        moved = profiles.drift(self._by_labels.distance.drift(slope_of)) * (float(scale[0]) / profiles.units)
        return Dual(mean.value, mean.slope + moved)


def coefficient(formula: Formula, by_kind: UnitsByKind) -> Estimate:
    """Return a coefficient of units under a distance, with its interval.

    `observed` and `expected` are agreements where categories are names or distances are scaled, but for
    alpha, and disagreements elsewhere. Undefined without units that two annotators rated, or where chance
    gives no disagreement.
    """
    is_nominal = isinstance(by_kind.distance, Nominal)
    units = int(by_kind.total.units[0])
    if units == 0:
        return no_estimate(Undefined.NO_SHARED_UNITS, 0)
    few = formula.of_categories and by_kind.distance.size < 2
    if few or (formula.scaled and by_kind.distance.largest <= 0):
        return no_estimate(_no_chance(formula, by_kind), units)
    observed, expected = (float(np.asarray(disagreement).item()) for disagreement in formula(by_kind.total))
    if not expected > 0:
        return no_estimate(_no_chance(formula, by_kind), units)
    as_agreement = (is_nominal or formula.scaled) and not formula.of_ratings
    shown = (1 - observed, 1 - expected) if as_agreement else (observed, expected)
    influence, weight = _moved(formula, by_kind)
    worst = _worst(formula, by_kind) / expected
    on_a_scale = by_kind.distance.on_a_scale
    # Chance that gives any category, used or not, does not rest on rare labels.
    of_labels = on_a_scale and not formula.any_category
    rarity, chance = rare_labels(by_kind) if of_labels else (None, expected if is_nominal else None)
    return with_interval(
        Estimate(1 - observed / expected, units, *shown),
        influence,
        by_kind.clusters,
        (formula.least(by_kind.distance.size) if is_nominal else -math.inf, 1.0),
        disagreements=int(observed > ROUNDING * expected),
        worst=worst,
        weight=weight,
        of_units=True,
        chance=chance,
        least=1 - worst if formula.any_category or not by_kind.distance.ends_at_lowest else LOWEST,
        on_a_scale=on_a_scale,
        rarity=rarity,
    )


def rare_labels(by_kind: UnitsByKind) -> tuple[Floats | None, float]:
    """Return how rare the labels of a unit of each kind are, 1 on average, and how often two labels differ.

    A label is as rare as the share of all others is large: were labels names, this is what a unit would add
    to the disagreement that chance gives. None where the units that are compared have one label.
    """
    sums = by_kind.sums_of_labels
    name = OWN if OWN in sums else TOTALS
    totals = sums[name].reshape(-1, sums[name].shape[-1]).sum(axis=0)
    others = 1 - totals / float(totals.sum())
    rarity = by_kind.units * by_kind.sum_over(name, np.broadcast_to(others, sums[name].shape))
    mean = float((by_kind.kinds.times * rarity).sum()) / by_kind.clusters.units
    return rarity / mean if mean > 0 else None, float((totals * others).sum()) / float(totals.sum())


def _moved(formula: Formula, by_kind: UnitsByKind) -> tuple[Floats, Floats]:
    """Return how a unit of each kind moves a coefficient, and what it adds to its divisor (kinds,).

    Both times the number of units, so that their means over units are 0 and 1. The divisor is expected
    disagreement times what observed disagreement is a share of; distances that come from the annotations are
    taken as given there.
    """
    units, along = by_kind.clusters.units, MovedSums(by_kind)
    observed, expected = formula(along)
    figure = 1.0 - observed / expected
    if isinstance(by_kind, UnitsByLabels) and by_kind.distance.drift is not None:
        drifting = formula(MovedSums(by_kind, drifting=True))
        figure = 1.0 - drifting[0] / drifting[1]
    divisor = (along.ratings if formula.of_ratings else along.units) * expected
    return units * figure.slope, units * divisor.slope / divisor.value


def _no_chance(formula: Formula, by_kind: UnitsByKind) -> Undefined:
    """Return why chance gives no disagreement."""
    if by_kind.distance.size < 2 and formula.of_categories:
        return Undefined.ONE_CATEGORY
    used = _used(by_kind, SHARES if formula.of_categories else TOTALS)
    return (
        Undefined.NO_EXPECTED_DISAGREEMENT
        if np.count_nonzero(used) == 1
        else Undefined.NO_POSSIBLE_DISAGREEMENT
    )


def _used(by_kind: UnitsByKind, name: str) -> Floats:
    """Return how often each category is among some labels, or where annotators are known, among all."""
    labels = by_kind.total.labels
    totals: Floats = labels[OWN][0].sum(axis=0) if OWN in labels else labels[name][0]
    return totals


def _worst(formula: Formula, by_kind: UnitsByKind) -> float:
    """Return the largest observed disagreement that there could be, between categories that chance gives."""
    if formula.scaled:
        return 1.0
    return by_kind.distance.farthest(_used(by_kind, SHARES) > (-1 if formula.any_category else 0))


def observed_agreement(profiles: LabelPatterns) -> Estimate:
    """Return the mean over units of the agreeing share of pairs of annotators (Fleiss 1971)."""
    return _mean_of_units(profiles, 1 - profiles.mean_distance(nominal(profiles.categories)))


def unanimous(profiles: LabelPatterns) -> Estimate:
    """Return the share of units, of those that at least two rated, on which all ratings are the same."""
    return _mean_of_units(profiles, profiles.unanimous.astype(np.float64))


def _mean_of_units(profiles: LabelPatterns, agreeing: Floats) -> Estimate:
    """Return the mean of what each kind of unit agrees; where they always agree it has an exact bound."""
    if profiles.units == 0:
        return no_estimate(Undefined.NO_SHARED_UNITS, 0)
    value = float((agreeing * profiles.times).sum()) / profiles.units
    estimate = Estimate(value, profiles.units)
    if 1 - value < ROUNDING:
        return with_exact_bound(estimate, profiles.clusters)
    return with_interval(estimate, agreeing - value, profiles.clusters, (0.0, 1.0), disagreements=1)


def specific_agreement(profiles: LabelPatterns, category: int) -> Estimate:
    """Return how often another annotator gives a category too, given that one did.

    Σ n(n - 1) / Σ n(r - 1) over units, n of a unit's r ratings being the category (GATE user guide, 10.2); of
    two annotators 2a / (2a + b + c) (Fort, François and Ghribi 2010, diagonal of table 5).
    """
    used = (profiles.labels == category).sum(axis=1)
    none = Undefined.NOT_USED if profiles.units else Undefined.NO_SHARED_UNITS
    return share_of_sums(profiles, used * (used - 1), used * (profiles.ratings - 1), none)


def share_of_sums(profiles: LabelPatterns, part: Codes, whole: Codes, none: Undefined) -> Estimate:
    """Return Σ part / Σ whole over units, given what each kind adds to both; undefined without a whole."""
    total, agreeing = (int((counts * profiles.times).sum()) for counts in (whole, part))
    if total == 0:
        return no_estimate(none, profiles.units)
    # A ratio of sums a / b is moved by (∂a - a / b · ∂b) / b, here times all units.
    value, scale = agreeing / total, profiles.units / total
    return with_interval(
        Estimate(value, profiles.units),
        (part - value * whole) * scale,
        profiles.clusters,
        (0.0, 1.0),
        disagreements=total - agreeing,
        weight=whole.astype(np.float64) * scale,
        of_units=True,
    )


# Coefficients of single documents, all at once.

# Documents times categories that are added up together.
BLOCK = 4_000_000


def by_document(
    formula: Formula, by_labels: UnitsByLabels, many: int, *, ranks: bool = False
) -> tuple[Floats, Floats]:
    """Return a coefficient of each document (documents,), NaN where it is undefined, and its units.

    In the profiles documents are places from 0. Under the ordinal distance of each document's own `ranks`
    the distance of `by_labels` plays no part.
    """
    blocks = [_on_ranks(*block) if ranks else _rows_of(*block) for block in _blocks(by_labels, many)]
    values = np.concatenate([np.zeros(0), *(formulas.values_of(formula, rows) for rows in blocks)])
    return values, np.concatenate([np.zeros(0), *(rows.units for rows in blocks)])


def _blocks(by_labels: UnitsByLabels, many: int) -> Iterator[tuple[UnitsByLabels, int]]:
    """Yield the units of some documents at a time, numbered from 0, and how many documents these are."""
    step = max(1, BLOCK // max(by_labels.distance.size, 1))
    if many <= step:
        yield by_labels, many
        return
    profiles = by_labels.kinds
    for start in range(0, many, step):
        size = min(step, many - start)
        here = (profiles.document >= start) & (profiles.document < start + size)
        document, kind, n = (column[here] for column in (profiles.document, profiles.profile, profiles.n))
        block = replace(profiles, document=document - start, profile=kind, n=n)
        yield UnitsByLabels(block, by_labels.distance), size


def _rows_of(by_labels: UnitsByLabels, many: int) -> formulas.VectorizedSums:
    """Return the sums of each document (documents,)."""
    of_kinds = (by_labels.units, by_labels.ratings, by_labels.apart, by_labels.met)
    units, ratings, apart, met = (
        _added(by_labels, values[by_labels.kinds.profile], many) for values in of_kinds
    )
    labels = {name: _labels_by(by_labels, name, many) for name in names_of(by_labels.kinds)}
    return formulas.VectorizedSums(by_labels.distance, units, ratings, apart, met, labels)


def _added(by_labels: UnitsByLabels, values: Floats, many: int) -> Floats:
    """Return the sums by document of a value of one unit of each entry of the counts."""
    sums = np.bincount(by_labels.kinds.document, weights=by_labels.kinds.n * values, minlength=many)
    return sums.astype(np.float64, copy=False)


def _labels_by(by_labels: UnitsByLabels, name: str, many: int) -> Floats:
    profiles, (labels, weight) = by_labels.kinds, labels_added(by_labels.kinds, name)
    size = profiles.categories
    row, column = np.nonzero(labels[profiles.profile] != NO_CATEGORY)
    kind = profiles.profile[row]
    cell: Codes = profiles.document[row] * size + labels[kind, column]
    counts = np.bincount(cell, weights=profiles.n[row] * weight[kind], minlength=many * size)
    return counts.astype(np.float64, copy=False).reshape(many, size)


def _on_ranks(by_labels: UnitsByLabels, many: int) -> formulas.OrdinalRows:
    """Return the sums of each document under the ordinal distance of its own ranks (documents,).

    Σ over pairs of ratings of (ρ - ρ')² is r Σ ρ² - (Σ ρ)² of a unit's r ratings.
    """
    plain, profiles = _rows_of(by_labels, many), by_labels.kinds
    labels = profiles.labels[profiles.profile]
    ranks = formulas.mean_ranks(plain.labels[TOTALS])[profiles.document[:, None], labels]
    of_rating = np.where(labels != NO_CATEGORY, ranks, 0.0)
    ratings = profiles.ratings[profiles.profile]
    # Σ_{i<j} (ρ_i - ρ_j)² = r Σ ρ² - (Σ ρ)².
    spread = ratings * (of_rating * of_rating).sum(axis=1) - of_rating.sum(axis=1) ** 2
    met = _added(by_labels, 2 * np.maximum(spread, 0.0) / np.maximum(ratings - 1, 1), many)
    return formulas.OrdinalRows(plain.distance, plain.units, plain.ratings, met, met, plain.labels)


def _corrected(  # noqa: PLR0913, PLR0917 - what an interval comes from
    observed: Dual,
    expected: Dual,
    units: UnitRatings | LabelPatterns,
    largest: float,
    distance: CategoryDistance | None = None,
    drift: Floats | float = 0.0,
) -> Estimate:
    """Return 1 - observed / expected disagreement with its interval; slopes are by kind of unit.

    `largest` is the largest distance that a disagreement may have: between categories in use where chance
    comes from them, else between any. `distance` is what weighs disagreements, None where all are alike, and
    `drift` what a unit moves the figure through it.
    """
    kappa = 1.0 - observed / expected
    worst = largest / expected.value
    rarity, chance = None, expected.value if distance is None or isinstance(distance, Nominal) else None
    if distance is not None and distance.on_a_scale and isinstance(units, UnitRatings):
        rarity, chance = rare_labels(UnitsByAnnotators(units, distance))
    return with_interval(
        Estimate(kappa.value, units.units, observed.value, expected.value),
        kappa.slope + drift,
        units.clusters,
        (LOWEST if distance is None else -math.inf, 1.0),
        disagreements=units.disagreements if observed.value > 0 else 0,
        worst=worst,
        weight=1 + expected.slope / expected.value,
        of_units=True,
        chance=chance,
        least=LOWEST if distance is None or distance.ends_at_lowest else 1 - worst,
        on_a_scale=distance is not None and distance.on_a_scale,
        rarity=rarity,
    )


def as_agreements(estimate: Estimate) -> Estimate:
    """Return a figure with observed and expected agreements in place of disagreements."""
    if estimate.observed is None or estimate.expected is None:
        return estimate
    return replace(estimate, observed=1 - estimate.observed, expected=1 - estimate.expected)


# Pairs of annotators times categories that are looked at together.
# Of more categories the same shares are looked for, among so many numbers.
FEW_CATEGORIES, MOST_KNOWN = 100, 20_000_000


def weighted_kappa(rated: UnitRatings, distance: CategoryDistance) -> Estimate:
    """Return 1 - mean D_o / mean D_e over the pairs of annotators that share a unit (Conger 1980).

    `rated` are the units with at least two ratings.
    """
    pairs = rated.tables
    if pairs.pairs == 0:
        return no_estimate(Undefined.NO_SHARED_UNITS, 0)
    of_pairs, chance = pairs.mean_distance(distance), ByChance(pairs, distance)
    expected = float(chance.expected.sum()) / pairs.pairs
    if expected <= 0:
        return no_estimate(_no_chance_in_pairs(rated, distance), rated.units)
    # A unit moves a pair's mean by (δ - D) / n, the mean over pairs by that / pairs; here times all units.
    scale = rated.units / (pairs.units * pairs.pairs)
    apart = distance.at(pairs.first, pairs.second)
    observed = Dual(float(of_pairs.sum()) / pairs.pairs, _by_unit(rated, scale, apart - of_pairs[pairs.pair]))
    by_chance = Dual(expected, _by_unit(rated, scale, chance.moved))
    far = distance.farthest(rated.labels_by_annotator.sum(axis=0) > 0)
    if distance.drift is None:
        return _corrected(observed, by_chance, rated, far, distance)
    shares = pairs.weight / pairs.units[pairs.pair] / pairs.pairs
    quotient = observed.value / expected
    joint_shares = sum_cells(pairs.categories, [(pairs.first, pairs.second, shares)])

    def slope(one: Codes, other: Codes) -> Floats:
        return (quotient * _mean_by_chance(pairs, one, other) - joint_shares.at(one, other)) / expected

    drift = _drifted(rated, distance.drift(slope))
    return _corrected(observed, by_chance, rated, far, distance, drift)


def _no_chance_in_pairs(rated: UnitRatings, distance: CategoryDistance) -> Undefined:
    """Return why chance gives no disagreement."""
    if distance.size < 2:
        return Undefined.ONE_CATEGORY
    single_category = np.count_nonzero(rated.labels_by_annotator.sum(axis=0)) == 1
    return Undefined.NO_EXPECTED_DISAGREEMENT if single_category else Undefined.NO_POSSIBLE_DISAGREEMENT


def _drifted(rated: UnitRatings, drift: DistanceInfluence) -> Floats:
    """Return what each unit moves through distances that come from the annotations of these units."""
    moved = rated.sum_by_unit(drift.by_rating[rated.label])
    if drift.by_pair is None:
        return moved
    by_pairs = rated.sum_over_tables(drift.by_pair.at(rated.tables.first, rated.tables.second))
    return moved + by_pairs / np.maximum(rated.ratings - 1, 1)


def light_kappa(rated: UnitRatings) -> Estimate:
    """Return the mean of the pairs' Cohen kappas (Light 1971).

    Pairs whose kappa is undefined, among them those with one unit alone, are left out.
    """
    pairs = rated.tables
    if pairs.pairs == 0:
        return no_estimate(Undefined.NO_SHARED_UNITS, 0)
    defined = pairs.differ & (pairs.units > 1)
    many = int(defined.sum())
    if many == 0:
        differ = bool(pairs.differ.any())
        none = Undefined.NO_PAIR_DEFINED if differ else Undefined.NO_EXPECTED_DISAGREEMENT
        return no_estimate(none, rated.units)
    here, observed = pairs.pair, pairs.apart / pairs.units
    expected = pairs.expected_by_chance
    safe = np.where(defined, expected, 1.0)
    quotient, units = observed / safe, pairs.units[pairs.pair]
    # A unit with labels k and l moves 1 - D_o / D_e of its pair by (D_o / D_e · ∂D_e - ∂D_o) / D_e, with
    # ∂D_o = [k ≠ l] - D_o and ∂D_e = (1 - q_k) + (1 - p_l) - 2 D_e.
    unlike_second = 1 - pairs.count_of(pairs.second, pairs.first) / units
    unlike_first = 1 - pairs.count_of(pairs.first, pairs.second) / units
    of_observed = (pairs.first != pairs.second).astype(np.float64) - observed[here]
    of_expected = unlike_second + unlike_first - 2 * expected[here]
    influence = (quotient[here] * of_expected - of_observed) / safe[here]
    scale = np.where(defined, rated.units / (pairs.units * many), 0.0)
    value = float((1 - quotient)[defined].sum()) / many
    mean_observed, mean_expected = (float(values[defined].sum()) / many for values in (observed, expected))
    return with_interval(
        Estimate(value, rated.units, mean_observed, mean_expected),
        _by_unit(rated, scale, influence),
        rated.clusters,
        (LOWEST, 1.0),
        disagreements=rated.disagreements if mean_observed > 0 else 0,
        # Where all disagree, the mean of 1 / expected is lost, more than 1 / mean.
        worst=float((1 / safe)[defined].sum()) / many,
        of_units=True,
        chance=mean_expected,
    )


class ByChance:
    """What chance gives to each pair of annotators under a distance.

    `expected` (pairs,) is the expected disagreement, `moved` (cells,) that of two ratings of a
    unit in each cell on their pair's.
    """

    def __init__(self, pairs: PairTables, distance: CategoryDistance) -> None:
        """Compute all from each annotator's own shares, some pairs at a time."""
        size = pairs.categories
        self.expected = np.zeros(pairs.pairs)
        self.moved = np.zeros(len(pairs.pair))
        toward = distance.toward if size <= FEW_CATEGORIES else _TowardAll(distance)
        for block, cells in pairs.blocks(max(1, BLOCK // max(size, 1))):
            rows, columns = block.shares(block.first), block.shares(block.second)
            toward_columns, toward_rows = toward(columns), toward(rows)
            expected = (rows * toward_columns).sum(axis=1)
            here = block.pair
            # D_e = Σ p_k q_l δ_kl is moved by (δ q)_k + (δ p)_l - 2 D_e by a unit with labels k and l.
            moved = toward_columns[here, block.first] + toward_rows[here, block.second]
            self.moved[cells] = moved - 2 * expected[here]
            self.expected[block.numbers] = expected


class _TowardAll:
    """The sums of each category's distances from all, weighted, each row of weights computed once.

    Where annotators rated the same units, an annotator's shares are the same in every pair; of thousands of
    numbers each row takes millions of products.
    """

    def __init__(self, distance: CategoryDistance) -> None:
        self._distance = distance
        self._known: dict[bytes, int] = {}
        self._sums: list[Floats] = []

    def __call__(self, weights: Floats) -> Floats:
        """Return the sums (rows, categories) of rows of weights (rows, categories)."""
        if len(self._sums) * weights.shape[1] > MOST_KNOWN:
            self._known, self._sums = {}, []
        places = [self._known.setdefault(row.tobytes(), len(self._known)) for row in weights]
        new = {place: row for place, row in zip(places, weights, strict=True) if place >= len(self._sums)}
        self._sums += [self._distance.toward(new[place]) for place in sorted(new)]
        return np.array([self._sums[place] for place in places])


def _mean_by_chance(pairs: PairTables, one: Codes, other: Codes) -> Floats:
    """Return the mean over pairs of annotators of the probability of some labels, each with another."""
    sums = np.zeros(len(one))
    for block, _ in pairs.blocks(max(1, BLOCK // max(pairs.categories, len(one), 1))):
        rows, columns = block.shares(block.first), block.shares(block.second)
        sums += (rows[:, one] * columns[:, other]).sum(axis=0)
    return sums / max(pairs.pairs, 1)


def _by_unit(rated: UnitRatings, scale: Floats, values: Floats) -> Floats:
    """Return for each unit the sum over its pairs of ratings of a value, scaled by the pair of annotators."""
    return rated.sum_over_tables(values * scale[rated.tables.pair])


# Each annotator against what most others say, and agreement of all at once.


@dataclass(frozen=True, eq=False)
class AgainstMajority:
    """Ratings compared with a majority: which are compared (ratings,), and which of these agree with it."""

    compared: Mask
    agrees: Mask


def against_others(rated: UnitRatings) -> AgainstMajority:
    """Return each rating against the commonest label of the unit's other ratings (GATE user guide, 10.1.2).

    Where the others have no label, or several equally common ones, there is nothing to compare.
    """
    unit, _, times, position = rated.cells
    most = np.zeros(len(rated.weight), dtype=np.int64)
    np.maximum.at(most, unit, times)
    # How many labels are as common on a rating's unit as the commonest, and how many occur just once less.
    leaders, runners = (
        np.bincount(unit[times == most[unit] - behind], minlength=len(most))[rated.unit] for behind in (0, 1)
    )
    commonest = most[rated.unit]
    leads, alone = times[position] == commonest, leaders == 1
    # Without its own rating the leading label may be caught up with by those one behind.
    agrees = leads & alone & (runners == 0) & (commonest > 1)
    rivals = np.where(leads, leaders - 1, leaders)
    differs = ~(leads & alone) & (rivals == 1)
    return AgainstMajority(agrees | differs, agrees)


def share(rated: UnitRatings, against: AgainstMajority, of: Mask | None = None) -> Estimate:
    """Return the share of compared ratings that agree with the majority; `of` are the ratings that count.

    A ratio of sums over units; its interval is clustered as that of any figure.
    """
    compared = against.compared if of is None else against.compared & of
    times = rated.weight[rated.unit]
    tries, hits = (int(times[mask].sum()) for mask in (compared, compared & against.agrees))
    if tries == 0:
        return no_estimate(Undefined.NO_MAJORITY, 0)
    value = hits / tries
    # hits / tries is moved by (∂hits - hits / tries · ∂tries) / tries.
    moved = np.where(compared, against.agrees - value, 0.0)
    here = np.zeros(len(rated.weight), dtype=np.bool_)
    here[rated.unit[compared]] = True
    units = int(rated.weight[here].sum())
    influence = rated.sum_by_unit(moved)[here] * (units / tries)
    estimate = Estimate(value, units, recomputable=False)
    clusters = rated.clusters_of(here)
    if hits == tries:
        return with_exact_bound(estimate, clusters)
    return with_interval(estimate, influence, clusters, (0.0, 1.0), disagreements=tries - hits)


def each_against_majority(rated: UnitRatings, against: AgainstMajority) -> tuple[Estimate, ...]:
    """Return for each annotator how often they say what most of the others say."""
    return tuple(share(rated, against, rated.annotator == code) for code in range(len(rated.annotators)))


def siegel_castellan(profiles: LabelPatterns, annotators: int) -> Estimate:
    """Return GATE's all-way kappa: (A_o - A_e) / (1 - A_e) over the units that all annotators rated.

    A_o is the share of units on which all agree, A_e = Σ p_k^J with J annotators and pooled shares p. Of two
    annotators it is Scott's pi; of more, neither Siegel and Castellan (1988) nor Fleiss (1971), whose
    agreement is that of pairs. `profiles` are those units alone.
    """
    if profiles.units == 0:
        return no_estimate(Undefined.NOT_RATED_BY_ALL, 0)
    if np.count_nonzero(profiles.totals) == 1:
        return no_estimate(Undefined.NO_EXPECTED_DISAGREEMENT, profiles.units)
    shares = profiles.totals / int(profiles.totals.sum())
    others = np.array([float(share) ** (annotators - 1) for share in shares.tolist()])
    agreeing = float((others * shares).sum())
    observed = profiles.disagreements / profiles.units
    # Σ p_k^J is moved by Σ J p_k^(J-1) / J over a unit's J labels k, less J times itself.
    moved = profiles.sum_over_ratings(others) - annotators * agreeing
    of_observed = Dual(observed, 1 - profiles.unanimous.astype(np.float64) - observed)
    return _corrected(of_observed, Dual(1 - agreeing, -moved), profiles, 1.0)
