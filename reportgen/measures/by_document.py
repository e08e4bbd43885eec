"""Figures of single documents, side by side, and their means: macro beside the pooled figures.

GATE user guide, 10.1.2 and 10.1.4: a mean over documents gives a short document the weight of a long one.
Everything is computed from the counts, all documents at once. Each figure is an array (documents,), NaN where
it is undefined in the document.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from reportgen.measures import distances, formulas
from reportgen.measures.distances import CategoryDistance, nominal
from reportgen.measures.estimate import (
    LOWEST,
    Clusters,
    Estimate,
    Floats,
    Undefined,
    macro_figure,
    no_estimate,
    with_interval,
)
from reportgen.measures.figures_of_sums import UnitsByLabels, labels_added, names_of
from reportgen.measures.formulas import Formula, OrdinalRows, VectorizedSums
from reportgen.measures.profiles import Profiles, without
from reportgen.measures.unit_set_data import Whole
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results.marks import MacroFigure
from reportgen.units import NO_CATEGORY

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


def _rows_of(by_labels: UnitsByLabels, many: int) -> VectorizedSums:
    """Return the sums of each document (documents,)."""
    of_kinds = (by_labels.units, by_labels.ratings, by_labels.apart, by_labels.met)
    units, ratings, apart, met = (
        _added(by_labels, values[by_labels.kinds.profile], many) for values in of_kinds
    )
    labels = {name: _labels_by(by_labels, name, many) for name in names_of(by_labels.kinds)}
    return VectorizedSums(by_labels.distance, units, ratings, apart, met, labels)


def _added(by_labels: UnitsByLabels, values: Floats, many: int) -> Floats:
    """Return the sums by document of a value of one unit of each entry of the counts."""
    sums = np.bincount(by_labels.kinds.document, weights=by_labels.kinds.n * values, minlength=many)
    return sums.astype(np.float64, copy=False)


def _labels_by(by_labels: UnitsByLabels, name: str, many: int) -> Floats:
    profiles, (labels, weight) = by_labels.kinds, labels_added(by_labels.kinds, name)
    size = profiles.categories
    entry, column = np.nonzero(labels[profiles.profile] != NO_CATEGORY)
    kind = profiles.profile[entry]
    cell: Codes = profiles.document[entry] * size + labels[kind, column]
    counts = np.bincount(cell, weights=profiles.n[entry] * weight[kind], minlength=many * size)
    return counts.astype(np.float64, copy=False).reshape(many, size)


def _on_ranks(by_labels: UnitsByLabels, many: int) -> OrdinalRows:
    """Return the sums of each document under the ordinal distance of its own ranks (documents,).

    Σ over pairs of ratings of (ρ - ρ')² is r Σ ρ² - (Σ ρ)² of a unit's r ratings.
    """
    plain, profiles = _rows_of(by_labels, many), by_labels.kinds
    labels = profiles.labels[profiles.profile]
    ranks = formulas.mean_ranks(plain.labels[formulas.TOTALS])[profiles.document[:, None], labels]
    of_rating = np.where(labels != NO_CATEGORY, ranks, 0.0)
    ratings = profiles.ratings[profiles.profile]
    # Σ_{i<j} (ρ_i - ρ_j)² = r Σ ρ² - (Σ ρ)².
    spread = ratings * (of_rating * of_rating).sum(axis=1) - of_rating.sum(axis=1) ** 2
    met = _added(by_labels, 2 * np.maximum(spread, 0.0) / np.maximum(ratings - 1, 1), many)
    return OrdinalRows(plain.distance, plain.units, plain.ratings, met, met, plain.labels)


TWO = 2
OF_SCALE: Mapping[str, Callable[[Floats], CategoryDistance]] = {
    "ordinal": lambda values: nominal(len(values)),  # ranks are each document's own
    "interval": distances.interval,
    "ratio": distances.ratio,
}


def over_documents(whole: Whole) -> dict[str, MacroFigure]:
    """Return the mean over documents of each figure that has one; none where no document is known.

    The documents are those in which two annotators rated a unit. `units` of an estimate is how many the mean
    is over, and `left_out` in how many more the figure is undefined.
    """
    return {name: _mean(values, low) for name, values, low in figures_by_document(whole)}


def compared(whole: Whole) -> Codes:
    """Return the documents in which two annotators rated a unit (documents,)."""
    paired = whole.profiles.document
    return np.unique(paired[paired != NO_DOCUMENT])


def _in(documents: Codes, profiles: Profiles) -> Profiles:
    """Return the units of some documents, numbered by their places among these sorted ones."""
    position = np.minimum(np.searchsorted(documents, profiles.document), len(documents) - 1)
    here = documents[position] == profiles.document
    return replace(profiles, document=position[here], profile=profiles.profile[here], n=profiles.n[here])


def figures_by_document(whole: Whole) -> Iterator[tuple[str, Floats, float]]:
    """Yield each figure with its id, its value in every document, and the least that it can be.

    A coefficient of one unit alone is undefined, as everywhere.
    """
    documents, size = compared(whole), whole.categories
    if not len(documents):
        return
    paired, rated = _in(documents, whole.profiles), _in(documents, whole.rated)
    for name, formula, profiles in _nominal(whole, documents, paired, rated):
        values, units = by_document(formula, UnitsByLabels(profiles, nominal(size)), len(documents))
        if formula is formulas.observed_agreement:
            yield name, values, 0.0
        else:
            yield name, np.where(units > 1, values, np.nan), LOWEST
    scale, numbers = whole.setting.scale, whole.setting.values
    if numbers is not None:
        placed = without(paired, whole.setting.non_annotated)
        by_labels = UnitsByLabels(placed, OF_SCALE[scale](numbers[: placed.categories]))
        ordinal = scale == "ordinal"
        alpha, units = by_document(formulas.krippendorff_alpha, by_labels, len(documents), ranks=ordinal)
        yield f"krippendorff_alpha[{scale}]", np.where(units > 1, alpha, np.nan), -math.inf


def _nominal(
    whole: Whole, documents: Codes, paired: Profiles, rated: Profiles
) -> Iterator[tuple[str, Formula, Profiles]]:
    """Yield the nominal figures, and the units that each is of."""
    yield "observed_agreement", formulas.observed_agreement, paired
    if whole.annotators == TWO:
        pair = _in(documents, whole.pair.profiles)
        yield "scott_pi", formulas.scott_pi, pair
        yield "cohen_kappa", formulas.cohen_kappa, pair
    yield "fleiss_kappa", formulas.fleiss_kappa, rated
    if whole.categories >= TWO:
        yield "gwet_ac1", formulas.gwet_ac, rated
    yield "krippendorff_alpha", formulas.krippendorff_alpha, paired


def _mean(values: Floats, low: float) -> MacroFigure:
    """Return the mean of the values that are defined; its interval comes from how these vary (t, G - 1)."""
    defined = values[~np.isnan(values)]
    left_out = len(values) - len(defined)
    if len(defined) == 0:
        return macro_figure(no_estimate(Undefined.NO_DOCUMENT_DEFINED, 0), left_out)
    mean = math.fsum(defined.tolist()) / len(defined)
    clusters = Clusters.of_documents(len(defined))
    estimate = Estimate(mean, len(defined))
    imperfect = int((defined < 1).sum())
    return macro_figure(
        with_interval(estimate, defined - mean, clusters, (low, 1.0), disagreements=imperfect), left_out
    )
