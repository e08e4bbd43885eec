"""Every error of a system against a reference: listed by kind, with both labels, linked to its text."""

import csv
import io
import re
from pathlib import Path

import pytest

from reportgen.pipeline.version_reports import Report
from reportgen.report.page import report_html, report_markdown
from reportgen.report.view import ReportView
from tests.campaigns import finding, marked, report_of, written
from tests.pages import check_ids, check_links
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


def test_the_list_is_as_long_as_what_the_finding_counts(made: Report, tmp_path: Path) -> None:
    said = finding(made.results, "system-errors")
    assert said is not None
    assert said.values["errors"] == len(rows(made, tmp_path)) == 21
    kinds = ("missed", "spurious", "type", "ends", "both")
    assert [said.values[kind] for kind in kinds] == [5, 5, 5, 5, 1]


def test_the_page_leads_to_the_place_in_the_text(made: Report, tmp_path: Path) -> None:
    rows(made, tmp_path)
    here = tmp_path / "site/campaign"
    (here / "index.html").write_text("<!doctype html><title>Up</title>", encoding="utf-8")
    check_ids(tmp_path / "site")
    check_links(tmp_path / "site")
    page = report_html(ReportView(made.results, made.texts), alone=False)
    section = page[page.index('id="errors') :]
    assert "tagger differs from gold in 21 places: missed 5, spurious 5, wrong type 5" in section
    assert re.search(r"documents/D0*1\.html#", section)
    assert "[Ann] Smith met Bob" in report_markdown(ReportView(made.results, made.texts)).replace("\\", "")


def test_without_texts_there_is_no_list(tmp_path: Path) -> None:
    report = of_marks(tmp_path, '[privacy]\ntexts = "withhold"\n')
    assert report.texts is None
    assert 'id="errors"' not in report_html(ReportView(report.results), alone=False)


def test_units_of_a_table_are_listed_too(tmp_path: Path) -> None:
    table = "item,annotator,label\n" + "".join(
        f"u{number},gold,a\nu{number},tagger,{'b' if number % 5 == 0 else 'a'}\n" for number in range(20)
    )
    listed = rows(report_of(written(tmp_path / "campaign", ROLES, {"exports/1.0/e.csv": table})), tmp_path)
    assert [(row["unit"], row["kind"], row["key_label"], row["label"]) for row in listed] == [
        (f"u{number}", "type", "a", "b") for number in (0, 5, 10, 15)
    ]


def test_campaigns_about_annotators_list_none(tmp_path: Path) -> None:
    table = "item,annotator,label\n" + "".join(
        f"u{number},{who},{'ab'[number % 2]}\n"
        for number in range(20)
        for who in ("A", "B", "gold", "tagger")
    )
    report = report_of(written(tmp_path / "campaign", ROLES, {"exports/1.0/e.csv": table}))
    assert not (report.texts and report.texts.errors)


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
    table = csv.DictReader(io.StringIO((tmp_path / "site/tables/spans-averages.csv").read_text()))
    values = {(row["mean"], row["figure"]): float(row["value"]) for row in table}
    assert values["documents", "precision[strict]"] == pytest.approx((1 + 2 / 3) / 2)
    assert values["documents", "recall[strict]"] == pytest.approx((1 / 2 + 1) / 2)
    assert values["documents", "f_measure[strict]"] == pytest.approx((2 / 3 + 4 / 5) / 2)
    assert values["types", "precision[strict]"] == pytest.approx((1 + 1 / 2) / 2)
    assert values["types", "recall[strict]"] == pytest.approx((1 + 1 / 2) / 2)
    assert values["pooled", "precision[strict]"] == pytest.approx(3 / 4)
    page = (tmp_path / "site/index.html").read_text(encoding="utf-8")
    assert "mean over documents (macro)" in page
    assert "mean over types (macro)" in page


def test_documents_with_more_errors_than_chance_gives_are_named(tmp_path: Path) -> None:
    marks = [("Person", 4 * place, 4 * place + 3) for place in range(12)]
    texts = {f"d{number}": TEXT for number in range(8)}
    tagged = {name: [*marks[:11], ("Place", *marks[11][1:])] for name in texts}
    tagged["d3"] = [("Place", *marks[0][1:])]
    files = marked(texts, {"gold": dict.fromkeys(texts, marks), "tagger": tagged})
    folder = written(
        tmp_path / "campaign", ROLES, {f"exports/1.0/{name}": text for name, text in files.items()}
    )
    report = report_of(folder)
    said = finding(report.results, "system-worst-documents")
    assert said is not None
    assert (said.values["names"], said.values["there"], said.values["errors"]) == ("d3", 13, 27)
    # Of 13 outcomes in each of seven other documents two are errors.
    assert said.values["expected"] == 2
    table = csv.DictReader(io.StringIO(report.beside["tables/spans-by-document-and-type.csv"]))
    here = {(row["document"], row["type"]): row for row in table}
    assert here["d0", "Person"]["match"] == "11"
    assert float(here["d0", "Person"]["f_measure[strict]"]) == pytest.approx(22 / 23)
    assert here["d3", "Place"]["only_second"] == "1"


def test_documents_alike_are_not_named(made: Report) -> None:
    assert finding(made.results, "system-worst-documents") is None
