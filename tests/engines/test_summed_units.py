"""Of very many kinds of units counts keep sums: figures are the same, but for those of whole units."""

import random
import re
from pathlib import Path
from typing import Any

import pytest

from reportgen.base.errors import BadInput
from reportgen.pipeline.build import build_site
from reportgen.readers import Engine
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


@pytest.fixture
def summed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a few kinds of units too many."""
    monkeypatch.setattr("reportgen.counts.sums.are_too_various", lambda *_: True)


def test_figures_that_add_up_pairs_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    csv = write_csv(labels(), tmp_path / "labels.csv")
    # Each document is a group of its own.
    monkeypatch.setattr("reportgen.readers.document_groups.PAIR_GROUPS", 1 << 40)
    counted(tmp_path / "whole", [csv])
    monkeypatch.setattr("reportgen.counts.sums.are_too_various", lambda *_: True)
    files = counted(tmp_path / "sums", [csv])
    (whole,), (sums,) = (
        results_of(tmp_path / name, tmp_path / f"of-{name}")["unit_sets"] for name in ("whole", "sums")
    )
    left_out = OF_PEOPLE | OF_WHOLE_UNITS
    undefined = {
        name: figure["undefined"] for name, figure in sums["measures"].items() if figure["value"] is None
    }
    assert undefined.keys() == left_out
    assert {undefined[name] for name in OF_WHOLE_UNITS} == {
        "the counts do not say which labels a unit has, but how often each two meet"
    }
    for name in whole["measures"].keys() - left_out:
        assert sums["measures"][name] == close(whole["measures"][name])
    assert len(whole["pairs"]) == 6
    same = ("pairs", "specific_agreement", "against_rest", "coincidences", "mean_over_pairs", "labels")
    for name in (*same, "units_by_annotators", "units", "documents", "macro_over_documents", "null_tests"):
        assert sums[name] == close(whole[name])
    assert sums["pair_groups"] == 12
    # What was counted is counted again as it is.
    again = next((tmp_path / "of-sums-site").rglob("sums.csv")).read_text("utf-8").splitlines()
    numbers = [line.rpartition(",")[2] for line in again]
    assert numbers == [line.rpartition(",")[2] for line in files["sums.csv"].decode().splitlines()]


def close(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """Return a value of results that equals others but for the last digits."""
    if isinstance(value, dict):
        return {name: close(own) for name, own in value.items()}
    if isinstance(value, list):
        return [close(own) for own in value]
    return pytest.approx(value, abs=1e-9) if isinstance(value, float) else value


@pytest.mark.usefixtures("summed")
def test_every_engine_counts_the_same_sums(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reportgen.readers.document_groups.MOST_DOCUMENTS", 10)
    monkeypatch.setattr("reportgen.readers.document_groups.MOST_LABELS", 100)
    table = labels(40)
    csv = write_csv(table, tmp_path / "labels.csv")
    expected = counted(tmp_path / "memory", [csv], engine=Engine("memory"))
    parquet = [write_parquet(table, tmp_path / "labels.parquet")]
    assert counted(tmp_path / "duckdb", parquet, engine=Engine("duckdb")) == expected
    address = f"duckdb://{write_duckdb(table, tmp_path / 'labels.duckdb')}"
    assert counted(tmp_path / "elsewhere", [], database=address, table="labels") == expected
    assert b'"summed": true' in expected["counts.json"]
    assert expected["ratings.csv"].count(b"\n") == expected["profiles.csv"].count(b"\n") == 1


WRONG = [
    ("main,items,d0,4,", "main,items,nowhere,4,", '"nowhere" is no document.'),
    ("main,items,d0,4,", "main,items,d0,4,7 ", '"4" is neither a number of ratings nor two annotators'),
    ("main,items,d0,4,", "main,items,d0,four,", '"four" is neither a number of ratings nor two annotators'),
    ("main,items,d0,4,", "main,items,d0,4,-", "is no list of whole numbers."),
    ("(?<=,2-3,)[0-9]+", "99", "has other sums by document than by pair of annotators."),
    ("main,items,d0,4,", "main,items,d0,5,", "has sums that no units have."),
    ("main,items,d1,4,", "main,items,d0,4,", "has rows twice."),
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


@pytest.mark.slow
@pytest.mark.usefixtures("summed")
def test_two_versions_of_sums_are_compared(tmp_path: Path) -> None:
    folder = tmp_path / "campaign"
    folder.mkdir()
    versions = []
    for version, seed in (("1.0", 1), ("1.1", 2)):
        counted(folder / f"exports-{version}", [write_csv(labels(seed=seed), tmp_path / f"{version}.csv")])
        versions.append(f'[[guidelines]]\nversion = "{version}"\nexports = "exports-{version}"\n')
    (folder / "campaign.toml").write_text('title = "Two"\n\n' + "\n".join(versions), encoding="utf-8")
    build_site([folder], tmp_path / "site")
    changes = next((tmp_path / "site").rglob("comparison.json")).read_text("utf-8")
    assert "krippendorff_alpha" in changes
