"""The logit scale of what a figure can be, on which errors are alike on both sides: of shares, log odds."""

import math

Bounds = tuple[float, float]
# Beyond it numbers end, and so does what an interval can tell.
LONGEST = 700.0


def logit(value: float, bounds: Bounds) -> float:
    """Return a figure on the scale: between two bounds half the log odds of its place.

    From -1 to 1 that is Fisher's z. With one bound, which most distances leave, it is the logarithm of how
    far the figure is from it.
    """
    low, high = bounds
    if math.isfinite(high - low):
        return math.atanh((2 * value - low - high) / (high - low))
    return -math.log(high - value) if math.isfinite(high) else math.log(value - low)


def slope(value: float, bounds: Bounds) -> float:
    """Return by how much the scale moves with a figure: its derivative."""
    low, high = bounds
    if math.isfinite(high - low):
        return (high - low) / (2 * (value - low) * (high - value))
    return 1 / (high - value) if math.isfinite(high) else 1 / (value - low)


def within(value: float, bounds: Bounds) -> bool:
    """Tell whether a figure has a place on the scale: between its bounds, of which one is finite at least."""
    low, high = bounds
    return low < value < high and (math.isfinite(low) or math.isfinite(high))


def logit_ends(value: float, half: float, bounds: Bounds) -> Bounds:
    """Return the ends of an interval whose half-width is `half` where the figure is, taken on the scale.

    A figure at its bound has no place on the scale: its interval is cut there.
    """
    low, high = bounds
    if not within(value, bounds):
        return max(low, value - half), min(high, value + half)
    place, moved = logit(value, bounds), half * slope(value, bounds)
    if math.isfinite(high - low):
        ends = (math.tanh(place - moved), math.tanh(place + moved))
        return low + (high - low) * (1 + ends[0]) / 2, low + (high - low) * (1 + ends[1]) / 2
    away = min(moved, LONGEST)
    if math.isfinite(high):
        return high - (high - value) * math.exp(away), high - (high - value) * math.exp(-away)
    return low + (value - low) * math.exp(-away), low + (value - low) * math.exp(away)
