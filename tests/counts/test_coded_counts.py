"""Large counts are written as codes: the same units, figures and checks in a fraction of the bytes."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from reportgen.base.errors import BadInput
from reportgen.readers.counted import code_width
from tests.engines.tables import Shape, write_csv
from tests.engines.test_document_groups import counted, many_documents, results_of
from tests.engines.test_large_crowds import crowd

MOST = "reportgen.counts.export.MOST_NAMED_ROWS"


def with_quotes() -> Shape:
    """Return a table whose names need quotation marks, and of which a unit has no label."""
    table = many_documents(42)
    rows = [[unit, who, f'a, "{label}"', document] for unit, who, label, document in table.rows]
    return Shape(table.header, [*rows, ["unrated", "w1", "", "d,1"]])


# Of 60 annotators and three labels a code has two digits.
TABLES = {
    "names": with_quotes(),
    "no documents": crowd(documents=False, workers=30),
    "two digits": crowd(documents=True),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_figures_from_codes_are_those_from_names(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    csv = write_csv(TABLES[name], tmp_path / "labels.csv")
    named = counted(tmp_path / "named", [csv])
    monkeypatch.setattr(MOST, 5)
    coded = counted(tmp_path / "coded", [csv])
    assert coded["counts.json"] == named["counts.json"]
    documents = {row.split(",")[2] for row in coded["annotators.csv"].decode().splitlines()[1:]}
    assert documents == {""}
    assert len(coded["ratings.csv"]) < len(named["ratings.csv"]) / 2
    assert coded.keys() == {"counts.json", "ratings.csv", "profiles.csv", "annotators.csv"}
    found: list[dict[str, Any]] = []
    for folder in ("named", "coded"):
        results = results_of(tmp_path / folder, tmp_path / f"of-{folder}")
        found.append({key: results[key] for key in results.keys() - {"inputs", "campaign", "settings"}})
    assert found[0] == found[1]
    again = next((tmp_path / "of-coded-site").rglob("ratings.csv")).read_bytes()
    assert again.count(b"\n") == coded["ratings.csv"].count(b"\n")


def test_a_few_rows_are_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    csv = write_csv(TABLES["names"], tmp_path / "labels.csv")
    named = counted(tmp_path / "named", [csv])
    rows = named["ratings.csv"].count(b"\n") - 1
    monkeypatch.setattr(MOST, rows)
    assert counted(tmp_path / "as-many", [csv]) == named
    monkeypatch.setattr(MOST, rows - 1)
    assert counted(tmp_path / "one-more", [csv])["ratings.csv"].startswith(
        b"layer,unit_set,document,codes,n\n"
    )


def test_codes_have_as_many_digits_as_it_takes() -> None:
    sizes = (1, 1), (31, 2), (9, 7), (62, 62), (961, 4), (62, 63)
    assert [code_width(*size) for size in sizes] == [1, 1, 2, 2, 2, 3]


# The table has three annotators and three categories: the codes of the first are 0 to 2.
WRONG = [
    (r"main,items,", "main,others,", "names no unit set of counts.json, or one again."),
    (r"\n,,0,", "\nmain,items,0,", "names no unit set of counts.json, or one again."),
    (r"\n,,0,", "\n,,zero,", "is not a row of codes."),
    (r"\n,,0,", "\n,,99,", "names a document that counts.json does not have."),
    (r"(\n,,0,\w+),\d+", r"\1,0", "counts nothing, or too much."),
    (r"(\n,,0,)\w+", r"\g<1>9", "has a code of nobody and nothing."),
    (r"(\n,,0,)\w+", r"\g<1>036!", "is not a row of codes."),
    (r"(\n,,0,)\w+", r"\g<1>01", "has annotators twice, or in another order."),
    (r"(\n,,0,\w+,\d+)", r"\1\1", "is there twice."),
    (r"(\n,,0,\w+),1\n", r"\1,2\n", "ratings.csv has"),
]


@pytest.mark.parametrize(
    ("file", "before", "after", "message"),
    [
        *(("ratings.csv", *each) for each in WRONG),
        ("annotators.csv", r",a,\d+\n", ",a,1\n", "and ratings.csv makes it"),
    ],
)
def test_codes_that_mean_nothing_and_tables_that_do_not_follow_from_them_are_refused(
    file: str, before: str, after: str, message: str, *, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MOST, 5)
    counted(tmp_path / "counts", [write_csv(many_documents(42), tmp_path / "labels.csv")])
    path = tmp_path / "counts" / file
    text, times = re.subn(before, after, path.read_text("utf-8"), count=1)
    assert times == 1
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=re.escape(message)):
        results_of(tmp_path / "counts", tmp_path / "campaign")


def test_only_the_first_row_of_a_unit_set_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MOST, 5)
    files = counted(tmp_path / "counts", [write_csv(with_quotes(), tmp_path / "labels.csv")])
    (layer,) = json.loads(files["counts.json"])["layers"]
    first, *others = [row.split(",") for row in files["ratings.csv"].decode().splitlines()[1:]]
    # Units without a document come first.
    assert first[:3] == ["main", "items", ""]
    assert {tuple(row[:2]) for row in others} == {("", "")}
    assert {*range(len(layer["documents"]))} == {int(row[2]) for row in others if row[2]}
