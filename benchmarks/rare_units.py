"""How often alpha's interval holds the true value where few units, of few documents, have a rarer label.

`python -m benchmarks rare_units [--replications N]` prints the table of docs/uncertainty.md: before a rule
asked for units with a rarer label and for three documents alike, and now.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from benchmarks.campaigns import MEASURES, Design, Mask, figures, labelled, material, sums, true_values
from benchmarks.intervals import AFTER, LABELS, METHODS

SEED = 1972
REPLICATIONS = 3000
ALPHA = "krippendorff_alpha"
DESIGNS = tuple(
    Design(documents, prevalence, annotators, correlation=correlation)
    for documents, prevalence in product((10, 20, 50), (0.9, 0.98))
    for annotators, correlation in product((2, 5), (0.1, 0.3))
)
# Of fewer intervals no share is told.
TOLD = 100


def run(replications: int) -> str:
    """Return the table."""
    return "\n".join(_rows(replications))


def _rows(replications: int) -> Iterator[str]:
    kinds = "documents | commonest | annotators | correlation"
    yield f"| {kinds} | contains, before | below | with | contains, now | below | with |"
    yield "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    now = METHODS[AFTER]
    for design in DESIGNS:
        random, true = design.generator(SEED), true_values(design)[ALPHA]
        given = material(design, replications, random)
        found = figures(ALPHA, sums(design, given, labelled(design, given, random)))
        cells: list[str] = []
        for method in (replace(now, rule=LABELS), now):
            with np.errstate(all="ignore"):
                low, high = method.ends(found, MEASURES[ALPHA], design)
            cells.extend(_shares(high < true, low > true, ~np.isnan(low)))
        shown = f"{design.documents} | {design.prevalence:g} | {design.annotators} | {design.correlation:g}"
        yield f"| {shown} | {' | '.join(cells)} |"


def _shares(below: Mask, above: Mask, given: Mask) -> tuple[str, str, str]:
    """Return which share of intervals hold the true value, how many lie below it, and how many there are."""
    share = f"{given.mean():.2f}"
    if given.sum() < TOLD:
        return "–", "–", share
    low, high = below[given].mean(), above[given].mean()
    return f"{1 - low - high:.3f}", f"{low:.3f}", share
