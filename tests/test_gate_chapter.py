"""What GATE's chapter on evaluation does beyond figures: features, adjudication, gold as GATE XML, roles."""

import csv
import io
from collections.abc import Mapping
from pathlib import Path

import pytest

from reportgen.campaign import load
from reportgen.pipeline.export_folder import survey_folder
from reportgen.pipeline.scaffold import decisions, plan_of, render
from reportgen.pipeline.version_reports import Report
from reportgen.publish.exported_files import GoldOptions, gold_rows, gold_standard, write_gold
from reportgen.publish.gold_marks import GATE, GoldDocument, GoldTexts
from reportgen.readers import DocumentCopy, Export, ExportFile, ParsedMark, ReaderOptions
from reportgen.readers.gate_documents import READER
from reportgen.report.page import report_html
from reportgen.report.view import ReportView
from reportgen.results import Results
from tests.campaigns import report_of, results_of, written
from tests.commands import append, on_disk
from tests.readers import write_gate
from tests.rendered import as_csv

TEXT = "Ann met Bob and Carla and Dan."
Persons = Mapping[str, Mapping[str, str]]
WORDS = {"Ann": (0, 3), "Bob": (8, 11), "Carla": (16, 21), "Dan": (26, 29), "met": (4, 7)}


def campaign(folder: Path, sets: Mapping[str, Persons], toml: str = "") -> Path:
    """Write a campaign of one GATE document, with sets of persons by name; return its folder."""
    made = on_disk(folder / "campaign" / "exports" / "1.0", {}).parent.parent
    copies = [
        DocumentCopy(
            "a", name, "", TEXT, [ParsedMark("Person", (WORDS[word],), own) for word, own in persons.items()]
        )
        for name, persons in sets.items()
    ]
    write_gate.write(copies, made / "exports" / "1.0")
    return written(made, toml, {})


KEY = {
    "Ann": {"gender": "f", "kind": "name"},
    "Bob": {"gender": "m", "kind": "name"},
    "Carla": {"gender": "f", "kind": "name"},
    "Dan": {"gender": "m", "kind": "name"},
}
RESPONSE = {
    "Ann": {"gender": "f", "kind": "name"},
    "Bob": {"gender": "m", "kind": "other"},
    "Carla": {"gender": "m", "kind": "name"},
}

BOTH: Mapping[str, Persons] = {"Key": KEY, "Response": RESPONSE}


def strict(found: Results) -> dict[str, int]:
    assert found.spans is not None
    (pair,) = found.spans.pairs
    return pair.counts.model_dump()


# The whole text has 4 persons in the key, 3 in the response: with no feature all 3 match.
@pytest.mark.parametrize(
    ("features", "matches"), [("[]", 3), ('["gender"]', 2), ('["kind"]', 2), ('"*"', 1), ('["*"]', 1)]
)
def test_marks_are_compared_by_no_some_or_all_features(tmp_path: Path, features: str, matches: int) -> None:
    found = results_of(campaign(tmp_path, BOTH, f"[task]\nfeatures = {features}\n"))
    alone = {"only_first": 4 - matches, "only_second": 3 - matches}
    assert strict(found) == {"match": matches, "overlap": 0, **alone}
    assert found.spans is not None
    if "*" in features:
        assert found.spans.layers[0].features == ("gender", "kind")


# A key and one response are two sides of a sheet

NAMES = '[privacy]\nannotators = "names"\n'
PEOPLE = NAMES + '[annotators.Response]\nrole = "system"\n'


def sheet(report: Report) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(report.beside["tables/adjudication.csv"])))


@pytest.mark.parametrize("toml", [NAMES, PEOPLE])
def test_a_sheet_of_a_key_and_one_response_lists_what_they_differ_in(tmp_path: Path, toml: str) -> None:
    report = report_of(campaign(tmp_path, BOTH, toml))
    page = report_html(ReportView(report.results, report.texts), alone=False)
    assert "The two who are compared differ on 1 unit" in page
    rows = sheet(report)
    assert [(row["text"], row["Key"], row["Response"]) for row in rows] == [("Dan", "Person", "(unmarked)")]


def test_a_filled_sheet_of_a_key_and_a_system_becomes_a_reference(tmp_path: Path) -> None:
    folder = campaign(tmp_path, {"Key": KEY, "Response": {**RESPONSE, "met": {}}}, PEOPLE)
    filled = sheet(report_of(folder))
    assert [row["text"] for row in filled] == ["met", "Dan"]
    for row in filled:
        row["decision"], row["cause"] = ("(unmarked)" if row["text"] == "met" else "Person"), "slip"
    (folder / "sheet.csv").write_text(as_csv(filled), encoding="utf-8")
    append(folder / "campaign.toml", 'adjudication = "sheet.csv"\n')
    report = report_of(folder)
    assert sheet(report) == []
    (decided,) = report.results.adjudication or ()
    assert (decided.decided, decided.agreed, decided.open) == (2, 3, 0)
    assert {name: own.agreed for name, own in (decided.annotators or {}).items()} == {"Key": 2, "Response": 0}
    made = gold_standard(load(folder), "1.0", GoldOptions())
    labels = {row["text"]: (row["label"], row["status"]) for row in gold_rows(made)}
    decisions = {"met": ("(unmarked)", "adjudicated"), "Dan": ("Person", "adjudicated")}
    assert labels == dict.fromkeys(("Ann", "Bob", "Carla"), ("Person", "reference")) | decisions


# A gold standard as GATE XML, read back


@pytest.mark.parametrize("source", ["", '[[layers]]\nid = "people"\nsource = "Person"\n'])
def test_a_gold_standard_is_written_as_gate_xml_and_read_back(tmp_path: Path, source: str) -> None:
    folder = campaign(tmp_path, BOTH, source)
    number, notices = write_gold(
        gold_standard(load(folder), "1.0", GoldOptions()), tmp_path / "gold/{document}.xml"
    )
    assert (number, notices) == (1, [])
    (path,) = (tmp_path / "gold").iterdir()
    export = READER.read([ExportFile(path, path.name)], ReaderOptions())
    assert isinstance(export, Export)
    (copy,) = export.copies
    assert (copy.annotator, copy.role, copy.text) == ("Key", "reference", TEXT)
    assert sorted((mark.spans[0], mark.type) for mark in copy.marks) == sorted(
        (WORDS[word], "Person") for word in KEY
    )
    # Attributes are those on which all marks there agree.
    said = {mark.spans[0]: dict(mark.features) for mark in copy.marks}
    assert said[WORDS["Ann"]] == KEY["Ann"]
    assert said[WORDS["Bob"]] == {"gender": "m"}


def test_gate_xml_keeps_every_sign_of_texts_and_labels() -> None:
    text = 'A <b> & "c"\r\nsmile \U0001f600 end\ttab'
    marks = [ParsedMark('x<y>&"z"', ((2, 5),), {"a": "1 & 2\r"}), ParsedMark("é", ((13, 24),))]
    texts = GoldTexts(
        [GoldDocument("d<1>", text, {"main": marks}), GoldDocument("open", "text", finished=False)]
    )
    made, faults = GATE.written(texts)
    assert not faults
    assert "Key" not in made["open.xml"]
    file = ExportFile.with_content(
        Path("d.xml"), "d.xml", text=made["d<1>.xml"], content=made["d<1>.xml"].encode()
    )
    export = READER.read([file], ReaderOptions())
    assert isinstance(export, Export)
    (copy,) = export.copies
    assert copy.text == text
    assert [(mark.type, mark.spans, dict(mark.features)) for mark in copy.marks] == [
        (mark.type, mark.spans, dict(mark.features)) for mark in marks
    ]
    # A layer whose labels are a feature's values has them there again.
    of_feature = GoldTexts([GoldDocument("d", text, {"main": marks})], sources={"main": "Person->kind"})
    made, faults = GATE.written(of_feature)
    assert not faults
    assert 'Type="Person"' in made["d.xml"]
    bad = GoldTexts([GoldDocument("d", "a\x00b", {})])
    assert GATE.written(bad) == ({}, [("control characters", '"d"')])


# Key and Response by init


def test_init_says_why_key_and_response_are_reference_and_system(tmp_path: Path) -> None:
    folder = campaign(tmp_path, BOTH)
    (folder / "campaign.toml").unlink()
    made = survey_folder(folder)
    plan = plan_of(made)
    assert plan["roles"] == {"Key": "reference", "Response": "system"}
    text = render(plan)
    assert "# GATE calls the set Response that is compared" in text
    assert 'role = "system"' in text
    assert any(
        "Response is not an annotator but a system (GATE calls" in said for said in decisions(made, plan)
    )
    (tmp_path / "campaign/campaign.toml").write_text(text, encoding="utf-8")
    results = results_of(tmp_path / "campaign")
    assert results.subjects["main"].subject == "systems"
    assert results.spans is not None
    assert [pair.roles for pair in results.spans.pairs] == [("reference", "system")]


def test_a_set_called_response_alone_is_an_annotator(tmp_path: Path) -> None:
    folder = campaign(tmp_path, {"A": KEY, "Response": RESPONSE})
    (folder / "campaign.toml").unlink()
    assert plan_of(survey_folder(folder))["roles"] == {}


# All-way F: the mean of annotators against one reference
