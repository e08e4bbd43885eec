"""Distributions that tests and intervals refer to, computed by scipy; the logit scale; adjusted p values."""

import math
import sys
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from types import ModuleType

PACKAGE = "scipy.special"
LEVEL = 0.95


def t_below(degrees: float, value: float) -> float:
    """Return P(T <= value) of Student's t distribution."""
    return float(_scipy().stdtr(degrees, value))


def t_at(degrees: float, share: float) -> float:
    """Return the value below which a share of Student's t distribution lies."""
    return float(_scipy().stdtrit(degrees, share))


def normal_at(share: float) -> float:
    """Return the value below which a share of the normal distribution lies."""
    return float(_scipy().ndtri(share))


def f_above(first: float, second: float, value: float) -> float:
    """Return P(F > value)."""
    return float(_scipy().fdtrc(first, second, value))


def chi_square_above(degrees: int, value: float) -> float:
    """Return P(χ² > value)."""
    return float(_scipy().chdtrc(degrees, value))


def binomial_below(successes: int, draws: int, share: float) -> float:
    """Return the probability of at most so many successes."""
    return float(_scipy().bdtr(float(successes), draws, share))


@cache
def _scipy() -> ModuleType:
    """Return scipy's special functions; where that is possible, the compiled module alone.

    The package around it imports numpy.f2py and more, which takes longer than all figures of a small table.
    It is kept out by an empty module of its name, and imported as usual by code that needs it later.
    """
    spec = None if PACKAGE in sys.modules else find_spec(PACKAGE)
    if spec is not None:
        sys.modules[PACKAGE] = module_from_spec(spec)
        try:
            return import_module(f"{PACKAGE}._ufuncs")
        except ImportError:  # another version of scipy
            pass
        finally:
            del sys.modules[PACKAGE]
    return import_module(PACKAGE)


def two_sided(statistic: float, degrees: float) -> float:
    """Return the probability of a t statistic at least so far from zero."""
    return 2 * t_below(degrees, -abs(statistic))


@lru_cache(maxsize=256)
def t_quantile(degrees: float) -> float:
    """Return the two-sided quantile of Student's t distribution."""
    return t_at(degrees, (1 + LEVEL) / 2)


# The logit scale of what a figure can be, on which errors are alike on both sides: of shares, log odds.

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
    centre, moved = logit(value, bounds), half * slope(value, bounds)
    if math.isfinite(high - low):
        ends = (math.tanh(centre - moved), math.tanh(centre + moved))
        return low + (high - low) * (1 + ends[0]) / 2, low + (high - low) * (1 + ends[1]) / 2
    away = min(moved, LONGEST)
    if math.isfinite(high):
        return high - (high - value) * math.exp(away), high - (high - value) * math.exp(-away)
    return low + (value - low) * math.exp(-away), low + (value - low) * math.exp(away)


# p values of several tests, adjusted so that one false alarm among all of them stays rare.


def holm(values: Sequence[float | None]) -> list[float | None]:
    """Return each p value times the number of those not smaller, never below a smaller one's (Holm 1979).

    None is a test that could not be made, and is not one of them.
    """
    defined = [(value, position) for position, value in enumerate(values) if value is not None]
    adjusted: list[float | None] = [None] * len(values)
    highest = 0.0
    for rank, (value, position) in enumerate(sorted(defined)):
        highest = max(highest, min(1.0, value * (len(defined) - rank)))
        adjusted[position] = highest
    return adjusted


def significant(values: Sequence[float | None], level: float) -> dict[int, float]:
    """Return the p values that are below a level after Holm's correction, corrected, by their places."""
    return {place: p for place, p in enumerate(holm(values)) if p is not None and p < level}


def benjamini_yekutieli(values: Sequence[float | None]) -> list[float | None]:
    """Return p values to compare with the rate of false discoveries, however the tests depend on each other.

    The p value of rank r of m is multiplied by m / r · Σ_{k≤m} 1 / k, and is never above a larger one's:
    Benjamini and Yekutieli (2001), Annals of Statistics 29(4), 1165-1188, theorem 1.3. None is a test
    that could not be made, and is not one of them.
    """
    defined = sorted((value, position) for position, value in enumerate(values) if value is not None)
    adjusted: list[float | None] = [None] * len(values)
    factor = math.fsum(1 / divisor for divisor in range(1, len(defined) + 1)) * len(defined)
    lowest = 1.0
    for rank, (value, position) in reversed(list(enumerate(defined, 1))):
        lowest = min(lowest, value * factor / rank)
        adjusted[position] = lowest
    return adjusted
