"""Two annotators' confusion matrix, whole and by document."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np

from reportgen.counts.tally import Cells, PairCounts, pair_rows, ranks, ratings_rows, tally
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.readers.counted import COMPARISONS, EVERYBODY, MARK_HEADS
from reportgen.results.model import csv_text
from reportgen.units import NO_CATEGORY, CodedUnits, ComparedUnits


@dataclass(frozen=True, eq=False)
class ContingencyTable:
    """The units that two annotators both rated.

    `document`, `row`, `column`, `n`: how many units of each document `first` gave the row's category and
    `second` the column's; a document NO_DOCUMENT stands for `n` units that are each their own document.
    """

    first: int
    second: int
    categories: int
    document: Codes
    row: Codes
    column: Codes
    n: Codes

    @property
    def counts(self) -> Codes:
        """Return how many units have each two labels (categories, categories), rows by `first`."""
        return _dense(self)

    @cached_property
    def cells(self) -> Cells:
        """Return the cells that hold units."""
        keys, place = self._ranked
        return Cells(self.categories, keys, _totals(place, self.n, len(keys)))

    @property
    def cell(self) -> Codes:
        """Return the place of each entry's cell among those that hold units."""
        return self._ranked[1]

    @cached_property
    def _ranked(self) -> tuple[Codes, Codes]:
        return ranks(self.row * self.categories + self.column, self.categories**2)

    @cached_property
    def units(self) -> int:
        """Return how many units both rated."""
        return int(self.n.sum())

    @cached_property
    def row_totals(self) -> Codes:
        """Return how many units `first` gave each category (categories,)."""
        return _totals(self.row, self.n, self.categories)

    @cached_property
    def column_totals(self) -> Codes:
        """Return how many units `second` gave each category (categories,)."""
        return _totals(self.column, self.n, self.categories)

    @cached_property
    def agreements(self) -> Codes:
        """Return how many units both gave each category (categories,)."""
        same = self.row == self.column
        return _totals(self.row[same], self.n[same], self.categories)

    @cached_property
    def disagreements(self) -> int:
        """Return how many units the two gave different categories."""
        return int(self.n[self.row != self.column].sum())

    @cached_property
    def documents(self) -> int:
        """Return how many documents are known among the units, 0 where none is."""
        known = self.document[self.document != NO_DOCUMENT]
        steps = np.diff(known)
        # They mostly stand in order.
        return len(np.unique(known)) if (steps < 0).any() else int((steps > 0).sum()) + bool(len(known))


@lru_cache(maxsize=2)
def _dense(table: ContingencyTable) -> Codes:
    """Return a table with all its cells; those of the tables in hand are kept, of hundreds of pairs too many.

    It is for reading: whoever asks next gets the same.
    """
    size = table.categories
    return _totals(table.row * size + table.column, table.n, size * size).reshape(size, size)


def _totals(codes: Codes, n: Codes, size: int) -> Codes:
    totals = np.zeros(size, dtype=np.int64)
    np.add.at(totals, codes, n)
    return totals


def pair_table(cells: PairCounts, categories: int, first: int, second: int) -> ContingencyTable:
    """Return the table of the pair `first` and `second`; `cells` count that pair alone, or nothing."""
    return ContingencyTable(
        first, second, categories, cells.document, cells.first_label, cells.second_label, cells.n
    )


def pair_tables(pairs: PairCounts, categories: int) -> Iterator[ContingencyTable]:
    """Yield the table of every two annotators that share a unit, in the order of their codes."""
    for start, end in pairwise([*pairs.starts.tolist(), len(pairs.n)]):
        cells = pairs.part(start, end)
        yield pair_table(cells, categories, int(cells.first[0]), int(cells.second[0]))


# What is counted of references and systems: pairs of labels of a key and whoever is held against it.


def keys_and_others(compared: ComparedUnits) -> tuple[list[int], list[int]]:
    """Return who is a key, and who is held against each of them.

    References are keys for all others; where there is none, each annotator is one for systems and models.
    """
    if compared.has_reference:
        return compared.of_role("reference"), compared.of_role("annotator", "system", "model")
    return compared.of_role("annotator"), compared.of_role("system", "model")


def count_comparisons(compared: ComparedUnits) -> PairCounts:
    """Return the counts of every key and whoever is held against it, on the units that both labelled."""
    keys, others = keys_and_others(compared)
    fewer, more = sorted((keys, others), key=len)
    parts = [_against(compared, anchor, more, key=fewer is keys) for anchor in fewer]
    merged = [np.concatenate(column) for column in zip(*parts, strict=True)] or [compared.units.unit[:0]] * 6
    rows, n = tally(merged[:5], merged[5])
    columns = (*rows, n)
    return PairCounts(*columns)


def _against(compared: ComparedUnits, anchor: int, others: Sequence[int], *, key: bool) -> tuple[Codes, ...]:
    """Return a row for each unit that `anchor` and one of the others labelled; `key` says which it is."""
    units, known = compared.units, compared.labels_of(anchor)
    held = np.zeros(len(units.annotators), dtype=np.bool_)
    held[list(others)] = True
    rows = np.flatnonzero(held[units.annotator] & (known[units.unit] != NO_CATEGORY))
    unit, label = units.unit[rows], units.label[rows]
    kept = compared.chosen(unit, known[unit], label)
    unit, label, who = unit[kept], label[kept], units.annotator[rows[kept]]
    fixed = np.full(len(unit), anchor, dtype=np.int64)
    where, weight = units.unit_document[unit], units.unit_weight[unit]
    if key:
        return fixed, who, where, known[unit], label, weight
    return who, fixed, where, label, known[unit], weight


def shared_units(compared: ComparedUnits, *people: int) -> Codes:
    """Return the units (numbers, rising) on which people are compared: those that all of them labelled."""
    labels = [compared.labels_of(each) for each in people]
    rated = np.logical_and.reduce([each != NO_CATEGORY for each in labels])
    unit = np.flatnonzero(rated)
    return unit[compared.chosen(unit, *(each[unit] for each in labels))]


def table_of_labels(
    compared: ComparedUnits, unit: Codes, first: tuple[int, Codes], second: tuple[int, Codes]
) -> ContingencyTable:
    """Return the table of two people, each with the labels of some units, NO_CATEGORY where there is none.

    `unit` (rows,) are the units, labels are (rows,).
    """
    both = (first[1] != NO_CATEGORY) & (second[1] != NO_CATEGORY)
    where, weight = compared.units.unit_document[unit[both]], compared.units.unit_weight[unit[both]]
    columns, n = tally([where, first[1][both], second[1][both]], weight)
    people = [np.full(len(n), each, dtype=np.int64) for each in (first[0], second[0])]
    cells = (*people, *columns, n)
    return pair_table(PairCounts(*cells), len(compared.units.categories), first[0], second[0])


def comparisons_csv(counted: Iterable[tuple[ComparedUnits, PairCounts]]) -> str:
    """Return the text of counts/comparisons.csv; `first` is the key."""
    rows = (row for compared, pairs in counted for row in pair_rows(compared.units, pairs))
    return csv_text(MARK_HEADS[COMPARISONS], rows)


def everybody_csv(compared: Iterable[ComparedUnits]) -> str:
    """Return the text of counts/everybody.csv: units with everybody's labels, from which the rest follows."""
    return csv_text(MARK_HEADS[EVERYBODY], (row for each in compared for row in _units(each)))


def with_absent(compared: ComparedUnits) -> CodedUnits:
    """Return the units with the category of unmarked ones, also where no pair of labels can have it."""
    units = compared.units
    if compared.absent != len(units.categories):
        return units
    return replace(units, categories=(*units.categories, units.non_annotated_name))


def _units(compared: ComparedUnits) -> Iterator[Sequence[object]]:
    """Yield a row for each kind of units, with how many of them are known as a number only."""
    units = with_absent(compared)
    is_bulk = (units.unit_weight > 1) & (not units.counted)
    large = replace(units, unit_weight=np.where(is_bulk, units.unit_weight, 0))
    bulk = {tuple(own): n for *own, n in ratings_rows(large)}
    for *own, n in ratings_rows(units):
        yield (*own, bulk.get(tuple(own), "0"), n)
