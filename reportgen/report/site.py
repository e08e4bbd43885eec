"""The files of a site: each version's folder, each campaign's page, the list of campaigns."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from reportgen.report import page
from reportgen.report.figures import standalone
from reportgen.report.history import index_html
from reportgen.report.language import ENGLISH, Edition, in_languages, writing
from reportgen.report.tables import matrix_csv, to_csv
from reportgen.report.unit_set_view import UnitSetView
from reportgen.report.view import ReportView
from reportgen.results import Results, dumps
from reportgen.results.history import History
from reportgen.results.texts import Texts

CHECKSUMS = "SHA256SUMS"


def version_files(
    results: Results,
    beside: Mapping[str, str],
    texts: Texts | None = None,
    languages: Sequence[str] = (ENGLISH,),
) -> Iterator[tuple[str, str]]:
    """Yield the name and text of every file of a version's folder; `beside` are those not made here.

    Without `texts` there are no pages of documents and disagreements, and no links to them.
    """
    yield "results.json", dumps(results)
    if texts:
        yield "texts.json", dumps(texts)
    yield from beside.items()
    yield from _tables(ReportView(results, texts), beside)
    yield from in_languages(languages, lambda: _pages(ReportView(results, texts)))


def _tables(view: ReportView, beside: Mapping[str, str]) -> Iterator[tuple[str, str]]:
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


def _pages(view: ReportView) -> Iterator[tuple[str, str]]:
    """Yield what is written in the language of an edition."""
    yield "index.html", page.report_html(view, alone=False)
    yield "report.html", page.report_html(view, alone=True)
    yield "report.md", page.report_markdown(view)
    yield "measures/index.html", page.measures_html(view)
    for drawing in view.drawings():
        yield f"figures/{drawing.name}.svg", standalone(drawing.svg)
    yield from page.passages_html(view)
    yield from page.pairs_html(view)


def _matrices(each: UnitSetView) -> Iterator[tuple[str, str]]:
    """Yield a pair's confusion matrix as reportgen reads it, and its computed distances likewise."""
    pair = each.pair
    if pair is None:
        return
    table = pair.confusion
    corner = f"{table.rows}\\{table.columns}"
    yield f"tables/confusion.{each.slug}.csv", matrix_csv(corner, table.categories, table.counts)
    for name, matrix in (("alpha", pair.distances.computed_alpha), ("kappa", pair.distances.computed_kappa)):
        yield f"tables/computed-distances-{name}.{each.slug}.csv", matrix_csv("", table.categories, matrix)


def write_version(
    folder: Path, results: Results, beside: Mapping[str, str], texts: Texts | None = None
) -> None:
    """Write a version's folder in English, with the checksum of each of its files."""
    write_folder(folder, version_files(results, beside, texts))


def write_folder(folder: Path, files: Iterable[tuple[str, str]]) -> str:
    """Write files, given by name and text, with the checksum of each; return the SHA-256 of the checksums."""
    sums: list[tuple[str, str]] = []
    for name, text in files:
        sums.append((name, _write(folder / name, text)))
    return _write(folder / CHECKSUMS, "".join(f"{digest}  {name}\n" for name, digest in sorted(sums)))


def write_index(folder: Path, histories: Sequence[History], tongue: str = ENGLISH) -> str:
    """Write the list of campaigns; return the SHA-256 of the page."""
    with writing(Edition(tongue)):
        return _write(folder / "index.html", index_html(histories))


def _write(path: Path, text: str) -> str:
    """Write a file and return the SHA-256 of its bytes."""
    content = text.encode("utf-8")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return hashlib.sha256(content).hexdigest()
