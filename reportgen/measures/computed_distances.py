"""Distances computed from the annotations themselves (Fort, François and Ghribi 2010).

Few of thousands of categories ever meet, so that only those that do are looked at: all others are as far
apart as categories can be.
"""

from functools import cached_property, partial

import numpy as np

from reportgen.counts import Cells, ContingencyTable, added_up
from reportgen.measures.distances import CategoryDistance, DistanceInfluence, Slope, of_others
from reportgen.measures.estimate import ROUNDING, Floats
from reportgen.readers import Codes
from reportgen.units import Mask


def conditional_probabilities(coincidences: Cells) -> Cells:
    """Return P(C2|C1), rows C1, columns C2: how often a category C1 by one annotator meets C2 by another.

    `coincidences` are symmetric: how often one label meets another, each pair of annotators counted both
    ways. Of two annotators it is their table with its transpose, so that this is (n12 + n21) / n1 with n1
    all ratings of C1 by both (Fort, François and Ghribi 2010, section 4.2, table 5); of more, Krippendorff's
    coincidence matrix over its row totals. Nothing stands in the row of a category that nobody used. The
    diagonal is specific agreement.
    """
    shares = coincidences.value / coincidences.totals[coincidences.row]
    return Cells(coincidences.size, coincidences.key, shares)


def coincidences_of_two(table: ContingencyTable) -> Cells:
    """Return how often each label meets each other one in a pair's table, both ways."""
    cells = table.cells
    both_ways = [(cells.row, cells.column, cells.value), (cells.column, cells.row, cells.value)]
    return added_up(cells.size, both_ways)


class ConditionalDistance(CategoryDistance):
    """The mean or the product of the two oriented distances 1 - P(C2|C1), from `units` units.

    Section 4.2, table 6. Distances of a category that no annotator used weigh nothing, whatever they are.
    """

    def __init__(self, coincidences: Cells, units: int, *, product: bool) -> None:
        """Keep what meets, all other distances being 1."""
        self.id = "computed"
        self.size = coincidences.size
        self.drift = self._drift
        self._met, self._units, self._product = coincidences, units, product

    @cached_property
    def shares(self) -> Cells:
        """Return P(C2|C1)."""
        return conditional_probabilities(self._met)

    def _oriented(self, one: Codes, other: Codes) -> Floats:
        found: Floats = 1 - self.shares.at(one, other)
        return found

    def at(self, one: Codes, other: Codes) -> Floats:
        """Return the distances of some categories from others."""
        there, back = self._oriented(one, other), self._oriented(other, one)
        apart = there * back if self._product else (there + back) / 2
        return np.where(one == other, 0.0, apart)

    @property
    def matrix(self) -> Floats:
        """Return all distances (categories, categories)."""
        code = np.arange(self.size)
        return self.at(code[:, None], code[None, :])

    @cached_property
    def _beside(self) -> tuple[Codes, Codes]:
        """Return the rows and columns of different categories that meet."""
        apart = self._met.row != self._met.column
        return self._met.row[apart], self._met.column[apart]

    def toward(self, weights: Floats) -> Floats:
        """Return the sum of each category's distances from all, weighted (…, categories)."""
        one, other = self._beside
        nearer = np.zeros_like(weights)
        np.add.at(nearer.T, one, (weights[..., other] * (1 - self.at(one, other))).T)
        others = of_others(weights)
        found = others - nearer
        # Where all are at distance zero, rounding is what is left.
        return np.where(found > ROUNDING * others, found, 0.0)

    def farthest(self, used: Mask) -> float:
        """Return the largest distance of some categories (categories,): 1 where two of them never meet."""
        one, other = self._beside
        kept = used[one] & used[other]
        most = int(np.count_nonzero(used))
        if np.count_nonzero(kept) < most * (most - 1):
            return 1.0
        return float(self.at(one[kept], other[kept]).max(initial=0.0))

    def _drift(self, slope: Slope) -> DistanceInfluence:
        """Return the influence that goes through the computed distances.

        Two ratings a ≠ b of a unit move P(b|a) and P(a|b); by being of a and b at all they move every P(j|a)
        and P(j|b), and with them the distance d(a, j), by -1/2 or by -(1 - P(a|j)).
        """
        one, other = self._beside
        by_share = -self._oriented(other, one) if self._product else np.full(len(one), -0.5)
        used = self._met.totals[one] / self._units
        moved = Cells(
            self.size, one * self.size + other, (slope(one, other) + slope(other, one)) * by_share / used
        )
        base = np.zeros(self.size)
        np.add.at(base, one, moved.value * self.shares.at(one, other))
        both = Cells(self.size, moved.key, moved.value + moved.at(other, one))
        return DistanceInfluence(-base, both)

    def shown(self, codes: Codes) -> Floats:
        """Return the distances of some categories for display: NaN to and from one that nobody used."""
        unused = self._met.totals[codes] == 0
        matrix = self.at(codes[:, None], codes[None, :])
        matrix[unused, :] = matrix[:, unused] = np.nan
        return matrix


# Made for alpha, and for weighted kappa.
computed_mean = partial(ConditionalDistance, product=False)
computed_product = partial(ConditionalDistance, product=True)


def coincidence_tables(coincidences: Cells, codes: Codes) -> dict[str, Floats]:
    """Return what some categories' coincidences are, and what Fort et al. compute from them.

    That is the probabilities and the two distances, NaN where nobody used the category.
    """
    shares = conditional_probabilities(coincidences).whole(codes)
    shares[coincidences.totals[codes] == 0] = np.nan
    return {
        "counts": coincidences.whole(codes),
        "conditional_probabilities": shares,
        "computed_alpha": computed_mean(coincidences, 1).shown(codes),
        "computed_kappa": computed_product(coincidences, 1).shown(codes),
    }
