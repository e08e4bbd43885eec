"""Pages beside the report: what few of its readers need, and what is too large to stand in it."""

from collections.abc import Iterator
from dataclasses import replace

from reportgen.report import page
from reportgen.report.tables import Table
from reportgen.report.view import ReportView

FURTHER = "coefficients/index.html"


def beside(view: ReportView) -> Iterator[tuple[str, str]]:
    """Yield the pages of further figures and of whole matrices, by their names from the version's folder."""
    values = {"view": view, "results": view.results}
    if any(layer.more for layer in view.layers):
        yield FURTHER, page.html("further.html.j2", place=FURTHER, **values)
    for layer in view.layers:
        found = layer.primary
        if found.whole:
            name, table = found.whole_page, _from_folder(found.whole)
            yield name, page.html("matrix.html.j2", place=name, found=found, whole=table, **values)


def _from_folder(table: Table) -> Table:
    """Return a table whose links lead from a folder beside those of documents and disagreements."""
    links = tuple(tuple(f"../{each}" if each else None for each in row) for row in table.links)
    return replace(table, links=links)
