"""Agreement document by document: the worst documents first, with kappa, pi and what was confused there."""

from collections.abc import Iterator

from reportgen.report.blocks import Block, Details, File, FilesBlock, Section, TableBlock, paragraph, remark
from reportgen.report.tables import ReportTable, table_if
from reportgen.report.view import ReportView, named
from reportgen.results.unit_sets import AgreementByDocument, DocumentAgreement, DocumentCell
from reportgen.words.language import N_, _, say
from reportgen.words.numbers import count, counted, percent

# The page has so many documents, of each of several layers fewer; the CSV has up to a hundred.
MOST_ROWS, OF_SEVERAL = 10, 3


def by_document(view: ReportView) -> Section | None:
    """Return agreement in each document, those that agree least first; None where no document is known."""
    layers = [layer.id for layer in view.layers]
    found = [own for own in view.results.by_document or () if own.layer in layers]
    if not found:
        return None
    blocks: list[Block] = []
    for own in found:
        blocks += named(view, own.layer, _blocks(own, MOST_ROWS if len(found) == 1 else OF_SEVERAL))
    return Section("by-document", _("Document by document"), tuple(blocks), short=_("By document"))


def _blocks(own: AgreementByDocument, most: int) -> Iterator[Block]:
    table, cells = documents_table(own), cells_table(own)
    if table is None:
        return
    yield paragraph(_said(own))
    shown = documents_table(own, most)
    title = say("The {count} documents that agree least", count=count(len(shown.rows) if shown else 0))
    if own.documents_in_all <= most:
        title = counted(own.documents_in_all, "document", "documents")
    if shown:
        yield Details(title, (TableBlock(shown),))
    yield FilesBlock(lambda: (table, cells))
    yield remark(File(table.file), File(cells.file, _("Confusion matrices")) if cells else None)


def _said(own: AgreementByDocument) -> str:
    """Return whose labels are compared, and how much of what differs the worst document has."""
    if own.documents_in_all > len(own.documents):
        return say("The {count} documents that agree least are listed.", count=count(len(own.documents)))
    worst = max(own.documents, key=lambda document: (document.disagreements, document.document))
    values = {
        "documents": count(own.documents_in_all),
        "document": worst.document,
        "most": count(worst.disagreements),
        "all": count(own.disagreements),
        "part": percent(worst.comparisons / sum(document.comparisons for document in own.documents)),
        "key": own.key or "",
        "other": own.other or "",
    }
    among = N_(
        "Annotators in {documents} documents: {document} has {most} of {all} disagreements, and "
        "{part} of what was compared."
    )
    beside = N_(
        "{other} beside {key} in {documents} documents: {document} has {most} of {all} disagreements, and "
        "{part} of what was compared."
    )
    return say(among if own.key is None else beside, **values)


def _slug(own: AgreementByDocument) -> str:
    return own.layer if own.key is None else f"{own.layer}.{own.key}.{own.other}"


def documents_table(own: AgreementByDocument, most: int | None = None) -> ReportTable | None:
    """Return agreement in each document, or in the first few."""
    return table_if(
        f"by-document-{_slug(own)}",
        _("Agreement in each document, the lowest first."),
        own.documents[:most],
        ("document", _("Document"), "text", lambda row: row.document),
        ("comparisons", _("Compared"), "count", lambda row: row.comparisons),
        ("disagreements", _("Disagreements"), "count", lambda row: row.disagreements),
        ("observed_agreement", _("Observed agreement"), "figure", lambda row: row.observed_agreement),
        ("cohen_kappa", _("Cohen's kappa"), "figure", lambda row: row.cohen_kappa),
        ("scott_pi", _("Scott's pi"), "figure", lambda row: row.scott_pi),
        file=f"by-document.{_slug(own)}.csv",
        what="Observed agreement, kappa and pi of each document.",
    )


def cells_table(own: AgreementByDocument) -> ReportTable | None:
    """Return the confusion matrices of documents, a row for each cell that is not empty."""
    rows: list[tuple[DocumentAgreement, DocumentCell]] = [
        (document, cell) for document in own.documents for cell in document.cells or ()
    ]
    return table_if(
        f"cells-by-document-{_slug(own)}",
        _("The confusion matrix of each document."),
        rows,
        ("document", _("Document"), "text", lambda row: row[0].document),
        ("first", _("First"), "text", lambda row: row[1].first),
        ("second", _("Second"), "text", lambda row: row[1].second),
        ("units", _("Units"), "count", lambda row: row[1].units),
        file=f"cells-by-document.{_slug(own)}.csv",
        what="The confusion matrix of each document, cell by cell.",
    )
