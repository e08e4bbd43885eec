"""The engines that read and count tables of labels, and where they find them: each is declared here.

The counts of all engines are the same bytes. How an engine reads is in `reportgen/readers/engine/`.
"""

from reportgen.base.dataclass import dataclass

ADDRESS = "://"


@dataclass(frozen=True)
class TableEngine:
    """An engine as users choose it.

    - `about`: what it does, as the help of `--engine` says it.
    - `catalogues`: schemes of addresses under which it keeps tables; `stores`: schemes under which it reads
      files.
    - `has_lines`: it reads files that are here, whose lines messages can name.
    """

    name: str
    about: str
    catalogues: frozenset[str] = frozenset()
    stores: frozenset[str] = frozenset()
    has_lines: bool = True


MEMORY = TableEngine("memory", "reads the table in memory")
DUCKDB = TableEngine("duckdb", "reads tables of any size on this machine")
SPARK = TableEngine(
    "spark",
    "reads and counts where the data are",
    catalogues=frozenset({"spark", "pyspark"}),
    stores=frozenset({"abfss", "gs", "hdfs", "s3a"}),
    has_lines=False,
)
ENGINES = {engine.name: engine for engine in (MEMORY, DUCKDB, SPARK)}
# Databases whose tables are counted where they are, in the dialect that Ibis writes for them.
DATABASES = frozenset(
    (
        *("bigquery", "clickhouse", "databricks", "exasol", "impala", "mssql", "mysql", "oracle", "postgres"),
        *("postgresql", "risingwave", "snowflake", "trino"),
    )
)
# Of these, those that can't list the labels of a unit: Ibis can't write the expression for them.
WITHOUT_LISTS = frozenset(("exasol", "impala", "mssql", "mysql", "oracle"))


def is_address(text: str) -> bool:
    """Tell whether a source is written as an address, and not as the name of a file."""
    return ADDRESS in text


def is_server(address: str) -> bool:
    """Tell whether an address is that of a database or a store elsewhere.

    Any other address may be that of a file outside of the campaign's folder, which nobody else's campaign
    may read.
    """
    scheme, sign, _ = address.partition(ADDRESS)
    known = DATABASES.union(*(engine.catalogues | engine.stores for engine in ENGINES.values()))
    return bool(sign) and scheme.lower() in known
