"""The label table: a row a label, from which another library computes the report's alpha."""

import csv
import io
import json
from pathlib import Path

import krippendorff
import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from reportgen.campaign import load
from reportgen.publish.label_table import label_obstacles, label_table, write_labels
from tests import six_subjects
from tests.campaigns import marked, results_of, written
from tests.commands import run

ROWS = """\
unit,annotator,document,label,pass
u1,Ada,d1,x,1
u1,Bob,d1,x,1
u1,Cyd,d1,y,1
u2,Ada,d1,y,1
u2,Bob,d1,x,1
u2,Ada,d1,x,2
u3,gold,d2,x,1
u3,Ada,d2,x,1
"""
ROLES = '[annotators.gold]\nrole = "reference"\n'


def rows_in(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    return written(tmp_path / "campaign", ROLES, {"exports/1.0/e.csv": ROWS})


def test_a_row_has_who_said_what_of_which_unit_and_what_most_said(campaign: Path, tmp_path: Path) -> None:
    out = tmp_path / "labels.csv"
    answer = run("labels", campaign, "--out", out)
    assert answer.exit_code == 0, answer.stderr
    rows = rows_in(out.read_text(encoding="utf-8"))
    assert len(rows) == 8
    assert "Ada" not in out.read_text(encoding="utf-8")
    by_unit = [(row["unit"], row["role"], row["pass"], row["label"]) for row in rows]
    assert by_unit[0] == ("u1", "annotator", "1", "x")
    assert ("u2", "annotator", "2", "x") in by_unit
    assert ("u3", "reference", "1", "x") in by_unit
    first = {(row["unit"], row["majority"], row["votes"]) for row in rows if row["unit"] != "u3"}
    assert first == {("u1", "x", "3"), ("u2", "", "2")}, "a tie has no majority; a second pass is no vote"
    assert [row["share"] for row in rows if row["unit"] == "u1"] == ["0.666666666667"] * 2 + [
        "0.333333333333"
    ]
    assert [row["votes"] for row in rows if row["unit"] == "u3"] == ["1", "1"], "a reference is no vote"


def test_json_lines_and_parquet_have_the_same_rows(campaign: Path, tmp_path: Path) -> None:
    table = label_table(load(campaign), "1.0")
    for name in ("a.csv", "a.jsonl", "a.parquet"):
        write_labels(table, tmp_path / name)
    in_csv = rows_in((tmp_path / "a.csv").read_text(encoding="utf-8"))
    lines = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()]
    parquet = pq.read_table(tmp_path / "a.parquet").to_pylist()
    assert lines == parquet
    assert [list(row) for row in lines] == [list(row) for row in in_csv]
    assert [str(row["votes"]) for row in lines] == [row["votes"] for row in in_csv]
    assert isinstance(lines[0]["pass"], int)
    before = (tmp_path / "a.csv").read_bytes()
    write_labels(table, tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_bytes() == before


def alpha_of(frame: pd.DataFrame) -> float:
    own = frame[(frame.role == "annotator") & (frame["pass"].astype(int) == 1)]
    counts = pd.crosstab(own.unit, own.label).to_numpy()
    return float(
        krippendorff.alpha(value_counts=counts[counts.sum(axis=1) > 1], level_of_measurement="nominal")
    )


@pytest.mark.parametrize("subject", ["crowd", "judge"])
def test_another_library_computes_the_report_s_alpha_from_it(subject: str, tmp_path: Path) -> None:
    campaign = six_subjects.campaign(tmp_path, subject)
    out = tmp_path / "labels.csv"
    write_labels(label_table(load(campaign), "1.0"), out)
    frame = pd.read_csv(out, dtype=str, keep_default_na=False)
    found = results_of(campaign)
    alpha = found.primary.measures["krippendorff_alpha"].value
    if subject == "crowd":
        assert alpha_of(frame) == pytest.approx(alpha, abs=1e-11)
    else:
        assert alpha is None
        assert set(frame.role) == {"annotator", "model"}


def test_of_ukp_s_crowd_too(shared: Path, tmp_path: Path) -> None:
    votes = (shared / "data" / "ukp-convarg1" / "votes.csv").read_text(encoding="utf-8").splitlines()
    campaign = written(tmp_path / "ukp", "", {"exports/1.0/votes.csv": "\n".join(votes[:4001]) + "\n"})
    out = tmp_path / "labels.parquet"
    write_labels(label_table(load(campaign), "1.0"), out)
    alpha = results_of(campaign).primary.measures["krippendorff_alpha"].value
    assert alpha_of(pq.read_table(out).to_pandas()) == pytest.approx(alpha, abs=1e-11)


def test_marks_have_their_places_and_texts_only_where_they_may_be_shown(tmp_path: Path) -> None:
    texts = {"d1": "Paris and Anna"}
    files = marked(texts, {"ann": {"d1": [("LOC", 0, 5)]}, "bea": {"d1": [("PER", 10, 14)]}})
    exports = {f"exports/1.0/{name}": content for name, content in files.items()}
    shown = label_table(load(written(tmp_path / "shown", "", exports)), "1.0")
    assert [(row["label"], row["text"], row["offsets"]) for row in shown.rows] == [
        ("LOC", "Paris", ((0, 5),)),
        ("PER", "Anna", ((10, 14),)),
    ]
    withheld = '[privacy]\ntexts = "withhold"\n'
    hidden = label_table(load(written(tmp_path / "hidden", withheld, exports)), "1.0")
    assert "text" not in hidden.columns
    assert "votes" not in hidden.columns


def test_it_is_refused_where_single_labels_may_not_be_shown(tmp_path: Path) -> None:
    campaign = load(written(tmp_path / "c", "[privacy]\nsmallest = 5\n", {"exports/1.0/e.csv": ROWS}))
    (problem,) = label_obstacles(tmp_path / "a.csv", campaign)
    assert problem.key == "privacy.smallest"
    free = load(written(tmp_path / "f", "[privacy]\nsmallest = 1\n", {"exports/1.0/e.csv": ROWS}))
    assert label_obstacles(tmp_path / "a.csv", free) == []


@pytest.mark.parametrize("name", ["a.xlsx", "a", "folder/"])
def test_another_ending_is_refused_with_those_that_there_are(
    name: str, campaign: Path, tmp_path: Path
) -> None:
    answer = run("labels", campaign, "--out", tmp_path / name)
    assert answer.exit_code == 2
    assert ".csv, .jsonl or .parquet" in answer.stderr
    assert not (tmp_path / name).exists()


def test_counts_have_no_single_labels(tmp_path: Path) -> None:
    export = {"exports/1.0/m.csv": "A\\B,x,y\nx,5,1\ny,2,7\n"}
    campaign = load(written(tmp_path / "m", "", export))
    table = label_table(campaign, "1.0")
    assert len(table.rows) == 8, "a cell of a matrix is a unit of its own"
    assert np.unique([row["votes"] for row in table.rows]).tolist() == [2]


def test_somebody_s_file_is_never_overwritten(campaign: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("my own table\n", encoding="utf-8")
    assert run("labels", campaign, "--out", tmp_path / "mine.csv").exit_code == 2
    assert (tmp_path / "mine.csv").read_text(encoding="utf-8") == "my own table\n"
