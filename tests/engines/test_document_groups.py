"""Documents of very large tables are put into groups: counts stay small, and figures are the same."""

import json
import random
from pathlib import Path
from typing import Any

import ibis
import pytest

from reportgen.pipeline.build import build_site
from reportgen.pipeline.counting import CountRequest, count_table
from reportgen.readers import Engine, ReaderOptions
from reportgen.readers.counted import DIGITS, group_of
from reportgen.readers.engine.queries import HEXADECIMAL, _md5
from tests.engines.tables import Shape, write_csv, write_duckdb, write_parquet

CAMPAIGN = 'title = "Many documents"\n\n[[guidelines]]\nversion = "1.0"\nexports = "exports"\n'


@pytest.fixture
def low_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
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
@pytest.mark.usefixtures("low_bounds")
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


@pytest.mark.usefixtures("low_bounds")
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
