"""How well one of two people meets the other, the key: precision and recall of categories, macro F.

Also how much each unit moves such a figure, so that means over several pairs have intervals too.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from reportgen.counts import Cells, ContingencyTable
from reportgen.measures import distances, formulas, pairwise
from reportgen.measures.catalogue import BY_ID
from reportgen.measures.distances import CategoryDistance
from reportgen.measures.estimate import Estimate, Floats, Undefined, no_estimate, with_interval
from reportgen.measures.estimates import LOWEST, coefficient
from reportgen.measures.formulas import Formula
from reportgen.measures.measure import base_id, of_several_units
from reportgen.measures.profiles import profiles_of_pair
from reportgen.measures.retrieval import Drawn, Ratio, drawn, ratios
from reportgen.measures.sets import alone, label_counts, labels_of, used_of_two
from reportgen.measures.setting import Setting, rated_only, scale_distances
from reportgen.measures.spans import ANNOTATOR, SpanAgreement, SpanPairAgreement
from reportgen.measures.unit_set_data import UnitsOfPair
from reportgen.measures.unit_sums import parts_of
from reportgen.readers import Codes
from reportgen.units import NO_CATEGORY, Mask

MACRO = "specific_agreement[macro]"
OBSERVED, KAPPA, ALPHA = "observed_agreement", "cohen_kappa", "krippendorff_alpha"


@dataclass(frozen=True, eq=False)
class CategoryEstimates:
    """One category between a key and whoever is held against it.

    `key`, `other` and `both` are how many units each of the two gave it, and both did. Precision is both /
    other, recall both / key, specific agreement 2 both / (key + other), which is their F-measure.
    """

    key: int
    other: int
    both: int
    precision: Estimate
    recall: Estimate
    specific: Estimate


@dataclass(frozen=True, eq=False)
class EstimateInfluence:
    """A pair's figure with what a unit in each cell of the table that holds any moves it by.

    `low` is its lower bound; `worst` by how much it falls where all units disagree the most, None where that
    is not known; `weight` as in Spread.
    """

    estimate: Estimate
    influence: Cells
    low: float
    worst: float | None = None
    weight: Cells | None = None


def scores_by_category(table: ContingencyTable, setting: Setting) -> dict[int, CategoryEstimates]:
    """Return the scores of each category that one of two used, of sets of each label that one chose."""
    used = np.flatnonzero(used_of_two(table, setting.sets)).tolist()
    return {code: category_scores(alone(table, code, setting.sets)) for code in used}


def category_scores(alone: ContingencyTable) -> CategoryEstimates:
    """Return precision, recall and specific agreement of a category, code 0; the key is the first."""
    key, other = int(alone.row_totals[0]), int(alone.column_totals[0])
    row, column = (codes == 0 for codes in (alone.cells.row, alone.cells.column))
    return CategoryEstimates(
        key=key,
        other=other,
        both=int(alone.agreements[0]),
        precision=_share(alone, row & column, column, Undefined.NOT_USED_BY_OTHER),
        recall=_share(alone, row & column, row, Undefined.NOT_USED_BY_KEY),
        specific=pairwise.specific_agreement(alone, 0),
    )


def _share(table: ContingencyTable, part: Mask, whole: Mask, reason: Undefined) -> Estimate:
    """Return a ratio of sums over units, `part` and `whole` being the cells whose units are counted."""
    total = int(table.cells.value[whole].sum())
    if total == 0:
        return no_estimate(reason if table.units else Undefined.NO_UNITS, table.units)
    seen = int(table.cells.value[part].sum())
    value = seen / total
    scale = table.units / total
    influence = np.where(part, scale, 0.0) - np.where(whole, value * scale, 0.0)
    estimate, clusters = Estimate(value, table.units), profiles_of_pair(table).clusters
    weight = np.where(whole, scale, 0.0)
    return with_interval(estimate, influence, clusters, (0.0, 1.0), disagreements=total - seen, weight=weight)


def macro_agreement(table: ContingencyTable, setting: Setting) -> Estimate:
    """Return the mean of specific agreement over the categories, of sets the labels, that one of two used.

    The non-annotated category is none of them: it is as large as one likes.
    """
    totals, both = _uses(table, setting)
    if not totals.any():
        return no_estimate(Undefined.NO_CATEGORY_USED if table.units else Undefined.NO_UNITS, table.units)
    missed = int((totals - 2 * both).sum())
    estimate = Estimate(float(np.sum(2 * both[totals > 0] / totals[totals > 0])) / _used(totals), table.units)
    influence = _macro_influence(table, setting, totals, both)
    return with_interval(
        estimate, influence, profiles_of_pair(table).clusters, (0.0, 1.0), disagreements=missed
    )


def _uses(table: ContingencyTable, setting: Setting) -> tuple[Codes, Codes]:
    """Return how often the two used each category, or label of sets, and how often both did on a unit.

    The non-annotated category counts nothing.
    """
    if setting.sets is not None:
        counts = label_counts(table, setting.sets)
        totals = [each.first + each.second for each in counts]
        both = [each.both for each in counts]
        return np.array(totals, dtype=np.int64), np.array(both, dtype=np.int64)
    real = np.arange(table.categories) != setting.non_annotated
    used = np.where(real, table.row_totals + table.column_totals, 0)
    return used, np.where(real, table.agreements, 0)


def _used(totals: Codes) -> int:
    return int(np.count_nonzero(totals))


def _macro_influence(table: ContingencyTable, setting: Setting, totals: Codes, both: Codes) -> Floats:
    """Return what a unit in each cell that holds any moves the mean by."""
    safe, cells = np.maximum(totals, 1), table.cells
    weight: Floats = np.where(totals > 0, table.units / safe, 0.0) / _used(totals)
    falls: Floats = weight * (2 * both / safe)
    if setting.sets is None:
        agreeing = np.where(cells.row == cells.column, 2 * weight[cells.row], 0.0)
    else:
        holders = labels_of(setting.sets).holders
        falls = (holders * falls[:, None]).sum(axis=0)
        agreeing = np.zeros(len(cells.key))
        for label, each in enumerate(holders):
            agreeing += 2 * weight[label] * (each[cells.row] & each[cells.column])
    moved: Floats = agreeing - falls[cells.row] - falls[cells.column]
    return moved


def moved(table: ContingencyTable, setting: Setting) -> dict[str, EstimateInfluence]:
    """Return the figures of a pair whose influence values are known, those that are undefined left out.

    They are observed agreement, kappa, alpha with every distance, and the macro mean.
    """
    if table.units == 0:
        return {}
    plain = distances.nominal(table.categories)
    found: dict[str, EstimateInfluence | None] = {
        OBSERVED: _observed(table),
        KAPPA: _corrected(table, plain, formulas.cohen_kappa, LOWEST),
        ALPHA: _corrected(table, plain, formulas.krippendorff_alpha, LOWEST),
        MACRO: _macro(table, setting),
    }
    for each in setting.distances:
        found[f"{ALPHA}[{each.id}]"] = _corrected(table, each, formulas.krippendorff_alpha, -np.inf)
    rated = rated_only(table, setting)
    for each in scale_distances(rated.row_totals + rated.column_totals, setting) if rated.units else ():
        found[f"{ALPHA}[{each.id}]"] = _corrected(rated, each, formulas.krippendorff_alpha, -np.inf)
    return {name: _wide(each, table.categories) for name, each in found.items() if each is not None}


def _observed(table: ContingencyTable) -> EstimateInfluence:
    estimate = pairwise.observed_agreement(table)
    influence = (table.cells.row == table.cells.column) - (estimate.value or 0.0)
    return replace(_moved(table, estimate, influence, 0.0), worst=1.0)


def _corrected(
    table: ContingencyTable, distance: CategoryDistance, formula: Formula, low: float
) -> EstimateInfluence | None:
    estimate = coefficient(formula, parts_of(profiles_of_pair(table), distance), low=low)
    if estimate.spread is None or not estimate.expected:
        return None
    worst = distance.farthest(table.row_totals + table.column_totals > 0) / estimate.expected
    weight = estimate.spread.weight
    known = None if weight is None else Cells(table.categories, table.cells.key, weight)
    return replace(_moved(table, estimate, estimate.spread.influence, low), worst=worst, weight=known)


def _macro(table: ContingencyTable, setting: Setting) -> EstimateInfluence | None:
    estimate = macro_agreement(table, setting)
    if estimate.value is None:
        return None
    return _moved(table, estimate, _macro_influence(table, setting, *_uses(table, setting)), 0.0)


def _moved(table: ContingencyTable, estimate: Estimate, influence: Floats, low: float) -> EstimateInfluence:
    return EstimateInfluence(estimate, Cells(table.categories, table.cells.key, influence), low)


def _wide(found: EstimateInfluence, categories: int) -> EstimateInfluence:
    """Return the figure with cells for the non-annotated category too, which move nothing."""

    def wide(known: Cells) -> Cells:
        return Cells(categories, known.row * categories + known.column, known.value)

    weight = None if found.weight is None else wide(found.weight)
    return replace(found, influence=wide(found.influence), weight=weight)


def pair_scores(table: ContingencyTable, setting: Setting, names: tuple[str, ...]) -> dict[str, Estimate]:
    """Return some of the catalogue's figures of a pair, where it has them, and the macro mean."""
    bases = dict.fromkeys(base_id(name) for name in names)
    known = {name: each for base in bases for name, each in _of_catalogue(base, table, setting).items()}
    shown = {name: known[name] for name in names if name in known}
    return shown | {MACRO: macro_agreement(table, setting)}


def _of_catalogue(base: str, table: ContingencyTable, setting: Setting) -> dict[str, Estimate]:
    """Return every figure of one measure of the catalogue, none where it is not of pairs."""
    compute = BY_ID[base].for_pair
    return of_several_units(BY_ID[base], compute(UnitsOfPair(table, setting))) if compute else {}


def agreement_means(tables: list[ContingencyTable], setting: Setting) -> list[tuple[float, int] | None]:
    """Return for each category, or label, the mean of specific agreement over the pairs of whom one used it.

    With it stands how many pairs those are; None where there are none.
    """
    if not tables:
        return []
    # The non-annotated category is looked at by itself here, so that it counts.
    every = replace(setting, non_annotated=NO_CATEGORY)
    totals, both = (np.stack(each) for each in zip(*(_uses(table, every) for table in tables), strict=True))
    used = totals > 0
    sums = np.where(used, 2 * both / np.maximum(totals, 1), 0.0).sum(axis=0)
    times = used.sum(axis=0)
    pairs = zip(sums.tolist(), times.tolist(), strict=True)
    return [(value / n, n) if n else None for value, n in pairs]


# References and systems on marks in texts: strict F, and how much annotators agree on the same documents.

MODE = "strict"
F = "f_measure"
SHOWN = ("precision", "recall", F)
REFERENCE = "reference"


@dataclass(frozen=True, eq=False)
class SpanHumans:
    """Annotators in some documents: the mean of F over pairs, and the shares of each against the reference.

    `documents` is how many of them two annotators saw, `pairs` how many pairs did.
    """

    documents: int
    pairs: int
    mean: Estimate
    against: Mapping[int, Mapping[str, Estimate]]


@dataclass(frozen=True, eq=False)
class SpanComparison:
    """A key and whoever is held against it; `humans` is None for annotators."""

    pair: SpanPairAgreement
    humans: SpanHumans | None


@dataclass(frozen=True, eq=False)
class SpanComparisons:
    """Everybody against the references of one layer's marks; without one, systems against annotators.

    `humans` is how annotators agree in the documents of each reference, by its code.
    """

    agreement: SpanAgreement
    pairs: tuple[SpanComparison, ...]
    humans: Mapping[int, SpanHumans]


def compare_spans(agreement: SpanAgreement) -> SpanComparisons | None:
    """Return the comparisons of one layer, None where all are annotators or are too many for single pairs."""
    roles = agreement.spans.roles
    if set(roles) <= {ANNOTATOR} or agreement.crowded:
        return None
    shown = [pair for pair in agreement.pairs if _compared(agreement, pair)]
    return SpanComparisons(
        agreement=agreement,
        pairs=tuple(SpanComparison(pair, _beside(agreement, pair)) for pair in shown),
        humans={
            key: _humans(agreement, key, np.flatnonzero(agreement.spans.saw[:, key]))
            for key, role in enumerate(roles)
            if role == REFERENCE
        },
    )


def _compared(agreement: SpanAgreement, pair: SpanPairAgreement) -> bool:
    roles = agreement.spans.roles
    if REFERENCE in roles:
        return roles[pair.first] == REFERENCE
    return roles[pair.second] != ANNOTATOR


def _beside(agreement: SpanAgreement, pair: SpanPairAgreement) -> SpanHumans | None:
    if agreement.spans.roles[pair.second] == ANNOTATOR:
        return None
    return _humans(agreement, pair.first, pair.documents)


def _humans(agreement: SpanAgreement, key: int, documents: Codes) -> SpanHumans:
    """Return how annotators agree in some documents (numbers), and with the key where it is a reference."""
    roles, size = agreement.spans.roles, len(agreement.spans.documents)
    chosen = np.zeros(size, dtype=np.bool_)
    chosen[documents] = True
    among = [each for each in agreement.pairs if roles[each.first] == roles[each.second] == ANNOTATOR]
    parts = [(each.documents, part) for each in among for part in _parts(agreement, each, chosen)]
    seen = np.zeros(size, dtype=np.bool_)
    for where, _ in parts:
        seen[where[chosen[where]]] = True
    return SpanHumans(
        documents=int(seen.sum()),
        pairs=len(parts),
        mean=_mean([(where[chosen[where]], part[F]) for where, part in parts], size),
        against=dict(_against(agreement, key, chosen)),
    )


def _parts(agreement: SpanAgreement, pair: SpanPairAgreement, chosen: Mask) -> Iterator[dict[str, Ratio]]:
    """Yield a pair's shares in the chosen documents (documents,), unless it has none of them."""
    rows = chosen[pair.documents]
    if rows.any():
        yield ratios(pair.counts[rows], MODE, agreement.spans.beta, documents=pair.documents[rows])


def _mean(parts: Sequence[tuple[Codes, Ratio]], documents: int) -> Estimate:
    """Return the mean of some ratios, each given with its documents; each document counts once."""
    known = [(where, ratio, value) for where, ratio in parts if (value := ratio.value) is not None]
    if not known:
        return no_estimate(Undefined.NO_PAIR_DEFINED if parts else Undefined.NO_PAIR, 0)
    influence, divisor = np.zeros(documents), np.zeros(documents)
    for where, ratio, _ in known:
        influence[where] += ratio.influence() / len(known)
        divisor[where] += ratio.denominator / float(ratio.denominator.sum())
    counted = divisor > 0
    mean = math.fsum(value for *_, value in known) / len(known)
    estimate = Estimate(mean, int(counted.sum()))
    missed = sum(ratio.missed for _, ratio, _ in known)
    of_each = Drawn(np.flatnonzero(counted), divisor[counted])
    return drawn(estimate, influence[counted], missed, documents=of_each)


def _against(agreement: SpanAgreement, key: int, chosen: Mask) -> Iterator[tuple[int, dict[str, Estimate]]]:
    roles = agreement.spans.roles
    for pair in agreement.pairs:
        if pair.first == key and roles[key] == REFERENCE and roles[pair.second] == ANNOTATOR:
            for shares in _parts(agreement, pair, chosen):
                yield pair.second, {name: shares[name].estimate() for name in SHOWN}
