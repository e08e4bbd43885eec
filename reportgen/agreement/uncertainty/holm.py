"""p values of several tests, adjusted so that one false alarm among all of them stays rare."""

from collections.abc import Sequence


def holm(values: Sequence[float | None]) -> list[float | None]:
    """Return each p value times the number of those not smaller, never below a smaller one's (Holm 1979).

    None stands for a test that could not be made, and is none of them.
    """
    known = [(value, place) for place, value in enumerate(values) if value is not None]
    adjusted: list[float | None] = [None] * len(values)
    highest = 0.0
    for rank, (value, place) in enumerate(sorted(known)):
        highest = max(highest, min(1.0, value * (len(known) - rank)))
        adjusted[place] = highest
    return adjusted


def two_sided(statistic: float, degrees: int) -> float:
    """Return the probability of a t statistic at least so far from zero."""
    from scipy.special import stdtr

    return float(2 * stdtr(degrees, -abs(statistic)))
