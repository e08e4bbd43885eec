"""What several annotators' labels show together: coincidences, and everybody against the majority."""

from reportgen.results.parts import Part

Matrix = tuple[tuple[float | None, ...], ...]


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
