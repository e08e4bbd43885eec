"""What all rooms know: the version, the languages of reports, and the engines that count tables.

The counts of all engines are the same bytes. How an engine reads is in `reportgen/readers/engine/`.
"""

from collections.abc import Mapping

from reportgen.base.dataclass import dataclass

# The package's own version is read here too.
__version__ = "1.0.0"
# The format of all files that are public: campaign.toml, results.json and its siblings, counts. What is only
# added keeps the number; every number that was released is read (docs/stability.md).
FORMAT = 1
# The entry-point group of readers that other packages bring.
READERS = "reportgen.formats"


@dataclass(frozen=True)
class Language:
    """A language: what it calls itself, how it writes numbers and dates, and where its sentences end.

    - `percent` follows a number; `none_is_one` says that zero takes the singular.
    - `first` is the first day of a month in a date.
    - No sentence ends after `abbreviations` (in lower case), nor after those `before_numbers` if a number
      follows.
    """

    name: str
    percent: str = "\N{NO-BREAK SPACE}%"
    none_is_one: bool = False
    first: str = "1"
    abbreviations: str = ""
    before_numbers: str = ""


LANGUAGES: Mapping[str, Language] = {
    "en": Language(
        "English",
        percent="%",
        abbreviations=(
            "al approx apr ca capt cf col dr e.g gen i.e jr lt mr mrs ms mt prof rev sen sgt sp spp sr st "
            "subsp viz vs"
        ),
        before_numbers="art ch chap eq eqs fig figs no nos p par pp sec sect tab vol vols",
    ),
    "fr": Language(
        "Français",
        none_is_one=True,
        # An ordinal, which the patterns of dates do not know.
        first="1er",
        abbreviations="al apr av cf col dr env ex mgr mlle mm mme mr pr prof resp st ste",
        before_numbers="art ch chap fig n p par pp sect tab vol éq",
    ),
}


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
