"""Every error of a system against a reference: in words, the first of them on the page, all in a CSV."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from reportgen.base.dataclass import dataclass
from reportgen.report.blocks import Block, Details, File, FilesBlock, Section, TableBlock, paragraph, remark
from reportgen.report.documents import DocumentViews
from reportgen.report.layer_texts import offsets
from reportgen.report.tables import ReportTable, table_of, without, without_empty_columns
from reportgen.report.view import ReportView, named
from reportgen.results.texts import ListedError, ListedErrors, Span, Texts, in_context
from reportgen.words.language import N_, _, pgettext, say, say_many
from reportgen.words.numbers import count

# A page shows so many errors of one system, from all of the texts; the CSV has them all.
MOST_ERRORS = 60
KINDS = {
    "missed": N_("missed"),
    "spurious": N_("spurious"),
    "type": N_("wrong type"),
    "ends": N_("wrong ends"),
    "both": N_("wrong type and ends"),
}


@dataclass(frozen=True)
class ErrorRow:
    """One error as a table shows it; `href` leads to its place in the text of its document."""

    error: ListedError
    document: str
    text: str | None
    href: str | None

    def words(self, spans: tuple[Span, ...]) -> str:
        """Return what somebody marked, in words: the text of the mark, or the name of a unit."""
        if spans and self.text is not None:
            return in_context(self.text, spans).unit
        return self.error.text or self.error.name

    @cached_property
    def key_words(self) -> str:
        """Return what the reference marked; of units what they are."""
        return self.words(self.error.key_spans) if self.error.kind != "spurious" else ""

    @cached_property
    def own_words(self) -> str:
        """Return what the system marked."""
        return self.words(self.error.spans) if self.error.kind != "missed" else ""

    @property
    def line(self) -> str:
        """Return the error within the words around it."""
        spans = self.error.spans or self.error.key_spans
        if spans and self.text is not None:
            return in_context(self.text, spans).line
        return self.error.text or self.error.name


def error_rows(texts: Texts, documents: DocumentViews, listed: ListedErrors) -> list[ErrorRow]:
    """Return a row for each error of a list, in its order."""
    rows = []
    for error in listed.errors:
        document = None if error.document is None else texts.documents[error.document]
        view = None if error.document is None else documents.of.get(error.document)
        spans = error.spans or error.key_spans
        rows.append(
            ErrorRow(
                error,
                view.name if view else document.name if document else "",
                document.text if document else None,
                documents.href(view, listed.layer, spans),
            )
        )
    return rows


def errors_table(listed: ListedErrors, rows: list[ErrorRow]) -> ReportTable:
    """Return the errors of one system, a row each; its CSV has them all, with both stretches."""
    table = table_of(
        f"errors-{listed.layer}-{listed.other}",
        say(
            "Errors of {system} against {key}, in the order of the texts.",
            system=listed.other,
            key=listed.key,
        ),
        rows,
        ("kind", _("Error"), "text", lambda row: _(KINDS[row.error.kind])),
        ("document", _("Document"), "text", lambda row: row.document),
        ("context", _("Where"), "text", lambda row: row.line),
        ("key_label", listed.key, "text", lambda row: row.error.key_label or ""),
        ("label", listed.other, "text", lambda row: row.error.label or ""),
        ("key_text", pgettext("of errors", "Text of the reference"), "text", lambda row: row.key_words),
        ("text", pgettext("of errors", "Text of the system"), "text", lambda row: row.own_words),
        href=lambda row: row.href,
    )
    return without_empty_columns(table, ("document",))


def errors_csv(listed: list[tuple[ListedErrors, list[ErrorRow]]]) -> ReportTable | None:
    """Return every error of everybody as a CSV: its kind as results name it, both labels, both places."""
    every = [(own, row) for own, rows in listed for row in rows]
    if not every:
        return None
    return table_of(
        "errors",
        "",
        every,
        ("layer", "layer", "text", lambda row: row[0].layer),
        ("unit_set", "unit_set", "text", lambda row: row[0].unit_set or ""),
        ("key", "key", "text", lambda row: row[0].key),
        ("other", "other", "text", lambda row: row[0].other),
        ("kind", "kind", "text", lambda row: row[1].error.kind),
        ("document", "document", "text", lambda row: row[1].document),
        ("unit", "unit", "text", lambda row: row[1].error.name),
        (
            "key_offsets",
            "key_offsets",
            "text",
            lambda row: offsets(row[1].error.key_spans) if row[1].error.key_spans else "",
        ),
        ("offsets", "offsets", "text", lambda row: offsets(row[1].error.spans) if row[1].error.spans else ""),
        ("key_label", "key_label", "text", lambda row: row[1].error.key_label or ""),
        ("label", "label", "text", lambda row: row[1].error.label or ""),
        ("key_text", "key_text", "text", lambda row: row[1].key_words),
        ("text", "text", "text", lambda row: row[1].own_words),
        file="errors.csv",
        what="Every error of a system against a reference: its kind, its place, and the label of both.",
    )


def errors(view: ReportView) -> Section | None:
    """Return the errors of whoever a report judges; None where texts are withheld, or nobody errs."""
    passages = view.passages
    shown = {layer.id for layer in view.layers}
    lists = [own for own in (passages.texts.errors or () if passages else ()) if own.layer in shown]
    if passages is None or not lists:
        return None
    made = [(own, error_rows(passages.texts, passages.documents, own)) for own in lists]
    blocks: list[Block] = [
        paragraph(
            _("Each error is listed once. Where texts are shown, its kind leads to its place in the text."),
            File("errors.csv"),
        )
    ]
    for layer in dict.fromkeys(own.layer for own in lists):
        of_layer = [block for own, rows in made if own.layer == layer for block in _of_one(own, rows)]
        blocks += named(view, layer, of_layer)
    blocks.append(FilesBlock(lambda: (errors_csv(made),)))
    return Section("errors", _("Errors, one by one"), tuple(blocks), short=_("Errors"))


def _of_one(listed: ListedErrors, rows: list[ErrorRow]) -> Iterator[Block]:
    times = Counter(row.error.kind for row in rows)
    kinds = ", ".join(
        say("{kind} {times}", kind=_(name), times=count(times[kind]))
        for kind, name in KINDS.items()
        if times[kind]
    )
    yield paragraph(
        say_many(
            "{system} differs from {key} in {count} place: {kinds}.",
            "{system} differs from {key} in {count} places: {kinds}.",
            len(rows),
            system=listed.other,
            key=listed.key,
            kinds=kinds,
        )
    )
    part = rows
    if len(rows) > MOST_ERRORS:
        part = [rows[place * len(rows) // MOST_ERRORS] for place in range(MOST_ERRORS)]
    other_ends = any(row.error.kind in {"ends", "both"} for row in part)
    table = without(errors_table(listed, part), () if other_ends else ("key_text", "text"))
    folded: list[Block] = [TableBlock(replace(table, file=""))]
    if len(part) < len(rows):
        shown = {"shown": count(len(part)), "count": count(len(rows))}
        folded.append(remark(say("Shown are {shown} of {count}, from all of the texts.", **shown)))
    yield Details(say("Errors of {system}", system=listed.other), tuple(folded))
