"""Tables of counts that follow from others, held against what they follow from."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, zip_longest

import numpy as np

from reportgen.base.errors import BadInput, Problem
from reportgen.counts.export import derived_rows
from reportgen.counts.pairs import comparison_rows, count_comparisons, with_absent
from reportgen.counts.tables import count, ratings_rows
from reportgen.readers import CountedLayer
from reportgen.readers.counted import COMPARISONS, EVERYBODY, HEADS, MARK_HEADS, RATINGS
from reportgen.units import CodedUnits, ComparedUnits, Mask, Study

# everybody.csv held against ratings.csv: annotators said the same of the same units in both.

# The document of a kind of units, and its ratings as the tables write them.
Kind = tuple[str, str]


def unlike(units: CodedUnits, compared: ComparedUnits) -> Iterator[tuple[Kind, int, int]]:
    """Yield each kind of units of which the two have another number, with both: first that of `units`.

    `units` are rated by annotators alone. Units that no annotator labelled, and of a declared size those that
    none marked, are passed over: there are more of them where others labelled some.
    """
    own = _of_annotators(compared)
    known = compared.chosen(np.arange(len(own.unit_weight), dtype=np.int64))
    marked = units.kind == "declared"
    one = _kinds(units, _labelled(units, units.non_annotated, marked=marked))
    other = _kinds(own, known & _labelled(own, compared.absent, marked=marked))
    for kind in sorted({*one, *other}):
        if one.get(kind) != other.get(kind):
            yield kind, one.get(kind, 0), other.get(kind, 0)


def _of_annotators(compared: ComparedUnits) -> CodedUnits:
    """Return the units with the labels of annotators alone."""
    units = with_absent(compared)
    people = compared.of_role("annotator")
    rows = np.isin(units.annotator, people)
    return replace(units, unit=units.unit[rows], annotator=units.annotator[rows], label=units.label[rows])


def _labelled(units: CodedUnits, absent: int, *, marked: bool) -> Mask:
    """Tell of which units (units,) there is a label; with `marked` one that is not that of unmarked units."""
    there = np.zeros(len(units.unit_weight), dtype=np.bool_)
    there[units.unit[units.label != absent] if marked else units.unit] = True
    return there


def _kinds(units: CodedUnits, kept: Mask) -> dict[Kind, int]:
    weighed = replace(units, unit_weight=np.where(kept, units.unit_weight, 0))
    # The names of layer and unit set are the same in both.
    rows = (map(str, row) for row in ratings_rows(weighed))
    return {(document, ratings): int(n) for _, _, document, ratings, n in rows}


# Tables of counts that follow from others, held against what they follow from.

SHOWN = 20
MEND = "Take the folder of counts as reportgen wrote it: its files belong together."

Row = tuple[int, tuple[str, ...]]


def require_agreement(content: CountedLayer, study: Study) -> None:
    """Raise BadInput where tables are not what ratings.csv, or everybody.csv, makes them."""
    problems = [
        *_contradictions(content, study.unit_sets),
        *_of_everybody(content, study.compared),
        *_held_of_annotators(content, study),
    ]
    if problems:
        raise BadInput(problems)


def _contradictions(content: CountedLayer, unit_sets: Sequence[CodedUnits]) -> Iterator[Problem]:
    """Yield where pairs.csv, profiles.csv and annotators.csv are not what ratings.csv makes them."""
    for units in unit_sets:
        counts = count(units)
        for name, expected in derived_rows(units, counts).items():
            own = _own(content, name, units.id)
            if not _same(own, expected):
                again = derived_rows(units, counts)[name]
                yield from _wrong(content, (name, HEADS[name], RATINGS), own, again)


def _of_everybody(content: CountedLayer, compared: Iterable[ComparedUnits]) -> Iterator[Problem]:
    """Yield where comparisons.csv is not what everybody.csv makes it."""
    for each in compared:
        expected = comparison_rows(each, count_comparisons(each))
        table = COMPARISONS, MARK_HEADS[COMPARISONS], EVERYBODY
        yield from _wrong(content, table, _own(content, COMPARISONS, each.units.id), expected)


def _held_of_annotators(content: CountedLayer, study: Study) -> Iterator[Problem]:
    """Yield where annotators said something else in everybody.csv than in ratings.csv."""
    units = {each.id: each for each in study.unit_sets}
    for compared in study.compared:
        for (document, ratings), n, other in islice(unlike(units[compared.units.id], compared), SHOWN):
            where = f' in document "{document}"' if document else ""
            message = (
                f'has {other:,} units of "{compared.units.id}"{where} that annotators gave {ratings}, '
                f"and {RATINGS} has {n:,}."
            )
            yield Problem(content.files[EVERYBODY], message=message, mend=MEND)


def _own(content: CountedLayer, name: str, unit_set: str) -> list[Row]:
    return [row for row in content.rows[name] if row[1][1] == unit_set]


def _same(own: Sequence[Row], rows: Iterable[Sequence[object]]) -> bool:
    """Tell whether rows are those that are wanted, in their order, as in a file that nobody touched."""
    found = zip_longest((cells for _, cells in own), rows, fillvalue=())
    return all(cells[1:] == tuple(map(str, row[1:])) for cells, row in found)


def _wrong(
    content: CountedLayer,
    table: tuple[str, Sequence[str], str],
    own: Sequence[Row],
    rows: Iterable[Sequence[object]],
) -> Iterator[Problem]:
    """Yield where a table's rows of one unit set are others; `table` is its name, its header, its origin."""
    name, header, origin = table
    # A layer may have another name in the campaign.
    wanted = {tuple(map(str, row[1:-1])): str(row[-1]) for row in rows}
    problems = list(_differences((content.files[name], header, origin), own, wanted))
    yield from problems[:SHOWN]
    if len(problems) > SHOWN:
        message = f"{len(problems) - SHOWN:,} more rows are not what {origin} makes them."
        yield Problem(content.files[name], message=message, mend=MEND)


def _differences(
    table: tuple[str, Sequence[str], str], rows: Sequence[Row], wanted: Mapping[tuple[str, ...], str]
) -> Iterator[Problem]:
    """Yield each row that is another one than is wanted, and each that is not there."""
    file, header, origin = table
    left = dict(wanted)
    for line, cells in rows:
        n = left.pop(cells[1:-1], None)
        if n is None:
            twice = cells[1:-1] in wanted
            message = "stands there twice." if twice else f"counts {cells[-1]} of what {origin} has none of."
            yield Problem(file, line, message=message, mend=MEND)
        elif int(n) != int(cells[-1]):
            message = f"is {cells[-1]}, and {origin} makes it {n}."
            yield Problem(file, line, f"column {header[-1]}", message, MEND)
    for key, n in left.items():
        message = f"has no row {','.join(key)}, of which {origin} has {n}."
        yield Problem(file, message=message, mend=MEND)
