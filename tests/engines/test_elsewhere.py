"""What lies elsewhere is counted there: on DuckDB by Ibis, and by `make engines` on Spark and PostgreSQL."""

import json
import os
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
from reportgen.readers import Engine, ReaderOptions
from reportgen.readers.engine.queries import (
    Codebook,
    IbisSource,
    LaidSheet,
    ibis_refusals,
    kinds_of,
    profiles_of,
    sums_of,
    tables_of,
    units_of,
)
from reportgen.readers.reader import ExportFile
from reportgen.readers.string_tables import table_of
from reportgen.readers.table_columns import RatingsTableLayout
from tests.commands import run
from tests.engines.tables import SHAPES, Shape, shape, write_csv, write_duckdb, write_parquet
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
