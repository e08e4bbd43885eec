"""How sums move a coefficient: its derivative at some sums, along others."""

from typing import Protocol

import numpy as np

from reportgen.agreement.algebra.dual import Dual
from reportgen.agreement.algebra.parts import Parts
from reportgen.agreement.algebra.rows import OWN, SHARES, OnScale, Rows
from reportgen.agreement.distances import Slope
from reportgen.agreement.estimate import Floats
from reportgen.study import Codes


class Direction(Protocol):
    """What is added to sums: what a unit of each kind adds, or a document, or other sums (directions,)."""

    @property
    def units(self) -> Floats: ...  # noqa: D102 - as in Sums
    @property
    def ratings(self) -> Floats: ...  # noqa: D102
    @property
    def apart(self) -> Floats: ...  # noqa: D102
    @property
    def met(self) -> Floats: ...  # noqa: D102

    def mass(self, name: str) -> Floats:
        """Return how many labels each adds under a name."""

    def sum_over(self, name: str, by_category: Floats) -> Floats:
        """Return the sum over them of a value by category, of OWN by annotator and category."""


class Along(OnScale):
    """Sums as coefficients take them (`formulas.Sums`), with their derivatives along a direction.

    Those of the population: drawing without putting back, which corrects for small samples, moves no sampling
    error. Gwet's irrCAC leaves that factor out of alpha's variance likewise; his pairedCAC has it.
    """

    def __init__(self, at: Rows, direction: Direction) -> None:
        """Take the derivative at the only row of some sums."""
        self.scale, self._at, self._direction = at.scale, at, direction

    @property
    def units(self) -> Dual:
        """Return how many units are compared."""
        return Dual(float(self._at.units[0]), self._direction.units)

    @property
    def ratings(self) -> Dual:
        """Return how many ratings they have."""
        return Dual(float(self._at.ratings[0]), self._direction.ratings)

    @property
    def apart(self) -> Dual:
        """Return the mean distances of their pairs of ratings, added up."""
        return Dual(float(self._at.apart[0]), self._direction.apart)

    @property
    def met(self) -> Dual:
        """Return the same, times the ratings of each."""
        return Dual(float(self._at.met[0]), self._direction.met)

    def chance(self, one: str, other: str, *, replaced: bool = True) -> Dual:  # noqa: ARG002 - of the population
        """Return the mean distance of two labels drawn at random."""
        first, second = (self._at.share(name)[0] for name in (one, other))
        there = self._at.scale.distance.toward(second)
        back = there if one == other else self._at.scale.distance.toward(first)
        value = float((first * there).sum())
        return Dual(value, self._moved(one, there, value) + self._moved(other, back, value))

    def between(self) -> Dual:
        """Return the mean distance of two labels of two annotators, each drawn from that one's own."""
        shares, others, pairs = (each[0] for each in self._at.apart_from_others())
        mean = (shares * others).sum(axis=-1)
        drawn = np.maximum(self._at.labels[OWN][0].sum(axis=-1), 1)
        moved = self._direction.sum_over(OWN, (others - mean[:, None]) / drawn[:, None])
        return Dual(float(mean.sum()) / pairs, moved * 2 / pairs)

    def mixed(self) -> Dual:
        """Return how often two labels drawn from all units differ."""
        shares = self._at.share(SHARES)[0]
        # Σ π (1 - π) is moved by 1 - 2π.
        by_category = 1 - 2 * shares
        slope = self._moved(SHARES, by_category, float((shares * by_category).sum()))
        return Dual(float((shares * (1 - shares)).sum()), slope)

    def _moved(self, name: str, by_category: Floats, mean: float) -> Floats:
        """Return how the mean over some labels of a value by category is moved."""
        moved = self._direction.sum_over(name, by_category) - mean * self._direction.mass(name)
        return moved / float(self._at.mass(name)[0])


class AlongUnits(Along):
    """The same along a unit of each kind, which also moves distances that come from the annotations."""

    def __init__(self, parts: Parts) -> None:
        """Take the derivative at the sums of all units."""
        super().__init__(parts.total, parts)
        self._parts = parts

    @property
    def apart(self) -> Dual:
        """Return the mean distances of pairs of ratings, added up."""
        return self._drifting(super().apart, self._at.units, self._seen)

    @property
    def met(self) -> Dual:
        """Return the same, times the ratings of each unit."""
        return self._drifting(super().met, self._at.ratings, self._seen)

    def chance(self, one: str, other: str, *, replaced: bool = True) -> Dual:
        """Return the mean distance of two labels drawn at random."""
        first, second = (self._at.share(name)[0] for name in (one, other))

        def slope(row: Codes, column: Codes) -> Floats:
            found: Floats = first[row] * second[column]
            return found

        return self._drifting(super().chance(one, other, replaced=replaced), np.ones(1), slope)

    def _seen(self, row: Codes, column: Codes) -> Floats:
        """Return how often two labels meet on a unit, as a share of all ratings."""
        found: Floats = self._parts.profiles.coincidences.at(row, column) / float(self._at.ratings[0])
        return found

    def _drifting(self, found: Dual, scale: Floats, slope: Slope) -> Dual:
        """Add what a unit moves through the distances, given the derivative of the mean by each."""
        drift, profiles = self._parts.scale.distance.drift, self._parts.profiles
        if drift is None:
            return found
        moved = profiles.drift(drift(slope)) * (float(scale[0]) / profiles.units)
        return Dual(found.value, found.slope + moved)
