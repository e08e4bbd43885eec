"""What is counted: pairs of labels, labels of a unit together, labels of each annotator."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from reportgen.counts.tally import distinct_rows, is_new, order_of, tally
from reportgen.study import NO_CATEGORY, CodedUnits, Codes


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
