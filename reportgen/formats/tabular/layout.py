"""Which column of a ratings table is what: long or wide, by what is asked for and by well-known names."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from reportgen.errors import BadInput, Problem, did_you_mean
from reportgen.formats.reader import COLUMN_ROLES, ReadOptions
from reportgen.formats.tabular.headless import count_up, headless
from reportgen.formats.tabular.tables import Table

# As `_plain` writes them; the first of a list that is there is taken.
WELL_KNOWN = {
    "unit": (
        *("unit", "item", "unit_id", "item_id", "unitid", "itemid", "orig_id", "example_id", "sentence_id"),
        *("instance_id", "question_id", "task_id", "example", "sentence", "instance", "question", "task"),
        *("subject", "case", "unite", "id"),
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
    "document": ("document", "doc", "file", "text_id", "topic", "document_id", "doc_id", "docid", "filename"),
    "pass": ("pass", "round", "passe"),
}
# No annotator is called so: what such a column of a wide table holds are no labels.
ASIDES = ("text", "tweet", "comment", "comments", "note", "notes", "remark", "remarks", "date", "timestamp")
LEAST_ANNOTATORS = 2
NAMES_SHOWN = 10
TWO_SHAPES = "Write a column of labels for each annotator, or columns for unit, annotator and label."
SAY_COLUMNS = "Say what columns hold (annotator=…, label=…), or list the annotators' columns as annotators."
# With fewer labels a column may disagree with all others by chance.
ENOUGH_LABELS = 10
NOT_ANNOTATORS = {*WELL_KNOWN["unit"], *WELL_KNOWN["document"], *WELL_KNOWN["pass"], *ASIDES}


@dataclass(frozen=True)
class Layout:
    """The columns of a ratings table by number, None for a column that is not there.

    A long table has a `label` column and one column in `annotators`: who gave the label. A wide table
    has no `label` column, and in `annotators` a column of labels for each annotator.
    """

    unit: int | None
    document: int | None
    passes: int | None
    label: int | None
    annotators: tuple[int, ...]

    @property
    def used(self) -> list[int]:
        """Return the columns that are anything, rising."""
        named = (self.unit, self.document, self.passes, self.label)
        return sorted({*self.annotators, *(column for column in named if column is not None)})


def find_layout(table: Table, options: ReadOptions) -> Layout:
    """Return which column is what; raise BadInput where a column asked for or needed is not there."""
    if len(table.header) == 1:
        mend = "Separate columns with a comma, a semicolon or a tab."
        raise BadInput([table.problem(table.lines[0], "", "there is a single column.", mend)])
    given = _given(table, options)
    taken = {*given.values(), *_asked_for(table, options)}
    known = {role: _well_known(table, role, taken) for role in COLUMN_ROLES}
    known |= {role: [column] for role, column in given.items()}
    if {"annotator", "label"} & given.keys() or (known["annotator"] and known["label"]):
        return _long(table, known)
    return _wide(table, known, _asked_for(table, options))


def _given(table: Table, options: ReadOptions) -> dict[str, int]:
    """Return the columns that the options name."""
    absent = {role: name for role, name in options.columns.items() if name.strip() not in table.header}
    if absent:
        raise BadInput(_not_there(table, role, name) for role, name in absent.items())
    return {role: table.header.index(name.strip()) for role, name in options.columns.items()}


def _not_there(table: Table, role: str, name: str) -> Problem:
    message = f'there is no column "{name}".'
    return table.problem(table.lines[0], f"columns.{role}", message, did_you_mean(name, table.named))


def _asked_for(table: Table, options: ReadOptions) -> list[int]:
    """Return the columns that are called like annotators asked for."""
    asked = options.annotators or ()
    return [column for column, name in enumerate(table.header) if name and name in asked]


def _well_known(table: Table, role: str, taken: Collection[int]) -> list[int]:
    """Return the columns with a name that is well known for the role, the best known first."""
    names = [_plain(name) for name in table.header]
    free = [column for column in range(len(names)) if column not in taken]
    return [column for known in WELL_KNOWN[role] for column in free if names[column] == known]


def _plain(name: str) -> str:
    """Return a column name in small letters without accents, words joined by an underscore."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return re.sub(r"\W+", "_", bare).strip("_")


# Long tables


def _long(table: Table, known: Mapping[str, list[int]]) -> Layout:
    absent = [role for role in ("unit", "annotator", "label") if not known[role]]
    if absent:
        raise BadInput(_needed(table, role) for role in absent)
    return Layout(
        unit=_repeating(table, known["unit"]),
        document=next(iter(known["document"]), None),
        passes=next(iter(known["pass"]), None),
        label=known["label"][0],
        annotators=(known["annotator"][0],),
    )


def _needed(table: Table, role: str) -> Problem:
    names = ", ".join([*table.named[:NAMES_SHOWN], *(["…"] if len(table.named) > NAMES_SHOWN else [])])
    own = ', or say path = "{annotator}" where each annotator has a file' if role == "annotator" else ""
    mend = f'Name it: columns = {{ {role} = "…" }}{own}; the columns are {names}.'
    return table.problem(table.lines[0], f"columns.{role}", f"no column is known as the {role}.", mend)


def _repeating(table: Table, candidates: Sequence[int]) -> int:
    """Return the first column in which a value comes back: one of its own in each row numbers the rows."""
    several = len(candidates) > 1
    repeating = (column for column in candidates if several and not table.is_unique(column))
    return next(repeating, candidates[0])


# Wide tables


def _wide(table: Table, known: Mapping[str, list[int]], asked: Sequence[int]) -> Layout:
    unit = _wide_unit(table, known, asked)
    annotators = [column for column in _label_columns(table, known, asked) if column != unit]
    problems = [] if asked else [*_headless(table, unit, annotators)]
    problems = problems or [
        *_unnamed(table),
        *([] if asked else _without_annotators(table, known, unit, annotators)),
    ]
    if problems:
        raise BadInput(problems)
    return Layout(
        unit=unit,
        document=next(iter(known["document"]), None),
        passes=next(iter(known["pass"]), None),
        label=None,
        annotators=tuple(annotators),
    )


def _wide_unit(table: Table, known: Mapping[str, list[int]], asked: Sequence[int]) -> int | None:
    """Return the column that names the units, None where there is none and each row is one."""
    if known["unit"]:
        several = len(known["unit"]) > 1
        different = (column for column in known["unit"] if several and table.is_unique(column))
        return next(different, known["unit"][0])
    if not table.header[0]:
        return 0 if (table.cells[0] != "").any() else None
    columns = _label_columns(table, known, asked)
    enough = len(columns) > LEAST_ANNOTATORS and columns[0] == 0 and 0 not in asked
    return 0 if enough and _names_units(table, columns) else None


def _names_units(table: Table, columns: Sequence[int]) -> bool:
    """Say whether the first column numbers the rows, or has a value in each that is nowhere else."""
    first = table.cells[columns[0]]
    others = table.cells[list(columns[1:])]
    if len(first) > LEAST_ANNOTATORS and count_up(first.tolist()):
        return True
    return bool(len(first) > 1 and first.is_unique and not others.isin(set(first)).any(axis=None))


def _label_columns(table: Table, known: Mapping[str, list[int]], asked: Sequence[int]) -> list[int]:
    """Return the columns that can hold labels: named, and not called like anything else."""
    others = {column for role in ("unit", "document", "pass") for column in known[role]}
    return [
        column
        for column, name in enumerate(table.header)
        if column in asked or (name and column not in others and _plain(name) not in NOT_ANNOTATORS)
    ]


def _without_annotators(
    table: Table, known: Mapping[str, list[int]], unit: int | None, annotators: list[int]
) -> Iterator[Problem]:
    """Yield a problem where the columns are no annotators: a long table not understood, or too few."""
    if known["annotator"]:
        yield _needed(table, "label")
    elif annotators and known["label"] == annotators:
        yield _needed(table, "annotator")
    elif not annotators or (unit is None and len(annotators) < LEAST_ANNOTATORS):
        yield table.problem(table.lines[0], "", "there are no columns of two annotators.", TWO_SHAPES)
    else:
        yield from _strangers(table, annotators)


def _strangers(table: Table, annotators: Sequence[int]) -> Iterator[Problem]:
    """Yield a problem for each column that holds no label of any other: hardly an annotator's."""
    labels = {column: set(table.cells[column]) - {""} for column in annotators}
    for column, own in labels.items():
        others = set().union(*(labels[other] for other in annotators if other != column))
        filled = int((table.cells[column] != "").sum())
        if len(annotators) > 1 and filled >= ENOUGH_LABELS and not own & others:
            message = "was taken for an annotator's column, and none of its labels occurs in another's."
            yield table.problem(table.lines[0], f"column {table.header[column]}", message, SAY_COLUMNS)


def _headless(table: Table, unit: int | None, annotators: Sequence[int]) -> Iterator[Problem]:
    """Yield a problem where the first row is one of data; a well-known name shows that it is none."""
    well_known = {name for names in WELL_KNOWN.values() for name in names} | {*ASIDES}
    written = [name for name in table.header if not name.startswith("{")]  # the others are of the path
    if well_known.isdisjoint(map(_plain, written)):
        yield from headless(table, unit, annotators)


def _unnamed(table: Table) -> Iterator[Problem]:
    """Yield a problem for each column with text and no name, save the first, which names or numbers rows."""
    for column, name in enumerate(table.header):
        if column and not name and (table.cells[column] != "").any():
            key = f"column {column + 1}"
            yield table.problem(table.lines[0], key, "has no name.", "Write whose labels it holds.")
