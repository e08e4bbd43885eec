"""Figures of single documents, side by side, and their means: macro beside the pooled figures.

GATE user guide, 10.1.2 and 10.1.4: a mean over documents gives a short document the weight of a long one.
Everything is computed from the counts, all documents at once. Each figure is an array (documents,), NaN where
it is undefined in the document.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from reportgen.agreement.distances import nominal
from reportgen.agreement.documents.in_document import (
    Labels,
    alpha,
    alpha_on_scale,
    labels_of,
    ratio_of,
    sums_by,
)
from reportgen.agreement.estimate import Clusters, Estimate, Floats, Undefined, no_estimate, with_interval
from reportgen.agreement.several.profiles import Profiles, paired_profiles, without
from reportgen.agreement.spans.retrieval import Macro
from reportgen.agreement.whole import Whole
from reportgen.counts import PairCounts, ProfileCounts
from reportgen.study import NO_DOCUMENT, Codes

TWO = 2
LOWEST = -1.0


@dataclass(frozen=True, eq=False)
class Compared:
    """The documents in which two annotators rated a unit, and the counts of each.

    `documents` are their codes in order; `pairs` and `profiles` hold places among them instead of codes.
    """

    documents: Codes
    pairs: PairCounts
    profiles: ProfileCounts
    categories: int

    @property
    def size(self) -> int:
        """Return how many documents there are."""
        return len(self.documents)


def over_documents(whole: Whole) -> dict[str, Macro]:
    """Return the mean over documents of each figure that has one; none where no document is known.

    The documents are those in which two annotators rated a unit. `units` of an estimate is how many the mean
    is over, and `left_out` in how many more the figure is undefined.
    """
    found = compared(whole)
    if found.size == 0:
        return {}
    return {name: _mean(values, low) for name, values, low in _figures(whole, found)}


def each_document(whole: Whole) -> dict[str, Floats]:
    """Return each figure of every compared document (documents,), NaN where it is undefined."""
    return {name: values for name, values, _ in _figures(whole, compared(whole))}


def compared(whole: Whole) -> Compared:
    """Return the counts of the documents in which two annotators rated a unit."""
    counts = whole.counts
    paired = whole.profiles.document
    documents = np.unique(paired[paired != NO_DOCUMENT])
    rows, of_pairs = (_places(each, documents) for each in (counts.profiles.document, counts.pairs.document))
    profiles, pairs = counts.profiles, counts.pairs
    here, there = rows >= 0, of_pairs >= 0
    return Compared(
        documents,
        PairCounts(
            pairs.first[there],
            pairs.second[there],
            of_pairs[there],
            pairs.first_label[there],
            pairs.second_label[there],
            pairs.n[there],
        ),
        ProfileCounts(profiles.labels, rows[here], profiles.profile[here], profiles.n[here]),
        whole.categories,
    )


def _places(codes: Codes, among: Codes) -> Codes:
    """Return where each code stands among sorted ones, -1 where it is not there."""
    place = np.minimum(np.searchsorted(among, codes), max(len(among) - 1, 0))
    known = among[place] == codes if len(among) else np.zeros(len(codes), dtype=np.bool_)
    return np.where(known, place, -1)


def _figures(whole: Whole, found: Compared) -> Iterator[tuple[str, Floats, float]]:
    """Yield each figure with its id, its value in every document, and the least that it can be.

    A coefficient of one unit alone is undefined, as everywhere.
    """
    paired = paired_profiles(found.profiles, found.categories)
    apart = paired.mean_distance(nominal(found.categories))
    disagreement = ratio_of(_sums(paired, apart, found.size), _units(paired, found.size))
    yield "observed_agreement", 1 - disagreement, 0.0
    for name, values_of, low in _nominal(whole, found, paired, disagreement):
        yield name, _of_several(values_of, _units(paired, found.size)), low
    scale, values = whole.setting.scale, whole.setting.values
    if values is not None:
        rated = without(paired, whole.setting.non_annotated)
        numbers = values[: rated.categories]
        alphas = alpha_on_scale(rated, found.size, scale, numbers)
        yield f"krippendorff_alpha[{scale}]", _of_several(alphas, _units(rated, found.size)), -math.inf


def _nominal(
    whole: Whole, found: Compared, paired: Profiles, disagreement: Floats
) -> Iterator[tuple[str, Floats, float]]:
    if whole.annotators == TWO:
        yield "scott_pi", _scott(found, disagreement), LOWEST
        yield "cohen_kappa", _cohen(found, disagreement), LOWEST
    yield from _of_gwet(found, disagreement)
    yield "krippendorff_alpha", alpha(paired, found.size), LOWEST


def _units(profiles: Profiles, documents: int) -> Floats:
    """Return how many units each document has (documents,)."""
    return _sums(profiles, np.ones(len(profiles.labels)), documents)


def _of_several(values: Floats, units: Floats) -> Floats:
    return np.where(units > 1, values, np.nan)


def _sums(profiles: Profiles, by_profile: Floats, documents: int) -> Floats:
    weight = profiles.n * by_profile[profiles.profile]
    return sums_by(profiles.document, weight, documents)


def _scott(found: Compared, disagreement: Floats) -> Floats:
    """Return Scott's pi of each document."""
    pairs = found.pairs
    both = labels_of(
        np.concatenate([pairs.document, pairs.document]),
        np.concatenate([pairs.first_label, pairs.second_label]),
        np.concatenate([pairs.n, pairs.n]),
        found.categories,
    )
    return _corrected(disagreement, both.chance(both.totals(found.size)))


def _cohen(found: Compared, disagreement: Floats) -> Floats:
    """Return Cohen's kappa of each document: D_e = Σ r_k (n - s_k) / n²."""
    pairs = found.pairs
    first, second = (
        labels_of(pairs.document, label, pairs.n, found.categories)
        for label in (pairs.first_label, pairs.second_label)
    )
    units = first.totals(found.size)
    others = units[first.document] - second.times_of(first)
    share = first.times / units[first.document] * (others / units[first.document])
    return _corrected(disagreement, sums_by(first.document, share, found.size))


def _of_gwet(found: Compared, disagreement: Floats) -> Iterator[tuple[str, Floats, float]]:
    """Yield Fleiss' kappa and Gwet's AC1 of each document (Gwet 2014): margins from every rated unit.

    Σ π_k (1 - π_k) is one less Fleiss' chance agreement, and q - 1 times that of AC1.
    """
    labels, chance = _mean_shares(found)
    several = np.bincount(labels.document, minlength=found.size) > 1
    yield "fleiss_kappa", _corrected(disagreement, np.where(several, chance, 0.0)), LOWEST
    size = found.categories
    if size >= TWO:
        yield "gwet_ac1", 1 - disagreement / (1 - chance / (size - 1)), LOWEST


def _mean_shares(found: Compared) -> tuple[Labels, Floats]:
    """Return the labels of each document, and Σ π_k (1 - π_k) with π the mean of its units' own shares."""
    profiles = found.profiles
    present = profiles.labels[profiles.profile] >= 0
    row, column = np.nonzero(present)
    label = profiles.labels[profiles.profile[row], column]
    labels = labels_of(profiles.document[row], label, profiles.n[row], found.categories)
    ratings = present.sum(axis=1)
    units = sums_by(profiles.document, profiles.n.astype(np.float64), found.size)
    weight = profiles.n[row] / ratings[row] / units[profiles.document[row]]
    shares = sums_by(labels.entry, weight, len(labels.times))
    mixed = shares * (1 - shares)
    return labels, sums_by(labels.document, mixed, found.size)


def _corrected(observed: Floats, expected: Floats) -> Floats:
    """Return 1 - observed / expected disagreement, NaN where nothing is expected."""
    return 1 - ratio_of(observed, expected)


def _mean(values: Floats, low: float) -> Macro:
    """Return the mean of the values that are defined; its interval comes from how these vary (t, G - 1)."""
    known = values[~np.isnan(values)]
    left_out = len(values) - len(known)
    if len(known) == 0:
        return Macro(no_estimate(Undefined.NO_DOCUMENT_DEFINED, 0), left_out)
    mean = math.fsum(known.tolist()) / len(known)
    each = np.arange(len(known), dtype=np.int64)
    clusters = Clusters(
        each, each, np.ones_like(each), len(known), len(known), by_document=True, corrected=True
    )
    estimate = Estimate(mean, len(known))
    imperfect = int((known < 1).sum())
    return Macro(
        with_interval(estimate, known - mean, clusters, (low, 1.0), disagreements=imperfect), left_out
    )
