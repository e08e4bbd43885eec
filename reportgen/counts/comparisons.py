"""What is counted of references and systems: pairs of labels of a key and whoever is held against it."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from reportgen.counts.kinds import ratings_rows
from reportgen.counts.pairs import PairTable, pair_table
from reportgen.counts.tables import PairCounts
from reportgen.counts.tally import tally
from reportgen.formats.counted import COMPARISONS, EVERYBODY, MARK_HEADS
from reportgen.study import NO_CATEGORY, NO_DOCUMENT, CodedUnits, Codes, Compared


def keys_and_others(compared: Compared) -> tuple[list[int], list[int]]:
    """Return who is a key, and who is held against each of them.

    References are keys for all others; where there is none, each annotator is one for systems and models.
    """
    if compared.has_reference:
        return compared.of_role("reference"), compared.of_role("annotator", "system", "model")
    return compared.of_role("annotator"), compared.of_role("system", "model")


def count_comparisons(compared: Compared) -> PairCounts:
    """Return the counts of every key and whoever is held against it, on the units that both labelled."""
    keys, others = keys_and_others(compared)
    fewer, more = sorted((keys, others), key=len)
    parts = [_against(compared, anchor, more, key=fewer is keys) for anchor in fewer]
    merged = [np.concatenate(column) for column in zip(*parts, strict=True)] or [compared.units.unit[:0]] * 6
    rows, n = tally(merged[:5], merged[5])
    columns = (*rows, n)
    return PairCounts(*columns)


def _against(compared: Compared, anchor: int, others: Sequence[int], *, key: bool) -> tuple[Codes, ...]:
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


def shared_units(compared: Compared, *people: int) -> Codes:
    """Return the units (numbers, rising) on which people are compared: those that all of them labelled."""
    labels = [compared.labels_of(each) for each in people]
    rated = np.logical_and.reduce([each != NO_CATEGORY for each in labels])
    unit = np.flatnonzero(rated)
    return unit[compared.chosen(unit, *(each[unit] for each in labels))]


def table_of_labels(
    compared: Compared, unit: Codes, first: tuple[int, Codes], second: tuple[int, Codes]
) -> PairTable:
    """Return the table of two people, each with the labels of some units, NO_CATEGORY where there is none.

    `unit` (rows,) are the units, labels are (rows,).
    """
    both = (first[1] != NO_CATEGORY) & (second[1] != NO_CATEGORY)
    where, weight = compared.units.unit_document[unit[both]], compared.units.unit_weight[unit[both]]
    columns, n = tally([where, first[1][both], second[1][both]], weight)
    people = [np.full(len(n), each, dtype=np.int64) for each in (first[0], second[0])]
    cells = (*people, *columns, n)
    return pair_table(PairCounts(*cells), len(compared.units.categories), first[0], second[0])


def comparisons_csv(counted: Iterable[tuple[Compared, PairCounts]]) -> str:
    """Return the text of counts/comparisons.csv; `first` is the key."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(MARK_HEADS[COMPARISONS])
    for compared, pairs in counted:
        writer.writerows(comparison_rows(compared, pairs))
    return buffer.getvalue()


def everybody_csv(compared: Iterable[Compared]) -> str:
    """Return the text of counts/everybody.csv: units with everybody's labels, from which the rest follows."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(MARK_HEADS[EVERYBODY])
    for each in compared:
        writer.writerows(_units(each))
    return buffer.getvalue()


def with_absent(compared: Compared) -> CodedUnits:
    """Return the units with the category of unmarked ones, also where no pair of labels can have it."""
    units = compared.units
    if compared.absent != len(units.categories):
        return units
    return replace(units, categories=(*units.categories, units.non_annotated_name))


def _units(compared: Compared) -> Iterator[Sequence[object]]:
    """Yield a row for each kind of units, with how many of them are known as a number only."""
    units = with_absent(compared)
    is_bulk = (units.unit_weight > 1) & (not units.counted)
    large = replace(units, unit_weight=np.where(is_bulk, units.unit_weight, 0))
    bulk = {tuple(own): n for *own, n in ratings_rows(large)}
    for *own, n in ratings_rows(units):
        yield (*own, bulk.get(tuple(own), "0"), n)


def comparison_rows(compared: Compared, pairs: PairCounts) -> Iterator[Sequence[object]]:
    """Yield the rows of counts/comparisons.csv of one unit set."""
    units = compared.units
    columns = (pairs.document, pairs.first, pairs.second, pairs.first_label, pairs.second_label, pairs.n)
    for document, first, second, one, other, n in zip(*(each.tolist() for each in columns), strict=True):
        where = "" if document == NO_DOCUMENT else units.documents[document]
        names = units.annotators[first], units.annotators[second]
        yield (units.layer, units.id, where, *names, units.categories[one], units.categories[other], n)
