"""Of a large crowd counts keep which labels units have and what annotators gave, not to which units."""

import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from reportgen.base.errors import BadInput
from reportgen.readers import Engine
from reportgen.readers.counted import fewest_twos
from reportgen.readers.engine.queries import IbisSource, LaidSheet
from tests.engines.tables import Shape, write_csv, write_duckdb, write_parquet
from tests.engines.test_document_groups import counted, results_of

OF_PEOPLE = {"conger_kappa", "light_kappa", "weighted_kappa[computed]"}


@pytest.fixture
def low_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a few annotators of some units a large crowd."""
    monkeypatch.setattr("reportgen.readers.counted.MOST_NAMED", 20)
    monkeypatch.setattr("reportgen.readers.counted.MOST_NAMED_UNITS", 30)


def crowd(*, documents: bool, workers: int = 60) -> Shape:
    """Return a table of 80 units with two to four ratings each, and one unit that nobody rated."""
    chosen = random.Random(workers)  # noqa: S311 - no secret
    rows = [["unrated", "w1", "", "d1"]]
    for unit in range(80):
        truth = chosen.choice(("a|b", "c:d", "e"))
        for who in chosen.sample(range(workers), chosen.randint(2, 4)):
            label = truth if chosen.random() < 0.7 else chosen.choice(("a|b", "c:d", "e"))
            rows.append([f"u{unit}", f"w{who}", label, f"d{unit // 8}"])
    return Shape(
        ("item", "worker", "label", *(["document"] * documents)), [row[: 3 + documents] for row in rows]
    )


def both(table: Shape, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Return counts with the names of a small crowd's annotators, and those of a large one's."""
    csv = write_csv(table, folder / "labels.csv")
    counted(folder / "named", [csv])
    monkeypatch.setattr("reportgen.readers.counted.MOST_NAMED", 20)
    monkeypatch.setattr("reportgen.readers.counted.MOST_NAMED_UNITS", 30)
    counted(folder / "unnamed", [csv])
    return folder / "named", folder / "unnamed"


@pytest.mark.parametrize("documents", [True, False])
def test_figures_that_need_no_names_are_the_same(
    documents: bool,  # noqa: FBT001 - a parameter
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folders = both(crowd(documents=documents), tmp_path, monkeypatch)
    (named,), (unnamed,) = (
        results_of(folder, tmp_path / f"of-{folder.name}")["unit_sets"] for folder in folders
    )
    named_figures = named["measures"]
    undefined = {name for name, figure in unnamed["measures"].items() if figure["value"] is None}
    assert undefined - {name for name in named_figures if named_figures[name]["value"] is None} == OF_PEOPLE
    for name, figure in named_figures.items():
        if name not in OF_PEOPLE:
            assert unnamed["measures"][name] == figure
    own = {"measures", "pairs", "mean_over_pairs", "rated_twice", "benchmarks", "planning"}
    assert {key: unnamed[key] for key in named.keys() - own} == {
        key: named[key] for key in named.keys() - own
    }
    assert named["mean_over_pairs"]
    assert not unnamed["mean_over_pairs"]
    reason = unnamed["measures"]["light_kappa"]["undefined"]
    assert reason == "the counts do not say which annotators labelled the same unit"


@pytest.mark.slow
@pytest.mark.usefixtures("low_bounds")
@pytest.mark.parametrize("documents", [True, False])
def test_every_engine_counts_a_crowd_alike(
    documents: bool,  # noqa: FBT001 - a parameter
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = crowd(documents=documents)
    expected = counted(
        tmp_path / "memory", [write_csv(table, tmp_path / "labels.csv")], engine=Engine("memory")
    )
    parquet = [write_parquet(table, tmp_path / "labels.parquet")]
    with monkeypatch.context() as patched:
        patched.setattr("reportgen.readers.engine.kinds", None)
        assert counted(tmp_path / "duckdb", parquet, engine=Engine("duckdb")) == expected
    address = f"duckdb://{write_duckdb(table, tmp_path / 'labels.duckdb')}"
    assert counted(tmp_path / "elsewhere", [], database=address, table="labels") == expected
    assert expected.keys() == {"counts.json", "ratings.csv", "profiles.csv", "annotators.csv"}
    assert expected["ratings.csv"] == b"layer,unit_set,document,ratings,n\n"
    given = Counter((who, label) for _, who, label, *_ in table.rows if label)
    rows = [line.split(",") for line in expected["annotators.csv"].decode().splitlines()[1:]]
    assert Counter({(who, label): int(n) for *_, who, label, n in rows}) == given


def names_travel(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Return a list that gets whether marks are named, each time that kinds of units are asked for."""
    asked: list[bool] = []
    own = IbisSource.alike

    def alike(self: IbisSource, sheet: LaidSheet, *, in_groups: bool = False, named: bool = True) -> Any:  # noqa: ANN401
        asked.append(named)
        return own(self, sheet, in_groups=in_groups, named=named)

    monkeypatch.setattr(IbisSource, "alike", alike)
    return asked


@pytest.mark.parametrize("most", [300, 400])
def test_units_of_so_many_ratings_that_their_pairs_are_too_many_make_a_crowd_large(
    most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reportgen.readers.counted.MOST_NAMED", 20)
    monkeypatch.setattr("reportgen.readers.counted.MOST_TWOS", most)
    table = crowd(documents=False)
    labels = sum(bool(label) for _, _, label in table.rows)
    assert 300 < fewest_twos(labels, 81) < 400
    asked = names_travel(monkeypatch)
    csv = write_csv(table, tmp_path / "labels.csv")
    expected = counted(tmp_path / "memory", [csv], engine=Engine("memory"))
    address = f"duckdb://{write_duckdb(table, tmp_path / 'labels.duckdb')}"
    assert counted(tmp_path / "elsewhere", [], database=address, table="labels") == expected
    assert asked == [most == 400]
    assert (b'"unnamed": true' in expected["counts.json"]) == (most == 300)


@pytest.mark.usefixtures("low_bounds")
def test_counts_of_a_crowd_are_counted_again_as_they_are(tmp_path: Path) -> None:
    files = counted(tmp_path / "counts", [write_csv(crowd(documents=True), tmp_path / "labels.csv")])
    results_of(tmp_path / "counts", tmp_path / "campaign")
    again = next((tmp_path / "campaign-site").rglob("counts"))
    renamed = {file.name: file.read_text("utf-8") for file in again.iterdir()}
    assert renamed.keys() == files.keys()
    assert renamed["profiles.csv"].count("\n") == files["profiles.csv"].count(b"\n")
    # Nobody rated one unit.
    assert any(row.split(",")[3:] == ["", "1"] for row in renamed["profiles.csv"].splitlines())


WRONG = {
    "profiles.csv": [
        ("e:2", "e:x", "is not a list of categories such as"),
        ("e:2", "z:2", "is not a list of categories such as"),
        ("e:2", "e:2|", "is not a list of categories such as"),
        ("e:2", "e:1|e:1", "is not a list of categories such as"),
        ("e:2", "e:3", "times in all, and profiles.csv"),
    ],
    "annotators.csv": [
        ("w10", "nobody", '"nobody" is not an annotator.'),
        (",e,1", ",e,2", "times in all, and profiles.csv"),
        (",e,", ",f,", '"f" is not a category.'),
    ],
    "ratings.csv": [
        (",n\n", ",n\nmain,items,d1,w10:e,1\n", 'says that nobody knows who rated the units of "items".')
    ],
}


@pytest.mark.usefixtures("low_bounds")
@pytest.mark.parametrize(
    ("file", "before", "after", "message"), [(name, *wrong) for name in WRONG for wrong in WRONG[name]]
)
def test_counts_of_a_crowd_that_contradict_each_other_are_refused(
    file: str, before: str, after: str, message: str, tmp_path: Path
) -> None:
    counted(tmp_path / "counts", [write_csv(crowd(documents=False), tmp_path / "labels.csv")])
    path = tmp_path / "counts" / file
    text = path.read_text("utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(BadInput, match=re.escape(message)):
        results_of(tmp_path / "counts", tmp_path / "campaign")


@pytest.fixture
def row_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a few rows of what annotators gave many: each of them has one."""
    monkeypatch.setattr("reportgen.counts.export.MOST_NAMED_ROWS", 5)


@pytest.mark.usefixtures("low_bounds")
def test_what_an_annotator_of_many_gave_is_one_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    table = crowd(documents=True)
    csv = write_csv(table, tmp_path / "labels.csv")
    plain = counted(tmp_path / "plain", [csv])
    request.getfixturevalue("row_each")
    short = counted(tmp_path / "short", [csv])
    assert {name for name in plain if plain[name] != short[name]} == {"annotators.csv"}
    head, first, *rows = short["annotators.csv"].decode().splitlines()
    assert head == "layer,unit_set,document,annotator,labels"
    given = Counter(label for _, who, label, *_ in table.rows if who == "w0")
    assert first == f"main,items,,w0,{' '.join(str(given[label]) for label in ('a|b', 'c:d', 'e'))}"
    assert len(rows) + 1 == len({who for _, who, label, *_ in table.rows if label})
    found = [results_of(tmp_path / name, tmp_path / f"of-{name}")["unit_sets"] for name in ("plain", "short")]
    assert found[0] == found[1]
    monkeypatch.setattr("reportgen.counts.export.MOST_ZEROS", 0)
    assert counted(tmp_path / "again", [csv]) == plain


@pytest.mark.usefixtures("low_bounds", "row_each")
@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("main,items,", "main,others,", "names no unit set of counts.json, or a document."),
        (",,,w10,", ",,d1,w10,", "names no unit set of counts.json, or a document."),
        (",w10,", ",w10,1 ", "has not 3 numbers, one for each label."),
        (",w10,", ",w10,x", "has not 3 numbers, one for each label."),
        (",w10,", ",w10,1", "times in all, and profiles.csv"),
        (",w10,", ",nobody,", '"nobody" is not an annotator.'),
    ],
)
def test_rows_of_nobody_are_refused(before: str, after: str, message: str, tmp_path: Path) -> None:
    counted(tmp_path / "counts", [write_csv(crowd(documents=False), tmp_path / "labels.csv")])
    path = tmp_path / "counts" / "annotators.csv"
    text = path.read_text("utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(BadInput, match=re.escape(message)):
        results_of(tmp_path / "counts", tmp_path / "campaign")
