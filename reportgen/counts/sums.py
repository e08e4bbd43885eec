"""Sums of the units of very large tables: by document, and by pair of annotators and groups of documents."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np

from reportgen.counts.tally import distinct_rows, in_order
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.readers.annotations import LabelsGiven
from reportgen.readers.document_groups import are_too_various, first_of_groups, pair_groups
from reportgen.readers.label_sums import LabelSums, alike
from reportgen.units import NO_CATEGORY, CodedUnits
from reportgen.units.coded import counting, sums_by


def as_sums(units: CodedUnits) -> CodedUnits:
    """Return units of very many kinds as units that have the same sums, with the tables of all pairs.

    Units of few kinds stay as they are; so do those without a document, which are groups of their own, and
    those of which labels may be left out: sets, and units that nobody marked.
    """
    size, people = len(units.categories), len(units.annotators)
    is_plain = units.given is None and units.sets is None and units.non_annotated == NO_CATEGORY
    documents = len(units.documents)
    if not is_plain or not are_too_various(len(units.unit_weight), people, size, documents):
        return units
    by_annotator = _by_annotator(units)
    kinds = len(distinct_rows(np.column_stack([units.unit_document, by_annotator]))[0])
    if (units.unit_document == NO_DOCUMENT).any() or not are_too_various(kinds, people, size, documents):
        return units
    place, weight = units.annotator * size + units.label, units.unit_weight[units.unit]
    sums = sums_by(place, weight, people * size)
    there = np.flatnonzero(sums)
    groups = pair_groups(kinds, people, size, documents)
    group = first_of_groups(units.documents, groups)[units.unit_document]
    tables = _tables(by_annotator, group, units.unit_weight, size)
    given = LabelsGiven(there // size, there % size, sums[there], tables)
    same = alike(label_sums(units))
    return replace(
        units,
        unit_document=same.document,
        unit_weight=same.weight,
        unit=same.unit,
        annotator=same.place,
        label=same.label,
        unit_place=np.full(len(same.weight), units.unit_place[0]),
        given=given,
    )


def _by_annotator(units: CodedUnits) -> Codes:
    """Return the label of each unit by each annotator (units, annotators), NO_CATEGORY without one."""
    labels = np.full((len(units.unit_weight), len(units.annotators)), NO_CATEGORY, dtype=np.int64)
    labels[units.unit, units.annotator] = units.label
    return labels


def _tables(labels: Codes, group: Codes, weight: Codes, size: int) -> tuple[Codes, ...]:
    """Return first, second, group, labels and number of units of every two annotators, in this order."""
    groups, number = np.unique(group, return_inverse=True)
    parts = []
    for first, second in combinations(range(labels.shape[1]), 2):
        both = np.flatnonzero((labels[:, first] != NO_CATEGORY) & (labels[:, second] != NO_CATEGORY))
        place = (number[both] * size + labels[both, first]) * size + labels[both, second]
        n = sums_by(place, weight[both], len(groups) * size * size)
        there = np.flatnonzero(n)
        who = np.full_like(there, first), np.full_like(there, second)
        cells = groups[there // (size * size)], there // size % size, there % size
        parts.append((*who, *cells, n[there]))
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


def label_sums(units: CodedUnits) -> LabelSums:
    """Return how often labels meet on the units of each document."""
    unit, _, label = in_order(units)
    ratings, size = np.bincount(unit, minlength=len(units.unit_weight)), len(units.categories)
    most = int(ratings.max(initial=0))
    rows, row = np.unique(units.unit_document * (most + 1) + ratings, return_inverse=True)
    met = np.zeros((len(rows), size, size), dtype=np.int64)
    labels = np.zeros((len(ratings), most), dtype=np.int64)
    labels[unit, counting(ratings)] = label
    for first, second in combinations(range(most), 2):
        both = np.flatnonzero(ratings > second)
        place = row[both], labels[both, first], labels[both, second]
        met += sums_by(place, units.unit_weight[both], met.shape)
    met += met.transpose(0, 2, 1)
    same = np.arange(size)
    met[:, same, same] //= 2
    few = np.flatnonzero(ratings < 2)
    alone = labels[few, 0] if most else np.zeros_like(few)
    np.add.at(met, (row[few], alone, alone), units.unit_weight[few])
    return LabelSums(rows // (most + 1), rows % (most + 1), met)


# sums.csv: of a document and a number of ratings how often each two labels meet, and the tables of pairs.


def sums_rows(units: CodedUnits) -> Iterator[tuple[int, str, str]]:
    """Yield document, `of` and `sums` of each row: of a number of ratings, or of two annotators."""
    size, sums = len(units.categories), label_sums(units)
    upper = np.triu_indices(size)
    for document, ratings, met in zip(sums.document.tolist(), sums.ratings.tolist(), sums.met, strict=True):
        numbers = met[upper] if ratings > 1 else met.diagonal() if ratings else met[0, :1]
        yield document, str(ratings), _written(numbers)
    columns = units.given.pairs if units.given else None
    if columns is None or not len(columns[-1]):
        return
    first, second, document, row, column, n = columns
    where = (first * len(units.annotators) + second) * len(units.documents) + document
    for cells in np.split(np.arange(len(n)), np.flatnonzero(np.diff(where)) + 1):
        table = np.zeros(size * size, dtype=np.int64)
        table[row[cells] * size + column[cells]] = n[cells]
        start = cells[0]
        yield int(document[start]), f"{first[start]}-{second[start]}", _written(table)


def _written(numbers: Codes) -> str:
    return " ".join(map(str, numbers.tolist()))
