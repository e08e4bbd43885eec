"""What each column of a table is said to be, and why: by what it depends on."""

import tomllib
from pathlib import Path

import pytest

from reportgen import agreement
from reportgen.base.errors import BadInput
from reportgen.campaign import load_reading
from reportgen.pipeline.export_folder import survey_folder
from reportgen.pipeline.reading import options_said
from reportgen.pipeline.scaffold import plan_of, render
from reportgen.readers import read_export, recognise
from reportgen.readers.survey import look
from reportgen.readers.table_reading import TableReading
from reportgen.readers.table_shapes import Shape
from tests.readers.content import written

WIDE = "item,Ann,Ben,Cy,domain,nr,empty,note,model,wert"
LONG = "item,worker,label,genre,age,when,row,comment,again"


def roles(folder: Path, text: str) -> dict[str, str]:
    """Return what the columns of a table are."""
    files = written(folder, {"t.csv": text})
    found = recognise(files)
    assert found is not None
    reading = look(found.reader, files).reading
    assert reading is not None
    own = reading.roles
    assert all(each.why for each in own.values())
    return {name: each.role for name, each in own.items()}


def test_every_column_of_a_wide_table_has_a_role(tmp_path: Path) -> None:
    rows = [
        f"u{n},{'ab'[n % 2]},{'ab'[n % 3 % 2]},{'ab'[n % 5 % 2]},d{n % 3},{n + 1},,{'x' * (n == 4)},m,{n % 4}"
        for n in range(12)
    ]
    assert roles(tmp_path, "\n".join([WIDE, *rows])) == {
        "item": "unit",
        "Ann": "person",
        "Ben": "person",
        "Cy": "person",
        "domain": "unit attribute",
        "nr": "number",
        "empty": "empty",
        "note": "comment",
        "model": "constant",
        "wert": "unit attribute",
    }


def test_every_column_of_a_long_table_has_a_role(tmp_path: Path) -> None:
    rows = [
        f"u{n},{who},{'ab'[(n + (who == 'p' and n % 4 == 0)) % 2]},g{n % 3},{30 + len(who)},"
        f"2021-03-{10 + n} 1{k}:00,{100 + 3 * n + k},,{'xyz'[(n * 2 + k) % 3]}"
        for n in range(12)
        for k, who in enumerate(("p", "qq", "rrr"))
    ]
    found = roles(tmp_path, "\n".join([LONG, *rows]))
    assert found == {
        "item": "unit",
        "worker": "annotator",
        "label": "label",
        "genre": "unit attribute",
        "age": "annotator attribute",
        "when": "time",
        "row": "number",
        "comment": "empty",
        "again": "unexplained",
    }


def test_small_tables_and_names_alone_have_roles_too(tmp_path: Path) -> None:
    assert roles(tmp_path, "unit,annotator,label\nu1,a,x\nu1,b,x\nu2,a,y\nu2,b,x\n") == {
        "unit": "unit",
        "annotator": "annotator",
        "label": "label",
    }


def frame(rows: int = 12) -> dict[str, list[str]]:
    """Return a long table with a column of each unit's genre and one that is new."""
    people = ("p", "q", "r")
    return {
        "item": [f"u{n}" for n in range(rows) for _ in people],
        "worker": [who for _ in range(rows) for who in people],
        "label": ["ab"[(n + (who == "q" and n % 4 == 0)) % 2] for n in range(rows) for who in people],
        "genre": [f"g{n % 3}" for n in range(rows) for _ in people],
    }


def saved(folder: Path, columns: dict[str, list[str]]) -> Path:
    """Write a table."""
    rows = [",".join(columns), *map(",".join, zip(*columns.values(), strict=True))]
    (file,) = written(folder, {"t.csv": "\n".join([*rows, ""])})
    return file.path


def test_what_init_writes_reads_the_next_version_and_says_what_no_longer_fits(tmp_path: Path) -> None:
    at = tmp_path / "campaign"
    at.mkdir()
    saved(at, frame())
    plan = tomllib.loads(render(plan_of(survey_folder(at))))["guidelines"][-1]
    assert plan["beside"] == {"genre": "unit attribute"}
    (at / "campaign.toml").write_text(render(plan_of(survey_folder(at))), encoding="utf-8")
    options = options_said(load_reading(at / "campaign.toml"))
    file = saved(tmp_path, frame(18))
    assert not read_export([(file, "t.csv")], options).warnings
    columns = frame(18)
    columns["mood"] = [*columns.pop("genre")[1:], "g9"]
    again = read_export([(saved(tmp_path, columns), "t.csv")], options).warnings
    assert [(each.key, each.message.partition(":")[0]) for each in again] == [
        ("column genre", "is not there any more."),
        ("column mood", "is new"),
    ]
    columns["genre"] = columns.pop("mood")
    (told,) = read_export([(saved(tmp_path, columns), "t.csv")], options).warnings
    assert told.message.startswith("is no longer unit attribute: no other column determines it")


def test_python_takes_the_same_reading(tmp_path: Path) -> None:
    named = {"columns": {"unit": "item", "annotator": "worker", "label": "label"}, "missing": ["b"]}
    keys = tmp_path / "reading.toml"
    keys.write_text(
        'columns = { unit = "item", annotator = "worker", label = "label" }\nmissing = ["b"]\n',
        encoding="utf-8",
    )
    reading = TableReading(Shape(("item",), "worker", ("label",)), questions=("label",))
    given = frame()
    by_names = agreement.of(given)
    assert agreement.of(given, reading=reading).measures == by_names.measures
    found = [agreement.of(given, reading=each) for each in (named, keys, str(keys))]
    assert [own.categories for own in found] == [("a",)] * 3
    assert by_names.categories == ("a", "b")
    turned = {"who": ["p", "q"], **{f"i{n}": ["ab"[n % 2], "ab"[n % 3 % 2]] for n in range(9)}}
    assert agreement.of(turned, reading={"turned": True}).annotators == ("p", "q")
    with pytest.raises(BadInput, match="headerr"):
        agreement.of(given, reading={"headerr": 2})
    with pytest.raises(BadInput, match="no columns with names"):
        agreement.of([["a", "b"], ["a", "a"]], reading=named)
