"""Units with the same ratings, taken together: what a model of annotators' errors is fitted to."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from reportgen.counts import distinct_rows
from reportgen.study import NO_CATEGORY, Codes


@dataclass(frozen=True, eq=False)
class Labelled:
    """What annotators said: columns (ratings,), an annotator several times on a unit where need be.

    `weight` (units,) is for how many units each stands, `known` (units,) its true category or NO_CATEGORY.
    """

    unit: Codes
    annotator: Codes
    label: Codes
    weight: Codes
    known: Codes
    categories: int


@dataclass(frozen=True, eq=False)
class Patterns:
    """Units with the same ratings, taken together: the more ratings, the earlier.

    `cells` (patterns, most ratings) are filled up with NO_CATEGORY; `weight` and `known` (patterns,); `place`
    (units,) is each unit's pattern. `order`, `row` and `starts` group ratings by cell, `people` cells by
    annotator.
    """

    cells: Codes
    weight: Codes
    known: Codes
    place: Codes
    cell_annotator: Codes
    cell_label: Codes
    row: Codes
    starts: Codes
    people: Codes
    annotators: int
    categories: int

    @cached_property
    def lengths(self) -> list[int]:
        """Return how many patterns have a first, a second, … rating."""
        return [int(number) for number in (self.cells != NO_CATEGORY).sum(axis=0)]


def patterns_of(data: Labelled) -> Patterns:
    """Return the patterns of units that all have a rating."""
    names, cell = np.unique(data.annotator * data.categories + data.label, return_inverse=True)
    distinct, place = _longest_first(*distinct_rows(_rows(data, cell.reshape(-1))))
    weight = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(weight, place, data.weight)
    row, column = np.nonzero(distinct[:, 1:] != NO_CATEGORY)
    flat = distinct[row, column + 1]
    by_cell = np.argsort(flat, kind="stable")
    annotator = names // data.categories
    return Patterns(
        cells=distinct[:, 1:],
        weight=weight,
        known=distinct[:, 0],
        place=place,
        cell_annotator=annotator,
        cell_label=names % data.categories,
        row=row[by_cell],
        starts=np.flatnonzero(np.diff(flat[by_cell], prepend=-1)),
        people=np.flatnonzero(np.diff(annotator, prepend=-1)),
        annotators=int(annotator.max(initial=-1)) + 1,
        categories=data.categories,
    )


def _rows(data: Labelled, cell: Codes) -> Codes:
    """Return a row for each unit: what is known of it, then its cells in order, filled up."""
    order = np.lexsort((cell, data.unit))
    unit = data.unit[order]
    ratings = np.bincount(unit, minlength=len(data.weight))
    rows = np.full((len(ratings), int(ratings.max(initial=0)) + 1), NO_CATEGORY, dtype=np.int64)
    rows[:, 0] = data.known
    rows[unit, np.arange(len(unit)) - (np.cumsum(ratings) - ratings)[unit] + 1] = cell[order]
    return rows


def _longest_first(rows: Codes, place: Codes) -> tuple[Codes, Codes]:
    """Return rows with the most ratings first, and the place of each unit among them."""
    order = np.argsort(-(rows[:, 1:] != NO_CATEGORY).sum(axis=1), kind="stable")
    rank = np.zeros(len(rows), dtype=np.int64)
    rank[order] = np.arange(len(rows))
    return rows[order], rank[place]
