"""Units to which at least two annotators gave different labels."""

import numpy as np

from reportgen.formats import Codes
from reportgen.study.coded import NO_PLACE, CodedUnits


def disputed(units: CodedUnits) -> Codes:
    """Return the units (numbers, rising) that have a place and on which at least two annotators differ.

    The rows of jointly unmarked units have no place, and nobody differs on them.
    """
    lowest = np.full(len(units.unit_weight), len(units.categories), dtype=np.int64)
    highest = np.full(len(units.unit_weight), -1, dtype=np.int64)
    np.minimum.at(lowest, units.unit, units.label)
    np.maximum.at(highest, units.unit, units.label)
    placed = units.unit_place != NO_PLACE if len(units.unit_place) else np.zeros(len(lowest), dtype=np.bool_)
    found: Codes = np.flatnonzero((highest > lowest) & placed)
    return found
