"""The queries that count a table where it lies, as a place reads them: they are shown, none is sent."""

from importlib import import_module

from reportgen.base.engines import SPARK, WITHOUT_LISTS
from reportgen.base.errors import refused
from reportgen.readers.document_groups import GROUPS_BESIDE_PRODUCTS
from reportgen.readers.engine.duck import DataSource, QueriedSource
from reportgen.readers.engine.labels import LaidSheet
from reportgen.readers.engine.remote import COUNTING, IbisSource, known
from reportgen.readers.engine.sums import (
    Codebook,
    are_summable,
    kinds_of,
    profiles_of,
    sums_of,
    tables_of,
    units_of,
)
from reportgen.readers.reader import ReaderOptions

# What Ibis calls those that we call otherwise.
COMPILERS = {"postgresql": "postgres", SPARK.name: "pyspark"}
# What each query says, where there are several.
ALIKE = "How many units of a document have the same labels by the same annotators."
KINDS = "How many kinds of units there are, how many documents, and whether somebody labelled a unit twice."
SUMS = "In place of the first, where these kinds are very many: how often each two labels meet."
ALONE = "How many kinds of units there are, how many lists of labels, and whether any is labelled twice."
PROFILES = "In place of the first, where these kinds are very many: how many units have which labels."
TABLES = "Beside that: on how many units every two annotators gave which two labels."
CODES = "Codes are those of names in the first rows here, and of the whole table where it is counted."


def sql_of(source: DataSource, sheet: LaidSheet, dialect: str, options: ReaderOptions) -> str:
    """Return the SQL, in some dialect, that counts a table; raise BadInput for a dialect that can't."""
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
    queries = {ALIKE: own.alike(sheet)}
    if are_summable(sheet, options):
        codes, alone = Codebook.of_head(sheet), sheet.layout.document is None
        units = units_of(own, sheet, codes, alone=alone)
        queries[f"{ALONE if alone else KINDS}\n-- {CODES}"] = kinds_of(units)
        if alone:
            queries |= {PROFILES: profiles_of(units), TABLES: tables_of(units)}
        else:
            queries[SUMS] = sums_of(own, units, GROUPS_BESIDE_PRODUCTS, len(codes.label))
    written = []
    for about, query in queries.items():
        text = compiler.to_sqlglot(query).sql(compiler.dialect, pretty=True)
        written.append(f"-- {about}\n{text};" if len(queries) > 1 else text)
    return "\n\n".join(written)
