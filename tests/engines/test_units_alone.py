"""Of very many kinds of units without documents counts keep their labels, and tables of two annotators."""

import re
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput
from reportgen.readers import Engine
from tests.engines.tables import Shape, write_csv, write_parquet
from tests.engines.test_document_groups import counted, results_of
from tests.engines.test_summed_units import HEADER, MESSY, OF_PEOPLE, PLAIN, elsewhere, labels, without_kinds


def alone(table: Shape) -> Shape:
    """Return a table without its documents; units keep their names, and their documents' within these."""
    return Shape(
        table.header[:3], [[f"{row[0]}/{row[3]}" if row[0] else "", *row[1:3]] for row in table.rows]
    )


def make_various(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a few kinds of units too many."""
    for module in ("counts.export", "readers.engine.queries"):
        monkeypatch.setattr(f"reportgen.{module}.are_too_various_alone", lambda *_: True)


@pytest.fixture
def various(monkeypatch: pytest.MonkeyPatch) -> None:
    make_various(monkeypatch)


def test_figures_are_the_same_but_of_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    csv = write_csv(alone(labels()), tmp_path / "labels.csv")
    counted(tmp_path / "whole", [csv])
    make_various(monkeypatch)
    files = counted(tmp_path / "paired", [csv])
    assert [files[name].count(b"\n") for name in ("ratings.csv", "sums.csv")] == [1, 1 + 6]
    (whole,), (paired,) = (
        results_of(tmp_path / name, tmp_path / f"of-{name}")["unit_sets"] for name in ("whole", "paired")
    )
    for name, figure in whole["measures"].items():
        assert (paired["measures"][name] == figure) == (name not in OF_PEOPLE)
    assert len(whole["pairs"]) == 6
    own = {"measures", "against_majority", "benchmarks", "planning"}
    assert {key: paired.get(key) for key in whole.keys() - own} == {
        key: whole[key] for key in whole.keys() - own
    }


@pytest.mark.usefixtures("various")
@pytest.mark.parametrize("rows", [labels(40).rows, [*PLAIN, *MESSY]])
def test_engines_count_alike(rows: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = alone(Shape(HEADER, rows))
    csv = write_csv(table, tmp_path / "labels.csv")
    expected = counted(tmp_path / "memory", [csv], engine=Engine("memory"))
    assert b'"paired": true' in expected["counts.json"]
    assert without_kinds(table, tmp_path, monkeypatch) == expected
    assert elsewhere(table, tmp_path, monkeypatch) == expected


@pytest.mark.usefixtures("various")
@pytest.mark.parametrize("header", [("unit", "A", "B", "C"), ("A", "B", "C")])
def test_a_column_each_annotator_is_counted_alike(header: tuple[str, ...], tmp_path: Path) -> None:
    rows = [[f"u{unit}", *(("a", "b", "", "c")[unit * k % 4] for k in (1, 3, 5))] for unit in range(20)]
    table = Shape(header, [row[4 - len(header) :] for row in rows])
    expected = counted(tmp_path / "memory", [write_csv(table, tmp_path / "a.csv")], engine=Engine("memory"))
    assert b'"paired": true' in expected["counts.json"]
    parquet = [write_parquet(table, tmp_path / "a.parquet")]
    assert counted(tmp_path / "duckdb", parquet, engine=Engine("duckdb")) == expected


WRONG = [
    (
        "sums.csv",
        "main,items,,2-3,",
        "main,items,,2-1,",
        "has two annotators that counts.json does not have.",
    ),
    (
        "sums.csv",
        "main,items,,2-3,",
        "main,items,,2-9,",
        "has two annotators that counts.json does not have.",
    ),
    ("sums.csv", "main,items,,2-3,", "main,items,,0-1,", "has rows twice."),
    ("sums.csv", "main,items,,2-3,", "main,items,,23,", '"23" is no two annotators with such sums'),
    ("sums.csv", "main,items,,2-3,[0-9]+", "main,items,,2-3,99", "has other sums by document than by pair"),
    ("sums.csv", "main,items,,2-3,[0-9]+ ", "main,items,,2-3,", '"2-3" is no two annotators with such sums'),
    ("profiles.csv", "(?<=,a:3,)[0-9]+", "99", 'has "a" [0-9]+ times in all, and profiles.csv'),
]


@pytest.mark.usefixtures("various")
def test_units_of_a_reference_are_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [[unit, "gold" if who == "w0" else who, *others] for unit, who, *others in labels().rows]
    table = alone(Shape(HEADER, rows))
    csv = write_csv(table, tmp_path / "labels.csv")
    expected = counted(tmp_path / "memory", [csv], engine=Engine("memory"))
    parquet = [write_parquet(table, tmp_path / "labels.parquet")]
    assert counted(tmp_path / "duckdb", parquet, engine=Engine("duckdb")) == expected
    with pytest.raises(TypeError):
        elsewhere(table, tmp_path, monkeypatch)


@pytest.mark.usefixtures("various")
@pytest.mark.parametrize(("file", "before", "after", "message"), WRONG)
def test_tables_that_units_do_not_have_are_refused(
    file: str, before: str, after: str, message: str, tmp_path: Path
) -> None:
    counted(tmp_path / "counts", [write_csv(alone(labels()), tmp_path / "labels.csv")])
    path = tmp_path / "counts" / file
    text = path.read_text("utf-8")
    changed = re.sub(before, after, text, count=1)
    assert changed != text
    path.write_text(changed, encoding="utf-8")
    with pytest.raises(BadInput, match=message):
        results_of(tmp_path / "counts", tmp_path / "campaign")
