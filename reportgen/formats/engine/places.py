"""Where Ibis finds labels: a table of a database by its address, and what Spark reads."""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from reportgen.errors import BadInput, Problem, did_you_mean
from reportgen.formats.engine.elsewhere import IbisSource
from reportgen.formats.engine.sources import CsvSource, ParquetSource, kind_of
from reportgen.formats.reader import ExportFile, ReadOptions

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SPARK = "spark"
SCHEME = "://"
# The catalogue of Spark is a database of its own.
CATALOGUES = {"spark", "pyspark"}
SETTINGS = {"spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}
INSTALL = 'Install it: pip install "reportgen[engines]".'
JAVA = "Install Java 17 or later (Debian: apt-get install openjdk-17-jre-headless), or set JAVA_HOME."
# Errors of ours and of Python's own are no refusals.
OURS = {"builtins", "reportgen"}


def is_address(text: str) -> bool:
    """Say whether a source is the address of a database, and no file."""
    return SCHEME in text


@contextmanager
def at_address(
    connection: "DuckDBPyConnection", file: ExportFile, options: ReadOptions
) -> Iterator[IbisSource]:
    """Yield the table of a database, or what Spark reads at an address; `file` is named in errors."""
    address, table = options.database or "", options.table
    if urlsplit(address).scheme in CATALOGUES:
        yield IbisSource(connection, file, _table(_spark(), file, table))
    elif options.engine.name == SPARK:
        yield IbisSource(connection, file, _of_frame(_session().read.parquet(address)))
    else:
        place = _connected(address, file)
        try:
            yield IbisSource(connection, file, _table(place, file, table))
        finally:
            place.disconnect()


def _connected(address: str, file: ExportFile) -> Any:  # noqa: ANN401 - Ibis is imported where it is needed
    import ibis

    try:
        return ibis.connect(address)
    except ValueError:
        message = f'lies in a database that Ibis does not know: "{urlsplit(address).scheme}".'
        mend = "Write an address such as postgres://host/campaign."
        raise BadInput([Problem(file.name, message=message, mend=mend)]) from None


def read_by_spark(
    connection: "DuckDBPyConnection", files: Sequence[ExportFile], options: ReadOptions
) -> IbisSource:
    """Return the rows of files of one header, which Spark reads."""
    paths = [f"file://{each.path.resolve()}" for each in files]
    if options.path is not None:
        raise BadInput([_refused(files[0], "has names in its path, which Spark does not read.")])
    if kind_of(files[0]) == "parquet":
        known = ParquetSource(connection, files).table()
        return IbisSource(connection, files[0], _of_frame(_session().read.parquet(*paths)), known)
    if kind_of(files[0]) != "text":
        raise BadInput([_refused(files[0], "is a database, which Spark does not read.")])
    sources = [CsvSource(connection, each) for each in files]
    known, *others = [each.table() for each in sources]
    problems = [
        _refused(each.file, "has another header than the files before.")
        for each in others
        if each.header != known.header
    ]
    if problems:
        raise BadInput(problems)
    frame = _session().read.csv(
        paths, sep=sources[0].delimiter, header=True, quote='"', escape='"', multiLine=True
    )
    return IbisSource(connection, files[0], _of_frame(frame), known)


def _refused(file: ExportFile, message: str) -> Problem:
    return Problem(file.name, message=message, mend='Leave out engine = "spark".')


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


def _table(place: Any, file: ExportFile, table: str | None) -> Any:  # noqa: ANN401
    """Return a table by its name, "schema.name" too; raise BadInput where there is none such."""
    if table is None:
        raise BadInput([Problem(file.name, key="table", message="no table is named.", mend="Name one.")])
    from ibis.common.exceptions import TableNotFound

    *schema, name = table.rsplit(".", 1)
    where = schema[0] if schema else None
    try:
        return place.table(name, database=where)
    except TableNotFound:
        known: list[str] = []
        with suppress(Exception):  # not every place lists its tables
            known = place.list_tables(database=where)
        message, mend = f'has no table "{table}".', did_you_mean(name, known) or "Check its name."
        raise BadInput([Problem(file.name, key="table", message=message, mend=mend)]) from None


@contextmanager
def spoken_to(name: str) -> Iterator[None]:
    """Raise BadInput where Ibis is not there, or refuses: a wrong address, no leave, no Java."""
    try:
        with warnings.catch_warnings():
            # What Ibis and Spark do with other libraries is nothing that the user could do otherwise.
            for kind in (DeprecationWarning, FutureWarning):
                warnings.simplefilter("ignore", kind)
            yield
    except ImportError as error:
        message = f"needs {error.name or 'Ibis'}, which is not installed."
        raise BadInput([Problem(name, message=message, mend=INSTALL)]) from None
    except Exception as error:
        if type(error).__module__.partition(".")[0] in OURS:
            raise
        said = str(error).strip().splitlines()
        message = f"can't be counted there: {said[0] if said else type(error).__name__}"
        mend = JAVA if "JAVA" in message else "Check the address, and that you may read there."
        raise BadInput([Problem(name, message=message, mend=mend)]) from None
