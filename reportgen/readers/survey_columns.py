"""Which column of a ratings table is what: as it is understood, or a guess for somebody to confirm."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from reportgen.base.errors import BadInput, for_each
from reportgen.readers import find_reader
from reportgen.readers.reader import ExportFile, Reader, ReaderOptions
from reportgen.readers.registry import readers
from reportgen.readers.string_tables import StringTable
from reportgen.readers.table_columns import RatingsTableLayout, find_layout

# Words in the names of columns; the earlier in a list, the better known.
UNIT_WORDS = (
    *("item", "unit", "key", "id", "instance", "example", "question", "sentence", "task", "subject"),
    *("paper", "document", "doc", "tweet", "text"),
)
ANNOTATOR_WORDS = (
    *("annotator", "rater", "coder", "worker", "judge", "labeler", "labeller", "annotateur", "codeur"),
    *("user", "initials", "person", "name", "source", "spreadsheet", "by"),
)
LABEL_WORDS = (
    *("label", "category", "vote", "rating", "answer", "judgment", "judgement", "class", "score", "code"),
    *("value", "annotation"),
)
ASIDE_WORDS = (
    *("date", "time", "timestamp", "comment", "comments", "note", "notes", "remark", "remarks", "url"),
    *("link", "text", "duration", "exclude", "verbatim"),
)
# A column with such a word in its name hardly holds labels.
PASSED_OVER = frozenset((*ASIDE_WORDS, *ANNOTATOR_WORDS, "id", "key"))
ROWS_LOOKED_AT = 5000
CANDIDATES = 12
TO_FILL_IN = "…"
FILLED = 0.95
HALF = 0.5
MOST_LABELS = 50


@dataclass(frozen=True)
class ColumnRoles:
    """The columns of a table: their names, and which of them is what.

    `roles` maps "unit", "annotator", "document", "label" and "pass" to names; `labels` are the columns
    that could hold labels, the likeliest first. Where `understood` is false, both are guesses.
    """

    names: tuple[str, ...]
    roles: Mapping[str, str]
    labels: tuple[str, ...]
    understood: bool


def columns_of(tables: Sequence[StringTable]) -> ColumnRoles:
    """Return the columns that all tables share, as they are understood, else as a guess."""
    try:
        layouts = [find_layout(table, ReaderOptions()) for table in tables]
    except BadInput:
        return guess_columns(tables)
    known = [_roles(table, layout) for table, layout in zip(tables, layouts, strict=True)]
    roles = {role: name for role, name in known[0].items() if all(each.get(role) == name for each in known)}
    return ColumnRoles(_shared(tables), roles, (), understood=True)


def guess_columns(tables: Sequence[StringTable]) -> ColumnRoles:
    """Return a guess of what the columns are that all tables share."""
    return guessed(tables[0], _shared(tables))


def _shared(tables: Sequence[StringTable]) -> tuple[str, ...]:
    return tuple(name for name in tables[0].named if all(name in table.header for table in tables))


def _roles(table: StringTable, layout: RatingsTableLayout) -> dict[str, str]:
    """Return the names of the columns; a wide table has neither a column of annotators nor of labels."""
    numbers = {"unit": layout.unit, "document": layout.document, "pass": layout.passes}
    if layout.label is not None:
        numbers |= {"annotator": layout.annotators[0], "label": layout.label}
    return {
        role: table.header[place]
        for role, place in numbers.items()
        if place is not None and table.header[place]
    }


# Guesses


def guessed(table: StringTable, names: Sequence[str]) -> ColumnRoles:
    """Return what the columns of these names most likely are, from their names and what they hold."""
    columns = {name: table.columns[table.header.index(name)][:ROWS_LOOKED_AT].tolist() for name in names}
    roles = _unit_and_annotator(columns)
    rest = {name: cells for name, cells in columns.items() if name not in roles.values()}
    unit = columns.get(roles.get("unit", ""))
    labels = _by_words(
        [name for name, cells in rest.items() if _may_be_labels(name, cells, unit)], LABEL_WORDS
    )
    if labels:
        roles["label"] = labels[0]
    return ColumnRoles(tuple(names), roles, tuple(labels), understood=False)


def _unit_and_annotator(columns: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the two columns that cross best: several annotators have a row for most of the units."""
    several = [
        name
        for name, cells in columns.items()
        if sum(map(bool, cells)) >= FILLED * len(cells) and 1 < len(set(cells)) < len(cells)
    ]
    units = _by_words(several, UNIT_WORDS)[:CANDIDATES]
    annotators = _by_words(several, ANNOTATOR_WORDS)[:CANDIDATES]
    pairs = [(unit, who) for unit, who in product(units, annotators) if unit != who]
    if not pairs:
        return {}
    unit, annotator = min(
        pairs,
        key=lambda pair: (
            not _cross(columns[pair[0]], columns[pair[1]]),
            _rank(pair[0], UNIT_WORDS) + _rank(pair[1], ANNOTATOR_WORDS),
        ),
    )
    return {"unit": unit, "annotator": annotator}


def _cross(unit: Sequence[str], annotator: Sequence[str]) -> bool:
    several = [values > 1 for values in _values_by_unit(zip(unit, annotator, strict=True))]
    return sum(several) >= HALF * len(several)


def _values_by_unit(pairs: Iterable[tuple[str, str]]) -> Iterable[int]:
    """Return how many different values each unit has."""
    return Counter(unit for unit, _ in set(pairs)).values()


def _may_be_labels(name: str, cells: Sequence[str], unit: Sequence[str] | None) -> bool:
    """Say whether a column may hold labels: filled, repeating, and not told by the unit alone."""
    filled = [cell for cell in cells if cell]
    if not PASSED_OVER.isdisjoint(_words(name)) or len(filled) < HALF * len(cells):
        return False
    if not 1 < len(set(filled)) <= max(MOST_LABELS, HALF * len(filled)):
        return False
    if unit is None:
        return True
    given = ((each, cell) for each, cell in zip(unit, cells, strict=True) if cell)
    return any(values > 1 for values in _values_by_unit(given))


def _words(name: str) -> list[str]:
    return [word for word in re.split(r"[\W_]+", name.casefold()) if word]


def _rank(name: str, words: Sequence[str]) -> int:
    """Return the place of the best known of the words in a name, beyond the last where it has none."""
    return min((words.index(word) for word in _words(name) if word in words), default=2 * len(words))


def _by_words(names: Iterable[str], words: Sequence[str]) -> list[str]:
    return sorted(names, key=lambda name: _rank(name, words))


# Which files are of which format, and which format counts where there are several.


@dataclass(frozen=True)
class Recognised:
    """Files that belong together: the reader of most of them, and what is with them.

    `read` are the files that it reads, `others` those of other formats by the readers' names, `unread`
    those that no reader knows.
    """

    reader: Reader
    read: tuple[ExportFile, ...]
    others: Mapping[str, tuple[ExportFile, ...]]
    unread: tuple[ExportFile, ...]


def recognise(files: Sequence[ExportFile]) -> Recognised | None:
    """Return the format of most of the files, None where no reader knows any.

    Raises BadInput for files that the system refuses.
    """
    found = _by_reader(files)
    leading = {reader: known for reader, known in found.items() if not _accompany(reader, known, found)}
    if not leading:
        return None
    reader = max(leading, key=lambda each: len(leading[each]))
    mixed = len(leading) > 1
    read = tuple(find_reader(files, ReaderOptions(format=reader.name if mixed else None))[1])
    taken = set(read)
    others = {
        other.name: tuple(file for file in files if file in known and file not in taken)
        for other, known in found.items()
        if other is not reader
    }
    others = {name: known for name, known in others.items() if known}
    known = {*taken, *(file for group in others.values() for file in group)}
    return Recognised(reader, read, others, tuple(file for file in files if file not in known))


def _by_reader(files: Sequence[ExportFile]) -> dict[Reader, set[ExportFile]]:
    """Return the files that each reader recognises, in the order of the readers."""
    order = readers()
    known_by = for_each(files, lambda file: next((each for each in order if each.recognises(file)), None))
    found: dict[Reader, set[ExportFile]] = {
        reader: {file for file, known in zip(files, known_by, strict=True) if known is reader}
        for reader in order
    }
    return {reader: known for reader, known in found.items() if known}


def _accompany(reader: Reader, files: set[ExportFile], found: Mapping[Reader, set[ExportFile]]) -> bool:
    """Say whether all files of a reader merely belong to those of another, as words do to marks."""
    return any(all(other.accompanies(file) for file in files) for other in found if other is not reader)
