"""A coefficient of units as a figure: its value from their sums, its interval from how a unit moves it."""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.measures import formulas
from reportgen.measures.distances import CategoryDistance, Nominal, Slope, nominal
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
from reportgen.measures.profiles import Profiles
from reportgen.measures.ratings_by_unit import UnitRatings
from reportgen.readers import Codes
from reportgen.units import NO_CATEGORY
from reportgen.units.coded import sums_by

# What one unit adds to each sum, by kind of unit, and the sums of all.


@dataclass(frozen=True, eq=False)
class UnitsByKind(ABC):
    """Units by kind, and what one of each kind adds to every sum under a distance (kinds,)."""

    kinds: Profiles | UnitRatings
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

    kinds: Profiles

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
        return self.sum_over(name, np.ones((self.kinds.annotators, self.kinds.categories)))

    def sum_over(self, name: str, by_category: Floats) -> Floats:  # noqa: ARG002 - there is OWN alone
        """Return the sum over its labels of a value by annotator and category."""
        return self.kinds.sum_by_unit(by_category[self.kinds.annotator, self.kinds.label])

    @property
    def sums_of_labels(self) -> Mapping[str, Floats]:
        """Return how often each annotator gave each category (annotators, categories)."""
        return {OWN: self.kinds.labels_by_annotator.astype(np.float64)}


def labels_added(profiles: Profiles, name: str) -> tuple[Codes, Floats]:
    """Return some labels of each kind of unit (kinds, labels), and what each adds to its category."""
    labels = profiles.labels
    if name == TOTALS:
        return labels, (profiles.ratings >= 2).astype(np.float64)
    if name == SHARES:
        return labels, 1 / profiles.ratings
    column = (FIRST, SECOND).index(name)
    return labels[:, column : column + 1], np.ones(len(labels))


def names_of(profiles: Profiles) -> tuple[str, ...]:
    """Return which labels are summed."""
    return (TOTALS, SHARES, FIRST, SECOND) if profiles.labels.shape[1] == 2 else (TOTALS, SHARES)


@lru_cache(maxsize=4)
def _sums_of_labels(profiles: Profiles) -> Mapping[str, Floats]:
    """Return how often each category is among some labels: the same under every distance."""
    return {name: _sum_of(profiles, *labels_added(profiles, name)) for name in names_of(profiles)}


def _sum_of(profiles: Profiles, labels: Codes, weight: Floats) -> Floats:
    sums, (kind, column) = np.zeros(profiles.categories), np.nonzero(labels != NO_CATEGORY)
    # Whole numbers as far as they go: the units of one weight together.
    for unit_weight in sorted(set(weight.tolist())):
        times = np.where(weight == unit_weight, profiles.times, 0)
        sums += sums_by(labels[kind, column], times[kind], len(sums)) * unit_weight
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


def observed_agreement(profiles: Profiles) -> Estimate:
    """Return the mean over units of the agreeing share of pairs of annotators (Fleiss 1971)."""
    return _mean_of_units(profiles, 1 - profiles.mean_distance(nominal(profiles.categories)))


def unanimous(profiles: Profiles) -> Estimate:
    """Return the share of units, of those that at least two rated, on which all ratings are the same."""
    return _mean_of_units(profiles, profiles.unanimous.astype(np.float64))


def _mean_of_units(profiles: Profiles, agreeing: Floats) -> Estimate:
    """Return the mean of what each kind of unit agrees; where they always agree it has an exact bound."""
    if profiles.units == 0:
        return no_estimate(Undefined.NO_SHARED_UNITS, 0)
    value = float((agreeing * profiles.times).sum()) / profiles.units
    estimate = Estimate(value, profiles.units)
    if 1 - value < ROUNDING:
        return with_exact_bound(estimate, profiles.clusters)
    return with_interval(estimate, agreeing - value, profiles.clusters, (0.0, 1.0), disagreements=1)


def specific_agreement(profiles: Profiles, category: int) -> Estimate:
    """Return how often another annotator gives a category too, given that one did.

    Σ n(n - 1) / Σ n(r - 1) over units, n of a unit's r ratings being the category (GATE user guide, 10.2); of
    two annotators 2a / (2a + b + c) (Fort, François and Ghribi 2010, diagonal of table 5).
    """
    used = (profiles.labels == category).sum(axis=1)
    none = Undefined.NOT_USED if profiles.units else Undefined.NO_SHARED_UNITS
    return share_of_sums(profiles, used * (used - 1), used * (profiles.ratings - 1), none)


def share_of_sums(profiles: Profiles, part: Codes, whole: Codes, none: Undefined) -> Estimate:
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
