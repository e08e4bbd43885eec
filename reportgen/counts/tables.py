"""What is counted, of units and of spans: sparse tables of integers that add up over documents."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from math import prod
from operator import getitem

import numpy as np
import numpy.typing as npt

from reportgen.base.dataclass import dataclass
from reportgen.campaign import DistanceMatrix
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.readers.annotations import Margins
from reportgen.readers.counted import (
    KINDS,
    MARK_HEADS,
    OUTCOMES,
    SPANS,
    TOKENS,
    TYPE_PAIRS,
    SpanCounts,
    TypePairs,
)
from reportgen.results.model import csv_text
from reportgen.units import (
    BOUNDARY,
    NO_CATEGORY,
    OF_FIRST,
    OF_SECOND,
    OMISSION,
    PAIR,
    CodedUnits,
    ComparedUnits,
    Credit,
    MarkCases,
    Pairing,
    SpanFrame,
    Spans,
    credits_of,
    extents,
    mark_cases,
    pair_by_credit,
    pair_marks,
)
from reportgen.units.labels import Labels, Values, all_equal_row_pairs, as_rows, ranges, side_by_side, sums_by

# Keys up to here fit into an integer of 64 bits.
LARGEST_KEY = 2**62
# So many keys more than there are rows, or for each row, are counted in a table of all keys and not sorted.
DENSE, DENSE_A_ROW = 1_000_000, 60
# Of more pairs of annotators figures by pairs take longer than all others together, up to gigabytes.
MOST_PAIRS = 1_000_000
# Pairs of ratings that are counted at a time, unless one annotator has more.
AT_ONCE = 2**18


def tally(columns: Sequence[Codes], weights: Codes) -> tuple[list[Codes], Codes]:
    """Return the distinct rows of `columns`, sorted by the first column first, and the weight of each.

    Every column and `weights` have one entry a row; the sums are integers.
    """
    if len(weights) == 0:
        return [column[:0] for column in columns], weights[:0]
    distinct, position = _distinct_columns(columns)
    return distinct, sums_by(position, weights, len(distinct[0]))


def _distinct_columns(columns: Sequence[Codes]) -> tuple[list[Codes], Codes]:
    """Return the distinct rows of columns, sorted, as columns, and the place of each row among them."""
    keys = combined(columns)
    if keys is not None:
        key, base = keys
        distinct, position = dense_codes(key, prod(size for _, size in base))
        return split(distinct, base), position
    order = np.lexsort(tuple(reversed(columns)))
    ordered = [column[order] for column in columns]
    new = is_new(ordered)
    position = np.zeros(len(order), dtype=np.int64)
    position[order] = np.cumsum(new) - 1
    return [column[new] for column in ordered], position


Base = list[tuple[int, int]]


def combined(columns: Sequence[Codes]) -> tuple[Codes, Base] | None:
    """Return one key for each row, in the order of the columns, and the least value and size of each column.

    None where keys would be too large for an integer.
    """
    lowest = [int(column.min(initial=0)) for column in columns]
    sizes = [int(column.max(initial=low)) - low + 1 for column, low in zip(columns, lowest, strict=True)]
    if prod(sizes) > LARGEST_KEY:
        return None
    base = list(zip(lowest, sizes, strict=True))
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


def dense_codes(keys: Codes, size: int) -> tuple[Codes, Codes]:
    """Return the distinct keys, which are below `size`, in order, and the place of each key among them."""
    if size > min(DENSE, DENSE_A_ROW * len(keys)) + 4 * len(keys):
        distinct, position = np.unique(keys, return_inverse=True)
        return distinct, position.reshape(-1)
    there = np.zeros(size, dtype=np.bool_)
    there[keys] = True
    position = np.cumsum(there)
    position -= 1
    return np.flatnonzero(there), position[keys]


def distinct_rows(rows: Codes) -> tuple[Codes, Codes]:
    """Return the distinct rows of a matrix (rows, width), sorted, and the place of each row among them."""
    if rows.size == 0:
        return rows[:1], np.zeros(len(rows), dtype=np.int64)
    columns, position = _distinct_columns(list(rows.T))
    return np.stack(columns, axis=1), position


def is_new(ordered: Sequence[Codes]) -> npt.NDArray[np.bool_]:
    """Tell for each row of sorted columns whether it differs from the one before."""
    new = np.zeros(len(ordered[0]), dtype=np.bool_)
    new[:1] = True
    for column in ordered:
        new[1:] |= column[1:] != column[:-1]
    return new


# A square table of which only the cells that are not empty are kept: inventories have millions of others.


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells (cells,) of a square table of `size` categories that are not empty, in order.

    `key` is a cell's row times `size` plus its column, `value` what is in it; all others have 0.
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
        """Return the values of some cells, rows and columns being broadcast."""
        key = row * self.size + column
        if len(self.key) == 0:
            return np.zeros(key.shape, dtype=self.value.dtype)
        position = np.minimum(np.searchsorted(self.key, key), len(self.key) - 1)
        return np.where(self.key[position] == key, self.value[position], np.zeros((), dtype=self.value.dtype))

    @cached_property
    def totals(self) -> Values:
        """Return the sum of each row (categories,)."""
        return sums_by(self.row, self.value, self.size)

    def dense(self, codes: Codes | None = None) -> Values:
        """Return the table with all its cells, of some categories or all."""
        shown = np.arange(self.size) if codes is None else codes
        return self.at(shown[:, None], shown[None, :])


def sum_cells(size: int, parts: Iterable[tuple[Codes, Codes, Values]]) -> Cells:
    """Return the cells of rows, columns and values that are added where they meet."""
    rows, columns, values = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    key, position = np.unique(rows * size + columns, return_inverse=True)
    return Cells(size, key, sums_by(position.reshape(-1), values, len(key)))


# What is counted: pairs of labels, labels of a unit together, labels of each annotator.


@dataclass(frozen=True, eq=False)
class PairCounts:
    """How often `first` said `first_label` where `second` said `second_label`, in each document.

    Six columns of equal length, sorted by first, second, document and labels; `first` < `second`.
    A document NO_DOCUMENT means units that are each their own document. `margins` has what is known beside of
    every two annotators, where counts are sums.
    """

    first: Codes
    second: Codes
    document: Codes
    first_label: Codes
    second_label: Codes
    n: Codes
    margins: Margins | None = field(default=None, kw_only=True)

    @cached_property
    def starts(self) -> Codes:
        """Return the first row of each pair of annotators (pairs,)."""
        return np.flatnonzero(is_new([self.first, self.second]))

    def part(self, start: int, end: int) -> "PairCounts":
        """Return the rows from `start` up to `end`."""
        columns = (self.first, self.second, self.document, self.first_label, self.second_label, self.n)
        return PairCounts(*(column[start:end] for column in columns), margins=self.margins)


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
        is_shared = (self.labels != NO_CATEGORY).sum(axis=1) > 1
        return int(self.n[is_shared[self.profile]].sum())


@dataclass(frozen=True, eq=False)
class AnnotatorCounts:
    """How often each annotator gave each label in each document: four columns of equal length."""

    document: Codes
    annotator: Codes
    label: Codes
    n: Codes


@dataclass(frozen=True, eq=False)
class Counts:
    """All that is counted in one unit set; additive over documents.

    Pairs are counted where they are asked for: of a crowd they are many times the ratings. There are none
    where it is not known who gave which label to which unit, and where there would be too many.
    """

    units: CodedUnits
    profiles: ProfileCounts
    annotators: AnnotatorCounts

    @cached_property
    def too_many_pairs(self) -> bool:
        """Tell whether more than MOST_PAIRS pairs of annotators may have labelled the same units.

        Units of one kind count as often as there are, so that it is the same from counts as from labels.
        """
        annotators, ratings = len(self.units.annotators), self.units.per_unit
        twos = int((self.units.weight * (ratings * (ratings - 1) // 2)).sum())
        return min(annotators * (annotators - 1) // 2, twos) > MOST_PAIRS

    @cached_property
    def pairs(self) -> PairCounts:
        """Return the pairs of labels by document."""
        if self.too_many_pairs:
            return _joined(())
        margins = self.units.margins
        if margins is not None and margins.pairs is not None:
            return PairCounts(*margins.pairs, margins=margins)
        return _count_pairs(self.units)

    @cached_property
    def pairs_in_all(self) -> PairCounts:
        """Return the pairs of labels of all documents together, as if no document were known."""
        nowhere = np.full_like(self.units.document, NO_DOCUMENT)
        if self.too_many_pairs or (self.units.document == nowhere).all():
            return self.pairs
        if self.units.margins is not None:
            pairs = self.pairs
            nowhere = np.full_like(pairs.document, NO_DOCUMENT)
            labels = pairs.first_label, pairs.second_label
            return _pair_counts([(pairs.first, pairs.second, nowhere, *labels, pairs.n)])
        return _count_pairs(replace(self.units, document=nowhere))

    @property
    def in_all(self) -> "Counts":
        """Return the profiles and what annotators gave, all documents together."""
        nowhere = np.zeros(1, dtype=np.int64) + NO_DOCUMENT
        (profile,), times = tally([self.profiles.profile], self.profiles.n)
        profiles = ProfileCounts(self.profiles.labels, nowhere.repeat(len(times)), profile, times)
        (annotator, label), n = tally([self.annotators.annotator, self.annotators.label], self.annotators.n)
        return Counts(self.units, profiles, AnnotatorCounts(nowhere.repeat(len(n)), annotator, label, n))

    def has_more_pairs(self, rows: int) -> bool:
        """Tell whether `pairs` has more rows; where the first ratings have, no others are counted."""
        if self.units.margins is not None or self.too_many_pairs:
            return True
        if "pairs" not in vars(self):
            labels = self.units.in_order
            if len(_count_twos(labels, *_first_twos(labels.unit))[-1]) > rows:
                return True
        return len(self.pairs.n) > rows


def count(units: CodedUnits) -> Counts:
    """Return the counts of one unit set; a row of weight 0 is no unit and is not counted."""
    labels = units.in_order
    if margins := units.margins:
        document = np.full_like(margins.n, NO_DOCUMENT)
        annotators = AnnotatorCounts(document, margins.annotator, margins.label, margins.n)
    else:
        columns = [labels.row_document, labels.annotator, labels.label]
        annotators = AnnotatorCounts(*_columns(columns, labels.row_weight))
    return Counts(units=units, profiles=_count_profiles(labels), annotators=annotators)


def _columns(columns: list[Codes], weight: Codes) -> tuple[Codes, ...]:
    rows, n = tally(columns, weight)
    return (*rows, n)


def _count_pairs(units: CodedUnits) -> PairCounts:
    """Count every two ratings of the same unit; what was counted at a time needs no sorting afterwards."""
    labels = units.in_order
    twos = twos_by_annotator(labels.unit, labels.annotator) if units.margins is None else ()
    return _joined(_count_twos(labels, *two) for two in twos)


def _count_twos(labels: Labels, one: Codes, other: Codes) -> tuple[Codes, ...]:
    """Return the rows of pairs.csv for some pairs of rows, given by their places."""
    first, second = (labels.where(rows) for rows in (one, other))
    columns = [first.annotator, second.annotator, first.row_document, first.label, second.label]
    return _columns(columns, first.row_weight)


def twos_by_annotator(unit: Codes, annotator: Codes) -> Iterator[tuple[Codes, Codes]]:
    """Yield the places of every two ratings of a unit, of ratings that are sorted by unit and annotator.

    What is yielded at a time has all pairs of some annotators as the first of two; they ascend.
    """
    end = np.searchsorted(unit, unit, side="right")
    place = np.argsort(annotator, kind="stable")
    before = np.cumsum(end[place] - place - 1)
    start = np.flatnonzero(is_new([annotator[place]]))
    cuts = start[is_new([before[start] // AT_ONCE])]
    for low, high in pairwise([*cuts.tolist(), len(place)]):
        own = place[low:high]
        row, other = ranges(own + 1, end[own])
        yield own[row], other


def _first_twos(unit: Codes) -> tuple[Codes, Codes]:
    """Return the places of every two ratings of a unit, of the first ratings alone."""
    end = np.searchsorted(unit, unit, side="right")
    later = end - np.arange(1, len(unit) + 1)
    few = int(np.searchsorted(np.cumsum(later), AT_ONCE)) + 1
    return ranges(np.arange(1, len(unit) + 1)[:few], end[:few])


def _joined(parts: Iterable[tuple[Codes, ...]]) -> PairCounts:
    nothing = [np.zeros(0, dtype=np.int64)] * 6
    return PairCounts(*(np.concatenate(column) for column in zip(nothing, *parts, strict=True)))


def _pair_counts(parts: Iterable[tuple[Codes, ...]]) -> PairCounts:
    """Return the counts of several parts together, whose last column is how many there are."""
    joined = _joined(parts)
    columns = [joined.first, joined.second, joined.document, joined.first_label, joined.second_label]
    return PairCounts(*_columns(columns, joined.n))


def _count_profiles(labels: Labels) -> ProfileCounts:
    """Count the distinct rows of labels, each unit's own sorted."""
    # What fills rows up is larger than any label, so that sorting leaves it at the end.
    filler = len(labels.categories)
    rows = side_by_side(labels.unit, labels.label, len(labels.weight), filler)
    rated = (rows != filler).any(axis=1)
    rows = np.sort(rows[rated], axis=1)
    rows[rows == filler] = NO_CATEGORY
    distinct, profile = distinct_rows(rows)
    return ProfileCounts(distinct, *_columns([labels.document[rated], profile], labels.weight[rated]))


# Two annotators' confusion matrix, whole and by document.


@dataclass(frozen=True, eq=False)
class DocumentProducts:
    """What is known of single documents of a table that has groups of them in their place.

    `documents` is how many there are, `sums` (cells, cells) how many units of a document are in two cells of
    the table, one times the other, added up over documents: the sum of squares of whatever units add up to
    in a document follows from these.
    """

    documents: int
    sums: Codes

    def of(self, codes: Codes, size: int) -> "DocumentProducts":
        """Return the same of a table whose cells have other codes, those in the place of theirs (cells,)."""
        sums = np.zeros((size, size), dtype=np.int64)
        np.add.at(sums, (codes[:, None], codes), self.sums)
        return DocumentProducts(self.documents, sums)


@dataclass(frozen=True, eq=False)
class ContingencyTable:
    """The units that two annotators both rated.

    `document`, `row`, `column`, `n`: how many units of each document `first` gave the row's category and
    `second` the column's; a document NO_DOCUMENT means `n` units that are each their own document.
    `products` is what is known of single documents where `document` has groups of them.
    """

    first: int
    second: int
    categories: int
    document: Codes
    row: Codes
    column: Codes
    n: Codes
    products: DocumentProducts | None = field(default=None, kw_only=True)

    @property
    def counts(self) -> Codes:
        """Return how many units have each two labels (categories, categories), rows by `first`."""
        return _dense(self)

    @cached_property
    def cells(self) -> Cells:
        """Return the cells that have units."""
        keys, position = self._ranked
        return Cells(self.categories, keys, sums_by(position, self.n, len(keys)))

    @property
    def cell(self) -> Codes:
        """Return the place of each entry's cell among those that have units."""
        return self._ranked[1]

    @cached_property
    def _ranked(self) -> tuple[Codes, Codes]:
        return dense_codes(self.row * self.categories + self.column, self.categories**2)

    @cached_property
    def units(self) -> int:
        """Return how many units both rated."""
        return int(self.n.sum())

    @cached_property
    def row_totals(self) -> Codes:
        """Return how many units `first` gave each category (categories,)."""
        return sums_by(self.row, self.n, self.categories)

    @cached_property
    def column_totals(self) -> Codes:
        """Return how many units `second` gave each category (categories,)."""
        return sums_by(self.column, self.n, self.categories)

    @cached_property
    def agreements(self) -> Codes:
        """Return how many units both gave each category (categories,)."""
        same = self.row == self.column
        return sums_by(self.row[same], self.n[same], self.categories)

    @cached_property
    def disagreements(self) -> int:
        """Return how many units the two gave different categories."""
        return int(self.n[self.row != self.column].sum())

    @cached_property
    def documents(self) -> int:
        """Return how many documents are known among the units, 0 where none is."""
        documents = self.document[self.document != NO_DOCUMENT]
        steps = np.diff(documents)
        if (steps < 0).any():  # they mostly are in order
            return len(np.unique(documents))
        return int((steps > 0).sum()) + bool(len(documents))


@lru_cache(maxsize=2)
def _dense(table: ContingencyTable) -> Codes:
    """Return a table with all its cells; those of the tables in hand are kept, of hundreds of pairs too many.

    It is for reading: the next who asks gets the same.
    """
    size = table.categories
    return sums_by(table.row * size + table.column, table.n, size * size).reshape(size, size)


def pair_table(cells: PairCounts, categories: int, first: int, second: int) -> ContingencyTable:
    """Return the table of the pair `first` and `second`; `cells` count that pair alone, or nothing."""
    labels = cells.first_label, cells.second_label
    products = None
    if cells.margins is not None and cells.margins.products is not None:
        products = DocumentProducts(*cells.margins.products_of(first, second, categories))
    return ContingencyTable(first, second, categories, cells.document, *labels, cells.n, products=products)


def pair_tables(pairs: PairCounts, categories: int) -> Iterator[ContingencyTable]:
    """Yield the table of every two annotators that share a unit, in the order of their codes."""
    for start, end in pairwise([*pairs.starts.tolist(), len(pairs.n)]):
        cells = pairs.part(start, end)
        yield pair_table(cells, categories, int(cells.first[0]), int(cells.second[0]))


# What is counted of references and systems: pairs of labels of a key and of who is compared with it.


def keys_and_others(compared: ComparedUnits) -> tuple[list[int], list[int]]:
    """Return who is a key, and who is compared with each of them.

    References are keys for all others; where there is none, each annotator is one for systems and models.
    """
    if compared.has_reference:
        return compared.of_role("reference"), compared.of_role("annotator", "system", "model")
    return compared.of_role("annotator"), compared.of_role("system", "model")


def count_comparisons(compared: ComparedUnits) -> PairCounts:
    """Return the counts of every key and who is compared with it, on the units that both labelled."""
    keys, others = keys_and_others(compared)
    fewer, more = sorted((keys, others), key=len)
    return _pair_counts(_labelled(compared, anchor, more, key=fewer is keys) for anchor in fewer)


def _labelled(compared: ComparedUnits, anchor: int, others: Sequence[int], *, key: bool) -> tuple[Codes, ...]:
    """Return a row for each unit that `anchor` and one of the others labelled; `key` says which it is."""
    units, anchor_label = compared.units, compared.units.labels_of(anchor)
    is_other = np.zeros(len(units.annotators), dtype=np.bool_)
    is_other[list(others)] = True
    rows = np.flatnonzero(is_other[units.annotator] & (anchor_label[units.unit] != NO_CATEGORY))
    unit, label = units.unit[rows], units.label[rows]
    is_chosen = compared.chosen(unit, anchor_label[unit], label)
    unit, label, who = unit[is_chosen], label[is_chosen], units.annotator[rows[is_chosen]]
    fixed = np.full(len(unit), anchor, dtype=np.int64)
    where, weight = units.document[unit], units.weight[unit]
    if key:
        return fixed, who, where, anchor_label[unit], label, weight
    return who, fixed, where, label, anchor_label[unit], weight


def shared_units(compared: ComparedUnits, *people: int) -> Codes:
    """Return the units (numbers, rising) on which people are compared: those that all of them labelled."""
    labels = [compared.units.labels_of(person) for person in people]
    rated = np.logical_and.reduce([codes != NO_CATEGORY for codes in labels])
    unit = np.flatnonzero(rated)
    return unit[compared.chosen(unit, *(codes[unit] for codes in labels))]


def table_of_labels(
    compared: ComparedUnits, unit: Codes, first: tuple[int, Codes], second: tuple[int, Codes]
) -> ContingencyTable:
    """Return the table of two people, each with the labels of some units, NO_CATEGORY where there is none.

    `unit` (rows,) are the units, labels are (rows,).
    """
    both = (first[1] != NO_CATEGORY) & (second[1] != NO_CATEGORY)
    where, weight = compared.units.document[unit[both]], compared.units.weight[unit[both]]
    (document, row, column), n = tally([where, first[1][both], second[1][both]], weight)
    size = len(compared.units.categories)
    return ContingencyTable(first[0], second[0], size, document, row, column, n)


MATCH, OVERLAP, ONLY_FIRST, ONLY_SECOND = range(4)


def count_spans(spans: SpanFrame) -> SpanCounts:
    """Return the counts of one layer's spans: under the best pairing, or as an export has them."""
    return count_pairs(spans, pair_marks(spans)) if isinstance(spans, Spans) else counted(spans)


def counted(spans: SpanFrame) -> SpanCounts:
    """Return the counts that an export has of spans, in place of the marks themselves."""
    if spans.counts is None:
        raise TypeError
    return spans.counts


def count_pairs(spans: Spans, pairing: Pairing) -> SpanCounts:
    """Return the counts of one layer's spans under a pairing."""
    # Which two people who are compared saw which document, sorted by both and by document.
    document, person = np.nonzero(spans.saw)
    one, other = all_equal_row_pairs(document)
    is_compared = spans.compared(person[one], person[other])
    first, second, where = person[one][is_compared], person[other][is_compared], document[one][is_compared]
    order = np.lexsort((where, second, first))
    both_saw = first[order], second[order], where[order]
    parts = [*_marks_of_both(spans, both_saw), *_pairs(spans, pairing)]
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    rows, n = tally(columns[:5], columns[5])
    is_counted = n > 0
    first, second, document, kind, outcome = (column[is_counted] for column in rows)
    marks = first, second, document, kind, outcome, n[is_counted]
    return SpanCounts(*marks, *both_saw, spans.tokens[both_saw[2]], differs=pairing.differs)


def _marks_of_both(spans: Spans, both_saw: tuple[Codes, Codes, Codes]) -> Iterator[tuple[Codes, ...]]:
    """Yield every mark of the first as one that the second lacks, and the other way round."""
    rows, n = tally([spans.document, spans.person, spans.type], np.ones_like(spans.type))
    key = rows[0] * len(spans.people) + rows[1]
    for who, outcome in ((0, ONLY_FIRST), (1, ONLY_SECOND)):
        pair_key = both_saw[2] * len(spans.people) + both_saw[who]
        pair, row = ranges(*(np.searchsorted(key, pair_key, side) for side in ("left", "right")))
        fixed = np.full(len(pair), outcome, dtype=np.int64)
        yield (*(column[pair] for column in both_saw), rows[2][row], fixed, n[row])


def _pairs(spans: Spans, pairing: Pairing) -> Iterator[tuple[Codes, ...]]:
    """Yield each pair as a match or an overlap, and its two marks as no longer alone."""
    first, second = spans.person[pairing.first], spans.person[pairing.second]
    where = first, second, spans.document[pairing.first], spans.type[pairing.first]
    ones = np.ones_like(first)
    yield (*where, np.where(pairing.exact, MATCH, OVERLAP), ones)
    for outcome in (ONLY_FIRST, ONLY_SECOND):
        yield (*where, np.full_like(first, outcome), -ones)


def starts(first: Codes, second: Codes) -> Codes:
    """Return where the rows of each two people begin, of columns sorted by both."""
    return np.flatnonzero(is_new([first, second]))


# What is counted of marks of different types that are pairs: by document and by the two types.

COEXTENSIVE, OVERLAPPING = range(2)


@dataclass(frozen=True, eq=False, kw_only=True)
class CreditCounts(TypePairs):
    """How many pairs of marks of two types there are by one distance; additive over documents."""

    credit: Credit


def count_credits(spans: Spans, pairing: Pairing, credit: Credit) -> CreditCounts:
    """Return the counts of pairs of marks that `pairing` leaves alone, under the best pairing by credit."""
    pairs = pair_by_credit(spans, pairing, credit)
    columns = [
        spans.person[pairs.first],
        spans.person[pairs.second],
        spans.document[pairs.first],
        spans.type[pairs.first],
        spans.type[pairs.second],
        np.where(pairs.exact, COEXTENSIVE, OVERLAPPING),
    ]
    (first, second, document, first_type, second_type, kind), n = tally(columns, np.ones_like(pairs.first))
    return CreditCounts(first, second, document, first_type, second_type, kind, n, credit=credit)


# What is counted of marks that disagree: in what way, and which ends differ.

NO_TYPE = -1
# Which ends of two marks of one type differ, or only stretches between the ends.
ENDS = ("left", "right", "both", "inside")
NO_ENDS = -1
# How two marks of one type are apart: they begin together, or end together, or the one lies around the other,
# or neither around the other. Twice the place is of the first's mark, one more of the second's.
SHAPES = ("right", "left", "around", "elsewhere")
NO_SHAPE = -1


@dataclass(frozen=True, eq=False)
class CaseCounts:
    """How many cases of each kind there are between two people; additive over documents.

    `first`, `second`, `document`, `kind`, `first_type`, `second_type`, `ends`, `shape`, `n` (rows,), sorted
    in this order. Of an omission the type of the one who has no mark is NO_TYPE. `shape` is for pairs about
    boundaries, `ends` for all cases about boundaries. `distances` are further columns, for annotators' pairs
    of one type that match or overlap: their type, 0 for the start, 1 for the end, how far apart they lie, and
    how many pairs.
    """

    first: Codes
    second: Codes
    document: Codes
    kind: Codes
    first_type: Codes
    second_type: Codes
    ends: Codes
    shape: Codes
    n: Codes
    distances: tuple[Codes, Codes, Codes, Codes] = field(kw_only=True)


def count_cases(spans: Spans, cases: MarkCases, outcomes: SpanCounts) -> CaseCounts:
    """Return the counts of cases; omissions are the marks that are alone in `outcomes` and in no case."""
    parts = [
        _overlapping(spans, cases),
        _alone(spans, cases, outcomes, ONLY_FIRST),
        _alone(spans, cases, outcomes, ONLY_SECOND),
    ]
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    rows, n = tally(columns[:-1], columns[-1])
    is_counted = n > 0
    return CaseCounts(*(column[is_counted] for column in (*rows, n)), distances=_distances(spans, cases))


def _distances(spans: Spans, cases: MarkCases) -> tuple[Codes, Codes, Codes, Codes]:
    """Return how far the ends of annotators' pairs of one type lie apart."""
    pairs = (cases.form == PAIR) & (cases.kind == BOUNDARY)
    first = np.concatenate([cases.match_first, cases.first[pairs]])
    second = np.concatenate([cases.match_second, cases.second[pairs]])
    ours = spans.both_annotate(spans.person[first], spans.person[second])
    first, second = first[ours], second[ours]
    apart = [np.abs(extent[first] - extent[second]) for extent in extents(spans)]
    end = np.repeat([0, 1], len(first))
    rows, n = tally([np.tile(spans.type[first], 2), end, np.concatenate(apart)], np.ones_like(end))
    return rows[0], rows[1], rows[2], n


def _overlapping(spans: Spans, cases: MarkCases) -> tuple[Codes, ...]:
    first, second = cases.first, cases.second
    about_ends = cases.kind == BOUNDARY
    return (
        spans.person[first],
        spans.person[second],
        spans.document[first],
        cases.kind,
        spans.type[first],
        spans.type[second],
        np.where(about_ends, _ends(spans, first, second), NO_ENDS),
        np.where(about_ends & (cases.form == PAIR), _shapes(spans, cases), NO_SHAPE),
        np.ones_like(first),
    )


def _ends(spans: Spans, first: Codes, second: Codes) -> Codes:
    """Say which ends of two marks differ."""
    begin, end = extents(spans)
    left, right = begin[first] != begin[second], end[first] != end[second]
    which = [left & right, left, right]
    codes = [ENDS.index(name) for name in ("both", "left", "right")]
    return np.select(which, codes, ENDS.index("inside")).astype(np.int64)


def _shapes(spans: Spans, cases: MarkCases) -> Codes:
    """Say how two marks are apart, and whose is the one that reaches further or lies around."""
    begin, end = extents(spans)
    left = np.sign(begin[cases.second] - begin[cases.first])
    right = np.sign(end[cases.first] - end[cases.second])
    # Who reaches further at the ends that differ: the first where the sum is above 0; nobody at both ways.
    further: Codes = np.sign(left + right)
    right_only, left_only, around, elsewhere = (
        np.full_like(further, 2 * SHAPES.index(name)) for name in ("right", "left", "around", "elsewhere")
    )
    other = (further < 0).astype(np.int64)
    codes = [elsewhere, right_only + other, left_only + other]
    return np.select([further == 0, left == 0, right == 0], codes, around + other)


def _alone(spans: Spans, cases: MarkCases, outcomes: SpanCounts, outcome: int) -> tuple[Codes, ...]:
    """Return the marks of one of two people that the other has not, less those that are in a case."""
    of_first = outcome == ONLY_FIRST
    rows = outcomes.outcome == outcome
    # Of two marks of one type that are a pair, neither is alone in the outcomes.
    pairs = (cases.form == PAIR) & (cases.kind != BOUNDARY)
    in_case = pairs | (cases.form == (OF_FIRST if of_first else OF_SECOND))
    first, second = cases.first[in_case], cases.second[in_case]
    kind = np.concatenate([outcomes.type[rows], spans.type[first if of_first else second]])
    nothing = np.full_like(kind, NO_TYPE)
    return (
        np.concatenate([outcomes.first[rows], spans.person[first]]),
        np.concatenate([outcomes.second[rows], spans.person[second]]),
        np.concatenate([outcomes.document[rows], spans.document[first]]),
        np.full_like(kind, OMISSION),
        *((kind, nothing) if of_first else (nothing, kind)),
        np.full_like(kind, NO_ENDS),
        np.full_like(kind, NO_SHAPE),
        np.concatenate([outcomes.n[rows], np.full_like(first, -1)]),
    )


# Everything that is counted of one layer's marks.


@dataclass(frozen=True, eq=False)
class MarkCounts:
    """What was counted of the marks of one layer; `cases` is None where it is not known how they disagree."""

    spans: SpanFrame
    outcomes: SpanCounts
    credits: Sequence[CreditCounts]
    cases: tuple[MarkCases, CaseCounts] | None = None


def count_marks(spans: SpanFrame, tables: Sequence[DistanceMatrix]) -> MarkCounts:
    """Return all counts of one layer's marks, or of its relations, whose stretches are their arguments'.

    Of counted marks nobody knows which are pairs by a distance that was not counted.
    """
    credited = credits_of(spans, tables)
    if not isinstance(spans, Spans):
        pairs_of = {credit.id: pairs for credit, pairs in spans.credits}
        shared = [credit for credit in credited if credit.id in pairs_of]
        own = [CreditCounts(**vars(pairs_of[credit.id]), credit=credit) for credit in shared]
        return MarkCounts(spans, counted(spans), own)
    pairing = pair_marks(spans)
    outcomes = count_pairs(spans, pairing)
    pairs = [count_credits(spans, pairing, credit) for credit in credited]
    cases = mark_cases(spans, pairing)
    return MarkCounts(spans, outcomes, pairs, (cases, count_cases(spans, cases, outcomes)))


def spans_csv(counted: Iterable[MarkCounts]) -> str:
    """Return the text of counts/spans.csv.

    A row with the outcome "tokens" and no type is a document that both saw, and says how many tokens
    it has.
    """
    rows = (row for marks in counted for row in _rows(marks.spans, marks.outcomes))
    return csv_text(MARK_HEADS[SPANS], rows)


def _rows(spans: SpanFrame, counts: SpanCounts) -> Iterator[Sequence[object]]:
    people, layer = spans.people, spans.layer
    seen = (counts.seen_first, counts.seen_second, counts.seen_document, counts.tokens)
    for first, second, where, n in as_rows(*seen):
        yield (layer, spans.documents[where], people[first], people[second], "", TOKENS, n)
    columns = (counts.first, counts.second, counts.document, counts.type, counts.outcome, counts.n)
    for first, second, where, kind, outcome, n in as_rows(*columns):
        names = spans.documents[where], people[first], people[second]
        yield (layer, *names, spans.types[kind], OUTCOMES[outcome], n)


def credits_csv(counted: Iterable[MarkCounts]) -> str:
    """Return the text of counts/type-pairs.csv."""
    return csv_text(MARK_HEADS[TYPE_PAIRS], (row for marks in counted for row in _credit_rows(marks)))


def _credit_rows(marks: MarkCounts) -> Iterator[Sequence[object]]:
    spans = marks.spans
    names = (spans.documents, spans.people, spans.people, spans.types, spans.types, KINDS)
    for counts in marks.credits:
        types = (counts.first_type, counts.second_type)
        columns = (counts.document, counts.first, counts.second, *types, counts.kind, counts.n)
        for *codes, n in as_rows(*columns):
            yield (spans.layer, counts.credit.id, *map(getitem, names, codes), n)
