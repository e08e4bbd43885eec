"""Systems twice on pages: regressions first, long lists cut, everything escaped and in the CSV."""

import pytest

from reportgen.pipeline.version_reports import Report
from reportgen.report.page import report_html, report_markdown
from reportgen.report.view import ReportView
from reportgen.results import Results
from reportgen.results.parts import DocumentChange, SystemRevision
from tests.campaigns import report_of
from tests.versions.marked_versions import ratings, written
from tests.versions.test_systems import NAMES, PEOPLE, TWO, rows


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Report:
    # The second release is worse than the first.
    table = rows((0.9, 0.9, 0.95, 0.4), NAMES)
    folder = tmp_path_factory.mktemp("releases") / "campaign"
    return report_of(written(folder, TWO, {"1": ratings(PEOPLE, table)}))


@pytest.fixture(scope="module")
def results(made: Report) -> Results:
    return made.results


def revision(results: Results) -> SystemRevision:
    (found,) = results.releases or ()
    return found


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


@pytest.mark.slow
def test_many_systems_do_not_make_the_page_too_large(results: Results) -> None:
    several = [
        many(results, 500).model_copy(update={"system": f"s{n}", "key": f"k{n % 3}"}) for n in range(60)
    ]
    page = report_html(ReportView(results.model_copy(update={"releases": tuple(several)})), alone=False)
    plain = page[page.index('id="releases-title"') :]
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
