"""Who agrees with whom, two by two, and how reliable the labels of several are together."""

from collections.abc import Iterator
from dataclasses import replace

from reportgen.report import pairs as tables
from reportgen.report.blocks import Beside, Block, Details, FigureBlock, Section, SectionPage, TableBlock
from reportgen.report.layer_view import LayerView, UnitSetView
from reportgen.report.matrices import confusion
from reportgen.report.pairs import LayerPair, PairPage
from reportgen.report.phrases import File, Link, Strong, Text, commas, paragraph, phrase, remark, sentences
from reportgen.report.quality_tables import by_annotators
from reportgen.report.sections.marks_section import outcomes
from reportgen.report.sections.specific_agreement import by_layer
from reportgen.report.tables import TableColumn, cell_text, setting
from reportgen.report.view import ReportView
from reportgen.results.unit_sets import AggregateReliability, EnoughAnnotators, MajorityUnits
from reportgen.words import numbers
from reportgen.words.language import N_, _, say, say_many
from reportgen.words.names import figure_inside, figure_name
from reportgen.words.numbers import count, counted, decimal, figure

ALL = "pairs/index.html"
# The kinds of measure whose mean over pairs says something.
MEANT = ("coefficient", "share")
# Where a category's name has more letters, the columns of a matrix have numbers.
LONGEST_HEAD = 40
# What is reliable, by the bracket of alpha; with other distances the formula extrapolates.
SHARES = N_("What is reliable is the share of annotators who give each label, not the majority alone.")
RANKS = N_("What is reliable is the mean rank that annotators give a unit.")
MEANS = N_("What is reliable is the mean of the numbers that annotators give a unit.")
OTHERWISE = N_("With this distance between labels it is an extrapolation.")
SUBJECTS = {"": SHARES, "ordinal]": RANKS, "interval]": MEANS}


def who_agrees(view: ReportView, *, whole: bool = False) -> Section | None:
    """Return who agrees with whom; None of two who rated units. `whole`: where no page is beside it."""
    if not view.agreeing(whole=whole):
        return None
    several = len(view.layers) > 1
    blocks: list[Block] = []
    if several and (found := view.others_figure):
        caption = _("Mean agreement of each annotator with the others, in each layer.")
        blocks.append(FigureBlock(found, caption))
    for layer in view.layers:
        own = tuple(_of_layer(view, layer, whole=whole, drawn=not several))
        blocks += (Details(say("Layer {layer}", layer=layer.id), own),) if several and own else own
    matrices = _("Each coefficient, annotator by annotator")
    if whole and view.matrices_shown:
        blocks.append(Details(matrices, tuple(_matrices(view))))
    elif not whole and view.paged:
        blocks.append(paragraph(Link(matrices, ALL)))
    return Section("annotator-pairs", _("Who agrees with whom"), tuple(blocks))


def _of_layer(view: ReportView, layer: LayerView, *, whole: bool, drawn: bool) -> Iterator[Block]:
    found = layer.primary
    folded: list[Block] = []
    if matrix := view.pairwise_figure(layer, linked=not whole):
        shown = FigureBlock(matrix, _("The darker a cell, the better the two agree."))
        if drawn:
            yield shown
        elif not whole:
            folded.append(shown)
    if found.pairs and found.pairs_shown:
        folded += [TableBlock(found.pairs_shown, _("Pairs of annotators")), remark(_means(view, found))]
    elif found.crowded and not whole:
        yield paragraph(
            phrase(
                "{count} annotators are too many to show every two of them: {file}",
                count=count(len(found.unit_set.annotators)),
                file=File("pairs.csv"),
            )
        )
    if majority := tables.majority(found.unit_set):
        folded.append(TableBlock(majority))
    if folded and drawn:
        yield Details(_every_pair(found), tuple(folded))
    else:
        yield from folded


def _every_pair(found: UnitSetView) -> str:
    """Return what is folded: of how many pairs the figures are."""
    if not found.pairs or not found.pairs_shown:
        return _("Each annotator against the majority of the others")
    shown, every = len(found.pairs_shown.rows), len(found.pairs.rows)
    pairs = counted(shown, "pair of annotators", "pairs of annotators")
    if shown < every:
        return say("{pairs} with intervals, those that agree least of {all}", pairs=pairs, all=count(every))
    return say("{pairs} with intervals", pairs=pairs)


def _means(view: ReportView, found: UnitSetView) -> Text:
    file = phrase("Every figure of every pair: {file}", file=File(found.pairs.file if found.pairs else ""))
    results, known = view.results, {} if found.pair else found.unit_set.mean_over_pairs
    catalogue = results.catalogue
    names = [name for name in results.in_order(known) if catalogue[name.partition("[")[0]].kind in MEANT]
    if not names:
        return file
    most = known[names[0]].pairs
    said = commas(
        f"{figure_name(results, name)} {figure(known[name].value)}"
        + (f" ({counted(known[name].pairs, 'pair', 'pairs')})" if known[name].pairs != most else "")
        for name in names
    )
    own = phrase("Means over {pairs}: {figures}.", pairs=counted(most, "pair", "pairs"), figures=said)
    return sentences(own, file)


# Pages


def pairs_page(view: ReportView) -> SectionPage | None:
    """Return the page of all annotators by each other; None where there are no pairs to tell apart."""
    if not view.paged:
        return None
    several = len(view.pairs.tables) > 1
    blocks: list[Block] = []
    for place, each in enumerate(view.pairs.tables, 1):
        title = say("Layer {layer}", layer=each.layer) if several else _("Every two annotators")
        kinds = (False, True) if each.known_macro else (False,)
        shown = Beside(tuple(TableBlock(each.table(macro=macro), kind="pairs") for macro in kinds))
        blocks.append(Section(f"layer-{place}", title, (shown,)))
    if view.matrices_shown:
        title = _("Each coefficient, annotator by annotator")
        blocks.append(Section("matrices", title, tuple(_matrices(view))))
    lead = say(
        "{count} annotators by each other: the darker a cell, the better the two agree.",
        count=count(len(view.pairs.people)),
    )
    parent = Link(_("Who agrees with whom"), "index.html#annotator-pairs")
    return SectionPage(_("Who agrees with whom, in full"), tuple(blocks), lead, parent, wide=True)


def _matrices(view: ReportView) -> Iterator[Block]:
    shown = view.matrices_shown
    for unit_set, found in shown:
        captions = (
            say("{name}, the primary coefficient.", name=found[0].name),
            *(say("{name}.", name=each.name) for each in found[1:]),
        )
        own = Beside(
            tuple(
                TableBlock(each.table(caption, view.pairs.hrefs), kind="pairs")
                for each, caption in zip(found, captions, strict=True)
            )
        )
        several = len(shown) > 1
        yield Section("", say("Layer {layer}", layer=unit_set.layer), (own,)) if several else own


def pair_page(view: ReportView, page: PairPage) -> SectionPage:
    """Return the page of two people."""
    several = len(page.layers) > 1
    blocks = tuple(
        Section(f"layer-{place}", _title(each, several=several), tuple(_pair(view, each, several=several)))
        for place, each in enumerate(page.layers, 1)
    )
    title = say("{first} and {second}", first=page.names[0], second=page.names[1])
    anchor = "annotator-pairs" if len(view.pairs.people) > tables.TWO else "spans"
    parent = Link(_("Who agrees with whom"), f"index.html#{anchor}" if view.pairs.beside else ALL)
    return SectionPage(title, blocks, parent=parent)


def _title(layer: LayerPair, *, several: bool) -> str:
    if several:
        return say("Layer {layer}", layer=layer.layer)
    return _("Marks") if layer.spans else _("Ratings")


def _pair(view: ReportView, layer: LayerPair, *, several: bool) -> Iterator[Block]:
    def label(text: str) -> str:
        return say("{label}, layer {layer}", label=text, layer=layer.layer) if several else text

    if spans := layer.spans:
        yield paragraph(outcomes(spans))
        yield TableBlock(tables.figures(layer.layer, spans), label(_("Precision, recall and F-measure")))
        known = view.passages.hrefs.get(layer.layer, {}) if view.passages else {}
        hrefs = {name: href.removeprefix("../") for name, href in known.items()}
        found = tables.documents(layer.layer, spans, hrefs)
        file = File("spans-by-document.csv")
        if found:
            yield TableBlock(found, label(_("Documents")))
        if found and len(found.rows) < len(spans.by_document or ()):
            yield remark(
                phrase(
                    "Shown are the {shown} worst of {all}; all of them are in {file}.",
                    shown=count(len(found.rows)),
                    all=counted(len(spans.by_document or ()), "document", "documents"),
                    file=file,
                )
            )
        elif not found:
            yield remark(phrase("Each document’s figures are in {file}.", file=file))
    matrix = confusion(layer.unit_set, layer.units) if layer.units and layer.unit_set else None
    if matrix and layer.unit_set:
        title = say("Units of {set}", set=layer.unit_set.id)
        yield Section("", title, (TableBlock(matrix, label(_("Confusion matrix"))),))


def matrix_page(found: UnitSetView) -> SectionPage | None:
    """Return the page of a whole matrix of categories, None where the report's page has it."""
    if found.whole is None:
        return None
    lead = _(
        "How often the labels of two annotators meet. Categories are beside those that they are confused "
        "with, the most confused first; an empty cell is 0."
    )
    values = {"count": count(len(found.unit_set.categories)), "unit_set": found.unit_set.id}
    title = say("All {count} categories of {unit_set}", **values)
    if len(found.results.layers) > 1:
        title = say(
            "All {count} categories of {unit_set}, layer {layer}", **values, layer=found.unit_set.layer
        )
    (head, *others), whole = found.whole.columns, found.whole
    # Long names would need a column's width each; its number will do. Cells of 0 are empty.
    numbered = max(len(each.title) for each in others) > LONGEST_HEAD
    if numbered:
        lead = f"{lead} {_('A column has the number of its row.')}"
    titles = [
        str(i) if numbered and each is not others[-1] else each.title for i, each in enumerate(others, 1)
    ]
    table = replace(
        whole,
        columns=(head, *(TableColumn(each.key, title) for each, title in zip(others, titles, strict=True))),
        rows=tuple(
            (
                f"{i}. {name}" if numbered and i < len(others) else name,
                *(
                    cell_text(cell, each.kind) if cell else ""
                    for cell, each in zip(cells, others, strict=True)
                ),
            )
            for i, (name, *cells) in enumerate(whole.rows, 1)
        ),
        shades=(),
    )
    blocks = (paragraph(File(whole.file)), TableBlock(table, whole.caption, kind="matrix"))
    return SectionPage(title, blocks, lead, wide=True)


# All annotators together, as many as there are, and fewer or more.


def aggregate(view: ReportView) -> Section | None:
    """Return how reliable the labels of each layer are together; None where units have few labels."""
    own = by_layer(view, lambda layer: _of_aggregate(view, view.aggregates.get(layer.id)))
    title = _("Reliability of the aggregate")
    return Section("aggregate", title, own, short=_("The aggregate")) if own else None


def _of_aggregate(view: ReportView, found: AggregateReliability | None) -> Iterator[Block]:
    if found is None:
        return
    yield paragraph(*_together(found), *map(enough_in_words, reversed(found.enough)))
    table = by_annotators(found)
    if table is None:
        return
    yield TableBlock(table)
    if found.reliability.value is not None:
        formula = say(
            "By the formula of Spearman (1910) and Brown (1910), k α / (1 + (k − 1) α), from {alpha}, which "
            "is that of one annotator; intervals are those that its interval leads to. Annotators are taken "
            "to be as good as each other, and to err independently.",
            alpha=figure_inside(view.results, found.coefficient),
        )
        subject = SUBJECTS.get(found.coefficient.partition("[")[2], OTHERWISE)
        yield remark(formula, _(subject))
    yield remark(_majority(found.majority) if found.majority else "", File(table.file))


def _together(found: AggregateReliability) -> Iterator[Text]:
    labels, known = decimal(found.labels), found.reliability
    if known.value is None:
        yield say("A unit has {labels} labels on average.", labels=labels)
        yield say("They have no reliability together: {reason}.", reason=_(str(known.undefined)))
    else:
        yield phrase(
            "A unit has {labels} labels on average; together they have a reliability of {reliability}.",
            labels=labels,
            reliability=Strong(numbers.estimate(known)),
        )


def enough_in_words(found: EnoughAnnotators) -> str:
    """Return how many annotators are enough for a reliability, and how many at the ends of the interval."""
    if found.annotators is None:
        return ""
    reliability = setting(found.reliability)
    if found.fewest is None or found.fewest == found.most:
        return say_many(
            "{count} annotator is enough for {reliability}.",
            "{count} annotators are enough for {reliability}.",
            found.annotators,
            reliability=reliability,
        )
    if found.most is None:
        return say_many(
            "{count} annotator is enough for {reliability}; within the interval it takes {fewest}, or no "
            "number is enough.",
            "{count} annotators are enough for {reliability}; within the interval it takes {fewest} or more, "
            "or no number is enough.",
            found.annotators,
            reliability=reliability,
            fewest=count(found.fewest),
        )
    return say_many(
        "{count} annotator is enough for {reliability} (within the interval {fewest} to {most}).",
        "{count} annotators are enough for {reliability} (within the interval {fewest} to {most}).",
        found.annotators,
        reliability=reliability,
        fewest=count(found.fewest),
        most=count(found.most),
    )


def _majority(found: MajorityUnits) -> str:
    """Return over which units majorities are compared, and how often all labels together tie."""
    units = say_many(
        "The majority is that of labels drawn at random from those of a unit, beside that of all of them, "
        "over {units} unit with {labels} labels or more; a tie is decided by lot.",
        "The majority is that of labels drawn at random from those of a unit, beside that of all of them, "
        "over {units} units with {labels} labels or more; a tie is decided by lot.",
        found.units,
        units=count(found.units),
        labels=count(found.labels),
    )
    tied = say_many(
        "On {count} of them all labels together tie.",
        "On {count} of them all labels together tie.",
        found.tied,
    )
    return f"{units} {tied}" if found.tied else units
