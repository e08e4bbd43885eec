"""Every file of a comparison's folder: its page, Markdown, JSON, tables and figures."""

from collections.abc import Iterator, Sequence

from reportgen.figures import standalone
from reportgen.report import markdown_blocks, page
from reportgen.report.comparison.view import ComparisonView
from reportgen.report.sections.comparison import comparison_page
from reportgen.report.tables import to_csv
from reportgen.results.comparison import Changed, VersionComparison, comparison_data
from reportgen.words.language import ENGLISH, in_languages


def comparison_files(
    comparison: VersionComparison, changed: Changed | None, languages: Sequence[str] = (ENGLISH,)
) -> Iterator[tuple[str, str]]:
    """Yield the name and text of every file of `compare/<A>...<B>/`.

    Without `changed` there is no changed.json, and no unit is shown in its text.
    """
    yield from comparison_data(comparison, changed)
    yield from comparison_pages(comparison, changed, languages)


def comparison_pages(
    comparison: VersionComparison, changed: Changed | None, languages: Sequence[str] = (ENGLISH,)
) -> Iterator[tuple[str, str]]:
    """Yield what is rendered of a comparison."""
    for table in ComparisonView(comparison, changed).tables:
        yield f"tables/{table.file}", to_csv(table)
    yield from in_languages(languages, lambda: _pages(ComparisonView(comparison, changed)))


def _pages(view: ComparisonView) -> Iterator[tuple[str, str]]:
    """Yield what is written in the language of an edition."""
    found = comparison_page(view)
    yield "index.html", page.campaign_html(found)
    yield "comparison.md", markdown_blocks.campaign_page(found)
    for each in view.drawings():
        yield f"figures/{each.name}.svg", standalone(each.svg)


def comparison_markdown(comparison: VersionComparison, changed: Changed | None) -> str:
    """Return a comparison as Markdown, the gist first."""
    return markdown_blocks.campaign_page(comparison_page(ComparisonView(comparison, changed)))
