"""Every file of a comparison's folder: its page, Markdown, JSON, tables and figures."""

import re
from collections.abc import Iterator, Sequence

from reportgen.report import page
from reportgen.report.figures import standalone
from reportgen.report.language import ENGLISH, in_languages
from reportgen.report.revisions.room import MOST_BYTES, ROOMS
from reportgen.report.revisions.view import ComparisonView
from reportgen.report.tables import to_csv
from reportgen.results.files import comparison_data
from reportgen.results.revisions import Changed, VersionComparison

FIGURE = re.compile(r"<svg.*?</svg>", re.DOTALL)


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
    yield "index.html", _page(view)
    yield "comparison.md", page.markdown("comparison.md.j2", **_values(view))
    for drawing in view.drawings():
        yield f"figures/{drawing.name}.svg", standalone(drawing.svg)


def _page(view: ComparisonView) -> str:
    """Return the page, with less of everything where it would be too large."""
    text = ""
    for room in ROOMS:
        text = page.html("comparison.html.j2", place="index.html", **_values(view.within(room)))
        if len(FIGURE.sub("", text).encode()) <= MOST_BYTES:
            break
    return text


def comparison_markdown(comparison: VersionComparison, changed: Changed | None) -> str:
    """Return a comparison as Markdown, the gist first."""
    return page.markdown("comparison.md.j2", **_values(ComparisonView(comparison, changed)))


def _values(view: ComparisonView) -> dict[str, object]:
    first, second = view.comparison.first, view.comparison.second
    return {"view": view, "comparison": view.comparison, "first": first, "second": second, "alone": False}
