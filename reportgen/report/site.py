"""The files of a site: each version's folder, each campaign's page, the list of campaigns."""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from reportgen.exchange import CHECKSUMS
from reportgen.files import checksum_list
from reportgen.progress import expect
from reportgen.report import beside, layer_pages, page
from reportgen.report.evidence import evidence
from reportgen.report.figures import standalone
from reportgen.report.history import index_html
from reportgen.report.language import ENGLISH, Edition, edition, editions, in_languages, writing
from reportgen.report.paper import paper
from reportgen.report.tables import matrix_csv, to_csv
from reportgen.report.unit_set_view import UnitSetView
from reportgen.report.view import ReportView
from reportgen.results import Results
from reportgen.results.files import version_data
from reportgen.results.history import History
from reportgen.results.texts import Texts


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
    yield from beside.beside(view)
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
