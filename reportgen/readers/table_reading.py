"""How tables are read: one plain value for `init`, `agree`, `of` and `build`, or the readings that remain.

Tables are looked at together: a file may be an annotator's, a question's or a document's.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, takewhile
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import numpy as np

from reportgen.base.errors import BadInput, Problem, did_you_mean
from reportgen.readers.naming import named_by_path
from reportgen.readers.reader import EMPTY_SET, SEPARATOR, ReaderOptions
from reportgen.readers.scales import words_of
from reportgen.readers.string_tables import Strings, StringTable
from reportgen.readers.table_columns import well_known_columns
from reportgen.readers.table_shapes import (
    ANNOTATOR_WORDS,
    GROUP_WORDS,
    INDICATED,
    OF_PERSON,
    UNIT_WORDS,
    Column,
    FrameColumns,
    Shape,
    are_all_known,
    is_question,
    is_somebody,
    label_columns,
    long_shape,
    shapes_of,
    share_labels,
)

if TYPE_CHECKING:
    import pandas as pd

# Columns that no file has: a unit that several columns name, a set of indicators, whose file it is.
COMBINED, INDICATORS, OF_FILE = "{unit}", "{labels}", "{annotator}"
JOIN = " + "
BETWEEN_PARTS = " · "
PAIR = 2
SHARED = 0.5
LAYER = "{layer}"
OF_SHEET = f"[{OF_FILE}]"
EVERY_SHEET = "Excel, all sheets"
OWN_SHEETS = "Excel, a sheet for each annotator"
# So many rows tell what columns are.
ROWS_LOOKED_AT = 20_000


@dataclass(frozen=True)
class TableReading:
    """How tables are read: what their columns are, and what their files are.

    - `shape`: what the columns are.
    - `path`: where annotators, documents or questions stand in the files' paths, empty where they do not.
    - `questions`: the sources of layers, one where there is a single one.
    - `beside`: the columns that are not read.
    """

    shape: Shape
    path: str = ""
    questions: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()

    @property
    def columns(self) -> dict[str, str]:
        """The columns by their roles, as `columns` has them in campaign.toml, without that of labels."""
        shape = self.shape
        named = {"unit": JOIN.join(shape.units), "document": shape.document, "pass": shape.turn}
        if shape.annotator != OF_FILE:
            named["annotator"] = shape.annotator
        return {role: name for role, name in named.items() if name}

    @property
    def in_words(self) -> str:
        """Say in a few words what is what."""
        shape = self.shape
        parts = [f"units in {JOIN.join(shape.units)}"] if shape.units else ["each row a unit"]
        if self.path:
            parts.append(f"files as {self.path}")
        elif shape.annotator:
            parts.append(f"annotators in {shape.annotator}")
        else:
            parts.append(f"an annotator each in {_first(shape.labels)}")
        return ", ".join(parts)


SHOWN = 6


def _first(names: Sequence[str]) -> str:
    """Return the first of some names, with a sign where there are more."""
    return ", ".join([*names[:SHOWN], *(["…"] if len(names) > SHOWN else [])])


def options_of(reading: TableReading) -> ReaderOptions:
    """Return a reading as options say it: what `init` writes, and what reads the same again."""
    shape = reading.shape
    label = (
        {"label": reading.questions[0]} if len(reading.questions) == 1 and LAYER not in reading.path else {}
    )
    is_wide = not shape.is_long and not shape.grid
    return ReaderOptions(
        columns={**reading.columns, **(label if shape.is_long else {})},
        path=reading.path or None,
        headers=shape.headers or None,
        indicators=shape.indicators,
        raters=shape.labels if is_wide else (),
    )


def frame_of(table: StringTable) -> "pd.DataFrame":
    """Return the first rows of a table as a frame of texts, without blanks around them."""
    import pandas as pd

    named = {name: cells for name, cells in zip(table.header, table.columns, strict=True) if name}
    frame = pd.DataFrame(
        {name: pd.Series(cells[:ROWS_LOOKED_AT], dtype="object") for name, cells in named.items()}
    )
    for name in frame.columns:
        frame[name] = frame[name].str.strip()
    return frame


def find_reading(tables: Sequence[StringTable], options: ReaderOptions) -> TableReading | None:
    """Return how tables are to be read, None where their columns do not tell.

    Raises BadInput where several readings remain, with the line and the option that choose each.
    """
    if len(tables) > 1 and options.path is None and (found := _by_files(tables)):
        return found
    frame = _together(tables)
    if len(tables) == 1:
        _refuse_turned(tables[0])
    if len(tables) == 1 and are_all_known(list(frame.columns)):
        return None
    ways = as_named(shapes_of(frame).shapes, options.columns.get("unit"), options.columns.get("label"))
    whole_table = _of_columns(tables[0], "")
    for shape in ways:
        refuse_counts(frame, shape, whole_table)
    if len(ways) > 1:
        raise BadInput([ambiguous(ways, _of_columns(tables[0], "columns"))])
    if not ways and len(tables) == 1 and not options.columns.keys() & {"annotator", "label"}:
        _refuse_questions(tables[0], frame)
    return _reading(frame, ways[0]) if ways else None


def _refuse_questions(table: StringTable, frame: "pd.DataFrame") -> None:
    """Raise BadInput where all columns that could be annotators' are questions of nobody."""
    columns = FrameColumns(frame)
    names = [name for name in label_columns(columns) if well_known_columns([name], "unit") == []]
    if len(names) < PAIR or not all(map(is_question, names)):
        return
    shown = ", ".join(names[:SHOWN])
    message = f"has columns that are called like questions ({shown}), and nothing says whose labels they are."
    listed = ", ".join(f'"{name}"' for name in names)
    remedy = (
        f"If each is an annotator, say annotators = [{listed}] (agree: --annotators {','.join(names)}); else "
        'add a column of annotators, or have a file for each and say path = "{annotator}".'
    )
    raise BadInput([table.problem(table.lines[0], "columns", message, remedy)])


# From what is wrong and how to mend it to a problem that says where.
Place = Callable[[str, str], Problem]


def _refuse_turned(table: StringTable) -> None:
    """Raise BadInput where rows are annotators and columns are units, all of which share their labels."""
    import pandas as pd

    first, *names = table.header
    if len(names) <= PAIR or any(not name or is_somebody(name) for name in names):
        return
    cells = [pd.Series(cells[:ROWS_LOOKED_AT], dtype="object").str.strip() for cells in table.columns]
    who, *units = (Column(name, own) for name, own in zip(table.header, cells, strict=True))
    words = set(words_of(first))
    of_units = words & UNIT_WORDS - {"id", "nr", "no", "num", "number", "key"}
    are_people = bool(words & ANNOTATOR_WORDS and not of_units) or (
        not first and all(OF_PERSON.fullmatch(value) for value in who.counts.index)
    )
    alike = sum(share_labels(units[0], unit) for unit in units[1:])
    if who.is_unique and are_people and alike >= SHARED * (len(units) - 1):
        called = f'"{first}"' if first else "the first column"
        message = f"has, it seems, a row for each annotator, in {called}, and a column for each unit: "
        remedy = "Turn rows into columns, as pandas does with frame.set_index(frame.columns[0]).T."
        raise BadInput([table.problem(table.lines[0], "", f"{message}{_first(names)}.", remedy)])


def refuse_counts(frame: "pd.DataFrame", shape: Shape, place: Place) -> None:
    """Raise BadInput where whole numbers have the same sum in each row: ratings have that by no chance.

    They are how many annotators chose each category, or ranks of things that were compared.
    """
    columns = FrameColumns(frame)
    numbers = [columns[name].numbers for name in shape.labels if not shape.is_long and not shape.grid]
    given = [column for column in numbers if column is not None and len(column) == len(frame)]
    if len(given) < PAIR or len(given) < len(numbers) or len({tuple(column) for column in given}) == 1:
        return
    sums = sum(given[1:], start=given[0])
    if sums.min() < sums.max() or any((column % 1 != 0).any() or (column < 0).any() for column in given):
        return
    if all(column.min() == column.max() for column in given):
        return
    shown = _first(shape.labels)
    message = (
        f"has numbers in {shown} whose sum is {int(sums.iloc[0])} in each row: they are how many annotators "
        "chose each category, or ranks, and not a rating of one annotator in each column."
    )
    names = ", ".join(f'"{name}"' for name in shape.labels)
    remedy = (
        "Give the table in which each annotator's label is still to be seen, a row or a column each. If each "
        f"column is an annotator after all, say annotators = [{names}] (agree: --annotators "
        f"{','.join(shape.labels)})."
    )
    raise BadInput([place(message, remedy)])


def as_named(ways: Sequence[Shape], unit: str | None, label: str | None) -> Sequence[Shape]:
    """Return the readings in which units and labels are those that are named, all where no unit is such."""
    fitting = [
        shape
        for shape in ways
        if unit in (None, JOIN.join(shape.units)) and (label is None or shape.is_long or shape.grid)
    ]
    return fitting or (ways if label is None else [])


def _together(tables: Sequence[StringTable]) -> "pd.DataFrame":
    return _concatenated([frame_of(table) for table in tables])


def _reading(frame: "pd.DataFrame", shape: Shape, path: str = "") -> TableReading:
    used = {*shape.units, *shape.labels, shape.annotator, shape.document, shape.turn}
    beside = tuple(str(name) for name in frame.columns if name not in used and (frame[name] != "").any())
    questions: tuple[str, ...] = ()
    if shape.grid:
        questions = tuple(shape.grid) if not shape.indicators else ()
    elif shape.annotator and not shape.indicators:
        questions = shape.labels
    return TableReading(shape, path, questions, beside)


def _of_columns(table: StringTable, key: str) -> Place:
    return lambda message, remedy: table.problem(table.lines[0], key, message, remedy)


def ambiguous(ways: Sequence[Shape], place: Place) -> Problem:
    """Return the problem of a table that can be read in several ways, and what chooses each."""
    said = [f"({number}) {TableReading(shape).in_words}" for number, shape in enumerate(ways, 1)]
    chosen = [f"({number}) {_choice(shape)}" for number, shape in enumerate(ways, 1)]
    return place(f"can be read in several ways: {'; or '.join(said)}.", f"Say which: {'; '.join(chosen)}.")


def _choice(shape: Shape) -> str:
    """Return the line of campaign.toml that chooses a reading, and the options of `agree`."""
    if shape.annotator is None:
        names = ", ".join(f'"{name}"' for name in shape.labels)
        return f"annotators = [{names}] (agree: --annotators {','.join(shape.labels)})"
    named = {"unit": JOIN.join(shape.units), "annotator": shape.annotator, "label": shape.labels[0]}
    table = ", ".join(f'{role} = "{name}"' for role, name in named.items())
    option = ",".join(f"{role}={name}" for role, name in named.items())
    return f'columns = {{ {table} }} (agree: --columns "{option}")'


# Several files: annotators', questions' or documents'.


def _by_files(tables: Sequence[StringTable]) -> TableReading | None:
    """Return the reading of files that are an annotator's each, None where their columns say who it is."""
    import pandas as pd

    frames = [frame_of(table) for table in tables]
    whole = pd.concat(frames, ignore_index=True).fillna("")
    ways = shapes_of(whole).shapes
    of_files = _parts(tables)
    if not ways:
        # A file for each question has the same rows as others.
        alone = [shapes_of(frame).shapes for frame in frames]
        same = {(shape.units, shape.annotator, shape.labels) for shapes in alone for shape in shapes}
        if len(same) == 1 and all(len(shapes) == 1 and shapes[0].is_long for shapes in alone):
            ways = alone[0]
    if len(ways) == 1 and ways[0].annotator is not None:
        return _of_questions(whole, frames, of_files, ways[0])
    if of_files is None:
        return None
    unit = _shared_unit(frames)
    if unit is None:
        return None
    wide = [shapes_of(frame).shapes for frame in frames]
    by_columns = all(len(shapes) == 1 and not shapes[0].is_long for shapes in wide)
    headers = [name for name in whole.columns if name != unit]
    if by_columns and any(map(is_somebody, headers)) and not any(map(is_question, headers)):
        return None
    pattern, own = of_files
    if people := _own_columns(frames, unit):
        return _reading(whole, Shape((unit,), None, people))
    if not any(map(is_question, headers)) and _may_be_documents(frames, unit):
        message = (
            "is one of files whose columns may be annotators, of a document in each file, or questions, to "
            "an annotator in each file."
        )
        remedy = 'Say which: path = "{document}" or path = "{annotator}".'
        raise BadInput([tables[0].problem(0, "path", message, remedy)])
    return _of_annotators(frames, unit, pattern, own, tables[0])


def _may_be_documents(frames: Sequence["pd.DataFrame"], unit: str) -> bool:
    """Say whether columns may be annotators of another document in each file, whose units are called alike.

    They share their labels then, and agree with each other in a file at least as often as each does with
    itself from file to file: answers to a question would not.
    """
    shared = [str(name) for name in frames[0].columns if all(name in frame for frame in frames)]
    labels = [
        name
        for name in shared
        if name != unit and all(FrameColumns(frame)[name].may_be_label() for frame in frames)
    ]
    values = [set().union(*(frame[name] for frame in frames)) - {""} for name in labels]
    if len(labels) < PAIR or not set.intersection(*values) or len(set().union(*values)) < PAIR:
        return False
    given = [frame.drop_duplicates(unit).set_index(unit)[labels] for frame in frames]
    within = [
        _share_alike(frame[one], frame[other]) for frame in given for one, other in combinations(labels, 2)
    ]
    across = [
        _share_alike(one[name], other.reindex(one.index)[name].fillna(""))
        for one, other in combinations(given, 2)
        for name in labels
    ]
    return sum(across) / len(across) <= sum(within) / len(within)


def _share_alike(one: "pd.Series[str]", other: "pd.Series[str]") -> float:
    """Return the share of units with the same label in both, of those that have one in both."""
    both = (one != "") & (other != "")
    return float((one[both] == other[both]).mean()) if both.any() else 0.0


def _own_columns(frames: Sequence["pd.DataFrame"], unit: str) -> tuple[str, ...]:
    """Return the only column of labels of each file where no other file has it: it is the annotator's.

    Nothing where files share columns of labels, or have several.
    """
    labels = [
        [name for name, column in FrameColumns(frame).all.items() if name != unit and column.may_be_label()]
        for frame in frames
    ]
    own = [names[0] for names in labels if len(names) == 1]
    is_alone = all(sum(name in frame.columns for frame in frames) == 1 for name in own)
    return tuple(own) if is_alone and len(own) == len(frames) else ()


# What differs in the paths of files: a pattern, and for each file its values by "first" and "last" part.
Parts = tuple[str, list[tuple[str, ...]]]


def _parts(tables: Sequence[StringTable]) -> Parts | None:
    """Return what differs in the names of files: the pattern with one or two places, and their values."""
    paths = [PurePosixPath(table.file.name).with_suffix("") for table in tables]
    if any("[" in table.file.name for table in tables):
        paths = [PurePosixPath(table.file.name) for table in tables]
    folders, stems = [path.parent.name for path in paths], [path.name for path in paths]
    if len(set(paths)) < len(paths):
        return None
    if len(set(folders)) == 1:
        before, after = _around(stems)
        return f"{before}{{}}{after}", [
            (stem[len(before) : len(stem) - len(after) or None],) for stem in stems
        ]
    if len(set(stems)) == 1:
        return f"{{}}/{stems[0]}", [(folder,) for folder in folders]
    return "{}/{}", list(zip(folders, stems, strict=True))


def _common_start(texts: Sequence[str]) -> str:
    """Return the letters that all texts begin with."""
    alike = takewhile(lambda signs: len(set(signs)) == 1, zip(*texts, strict=False))
    return "".join(signs[0] for signs in alike)


def _around(stems: Sequence[str]) -> tuple[str, str]:
    """Return what all names begin and end with, up to a sign that separates words."""
    before = _common_start(stems)
    before = before[: max((before.rfind(sign) for sign in "_-. ["), default=-1) + 1]
    rest = [stem[len(before) :] for stem in stems]
    after = _common_start([stem[::-1] for stem in rest])[::-1]
    cuts = [after.find(sign) for sign in "_-. ]" if sign in after]
    return before, after[min(cuts) :] if cuts else ""


def _shared_unit(frames: Sequence["pd.DataFrame"]) -> str | None:
    """Return the column that names each unit once in a file, and the same ones in others."""
    common = [str(name) for name in frames[0].columns if all(name in frame.columns for frame in frames)]
    columns = [FrameColumns(frame) for frame in frames]
    for name in common:
        if not all(own[name].is_unique for own in columns):
            continue
        values = [set(own[name].counts.index) for own in columns]
        shared = [
            any(
                len(mine & theirs) >= SHARED * min(len(mine), len(theirs))
                for theirs in values
                if theirs is not mine
            )
            for mine in values
        ]
        if all(shared):
            return name
    return None


def _of_annotators(
    frames: Sequence["pd.DataFrame"],
    unit: str,
    pattern: str,
    own: Sequence[tuple[str, ...]],
    table: StringTable,
) -> TableReading | None:
    """Return the reading of files that have the labels of one annotator each, of one question or several."""
    import pandas as pd

    if len(own[0]) == 1:
        whole = pd.concat(
            [frame.assign(**{OF_FILE: parts[0]}) for frame, parts in zip(frames, own, strict=True)],
            ignore_index=True,
        ).fillna("")
        shape = _long_of_files(whole, unit)
        return _reading(whole, shape, pattern.format(OF_FILE)) if shape else None
    return _of_two_parts(frames, unit, pattern, own, table)


def _long_of_files(whole: "pd.DataFrame", unit: str, extra: Sequence[str] = ()) -> Shape | None:
    """Return the shape of rows of which each knows the file that it was in."""
    candidate = long_shape(FrameColumns(whole), unit, OF_FILE, extra)
    return candidate.shape if candidate else None


def _of_two_parts(
    frames: Sequence["pd.DataFrame"],
    unit: str,
    pattern: str,
    own: Sequence[tuple[str, ...]],
    table: StringTable,
) -> TableReading | None:
    """Return the reading of files in folders: of questions, of documents, of annotators."""
    import pandas as pd

    units = [set(frame[unit]) for frame in frames]

    def overlap(part: int) -> bool:
        """Return whether files that have a part in common have units in common."""
        pairs = [
            bool(units[one] & units[other])
            for one in range(len(own))
            for other in range(one)
            if own[one][part] == own[other][part]
        ]
        return bool(pairs) and sum(pairs) >= SHARED * len(pairs)

    in_folder, by_name = overlap(0), overlap(1)
    of_documents = [part for part in (0, 1) if all(set(words_of(parts[part])) & GROUP_WORDS for parts in own)]
    annotator: int | None
    if in_folder and by_name and len(of_documents) == 1:
        annotator = 1 - of_documents[0]
        names = ["{document}", OF_FILE] if annotator else [OF_FILE, "{document}"]
    elif in_folder and by_name:
        annotator = _which_annotates(frames, unit, own)
        if annotator is None:
            message = "is one of files in folders whose names may be annotators, questions or documents."
            remedy = (
                'Say which: path = "{layer}/{annotator}" or "{document}/{annotator}", or the other way: '
                'path = "{annotator}/{layer}".'
            )
            raise BadInput([table.problem(0, "path", message, remedy)])
        names = [LAYER, OF_FILE] if annotator else [OF_FILE, LAYER]
    elif in_folder or by_name:
        annotator = 1 if in_folder else 0
        names = ["{document}", OF_FILE] if annotator else [OF_FILE, "{document}"]
    else:
        return None
    other = names[1 - annotator]
    whole = pd.concat(
        [
            frame.assign(**{OF_FILE: parts[annotator], other: parts[1 - annotator]})
            for frame, parts in zip(frames, own, strict=True)
        ],
        ignore_index=True,
    ).fillna("")
    if other == LAYER:
        questions = tuple(dict.fromkeys(parts[1 - annotator] for parts in own))
        first = whole[whole[LAYER] == questions[0]]
        shape = _long_of_files(first.drop(columns=LAYER), unit)
        if shape is None or len(shape.labels) != 1:
            return None
        return replace(
            _reading(whole.drop(columns=LAYER), shape, pattern.format(*names)), questions=questions
        )
    shape = _long_of_files(whole, unit, (other,))
    if shape is None:
        return None
    shape = replace(shape, units=(unit,), document=None)
    return _reading(whole.drop(columns=[other]), shape, pattern.format(*names))


def _which_annotates(
    frames: Sequence["pd.DataFrame"], unit: str, own: Sequence[tuple[str, ...]]
) -> int | None:
    """Return which part of paths is the annotator, None where files do not tell."""
    headers = [frozenset(map(str, frame.columns)) - {unit} for frame in frames]
    labels = [
        frozenset(
            value
            for name in frame.columns
            if name != unit and FrameColumns(frame)[str(name)].may_be_label()
            for value in frame[name]
        )
        for frame in frames
    ]

    def alike(part: int) -> float:
        pairs = [
            (headers[one] == headers[other])
            + len(labels[one] & labels[other]) / max(len(labels[one] | labels[other]), 1)
            for one in range(len(own))
            for other in range(one)
            if own[one][part] == own[other][part]
        ]
        return sum(pairs) / max(len(pairs), 1)

    names = [{parts[0] for parts in own}, {parts[1] for parts in own}]
    asked = [sum(map(is_question, part)) / len(part) for part in names]
    people = [sum(map(is_somebody, part)) / len(part) for part in names]
    # Files of one question are alike: where it is the folder, those in a folder.
    first = alike(0) - alike(1) + asked[0] + people[1] - asked[1] - people[0]
    if abs(first) < 0.1:  # noqa: PLR2004 - hardly a difference
        return None
    return 1 if first > 0 else 0


def _of_questions(
    whole: "pd.DataFrame", frames: Sequence["pd.DataFrame"], of_files: Parts | None, shape: Shape
) -> TableReading:
    """Return the reading of long tables: one table, or a question each where rows come again."""
    pair = [*shape.units, *filter(None, [shape.document, shape.turn]), str(shape.annotator)]
    again = whole[pair].duplicated().mean()
    each = all(not frame[pair].duplicated().any() for frame in frames if set(pair) <= set(frame.columns))
    if of_files and len(of_files[1][0]) == 1 and each and again >= SHARED / 2:
        questions = tuple(parts[0] for parts in of_files[1])
        return replace(_reading(whole, shape, of_files[0].format(LAYER)), questions=questions)
    return _reading(whole, shape)


# Tables as they are read: wide or long, with a column for whatever several columns or the path say.


def shaped(tables: Sequence[StringTable], options: ReaderOptions) -> list[tuple[StringTable, ReaderOptions]]:
    """Return tables with how each is to be read, their columns being what the reading says.

    What the options name is not looked for. Raises BadInput where several readings remain, or a question
    is asked for that there is not.
    """
    if options.path is not None and LAYER in options.path:
        return _of_declared_layer(tables, options)
    reading = _declared(tables, options) or _found(tables, options)
    if reading is None:
        return [(_combined(table, options), options) for table in _with_question(tables, options)]
    kept = _of_layer(tables, reading, options)
    label = _label(tables[0], reading, options)
    return [_shaped(table, reading, options, label) for table in kept]


def _with_question(tables: Sequence[StringTable], options: ReaderOptions) -> Sequence[StringTable]:
    """Return tables that have the question that is asked for, empty where a file lacks it."""
    label = options.columns.get("label")
    having = [label in table.header for table in tables]
    if label is None or options.path is None or not any(having):
        return tables
    whole = FrameColumns(_together(tables))
    unit = options.columns.get("unit")
    named = set(options.columns.values())
    # What differs between files on one unit is another question, whatever it is called.
    kept = [
        name
        for name in whole.all
        if name in named or (unit in whole.all and whole.follows(name, [str(unit)]))
    ]
    return [
        _only(table, kept)
        if has
        else _with(_only(table, kept), label, np.full(len(table.rows), "", dtype=object))
        for table, has in zip(tables, having, strict=True)
    ]


def _of_declared_layer(
    tables: Sequence[StringTable], options: ReaderOptions
) -> list[tuple[StringTable, ReaderOptions]]:
    """Return the tables of a question where the path says which that is, with their only column of labels."""
    path = options.path or ""
    kept = _of_layer(tables, TableReading(Shape(), path), options)
    columns = {role: name for role, name in options.columns.items() if role != "label"}
    if OF_FILE not in path:
        # What files say of questions is used up.
        return shaped(kept, replace(options, columns=columns, path=None))
    names = named_by_path([table.file for table in kept], path)
    frames = [
        frame_of(table).assign(**{OF_FILE: name.annotator}) for table, name in zip(kept, names, strict=True)
    ]
    unit = columns.get("unit") or _shared_unit(frames)
    shape = _long_of_files(_concatenated(frames), unit) if unit else None
    if shape is None or len(shape.labels) != 1:
        message = "has no single column that must be that of labels."
        raise BadInput(
            [kept[0].problem(kept[0].lines[0], "columns.label", message, "Leave one column of labels.")]
        )
    own = replace(options, columns={**columns, "unit": str(unit), "label": shape.labels[0]})
    return [(table, own) for table in kept]


def _concatenated(frames: Sequence["pd.DataFrame"]) -> "pd.DataFrame":
    import pandas as pd

    return pd.concat(frames, ignore_index=True).fillna("")


def _found(tables: Sequence[StringTable], options: ReaderOptions) -> TableReading | None:
    """Return the reading that is found where the options leave it open."""
    is_said = "annotator" in options.columns or options.annotators is not None or options.path is not None
    is_said = is_said or bool(options.raters)
    return None if is_said else find_reading(tables, options)


def _declared(tables: Sequence[StringTable], options: ReaderOptions) -> TableReading | None:
    """Return the reading that keys of campaign.toml declare: of headers with two parts, of indicators."""
    units = tuple(options.columns.get("unit", "").split(JOIN)) if options.columns.get("unit") else ()
    document = options.columns.get("document")
    if options.headers:
        grid = _grid_by_pattern(tables[0], options)
        used = tuple(name for own in grid.values() for name in own.values())
        shape = Shape(
            units, None, used, document, headers=options.headers, grid=grid, indicators=options.indicators
        )
        return TableReading(shape, questions=() if options.indicators else tuple(grid))
    if options.indicators:
        annotator = options.columns.get("annotator") or (OF_FILE if options.path else None)
        shape = Shape(
            units,
            annotator,
            options.indicators,
            document,
            options.columns.get("pass"),
            indicators=options.indicators,
        )
        return TableReading(shape, options.path or "")
    return None


def _grid_by_pattern(table: StringTable, options: ReaderOptions) -> dict[str, dict[str, str]]:
    """Return the column of each question and annotator, by a pattern of headers; raise BadInput for none."""
    import re

    parts = re.split(r"\{(layer|annotator)\}", options.headers or "")
    written = "".join(f"(?P<{part}>.+)" if index % 2 else re.escape(part) for index, part in enumerate(parts))
    grid: dict[str, dict[str, str]] = {}
    besides = set(options.columns.values())
    for name in table.named:
        if name not in besides and (match := re.fullmatch(written, name)):
            found = match.groupdict()
            grid.setdefault(found.get("layer", ""), {})[found.get("annotator", name)] = name
    grid = {question: own for question, own in grid.items() if len(own) >= PAIR}
    if not grid:
        message = f'no two columns are called as headers = "{options.headers}" says.'
        raise BadInput(
            [
                table.problem(
                    table.lines[0], "headers", message, 'Write for example headers = "{layer}_{annotator}".'
                )
            ]
        )
    return grid


def _label(table: StringTable, reading: TableReading, options: ReaderOptions) -> str | None:
    """Return the question that is asked for, or the only one; raise BadInput where there are several."""
    asked = options.columns.get("label")
    if LAYER in reading.path or reading.shape.indicators:
        return reading.shape.labels[0]
    if asked is not None and (not reading.shape.grid or asked in reading.shape.grid):
        return asked
    questions = reading.questions
    if asked is not None:
        raise BadInput(
            [
                table.problem(
                    table.lines[0],
                    "columns.label",
                    f'there is no question "{asked}".',
                    did_you_mean(asked, questions),
                )
            ]
        )
    if len(questions) > 1:
        raise BadInput([several(questions, _of_columns(table, "columns.label"))])
    return questions[0] if questions else None


def several(questions: Sequence[str], place: Place) -> Problem:
    """Return the problem of a table with several questions of which none is chosen."""
    shown = ", ".join([*questions[:SHOWN], *(["…"] if len(questions) > SHOWN else [])])
    message = f"has several questions, each of which is a layer: {shown}."
    remedy = (
        f'Choose one: columns = {{ label = "{questions[0]}" }} (agree: --columns "label={questions[0]}", of: '
        f'label="{questions[0]}"), or declare [[layers]] with source = "{questions[0]}" and so on, as '
        "`reportgen init` does."
    )
    return place(message, remedy)


def _of_layer(
    tables: Sequence[StringTable], reading: TableReading, options: ReaderOptions
) -> Sequence[StringTable]:
    """Return the tables of the question that is asked for, where files are of a question each."""
    if LAYER not in reading.path:
        return tables
    named = named_by_path([table.file for table in tables], reading.path)
    asked = options.columns.get("label")
    questions = list(dict.fromkeys(names.layer for names in named))
    if asked is None and len(questions) > 1:
        raise BadInput([several(questions, _of_columns(tables[0], "columns.label"))])
    kept = [table for table, names in zip(tables, named, strict=True) if asked in (None, names.layer)]
    if not kept:
        message = f'there is no question "{asked}".'
        raise BadInput([tables[0].problem(0, "columns.label", message, did_you_mean(str(asked), questions))])
    return kept


def _shaped(
    table: StringTable, reading: TableReading, options: ReaderOptions, label: str | None
) -> tuple[StringTable, ReaderOptions]:
    """Return a table as a reading has it, and the options that say so."""
    shape = reading.shape
    if OF_SHEET in reading.path:
        table = replace(table, written=table.written.replace(EVERY_SHEET, OWN_SHEETS))
    columns = {**reading.columns, **{role: name for role, name in options.columns.items() if role != "label"}}
    path = reading.path or options.path
    if shape.indicators and not shape.grid:
        table = _with(table, INDICATORS, _sets(table, {name: name for name in shape.indicators}))
        label, options = INDICATORS, replace(options, set_separator=options.set_separator or SEPARATOR)
    if shape.is_long:
        # A file may lack a question.
        if label is not None and label not in table.header:
            table = _with(table, label, np.full(len(table.rows), "", dtype=object))
        columns |= {"label": label} if label is not None else {}
        new = replace(options, columns=columns, path=path)
        return _combined(table, new), new
    if shape.grid:
        table, raters = _of_grid(table, shape, label, columns)
        if shape.indicators:
            options = replace(options, set_separator=options.set_separator or SEPARATOR)
    else:
        raters = shape.labels
        table = _only(table, [*shape.units, *columns.values(), *raters])
    columns.pop("label", None)
    new = replace(options, columns=columns, path=path, raters=raters)
    return _combined(table, new), new


def _of_grid(
    table: StringTable, shape: Shape, label: str | None, columns: Mapping[str, str]
) -> tuple[StringTable, tuple[str, ...]]:
    """Return a wide table of one question, or of the sets that all questions make up, and its annotators."""
    grid = shape.grid or {}
    besides = [name for name in (*shape.units, *columns.values()) if name in table.header]
    only = _only(table, besides)
    if shape.indicators:
        people = list(dict.fromkeys(person for own in grid.values() for person in own))
        for person in people:
            own = {
                question: columns_of[person] for question, columns_of in grid.items() if person in columns_of
            }
            only = _with(only, person, _sets(table, own))
        return only, tuple(people)
    of_question = grid[label or next(iter(grid))]
    for person, name in of_question.items():
        only = _with(only, person, table.columns[table.header.index(name)])
    return only, tuple(of_question)


def _sets(table: StringTable, columns: Mapping[str, str]) -> Strings:
    """Return for each row the labels whose column says yes, as one set."""
    cells = {label: table.columns[table.header.index(name)] for label, name in columns.items()}
    rows = [
        [label for label, value in zip(cells, row, strict=True) if says_yes(value)]
        if any(value.strip() for value in row)
        else None
        for row in zip(*cells.values(), strict=True)
    ]
    marks_only = all(value.strip().casefold() in {"", "x"} for column in cells.values() for value in column)
    return np.array(
        ["" if row is None and not marks_only else SEPARATOR.join(row or ()) or EMPTY_SET for row in rows],
        dtype=object,
    )


def says_yes(value: str) -> bool:
    """Say whether a cell says that a label was given."""
    return value.strip().casefold() in YES


YES = {value.casefold() for value in INDICATED} - {"0", "0.0", "false"}


def _with(table: StringTable, name: str, cells: Strings) -> StringTable:
    return replace(table, header=(*table.header, name), columns=(*table.columns, cells))


def _only(table: StringTable, names: Sequence[str]) -> StringTable:
    """Return a table with nothing but some of its columns, in its order."""
    kept = [column for column, name in enumerate(table.header) if name in names]
    return replace(
        table,
        header=tuple(table.header[column] for column in kept),
        columns=tuple(table.columns[column] for column in kept),
        unique=None,
    )


def _combined(table: StringTable, options: ReaderOptions) -> StringTable:
    """Return a table with a column for a unit that several columns name together."""
    unit = options.columns.get("unit", "")
    parts = unit.split(JOIN)
    if unit in table.header or len(parts) < PAIR or not set(parts) <= set(table.header):
        return table
    cells = [table.columns[table.header.index(part)] for part in parts]
    joined = [BETWEEN_PARTS.join(row) if any(row) else "" for row in zip(*cells, strict=True)]
    return _with(table, unit, np.array(joined, dtype=object))
