"""What is counted, as long, sparse tables of integers: how often each combination of codes occurs."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import repeat
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from reportgen.readers import Codes
from reportgen.readers.counted import ESCAPES
from reportgen.units import NO_CATEGORY, CodedUnits
from reportgen.units.coded import every_two

# Keys up to here fit into an integer of 64 bits.
LARGEST_KEY = 2**62
# So many keys more than there are rows are counted in a table of all keys rather than sorted.
DENSE = 1_000_000


def tally(columns: Sequence[Codes], weights: Codes) -> tuple[list[Codes], Codes]:
    """Return the distinct rows of `columns`, sorted by the first column first, and the weight of each.

    Every column and `weights` have one entry a row; the sums are integers.
    """
    if len(weights) == 0:
        return [column[:0] for column in columns], weights[:0]
    distinct, place = _distinct_columns(columns)
    sums = np.zeros(len(distinct[0]), dtype=np.int64)
    np.add.at(sums, place, weights)
    return distinct, sums


def _distinct_columns(columns: Sequence[Codes]) -> tuple[list[Codes], Codes]:
    """Return the distinct rows of columns, sorted, as columns, and the place of each row among them."""
    keys = combined(columns)
    if keys is not None:
        key, base = keys
        distinct, place = ranks(key, prod(size for _, size in base))
        return split(distinct, base), place
    order = np.lexsort(tuple(reversed(columns)))
    ordered = [column[order] for column in columns]
    new = is_new(ordered)
    place = np.zeros(len(order), dtype=np.int64)
    place[order] = np.cumsum(new) - 1
    return [column[new] for column in ordered], place


Base = list[tuple[int, int]]


def combined(columns: Sequence[Codes]) -> tuple[Codes, Base] | None:
    """Return one key for each row, in the order of the columns, and the least value and size of each column.

    None where keys would be too large for an integer.
    """
    base = [(int(column.min(initial=0)), 1) for column in columns]
    base = [
        (low, int(column.max(initial=low)) - low + 1) for column, (low, _) in zip(columns, base, strict=True)
    ]
    if prod(size for _, size in base) > LARGEST_KEY:
        return None
    key = np.zeros(len(columns[0]), dtype=np.int64)
    for column, (low, size) in zip(columns, base, strict=True):
        key *= size
        key += column
        if low:
            key -= low
    return key, base


def split(keys: Codes, base: Base) -> list[Codes]:
    """Return the columns that keys were combined from."""
    columns: list[Codes] = []
    for low, size in reversed(base):
        higher = keys // size
        columns.append(keys - higher * size + low)
        keys = higher
    return columns[::-1]


def ranks(keys: Codes, size: int) -> tuple[Codes, Codes]:
    """Return the distinct keys, which are below `size`, in order, and the place of each key among them."""
    if size > DENSE + 4 * len(keys):
        distinct, place = np.unique(keys, return_inverse=True)
        return distinct, place.reshape(-1)
    there = np.zeros(size, dtype=np.bool_)
    there[keys] = True
    place = np.cumsum(there)
    place -= 1
    return np.flatnonzero(there), place[keys]


def distinct_rows(rows: Codes) -> tuple[Codes, Codes]:
    """Return the distinct rows of a matrix (rows, width), sorted, and the place of each row among them."""
    if rows.size == 0:
        return rows[:1], np.zeros(len(rows), dtype=np.int64)
    columns, place = _distinct_columns(list(rows.T))
    return np.stack(columns, axis=1), place


def is_new(ordered: Sequence[Codes]) -> npt.NDArray[np.bool_]:
    """Tell for each row of sorted columns whether it differs from the one before."""
    new = np.zeros(len(ordered[0]), dtype=np.bool_)
    new[:1] = True
    for column in ordered:
        new[1:] |= column[1:] != column[:-1]
    return new


def order_of(first: Codes, second: Codes) -> Codes | None:
    """Return the order of rows by two columns; None where they stand in it already."""
    key, _ = combined([first, second]) or (None, None)
    if key is None:
        return np.lexsort((second, first))
    return None if bool((key[1:] > key[:-1]).all()) else np.argsort(key, kind="stable")


# A square table of which only the cells that are not empty are kept: inventories have millions of others.

Values = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells (cells,) of a square table of `size` categories that hold something, in order.

    `key` is a cell's row times `size` plus its column, `value` what it holds; all others hold 0.
    """

    size: int
    key: Codes
    value: Values

    @cached_property
    def row(self) -> Codes:
        """Return the row of each cell."""
        return self.key // max(self.size, 1)

    @cached_property
    def column(self) -> Codes:
        """Return the column of each cell."""
        return self.key % max(self.size, 1)

    def at(self, row: Codes, column: Codes) -> Values:
        """Return what some cells hold, rows and columns being broadcast."""
        key = row * self.size + column
        if len(self.key) == 0:
            return np.zeros(key.shape, dtype=self.value.dtype)
        place = np.minimum(np.searchsorted(self.key, key), len(self.key) - 1)
        return np.where(self.key[place] == key, self.value[place], np.zeros((), dtype=self.value.dtype))

    @cached_property
    def totals(self) -> Values:
        """Return the sum of each row (categories,)."""
        totals = np.zeros(self.size, dtype=self.value.dtype)
        np.add.at(totals, self.row, self.value)
        return totals

    def whole(self, codes: Codes | None = None) -> Values:
        """Return the table with all its cells, of some categories or all."""
        shown = np.arange(self.size) if codes is None else codes
        return self.at(shown[:, None], shown[None, :])


def added_up(size: int, parts: Iterable[tuple[Codes, Codes, Values]]) -> Cells:
    """Return the cells of rows, columns and values that are added where they meet."""
    rows, columns, values = (np.concatenate(each) for each in zip(*parts, strict=True))
    key, place = np.unique(rows * size + columns, return_inverse=True)
    sums = np.zeros(len(key), dtype=values.dtype)
    np.add.at(sums, place.reshape(-1), values)
    return Cells(size, key, sums)


# What is counted: pairs of labels, labels of a unit together, labels of each annotator.


@dataclass(frozen=True, eq=False)
class PairCounts:
    """How often `first` said `first_label` where `second` said `second_label`, in each document.

    Six columns of equal length, sorted by first, second, document and labels; `first` < `second`.
    A document NO_DOCUMENT stands for units that are each their own document.
    """

    first: Codes
    second: Codes
    document: Codes
    first_label: Codes
    second_label: Codes
    n: Codes

    @cached_property
    def starts(self) -> Codes:
        """Return the first row of each pair of annotators (pairs,)."""
        return np.flatnonzero(is_new([self.first, self.second]))

    def part(self, start: int, end: int) -> "PairCounts":
        """Return the rows from `start` up to `end`."""
        columns = (self.first, self.second, self.document, self.first_label, self.second_label, self.n)
        return PairCounts(*(column[start:end] for column in columns))


@dataclass(frozen=True, eq=False)
class ProfileCounts:
    """How often each profile, the sorted labels of one unit, occurs in each document.

    `labels` (profiles, most ratings of a unit) is filled up with NO_CATEGORY; `document`, `profile`
    and `n` are columns of equal length.
    """

    labels: Codes
    document: Codes
    profile: Codes
    n: Codes

    @property
    def shared(self) -> int:
        """Return how many units at least two annotators rated."""
        several = (self.labels != NO_CATEGORY).sum(axis=1) > 1
        return int(self.n[several[self.profile]].sum())


@dataclass(frozen=True, eq=False)
class AnnotatorCounts:
    """How often each annotator gave each label in each document: four columns of equal length."""

    document: Codes
    annotator: Codes
    label: Codes
    n: Codes


@dataclass(frozen=True, eq=False)
class Counts:
    """All that is counted in one unit set; additive over documents."""

    pairs: PairCounts
    profiles: ProfileCounts
    annotators: AnnotatorCounts


def count(units: CodedUnits) -> Counts:
    """Return the counts of one unit set; a row of weight 0 stands for no unit and is not counted."""
    unit, annotator, label = in_order(units)
    document, weight = units.unit_document[unit], units.unit_weight[unit]
    return Counts(
        pairs=_count_pairs(unit, annotator, label, document, weight),
        profiles=_count_profiles(units, unit, label),
        annotators=AnnotatorCounts(*_columns([document, annotator, label], weight)),
    )


def in_order(units: CodedUnits) -> tuple[Codes, Codes, Codes]:
    """Return unit, annotator and label of each rating by unit and annotator, rows of weight 0 left out."""
    columns = units.unit, units.annotator, units.label
    empty = units.unit_weight <= 0
    if empty.any():
        present = np.flatnonzero(~empty[units.unit])
        columns = columns[0][present], columns[1][present], columns[2][present]
    order = order_of(columns[0], columns[1])
    return columns if order is None else (columns[0][order], columns[1][order], columns[2][order])


def _columns(columns: list[Codes], weight: Codes) -> tuple[Codes, ...]:
    rows, n = tally(columns, weight)
    return (*rows, n)


def _count_pairs(unit: Codes, annotator: Codes, label: Codes, document: Codes, weight: Codes) -> PairCounts:
    """Count every two ratings of the same unit.

    The ratings of a unit stand together, so that those at distance 1, 2, … are compared until no unit
    has so many.
    """
    parts: list[tuple[Codes, ...]] = []
    for earlier, later in every_two(unit):
        columns = [annotator[earlier], annotator[later], document[earlier], label[earlier], label[later]]
        parts.append(_columns(columns, weight[earlier]))
    merged = [np.concatenate(column) for column in zip(*parts, strict=True)] or [unit[:0]] * 6
    return PairCounts(*_columns(merged[:5], merged[5]))


def _count_profiles(units: CodedUnits, unit: Codes, label: Codes) -> ProfileCounts:
    """Count the distinct rows of labels, each unit's own sorted."""
    ratings = np.bincount(unit, minlength=len(units.unit_weight))
    # What fills rows up is larger than any label, so that sorting leaves it at the end.
    filler = len(units.categories)
    rows = np.full((len(ratings), int(ratings.max(initial=0))), filler, dtype=np.int64)
    starts = np.cumsum(ratings) - ratings
    rows[unit, np.arange(len(unit)) - starts[unit]] = label
    rated = ratings > 0
    rows = np.sort(rows[rated], axis=1)
    rows[rows == filler] = NO_CATEGORY
    labels, profile = distinct_rows(rows)
    return ProfileCounts(labels, *_columns([units.unit_document[rated], profile], units.unit_weight[rated]))


# Units of one kind, those of a document with the same labels by the same annotators, counted as one.

Cell = Callable[[str], str]


def _distinct(units: CodedUnits) -> tuple[Codes, Codes]:
    """Return the different rows of documents and ratings, and how many units have each."""
    there = units.unit_weight > 0
    distinct, place = distinct_rows(_ratings(units)[there])
    n = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(n, place, units.unit_weight[there])
    return distinct, n


@lru_cache(maxsize=2)
def ranks_of_units(units: CodedUnits) -> Codes:
    """Return the place of each unit among all, sorted by document, ratings and weight.

    Sums of floats over units that follow it do not hang on the order in which an export has them.
    """
    rows = np.column_stack([_ratings(units), units.unit_weight])
    ranks = np.empty(len(rows), dtype=np.int64)
    ranks[np.argsort(distinct_rows(rows)[1], kind="stable")] = np.arange(len(rows))
    return ranks


def _ratings(units: CodedUnits) -> Codes:
    """Return a row for each unit: its document, then a code above 0 for each rating, 0 where none is."""
    unit, annotator, label = in_order(units)
    ratings = np.bincount(unit, minlength=len(units.unit_weight))
    starts = np.cumsum(ratings) - ratings
    rows = np.zeros((len(ratings), int(ratings.max(initial=0)) + 1), dtype=np.int64)
    rows[:, 0] = units.unit_document
    rows[unit, 1 + np.arange(len(unit)) - starts[unit]] = 1 + annotator * len(units.categories) + label
    return rows


def ratings_rows(units: CodedUnits, cell: Cell = str) -> Iterator[tuple[str, ...]]:
    """Return the rows of ratings.csv of one unit set; `cell` says how a name is written."""
    rows, n = _distinct(units)
    patterns, place = distinct_rows(rows[:, 1:])
    return rows_of(units, cell, rows[:, 0], n, (place, _patterns(units, patterns)))


def rows_of(
    units: CodedUnits, cell: Cell, document: Codes, n: Codes, *columns: tuple[Codes, Sequence[str]]
) -> Iterator[tuple[str, ...]]:
    """Return rows of a unit set: what each is of, the names behind the codes of its columns, how many."""
    where = named(document, (*units.documents, ""), cell)
    cells = (named(codes, names, cell) for codes, names in columns)
    return zip(
        repeat(cell(units.layer)), repeat(cell(units.id)), where, *cells, map(str, n.tolist()), strict=False
    )


def pair_rows(units: CodedUnits, pairs: PairCounts, cell: Cell = str) -> Iterator[tuple[str, ...]]:
    """Return the rows of pairs.csv of one unit set, or of comparisons.csv, where `first` is the key."""
    who = (pairs.first, units.annotators), (pairs.second, units.annotators)
    said = (pairs.first_label, units.categories), (pairs.second_label, units.categories)
    return rows_of(units, cell, pairs.document, pairs.n, *who, *said)


def _patterns(units: CodedUnits, patterns: Codes) -> list[str]:
    """Return each list of ratings as it is written."""
    annotators = [name.translate(ESCAPES) for name in units.annotators]
    categories = [name.translate(ESCAPES) for name in units.categories]
    size = max(len(categories), 1)
    return [
        "|".join(f"{annotators[(code - 1) // size]}:{categories[(code - 1) % size]}" for code in row if code)
        for row in patterns.tolist()
    ]


def named(codes: Codes, names: Sequence[str], cell: Cell) -> Iterator[str]:
    """Return what each code stands for; NO_DOCUMENT, which is -1, for the last of the names."""
    written = list(map(cell, names))
    return map(written.__getitem__, codes.tolist())
