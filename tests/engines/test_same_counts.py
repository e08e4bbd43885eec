"""Counts are the same, byte for byte, whoever counts and wherever the labels lie."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reportgen.pipeline.counting import CountRequest, CountSummary, count_table
from reportgen.readers import Engine, ReaderOptions
from tests.engines.tables import SHAPES, Shape, shape, write_csv, write_duckdb, write_parquet, write_sqlite
from tests.slowly import slow_but

PLACES: dict[str, Callable[[Shape, Path], Path]] = {
    "csv": lambda table, folder: write_csv(table, folder / "labels.csv"),
    "tsv": lambda table, folder: write_csv(table, folder / "labels.tsv", "\t"),
    "parquet": lambda table, folder: write_parquet(table, folder / "labels.parquet"),
    "several": lambda table, folder: write_parquet(table, folder / "parts", 4),
    "duckdb": lambda table, folder: write_duckdb(table, folder / "labels.duckdb"),
    "sqlite": lambda table, folder: write_sqlite(table, folder / "labels.sqlite"),
}


def counted(
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
    expected = counted(table, PLACES["csv"](table, tmp_path), tmp_path / "expected", name="memory")
    assert {"counts.json", "ratings.csv", "pairs.csv", "profiles.csv", "annotators.csv"} <= expected[1].keys()
    for place, write in PLACES.items():
        source = write(table, tmp_path)
        for engine in ("memory", "duckdb"):
            account, files = counted(table, source, tmp_path / f"{place}-{engine}", name=engine)
            written = replace(account, reading=expected[0].reading)
            assert (place, engine, written, files) == (place, engine, *expected)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHAPES)
def test_what_is_read_is_used_or_left_out(name: str, tmp_path: Path) -> None:
    table = shape(name)
    account, _ = counted(table, write_parquet(table, tmp_path / "labels.parquet"), tmp_path / "counts")
    assert account.read == account.used + sum(account.left_out.values())
    width = len(table.header) - len({"unit", "document"} & {*table.header})
    cells = len(table.rows) * (1 if "label" in table.header else width)
    assert account.read + account.missing == cells


def test_faulty_labels_are_counted_by_their_reasons(tmp_path: Path) -> None:
    table = shape("faulty")
    account, _ = counted(table, write_csv(table, tmp_path / "labels.csv"), tmp_path / "counts", name="duckdb")
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
    whole = counted(table, source, tmp_path / "whole")
    monkeypatch.setattr("reportgen.readers.engine.queries.ROW_BYTES", 2**20)
    assert counted(table, source, tmp_path / "parts", memory="64MB", threads=1) == whole
