"""The query that counts a table where it lies, as a place reads it: it is shown, none is sent."""

from importlib import import_module

from reportgen.base.engines import SPARK, WITHOUT_LISTS
from reportgen.base.errors import refused
from reportgen.readers.engine.duck import DataSource, QueriedSource
from reportgen.readers.engine.labels import LaidSheet
from reportgen.readers.engine.remote import COUNTING, IbisSource, known
from reportgen.readers.reader import ReaderOptions

# What Ibis calls those that we call otherwise.
COMPILERS = {"postgresql": "postgres", SPARK.name: "pyspark"}


def sql_of(source: DataSource, sheet: LaidSheet, dialect: str, options: ReaderOptions) -> str:
    """Return the SQL, in some dialect, that counts a table; raise BadInput for a dialect that can't.

    It asks how many units of a document have the same labels by the same annotators. Where these kinds are
    very many, sums over units are asked for in its place.
    """
    import ibis
    from ibis.backends.sql.datatypes import DuckDBType

    if dialect not in (*COUNTING, SPARK.name):
        message = f'"{dialect}" is not a place that counts tables.'
        if dialect in WITHOUT_LISTS:
            message = f'"{dialect}" can\'t list the labels of a unit.'
        raise refused("--show-sql", message=message, remedy=known(dialect, sorted([*COUNTING, SPARK.name])))
    if isinstance(source, IbisSource):
        columns = dict(source.expression.schema())
    else:
        kinds = source.types if isinstance(source, QueriedSource) else ["VARCHAR"] * len(sheet.table.header)
        columns = dict(zip(sheet.table.header, map(DuckDBType.from_string, kinds), strict=False))
    *schema, name = (options.table or source.file.path.stem).rsplit(".", 1)
    table = ibis.table(columns, name=name, database=schema[0] if schema else None)
    place = COMPILERS.get(dialect, dialect)
    own = IbisSource(source.connection, source.file, table, dialect=place)
    compiler = import_module(f"ibis.backends.sql.compilers.{place}").compiler
    text: str = compiler.to_sqlglot(own.alike(sheet)).sql(compiler.dialect, pretty=True)
    return text
