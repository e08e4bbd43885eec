"""How large is the non-annotated category, and what does each figure make of it?

Units that no annotator marked are counted by choice: every token, every candidate, none. Each figure is a
function of their number, and most have a limit as it grows without bound. (Hripcsak and Rothschild 2005 for
two categories; the closed form for more is 1 - d / (R + S), of several annotators summed over their pairs.)
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from reportgen.counts import ContingencyTable
from reportgen.measures import formulas
from reportgen.measures.catalogue import measure_of
from reportgen.measures.distances import CategoryDistance, nominal, set_distances
from reportgen.measures.estimate import Floats
from reportgen.measures.formulas import Formula
from reportgen.measures.measure import ALL_RATED
from reportgen.measures.pairwise import finn_distance, finn_variance
from reportgen.measures.profiles import PAIR, Profiles, profiles_of_pair
from reportgen.measures.quotients import Growing, PolynomialQuotient, fall
from reportgen.measures.unit_set_data import Whole
from reportgen.measures.vectorized_sums import DistanceWeights
from reportgen.readers import Codes
from reportgen.results import SizeCurve, Sums
from reportgen.units import NO_CATEGORY

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
    "conger_kappa": formulas.conger_kappa,
    "krippendorff_alpha": formulas.krippendorff_alpha,
    "gwet_ac1": formulas.gwet_ac,
}
WEIGHTED_OF_TWO: Mapping[str, Formula] = {
    "krippendorff_alpha": formulas.krippendorff_alpha,
    "weighted_kappa": formulas.cohen_kappa,
}
WEIGHTED_OF_SEVERAL: Mapping[str, Formula] = {"krippendorff_alpha": formulas.krippendorff_alpha}


def size_curve(
    table: ContingencyTable, non_annotated: int, distances: Sequence[CategoryDistance], also: Sequence[int]
) -> SizeCurve:
    """Return the curve of a pair; `distances` are the tables to weight with, `also` further sizes to show."""
    labels = np.stack([table.row_totals, table.column_totals])
    units = RatedByAll(profiles_of_pair(table), labels, non_annotated)
    cells = table.cells
    variance = (cells.value * finn_distance(cells.row, cells.column)).sum()
    mean = PolynomialQuotient.of(float(variance)) / units.growing(nominal(table.categories)).units
    finn = mean / finn_variance(table.categories)
    asked = {**_falls(units, OF_TWO, WEIGHTED_OF_TWO, distances), "finn_r": finn}
    return _curve(units, asked, also).model_copy(update={"sums": None})


@dataclass(frozen=True, eq=False)
class RatedByAll:
    """Units that everybody rated; `labels` (annotators, categories) says how often who gave which."""

    profiles: Profiles
    labels: Codes
    non_annotated: int

    @property
    def marked(self) -> int:
        """Return how many units somebody marked."""
        profiles = self.profiles
        return int(profiles.times[(profiles.labels != self.non_annotated).any(axis=1)].sum())

    def growing(self, distance: CategoryDistance) -> Growing:
        """Return the sums of the marked units, to which those come that nobody marked."""
        pairs, times, of_marked = self.profiles.label_pairs, self.profiles.times, self.labels.copy()
        of_marked[:, self.non_annotated] -= self.profiles.units - self.marked
        apart = (pairs.ways * times[pairs.profile] * distance.at(pairs.one, pairs.other)).sum()
        return Growing(DistanceWeights(distance), self.marked, float(apart), of_marked, self.non_annotated)


def _falls(
    units: RatedByAll,
    plain: Mapping[str, Formula],
    weighted: Mapping[str, Formula],
    distances: Sequence[CategoryDistance],
) -> dict[str, PolynomialQuotient]:
    """Return how far each coefficient is below 1, by its id: the plain ones, then those of each distance."""
    growing = units.growing(nominal(units.profiles.categories))
    found = {name: fall(formula, growing) for name, formula in plain.items()}
    for distance in distances:
        growing = units.growing(distance)
        found |= {f"{name}[{distance.id}]": fall(formula, growing) for name, formula in weighted.items()}
    return found


def _curve(units: RatedByAll, falls: Mapping[str, PolynomialQuotient], also: Sequence[int]) -> SizeCurve:
    """Return coefficients at every size, given how far each is below 1."""
    sums, declared, marked = sums_of(units), units.profiles.units, units.marked
    sizes = sizes_shown(marked, declared, also)
    unmarked = np.array(sizes, dtype=np.int64) - marked
    labelled, unlabelled = _halves(units, sums)
    return SizeCurve(
        declared=declared,
        marked=marked,
        sizes=sizes,
        values={name: _finite(1 - each.at(unmarked)) for name, each in falls.items()},
        limit={name: _below_one(each) for name, each in falls.items()},
        f_labelled=labelled,
        f_unlabelled=unlabelled,
        sums=sums,
        quotients={name: each.simplest for name, each in falls.items() if "[" not in name},
    )


def _below_one(fallen: PolynomialQuotient) -> float | None:
    return None if fallen.limit is None else float(1 - fallen.limit)


def sizes_shown(marked: int, declared: int, also: Sequence[int]) -> tuple[int, ...]:
    """Return the sizes to show: at even proportions from the marked units up, and the declared ones."""
    last = REACH * max(declared, *also, 1)
    steps = [max(marked, 1)]
    while steps[-1] < last:
        steps.append(max(steps[-1] + 1, steps[-1] * STEP[0] // STEP[1]))
    return tuple(sorted({*steps, declared, *(size for size in also if size >= max(marked, 1))}))


def _finite(values: Floats) -> tuple[float | None, ...]:
    return tuple(value if np.isfinite(value) else None for value in values.tolist())


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
    units = RatedByAll(profiles, whole.ratings.paired.labels_by_annotator, non_annotated)
    return _curve(units, _falls(units, plain, WEIGHTED_OF_SEVERAL, tuple(_distances(whole))), also)


def _of_all_rated(name: str) -> bool:
    return measure_of(name).missing == ALL_RATED


def _distances(whole: Whole) -> Iterator[CategoryDistance]:
    """Yield the distances that alpha is weighted with, beside those that the annotations themselves give."""
    yield from whole.setting.distances
    if whole.setting.sets is not None:
        yield from set_distances(whole.setting.sets)


def sums_of(units: RatedByAll) -> Sums:
    """Return what is counted of marks and disagreements over the pairs of annotators."""
    profiles, apart = units.profiles, units.profiles.label_pairs
    own = np.delete(units.labels, units.non_annotated, axis=1).tolist()
    totals, each = map(sum, zip(*own, strict=True)), [sum(row) for row in own]
    return Sums(
        annotators=len(own),
        categories=profiles.categories,
        disagreements=int((apart.ways * profiles.times[apart.profile]).sum()),
        marks=sum(each),
        squares=sum(total * total for total in totals),
        products=_products(each) + sum(map(_products, zip(*own, strict=True))),
    )


def _products(values: Sequence[int]) -> int:
    """Return the sum of the products of every two values."""
    return (sum(values) ** 2 - sum(value * value for value in values)) // 2


def _one_less(part: int, whole: int) -> float | None:
    """Return 1 - part / whole, divided once."""
    return (whole - part) / whole if whole > 0 else None


def _halves(units: RatedByAll, sums: Sums) -> tuple[float | None, float | None]:
    """Return F with the label and of being marked at all, over the pairs; None where nothing is marked.

    Of a pair they are 2D / (R + S) and 2(D + d) / (R + S), R and S being the units that each marked, D those
    that both gave the same label, d those that both marked with different ones. Every mark of one of a pair
    is agreed on, labelled otherwise by the other or not marked by the other, and everyone is in all pairs but
    one: the mean of the two is the limit of kappa.
    """
    total, apart = (sums.annotators - 1) * sums.marks, units.profiles.label_pairs
    both = (apart.one != units.non_annotated) & (apart.other != units.non_annotated)
    otherwise = int((apart.ways * units.profiles.times[apart.profile])[both].sum())
    alone = sums.disagreements - otherwise
    return _one_less(2 * otherwise + alone, total), _one_less(alone, total)
