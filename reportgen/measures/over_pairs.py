"""Means over pairs of annotators: weighted kappa over pairs and Light's kappa.

What chance gives comes from what two annotators did on the units that they share, so that these are functions
of sums of every pair, not of the sums of all units.
"""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from reportgen.counts import Cells, added_up
from reportgen.counts.tally import ranks
from reportgen.measures.distances import CategoryDistance, DistanceInfluence
from reportgen.measures.estimate import (
    Clusters,
    Estimate,
    Floats,
    Undefined,
    no_estimate,
    with_exact_bound,
    with_interval,
)
from reportgen.measures.profiles import Profiles
from reportgen.measures.ratings_by_unit import PairTables, UnitRatings
from reportgen.readers import Codes

# A figure with the influence of each unit on it, worked out by hand: of what is no function of sums.


@dataclass(frozen=True, eq=False)
class Linear:
    """A defined figure with the influence of each unit on it.

    `observed` and `expected` are disagreements; `influence` has a value for each kind of unit, mean zero
    over all of them. `farthest` is the distance at which AC2's weights are 0. `weight` is as in Spread.
    `largest` is the largest distance that a disagreement may have: between categories in use where chance
    comes from them, else between any.
    """

    value: float
    observed: float
    expected: float
    influence: Floats
    farthest: float | None = None
    weight: Floats | None = None
    largest: float = 1.0

    def estimate(
        self, units: int, clusters: Clusters, disagreements: int, low: float, *, as_agreement: bool = False
    ) -> Estimate:
        """Return the figure with its interval; `as_agreement` shows agreements in place of disagreements."""
        shown = self.observed, self.expected
        if as_agreement:
            shown = 1 - self.observed, 1 - self.expected
        seen = disagreements if self.observed > 0 else 0
        estimate = Estimate(self.value, units, *shown, farthest=self.farthest)
        worst = self.largest / self.expected
        return with_interval(
            estimate,
            self.influence,
            clusters,
            (low, 1.0),
            disagreements=seen,
            worst=worst,
            weight=self.weight,
            beside_chance=True,
        )


def ratio(
    observed: float, expected: float, of_observed: Floats, of_expected: Floats, farthest_used: float = 1.0
) -> Linear:
    """Return 1 - observed / expected disagreement, given the influence on both and the largest distance."""
    quotient = observed / expected
    influence = (quotient * of_expected - of_observed) / expected
    weight = 1 + of_expected / expected
    return Linear(1 - quotient, observed, expected, influence, weight=weight, largest=farthest_used)


# Means over pairs of annotators: weighted kappa over pairs and Light's kappa.
#
# What chance gives comes from what two annotators did on the units that they share, so that these are
# functions of sums of every pair, not of the sums of all units.

# Pairs of annotators times categories that are looked at together.
BLOCK = 4_000_000


def weighted_kappa(found: UnitRatings, distance: CategoryDistance) -> Linear | None:
    """Return 1 - mean D_o / mean D_e over the pairs of annotators that share a unit (Conger 1980).

    `found` holds the units with at least two ratings. None where chance gives no disagreement.
    """
    pairs = found.tables
    apart = distance.at(pairs.first, pairs.second)
    observed = pairs.mean_distance(distance)
    chance = _Chance(pairs, distance)
    expected = float(chance.expected.sum()) / pairs.pairs
    if expected <= 0:
        return None
    scale = found.units / (pairs.units * pairs.pairs)
    of_observed = _by_unit(found, scale, apart - observed[pairs.pair])
    of_expected = _by_unit(found, scale, chance.moved)
    far = distance.farthest(found.labels_by_annotator.sum(axis=0) > 0)
    linear = ratio(float(observed.sum()) / pairs.pairs, expected, of_observed, of_expected, far)
    if distance.drift is None:
        return linear
    quotient = linear.observed / expected
    seen = _mean_table(pairs)

    def slope(one: Codes, other: Codes) -> Floats:
        found: Floats = (quotient * _mean_by_chance(pairs, one, other) - seen.at(one, other)) / expected
        return found

    return replace(linear, influence=linear.influence + _drifted(found, distance.drift(slope)))


def _drifted(found: UnitRatings, drift: DistanceInfluence) -> Floats:
    """Return what each unit moves through distances that come from the annotations of these units."""
    moved = found.sum_by_unit(drift.by_rating[found.label])
    if drift.by_pair is None:
        return moved
    each = found.sum_over_tables(drift.by_pair.at(found.tables.first, found.tables.second))
    return moved + each / np.maximum(found.ratings - 1, 1)


def light_kappa(found: UnitRatings) -> Linear | None:
    """Return the mean of the pairs' Cohen kappas (Light 1971).

    Pairs whose kappa is undefined, among them those with one unit alone, are left out; None where none is
    left.
    """
    pairs = found.tables
    here = pairs.pair
    apart = (pairs.first != pairs.second).astype(np.float64)
    observed, expected = pairs.apart / pairs.units, pairs.expected_by_chance()
    units = pairs.units[here]
    unlike_second = 1 - pairs.count_of(pairs.second, pairs.first) / units
    unlike_first = 1 - pairs.count_of(pairs.first, pairs.second) / units
    defined = pairs.differ & (pairs.units > 1)
    many = int(defined.sum())
    if many == 0:
        return None
    safe = np.where(defined, expected, 1.0)
    quotient = observed / safe
    of_expected = unlike_second + unlike_first - 2 * expected[here]
    each = (quotient[here] * of_expected - (apart - observed[here])) / safe[here]
    scale = np.where(defined, found.units / (pairs.units * many), 0.0)
    value = float((1 - quotient)[defined].sum()) / many
    mean_observed, mean_expected = (float(values[defined].sum()) / many for values in (observed, expected))
    # Where all disagree, the mean of 1 / expected is lost, more than 1 / mean.
    far = mean_expected * float((1 / safe)[defined].sum()) / many
    return Linear(value, mean_observed, mean_expected, _by_unit(found, scale, each), largest=far)


class _Chance:
    """What chance gives to each pair of annotators under a distance.

    `expected` (pairs,) is the expected disagreement, `moved` (cells,) that of two ratings of a
    unit in each cell on their pair's.
    """

    def __init__(self, pairs: PairTables, distance: CategoryDistance) -> None:
        """Compute all from each annotator's own shares, some pairs at a time."""
        size = pairs.categories
        self.expected = np.zeros(pairs.pairs)
        self.moved = np.zeros(len(pairs.pair))
        for some, place in pairs.blocks(max(1, BLOCK // max(size, 1))):
            rows, columns = some.shares(some.first), some.shares(some.second)
            toward_columns = distance.toward(columns)
            toward_rows = distance.toward(rows)
            expected = (rows * toward_columns).sum(axis=1)
            here = some.pair
            moved = toward_columns[here, some.first] + toward_rows[here, some.second]
            self.moved[place] = moved - 2 * expected[here]
            self.expected[some.numbers] = expected


def _mean_by_chance(pairs: PairTables, one: Codes, other: Codes) -> Floats:
    """Return the mean over pairs of annotators of the probability of some labels, each with another."""
    sums = np.zeros(len(one))
    for some, _ in pairs.blocks(max(1, BLOCK // max(pairs.categories, len(one), 1))):
        rows, columns = some.shares(some.first), some.shares(some.second)
        sums += (rows[:, one] * columns[:, other]).sum(axis=0)
    return sums / max(pairs.pairs, 1)


def _mean_table(pairs: PairTables) -> Cells:
    """Return the mean over pairs of annotators of their tables as shares."""
    pair, first, second, n = pairs.cells
    return added_up(pairs.categories, [(first, second, n / pairs.units[pair] / pairs.pairs)])


def _by_unit(found: UnitRatings, scale: Floats, values: Floats) -> Floats:
    """Return for each unit the sum over its pairs of ratings of a value, scaled by the pair of annotators."""
    return found.sum_over_tables(values * scale[found.tables.pair])


def figure(
    found: UnitRatings, linear: Linear | None, reason: Undefined, low: float, *, as_agreement: bool
) -> Estimate:
    """Return an estimate from its linear form, or undefined for the reason where there is none."""
    if found.paired_units == 0:
        return no_estimate(Undefined.NO_SHARED_UNITS, 0)
    if linear is None:
        return no_estimate(reason, found.paired_units)
    return linear.estimate(
        found.paired_units, found.clusters, found.disagreements, low, as_agreement=as_agreement
    )


# Each annotator against what most others say, and agreement of all at once.

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Against:
    """Ratings held against a majority: which are compared (ratings,), and which of these agree with it."""

    compared: Mask
    agrees: Mask


@dataclass(frozen=True, eq=False)
class _Tally:
    """How often each label stands on its unit, for each rating (ratings,).

    `own` is how often the rating's own label does, `most` how often the commonest, `leaders` how many labels
    share that, `first` the first of them in the order of categories, `runners` how many stand there just once
    less.
    """

    own: Codes
    most: Codes
    leaders: Codes
    first: Codes
    runners: Codes


def _tally(found: UnitRatings) -> _Tally:
    key = found.unit * found.categories + found.label
    keys, place = ranks(key, len(found.weight) * found.categories)
    own = np.bincount(place, minlength=len(keys))
    unit, label = keys // found.categories, keys % found.categories
    most = np.zeros(len(found.weight), dtype=np.int64)
    np.maximum.at(most, unit, own)
    leads = own == most[unit]
    leaders = np.bincount(unit[leads], minlength=len(most))
    runners = np.bincount(unit[own == most[unit] - 1], minlength=len(most))
    first = np.full(len(most), found.categories, dtype=np.int64)
    np.minimum.at(first, unit[leads], label[leads])
    columns = (column[found.unit] for column in (most, leaders, first, runners))
    return _Tally(own[place], *columns)


def against_others(found: UnitRatings) -> Against:
    """Return each rating against the commonest label of the unit's other ratings (GATE user guide, 10.1.2).

    Where the others have no label, or several equally common ones, there is nothing to compare.
    """
    tally = _tally(found)
    leads, alone = tally.own == tally.most, tally.leaders == 1
    # Without its own rating the leading label may be caught up with by those one behind.
    agrees = leads & alone & (tally.runners == 0) & (tally.most > 1)
    rivals = np.where(leads, tally.leaders - 1, tally.leaders)
    differs = ~(leads & alone) & (rivals == 1)
    return Against(agrees | differs, agrees)


def against_all(found: UnitRatings) -> Against:
    """Return each rating against the commonest label of its unit, its own included.

    Of several equally common labels the first in the order of categories is taken. It flatters whoever rated
    units with few others; crowd-kit and others report it.
    """
    return Against(np.ones(len(found.unit), dtype=np.bool_), found.label == _tally(found).first)


def share(found: UnitRatings, against: Against, of: Mask | None = None) -> Estimate:
    """Return the share of compared ratings that agree with the majority; `of` are the ratings that count.

    A ratio of sums over units; its interval is clustered as that of any figure.
    """
    some = against.compared if of is None else against.compared & of
    times = found.weight[found.unit]
    tries, hits = (int(times[mask].sum()) for mask in (some, some & against.agrees))
    if tries == 0:
        return no_estimate(Undefined.NO_MAJORITY, 0)
    value = hits / tries
    each = np.where(some, against.agrees - value, 0.0)
    here = np.zeros(len(found.weight), dtype=np.bool_)
    here[found.unit[some]] = True
    units = int(found.weight[here].sum())
    influence = found.sum_by_unit(each)[here] * (units / tries)
    estimate = Estimate(value, units, recomputable=False)
    clusters = found.clusters_of(here)
    if hits == tries:
        return with_exact_bound(estimate, clusters)
    return with_interval(estimate, influence, clusters, (0.0, 1.0), disagreements=tries - hits)


def each_against_majority(found: UnitRatings, against: Against) -> tuple[Estimate, ...]:
    """Return for each annotator how often they say what most of the others say."""
    return tuple(share(found, against, found.annotator == code) for code in range(found.annotators))


def unanimous(profiles: Profiles) -> Estimate:
    """Return the share of units, of those that at least two rated, on which all ratings are the same."""
    if profiles.units == 0:
        return no_estimate(Undefined.NO_SHARED_UNITS, 0)
    same = _is_unanimous(profiles)
    value = (profiles.units - profiles.disagreements) / profiles.units
    estimate = Estimate(value, profiles.units)
    if profiles.disagreements == 0:
        return with_exact_bound(estimate, profiles.clusters)
    return with_interval(
        estimate, same - value, profiles.clusters, (0.0, 1.0), disagreements=profiles.disagreements
    )


def _is_unanimous(profiles: Profiles) -> Floats:
    lowest = np.where(profiles.labels < 0, profiles.categories, profiles.labels).min(axis=1)
    same: Floats = (lowest == profiles.labels.max(axis=1)).astype(np.float64)
    return same


def siegel_castellan(profiles: Profiles, annotators: int) -> Linear | Undefined:
    """Return GATE's all-way kappa: (A_o - A_e) / (1 - A_e) over the units that all annotators rated.

    A_o is the share of units on which all agree, A_e = Σ p_k^J with J annotators and pooled shares p. Of two
    annotators it is Scott's pi; of more, neither Siegel and Castellan (1988) nor Fleiss (1971), whose
    agreement is that of pairs. `profiles` hold those units alone.
    """
    if profiles.units == 0:
        return Undefined.NOT_RATED_BY_ALL
    shares = profiles.totals / int(profiles.totals.sum())
    others = np.array([float(each) ** (annotators - 1) for each in shares.tolist()])
    expected = 1 - float((others * shares).sum())
    if np.count_nonzero(profiles.totals) == 1:
        return Undefined.NO_EXPECTED_DISAGREEMENT
    apart = 1 - _is_unanimous(profiles)
    observed = profiles.disagreements / profiles.units
    moved = profiles.sum_over_ratings(others) - annotators * float((others * shares).sum())
    quotient = observed / expected
    influence = (quotient * -moved - (apart - observed)) / expected
    return Linear(1 - quotient, observed, expected, influence, weight=1 - moved / expected)


def rated_by(profiles: Profiles, annotators: int) -> Profiles:
    """Return the profiles of units that so many annotators rated."""
    kept = profiles.ratings == annotators
    rows = kept[profiles.profile]
    place = np.cumsum(kept) - 1
    return Profiles(
        profiles.labels[kept],
        profiles.document[rows],
        place[profiles.profile[rows]],
        profiles.n[rows],
        profiles.categories,
    )
