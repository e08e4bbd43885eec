"""Every error of a system against a reference: listed by kind, with both labels, linked to its text."""

import csv
import io
from pathlib import Path

import pytest

from reportgen.pipeline.version_reports import Report
from reportgen.report.page import report_html
from reportgen.report.view import ReportView
from tests.campaigns import marked, report_of, written
from tests.rendered import write_version

ROLES = '[annotators.gold]\nrole = "reference"\n[annotators.tagger]\nrole = "system"\n'
TEXT = "Ann Smith met Bob in Paris on Monday with Acme Corp."
TEXTS = {f"d{number}": TEXT for number in range(6)}
GOLD = [("Person", 0, 9), ("Person", 14, 17), ("Place", 21, 26), ("Org", 42, 51)]
TAGGED = [("Person", 0, 3), ("Place", 14, 17), ("Date", 30, 36), ("Org", 42, 51)]
OTHERWISE = {"d1": [("Place", 0, 3), *GOLD[1:]]}


def of_marks(folder: Path, more: str = "") -> Report:
    marks = {"gold": dict.fromkeys(TEXTS, GOLD), "tagger": dict.fromkeys(TEXTS, TAGGED) | OTHERWISE}
    files = {f"exports/1.0/{name}": text for name, text in marked(TEXTS, marks).items()}
    return report_of(written(folder / "campaign", ROLES + more, files))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return of_marks(tmp_path_factory.mktemp("errors"))


def rows(report: Report, folder: Path) -> list[dict[str, str]]:
    here = folder / "site/campaign/1.0"
    write_version(here, report.results, report.beside, report.texts)
    return list(csv.DictReader(io.StringIO((here / "tables/errors.csv").read_text(encoding="utf-8"))))


def test_every_error_of_marks_is_listed_with_its_kind_and_both_labels(made: Report, tmp_path: Path) -> None:
    listed = rows(made, tmp_path)
    first = [row for row in listed if row["document"] == "d0"]
    assert [(row["kind"], row["key_label"], row["label"], row["key_text"], row["text"]) for row in first] == [
        ("ends", "Person", "Person", "Ann Smith", "Ann"),
        ("type", "Person", "Place", "Bob", "Bob"),
        ("missed", "Place", "", "Paris", ""),
        ("spurious", "", "Date", "", "Monday"),
    ]
    assert [row["kind"] for row in listed if row["document"] == "d1"] == ["both"]
    assert (first[0]["key_offsets"], first[0]["offsets"]) == ("0–9", "0–3")


def test_without_texts_there_is_no_list(tmp_path: Path) -> None:
    report = of_marks(tmp_path, '[privacy]\ntexts = "withhold"\n')
    assert report.texts is None
    assert 'id="errors"' not in report_html(ReportView(report.results), alone=False)


def test_macro_precision_recall_and_f_are_on_the_page_and_in_a_csv(tmp_path: Path) -> None:
    """Made by hand: P is 1 and 2/3, R 1/2 and 1, F 2/3 and 4/5 in the two documents."""
    texts = {"d0": TEXT, "d1": TEXT}
    person, place = ("Person", 0, 9), ("Place", 21, 26)
    marks = {
        "gold": {"d0": [person, place], "d1": [person, place]},
        "tagger": {"d0": [person], "d1": [person, place, ("Place", 30, 36)]},
    }
    files = {f"exports/1.0/{name}": text for name, text in marked(texts, marks).items()}
    report = report_of(written(tmp_path / "campaign", ROLES, files))
    write_version(tmp_path / "site", report.results, report.beside, report.texts)
    table = csv.DictReader(
        io.StringIO((tmp_path / "site/tables/spans-averages.csv").read_text(encoding="utf-8"))
    )
    values = {(row["mean"], row["figure"]): float(row["value"]) for row in table}
    assert values["documents", "precision[strict]"] == pytest.approx((1 + 2 / 3) / 2)
    assert values["documents", "recall[strict]"] == pytest.approx((1 / 2 + 1) / 2)
    assert values["documents", "f_measure[strict]"] == pytest.approx((2 / 3 + 4 / 5) / 2)
    assert values["types", "precision[strict]"] == pytest.approx((1 + 1 / 2) / 2)
    assert values["types", "recall[strict]"] == pytest.approx((1 + 1 / 2) / 2)
    assert values["pooled", "precision[strict]"] == pytest.approx(3 / 4)
