"""Explicit and implicit agreement on sets of categories, and the kappa derived from each.

The measures of the project Interlingual Annotation for Machine Translation (IAMTC). On a unit two annotators
agree explicitly by 2|A ∩ B| / (|A| + |B|), units to which neither gave a category being left out, and
implicitly by the share of all categories that both or neither gave. Over units it is their mean, over
annotators the mean over pairs. By chance each annotator's own sets are paired at random; kappa is
(A - E) / (1 - E).
"""

import math

import numpy as np

from reportgen.measures.distances import CategoryDistance, table_of
from reportgen.measures.estimate import (
    Estimate,
    Floats,
    Undefined,
    no_estimate,
    with_exact_bound,
    with_interval,
)
from reportgen.measures.formulas import Dual
from reportgen.measures.over_pairs import ByChance
from reportgen.measures.ratings_by_unit import PairTables
from reportgen.measures.sets import inventory
from reportgen.measures.unit_set_data import Units
from reportgen.units import Mask

Figures = dict[str, Estimate]


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


def _figure(kind: str, name: str, units: Units) -> Figures:
    if units.setting.sets is None:
        return {}
    return {f"{kind}_{name}": units.once(kind, lambda: _figures(kind, units))[name]}


def _figures(kind: str, units: Units) -> Figures:
    """Return agreement and kappa, both undefined where there is nothing to compare.

    Where nobody gave a category, implicit agreement would be perfect about nothing: it is undefined too.
    """
    tables, sets = units.tables, table_of(units.setting.sets or ())
    if tables.pairs == 0:
        return _undefined(units.nothing, 0)
    nothing = sets.blank[tables.first] & sets.blank[tables.second]
    if nothing.all():
        return _undefined(Undefined.EMPTY_SETS, units.among(nothing)[0])
    if kind == "explicit":
        return _agreement_and_kappa(units, sets.dice, sets.blank)
    apart = CategoryDistance(kind, sets.apart / inventory(units.setting))
    return _agreement_and_kappa(units, apart, np.zeros_like(sets.blank))


def _undefined(reason: Undefined, units: int) -> Figures:
    return dict.fromkeys(("agreement", "kappa"), no_estimate(reason, units))


def _agreement_and_kappa(units: Units, distance: CategoryDistance, blank: Mask) -> Figures:
    """Return 1 - mean D_o, and 1 - mean D_o / mean D_e, which is (A - E) / (1 - E): means over pairs.

    `blank` (categories,) tells which sets are left out where both annotators gave one.
    """
    counted = ~(blank[units.tables.first] & blank[units.tables.second])
    compared, clusters = units.among(counted)
    observed, expected = _disagreements(units, distance, blank, counted)
    agreement = Estimate(1 - observed.value, compared)
    if observed.value == 0:
        agreement = with_exact_bound(agreement, clusters)
    else:
        agreement = with_interval(agreement, -observed.slope, clusters, (0.0, 1.0), disagreements=compared)
    if expected.value <= 0:
        none = no_estimate(Undefined.NO_EXPECTED_DISAGREEMENT, compared)
        return {"agreement": agreement, "kappa": none}
    found = 1.0 - observed / expected
    kappa = with_interval(
        Estimate(found.value, compared, 1 - observed.value, 1 - expected.value),
        found.slope,
        clusters,
        (-math.inf, 1.0),
        disagreements=compared if observed.value > 0 else 0,
        worst=float(distance.matrix.max(initial=0.0)) / expected.value,
    )
    return {"agreement": agreement, "kappa": kappa}


def _disagreements(units: Units, distance: CategoryDistance, blank: Mask, counted: Mask) -> tuple[Dual, Dual]:
    """Return observed and expected disagreement, means over pairs, and how each kind of unit moves them."""
    tables = units.tables
    pair, apart = tables.pair, distance.at(tables.first, tables.second)
    compared = np.bincount(pair, tables.weight * counted, minlength=tables.pairs)
    defined, many = compared > 0, np.maximum(compared, 1)
    left, left_moved = _left_out(tables, blank)
    kept = np.where(defined, 1 - left, 1.0)
    chance = ByChance(tables, distance)
    # D_o = Σ δ / n over a pair's units that are counted; D_e = E[δ] / (1 - P(both are blank)) at random.
    observed = np.bincount(pair, tables.weight * apart, minlength=tables.pairs) / many
    expected = chance.expected / kept
    pairs = int(defined.sum())
    scale = np.where(defined, units.clusters.units / pairs, 0.0)
    of_observed = (scale / many)[pair] * counted * (apart - observed[pair])
    of_expected = (scale / (tables.units * kept))[pair] * (chance.moved + expected[pair] * left_moved)
    return (
        Dual(float(observed[defined].sum()) / pairs, units.by_kind(of_observed)),
        Dual(float(expected[defined].sum()) / pairs, units.by_kind(of_expected)),
    )


def _left_out(tables: PairTables, blank: Mask) -> tuple[Floats, Floats]:
    """Return how often two sets paired at random are both blank (pairs,), and what a unit moves of it."""
    first, second = (
        np.bincount(tables.pair, tables.weight * blank[label], minlength=tables.pairs) / tables.units
        for label in (tables.first, tables.second)
    )
    both, here = first * second, tables.pair
    moved: Floats = second[here] * blank[tables.first] + first[here] * blank[tables.second] - 2 * both[here]
    return both, moved
