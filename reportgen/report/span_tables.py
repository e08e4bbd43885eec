"""Marks in texts as tables: precision, recall and F, in what way marks disagree, and how texts are cut."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from reportgen.report.tables import (
    MOST_AGREEING,
    Cell,
    ColumnOf,
    ReportTable,
    TableColumn,
    columns_of,
    least,
    named,
    of_layer,
    plain,
    roles,
    table_if,
    table_of,
)
from reportgen.results import CASE_KINDS, Figure, MarkDisagreements, Results, SpanPair, cases_by_kind
from reportgen.results.marks import SpanDocument, SpanFigures, SpanLayer, Unitizing, omissions_of_each
from reportgen.words.language import N_, _, pgettext, say
from reportgen.words.numbers import count

MODES = ("strict", "lenient", "average")
SHARES = ("precision", "recall", "f_measure", "error_rate")
F = "f_measure"
CREDIT_FILE = "spans-credit.csv"
# More types are in the CSV alone.
MOST_TYPES = 40
OUTCOMES = ("match", "overlap", "only_first", "only_second")

Columns = tuple[ColumnOf[SpanPair], ...]


def pairs_of(results: Results, layer: str) -> tuple[SpanPair, ...]:
    """Return every two people whose marks of a layer are compared."""
    return tuple(pair for pair in results.spans.pairs if pair.layer == layer) if results.spans else ()


def least_agreeing(pairs: Sequence[SpanPair]) -> tuple[SpanPair, ...]:
    """Return the pairs that a page shows: all, or of very many those that agree least."""
    return tuple(least(pairs, lambda pair: pair.strict[F].value))


def names_of(pair: SpanPair) -> tuple[str, ...]:
    """Return the names of two people, with their roles where they are no annotators."""
    return tuple(map(named, pair.annotators, roles(pair)))


def _people() -> Columns:
    return (
        ("first", _("First (key)"), "text", lambda pair: names_of(pair)[0]),
        ("second", _("Second (response)"), "text", lambda pair: names_of(pair)[1]),
    )


def _outcomes() -> tuple[ColumnOf[SpanFigures], ...]:
    return (
        ("match", _("Match"), "count", lambda each: each.counts.match),
        ("overlap", _("Overlap"), "count", lambda each: each.counts.overlap),
        ("only_first", _("Only the first"), "count", lambda each: each.counts.only_first),
        ("only_second", _("Only the second"), "count", lambda each: each.counts.only_second),
    )


def _shares() -> tuple[ColumnOf[SpanFigures], ...]:
    return (
        ("precision", _("Precision"), "figure", lambda each: each.strict["precision"].value),
        ("recall", _("Recall"), "figure", lambda each: each.strict["recall"].value),
        ("strict", _("F [95% interval]"), "estimate", lambda each: each.strict[F]),
    )


def _partial() -> tuple[ColumnOf[SpanFigures], ...]:
    return (
        ("lenient", _("F, lenient"), "figure", lambda each: each.lenient[F].value),
        ("average", _("F, average"), "figure", lambda each: each.average[F].value),
    )


def pairs_table(
    layer: str, pairs: Sequence[SpanPair], pages: Mapping[frozenset[str], str] | None = None
) -> ReportTable:
    """Return how the marks of each pair compare, an overlap counting nothing; `pages` are those of pairs."""
    return table_of(
        of_layer("spans", layer),
        _("Every two who share documents; precision, recall and F are strict."),
        pairs,
        *_people(),
        ("documents", _("Documents"), "count", lambda pair: pair.documents),
        *_outcomes(),
        *_shares(),
        href=(lambda pair: pages.get(frozenset(pair.annotators))) if pages else None,
    )


def means_table(layer: str, pairs: Sequence[SpanPair]) -> ReportTable:
    """Return the other ways to count overlaps and to average, for the same pairs."""
    means = {
        "macro_documents": _("F, strict, mean over documents"),
        "macro_types": _("F, strict, mean over types"),
    }
    of_tokens = _("False positives per 1,000 tokens")
    return table_of(
        of_layer("span-means", layer),
        _("The same pairs, with overlaps counted and means taken otherwise."),
        pairs,
        *_people(),
        *_partial(),
        *columns_of(means, "figure", lambda pair, mean: getattr(pair, mean)["strict"][F].value),
        ("false_positives", of_tokens, "decimal", lambda pair: pair.false_positives.value),
    )


def _mean_titles() -> dict[str, str]:
    titles = (_("F, strict, mean"), _("F, lenient, mean"), _("F, average, mean"))
    return dict(zip(MODES, titles, strict=True))


def types_table(results: Results, layer: SpanLayer) -> ReportTable | None:
    """Return each type of the only pair, or the means over pairs of annotators; None where none is."""
    pairs, name = pairs_of(results, layer.layer), of_layer("span-types", layer.layer)
    head: ColumnOf[str] = ("type", pgettext("of mark", "Type"), "text", str)
    if len(pairs) == 1:
        own = pairs[0].by_type
        columns: tuple[ColumnOf[SpanFigures], ...] = (
            *_outcomes(),
            ("strict", _("F, strict [95% interval]"), "estimate", lambda each: each.strict[F]),
            *_partial(),
        )
        return table_of(
            name,
            _("By type."),
            [each for each in layer.types if each in own],
            head,
            *(
                (key, title, kind, lambda each, cell=cell: cell(own[each]))
                for key, title, kind, cell in columns
            ),
        )
    found = results.spans.mean_over_pairs[layer.layer].by_type if results.spans else {}
    return table_if(
        name,
        _("By type: means over the pairs of annotators of whom one used it."),
        [each for each in layer.types if each in found and F in found[each]["strict"]],
        head,
        ("pairs", _("Pairs"), "count", lambda each: found[each]["strict"][F].pairs),
        *columns_of(_mean_titles(), "figure", lambda each, mode: found[each][mode][F].value),
    )


def layers_table(results: Results, layers: Sequence[SpanLayer]) -> ReportTable:
    """Return several layers, a row each: the only pair with its outcomes, or the mean over pairs."""
    pairs = [pairs_of(results, each.layer) for each in layers]
    if all(len(each) == 1 for each in pairs):
        return table_of(
            "spans-by-layer",
            _("Marks by layer; precision, recall and F are strict."),
            [each[0] for each in pairs],
            ("layer", _("Layer"), "text", lambda pair: pair.layer),
            *_outcomes(),
            *_shares(),
        )
    means = results.spans.mean_over_pairs if results.spans else {}

    def mean(each: SpanLayer, mode: str) -> float | None:
        found = means[each.layer].overall.get(mode, {}).get(F)
        return found.value if found else None

    return table_of(
        "spans-by-layer",
        _("Marks by layer: means over pairs of annotators."),
        layers,
        ("layer", _("Layer"), "text", lambda each: each.layer),
        ("pairs", _("Pairs"), "count", lambda each: each.pairs),
        *columns_of(_mean_titles(), "figure", mean),
    )


def credit_table(layer: str, distance: str, pairs: Sequence[SpanPair]) -> ReportTable | None:
    """Return the figures of pairs of people with credit for close types; None where none is."""
    known = [(each, each.credits[distance]) for each in pairs if each.credits and distance in each.credits]
    caption = say(
        "With credit by {distance} for pairs of different types: f_measure[strict,{distance}] and so on.",
        distance=distance,
    )
    return table_if(
        of_layer(f"span-credit-{distance}", layer),
        caption,
        known,
        ("first", _("First (key)"), "text", lambda each: names_of(each[0])[0]),
        ("second", _("Second (response)"), "text", lambda each: names_of(each[0])[1]),
        ("coextensive", _("Same text, other type"), "count", lambda each: each[1].pairs.coextensive),
        ("overlap", _("Overlapping, other type"), "count", lambda each: each[1].pairs.overlap),
        ("precision", _("Precision, strict"), "figure", lambda each: each[1].strict["precision"].value),
        ("recall", _("Recall, strict"), "figure", lambda each: each[1].strict["recall"].value),
        ("strict", _("F, strict [95% interval]"), "estimate", lambda each: each[1].strict[F]),
        ("lenient", _("F, lenient"), "figure", lambda each: each[1].lenient[F].value),
        ("average", _("F, average"), "figure", lambda each: each[1].average[F].value),
    )


# In what way marks disagree, and who marks longer or more.

# What a kind of disagreement is called where one mark or unit has it.
KIND_NAMES = {
    "boundary": N_("boundary"),
    "type": N_("type"),
    "both": N_("boundary and type"),
    "omission": N_("omission"),
}
HABITS = ("annotator", "type", "longer", "shorter", "longer_p", "marks", "others", "more_p")


def kinds_told(kinds: Iterable[tuple[str, ...]]) -> str:
    """Return how many of some units are disputed in each way; empty where no mark is on them."""
    return counted_kinds(Counter(chain.from_iterable(kinds)))


def counted_kinds(times: Mapping[str, int]) -> str:
    """Return how many disagreements of each kind there are; kinds without any are left out."""
    known = ((_(KIND_NAMES[each]), count(times[each])) for each in CASE_KINDS if times[each])
    return ", ".join(say("{kind} {times}", kind=kind, times=number) for kind, number in known)


def kind_names(kinds: tuple[str, ...]) -> str:
    """Return kinds of disagreement in words."""
    return ", ".join(_(KIND_NAMES[each]) for each in kinds)


def _kind_heads() -> dict[str, str]:
    return {"boundary": _("Boundary"), "type": _("Type"), "both": _("Both"), "omission": _("Omission")}


def cases_by_type(found: MarkDisagreements) -> ReportTable:
    """Return the kinds of each type that somebody uses, and of all; those with most cases first."""
    pairs = found.of_annotators
    either = {}
    if len(pairs) == 1:
        only = (say("Only {name}", name=name) for name in pairs[0].annotators)
        either = dict(zip(("first_only", "second_only"), only, strict=True))
    head = pgettext("of mark", "Type of mark")
    made = table_of(
        of_layer("mark-kinds", found.layer),
        _("Disagreements about marks by type; those between two types count under both."),
        [*found.types[:MOST_TYPES], None],
        ("type", head, "text", lambda name: _("All") if name is None else name),
        *columns_of(_kind_heads(), "count", lambda name, kind: cases_by_kind(found.cases, name)[kind]),
        *columns_of(
            either, "count", lambda name, key: omissions_of_each(pairs[0].cases, name)[key == "second_only"]
        ),
    )
    return replace(made, total=True)


def cases_by_pair(found: MarkDisagreements) -> ReportTable | None:
    """Return the kinds of each two people; None where they are one pair, or too many."""
    if not 1 < len(found.pairs) <= MOST_AGREEING:
        return None
    heads = _kind_heads()
    del heads["omission"]
    return table_of(
        of_layer("mark-kinds-by-pair", found.layer),
        _("Disagreements about marks, by pair."),
        found.pairs,
        ("first", _("First"), "text", lambda each: named(each.annotators[0], each.roles[0])),
        ("second", _("Second"), "text", lambda each: named(each.annotators[1], each.roles[1])),
        *columns_of(heads, "count", lambda each, kind: cases_by_kind(each.cases)[kind]),
        ("first_only", _("Only the first"), "count", lambda each: omissions_of_each(each.cases)[0]),
        ("second_only", _("Only the second"), "count", lambda each: omissions_of_each(each.cases)[1]),
    )


def habits(found: MarkDisagreements) -> ReportTable | None:
    """Return who marks longer or more, of all types and of each; None where nobody is compared."""
    shown = {None, *found.types[:MOST_TYPES]}
    return table_if(
        of_layer("mark-habits", found.layer),
        _("Whose mark is the longer one where ends differ, and who makes more marks."),
        [each for each in found.habits if each.type in shown],
        ("annotator", _("Annotator"), "text", lambda each: each.annotator),
        ("type", pgettext("of mark", "Type of mark"), "text", lambda each: each.type or _("All")),
        ("longer", _("Longer"), "count", lambda each: each.longer),
        ("shorter", _("Shorter"), "count", lambda each: each.shorter),
        ("longer_p", _("p"), "p", lambda each: each.longer_p),
        ("marks", _("Marks"), "count", lambda each: each.marks),
        ("others", _("Marks of the others"), "count", lambda each: each.others),
        ("more_p", _("p"), "p", lambda each: each.more_p),
    )


# The CSV tables of all layers.

WHO = (TableColumn("layer", "Layer"), TableColumn("first", "First"), TableColumn("second", "Second"))
DOCUMENTS = TableColumn("documents", "Documents", "count")
COUNTED = (
    TableColumn("match", "Match", "count"),
    TableColumn("overlap", "Overlap", "count"),
    TableColumn("only_first", "Only the first", "count"),
    TableColumn("only_second", "Only the second", "count"),
    *(TableColumn(f"{name}[{mode}]", name, "figure") for mode in MODES for name in SHARES),
)
FIGURE = (TableColumn("figure", "Figure"), TableColumn("value", "Value", "estimate"))


def _csv(name: str, columns: Iterable[TableColumn], rows: Iterable[tuple[Cell, ...]]) -> ReportTable:
    return ReportTable(name, "", tuple(columns), tuple(rows), file=f"{name}.csv")


def tables(results: Results) -> Iterator[ReportTable]:
    """Yield pairs by type, by document, by kind of disagreement and habit, and how texts are cut."""
    if results.spans is None:
        return
    pairs = results.spans.pairs
    by_type = (
        (pair.layer, *pair.annotators, name, pair.documents, *_outcome_cells(each))
        for pair in pairs
        # All types together have no name.
        for name, each in (("", pair), *pair.by_type.items())
    )
    yield _csv("spans", (*WHO, TableColumn("type", "Type"), DOCUMENTS, *COUNTED), by_type)
    by_document = (
        (pair.layer, *pair.annotators, name, *_outcome_cells(each))
        for pair in pairs
        for name, each in (pair.by_document or {}).items()
    )
    yield _csv("spans-by-document", (*WHO, TableColumn("document", "Document"), *COUNTED), by_document)
    yield from _case_tables(results.spans.disagreements or ())
    yield from _unitizing_tables(results, results.spans.unitizing or ())
    credited = _csv(
        CREDIT_FILE.removesuffix(".csv"),
        (*WHO, *FIGURE),
        (
            (pair.layer, *pair.annotators, f"{share}[{mode},{distance}]", getattr(each, mode)[share])
            for pair in pairs
            for distance, each in (pair.credits or {}).items()
            for mode in MODES
            for share in SHARES
        ),
    )
    if credited.rows:
        yield credited


def _outcome_cells(each: SpanFigures | SpanDocument) -> Iterator[Cell]:
    """Yield what became of marks, and every share of every mode as a number."""
    yield from (getattr(each.counts, name) for name in OUTCOMES)
    for mode in MODES:
        shares = getattr(each, mode)
        for share in SHARES:
            yield shares[share].value if isinstance(shares[share], Figure) else shares[share]


def _case_tables(found: Sequence[MarkDisagreements]) -> Iterator[ReportTable]:
    if not found:
        return
    cases = (
        (*who, each.kind, each.first, each.second, each.cases)
        for layer in found
        for who, own in (
            ((layer.layer, "", ""), layer.cases),
            *(((layer.layer, *pair.annotators), pair.cases) for pair in layer.pairs),
        )
        for each in own
    )
    columns = (*plain("layer first second kind first_type second_type"), *plain("cases", "count"))
    yield _csv("mark-disagreements", columns, cases)
    habits = (
        (layer.layer, *(getattr(each, key) for key in HABITS)) for layer in found for each in layer.habits
    )
    yield _csv("mark-habits", plain(" ".join(("layer", *HABITS))), habits)
    distances = (
        (layer.layer, each.label, end, *apart)
        for layer in found
        for each in layer.distances or ()
        for end, counts in (("start", each.starts), ("end", each.ends))
        for apart in counts
    )
    made = _csv("mark-distances", (*plain("layer label end"), *plain("distance pairs", "count")), distances)
    if made.rows:
        yield made


def _unitizing_tables(results: Results, layers: Sequence[Unitizing]) -> Iterator[ReportTable]:
    """Yield the unitizing figures overall and by category, and those of pairs."""
    if not layers:
        return
    figures = (
        (layer.layer, category, name, own[name])
        for layer in layers
        # Those of all categories together name none.
        for category, own in (
            ("", layer.measures),
            *((each, layer.by_category[each]) for each in layer.categories),
        )
        for name in results.in_order(own)
    )
    yield _csv("unitizing", (WHO[0], TableColumn("category", "Category"), *FIGURE), figures)
    people = (TableColumn("first", "First annotator"), TableColumn("second", "Second annotator"))
    pairs = (
        (layer.layer, *pair.annotators, pair.documents, name, pair.measures[name])
        for layer in layers
        for pair in layer.pairs
        for name in results.in_order(pair.measures)
    )
    made = _csv("unitizing-pairs", (WHO[0], *people, DOCUMENTS, *FIGURE), pairs)
    if made.rows:
        yield made
