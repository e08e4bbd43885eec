"""Tables that forms write: a row for each person, and a column for each thing that was labelled."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from string import digits

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput
from reportgen.readers.annotations import Texts
from reportgen.readers.scales import as_list, words_of
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
    # What is numbered as these are is one of them, whatever is in it.
    stems = {name.rstrip(digits) for name in alike}
    if len(stems) == 1 and all(name[-1].isdecimal() for name in alike):
        numbered = (name for name in columns.all if name[-1].isdecimal() and name.rstrip(digits) in stems)
        alike |= {name: columns[name] for name in numbered}
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


# Cells with lists: of a unit's annotators and of what they said, in one order, or of labels alone.


def unlisted(table: StringTable) -> StringTable:
    """Return a table with a row for each member of lists that name annotators and, as long, their labels.

    Lists of labels alone, as many in each cell and some of them twice, have a column for each place instead:
    a set has no label twice. Other tables are returned as they are.
    """
    names = [
        name for name, cells in zip(table.header, table.columns, strict=True) if _may_be_lists(name, cells)
    ]
    lists = {name: found for name in names if (found := _lists(table, name)) is not None}
    for who in (name for name in lists if ANNOTATOR_WORDS.intersection(words_of(name))):
        others = [name for name in table.named if name != who]
        same = {name: own for name in others if (own := _lists(table, name, lists[who])) is not None}
        if same and all(len(set(row)) == len(row) for row in lists[who]):
            return _exploded(table, {who: lists[who], **same})
    for name, rows in lists.items():
        places = {*map(len, rows)}
        if len(places) == 1 and any(len(set(row)) < len(row) for row in rows):
            rest = table.only([place for place, other in enumerate(table.header) if other != name])
            new = {f"{name} {place}": Texts.of(own) for place, own in enumerate(zip(*rows, strict=True), 1)}
            columns, said = (*rest.columns, *new.values()), _said(table, [name])
            return replace(rest, header=(*rest.header, *new), columns=columns, written=said)
    return table


# So large a share of members of lists is different at most, and what is between members without brackets.
LISTED, BETWEEN_MEMBERS = 0.5, (",", ";", "|")


def _may_be_lists(name: str, cells: Texts) -> bool:
    first = next(filter(None, map(str.strip, cells.levels)), "")
    called = ANNOTATOR_WORDS.intersection(words_of(name)) and any(sign in first for sign in BETWEEN_MEMBERS)
    return bool(name and (first.startswith("[") or called))


def _lists(
    table: StringTable, name: str, like: Sequence[Sequence[str]] | None = None
) -> list[list[str]] | None:
    """Return the members of each cell of a column, None where its cells are no lists whose members recur.

    They are as long as the lists `like` them, where these are given.
    """
    cells = table.columns[table.header.index(name)]
    for sign in (None, *BETWEEN_MEMBERS):
        levels = [as_list(cell) if sign is None else cell.split(sign) for cell in cells.levels]
        found = [[str(member).strip() for member in own or ()] for own in levels]
        rows = [found[code] for code in cells.codes.tolist()]
        members = [member for row in rows for member in row]
        is_long = max(map(len, rows), default=0) > 1 and min(map(len, rows)) > 0
        fits = like is None or [*map(len, rows)] == [*map(len, like)]
        if is_long and fits and len({*members}) <= LISTED * len(members):
            return rows
    return None


def _exploded(table: StringTable, lists: Mapping[str, Sequence[Sequence[str]]]) -> StringTable:
    """Return a table with a row for each member of lists, beside what else their row has."""
    times = np.array([len(row) for row in next(iter(lists.values()))], dtype=np.int64)
    again = np.repeat(np.arange(len(times)), times)
    columns = [
        Texts.of(member for row in lists[name] for member in row) if name in lists else cells.taken(again)
        for name, cells in zip(table.header, table.columns, strict=True)
    ]
    return replace(
        table, columns=tuple(columns), rows=table.rows[again], unique=None, written=_said(table, [*lists])
    )


def _said(table: StringTable, names: Sequence[str]) -> str:
    return f"{table.written}, lists in {', '.join(names)} taken apart"
