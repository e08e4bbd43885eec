"""sums.csv of a folder of counts: unit sets of so many kinds of units that their sums alone are kept."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from reportgen.base.files import from_cell, numbered_rows
from reportgen.readers.annotations import NO_DOCUMENT, Codes, LabelsGiven
from reportgen.readers.counted import AS_WRITTEN, LARGEST, SUMS_HEAD, CountedUnits, UnitSetDescribed
from reportgen.readers.counts_tables import DELIMITER, CountTable, Row, count_from, has_header, one_of
from reportgen.readers.label_sums import LabelSums, alike, contradictions, sums_on
from reportgen.readers.reader import ExportFile, refuse

NUMBERS = re.compile(r"[0-9]{1,18}(?: [0-9]{1,18})*")
OF_RATINGS, OF_TWO = re.compile(r"[0-9]{1,4}"), re.compile(r"([0-9]{1,4})-([0-9]{1,4})")
OF_CELL = re.compile(OF_TWO.pattern + r"-([0-9]{1,6})")


def read_sum_rows(file: ExportFile) -> list[Row]:
    """Return the rows of sums.csv with their lines; raise BadInput with the first that is not one."""
    if not has_header(file, SUMS_HEAD):
        raise file.refused(f"has another header than {DELIMITER.join(SUMS_HEAD)}.", AS_WRITTEN, 1)
    rows = [(line, tuple(map(from_cell, cells))) for line, cells in numbered_rows(file.text, DELIMITER)[1:]]
    for line, cells in rows:
        if len(cells) != len(SUMS_HEAD) or not NUMBERS.fullmatch(cells[-1]):
            raise file.refused("is not a list of whole numbers.", AS_WRITTEN, line)
    return rows


def read_sums(
    table: CountTable, given: CountTable, unit_set: UnitSetDescribed, documents: Sequence[str]
) -> CountedUnits:
    """Return units that have the sums of one unit set, and what its annotators gave.

    Raises BadInput with every row that names nobody or nothing that counts.json knows, or has other numbers
    than sums have, and where the sums of documents, of annotators and of their pairs are not the same.
    """
    names = unit_set.documents or tuple(documents)
    document, size = one_of(names, "document"), len(unit_set.categories)
    by_ratings: dict[tuple[int, int], Codes] = {}
    by_pair: dict[tuple[int, int, int], Codes] = {}
    shared: dict[tuple[int, int], Codes] = {}
    by_cell: dict[tuple[int, int, int], Codes] = {}
    for line, cells in table.rows:
        where, of = document(cells[2]), cells[3]
        numbers = np.array(cells[4].split(" "), dtype=np.int64)
        cell = OF_CELL.fullmatch(of)
        if cell and int(cell[3]) + len(numbers) == size * size and not cells[2]:
            by_cell[int(cell[1]), int(cell[2]), int(cell[3])] = numbers
        elif (two := OF_TWO.fullmatch(of)) and len(numbers) == 1 and not cells[2]:
            shared[int(two[1]), int(two[2])] = numbers
        elif not isinstance(where, int):
            table.wrong(line, where[0], "document", where[1])
        elif OF_RATINGS.fullmatch(of) and len(numbers) == _width(int(of), size):
            by_ratings[where, int(of)] = _square(int(of), numbers, size)
        elif (two := OF_TWO.fullmatch(of)) and len(numbers) == size * size:
            by_pair[int(two[1]), int(two[2]), where] = numbers
        else:
            table.wrong(line, f'"{of}" is neither a number of ratings nor two annotators with such sums.')
    if len(by_ratings) + len(by_pair) + len(shared) + len(by_cell) < len(table.rows):
        table.wrong(0, "has rows twice.")
    people = {two[:2] for two in (*by_pair, *shared, *by_cell)}
    if any(not first < second < len(unit_set.annotators) for first, second in people):
        table.wrong(0, "has two annotators that counts.json does not have.")
    refuse(table.problems)
    sums = _sums(by_ratings, size)
    gave = replace(_given(given, unit_set), pairs=_pairs(by_pair, size))
    if shared or by_cell:
        gave = replace(gave, shared=_shared(shared), products=_products(by_cell, size))
    _require_same(table, sums, gave)
    units = alike(sums)
    return CountedUnits(
        names,
        units.document,
        units.weight,
        units.unit,
        units.place,
        units.label,
        gave,
    )


def with_tables(table: CountTable, units: CountedUnits, unit_set: UnitSetDescribed) -> CountedUnits:
    """Return units without documents, and what their annotators gave, with the tables of all pairs.

    Raises BadInput with every row that is none of two annotators, and where the tables of pairs are not those
    that units with these labels have.
    """
    size = len(unit_set.categories)
    by_pair: dict[tuple[int, int, int], Codes] = {}
    for line, cells in table.rows:
        two, numbers = OF_TWO.fullmatch(cells[3]), np.array(cells[4].split(" "), dtype=np.int64)
        if cells[2] or two is None or len(numbers) != size * size:
            table.wrong(line, f'"{cells[3]}" is no two annotators with such sums, of no document.')
        elif not int(two[1]) < int(two[2]) < len(unit_set.annotators):
            table.wrong(line, "has two annotators that counts.json does not have.")
        else:
            by_pair[int(two[1]), int(two[2]), NO_DOCUMENT] = numbers
    if len(by_pair) < len(table.rows):
        table.wrong(0, "has rows twice.")
    if (units.document != NO_DOCUMENT).any():
        table.wrong(0, "has tables of units that are in no document, and profiles.csv has documents.")
    refuse(table.problems)
    given = units.given and replace(units.given, pairs=_pairs(by_pair, size))
    if given is not None:
        _require_same(table, sums_on(units.document, units.n, units.kind, units.label, size), given)
    return replace(units, given=given)


def _width(ratings: int, size: int) -> int:
    """Return how many numbers a row has: of every two labels, of every label, or of the units alone."""
    return size * (size + 1) // 2 if ratings > 1 else size if ratings else 1


def _square(ratings: int, numbers: Codes, size: int) -> Codes:
    met = np.zeros((size, size), dtype=np.int64)
    if ratings > 1:
        met[np.triu_indices(size)] = numbers
        return np.triu(met) + np.triu(met, 1).T
    np.fill_diagonal(met[: len(numbers), : len(numbers)], numbers)
    return met


def _sums(by_ratings: dict[tuple[int, int], Codes], size: int) -> LabelSums:
    rows = sorted(by_ratings)
    document, ratings = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    met = np.array([by_ratings[row] for row in rows], dtype=np.int64).reshape(-1, size, size)
    return LabelSums(document, ratings, met)


def _pairs(by_pair: dict[tuple[int, int, int], Codes], size: int) -> tuple[Codes, ...]:
    """Return first, second, document, labels and number of units of every two annotators, in this order."""
    rows = sorted(by_pair)
    first, second, document = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    tables = np.array([by_pair[row] for row in rows], dtype=np.int64).reshape(-1, size * size)
    row, cell = np.nonzero(tables)
    return first[row], second[row], document[row], cell // size, cell % size, tables[row, cell]


def _shared(documents: dict[tuple[int, int], Codes]) -> tuple[Codes, ...]:
    """Return first, second, and in how many documents they share units."""
    rows = [(*two, int(number[0])) for two, number in sorted(documents.items())]
    return tuple(np.array(rows, dtype=np.int64).reshape(-1, 3).T)


def _products(by_cell: dict[tuple[int, int, int], Codes], size: int) -> tuple[Codes, ...]:
    """Return first, second, labels, other labels, and the sum over documents, of every two annotators."""
    parts = []
    for first, second in sorted({two[:2] for two in by_cell}):
        upper = np.zeros((size * size, size * size), dtype=np.int64)
        for cell in range(size * size):
            upper[cell, cell:] = by_cell.get((first, second, cell), 0)
        sums = upper + np.triu(upper, 1).T
        one, other = np.nonzero(sums)
        who = np.full_like(one, first), np.full_like(one, second)
        parts.append((*who, one // size, one % size, other // size, other % size, sums[one, other]))
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


def _given(table: CountTable, unit_set: UnitSetDescribed) -> LabelsGiven:
    read = {
        "annotator": one_of(unit_set.annotators, "annotator"),
        "label": one_of(unit_set.categories, "category"),
        "n": count_from(1),
    }
    rows = [row[1:] for row in table.coded(read)]
    refuse(table.problems)
    annotator, label, n = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return LabelsGiven(annotator, label, n)


def _require_same(table: CountTable, sums: LabelSums, given: LabelsGiven) -> None:
    """Raise BadInput where sums are none of units, or those of annotators and their pairs are others."""
    for message in contradictions(sums, given):
        table.wrong(0, message)
    if int(sums.met.max(initial=0)) > LARGEST:
        table.wrong(0, f"counts more than {LARGEST:,} in all, which no corpus has.")
    refuse(table.problems)
