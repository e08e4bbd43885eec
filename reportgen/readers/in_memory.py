"""Ratings that are in memory, in whatever form, as a reader of files would hand them on."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, did_you_mean, quoted, refused, warn
from reportgen.base.files import as_compared
from reportgen.readers.annotations import Chosen, Factor, Ratings, Texts, different_rows, factorize
from reportgen.readers.confusion_matrix import units_of_cells
from reportgen.readers.ratings import ratings_of_files, understood_together
from reportgen.readers.reader import (
    EMPTY_SET,
    DocumentCopy,
    Export,
    ExportFile,
    ParsedMark,
    ReaderOptions,
    SetLabel,
    as_set,
)
from reportgen.readers.scales import are_decimal, percentages
from reportgen.readers.string_tables import StringTable
from reportgen.readers.table_columns import TWO_SHAPES, is_aside, well_known_columns
from reportgen.readers.table_reading import ROWS_LOOKED_AT, find_shape, looked_at, says_yes, several
from reportgen.readers.table_refusals import (
    FEWEST_ITEMS,
    Objection,
    Rule,
    as_many_annotators_as_rows,
    counts_of_annotators,
    refuse_as_many,
    refuse_disjoint_vocabularies,
    refuse_headers,
    refuse_impossible,
    refuse_transposed,
    refuse_turned,
)
from reportgen.readers.table_rows import are_as_expected, rows_without_labels
from reportgen.readers.table_shapes import Shape, TableColumns

INPUT = "the ratings"
# What holds the members of a label that is a set.
SETS = (set, frozenset, list, tuple)


@dataclass(frozen=True, eq=False)
class RatingsGiven:
    """Document, None where none is known, unit, annotator and label of each rating (ratings,)."""

    document: Factor[Hashable]
    unit: Factor[Hashable]
    annotator: Texts
    label: Factor[Any]

    def __len__(self) -> int:
        """Return how many ratings there are."""
        return len(self.label)

    def where(self, chosen: Chosen) -> "RatingsGiven":
        """Return some of the ratings."""
        if len(self) and chosen.all():
            return self
        document, unit, label = (each.taken(chosen) for each in (self.document, self.unit, self.label))
        return RatingsGiven(document, unit, self.annotator.taken(chosen), label)


@dataclass(frozen=True, eq=False)
class GivenColumn:
    """A column of pandas, polars or numpy, or a list, of any values."""

    given: Any

    @cached_property
    def listed(self) -> list[Any]:
        """The values."""
        for way in ("to_list", "tolist"):
            if hasattr(self.given, way):
                return list(getattr(self.given, way)())
        return list(self.given)

    @cached_property
    def factor(self) -> Factor[Any]:
        """The values, those of one type that are written alike being one."""
        array = getattr(self.given, "to_numpy", lambda: self.given)()
        if isinstance(array, np.ndarray) and array.dtype.kind in "biuf":
            return _factor_of_numbers(array)
        kinds = {*map(type, self.listed)} - {type(None)}
        if len(kinds) < 2 and kinds <= {str, int, bool}:
            return Factor.of(self.listed)
        keys = Factor.of((type(value), repr(value)) for value in self.listed)
        values = dict(zip(reversed(keys.codes.tolist()), reversed(self.listed), strict=True))
        return Factor(keys.codes, tuple(values[code] for code in range(len(keys.levels))))

    @cached_property
    def cells(self) -> Texts:
        """The values as cells of a table have them."""
        return self.factor.mapped(_cell)

    @cached_property
    def names(self) -> Texts:
        """What each is called."""
        return self.factor.mapped(name_of)

    @cached_property
    def units(self) -> Factor[Hashable]:
        """The units or documents that the values name: numbers are no texts."""
        return Factor.of(self.listed).mapped(
            lambda name: as_compared(name) if isinstance(name, str) else name
        )


def _factor_of_numbers(numbers: np.ndarray[Any, Any]) -> Factor[Any]:
    """Return numbers as they are stored, so that -0.0 is not 0.0."""
    bits = (
        numbers.astype(np.float64).view(np.int64) if numbers.dtype.kind == "f" else numbers.astype(np.int64)
    )
    first, codes = different_rows(np.searchsorted(np.unique(bits), bits))
    return Factor(codes, tuple(numbers[first].tolist()))


Columns = Mapping[str, GivenColumn]
LONG = ("unit", "annotator", "label")
ROLES = (*LONG, "document")


def as_columns(ratings: Any) -> Any:  # noqa: ANN401 - whatever somebody gave
    """Return records, or labels by annotator and then by unit, as columns; other rows as a list."""
    if isinstance(ratings, Mapping):
        if not all(isinstance(own, Mapping) for own in ratings.values()):
            return ratings
        rows = dict.fromkeys(chain.from_iterable(ratings.values()))
        return {name: [own.get(row) for row in rows] for name, own in ratings.items()}
    if hasattr(ratings, "columns") or isinstance(ratings, np.ndarray | str | bytes):
        return ratings
    listed = list(ratings) if isinstance(ratings, Iterable) else None
    if listed and all(isinstance(row, Mapping) for row in listed):
        return {name: [row.get(name) for row in listed] for name in dict.fromkeys(chain(*listed))}
    return ratings if listed is None else listed


def marks_of(
    ratings: Any,  # noqa: ANN401 - a frame, an array or lists
    named: Mapping[str, str | None],
    people: Collection[str] = (),
    others: Collection[str] = (),
) -> RatingsGiven:
    """Return document, unit, annotator and label of each rating; `named` says which column is what.

    Columns of a wide table that are called as `people` are theirs; `others` of them are no annotators, and
    where no annotator is named columns are refused as if these were not there.
    What is not said goes by well-known names of columns. A table is long where it has columns of annotators
    and labels, else wide. Raises BadInput for columns that are not there, for half a long table, and where a
    table may be either.
    """
    _require_ratings(ratings)
    names = columns_of(ratings)
    if names:
        # Columns may be called by numbers.
        given = ratings.columns if hasattr(ratings, "columns") else ratings
        ratings = {name: GivenColumn(ratings[column]) for name, column in zip(names, given, strict=True)}
    chosen = {role: name for role, name in named.items() if name is not None}
    columns = ", ".join(names) or "none with names"
    named_columns = {role: name for role, name in chosen.items() if name in names}
    # Whose columns there are may be said.
    are_people = bool(names) and all(name in people for name in names if name not in chosen.values())
    shape = None
    if names and "annotator" not in chosen and not are_people:
        ratings = _without_other_rows(ratings, names)
        annotators = {*people} - {*others}
        shape = find_shape(_table(ratings, names), chosen, _place, people=annotators, others=others)
    asked = ratings[shape.question].names.levels if shape and shape.question else ()
    questions = {*((shape and shape.grid) or ()), *asked}
    if absent := [
        Problem(INPUT, key=role, message=f'has no column "{name}"; there are {columns}.')
        for role, name in chosen.items()
        if role not in named_columns and not (role == "label" and name in questions)
    ]:
        raise BadInput(absent)
    if shape:
        return _of_shape(ratings, shape, chosen, [name for name in names if name in people])
    # What is not said goes by well-known names, of columns that are nothing else.
    free = {
        role: [
            names[column]
            for column in well_known_columns(names, role)
            if names[column] not in chosen.values()
        ]
        for role in ROLES
    }
    roles = {**{role: columns[0] for role, columns in free.items() if columns}, **chosen}
    if not {"annotator", "label"} & roles.keys():
        if not names and not people:
            _require_upright(ratings)
        elif names and not {*names} & ({*people} - {*others}):
            _require_possible(ratings, names, roles, others)
        return wide(ratings, roles)
    _require_one_label(names, chosen)
    if missing := [role for role in LONG if role not in roles]:
        _refuse_counts(ratings, names, chosen, roles.get("unit"))
        raise _half_long(missing, names)
    if "annotator" not in chosen:
        shape = Shape((roles["unit"],), roles["annotator"], (roles["label"],))
        refuse_impossible(_table(ratings, names), [shape], _place)
    return long(ratings, roles)


def marks_as_read(ratings: Any, options: ReaderOptions) -> RatingsGiven:  # noqa: ANN401 - a frame or lists
    """Return the ratings of a frame that is read as a file with the same cells; warn as of one.

    Raises BadInput where its columns have no names, and for all that a file would be refused for.
    """
    names = columns_of(ratings)
    if not names:
        remedy = "Give a frame whose columns have names."
        raise refused(INPUT, key="reading", message="have no columns with names.", remedy=remedy)
    given = ratings.columns if hasattr(ratings, "columns") else ratings
    cells = [GivenColumn(ratings[column]).cells for column in given]
    rows = len(cells[0])
    file = ExportFile(Path(INPUT), INPUT)
    table = StringTable(
        file, tuple(names), tuple(cells), np.arange(1, rows + 1), INPUT, lambda: range(rows + 1)
    )
    found = ratings_of_files(understood_together([table], options), options, INPUT, (), [table])
    for warning in found.warnings:
        warn(str(warning))
    own = found.ratings
    documents = own.document[own.unit]
    return RatingsGiven(
        Factor(np.where(documents < 0, len(own.documents), documents), (*own.documents, None)),
        Factor(own.unit, own.unit_names),
        Texts(own.annotator, own.annotators),
        Factor(own.label, own.labels),
    )


def _refuse_counts(
    ratings: Columns, names: Sequence[str], chosen: Mapping[str, str], unit: str | None
) -> None:
    """Raise BadInput where columns beside the unit can't be those of annotators, and none was named."""
    if unit is not None and not chosen:
        rest = tuple(name for name in names if name != unit)
        refuse_impossible(_table(ratings, names), [Shape((unit,), None, rest)], _place)


def _half_long(missing: Sequence[str], names: Sequence[str]) -> BadInput:
    message = f"is not named; long ratings have three columns, and there are {', '.join(names)}."
    return BadInput([Problem(INPUT, key=role, message=message, remedy=f'{role}="…"') for role in missing])


def columns_of_people(
    ratings: Any,  # noqa: ANN401 - a frame, an array or lists
    people: Sequence[str],
    named: Mapping[str, str | None],
) -> Any:  # noqa: ANN401 - as given
    """Return the columns of a wide frame that are the labels of people, units or documents; others as given.

    A frame is wide where each of the people has a column; `named` says which column is what.
    """
    names = columns_of(ratings)
    if not people or not {*people} <= {*names} or named.get("label") is not None:
        return ratings
    beside = {
        names[column] for role in ("unit", "document") for column in well_known_columns(names, role)[:1]
    }
    beside |= {name for name in named.values() if name is not None}
    return {name: ratings[name] for name in names if name in people or name in beside}


# What a span in memory says: its document, whose it is, where it begins and ends, and its label.
SPAN = ("document", "annotator", "start", "end", "label")
SPANS = "the spans"


def export_of_spans(spans: Iterable[Any], texts: Mapping[Any, str], annotators: Sequence[str]) -> Export:
    """Return spans as a reader of files would hand them on; everybody has a copy of each text.

    Raises BadInput for each span that says something else, or lies in no text.
    """
    documents = {name_of(name): text for name, text in texts.items()}
    marks: dict[tuple[str, str], list[ParsedMark]] = {}
    problems: list[Problem] = []
    for number, span in enumerate(spans, 1):
        if not isinstance(span, Sequence) or isinstance(span, str) or len(span) != len(SPAN):
            message = f"is {span!r}; ({', '.join(SPAN)}) was expected."
            problems.append(Problem(SPANS, number, message=message, remedy='Write ("d1", "Ann", 0, 4, "X").'))
            continue
        document, who, start, end, label = span
        if name_of(document) not in documents:
            message = f"is in a document without a text, {quoted(name_of(document))}."
            remedy = did_you_mean(name_of(document), [*documents])
            problems.append(Problem(SPANS, number, message=message, remedy=remedy))
        elif not all(isinstance(place, int | np.integer) for place in (start, end)):
            message = f"goes from {start!r} to {end!r}; two whole numbers were expected."
            problems.append(Problem(SPANS, number, message=message, remedy="Count code points from 0."))
        else:
            mark = ParsedMark(name_of(label), ((int(start), int(end)),), line=number)
            marks.setdefault((name_of(who), name_of(document)), []).append(mark)
    if problems:
        raise BadInput(problems)
    people = dict.fromkeys((*(who for who, _ in marks), *annotators))
    copies = [
        DocumentCopy(name, who, SPANS, text, tuple(marks.get((who, name), ())))
        for who in people
        for name, text in documents.items()
    ]
    return Export(copies, "Given.", ())


def _without_other_rows(columns: Columns, names: Sequence[str]) -> Columns:
    """Return columns without rows that are no labels, of which the user is warned: totals, headers again."""
    cells = [columns[name].cells for name in names]
    # Columns that pandas numbered have no header that could be among the rows.
    if names == [*map(str, range(len(names)))]:
        _warn_of_few_rows(len(cells[0]), len(names))
        return columns
    if not len(cells[0]) or are_as_expected(names, cells):
        return columns
    import pandas as pd

    body = pd.DataFrame({place: own.tolist() for place, own in enumerate(cells)}, dtype="object")
    gone = {*rows_without_labels(body, names, names)}
    if not gone:
        return columns
    shown = ", ".join(str(row + 1) for row in sorted(gone))
    message = f"Rows of {INPUT} that have no labels, such as totals, are left out: {shown}."
    warn(message)
    kept = [row for row in range(len(body)) if row not in gone]
    return {name: GivenColumn([columns[name].listed[row] for row in kept]) for name in names}


def _place(message: str, remedy: str) -> Problem:
    return Problem(INPUT, message=message, remedy=remedy)


def _table(columns: Columns, names: Sequence[str]) -> TableColumns:
    """Return the rows that are looked at, as of a file's table; raise BadInput for what is no header."""
    given = [columns[name].cells for name in names]
    rows = looked_at(given)
    cells = {name: own.taken(rows) for name, own in zip(names, given, strict=True)}
    refuse_headers(names, _place)
    refuse_turned(names, [*cells.values()], _place)
    return TableColumns(cells)


def _require_possible(
    ratings: Columns, names: Sequence[str], roles: Mapping[str, str], others: Collection[str]
) -> None:
    """Raise BadInput where columns of a wide table can't be those of annotators."""
    beside = {*roles.values(), *filter(is_aside, names)}
    people = tuple(name for name in names if name not in beside)
    if len(people) == 1:
        message = f"have one column of labels, {people[0]}: agreement needs two annotators."
        raise refused(INPUT, message=message, remedy=TWO_SHAPES)
    shape = Shape(tuple(filter(None, [roles.get("unit")])), None, people)
    refuse_impossible(_table(ratings, names), [shape], _place, others)


# Rows of which the numbers have one sum, and columns of which no two share a label: fewer may do by chance.
LEAST_COUNTED = 4
# So many rows of an array show whether annotators are its columns, or its rows.
FIRST_OF_ARRAY = 5_000
TABLE = "agreement.of_table takes one."
UPRIGHT = "A row is a unit, a column an annotator: numpy.transpose turns them."


def _require_upright(ratings: Any) -> None:  # noqa: ANN401 - an array or lists
    """Raise BadInput where columns without names can't be annotators'; warn where rows may be.

    Other packages take a row for each rater, a row for each label, or numbers of units or of raters.
    """
    rows = [list(row) for row in ratings[:FIRST_OF_ARRAY]]
    width = max(map(len, rows), default=0)
    # Nobody is called so.
    names = tuple(f"column {number}" for number in range(1, width + 1))
    cells = zip(names, zip_longest(*rows), strict=True)
    columns = TableColumns({name: Texts.of(map(_cell, own)) for name, own in cells})
    rules: dict[Rule, str] = {}
    if width >= FEWEST_ITEMS:
        rules |= dict.fromkeys((as_many_annotators_as_rows, refuse_transposed), UPRIGHT)
    if len(rows) >= LEAST_COUNTED and (width > 2 or any(own.distinct > 2 for own in columns.all.values())):
        rules[counts_of_annotators] = ""
    if len(rows) >= LEAST_COUNTED and width > 2:
        rules[refuse_disjoint_vocabularies] = ROW_FOR_LABEL
    for rule, remedy in {**rules, _refuse_confusion: TABLE}.items():
        if objection := rule(columns, Shape((), None, names)):
            named = 'If columns are annotators, name all: annotators=["A1", "A2", …].'
            raise refused(INPUT, message=objection.message, remedy=f"{remedy} {named}".strip())
    _warn_of_few_rows(len(rows), width)


def _warn_of_few_rows(rows: int, width: int) -> None:
    if 2 <= rows < width:
        warn(f"There are {width} columns and {rows} rows: rows may be annotators. {UPRIGHT}")


ROW_FOR_LABEL = 'Of a row for each label: pandas.DataFrame(ratings, columns=["annotator", "unit", "label"]).'


def _refuse_confusion(columns: TableColumns, shape: Shape) -> Objection | None:
    """Object to a square of whole numbers with its largest on the diagonal, larger than its size."""
    numbers = [columns[name].numbers for name in shape.labels if columns[name].share == 1]
    if len(numbers) != columns.rows or any(column is None for column in numbers):
        return None
    table = np.array(numbers)
    are_largest = (np.diagonal(table) == table.max(axis=axis, initial=0) for axis in (0, 1))
    if (table < 0).any() or (table % 1).any() or table.max(initial=0) <= len(table):
        return None
    message = "may be a confusion matrix: whole numbers, the largest of each row and column on the diagonal."
    return Objection(message) if all(map(np.all, are_largest)) else None


def _text(value: object) -> str:
    """Return a value as a cell of a table would have it; a set as a list of its members."""
    if isinstance(value, SETS):
        return str(sorted(map(name_of, value)))
    return name_of(value)


def _cell(value: object) -> str:
    """Return a value as a cell of a table has it, empty where it is missing."""
    return "" if _is_missing(value) else _text(value).strip()


def _of_shape(
    columns: Columns, shape: Shape, chosen: Mapping[str, str], called: Sequence[str]
) -> RatingsGiven:
    """Return the marks of a frame whose columns are known; raise BadInput where it has several questions."""
    questions = () if shape.indicators else tuple(shape.grid or ()) or (shape.labels if shape.is_long else ())
    asked = columns[shape.question].names if shape.question else None
    questions = tuple(filter(str.strip, asked.levels)) if asked else questions
    label = chosen.get("label") or (questions[0] if len(questions) == 1 else None)
    if label is None and questions:
        raise BadInput([replace(several(questions, _place), key="label")])
    unit = columns[shape.units[0]].units if shape.units else None
    if len(shape.units) > 1:
        unit = Factor.of(zip(*(columns[name].listed for name in shape.units), strict=True))
    document = columns[shape.document].units if shape.document else None
    if shape.is_long:
        indicators = {name: name for name in shape.indicators}
        name = shape.labels[0] if asked else str(label)
        given = _indicated(columns, indicators) if indicators else columns[name].factor
        rows = asked.where(lambda question: question == label) if asked else None
        marks = _in_rows(document, unit, columns[str(shape.annotator)].names, given, rows)
    elif shape.grid and shape.indicators:
        people = dict.fromkeys(person for own in shape.grid.values() for person in own)
        by_person = {
            person: {question: own[person] for question, own in shape.grid.items() if person in own}
            for person in people
        }
        marks = _in_columns(document, unit, {who: _indicated(columns, own) for who, own in by_person.items()})
    else:
        own = shape.grid[str(label)] if shape.grid else {name: name for name in (*shape.labels, *called)}
        marks = _in_columns(document, unit, {person: columns[name].factor for person, name in own.items()})
    if len(columns[shape.labels[0]].factor) > ROWS_LOOKED_AT:
        refuse_as_many(labels_of(marks, "").levels, len(marks.annotator.levels), len(marks), _place)
    return marks.where(marks.label.where(lambda value: value != ""))


def _in_rows(
    document: Factor[Any] | None,
    unit: Factor[Any] | None,
    annotator: Texts,
    label: Factor[Any],
    chosen: Chosen | None = None,
) -> RatingsGiven:
    """Return the ratings of rows with a label, or of some; where units have no names, each row is one."""
    rows = len(label)
    marks = RatingsGiven(document or Factor.alike(None, rows), unit or _numbered(rows), annotator, label)
    given = label.where(lambda value: not _is_missing(value))
    return marks.where(given if chosen is None else given & chosen)


def _in_columns(
    document: Factor[Any] | None, unit: Factor[Any] | None, people: Mapping[str, Factor[Any]]
) -> RatingsGiven:
    """Return the ratings of annotators who have a column each, one after the other."""
    rows = len(next(iter(people.values()), ()))
    again = np.tile(np.arange(rows), len(people))
    document, unit = (
        column and Factor(column.codes[again], column.levels)
        for column in (document, unit or _numbered(rows))
    )
    return _in_rows(document, unit, Texts.of(map(name_of, people)).each(rows), _behind([*people.values()]))


def _numbered(rows: int) -> Factor[Hashable]:
    return Factor(np.arange(rows), tuple(range(rows)))


def _behind(columns: Sequence[Factor[Any]]) -> Factor[Any]:
    """Return columns behind each other; what one has is not looked for in others."""
    first = np.cumsum([0, *(len(column.levels) for column in columns)])
    codes = [column.codes + start for column, start in zip(columns, first.tolist(), strict=False)]
    return Factor(np.concatenate(codes), tuple(chain.from_iterable(column.levels for column in columns)))


def _indicated(columns: Columns, asked: Mapping[str, str]) -> Factor[Any]:
    """Return for each row the set of labels whose column says yes."""
    says = [columns[name].factor.where(lambda value: says_yes(_text(value))) for name in asked.values()]
    rows = zip(*(own.tolist() for own in says), strict=True)
    return Factor.of(
        frozenset(label for label, is_said in zip(asked, row, strict=True) if is_said) for row in rows
    )


def _require_ratings(ratings: Any) -> None:  # noqa: ANN401 - whatever somebody gave
    """Raise BadInput for what is neither a frame nor rows, and for columns of different lengths."""
    if isinstance(ratings, Mapping):
        lengths = {str(name): len(GivenColumn(column).listed) for name, column in ratings.items()}
        if len(set(lengths.values())) > 1:
            shown = ", ".join(f"{name} ({rows})" for name, rows in lengths.items())
            message = f"have columns of different lengths: {shown}."
            raise refused(INPUT, message=message, remedy="Give each a value in every row, or None.")
    elif hasattr(ratings, "columns") and _are_called_alike(ratings):
        message = "are called alike in rows and columns, as in a confusion matrix."
        raise refused(INPUT, message=message, remedy=TABLE)
    elif not hasattr(ratings, "columns") and not _are_rows(ratings):
        message = f"are {type(ratings).__name__}; a frame, an array or a list of rows was expected."
        remedy = "Give a row for each unit: [[label, label], …], of two annotators list(zip(first, other))."
        raise refused(INPUT, message=message, remedy=remedy)


def _are_called_alike(frame: Any) -> bool:  # noqa: ANN401 - of pandas or polars
    """Tell whether rows have names, those of the columns."""
    names = {*columns_of(frame)}
    numbered = set(map(str, range(len(names))))
    return {*map(str, getattr(frame, "index", ()))} == names != numbered and bool(names)


def _are_rows(ratings: Any) -> bool:  # noqa: ANN401 - as above
    if isinstance(ratings, np.ndarray):
        return ratings.ndim == 2
    if isinstance(ratings, str | bytes) or not isinstance(ratings, Iterable):
        return False
    return all(
        isinstance(row, Iterable)
        and not isinstance(row, str | bytes | Mapping)
        and getattr(row, "ndim", 1) == 1
        for row in ratings
    )


def columns_of(ratings: Any) -> list[str]:  # noqa: ANN401 - a frame, an array or lists
    """Return the names of columns, none of an array or lists."""
    return [
        str(name) for name in getattr(ratings, "columns", ratings if isinstance(ratings, Mapping) else ())
    ]


def _require_one_label(names: Sequence[str], chosen: Mapping[str, str]) -> None:
    """Raise BadInput where several columns are called like labels: which was meant nobody else can know."""
    candidates = [names[column] for column in well_known_columns(names, "label")]
    candidates = [name for name in candidates if name not in chosen.values()]
    if "label" not in chosen and len(candidates) > 1:
        message = f"may be {' or '.join(quoted(name) for name in candidates)}."
        raise refused(INPUT, key="label", message=message, remedy=f'Say which: label="{candidates[0]}".')


def with_points(marks: RatingsGiven, separator: str) -> RatingsGiven:
    """Return marks whose labels are numbers where all were texts with decimal commas, or percentages."""
    labels = {label for label in marks.label.levels if isinstance(label, str)}
    if separator or any(not isinstance(label, str) for label in marks.label.levels):
        return marks
    numbers = percentages(labels)
    if not numbers and are_decimal(labels):
        numbers = {label: label.replace(",", ".") for label in labels}
    return replace(marks, label=marks.label.mapped(lambda label: numbers.get(label, label)))


def long(columns: Columns, roles: Mapping[str, str]) -> RatingsGiven:
    """Return document, unit, annotator and label of each rating of a long table with all these columns."""
    unit, annotator, label = (columns[roles[role]] for role in LONG)
    document = columns[roles["document"]].units if "document" in roles else None
    return _in_rows(document, unit.units, annotator.names, label.factor)


def wide(rows: Any, roles: Mapping[str, str]) -> RatingsGiven:  # noqa: ANN401 - columns, an array or lists
    """Return document, unit, annotator and label of each rating of a wide table.

    `roles` names the columns that have units and documents; all others are annotators', but for texts,
    comments and dates, which no annotator is called.
    """
    if isinstance(rows, Mapping):
        document, unit = (rows[roles[role]].units if role in roles else None for role in ("document", "unit"))
        people = {
            name: column.factor
            for name, column in rows.items()
            if name not in roles.values() and not is_aside(name)
        }
        return _in_columns(document, unit, people)
    if isinstance(rows, np.ndarray):
        sizes, given = np.full(len(rows), rows.shape[1]), GivenColumn(rows.reshape(-1))
    else:
        listed = [list(row) for row in rows]
        sizes = np.array([*map(len, listed)], dtype=np.int64)
        given = GivenColumn([*chain.from_iterable(listed)])
    widest = int(sizes.max(initial=0))
    names = tuple(f"A{who:0{len(str(widest))}}" for who in range(1, widest + 1))
    row = np.repeat(np.arange(len(sizes)), sizes)
    who = np.arange(len(row)) - (np.cumsum(sizes) - sizes)[row]
    units = Factor[Hashable](row, tuple(range(len(sizes))))
    units = units.taken(slice(None)) if 0 in sizes else units
    return _in_rows(None, units, Texts(who, names), given.factor)


def _is_missing(value: object) -> bool:
    """Tell whether a value is None, NaN or a library's own sign of a missing value."""
    if value is None:
        return True
    if isinstance(value, (str, bytes, *SETS)):
        return False
    try:
        return bool(value != value)  # noqa: PLR0124 - what is not itself is no number
    except TypeError:  # pandas.NA knows no truth
        return True


def name_of(value: object) -> str:
    """Return what a label is called: 3.0 and 3 are one number."""
    return as_compared(str(value))


def _label(value: object, separator: str) -> str:
    """Return a label as it is counted; a collection is a set."""
    if isinstance(value, SETS):
        members = set(map(name_of, value))
        return SetLabel("|".join(sorted(members)) or EMPTY_SET, members)
    text = name_of(value)
    return as_set(text, separator) if separator else text


def labels_of(marks: RatingsGiven, separator: str) -> Texts:
    """Return the label of each rating as it is counted; of two that are called alike, the last knows both."""
    labels = [_label(value, separator) for value in marks.label.levels]
    last = np.zeros(len(labels), dtype=np.int64)
    last[marks.label.codes] = np.arange(len(marks))
    by_name = {str(labels[place]): labels[place] for place in np.argsort(last).tolist()}
    names = marks.label.renamed(map(str, labels))
    return Texts(names.codes, tuple(by_name[name] for name in names.levels))


def ratings_of(marks: RatingsGiven, separator: str) -> Ratings:
    """Return the ratings as a reader hands them on."""
    label = labels_of(marks, separator)
    first, unit = different_rows(marks.document.codes, marks.unit.codes)
    levels = marks.document.levels
    documents, place = factorize(levels, (name for name in levels if name is not None))
    units = [*map(str if {*map(type, marks.unit.levels)} == {int} else name_of, marks.unit.levels)]
    return Ratings(
        documents=tuple(map(name_of, documents)),
        annotators=marks.annotator.levels,
        labels=label.levels,
        unit_names=tuple(map(units.__getitem__, marks.unit.codes[first].tolist())),
        document=place[marks.document.codes[first]],
        weight=np.ones(len(first), dtype=np.int64),
        unit=unit,
        annotator=marks.annotator.codes,
        label=label.codes,
        mark_pass=np.zeros(len(marks), dtype=np.int64),
    )


def require_table(table: Any, names: Sequence[str]) -> None:  # noqa: ANN401 - an array of any numbers
    """Raise BadInput where counts are no square table of whole numbers."""
    is_square = table.ndim == 2 and table.shape == (len(names),) * 2
    if (
        not is_square
        or not np.issubdtype(table.dtype, np.number)
        or (table < 0).any()
        or (table % 1 != 0).any()
    ):
        message = f"is not a table of whole numbers with {len(names)} rows and columns."
        raise refused("the table", message=message, remedy="Give one row and column a category.")


def cells_of(table: Any, names: tuple[str, ...]) -> Ratings:  # noqa: ANN401 - an array of any numbers
    """Return the ratings behind two annotators' counts (categories, categories), each cell being a unit."""
    rows, columns = np.nonzero(table)
    labels = np.stack([rows, columns], axis=1).ravel().astype(np.int64)
    return units_of_cells(table[rows, columns].astype(np.int64), labels, names, ("first", "second"))
