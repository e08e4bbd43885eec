"""Agreement of any number of annotators, with missing ratings, from label profiles."""

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from reportgen.agreement.distances import Distance
from reportgen.agreement.estimate import (
    Clusters,
    Estimate,
    Floats,
    Undefined,
    no_estimate,
    with_exact_bound,
    with_interval,
)
from reportgen.counts import ProfileCounts
from reportgen.study import NO_CATEGORY, NO_DOCUMENT, Codes

PAIR = 2


@dataclass(frozen=True, eq=False)
class LabelPairs:
    """Two different labels within a profile: `one`, `other` and in how many ways they pair up there."""

    profile: Codes
    one: Codes
    other: Codes
    ways: Codes


@dataclass(frozen=True, eq=False)
class Profiles:
    """The units that at least two annotators rated.

    `labels` (profiles, most ratings) is filled up with NO_CATEGORY; `document`, `profile` and `n` say how
    many units of each document have each profile.
    """

    labels: Codes
    document: Codes
    profile: Codes
    n: Codes
    categories: int

    @cached_property
    def ratings(self) -> Codes:
        """Return how many ratings a unit of each profile has (profiles,)."""
        counted: Codes = (self.labels != NO_CATEGORY).sum(axis=1)
        return counted

    @cached_property
    def times(self) -> Codes:
        """Return how many units have each profile (profiles,)."""
        times = np.zeros(len(self.labels), dtype=np.int64)
        np.add.at(times, self.profile, self.n)
        return times

    @cached_property
    def units(self) -> int:
        """Return how many units there are."""
        return int(self.n.sum())

    @cached_property
    def totals(self) -> Codes:
        """Return how many ratings each category has (categories,)."""
        present = self.labels != NO_CATEGORY
        totals = np.zeros(self.categories, dtype=np.int64)
        np.add.at(
            totals, self.labels[present], np.broadcast_to(self.times[:, None], self.labels.shape)[present]
        )
        return totals

    @cached_property
    def label_pairs(self) -> "LabelPairs":
        """Return every two different labels of a profile."""
        profile, label, times = self._cells()
        parts = [LabelPairs(profile[:0], label[:0], label[:0], times[:0])]
        for distance in range(1, len(profile)):
            one = np.flatnonzero(profile[distance:] == profile[:-distance])
            if len(one) == 0:
                break
            other = one + distance
            parts.append(LabelPairs(profile[one], label[one], label[other], times[one] * times[other]))
        return LabelPairs(
            *(np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(LabelPairs))
        )

    def _cells(self) -> tuple[Codes, Codes, Codes]:
        """Return the different labels of each profile in order: profile, label, and how often it is there."""
        place, column = np.nonzero(self.labels != NO_CATEGORY)
        keys = place * self.categories + self.labels[place, column]
        cells, times = np.unique(keys, return_counts=True)
        return cells // max(self.categories, 1), cells % max(self.categories, 1), times

    @cached_property
    def clusters(self) -> Clusters:
        """Return what influence values are clustered by; a cell is a profile.

        Where no unit has more than two ratings, the standard error by unit is that of two annotators.
        """
        documents = len(np.unique(self.document[self.document != NO_DOCUMENT]))
        known, several = documents > 0, self.labels.shape[1] > PAIR
        groups = documents or self.units
        return Clusters(self.document, self.profile, self.n, self.units, groups, known, known or several)

    def mean_distance(self, distance: Floats) -> Floats:
        """Return the mean distance of the pairs of ratings of a unit, for each profile."""
        apart = self.label_pairs
        weight = apart.ways * distance[apart.one, apart.other]
        sums: Floats = np.zeros(len(self.labels))
        np.add.at(sums, apart.profile, weight)
        return sums / (self.ratings * (self.ratings - 1) / PAIR)

    def sum_over_ratings(self, by_category: Floats) -> Floats:
        """Return for each profile the sum of a value of its labels' categories."""
        present = self.labels != NO_CATEGORY
        values: Floats = np.where(present, by_category[self.labels], 0.0).sum(axis=1)
        return values


def paired_profiles(counts: ProfileCounts, categories: int) -> Profiles:
    """Return the profiles of the units that at least two annotators rated."""
    kept = (counts.labels != NO_CATEGORY).sum(axis=1) >= PAIR
    rows = kept[counts.profile]
    place = np.cumsum(kept) - 1
    return Profiles(
        counts.labels[kept], counts.document[rows], place[counts.profile[rows]], counts.n[rows], categories
    )


def _disagreements(profiles: Profiles) -> int:
    lowest = np.where(profiles.labels == NO_CATEGORY, profiles.categories, profiles.labels).min(axis=1)
    return int(profiles.times[lowest != profiles.labels.max(axis=1)].sum())


def pairwise_observed(profiles: Profiles) -> Estimate:
    """Return the mean over units of the agreeing share of pairs of annotators (Fleiss 1971)."""
    if profiles.units == 0:
        return no_estimate(Undefined.NO_SHARED_UNITS, 0)
    agreeing = 1 - profiles.mean_distance(1.0 - np.eye(profiles.categories))
    value = float((agreeing * profiles.times).sum()) / profiles.units
    estimate, disagreements = Estimate(value, profiles.units), _disagreements(profiles)
    if disagreements == 0:
        return with_exact_bound(estimate, profiles.clusters)
    return with_interval(
        estimate, agreeing - value, profiles.clusters, (0.0, 1.0), disagreements=disagreements
    )


def specific_agreement_of_many(profiles: Profiles, category: int) -> Estimate:
    """Return Σ n(n - 1) / Σ n(r - 1) over units, n of a unit's r ratings being the category (GATE)."""
    used: Codes = (profiles.labels == category).sum(axis=1)
    possible = used * (profiles.ratings - 1)
    total = int((possible * profiles.times).sum())
    if total == 0:
        none = Undefined.NOT_USED if profiles.units else Undefined.NO_SHARED_UNITS
        return no_estimate(none, profiles.units)
    agreeing = used * (used - 1)
    seen = int((agreeing * profiles.times).sum())
    value = seen / total
    influence = (agreeing - value * possible) * profiles.units / total
    estimate = Estimate(value, profiles.units)
    return with_interval(estimate, influence, profiles.clusters, (0.0, 1.0), disagreements=total - seen)


def alpha(profiles: Profiles, distance: Distance, low: float = -np.inf) -> Estimate:
    """Return Krippendorff's alpha with a distance; `observed` and `expected` are disagreements.

    1 - D_o / D_e over the units with at least two ratings, with the small-sample term n(n - 1)
    (Krippendorff 2004, section 11.3).
    """
    if profiles.units == 0:
        return no_estimate(Undefined.NO_SHARED_UNITS, 0)
    totals = profiles.totals
    ratings = int(totals.sum())
    apart = profiles.mean_distance(distance.matrix)
    observed = float((apart * profiles.ratings * profiles.times).sum()) / ratings
    pooled = float((totals[:, None] / ratings * (totals[None, :] / ratings) * distance.matrix).sum())
    if pooled <= 0:
        one = np.count_nonzero(totals) == 1
        reason = Undefined.NO_EXPECTED_DISAGREEMENT if one else Undefined.NO_POSSIBLE_DISAGREEMENT
        return no_estimate(reason, profiles.units)
    expected = pooled * ratings / (ratings - 1)
    estimate = Estimate(1 - observed / expected, profiles.units, observed, expected)
    influence = _alpha_influence(profiles, distance, observed, pooled)
    disagreements = _disagreements(profiles) if observed > 0 else 0
    return with_interval(estimate, influence, profiles.clusters, (low, 1.0), disagreements=disagreements)


def _alpha_influence(profiles: Profiles, distance: Distance, observed: float, expected: float) -> Floats:
    """Return the influence of a unit of each profile (profiles,), without the small-sample factor.

    The factor 1 - 1/n, n being the ratings, tends to one. Gwet's irrCAC leaves it out as here; his
    pairedCAC has it.
    """
    shares = profiles.totals / profiles.totals.sum()
    mean_ratings = float(profiles.totals.sum()) / profiles.units
    ratings = profiles.ratings
    of_observed = ratings * (profiles.mean_distance(distance.matrix) - observed)
    by_category = (distance.matrix * shares[None, :]).sum(axis=1)
    of_expected = 2 * (profiles.sum_over_ratings(by_category) - ratings * expected)
    influence = (observed / expected * of_expected - of_observed) / expected
    if distance.drift is not None:
        pairs = shares[:, None] * shares[None, :]
        slope = (observed / expected * pairs - _coincidences(profiles)) / expected
        influence = influence + profiles.sum_over_ratings(np.diagonal(distance.drift(slope)))
    return influence / mean_ratings


def _coincidences(profiles: Profiles) -> Floats:
    """Return the share of each two different labels among the pairs within units (categories, categories).

    The diagonal is left at zero: it is multiplied by distances.
    """
    found = np.zeros((profiles.categories, profiles.categories))
    weight = profiles.times / (profiles.ratings - 1)
    apart = profiles.label_pairs
    np.add.at(found, (apart.one, apart.other), apart.ways * weight[apart.profile])
    return (found + found.T) / int(profiles.totals.sum())


def without(profiles: Profiles, category: int) -> Profiles:
    """Return the profiles without the ratings of the last category, and without units left unpaired."""
    if category == NO_CATEGORY:
        return profiles
    labels = np.where(profiles.labels == category, NO_CATEGORY, profiles.labels)
    rest = ProfileCounts(labels, profiles.document, profiles.profile, profiles.n)
    return paired_profiles(rest, profiles.categories - 1)
