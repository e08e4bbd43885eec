"""Figures of whole documents: one influence value a document, and the interval that follows from it."""

import math
from dataclasses import replace

import numpy as np

from reportgen.agreement.estimate import Clusters, Estimate, Floats, Undefined, with_interval


def undefined(reason: Undefined, units: int = 0) -> Estimate:
    """Return an undefined figure that counts alone cannot give."""
    return Estimate(None, units, undefined=reason, recomputable=False)


def over_documents(estimate: Estimate, slope: Floats, *, disagreements: int) -> Estimate:
    """Return a figure with its interval.

    `slope` (documents,) is the figure's derivative by the weight of each document, which adds up to zero: the
    infinitesimal jackknife (Efron 1982, chapter 6). Its variance is G/(G-1) Σ slope², and t has G-1 degrees.
    """
    size = len(slope)
    every = np.arange(size)
    clusters = Clusters(every, every, np.ones_like(every), size, size, by_document=True, corrected=True)
    return with_interval(
        replace(estimate, recomputable=False),
        size * slope,
        clusters,
        (-math.inf, 1.0),
        disagreements=disagreements,
    )
