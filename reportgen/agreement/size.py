"""How large is the non-annotated category, and what does each figure make of it?

Units that no annotator marked are counted by choice: every token, every candidate, none. Each figure is a
function of their number, and most have a limit as it grows without bound. (Hripcsak and Rothschild 2005 for
two categories; the closed form for more is 1 - d / (R + S), of several annotators summed over their pairs.)
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from reportgen.agreement.algebra import formulas
from reportgen.agreement.algebra.formulas import Formula
from reportgen.agreement.algebra.parts import parts_of
from reportgen.agreement.algebra.rows import Rows, values_of
from reportgen.agreement.algebra.sizes import grown, limit
from reportgen.agreement.catalogue import measure_of
from reportgen.agreement.distances import Distance, nominal
from reportgen.agreement.estimate import Floats
from reportgen.agreement.measure import ALL_RATED
from reportgen.agreement.sets.distances import set_distances
from reportgen.agreement.several.profiles import PAIR, Profiles, profiles_of_pair
from reportgen.agreement.several.units import UnitRatings
from reportgen.agreement.two.shares import finn_distance, finn_variance
from reportgen.agreement.whole import Whole
from reportgen.counts import PairTable
from reportgen.study import NO_CATEGORY

# The largest size drawn, as a multiple of the declared one, and the step between two sizes (6/5).
REACH = 100
STEP = (6, 5)
# What has a curve, and of which distances.
OF_TWO: Mapping[str, Formula] = {
    "observed_agreement": formulas.observed_agreement,
    "bennett_s": formulas.bennett_s,
    "scott_pi": formulas.scott_pi,
    "cohen_kappa": formulas.cohen_kappa,
    "krippendorff_alpha": formulas.krippendorff_alpha,
}
OF_SEVERAL: Mapping[str, Formula] = {
    "observed_agreement": formulas.observed_agreement,
    "bennett_s": formulas.bennett_s,
    "fleiss_kappa": formulas.fleiss_kappa,
    "krippendorff_alpha": formulas.krippendorff_alpha,
    "gwet_ac1": formulas.gwet_ac,
}
WEIGHTED_OF_TWO: Mapping[str, Formula] = {
    "krippendorff_alpha": formulas.krippendorff_alpha,
    "weighted_kappa": formulas.cohen_kappa,
}
WEIGHTED_OF_SEVERAL: Mapping[str, Formula] = {"krippendorff_alpha": formulas.krippendorff_alpha}


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
    profiles = profiles_of_pair(table)
    curve = _curve(profiles, non_annotated, 2, also, (OF_TWO, WEIGHTED_OF_TWO, distances))
    cells, sizes = table.cells, np.array(curve.sizes)
    variance = (cells.value * finn_distance(cells.row, cells.column)).sum()
    finn = 1 - variance / sizes / finn_variance(table.categories)
    labelled, unlabelled = marked_f(table, non_annotated)
    return replace(
        curve,
        values={**curve.values, "finn_r": _finite(finn)},
        limit={**curve.limit, "finn_r": 1.0},
        f_labelled=labelled,
        f_unlabelled=unlabelled,
    )


Asked = tuple[Mapping[str, Formula], Mapping[str, Formula], Sequence[Distance]]


def _curve(
    profiles: Profiles, non_annotated: int, annotators: int, also: Sequence[int], asked: Asked
) -> SizeCurve:
    """Return coefficients at every size; `asked` are the plain ones, those of distances, and these."""
    marked = int(profiles.times[(profiles.labels != non_annotated).any(axis=1)].sum())
    sizes = sizes_shown(marked, profiles.units, also)
    shown = np.array(sizes, dtype=np.int64)
    values, limits = {}, {}
    for name, formula, total in _totals(profiles, *asked):
        values[name] = _finite(values_of(formula, grown(total, non_annotated, annotators, shown)))
        limits[name] = limit(formula, total, non_annotated, annotators)
    return SizeCurve(profiles.units, marked, sizes, values, limits)


def _totals(
    profiles: Profiles,
    plain: Mapping[str, Formula],
    weighted: Mapping[str, Formula],
    distances: Sequence[Distance],
) -> Iterator[tuple[str, Formula, Rows]]:
    """Yield each coefficient, its id, and the sums that it is of."""
    total = parts_of(profiles, nominal(profiles.categories)).total
    yield from ((name, formula, total) for name, formula in plain.items())
    for distance in distances:
        total = parts_of(profiles, distance).total
        yield from ((f"{name}[{distance.id}]", formula, total) for name, formula in weighted.items())


def sizes_shown(marked: int, declared: int, also: Sequence[int]) -> tuple[int, ...]:
    """Return the sizes to show: at even proportions from the marked units up, and the declared ones."""
    last = REACH * max(declared, *also, 1)
    steps = [max(marked, 1)]
    while steps[-1] < last:
        steps.append(max(steps[-1] + 1, steps[-1] * STEP[0] // STEP[1]))
    return tuple(sorted({*steps, declared, *(size for size in also if size >= max(marked, 1))}))


def _finite(values: Floats) -> tuple[float | None, ...]:
    return tuple(value if np.isfinite(value) else None for value in values.tolist())


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


def size_curve_of_many(whole: Whole, also: Sequence[int] = ()) -> SizeCurve | None:
    """Return the curve of all annotators together; `also` are further sizes to show.

    None where no unit can be unmarked by all, or somebody did not rate a unit that others did: how many
    ratings a further unit has is not known there. Where units have a single rating, which some figures take
    chance from, those figures are left out.
    """
    profiles, non_annotated = whole.profiles, whole.setting.non_annotated
    if non_annotated == NO_CATEGORY or whole.categories < PAIR or profiles.units == 0:
        return None
    if (profiles.ratings != whole.annotators).any():
        return None
    alone = whole.rated.units > profiles.units
    plain = {name: f for name, f in OF_SEVERAL.items() if not (alone and _of_all_rated(name))}
    asked = plain, WEIGHTED_OF_SEVERAL, tuple(_distances(whole))
    curve = _curve(profiles, non_annotated, whole.annotators, also, asked)
    sums = sums_of(profiles, whole.ratings.paired, non_annotated)
    conger = {} if alone and _of_all_rated("conger_kappa") else _conger_curve(sums, curve.sizes)
    labelled, unlabelled = _halves(profiles, sums, non_annotated)
    return replace(
        curve,
        values={**curve.values, **conger},
        limit={**curve.limit, **dict.fromkeys(conger, _one_less(sums.disagreements, _marked_by_pairs(sums)))},
        f_labelled=labelled,
        f_unlabelled=unlabelled,
        sums=sums,
    )


def _of_all_rated(name: str) -> bool:
    return measure_of(name).missing == ALL_RATED


def _conger_curve(sums: Sums, sizes: Sequence[int]) -> dict[str, tuple[float | None, ...]]:
    """Return Conger's kappa at every size, from the products of what every two annotators marked."""
    found = (_one_less(sums.disagreements * n, n * _marked_by_pairs(sums) - sums.products) for n in sizes)
    return {"conger_kappa": tuple(found)}


def _distances(whole: Whole) -> Iterator[Distance]:
    """Yield the distances that alpha is weighted with, beside those that the annotations themselves give."""
    yield from whole.setting.distances
    if whole.setting.sets is not None:
        yield from set_distances(whole.setting.sets)


def sums_of(profiles: Profiles, ratings: UnitRatings, non_annotated: int) -> Sums:
    """Return what figures at every size come from; both arguments hold the units that all rated."""
    apart, totals = profiles.label_pairs, _without(profiles.totals.tolist(), non_annotated)
    own = [_without(row, non_annotated) for row in ratings.labels_by_annotator.tolist()]
    each = [sum(row) for row in own]
    return Sums(
        annotators=len(own),
        categories=profiles.categories,
        disagreements=int((apart.ways * profiles.times[apart.profile]).sum()),
        marks=sum(totals),
        squares=sum(total * total for total in totals),
        products=_products(each) + sum(map(_products, zip(*own, strict=True))),
    )


def _without(totals: Sequence[int], non_annotated: int) -> list[int]:
    return [total for category, total in enumerate(totals) if category != non_annotated]


def _products(values: Sequence[int]) -> int:
    """Return the sum of the products of every two values."""
    return (sum(values) ** 2 - sum(value * value for value in values)) // 2


def _marked_by_pairs(sums: Sums) -> int:
    """Return Σ (R + S), the units that each of a pair marked, over the pairs: everyone is in all but one."""
    return (sums.annotators - 1) * sums.marks


def _one_less(part: int, whole: int) -> float | None:
    """Return 1 - part / whole, divided once."""
    return (whole - part) / whole if whole > 0 else None


def _halves(profiles: Profiles, sums: Sums, non_annotated: int) -> tuple[float | None, float | None]:
    """Return F with the label and of being marked at all, over the pairs; None where nothing is marked.

    Every mark of one of a pair is agreed on, labelled otherwise by the other or not marked by the other.
    """
    total, apart = _marked_by_pairs(sums), profiles.label_pairs
    both = (apart.one != non_annotated) & (apart.other != non_annotated)
    otherwise = int((apart.ways * profiles.times[apart.profile])[both].sum())
    alone = sums.disagreements - otherwise
    return _one_less(2 * otherwise + alone, total), _one_less(alone, total)
