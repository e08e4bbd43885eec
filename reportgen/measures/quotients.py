"""Coefficients at other sizes of the non-annotated category, and what they tend to as it grows.

Sums grow evenly with the units that everybody gives one category, so that a coefficient is a quotient of
two polynomials of their number. Computed once and exactly, it tells every size, and the limit from its
highest powers.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Union

import numpy as np
import numpy.typing as npt
from numpy.polynomial import polynomial

from reportgen.measures.distances import CategoryDistance, nominal
from reportgen.measures.estimate import Floats
from reportgen.measures.formulas import Formula
from reportgen.measures.vectorized_sums import FIRST, SECOND, DistanceWeights, OnScale, quotient
from reportgen.readers import Codes

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
        exact = np.array([Fraction(each) for each in coefficients], dtype=np.object_)
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

    @property
    def simplest(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return both as whole numbers, nothing being left that divides both; 0 is divided by nothing.

        Where nobody disagrees, what is below still tells the size at which chance gives nothing.
        """
        common, rest = self.above, self.below
        while rest.any():
            common, rest = rest, polynomial.polydiv(common, rest)[1]
        by = common if self.above.any() else ONE
        parts = [polynomial.polydiv(each, by)[0].tolist() for each in (self.above, self.below)]
        scale = math.lcm(*(each.denominator for part in parts for each in part))
        least = math.gcd(*(int(each * scale) for part in parts for each in part)) or 1
        above, below = (tuple(int(each * scale) // least for each in part) for part in parts)
        return above, below

    def at(self, units: Codes) -> Floats:
        """Return its values for so many units that nobody marked (sizes,), NaN where it is by nothing."""
        above, below = (
            polynomial.polyval(units.astype(np.float64), each.astype(np.float64))
            for each in (self.above, self.below)
        )
        return quotient(np.asarray(above, dtype=np.float64), np.asarray(below, dtype=np.float64))

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


@dataclass(frozen=True, eq=False)
class Growing(OnScale):
    """Sums as coefficients take them (`formulas.Sums`), of units that everybody rated.

    `marked` are those that somebody marked, `distances` is the sum of the distances of their pairs of
    ratings, and `labels` (annotators, categories) has whose labels they are. To these come units that
    everybody gives one `category`.
    """

    scale: DistanceWeights
    marked: int
    distances: float
    labels: Codes
    category: int

    @property
    def uniform(self) -> Fraction:
        """Return the mean distance of two categories."""
        return Fraction(self.scale.distance.total) / self.categories**2

    @property
    def weights(self) -> Fraction:
        """Return the sum of the weights of AC2."""
        return Fraction(self.scale.weights)

    @property
    def annotators(self) -> int:
        """Return how many annotators there are."""
        return len(self.labels)

    @property
    def units(self) -> PolynomialQuotient:
        """Return how many units there are."""
        return PolynomialQuotient.of(self.marked, 1)

    @property
    def ratings(self) -> PolynomialQuotient:
        """Return how many ratings they have."""
        return self.units * self.annotators

    @property
    def apart(self) -> PolynomialQuotient:
        """Return the mean distances of their pairs of ratings, added up."""
        pairs = self.annotators * (self.annotators - 1)
        return PolynomialQuotient.of(2 * Fraction(self.distances) / pairs)

    @property
    def met(self) -> PolynomialQuotient:
        """Return the same, times the ratings of each."""
        return self.apart * self.annotators

    def chance(self, one: str, other: str, *, replaced: bool = True) -> PolynomialQuotient:
        """Return the mean distance of two labels drawn at random."""
        first, second = self._labels(one), self._labels(other)
        drawn = self.units * len(second)
        from_all = self.units * len(first) * (drawn if replaced else drawn - 1)
        return self._apart(first, second, self.scale.distance) / from_all

    def mixed(self) -> PolynomialQuotient:
        """Return how often two labels drawn from all units differ."""
        plain = self._apart(self.labels, self.labels, nominal(self.categories))
        return plain / (self.ratings * self.ratings)

    def between(self) -> PolynomialQuotient:
        """Return the mean distance of two labels of two annotators, each drawn from that one's own."""
        of_all = self._apart(self.labels, self.labels, self.scale.distance)
        for own in self.labels:
            of_all = of_all - self._apart(own[None], own[None], self.scale.distance)
        return of_all / (self.units * self.units * (self.annotators * (self.annotators - 1)))

    def _labels(self, name: str) -> Codes:
        """Return whose labels a name stands for; shares are those of all, as units have as many ratings."""
        places = {FIRST: slice(0, 1), SECOND: slice(1, 2)}
        return self.labels[places.get(name, slice(None))]

    def _apart(self, one: Codes, other: Codes, distance: CategoryDistance) -> PolynomialQuotient:
        """Return the sum of the distances of every label of some annotators from every one of others."""
        first, second = (each.sum(axis=0).astype(np.float64) for each in (one, other))
        there, back = distance.toward(second), distance.toward(first)
        more = len(one) * there[self.category] + len(other) * back[self.category]
        return PolynomialQuotient.of(float((first * there).sum()), float(more))


def fall(formula: Formula, sums: Growing) -> PolynomialQuotient:
    """Return how far a coefficient is below 1: observed by expected disagreement."""
    observed, expected = formula(sums)
    found: PolynomialQuotient = observed / expected
    return found
