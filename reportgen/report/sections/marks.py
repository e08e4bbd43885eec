"""How marks in texts agree: precision, recall and F, in what way they disagree, and the tables behind."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from reportgen.catalogue import ids_with
from reportgen.figures.bars import of_boundaries
from reportgen.report.blocks import (
    Block,
    Details,
    FigureBlock,
    File,
    FilesBlock,
    PaperTable,
    Section,
    TableBlock,
    Text,
    paragraph,
    remark,
    sentences,
)
from reportgen.report.documents import counted_kinds
from reportgen.report.tables import (
    Cell,
    ColumnOf,
    ReportTable,
    TableColumn,
    as_declared,
    columns_of,
    csv_if,
    csv_table,
    fields,
    least,
    named,
    of_layer,
    plain,
    roles,
    table_if,
    table_of,
    without,
)
from reportgen.report.view import ReportView
from reportgen.results import Figure, MarkDisagreements, Mean, Results, SpanPair, cases_by_kind
from reportgen.results.marks import (
    SpanCredit,
    SpanDocument,
    SpanFigures,
    SpanLayer,
    SpanResults,
    Unitizing,
    omissions_of_each,
)
from reportgen.words import numbers
from reportgen.words.language import _, names, pgettext, say, say_either, say_many
from reportgen.words.names import withheld_sentence
from reportgen.words.numbers import count, counted, figure

MODES = ("strict", "lenient", "average")
MARK_FIGURES = ids_with(lambda measure: measure.modes)
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
        ("match", _("Match"), "count", lambda figures: figures.counts.match),
        ("overlap", _("Overlap"), "count", lambda figures: figures.counts.overlap),
        ("only_first", _("Only the first"), "count", lambda figures: figures.counts.only_first),
        ("only_second", _("Only the second"), "count", lambda figures: figures.counts.only_second),
    )


def _shares() -> tuple[ColumnOf[SpanFigures], ...]:
    return (
        ("precision", _("Precision"), "figure", lambda figures: figures.strict["precision"].value),
        ("recall", _("Recall"), "figure", lambda figures: figures.strict["recall"].value),
        ("strict", _("F [95% interval]"), "estimate", lambda figures: figures.strict[F]),
    )


def pairs_table(layer: str, pairs: Sequence[SpanPair]) -> ReportTable:
    """Return how the marks of each pair compare, an overlap counting nothing."""
    return table_of(
        of_layer("spans", layer),
        _("Each pair of annotators who share documents; precision, recall and F are strict."),
        pairs,
        *_people(),
        ("documents", _("Documents"), "count", lambda pair: pair.documents),
        *_outcomes(),
        *_shares(),
    )


def _averages(pair: SpanPair) -> Iterator[tuple[SpanPair, str, Mapping[str, Mapping[str, Figure]]]]:
    """Yield the figures of two people by mode, of all their marks and as means of documents and of types."""
    yield pair, "pooled", {mode: getattr(pair, mode) for mode in MODES}
    yield pair, "documents", pair.macro_documents
    yield pair, "types", pair.macro_types


def _mean_titles() -> dict[str, str]:
    titles = (_("F, strict, mean"), _("F, lenient, mean"), _("F, average, mean"))
    return dict(zip(MODES, titles, strict=True))


def types_table(results: Results, layer: SpanLayer) -> ReportTable | None:
    """Return each type of the only pair, or the means over pairs of annotators; None where none is."""
    pairs, name = pairs_of(results, layer.layer), of_layer("span-types", layer.layer)
    head: ColumnOf[str] = ("type", pgettext("of mark", "Type"), "text", str)
    if len(pairs) == 1:
        figures_by_type = pairs[0].by_type
        columns: tuple[ColumnOf[SpanFigures], ...] = (
            *_outcomes(),
            ("strict", _("F, strict [95% interval]"), "estimate", lambda figures: figures.strict[F]),
            ("lenient", _("F, lenient"), "figure", lambda figures: figures.lenient[F].value),
            ("average", _("F, average"), "figure", lambda figures: figures.average[F].value),
        )
        return table_of(
            name,
            _("By type."),
            [mark_type for mark_type in layer.types if mark_type in _types_shown(pairs[0])],
            head,
            *(
                (key, title, kind, lambda mark_type, cell=cell: cell(figures_by_type[mark_type]))
                for key, title, kind, cell in columns
            ),
        )
    by_type = results.spans.mean_over_pairs[layer.layer].by_type if results.spans else {}
    return table_if(
        name,
        _("By type: means over the pairs in which at least one annotator used it."),
        [
            mark_type
            for mark_type in layer.types
            if mark_type in by_type and F in by_type[mark_type]["strict"]
        ],
        head,
        ("pairs", _("Pairs"), "count", lambda mark_type: by_type[mark_type]["strict"][F].pairs),
        *columns_of(_mean_titles(), "figure", lambda mark_type, mode: by_type[mark_type][mode][F].value),
    )


def _types_shown(pair: SpanPair) -> dict[str, SpanFigures]:
    hidden = pair.withheld.labels if pair.withheld else ()
    return {name: figures for name, figures in pair.by_type.items() if name not in hidden}


def layers_table(results: Results, layers: Sequence[SpanLayer]) -> ReportTable:
    """Return several layers, a row each: the only pair with its outcomes, or the mean over pairs."""
    pairs = [pairs_of(results, layer.layer) for layer in layers]
    if all(len(of_layer) == 1 for of_layer in pairs):
        return table_of(
            "spans-by-layer",
            _("Marks by layer; precision, recall and F are strict."),
            [of_layer[0] for of_layer in pairs],
            ("layer", _("Layer"), "text", lambda pair: pair.layer),
            *_outcomes(),
            *_shares(),
        )
    means = results.spans.mean_over_pairs if results.spans else {}

    def mean(layer: SpanLayer, mode: str) -> float | None:
        mean_f = means[layer.layer].overall.get(mode, {}).get(F)
        return mean_f.value if mean_f else None

    return table_of(
        "spans-by-layer",
        _("Marks by layer: means over pairs of annotators."),
        layers,
        ("layer", _("Layer"), "text", lambda layer: layer.layer),
        ("pairs", _("Pairs"), "count", lambda layer: layer.pairs),
        *columns_of(_mean_titles(), "figure", mean),
    )


# In what way marks disagree, and who makes more.

HABITS = "annotator type marks others more_p"


def _kind_heads() -> dict[str, str]:
    return {"boundary": _("Boundary"), "type": _("Type"), "both": _("Both"), "omission": _("Omission")}


# The CSV tables of all layers.

WHO = (TableColumn("layer", "Layer"), TableColumn("first", "First"), TableColumn("second", "Second"))
DOCUMENTS = TableColumn("documents", "Documents", "count")
COUNTED = (
    TableColumn("match", "Match", "count"),
    TableColumn("overlap", "Overlap", "count"),
    TableColumn("only_first", "Only the first", "count"),
    TableColumn("only_second", "Only the second", "count"),
    *(TableColumn(f"{name}[{mode}]", name, "figure") for mode in MODES for name in MARK_FIGURES),
)
FIGURE = (TableColumn("figure", "Figure"), TableColumn("value", "Value", "estimate"))


def tables(results: Results) -> Iterator[ReportTable]:
    """Yield pairs by type, by document, by kind of disagreement and habit, and how texts are cut."""
    if results.spans is None:
        return
    pairs = results.spans.pairs
    by_type = (
        (pair.layer, *pair.annotators, name, pair.documents, *_outcome_cells(figures))
        for pair in pairs
        # All types together have no name.
        for name, figures in (("", pair), *_types_shown(pair).items())
    )
    yield csv_table(
        "spans",
        "What became of the marks of every two annotators: precision, recall and F-measure.",
        (*WHO, TableColumn("type", "Type"), DOCUMENTS, *COUNTED),
        by_type,
    )
    by_document = (
        (pair.layer, *pair.annotators, name, *_outcome_cells(figures))
        for pair in pairs
        for name, figures in (pair.by_document or {}).items()
    )
    yield csv_table(
        "spans-by-document",
        "Precision, recall and F-measure of marks in texts, by pair and document.",
        (*WHO, TableColumn("document", "Document"), *COUNTED),
        by_document,
    )
    yield from csv_if(
        "spans-averages",
        "Precision, recall and F of all marks together, and as means over documents and over types.",
        (*WHO, TableColumn("mean", "Mean"), *FIGURE, TableColumn("left_out", "Left out", "count")),
        (
            (
                pair.layer,
                *pair.annotators,
                mean,
                f"{share}[{mode}]",
                figure,
                getattr(figure, "left_out", None),
            )
            for pair in pairs
            for _pair, mean, figures in _averages(pair)
            for mode in MODES
            for share in MARK_FIGURES
            for figure in (figures[mode][share],)
        ),
    )
    yield from _case_tables(results.spans)
    yield from _unitizing_tables(results, results.spans.unitizing or ())
    yield from csv_if(
        CREDIT_FILE.removesuffix(".csv"),
        "Precision, recall and F-measure where categories that are close earn credit.",
        (*WHO, *FIGURE),
        (
            (pair.layer, *pair.annotators, f"{share}[{mode},{distance}]", getattr(credit, mode)[share])
            for pair in pairs
            for distance, credit in (pair.credits or {}).items()
            for mode in MODES
            for share in MARK_FIGURES
        ),
    )


def _outcome_cells(figures: SpanFigures | SpanDocument) -> Iterator[Cell]:
    """Yield what became of marks, and every share of every mode as a number."""
    yield from (getattr(figures.counts, name) for name in OUTCOMES)
    for mode in MODES:
        shares = getattr(figures, mode)
        for share in MARK_FIGURES:
            yield shares[share].value if isinstance(shares[share], Figure) else shares[share]


def withheld_types(spans: SpanResults, layer: str) -> set[str]:
    """Return the types of a layer that are withheld of some two people, and so of everybody."""
    return {
        name for pair in spans.pairs if pair.layer == layer and pair.withheld for name in pair.withheld.labels
    }


def _case_tables(spans: SpanResults) -> Iterator[ReportTable]:
    layers = spans.disagreements or ()
    if not layers:
        return
    cases = (
        (*who, *fields(case, "kind first second cases"))
        for layer in layers
        for who, cases_of in (
            ((layer.layer, "", ""), layer.cases),
            *(((layer.layer, *pair.annotators), pair.cases) for pair in layer.pairs),
        )
        for case in cases_of
    )
    columns = (*plain("layer first second kind first_type second_type"), *plain("cases", "count"))
    yield csv_table(
        "mark-disagreements",
        "Marks that annotators disagree on: other boundaries, another type, or none.",
        columns,
        cases,
    )
    habits = (
        (layer.layer, *fields(habit, HABITS))
        for layer in layers
        for habit in layer.habits
        if habit.type not in withheld_types(spans, layer.layer)
    )
    yield csv_table(
        "mark-habits",
        "Who makes more marks.",
        plain(f"layer {HABITS}"),
        habits,
    )
    distances = (
        (layer.layer, distance.label, end, *apart)
        for layer in layers
        for distance in layer.distances or ()
        for end, counts in (("start", distance.starts), ("end", distance.ends))
        for apart in counts
    )
    yield from csv_if(
        "mark-distances",
        "How far apart marks of one label begin and end, in characters or milliseconds.",
        (*plain("layer label end"), *plain("distance pairs", "count")),
        distances,
    )


def _unitizing_tables(results: Results, layers: Sequence[Unitizing]) -> Iterator[ReportTable]:
    if not layers:
        return
    figures = (
        (layer.layer, category, name, by_figure[name])
        for layer in layers
        # Those of all categories together name none.
        for category, by_figure in (
            ("", layer.measures),
            *((category, layer.by_category[category]) for category in layer.categories),
        )
        for name in results.in_order(by_figure)
    )
    yield csv_table(
        "unitizing",
        "How annotators cut texts into units: alphas for unitizing of each layer.",
        (WHO[0], TableColumn("category", "Category"), *FIGURE),
        figures,
    )
    people = (TableColumn("first", "First annotator"), TableColumn("second", "Second annotator"))
    pairs = (
        (layer.layer, *pair.annotators, pair.documents, name, pair.measures[name])
        for layer in layers
        for pair in layer.pairs
        for name in results.in_order(pair.measures)
    )
    yield from csv_if(
        "unitizing-pairs",
        "How every two annotators cut texts into units.",
        (WHO[0], *people, DOCUMENTS, *FIGURE),
        pairs,
    )


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
        blocks = (TableBlock(layers_table(results, layers)), *folded)
    beside = FilesBlock(
        lambda: tables(results),
        paper=lambda: (table for layer in layers for table in _in_paper(results, layer)),
    )
    return Section("spans", _("Precision, recall and F"), (paragraph(what, *files), *blocks, method, beside))


def _in_paper(results: Results, layer: SpanLayer) -> Iterator[PaperTable]:
    """Yield the tables of marks, without the counts that their figures are made of."""
    if pairs := least_agreeing(pairs_of(results, layer.layer)):
        caption = _("Precision, recall and F-measure of marks with the same boundaries and the same label.")
        table = without(pairs_table(layer.layer, pairs), OUTCOMES)
        yield PaperTable(layer.layer, table, caption, "spans")
    if types := types_table(results, layer):
        table = without(types, OUTCOMES)
        yield PaperTable(layer.layer, table, _("F-measure by type of mark."), "span-types")


def _of_layer(view: ReportView, layer: SpanLayer) -> Iterator[Block]:
    pairs = pairs_of(view.results, layer.layer)
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
        figures = say(
            "F is {f} (strict), precision {precision}, recall {recall}; with overlaps counted, F is "
            "{lenient}.",
            f=numbers.estimate(pair.strict[F]),
            precision=figure(pair.strict["precision"].value),
            recall=figure(pair.strict["recall"].value),
            lenient=figure(pair.lenient[F].value),
        )
        yield paragraph(outcomes(pair), figures)
    else:
        yield from _pairs(view, layer, pairs, means)
    if disagreements := view.results.spans and view.results.spans.disagreements_of(layer.layer):
        yield from _kinds(view, disagreements, features=bool(layer.features))
    if blocks := tuple(_folded(view.results, layer, pairs)):
        yield Details(_("F by type, and with other means"), blocks)


def outcomes(pair: SpanPair) -> str:
    """Return what became of the marks of two people, in sentences."""
    first, second = pair.annotators
    key, response = names_of(pair)
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
    shown = least_agreeing(pairs)
    table = pairs_table(layer.layer, shown)
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
        **{mode: figure(means[mode][F].value) for mode in MODES},
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
    kinds = counted_kinds(cases_by_kind(disagreements.cases))
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
    # The kinds of each type that somebody uses, and of all; those with most cases first.
    pairs = disagreements.of_annotators
    either = {}
    if len(pairs) == 1:
        only = (say("Only {name}", name=name) for name in pairs[0].annotators)
        either = dict(zip(("first_only", "second_only"), only, strict=True))
    head = pgettext("of mark", "Type of mark")
    table = table_of(
        of_layer("mark-kinds", disagreements.layer),
        _("Disagreements about marks by type; those between two types count under both."),
        [*disagreements.types[:MOST_TYPES], None],
        ("type", head, "text", lambda name: _("All") if name is None else name),
        *columns_of(
            _kind_heads(), "count", lambda name, kind: cases_by_kind(disagreements.cases, name)[kind]
        ),
        *columns_of(
            either, "count", lambda name, key: omissions_of_each(pairs[0].cases, name)[key == "second_only"]
        ),
    )
    blocks += (
        TableBlock(replace(table, total=True), _("Kinds of disagreement about marks")),
        remark(*_about_kinds(disagreements, features=features, explained=first)),
    )
    blocks.append(remark(_("Who makes more marks of each type:"), File("mark-habits.csv")))
    yield Details(_("Kinds of disagreement"), tuple(blocks))


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
    if (left := len(disagreements.types) - MOST_TYPES) > 0:
        yield say_many("{count} more {type is|types are} in the CSV.", left)
    yield File("mark-disagreements.csv")


# What is folded: types, other means, credit


def _folded(results: Results, layer: SpanLayer, pairs: Sequence[SpanPair]) -> Iterator[Block]:
    types = types_table(results, layer)
    if types and len(types.rows) > 1:
        yield TableBlock(types, _("F by type"))
    if few := next((pair.withheld for pair in pairs if pair.withheld), None):
        yield remark(withheld_sentence(few))
    shown = least_agreeing(pairs)
    if pairs and not layer.crowded:
        yield remark(_("Micro and macro averages of every pair:"), File("spans-averages.csv"))
    for credit in layer.credits or ():
        yield from _credit(results, shown, credit)


def _credit(results: Results, pairs: Sequence[SpanPair], credit: SpanCredit) -> Iterator[Block]:
    title = say("F with credit by {distance}", distance=credit.distance)
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
            File(CREDIT_FILE) if any(credit.distance in (pair.credits or {}) for pair in pairs) else None,
        )
    ]
    if len(pairs) != 1 and (mean := means_over_pairs(credit.mean_over_pairs)):
        blocks.append(remark(mean))
    yield Section("", title, tuple(blocks))


# How marks are compared


def _how_compared(results: Results, layers: Sequence[SpanLayer]) -> Iterator[Block]:
    pairs = [pair for layer in layers for pair in pairs_of(results, layer.layer)]
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
        yield paragraph(one)
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
        yield say(
            "β = {beta}: recall weighs {beta} times as much as precision.", beta=as_declared(layer.beta)
        )
