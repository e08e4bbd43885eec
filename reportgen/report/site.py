"""The files of a site: each version's folder, each campaign's page, the list of campaigns."""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from reportgen.base.files import checksum_list
from reportgen.base.progress import expect
from reportgen.base.site_folder import CHECKSUMS
from reportgen.figures import standalone
from reportgen.report import layer_pages, page, sections
from reportgen.report.blocks import SectionPage
from reportgen.report.campaign_files import index_html
from reportgen.report.disagreements import DisagreementList
from reportgen.report.documents import IndexPage
from reportgen.report.layer_view import UnitSetView
from reportgen.report.page import html
from reportgen.report.paper import paper
from reportgen.report.passages import ReportTexts
from reportgen.report.tables import matrix_csv, to_csv
from reportgen.report.view import ReportView
from reportgen.results import Results
from reportgen.results.comparison import version_data
from reportgen.results.history import History
from reportgen.results.texts import Texts
from reportgen.words.language import ENGLISH, Edition, edition, editions, in_languages, writing

# The pages behind a report: texts, disagreements, pairs of annotators, and what few readers need.

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


def _documents(passages: ReportTexts, view: ReportView) -> Files:
    found = passages.documents
    if found.all:
        for pages in (found.index, found.by_name):
            yield from (_list_of_documents(page, pages, passages, view) for page in pages)
    for before, document, after in found.neighbours():
        around = {"document": document, "before": before, "after": after}
        sheets = [{"file": file} for file in document.parts]
        for number, (file, sheet) in enumerate(document.parts.items(), 1):
            here = {"file": file, "sheet": sheet, "number": number}
            near = {"pages": sheets, "nearby": nearby(len(sheets), number)}
            yield _page(f"documents/{file}", "document.html.j2", view, **around, **here, **near)


def _list_of_documents(
    page: IndexPage, pages: tuple[IndexPage, ...], passages: ReportTexts, view: ReportView
) -> tuple[str, str]:
    found = passages.documents
    first = page.number == 1 and page.slug == "index"
    strips = [(each.id, view.strip(each.id, "")) for each in view.layers] if first else []
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
        strips=[each for each in strips if each[1]],
    )


def _disagreements(found: DisagreementList, view: ReportView) -> Files:
    for each in found.pages:
        name = f"disagreements/{each.file}"
        near = nearby(len(found.pages), each.number)
        yield _page(name, "disagreements.html.j2", view, list=found, page=each, nearby=near)


def _section_page(name: str, found: SectionPage | None, view: ReportView) -> Files:
    """Yield a page behind the report that is made of blocks, where there is one."""
    if found:
        yield _page(name, "section-page.html.j2", view, found=found)


def _pairs(view: ReportView) -> Files:
    yield from _section_page(sections.pairs.ALL, sections.pairs_page(view), view)
    for each in view.pairs.pages():
        yield from _section_page(f"pairs/{each.file}", sections.pair_page(view, each), view)


def _sections(view: ReportView) -> Files:
    """Yield sections of the report in full, of which its own page has the beginning."""
    yield from _section_page(sections.people.QUALITY, sections.quality_page(view), view)
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


# Pages beside the report: what few of its readers need, and what is too large to stand in it.


def beside(view: ReportView) -> Iterator[tuple[str, str]]:
    """Yield the pages of further figures and of whole matrices, by their names from the version's folder."""
    values = {"view": view, "results": view.results}
    further = list(sections.further_page(view))
    if further:
        name = sections.FURTHER
        yield name, page.html("further.html.j2", place=name, found=further, **values)
    for layer in view.layers:
        yield from _section_page(layer.primary.whole_page, sections.matrix_page(layer.primary), view)


# The files of a site: each version's folder, each campaign's page, the list of campaigns.


def version_files(
    results: Results,
    beside: Mapping[str, str],
    texts: Texts | None = None,
    languages: Sequence[str] = (ENGLISH,),
) -> Iterator[tuple[str, str]]:
    """Yield the name and text of every file of a version's folder; `beside` are those not made here.

    Without `texts` there are no pages of documents and disagreements, and no links to them.
    """
    yield from version_data(results, beside, texts)
    yield from version_pages(results, beside, texts, languages)


def version_pages(
    results: Results,
    beside: Collection[str],
    texts: Texts | None = None,
    languages: Sequence[str] = (ENGLISH,),
    *,
    in_site: bool = True,
) -> Iterator[tuple[str, str]]:
    """Yield what is rendered of a version; `beside` names the files that stand there already.

    Where it does not stand `in_site`, no link leads out of its folder.
    """
    view = ReportView(results, texts)
    yield from _tables(view, beside)
    expect("pages", len(languages) * _number(view))
    views, apart = _views(results, texts, languages, in_site=in_site)
    yield from in_languages(languages, lambda: _pages(views[edition()], apart=apart))


def _views(
    results: Results, texts: Texts | None, languages: Sequence[str], *, in_site: bool = True
) -> tuple[dict[Edition, ReportView], bool]:
    """Return the report as each edition shows it, and whether layers have pages of their own there."""
    views = {each: ReportView(results, texts, in_site=in_site) for each in editions(languages)}
    return views, layer_pages.apart(views)


def _number(view: ReportView) -> int:
    """Return how many pages there are at least, for whoever wants to know how long it takes."""
    own, texts = len(("index", "report", "measures")), view.passages
    lists = sum(len(each.pages) for each in texts.lists) if texts else 0
    return own + lists + (len(texts.documents.all) if texts else 0) + sum(1 for _ in view.pairs.pages())


def version_page(results: Results, texts: Texts | None, languages: Sequence[str], wanted: str) -> str | None:
    """Return one page of a version, by its name there; None where no page is called so."""
    views, apart = _views(results, texts, languages)
    for each, view in views.items():
        with writing(each, tuple(views)):
            pages = _pages(view, apart=apart)
            found = next((text for name, text in pages if f"{each.folder}{name}" == wanted), None)
        if found is not None:
            return found
    return None


def _tables(view: ReportView, beside: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the tables, which are the same in every language."""
    for table in view.tables():
        # A table that results.json holds only in short is beside it in full.
        if f"tables/{table.file}" not in beside:
            yield f"tables/{table.file}", to_csv(table)
    for layer in view.layers:
        for each in layer.unit_sets:
            yield from _matrices(each)
    for found in view.passages.lists if view.passages else ():
        yield f"tables/{found.csv}", to_csv(found.table())


def _pages(view: ReportView, *, apart: bool) -> Iterator[tuple[str, str]]:
    """Yield what is written in the language of an edition; `apart`: with pages of single layers."""
    if apart:
        yield from layer_pages.pages(view)
    else:
        yield "index.html", page.report_html(view, alone=False)
    yield "report.html", page.report_html(view, alone=True)
    yield "report.md", page.report_markdown(view)
    yield from paper(view)
    yield "measures/index.html", page.measures_html(view)
    for drawing in view.drawings():
        yield f"figures/{drawing.name}.svg", standalone(drawing.svg)
    yield from beside(view)
    yield from evidence(view)


def _matrices(each: UnitSetView) -> Iterator[tuple[str, str]]:
    """Yield a pair's confusion matrix as reportgen reads it, and its computed distances likewise."""
    pair = each.pair
    if pair is None or pair.confusion.counts is None or pair.distances is None:
        return
    table, counts = pair.confusion, pair.confusion.counts
    corner = f"{table.rows}\\{table.columns}"
    yield f"tables/confusion.{each.slug}.csv", matrix_csv(corner, table.categories, counts)
    for name, matrix in (("alpha", pair.distances.computed_alpha), ("kappa", pair.distances.computed_kappa)):
        yield f"tables/computed-distances-{name}.{each.slug}.csv", matrix_csv("", table.categories, matrix)


def write_version(
    folder: Path, results: Results, beside: Mapping[str, str], texts: Texts | None = None
) -> None:
    """Write a version's folder in English, with the checksum of each of its files."""
    write_folder(folder, version_files(results, beside, texts))


def write_folder(folder: Path, files: Iterable[tuple[str, str]]) -> str:
    """Write files, given by name and text, with the checksum of each; return the SHA-256 of the checksums."""
    return write_checksums(folder, write_files(folder, files))


def write_files(folder: Path, files: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Write files, given by name and text; return the SHA-256 of each."""
    return {name: _write(folder / name, text) for name, text in files}


def write_checksums(folder: Path, sums: Mapping[str, str]) -> str:
    """Write the checksums of a folder's files; return the SHA-256 of that list."""
    return _write(folder / CHECKSUMS, checksum_list(sums))


def write_index(
    folder: Path, histories: Sequence[History], languages: Mapping[str, Sequence[str]] | None = None
) -> str:
    """Write the list of campaigns, given the languages of each by its id; return the SHA-256 of the page."""
    return _write(folder / "index.html", index_html(histories, languages))


def _write(path: Path, text: str) -> str:
    """Write a file and return the SHA-256 of its bytes."""
    content = text.encode("utf-8")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return hashlib.sha256(content).hexdigest()
