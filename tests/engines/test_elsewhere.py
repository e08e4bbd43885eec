"""Counts are the same, byte for byte, whoever counts: DuckDB, and by `make engines` Spark and PostgreSQL."""

import json
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import duckdb
import pytest

from reportgen.base import DATABASES, WITHOUT_LISTS
from reportgen.base.errors import BadInput
from reportgen.pipeline.build import build_site
from reportgen.pipeline.counting import CountRequest, CountSummary, count_table
from reportgen.readers import Engine, ReaderOptions, read_export
from reportgen.readers.engine.places import CsvSource
from reportgen.readers.engine.queries import (
    VIEWED,
    Codebook,
    IbisSource,
    LaidSheet,
    TableSizes,
    ibis_refusals,
    kinds_of,
    profiles_of,
    sums_of,
    tables_of,
    units_of,
)
from reportgen.readers.reader import ExportFile
from reportgen.readers.string_tables import StringTable, table_of
from reportgen.readers.table_columns import RatingsTableLayout
from tests.commands import run
from tests.engines.tables import SHAPES, Shape, shape, write_csv, write_duckdb, write_parquet, write_sqlite
from tests.slowly import slow_but

Counted = tuple[CountSummary, dict[str, bytes]]
# An annotator gave a unit different labels, and only an order of rows says which came first.
UNORDERED = {"given again", "some annotators"}


def counted(
    table: Shape,
    out: Path,
    files: list[Path],
    /,
    **reading: Any,  # noqa: ANN401 - as ReadOptions has them
) -> Counted:
    options = ReaderOptions(
        set_separator=table.separator, missing=table.missing, annotators=table.annotators or None, **reading
    )
    scale: Any = table.scale
    account = count_table(CountRequest(files, options, scale, table.categories, table.non_annotated), out)
    return replace(account, reading=""), {each.name: each.read_bytes() for each in sorted(out.iterdir())}


def on_duckdb(table: Shape, folder: Path) -> Counted:
    address = f"duckdb://{write_duckdb(table, folder / 'labels.duckdb')}"
    return counted(table, folder / "out", [], database=address, table="labels")


def on_postgres(table: Shape, folder: Path) -> Counted:
    import psycopg

    address = os.environ["REPORTGEN_POSTGRES"]
    columns = ", ".join(f'"{each}" text' for each in table.header)
    marks = ", ".join("nullif(%s, '')" for _ in table.header)
    with psycopg.connect(address) as connection:
        connection.execute("drop table if exists labels")
        connection.execute(f"create table labels ({columns})")
        connection.cursor().executemany(
            f"insert into labels values ({marks})", [list(row) for row in table.rows]
        )
    return counted(table, folder / "out", [], database=address, table="public.labels")


def on_spark(write: Callable[[Shape, Path], Path]) -> Callable[[Shape, Path], Counted]:
    def count(table: Shape, folder: Path) -> Counted:
        return counted(table, folder / "out", [*_files(write(table, folder))], engine=Engine("spark"))

    return count


def _files(path: Path) -> list[Path]:
    return sorted(path.iterdir()) if path.is_dir() else [path]


# Sockets of its own are left open by Spark.
SPARK = [
    pytest.mark.elsewhere,
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
PLACES = [
    pytest.param(on_duckdb, id="duckdb"),
    pytest.param(on_postgres, id="postgres", marks=pytest.mark.elsewhere),
    *(
        pytest.param(on_spark(write), id=f"spark, {name}", marks=SPARK)
        for name, write in {
            "csv": lambda table, to: write_csv(table, to / "labels.csv"),
            "parquet": lambda table, to: write_parquet(table, to / "labels.parquet"),
            "several": lambda table, to: write_parquet(table, to / "parts", 4),
        }.items()
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    "name",
    slow_but(
        SHAPES, "two passes, documents", "wide, documents", "sets", "faulty", "given again", "non-annotated"
    ),
)
def test_bytes_counted_elsewhere(name: str, place: Callable[[Shape, Path], Counted], tmp_path: Path) -> None:
    table = shape(name)
    csv = write_csv(table, tmp_path / "here.csv")
    if name in UNORDERED:
        with pytest.raises(BadInput, match=r"no row comes before another there\. Name a column"):
            place(table, tmp_path)
        return
    assert place(table, tmp_path) == counted(table, tmp_path / "here", [csv], engine=Engine("memory"))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("of", ["documents", "groups", "units"])
def test_the_same_sums_are_counted_elsewhere(
    of: str,
    place: Callable[[Shape, Path], Counted],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in ("counts.export", "readers.engine.queries"):
        for decided in ("are_too_various", "are_too_various_alone"):
            monkeypatch.setattr(f"reportgen.{module}.{decided}", lambda *_: True)
    if of == "groups":
        monkeypatch.setattr("reportgen.readers.counted.MOST_DOCUMENTS", 3)
        monkeypatch.setattr("reportgen.readers.counted.MOST_LABELS", 3)
    every = shape("long, documents")
    columns = 3 if of == "units" else 4
    table = Shape(every.header[:columns], [row[:columns] for row in every.rows if row[-1]])
    csv = write_csv(table, tmp_path / "here.csv")
    expected = counted(table, tmp_path / "here", [csv], engine=Engine("memory"))
    monkeypatch.setattr(IbisSource, "alike", None)
    assert place(table, tmp_path) == expected
    kept = b'"paired": true' if of == "units" else b'"summed": true'
    assert kept in expected[1]["counts.json"]


@pytest.mark.parametrize("place", PLACES)
def test_signs_of_sql_are_texts(place: Callable[[Shape, Path], Counted], tmp_path: Path) -> None:
    odd = ["a|b:c", "50%", "%7C", "it's", 'say "x"', "back\\slash", "\\n", "{}", "zoë🙂", "--", "$1", "?"]
    rows = [
        [f"{unit}'{label}", who, label, f"d\\{label}"]
        for unit in range(3)
        for label in odd
        for who in (label, "b|:%")
    ]
    table = Shape(("item", "worker", "label", "document"), rows)
    csv = write_csv(table, tmp_path / "here.csv")
    assert place(table, tmp_path) == counted(table, tmp_path / "here", [csv], engine=Engine("memory"))


@pytest.mark.elsewhere
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("name", ["two passes, documents", "wide, rows are units", "sets"])
def test_a_campaign_counted_by_spark_has_the_results_of_its_counts(name: str, tmp_path: Path) -> None:
    table = shape(name)
    folder = tmp_path / "c"
    exports = write_parquet(table, _made(folder) / "labels.parquet").name
    _campaign(folder, table, f'exports = "{exports}"\nengine = "spark"')
    _campaign(_made(tmp_path / "d"), table, 'exports = "counts"')
    counted(table, tmp_path / "d" / "counts", [folder / exports], engine=Engine("duckdb"))
    assert _unit_sets(folder, tmp_path / "site") == _unit_sets(tmp_path / "d", tmp_path / "site-of-counts")


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _campaign(folder: Path, table: Shape, exports: str) -> None:
    lines = [
        'title = "T"',
        "[task]",
        f'scale = "{table.scale}"',
        "[[guidelines]]",
        'version = "1.0"',
        exports,
    ]
    if table.separator and "counts" not in exports:
        lines.append(f'set_separator = "{table.separator}"')
    text = "\n".join([*lines, ""])
    (folder / "campaign.toml").write_text(text, encoding="utf-8")


def _unit_sets(folder: Path, site: Path) -> Any:  # noqa: ANN401 - as JSON has them
    build_site([folder], site)
    return _results(site / folder.name)["unit_sets"]


def _results(folder: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((folder / "1.0" / "results.json").read_text(encoding="utf-8"))
    return content


@pytest.fixture
def any_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a campaign name DuckDB's address, which stands here for that of a server."""
    monkeypatch.setattr("reportgen.base.DATABASES", DATABASES | {"duckdb"})


@pytest.mark.slow
@pytest.mark.usefixtures("any_address")
def test_a_bundle_with_exports_refuses_an_address_which_may_have_a_password(tmp_path: Path) -> None:
    table = shape("long, documents")
    database = write_duckdb(table, tmp_path / "secret.duckdb")
    folder = _made(tmp_path / "c")
    _campaign(folder, table, f'exports = {{ table = "labels", database = "duckdb://{database}" }}')
    result = run("bundle", folder, "1.0", "--out", tmp_path / "attached", "--with-exports")
    assert result.exit_code == 2
    assert "campaign.toml:6: guidelines.1.exports: is an address: what is there can't be attached." in (
        result.stderr
    )
    assert not (tmp_path / "attached").exists()
    assert run("bundle", folder, "1.0", "--out", tmp_path / "bundle").exit_code == 0
    written = [each.read_bytes() for each in (tmp_path / "bundle").rglob("*") if each.is_file()]
    assert not [each for each in written if b"secret" in each]


@pytest.mark.parametrize("place", ["duckdb://{}", "file://{}", "csv://{}", "DuckDB://{}", "://{}"])
def test_a_campaign_names_no_address_of_a_file(place: str, tmp_path: Path) -> None:
    outside = place.format(write_duckdb(shape("long"), tmp_path / "outside.duckdb"))
    _campaign(
        _made(tmp_path / "c"), shape("long"), f'exports = {{ table = "labels", database = "{outside}" }}'
    )
    _campaign(
        _made(tmp_path / "d"), shape("long"), f'exports = "."\ntable = "labels"\ndatabase = "{outside}"'
    )
    for folder, where in (("c", "6: guidelines.1.exports"), ("d", "8: guidelines.1.database")):
        result = run("build", tmp_path / folder, "--out", tmp_path / "site")
        assert result.exit_code == 2
        assert f"{folder}/campaign.toml:{where}: is not the address of a database server." in result.stderr
        assert "1 problem; nothing was written." in result.stderr
        assert not (tmp_path / "site").exists()


def test_what_is_wrong_elsewhere_is_said_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = write_duckdb(shape("long"), tmp_path / "a.duckdb", "votes")
    csv = write_csv(shape("long"), tmp_path / "a.csv")
    cases: list[tuple[list[str | Path], str]] = [
        ([f"duckdb://{database}", "--table", "vote"], 'has no table "vote".'),
        ([f"duckdb://{database}"], "no table is named."),
        (
            ["sqlite:///a.sqlite", "--table", "votes"],
            "Name the file itself, without sqlite://: DuckDB reads it.",
        ),
        (
            ["mysql://me@host/a", "--table", "votes"],
            "is in a database that can't list the labels of a unit, mysql.",
        ),
        (["trino://me@host/a", "--table", "v"], 'Install it: pip install "ibis-framework[trino]".'),
        (["nobase://a/b", "--table", "votes"], 'lies in a database that is not counted: "nobase".'),
        (["trinoo://a/b", "--table", "votes"], 'Did you mean "trino"?'),
        (["flink://a/b", "--table", "votes"], 'lies in a database that is not counted: "flink".'),
        ([f"duckdb://{database}", csv], "is the address of one of several sources."),
        ([database, "--engine", "spark", "--table", "votes"], "is a database, which Spark does not read."),
    ]
    for arguments, said in cases:
        result = run("count", *arguments, "--out", tmp_path / "counts")
        assert (result.exit_code, said in result.stderr) == (2, True), (said, result.stderr)
        assert not (tmp_path / "counts").exists()
    monkeypatch.setitem(sys.modules, "ibis", None)
    result = run("count", f"duckdb://{database}", "--table", "votes", "--out", tmp_path / "counts")
    assert "needs ibis, which is not installed. Install reportgen with the extra" in result.stderr
    assert result.exit_code == 2


@pytest.mark.parametrize("name", sorted(DATABASES - {"postgresql"}))
def test_the_expression_is_written_for_each_database_but_those_that_are_refused(name: str) -> None:
    import ibis
    from ibis.common.exceptions import OperationNotDefinedError

    columns = ("item", "worker", "label")
    table = ibis.table(dict.fromkeys(columns, "string"), name="votes")
    source = IbisSource(duckdb.connect(), ExportFile(Path(), "votes"), table, dialect=name)
    layout = RatingsTableLayout(unit=0, document=None, passes=None, label=2, annotators=(1,))
    head = table_of(source.file, [(1, columns)], "a table")
    sheet = LaidSheet(head, layout, {}, "")
    units = units_of(source, sheet, Codebook({"ann": 0}, {"yes": 0}), in_groups=True)
    alone = units_of(source, sheet, Codebook({"ann": 0}, {"yes": 0}), alone=True)
    compiler = import_module(f"ibis.backends.sql.compilers.{name}").compiler
    if name in WITHOUT_LISTS:
        with pytest.raises(OperationNotDefinedError):
            compiler.to_sqlglot(source.alike(sheet))
    else:
        sums = sums_of(source, units, 256, 5)
        for expression in (source.alike(sheet), kinds_of(units), sums, profiles_of(alone), tables_of(alone)):
            assert "GROUP BY" in compiler.to_sqlglot(expression).sql(compiler.dialect)


def test_an_address_that_lacks_something_is_said_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import ibis

    def connect(_: str) -> None:
        raise KeyError("warehouse")

    monkeypatch.setattr(ibis, "connect", connect)
    result = run("count", "snowflake://a/b", "--table", "votes", "--out", tmp_path / "counts")
    assert "has an address that Ibis can't use for snowflake: 'warehouse'." in result.stderr


@pytest.mark.parametrize(
    "error", [ConnectionRefusedError(111, "Connection refused"), BrokenPipeError(32, "Broken pipe")]
)
def test_a_connection_that_is_lost_is_said_to_be_lost(error: OSError) -> None:
    with (
        pytest.raises(BadInput, match="votes: the connection was lost while it was counted"),
        ibis_refusals("votes"),
    ):
        raise error


def test_texts_are_refused_before_they_are_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reportgen.readers.table_refusals.MOST_LABELS", 11)
    rows = [[str(unit), who, f"{unit} {who}"] for unit in range(6) for who in ("ann", "bob")]
    table = Shape(("unit", "annotator", "label"), rows)
    named = {name: name for name in table.header}
    said = "has 12 different labels, more than 11: they are texts or names."
    for file in (write_csv(table, tmp_path / "a.csv"), write_parquet(table, tmp_path / "a.parquet")):
        for engine in ("memory", "duckdb"):
            with pytest.raises(BadInput, match=said):
                counted(table, tmp_path / "out", [file], engine=Engine(engine), columns=named)
    monkeypatch.setattr("reportgen.readers.engine.lay_alike", None)
    address = f"duckdb://{write_duckdb(table, tmp_path / 'labels.duckdb')}"
    with pytest.raises(BadInput, match=said):
        counted(table, tmp_path / "out", [], database=address, table="labels", columns=named)
    assert not (tmp_path / "out").exists()


def test_numbers_are_labels_however_many_there_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reportgen.readers.table_refusals.MOST_LABELS", 11)
    rows = [[str(unit), who, f"{unit}.{len(who)}"] for unit in range(6) for who in ("ann", "bo")]
    account, _ = on_duckdb(Shape(("unit", "annotator", "label"), rows), tmp_path)
    assert account.categories == 12


def in_the_middle(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], None]) -> None:
    """Have something happen after the first query."""
    own = IbisSource.sizes

    def sizes(self: IbisSource, sheet: LaidSheet) -> TableSizes:
        known = own(self, sheet)
        happens()
        return known

    monkeypatch.setattr(IbisSource, "sizes", sizes)


def workers() -> list[int]:
    """Return the processes in which Spark's workers run."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            command = (folder / "cmdline").read_bytes() if folder.name.isdigit() else b""
        except OSError:  # it has ended
            continue
        if b"CoarseGrainedExecutorBackend" in command:
            found.append(int(folder.name))
    return sorted(found)


@pytest.mark.elsewhere
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_spark_counts_the_same_without_a_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, killed = shape("long, documents"), list[int]()

    def kill() -> None:
        killed.append(workers()[0])
        os.kill(killed[0], signal.SIGKILL)

    in_the_middle(monkeypatch, kill)
    expected = counted(
        table, tmp_path / "here", [write_csv(table, tmp_path / "a.csv")], engine=Engine("memory")
    )
    parquet = [write_parquet(table, tmp_path / "a.parquet")]
    assert counted(table, tmp_path / "out", parquet, engine=Engine("spark")) == expected
    assert len(killed) == 1


@pytest.mark.elsewhere
def test_a_connection_that_is_cut_ends_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import psycopg

    def cut() -> None:
        with psycopg.connect(os.environ["REPORTGEN_POSTGRES"]) as connection:
            connection.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity "
                "where pid <> pg_backend_pid() and datname = current_database()"
            )

    in_the_middle(monkeypatch, cut)
    with pytest.raises(BadInput, match=r"labels: the connection was lost while it was counted"):
        on_postgres(shape("long, documents"), tmp_path)
    assert not (tmp_path / "out").exists()


HERE: dict[str, Callable[[Shape, Path], Path]] = {
    "csv": lambda table, folder: write_csv(table, folder / "labels.csv"),
    "tsv": lambda table, folder: write_csv(table, folder / "labels.tsv", "\t"),
    "parquet": lambda table, folder: write_parquet(table, folder / "labels.parquet"),
    "several": lambda table, folder: write_parquet(table, folder / "parts", 4),
    "duckdb": lambda table, folder: write_duckdb(table, folder / "labels.duckdb"),
    "sqlite": lambda table, folder: write_sqlite(table, folder / "labels.sqlite"),
}


def counted_here(
    table: Shape,
    source: Path,
    out: Path,
    **engine: Any,  # noqa: ANN401 - as Engine has them
) -> tuple[CountSummary, dict[str, bytes]]:
    reading = ReaderOptions(
        set_separator=table.separator,
        missing=table.missing,
        annotators=table.annotators or None,
        engine=Engine(**engine),
    )
    scale: Any = table.scale
    asked = CountRequest([source], reading, scale, table.categories, table.non_annotated)
    account = count_table(asked, out)
    return account, {each.name: each.read_bytes() for each in sorted(out.iterdir())}


@pytest.mark.parametrize(
    "name",
    slow_but(SHAPES, "two passes, documents", "wide, rows are units", "some annotators"),
)
def test_memory_and_duckdb_count_the_same_bytes_wherever_labels_lie(name: str, tmp_path: Path) -> None:
    table = shape(name)
    expected = counted_here(table, HERE["csv"](table, tmp_path), tmp_path / "expected", name="memory")
    assert {"counts.json", "ratings.csv", "pairs.csv", "profiles.csv", "annotators.csv"} <= expected[1].keys()
    for place, write in HERE.items():
        source = write(table, tmp_path)
        for engine in ("memory", "duckdb"):
            account, files = counted_here(table, source, tmp_path / f"{place}-{engine}", name=engine)
            written = replace(account, reading=expected[0].reading)
            assert (place, engine, written, files) == (place, engine, *expected)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHAPES)
def test_what_is_read_is_used_or_left_out(name: str, tmp_path: Path) -> None:
    table = shape(name)
    account, _ = counted_here(table, write_parquet(table, tmp_path / "labels.parquet"), tmp_path / "counts")
    assert account.read == account.used + sum(account.left_out.values())
    width = len(table.header) - len({"unit", "document"} & {*table.header})
    cells = len(table.rows) * (1 if "label" in table.header else width)
    assert account.read + account.missing == cells


def test_faulty_labels_are_counted_by_their_reasons(tmp_path: Path) -> None:
    table = shape("faulty")
    account, _ = counted_here(
        table, write_csv(table, tmp_path / "labels.csv"), tmp_path / "counts", name="duckdb"
    )
    assert account.left_out == {
        "a label that is not declared": 1,
        "a label without a unit": 3,
        "a label without an annotator": 2,
    }
    assert account.missing == 3


@pytest.mark.parametrize("name", ["two passes, documents", "given again", "wide, rows are units"])
def test_little_memory_counts_in_parts(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = shape(name)
    source = write_parquet(table, tmp_path / "labels.parquet")
    whole = counted_here(table, source, tmp_path / "whole")
    monkeypatch.setattr("reportgen.readers.engine.queries.ROW_BYTES", 2**20)
    assert counted_here(table, source, tmp_path / "parts", memory="64MB", threads=1) == whole


LONG = "item,worker,label,note\n"
ROWS = "1,ann,yes,a\n1,bob,no,b\n2,ann,yes,\n2,bob,yes,\n"
TEXTS = {
    "plain": LONG + ROWS,
    "byte order mark": "\ufeff" + LONG + ROWS,
    "line ends of Windows": (LONG + ROWS).replace("\n", "\r\n"),
    "line ends of two kinds": LONG.replace("\n", "\r\n") + ROWS,
    "no line end at the end": (LONG + ROWS).rstrip("\n"),
    "blank lines": LONG + "\n" + ROWS.replace("\n", "\n\n"),
    "a blank line first": "\n" + LONG + ROWS,
    "rows without any text": LONG + ",,,\n" + ROWS + ",,,\n3,ann,no,\n3,bob,no,\n",
    "rows with a note alone": LONG + ROWS + ",,,see above\n",
    "quotation marks": LONG + ROWS + '3,"ann","y""es","a, b\nc"\n3,bob,"y""es",\n',
    "blanks before quotation marks": LONG + ROWS + '3,ann, "yes",\n3,bob, "yes" ,\n',
    "blanks around labels": LONG + ROWS + "3,ann, yes,\n3,bob,yes ,\n",
    "semicolons": (LONG + ROWS).replace(",", ";"),
    "signs that mean nothing": LONG + "1,NULL,nan,\n1,bob,NA,\n2,NULL,\\N,\n2,bob,1.0,\n",
    "blank names of units": LONG + ROWS + " ,ann,,\n",
    "letters": LONG + "é,ann,ähm\u2028,\né,bob,🙂,\n2,ann,🙂,\n2,bob,🙂,\n",
    "a label without a unit": LONG + ROWS + ",ann,yes,\n",
    "a label without an annotator": LONG + ROWS + "3, ,yes,\n",
    "a row too short": LONG + ROWS + "3,ann\n",
    "a row too long": LONG + ROWS + "3,ann,yes,,,\n",
    "an open quotation": LONG + ROWS + '3,ann,"yes,\n',
    "text after a quotation": LONG + ROWS + '3,ann,"y"es,\n3,bob,yes,\n',
    "NUL": LONG + ROWS + "3,ann,y\0es,\n",
    "a header alone": LONG,
    "a column twice": "item,worker,label,label\n" + ROWS,
    "wide": "unit,Ann,Bob\n1,yes,no\n2,,yes\n,,\n3,no,no\n",
    "wide, rows that number themselves": ",Ann,Bob\n0,yes,no\n1,yes,yes\n",
}


def said(path: Path, engine: str, *more: Path) -> object:
    """Return all that is read, or what is wrong."""
    options = ReaderOptions(engine=Engine(engine))
    try:
        found = read_export([(file, file.name) for file in (path, *more)], options)
    except BadInput as error:
        return str(error)
    ratings = found.ratings
    columns = (ratings.document, ratings.unit, ratings.annotator, ratings.label, ratings.mark_pass)
    places = [ratings.location(mark) for mark in range(len(ratings.unit))]
    # Engines count labels alone.
    read = found.marks_read - sum(found.not_compared.values())
    return (
        (ratings.documents, ratings.annotators, ratings.labels, ratings.unit_names, places),
        [column.tolist() for column in columns],
        (found.reading, read, found.missing, found.left_out, found.sources),
    )


@pytest.mark.parametrize("name", TEXTS)
def test_an_odd_text_is_read_alike(name: str, tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_bytes(TEXTS[name].encode())
    assert said(path, "duckdb") == said(path, "memory")


def test_latin_letters_and_other_encodings_are_left_to_memory(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    for encoding in ("latin-1", "utf-16"):
        path.write_bytes((LONG + ROWS).replace("yes", "ähm").encode(encoding))
        assert said(path, "duckdb") == said(path, "memory")


def test_an_export_a_day_is_read_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [LONG + "".join(f"{day}-{row}\n" for row in ROWS.splitlines()) for day in range(VIEWED + 4)]
    texts[3], texts[9] = LONG + "\n7,ann, yés,\n\n7,cid,no,\n7,bob,NA,\n", LONG
    days = [tmp_path / f"day-{number:02}.csv" for number in range(len(texts))]
    for day, text in zip(days, texts, strict=True):
        day.write_text(text, encoding="utf-8")
    found = said(days[0], "duckdb", *days[1:])
    assert found == said(days[0], "memory", *days[1:])
    monkeypatch.setattr("reportgen.readers.engine.queries.VIEWED", len(days))
    assert found == said(days[0], "duckdb", *days[1:])


def test_of_many_files_each_beginning_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [(tmp_path / name, name) for name in ("monday.csv", "tuesday.csv", "friday.csv")]
    for number, (path, _) in enumerate(files):
        rows = f"{number}-1,ann,yes,\n{number}-1,bob,no,\n{number}-2,ann,no,\n{number}-2,bob,no,\n"
        path.write_text(LONG + rows, encoding="utf-8")
    begun: list[str] = []
    read = CsvSource.table

    def counted(source: CsvSource) -> StringTable:
        begun.append(source.file.name)
        return read(source)

    monkeypatch.setattr(CsvSource, "table", counted)
    read_export(files, ReaderOptions(engine=Engine("duckdb")))
    assert sorted(begun) == ["friday.csv", "monday.csv", "tuesday.csv"]
