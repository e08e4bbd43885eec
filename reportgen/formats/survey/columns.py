"""Which column of a ratings table is what: as it is understood, or a guess for somebody to confirm."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from reportgen.errors import BadInput
from reportgen.formats.reader import ReadOptions
from reportgen.formats.tabular.layout import Layout, find_layout
from reportgen.formats.tabular.tables import Table

if TYPE_CHECKING:
    import pandas as pd

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
class Columns:
    """The columns of a table: their names, and which of them is what.

    `roles` maps "unit", "annotator", "document", "label" and "pass" to names; `labels` are the columns
    that could hold labels, the likeliest first. Where `understood` is false, both are guesses.
    """

    names: tuple[str, ...]
    roles: Mapping[str, str]
    labels: tuple[str, ...]
    understood: bool


def columns_of(tables: Sequence[Table]) -> Columns:
    """Return the columns that all tables share, as they are understood, else as a guess."""
    try:
        layouts = [find_layout(table, ReadOptions()) for table in tables]
    except BadInput:
        return guess_columns(tables)
    known = [_roles(table, layout) for table, layout in zip(tables, layouts, strict=True)]
    roles = {role: name for role, name in known[0].items() if all(each.get(role) == name for each in known)}
    return Columns(_shared(tables), roles, (), understood=True)


def guess_columns(tables: Sequence[Table]) -> Columns:
    """Return a guess of what the columns are that all tables share."""
    return guessed(tables[0], _shared(tables))


def _shared(tables: Sequence[Table]) -> tuple[str, ...]:
    return tuple(name for name in tables[0].named if all(name in table.header for table in tables))


def _roles(table: Table, layout: Layout) -> dict[str, str]:
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


def guessed(table: Table, names: Sequence[str]) -> Columns:
    """Return what the columns of these names most likely are, from their names and what they hold."""
    cells = table.cells.head(ROWS_LOOKED_AT)
    columns = {name: cells[table.header.index(name)] for name in names}
    roles = _unit_and_annotator(columns)
    rest = {name: cells for name, cells in columns.items() if name not in roles.values()}
    unit = columns.get(roles.get("unit", ""))
    labels = _by_words(
        [name for name, cells in rest.items() if _may_be_labels(name, cells, unit)], LABEL_WORDS
    )
    if labels:
        roles["label"] = labels[0]
    return Columns(tuple(names), roles, tuple(labels), understood=False)


def _unit_and_annotator(columns: Mapping[str, "pd.Series[str]"]) -> dict[str, str]:
    """Return the two columns that cross best: several annotators have a row for most of the units."""
    names = [
        name for name, cells in columns.items() if (cells != "").mean() >= FILLED and not cells.is_unique
    ]
    several = [name for name in names if len(columns[name].unique()) > 1]
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


def _cross(unit: "pd.Series[str]", annotator: "pd.Series[str]") -> bool:
    return bool((_values_by_unit(annotator, unit) > 1).mean() >= HALF)


def _values_by_unit(cells: "pd.Series[str]", unit: "pd.Series[str]") -> "pd.Series[int]":
    """Return how many different values each unit has."""
    pairs = cells.to_frame("value").assign(unit=unit).drop_duplicates()
    return pairs.groupby("unit").size()


def _may_be_labels(name: str, cells: "pd.Series[str]", unit: "pd.Series[str] | None") -> bool:
    """Say whether a column may hold labels: filled, repeating, and not told by the unit alone."""
    filled = cells[cells != ""]
    if not PASSED_OVER.isdisjoint(_words(name)) or len(filled) < HALF * len(cells):
        return False
    if not 1 < len(filled.unique()) <= max(MOST_LABELS, HALF * len(filled)):
        return False
    return unit is None or bool((_values_by_unit(filled, unit) > 1).any())


def _words(name: str) -> list[str]:
    return [word for word in re.split(r"[\W_]+", name.casefold()) if word]


def _rank(name: str, words: Sequence[str]) -> int:
    """Return the place of the best known of the words in a name, beyond the last where it has none."""
    return min((words.index(word) for word in _words(name) if word in words), default=2 * len(words))


def _by_words(names: Iterable[str], words: Sequence[str]) -> list[str]:
    return sorted(names, key=lambda name: _rank(name, words))
