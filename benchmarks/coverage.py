"""How often 95% intervals hold the true value, and how often tests between versions err, simulated.

`python -m benchmarks coverage [--replications N]` prints the tables of docs/uncertainty.md.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from benchmarks import differences
from benchmarks.campaigns import (
    MEASURES,
    Design,
    Floats,
    figures,
    labelled,
    material,
    measures_of,
    sums,
    true_values,
)
from benchmarks.intervals import AFTER, BEFORE, METHODS

SEED = 1992
REPLICATIONS = 2000
LEAST, MOST = 0.93, 0.97
# How many units are simulated at once, and of how many intervals a share is told.
AT_ONCE = 300_000
TOLD = 200
CLASSES = {
    "alpha, kappa, Fleiss": ("krippendorff_alpha", "cohen_kappa", "fleiss_kappa"),
    "AC1, S": ("gwet_ac1", "bennett_s"),
    "observed, commonest category": ("observed_agreement", "specific_agreement 0"),
    "rarer categories": ("specific_agreement 1", "specific_agreement 2"),
}
PREVALENCES, ANNOTATORS = (0.5, 0.9, 0.98), (2, 3, 5)
DESIGNS = (
    *(Design(*each) for each in product((10, 20, 50, 200), PREVALENCES, ANNOTATORS, (False, True))),
    *(Design(*each, missing=False, units=1) for each in product((20, 50, 200), PREVALENCES, ANNOTATORS)),
)


@dataclass(frozen=True)
class Covered:
    """Of a design's campaigns: the shares of intervals below and above the true value, width, how many."""

    below: float
    above: float
    width: float
    given: float

    @property
    def held(self) -> float:
        """Return the share of intervals that hold the true value."""
        return 1 - self.below - self.above


Key = tuple[Design, str, str]


def coverage(design: Design, replications: int) -> dict[Key, Covered]:
    """Return how often intervals of each figure hold the true value, by each method; the same in each run."""
    ends: dict[tuple[str, str], list[Floats]] = defaultdict(list)
    for by_document in _campaigns(design, replications):
        for name in measures_of(design):
            found = figures(name, by_document)
            for title, method in METHODS.items():
                with np.errstate(all="ignore"):
                    ends[name, title].append(method.ends(found, MEASURES[name], design))
    true = true_values(design)
    return {
        (design, name, title): _covered(np.concatenate(each, axis=1), true[name])
        for (name, title), each in ends.items()
    }


def _campaigns(design: Design, replications: int) -> Iterator[Floats]:
    random, done = design.generator(SEED), 0
    step = max(1, AT_ONCE // (design.documents * design.units))
    while done < replications:
        many = min(step, replications - done)
        given = material(design, many, random)
        yield sums(design, given, labelled(design, given, random))
        done += many


def _covered(ends: Floats, true: float) -> Covered:
    known = ends[:, ~np.isnan(ends[0])]
    if known.shape[1] < TOLD:
        return Covered(np.nan, np.nan, np.nan, known.shape[1] / ends.shape[1])
    low, high = known
    shares = float((high < true).mean()), float((low > true).mean()), float((high - low).mean())
    return Covered(*shares, known.shape[1] / ends.shape[1])


def _class_table(found: Mapping[Key, Covered]) -> Iterator[str]:
    """Yield a row for designs of the same documents and prevalence, and each class of figures."""
    yield "| documents | commonest | figures | cover, before | cover, now | below, above | width | without |"
    yield "|---|--:|---|--:|--:|--:|--:|--:|"
    groups = dict.fromkeys((each.documents, each.units, each.prevalence) for each, _, _ in found)
    for documents, units, prevalence in groups:
        for title, names in CLASSES.items():
            before, now = (
                [
                    each
                    for (design, name, way), each in found.items()
                    if way == method and name in names
                    if (design.documents, design.units, design.prevalence) == (documents, units, prevalence)
                ]
                for method in (BEFORE, AFTER)
            )
            size = f"{documents}" if units > 1 else f"{documents} units"
            yield f"| {size} | {prevalence:g} | {title} | {_range(before)} | {_row(before, now)} |"


def _range(cells: Sequence[Covered]) -> str:
    held = [each.held for each in cells if not np.isnan(each.held)]
    return f"{min(held):.3f} to {max(held):.3f}" if held else "–"


def _row(before: Sequence[Covered], now: Sequence[Covered]) -> str:
    told = [each for each in now if not np.isnan(each.held)]
    without = " → ".join(f"{1 - np.mean([each.given for each in cells]):.2f}" for cells in (before, now))
    if not told:
        return f"– | – | – | {without}"
    sides = ", ".join(f"{np.mean([getattr(each, side) for each in told]):.3f}" for side in ("below", "above"))
    both = [
        (old.width, new.width)
        for old, new in zip(before, now, strict=True)
        if not np.isnan(old.width + new.width)
    ]
    widths = " → ".join(f"{each:.2f}" for each in np.mean(both, axis=0)) if both else "–"
    return f"{_range(now)} | {sides} | {widths} | {without}"


def _method_table(found: Mapping[Key, Covered]) -> Iterator[str]:
    """Yield a row for each method: the least, mean and highest share, and how many are within the aim."""
    yield f"| method | {' | '.join(CLASSES)} | between {LEAST} and {MOST} | width |"
    yield f"|---|{'--:|' * (len(CLASSES) + 2)}"
    for method in METHODS:
        own = [(name, each) for (_, name, way), each in found.items() if way == method]
        told = [(name, each) for name, each in own if not np.isnan(each.held)]
        cells = []
        for names in CLASSES.values():
            held = [each.held for name, each in told if name in names]
            cells.append(f"{min(held):.3f}, {np.mean(held):.3f}, {max(held):.3f}")
        right = np.mean([LEAST - 0.005 <= each.held < MOST + 0.005 for _, each in told])
        width = np.mean([each.width for _, each in told])
        yield f"| {method} | {' | '.join(cells)} | {right:.2f} | {width:.2f} |"


def run(replications: int) -> str:
    """Return the tables of all designs."""
    found: dict[Key, Covered] = {}
    for design in DESIGNS:
        found |= coverage(design, replications)
    tables = (
        _class_table(found),
        _method_table(found),
        differences.rows(differences.errors(replications), CLASSES),
    )
    return "\n\n".join("\n".join(each) for each in tables)
