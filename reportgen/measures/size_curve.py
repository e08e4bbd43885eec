"""How large is the non-annotated category, and what does each figure make of it?

Units that no annotator marked are counted by choice: every token, every candidate, none. Each figure is a
function of their number, and most have a limit as it grows without bound. (Hripcsak and Rothschild 2005 for
two categories; the closed form for more is 1 - d / (R + S), of several annotators summed over their pairs.)
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Union

import numpy as np
import numpy.typing as npt
from numpy.polynomial import polynomial

from reportgen.base.dataclass import dataclass
from reportgen.catalogue import CATALOGUE, Measure, Who
from reportgen.counts import ContingencyTable
from reportgen.measures.complete_ratings import finn_distance, finn_variance
from reportgen.measures.distances import CategoryDistance, nominal
from reportgen.measures.estimate import Floats
from reportgen.measures.formulas import FIRST, SECOND, CoefficientSums, Formula, formula_of
from reportgen.measures.unit_profiles import LabelPatterns, profiles_of_pair
from reportgen.measures.unit_set_data import UnitsOfAll
from reportgen.readers import Codes
from reportgen.results import SizeCurve, Sums
from reportgen.units import NO_CATEGORY
from reportgen.units.labels import quotient

# Coefficients at other sizes of the non-annotated category, and what they tend to as it grows.
#
# Sums grow evenly with the units that everybody gives one category, so that a coefficient is a quotient of
# two polynomials of their number. Computed once and exactly, it tells every size, and the limit from its
# highest powers.

# Coefficients of ascending powers: Fractions, as numpy's functions of polynomials take them too.
Polynomial = npt.NDArray[np.object_]
Number = Union[int, float, Fraction, "PolynomialQuotient"]


@dataclass(frozen=True, eq=False)
class PolynomialQuotient:
    """A quotient of two polynomials of how many units there are that nobody marked."""

    above: Polynomial
    below: Polynomial

    @classmethod
    def of(cls, *coefficients: float | Fraction) -> "PolynomialQuotient":
        """Return a polynomial, given its coefficients by ascending powers."""
        exact = np.array([Fraction(coefficient) for coefficient in coefficients], dtype=np.object_)
        return cls(polynomial.polytrim(exact), ONE)

    def __add__(self, other: Number) -> "PolynomialQuotient":
        """Return the sum."""
        more = _ratio(other)
        parts = polynomial.polymul(self.above, more.below), polynomial.polymul(more.above, self.below)
        return PolynomialQuotient(polynomial.polyadd(*parts), polynomial.polymul(self.below, more.below))

    def __mul__(self, other: Number) -> "PolynomialQuotient":
        """Return the product."""
        more = _ratio(other)
        return PolynomialQuotient(
            polynomial.polymul(self.above, more.above), polynomial.polymul(self.below, more.below)
        )

    def __sub__(self, other: Number) -> "PolynomialQuotient":
        """Return the difference."""
        return self + _ratio(other) * -1

    def __rsub__(self, other: Number) -> "PolynomialQuotient":
        """Return a number less this one."""
        return self * -1 + other

    def __truediv__(self, other: Number) -> "PolynomialQuotient":
        """Return the quotient."""
        more = _ratio(other)
        return self * PolynomialQuotient(more.below, more.above)

    __radd__ = __add__
    __rmul__ = __mul__

    def at(self, units: Codes) -> Floats:
        """Return its values for so many units that nobody marked (sizes,), NaN where it is by nothing."""
        above, below = (
            polynomial.polyval(units.astype(np.float64), coefficients.astype(np.float64))
            for coefficients in (self.above, self.below)
        )
        return quotient(np.asarray(above, dtype=np.float64), np.asarray(below, dtype=np.float64), np.nan)

    @property
    def limit(self) -> Fraction | None:
        """Return what it tends to as the units grow without bound, None where it is by nothing."""
        if not self.below.any():
            return None
        lead: Fraction = self.above[-1] / self.below[-1]
        return lead if len(self.above) == len(self.below) else Fraction(0)


ONE: Polynomial = np.array([Fraction(1)], dtype=np.object_)


def _ratio(number: Number) -> PolynomialQuotient:
    return number if isinstance(number, PolynomialQuotient) else PolynomialQuotient.of(number)


class GrowingSums(CoefficientSums):
    """Sums as coefficients take them, of units that everybody rated, as polynomials.

    `marked` are those that somebody marked, `distances` is the sum of the distances of their pairs of
    ratings, and `labels` (annotators, categories) has whose labels they are. To these come units that
    everybody gives one `category`.
    """

    units: PolynomialQuotient
    ratings: PolynomialQuotient
    apart: PolynomialQuotient
    met: PolynomialQuotient

    def __init__(
        self, distance: CategoryDistance, marked: int, distances: float, labels: Codes, category: int
    ) -> None:
        """Take the sums of the marked units; the power of 1 is how many others there are."""
        self.distance, self.labels, self.category, self.annotators = distance, labels, category, len(labels)
        self.units = PolynomialQuotient.of(marked, 1)
        self.ratings = self.units * self.annotators
        # A unit's mean distance is the sum over its m (m - 1) / 2 pairs by their number; `met` times m.
        self.apart = PolynomialQuotient.of(
            2 * Fraction(distances) / (self.annotators * (self.annotators - 1))
        )
        self.met = self.apart * self.annotators

    @property
    def uniform(self) -> Fraction:
        """Return the mean distance of two categories."""
        return Fraction(self.distance.total) / self.categories**2

    @property
    def weights(self) -> Fraction:
        """Return the sum of the weights of AC2."""
        return Fraction(self.distance.weights)

    def chance(self, one: str, other: str, *, replaced: bool = True) -> PolynomialQuotient:
        """Return the mean distance of two labels drawn at random."""
        first, second = self._labels(one), self._labels(other)
        drawn = self.units * len(second)
        from_all = self.units * len(first) * (drawn if replaced else drawn - 1)
        return self._apart(first, second, self.distance) / from_all

    def mixed(self) -> PolynomialQuotient:
        """Return how often two labels drawn from all units differ."""
        plain = self._apart(self.labels, self.labels, nominal(self.categories))
        return plain / (self.ratings * self.ratings)

    def between(self) -> PolynomialQuotient:
        """Return the mean distance of two labels of two annotators, each drawn from that one's own."""
        of_all = self._apart(self.labels, self.labels, self.distance)
        for own in self.labels:
            of_all = of_all - self._apart(own[None], own[None], self.distance)
        return of_all / (self.units * self.units * (self.annotators * (self.annotators - 1)))

    def _labels(self, name: str) -> Codes:
        """Return whose labels a name means; shares are those of all, as units have as many ratings."""
        places = {FIRST: slice(0, 1), SECOND: slice(1, 2)}
        return self.labels[places.get(name, slice(None))]

    def _apart(self, one: Codes, other: Codes, distance: CategoryDistance) -> PolynomialQuotient:
        """Return the sum of the distances of every label of some annotators from every one of others."""
        first, second = (labels.sum(axis=0).astype(np.float64) for labels in (one, other))
        there, back = distance.toward(second), distance.toward(first)
        more = len(one) * there[self.category] + len(other) * back[self.category]
        return PolynomialQuotient.of(float((first * there).sum()), float(more))


def shortfall_polynomial(formula: Formula, sums: GrowingSums) -> PolynomialQuotient:
    """Return how far a coefficient is below 1: observed by expected disagreement."""
    observed, expected = formula(sums)
    quotient: PolynomialQuotient = observed / expected
    return quotient


# The largest size drawn, as a multiple of the declared one, and the step between two sizes (6/5).
REACH = 100
STEP = (6, 5)


def size_curve(
    table: ContingencyTable,
    non_annotated: int,
    distances: Sequence[CategoryDistance],
    also: Sequence[int],
    *,
    points: bool = True,
) -> SizeCurve:
    """Return the curve of a pair; `distances` are the tables to weight with, `also` further sizes to show.

    Finn's R is among the figures where categories are `points`.
    """
    labels = np.stack([table.row_totals, table.column_totals])
    units = RatedByAll(profiles_of_pair(table), labels, non_annotated)
    cells, asked = table.cells, _falls(units, CATALOGUE, "pair", distances)
    if points:
        variance = (cells.value * finn_distance(cells.row, cells.column)).sum()
        mean = PolynomialQuotient.of(float(variance)) / units.growing(nominal(table.categories)).units
        asked["finn_r"] = mean / finn_variance(table.categories)
    return _curve(units, asked, also).model_copy(update={"sums": None})


@dataclass(frozen=True, eq=False)
class RatedByAll:
    """Units that everybody rated; `labels` (annotators, categories) says how often who gave which."""

    profiles: LabelPatterns
    labels: Codes
    non_annotated: int

    @property
    def marked(self) -> int:
        """Return how many units somebody marked."""
        profiles = self.profiles
        return int(profiles.times[(profiles.labels != self.non_annotated).any(axis=1)].sum())

    def growing(self, distance: CategoryDistance) -> GrowingSums:
        """Return the sums of the marked units, to which those come that nobody marked."""
        pairs, times, of_marked = self.profiles.label_pairs, self.profiles.times, self.labels.copy()
        of_marked[:, self.non_annotated] -= self.profiles.units - self.marked
        apart = (pairs.ways * times[pairs.profile] * distance.at(pairs.one, pairs.other)).sum()
        return GrowingSums(distance, self.marked, float(apart), of_marked, self.non_annotated)


def _falls(
    units: RatedByAll, measures: Sequence[Measure], who: Who, distances: Sequence[CategoryDistance]
) -> dict[str, PolynomialQuotient]:
    """Return how far each coefficient with a curve is below 1, by its id: bare, then with each distance."""
    growing = units.growing(nominal(units.profiles.categories))
    falls = {
        each.id: shortfall_polynomial(formula_of(each), growing)
        for each in measures
        if who in each.size_curve
    }
    weighted = [measure for measure in measures if who in measure.weighted_size_curve]
    for distance in distances:
        growing = units.growing(distance)
        falls |= {
            f"{each.id}[{distance.id}]": shortfall_polynomial(formula_of(each), growing) for each in weighted
        }
    return falls


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
        values={
            name: tuple(value if np.isfinite(value) else None for value in (1 - fall.at(unmarked)).tolist())
            for name, fall in falls.items()
        },
        limit={name: None if fall.limit is None else float(1 - fall.limit) for name, fall in falls.items()},
        f_labelled=labelled,
        f_unlabelled=unlabelled,
        sums=sums,
    )


def sizes_shown(marked: int, declared: int, also: Sequence[int]) -> tuple[int, ...]:
    """Return the sizes to show: at even proportions from the marked units up, and the declared ones."""
    last = REACH * max(declared, *also, 1)
    steps = [max(marked, 1)]
    while steps[-1] < last:
        steps.append(max(steps[-1] + 1, steps[-1] * STEP[0] // STEP[1]))
    return tuple(sorted({*steps, declared, *(size for size in also if size >= max(marked, 1))}))


def size_curve_of_many(units_of_all: UnitsOfAll, also: Sequence[int] = ()) -> SizeCurve | None:
    """Return the curve of all annotators together; `also` are further sizes to show.

    None where no unit can be unmarked by all, or somebody did not rate a unit that others did: how many
    ratings a further unit has is not known there. Where units have a single rating, which some figures take
    chance from, those figures are left out.
    """
    profiles, non_annotated = units_of_all.profiles, units_of_all.setting.non_annotated
    if non_annotated == NO_CATEGORY or units_of_all.categories < 2 or profiles.units == 0:
        return None
    if units_of_all.units.margins is not None or (profiles.ratings != units_of_all.annotators).any():
        return None
    alone = units_of_all.rated.units > profiles.units
    measures = [measure for measure in CATALOGUE if not (alone and measure.single_ratings)]
    units = RatedByAll(profiles, units_of_all.ratings.paired.labels_by_annotator, non_annotated)
    return _curve(units, _falls(units, measures, "all", units_of_all.setting.fixed_distances), also)


def sums_of(units: RatedByAll) -> Sums:
    """Return what is counted of marks and disagreements over the pairs of annotators."""
    profiles, apart = units.profiles, units.profiles.label_pairs
    own = np.delete(units.labels, units.non_annotated, axis=1).tolist()
    totals, by_annotator = map(sum, zip(*own, strict=True)), [sum(row) for row in own]
    return Sums(
        annotators=len(own),
        categories=profiles.categories,
        disagreements=int((apart.ways * profiles.times[apart.profile]).sum()),
        marks=sum(by_annotator),
        squares=sum(total * total for total in totals),
        products=_products(by_annotator) + sum(map(_products, zip(*own, strict=True))),
    )


def _products(values: Sequence[int]) -> int:
    """Return the sum of the products of every two values."""
    return (sum(values) ** 2 - sum(value * value for value in values)) // 2


def _one_less(part: int, total: int) -> float | None:
    """Return 1 - part / whole, divided once."""
    return (total - part) / total if total > 0 else None


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
