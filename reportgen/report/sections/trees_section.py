"""Dependency trees: attachment of every two people, what relations are confused, and where heads differ."""

from collections.abc import Iterator

from reportgen.report.blocks import Block, Details, File, FilesBlock, Section, TableBlock, paragraph, remark
from reportgen.report.tables import ReportTable, columns_of, of_layer, table_if, without
from reportgen.report.view import ReportView, named
from reportgen.results.trees import TreeAgreement
from reportgen.words.language import _, say
from reportgen.words.numbers import count, percent

# The page has so many rows of a long table; all are in the CSV.
MOST_ROWS = 10
RELATION, SPEECH = "relation", "part of speech"


def trees(view: ReportView) -> Section | None:
    """Return agreement on dependency trees; None where no layer has any."""
    layers = [layer.id for layer in view.layers]
    shown = [own for own in view.results.trees or () if own.layer in layers]
    if not shown:
        return None
    blocks: list[Block] = [
        paragraph(
            _(
                "UAS is the share of words with the same head, LAS of those with the same head and relation. "
                "Beyond chance, 0 is what annotators would reach who attach words as far away, and to the "
                "side, as both do (pi of the distances to heads; for LAS of distances with relations). "
                "Punctuation counts."
            )
        )
    ]
    for own in shown:
        blocks += named(view, own.layer, _blocks(own))
    return Section("trees", _("Dependency trees"), tuple(blocks), short=_("Trees"))


def _blocks(own: TreeAgreement) -> Iterator[Block]:
    pairs, confused = pairs_table(own), confusions_table(own)
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
        _("Where heads differ, by relation"): heads_table(own, RELATION, MOST_ROWS),
        _("Where heads differ, by part of speech"): heads_table(own, SPEECH, MOST_ROWS),
        _("Relations that are confused"): confusions_table(own, MOST_ROWS),
        _("Documents, the worst first"): documents_table(own, MOST_ROWS),
    }
    for title, table in tables.items():
        if table:
            yield Details(title, (TableBlock(table),))
    yield FilesBlock(lambda: (pairs, relations, speech, confused, documents))
    files = [File(table.file, title) for title, table in tables.items() if table]
    yield remark(_("As CSV:"), *([File(pairs.file, _("Attachment"))] if pairs else ()), *files)


def pairs_table(own: TreeAgreement) -> ReportTable | None:
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
