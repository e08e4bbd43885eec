"""Texts that are written oddly say the same to DuckDB as to whoever reads them in memory."""

from pathlib import Path

import pytest

from reportgen.base.errors import BadInput
from reportgen.readers import Engine, ReaderOptions, read_export
from reportgen.readers.engine.places import CsvSource
from reportgen.readers.engine.queries import VIEWED
from reportgen.readers.string_tables import StringTable

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
