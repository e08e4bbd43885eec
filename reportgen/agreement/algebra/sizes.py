"""Coefficients at other sizes of the non-annotated category, and what they tend to as it grows.

Sums grow evenly with the units that everybody gives one category, so that a coefficient is a quotient of
two polynomials of their number. Computed once and exactly, it tells every size, and the limit from its
highest powers.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import zip_longest
from typing import Union

import numpy as np

from reportgen.agreement.algebra.formulas import Formula
from reportgen.agreement.algebra.rows import FIRST, SECOND, Scale, quotient
from reportgen.agreement.distances import Distance, nominal
from reportgen.agreement.estimate import Floats
from reportgen.study import Codes

# Coefficients of ascending powers, the last of which is not 0; none at all of a polynomial that is 0.
Polynomial = tuple[Fraction, ...]


@dataclass(frozen=True)
class Ratio:
    """A quotient of two polynomials of how many units there are that nobody marked."""

    above: Polynomial
    below: Polynomial = (Fraction(1),)

    @classmethod
    def of(cls, *coefficients: float | Fraction) -> "Ratio":
        """Return a polynomial, given its coefficients by ascending powers."""
        return cls(_polynomial(coefficients))

    def __add__(self, other: "Number") -> "Ratio":
        """Return the sum."""
        more = _ratio(other)
        above = _plus(_times(self.above, more.below), _times(more.above, self.below))
        return Ratio(above, _times(self.below, more.below))

    def __mul__(self, other: "Number") -> "Ratio":
        """Return the product."""
        more = _ratio(other)
        return Ratio(_times(self.above, more.above), _times(self.below, more.below))

    def __sub__(self, other: "Number") -> "Ratio":
        """Return the difference."""
        return self + _ratio(other) * -1

    def __rsub__(self, other: "Number") -> "Ratio":
        """Return a number less this one."""
        return self * -1 + other

    def __truediv__(self, other: "Number") -> "Ratio":
        """Return the quotient."""
        more = _ratio(other)
        return Ratio(_times(self.above, more.below), _times(self.below, more.above))

    __radd__ = __add__
    __rmul__ = __mul__

    @property
    def simplest(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return both as whole numbers, nothing being left that divides both."""
        common, rest = self.above, self.below
        while rest:
            common, rest = rest, _divided(common, rest)[1]
        parts = [_divided(each, common or (Fraction(1),))[0] for each in (self.above, self.below)]
        scale = math.lcm(*(each.denominator for part in parts for each in part))
        whole = [[int(each * scale) for each in part] for part in parts]
        least = math.gcd(*(each for part in whole for each in part)) or 1
        above, below = (tuple(each // least for each in part) for part in whole)
        return above, below

    def at(self, units: Codes) -> Floats:
        """Return its values for so many units that nobody marked (sizes,), NaN where it is by nothing."""
        above, below = (_values(each, units.astype(np.float64)) for each in (self.above, self.below))
        return quotient(above, below)

    @property
    def limit(self) -> Fraction | None:
        """Return what it tends to as the units grow without bound, None where it is by nothing."""
        if not self.below:
            return None
        return self.above[-1] / self.below[-1] if len(self.above) == len(self.below) else Fraction(0)


Number = Union[int, float, Fraction, Ratio]  # noqa: UP007 - Ratio annotates itself


def _ratio(number: Number) -> Ratio:
    return number if isinstance(number, Ratio) else Ratio.of(number)


def _polynomial(coefficients: Sequence[float | Fraction]) -> Polynomial:
    found = [Fraction(each) for each in coefficients]
    while found and not found[-1]:
        found.pop()
    return tuple(found)


def _plus(one: Polynomial, other: Polynomial) -> Polynomial:
    return _polynomial([a + b for a, b in zip_longest(one, other, fillvalue=Fraction(0))])


def _times(one: Polynomial, other: Polynomial) -> Polynomial:
    found = [Fraction(0)] * (len(one) + len(other))
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            found[i + j] += a * b
    return _polynomial(found)


def _divided(one: Polynomial, other: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Return the quotient of two polynomials, and what is left over."""
    found: Polynomial = ()
    while len(one) >= len(other):
        lead = (*(Fraction(0),) * (len(one) - len(other)), one[-1] / other[-1])
        found = _plus(found, lead)
        one = _plus(one, _times(lead, tuple(-each for each in other)))
    return found, one


def _values(polynomial: Polynomial, at: Floats) -> Floats:
    found = np.zeros_like(at)
    for each in reversed(polynomial):
        found = found * at + float(each)
    return found


@dataclass(frozen=True, eq=False)
class Growing:
    """Sums as coefficients take them (`formulas.Sums`), of units that everybody rated.

    `marked` are those that somebody marked, `distances` is the sum of the distances of their pairs of
    ratings, and `labels` (annotators, categories) has whose labels they are. To these come units that
    everybody gives one `category`.
    """

    distance: Distance
    marked: int
    distances: float
    labels: Codes
    category: int

    @cached_property
    def scale(self) -> Scale:
        """Return what is taken from the distance."""
        return Scale(self.distance)

    @property
    def uniform(self) -> Fraction:
        """Return the mean distance of two categories; so with what follows."""
        return Fraction(self.distance.total) / self.categories**2

    @property
    def farthest(self) -> float:
        """Return the distance at which the weights of AC2 are 0."""
        return self.scale.farthest

    @property
    def weights(self) -> Fraction:
        """Return the sum of these weights."""
        return Fraction(self.scale.weights)

    @property
    def categories(self) -> int:
        """Return how many categories there are."""
        return self.distance.size

    @property
    def annotators(self) -> int:
        """Return how many annotators there are."""
        return len(self.labels)

    @property
    def units(self) -> Ratio:
        """Return how many units there are."""
        return Ratio.of(self.marked, 1)

    @property
    def ratings(self) -> Ratio:
        """Return how many ratings they have."""
        return self.units * self.annotators

    @property
    def apart(self) -> Ratio:
        """Return the mean distances of their pairs of ratings, added up."""
        pairs = self.annotators * (self.annotators - 1)
        return Ratio.of(2 * Fraction(self.distances) / pairs)

    @property
    def met(self) -> Ratio:
        """Return the same, times the ratings of each."""
        return self.apart * self.annotators

    def chance(self, one: str, other: str, *, replaced: bool = True) -> Ratio:
        """Return the mean distance of two labels drawn at random."""
        first, second = self._labels(one), self._labels(other)
        drawn = self.units * len(second)
        from_all = self.units * len(first) * (drawn if replaced else drawn - 1)
        return self._apart(first, second, self.distance) / from_all

    def mixed(self) -> Ratio:
        """Return how often two labels drawn from all units differ."""
        plain = self._apart(self.labels, self.labels, nominal(self.categories))
        return plain / (self.ratings * self.ratings)

    def between(self) -> Ratio:
        """Return the mean distance of two labels of two annotators, each drawn from that one's own."""
        of_all = self._apart(self.labels, self.labels, self.distance)
        for own in self.labels:
            of_all = of_all - self._apart(own[None], own[None], self.distance)
        return of_all / (self.units * self.units * (self.annotators * (self.annotators - 1)))

    def _labels(self, name: str) -> Codes:
        """Return whose labels a name stands for; shares are those of all, as units have as many ratings."""
        places = {FIRST: slice(0, 1), SECOND: slice(1, 2)}
        return self.labels[places.get(name, slice(None))]

    def _apart(self, one: Codes, other: Codes, distance: Distance) -> Ratio:
        """Return the sum of the distances of every label of some annotators from every one of others."""
        first, second = (each.sum(axis=0).astype(np.float64) for each in (one, other))
        there, back = distance.toward(second), distance.toward(first)
        more = len(one) * there[self.category] + len(other) * back[self.category]
        return Ratio.of(float((first * there).sum()), float(more))


def fall(formula: Formula, sums: Growing) -> Ratio:
    """Return how far a coefficient is below 1: observed by expected disagreement."""
    observed, expected = formula(sums)
    found: Ratio = observed / expected
    return found
