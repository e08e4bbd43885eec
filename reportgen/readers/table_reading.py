"""How tables are read: one plain value for `init`, `agree`, `of` and `build`, or the readings that remain.

Tables are looked at together: a file may be an annotator's, a question's or a document's.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from itertools import combinations, takewhile
from pathlib import PurePosixPath
from typing import Any
from zlib import crc32

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, did_you_mean
from reportgen.readers.annotations import Chosen, Texts
from reportgen.readers.naming import named_by_path
from reportgen.readers.reader import EMPTY_SET, SEPARATOR, ReaderOptions
from reportgen.readers.recipe import EMPTY, LEFT_OUT, UNEXPLAINED, USED, ColumnRole, column_roles
from reportgen.readers.scales import words_of
from reportgen.readers.string_tables import StringTable
from reportgen.readers.table_columns import find_layout, first_row_of_data, well_known_columns
from reportgen.readers.table_refusals import (
    JOIN,
    Place,
    SeveralReadings,
    ambiguous,
    first_of,
    in_words,
    people_in_rows,
    refuse_headers,
    refuse_impossible,
    refuse_questions,
)
from reportgen.readers.table_shapes import (
    CLEAR,
    GROUP_WORDS,
    INDICATED,
    Shape,
    TableColumns,
    are_all_known,
    is_question,
    is_somebody,
    joined,
    long_shape,
    shapes_of,
    with_values,
)
from reportgen.readers.turned_tables import UNIT, upright

# Columns that no file has: a set of indicators, whose file it is.
INDICATORS, OF_FILE = "{labels}", "{annotator}"
BETWEEN_PARTS = " · "
SHARED = 0.5
LAYER, DOCUMENT = "{layer}", "{document}"
OF_SHEET = f"[{OF_FILE}]"
EVERY_SHEET = "Excel, all sheets"
OWN_SHEETS = "Excel, a sheet for each annotator"
# So many rows tell what columns are. Of a longer table all rows of some units are looked at: the first rows
# may all be one annotator's. What has so many values that recur so often is units, or near them.
ROWS_LOOKED_AT = 20_000
LEAST_UNITS = 1_000
LEAST_OFTEN = 1.5


@dataclass(frozen=True)
class TableReading:
    """How tables are read: what their columns are, and what their files are.

    - `shape`: what the columns are.
    - `path`: where annotators, documents or questions stand in the files' paths, empty where they do not.
    - `questions`: the sources of layers, one where there is a single one.
    - `roles`: what each column is, and why, also where it is not read.
    - `text`: the column of the units' texts, where somebody said which it is.
    """

    shape: Shape
    path: str = ""
    questions: tuple[str, ...] = ()
    roles: Mapping[str, ColumnRole] = field(default_factory=dict)
    text: str = ""

    @property
    def beside(self) -> tuple[str, ...]:
        """The columns that are not read, and have anything."""
        return tuple(name for name, own in self.roles.items() if own.role not in (*USED, EMPTY))

    @property
    def columns(self) -> dict[str, str]:
        """The columns by their roles, as `columns` has them in campaign.toml, without that of labels."""
        shape = self.shape
        if shape.is_turned:
            return {}
        named = {"unit": JOIN.join(shape.units), "document": shape.document, "pass": shape.turn}
        named["text"] = self.text
        if shape.annotator != OF_FILE:
            named["annotator"] = shape.annotator
        if shape.question and shape.labels:
            named |= {"question": shape.question, "answer": shape.labels[0]}
        return {role: name for role, name in named.items() if name}

    @property
    def named(self) -> dict[str, str]:
        """The columns by their roles, with that of labels where there is a single one."""
        is_one = len(self.questions) == 1 and LAYER not in self.path and self.shape.is_long
        return self.columns | ({"label": self.questions[0]} if is_one else {})

    @property
    def is_whole(self) -> bool:
        """Say whether it has labels: a column of them, or those of two annotators at least."""
        shape = self.shape
        return bool(shape.grid) or len(shape.labels) >= (1 if shape.is_long else 2)

    @property
    def in_words(self) -> str:
        """Say in a few words what is what."""
        return in_words(self.shape, self.path)


def options_of(reading: TableReading) -> ReaderOptions:
    """Return a reading as options say it: what `init` writes, and what reads the same again."""
    shape = reading.shape
    is_wide = not shape.is_long and not shape.grid
    return ReaderOptions(
        columns=reading.named,
        path=reading.path or None,
        headers=shape.headers or None,
        indicators=shape.indicators,
        raters=shape.labels if is_wide and not shape.is_turned else (),
        turned=shape.is_turned,
    )


def readings_of(tables: Sequence[StringTable], ways: Sequence[Shape]) -> tuple[TableReading, ...]:
    """Return the readings of tables in which their columns are one of several things."""
    columns = _together(tables)
    return tuple(_reading(columns, shape) for shape in ways)


def reading_by_roles(tables: Sequence[StringTable], roles: Mapping[str, str], path: str = "") -> TableReading:
    """Return the reading in which each column has the role that somebody said.

    `roles` are "unit", "document", "annotator", "label", "question", "pass", and "person" of a column that
    has one annotator's labels; the last two are told apart by whether a column says who labelled. Columns
    without a role are not read. `path` says what names of files are.
    """
    by_role = {role: tuple(name for name, own in roles.items() if own == role) for role in roles.values()}
    first = {role: names[0] for role, names in by_role.items()}
    annotator = first.get("annotator") or (OF_FILE if OF_FILE in path else None)
    labels = tuple(name for name, role in roles.items() if role in ("label", "person"))
    single = first.get("document"), first.get("pass")
    shape = Shape(by_role.get("unit", ()), annotator, labels, *single, question=first.get("question"))
    read = _reading(_together(tables), shape, path)
    said = {
        name: LEFT_OUT if own.role == UNEXPLAINED and name not in roles else own
        for name, own in read.roles.items()
    }
    return replace(read, text=first.get("text", ""), roles=said)


def as_before(
    found: TableReading | None, before: TableReading, tables: Sequence[StringTable]
) -> TableReading | None:
    """Return the reading of tables as one that was said of others: what was corrected stays.

    It is the same where the tables have the same columns. Where they have others, what was `found` has the
    document and the pass that were said, if it has none.
    """
    columns = _together(tables)
    filled = {name for name, column in columns.all.items() if column.filled}
    used = {name for name in _used(before.shape) if not name.startswith("{")}
    if used <= columns.all.keys() and filled <= {*used, *before.beside} and _fits(before.path, tables):
        same = _reading(columns, before.shape, before.path)
        left_out = {name: own for name, own in before.roles.items() if own == LEFT_OUT and name in same.roles}
        return replace(same, questions=before.questions, text=before.text, roles={**same.roles, **left_out})
    if found is None:
        return None
    free = columns.all.keys() - _used(found.shape)
    roles = {name: getattr(before.shape, name) for name in ("document", "turn")}
    more = {
        name: column for name, column in roles.items() if column in free and not getattr(found.shape, name)
    }
    return replace(_reading(columns, replace(found.shape, **more), found.path), questions=found.questions)


def _fits(path: str, tables: Sequence[StringTable]) -> bool:
    """Say whether all files are called as a path says, where it says anything."""
    with suppress(BadInput):
        return not path or bool(named_by_path([table.file for table in tables], path))
    return False


def rows_looked_at(table: StringTable) -> TableColumns:
    """Return the columns of the rows of a table that tell what these are."""
    return TableColumns(dict(zip(table.header, _cells(table), strict=True)))


def _cells(table: StringTable) -> list[Texts]:
    """Return the cells of each column that are looked at, without blanks around them."""
    rows = looked_at(table.columns)
    return [cells.taken(rows).mapped(str.strip) for cells in table.columns]


def looked_at(columns: Sequence[Texts]) -> Chosen | slice:
    """Return which rows of all columns tell what these are."""
    rows = len(columns[0]) if columns else 0
    units, one_in = which_rows(rows, [len(cells.levels) for cells in columns])
    if units is None:
        return slice(ROWS_LOOKED_AT)
    return columns[units].where(lambda value: crc32(value.strip().encode()) % one_in == 0)


def which_rows(rows: int, distinct: Sequence[int]) -> tuple[int | None, int]:
    """Return the column of which one value in so many is looked at, with all its rows; None: the first rows.

    `distinct` (columns,) is how many values each has.
    """
    recurring = [(-values, place) for place, values in enumerate(distinct) if values * LEAST_OFTEN <= rows]
    values, units = min(recurring, default=(0, 0))
    if rows <= ROWS_LOOKED_AT or -values < LEAST_UNITS:
        return None, 1
    return units, 1 << (rows // ROWS_LOOKED_AT).bit_length()


def find_reading(tables: Sequence[StringTable], options: ReaderOptions) -> TableReading | None:
    """Return how tables are to be read, None where their columns do not tell.

    Raises BadInput where several readings remain, with the line and the option that choose each.
    """
    by_files = len(tables) > 1 and options.path is None
    if by_files and (found := _by_files(tables) or _by_files_and_documents(tables)):
        refuse_data_as_header(tables, found.shape)
        return found
    columns = _together(tables)
    place = of_columns(tables[0], "columns")
    if len(tables) == 1:
        refuse_headers(tables[0].header, place)
        if people := people_in_rows(tables[0].header, _cells(tables[0])):
            return _reading(columns, people.shape)
    shape = find_shape(columns, options.columns, place, others=options.others, alone=len(tables) == 1)
    if shape is None:
        return None
    refuse_data_as_header(tables, shape)
    return _reading(columns, shape)


def refuse_data_as_header(tables: Sequence[StringTable], shape: Shape) -> None:
    """Raise BadInput where the first row of a table, which should name its columns, is one of data."""
    if shape.grid:
        return
    problems: list[Problem] = []
    for table in tables:
        place = {name: column for column, name in enumerate(table.header)}
        unit = place.get(shape.units[0]) if len(shape.units) == 1 else None
        filled = [place[name] for name in (shape.annotator, *shape.labels) if name in place]
        # In a long table each column has a kind of value of its own.
        together = [[column] for column in filled] or [[]] if shape.is_long else [filled]
        found = (problem for columns in together for problem in first_row_of_data(table, unit, columns))
        problems += [*found][:1]
    if problems:
        raise BadInput(problems)


def find_shape(  # noqa: PLR0913 - a table, what is named, and who is known
    columns: TableColumns,
    named: Mapping[str, str],
    place: Place,
    *,
    people: Collection[str] = (),
    others: Collection[str] = (),
    alone: bool = True,
) -> Shape | None:
    """Return what the columns of a table are, where `named` leaves it open; None where they do not tell.

    Raises BadInput where several readings remain, or none makes sense; `alone`: of a single file. Where a
    column is one of `people`, columns are taken for annotators whatever is in them; `others` are known to be
    references, systems or models.
    """
    if alone and are_all_known(list(columns.all)):
        return None
    ways = as_named(shapes_of(columns), named.get("unit"), named.get("label"))
    if not {*people} & columns.all.keys():
        refuse_impossible(columns, ways, place, others)
    if len(ways) > 1:
        raise SeveralReadings(ambiguous(ways, place), ways)
    if not ways and alone and not named.keys() & {"annotator", "label"}:
        refuse_questions(columns, place)
    return ways[0] if ways else None


def as_named(ways: Sequence[Shape], unit: str | None, label: str | None) -> Sequence[Shape]:
    """Return the readings in which units and labels are those that are named, all where no unit is such."""
    fitting = [
        shape
        for shape in ways
        if unit in (None, JOIN.join(shape.units)) and (label is None or shape.is_long or shape.grid)
    ]
    return fitting or (ways if label is None else [])


def _together(tables: Sequence[StringTable]) -> TableColumns:
    """Return the columns of all tables, of the rows that are looked at."""
    return joined([rows_looked_at(table) for table in tables])


def _used(shape: Shape) -> set[str]:
    """Return the columns that are anything."""
    single = (shape.annotator, shape.document, shape.turn, shape.question)
    return {*shape.units, *shape.labels, *filter(None, single)}


def _reading(columns: TableColumns, shape: Shape, path: str = "") -> TableReading:
    questions: tuple[str, ...] = ()
    if shape.question:
        questions = tuple(columns[shape.question].said)
    elif shape.grid:
        questions = tuple(shape.grid) if not shape.indicators else ()
    elif shape.annotator and not shape.indicators:
        questions = shape.labels
    return TableReading(shape, path, questions, column_roles(columns, shape))


def of_columns(table: StringTable, key: str) -> Place:
    """Return what makes problems of a table's header, which a key of campaign.toml mends."""
    return lambda message, remedy: table.problem(table.lines[0], key, message, remedy)


# Several files: annotators', questions' or documents'.

# What differs in the paths of files: a pattern, and for each file its values by "first" and "last" part.
Parts = tuple[str, list[tuple[str, ...]]]


def _by_files(tables: Sequence[StringTable]) -> TableReading | None:
    """Return the reading of files that are an annotator's each, None where their columns say who it is."""
    whole = _together(tables)
    of_files = _parts(tables)
    ways = shapes_of(whole) or _shape_of_each(tables)
    if len(ways) == 1 and ways[0].annotator is not None:
        return _of_questions(whole, tables, of_files, ways[0])
    files = [rows_looked_at(table) for table in tables]
    unit = _shared_unit(files)
    if of_files is None or unit is None:
        return None
    headers = [name for name in whole.all if name != unit]
    asked = any(map(is_question, headers))
    if not asked and any(map(is_somebody, headers)) and _are_wide(files):
        return None
    if people := _own_columns(files, unit):
        return _reading(whole, Shape((unit,), None, people))
    if not asked and _may_be_documents(files, unit):
        return _of_documents_or_questions(whole, files, unit, of_files, tables[0])
    return _of_annotators(files, unit, *of_files, tables[0])


def _of_documents_or_questions(
    whole: TableColumns, files: Sequence[TableColumns], unit: str, of_files: Parts, table: StringTable
) -> TableReading:
    """Return the reading of files whose columns are annotators, and which are a question or a document each.

    Questions share no label, and documents are called so; raises BadInput where neither says which.
    """
    pattern, own = of_files
    shape = Shape((unit,), None, tuple(_shared_labels(files, unit)))
    given = [{value for name in shape.labels for value in each[name].said} for each in files]
    if len(own[0]) == 1 and all(map(set.isdisjoint, *zip(*combinations(given, 2), strict=True))):
        questions = tuple(parts[0] for parts in own)
        return replace(_reading(whole, shape, pattern.format(LAYER)), questions=questions)
    if len(own[0]) == 1 and _are_documents([pattern.format(*parts) for parts in own]):
        return _reading(joined(files), shape, pattern.format(DOCUMENT))
    message = (
        "is one of several files with the same columns: either these are annotators and each file is a "
        "document or a question, or they are questions and each file is an annotator."
    )
    remedy = 'Say which: path = "{document}", "{layer}" or "{annotator}".'
    raise BadInput([table.problem(0, "path", message, remedy)])


def _by_files_and_documents(tables: Sequence[StringTable]) -> TableReading | None:
    """Return the reading of files of an annotator each, whose units are numbered from 1 in each document."""
    of_files, files = _parts(tables), [rows_looked_at(table) for table in tables]
    names = [name for name in files[0].all if all(name in own.all for own in files)]
    if of_files is None or len(of_files[1][0]) > 1 or _are_wide(files):
        return None
    pattern, own = of_files
    for document in (names[place] for place in well_known_columns(names, "document")):
        for unit in names:
            values = [
                {*zip(*(each[name].cells.tolist() for name in (document, unit)), strict=True)}
                for each in files
            ]
            is_key = all(len(mine) == each.rows for mine, each in zip(values, files, strict=True))
            if unit == document or not is_key or not _are_shared(values):
                continue
            whole = _of_parts(files, own, [OF_FILE])
            if shape := _long_of_files(whole, unit, [document]):
                return _reading(whole, shape, pattern.format(OF_FILE))
    return None


def _shape_of_each(tables: Sequence[StringTable]) -> Sequence[Shape]:
    """Return the shape that each of several long tables has by itself, as files of a question each have."""
    alone = [shapes_of(rows_looked_at(table)) for table in tables]
    same = {(shape.units, shape.annotator, shape.labels) for shapes in alone for shape in shapes}
    is_one = len(same) == 1 and all(len(shapes) == 1 and shapes[0].is_long for shapes in alone)
    return alone[0] if is_one else ()


def _are_wide(files: Sequence[TableColumns]) -> bool:
    """Say whether each of several tables is wide by itself."""
    alone = [shapes_of(columns) for columns in files]
    return all(len(shapes) == 1 and not shapes[0].is_long for shapes in alone)


def _shared_labels(files: Sequence[TableColumns], unit: str) -> list[str]:
    """Return the columns that may hold labels in each of several tables."""
    shared = [name for name in files[0].all if all(name in own.all for own in files)]
    return [name for name in shared if name != unit and all(own[name].may_be_label() for own in files)]


def _may_be_documents(files: Sequence[TableColumns], unit: str) -> bool:
    """Say whether columns may be annotators of another document in each file, whose units are called alike.

    They share their labels then, and agree with each other in a file at least as often as each does with
    itself from file to file: answers to a question would not.
    """
    labels = _shared_labels(files, unit)
    values = [set().union(*(own[name].counts for own in files)) for name in labels]
    if len(labels) < 2 or not set.intersection(*values) or len(set().union(*values)) < 2:
        return False
    # Each unit is in a file once.
    given = [
        {name: dict(zip(own[unit].cells, own[name].cells, strict=True)) for name in labels} for own in files
    ]
    within = [_share_alike(own[one], own[other]) for own in given for one, other in combinations(labels, 2)]
    across = [
        _share_alike(one[name], other[name]) for one, other in combinations(given, 2) for name in labels
    ]
    return sum(across) / len(across) <= sum(within) / len(within)


def _share_alike(one: Mapping[str, str], other: Mapping[str, str]) -> float:
    """Return the share of units with the same label in both, of those that have one in both."""
    both = [unit for unit, label in one.items() if label and other.get(unit)]
    return sum(one[unit] == other[unit] for unit in both) / max(len(both), 1)


def _own_columns(files: Sequence[TableColumns], unit: str) -> tuple[str, ...]:
    """Return the only column of labels of each file where no other file has it: it is the annotator's.

    Nothing where files share columns of labels, or have several.
    """
    labels = [
        [name for name, column in own.all.items() if name != unit and column.may_be_label()] for own in files
    ]
    own = [names[0] for names in labels if len(names) == 1]
    is_alone = all(sum(name in columns.all for columns in files) == 1 for name in own)
    return tuple(own) if is_alone and len(own) == len(files) else ()


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
    cuts = [after.find(sign) for sign in "_- ]" if sign in after]
    return before, after[min(cuts) :] if cuts else ""


def _shared_unit(files: Sequence[TableColumns]) -> str | None:
    """Return the column that names each unit once in a file, and the same ones in others."""
    for name in files[0].all:
        if not all(name in own.all and own[name].is_unique for own in files):
            continue
        if _are_shared([{*own[name].counts} for own in files]):
            return name
    return None


def _are_shared(values: Sequence[set[Any]]) -> bool:
    """Tell whether each file has most of the values of another, or the other way round."""
    return all(
        any(
            len(mine & theirs) >= SHARED * min(len(mine), len(theirs))
            for theirs in values
            if theirs is not mine
        )
        for mine in values
    )


def _of_annotators(
    files: Sequence[TableColumns],
    unit: str,
    pattern: str,
    own: Sequence[tuple[str, ...]],
    table: StringTable,
) -> TableReading | None:
    """Return the reading of files that have the labels of one annotator each, of one question or several."""
    if len(own[0]) == 1:
        whole = _of_parts(files, own, [OF_FILE])
        shape = _long_of_files(whole, unit)
        return _reading(whole, shape, pattern.format(OF_FILE)) if shape else None
    names = _what_parts_are(files, unit, own, table)
    if names is None:
        return None
    whole = _of_parts(files, own, names)
    if LAYER in names:
        return _of_layers(whole, unit, pattern.format(*names))
    shape = _long_of_files(whole, unit, [DOCUMENT])
    if shape is None:
        return None
    shape = replace(shape, units=(unit,), document=None)
    return _reading(_without(whole, DOCUMENT), shape, pattern.format(*names))


def _without(columns: TableColumns, name: str) -> TableColumns:
    return TableColumns({other: column.cells for other, column in columns.all.items() if other != name})


def _of_parts(
    files: Sequence[TableColumns], own: Sequence[tuple[str, ...]], names: Sequence[str]
) -> TableColumns:
    """Return the rows of all files, with a column for each part of their paths."""
    values = [dict(zip(names, parts, strict=True)) for parts in own]
    return joined([with_values(columns, each) for columns, each in zip(files, values, strict=True)])


def _long_of_files(whole: TableColumns, unit: str, extra: Sequence[str] = ()) -> Shape | None:
    """Return the shape of rows of which each knows the file that it was in."""
    candidate = long_shape(whole, unit, OF_FILE, extra)
    return candidate.shape if candidate else None


def _of_layers(whole: TableColumns, unit: str, path: str) -> TableReading | None:
    """Return the reading of files that have the labels of one annotator and one question each."""
    layers, rest = whole[LAYER].cells, _without(whole, LAYER)
    first = {name: column.cells.taken(layers.codes == 0) for name, column in rest.all.items()}
    shape = _long_of_files(TableColumns(first), unit)
    if shape is None or len(shape.labels) != 1:
        return None
    return replace(_reading(rest, shape, path), questions=layers.levels)


def _what_parts_are(
    files: Sequence[TableColumns], unit: str, own: Sequence[tuple[str, ...]], table: StringTable
) -> list[str] | None:
    """Return what folders and names of files are: questions, documents, annotators; None for neither.

    Raises BadInput where files do not tell.
    """
    units = [{*columns[unit].cells.levels} for columns in files]

    def overlap(part: int) -> bool:
        """Return whether files that have a part in common have units in common."""
        pairs = [bool(units[one] & units[other]) for one, other in _sharing(own, part)]
        return bool(pairs) and sum(pairs) >= SHARED * len(pairs)

    in_folder, by_name = overlap(0), overlap(1)
    of_documents = [part for part in (0, 1) if _are_documents([parts[part] for parts in own])]
    if not in_folder and not by_name:
        return None
    other = DOCUMENT
    annotator: int | None = int(in_folder)
    if in_folder and by_name:
        is_document = len(of_documents) == 1
        annotator = 1 - of_documents[0] if is_document else _which_annotates(files, unit, own)
        other = DOCUMENT if is_document else LAYER
    if annotator is None:
        message = "is one of files in folders whose names may be annotators, questions or documents."
        remedy = (
            'Say which: path = "{layer}/{annotator}" or "{document}/{annotator}", or the other way: '
            'path = "{annotator}/{layer}".'
        )
        raise BadInput([table.problem(0, "path", message, remedy)])
    return [other, OF_FILE] if annotator else [OF_FILE, other]


def _are_documents(names: Sequence[str]) -> bool:
    """Say whether all parts of paths are called like documents: "chapter1"."""
    return all(set(words_of(name)) & GROUP_WORDS for name in names)


def _sharing(own: Sequence[tuple[str, ...]], part: int) -> list[tuple[int, int]]:
    """Return the pairs of files that have a part of their paths in common."""
    return [
        (one, other) for other, one in combinations(range(len(own)), 2) if own[one][part] == own[other][part]
    ]


def _which_annotates(files: Sequence[TableColumns], unit: str, own: Sequence[tuple[str, ...]]) -> int | None:
    """Return which part of paths is the annotator, None where files do not tell."""
    headers = [columns.all.keys() - {unit} for columns in files]
    labels = [
        frozenset(
            value
            for name, column in columns.all.items()
            if name != unit and column.may_be_label()
            for value in column.cells.levels
        )
        for columns in files
    ]

    def alike(part: int) -> float:
        pairs = [
            (headers[one] == headers[other])
            + len(labels[one] & labels[other]) / max(len(labels[one] | labels[other]), 1)
            for one, other in _sharing(own, part)
        ]
        return sum(pairs) / max(len(pairs), 1)

    names = [{parts[0] for parts in own}, {parts[1] for parts in own}]
    asked = [sum(map(is_question, part)) / len(part) for part in names]
    people = [sum(map(is_somebody, part)) / len(part) for part in names]
    # Files of one question are alike: where it is the folder, those in a folder.
    first = alike(0) - alike(1) + asked[0] + people[1] - asked[1] - people[0]
    if abs(first) < CLEAR:
        return None
    return 1 if first > 0 else 0


def _of_questions(
    whole: TableColumns, tables: Sequence[StringTable], of_files: Parts | None, shape: Shape
) -> TableReading:
    """Return the reading of long tables: one table, or a question or document each where rows come again.

    Raises BadInput where nothing says whether it is a question or a document.
    """
    pair = [*shape.units, *filter(None, [shape.document, shape.turn]), str(shape.annotator)]
    if not (of_files and len(of_files[1][0]) == 1 and whole.is_repeated(pair) >= SHARED / 2):
        return _reading(whole, shape)
    files = [rows_looked_at(table) for table in tables]
    if any(columns.is_repeated(pair) for columns in files if {*pair} <= columns.all.keys()):
        return _reading(whole, shape)
    pattern, names = of_files[0], tuple(parts[0] for parts in of_files[1])
    if _are_documents([pattern.format(name) for name in names]):
        return _reading(whole, shape, pattern.format(DOCUMENT))
    if not any(map(is_question, names)) and _share_answers(files, shape):
        message = "is one of several files with the same units: each file may be a question or a document."
        remedy = f'Say which: path = "{pattern.format(LAYER)}" or path = "{pattern.format(DOCUMENT)}".'
        raise BadInput([tables[0].problem(0, "path", message, remedy)])
    return replace(_reading(whole, shape, pattern.format(LAYER)), questions=names)


def _share_answers(files: Sequence[TableColumns], shape: Shape) -> bool:
    """Say whether all files have labels in common, as documents have and most questions have not."""
    labels = [
        {value for name in shape.labels if name in columns.all for value in columns[name].counts}
        for columns in files
    ]
    return bool(set.intersection(*labels))


# Tables as they are read: wide or long, with a column for whatever several columns or the path say.


def normalise_tables(
    tables: Sequence[StringTable], options: ReaderOptions
) -> list[tuple[StringTable, ReaderOptions]]:
    """Return tables with how each is to be read, their columns being what the reading says.

    What the options name is not looked for. Raises BadInput where several readings remain, or a question
    is asked for that there is not.
    """
    if options.path is not None and LAYER in options.path:
        return _of_declared_layer(tables, options)
    if options.turned:
        people = options.raters or options.annotators or ()
        named = {"unit": UNIT} if "label" not in options.columns else {}
        tables, options = [*map(upright, tables)], replace(options, turned=False, columns=named)
        options = replace(options, raters=people or tuple(tables[0].header[1:]))
    if options.columns.keys() & ANSWERED:
        return _of_answers(tables, options)
    tables = [_of_sheet(table, options.path or "") for table in tables]
    reading = _declared(tables, options) or (None if is_said(options) else find_reading(tables, options))
    if reading and reading.shape.is_turned:
        return normalise_tables(tables, replace(options, turned=True))
    if reading and reading.shape.question:
        asked = {role: name for role, name in options.columns.items() if role == "label"}
        return _of_answers(tables, replace(options, columns={**reading.columns, **asked}))
    if reading is None:
        by_name = [(_combined(table, options), options) for table in _with_question(tables, options)]
        if not is_said(options):
            for table, own in by_name:
                place, shape = of_columns(table, "columns"), _by_names(table, own)
                refuse_impossible(rows_looked_at(table), [shape], place, options.others)
        return by_name
    kept = _of_layer(tables, reading, options)
    label = _label(tables[0], reading, options)
    return [_shaped(table, reading, options, label) for table in kept]


# Of a table with a row for each answer, the column that says what was asked, and that of the answers.
ANSWERED = ("question", "answer")


def _of_answers(
    tables: Sequence[StringTable], options: ReaderOptions
) -> list[tuple[StringTable, ReaderOptions]]:
    """Return tables with a row for each answer as tables that have a column for each question."""
    roles = {role: name for role, name in options.columns.items() if role not in ANSWERED}
    absent = [role for role in ANSWERED if role not in options.columns]
    absent += [role for role in ("unit", "annotator") if role not in roles and not options.path]
    if absent:
        message = f"needs columns.{absent[0]} too, where a column says what was asked."
        raise tables[0].refused(f"columns.{absent[0]}", message, "Name it.")
    question, answer = (options.columns[role] for role in ANSWERED)
    names = (name for table in tables for name in _column(table, question).levels if name.strip())
    asked = tuple(dict.fromkeys(names))
    shape = Shape(tuple(roles.get("unit", "").split(JOIN)), roles.get("annotator", OF_FILE), asked)
    label = _label(tables[0], TableReading(shape, questions=shape.labels), options)
    if label not in asked:
        raise BadInput([tables[0].absent("columns.label", str(label), "question", asked)])
    own = replace(options, columns={**roles, "label": label})
    return [(_combined(_unfolded(table, question, answer, own), own), own) for table in tables]


def _column(table: StringTable, name: str) -> Texts:
    """Return a column of a table; raise BadInput where there is none that is called so."""
    if name not in table.header:
        raise BadInput([table.absent("columns", name)])
    return table.columns[table.header.index(name)]


def _unfolded(table: StringTable, question: str, answer: str, options: ReaderOptions) -> StringTable:
    """Return the rows that answer one question, whose column has its name; what others are asked is gone."""
    label = options.columns["label"]
    rows = _column(table, question).where(lambda name: name.strip() == label)
    kept = [name for name in table.header if name not in (question, answer, label)]
    columns = [*(_column(table, name).taken(rows) for name in kept), _column(table, answer).taken(rows)]
    return replace(table, header=(*kept, label), columns=tuple(columns), rows=table.rows[rows], unique=None)


def _with_question(tables: Sequence[StringTable], options: ReaderOptions) -> Sequence[StringTable]:
    """Return tables that have the question that is asked for, empty where a file lacks it."""
    label = options.columns.get("label")
    having = [label in table.header for table in tables]
    if label is None or options.path is None or not any(having):
        return tables
    whole = _together(tables)
    unit = options.columns.get("unit")
    named = set(options.columns.values())
    # What differs between files on one unit is another question, whatever it is called.
    kept = [
        name
        for name in whole.all
        if name in named or (unit in whole.all and whole.follows(name, [str(unit)]))
    ]
    return [
        _only(table, kept) if has else _with(_only(table, kept), label, Texts.alike("", len(table.rows)))
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
        return normalise_tables(kept, replace(options, columns=columns, path=None))
    names = named_by_path([table.file for table in kept], path)
    files = [
        with_values(rows_looked_at(table), {OF_FILE: name.annotator})
        for table, name in zip(kept, names, strict=True)
    ]
    unit = columns.get("unit") or _shared_unit(files)
    shape = _long_of_files(joined(files), unit) if unit else None
    if shape is None or len(shape.labels) != 1:
        message = "has no single column that must be that of labels."
        raise kept[0].refused("columns.label", message, "Leave one column of labels.")
    own = replace(options, columns={**columns, "unit": str(unit), "label": shape.labels[0]})
    return [(table, own) for table in kept]


def is_said(options: ReaderOptions) -> bool:
    """Say whether the options say whose labels are where."""
    named = "annotator" in options.columns or bool(options.raters)
    return named or options.annotators is not None or options.path is not None


def by_names(tables: Sequence[StringTable]) -> TableReading:
    """Return how tables are read by well-known names of columns; raise BadInput where these do not tell."""
    shapes = [_by_names(table, ReaderOptions()) for table in tables]
    first, labels = shapes[0], dict.fromkeys(name for shape in shapes for name in shape.labels)
    same = {
        name: getattr(first, name)
        for name in ("units", "annotator", "document", "turn")
        if all(getattr(shape, name) == getattr(first, name) for shape in shapes)
    }
    return _reading(_together(tables), Shape(labels=tuple(labels), **same))


def _by_names(table: StringTable, options: ReaderOptions) -> Shape:
    layout, names = find_layout(table, options), table.header
    unit, document, turn = (
        None if place is None else names[place] or None
        for place in (layout.unit, layout.document, layout.passes)
    )
    people = tuple(names[column] for column in layout.annotators)
    units = (unit,) if unit else ()
    if layout.label is not None:
        return Shape(units, people[0], (names[layout.label],), document, turn)
    return Shape(units, None, people, document, turn)


def _declared(tables: Sequence[StringTable], options: ReaderOptions) -> TableReading | None:
    """Return the reading that keys of campaign.toml declare: of headers with two parts, of indicators."""
    units = tuple(options.columns.get("unit", "").split(JOIN)) if options.columns.get("unit") else ()
    document = options.columns.get("document")
    if options.headers:
        grid = _grid_by_pattern(tables[0], options)
        used = tuple(name for own in grid.values() for name in own.values())
        shape = Shape(units, None, used, document, headers=options.headers, grid=grid)
        shape = replace(shape, indicators=options.indicators)
        return TableReading(shape, questions=() if options.indicators else tuple(grid))
    if options.indicators:
        annotator = options.columns.get("annotator") or (OF_FILE if options.path else None)
        turn, own = options.columns.get("pass"), options.indicators
        return TableReading(Shape(units, annotator, own, document, turn, indicators=own), options.path or "")
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
    grid = {question: own for question, own in grid.items() if len(own) >= 2}
    if not grid:
        message = f'no two columns are called as headers = "{options.headers}" says.'
        remedy = 'Write for example headers = "{layer}_{annotator}".'
        raise table.refused("headers", message, remedy)
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
        raise BadInput([table.absent("columns.label", asked, "question", questions)])
    if len(questions) > 1:
        raise SeveralQuestions(several(questions, of_columns(table, "columns.label")), questions)
    return questions[0] if questions else None


class SeveralQuestions(BadInput):
    """A table with several questions, of which one is to be chosen; `questions` are these."""

    def __init__(self, problem: Problem, questions: Sequence[str]) -> None:
        """Take what is said of it, and what may be chosen."""
        super().__init__([problem])
        self.questions = tuple(questions)

    def __reduce__(self) -> tuple[type[BadInput], tuple[tuple[Problem, ...]]]:
        """Return what pickle makes of it: what every error of this kind has."""
        return BadInput, (self.problems,)


def several(questions: Sequence[str], place: Place) -> Problem:
    """Return the problem of a table with several questions of which none is chosen."""
    message = f"has several questions, each of which is a layer: {first_of(questions)}."
    remedy = (
        f'Choose one: columns = {{ label = "{questions[0]}" }} (agree: --columns "label={questions[0]}"; '
        f'in Python: label="{questions[0]}"), or declare [[layers]] with source = "{questions[0]}" and so '
        f"on, as `reportgen init` does."
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
        raise SeveralQuestions(several(questions, of_columns(tables[0], "columns.label")), questions)
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
    table = _of_sheet(table, reading.path)
    columns = {**reading.columns, **{role: name for role, name in options.columns.items() if role != "label"}}
    path = reading.path or options.path
    if shape.indicators and not shape.grid:
        sets = _sets(table, {name: name for name in shape.indicators})
        others = [name for name in table.header if name not in shape.indicators]
        table = _with(_only(table, others), INDICATORS, sets)
        label, options = INDICATORS, replace(options, set_separator=options.set_separator or SEPARATOR)
    if shape.is_long:
        # A file may lack a question.
        if label is not None and label not in table.header:
            table = _with(table, label, Texts.alike("", len(table.rows)))
        # A table with other columns renamed, so that none is taken for documents or passes.
        used = {*shape.units, *columns.values(), label}
        roles = {place for role in ("document", "pass") for place in well_known_columns(table.header, role)}
        aside = {place for place in roles if table.header[place] not in used}
        header = [f"{{beside {name}}}" if place in aside else name for place, name in enumerate(table.header)]
        table = replace(table, header=tuple(header))
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
            asked = {question: own[person] for question, own in grid.items() if person in own}
            only = _with(only, person, _sets(table, asked))
        return only, tuple(people)
    of_question = grid[label or next(iter(grid))]
    for person, name in of_question.items():
        only = _with(only, person, table.columns[table.header.index(name)])
    return only, tuple(of_question)


def _sets(table: StringTable, columns: Mapping[str, str]) -> Texts:
    """Return for each row the labels whose column says yes, as one set."""
    cells = {label: table.columns[table.header.index(name)] for label, name in columns.items()}
    rows = [
        [label for label, value in zip(cells, row, strict=True) if says_yes(value)]
        if any(value.strip() for value in row)
        else None
        for row in zip(*cells.values(), strict=True)
    ]
    values = {value.strip().casefold() for column in cells.values() for value in column.levels}
    return Texts.of(
        "" if row is None and values - {"", "x"} else SEPARATOR.join(row or ()) or EMPTY_SET for row in rows
    )


def says_yes(value: str) -> bool:
    """Say whether a cell says that a label was given."""
    return value.strip().casefold() in YES


YES = {value.casefold() for value in INDICATED} - {"0", "false"}


def _of_sheet(table: StringTable, path: str) -> StringTable:
    """Return the table, marked as having a sheet for each annotator where the path says so."""
    if OF_SHEET not in path:
        return table
    return replace(table, written=table.written.replace(EVERY_SHEET, OWN_SHEETS))


def _with(table: StringTable, name: str, cells: Texts) -> StringTable:
    return replace(table, header=(*table.header, name), columns=(*table.columns, cells))


def _only(table: StringTable, names: Sequence[str]) -> StringTable:
    """Return a table with nothing but some of its columns, in its order."""
    kept = [column for column, name in enumerate(table.header) if name in names]
    return replace(table.only(kept), unique=None)


def _combined(table: StringTable, options: ReaderOptions) -> StringTable:
    """Return a table with a column for a unit that several columns name together."""
    unit = options.columns.get("unit", "")
    parts = unit.split(JOIN)
    if unit in table.header or len(parts) < 2 or not set(parts) <= set(table.header):
        return table
    cells = [table.columns[table.header.index(part)] for part in parts]
    together = Texts.of(BETWEEN_PARTS.join(row) if any(row) else "" for row in zip(*cells, strict=True))
    return _with(table, unit, together)
