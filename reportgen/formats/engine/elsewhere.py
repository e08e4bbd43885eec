"""Labels that lie elsewhere, on Spark or in a database that Ibis speaks to: only counts travel.

One expression says how many units of a document have the same labels by the same annotators. Ibis writes it
in the dialect of the place; all that follows is done to these kinds of units as to labels that DuckDB reads.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from reportgen.files import Source as Provenance
from reportgen.formats.engine.duck import literal
from reportgen.formats.engine.sheets import BLANKS, MARKS, LaidSheet
from reportgen.formats.engine.sources import HEAD_ROWS, LargeTable, Source
from reportgen.formats.reader import ExportFile

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# Between the marks of a unit, and between what a mark says: its pass, its annotator, its label.
NEXT, WITHIN = "|", ":"
# As addresses have them: `unquote` gives every text back.
ESCAPED = {"%": "%25", NEXT: "%7C", WITHIN: "%3A"}
TITLES = {"postgres": "table of a PostgreSQL database", "duckdb": "table of a DuckDB database"}
ALIKE = "alike"


class IbisSource(Source):
    """A table that Ibis reaches; of one that was made from files, `known` is its header and first rows."""

    def __init__(
        self,
        connection: "DuckDBPyConnection",
        file: ExportFile,
        expression: Any,  # noqa: ANN401 - Ibis is imported where it is needed
        known: LargeTable | None = None,
    ) -> None:
        """Take a table by its Ibis expression."""
        super().__init__(connection, file)
        self.expression, self.known = expression, known

    def text(self, column: int) -> Any:  # noqa: ANN401
        """Return a column as text, empty where there is none."""
        return self.expression[column].cast("string").fill_null("")

    def table(self) -> LargeTable:
        """Return the header and the first rows."""
        known = self.known or self._known()
        return LargeTable(known.file, known.header, known.cells, known.written, lambda: [0], self)

    def _known(self) -> LargeTable:
        header = list(self.expression.columns)
        texts = {f"c{place}": self.text(place) for place in range(len(header))}
        head = self.expression.select(**texts).limit(HEAD_ROWS).to_pyarrow()
        body = zip(*(column.to_pylist() for column in head.columns), strict=True)
        name = self.expression.get_backend().name
        return self._large(header, body, TITLES.get(name, f"table, {name}"))

    def is_unique(self, column: int) -> bool:
        """Say whether each row has a value of its own in a column."""
        texts = self.text(column).nunique()
        found = self.expression.aggregate(rows=self.expression.count(), texts=texts).to_pyarrow()
        return bool(found["rows"][0] == found["texts"][0])

    def plain(self) -> str:
        """Return SQL for no rows: none is read here."""
        return "(select 1 where false)"

    def relation(self, number: int, used: Sequence[int]) -> str:  # noqa: ARG002
        """Return SQL for no rows: none is read here."""
        return self.plain()

    def alike(self, sheet: LaidSheet) -> Any:  # noqa: ANN401
        """Return the expression that says how many units of a document have the same marks.

        Its columns are `document`, `unnamed`, which says that the units have no name, `marks` and `n`.
        """
        import ibis

        layout = sheet.layout
        document, unit = self._cell(sheet, layout.document), self._cell(sheet, layout.unit)
        used = [each for each in layout.used if each not in sheet.said]
        every = range(len(self.expression.columns)) if self.known is not None else used
        rows = self.expression.filter(ibis.or_(*(self.text(column) != "" for column in every))).select(
            document=ibis.ifelse(_is_blank(document), "", document),
            unit=unit,
            unnamed=ibis.literal(value=False) if layout.unit is None else _is_blank(unit),
            marks=_joined(NEXT, self._marks(sheet)),
        )
        if layout.unit is not None:
            own = rows.marks.collect().sort().join(NEXT)
            rows = rows.group_by("document", "unit", "unnamed").aggregate(marks=own)
        return rows.group_by("document", "unnamed", "marks").aggregate(n=rows.count())

    def _cell(self, sheet: LaidSheet, column: int | None) -> Any:  # noqa: ANN401
        import ibis

        if column is None or column in sheet.said:
            return ibis.literal("" if column is None else sheet.said[column])
        return self.text(column)

    def _marks(self, sheet: LaidSheet) -> Iterator[Any]:
        """Yield a mark of each row for each cell that can hold a label."""
        import ibis

        layout = sheet.layout
        turn = _escaped(self._cell(sheet, layout.passes))
        for column in layout.annotators:
            named = layout.label is not None
            who = self._cell(sheet, column) if named else ibis.literal(sheet.table.header[column])
            label = self._cell(sheet, layout.label if named else column)
            yield _joined(WITHIN, [turn, _escaped(who), _escaped(label)])


def _is_blank(text: Any) -> Any:  # noqa: ANN401
    return text.translate(BLANKS, "") == ""


def _escaped(text: Any) -> Any:  # noqa: ANN401
    for sign, written in ESCAPED.items():
        text = text.replace(sign, written)
    return text


def _joined(sign: str, texts: Any) -> Any:  # noqa: ANN401
    first, *others = texts
    for each in others:
        first = first + sign + each
    return first


def lay_alike(connection: "DuckDBPyConnection", source: IbisSource, sheet: LaidSheet) -> None:
    """Make the relation of labels, a row for each mark of each kind of units, as they are elsewhere."""
    import pandas as pd

    connection.register("given", source.alike(sheet).to_pyarrow())
    connection.execute(
        f"create temp table {ALIKE} as select *, row_number() over () as kind from (select document, "
        f"unnamed, list_sort(string_split(marks, {literal(NEXT)})) as marks, sum(n)::bigint as n "
        "from given group by all order by all)"
    )
    connection.unregister("given")
    texts = [text for (text,) in connection.execute(f"select distinct unnest(marks) from {ALIKE}").fetchall()]
    said = [[unquote(part) for part in text.split(WITHIN)] for text in texts]
    known = pd.DataFrame(said, columns=["pass", "annotator", "label"], dtype=object).assign(mark=texts)
    connection.register("given", known)
    connection.execute(
        f"create temp table {MARKS} as select 0 as ord, 0 as file, document, '' as unit, annotator, label, "
        "pass, kind as own, unnamed, n "
        f"from (select * exclude (marks), unnest(marks) as mark from {ALIKE}) join given using (mark)"
    )
    connection.unregister("given")


def digest(connection: "DuckDBPyConnection", name: str) -> Provenance:
    """Return what provenance records of a table that is no file: a digest of its kinds of units."""
    found, size = hashlib.sha256(), 0
    result = connection.execute(f"select document, unnamed, marks, n from {ALIKE} order by kind")
    while rows := result.fetchmany(100_000):
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
        found.update(text)
        size += len(text)
    return Provenance(name, found.hexdigest(), size)
