"""The pages behind a report: texts, disagreements, pairs of annotators, and what few readers need."""

from collections.abc import Iterator
from typing import Any

from reportgen.report.disagreements import DisagreementList
from reportgen.report.documents import IndexPage
from reportgen.report.page import html
from reportgen.report.passages import Passages
from reportgen.report.view import ReportView

# Pages of a list to which each of them leads, on either side of the one that is read.
AROUND = 3

Files = Iterator[tuple[str, str]]


def evidence(view: ReportView) -> Files:
    """Yield every page behind the report, by its name from the version's folder."""
    if view.passages:
        yield from _documents(view.passages, view)
        for found in view.passages.lists:
            yield from _disagreements(found, view)
    yield from _pairs(view)
    yield from _sections(view)


def _page(name: str, template: str, view: ReportView, **values: Any) -> tuple[str, str]:  # noqa: ANN401 - as templates take them
    return name, html(template, place=name, results=view.results, view=view, **values)


def _documents(passages: Passages, view: ReportView) -> Files:
    found = passages.documents
    if found.all:
        for pages in (found.index, found.by_name):
            yield from (_list_of_documents(page, pages, passages, view) for page in pages)
    for before, document, after in found.neighbours():
        around = {"document": document, "before": before, "after": after}
        sheets = [{"file": file} for file in document.parts]
        for number, (file, leaves) in enumerate(document.parts.items(), 1):
            here = {"file": file, "leaves": leaves, "number": number}
            near = {"pages": sheets, "nearby": nearby(len(sheets), number)}
            yield _page(f"documents/{file}", "document.html.j2", view, **around, **here, **near)


def _list_of_documents(
    page: IndexPage, pages: tuple[IndexPage, ...], passages: Passages, view: ReportView
) -> tuple[str, str]:
    found = passages.documents
    return _page(
        f"documents/{page.file}",
        "documents.html.j2",
        view,
        documents=page.documents,
        page=page,
        pages=pages,
        nearby=nearby(len(pages), page.number),
        found=found,
        total=len(found.all),
        layers=passages.layers,
    )


def _disagreements(found: DisagreementList, view: ReportView) -> Files:
    for each in found.pages:
        name = f"disagreements/{each.file}"
        near = nearby(len(found.pages), each.number)
        yield _page(name, "disagreements.html.j2", view, list=found, page=each, nearby=near)


def _pairs(view: ReportView) -> Files:
    pairs = view.pairs
    if (pairs.tables and not pairs.beside) or view.matrices_shown:
        yield _page("pairs/index.html", "pairs.html.j2", view, pairs=pairs)
    hrefs = view.passages.hrefs if view.passages else {}
    for each in pairs.pages():
        tables = {layer.layer: layer.documents(hrefs.get(layer.layer, {})) for layer in each.layers}
        values = {"page": each, "beside": pairs.beside, "documents": tables}
        yield _page(f"pairs/{each.file}", "pair.html.j2", view, **values)


def _sections(view: ReportView) -> Files:
    """Yield sections of the report in full, of which its own page has the beginning."""
    if view.quality:
        yield _page("quality/index.html", "quality-page.html.j2", view)
    if view.passages and view.passages.clarify:
        yield _page("clarify/index.html", "clarify-page.html.j2", view)


def nearby(pages: int, here: int) -> list[int]:
    """Return the numbers of the pages of a list to which one of them leads; 0 where some are left out."""
    shown = [number for number in range(1, pages + 1) if number in (1, pages) or abs(number - here) <= AROUND]
    found: list[int] = []
    for number in shown:
        if found and number > found[-1] + 1:
            found.append(0)
        found.append(number)
    return found
