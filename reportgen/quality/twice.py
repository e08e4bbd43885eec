"""Intra-annotator agreement: what somebody said of a unit at first, and again."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from reportgen.agreement import Estimate, Pair, Setting
from reportgen.counts import PairTable, tally
from reportgen.quality.beside import pair_figure
from reportgen.study import Codes, Passes

PASSES = 2
SHOWN = ("observed_agreement", "cohen_kappa", "krippendorff_alpha")


@dataclass(frozen=True)
class Twice:
    """One annotator's first labels against the second ones, on the units labelled twice."""

    annotator: str
    units: int
    measures: Mapping[str, Estimate]


def agreement_with_oneself(passes: Passes, setting: Setting, figure: str) -> list[Twice]:
    """Return the agreement of everybody who labelled something twice with themselves, by name.

    Shown are observed agreement, kappa and alpha, and the primary `figure` where it is another one.
    """
    found = [
        Twice(passes.people[table.first], table.units, _measures(table, setting, figure))
        for table in _tables(passes)
    ]
    return sorted(found, key=lambda each: each.annotator)


def _measures(table: PairTable, setting: Setting, figure: str) -> dict[str, Estimate]:
    names, pair = dict.fromkeys((*SHOWN, figure)), Pair(table, setting)
    found = [item for name in names for item in pair_figure(pair, name).items()]
    return {name: replace(each, recomputable=False) for name, each in found}


def _tables(passes: Passes) -> Iterator[PairTable]:
    """Yield a table for each person, first pass by second; a row of weight 0 stands for no unit."""
    units = passes.units
    kept = units.unit_weight[units.unit] > 0
    unit, turn, label = units.unit[kept], units.annotator[kept], units.label[kept]
    order = np.lexsort((turn, unit, turn // PASSES))
    unit, turn, label = unit[order], turn[order], label[order]
    first = np.flatnonzero((unit[1:] == unit[:-1]) & (turn[1:] == turn[:-1] + 1) & (turn[:-1] % PASSES == 0))
    columns = [turn[first] // PASSES, units.unit_document[unit[first]], label[first], label[first + 1]]
    rows, n = tally(columns, units.unit_weight[unit[first]])
    starts = np.flatnonzero(np.diff(rows[0], prepend=-1)).tolist()
    for start, end in zip(starts, [*starts[1:], len(n)], strict=True):
        cells = [column[start:end] for column in (*rows, n)]
        yield _table(cells, len(units.categories))


def _table(cells: list[Codes], categories: int) -> PairTable:
    person, document, row, column, n = cells
    return PairTable(int(person[0]), int(person[0]), categories, document, row, column, n)
