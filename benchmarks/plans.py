"""How often a campaign as large as `reportgen plan` says has the interval that it was planned for.

`python -m benchmarks plans [--replications N]` prints the table of docs/uncertainty.md: of two annotators
with a common prevalence, in which share of campaigns kappa's interval is as narrow as planned, or tells kappa
from a threshold.
"""

from collections.abc import Iterator
from itertools import product

import numpy as np

from reportgen.measures import units_needed, units_to_tell
from reportgen.measures.distances import nominal
from reportgen.measures.estimate import ConfidenceInterval
from reportgen.measures.figures_of_sums import UnitsByLabels, coefficient
from reportgen.measures.formulas import cohen_kappa
from reportgen.measures.profiles import Profiles
from reportgen.readers import NO_DOCUMENT

SEED = 1989
REPLICATIONS = 1000
KAPPAS, PREVALENCES = (0.4, 0.6, 0.8, 0.9), (0.5, 0.3, 0.1, 0.02)
HALF_WIDTHS, THRESHOLDS = (0.15, 0.1, 0.05), (0.667, 0.8)
# A threshold so near takes more units than anybody labels.
NEAR = 0.04
LABELS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])


def run(replications: int) -> str:
    """Return the table: by what is planned, how many units that takes, and how many campaigns reach it."""
    goals = [*(f"± {half:g}" for half in HALF_WIDTHS), *(f"not {threshold:g}" for threshold in THRESHOLDS)]
    return "\n".join(
        [
            f"| kappa | prevalence | {' | '.join(goals)} |",
            f"|--:|--:|{'--:|' * len(goals)}",
            *(_row(*each, replications) for each in product(KAPPAS, PREVALENCES)),
        ]
    )


def _row(kappa: float, prevalence: float, replications: int) -> str:
    random = np.random.default_rng([SEED, round(10 * kappa), round(100 * prevalence)])
    cells = []
    for half in HALF_WIDTHS:
        units = units_needed(kappa, prevalence, half)
        ends = intervals(kappa, prevalence, units, replications, random)
        cells.append(_cell(units, [each.high - each.low <= 2 * half for each in ends], replications))
    for threshold in THRESHOLDS:
        many = units_to_tell(kappa, prevalence, threshold)
        if many is None or abs(kappa - threshold) < NEAR:
            cells.append("–")
            continue
        ends = intervals(kappa, prevalence, many, replications, random)
        apart = [not each.low <= threshold <= each.high for each in ends]
        cells.append(_cell(many, apart, replications))
    return f"| {kappa:g} | {prevalence:g} | {' | '.join(cells)} |"


def _cell(units: int, reached: list[bool], replications: int) -> str:
    return f"{units:,}: {sum(reached) / replications:.2f}"


def intervals(
    kappa: float, prevalence: float, units: int, campaigns: int, random: np.random.Generator
) -> Iterator[ConfidenceInterval]:
    """Yield the interval of kappa of each campaign that has one."""
    split = prevalence * (1 - prevalence) * (1 - kappa)
    shares = [prevalence - split, split, split, 1 - prevalence - split]
    alone, kinds = np.full(len(LABELS), NO_DOCUMENT), np.arange(len(LABELS))
    for n in random.multinomial(units, shares, size=campaigns):
        profiles = Profiles(LABELS, alone, kinds, n.astype(np.int64), 2)
        found = coefficient(cohen_kappa, UnitsByLabels(profiles, nominal(2))).interval
        if isinstance(found, ConfidenceInterval):
            yield found
