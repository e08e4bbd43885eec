"""Tables of counts that follow from others, held against what they follow from."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest

from reportgen.counts.comparisons import comparison_rows, count_comparisons
from reportgen.counts.export import derived_rows
from reportgen.counts.held_everybody import unlike
from reportgen.counts.tables import count
from reportgen.errors import BadInput, Problem
from reportgen.formats import Counted
from reportgen.formats.counted import COMPARISONS, EVERYBODY, HEADS, MARK_HEADS, RATINGS
from reportgen.study import CodedUnits, Compared, Study

SHOWN = 20
MEND = "Take the folder of counts as reportgen wrote it: its files belong together."

Row = tuple[int, tuple[str, ...]]


def require_agreement(content: Counted, study: Study) -> None:
    """Raise BadInput where tables are not what ratings.csv, or everybody.csv, makes them."""
    problems = [
        *_contradictions(content, study.unit_sets),
        *_of_everybody(content, study.compared),
        *_of_annotators(content, study),
    ]
    if problems:
        raise BadInput(problems)


def _contradictions(content: Counted, unit_sets: Sequence[CodedUnits]) -> Iterator[Problem]:
    """Yield where pairs.csv, profiles.csv and annotators.csv are not what ratings.csv makes them."""
    for units in unit_sets:
        counts = count(units)
        for name, expected in derived_rows(units, counts).items():
            own = _own(content, name, units.id)
            if not _same(own, expected):
                again = derived_rows(units, counts)[name]
                yield from _wrong(content, (name, HEADS[name], RATINGS), own, again)


def _of_everybody(content: Counted, compared: Iterable[Compared]) -> Iterator[Problem]:
    """Yield where comparisons.csv is not what everybody.csv makes it."""
    for each in compared:
        expected = comparison_rows(each, count_comparisons(each))
        table = COMPARISONS, MARK_HEADS[COMPARISONS], EVERYBODY
        yield from _wrong(content, table, _own(content, COMPARISONS, each.units.id), expected)


def _of_annotators(content: Counted, study: Study) -> Iterator[Problem]:
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


def _own(content: Counted, name: str, unit_set: str) -> list[Row]:
    return [row for row in content.rows[name] if row[1][1] == unit_set]


def _same(own: Sequence[Row], rows: Iterable[Sequence[object]]) -> bool:
    """Tell whether rows are those that are wanted, in their order, as in a file that nobody touched."""
    found = zip_longest((cells for _, cells in own), rows, fillvalue=())
    return all(cells[1:] == tuple(map(str, row[1:])) for cells, row in found)


def _wrong(
    content: Counted,
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
