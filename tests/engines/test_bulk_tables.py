"""Very large tables: documents in groups, sums in place of kinds of units, crowds without names."""

import json
import random
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import ibis
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.base.errors import BadInput
from reportgen.pipeline.build import build_site
from reportgen.pipeline.counting import CountRequest, count_table
from reportgen.readers import Engine, ReaderOptions
from reportgen.readers.counted import DIGITS, fewest_twos, group_of
from reportgen.readers.engine import queries
from reportgen.readers.engine.queries import HEXADECIMAL, IbisSource, LaidSheet, _md5, sums_of
from tests.engines.tables import Shape, write_csv, write_duckdb, write_parquet

CAMPAIGN = 'title = "Many documents"\n\n[[guidelines]]\nversion = "1.0"\nexports = "exports"\n'


@pytest.fixture
def few_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a table of a few documents a large one."""
    monkeypatch.setattr("reportgen.readers.counted.MOST_DOCUMENTS", 30)
    monkeypatch.setattr("reportgen.readers.counted.MOST_LABELS", 100)


def many_documents(documents: int, units: int = 3, annotators: int = 3) -> Shape:
    """Return a table in which units of a document are alike; some units have no document."""
    chosen = random.Random(documents)  # noqa: S311 - no secret
    rows = []
    for document in range(documents):
        hard = chosen.random()
        for unit in range(units):
            truth = chosen.choice("abc")
            for who in range(annotators):
                label = chosen.choice("abc") if chosen.random() < hard else truth
                name = "" if document % 40 == 0 else f"Ünit “{document}”"
                rows.append([f"{document}.{unit}", f"w{who}", label, name])
    chosen.shuffle(rows)
    return Shape(("item", "worker", "label", "document"), rows)


def counted(out: Path, files: list[Path], **reading: Any) -> dict[str, bytes]:  # noqa: ANN401 - as options
    count_table(CountRequest(files, ReaderOptions(**reading)), out)
    return {each.name: each.read_bytes() for each in sorted(out.iterdir())}


@pytest.mark.slow
@pytest.mark.usefixtures("few_documents")
@pytest.mark.parametrize("seed", range(40, 46))
def test_all_engines_put_the_same_documents_into_the_same_groups(seed: int, tmp_path: Path) -> None:
    table = many_documents(seed)
    csv = write_csv(table, tmp_path / "labels.csv")
    expected = counted(tmp_path / "memory", [csv], engine=Engine("memory"))
    parquet = [write_parquet(table, tmp_path / "labels.parquet")]
    assert counted(tmp_path / "duckdb", parquet, engine=Engine("duckdb")) == expected
    address = f"duckdb://{write_duckdb(table, tmp_path / 'labels.duckdb')}"
    assert counted(tmp_path / "elsewhere", [], database=address, table="labels") == expected
    (layer,) = json.loads(expected["counts.json"])["layers"]
    (units,) = layer["unit_sets"]
    names = {name for *_, name in table.rows if name}
    assert layer["documents"] == sorted({group_of(str(name)) for name in names})
    assert {row.split(",")[2] for row in expected["annotators.csv"].decode().splitlines()[1:]} == {""}
    assert (units["grouped"], layer["material"]["documents"]) == (len(names), len(names))


def test_few_documents_or_labels_stay_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    csv = write_csv(many_documents(41), tmp_path / "labels.csv")
    expected = counted(tmp_path / "single", [csv])
    assert b"grouped" not in expected["counts.json"]
    for bound, most in (("MOST_DOCUMENTS", 30), ("MOST_LABELS", 100)):
        with monkeypatch.context() as patched:
            patched.setattr(f"reportgen.readers.counted.{bound}", most)
            assert counted(tmp_path / bound, [csv]) == expected


def results_of(counts: Path, folder: Path) -> dict[str, Any]:
    folder.mkdir()
    (folder / "campaign.toml").write_text(CAMPAIGN, encoding="utf-8")
    counts.rename(folder / "exports")
    build_site([folder], folder.parent / f"{folder.name}-site")
    found: dict[str, Any] = json.loads(
        next(folder.parent.glob(f"{folder.name}-site/**/results.json")).read_text("utf-8")
    )
    return found


@pytest.mark.slow
def test_groups_have_the_figures_of_documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    csv = write_csv(many_documents(5_000, units=2), tmp_path / "labels.csv")
    counted(tmp_path / "single", [csv])
    monkeypatch.setattr("reportgen.readers.counted.MOST_LABELS", 100)
    counted(tmp_path / "grouped", [csv])
    single, grouped = (results_of(tmp_path / name, tmp_path / f"of-{name}") for name in ("single", "grouped"))
    (before,), (after,) = single["unit_sets"], grouped["unit_sets"]
    assert before["documents"] == after["documents"] == 4_875
    assert after["document_groups"] < 16**DIGITS
    for name, figure in before["measures"].items():
        other = after["measures"][name]
        assert {**other, "interval": 0, "standard_error": 0} == {**figure, "interval": 0, "standard_error": 0}
        if figure["interval"].get("low") is not None:
            width = figure["interval"]["high"] - figure["interval"]["low"]
            assert other["interval"]["high"] - other["interval"]["low"] == pytest.approx(width, rel=0.02)
    assert before["macro_over_documents"]
    assert "macro_over_documents" not in after
    assert "planning" not in after
    assert "by_document" not in grouped


@pytest.mark.usefixtures("few_documents")
def test_a_report_says_that_documents_are_in_groups(tmp_path: Path) -> None:
    counted(tmp_path / "counts", [write_csv(many_documents(45), tmp_path / "labels.csv")])
    results = results_of(tmp_path / "counts", tmp_path / "campaign")
    (units,) = results["unit_sets"]
    pages = " ".join(path.read_text("utf-8") for path in (tmp_path / "campaign-site").rglob("report.md"))
    assert (units["documents"], units["document_groups"]) == (43, 43)
    assert "leaving out each group of documents in turn (43 groups)" in pages
    assert "leaving out each document" not in pages


DIALECTS = ("postgres", "risingwave", "snowflake", "pyspark", "databricks", *HEXADECIMAL)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_each_database_computes_the_digits_of_a_group(dialect: str) -> None:
    table = ibis.table({"document": "string"}, name="labels")
    expression = table.select(digits=_md5(table.document, dialect))
    assert "MD5(" in ibis.to_sql(expression, dialect=dialect).upper()


OF_PEOPLE = {"conger_kappa", "light_kappa", "weighted_kappa[computed]"}
OF_WHOLE_UNITS = {"majority_agreement", "siegel_castellan", "unanimous_agreement"}


def labels(documents: int = 12, seed: int = 1) -> Shape:
    """Return a table of four annotators, some of whom are missing; one label is never disputed."""
    chosen = random.Random(seed)  # noqa: S311 - no secret
    rows = []
    for document in range(documents):
        for unit in range(chosen.randint(4, 9)):
            truth = "sure" if unit == 0 else chosen.choice("abc")
            for who in range(4):
                label = chosen.choice("abc") if unit and chosen.random() < 0.3 else truth
                if chosen.random() < 0.9:
                    rows.append([f"{document}.{unit}", f"w{who}", label, f"d{document}"])
    return Shape(("item", "worker", "label", "document"), rows)


def make_various(monkeypatch: pytest.MonkeyPatch, *, alone: bool = False) -> None:
    """Make a few kinds of units too many; with `alone`, of units without documents."""
    for module in ("counts.export", "readers.engine.queries"):
        monkeypatch.setattr(f"reportgen.{module}.are_too_various{'_alone' * alone}", lambda *_: True)


@pytest.fixture
def summed(monkeypatch: pytest.MonkeyPatch) -> None:
    make_various(monkeypatch)


def test_figures_that_add_up_pairs_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    csv = write_csv(labels(), tmp_path / "labels.csv")
    counted(tmp_path / "whole", [csv])
    monkeypatch.setattr("reportgen.counts.export.are_too_various", lambda *_: True)
    files = counted(tmp_path / "sums", [csv])
    (whole,), (summed,) = (
        results_of(tmp_path / name, tmp_path / f"of-{name}")["unit_sets"] for name in ("whole", "sums")
    )
    left_out = OF_PEOPLE | OF_WHOLE_UNITS
    undefined = {
        name: figure["undefined"] for name, figure in summed["measures"].items() if figure["value"] is None
    }
    assert undefined.keys() == left_out
    assert {undefined[name] for name in OF_WHOLE_UNITS} == {
        "the counts do not say which labels a unit has, but how often each two meet"
    }
    for name in whole["measures"].keys() - left_out:
        assert summed["measures"][name] == close(whole["measures"][name])
    assert len(whole["pairs"]) == 6
    assert summed["pairs"] == nearly(whole["pairs"])
    same = ("specific_agreement", "against_rest", "coincidences", "mean_over_pairs", "labels")
    for name in (*same, "units_by_annotators", "units", "documents", "macro_over_documents", "null_tests"):
        assert summed[name] == close(whole[name])
    assert summed["pair_groups"] == 12
    # What was counted is counted again as it is.
    again = next((tmp_path / "of-sums-site").rglob("sums.csv")).read_text("utf-8").splitlines()
    numbers = [line.rpartition(",")[2] for line in again]
    assert numbers == [line.rpartition(",")[2] for line in files["sums.csv"].decode().splitlines()]


def nearly(value: Any, ends: float = 0.03) -> Any:  # noqa: ANN401 - any JSON
    """Return a value of results whose intervals may leave out documents of another size than their own.

    Those of figures on a scale are further apart: sums do not say how much of a figure few documents move.
    """
    if isinstance(value, list):
        return [nearly(own, ends) for own in value]
    if isinstance(value, dict):
        return {
            name: pytest.approx(own, abs=ends)
            if name in {"low", "high"}
            else nearly(own, 0.15 if name == "finn_r" or "[" in name else ends)
            for name, own in value.items()
        }
    return pytest.approx(value, abs=1e-9) if isinstance(value, float) else value


def close(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """Return a value of results that equals others but for the last digits."""
    if isinstance(value, dict):
        return {name: close(own) for name, own in value.items()}
    if isinstance(value, list):
        return [close(own) for own in value]
    return pytest.approx(value, abs=1e-9) if isinstance(value, float) else value


@pytest.mark.usefixtures("summed")
def test_every_engine_counts_the_same_sums(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reportgen.readers.counted.MOST_DOCUMENTS", 10)
    monkeypatch.setattr("reportgen.readers.counted.MOST_LABELS", 100)
    table = labels(40)
    csv = write_csv(table, tmp_path / "labels.csv")
    expected = counted(tmp_path / "memory", [csv], engine=Engine("memory"))
    assert without_kinds(table, tmp_path, monkeypatch) == expected
    assert elsewhere(table, tmp_path, monkeypatch) == expected
    assert b'"summed": true' in expected["counts.json"]
    assert expected["ratings.csv"].count(b"\n") == expected["profiles.csv"].count(b"\n") == 1


def elsewhere(
    table: Shape,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    **reading: Any,  # noqa: ANN401 - as options
) -> dict[str, bytes]:
    """Return counts of a table in a database, of which no kinds of units may be fetched."""
    address = f"duckdb://{write_duckdb(table, folder / 'labels.duckdb')}"
    with monkeypatch.context() as patched:
        patched.setattr(IbisSource, "alike", None)
        return counted(folder / "elsewhere", [], database=address, table="labels", **reading)


PLAIN = [
    [f"u{unit}", f"w{who}", label, f"d{unit % 3}"]
    for unit, labels in enumerate(("aab", "abc", "bbb"))
    for who, label in enumerate(labels)
]
MESSY = [
    # Written otherwise, and the same: a label with blanks, a name in two forms of Unicode.
    ["u1", "zoe\u0308", " a", "d1"],
    ["u2", "zo\u00eb", "c ", "d2"],
    # What does not count: missing, undeclared, without a unit or an annotator.
    ["u3", "w0", "n/a", "d0"],
    ["u3", "w1", "", "d0"],
    ["u4", "w0", "other", "d1"],
    ["", "w1", "a", "d1"],
    [" ", "w2", "b", "d1"],
    ["u0", " ", "b", "d0"],
    ["u5", "w9", "other", "d2"],
    # One rating alone, and the name of a unit in another document.
    ["u6", "w1", "c", "d0"],
    ["u0", "w1", "c", "d1"],
    ["u0", "w2", "c", "d1"],
]
HEADER = ("item", "worker", "label", "document")


@pytest.mark.usefixtures("summed")
@pytest.mark.parametrize("reading", [{}, {"annotators": ("w2", "w0", "w1")}])
def test_what_does_not_count_is_no_part_of_sums(
    reading: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Shape(HEADER, [*PLAIN, *MESSY])
    reading["missing"] = ("n/a",)
    csv = write_csv(table, tmp_path / "labels.csv")
    expected = counted(tmp_path / "memory", [csv], engine=Engine("memory"), **reading)
    assert b'"summed": true' in expected["counts.json"]
    assert elsewhere(table, tmp_path, monkeypatch, **reading) == expected
    assert without_kinds(table, tmp_path, monkeypatch, **reading) == expected


def without_kinds(
    table: Shape,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    **reading: Any,  # noqa: ANN401 - as options
) -> dict[str, bytes]:
    """Return counts of a Parquet file by DuckDB, from which no kinds of units may be fetched."""
    parquet = [write_parquet(table, folder / "labels.parquet")]
    with monkeypatch.context() as patched:
        patched.setattr("reportgen.readers.engine.kinds", None)
        return counted(folder / "duckdb", parquet, engine=Engine("duckdb"), **reading)


@pytest.mark.usefixtures("summed")
def test_a_column_each_annotator_is_summed_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        [f"u{unit}", f"d{unit % 3}", *(("a", "b", "", "c")[unit * k % 4] for k in (1, 3, 5))]
        for unit in range(20)
    ]
    table = Shape(("unit", "document", "A", "B", "C"), rows)
    expected = counted(tmp_path / "memory", [write_csv(table, tmp_path / "a.csv")], engine=Engine("memory"))
    assert b'"summed": true' in expected["counts.json"]
    assert elsewhere(table, tmp_path, monkeypatch) == expected


@pytest.mark.usefixtures("summed")
@pytest.mark.parametrize("row", [["u1", "w1", "b", "d1"], ["u7", "w1", "b", ""]])
def test_who_labelled_a_unit_twice_or_in_no_document_is_known_from_kinds_of_units(
    row: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Shape(HEADER, [*PLAIN, row])
    csv = write_csv(table, tmp_path / "labels.csv")
    with pytest.raises(TypeError):
        elsewhere(table, tmp_path, monkeypatch)
    address = f"duckdb://{tmp_path / 'labels.duckdb'}"
    expected = counted(tmp_path / "memory", [csv], engine=Engine("memory"))
    assert counted(tmp_path / "elsewhere", [], database=address, table="labels") == expected
    assert counted(tmp_path / "duckdb", [write_parquet(table, tmp_path / "labels.parquet")]) == expected


@pytest.mark.usefixtures("summed")
def test_a_table_that_changes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def changed(source: IbisSource, units: Any, *numbers: int) -> Any:  # noqa: ANN401 - of Ibis
        return sums_of(source, units.filter(units.document != "d2"), *numbers)

    monkeypatch.setattr(queries, "sums_of", changed)
    with pytest.raises(BadInput, match="changed while it was counted"):
        elsewhere(Shape(HEADER, PLAIN), tmp_path, monkeypatch)
    assert not (tmp_path / "elsewhere").exists()


ROWS = st.lists(
    st.tuples(
        st.sampled_from(("v1", "v2", "v3", "v4")),
        st.sampled_from(("ann", "bob", "Zoë", "|")),
        st.sampled_from(("a", "b ", "c:d", "")),
        st.sampled_from(("d1", "d2", "é")),
    ),
    max_size=40,
    unique_by=lambda row: (row[0], row[1], row[3]),
)


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(rows=ROWS, grouped=st.booleans())
def test_random_tables_have_the_same_sums_elsewhere(rows: list[tuple[str, ...]], grouped: bool) -> None:  # noqa: FBT001 - drawn
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as monkeypatch:
        make_various(monkeypatch)
        if grouped:
            monkeypatch.setattr("reportgen.readers.counted.MOST_DOCUMENTS", 1)
            monkeypatch.setattr("reportgen.readers.counted.MOST_LABELS", 1)
        # Three annotators have labels that others share, whatever else there is.
        table, folder = Shape(HEADER, [*PLAIN, *rows]), Path(name)
        csv = write_csv(table, folder / "labels.csv")
        expected = counted(folder / "memory", [csv], engine=Engine("memory"))
        assert elsewhere(table, folder, monkeypatch) == expected
        assert without_kinds(table, folder, monkeypatch) == expected


def alone(table: Shape) -> Shape:
    """Return a table without its documents; units keep their names, and their documents' within these."""
    return Shape(
        table.header[:3], [[f"{row[0]}/{row[3]}" if row[0] else "", *row[1:3]] for row in table.rows]
    )


@pytest.fixture
def various(monkeypatch: pytest.MonkeyPatch) -> None:
    make_various(monkeypatch, alone=True)


def test_figures_are_the_same_but_of_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    csv = write_csv(alone(labels()), tmp_path / "labels.csv")
    counted(tmp_path / "whole", [csv])
    make_various(monkeypatch, alone=True)
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


# Tables that no units have.

KINDS: dict[str, tuple[Callable[[], Shape], tuple[str, ...]]] = {
    "sums": (labels, ("summed",)),
    "alone": (lambda: alone(labels()), ("various",)),
    "crowd": (lambda: crowd(documents=False), ("low_bounds",)),
    "rows": (lambda: crowd(documents=False), ("low_bounds", "row_each")),
}


COUNTS = "has two annotators that counts.json does not have."
PRODUCTS = "has other products of cells than tables of pairs can have."
A_LIST = "is not a list of categories such as"
IN_ALL = "times in all, and profiles.csv"
NO_UNIT_SET = "names no unit set of counts.json, or a document."
NUMBERS = "has not 3 numbers, one for each label."
WRONG: dict[tuple[str, str], list[tuple[str, str, str]]] = {
    ("sums", "sums.csv"): [
        ("main,items,d0,4,", "main,items,nowhere,4,", '"nowhere" is not a document.'),
        ("main,items,d0,4,", "main,items,d0,4,7 ", '"4" is neither a number of ratings nor two annotators'),
        (
            "main,items,d0,4,",
            "main,items,d0,four,",
            '"four" is neither a number of ratings nor two annotators',
        ),
        ("main,items,d0,4,", "main,items,d0,4,-", "is not a list of whole numbers."),
        ("(?<=,2-3,)[0-9]+", "99", "has other sums by document than by pair of annotators."),
        ("main,items,d0,4,", "main,items,d0,5,", "has sums that no units have."),
        ("main,items,d1,4,", "main,items,d0,4,", "has rows twice."),
        ("(?<=,,0-1,)[0-9]+", "1", PRODUCTS),
        ("(?<=,,0-1,)[0-9]+", "999", PRODUCTS),
        ("(?<=,,0-1-0,)[0-9]+", "9999", PRODUCTS),
        (",,2-3,", ",,2-1,", COUNTS),
        ("main,items,,2-3,[0-9]+\n", "", PRODUCTS),
        (",2-3,", ",2-9,", COUNTS),
        ("layer,unit_set,document,of,sums", "layer,unit_set,of,sums", "has another header than"),
    ],
    ("sums", "annotators.csv"): [
        (",sure,\\d+", ",sure,1", "has other labels than annotators.csv."),
    ],
    ("alone", "sums.csv"): [
        ("main,items,,2-3,", "main,items,,2-1,", COUNTS),
        ("main,items,,2-3,", "main,items,,2-9,", COUNTS),
        ("main,items,,2-3,", "main,items,,0-1,", "has rows twice."),
        ("main,items,,2-3,", "main,items,,23,", '"23" is no two annotators with such sums'),
        ("main,items,,2-3,[0-9]+", "main,items,,2-3,99", "has other sums by document than by pair"),
        ("main,items,,2-3,[0-9]+ ", "main,items,,2-3,", '"2-3" is no two annotators with such sums'),
    ],
    ("alone", "profiles.csv"): [
        ("(?<=,a:3,)[0-9]+", "99", IN_ALL),
    ],
    ("crowd", "profiles.csv"): [
        ("e:2", "e:x", A_LIST),
        ("e:2", "z:2", A_LIST),
        ("e:2", "e:2|", A_LIST),
        ("e:2", "e:1|e:1", A_LIST),
        ("e:2", "e:3", IN_ALL),
    ],
    ("crowd", "annotators.csv"): [
        ("w10", "nobody", '"nobody" is not an annotator.'),
        (",e,1", ",e,2", IN_ALL),
        (",e,", ",f,", '"f" is not a category.'),
    ],
    ("crowd", "ratings.csv"): [
        (",n\n", ",n\nmain,items,d1,w10:e,1\n", 'says that nobody knows who rated the units of "items".'),
    ],
    ("rows", "annotators.csv"): [
        ("main,items,", "main,others,", NO_UNIT_SET),
        (",,,w10,", ",,d1,w10,", NO_UNIT_SET),
        (",w10,", ",w10,1 ", NUMBERS),
        (",w10,", ",w10,x", NUMBERS),
        (",w10,", ",w10,1", IN_ALL),
        (",w10,", ",nobody,", '"nobody" is not an annotator.'),
    ],
}


@pytest.mark.parametrize(
    ("kind", "file", "before", "after", "message"),
    [(*place, *wrong) for place in WRONG for wrong in WRONG[place]],
)
def test_counts_that_no_units_have_are_refused(  # noqa: PLR0917 - what is changed, and what is said
    kind: str,
    file: str,
    before: str,
    after: str,
    message: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    table, bounds = KINDS[kind]
    for bound in bounds:
        request.getfixturevalue(bound)
    counted(tmp_path / "counts", [write_csv(table(), tmp_path / "labels.csv")])
    path = tmp_path / "counts" / file
    text = path.read_text("utf-8")
    changed = re.sub(before, after, text, count=1)
    assert changed != text
    path.write_text(changed, encoding="utf-8")
    with pytest.raises(BadInput, match=re.escape(message)):
        results_of(tmp_path / "counts", tmp_path / "campaign")
