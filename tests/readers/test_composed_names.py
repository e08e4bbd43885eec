"""Names of labels, people, units and documents are compared in Unicode's composed form."""

import json
import sqlite3
import unicodedata
from pathlib import Path

import duckdb
import pytest

from reportgen.campaign.load import load
from reportgen.readers import Engine, ReaderOptions, read_export

ROWS: list[tuple[str, ...]] = [
    (unit, annotator, label)
    for number, (unit, first, second) in enumerate(
        [("énoncé", "é", "é"), ("à", "é", "ü"), ("ô", "ü", "ü"), ("û", "ü", "é")]
    )
    for annotator, label in (("Zoé", first), ("Loïc", second), ("Ann", first if number else second))
]


def _apart(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def _mixed(rows: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return rows of which every other is written with the letters taken apart."""
    return [tuple(map(_apart, row)) if number % 2 else row for number, row in enumerate(rows)]


def _csv(rows: list[tuple[str, ...]]) -> str:
    return "".join(f"{','.join(row)}\n" for row in [("item", "annotator", "label"), *rows])


def _written(folder: Path, kind: str, rows: list[tuple[str, ...]]) -> Path:
    file = folder / f"ratings.{kind}"
    if kind == "csv":
        file.write_text(_csv(rows), encoding="utf-8")
    elif kind == "json":
        names = ("item", "annotator", "label")
        file.write_text(json.dumps([dict(zip(names, row, strict=True)) for row in rows]), encoding="utf-8")
    elif kind == "sqlite":
        with sqlite3.connect(file) as database:
            database.execute("create table ratings (item text, annotator text, label text)")
            database.executemany("insert into ratings values (?, ?, ?)", rows)
        database.close()
    else:
        with duckdb.connect(str(file) if kind == "duckdb" else ":memory:") as connection:
            connection.execute("create table ratings (item varchar, annotator varchar, label varchar)")
            connection.executemany("insert into ratings values (?, ?, ?)", rows)
            if kind == "parquet":
                connection.execute(f"copy ratings to '{file}'")
    return file


@pytest.mark.parametrize(
    ("kind", "engine"),
    [
        ("csv", "memory"),
        ("csv", "duckdb"),
        ("json", None),
        ("parquet", None),
        ("duckdb", None),
        ("sqlite", None),
    ],
)
def test_names_are_one_however_accents_are_written(tmp_path: Path, kind: str, engine: str | None) -> None:
    file = _written(tmp_path, kind, _mixed(ROWS))
    ratings = read_export([(file, file.name)], ReaderOptions(engine=Engine(engine))).ratings
    assert set(ratings.labels) == {"é", "ü"}
    assert set(ratings.annotators) == {"Zoé", "Loïc", "Ann"}
    assert set(ratings.unit_names) == {"énoncé", "à", "ô", "û"}


def test_wide_tables_and_names_in_paths_are_composed(tmp_path: Path) -> None:
    file = tmp_path / "wide.csv"
    file.write_text(_apart("item,Zoé,Loïc\nà,é,é\nô,ü,ü\n"), encoding="utf-8")
    assert read_export([(file, file.name)]).ratings.annotators == ("Zoé", "Loïc")
    for name in ("Zoé", "Loïc"):
        (tmp_path / f"{name}.csv").write_text("item,label\nà,é\nô,ü\n", encoding="utf-8")
    files = [(tmp_path / f"{name}.csv", _apart(f"{name}.csv")) for name in ("Zoé", "Loïc")]
    found = read_export(files, ReaderOptions(path="{annotator}"))
    assert found.ratings.annotators == ("Zoé", "Loïc")


def test_campaign_toml_may_write_names_in_either_form(tmp_path: Path) -> None:
    (tmp_path / "ratings.csv").write_text(_csv([*ROWS]), encoding="utf-8")
    text = (
        'title = "T"\n[task]\ncategories = ["é", "ü"]\nnon_annotated = "ô"\n[annotators."Zoé"]\n'
        'role = "reference"\n[[guidelines]]\nversion = "1"\nexports = "ratings.csv"\nmissing = ["à"]\n'
    )
    (tmp_path / "campaign.toml").write_text(_apart(text), encoding="utf-8")
    campaign = load(tmp_path)
    assert campaign.version("1").layers[0].categories == ("é", "ü")
    assert [*campaign.annotators] == ["Zoé"]
