"""A small export in each format: what is read of every reader, and what mutated files are made from.

Two annotators, anna and ben. In formats of texts both saw d1; ben marked nothing there. What is text lies in
`tests/data/exports`, in a folder called like its reader, or like that with a further shape.
"""

import io
import sqlite3
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import duckdb

from tests.campaigns import marked, written
from tests.counted import counts_in, reports_of

STORED = Path(__file__).parent.parent / "data" / "exports"
TEXT = "Anna 🙂 met Ben in Paris ."
PROJECT = """{"name": "p", "source_documents": [{"name": "d1.txt", "format": "text"}],
"annotation_documents": [{"name": "d1.txt", "user": "anna", "state": "FINISHED", "annotatorState": null},
{"name": "d1.txt", "user": "ben", "state": "FINISHED", "annotatorState": null}]}"""
Cells = Sequence[Sequence[str | int]]
LONG: Cells = (("item", "annotator", "label"), ("1", "anna", "yes"), ("1", "ben", "no"), (2, "anna", "yes"))
OF_ANNA: Cells = (("item", "label", "sentence"), ("1", "yes", TEXT), ("2", "no", "Nobody was there."))


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """Return an archive of the files, the same whenever it is made."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return buffer.getvalue()


def workbook(sheets: Mapping[str, Sequence[Sequence[object]]]) -> bytes:
    """Return an Excel workbook of sheets, each given as its rows."""
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


@cache
def _stored() -> dict[str, dict[str, str]]:
    """Return the text files of each folder of exports."""
    return {
        folder.name: {
            path.relative_to(folder).as_posix(): path.read_bytes().decode()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
        for folder in sorted(STORED.iterdir())
    }


def _inception() -> dict[str, bytes]:
    copies = _stored()["webanno-tsv"]
    project = {
        "exportedproject1.json": PROJECT,
        "source/d1.txt": TEXT,
        **{f"annotation/d1.txt/{who}.tsv": copies[f"d1/{who}.tsv"] for who in ("anna", "ben")},
        "curation/d1.txt/CURATION_USER.tsv": copies["d1/anna.tsv"],
    }
    return {"project.zip": zipped(project)}


@cache
def _duckdb(command: str) -> bytes:
    """Return the file that a command writes of a table of labels."""
    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as connection:
        file = Path(folder) / "file"
        connection.execute(
            "create table labels as select * from (values ('1', 'anna', 'yes'), ('1', 'ben', 'no'), "
            "('2', 'anna', 'yes'), ('2', 'ben', 'yes')) as rows (item, annotator, label)"
        )
        connection.execute(command.format(file=file))
        connection.close()
        return file.read_bytes()


def _sqlite() -> bytes:
    """Return a database with a table of the labels of LONG."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "made.sqlite"
        database = sqlite3.connect(file)
        database.execute(f"create table labels ({', '.join(f'{name} text' for name in LONG[0])})")
        database.executemany("insert into labels values (?, ?, ?)", LONG[1:])
        database.commit()
        database.close()
        return file.read_bytes()


@cache
def _counts() -> dict[str, str]:
    """Return what this program counts in texts, with a reference for the two annotators."""
    texts = {"d1": TEXT, "d2": TEXT}
    marks = {
        "anna": {"d1": [("PER", 0, 4), ("LOC", 18, 23)], "d2": [("PER", 0, 4)]},
        "ben": {"d1": [("PER", 0, 6)], "d2": [("PER", 0, 4)]},
        "gold": {"d1": [("PER", 0, 4)], "d2": [("LOC", 18, 23)]},
    }
    with tempfile.TemporaryDirectory() as place:
        exports = {f"exports/1.0/{name}": text for name, text in marked(texts, marks).items()}
        folder = written(Path(place) / "campaign", '[annotators.gold]\nrole = "reference"\n', exports)
        (report,) = reports_of(folder).values()
    return counts_in(report)


def samples() -> dict[str, Mapping[str, str | bytes]]:
    """Return the files of an export for the name of each reader."""
    return {
        **{name: files for name, files in _stored().items() if "," not in name},
        "inception": _inception(),
        "excel": {"ratings.xlsx": workbook({"Sheet": LONG})},
        "counts": _counts(),
        "parquet": {"ratings.parquet": _duckdb("copy labels to '{file}' (format parquet)")},
        "database": {
            "ratings.duckdb": _duckdb("attach '{file}' as made; create table made.labels as from labels")
        },
    }


def further_shapes() -> dict[str, Mapping[str, str | bytes]]:
    """Return exports that a reader takes in another shape than in its sample."""
    return {
        **{name: files for name, files in _stored().items() if "," in name},
        "excel, a sheet for each annotator": {"ratings.xlsx": workbook({"anna": OF_ANNA, "ben": OF_ANNA})},
        "database, SQLite": {"ratings.sqlite": _sqlite()},
    }
