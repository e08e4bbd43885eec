"""Which column of a ratings table is what: long or wide, by what is asked for and by well-known names."""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem
from reportgen.readers.annotations import NO_DOCUMENT, Ratings
from reportgen.readers.naming import named_by_path
from reportgen.readers.reader import (
    COLUMN_ROLES,
    EMPTY_SET,
    NO_ANNOTATOR,
    NO_UNIT,
    NOT_ASKED_FOR,
    UNDECLARED,
    ReaderOptions,
    SetLabel,
    as_set,
    require_annotators,
)
from reportgen.readers.string_tables import StringTable, all_differ, count_up, data_as_header

# As `plain_name` writes them; the first of a list that is there is taken.
WELL_KNOWN = {
    "unit": (
        *("unit", "item", "unit_id", "item_id", "unitid", "itemid", "orig_id", "example_id", "sentence_id"),
        *("instance_id", "question_id", "task_id", "example", "sentence", "instance", "question", "task"),
        *("subject", "case", "unite", "pair_id", "pairid", "pairID", "id"),
    ),
    "annotator": (
        *("annotator", "annotator_id", "annotatorid", "annotator_name", "rater", "rater_id", "raterid"),
        *("coder", "coder_id", "coderid", "worker", "worker_id", "workerid", "amt_worker_id"),
        *("amt_worker_ids", "user", "user_id", "userid", "username", "judge", "judge_id", "labeler"),
        *("labeller", "observer", "annotateur", "annotatrice", "codeur"),
    ),
    "label": (
        *("label", "category", "value", "vote", "answer", "rating", "judgment", "judgement", "code", "class"),
        *("response", "annotation", "score", "tag", "etiquette", "categorie"),
    ),
    "document": (
        *("document", "doc", "file", "text_id", "topic", "document_id", "doc_id", "docid", "filename"),
        *("dokument", "datei", "documento", "archivo", "fichier"),
    ),
    "pass": ("pass", "round", "passe"),
    # Pages show texts: whoever wants that names the column. Questions are known by their answers.
    **dict.fromkeys(("text", "question", "answer"), ()),
}
# Names of columns that hold the text of a unit.
TEXT_NAMES = (
    *("text", "texts", "sentence", "content", "tweet", "utterance", "post", "message", "body", "paragraph"),
    *("passage", "snippet", "excerpt", "abstract", "texte", "phrase", "contenu", "enonce"),
)
# No annotator is called so: what such a column of a wide table holds are no labels.
ASIDES = ("text", "tweet", "comment", "comments", "note", "notes", "remark", "remarks", "date", "timestamp")
LEAST_ANNOTATORS = 2
NAMES_SHOWN = 10
TWO_SHAPES = "Write a column of labels for each annotator, or columns for unit, annotator and label."
NOT_ANNOTATORS = {
    *(*WELL_KNOWN["unit"], *WELL_KNOWN["document"], *WELL_KNOWN["pass"], *TEXT_NAMES, *ASIDES),
}


@dataclass(frozen=True)
class RatingsTableLayout:
    """The columns of a ratings table by number, None for a column that is not there.

    A long table has a `label` column and one column in `annotators`: who gave the label. A wide table
    has no `label` column, and in `annotators` a column of labels for each annotator.
    """

    unit: int | None
    document: int | None
    passes: int | None
    label: int | None
    annotators: tuple[int, ...]
    text: int | None = None

    @property
    def used(self) -> list[int]:
        """Return the columns that are anything, rising."""
        named = (self.unit, self.document, self.passes, self.label, self.text)
        return sorted({*self.annotators, *(column for column in named if column is not None)})

    def named(self, table: StringTable, in_rows: Iterable[str]) -> list[str]:
        """Return who has a column or, where a table is long, is named `in_rows`, in the order of the file."""
        if self.label is None:
            return [table.header[column] for column in self.annotators]
        return [name for name in dict.fromkeys(in_rows) if name.strip()]


def find_layout(table: StringTable, options: ReaderOptions) -> RatingsTableLayout:
    """Return which column is what; raise BadInput where a column asked for or needed is not there."""
    if options.raters and not set(options.raters) & set(table.header):
        message = f"has none of the annotators' columns that other files have: {', '.join(options.raters)}."
        remedy = "Name the files of labels alone in exports."
        raise table.refused("", message, remedy)
    if len(table.header) == 1:
        remedy = "Separate columns with a comma, a semicolon or a tab."
        raise table.refused("", "there is a single column.", remedy)
    # The columns that the options name.
    asked = {role: name.strip() for role, name in options.columns.items()}
    absent = [role for role, name in asked.items() if name not in table.header]
    if absent:
        raise BadInput(table.absent(f"columns.{role}", options.columns[role]) for role in absent)
    named_columns = {role: table.header.index(name) for role, name in asked.items()}
    if options.raters:
        named = {role: [named_columns[role]] if role in named_columns else [] for role in COLUMN_ROLES}
        annotators = [column for column, name in enumerate(table.header) if name in options.raters]
        return _layout(named, named_columns.get("unit"), None, annotators)
    used = {*named_columns.values(), *_asked_for(table, options)}
    roles = {
        role: [column for column in well_known_columns(table.header, role) if column not in used]
        for role in COLUMN_ROLES
    }
    roles |= {role: [column] for role, column in named_columns.items()}
    if {"annotator", "label"} & named_columns.keys() or (roles["annotator"] and roles["label"]):
        return _long(table, roles)
    return _wide(table, roles, _asked_for(table, options))


def _asked_for(table: StringTable, options: ReaderOptions) -> list[int]:
    """Return the columns that are called like annotators asked for."""
    asked = {*(options.annotators or ()), *options.raters}
    return [column for column, name in enumerate(table.header) if name and name in asked]


def may_be_annotator(name: str) -> bool:
    """Say whether a column may be called like an annotator: it has no well-known name for anything else."""
    return bool(name) and plain_name(name) not in NOT_ANNOTATORS


def is_called_text(name: str) -> bool:
    """Say whether a word in the name of a column is one for the text of a unit."""
    return not {*plain_name(name).split("_")}.isdisjoint(TEXT_NAMES)


def well_known_columns(names: Sequence[str], role: str) -> list[int]:
    """Return which columns have a name that is well known for a role, the best known first."""
    plain = [plain_name(name) for name in names]
    return [
        column for well_known in WELL_KNOWN[role] for column, name in enumerate(plain) if name == well_known
    ]


def is_aside(name: str) -> bool:
    """Tell whether a column is called like texts, comments or dates, which are no labels."""
    return plain_name(name) in ASIDES


def plain_name(name: str) -> str:
    """Return a column name in small letters without accents, words joined by an underscore."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return re.sub(r"\W+", "_", bare).strip("_")


# Columns of JSON objects, of which there should be a table.

OBJECTS = re.compile(r"\s*(?:\{|\[\s*\{)")
LONG = ("item", "annotator", "label")


def _of_objects(table: StringTable, columns: Iterable[int]) -> Iterator[Problem]:
    """Yield a problem for each column whose cells are JSON objects, with the header of the table to make."""
    for column in columns:
        filled = [cell for cell in table.columns[column].levels if cell not in ("", EMPTY_SET)]
        if filled and all(map(OBJECTS.match, filled)):
            named = _annotators_in(filled[0])
            header = ",".join(["item", *named] if named else LONG)
            message = "has JSON objects where labels were expected."
            remedy = (
                f"Make a table of them, a column or a row for each label, below a first row such as {header}."
            )
            yield table.problem(table.lines[0], f"column {table.header[column]}", message, remedy)


def _annotators_in(cell: str) -> list[str]:
    """Return whose labels an object seems to hold: its keys, unless these are what a row consists of."""
    try:
        value = json.loads(cell)
    except (ValueError, RecursionError):
        return []
    names = list(value) if isinstance(value, dict) else []
    plain = all(isinstance(label, str | int | float) for label in value.values()) if names else False
    return names if 1 < len(names) <= NAMES_SHOWN and plain and all(map(may_be_annotator, names)) else []


def _long(table: StringTable, roles: Mapping[str, list[int]]) -> RatingsTableLayout:
    if objects := [*_of_objects(table, roles["label"][:1])]:
        raise BadInput(objects)
    if absent := [role for role in ("unit", "annotator", "label") if not roles[role]]:
        raise BadInput(_needed(table, role) for role in absent)
    # A unit comes back in several rows: a column with a value of its own in each numbers the rows.
    unit, *others = roles["unit"]
    if others:
        unit = next((column for column in (unit, *others) if not table.is_unique(column)), unit)
    return _layout(roles, unit, roles["label"][0], roles["annotator"][:1])


def _layout(
    roles: Mapping[str, list[int]], unit: int | None, label: int | None, annotators: Sequence[int]
) -> RatingsTableLayout:
    document, passes, text = (next(iter(roles[role]), None) for role in ("document", "pass", "text"))
    return RatingsTableLayout(unit, document, passes, label, tuple(annotators), text)


def _needed(table: StringTable, role: str) -> Problem:
    names = ", ".join([*table.named[:NAMES_SHOWN], *(["…"] if len(table.named) > NAMES_SHOWN else [])])
    or_path = ', or say path = "{annotator}" where each annotator has a file' if role == "annotator" else ""
    remedy = f'Name it: columns = {{ {role} = "…" }}{or_path}; the columns are {names}.'
    return table.problem(table.lines[0], f"columns.{role}", f"no column is known as the {role}.", remedy)


def _wide(table: StringTable, roles: Mapping[str, list[int]], asked: Sequence[int]) -> RatingsTableLayout:
    unit = _wide_unit(table, roles, asked)
    annotators = [column for column in _label_columns(table, roles, asked) if column != unit]
    problems = [*_of_objects(table, annotators)]
    if not asked:
        problems = problems or [*first_row_of_data(table, unit, annotators)]
    if not problems:
        problems = [*_unnamed(table)]
        problems += [] if asked else _without_annotators(table, roles, unit, annotators)
    if problems:
        raise BadInput(problems)
    return _layout(roles, unit, None, annotators)


def _wide_unit(table: StringTable, roles: Mapping[str, list[int]], asked: Sequence[int]) -> int | None:
    """Return the column that names the units, None where there is none and each row is one."""
    if roles["unit"]:
        unit, *others = roles["unit"]
        return next((column for column in (unit, *others) if others and table.is_unique(column)), unit)
    if not table.header[0]:
        return 0 if any(table.columns[0].levels) else None
    columns = _label_columns(table, roles, asked)
    enough = len(columns) > LEAST_ANNOTATORS and columns[0] == 0 and 0 not in asked
    return 0 if enough and _names_units(table, columns) else None


def _names_units(table: StringTable, columns: Sequence[int]) -> bool:
    """Say whether the first column numbers the rows, or has a value in each that is nowhere else."""
    first, *others = (table.columns[column] for column in columns)
    if len(first) > LEAST_ANNOTATORS and count_up(first.tolist()):
        return True
    return (
        len(first) > 1
        and all_differ(first)
        and all(set(first.levels).isdisjoint(column.levels) for column in others)
    )


def _label_columns(table: StringTable, roles: Mapping[str, list[int]], asked: Sequence[int]) -> list[int]:
    """Return the columns that can hold labels: named, and not called like anything else."""
    others = {column for role in ("unit", "document", "pass", "text") for column in roles[role]}
    return [
        column
        for column, name in enumerate(table.header)
        if column in asked or (column not in others and may_be_annotator(name))
    ]


def _without_annotators(
    table: StringTable, roles: Mapping[str, list[int]], unit: int | None, annotators: list[int]
) -> Iterator[Problem]:
    """Yield a problem where the columns are no annotators: a long table not understood, or too few."""
    if roles["annotator"]:
        yield _needed(table, "label")
    elif annotators and roles["label"] == annotators:
        yield _needed(table, "annotator")
    elif not annotators or (unit is None and len(annotators) < LEAST_ANNOTATORS):
        yield table.problem(table.lines[0], "", "there are no columns of two annotators.", TWO_SHAPES)


def first_row_of_data(table: StringTable, unit: int | None, annotators: Sequence[int]) -> Iterator[Problem]:
    """Yield a problem where the first row is one of data; a well-known name shows that it is not one."""
    well_known = {name for names in WELL_KNOWN.values() for name in names} | {*ASIDES}
    written = [name for name in table.header if not name.startswith("{")]  # the others are of the path
    if well_known.isdisjoint(map(plain_name, written)):
        yield from data_as_header(table, unit, annotators)


def _unnamed(table: StringTable) -> Iterator[Problem]:
    """Yield a problem for each column with text and no name, save the first, which names or numbers rows."""
    for column, name in enumerate(table.header):
        if column and not name and any(table.columns[column].levels):
            key = f"column {column + 1}"
            yield table.problem(table.lines[0], key, "has no name.", "Write whose labels it has.")


# How ratings tables were understood: what is said of it, and whether there is anything to compare.

READINGS_SHOWN = 3


@dataclass(frozen=True, eq=False)
class Understood:
    """A table, what its columns are, and who has a column or a row, in the order of the file."""

    table: StringTable
    layout: RatingsTableLayout
    annotators: Sequence[str]


def columns_of_path(table: StringTable, options: ReaderOptions) -> tuple[dict[str, str], dict[str, str]]:
    """Return the columns that a table gets for what its path says, and which column is what then.

    They are called "{annotator}" and so on, and a column that the options name goes before them.
    """
    if options.path is None:
        return {}, dict(options.columns)
    (names,) = named_by_path([table.file], options.path)
    values = {"annotator": names.annotator, "document": names.document, "pass": names.turn}
    new = {role: value for role, value in values.items() if f"{{{role}}}" in options.path}
    columns = {role: f"{{{role}}}" for role in new} | dict(options.columns)
    return {f"{{{role}}}": value for role, value in new.items()}, columns


def without_document(tables: Sequence[Understood], ratings: Ratings) -> Iterator[Problem]:
    """Yield a problem where units of tables with documents name none, or each unit has one of its own.

    Intervals then take units as independent that may not be: nobody would see it in a figure.
    """
    table, column = next(
        ((of.table, of.layout.document) for of in tables if of.layout.document is not None), (None, None)
    )
    if table is None or column is None:
        return
    units = int(ratings.weight.sum())
    alone = int(ratings.weight[ratings.document == NO_DOCUMENT].sum())
    name = table.header[column]
    key = "columns.document"
    if alone:
        message = f'{alone:,} of {units:,} units name no document in column "{name}": each counts as its own.'
        remedy = (
            f'Where only the first row of a document names it, write fill_down = ["{name}"] under '
            "[[guidelines]]; else name the document in every row."
        )
        yield table.file.problem(message, remedy, key=key)
    elif len(ratings.documents) == units > 1:
        message = f'column "{name}" has a document of its own for each of {units:,} units.'
        remedy = "Name the column that says which units come from one document, if there is one."
        yield table.file.problem(message, remedy, key=key)


def require_comparable(tables: Sequence[Understood], options: ReaderOptions) -> None:
    """Raise BadInput where tables have a single annotator, or one is asked for who is not there."""
    names = list(dict.fromkeys(name for understood in tables for name in understood.annotators))
    if len(names) < 2 and all(understood.layout.label is None for understood in tables):
        table = tables[0].table
        message = f"{names[0]} is the only column of labels: two annotators are needed."
        raise table.refused("", message, TWO_SHAPES)
    require_annotators(options.annotators or (), names)


def reason_left_out(annotator: str, label: str, options: ReaderOptions, *, named: bool = True) -> str:
    """Return why a label can't count, "" where it can; `named`: its unit has a name, or needs none."""
    if not annotator.strip():
        return NO_ANNOTATOR
    if not named:
        return NO_UNIT
    if options.annotators is not None and annotator not in options.annotators:
        return NOT_ASKED_FOR
    return UNDECLARED if options.only is not None and label not in options.only else ""


def set_names(labels: Sequence[str], options: ReaderOptions) -> tuple[str, ...]:
    """Return labels that know their members, where a separator says that they are sets."""
    separator = options.set_separator
    return tuple(
        label if isinstance(label, SetLabel) else as_set(label, separator) if separator else str(label)
        for label in labels
    )


def reading_of(tables: Sequence[Understood], options: ReaderOptions) -> str:
    """Return one sentence where all files were understood in one way, else one for each of the first ways.

    It names no annotator and no file, which may be called like one: a report may have to hide who they are.
    """
    readings = Counter(_understood(understood, options) for understood in tables)
    if len(readings) == 1:
        return next(iter(readings))
    sentences = [f"{count} file{'s' if count > 1 else ''}: {text}" for text, count in readings.items()]
    more = sum(list(readings.values())[READINGS_SHOWN:])
    last = [f"And {more} more file{'s' if more > 1 else ''}."] if more else []
    return " ".join([*sentences[:READINGS_SHOWN], *last])


def _understood(understood: Understood, options: ReaderOptions) -> str:
    header, layout, count = understood.table.header, understood.layout, len(understood.annotators)
    units = "each row is a unit"
    if layout.unit is not None:
        units = (
            f"units in column {header[layout.unit]}" if header[layout.unit] else "units in the first column"
        )
    if layout.label is not None:
        whose = [_place("annotators", header[layout.annotators[0]]), _place("labels", header[layout.label])]
    elif count > 1:
        whose = [f"{count} columns of labels, one for each annotator"]
    else:
        whose = ["one column of labels"]
    others = ((layout.document, "documents"), (layout.passes, "passes"), (layout.text, "texts"))
    parts = [units, *whose, *(_place(what, header[at]) for at, what in others if at is not None)]
    sets = f"labels are sets separated by {options.set_separator}; " if options.set_separator else ""
    kind = "Wide" if layout.label is None else "Long"
    if understood.table.is_turned:
        return f"Turned table: each row an annotator, each column a unit; {understood.table.written}."
    return f"{kind} table: {', '.join(parts)}; {sets}{understood.table.written}."


def _place(what: str, column: str) -> str:
    """Say where annotators, documents or labels are: in a column, or each in a file or column of its own."""
    each = {
        "{annotator}": "a file for each annotator",
        "{document}": "a file for each document",
        "{labels}": "a column for each label",
    }
    return each.get(column, f"{what} in {column}")


def called(tables: Sequence[Understood]) -> str:
    """Return the column that has all labels, empty where annotators have a column each."""
    names = {table.table.header[table.layout.label] for table in tables if table.layout.label is not None}
    return names.pop() if len(names) == 1 else ""


def in_turn(names: Sequence[str]) -> Sequence[str]:
    """Return names of passes in their order: that of numbers, where all are such, else as they are given."""
    if all(name.isascii() and name.isdigit() for name in names):
        return sorted(names, key=lambda name: (len(name.lstrip("0")), name.lstrip("0")))
    return names
