"""How often tests that two annotators use categories equally often err, with few documents.

`python -m benchmarks margins [--replications N]` prints the table of docs/uncertainty.md.
"""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from benchmarks.data import Labels, coded
from reportgen.counts import ContingencyTable, count, pair_table
from reportgen.measures import ScaleSetting
from reportgen.measures.significance_tests import bhapkar, stuart_maxwell
from reportgen.results import SymmetryTest

SEED = 1966
REPLICATIONS = 300
LEVEL = 0.05
ERROR = 0.25
# How much of a document's own mix an annotator's habit keeps, where documents differ.
HABIT = 5.0
CORRELATION = 0.2
MIXES = ((0.6, 0.4), (0.6, 0.3, 0.1), (0.5, 0.2, 0.15, 0.1, 0.05))
SIZES = ((3, 40), (5, 30), (8, 20), (12, 20), (20, 10), (40, 10))
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Design:
    """Campaigns in which no annotator, or the second by `bias`, draws the first category more often.

    Where documents `differ`, they have sizes, mixes and errors of their own, and annotators habits in each.
    """

    documents: int
    units: int
    mix: tuple[float, ...]
    differ: bool
    bias: float = 0.0


def simulated(design: Design, random: np.random.Generator) -> ContingencyTable:
    """Return the table of one campaign."""
    many, categories = design.documents, len(design.mix)
    sizes, error = np.full(many, design.units), np.full(many, ERROR)
    mixes: Floats = np.tile(np.array(design.mix), (many, 1))
    if design.differ:
        size = (1 - CORRELATION) / CORRELATION
        sizes = random.geometric(1 / design.units, many)
        mixes = random.dirichlet(np.array(design.mix) * size, many)
        error = random.beta(ERROR * size, (1 - ERROR) * size, many)
    document = np.repeat(np.arange(many), sizes)
    truth = _drawn(mixes, document, random)
    said = []
    for who in range(2):
        own = mixes + design.bias * who * np.eye(categories)[0]
        own /= own.sum(axis=1, keepdims=True)
        if design.differ:
            own = np.array([random.dirichlet(np.maximum(each, 1e-3) * HABIT) for each in own])
        blind = _drawn(own, document, random)
        said.append(np.where(random.random(len(document)) < error[document], blind, truth))
    units = replace(
        coded(np.stack(said, axis=1)),
        categories=tuple(map(str, range(categories))),
        documents=tuple(map(str, range(many))),
        document=document,
    )
    return pair_table(count(units).pairs, categories, 0, 1)


def _drawn(mixes: Floats, document: Labels, random: np.random.Generator) -> Labels:
    ends = np.cumsum(mixes, axis=1)[document][:, :-1]
    found: Labels = (random.random(len(document))[:, None] > ends).sum(axis=1)
    return found


def _rejects(test: SymmetryTest) -> bool:
    return test.p is not None and test.p < LEVEL


def _is_silent(test: SymmetryTest) -> bool:
    return test.p is None or (test.least_p is not None and test.least_p >= LEVEL)


def row(design: Design, replications: int) -> str:
    """Return the table's row of a design."""
    seed = [SEED, design.documents, len(design.mix), int(design.differ), round(10 * design.bias)]
    random = np.random.default_rng(seed)
    told, silent = np.zeros(2), np.zeros(2)
    for _ in range(replications):
        table = simulated(design, random)
        stuart = stuart_maxwell(table, ScaleSetting())
        tests = stuart, bhapkar(table, ScaleSetting())
        told += [_rejects(each) for each in tests]
        silent += [_is_silent(each) for each in tests]
    kind = f"{design.documents} × {design.units}" + (", unlike" if design.differ else "")
    shares = (np.stack([told, silent], axis=1).reshape(-1) / replications).tolist()
    cells = " | ".join(f"{share:.3f}" for share in shares)
    return f"| {kind} | {len(design.mix)} | {'yes' if design.bias else 'no'} | {cells} |"


def run(replications: int) -> str:
    """Return the table of all designs."""
    lines = [
        "| documents | categories | bias | Stuart-Maxwell tells | can't tell | Bhapkar tells | can't tell |",
        "|---|--:|---|--:|--:|--:|--:|",
    ]
    kinds = ((False, 0.0), (True, 0.0), (False, 0.6))
    designs = [Design(*size, mix, *kind) for kind in kinds for mix in MIXES for size in SIZES]
    return "\n".join([*lines, *(row(each, replications) for each in designs)])
