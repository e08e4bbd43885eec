"""Each rating beside the others of its unit: what standing, drift and difficulty are made of."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from reportgen.agreement import Floats
from reportgen.study import NO_DOCUMENT, CodedUnits, Codes

PAIR = 2


@dataclass(frozen=True, eq=False)
class Ratings:
    """The ratings of units that at least two annotators rated: columns (ratings,).

    `weight` is for how many units each stands, `ratings` how many its unit has, `same` how many of those have
    its label, itself counted, and `agreeing` how many pairs of its unit agree.
    """

    annotators: int
    unit: Codes
    annotator: Codes
    document: Codes
    weight: Codes
    ratings: Codes
    same: Codes
    agreeing: Codes

    @cached_property
    def with_others(self) -> Floats:
        """Return the share of the unit's other annotators who gave the same label."""
        shares: Floats = (self.same - 1) / (self.ratings - 1)
        return shares

    @cached_property
    def among_others(self) -> Floats:
        """Return the agreeing share of pairs of the unit's other annotators, NaN with fewer than two."""
        pairs = (self.ratings - 1) * (self.ratings - PAIR) // PAIR
        found = np.full(len(self.unit), np.nan)
        np.divide(self.agreeing - (self.same - 1), pairs, out=found, where=pairs > 0)
        return found


def ratings_of(units: CodedUnits) -> Ratings:
    """Return the ratings of a unit set; a row of weight 0 stands for no unit."""
    per_unit = np.bincount(units.unit, minlength=len(units.unit_weight))
    kept = (per_unit[units.unit] >= PAIR) & (units.unit_weight[units.unit] > 0)
    unit, label = units.unit[kept], units.label[kept]
    _, place, times = np.unique(unit * len(units.categories) + label, return_inverse=True, return_counts=True)
    same = times[place.reshape(-1)]
    twice = np.zeros(len(per_unit), dtype=np.int64)
    np.add.at(twice, unit, same - 1)
    return Ratings(
        annotators=len(units.annotators),
        unit=unit,
        annotator=units.annotator[kept],
        document=units.unit_document[unit],
        weight=units.unit_weight[unit],
        ratings=per_unit[unit],
        same=same,
        agreeing=twice[unit] // PAIR,
    )


def sums(groups: Codes, values: Floats | Codes, size: int) -> Floats:
    """Return the sum of the values of each group (size,)."""
    found: Floats = np.bincount(groups, weights=values, minlength=size).astype(np.float64, copy=False)
    return found


def has_documents(ratings: Ratings) -> bool:
    """Tell whether the document of any of the units is known."""
    return bool((ratings.document != NO_DOCUMENT).any())
