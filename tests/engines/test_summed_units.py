"""Of very many kinds of units counts keep sums: figures are the same, but for those of whole units."""

import random
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.base.errors import BadInput
from reportgen.readers import Engine
from reportgen.readers.engine import queries
from reportgen.readers.engine.queries import IbisSource, sums_of
from tests.engines.tables import Shape, write_csv, write_duckdb, write_parquet
from tests.engines.test_document_groups import counted, results_of

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


def make_various(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a few kinds of units too many."""
    monkeypatch.setattr("reportgen.counts.export.are_too_various", lambda *_: True)
    monkeypatch.setattr("reportgen.readers.engine.queries.are_too_various", lambda *_: True)


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


WRONG = [
    ("main,items,d0,4,", "main,items,nowhere,4,", '"nowhere" is not a document.'),
    ("main,items,d0,4,", "main,items,d0,4,7 ", '"4" is neither a number of ratings nor two annotators'),
    ("main,items,d0,4,", "main,items,d0,four,", '"four" is neither a number of ratings nor two annotators'),
    ("main,items,d0,4,", "main,items,d0,4,-", "is not a list of whole numbers."),
    ("(?<=,2-3,)[0-9]+", "99", "has other sums by document than by pair of annotators."),
    ("main,items,d0,4,", "main,items,d0,5,", "has sums that no units have."),
    ("main,items,d1,4,", "main,items,d0,4,", "has rows twice."),
    ("(?<=,,0-1,)[0-9]+", "1", "has other products of cells than tables of pairs can have."),
    ("(?<=,,0-1,)[0-9]+", "999", "has other products of cells than tables of pairs can have."),
    ("(?<=,,0-1-0,)[0-9]+", "9999", "has other products of cells than tables of pairs can have."),
    (",,2-3,", ",,2-1,", "has two annotators that counts.json does not have."),
    ("main,items,,2-3,[0-9]+\n", "", "has other products of cells than tables of pairs can have."),
    (",2-3,", ",2-9,", "has two annotators that counts.json does not have."),
    ("layer,unit_set,document,of,sums", "layer,unit_set,of,sums", "has another header than"),
]


@pytest.mark.usefixtures("summed")
@pytest.mark.parametrize(("before", "after", "message"), WRONG)
def test_sums_that_no_units_have_are_refused(before: str, after: str, message: str, tmp_path: Path) -> None:
    counted(tmp_path / "counts", [write_csv(labels(), tmp_path / "labels.csv")])
    path = tmp_path / "counts" / "sums.csv"
    text = path.read_text("utf-8")
    changed = re.sub(before, after, text, count=1)
    assert changed != text
    path.write_text(changed, encoding="utf-8")
    with pytest.raises(BadInput, match=re.escape(message)):
        results_of(tmp_path / "counts", tmp_path / "campaign")


@pytest.mark.usefixtures("summed")
def test_labels_that_annotators_did_not_give_are_refused(tmp_path: Path) -> None:
    counted(tmp_path / "counts", [write_csv(labels(), tmp_path / "labels.csv")])
    path = tmp_path / "counts" / "annotators.csv"
    path.write_text(re.sub(r",sure,\d+", ",sure,1", path.read_text("utf-8"), count=1), encoding="utf-8")
    with pytest.raises(BadInput, match=re.escape("has other labels than annotators.csv.")):
        results_of(tmp_path / "counts", tmp_path / "campaign")
