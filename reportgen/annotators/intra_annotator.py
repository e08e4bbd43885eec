"""Intra-annotator agreement: what somebody said of a unit at first, and again."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from reportgen.annotators.controls import pair_figure
from reportgen.counts import ContingencyTable, tally
from reportgen.measures import Setting, UnitsOfPair
from reportgen.measures.figures import figure
from reportgen.readers import Codes
from reportgen.results import Figure
from reportgen.results.annotators import Twice
from reportgen.units import Passes

PASSES = 2
SHOWN = ("observed_agreement", "cohen_kappa", "krippendorff_alpha")


def agreement_with_oneself(passes: Passes, setting: Setting, coefficient: str) -> list[Twice]:
    """Return the agreement of everybody who labelled something twice with themselves, by name.

    Shown are observed agreement, kappa and alpha, and the primary `coefficient` where it is another one.
    """
    found = [
        Twice(
            annotator=passes.people[table.first],
            units=table.units,
            measures=_measures(table, setting, coefficient),
        )
        for table in _tables(passes)
    ]
    return sorted(found, key=lambda each: each.annotator)


def _measures(table: ContingencyTable, setting: Setting, coefficient: str) -> dict[str, Figure]:
    names, pair = dict.fromkeys((*SHOWN, coefficient)), UnitsOfPair(table, setting)
    found = [item for name in names for item in pair_figure(pair, name).items()]
    return {name: figure(replace(each, recomputable=False)) for name, each in found}


def _tables(passes: Passes) -> Iterator[ContingencyTable]:
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


def _table(cells: list[Codes], categories: int) -> ContingencyTable:
    person, document, row, column, n = cells
    return ContingencyTable(int(person[0]), int(person[0]), categories, document, row, column, n)
