"""Means over pairs of annotators: weighted kappa over pairs and Light's kappa.

What chance gives comes from what two annotators did on the units that they share, so that these are functions
of sums of every pair, not of the sums of all units.
"""

import math
from dataclasses import replace

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.counts import added_up
from reportgen.counts.tally import ranks
from reportgen.measures.distances import CategoryDistance, DistanceInfluence, Nominal
from reportgen.measures.estimate import (
    LOWEST,
    Estimate,
    Floats,
    Undefined,
    no_estimate,
    with_exact_bound,
    with_interval,
)
from reportgen.measures.figures_of_sums import UnitsByAnnotators, rare_labels
from reportgen.measures.formulas import Dual
from reportgen.measures.profiles import Profiles
from reportgen.measures.ratings_by_unit import PairTables, UnitRatings
from reportgen.readers import Codes
from reportgen.units import Mask


def _corrected(  # noqa: PLR0913, PLR0917 - what an interval comes from
    observed: Dual,
    expected: Dual,
    units: UnitRatings | Profiles,
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
BLOCK = 4_000_000
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
        return no_estimate(_no_chance(rated, distance), rated.units)
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
    joint_shares = added_up(pairs.categories, [(pairs.first, pairs.second, shares)])

    def slope(one: Codes, other: Codes) -> Floats:
        return (quotient * _mean_by_chance(pairs, one, other) - joint_shares.at(one, other)) / expected

    drift = _drifted(rated, distance.drift(slope))
    return _corrected(observed, by_chance, rated, far, distance, drift)


def _no_chance(rated: UnitRatings, distance: CategoryDistance) -> Undefined:
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
    keys, position = ranks(rated.unit * rated.categories + rated.label, len(rated.weight) * rated.categories)
    unit, times = keys // rated.categories, np.bincount(position, minlength=len(keys))
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
    return tuple(share(rated, against, rated.annotator == code) for code in range(rated.annotators))


def siegel_castellan(profiles: Profiles, annotators: int) -> Estimate:
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
