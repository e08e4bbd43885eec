"""How well one of two people meets the other, the key: precision and recall of categories, macro F.

Also how much each unit moves such a figure, so that means over several pairs have intervals too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from reportgen.counts import Cells, ContingencyTable
from reportgen.measures import distances, formulas
from reportgen.measures.catalogue import BY_ID
from reportgen.measures.coefficients import observed, specific_of_pair
from reportgen.measures.distances import CategoryDistance
from reportgen.measures.estimate import LOWEST, Estimate, Floats, Undefined, no_estimate, with_interval
from reportgen.measures.estimates import coefficient, parts_of
from reportgen.measures.figures import figure
from reportgen.measures.formulas import Formula
from reportgen.measures.measure import base_id, of_several_units
from reportgen.measures.profiles import profiles_of_pair
from reportgen.measures.sets import alone, label_counts, labels_of, used_of_two
from reportgen.measures.setting import Setting, rated_only, scale_distances
from reportgen.measures.unit_set_data import UnitsOfPair
from reportgen.readers import Codes
from reportgen.results import Mean
from reportgen.results.annotators import CategoryScores
from reportgen.units import NO_CATEGORY, Mask

MACRO = "specific_agreement[macro]"
OBSERVED, KAPPA, ALPHA = "observed_agreement", "cohen_kappa", "krippendorff_alpha"


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


def scores_by_category(
    table: ContingencyTable, setting: Setting, names: Sequence[str], humans: Sequence[Mean | None] = ()
) -> dict[str, CategoryScores]:
    """Return the scores of each category that one of two used, of sets of each label that one chose.

    `names` are those of the categories; `humans` (categories,), where it is known, the mean of annotators.
    """
    return {
        names[code]: _scores(alone(table, code, setting.sets), humans[code] if humans else None)
        for code in _used_codes(table, setting)
    }


def specific_by_category(
    table: ContingencyTable, setting: Setting, names: Sequence[str]
) -> dict[str, Estimate]:
    """Return the specific agreement of each category that one of two used, of sets of each label."""
    return {
        names[code]: specific_of_pair(alone(table, code, setting.sets))
        for code in _used_codes(table, setting)
    }


def _used_codes(table: ContingencyTable, setting: Setting) -> list[int]:
    used: list[int] = np.flatnonzero(used_of_two(table, setting.sets)).tolist()
    return used


def _scores(alone: ContingencyTable, humans: Mean | None) -> CategoryScores:
    """Return how well one of two meets the key, the first, in a category, code 0.

    Precision is both / other, recall both / key, and specific agreement, 2 both / (key + other), their
    F-measure.
    """
    row, column = (codes == 0 for codes in (alone.cells.row, alone.cells.column))
    return CategoryScores(
        key=int(alone.row_totals[0]),
        other=int(alone.column_totals[0]),
        both=int(alone.agreements[0]),
        precision=figure(_share(alone, row & column, column, Undefined.NOT_USED_BY_OTHER)),
        recall=figure(_share(alone, row & column, row, Undefined.NOT_USED_BY_KEY)),
        specific_agreement=figure(specific_of_pair(alone)),
        humans=humans,
    )


def _share(table: ContingencyTable, part: Mask, whole: Mask, reason: Undefined) -> Estimate:
    """Return a ratio of sums over units, `part` and `whole` being the cells whose units are counted."""
    total = int(table.cells.value[whole].sum())
    if total == 0:
        return no_estimate(reason if table.units else Undefined.NO_UNITS, table.units)
    seen = int(table.cells.value[part].sum())
    # A ratio of sums a / b is moved by (∂a - a / b · ∂b) / b, here times all units.
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
    # 2b / t of a category is moved by (2 [both used it] - 2b / t · (uses of it)) / t; the mean by their mean.
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
    estimate = observed(UnitsOfPair(table, Setting()))[OBSERVED]
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


def agreement_means(tables: list[ContingencyTable], setting: Setting) -> list[Mean | None]:
    """Return for each category, or label, the mean of specific agreement over the pairs of whom one used it.

    None where there are no such pairs.
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
    return [Mean(value=value / n, pairs=n) if n else None for value, n in pairs]
