"""How often the interval of a judge's corrected share holds the true share, and how often a test errs.

`python -m benchmarks corrected [--replications N]` prints the tables of docs/judges.md. A human labels whole
documents, drawn at random, or units alone; a model of sensitivity .9 and specificity .8 labels these and many
more. The test is that of whether the human labelled a random part of what the model labelled.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from reportgen.measures.annotators.judges import TwoLabels, corrected_share, selected_units
from reportgen.readers import Codes
from reportgen.units import NO_CATEGORY

SEED = 2023
REPLICATIONS = 500
SENSITIVITY, FALSE = 0.9, 0.2
# Units of a document on average; how like the units of one document are: a beta distribution's parameters.
LENGTH, CONCENTRATION = 20, 4.0
SHARES, DOCUMENTS, FURTHER = (0.1, 0.3), (10, 20, 40), 100
UNITS, FURTHER_UNITS = (50, 100, 200, 400), 2000
# Lengths of documents by the spread of their logarithms; equal ones, and units alone.
LENGTHS = {"equal": 0.0, "log-normal, 1": 1.0, "log-normal, 1.5": 1.5}
ALONE = "units alone"
# How many times likelier than others units that the model calls so are to be labelled.
CHOSEN = (1, 2, 4)


@dataclass(frozen=True)
class Design:
    """A campaign: lengths of documents, how many of them the human labels, and the true share."""

    lengths: str
    labelled: int
    share: float

    def generator(self) -> np.random.Generator:
        """Return the design's own random numbers."""
        return np.random.default_rng(
            [SEED, [*LENGTHS, ALONE].index(self.lengths), self.labelled, round(100 * self.share)]
        )


def drawn(design: Design, random: np.random.Generator, chosen: int = 1) -> TwoLabels:
    """Return the labels of a campaign.

    Of units alone, those that the model calls so are `chosen` times as likely to be labelled as others.
    """
    if design.lengths == ALONE:
        document = np.arange(design.labelled + FURTHER_UNITS)
        share = np.full(len(document), design.share)
    else:
        own = random.beta(design.share * CONCENTRATION, (1 - design.share) * CONCENTRATION, _many(design))
        document = np.repeat(np.arange(_many(design)), _lengths(design, random))
        share = own[document]
    truth = (random.random(len(document)) < share).astype(np.int64)
    model = (random.random(len(document)) < np.where(truth == 1, SENSITIVITY, FALSE)).astype(np.int64)
    of_human = document < design.labelled
    if chosen > 1:
        likely = np.where(model == 1, chosen, 1)
        order = random.random(len(document)) ** (1 / likely)
        of_human = order >= np.sort(order)[-design.labelled]
    return TwoLabels(np.where(of_human, truth, NO_CATEGORY), model, np.ones_like(truth), document)


def _many(design: Design) -> int:
    return design.labelled + FURTHER


def _lengths(design: Design, random: np.random.Generator) -> Codes:
    spread = LENGTHS[design.lengths]
    by_logarithm = random.normal(-spread * spread / 2, spread, _many(design))
    return np.maximum(np.round(LENGTH * np.exp(by_logarithm)), 1).astype(np.int64)


def designs() -> Iterator[Design]:
    """Yield every design."""
    yield from (Design(ALONE, *each) for each in product(UNITS, SHARES))
    yield from (Design(*each) for each in product(LENGTHS, DOCUMENTS, SHARES))


def run(replications: int) -> str:
    """Return both tables."""
    lines = [
        "| documents | labelled | true share | contains | width, mean | called no random part |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for design in designs():
        random, held, widths, alarms = design.generator(), [], [], 0
        for _ in range(replications):
            two = drawn(design, random)
            found = corrected_share(two, 1)
            interval = found.interval if found else None
            if interval and interval.low is not None and interval.high is not None:
                held.append(interval.low <= design.share <= interval.high)
                widths.append(interval.high - interval.low)
            alarms += selected_units(two, ("no", "yes"), (0, 1)) is not None
        cells = f"{np.mean(held):.3f} | {np.mean(widths):.2f} | {alarms / replications:.3f}"
        lines.append(f"| {design.lengths} | {design.labelled} | {design.share:g} | {cells} |")
    lines += ["", "| units labelled | true share | likelier | called no random part |", "|--:|--:|--:|--:|"]
    for labelled, share, chosen in product(UNITS, SHARES, CHOSEN):
        design = Design(ALONE, labelled, share)
        random = design.generator()
        campaigns = (drawn(design, random, chosen) for _ in range(replications))
        alarms = sum(selected_units(two, ("no", "yes"), (0, 1)) is not None for two in campaigns)
        lines.append(f"| {labelled} | {share:g} | {chosen} | {alarms / replications:.3f} |")
    return "\n".join(lines)
