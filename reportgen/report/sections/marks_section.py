"""How marks in texts agree: precision, recall and F, and in what way they disagree."""

from collections.abc import Iterator, Mapping, Sequence

from reportgen.figures.bars import of_boundaries
from reportgen.report import span_tables as tables
from reportgen.report.blocks import (
    Block,
    Details,
    FigureBlock,
    File,
    FilesBlock,
    Link,
    PaperTable,
    Section,
    TableBlock,
    Text,
    paragraph,
    remark,
    sentences,
)
from reportgen.report.tables import of_layer, setting, without
from reportgen.report.view import ReportView
from reportgen.results import Mean, Results
from reportgen.results.marks import MarkDisagreements, SpanCredit, SpanLayer, SpanPair, cases_by_kind
from reportgen.words import numbers
from reportgen.words.language import _, names, say, say_either, say_many
from reportgen.words.names import withheld_sentence
from reportgen.words.numbers import count, counted, figure

F = "f_measure"
# Of more pairs precision, recall and F by micro and macro average are in the CSV alone.
MOST_AVERAGED = 10


def spans(view: ReportView) -> Section | None:
    """Return precision, recall and F-measure of marks; None where no texts were marked.

    Of several layers each has a row, and the rest of it is folded.
    """
    results, shown = view.results, {layer.id for layer in view.layers}
    layers = [layer for layer in (results.spans.layers if results.spans else ()) if layer.layer in shown]
    if not layers:
        return None
    what = _(
        "The marks themselves, compared in the documents that both annotators saw. F does not "
        "depend on how many units nobody marked, and is not corrected for chance."
    )
    files = [File("spans.csv"), File("spans-by-document.csv", _("By document"))]
    # Of systems and references there always is F by document and type.
    every = results.spans.pairs if results.spans else ()
    if any("annotator" not in pair.roles and len(pair.by_type) > 1 for pair in every):
        files.append(File("spans-by-document-and-type.csv", _("By document and type")))
    method = Details(_("How marks are compared"), tuple(_how_compared(results, layers)))
    blocks: tuple[Block, ...]
    if len(layers) == 1:
        blocks = tuple(_of_layer(view, layers[0]))
    else:
        folded = (
            Details(say("Layer {layer}", layer=layer.layer), tuple(_of_layer(view, layer)))
            for layer in layers
        )
        blocks = (TableBlock(tables.layers_table(results, layers)), *folded)
    beside = FilesBlock(
        lambda: tables.tables(results),
        paper=lambda: (table for layer in layers for table in _in_paper(results, layer)),
    )
    return Section("spans", _("Precision, recall and F"), (paragraph(what, *files), *blocks, method, beside))


def _in_paper(results: Results, layer: SpanLayer) -> Iterator[PaperTable]:
    """Yield the tables of marks, without the counts that their figures are made of."""
    if pairs := tables.least_agreeing(tables.pairs_of(results, layer.layer)):
        caption = _("Precision, recall and F-measure of marks with the same boundaries and the same label.")
        table = without(tables.pairs_table(layer.layer, pairs), tables.OUTCOMES)
        yield PaperTable(layer.layer, table, caption, "spans")
    if types := tables.types_table(results, layer):
        table = without(types, tables.OUTCOMES)
        yield PaperTable(layer.layer, table, _("F-measure by type of mark."), "span-types")


def _of_layer(view: ReportView, layer: SpanLayer) -> Iterator[Block]:
    pairs = tables.pairs_of(view.results, layer.layer)
    means = view.results.spans.mean_over_pairs[layer.layer].overall if view.results.spans else {}
    if layer.crowded:
        many = say_many(
            "{count} {pair shares|pairs share} documents, too many to show; {it is|they are} in the CSV.",
            layer.pairs,
        )
        yield paragraph(many, means_over_pairs(means))
    elif not pairs:
        yield paragraph(_("No two share a document."))
    elif len(pairs) == 1:
        (pair,) = pairs
        page = view.pairs.hrefs.get(frozenset(pair.annotators))
        there = Link(_("Document by document"), page) if page else None
        figures = say(
            "F is {f} (strict), precision {precision}, recall {recall}; with overlaps counted, F is "
            "{lenient}.",
            f=numbers.estimate(pair.strict[F]),
            precision=figure(pair.strict["precision"].value),
            recall=figure(pair.strict["recall"].value),
            lenient=figure(pair.lenient[F].value),
        )
        yield paragraph(outcomes(pair), figures, there)
    else:
        yield from _pairs(view, layer, pairs, means)
    if disagreements := view.results.spans and view.results.spans.disagreements_of(layer.layer):
        yield from _kinds(view, disagreements, features=bool(layer.features))
    if blocks := tuple(_folded(view.results, layer, pairs)):
        yield Details(_("F by type, and with other means"), blocks)


def outcomes(pair: SpanPair) -> str:
    """Return what became of the marks of two people, in sentences."""
    first, second = pair.annotators
    key, response = tables.names_of(pair)
    return say(
        "{key} is the key, {response} the response. In {documents} they made the same mark {matches}; "
        "{overlaps} more overlap. {first} alone made {of_first}, {second} alone {of_second}.",
        key=key,
        response=response,
        documents=counted(pair.documents, "document", "documents"),
        matches=counted(pair.counts.match, "time", "times"),
        overlaps=count(pair.counts.overlap),
        first=first,
        second=second,
        of_first=counted(pair.counts.only_first, "mark", "marks"),
        of_second=count(pair.counts.only_second),
    )


def _pairs(
    view: ReportView, layer: SpanLayer, pairs: Sequence[SpanPair], means: Mapping[str, Mapping[str, Mean]]
) -> Iterator[Block]:
    shown = tables.least_agreeing(pairs)
    table = tables.pairs_table(layer.layer, shown, view.pairs.hrefs)
    yield TableBlock(table, _("Precision, recall and F by pair"))
    few = ""
    if len(shown) < len(pairs):
        few = say("Shown are the pairs that agree least, of {count}.", count=count(len(pairs)))
    spans = view.results.spans
    all_way = spans.mean_over_pairs[layer.layer].all_way if spans else None
    if said := sentences(few, means_over_pairs(means), *_all_way(all_way or {})):
        yield remark(said)


def means_over_pairs(means: Mapping[str, Mapping[str, Mean]]) -> str:
    """Return the mean F over pairs of annotators, empty where none is known."""
    if F not in means.get("strict", {}):
        return ""
    pairs = means["strict"][F].pairs
    return say_many(
        "Mean over {count} {pair|pairs} of annotators: F {strict} (strict), {lenient} (lenient), {average} "
        "(average).",
        pairs,
        **{mode: figure(means[mode][F].value) for mode in tables.MODES},
    )


def _all_way(means: Mapping[str, Mapping[str, Mapping[str, Mean]]]) -> Iterator[str]:
    """Yield the mean F of annotators against each reference, which GATE's plugin calls all-way."""
    for reference, figures in means.items():
        if all(F in figures[mode] for mode in ("strict", "lenient")):
            yield say(
                "All-way F, the mean of {count} annotators against {key}: {strict} (strict), {lenient} "
                "(lenient).",
                count=count(figures["strict"][F].pairs),
                key=reference,
                strict=figure(figures["strict"][F].value),
                lenient=figure(figures["lenient"][F].value),
            )


# In what way marks disagree


def _kinds(view: ReportView, disagreements: MarkDisagreements, *, features: bool) -> Iterator[Block]:
    if not disagreements.cases:
        return
    kinds = tables.counted_kinds(cases_by_kind(disagreements.cases))
    yield paragraph(say("Disagreements about marks: {kinds}.", kinds=kinds), _differing_ends(disagreements))
    # What words mean is said with the first layer.
    spans = view.results.spans
    with_cases = (layer.id for layer in view.layers if spans and spans.disagreements_of(layer.id))
    first = disagreements.layer == next(with_cases, None)
    blocks: list[Block] = []
    name, layer = of_layer("boundary-distances", disagreements.layer), disagreements.layer
    if drawing := view.drawn(name, lambda: of_boundaries(view.results, layer)):
        apart = _(
            "How far apart the beginnings and the ends of two annotators' marks are, for matching or "
            "overlapping marks with the same label that do not begin or end at the same place."
        )
        blocks.append(FigureBlock(drawing, sentences(apart if first else "", File("mark-distances.csv"))))
    blocks += (
        TableBlock(tables.cases_by_type(disagreements), _("Kinds of disagreement about marks")),
        remark(*_about_kinds(disagreements, features=features, explained=first)),
    )
    if by_pair := tables.cases_by_pair(disagreements):
        blocks.append(TableBlock(by_pair, _("Kinds of disagreement by pair")))
    if habits := view.results.spans and tables.habits(view.results.spans, disagreements):
        tested = _(
            "Each p is the probability of a difference at least this large if the sign of the "
            "difference in each document were random. These p values are not corrected for the number "
            "of tests; findings are."
        )
        blocks.append(TableBlock(habits, _("Who makes more marks")))
        blocks.append(remark(tested if first else "", File("mark-habits.csv")))
    yield Details(_("Kinds of disagreement, and who makes more marks"), tuple(blocks))


def _differing_ends(disagreements: MarkDisagreements) -> str:
    left, right, both, inside = (
        sum(getattr(boundary, end) for boundary in disagreements.boundaries)
        for end in ("left", "right", "both", "inside")
    )
    if not left + right + both + inside:
        return ""
    return say(
        "Where only the boundaries differ, they differ at the beginning in {left}, at the end in "
        "{right}, at both ends in {both} and only between the ends in {inside}.",
        left=counted(left, "case", "cases"),
        right=count(right),
        both=count(both),
        inside=count(inside),
    )


def _about_kinds(disagreements: MarkDisagreements, *, features: bool, explained: bool) -> Iterator[Text]:
    if explained:
        yield _(
            "If overlapping marks have the same type, annotators disagree about boundaries; if marks have "
            "the same boundaries, about the type; if marks overlap and differ in both, about both. An "
            "omission is a mark that the other annotator did not make."
        )
    if features:
        yield _("Features are part of the type.")
    if explained:
        yield _("What is counted here are marks, not tokens or units.")
    if (left := len(disagreements.types) - tables.MOST_TYPES) > 0:
        yield say_many("{count} more {type is|types are} in the CSV.", left)
    yield File("mark-disagreements.csv")


# What is folded: types, other means, credit


def _folded(results: Results, layer: SpanLayer, pairs: Sequence[SpanPair]) -> Iterator[Block]:
    types = tables.types_table(results, layer)
    if types and len(types.rows) > 1:
        yield TableBlock(types, _("F by type"))
    if few := next((pair.withheld for pair in pairs if pair.withheld), None):
        yield remark(withheld_sentence(few))
    shown = tables.least_agreeing(pairs)
    if pairs and not layer.crowded:
        if len(shown) <= MOST_AVERAGED:
            averages = tables.averages_table(layer.layer, shown)
            yield TableBlock(averages, _("Precision, recall and F, micro and macro"))
        yield remark(_("Micro and macro averages of every pair:"), File("spans-averages.csv"))
    if len(pairs) == 1 and (left_out := _left_out(pairs[0])):
        yield remark(left_out)
    for credit in layer.credits or ():
        yield from _credit(results, layer, shown, credit)


def _left_out(pair: SpanPair) -> str:
    documents, types = (macro["strict"][F].left_out for macro in (pair.macro_documents, pair.macro_types))
    if not documents and not types:
        return ""
    return say(
        "Where F is undefined it is left out of means: {documents}, {types}.",
        documents=counted(documents, "document without any mark", "documents without any mark"),
        types=counted(types, "type", "types"),
    )


def _credit(
    results: Results, layer: SpanLayer, pairs: Sequence[SpanPair], credit: SpanCredit
) -> Iterator[Block]:
    title = say("F with credit by {distance}", distance=credit.distance)
    table = tables.credit_table(layer.layer, credit.distance, pairs)
    bdm = any(distance.id == credit.distance and distance.origin for distance in results.distances)
    divided = say(
        "Distances are divided by {divisor}, the largest between two types, so that no pair earns less "
        "than 0.",
        divisor=figure(credit.divisor),
    )
    blocks: list[Block] = [
        paragraph(
            _(
                "A mark of a type close to the right one earns a part of a match: two marks of different "
                "types that cover the same text, or overlap, earn 1 − their distance."
            ),
            _("That is their BDM.") if bdm else "",
            divided if credit.divisor != 1 else "",
            _(
                "Only marks without a partner of their own type are paired so, each time for the most "
                "credit. Strict adds the credit of the same text, lenient that of overlaps too, average is "
                "their mean; all marks stay in the denominators."
            ),
            File(tables.CREDIT_FILE) if table else None,
        )
    ]
    if table:
        blocks.append(TableBlock(table, title))
    if len(pairs) != 1 and (mean := means_over_pairs(credit.mean_over_pairs)):
        blocks.append(remark(mean))
    yield Section("", title, tuple(blocks))


# How marks are compared


def _how_compared(results: Results, layers: Sequence[SpanLayer]) -> Iterator[Block]:
    pairs = [pair for layer in layers for pair in tables.pairs_of(results, layer.layer)]
    yield paragraph(
        say_either(
            results.recorded,
            "The first of the two is the key. A match covers the same {stretch|text} and has the same "
            "type; an overlap has the same type and shares a {millisecond|character} with its "
            "partner; it counts as nothing (strict), as a match (lenient) or as half of one "
            "(average). Precision is the share of the second annotator's marks that match, recall the "
            "share of the first annotator's.",
        ),
        say_either(
            any(layer.beta != 1 for layer in layers), "F is the same in either order{, where β is 1|}."
        ),
        _("Intervals treat each document as a cluster."),
    )
    if any("reference" in pair.roles for pair in pairs):
        yield paragraph(
            _(
                "Against a reference a match is correct, an overlap partial, what the reference alone has "
                "missing, what the other alone has spurious."
            )
        )
    if pairs:
        one = say_either(
            results.recorded,
            "All figures use the same pairing of marks, which has as many matches as possible, then "
            "as many overlaps as possible, then as many common {milliseconds|characters} as possible.",
        )
        greedy = _("GATE’s greedy pairing has the same outcomes here.")
        if differing := [pair.differs_from_greedy for pair in pairs if pair.differs_from_greedy]:
            greedy = say_many(
                "GATE pairs greedily and would have {count} other {outcome|outcomes} ({pairs}).",
                sum(differing),
                pairs=counted(len(differing), "pair of annotators", "pairs of annotators"),
            )
        yield paragraph(one, greedy)
    for layer in layers:
        if said := sentences(*_about_layer(layer)):
            where = say("Layer {layer}", layer=layer.layer) if len(layers) > 1 else ""
            yield paragraph(say("{name}: ", name=where).rstrip() if where else "", said)


def _about_layer(layer: SpanLayer) -> Iterator[str]:
    if layer.features:
        yield say_either(
            layer.feature_match == "equal",
            "Partners also agree on {names} ({the same values|what the first says, the second says too}), "
            "compared as text.",
            names=names(layer.features),
        )
        for spelling in layer.spellings:
            yield say(
                "{feature} is written {values} ({marks}), which count as different values.",
                feature=spelling.feature,
                values=names(spelling.values),
                marks=counted(spelling.marks, "mark", "marks"),
            )
    if layer.doubled:
        yield say_many(
            "{count} {mark says|marks say} again what the same person had said of the same text; {it "
            "is|they are} not counted twice.",
            layer.doubled,
        )
    if layer.beta != 1:
        yield say("β = {beta}: recall weighs {beta} times as much as precision.", beta=setting(layer.beta))
