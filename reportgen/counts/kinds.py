"""Units of one kind, those of a document with the same labels by the same annotators, counted as one."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from reportgen.counts.tables import in_order
from reportgen.counts.tally import distinct_rows
from reportgen.formats.counted import ESCAPES, Kinds
from reportgen.study import NO_DOCUMENT, CodedUnits, Codes


def kinds_of(units: CodedUnits) -> Kinds:
    """Return the kinds of units of a unit set, by document and then by who gave which label.

    Units that nobody rated are a kind of their document too; a row of weight 0 stands for no unit.
    """
    there = units.unit_weight > 0
    distinct, place = distinct_rows(_ratings(units)[there])
    n = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(n, place, units.unit_weight[there])
    return _kinds(units, distinct, n)


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


def _kinds(units: CodedUnits, rows: Codes, n: Codes) -> Kinds:
    """Return kinds from their rows: the document, then a code above 0 for each rating, 0 where none is."""
    kind, place = np.nonzero(rows[:, 1:])
    rating = rows[kind, place + 1] - 1
    categories = max(len(units.categories), 1)
    return Kinds(units.documents, rows[:, 0], n, kind, rating // categories, rating % categories)


def ratings_rows(units: CodedUnits) -> Iterator[Sequence[object]]:
    """Yield the rows of ratings.csv of one unit set."""
    kinds = kinds_of(units)
    annotators = [name.translate(ESCAPES) for name in units.annotators]
    categories = [name.translate(ESCAPES) for name in units.categories]
    given: list[list[str]] = [[] for _ in kinds.n]
    columns = kinds.kind.tolist(), kinds.annotator.tolist(), kinds.label.tolist()
    for kind, annotator, label in zip(*columns, strict=True):
        given[kind].append(f"{annotators[annotator]}:{categories[label]}")
    for code, ratings, n in zip(kinds.document.tolist(), given, kinds.n.tolist(), strict=True):
        document = "" if code == NO_DOCUMENT else units.documents[code]
        yield (units.layer, units.id, document, "|".join(ratings), n)
