"""What tables have besides labels: times, comments, confidence, and what else annotators said of units."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from reportgen.readers.reader import COMMENTS, CONFIDENCE, FURTHER, TIMES
from reportgen.readers.scales import words_of
from reportgen.readers.string_tables import Strings, StringTable
from reportgen.readers.table_columns import Understood
from reportgen.readers.table_shapes import word_set

if TYPE_CHECKING:
    from pandas import DataFrame

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
# The columns of a frame that say which unit and whose label a row is about.
UNIT, WHO = "\0unit", "\0who"


def beside_labels(
    tables: Sequence[Understood], asked: Collection[str], opened: Sequence[StringTable] = ()
) -> dict[str, int]:
    """Return how many cells of each kind tables have besides labels.

    `asked` are columns of other layers, `opened` the tables as they were before they were taken apart.

    In a table with a row for each label that is what differs both within units and within annotators: the
    rest is about the units, or about the people. What numbers rows is nothing either. Columns of a table with
    a row for each unit are known by what they are called alone.
    """
    import pandas as pd

    found: Counter[str] = Counter()
    long = [_frame(table, asked) for table in tables if table.layout.label is not None]
    if long:
        for kind, cells in _varying(pd.concat(long, ignore_index=True)):
            found[kind] += cells
    if not long:
        used = {table.table.header[number] for table in tables for number in table.layout.used}
        for table in opened or [table.table for table in tables]:
            for name, column in zip(table.header, table.columns, strict=True):
                if name not in used and (kind := kind_of(name)) != FURTHER:
                    found[kind] += sum(1 for cell in column.tolist() if cell.strip())
    return {kind: found[kind] for kind in (*KINDS, FURTHER) if found[kind]}


def kind_of(name: str) -> str:
    """Return what a column has besides labels, by what it is called."""
    words = set(words_of(name))
    return next((kind for kind, own in KINDS.items() if words & own), FURTHER)


def _unused(table: Understood, asked: Collection[str]) -> Iterator[tuple[str, Strings]]:
    for number, (name, column) in enumerate(zip(table.table.header, table.table.columns, strict=True)):
        if name.strip() and number not in table.layout.used and name not in asked:
            yield name, column


def _frame(table: Understood, asked: Collection[str]) -> "DataFrame":
    """Return the columns that are not used, with the unit and the annotator of each row."""
    import pandas as pd

    layout, columns = table.layout, table.table.columns
    rows = range(len(table.table.rows))
    frame = pd.DataFrame(dict(_unused(table, asked)), index=pd.RangeIndex(len(rows)))
    units = [rows if layout.unit is None else columns[layout.unit].tolist()]
    units += [columns[layout.document].tolist()] if layout.document is not None else []
    frame[UNIT] = list(zip(*units, strict=True))
    frame[WHO] = columns[layout.annotators[0]].tolist()
    return frame


def _varying(frame: "DataFrame") -> Iterator[tuple[str, int]]:
    """Yield the kind and the number of cells of each column in which annotators said something."""
    for name in frame.columns.drop([UNIT, WHO]):
        filled = frame.loc[frame[name].fillna("").str.strip() != "", [name, UNIT, WHO]]
        kind = kind_of(str(name))
        of_units, of_people = (filled.groupby(key)[name].agg(["nunique", "size"]) for key in (UNIT, WHO))
        differs = bool((of_units["nunique"] > 1).any())
        if kind == FURTHER:
            numbers_rows = filled[name].is_unique and not filled[name].str.contains(" ").any()
            differs = differs and not numbers_rows
        else:  # also where nobody else said anything of the unit
            differs = differs or not (of_units["size"] > 1).any()
        if differs and bool((of_people["nunique"] > 1).any()):
            yield kind, len(filled)
