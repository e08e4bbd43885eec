"""DuckDB, embedded, and where labels lie: CSV files, Parquet files, a table of a database."""

import mmap
import re
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import accumulate, islice
from typing import TYPE_CHECKING, Any

import numpy as np

from reportgen.base.errors import BadInput, did_you_mean, refused
from reportgen.base.files import decode, delimiter, numbered_rows, rows
from reportgen.base.site_folder import scratch_folder
from reportgen.base.system import memory
from reportgen.readers.reader import Engine, ExportFile
from reportgen.readers.string_tables import AS_FOUND, DELIMITER_NAMES, StringTable, is_ours, table_of
from reportgen.readers.table_reading import ROWS_LOOKED_AT, which_rows
from reportgen.readers.table_rows import Mended

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection as Connection


UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([KMGT]B)\s*", re.IGNORECASE)
# What DuckDB says of files that are damaged, and the kind of its error before all else that it says.
DAMAGED = re.compile(
    "magic bytes|failed to read file|corrupt|checksum|out of buffer|tprotocol|ttype|don't know what type"
    "|enough bytes|string encoding|not a valid|serialization",
    re.IGNORECASE,
)
KIND = re.compile(r"^[A-Z][\w ]* Error: ")
FULL = re.compile(r"no space left|disk quota|failed to offload|max_temp_directory_size", re.IGNORECASE)
# What DuckDB needs before it has read anything.
LEAST = 32 * UNITS["MB"]


class Unreadable(Exception):
    """DuckDB does not take a text for a table: whoever reads it in memory says what is wrong, or reads it."""


@contextmanager
def opened(engine: Engine, name: str) -> Iterator["Connection"]:
    """Yield a database in memory, which lays down what does not fit there and leaves nothing behind.

    Raises BadInput, with the name of what is read, for all that DuckDB refuses.
    """
    import duckdb

    with scratch_folder(".reportgen-duckdb-", engine.folder) as below:
        config: dict[str, str | bool | int | float | list[str]] = {
            "memory_limit": f"{limit(engine)}B",
            "temp_directory": str(below),
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
        }
        if engine.threads:
            config["threads"] = engine.threads
        with _refused(name, engine), duckdb.connect(config=config) as connection:
            connection.execute("set enable_progress_bar = false")
            yield connection


def limit(engine: Engine) -> int:
    """Return how many bytes DuckDB may take; raise BadInput for what is no size."""
    if engine.memory is None:
        return max(LEAST, memory(otherwise=8 * UNITS["GB"]) // 2)
    match = SIZE.fullmatch(engine.memory)
    size = int(float(match[1]) * UNITS[match[2].upper()]) if match else 0
    if size < LEAST:
        message = f'is "{engine.memory}"; a size of at least {LEAST // UNITS["MB"]}MB was expected.'
        raise refused("--memory", message=message, remedy="Write for example 2GB.")
    return size


@contextmanager
def _refused(name: str, engine: Engine) -> Iterator[None]:
    """Raise BadInput where DuckDB refuses."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        reason = str(error).splitlines()[0].strip()
        if FULL.search(str(error)):
            message, remedy = f"the disk is full: {reason}", "Make room there."
        elif isinstance(error, duckdb.OutOfMemoryException):
            message = f"does not fit into {limit(engine) // UNITS['MB']:,} MB of memory: {reason}"
            remedy = "Give more with --memory."
        else:
            why = "it is damaged, or of another kind" if DAMAGED.search(reason) else KIND.sub("", reason)
            message, remedy = (
                f"can't be read: {why.rstrip('.')}.",
                "Check that it is complete, and that you may read it.",
            )
        raise refused(name, message=message, remedy=remedy) from None


def lay_table(connection: "Connection", name: str, columns: Mapping[str, Sequence[object]]) -> None:
    """Make a table of columns, each given by its name and type, such as "label varchar"."""
    named = (column.split() for column in columns)
    selected = ", ".join(f"unnest(?::{kind}[]) as {column}" for column, kind in named)
    connection.execute(
        f"create temp table {name} as select {selected}", [list(column) for column in columns.values()]
    )


def quoted(name: str) -> str:
    """Return the name of a column or table as SQL has it."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Return a text as SQL has it."""
    return "'" + text.replace("'", "''") + "'"


def listed(items: Iterable[str]) -> str:
    """Return a list as SQL has it."""
    return f"[{', '.join(items)}]"


# What is looked at to tell which column is what.
HEAD_BYTES, HEAD_ROWS = 1 << 22, ROWS_LOOKED_AT
PARQUET, SQLITE, DUCKDB = b"PAR1", b"SQLite format 3\0", b"DUCK"
DUCKDB_PLACE = 8
SQLITE_ROWS = 50_000
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
OTHER_MARKS = (b"\xff\xfe", b"\xfe\xff")
ORD, FILLED = "ord", "filled"


class DataSource(ABC):
    """Labels that lie somewhere, as a relation with columns of text c0, c1, … and the number of each row."""

    def __init__(self, connection: "Connection", file: ExportFile) -> None:
        """Take a file, named in errors, that an open connection reads."""
        self.connection, self.file = connection, file

    @abstractmethod
    def table(self) -> StringTable:
        """Return the header and the rows that are looked at; raise BadInput for columns of one name."""

    @abstractmethod
    def rows(self, used: Iterable[int]) -> str:
        """Return SQL for some columns, and the row's number as `ord`."""

    def numbered_rows(self, width: int) -> str:
        """Return SQL for all columns, and the row's number as `ord`."""
        return self.rows(range(width))

    def relation(self, number: int, used: Sequence[int]) -> str:  # noqa: ARG002 - of the table among several
        """Return SQL for some columns, the row's number as `ord`, and `filled`: the row holds any text."""
        return f"(select *, {_filled(used)} as {FILLED} from {self.rows(used)})"

    def is_unique(self, column: int) -> bool:
        """Say whether each row has a value of its own in a column."""
        query = f"select count(*) = count(distinct coalesce(c{column}, '')) from {self.rows([column])}"
        row = self.connection.execute(query).fetchone()
        return bool(row and row[0])

    def looked_at(self, width: int) -> list[tuple[Any, ...]]:
        """Return the rows that tell what columns are: of large tables all rows of some units.

        Before the cells of each is its number, from 0.
        """
        columns = [f"c{column}" for column in range(width)]
        counted = ", ".join(["count(*)", *(f"approx_count_distinct({column})" for column in columns)])
        found = self.connection.execute(f"select {counted} from {self.rows(range(width))}")
        ((rows, *distinct),) = found.fetchall()
        units, one_in = which_rows(rows, distinct)
        chosen = "" if units is None else f" where hash(trim(c{units})) % {one_in} = 0"
        query = (
            f"select {ORD}, {', '.join(columns)} from {self.numbered_rows(width)}{chosen} limit {HEAD_ROWS}"
        )
        return self.connection.execute(query).fetchall()

    def _large(self, header: Sequence[str], body: Iterable[Sequence[object]], written: str) -> StringTable:
        texts = [["" if cell is None else str(cell) for cell in row] for row in body]
        head = table_of(self.file, [(0, list(header)), *((0, cells) for cells in texts)], written)
        return replace(head, count_lines=lambda: [0], unique=self.is_unique)


def _filled(used: Iterable[int]) -> str:
    return " or ".join(f"coalesce(c{column}, '') <> ''" for column in used)


# Text


@contextmanager
def as_text() -> Iterator[None]:
    """Raise Unreadable where DuckDB does not understand a text."""
    import duckdb

    try:
        yield
    except (duckdb.InvalidInputException, duckdb.ConversionException):
        raise Unreadable from None


class CsvSource(DataSource):
    """A CSV or TSV file, which is read once, into a table of the columns that are needed.

    Rows of one of `many` are laid down together with those of others, and need no table of their own.
    """

    def __init__(self, connection: "Connection", file: ExportFile, *, many: bool = False) -> None:
        """Take a file, named in errors, that an open connection reads."""
        super().__init__(connection, file)
        self.many = many

    def table(self) -> StringTable:
        """Return the header and the rows that are looked at; raise Unreadable for what DuckDB may misread."""
        _require_plain(self.file)
        head = _head(self.file)
        self.delimiter = delimiter(head)
        header, *body = rows(head, self.delimiter, HEAD_ROWS + 1) or [[]]
        names = [name.strip() for name in header if name.strip()]
        if not header or {len(header), *map(len, body)} != {len(header)} or len({*names}) < len(names):
            raise Unreadable
        if is_ours(list(map(str.strip, header))):
            raise Unreadable
        self.width, places = len(header), [*range(len(body))]
        if len(body) >= HEAD_ROWS:
            with as_text():
                found = self.looked_at(self.width)
            body = [["" if cell is None else cell for cell in cells] for _, *cells in found]
            places = [place for place, *_ in found]
        numbered = [*enumerate([header, *body], 1)]
        written = f"{DELIMITER_NAMES[self.delimiter]}-separated, UTF-8"
        table = table_of(self.file, numbered, written, AS_FOUND)
        # A table that has to be mended is read in memory.
        if table.mended != Mended() or table.header != tuple(name.strip() for name in header):
            raise Unreadable
        # Nothing that outlives the connection may hold it.
        file, mark = self.file, self.delimiter

        def lines() -> list[int]:
            return [line for line, _ in numbered_rows(file.text, mark)]

        read = np.array(places, np.int64) + 1
        return replace(table, rows=read[table.rows - 1], count_lines=lines, unique=self.is_unique)

    def rows(self, used: Iterable[int]) -> str:  # noqa: ARG002 - the whole text is read
        """Return SQL that reads the file, everything as text; rows have no number there."""
        types = ", ".join(f"c{column}: 'VARCHAR'" for column in range(self.width))
        options = (
            f"auto_detect = false, header = true, delim = {literal(self.delimiter)}, quote = '\"', "
            f"escape = '\"', columns = {{{types}}}, strict_mode = true"
        )
        return f"read_csv({literal(str(self.file.path))}, {options})"

    def numbered_rows(self, width: int) -> str:
        """Return SQL for all columns, and the row's number as `ord`."""
        return f"(select row_number() over () - 1 as {ORD}, * from {self.rows(range(width))})"

    def relation(self, number: int, used: Sequence[int]) -> str:
        """Return SQL for the table into which the file is read."""
        columns = ", ".join(f"c{column}" for column in used)
        filled = _filled([*used, *(column for column in range(self.width) if column not in used)])
        texts = f"{columns}, {filled} as {FILLED} from {self.rows(used)}"
        if self.many:
            return f"(select row_number() over () - 1 as {ORD}, {texts})"
        with as_text():
            self.connection.execute(f"create temp table csv{number} as select {texts}")
        return f"(select rowid as {ORD}, * from csv{number})"


def _require_plain(file: ExportFile) -> None:
    """Raise Unreadable for what DuckDB takes otherwise than we do.

    That is NUL, a blank first line, blanks before a quotation mark, and any encoding but UTF-8.
    """
    if not file.path.stat().st_size:
        raise Unreadable
    with file.path.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as content:
        start = content[:4]
        first = content[3:4] if start.startswith(BYTE_ORDER_MARK) else start[:1]
        spaced = content.find(b' "') >= 0 and re.search(rb'(?:[,;|\t\r\n]|\A) +"', content)
        if start.startswith(OTHER_MARKS) or first in {b"\n", b"\r"} or content.find(b"\0") >= 0 or spaced:
            raise Unreadable


def _head(file: ExportFile) -> str:
    """Return the first rows of the file as text; raise Unreadable where it is not Unicode."""
    with file.path.open("rb") as opened:
        head = opened.read(HEAD_BYTES)
        if opened.read(1):
            # The last row of these may be cut in two, and so may one with line breaks in quotation marks.
            end = head.rfind(b"\n") + 1
            while end > 0 and head.count(b'"', 0, end) % 2:
                end = head.rfind(b"\n", 0, end - 1) + 1
            head = head[:end]
    try:
        return decode(head, file.name)
    except BadInput:
        # In memory its encoding may be found.
        raise Unreadable from None


# Parquet files and databases


class QueriedSource(DataSource):
    """Rows that DuckDB reads by itself.

    `name` is their relation, `numbered` the same where `row`, the number of a row, is known.
    """

    name: str
    numbered: str
    row: str
    written: str

    def table(self) -> StringTable:
        """Return the header and the first rows."""
        described = self.connection.execute(f"describe select * from {self.name}").fetchall()
        self.header = [str(name) for name, *_ in described]
        self.types = [str(kind) for _, kind, *_ in described]
        body = (cells for _, *cells in self.looked_at(len(self.header)))
        return self._large(self.header, body, self.written)

    def rows(self, used: Iterable[int]) -> str:
        """Return SQL that reads the rows."""
        return f"(select {self.row} as {ORD}, {self._texts(used)} from {self.numbered})"

    def _texts(self, used: Iterable[int]) -> str:
        return ", ".join(f"{quoted(self.header[column])}::varchar as c{column}" for column in used)


# What a Parquet file tells of each column: its values, the missing ones, the first and the last of all.
TOLD = (
    "path_in_schema, sum(num_values), "
    "case when bool_and(stats_null_count is not null) then sum(stats_null_count) end, "
    "case when bool_and(stats_min_value is not null) then min(stats_min_value) end, "
    "case when bool_and(stats_max_value is not null and coalesce(max_is_exact, true)) "
    "then max(stats_max_value) end"
)


class ParquetSource(QueriedSource):
    """Parquet files of one header, whose rows follow one another in the order of the files."""

    written = "Parquet"

    def __init__(self, connection: "Connection", files: Sequence[ExportFile]) -> None:
        """Take the files; the first is named in errors."""
        super().__init__(connection, files[0])
        self.paths = [str(file.path) for file in files]
        self.listed = listed(map(literal, self.paths))
        self.files = files
        self.name = f"read_parquet({self.listed})"
        self.numbered = f"read_parquet({self.listed}, file_row_number = true)"

    def relation(self, number: int, used: Sequence[int]) -> str:
        """Return SQL for some columns; raise BadInput where a file has other values in them than it says."""
        for file in self.files:
            self._require_whole(file, [self.header[column] for column in used])
        return super().relation(number, used)

    def _require_whole(self, file: ExportFile, names: Sequence[str]) -> None:
        """Raise BadInput where a column has not the values that the file's own statistics tell of.

        A damaged page is read as empty values, or as others; few files have checksums of their pages.
        """
        path = literal(str(file.path))
        told = self.connection.execute(f"select {TOLD} from parquet_metadata({path}) group by all").fetchall()
        for name, values, missing, least, most in told:
            if name not in names:
                continue
            # Computed, or DuckDB answers from these very statistics.
            text = f"{quoted(name)}::varchar || ''"
            found = f"select count(*), count(*) filter ({text} is null), min({text}), max({text})"
            rows, *other, low, high = self.connection.execute(
                f"{found} from read_parquet({path})"
            ).fetchall()[0]
            is_text = self.types[self.header.index(name)] == "VARCHAR" and low is not None
            if (
                rows != values
                or missing not in (None, *other)
                or (is_text and ((least or "") > low or (most is not None and high > most)))
            ):
                message = "is damaged: it has other values in this column than it says at its end."
                raise file.refused(message, "Write it again.", key=f"column {name}")

    @property
    def row(self) -> str:  # type: ignore[override]
        """SQL for the number of a row, which counts those of the files before."""
        if len(self.paths) == 1:
            return "file_row_number + 0"
        query = f"select file_name, num_rows from parquet_file_metadata({self.listed})"
        sizes = dict(self.connection.execute(query).fetchall())
        before = accumulate((sizes[path] for path in self.paths[:-1]), initial=0)
        return f"file_row_number + {listed(map(str, before))}[file_index::bigint + 1]"


class DuckDBSource(QueriedSource):
    """A table of a DuckDB database, or a view in it."""

    written = "table of a DuckDB database"

    def __init__(self, connection: "Connection", file: ExportFile, table: str | None) -> None:
        """Take a table by its name, the only one where none is named."""
        super().__init__(connection, file)
        connection.execute(f"attach {literal(str(file.path))} as source (read_only)")
        tables = connection.execute(
            "select schema_name, table_name, true from duckdb_tables() where database_name = 'source' "
            "union all select schema_name, view_name, false from duckdb_views() "
            "where database_name = 'source' and not internal order by all"
        ).fetchall()
        names = {row[1] if row[0] == "main" else f"{row[0]}.{row[1]}": row for row in tables}
        schema, name, has_rows = names[_chosen(file, table, list(names))]
        self.name = self.numbered = f"source.{quoted(schema)}.{quoted(name)}"
        self.row = "rowid" if has_rows else "row_number() over () - 1"


class SQLiteSource(DataSource):
    """A table of an SQLite database, or a view in it, which Python reads for DuckDB."""

    def __init__(self, connection: "Connection", file: ExportFile, table: str | None) -> None:
        """Take a table by its name, the only one where none is named."""
        super().__init__(connection, file)
        query = "select name from sqlite_master where type in ('table', 'view') and name not like 'sqlite_%'"
        self.chosen = _chosen(file, table, sorted(name for (name,) in self._read(query)))
        self.loaded: dict[tuple[int, ...], str] = {}

    def _read(self, query: str) -> Iterator[Sequence[Any]]:
        address = f"{self.file.path.resolve().as_uri()}?mode=ro"
        try:
            with closing(sqlite3.connect(address, uri=True)) as database:
                yield from database.execute(query)
        except (sqlite3.Error, UnicodeDecodeError):  # what SQLite quotes of a damaged schema may be no text
            message = "can't be read: it is damaged, or has views of what is not there."
            raise self.file.refused(message, "Check that it is complete.") from None

    def table(self) -> StringTable:
        """Return the header and the first rows."""
        self.header = [str(name) for _, name, *_ in self._read(f"pragma table_info({quoted(self.chosen)})")]
        body = self._texts(range(len(self.header)), HEAD_ROWS)
        return self._large(self.header, body, "table of an SQLite database")

    def _texts(self, used: Iterable[int], most: int = -1) -> Iterator[Sequence[Any]]:
        columns = ", ".join(f"cast({quoted(self.header[column])} as text)" for column in used)
        return self._read(f"select {columns} from {quoted(self.chosen)} limit {most}")

    def rows(self, used: Iterable[int]) -> str:
        """Return SQL for a table into which the columns are copied."""
        columns = tuple(used)
        if columns not in self.loaded:
            name = self.loaded[columns] = f"sqlite{len(self.loaded)}"
            types = ", ".join(f"c{column} varchar" for column in columns)
            self.connection.execute(f"create temp table {name} ({types})")
            selected = ", ".join("unnest(?::varchar[])" for _ in columns)
            texts = iter(self._texts(columns))
            while batch := list(islice(texts, SQLITE_ROWS)):
                of_columns = [list(column) for column in zip(*batch, strict=True)]
                self.connection.execute(f"insert into {name} select {selected}", of_columns)
        return f"(select rowid as {ORD}, * from {self.loaded[columns]})"


def _chosen(file: ExportFile, table: str | None, tables: Sequence[str]) -> str:
    """Return the table that is asked for, or the only one; raise BadInput where there is none such."""
    if table is None and len(tables) == 1:
        return tables[0]
    if table in tables:
        return str(table)
    message = f'has no table "{table}".' if table else f"has {len(tables)} tables, and none is named."
    remedy = did_you_mean(table or "", tables) if tables else "Name a database with labels."
    raise file.refused(message, remedy, key="table")


def kind_of(file: ExportFile) -> str:
    """Return what a file is by its first bytes: "parquet", "duckdb", "sqlite", else "text"; several ask."""
    known = vars(file)
    if "kind" not in known:
        known["kind"] = _kind_of(file)
    kind: str = known["kind"]
    return kind


def _kind_of(file: ExportFile) -> str:
    try:
        with file.path.open("rb", buffering=0) as opened:
            start = opened.read(len(SQLITE))
    except OSError:
        return "text"  # said by whoever reads it
    if start.startswith(PARQUET):
        return "parquet"
    if start == SQLITE:
        return "sqlite"
    return "duckdb" if start[DUCKDB_PLACE:].startswith(DUCKDB) else "text"
