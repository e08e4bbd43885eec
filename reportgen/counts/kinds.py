"""Units of one kind, those of a document with the same labels by the same annotators, counted as one."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import repeat

import numpy as np

from reportgen.counts.tables import in_order
from reportgen.counts.tally import distinct_rows
from reportgen.formats.counted import ESCAPES
from reportgen.study import CodedUnits, Codes

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
