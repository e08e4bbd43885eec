"""The data of every benchmark: labels that annotators gave to units, the same in each run."""

import numpy as np
import numpy.typing as npt

from reportgen.readers import NO_DOCUMENT
from reportgen.units import NO_CATEGORY, CodedUnits

Labels = npt.NDArray[np.int64]

UNITS = 100_000
UNITS_OF_A_DOCUMENT = 100
CATEGORIES = 5
# The shares of the categories are uneven, as they mostly are.
SHARES = (0.5, 0.2, 0.15, 0.1, 0.05)
CERTAINTY = 0.8
SEED = 2010


def labels(annotators: int) -> Labels:
    """Return the labels (units, annotators): the true one mostly, else one drawn blindly."""
    random = np.random.default_rng(SEED)
    truth = random.choice(CATEGORIES, size=(UNITS, 1), p=SHARES)
    blind = random.choice(CATEGORIES, size=(UNITS, annotators), p=SHARES)
    certain = random.random((UNITS, annotators)) < CERTAINTY
    return np.where(certain, truth, blind).astype(np.int64)


def coded(given: Labels, *, in_documents: bool = False) -> CodedUnits:
    """Return labels as the study hands them on, each unit its own document or a hundred to one."""
    units, annotators = given.shape
    documents = units // UNITS_OF_A_DOCUMENT if in_documents else 0
    number = np.arange(units, dtype=np.int64)
    return CodedUnits(
        layer="main",
        id="ratings",
        kind="items",
        primary=True,
        why="",
        scale="nominal",
        documents=tuple(map(str, range(documents))),
        annotators=tuple(f"A{place}" for place in range(1, annotators + 1)),
        categories=tuple(f"C{place}" for place in range(1, CATEGORIES + 1)),
        non_annotated=NO_CATEGORY,
        non_annotated_name="",
        document=number // UNITS_OF_A_DOCUMENT if in_documents else np.full(units, NO_DOCUMENT),
        weight=np.ones(units, dtype=np.int64),
        unit=np.repeat(number, annotators),
        annotator=np.tile(np.arange(annotators, dtype=np.int64), units),
        label=given.reshape(-1),
        units_read=units,
    )
