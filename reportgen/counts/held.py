"""Tables of counts that follow from others, held against what they follow from."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from reportgen.counts.comparisons import comparison_rows, count_comparisons
from reportgen.counts.export import derived_rows
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
    problems = [*_contradictions(content, study.unit_sets), *_of_everybody(content, study.compared)]
    if problems:
        raise BadInput(problems)


def _contradictions(content: Counted, unit_sets: Sequence[CodedUnits]) -> Iterator[Problem]:
    """Yield where pairs.csv, profiles.csv and annotators.csv are not what ratings.csv makes them."""
    for units in unit_sets:
        for name, expected in derived_rows(units, count(units)).items():
            yield from _wrong(content, (name, HEADS[name], RATINGS), units.id, expected)


def _of_everybody(content: Counted, compared: Iterable[Compared]) -> Iterator[Problem]:
    """Yield where comparisons.csv is not what everybody.csv makes it."""
    for each in compared:
        expected = comparison_rows(each, count_comparisons(each))
        table = COMPARISONS, MARK_HEADS[COMPARISONS], EVERYBODY
        yield from _wrong(content, table, each.units.id, expected)


def _wrong(
    content: Counted, table: tuple[str, Sequence[str], str], unit_set: str, rows: Iterable[Sequence[object]]
) -> Iterator[Problem]:
    """Yield where a table's rows of one unit set are others; `table` is its name, its header, its origin."""
    name, header, origin = table
    own = [row for row in content.rows[name] if row[1][1] == unit_set]
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
