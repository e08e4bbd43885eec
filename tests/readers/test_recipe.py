"""What each column of a table is said to be, and why: by what it depends on."""

from pathlib import Path

from reportgen.readers import recognise
from reportgen.readers.survey import look
from tests.readers.content import written

WIDE = "item,Ann,Ben,Cy,domain,nr,empty,note,model,wert"
LONG = "item,worker,label,genre,age,when,row,comment,again"


def roles(folder: Path, text: str) -> dict[str, str]:
    """Return what the columns of a table are."""
    files = written(folder, {"t.csv": text})
    found = recognise(files)
    assert found is not None
    own = look(found.reader, files).column_roles
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
