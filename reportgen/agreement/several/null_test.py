"""Is Fleiss' kappa more than 0? The one standard error that is of no use for anything else."""

import math
from dataclasses import dataclass

import numpy as np

from reportgen.agreement.distances import nominal
from reportgen.agreement.several.profiles import Profiles


@dataclass(frozen=True)
class NullTest:
    """Fleiss' kappa against 0: its standard error if labels had nothing to do with units, z and p.

    That error is no measure of how precise kappa is. The p value is two-sided.
    """

    standard_error: float
    z: float
    p: float


def null_test(profiles: Profiles) -> NullTest | None:
    """Return the test that Fleiss' kappa is 0 (Fleiss, Nee and Landis 1979).

    Only where every unit has as many ratings, and chance gives disagreement; None elsewhere.
    """
    ratings = np.unique(profiles.ratings)
    totals = profiles.totals
    if len(ratings) != 1 or np.count_nonzero(totals) <= 1:
        return None
    m, units = int(ratings[0]), profiles.units
    shares = totals / (units * m)
    apart = shares * (1 - shares)
    total = float(apart.sum())
    variance = 2 * (total * total - float((apart * (1 - 2 * shares)).sum())) / (total * total)
    error = math.sqrt(variance / (units * m * (m - 1)))
    split = profiles.mean_distance(nominal(profiles.categories))
    z = (1 - float((split * profiles.times).sum()) / units / total) / error
    return NullTest(error, z, math.erfc(abs(z) / math.sqrt(2)))
