"""Ratings that are in memory, in whatever form, as a reader of files would hand them on."""

import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from reportgen.base.errors import BadInput, Problem, did_you_mean, quoted, refused
from reportgen.base.files import as_compared
from reportgen.readers.annotations import Ratings, factorize
from reportgen.readers.confusion_matrix import units_of_cells
from reportgen.readers.reader import EMPTY_SET, DocumentCopy, Export, ParsedMark, SetLabel, as_set
from reportgen.readers.scales import are_decimal, percentages
from reportgen.readers.table_columns import TWO_SHAPES, is_aside, well_known_columns
from reportgen.readers.table_reading import ROWS_LOOKED_AT, find_shape, says_yes, several
from reportgen.readers.table_refusals import (
    FEWEST_ITEMS,
    as_many_annotators_as_rows,
    counts_of_annotators,
    refuse_headers,
    refuse_impossible,
    refuse_transposed,
    refuse_turned,
)
from reportgen.readers.table_rows import rows_without_labels
from reportgen.readers.table_shapes import LEAST_ROWS, FrameColumns, Shape

if TYPE_CHECKING:
    import pandas as pd

INPUT = "the ratings"
# What holds the members of a label that is a set.
SETS = (set, frozenset, list, tuple)

# Document, unit, annotator and label of a rating.
Mark = tuple[object, object, object, object]
LONG = ("unit", "annotator", "label")
ROLES = (*LONG, "document")


def marks_of(
    ratings: Any,  # noqa: ANN401 - a frame, an array or lists
    named: Mapping[str, str | None],
    people: Collection[str] = (),
    others: Collection[str] = (),
) -> list[Mark]:
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
        ratings = {name: ratings[column] for name, column in zip(names, given, strict=True)}
    chosen = {role: name for role, name in named.items() if name is not None}
    columns = ", ".join(names) or "none with names"
    named_columns = {role: name for role, name in chosen.items() if name in names}
    # Whose columns there are may be said.
    are_people = bool(names) and all(name in people for name in names if name not in chosen.values())
    shape = None
    if names and "annotator" not in chosen and not are_people:
        ratings = _without_other_rows(ratings, names)
        annotators = {*people} - {*others}
        shape = find_shape(_frame(ratings, names), chosen, _place, people=annotators, others=others)
    questions = shape.grid or {} if shape else {}
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
        message = f"is not named; long ratings have three columns, and there are {', '.join(names)}."
        raise BadInput(Problem(INPUT, key=role, message=message, remedy=f'{role}="…"') for role in missing)
    if "annotator" not in chosen:
        shape = Shape((roles["unit"],), roles["annotator"], (roles["label"],))
        refuse_impossible(_frame(ratings, names), [shape], _place)
    return long(ratings, roles)


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


def _without_other_rows(ratings: Any, names: Sequence[str]) -> Any:  # noqa: ANN401 - as above
    """Return columns without rows that are no labels, of which the user is warned: totals, headers again."""
    import pandas as pd

    cells = [
        ["" if _is_missing(value) else _text(value).strip() for value in _values(ratings[name])]
        for name in names
    ]
    body = pd.DataFrame(dict(enumerate(cells)), dtype="object")
    gone = set(rows_without_labels(body, names, names)) if len(body) else set()
    if not gone:
        return ratings
    shown = ", ".join(str(row + 1) for row in sorted(gone))
    message = f"Rows of {INPUT} that have no labels, such as totals, are left out: {shown}."
    warnings.warn(message, stacklevel=4)
    return {
        name: [value for row, value in enumerate(_values(ratings[name])) if row not in gone] for name in names
    }


def _place(message: str, remedy: str) -> Problem:
    return Problem(INPUT, message=message, remedy=remedy)


def _frame(ratings: Any, names: Sequence[str]) -> "pd.DataFrame":  # noqa: ANN401 - as above
    """Return columns as a table of a file would have them; raise BadInput for what is no header."""
    import pandas as pd

    cells = {
        name: ["" if _is_missing(value) else _text(value).strip() for value in _values(ratings[name])]
        for name in names
    }
    refuse_headers(names, _place)
    frame = pd.DataFrame(cells, dtype="object")
    refuse_turned(names, [frame[name] for name in names], _place)
    return frame


def _require_possible(
    ratings: Any,  # noqa: ANN401 - a frame, an array or lists
    names: Sequence[str],
    roles: Mapping[str, str],
    others: Collection[str],
) -> None:
    """Raise BadInput where columns of a wide table can't be those of annotators."""
    beside = {*roles.values(), *filter(is_aside, names)}
    people = tuple(name for name in names if name not in beside)
    if len(people) == 1:
        message = f"have one column of labels, {people[0]}: agreement needs two annotators."
        raise refused(INPUT, message=message, remedy=TWO_SHAPES)
    shape = Shape(tuple(filter(None, [roles.get("unit")])), None, people)
    refuse_impossible(_frame(ratings, names), [shape], _place, others)


def _require_upright(ratings: Any) -> None:  # noqa: ANN401 - an array or lists
    """Raise BadInput where columns without names can't be annotators': rows may be, or these are counted."""
    rows = [list(row) for row in ratings[:ROWS_LOOKED_AT]]
    width = max(map(len, rows), default=0)
    sums = {sum(row) if all(isinstance(cell, int | float) for cell in row) else None for row in rows}
    are_sums = width > 2 and len(rows) >= LEAST_ROWS and len(sums) == 1 and None not in sums
    if width < FEWEST_ITEMS and not are_sums:
        return
    import pandas as pd

    # Nobody is called so.
    names = [f"column {number}" for number in range(1, width + 1)]
    cells = [["" if _is_missing(cell) else _text(cell) for cell in row] for row in rows]
    columns = FrameColumns(pd.DataFrame(cells, columns=names, dtype="object").fillna(""))
    for rule in (as_many_annotators_as_rows, counts_of_annotators, refuse_transposed):
        if objection := rule(columns, Shape((), None, tuple(names))):
            remedy = (
                "A row is a unit, a column an annotator: numpy.transpose turns them. If that is so, name "
                'all: annotators=["A1", "A2", …].'
            )
            raise refused(INPUT, message=objection.message, remedy=remedy)


def _text(value: object) -> str:
    """Return a value as a cell of a table would have it; a set as a list of its members."""
    if isinstance(value, SETS):
        return str(sorted(map(name_of, value)))
    return name_of(value)


def _of_shape(
    ratings: Any,  # noqa: ANN401 - as above
    shape: Shape,
    chosen: Mapping[str, str],
    called: Sequence[str],
) -> list[Mark]:
    """Return the marks of a frame whose columns are known; raise BadInput where it has several questions."""
    questions = () if shape.indicators else tuple(shape.grid or ()) or (shape.labels if shape.is_long else ())
    label = chosen.get("label") or (questions[0] if len(questions) == 1 else None)
    if label is None and questions:
        raise BadInput([replace(several(questions, _place), key="label")])
    rows = len(_values(ratings[shape.labels[0]]))
    columns = {name: _values(ratings[name]) for name in (*shape.units, *shape.labels, *called)}
    unit = (
        [
            tuple(columns[name][row] for name in shape.units)
            if len(shape.units) > 1
            else columns[shape.units[0]][row]
            for row in range(rows)
        ]
        if shape.units
        else list(range(rows))
    )
    documents = _values(ratings[shape.document]) if shape.document else [None] * rows
    people: list[tuple[Sequence[object], Sequence[object]]] = []
    if shape.is_long:
        names = _values(ratings[shape.annotator])
        given = (
            _indicated(columns, {name: name for name in shape.indicators})
            if shape.indicators
            else _values(ratings[str(label)])
        )
        people.append((names, given))
    elif shape.grid and shape.indicators:
        for person in dict.fromkeys(person for own in shape.grid.values() for person in own):
            asked = {question: own[person] for question, own in shape.grid.items() if person in own}
            people.append(([person] * rows, _indicated(columns, asked)))
    else:
        own = shape.grid[str(label)] if shape.grid else {name: name for name in (*shape.labels, *called)}
        people += [([person] * rows, columns[name]) for person, name in own.items()]
    return [
        (documents[row], unit[row], names[row], labels[row])
        for names, labels in people
        for row in range(rows)
        if not _is_missing(labels[row]) and labels[row] != ""
    ]


def _indicated(columns: Mapping[str, Sequence[object]], asked: Mapping[str, str]) -> list[object]:
    """Return for each row the set of labels whose column says yes."""
    rows = zip(*(columns[name] for name in asked.values()), strict=True)
    return [
        frozenset(label for label, value in zip(asked, row, strict=True) if says_yes(_text(value)))
        for row in rows
    ]


def _require_ratings(ratings: Any) -> None:  # noqa: ANN401 - whatever somebody gave
    """Raise BadInput for what is neither a frame nor rows, and for columns of different lengths."""
    if isinstance(ratings, Mapping):
        lengths = {str(name): len(_values(column)) for name, column in ratings.items()}
        if len(set(lengths.values())) > 1:
            shown = ", ".join(f"{name} ({rows})" for name, rows in lengths.items())
            message = f"have columns of different lengths: {shown}."
            raise refused(INPUT, message=message, remedy="Give each a value in every row, or None.")
    elif not hasattr(ratings, "columns") and not _are_rows(ratings):
        message = f"are {type(ratings).__name__}; a frame, an array or a list of rows was expected."
        remedy = "Give a row for each unit: [[label, label], …]."
        raise refused(INPUT, message=message, remedy=remedy)


def _are_rows(ratings: Any) -> bool:  # noqa: ANN401 - as above
    if isinstance(ratings, np.ndarray):
        return ratings.ndim == 2
    if isinstance(ratings, str | bytes) or not isinstance(ratings, Iterable):
        return False
    # An iterator can be read once only.
    rows = ratings if isinstance(ratings, Sequence) else ()
    return all(isinstance(row, Iterable) and not isinstance(row, str | bytes) for row in rows)


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


def with_points(marks: Sequence[Mark], separator: str) -> list[Mark]:
    """Return marks whose labels are numbers where all were texts with decimal commas, or percentages."""
    labels = {mark[3] for mark in marks if isinstance(mark[3], str)}
    if separator or any(not isinstance(mark[3], str) for mark in marks):
        return list(marks)
    numbers = percentages(labels)
    if not numbers and are_decimal(labels):
        numbers = {label: label.replace(",", ".") for label in labels}
    return [(*mark[:3], numbers.get(str(mark[3]), mark[3])) for mark in marks]


def long(frame: Any, roles: Mapping[str, str]) -> list[Mark]:  # noqa: ANN401 - a frame or a mapping of columns
    """Return document, unit, annotator and label of each rating of a long table with all these columns."""
    unit, annotator, label = (_values(frame[roles[role]]) for role in LONG)
    documents = _values(frame[roles["document"]]) if "document" in roles else [None] * len(unit)
    rows = zip(documents, unit, annotator, label, strict=True)
    return [row for row in rows if not _is_missing(row[3])]


def wide(rows: Any, roles: Mapping[str, str]) -> list[Mark]:  # noqa: ANN401 - a frame, an array or lists
    """Return document, unit, annotator and label of each rating of a wide table.

    `roles` names the columns of a frame that have units and documents; all others are annotators', but for
    texts, comments and dates, which no annotator is called.
    """
    names = getattr(rows, "columns", rows if isinstance(rows, Mapping) else None)
    if names is not None:
        columns = {str(name): _values(rows[name]) for name in names}
        units, documents = (
            columns.pop(roles[role], None) if role in roles else None for role in ("unit", "document")
        )
        columns = {name: values for name, values in columns.items() if not is_aside(name)}
        return [
            (documents[row] if documents else None, units[row] if units else row, name, value)
            for name, values in columns.items()
            for row, value in enumerate(values)
            if not _is_missing(value)
        ]
    listed = rows.tolist() if isinstance(rows, np.ndarray) else [list(row) for row in rows]
    widest = len(str(max(map(len, listed), default=0)))
    return [
        (None, unit, f"A{who + 1:0{widest}}", value)
        for unit, row in enumerate(listed)
        for who, value in enumerate(row)
        if not _is_missing(value)
    ]


def _values(column: Any) -> list[object]:  # noqa: ANN401 - a column of pandas, polars or numpy, or a list
    for way in ("to_list", "tolist"):
        if hasattr(column, way):
            return list(getattr(column, way)())
    return list(column)


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


def _composed(name: object) -> object:
    """Return the name of a unit or document as names are compared; a number is no text."""
    return as_compared(name) if isinstance(name, str) else name


def _label(value: object, separator: str) -> str:
    """Return a label as it is counted; a collection is a set."""
    if isinstance(value, SETS):
        members = set(map(name_of, value))
        return SetLabel("|".join(sorted(members)) or EMPTY_SET, members)
    text = name_of(value)
    return as_set(text, separator) if separator else text


def ratings_of(marks: Sequence[Mark], separator: str) -> Ratings:
    """Return the ratings as a reader hands them on."""
    labels = [_label(mark[3], separator) for mark in marks]
    by_name = {str(label): label for label in labels}
    documents, _ = factorize(_composed(mark[0]) for mark in marks if mark[0] is not None)
    units, unit = factorize((_composed(mark[0]), _composed(mark[1])) for mark in marks)
    annotators, annotator = factorize(name_of(mark[2]) for mark in marks)
    names, label = factorize(map(str, labels))
    return Ratings(
        documents=tuple(map(name_of, documents)),
        annotators=annotators,
        labels=tuple(by_name[name] for name in names),
        unit_names=tuple(name_of(name) for _, name in units),
        document=factorize((name for name, _ in units), documents)[1],
        weight=np.ones(len(units), dtype=np.int64),
        unit=unit,
        annotator=annotator,
        label=label,
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
