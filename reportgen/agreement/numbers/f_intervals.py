"""Intervals of intraclass correlations from the F distribution (McGraw and Wong 1996, table 7).

Exact for consistency where ratings are normal, nearly so for absolute agreement, and they hold the true value
with ten units too, where influence values give .81 to .88 (docs/uncertainty.md). They take units to be
independent: where documents are known, the interval stays that of influence values by document.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from reportgen.agreement.estimate import LEVEL, ROUNDING, Estimate, Interval, Method
from reportgen.agreement.numbers.complete import Complete
from reportgen.agreement.numbers.moments import Moments


@dataclass(frozen=True)
class MeanSquares:
    """Mean squares of a two-way analysis of variance of n units and k annotators."""

    n: int
    k: int
    units: float
    annotators: float
    error: float


Ends = tuple[float, float]


def with_f(
    table: Complete, estimate: Estimate, found: Moments, ends: Callable[[MeanSquares], Ends], least: float
) -> Estimate:
    """Return a correlation with its F interval, where each unit stands for itself and there is error."""
    error = found.sampled * (found.variance - found.covariance)
    single = not table.clusters.by_document or table.clusters.groups == table.units
    if not single or not isinstance(estimate.interval, Interval) or error <= ROUNDING * found.variance:
        return estimate
    n, k = table.units, table.annotators
    units = found.sampled * (found.variance + (k - 1) * found.covariance)
    low, high = ends(MeanSquares(n, k, units, n * found.spread, error))
    if not math.isfinite(low + high):
        return estimate
    return replace(estimate, interval=Interval(max(least, low), min(1.0, high), LEVEL, Method.F))


def consistency(squares: MeanSquares) -> Ends:
    """Return the ends of ICC(C,1): (F / F* - 1) / (F / F* + k - 1) for either end's F*."""
    n, k, ratio = squares.n, squares.k, squares.units / squares.error
    free = n - 1, (n - 1) * (k - 1)
    low, high = ratio / f_quantile(*free), ratio * f_quantile(*reversed(free))
    return (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)


def absolute(squares: MeanSquares) -> Ends:
    """Return the ends of ICC(A,1), the degrees of freedom after Satterthwaite."""
    n, k = squares.n, squares.k
    rest = k * squares.annotators + (k * n - k - n) * squares.error
    free = _satterthwaite(squares)
    low, high = f_quantile(n - 1, free), f_quantile(free, n - 1)
    return (
        n * (squares.units - low * squares.error) / (low * rest + n * squares.units),
        n * (high * squares.units - squares.error) / (rest + n * high * squares.units),
    )


def _satterthwaite(squares: MeanSquares) -> float:
    """Return v of McGraw and Wong's table 7, with a = kρ / (n(1 - ρ)) and b = 1 + kρ(n - 1) / (n(1 - ρ)).

    Both are multiplied by n(1 - ρ), and ρ by its denominator, neither of which v depends on.
    """
    n, k = squares.n, squares.k
    above = squares.units - squares.error
    below = above + k * squares.error + k * (squares.annotators - squares.error) / n
    of_annotators = k * above * squares.annotators
    of_error = (n * (below - above) + k * above * (n - 1)) * squares.error
    parts = of_annotators * of_annotators / (k - 1) + of_error * of_error / ((n - 1) * (k - 1))
    return (of_annotators + of_error) * (of_annotators + of_error) / parts if parts > 0 else math.nan


def f_quantile(free: float, other: float) -> float:
    """Return the upper quantile of a two-sided interval of F."""
    from scipy.special import fdtri

    return float(fdtri(free, other, (1 + LEVEL) / 2))
