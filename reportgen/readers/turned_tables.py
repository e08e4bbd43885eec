"""Tables that forms write: a row for each person, and a column for each thing that was labelled."""

import csv
import io
from collections import Counter
from collections.abc import Sequence

from reportgen.base.dataclass import dataclass
from reportgen.readers.scales import words_of
from reportgen.readers.string_tables import StringTable
from reportgen.readers.table_shapes import ANNOTATOR_WORDS, is_somebody

# So many columns share a label, and so much of a column is labels that others share.
FEWEST, SHARED = 3, 0.75
WHO = ANNOTATOR_WORDS | {"email", "mail", "code", "id"}


@dataclass(frozen=True)
class TurnedTable:
    """A table with a row for each thing that was labelled, and a column for each person."""

    people: Sequence[str]
    units: Sequence[str]
    rows: Sequence[Sequence[str]]

    @property
    def labels(self) -> dict[str, int]:
        """Return how often each label was given, the commonest first."""
        return dict(Counter(label for row in self.rows for label in row if label).most_common())

    @property
    def text(self) -> str:
        """Return the table as comma-separated values."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["item", *self.people])
        writer.writerows([unit, *row] for unit, row in zip(self.units, self.rows, strict=True))
        return out.getvalue()


def transposed(table: StringTable) -> TurnedTable | None:
    """Return a table whose rows may be people turned round, None where its columns share no labels.

    Columns of times, addresses and remarks are left out: other columns have nothing that is in them.
    """
    columns = [
        (name, [str(cell).strip() for cell in column])
        for name, column in zip(table.header, table.columns, strict=True)
        if name
    ]
    among = Counter(label for _, cells in columns for label in {*cells} - {""})
    units = [(name, cells) for name, cells in columns if _is_shared(cells, among)]
    if len(units) < FEWEST or len(table.rows) < 2 or all(is_somebody(name) for name, _ in units):
        return None
    people = _people([each for each in columns if each not in units], len(table.rows))
    return TurnedTable(people, [name for name, _ in units], [cells for _, cells in units])


def _is_shared(cells: Sequence[str], among: Counter[str]) -> bool:
    filled = [cell for cell in cells if cell]
    return bool(filled) and sum(among[cell] >= FEWEST for cell in filled) >= SHARED * len(filled)


def _people(columns: Sequence[tuple[str, Sequence[str]]], number: int) -> list[str]:
    """Return what people are called: in a column that is called so, else by the rows that they are in."""
    for name, cells in columns:
        if WHO.intersection(words_of(name)) and len({*cells} - {""}) == number:
            return list(cells)
    return [f"P{row}" for row in range(1, number + 1)]
