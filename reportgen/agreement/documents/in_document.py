"""How often each document has each label, and alpha of each document from it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from reportgen.agreement import distances
from reportgen.agreement.estimate import Floats
from reportgen.agreement.several.profiles import Profiles
from reportgen.study import NO_CATEGORY, Codes

Apart = Callable[[Codes, Codes], Floats]


@dataclass(frozen=True, eq=False)
class Labels:
    """How often each document has each label that it has: `document`, `label`, `times` (entries,), sorted.

    `entry` says which of these each row that was counted is; a document is a place from 0.
    """

    document: Codes
    label: Codes
    times: Codes
    entry: Codes
    categories: int

    @cached_property
    def keys(self) -> Codes:
        """Return one number for each document and label (entries,), ascending."""
        return self.document * self.categories + self.label

    def totals(self, documents: int) -> Codes:
        """Return how many labels each document has (documents,)."""
        totals = np.zeros(documents, dtype=np.int64)
        np.add.at(totals, self.document, self.times)
        return totals

    def times_of(self, other: "Labels") -> Codes:
        """Return how often the documents and labels of others occur here (other entries,)."""
        place = np.minimum(np.searchsorted(self.keys, other.keys), max(len(self.keys) - 1, 0))
        return np.where(self.keys[place] == other.keys, self.times[place], 0)

    def chance(self, totals: Codes, drawn: int = 0) -> Floats:
        """Return how often two labels of each document differ (documents,).

        Σ t_c (R - t_c) / (R (R - drawn)): `drawn` is 1 where the second is drawn without the first, else 0.
        """
        every = totals[self.document]
        share = self.times / every * ((every - self.times) / np.maximum(every - drawn, 1))
        return sums_by(self.document, share, len(totals))

    def mean_apart(self, totals: Codes, apart: Apart) -> Floats:
        """Return the mean distance of two labels of each document, drawn one after the other (documents,).

        `apart` gives the distances between two arrays of labels. The labels of a document stand together, so
        that those at distance 1, 2, … are compared until no document has so many.
        """
        sums = np.zeros(len(totals))
        for gap in range(1, len(self.times)):
            one = np.flatnonzero(self.document[gap:] == self.document[:-gap])
            if len(one) == 0:
                break
            other, every = one + gap, totals[self.document[one]]
            share = self.times[one] / every * (self.times[other] / (every - 1))
            weight = 2 * share * apart(self.label[one], self.label[other])
            sums += sums_by(self.document[one], weight, len(totals))
        return sums


def labels_of(document: Codes, label: Codes, n: Codes, categories: int) -> Labels:
    """Return how often each document has each label, from rows that stand for `n` of them."""
    keys, entry = np.unique(document * categories + label, return_inverse=True)
    times = np.zeros(len(keys), dtype=np.int64)
    np.add.at(times, entry, n)
    several = max(categories, 1)
    return Labels(keys // several, keys % several, times, entry.reshape(-1), categories)


def sums_by(document: Codes, weight: Floats, documents: int) -> Floats:
    """Return the sum of weights in each document (documents,)."""
    return np.bincount(document, weights=weight, minlength=documents).astype(np.float64)


def ratio_of(numerator: Floats, denominator: Floats) -> Floats:
    """Return ratios, NaN where the denominator is not above zero."""
    ratios: Floats = np.full(len(denominator), np.nan)
    np.divide(numerator, denominator, out=ratios, where=denominator > 0)
    return ratios


@dataclass(frozen=True, eq=False)
class _Ratings:
    """Every rating of units with two ratings or more, by row of the profile counts.

    `row` and `label` (ratings of rows,) are they, `labels` how often each document has each label.
    """

    row: Codes
    label: Codes
    labels: Labels


def _ratings(profiles: Profiles) -> _Ratings:
    row, column = np.nonzero(profiles.labels[profiles.profile] != NO_CATEGORY)
    label = profiles.labels[profiles.profile[row], column]
    labels = labels_of(profiles.document[row], label, profiles.n[row], profiles.categories)
    return _Ratings(row, label, labels)


def alpha(profiles: Profiles, documents: int) -> Floats:
    """Return nominal alpha of each document (documents,)."""
    apart = profiles.mean_distance(distances.nominal(profiles.categories))
    labels = _ratings(profiles).labels
    totals = labels.totals(documents)
    return _alpha(profiles, apart[profiles.profile], totals, labels.chance(totals, drawn=1))


def alpha_on_scale(profiles: Profiles, documents: int, scale: str, values: Floats) -> Floats:
    """Return alpha of each document with the distance of a scale: ordinal, interval or ratio."""
    ratings = _ratings(profiles)
    totals = ratings.labels.totals(documents)
    if scale == "ordinal":
        return _ordinal(profiles, ratings, totals)
    distance = {"interval": distances.interval, "ratio": distances.ratio}[scale](values)
    expected = ratings.labels.mean_apart(totals, distance.at)
    return _alpha(profiles, profiles.mean_distance(distance)[profiles.profile], totals, expected)


def _ordinal(profiles: Profiles, ratings: _Ratings, totals: Codes) -> Floats:
    """Return ordinal alpha: the distance is the squared difference of a document's own mean ranks.

    The mean squared difference of two of r numbers is 2 (r Σx² - (Σx)²) / (r (r - 1)).
    """
    labels = ratings.labels
    ranks = _mean_ranks(labels, totals)
    expected = sums_by(labels.document, labels.times * ranks * ranks, len(totals))
    of_rating = ranks[labels.entry]
    rows = len(profiles.n)
    sums, squares = (sums_by(ratings.row, each, rows) for each in (of_rating, of_rating * of_rating))
    r = profiles.ratings[profiles.profile]
    apart = 2 * np.maximum(r * squares - sums * sums, 0.0) / (r * (r - 1))
    return _alpha(profiles, apart, totals, ratio_of(2 * expected, (totals - 1).astype(np.float64)))


def _mean_ranks(labels: Labels, totals: Codes) -> Floats:
    """Return the mean rank of each entry in its document, as a share of ratings less a half (entries,)."""
    after = np.cumsum(labels.times)
    starts = np.cumsum(totals) - totals
    doubled = 2 * (after - starts[labels.document]) - labels.times - totals[labels.document]
    ranks: Floats = doubled / (2 * totals[labels.document])
    return ranks


def _alpha(profiles: Profiles, apart: Floats, totals: Codes, expected: Floats) -> Floats:
    """Return alpha of each document, from how far apart the ratings of each row of counts are (rows,)."""
    weight = profiles.n * profiles.ratings[profiles.profile] * apart
    observed = sums_by(profiles.document, weight, len(totals))
    return 1 - ratio_of(ratio_of(observed, totals.astype(np.float64)), np.nan_to_num(expected))
