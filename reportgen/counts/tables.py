"""What is counted: pairs of labels, labels of a unit together, labels of each annotator."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import repeat

import numpy as np

from reportgen.counts.tally import distinct_rows, is_new, order_of, tally
from reportgen.readers import Codes
from reportgen.readers.counted import ESCAPES
from reportgen.units import NO_CATEGORY, CodedUnits


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
    for distance in range(1, len(unit)):
        earlier = np.flatnonzero(unit[distance:] == unit[:-distance])
        if len(earlier) == 0:
            break
        later = earlier + distance
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
    return zip(
        repeat(cell(units.layer)),
        repeat(cell(units.id)),
        named(rows[:, 0], (*units.documents, ""), cell),
        named(place, _patterns(units, patterns), cell),
        map(str, n.tolist()),
        strict=False,
    )


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
