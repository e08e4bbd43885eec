"""What to do besides the ledger, what limits the figures, and where disagreements are."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from reportgen.figures.bars import KINDS, of_disagreements
from reportgen.findings.causes import RankedCause
from reportgen.report import uncertainty
from reportgen.report.blocks import (
    Block,
    Details,
    File,
    FilesBlock,
    Items,
    Link,
    Section,
    ShortAnswers,
    Strong,
    TableBlock,
    Text,
    as_section,
    paragraph,
    remark,
    sentences,
)
from reportgen.report.ledger import Ledger, shown_count
from reportgen.report.tables import ReportTable, table_if, table_of
from reportgen.report.view import ReportView, named
from reportgen.results import SEVERITIES, Finding
from reportgen.results.unit_sets import AgreementByDocument, DocumentAgreement, DocumentCell
from reportgen.words import numbers
from reportgen.words.acts import act, gain
from reportgen.words.language import N_, _, listed, named_value, say, say_either, say_many
from reportgen.words.numbers import Note, count, counted, note, percent

# The way from a page to the section that a finding names as its evidence.
Way = Callable[[Note], str]

# So many are open; more are folded, and so are more remarks of one kind.
OPEN, MOST_CLAIMS = 3, 4


def what_to_do(view: ReportView, way: Way | None = None) -> Section | None:
    """Return the causes behind the first that no row of the ledger has; of a layer's page all of them."""
    causes = view.ledger.besides if view.ledger else view.causes if view.only else view.causes[1:]
    if not causes:
        return None
    items = [_item(view, cause, way) for cause in causes]
    blocks: list[Block] = [Items(tuple(items[:OPEN]))]
    if more := items[OPEN:]:
        blocks.append(Details(say_many("{count} more", len(more)), (Items(tuple(more)),)))
    return Section("findings", _("What to do") if view.only else _("What else to do"), tuple(blocks))


def _item(view: ReportView, cause: RankedCause, way: Way | None) -> Text:
    """Return a cause as one: what to do, and what was found; of several the cases of each."""
    said = act(cause, people=len(view.results.primary.annotators))
    where = listed(cause.layers) if len(view.results.layers) > 1 and len(cause.layers) == 1 else ""
    if where and where not in said:
        said = say("{advice} ({layer}).", advice=said.removesuffix("."), layer=where)
    found = claims(view, cause.findings[:1], way)
    return sentences(Strong(said), *found, gain(cause, view.results))


def claims(
    view: ReportView, findings: Sequence[Finding], way: Way | None, *, named: bool = True
) -> tuple[Text, ...]:
    """Return what was found in each, `named` by its layers; the same evidence is linked once."""
    notes = list(map(note, findings))
    ways = [way(each) if way else "" for each in notes]
    return tuple(
        _claim(view, finding, own, way if href not in ways[:index] else None, named=named)
        for index, (finding, own, href) in enumerate(zip(findings, notes, ways, strict=True))
    )


def _claim(view: ReportView, finding: Finding, note: Note, way: Way | None, *, named: bool) -> Text:
    """Return what was found, behind the layers that it is about, with a link to its evidence."""
    link = Link(_("Evidence"), way(note)) if way and note.evidence else ""
    several_layers = named and len(view.results.layers) > 1 and note.layers
    place = note.where(view.results.layers) if several_layers else ""
    where = Strong(say("{name}:", name=place[:1].upper() + place[1:])) if place else None
    # The layer is named once: here, or at the head of its page.
    values = {
        key: value
        for key, value in finding.values.items()
        if not (key.endswith("_layer") and (value,) == note.layers)
    }
    return sentences(where, numbers.message(finding.claim, values), link)


def limits_of_figures(view: ReportView, way: Way | None = None) -> Section | None:
    """Return for what the figures are true, and what puts them in doubt; all other limits are with them."""
    grave = [alike for alike in limits(view.findings) if _severity(alike) == 0]
    blocks: list[Block] = [block for alike in grave for block in _limit(view, alike, way)]
    if not view.only:
        blocks.append(ShortAnswers(tuple(uncertainty.answers(view.results))))
    return Section("limits", _("Can I trust this verdict?"), tuple(blocks)) if blocks else None


# Where remarks are whose evidence has no section of its own, or which the page does not have.
SECTIONS, OF_FIGURES = {"protocol": "data", "": "data", "data": "data"}, "coefficients"


def remarks_of(view: ReportView, section: str, known: Collection[str] = ()) -> Iterator[Block]:
    """Yield what limits the figures of a section, one of the `known` ones or that on the data."""
    for alike in limits(view.findings):
        evidence = alike[0].evidence
        there = SECTIONS.get(evidence, evidence if evidence in known else OF_FIGURES)
        # Sections say themselves how much nobody marked, and what was left out.
        said = (alike[0].id, there) in {("prevalence", "non-annotated"), ("left-out", "data")}
        if there == section and _severity(alike) and not said:
            yield from _limit(view, alike, None)


def limits(findings: Iterable[Finding]) -> list[list[Finding]]:
    """Return what limits the figures, the gravest first; what is said of several layers as one."""
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.kind == "limit":
            groups.setdefault(finding.id, []).append(finding)
    return sorted(groups.values(), key=_severity)


def _severity(findings: Sequence[Finding]) -> int:
    return min(SEVERITIES.index(finding.severity) for finding in findings)


def _limit(view: ReportView, findings: Sequence[Finding], way: Way | None) -> Iterator[Block]:
    """Yield what limits the figures, what follows from it behind each remark; of many all but one folded."""
    advice = [note(finding).advice for finding in findings]
    found: list[Text] = list(claims(view, findings, way))
    if len(set(advice)) > 1:
        found = [sentences(claim, own) for claim, own in zip(found, advice, strict=True)]
    else:
        found[0] = sentences(found[0], advice[0])
    yield paragraph(found[0])
    if more := (Items(tuple(found[1:])),) if found[1:] else ():
        summary = say("In detail: {count}", count=numbers.count(len(found) - 1))
        yield from more if len(found) <= MOST_CLAIMS else (Details(summary, more),)


# The page has so many documents, of each of several layers fewer; the CSV has up to a hundred.
MOST_ROWS, OF_SEVERAL = 10, 3


@as_section("by-document", N_("Document by document"), N_("By document"))
def by_document(view: ReportView) -> Iterator[Block]:
    """Yield agreement in each document, those that agree least first; nothing where no document is known."""
    layers = [layer.id for layer in view.layers]
    found = [own for own in view.results.by_document or () if own.layer in layers]
    for own in found:
        yield from named(view, own.layer, _of_documents(own, MOST_ROWS if len(found) == 1 else OF_SEVERAL))


def _of_documents(own: AgreementByDocument, most: int) -> Iterator[Block]:
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
    return say_either(
        own.key is None,
        "{Annotators|{other} beside {key}} in {documents} documents: {document} has {most} of {all} "
        "disagreements, and {part} of what was compared.",
        **values,
    )


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


# All disagreements of a report: what they are, and what is behind them.

# The page has so many rows; all are in the CSV.
MOST_PARTS = 12
WHAT = {"label": N_("another label"), "rest": N_("rarer kinds together"), **KINDS}


@as_section("all-disagreements", N_("All disagreements"), N_("Disagreements"))
def all_disagreements(view: ReportView) -> Iterator[Block]:
    """Yield all disagreements by what they are, and how causes were looked for; nothing without any."""
    found = view.results.disagreements
    if found is None or view.only or view.answered:
        return
    tested = (
        say(
            "Each of {count} possible causes was compared with all other disagreements. A cause is "
            "named if it accounts for more disagreements than expected, if the excess is at least a "
            "quarter of all disagreements, and if chance does not explain it (p below 0.05 after "
            "Bonferroni's correction).",
            count=count(found.candidates),
        )
        if found.candidates
        else _("They are too few to look for a cause.")
    )
    yield paragraph(tested)
    if table := parts_table(view):
        yield TableBlock(table)
    yield FilesBlock(
        lambda: (parts_table(view, whole=True),),
        lambda: (view.drawn("disagreements", lambda: of_disagreements(view.results)),),
    )


def parts_table(view: ReportView, *, whole: bool = False) -> ReportTable | None:
    """Return the disagreements by what they are, the most frequent first; they add up to all of them."""
    found = view.results.disagreements
    parts = found.parts if found else ()
    many, total = len(view.results.layers) > 1, found.total if found else 1
    names = [("annotator", _("Who alone marked"), "text", lambda part: part.annotator)]
    return table_if(
        "disagreement-parts",
        _("Kinds of disagreement, the most frequent first."),
        parts if whole else parts[:MOST_PARTS],
        ("layer", _("Layer"), "text", lambda part: part.layer or "") if many else None,
        ("kind", _("What differs"), "text", lambda part: _(WHAT[part.kind])),
        ("first", _("Label"), "text", lambda part: part.first or ""),
        ("second", _("Other label"), "text", lambda part: part.second or ""),
        *(names if any(part.annotator for part in parts) else ()),
        ("cases", _("Cases"), "count", lambda part: part.cases),
        ("share", _("Share"), "percent", lambda part: part.cases / total),
        file="all-disagreements.csv",
        what="All disagreements of two annotators by what differs; the rows add up to the total.",
    )


# The ledger where there are no small charts: as a table, and below it what was found row by row.


def ledger_section(view: ReportView) -> Section | None:
    """Return the rows of a report with what to do; None where there are no two."""
    return Section("ledger", view.ledger.title, tuple(_of_ledger(view, view.ledger))) if view.ledger else None


def _of_ledger(view: ReportView, rows: Ledger) -> Iterator[Block]:
    yield paragraph(rows.figure_said)
    yield TableBlock(ledger_table(rows))
    for row in rows.rows:
        found = tuple(
            claim for cause in row.causes for claim in claims(view, cause.findings, None, named=False)
        )
        if found:
            yield Details(row.name, (Items(found),))


def ledger_table(rows: Ledger) -> ReportTable:
    """Return the rows as a table: figure, verdict in a word, who differs, and what to do."""
    settled = _("If the cause were settled")
    return table_of(
        "ledger",
        "",
        rows.rows,
        ("name", rows.head, "text", lambda row: row.name),
        ("figure", rows.figure, "estimate", lambda row: row.figure),
        ("word", _("Verdict"), "text", lambda row: row.word) if rows.banded else None,
        ("settled", settled, "figure", lambda row: row.settled) if rows.with_settled else None,
        (
            *("who", rows.bars, "text"),
            lambda row: _("; ").join(named_value(part.name, shown_count(part.cases)) for part in row.slices),
        )
        if rows.bars
        else None,
        (
            *("act", _("What to do"), "text"),
            lambda row: " ".join(filter(None, (row.act, row.instead))),
        )
        if rows.with_acts
        else None,
    )
