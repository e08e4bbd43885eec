"""The CSV tables of systems and references twice: every figure, category and document."""

from collections.abc import Iterator, Sequence

from reportgen.report.revisions import changes
from reportgen.report.tables import Cell, Column, Table
from reportgen.results.changes import SystemRevision

WHO = tuple(
    Column(name, name)
    for name in (
        *("layer", "unit_set", "basis", "system", "role", "key"),
        *("first_name", "second_name", "first_release", "second_release"),
    )
)
HUMANS = (Column("humans_first", "humans", "estimate"), Column("humans_second", "humans", "estimate"))
DOCUMENTS = (
    Column("document", "document"),
    Column("figure", "figure"),
    *(Column(name, name, "figure") for name in ("first", "second", "difference")),
    Column("units", "units", "count"),
)


def _who(each: SystemRevision) -> tuple[Cell, ...]:
    names = (each.layer, each.unit_set or "", each.basis, each.system, each.role, each.key)
    return (*names, each.first, each.second, *(each.releases or ("", "")))


def csv_tables(revisions: Sequence[SystemRevision], files: tuple[str, str, str]) -> Iterator[Table]:
    """Yield every figure, category and document for the CSV files of these names."""
    figures, categories, documents = files
    head = (*WHO, Column("figure", "figure"), *changes.CHANGE_COLUMNS, *HUMANS)
    yield Table("", "", head, tuple(_figure_rows(revisions)), file=figures)
    head = (*WHO, Column("category", "category"), *changes.CHANGE_COLUMNS)
    yield Table("", "", head, tuple(_category_rows(revisions)), file=categories)
    yield Table("", "", (*WHO, *DOCUMENTS), tuple(_document_rows(revisions)), file=documents)


def _figure_rows(revisions: Sequence[SystemRevision]) -> Iterator[tuple[Cell, ...]]:
    for each in revisions:
        for name, change in each.measures.items():
            beside = each.humans if name == each.figure else {}
            humans = (beside.get("first"), beside.get("second"))
            yield (*_who(each), name, *changes.csv_cells(change), *humans)


def _category_rows(revisions: Sequence[SystemRevision]) -> Iterator[tuple[Cell, ...]]:
    for each in revisions:
        for name, change in each.by_category.items():
            yield (*_who(each), name, *changes.csv_cells(change))


def _document_rows(revisions: Sequence[SystemRevision]) -> Iterator[tuple[Cell, ...]]:
    for each in revisions:
        for one in each.by_document:
            figure = each.document_figure or each.figure
            yield (*_who(each), one.document, figure, one.first, one.second, one.difference, one.units)
