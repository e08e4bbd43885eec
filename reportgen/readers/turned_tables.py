"""Tables that forms write: a row for each person, and a column for each thing that was labelled."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput
from reportgen.readers.annotations import Texts
from reportgen.readers.scales import words_of
from reportgen.readers.string_tables import StringTable
from reportgen.readers.table_shapes import ANNOTATOR_WORDS, Column, Shape, TableColumns, is_somebody

# So many columns share a label, and so much of a column is labels that others share.
FEWEST, SHARED = 3, 0.75
WHO = ANNOTATOR_WORDS | {"email", "mail", "code", "id"}
UNIT, UNNAMED = "item", "annotator"


@dataclass(frozen=True)
class TurnedTable:
    """What a table has whose rows are people: their names, and the columns of what they labelled."""

    people: Sequence[str]
    units: Sequence[str]

    @property
    def shape(self) -> Shape:
        """Return what the columns are of the same table turned round."""
        return Shape((UNIT,), None, tuple(self.people), is_turned=True)


def turned(columns: TableColumns) -> TurnedTable | None:
    """Return the people and units of a table whose rows may be people, None where no columns share labels.

    Columns of times, addresses and remarks are left out: other columns have nothing that is in them.
    """
    among = Counter(label for column in columns.all.values() for label in column.counts)
    alike = {
        name: column
        for name, column in columns.all.items()
        if column.filled
        and sum(n for label, n in column.counts.items() if among[label] >= FEWEST) >= SHARED * column.filled
    }
    before = 0
    while before < len(alike):
        # Numbers near those of some columns are of the same scale, and show how far it goes.
        before, near = len(alike), _like([*alike.values()])
        alike |= {name: own for name, own in columns.all.items() if name not in alike and near(own)}
    units = [name for name in columns.all if name in alike]
    if len(units) < FEWEST or columns.rows < 2 or all(map(is_somebody, units)):
        return None
    others = [column for name, column in columns.all.items() if name not in alike]
    called = [column for column in others if WHO.intersection(words_of(column.name)) and column.is_unique]
    people = called[0].cells.tolist() if called else [f"P{row}" for row in range(1, columns.rows + 1)]
    return TurnedTable(people, units)


def _like(alike: Sequence[Column]) -> Callable[[Column], bool]:
    """Return what says whether a column has a label of some others, or numbers near theirs."""
    labels = {label for column in alike for label in column.counts}
    numbers = [column.numbers for column in alike if column.numbers is not None]
    lowest = min((float(own.min()) for own in numbers), default=0.0)
    highest = max((float(own.max()) for own in numbers), default=0.0)
    width = highest - lowest

    def is_like(column: Column) -> bool:
        own = column.numbers
        if own is not None and numbers:
            return bool(own.min() >= lowest - width and own.max() <= highest + width)
        return not labels.isdisjoint(column.counts)

    return is_like


def all_columns(header: Sequence[str], cells: Sequence[Texts]) -> TableColumns:
    """Return the columns of a table, also a first one without a name, in which people are named often."""
    names = (name or (UNNAMED if place == 0 else "") for place, name in enumerate(header))
    return TableColumns(dict(zip(names, cells, strict=True)))


def upright(table: StringTable) -> StringTable:
    """Return a table with a row for each person turned round: a row for each unit, a column for each person.

    Raises BadInput where its columns share no labels.
    """
    columns = all_columns(table.header, [own.mapped(str.strip) for own in table.columns])
    found = turned(columns)
    if found is None:
        message = "has no columns that share their labels, so that rows can't be annotators."
        raise BadInput([table.problem(table.lines[0], "turned", message, "Remove the key turned.")])
    rows = zip(*(columns[name].cells.tolist() for name in found.units), strict=True)
    header = table.lines[0]
    return replace(
        table,
        header=(UNIT, *found.people),
        columns=(Texts.of(found.units), *map(Texts.of, rows)),
        rows=np.arange(1, len(found.units) + 1),
        count_lines=lambda: [header] * (len(found.units) + 1),
        unique=None,
        is_turned=True,
    )
