"""A coefficient of units as a figure: its value from their sums, its interval from how a unit moves it."""

import math

import numpy as np

from reportgen.agreement.algebra.along import Along, AlongUnits
from reportgen.agreement.algebra.formulas import (
    Formula,
    bennett_s,
    conger_kappa,
    fleiss_kappa,
    gwet_ac,
    krippendorff_alpha,
)
from reportgen.agreement.algebra.parts import Parts, Units
from reportgen.agreement.algebra.rows import OWN, SHARES, TOTALS
from reportgen.agreement.distances import nominal
from reportgen.agreement.estimate import (
    Estimate,
    Floats,
    Undefined,
    no_estimate,
    with_exact_bound,
    with_interval,
)
from reportgen.agreement.several.profiles import Profiles

TWO = 2
LOWEST = -1.0
# What takes two categories, declared or used, before anybody labelled anything.
OF_ALL_CATEGORIES = (bennett_s, fleiss_kappa, conger_kappa, gwet_ac)


def coefficient(
    formula: Formula, parts: Units, *, low: float = -math.inf, as_agreement: bool = False
) -> Estimate:
    """Return a coefficient of units under a distance, with its interval.

    `observed` and `expected` are disagreements, or agreements (one minus those) where `as_agreement`. `low`
    is the least that the figure can be. Undefined without units that two annotators rated, or where chance
    gives no disagreement.
    """
    units = int(parts.total.units[0])
    if units == 0:
        return no_estimate(Undefined.NO_SHARED_UNITS, 0)
    few = formula in OF_ALL_CATEGORIES and parts.scale.categories < TWO
    if few or (formula is gwet_ac and parts.scale.farthest <= 0):
        return no_estimate(_no_chance(formula, parts), units)
    observed, expected = (float(np.asarray(each).item()) for each in formula(parts.total))
    if not expected > 0:
        return no_estimate(_no_chance(formula, parts), units)
    shown = (1 - observed, 1 - expected) if as_agreement else (observed, expected)
    influence, weight = _moved(formula, parts)
    return with_interval(
        Estimate(1 - observed / expected, units, *shown),
        influence,
        parts.clusters,
        (low, 1.0),
        disagreements=parts.disagreements if observed > 0 else 0,
        worst=_worst(formula, parts) / expected,
        weight=weight,
        beside_chance=True,
    )


def _moved(formula: Formula, parts: Units) -> tuple[Floats, Floats]:
    """Return how a unit of each kind moves a coefficient, and what it adds to its divisor (kinds,).

    Both times the number of units, so that their means over units are 0 and 1. The divisor is expected
    disagreement times what observed disagreement is a share of; distances that come from the annotations are
    taken as given there.
    """
    units, along = parts.clusters.units, Along(parts.total, parts)
    observed, expected = formula(along)
    figure = 1.0 - observed / expected
    if isinstance(parts, Parts) and parts.scale.distance.drift is not None:
        drifting = formula(AlongUnits(parts))
        figure = 1.0 - drifting[0] / drifting[1]
    divisor = (along.ratings if formula is krippendorff_alpha else along.units) * expected
    return units * figure.slope, units * divisor.slope / divisor.value


def _no_chance(formula: Formula, parts: Units) -> Undefined:
    """Return why chance gives no disagreement."""
    if parts.scale.categories < TWO and formula in OF_ALL_CATEGORIES:
        return Undefined.ONE_CATEGORY
    one = np.count_nonzero(_used(parts, SHARES if formula in OF_ALL_CATEGORIES else TOTALS)) == 1
    return Undefined.NO_EXPECTED_DISAGREEMENT if one else Undefined.NO_POSSIBLE_DISAGREEMENT


def _used(parts: Units, name: str) -> Floats:
    """Return how often each category is among some labels, or where annotators are known, among all."""
    labels = parts.total.labels
    found: Floats = labels[OWN][0].sum(axis=0) if OWN in labels else labels[name][0]
    return found


def _worst(formula: Formula, parts: Units) -> float:
    """Return the largest observed disagreement that there could be, between categories that chance gives."""
    if formula is gwet_ac:
        return 1.0
    used = _used(parts, SHARES) > (-1 if formula is bennett_s else 0)
    return parts.scale.distance.farthest(used)


def observed_agreement(profiles: Profiles) -> Estimate:
    """Return the mean over units of the agreeing share of pairs of annotators (Fleiss 1971).

    Where they always agree it has an exact lower bound.
    """
    if profiles.units == 0:
        return no_estimate(Undefined.NO_SHARED_UNITS, 0)
    agreeing = 1 - profiles.mean_distance(nominal(profiles.categories))
    value = float((agreeing * profiles.times).sum()) / profiles.units
    estimate, disagreements = Estimate(value, profiles.units), profiles.disagreements
    if disagreements == 0:
        return with_exact_bound(estimate, profiles.clusters)
    return with_interval(
        estimate, agreeing - value, profiles.clusters, (0.0, 1.0), disagreements=disagreements
    )


def specific_agreement(profiles: Profiles, category: int) -> Estimate:
    """Return how often another annotator gives a category too, given that one did.

    Σ n(n - 1) / Σ n(r - 1) over units, n of a unit's r ratings being the category (GATE user guide, 10.2); of
    two annotators 2a / (2a + b + c) (Fort, François and Ghribi 2010, diagonal of table 5).
    """
    used = (profiles.labels == category).sum(axis=1)
    possible = used * (profiles.ratings - 1)
    total = int((possible * profiles.times).sum())
    if total == 0:
        none = Undefined.NOT_USED if profiles.units else Undefined.NO_SHARED_UNITS
        return no_estimate(none, profiles.units)
    agreeing = used * (used - 1)
    seen = int((agreeing * profiles.times).sum())
    value, scale = seen / total, profiles.units / total
    return with_interval(
        Estimate(value, profiles.units),
        (agreeing - value * possible) * scale,
        profiles.clusters,
        (0.0, 1.0),
        disagreements=total - seen,
        weight=possible * scale,
    )
