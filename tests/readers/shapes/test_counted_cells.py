"""Whatever a table is written as, each of its cells is used, left out or missing, as the test counts them."""

import random
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest

from reportgen.readers import ReaderOptions, read_export

PEOPLE = ("anna", "ben", "chloe")
# Some units have no name, some cells nothing, some what is declared missing, some what nobody declared.
CELLS = ("yes", "yes", "no", "no", "", "skipped", "perhaps")


def cells(seed: int) -> pd.DataFrame:
    chance = random.Random(seed)  # noqa: S311 - cells of a test
    rows = [
        [f"u{n}" if chance.random() < 0.9 else "", *(chance.choice(CELLS) for _ in PEOPLE)] for n in range(40)
    ]
    return pd.DataFrame(rows, columns=["item", *PEOPLE])


def as_csv(frame: pd.DataFrame, folder: Path) -> Path:
    frame.to_csv(folder / "t.csv", index=False)
    return folder / "t.csv"


def as_parquet(frame: pd.DataFrame, folder: Path) -> Path:
    file = folder / "t.parquet"
    source = as_csv(frame, folder)
    duckdb.sql(f"copy (from read_csv('{source}', all_varchar = true)) to '{file}' (format parquet)")
    return file


def as_duckdb(frame: pd.DataFrame, folder: Path) -> Path:
    file = folder / "t.duckdb"
    source = as_csv(frame, folder)
    with duckdb.connect(str(file)) as database:
        database.execute(f"create table labels as from read_csv('{source}', all_varchar = true)")
    return file


def as_sqlite(frame: pd.DataFrame, folder: Path) -> Path:
    file = folder / "t.sqlite"
    with sqlite3.connect(file) as database:
        frame.to_sql("labels", database, index=False)
    database.close()
    return file


def turned(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table with a row for each label."""
    return frame.melt(id_vars="item", var_name="annotator", value_name="label")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("made", [pd.DataFrame, turned], ids=["wide", "long"])
@pytest.mark.parametrize("writer", [as_csv, as_parquet, as_duckdb, as_sqlite])
def test_read_is_used_and_left_out_as_counted_in_the_input(
    writer: Callable[[pd.DataFrame, Path], Path],
    made: Callable[[pd.DataFrame], pd.DataFrame],
    seed: int,
    tmp_path: Path,
) -> None:
    frame = cells(seed)
    file = writer(made(frame), tmp_path)
    options = ReaderOptions(missing=("skipped",), only=("yes", "no"), faulty="counted")
    found = read_export([(file, file.name)], options)
    given: Counter[str] = Counter()
    for item, *labels in frame.itertuples(index=False):
        named: Sequence[str] = labels
        for label in named:
            given[kind(item, label)] += 1
    left_out = sum(marks.marks for marks in found.left_out)
    assert len(found.ratings.label) == given["used"]
    assert left_out == given["left out"]
    assert found.marks_read == given["used"] + given["left out"]
    assert found.missing == given["missing"]
    by_annotator = np.bincount(found.ratings.annotator, minlength=3).tolist()
    assert by_annotator == [
        sum(kind(item, label) == "used" for item, label in zip(frame["item"], frame[who], strict=True))
        for who in found.ratings.annotators
    ]


def kind(item: str, label: str) -> str:
    """Return what becomes of a cell."""
    if label in {"", "skipped"}:
        return "missing"
    return "used" if item and label in {"yes", "no"} else "left out"


def test_documents_may_have_a_german_name(tmp_path: Path) -> None:
    file = tmp_path / "Bewertungen.csv"
    rows = [
        f"Text {n // 3},{n},{who},{'gut' if n % 2 else 'schlecht'}"
        for n in range(6)
        for who in ("Ida", "Jan")
    ]
    file.write_text("\n".join(["Dokument,Satz,Person,Kategorie", *rows]) + "\n", encoding="utf-8")
    assert read_export([(file, file.name)]).ratings.documents == ("Text 0", "Text 1")
