"""How often a campaign as large as `reportgen plan` says has the interval that it was planned for.

`python -m benchmarks plans [--replications N]` prints the tables of docs/uncertainty.md: of two annotators
with a common prevalence, in which share of campaigns kappa's interval is as narrow as planned, or tells kappa
from a threshold; and in which share alpha's is, where a report of fewer documents planned them, of geometric
lengths or very unequal ones.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from benchmarks.every_figure import Design, drawn, figures
from reportgen.measures import Estimate, units_needed, units_to_tell
from reportgen.measures.distances import nominal
from reportgen.measures.estimate import ConfidenceInterval
from reportgen.measures.figures_of_sums import UnitsByLabels, coefficient
from reportgen.measures.formulas import cohen_kappa
from reportgen.measures.standard_errors import clusters_for
from reportgen.measures.unit_profiles import LabelPatterns
from reportgen.readers import NO_DOCUMENT

SEED = 1989
# A pilot's documents, and the half-width that its report plans for.
PILOTS, PLANNED = (10, 20, 40), 0.1
# How much the logarithm of a document's length varies; 0 where lengths are geometric.
UNEQUAL = (0.0, 1.2, 1.6)
REPLICATIONS = 1000
KAPPAS, PREVALENCES = (0.4, 0.6, 0.8, 0.9), (0.5, 0.3, 0.1, 0.02)
HALF_WIDTHS, THRESHOLDS = (0.15, 0.1, 0.05), (0.667, 0.8)
# A threshold so near takes more units than anybody labels.
NEAR = 0.04
LABELS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])


def run(replications: int) -> str:
    """Return both tables; of pilots there are a fifth as many."""
    return f"{before(replications)}\n\n{after_pilots(max(1, replications // 5))}"


def before(replications: int) -> str:
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
        profiles = LabelPatterns(LABELS, alone, kinds, n.astype(np.int64), 2)
        found = coefficient(cohen_kappa, UnitsByLabels(profiles, nominal(2))).interval
        if isinstance(found, ConfidenceInterval):
            yield found


def after_pilots(replications: int) -> str:
    """Return by pilot how many documents its report plans, and how many campaigns reach it."""
    lines = [
        "| documents before | lengths | commonest | planned, median | reach it, by design | on average |",
        "|--:|---|--:|--:|--:|--:|",
    ]
    for unequal, documents, prevalence in product(UNEQUAL, PILOTS, (0.5, 0.9)):
        design = Design(documents, prevalence, 2, missing=False, slips=False, unequal=unequal)
        found = [
            _planned(replace(design, annotators=annotators, slips=slips), replications)
            for annotators, slips in product((2, 5), (False, True))
        ]
        shares = [float(np.mean([reached for _, reached in each])) for each in found]
        many = np.median([planned for each in found for planned, _ in each])
        cells = (
            f"{documents}",
            f"log-normal, {unequal:g}" if unequal else "geometric",
            f"{prevalence:g}",
            f"{many:.0f}",
            f"{min(shares):.2f} to {max(shares):.2f}",
            f"{np.mean(shares):.2f}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _planned(design: Design, replications: int) -> list[tuple[int, bool]]:
    """Return how many documents pilots plan, and whether a campaign of so many reaches it."""
    random, found = design.generator(), []
    for _ in range(replications):
        pilot = _alpha(design, random)
        if not isinstance(pilot.interval, ConfidenceInterval) or pilot.spread is None or pilot.value is None:
            continue
        many = clusters_for(pilot.value, pilot.spread, design.documents, PLANNED)
        ends = _alpha(replace(design, documents=many), random).interval
        narrow = isinstance(ends, ConfidenceInterval) and ends.high - ends.low <= 2 * PLANNED
        found.append((many, narrow))
    return found


def _alpha(design: Design, random: np.random.Generator) -> Estimate:
    _, figure = next(figures(drawn(design, random)))
    return figure
