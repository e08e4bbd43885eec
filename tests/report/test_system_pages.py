"""Systems twice on pages: regressions first, long lists cut, everything escaped and in the CSV."""

import csv
import io
import re
from dataclasses import replace
from pathlib import Path

import pytest

from reportgen.pipeline.version_reports import Report
from reportgen.report import against_reference as systems
from reportgen.report.page import report_html, report_markdown
from reportgen.report.view import ReportView
from reportgen.results import Figure, Results
from reportgen.results.parts import DocumentChange, SystemRevision
from tests.campaigns import report_of
from tests.pages import check_ids, check_links
from tests.rendered import comparison_files, write_version
from tests.versions.marked_versions import compared, ratings, written
from tests.versions.test_systems import NAMES, PEOPLE, TWO, rows, versions


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Report:
    # The second release is worse than the first.
    table = rows((0.9, 0.9, 0.95, 0.4), NAMES)
    folder = tmp_path_factory.mktemp("releases") / "campaign"
    return report_of(written(folder, TWO, {"1": ratings(PEOPLE, table)}))


@pytest.fixture(scope="module")
def results(made: Report) -> Results:
    return made.results


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    first, second = rows((0.8, 0.8, 0.95, 0.6), NAMES), rows((0.9, 0.9, 0.5, 0.9), NAMES, seed=4)
    folder = tmp_path_factory.mktemp("versions") / "campaign"
    found = compared(written(folder, TWO, versions(first, second)))
    return dict(comparison_files(found, None))


def revision(results: Results) -> SystemRevision:
    (found,) = results.releases or ()
    return found


def test_the_report_shows_releases_with_the_reference_and_says_what_fell(results: Results) -> None:
    page = report_html(ReportView(results), alone=False)
    assert 'id="releases-title"' in page
    assert "tagger, 1.0 to 2.0 (system)" in page
    assert "fell from" in page
    assert "Beside them is how much annotators agree with each other" in page
    text = report_markdown(ReportView(results))
    assert "### Releases of one system" in text


def test_links_and_ids_of_the_report_hold(made: Report, tmp_path: Path) -> None:
    here = tmp_path / "site/campaign/1"
    write_version(here, made.results, made.beside, made.texts)
    (here.parent / "index.html").write_text("<!doctype html><title>Up</title>", encoding="utf-8")
    assert (here / "figures/systems-items-both.svg").is_file()
    check_ids(tmp_path / "site")
    for name in ("releases.csv", "releases-by-category.csv", "releases-by-document.csv"):
        assert f'href="tables/{name}"' in (here / "index.html").read_text(encoding="utf-8")
        assert (here / "tables" / name).is_file()
    check_links(tmp_path / "site")


def test_the_comparison_s_page_lists_regressions_first(pages: dict[str, str]) -> None:
    page = pages["index.html"]
    here = page[page.index('id="systems-title"') :]
    rows_there = re.findall(r"<th scope=.?row.?>([^<]*)", here)
    assert rows_there[0].strip() == "tagger 1.0 (system)"
    assert "tagger 1.0 (system)</strong> fell" in here
    rows_of = list(csv.DictReader(io.StringIO(pages["tables/systems.csv"])))
    assert rows_of[0]["first_release"] == "1.0"
    assert {row["figure"] for row in rows_of} >= {"krippendorff_alpha", "specific_agreement[macro]"}
    assert "Systems and references" in pages["comparison.md"]
    assert "figures/systems-items-both.svg" in pages


def many(results: Results, documents: int) -> SystemRevision:
    """Return a revision with many documents, half of which fell."""
    moved = [
        DocumentChange(
            document=f"d{place}",
            first=0.5,
            second=0.5 + (place - documents / 2) / documents,
            difference=(place - documents / 2) / documents,
            units=3,
        )
        for place in range(documents)
    ]
    return revision(results).model_copy(update={"by_document": tuple(moved)})


def test_of_many_documents_those_that_fell_and_rose_most_are_shown_and_all_stand_in_the_csv(
    results: Results,
) -> None:
    view = systems.SystemsView([many(results, 1000)], results.name_of, "releases")
    ((shown,),) = (group.shown for group in view.groups)
    assert shown.documents is not None
    names = [row[0] for row in shown.documents.rows]
    assert names == [*(f"d{n}" for n in range(20)), *(f"d{n}" for n in range(980, 1000))]
    assert shown.documents_in_words == "Of 1,000 documents, 500 fell, 499 rose and 1 stayed."
    assert len(next(each for each in view.tables() if "document" in each.file).rows) == 1000


@pytest.mark.slow
def test_many_systems_do_not_make_the_page_too_large(results: Results) -> None:
    several = [
        many(results, 500).model_copy(update={"system": f"s{n}", "key": f"k{n % 3}"}) for n in range(60)
    ]
    page = report_html(ReportView(results.model_copy(update={"releases": tuple(several)})), alone=False)
    plain = page[page.index('id="releases-title"') :]
    assert "Shown: 30 of 60; all of them are in the CSV." in plain
    assert len(plain.encode()) < 150_000


def test_names_from_a_campaign_are_escaped(results: Results) -> None:
    evil = "<script>alert(1)</script>"
    own = revision(results).model_copy(
        update={
            "system": evil,
            "releases": (evil, "2"),
            "by_category": {evil: next(iter(revision(results).by_category.values()))},
            "by_document": (DocumentChange(document=evil, first=0.1, second=0.2, difference=0.1, units=1),),
        }
    )
    view = ReportView(results.model_copy(update={"releases": (own,)}))
    assert evil not in report_html(view, alone=False)
    assert "<script>" not in report_markdown(view)


def test_a_figure_that_is_undefined_both_times_is_a_dash_and_says_why(results: Results) -> None:
    nothing = Figure(value=None, undefined="neither of the two has a mark")
    change = next(iter(revision(results).measures.values()))
    empty = change.model_copy(
        update={
            "first": nothing,
            "second": nothing,
            "difference": None,
            "interval": None,
            "test": None,
            "untested": "one of the two figures is undefined",
        }
    )
    own = revision(results)
    own = own.model_copy(update={"measures": {own.figure: empty}, "by_category": {}, "humans": {}})
    page = report_html(ReportView(results.model_copy(update={"releases": (own,)})), alone=False)
    assert "Not tested, because one of the two figures is undefined" in page
    view = systems.SystemsView([own], results.name_of, "releases")
    assert view.groups[0].drawing is None
    assert not view.fallen


def test_a_group_without_what_both_have_says_that_material_differs(results: Results) -> None:
    own = revision(results).model_copy(update={"basis": "all", "by_document": ()})
    (group,) = systems.SystemsView([own], results.name_of, "releases").groups
    assert "other material" in group.material
    assert replace(group, basis="shared").material == "On what both have: 12 documents."
