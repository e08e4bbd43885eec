"""How often a verdict is false where a category is rare, with the rule that gives no interval and without.

`python -m benchmarks rare [--replications N]` prints the table of docs/uncertainty.md. Two annotators, two
categories: alpha's 95% interval lies below .667 though agreement is above, or above .8 though it is below.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from reportgen.counts import ContingencyTable
from reportgen.measures.distances import nominal
from reportgen.measures.estimate import ConfidenceInterval, Estimate, with_interval
from reportgen.measures.figures_of_sums import UnitsByLabels, coefficient
from reportgen.measures.formulas import krippendorff_alpha
from reportgen.measures.unit_profiles import profiles_of_pair
from reportgen.readers import NO_DOCUMENT

SEED = 2004
REPLICATIONS = 1000
CATEGORIES = 2
TENTATIVE, RELIABLE = 0.667, 0.8
PREVALENCES = (0.01, 0.02, 0.05, 0.1)
ALPHAS = (0.7, 0.755)
SIZES = ((50, 1), (100, 1), (200, 1), (500, 1), (1000, 1), (20, 20), (50, 20))
CORRELATION = 0.1
# Units from which the true values of campaigns of documents are taken.
POPULATION = 1_000_000
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Design:
    """Campaigns of `documents` of `units` each; with one unit each, documents are not known."""

    documents: int
    units: int
    prevalence: float
    alpha: float


def _cells(prevalence: Floats, alpha: float) -> Floats:
    """Return the shares of yes-yes, yes-no, no-yes and no-no."""
    differ = prevalence * (1 - prevalence) * (1 - alpha)
    return np.stack([prevalence - differ, differ, differ, 1 - prevalence - differ], axis=-1)


def _mixes(design: Design, many: int, random: np.random.Generator) -> Floats:
    size = (1 - CORRELATION) / CORRELATION
    return random.beta(design.prevalence * size, (1 - design.prevalence) * size, many)


def simulated(design: Design, random: np.random.Generator) -> ContingencyTable:
    """Return the table of one campaign."""
    if design.units == 1:
        cells = _cells(np.array(design.prevalence), design.alpha)
        counts = random.multinomial(design.documents, cells)[None, :]
        document = np.full(4, NO_DOCUMENT)
    else:
        mixes = _mixes(design, design.documents, random)
        counts = random.multinomial(design.units, _cells(mixes, design.alpha))
        document = np.repeat(np.arange(design.documents), 4)
    label = np.arange(4 * len(counts)) % 4
    kept = counts.reshape(-1) > 0
    columns = document, label // 2, label % 2, counts.reshape(-1)
    return ContingencyTable(0, 1, CATEGORIES, *(each[kept] for each in columns))


def true_alpha(design: Design) -> float:
    """Return alpha of all campaigns together."""
    if design.units == 1:
        return design.alpha
    mixes = _mixes(design, POPULATION, np.random.default_rng(SEED))
    return 1 - float(_cells(mixes, design.alpha)[:, 1].mean()) / (design.prevalence * (1 - design.prevalence))


def _intervals(table: ContingencyTable) -> Iterator[tuple[str, ConfidenceInterval]]:
    parts = UnitsByLabels(profiles_of_pair(table), nominal(CATEGORIES))
    found = coefficient(krippendorff_alpha, parts)
    if isinstance(found.interval, ConfidenceInterval):
        yield "with", found.interval
    plain = _without_rule(found, table)
    if isinstance(plain.interval, ConfidenceInterval):
        yield "without", plain.interval


def _without_rule(found: Estimate, table: ContingencyTable) -> Estimate:
    """Return a figure with the interval that its influence values give, however few units they rest on."""
    if found.spread is None:
        return found
    spread, seen = found.spread, table.disagreements
    bare = replace(found, interval=None)
    return with_interval(bare, spread.influence, spread.clusters, (-1.0, 1.0), disagreements=seen)


def _false(interval: ConfidenceInterval, true: float) -> str:
    if interval.high < TENTATIVE <= true:
        return "low"
    return "high" if interval.low >= RELIABLE > true else ""


def row(design: Design, replications: int) -> str:
    """Return the table's row of a design: shares of the campaigns with an interval, and how many have one."""
    percent = round(100 * design.prevalence), round(1000 * design.alpha)
    random = np.random.default_rng([SEED, design.documents, design.units, *percent])
    true, said = true_alpha(design), Counter[tuple[str, str]]()
    for _ in range(replications):
        for rule, interval in _intervals(simulated(design, random)):
            said[rule, ""] += 1
            if wrong := _false(interval, true):
                said[rule, wrong] += 1
    cells = []
    for rule in ("without", "with"):
        known = said[rule, ""]
        cells += [f"{said[rule, wrong] / max(known, 1):.3f}" for wrong in ("low", "high")]
        cells.append(f"{known / replications:.2f}")
    size = f"{design.documents} × {design.units}" if design.units > 1 else str(design.documents)
    return f"| {size} | {design.prevalence:g} | {true:.3f} | {' | '.join(cells)} |"


def run(replications: int) -> str:
    """Return the table of all designs."""
    head = "too low | too high | with interval"
    lines = [f"| units | prevalence | alpha | {head} | {head}, by the rule |", f"|---|--:|--:|{'--:|' * 6}"]
    designs = [
        Design(*size, prevalence, alpha) for size in SIZES for prevalence in PREVALENCES for alpha in ALPHAS
    ]
    return "\n".join([*lines, *(row(each, replications) for each in designs)])
