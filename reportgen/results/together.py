"""What several annotators' labels show together: coincidences, and everybody against the majority."""

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
