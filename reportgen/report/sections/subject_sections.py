"""What sections show because of what a report is about: judges, recordings, errors of systems, trees."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from reportgen.base.dataclass import dataclass
from reportgen.report.blocks import (
    Block,
    Details,
    File,
    FilesBlock,
    TableBlock,
    as_section,
    paragraph,
    remark,
)
from reportgen.report.documents import DocumentViews, offsets
from reportgen.report.tables import (
    ReportTable,
    columns_of,
    of_layer,
    table_if,
    table_of,
    without,
    without_empty_columns,
)
from reportgen.report.view import ReportView, named
from reportgen.results.annotators import Judge
from reportgen.results.marks import BoundaryAgreement, TreeAgreement
from reportgen.results.texts import ListedError, ListedErrors, Span, Texts, in_context
from reportgen.words.language import N_, _, pgettext, say, say_many
from reportgen.words.numbers import count, p_is, percent

# A page has so many categories of a judge; all are in the CSV.
MOST_CATEGORIES = 20


@as_section("judges", N_("The model as judge"), N_("The judge"))
def judges(view: ReportView) -> Iterator[Block]:
    """Yield what a model's labels are worth, category by category; nothing where no report is about one."""
    shown = [
        judge
        for judge in view.of_layers(view.results.judges)
        if view.results.subject_of(judge.layer) == "judge"
    ]
    if shown:
        lead = _(
            "Sensitivity is the share of the human's labels of a category that the model finds, specificity "
            "the share of everything else that it leaves alone. The predictive values are the shares of the "
            "model's labels that are right; φ is Matthews' correlation. Rogan and Gladen (1978) correct the "
            "share that it reports by sensitivity and specificity, prediction-powered inference "
            "(Angelopoulos et al. 2023) by the units that the human labelled too."
        )
        yield paragraph(lead)
    for judge in shown:
        yield from named(view, judge.layer, _judge(judge))


def _selected(judge: Judge) -> str:
    """Return why no share is corrected, where the human labelled no random part of the units."""
    if judge.selected is None:
        return ""
    return say(
        "These are no random part: {model} calls {labelled_share} of them {category}, and {further_share} of "
        "the others ({p}). All figures are of these units alone, and no share is corrected.",
        model=judge.model,
        category=judge.selected.category,
        labelled_share=percent(judge.selected.labelled_share),
        further_share=percent(judge.selected.further_share),
        p=p_is(judge.selected.p),
    )


def _judge(judge: Judge) -> Iterator[Block]:
    yield paragraph(
        say(
            "{model} beside {human}, on {units} units that both labelled.",
            model=judge.model,
            human=judge.human,
            units=count(judge.units),
        ),
        say("{model} alone labelled {units} others.", model=judge.model, units=count(judge.alone))
        if judge.alone
        else "",
        _selected(judge),
    )
    table, shares, needed = judge_table(judge), share_table(judge), needed_table(judge)
    if table is None:
        return
    yield TableBlock(without(_first(table), ("human", "model", "both", "negative_value")))
    yield from (TableBlock(_first(more)) for more in (shares, needed) if more)
    yield FilesBlock(lambda: (table, shares, needed))
    yield remark(File(table.file), File(shares.file, _("Shares")) if shares else None)


def _first(table: ReportTable) -> ReportTable:
    return replace(table, rows=table.rows[:MOST_CATEGORIES])


def _ranked(judge: Judge) -> list[str]:
    return sorted(judge.categories, key=lambda name: (-judge.categories[name].human, name))


def judge_table(judge: Judge) -> ReportTable | None:
    """Return how often a model is right about each category."""
    return table_if(
        of_layer(f"judge-{judge.model}", judge.layer),
        _("Right and wrong by category, each against all others together."),
        [(name, judge.categories[name]) for name in _ranked(judge)],
        ("category", _("Category"), "text", lambda row: row[0]),
        ("human", _("By the human"), "count", lambda row: row[1].human),
        ("model", _("By the model"), "count", lambda row: row[1].model),
        ("both", _("By both"), "count", lambda row: row[1].both),
        ("sensitivity", _("Sensitivity"), "estimate", lambda row: row[1].sensitivity),
        ("specificity", _("Specificity"), "estimate", lambda row: row[1].specificity),
        ("positive_value", _("Positive predictive value"), "estimate", lambda row: row[1].positive_value),
        ("negative_value", _("Negative predictive value"), "estimate", lambda row: row[1].negative_value),
        ("phi", "φ", "estimate", lambda row: row[1].phi),
        file=f"judge.{judge.layer}.{judge.model}.csv",
        what="Sensitivity, specificity, predictive values and φ of a model, by category.",
    )


def share_table(judge: Judge) -> ReportTable | None:
    """Return the share of each category that a model reports, beside the human's and the corrected ones."""
    corrected = any(own.corrected_share for own in judge.categories.values())
    return table_if(
        of_layer(f"judge-shares-{judge.model}", judge.layer),
        _("Shares that the model reports, and what they are after correction."),
        [(name, judge.categories[name]) for name in _ranked(judge)],
        ("category", _("Category"), "text", lambda row: row[0]),
        ("human_share", _("The human's share"), "estimate", lambda row: row[1].human_share),
        ("reported_share", _("Reported share"), "estimate", lambda row: row[1].reported_share),
        ("corrected_share", _("Corrected share"), "estimate", lambda row: row[1].corrected_share)
        if corrected
        else None,
        ("rogan_gladen", _("By Rogan and Gladen"), "figure", lambda row: row[1].rogan_gladen),
        file=f"judge-shares.{judge.layer}.{judge.model}.csv",
        what="Shares of categories by a model, by the human, and corrected.",
    )


def needed_table(judge: Judge) -> ReportTable | None:
    """Return how many units the human labels for narrower intervals of shares."""
    rows = [
        (name, goal)
        for name in _ranked(judge)
        for goal in judge.categories[name].labels_needed or ()
        if goal.half_width <= MOST_HALF_WIDTH
    ]
    return table_if(
        of_layer(f"judge-labels-{judge.model}", judge.layer),
        _("How many units, drawn at random, the human has to label for a narrower interval of a share."),
        rows,
        ("category", _("Category"), "text", lambda row: row[0]),
        ("half_width", _("Half-width of the 95% interval"), "figure", lambda row: row[1].half_width),
        ("units", _("Units with labels of both"), "count", lambda row: row[1].units),
        ("alone", _("Without the model"), "count", lambda row: row[1].alone),
        file=f"judge-labels.{judge.layer}.{judge.model}.csv",
        what="How many units a human labels for narrower intervals of corrected shares, by category.",
    )


# Wider intervals of shares tell little.
MOST_HALF_WIDTH = 0.05


# Boundaries in recordings.


def boundaries(layers: Sequence[BoundaryAgreement]) -> Iterator[Block]:
    """Yield how near annotators' boundaries are, and who sets them early or late."""
    if not layers:
        return
    tolerances = {own.tolerance for own in layers}
    yield paragraph(
        say("Boundaries are near each other up to {tolerance} ms.", tolerance=count(tolerances.pop()))
        if len(tolerances) == 1
        else _("How far boundaries may be apart is in the table."),
        _("The campaign says so.")
        if all(own.declared for own in layers)
        else _(
            "This is the usual 200 ms, or a quarter of the median stretch where that is less. Declare "
            "tolerance for another."
        ),
    )
    table, shifts = boundary_table(layers), shift_table(layers)
    if table:
        yield TableBlock(table)
    if shifts:
        yield Details(_("Who sets boundaries early or late"), (TableBlock(shifts),))
    yield FilesBlock(lambda: (table, shifts))


def boundary_table(layers: Iterable[BoundaryAgreement]) -> ReportTable | None:
    """Return F of boundaries and stretches within the tolerance, a row a layer."""
    return table_if(
        "boundaries",
        _("F of all pairs of annotators within the tolerance."),
        layers,
        ("layer", _("Layer"), "text", lambda own: own.layer),
        ("tolerance", _("Tolerance, ms"), "count", lambda own: own.tolerance),
        ("boundaries", _("Boundaries"), "estimate", lambda own: own.boundaries),
        ("stretches", _("Stretches, both ends"), "estimate", lambda own: own.stretches),
        ("labels", _("Stretches with their label"), "estimate", lambda own: own.labels),
        file="boundaries.csv",
        what="F of boundaries and of stretches of recordings within a tolerance.",
    )


def shift_table(layers: Iterable[BoundaryAgreement]) -> ReportTable | None:
    """Return how much later each annotator's boundaries are than those of others, in milliseconds."""
    return table_if(
        "boundary-shifts",
        _("How much later somebody's boundaries are than the nearest of others, in milliseconds."),
        [(own.layer, shift) for own in layers for shift in own.shifts],
        ("layer", _("Layer"), "text", lambda row: row[0]),
        ("annotator", _("Annotator"), "text", lambda row: row[1].annotator),
        ("boundaries", _("Boundaries"), "count", lambda row: row[1].boundaries),
        ("later", _("Later by"), "decimal", lambda row: row[1].later),
        ("low", _("from"), "decimal", lambda row: row[1].low),
        ("high", _("to"), "decimal", lambda row: row[1].high),
        ("p", "p", "p", lambda row: row[1].p),
        file="boundary-shifts.csv",
        what="How much later annotators set boundaries than others do.",
    )


# Every error of a system against a reference: in words, the first of them on the page, all in a CSV.

# A page shows so many errors of one system, from all of the texts; the CSV has them all.
MOST_ERRORS = 60
ERROR_KINDS = {
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
        ("kind", _("Error"), "text", lambda row: _(ERROR_KINDS[row.error.kind])),
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

    def place(spans: tuple[Span, ...]) -> str:
        return offsets(spans) if spans else ""

    return table_if(
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
        ("key_offsets", "key_offsets", "text", lambda row: place(row[1].error.key_spans)),
        ("offsets", "offsets", "text", lambda row: place(row[1].error.spans)),
        ("key_label", "key_label", "text", lambda row: row[1].error.key_label or ""),
        ("label", "label", "text", lambda row: row[1].error.label or ""),
        ("key_text", "key_text", "text", lambda row: row[1].key_words),
        ("text", "text", "text", lambda row: row[1].own_words),
        file="errors.csv",
        what="Every error of a system against a reference: its kind, its place, and the label of both.",
    )


@as_section("errors", N_("Errors, one by one"), N_("Errors"))
def errors(view: ReportView) -> Iterator[Block]:
    """Yield the errors of whoever a report judges; nothing where texts are withheld, or nobody errs."""
    passages = view.passages
    shown = {layer.id for layer in view.layers}
    lists = [own for own in (passages.texts.errors or () if passages else ()) if own.layer in shown]
    if passages is None or not lists:
        return
    made = [(own, error_rows(passages.texts, passages.documents, own)) for own in lists]
    lead = _("Each error is listed once; where texts are shown, its kind is a link to its place in the text.")
    yield paragraph(lead, File("errors.csv"))
    for layer in dict.fromkeys(own.layer for own in lists):
        of_layer = [block for own, rows in made if own.layer == layer for block in _of_system(own, rows)]
        yield from named(view, layer, of_layer)
    yield FilesBlock(lambda: (errors_csv(made),))


def _of_system(listed: ListedErrors, rows: list[ErrorRow]) -> Iterator[Block]:
    times = Counter(row.error.kind for row in rows)
    kinds = ", ".join(
        say("{kind} {times}", kind=_(name), times=count(times[kind]))
        for kind, name in ERROR_KINDS.items()
        if times[kind]
    )
    yield paragraph(
        say_many(
            "{system} differs from {key} in {count} {place|places}: {kinds}.",
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


# Dependency trees: attachment of every two people, confused relations, and where heads differ.

# The page has so many rows of a long table; all are in the CSV.
MOST_CONFUSED = 10
RELATION, SPEECH = "relation", "part of speech"


@as_section("trees", N_("Dependency trees"), N_("Trees"))
def trees(view: ReportView) -> Iterator[Block]:
    """Yield agreement on dependency trees."""
    layers = [layer.id for layer in view.layers]
    shown = [own for own in view.results.trees or () if own.layer in layers]
    what = _(
        "UAS is the share of words with the same head, LAS of those with the same head and relation. "
        "Beyond chance, 0 is what annotators would reach who attach words as far away, and to the "
        "side, as both do (pi of the distances to heads; for LAS of distances with relations). "
        "Punctuation counts."
    )
    if shown:
        yield paragraph(what)
    for own in shown:
        yield from named(view, own.layer, _of_trees(own))


def _of_trees(own: TreeAgreement) -> Iterator[Block]:
    pairs, confused = attachment_table(own), confusions_table(own)
    relations, speech, documents = heads_table(own, RELATION), heads_table(own, SPEECH), documents_table(own)
    if pairs:
        # The page has no room for all columns; the CSV has them.
        yield TableBlock(without(pairs, ("relations",)))
    yield paragraph(
        say(
            "Heads differ on {differing} of {words} words ({share}).",
            differing=count(own.differing),
            words=count(own.words),
            share=percent(own.differing / own.words),
        )
    )
    tables = {
        _("Where heads differ, by relation"): heads_table(own, RELATION, MOST_CONFUSED),
        _("Where heads differ, by part of speech"): heads_table(own, SPEECH, MOST_CONFUSED),
        _("Relations that are confused"): confusions_table(own, MOST_CONFUSED),
        _("Documents, the worst first"): documents_table(own, MOST_CONFUSED),
    }
    for title, table in tables.items():
        if table:
            yield Details(title, (TableBlock(table),))
    yield FilesBlock(lambda: (pairs, relations, speech, confused, documents))
    files = [File(table.file, title) for title, table in tables.items() if table]
    yield remark(_("As CSV:"), *([File(pairs.file, _("Attachment"))] if pairs else ()), *files)


def attachment_table(own: TreeAgreement) -> ReportTable | None:
    """Return UAS and LAS of every two people."""
    figures = {
        "unlabelled": "UAS",
        "labelled": "LAS",
        "relations": _("Same relation"),
        "unlabelled_beyond_chance": _("UAS beyond chance"),
        "labelled_beyond_chance": _("LAS beyond chance"),
    }
    return table_if(
        of_layer("trees", own.layer),
        _("Attachment of every two people [95% interval]."),
        own.pairs,
        ("first", _("Key"), "text", lambda row: row.annotators[0]),
        ("second", _("Other"), "text", lambda row: row.annotators[1]),
        ("words", _("Words"), "count", lambda row: row.words),
        ("left_out", _("Left out"), "count", lambda row: row.words_left_out),
        *columns_of(figures, "estimate", getattr),
        file=f"trees.{own.layer}.csv",
        what="Unlabelled and labelled attachment of every two people, also beyond chance.",
    )


def heads_table(own: TreeAgreement, what: str, most: int | None = None) -> ReportTable | None:
    """Return for each relation, or part of speech, on how many of its words heads differ."""
    relations = what == RELATION
    return table_if(
        of_layer(name := f"heads-by-{what.replace(' ', '-')}", own.layer),
        _("Words that have a relation by one of two, and on how many of them heads differ.")
        if relations
        else _("Words of each part of speech, and on how many of them heads differ."),
        (own.by_relation if relations else own.by_part_of_speech)[:most],
        ("name", _("Relation") if relations else _("Part of speech"), "text", lambda row: row.name),
        ("words", _("Words"), "count", lambda row: row.words),
        ("differing", _("Other heads"), "count", lambda row: row.differing),
        ("share", _("Share of all"), "percent", lambda row: row.differing / max(own.differing, 1)),
        ("p", "p", "p", lambda row: row.p),
        file=f"{name}.{own.layer}.csv",
        what=f"On how many words of each {what} heads differ.",
    )


def confusions_table(own: TreeAgreement, most: int | None = None) -> ReportTable | None:
    """Return which relations words with the same head have."""
    return table_if(
        of_layer("relations-confused", own.layer),
        _("Words with the same head and two relations."),
        own.relations_confused[:most],
        ("first", _("One"), "text", lambda row: row.first),
        ("second", _("The other"), "text", lambda row: row.second),
        ("words", _("Words"), "count", lambda row: row.words),
        file=f"relations-confused.{own.layer}.csv",
        what="Relations that annotators gave to words with the same head.",
    )


def documents_table(own: TreeAgreement, most: int | None = None) -> ReportTable | None:
    """Return attachment in each document."""
    return table_if(
        of_layer("trees-by-document", own.layer),
        _("Attachment in each document, over all pairs."),
        own.documents[:most],
        ("document", _("Document"), "text", lambda row: row.document),
        ("words", _("Words"), "count", lambda row: row.words),
        ("unlabelled", "UAS", "figure", lambda row: row.same_head / row.words),
        ("labelled", "LAS", "figure", lambda row: row.same_head_and_relation / row.words),
        file=f"trees-by-document.{own.layer}.csv",
        what="Unlabelled and labelled attachment in each document.",
    )
