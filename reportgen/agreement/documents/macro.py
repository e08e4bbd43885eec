"""Figures of single documents, side by side, and their means: macro beside the pooled figures.

GATE user guide, 10.1.2 and 10.1.4: a mean over documents gives a short document the weight of a long one.
Everything is computed from the counts, all documents at once. Each figure is an array (documents,), NaN where
it is undefined in the document.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from reportgen.agreement import distances
from reportgen.agreement.algebra.by_document import by_document
from reportgen.agreement.algebra.estimates import LOWEST
from reportgen.agreement.algebra.formulas import (
    Formula,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac,
    krippendorff_alpha,
    observed_agreement,
    scott_pi,
)
from reportgen.agreement.algebra.parts import parts_of
from reportgen.agreement.distances import Distance, nominal
from reportgen.agreement.estimate import Clusters, Estimate, Floats, Undefined, no_estimate, with_interval
from reportgen.agreement.several.profiles import Profiles, paired_profiles, profiles_of_pair, without
from reportgen.agreement.spans.retrieval import Macro
from reportgen.agreement.whole import Whole
from reportgen.counts import PairCounts, ProfileCounts, pair_table
from reportgen.study import NO_DOCUMENT, Codes

TWO = 2
OF_SCALE: Mapping[str, Callable[[Floats], Distance]] = {
    "ordinal": lambda values: nominal(len(values)),  # ranks are each document's own
    "interval": distances.interval,
    "ratio": distances.ratio,
}


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
    paired, rated = (paired_profiles(found.profiles, found.categories, least) for least in (TWO, 1))
    for name, formula, profiles in _nominal(whole, found, paired, rated):
        values, units = by_document(formula, parts_of(profiles, nominal(found.categories)), found.size)
        if formula is observed_agreement:
            yield name, values, 0.0
        else:
            yield name, np.where(units > 1, values, np.nan), LOWEST
    scale, numbers = whole.setting.scale, whole.setting.values
    if numbers is not None:
        placed = without(paired, whole.setting.non_annotated)
        parts = parts_of(placed, OF_SCALE[scale](numbers[: placed.categories]))
        alpha, units = by_document(krippendorff_alpha, parts, found.size, ranks=scale == "ordinal")
        yield f"krippendorff_alpha[{scale}]", np.where(units > 1, alpha, np.nan), -math.inf


def _nominal(
    whole: Whole, found: Compared, paired: Profiles, rated: Profiles
) -> Iterator[tuple[str, Formula, Profiles]]:
    """Yield the nominal figures, and the units that each is of."""
    yield "observed_agreement", observed_agreement, paired
    if whole.annotators == TWO:
        table = pair_table(found.pairs, found.categories, 0, 1)
        yield "scott_pi", scott_pi, profiles_of_pair(table)
        yield "cohen_kappa", cohen_kappa, profiles_of_pair(table)
    yield "fleiss_kappa", fleiss_kappa, rated
    if found.categories >= TWO:
        yield "gwet_ac1", gwet_ac, rated
    yield "krippendorff_alpha", krippendorff_alpha, paired


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
