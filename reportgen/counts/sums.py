"""Sums of the units of very large tables: by document, and by pair of annotators and groups of documents."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np

from reportgen.counts.tally import distinct_rows, in_order
from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.readers.annotations import LabelsGiven
from reportgen.readers.document_groups import (
    are_too_various,
    are_too_various_alone,
    first_of_groups,
    have_products,
    pair_groups,
)
from reportgen.readers.label_sums import LabelSums, alike, products_of, sums_on
from reportgen.units import NO_CATEGORY, CodedUnits
from reportgen.units.coded import of_crowd, sums_by


def as_sums(units: CodedUnits) -> CodedUnits:
    """Return units of very many kinds as units that have the same sums, with the tables of all pairs.

    Where none has a document, units keep their labels without who gave which. Units of few kinds stay as they
    are; so do those of which some have a document, and those of which labels may be left out: sets, and units
    that nobody marked.
    """
    size, people = len(units.categories), len(units.annotators)
    is_plain = units.given is None and units.sets is None and units.non_annotated == NO_CATEGORY
    if is_plain and not units.documents:
        return _as_profiles(units)
    documents = len(units.documents)
    if not is_plain or not are_too_various(len(units.unit_weight), people, size, documents):
        return units
    by_annotator = _by_annotator(units)
    kinds = len(distinct_rows(np.column_stack([units.unit_document, by_annotator]))[0])
    if (units.unit_document == NO_DOCUMENT).any() or not are_too_various(kinds, people, size, documents):
        return units
    group = first_of_groups(units.documents, pair_groups(people, size))[units.unit_document]
    tables = _tables(by_annotator, group, units.unit_weight, size)
    given = _given(units, tables)
    if have_products(people, size):
        shared, products = _products(by_annotator, units.unit_document, units.unit_weight, size)
        given = replace(given, shared=shared, products=products)
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


def _as_profiles(units: CodedUnits) -> CodedUnits:
    """Return units without documents of very many kinds as those of a crowd, with the tables of all pairs."""
    size, people = len(units.categories), len(units.annotators)
    if not are_too_various_alone(len(units.unit_weight), people, size, 0):
        return units
    labels = _by_annotator(units)
    kinds, profiles = (len(distinct_rows(rows)[0]) for rows in (labels, np.sort(labels, axis=1)))
    if not are_too_various_alone(kinds, people, size, profiles):
        return units
    tables = _tables(labels, units.unit_document, units.unit_weight, size)
    return of_crowd(replace(units, given=_given(units, tables)))


def _given(units: CodedUnits, tables: tuple[Codes, ...]) -> LabelsGiven:
    size = len(units.categories)
    place, weight = units.annotator * size + units.label, units.unit_weight[units.unit]
    sums = sums_by(place, weight, len(units.annotators) * size)
    there = np.flatnonzero(sums)
    return LabelsGiven(there // size, there % size, sums[there], tables)


def _by_annotator(units: CodedUnits) -> Codes:
    """Return the label of each unit by each annotator (units, annotators), NO_CATEGORY without one."""
    labels = np.full((len(units.unit_weight), len(units.annotators)), NO_CATEGORY, dtype=np.int64)
    labels[units.unit, units.annotator] = units.label
    return labels


def _tables(labels: Codes, group: Codes, weight: Codes, size: int) -> tuple[Codes, ...]:
    """Return first, second, group, labels and number of units of every two annotators, in this order."""
    parts = []
    for who, groups, n in _by_two(labels, group, weight, size):
        row, cell = np.nonzero(n)
        first, second = (np.full_like(row, person) for person in who)
        parts.append((first, second, groups[row], cell // size, cell % size, n[row, cell]))
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


def _products(
    labels: Codes, document: Codes, weight: Codes, size: int
) -> tuple[tuple[Codes, ...], tuple[Codes, ...]]:
    """Return in how many documents every two annotators share units, and the products of their cells."""
    shared, parts = [], []
    for who, _, n in _by_two(labels, document, weight, size):
        shared.append((*who, int(n.any(axis=1).sum())))
        used = np.flatnonzero(n.any(axis=0))
        products = products_of(n[:, used])
        one, other = np.nonzero(products)
        first, second = (np.full_like(one, person) for person in who)
        labels_of = used[one] // size, used[one] % size, used[other] // size, used[other] % size
        parts.append((first, second, *labels_of, products[one, other]))
    columns = np.array(shared, dtype=np.int64).T
    there = columns[:, columns[2] > 0]
    return tuple(there), tuple(np.concatenate(column) for column in zip(*parts, strict=True))


def _by_two(
    labels: Codes, group: Codes, weight: Codes, size: int
) -> Iterator[tuple[tuple[int, int], Codes, Codes]]:
    """Yield every two annotators with the groups, and how many units of each have their two labels."""
    groups, number = np.unique(group, return_inverse=True)
    for who in combinations(range(labels.shape[1]), 2):
        one, other = (labels[:, person] for person in who)
        both = np.flatnonzero((one != NO_CATEGORY) & (other != NO_CATEGORY))
        place = (number[both] * size + one[both]) * size + other[both]
        n = sums_by(place, weight[both], len(groups) * size * size)
        yield who, groups, n.reshape(len(groups), size * size)


def label_sums(units: CodedUnits) -> LabelSums:
    """Return how often labels meet on the units of each document."""
    unit, _, label = in_order(units)
    return sums_on(units.unit_document, units.unit_weight, unit, label, len(units.categories))


# sums.csv: of a document and a number of ratings how often each two labels meet, and the tables of pairs.


def sums_rows(units: CodedUnits) -> Iterator[tuple[int, str, str]]:
    """Yield document, `of` and `sums` of each row: of a number of ratings, or of two annotators."""
    size = len(units.categories)
    if units.summed:
        yield from _unit_rows(label_sums(units))
    columns = units.given.pairs if units.given else None
    if columns is None or not len(columns[-1]):
        return
    first, second, document, row, column, n = columns
    where = (first * len(units.annotators) + second) * (len(units.documents) + 1) + document
    for cells in np.split(np.arange(len(n)), np.flatnonzero(np.diff(where)) + 1):
        table = np.zeros(size * size, dtype=np.int64)
        table[row[cells] * size + column[cells]] = n[cells]
        start = cells[0]
        yield int(document[start]), f"{first[start]}-{second[start]}", _written(table)
    if units.given is not None and units.given.shared is not None:
        yield from _product_rows(units.given, size)


def _unit_rows(sums: LabelSums) -> Iterator[tuple[int, str, str]]:
    """Yield the sums of each document and number of ratings."""
    upper = np.triu_indices(sums.met.shape[1])
    for document, ratings, met in zip(sums.document.tolist(), sums.ratings.tolist(), sums.met, strict=True):
        numbers = met[upper] if ratings > 1 else met.diagonal() if ratings else met[0, :1]
        yield document, str(ratings), _written(numbers)


def _product_rows(given: LabelsGiven, size: int) -> Iterator[tuple[int, str, str]]:
    """Yield how many documents two annotators share, and the products of each cell with those that follow."""
    for first, second, documents in np.transpose(given.shared or ()).tolist():
        yield NO_DOCUMENT, f"{first}-{second}", str(documents)
        products = given.products_of(first, second, size)[1]
        for cell in np.flatnonzero(products.any(axis=1)).tolist():
            yield NO_DOCUMENT, f"{first}-{second}-{cell}", _written(products[cell, cell:])


def _written(numbers: Codes) -> str:
    return " ".join(map(str, numbers.tolist()))
