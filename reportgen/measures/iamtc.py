"""Explicit and implicit agreement on sets of categories, and the kappa derived from each.

The measures of the project Interlingual Annotation for Machine Translation (IAMTC). On a unit two annotators
agree explicitly by 2|A ∩ B| / (|A| + |B|), units to which neither gave a category being left out, and
implicitly by the share of all categories that both or neither gave. Over units it is their mean, over
annotators the mean over pairs. By chance each annotator's own sets are paired at random; kappa is
(A - E) / (1 - E).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from reportgen.measures.distances import table_of
from reportgen.measures.estimate import (
    Clusters,
    Estimate,
    Floats,
    Undefined,
    no_estimate,
    with_exact_bound,
    with_interval,
)
from reportgen.measures.ratings_by_unit import UnitPairs
from reportgen.measures.sets import inventory
from reportgen.measures.setting import Setting
from reportgen.measures.unit_set_data import Meetings, Units
from reportgen.readers import Codes
from reportgen.units import Mask

# What annotators' own labels give when they are paired at random, for many pairs of annotators at once.

# Two labels that are looked at together.
BLOCK = 4_000_000


@dataclass(frozen=True, eq=False)
class _SideLabels:
    """The labels that one side of each pair of annotators used, sorted by pair.

    `pair`, `label`, `share` (labels,): which label has which share of the units of which pair; `place`
    (meetings,) is where each meeting's own label stands.
    """

    pair: Codes
    label: Codes
    share: Floats
    place: Codes


class AtRandom:
    """A mean over all pairings of one annotator's labels with the other's, for each pair of annotators.

    `expected` (pairs,) is the mean, `moved` (meetings,) how a unit with these two labels moves it through
    both annotators' distributions; its mean over the units of a pair is zero.
    """

    def __init__(self, met: UnitPairs, values: Floats) -> None:
        """Pair labels at random; `values` (categories, categories) is what each two of them give."""
        one, other = _labels(met, met.first), _labels(met, met.second)
        by_one, by_other = _toward(one, other, values, met.pairs)
        self.expected: Floats = np.zeros(met.pairs)
        np.add.at(self.expected, one.pair, one.share * by_one)
        self.moved: Floats = by_one[one.place] + by_other[other.place] - 2 * self.expected[met.pair]


def _labels(met: UnitPairs, label: Codes) -> _SideLabels:
    keys, place = np.unique(met.pair * met.categories + label, return_inverse=True)
    n = np.zeros(len(keys), dtype=np.int64)
    np.add.at(n, place.reshape(-1), met.weight)
    pair = keys // max(met.categories, 1)
    return _SideLabels(pair, keys % max(met.categories, 1), n / met.units[pair], place.reshape(-1))


def _toward(one: _SideLabels, other: _SideLabels, values: Floats, pairs: int) -> tuple[Floats, Floats]:
    """Return for each label of either side the mean of its values with the other side's labels."""
    by_one, by_other = np.zeros(len(one.pair)), np.zeros(len(other.pair))
    for mine, theirs in _crossed(one.pair, other.pair, pairs):
        value = values[one.label[mine], other.label[theirs]]
        by_one += np.bincount(mine, other.share[theirs] * value, minlength=len(by_one))
        by_other += np.bincount(theirs, one.share[mine] * value, minlength=len(by_other))
    return by_one, by_other


def _crossed(one: Codes, other: Codes, pairs: int) -> Iterator[tuple[Codes, Codes]]:
    """Yield the places of every two labels of a pair, some pairs of annotators at a time."""
    many = np.bincount(other, minlength=pairs)
    start = np.cumsum(many) - many
    times = many[one]
    block = (np.cumsum(times) - 1) // BLOCK
    for first, last in _runs(block):
        here = np.arange(first, last)
        mine = np.repeat(here, times[here])
        offset = np.arange(len(mine)) - np.repeat(np.cumsum(times[here]) - times[here], times[here])
        yield mine, start[one[mine]] + offset


def _runs(block: Codes) -> Iterator[tuple[int, int]]:
    """Yield where each run of equal numbers begins and ends."""
    starts = np.flatnonzero(np.diff(block, prepend=-1)).tolist()
    yield from zip(starts, [*starts[1:], len(block)], strict=True)


# Explicit and implicit agreement on sets of categories, and the kappa derived from each.
#
# The measures of the project Interlingual Annotation for Machine Translation (IAMTC). On a unit two
# annotators agree explicitly by 2|A ∩ B| / (|A| + |B|), units to which neither gave a category being left
# out, and implicitly by the share of all categories that both or neither gave. Over units it is their mean,
# over annotators the mean over pairs. By chance each annotator's own sets are paired at random; kappa is (A -
# E) / (1 - E).


def explicit_agreement(units: Units) -> dict[str, Estimate]:
    """Return explicit agreement, over several annotators the mean over pairs; nothing without sets."""
    return _figure("explicit", "agreement", units)


def explicit_kappa(units: Units) -> dict[str, Estimate]:
    """Return the kappa of explicit agreement."""
    return _figure("explicit", "kappa", units)


def implicit_agreement(units: Units) -> dict[str, Estimate]:
    """Return implicit agreement, over several annotators the mean over pairs."""
    return _figure("implicit", "agreement", units)


def implicit_kappa(units: Units) -> dict[str, Estimate]:
    """Return the kappa of implicit agreement."""
    return _figure("implicit", "kappa", units)


def _figure(kind: str, name: str, units: Units) -> dict[str, Estimate]:
    if units.setting.sets is None:
        return {}
    compared = units.once(kind, lambda: _compared(kind, units.meetings, units.setting))
    figure = compared if isinstance(compared, Estimate) else getattr(compared, name)
    return {f"{kind}_{name}": figure}


def _compared(kind: str, found: Meetings, setting: Setting) -> "_LabelDistances | Estimate":
    """Return what is compared, or an undefined figure where there is nothing to compare.

    Where nobody gave a category, implicit agreement would be perfect about nothing: it is undefined too.
    """
    if found.met.pairs == 0:
        return no_estimate(found.apart, 0)
    sets = table_of(setting.sets or ())
    blank = sets.blank[found.met.first] & sets.blank[found.met.second]
    if blank.all():
        return no_estimate(Undefined.EMPTY_SETS, found.units(~blank | blank))
    if kind == "explicit":
        return _LabelDistances(found, sets.dice.matrix, sets.blank, ~blank)
    whole = np.ones_like(blank)
    return _LabelDistances(found, sets.apart / inventory(setting), np.zeros_like(sets.blank), whole)


@dataclass(frozen=True, eq=False)
class _LabelDistances:
    """Two labels of a unit at a time, and how far apart they are.

    `distance` (categories, categories) is one minus the agreement of two sets; `blank` (categories,) tells
    which sets are left out where both annotators gave one, `counted` (meetings,) what is not left out.
    """

    found: Meetings
    distance: Floats
    blank: Mask
    counted: Mask

    @property
    def agreement(self) -> Estimate:
        """Return the mean over pairs of agreement."""
        estimate = Estimate(1 - self.observed, self._units)
        if self.observed == 0:
            return with_exact_bound(estimate, self._clusters)
        influence = self.found.by_unit(-self._of_observed)
        return with_interval(estimate, influence, self._clusters, (0.0, 1.0), disagreements=self._units)

    @property
    def kappa(self) -> Estimate:
        """Return 1 - mean D_o / mean D_e over pairs, which is (A - E) / (1 - E)."""
        if self.expected <= 0:
            return no_estimate(Undefined.NO_EXPECTED_DISAGREEMENT, self._units)
        quotient = self.observed / self.expected
        estimate = Estimate(1 - quotient, self._units, 1 - self.observed, 1 - self.expected)
        moved = (quotient * self._of_expected - self._of_observed) / self.expected
        seen = self._units if self.observed > 0 else 0
        influence = self.found.by_unit(moved)
        bounds, worst = (-np.inf, 1.0), float(self.distance.max(initial=0.0)) / self.expected
        return with_interval(estimate, influence, self._clusters, bounds, disagreements=seen, worst=worst)

    @cached_property
    def observed(self) -> float:
        """Return the mean over pairs of the observed disagreement."""
        return float(self._observed[self._defined].sum()) / self._pairs

    @cached_property
    def expected(self) -> float:
        """Return the mean over pairs of the disagreement by chance."""
        return float(self._expected[self._defined].sum()) / self._pairs

    @cached_property
    def _compared_units(self) -> Floats:
        """Return how many units of each pair of annotators are not left out (pairs,)."""
        met = self.found.met
        units: Floats = np.zeros(met.pairs)
        np.add.at(units, met.pair, met.weight * self.counted)
        return units

    @property
    def _defined(self) -> Mask:
        defined: Mask = self._compared_units > 0
        return defined

    @property
    def _pairs(self) -> int:
        return int(self._defined.sum())

    @property
    def _units(self) -> int:
        return self.found.units(self.counted)

    @cached_property
    def _clusters(self) -> Clusters:
        return self.found.clusters_of(self.counted)

    @cached_property
    def _apart(self) -> Floats:
        """Return how far apart two labels of a unit are (meetings,)."""
        apart: Floats = self.distance[self.found.met.first, self.found.met.second]
        return apart

    @cached_property
    def _observed(self) -> Floats:
        """Return the mean of those over the units of each pair that are not left out (pairs,)."""
        met = self.found.met
        sums = np.bincount(met.pair, met.weight * self._apart, minlength=met.pairs)
        return sums / np.maximum(self._compared_units, 1)

    @cached_property
    def _chance(self) -> AtRandom:
        return AtRandom(self.found.met, self.distance)

    @cached_property
    def _left_out(self) -> AtRandom:
        """Return how often two labels paired at random are left out."""
        both = self.blank[:, None] & self.blank[None, :]
        return AtRandom(self.found.met, both.astype(np.float64))

    @cached_property
    def _expected(self) -> Floats:
        """Return the mean distance of labels paired at random, of those not left out (pairs,)."""
        counted = np.where(self._defined, 1 - self._left_out.expected, 1.0)
        return self._chance.expected / counted

    @property
    def _scale(self) -> Floats:
        """Return how much a meeting of each pair weighs in the mean over pairs, times its units (pairs,)."""
        units = self.found.clusters.units / self._pairs
        return np.where(self._defined, units, 0.0)

    @property
    def _of_observed(self) -> Floats:
        """Return the influence of each meeting on the mean observed disagreement (meetings,)."""
        pair = self.found.met.pair
        scale = (self._scale / np.maximum(self._compared_units, 1))[pair]
        return scale * self.counted * (self._apart - self._observed[pair])

    @property
    def _of_expected(self) -> Floats:
        """Return the influence of each meeting on the mean disagreement by chance (meetings,).

        It moves both distributions, and through them also how many pairings are left out.
        """
        met = self.found.met
        counted = np.where(self._defined, 1 - self._left_out.expected, 1.0)
        moved = self._chance.moved + self._expected[met.pair] * self._left_out.moved
        return (self._scale / (met.units * counted))[met.pair] * moved
