"""What tables have besides labels: times, comments, confidence, and what else annotators said of units."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

import numpy as np

from reportgen.readers.annotations import Codes, Texts, different_rows
from reportgen.readers.reader import COMMENTS, CONFIDENCE, FURTHER, TIMES
from reportgen.readers.scales import word_set, words_of
from reportgen.readers.string_tables import StringTable, all_differ
from reportgen.readers.table_columns import Understood
from reportgen.readers.table_shapes import values_by

# What columns are called that have something else than labels, in four languages.
KINDS = {
    TIMES: word_set(
        """
        time timestamp seconds minutes duration elapsed created updated submitted started finished worktime
        date datetime zeit dauer datum uhrzeit duree heure duracion hora fecha
        """
    ),
    COMMENTS: word_set(
        """
        comment comments note notes remark remarks rationale rationales explanation explanations reason
        reasons justification feedback bemerkung bemerkungen kommentar kommentare begrundung commentaire
        commentaires remarque remarques justificacion comentario comentarios observaciones
        """
    ),
    CONFIDENCE: word_set(
        "confidence confident certainty certain sure sicherheit confiance certitude confianza"
    ),
}


def beside_labels(
    tables: Sequence[Understood], asked: Collection[str], opened: Sequence[StringTable] = ()
) -> dict[str, int]:
    """Return how many cells of each kind tables have besides labels.

    `asked` are columns of other layers, `opened` the tables as they were before they were taken apart.

    In a table with a row for each label that is what differs both within units and within annotators: the
    rest is about the units, or about the people. What numbers rows is nothing either. Columns of a table with
    a row for each unit are known by what they are called alone.
    """
    found: Counter[str] = Counter()
    long = [table for table in tables if table.layout.label is not None]
    if long:
        for kind, cells in _varying(long, asked):
            found[kind] += cells
    else:
        used = {table.table.header[number] for table in tables for number in table.layout.used}
        for table in opened or [table.table for table in tables]:
            for name, column in zip(table.header, table.columns, strict=True):
                if name not in used and (kind := kind_of(name)) != FURTHER:
                    found[kind] += int(column.where(str.strip).sum())
    return {kind: found[kind] for kind in (*KINDS, FURTHER) if found[kind]}


def kind_of(name: str) -> str:
    """Return what a column has besides labels, by what it is called."""
    words = set(words_of(name))
    return next((kind for kind, own in KINDS.items() if words & own), FURTHER)


def _unused(table: Understood, asked: Collection[str]) -> Iterator[tuple[str, Texts]]:
    for number, (name, column) in enumerate(zip(table.table.header, table.table.columns, strict=True)):
        if name.strip() and number not in table.layout.used and name not in asked:
            yield name, column


def _varying(tables: Sequence[Understood], asked: Collection[str]) -> Iterator[tuple[str, int]]:
    """Yield the kind and the number of cells of each column in which annotators said something."""
    layouts, rows = [own.layout for own in tables], [len(own.table.rows) for own in tables]

    def together(columns: Iterable[Texts | None]) -> Texts:
        """Return a column of all tables, empty where one does not have it."""
        pairs = zip(columns, rows, strict=True)
        return Texts.joined([Texts.alike("", size) if column is None else column for column, size in pairs])

    def role(places: Iterable[int | None]) -> Codes:
        pairs = zip(places, tables, strict=True)
        return together(None if place is None else own.table.columns[place] for place, own in pairs).codes

    # Where a table does not name its units, each of its rows is one.
    row = np.concatenate(
        [
            np.arange(size) if own.unit is None else np.full(size, -1)
            for own, size in zip(layouts, rows, strict=True)
        ]
    )
    unit = different_rows(role(own.unit for own in layouts), role(own.document for own in layouts), row)[1]
    who = role(own.annotators[0] for own in layouts)
    unused = [dict(_unused(own, asked)) for own in tables]
    for name in dict.fromkeys(name for own in unused for name in own):
        cells = together(own.get(name) for own in unused)
        filled = cells.where(str.strip)
        given, of_unit = cells.taken(filled), unit[filled]
        kind = kind_of(name)
        differs = bool((values_by(of_unit, given.codes) > 1).any())
        if kind == FURTHER:
            differs = differs and not (all_differ(given) and not any(" " in value for value in given.levels))
        else:  # also where nobody else said anything of the unit
            differs = differs or not (np.bincount(of_unit) > 1).any()
        if differs and bool((values_by(who[filled], given.codes) > 1).any()):
            yield kind, len(given)
