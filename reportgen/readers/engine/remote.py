"""Labels that lie elsewhere, on Spark or in a database that Ibis speaks to: only counts travel.

One expression says how many units of a document have the same labels by the same annotators. Ibis writes it
in the dialect of that place; all that follows is done to these kinds of units as to labels that DuckDB reads.
"""

import hashlib
import json
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from reportgen.base.dataclass import dataclass
from reportgen.base.engines import DATABASES, SPARK, WITHOUT_LISTS
from reportgen.base.errors import BadInput, did_you_mean, refused
from reportgen.base.files import InputFile as Provenance
from reportgen.base.files import nfc
from reportgen.readers.document_groups import DIGITS, MOST_KINDS
from reportgen.readers.engine.duck import (
    HEAD_ROWS,
    ORD,
    CsvSource,
    DataSource,
    ParquetSource,
    kind_of,
    lay_table,
    literal,
)
from reportgen.readers.engine.labels import BLANKS, MARKS, LabelGroup, LaidSheet
from reportgen.readers.reader import ExportFile, ReaderOptions
from reportgen.readers.string_tables import StringTable

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection as Connection


# Between the marks of a unit, and between what a mark says: its pass, its annotator, its label.
NEXT, WITHIN = "|", ":"
# As addresses have them: `unquote` gives every text back.
ESCAPED = {"%": "%25", NEXT: "%7C", WITHIN: "%3A"}
TITLES = {"postgres": "table of a PostgreSQL database", "duckdb": "table of a DuckDB database"}
ALIKE = "alike"


@dataclass(frozen=True)
class TableSizes:
    """How many documents and annotators a table has, cells for a label, and rows without a document."""

    documents: int
    cells: int
    people: int
    nowhere: int


class IbisSource(DataSource):
    """A table that Ibis reaches; of one that was made from files, `head` is its header and first rows."""

    def __init__(
        self,
        connection: "Connection",
        file: ExportFile,
        expression: Any,  # noqa: ANN401 - Ibis is imported where it is needed
        head: StringTable | None = None,
        dialect: str | None = None,
    ) -> None:
        """Take a table by its Ibis expression; `dialect` is that of a place to which nothing is sent."""
        super().__init__(connection, file)
        self.expression, self.head, self.dialect = expression, head, dialect

    def text(self, column: int) -> Any:  # noqa: ANN401
        """Return a column as text, empty where there is none."""
        return self.expression[column].cast("string").fill_null("")

    def table(self) -> StringTable:
        """Return the header and the first rows."""
        head = self.head or self._read_head()
        return replace(head, count_lines=lambda: [0], unique=self.is_unique)

    def _read_head(self) -> StringTable:
        header = list(self.expression.columns)
        texts = {f"c{column}": self.text(column) for column in range(len(header))}
        head = self.expression.select(**texts).limit(HEAD_ROWS).to_pyarrow()
        body = zip(*(column.to_pylist() for column in head.columns), strict=True)
        name = self.expression.get_backend().name
        return self._large(header, body, TITLES.get(name, f"table, {name}"))

    def is_unique(self, column: int) -> bool:
        """Say whether each row has a value of its own in a column."""
        texts = self.text(column).nunique()
        counted = self.expression.aggregate(rows=self.expression.count(), texts=texts).to_pyarrow()
        return bool(counted["rows"][0] == counted["texts"][0])

    def most_different(self, columns: Sequence[int]) -> int:
        """Return how many different texts are in the column that has the most of them."""
        different = {f"c{column}": self.text(column).nunique() for column in columns}
        counted = self.expression.aggregate(**different).to_pyarrow() if different else {}
        return max((int(counted[name][0].as_py()) for name in different), default=0)

    def rows(self, used: Iterable[int]) -> str:  # noqa: ARG002
        """Return SQL for no rows: none is read here."""
        return f"(select '' as c0, 0 as {ORD} where false)"

    def relation(self, number: int, used: Sequence[int]) -> str:  # noqa: ARG002
        """Return SQL for no rows: none is read here."""
        return self.rows(used)

    def alike(self, sheet: LaidSheet, *, in_groups: bool = False, named: bool = True) -> Any:  # noqa: ANN401
        """Return the expression that says how many units of a document, or a group, have the same marks.

        Its columns are `document`, `unnamed`, which says that the units have no name, `marks` and `n`. Unless
        they are `named`, marks do not say who they are of.
        """
        import ibis

        rows = self._units(sheet, named=named)
        if in_groups:
            rows = rows.mutate(document=ibis.ifelse(rows.document == "", "", self.group_of(rows.document)))
        return rows.group_by("document", "unnamed", "marks").aggregate(n=rows.count())

    def sizes(self, sheet: LaidSheet) -> "TableSizes":
        """Return what is asked before anything else travels."""
        rows = self._rows(sheet)
        counted = rows.aggregate(
            documents=rows.document.nullif("").nunique(),
            rows=rows.count(),
            people=rows.who.nunique(),
            nowhere=(rows.document == "").sum(),
        ).to_pyarrow()
        documents, labels, people, nowhere = (int(column[0].as_py() or 0) for column in counted.columns)
        people = people if sheet.layout.label is not None else sheet.width
        return TableSizes(documents, sheet.width * labels, people, nowhere)

    def kinds(self, sheet: LaidSheet) -> int:
        """Return how many kinds of units there are, or cells for a label where already these are few."""
        cells = self.sizes(sheet).cells
        return cells if cells <= MOST_KINDS else int(self.alike(sheet).count().to_pyarrow().as_py())

    def units(self, sheet: LaidSheet) -> int:
        """Return how many units there are."""
        return int(self._units(sheet).count().to_pyarrow().as_py())

    def are_repeated(self, sheet: LaidSheet) -> bool:
        """Say whether somebody labelled a unit more than once."""
        rows = self._rows(sheet)
        rows = rows.filter(rows.counting != "")
        times = rows.group_by("document", "unit", "who").aggregate(n=rows.count())
        return int(times.filter(times.n > 1).count().to_pyarrow().as_py()) > 0

    def groups(self, sheet: LaidSheet) -> dict[tuple[str, str], LabelGroup]:
        """Return how often each annotator gave each label, by both as they are written; there is no pass."""
        cells = self.cells(sheet)
        together = cells.group_by("who", "label").aggregate(n=cells.count(), unnamed=cells.unnamed.sum())
        columns = together.to_pyarrow().columns
        groups = {
            (who, label): LabelGroup(0, nfc(who), nfc(label), "", n, 0, int(unnamed or 0), 0)
            for who, label, n, unnamed in zip(*(column.to_pylist() for column in columns), strict=True)
        }
        return dict(sorted(groups.items(), key=lambda item: (item[1].annotator, item[1].label)))

    def cells(self, sheet: LaidSheet) -> Any:  # noqa: ANN401
        """Return the expression of all cells that can hold a label, whose pass is not told.

        Its columns are `document`, `unit`, `unnamed`, `who` and `label`.
        """
        import ibis

        columns = [None] if sheet.layout.label is not None else sheet.layout.annotators
        return ibis.union(
            *(
                self._rows(sheet, column).select("document", "unit", "unnamed", "who", "label")
                for column in columns
            )
        )

    def group_of(self, document: Any) -> Any:  # noqa: ANN401
        """Return the expression of the group of a document."""
        return _md5(document, self.dialect or self.expression.get_backend().name)[:DIGITS]

    def named(
        self, sheet: LaidSheet, alike: Sequence[tuple[str, str]], most: int
    ) -> list[tuple[str, str, str]]:
        """Return some units with their documents, marks and names: of each kind the first by their names.

        `alike` are documents and marks, `most` how many units of each there are at most.
        """
        import ibis

        rows = self._units(sheet)
        kind = _escaped(rows.document) + NEXT + rows.marks
        kinds = [_escaped(document) + NEXT + marks for document, marks in alike]
        rows = rows.filter(~rows.unnamed, kind.isin(kinds))
        rank = ibis.row_number().over(group_by=["document", "marks"], order_by="unit")
        listed_rows = rows.mutate(rank=rank).filter(lambda row: row["rank"] < most)
        columns = listed_rows.select("document", "marks", "unit").to_pyarrow().columns
        return list(zip(*(column.to_pylist() for column in columns), strict=True))

    def _units(self, sheet: LaidSheet, *, named: bool = True) -> Any:  # noqa: ANN401
        """Return the expression of all units: `document`, `unit`, `unnamed` and `marks`."""
        rows = self._rows(sheet)
        if not named:
            rows = rows.mutate(marks=WITHIN + WITHIN + _escaped(rows.counting))
        rows = rows.select("document", "unit", "unnamed", "marks")
        if sheet.layout.unit is not None:
            marks = rows.marks.collect().sort().join(NEXT)
            rows = rows.group_by("document", "unit", "unnamed").aggregate(marks=marks)
        return rows

    def _rows(self, sheet: LaidSheet, column: int | None = None) -> Any:  # noqa: ANN401
        """Return the expression of all rows that hold anything, with the columns of units.

        Where rows have one label each, `who` gave it and `label` is it; it is `counting` where somebody did.
        Where they have several it is that of the annotator in a column, if one is named.
        """
        import ibis

        layout = sheet.layout
        if layout.label is not None:
            who, label = self._cell(sheet, layout.annotators[0]), self._cell(sheet, layout.label)
        else:
            who = ibis.literal("" if column is None else sheet.table.header[column])
            label = self._cell(sheet, column)
        document, unit = self._cell(sheet, layout.document), self._cell(sheet, layout.unit)
        used = [column for column in layout.used if column not in sheet.of_path]
        columns = range(len(self.expression.columns)) if self.head is not None else used
        return self.expression.filter(ibis.or_(*(self.text(column) != "" for column in columns))).select(
            document=ibis.ifelse(_is_blank(document), "", document),
            unit=unit,
            unnamed=ibis.literal(value=False) if layout.unit is None else _is_blank(unit),
            marks=_joined(NEXT, self._marks(sheet)),
            who=who,
            label=label,
            counting=ibis.ifelse(_is_blank(who), "", label),
        )

    def _cell(self, sheet: LaidSheet, column: int | None) -> Any:  # noqa: ANN401
        import ibis

        if column is None or column in sheet.of_path:
            return ibis.literal("" if column is None else sheet.of_path[column])
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


# What makes the hexadecimal digits of an MD5, from the inside out, where MD5 alone does not.
HEXADECIMAL = {
    "bigquery": ("md5", "to_hex"),
    "clickhouse": ("md5", "hex"),
    "trino": ("to_utf8", "md5", "to_hex"),
}


def _md5(text: Any, dialect: str) -> Any:  # noqa: ANN401
    """Return the MD5 of a text in hexadecimal digits, as a dialect writes it."""
    import ibis

    functions = HEXADECIMAL.get(dialect, ("md5",))
    types = ["string", *["binary"] * (len(functions) - 1), "string"]
    for name, given, made in zip(functions, types[:-1], types[1:], strict=True):
        call = ibis.udf.scalar.builtin(lambda of: of, name=name, signature=((given,), made))
        text = call(text)
    return text.lower()


def _is_blank(text: Any) -> Any:  # noqa: ANN401
    import ibis

    # A text of blanks begins with one: any other is told at its first sign, in a tenth of the time.
    return ibis.ifelse(text[:1].isin([*BLANKS]), text.translate(BLANKS, "") == "", text == "")


def _escaped(text: Any) -> Any:  # noqa: ANN401 - a text, or an expression of texts
    for sign, written in ESCAPED.items():
        text = text.replace(sign, written)
    return text


def _joined(sign: str, texts: Any) -> Any:  # noqa: ANN401
    first, *others = texts
    for text in others:
        first = first + sign + text
    return first


def lay_alike(
    connection: "Connection",
    source: IbisSource,
    sheet: LaidSheet,
    *,
    in_groups: bool = False,
    named: bool = True,
) -> None:
    """Make the relation of labels, a row for each mark of each kind of units, as they are elsewhere."""
    connection.register("given", source.alike(sheet, in_groups=in_groups, named=named).to_pyarrow())
    connection.execute(
        f"create temp table {ALIKE} as select *, row_number() over () as kind from (select document, "
        f"unnamed, list_sort(string_split(given.marks, {literal(NEXT)})) as marks, sum(n)::bigint as n, "
        "min(given.marks) as written from given group by all order by all)"
    )
    connection.unregister("given")
    texts = [text for (text,) in connection.execute(f"select distinct unnest(marks) from {ALIKE}").fetchall()]
    parts = [[nfc(unquote(part)) for part in text.split(WITHIN)] for text in texts]
    names = ("pass varchar", "annotator varchar", "label varchar")
    columns = {name: [mark[index] for mark in parts] for index, name in enumerate(names)}
    lay_table(connection, "said", {"mark varchar": texts, **columns})
    connection.execute(
        f"create temp table {MARKS} as select 0 as ord, 0 as file, document, '' as unit, annotator, label, "
        "pass, kind as own, unnamed, n "
        f"from (select * exclude (marks), unnest(marks) as mark from {ALIKE}) join said using (mark)"
    )


def digest(connection: "Connection", name: str) -> Provenance:
    """Return what provenance records of a table that is no file: a digest of its kinds of units."""
    checksum, size = hashlib.sha256(), 0
    result = connection.execute(f"select document, unnamed, marks, n from {ALIKE} order by kind")
    while rows := result.fetchmany(100_000):
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
        checksum.update(text)
        size += len(text)
    return Provenance(name, checksum.hexdigest(), size)


# Where Ibis finds labels: a table of a database by its address, and what Spark reads.

COUNTING = (DATABASES - WITHOUT_LISTS) | {"duckdb"}
SETTINGS = {"spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}
INSTALL = 'Install reportgen with the extra "engines": pip install "path/to/the/checkout[engines]".'
JAVA = "Install Java 17 or later (Debian: apt-get install openjdk-17-jre-headless), or set JAVA_HOME."
# What PostgreSQL's and other drivers say where a connection ends that was there.
LOST = re.compile(
    r"terminating connection|closed the connection|connection (is|was|has been) (closed|lost)", re.IGNORECASE
)
# Errors of ours and of Python's own are no refusals.
OURS = {"builtins", "reportgen"}


@contextmanager
def at_address(connection: "Connection", file: ExportFile, options: ReaderOptions) -> Iterator[IbisSource]:
    """Yield the table of a database, or what Spark reads at an address; `file` is named in errors."""
    address, table = options.database or "", options.table
    if urlsplit(address).scheme in SPARK.catalogues:
        yield IbisSource(connection, file, _table(_spark(), file, table))
    elif options.engine.name == SPARK.name:
        yield IbisSource(connection, file, _of_frame(_session().read.parquet(address)))
    else:
        database = _connected(address, file)
        try:
            yield IbisSource(connection, file, _table(database, file, table))
        finally:
            database.disconnect()


def _connected(address: str, file: ExportFile) -> Any:  # noqa: ANN401 - Ibis is imported where it is needed
    import ibis

    scheme = urlsplit(address).scheme
    _require_counting(scheme, file)
    try:
        return ibis.connect(address)
    except ImportError:
        extra = "postgres" if scheme == "postgresql" else scheme
        message = f"needs the part of Ibis for {extra}, which is not installed."
        raise file.refused(message, f'Install it: pip install "ibis-framework[{extra}]".') from None
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        message = f"has an address that Ibis can't use for {scheme}: {error}."
        remedy = f"Write it as Ibis does: https://ibis-project.org/backends/{scheme}"
        raise file.refused(message, remedy) from None


def _require_counting(scheme: str, file: ExportFile) -> None:
    """Raise BadInput for a place that can't count, or of which nothing is known."""
    if scheme == "sqlite":
        remedy = "Name the file itself, without sqlite://: DuckDB reads it."
        raise file.refused("is in a database that can't list the labels of a unit, sqlite.", remedy)
    if scheme in WITHOUT_LISTS:
        message = f"is in a database that can't list the labels of a unit, {scheme}."
        raise file.refused(message, "Export the table as Parquet or CSV, and count that.")
    if scheme not in COUNTING:
        message = f'lies in a database that is not counted: "{scheme}".'
        raise file.refused(message, known(scheme, sorted(COUNTING)))


def known(name: str, names: Sequence[str]) -> str:
    """Return the remedy for a name that is not one of these."""
    return did_you_mean(name, names) or f"Known: {', '.join(names)}."


def read_by_spark(
    connection: "Connection", files: Sequence[ExportFile], options: ReaderOptions
) -> IbisSource:
    """Return the rows of files of one header, which Spark reads."""
    first, remedy = files[0], 'Leave out engine = "spark".'
    paths = [f"file://{file.path.resolve()}" for file in files]
    if options.path is not None:
        raise first.refused("has names in its path, which Spark does not read.", remedy)
    if kind_of(first) == "parquet":
        head = ParquetSource(connection, files).table()
        return IbisSource(connection, first, _of_frame(_session().read.parquet(*paths)), head)
    if kind_of(first) != "text":
        raise first.refused("is a database, which Spark does not read.", remedy)
    sources = [CsvSource(connection, file) for file in files]
    head, *others = [source.table() for source in sources]
    message = "has another header than the files before."
    if problems := [table.file.problem(message, remedy) for table in others if table.header != head.header]:
        raise BadInput(problems)
    frame = _session().read.csv(
        paths, sep=sources[0].delimiter, header=True, quote='"', escape='"', multiLine=True
    )
    return IbisSource(connection, first, _of_frame(frame), head)


def _of_frame(frame: Any) -> Any:  # noqa: ANN401 - Spark is imported where it is needed
    name = f"reportgen_{id(frame)}"
    frame.createOrReplaceTempView(name)
    return _spark().table(name)


def _session() -> Any:  # noqa: ANN401
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("reportgen")
    for key, value in SETTINGS.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def _spark() -> Any:  # noqa: ANN401
    import ibis

    return ibis.pyspark.connect(_session())


def _table(database: Any, file: ExportFile, table: str | None) -> Any:  # noqa: ANN401
    """Return a table by its name, "schema.name" too; raise BadInput where there is none such."""
    if table is None:
        raise file.refused("no table is named.", "Name one.", key="table")
    from ibis.common.exceptions import TableNotFound

    *schema, name = table.rsplit(".", 1)
    where = schema[0] if schema else None
    try:
        return database.table(name, database=where)
    except TableNotFound:
        tables: list[str] = []
        with suppress(Exception):  # not every place lists its tables
            tables = database.list_tables(database=where)
        message, remedy = f'has no table "{table}".', did_you_mean(name, tables) or "Check its name."
        raise file.refused(message, remedy, key="table") from None


@contextmanager
def ibis_refusals(name: str) -> Iterator[None]:
    """Raise BadInput where Ibis is not there, or refuses: a wrong address, no leave, no Java."""
    try:
        with warnings.catch_warnings():
            # What Ibis and Spark do with other libraries is nothing that the user could do otherwise.
            for kind in (DeprecationWarning, FutureWarning):
                warnings.simplefilter("ignore", kind)
            yield
    except ImportError as error:
        message = f"needs {error.name or 'Ibis'}, which is not installed."
        raise refused(name, message=message, remedy=INSTALL) from None
    except ConnectionError as error:
        raise _lost(name, error) from None
    except Exception as error:
        if type(error).__module__.partition(".")[0] in OURS:
            raise
        if LOST.search(str(error)):
            raise _lost(name, error) from None
        lines = str(error).strip().splitlines()
        message = f"can't be counted there: {lines[0] if lines else type(error).__name__}"
        remedy = JAVA if "JAVA" in message else "Check the address, and that you may read there."
        raise refused(name, message=message, remedy=remedy) from None


def _lost(name: str, error: Exception) -> BadInput:
    lines = str(error).strip().splitlines()
    message = f"the connection was lost while it was counted: {lines[0] if lines else type(error).__name__}"
    return refused(name, message=message, remedy="Count it again.")
