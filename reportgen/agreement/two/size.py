"""How large is the non-annotated category, and what does each figure make of it?

Units that neither annotator marked are counted by choice: every token, every candidate, none. Each
figure is a function of their number, and most have a limit as it grows without bound. (Hripcsak and
Rothschild 2005 for two categories; the closed form for more is 1 - d / (R + S).)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from reportgen.agreement.distances import Distance, nominal
from reportgen.agreement.estimate import Floats
from reportgen.agreement.two.chance import Chance, expected_disagreement
from reportgen.agreement.two.shares import finn_distance, finn_variance
from reportgen.counts import PairTable
from reportgen.study import Codes

# The largest size drawn, as a multiple of the declared one, and the step between two sizes (6/5).
REACH = 100
STEP = (6, 5)


@dataclass(frozen=True)
class Sums:
    """The whole numbers that figures of any number of annotators at every size come from.

    `disagreements` are those of every two annotators, over their pairs; `marks` the ratings that are marks
    and `squares` the sum of the squares of each marked category's; `products` sums over pairs of annotators
    the product of what each of the two marked and, for each marked category, that of how often each gave it.
    """

    annotators: int
    categories: int
    disagreements: int
    marks: int
    squares: int
    products: int


@dataclass(frozen=True)
class SizeCurve:
    """Figures of a pair as a function of the number of units.

    `declared` is the size of this unit set, `marked` its units that somebody marked, which is the least
    size; `sizes` are numbers of units, `values` one figure for each size (None where undefined) and
    `limit` what each tends to as the size grows without bound. `f_labelled` and `f_unlabelled` are F-measures
    over marked units, with the label and of being marked at all: their mean is the limit of kappa. Of more
    than two annotators all are over their pairs, and `sums` has what the values come from.
    """

    declared: int
    marked: int
    sizes: tuple[int, ...]
    values: Mapping[str, tuple[float | None, ...]]
    limit: Mapping[str, float | None]
    f_labelled: float | None = None
    f_unlabelled: float | None = None
    sums: Sums | None = None

    def without(self, figure: str) -> "SizeCurve":
        """Return the curve without a figure that the scale does not have."""
        values = {name: each for name, each in self.values.items() if name != figure}
        limit = {name: each for name, each in self.limit.items() if name != figure}
        return replace(self, values=values, limit=limit)


def size_curve(
    table: PairTable, non_annotated: int, distances: Sequence[Distance], also: Sequence[int]
) -> SizeCurve:
    """Return the curve of a pair; `distances` are the tables to weight with, `also` further sizes to show."""
    marked = table.units - int(table.agreements[non_annotated])
    sizes = sizes_shown(marked, table.units, also)
    shown = np.array(sizes, dtype=np.int64)
    rows, columns = (
        _margins(totals, table, non_annotated, shown) for totals in (table.row_totals, table.column_totals)
    )
    values = {name: _finite(curve) for name, curve in _curves(table, distances, rows, columns, shown).items()}
    limits, halves = _limits(table, non_annotated, distances), marked_f(table, non_annotated)
    return SizeCurve(table.units, marked, sizes, values, limits, *halves)


def sizes_shown(marked: int, declared: int, also: Sequence[int]) -> tuple[int, ...]:
    """Return the sizes to show: at even proportions from the marked units up, and the declared ones."""
    last = REACH * max(declared, *also, 1)
    steps = [max(marked, 1)]
    while steps[-1] < last:
        steps.append(max(steps[-1] + 1, steps[-1] * STEP[0] // STEP[1]))
    return tuple(sorted({*steps, declared, *(size for size in also if size >= max(marked, 1))}))


def _margins(totals: Codes, table: PairTable, non_annotated: int, sizes: Codes) -> Codes:
    """Return an annotator's totals (sizes, categories) as they would be at each size."""
    margins = np.repeat(totals[None, :], len(sizes), axis=0)
    margins[:, non_annotated] += sizes - table.units
    return margins


def _curves(
    table: PairTable, distances: Sequence[Distance], rows: Codes, columns: Codes, sizes: Codes
) -> dict[str, Floats]:
    size = table.categories
    plain, cells = nominal(size), table.cells
    variances = (cells.value * finn_distance(cells.row, cells.column)).sum()

    def curve(distance: Distance, chance: Chance) -> Floats:
        observed = distance.within(cells) / sizes
        expected = expected_disagreement(chance, rows, columns, distance)
        ratio = np.full(len(sizes), np.nan)
        np.divide(observed, expected, out=ratio, where=expected > 0)
        return 1 - ratio

    found = {
        "observed_agreement": 1 - table.disagreements / sizes,
        "bennett_s": curve(plain, Chance.UNIFORM),
        "scott_pi": curve(plain, Chance.POOLED),
        "cohen_kappa": curve(plain, Chance.OWN),
        "krippendorff_alpha": curve(plain, Chance.SAMPLED),
        "finn_r": 1 - variances / sizes / finn_variance(size),
    }
    for distance in distances:
        found[f"krippendorff_alpha[{distance.id}]"] = curve(distance, Chance.SAMPLED)
        found[f"weighted_kappa[{distance.id}]"] = curve(distance, Chance.OWN)
    return found


def _finite(values: Floats) -> tuple[float | None, ...]:
    return tuple(value if np.isfinite(value) else None for value in values.tolist())


def _limits(table: PairTable, non_annotated: int, distances: Sequence[Distance]) -> dict[str, float | None]:
    """Return what each figure tends to: 1 - Σ n δ / Σ (r + s) δ0, which unweighted is 1 - d / (R + S)."""
    plain = chance_limit(table, non_annotated, nominal(table.categories))
    limits: dict[str, float | None] = dict.fromkeys(("observed_agreement", "bennett_s", "finn_r"), 1.0)
    limits |= dict.fromkeys(("scott_pi", "cohen_kappa", "krippendorff_alpha"), plain)
    for distance in distances:
        weighted = chance_limit(table, non_annotated, distance)
        limits |= {f"krippendorff_alpha[{distance.id}]": weighted, f"weighted_kappa[{distance.id}]": weighted}
    return limits


def marked_f(table: PairTable, non_annotated: int) -> tuple[float | None, float | None]:
    """Return 2D/(R + S) and 2(D + d)/(R + S); None where nothing is marked.

    R and S are the units that each marked, D those that both gave the same label, d those that both marked
    with different ones: the F-measures of label and place, and of place alone. Since R + S is 2D + 2d and
    what one alone marked, their mean is the limit of kappa.
    """
    last = non_annotated
    total = 2 * table.units - int(table.row_totals[last] + table.column_totals[last])
    if total == 0:
        return None, None
    none = int(table.agreements[last])
    alone = int(table.row_totals[last] + table.column_totals[last]) - 2 * none
    both = table.units - none - alone
    same = int(table.agreements.sum()) - none
    return 2 * same / total, 2 * both / total


def chance_limit(table: PairTable, non_annotated: int, distance: Distance) -> float | None:
    """Return the limit of pi, kappa and alpha with a distance; None where nothing is marked."""
    totals = table.row_totals + table.column_totals
    far = float((totals * distance.from_one(non_annotated)).sum())
    observed = distance.within(table.cells)
    return 1 - observed / far if far > 0 else None
