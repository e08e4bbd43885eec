"""How often 95% intervals of figures on an ordered scale hold the true value, by the number of units.

`python -m benchmarks on_a_scale [--replications N]` prints the table of docs/uncertainty.md: of intervals
that figures would have if none took a least number of units, LEAST_UNITS_ON_A_SCALE.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from reportgen.measures.distances import interval, linear, ordinal, quadratic
from reportgen.measures.estimate import (
    ConfidenceInterval,
    Estimate,
    NoInterval,
    interval_of,
)
from reportgen.measures.figures_of_sums import UnitsByLabels, coefficient
from reportgen.measures.formulas import cohen_kappa, gwet_ac, krippendorff_alpha
from reportgen.measures.unit_profiles import LabelPatterns
from reportgen.readers import NO_DOCUMENT

SEED = 1979
REPLICATIONS = 500
UNITS = (8, 12, 16, 20, 30, 50)
# Points of the scale at which ratings are cut, as shares of the population below each: five points used
# equally often, five of which the first has half of the labels, and a hundred.
SCALES = {
    "five points": np.arange(1, 5) / 5,
    "five points, half of the labels on one": np.array([0.5, 0.75, 0.9, 0.97]),
    "a hundred points": np.arange(1, 100) / 100,
}
# Standard deviations of what annotators add to a unit's own value, which has 1.
ERRORS = (0.4, 1.0)
ANNOTATORS = (2, 3)
# Units from which true values are taken.
POPULATION = 20_000
Labels = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Design:
    """Campaigns of `units`, which are normal, and rated with normal errors on a scale cut into points."""

    units: int
    scale: str
    error: float
    annotators: int


def rated(design: Design, units: int, random: np.random.Generator) -> LabelPatterns:
    """Return the ratings of some units."""
    own = random.normal(size=(units, 1))
    seen = own + design.error * random.normal(size=(units, design.annotators))
    cuts = ndtri(SCALES[design.scale]) * np.sqrt(1 + design.error**2)
    labels, profile = np.unique(np.digitize(seen, cuts), axis=0, return_inverse=True)
    alone, once = np.full(units, NO_DOCUMENT), np.ones(units, dtype=np.int64)
    return LabelPatterns(labels, alone, profile.reshape(-1), once, len(cuts) + 1)


def figures(profiles: LabelPatterns) -> Iterator[tuple[str, Estimate]]:
    """Yield the figures that are simulated."""
    values = np.arange(profiles.categories, dtype=np.float64)
    ranks = ordinal(profiles.totals, profiles.labels.shape[1])
    yield "alpha [ordinal]", coefficient(krippendorff_alpha, UnitsByLabels(profiles, ranks))
    yield "alpha [interval]", coefficient(krippendorff_alpha, UnitsByLabels(profiles, interval(values)))
    if profiles.labels.shape[1] == 2:
        yield "kappa [linear]", coefficient(cohen_kappa, UnitsByLabels(profiles, linear(values)))
    yield "AC2 [quadratic]", coefficient(gwet_ac, UnitsByLabels(profiles, quadratic(values)))


def without_rule(figure: Estimate) -> ConfidenceInterval | None:
    """Return the interval that a figure has, or would have if it took no number of units."""
    if figure.interval is NoInterval.FEW_ON_A_SCALE and figure.standard_error and figure.spread:
        return interval_of(figure.value or 0.0, figure.spread)
    return figure.interval if isinstance(figure.interval, ConfidenceInterval) else None


def held(design: Design, replications: int) -> dict[str, tuple[float, float, float]]:
    """Return by figure how many intervals lie below the true value and above it, and how many are given."""
    random = np.random.default_rng(
        [SEED, design.units, [*SCALES].index(design.scale), round(10 * design.error), design.annotators]
    )
    true = {name: figure.value or 0.0 for name, figure in figures(rated(design, POPULATION, random))}
    found: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for _ in range(replications):
        for name, figure in figures(rated(design, design.units, random)):
            if ends := without_rule(figure):
                found[name].append((ends.high < true[name], ends.low > true[name]))
    return {
        name: (*np.mean(sides, axis=0).tolist(), len(sides) / replications) for name, sides in found.items()
    }


# Where fewer campaigns than these have an interval, their share says little.
LEAST_GIVEN = 0.2


def run(replications: int) -> str:
    """Return the table: the least and the largest share that hold, over errors and numbers of annotators."""
    found = {
        (units, scale): _held_by_figure(units, scale, replications) for units, scale in product(UNITS, SCALES)
    }
    names = list(dict.fromkeys(name for by_name in found.values() for name in by_name))
    lines = [f"| units | scale | {' | '.join(names)} |", f"|--:|---|{'--:|' * len(names)}"]
    for (units, scale), by_name in found.items():
        cells = (_range(by_name.get(name, ())) for name in names)
        lines.append(f"| {units} | {scale} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _held_by_figure(units: int, scale: str, replications: int) -> dict[str, list[float]]:
    shares: dict[str, list[float]] = defaultdict(list)
    for error, annotators in product(ERRORS, ANNOTATORS):
        design = Design(units, scale, error, annotators)
        for name, (below, above, have) in held(design, replications).items():
            if have >= LEAST_GIVEN:
                shares[name].append(1 - below - above)
    return shares


def _range(shares: Sequence[float]) -> str:
    return f"{min(shares):.3f} to {max(shares):.3f}" if shares else "–"
