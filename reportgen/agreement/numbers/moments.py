"""Second moments of a complete table of ratings, and how much each unit moves them.

With T the mean variance of an annotator's ratings, C the mean covariance of two annotators', and M the
variance of the annotators' means, the mean squares of a two-way analysis of variance over n units and k
annotators are MS_units = T + (k - 1)C, MS_error = T - C and MS_annotators = nM.
"""

from dataclasses import dataclass

import numpy as np

from reportgen.agreement.estimate import Floats

TWO = 2


@dataclass(frozen=True, eq=False)
class Moments:
    """Second moments of a complete table, with divisor n, and how much each of its rows moves them (rows,).

    `variance` is T, `covariance` C, `spread` M; `sampled` is n / (n - 1).
    """

    variance: float
    covariance: float
    spread: float
    sampled: float
    of_variance: Floats
    of_covariance: Floats
    of_spread: Floats


def moments(numbers: Floats, n: Floats) -> Moments:
    """Return the moments of numbers (rows, annotators) of which each row stands for `n` units (rows,).

    There are two units or more, and two annotators or more.
    """
    units, annotators = float(n.sum()), numbers.shape[1]
    shifted = numbers - numbers.min()
    constant = (shifted == shifted[:1]).all(axis=0)
    means = np.where(constant, shifted[0], (n[:, None] * shifted).sum(axis=0) / units)
    apart = shifted - means
    squares, square = (apart * apart).sum(axis=1), apart.sum(axis=1) ** 2
    of_variance = squares / annotators
    of_covariance = (square - squares) / (annotators * (annotators - 1))
    variance, covariance = (float((n * each).sum()) / units for each in (of_variance, of_covariance))
    off = means - float(means.sum()) / annotators if np.ptp(means) > 0 else np.zeros(annotators)
    return Moments(
        variance=variance,
        covariance=covariance,
        spread=float((off * off).sum()) / (annotators - 1),
        sampled=units / (units - 1),
        of_variance=of_variance - variance,
        of_covariance=of_covariance - covariance,
        of_spread=TWO * (apart * off).sum(axis=1) / (annotators - 1),
    )
