"""What several annotators' labels show together: coincidences, and everybody against the majority."""

import math
from collections.abc import Mapping

from reportgen.results.parts import Part

Matrix = tuple[tuple[float | None, ...], ...]


class NullTest(Part):
    """Whether a coefficient differs from 0: its standard error if it were, z, and p of both sides.

    That error is no measure of how precise the coefficient is, and a small p is no sign of good agreement.
    """

    standard_error: float
    z: float
    p: float


class Coincidences(Part):
    """How often labels meet on the same units, those of all annotators together; only categories in use.

    `counts` is Krippendorff's coincidence matrix: symmetric, its sum the ratings of units that several rated.
    Probabilities and computed distances are as those of a pair.
    """

    categories: tuple[str, ...]
    counts: Matrix
    conditional_probabilities: Matrix
    computed_alpha: Matrix
    computed_kappa: Matrix

    @property
    def filled(self) -> Mapping[tuple[int, int], float]:
        """Return what each cell holds that is not empty, by the places of its row and column."""
        rows = enumerate(self.counts)
        return {(i, j): value for i, row in rows for j, value in enumerate(row) if value}

    @property
    def margins(self) -> tuple[list[float], list[float]]:
        """Return the sums of rows and of columns, which are the same."""
        sums = [math.fsum(value or 0 for value in row) for row in self.counts]
        return sums, sums
