"""What a paper takes: the paragraph on methods, and what a version is called that has no name."""

import pytest

from reportgen.report.material import report_title
from reportgen.report.paper import with_citations
from reportgen.report.sections.method import MEANING, methods_paragraph
from reportgen.report.view import ReportView
from reportgen.results import Results
from reportgen.results.model import Level, Revision, is_unnamed
from reportgen.words.names import campaign_and_version
from tests.campaigns import GENE_RENAMING, results_of


@pytest.fixture(scope="module")
def results() -> Results:
    return results_of(GENE_RENAMING)


def at_level(results: Results, level: Level | None) -> Results:
    findings = [each.model_copy(update={"level": level}) if each.level else each for each in results.findings]
    return results.model_copy(update={"findings": tuple(findings)})


@pytest.mark.parametrize("level", MEANING)
def test_the_paragraph_says_what_the_figure_is_whose_it_is_and_what_it_means(
    results: Results, level: Level
) -> None:
    said = with_citations(methods_paragraph(ReportView(at_level(results, level))))
    assert said.startswith("2 annotators labelled 19,054 units (tokens) with 3 categories. Where an")
    assert "by Cohen's kappa (Cohen 1960; Artstein and Poesio 2008): it is 0.801 [0.755, " in said
    assert "Two annotators gave the same label in 99.6% of cases." in said
    assert MEANING[level].partition("{")[0] in said
    assert "logit" not in said
    assert len(said) < 800


def test_a_version_that_nobody_named_is_not_called_by_a_number(results: Results) -> None:
    nameless = results.model_copy(update={"revision": Revision()})
    assert report_title(nameless) == "Gene renaming in Bacillus subtilis abstracts: agreement report"
    assert campaign_and_version(nameless) == nameless.campaign.title
    assert campaign_and_version(results).endswith(", guidelines 1.0")


@pytest.mark.parametrize(("version", "said"), [("1.0", "2026-01-01"), ("1.1", None), ("pilot", None)])
def test_a_version_has_a_name_where_somebody_says_anything_of_it(version: str, said: str | None) -> None:
    assert not is_unnamed(version, said)
    assert is_unnamed("1.0", None, "")
