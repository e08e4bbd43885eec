"""Categories: which are confused, agreement on each, sets of labels, distances, and bias in their use."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import chain

from reportgen.catalogue import ids_by
from reportgen.report import contents, matrices
from reportgen.report.blocks import (
    Block,
    Details,
    FigureBlock,
    File,
    FilesBlock,
    Link,
    PaperTable,
    ReasonBlock,
    Strong,
    TableBlock,
    Text,
    as_section,
    paragraph,
    phrase,
    remark,
    sentences,
)
from reportgen.report.tables import ReportTable, gathered, some_of
from reportgen.report.view import LayerView, ReportView, by_layer
from reportgen.results import Results, UnitSet
from reportgen.results.marks import DistanceOrigin
from reportgen.words import language, numbers
from reportgen.words.language import N_, _, listed, say, say_either, say_many
from reportgen.words.names import figure_inside
from reportgen.words.numbers import count

# Below this p value two annotators are said to use categories at different rates.
LEVEL = 0.05


@as_section("confusion-matrix", N_("Confusion matrix"))
def confusion_matrix(view: ReportView) -> Iterator[Block]:
    """Yield how often annotators gave a unit which two labels, shaded where they disagree."""
    yield from by_layer(view, partial(_matrix, view))
    yield FilesBlock(
        lambda: _matrix_files(view),
        lambda: (layer.heat_map for layer in view.layers),
        lambda: chain.from_iterable(map(_matrix_in_paper, view.layers)),
    )


def _matrix_files(view: ReportView) -> Iterator[ReportTable | None]:
    """Yield the confusions of every unit set, every unit on which annotators differ, and many documents."""
    if view.passages:
        yield view.passages.documents.table()
    for own in (unit_set for layer in view.layers for unit_set in layer.unit_sets):
        yield matrices.label_confusions(own.unit_set)
        yield matrices.conditional(own.unit_set)
        yield own.distances
        if own.pair:
            yield contents.symmetry(view.results, own.unit_set, own.pair)
            yield from matrices.as_read(own.unit_set, own.pair)
        else:
            yield own.matrix
    yield from (listed.table() for listed in view.passages.lists) if view.passages else ()


def _matrix_in_paper(layer: LayerView) -> Iterator[PaperTable]:
    primary, unit_set = layer.primary, layer.primary.unit_set.id
    if primary.matrix_shown is None:
        return
    caption = say("{caption} ({unit_set})", caption=primary.matrix_shown.caption, unit_set=unit_set)
    if primary.pair and primary.squared:
        caption = say(
            "Confusion matrix ({unit_set}): rows are the labels of {rows}, columns those of {columns}.",
            unit_set=unit_set,
            rows=primary.pair.confusion.rows,
            columns=primary.pair.confusion.columns,
        )
    name = "confusion" if primary.pair else "coincidences"
    yield PaperTable(layer.id, primary.matrix_shown, caption, name)


def _matrix(view: ReportView, layer: LayerView) -> Iterator[Block]:
    primary, shown = layer.primary, layer.primary.matrix_shown
    if not primary.unit_set.units_compared:
        yield paragraph(_("No two annotators labelled the same unit: there is nothing to compare."))
        return
    if shown:
        # Colours are by place: what nobody marked is last, where no labels are joined behind it.
        last = shown.columns[-2].title == primary.unit_set.non_annotated
        sided = primary.pair and primary.squared and last
        yield TableBlock(shown, kind="cells sided" if sided else "cells" * primary.squared)
    yield remark(*_links_to_pages(view, layer), elsewhere=True)


def _links_to_pages(view: ReportView, layer: LayerView) -> Iterator[Text]:
    listed, matrix = layer.primary.disagreements, layer.primary.matrix
    if matrix and matrix.file:
        yield File(matrix.file, "CSV" if layer.primary.squared else _("The whole matrix as CSV"))
    if layer.heat_map:
        yield Link(_("The matrix as a figure."), f"figures/{layer.heat_map.name}.svg")
    if listed is None:
        return
    rows, of, first_page = len(listed.rows), listed.disagreements.of, listed.href
    if of:
        link = say_many("{The|The {count}} most disputed {unit|units}", rows)
        yield phrase("{units} of {all} in context.", units=Link(link, first_page), all=count(of))
    else:
        link = say_many("{The only unit|All {count} units} in dispute", rows)
        yield phrase("{units} in context.", units=Link(link, first_page))
    if layer.id != view.layers[0].id:
        return
    documents = view.passages.documents if view.passages else None
    if documents and documents.all:
        number, shown = len(documents.all), len(documents.shown)
        every = say_many("{The only document|All {count} documents}", number)
        if shown < number:
            every = say("{count} of {all} documents", count=count(shown), all=count(number))
        yield phrase("{documents} with everybody's marks.", documents=Link(every, "documents/index.html"))


@as_section("specific-agreement", N_("Specific agreement"))
def specific_agreement(view: ReportView) -> Iterator[Block]:
    """Yield how often one annotator chose a category that another chose, with its figure."""
    first = view.layers[0]
    yield paragraph(_what_is_asked(first), File(first.primary.specific.file))
    yield from by_layer(view, _specific)
    yield FilesBlock(
        lambda: (unit_set.specific for layer in view.layers for unit_set in layer.unit_sets),
        paper=lambda: map(_specific_in_paper, view.layers),
    )


def _specific_in_paper(layer: LayerView) -> PaperTable:
    primary, unit_set = layer.primary, layer.primary.unit_set
    if unit_set.sets:
        caption = say_many(
            "Agreement on each label, chosen or not ({unit_set}, {count} {unit|units}).",
            unit_set.units_compared,
            unit_set=unit_set.id,
        )
    else:
        caption = say_many(
            "Specific agreement by category ({unit_set}, {count} {unit|units}).",
            unit_set.units_compared,
            unit_set=unit_set.id,
        )
    caption = " ".join(filter(None, (caption, primary.specific_left_out)))
    return PaperTable(layer.id, primary.specific_shown, caption, "specific")


def _what_is_asked(layer: LayerView) -> str:
    if layer.sets:
        return _(
            "Each label is a question of its own: chosen or not, whatever else was chosen. When one "
            "annotator chose it, how often did another choose it too? Figures against the rest compare the "
            "label’s presence and absence."
        )
    return say_either(
        layer.primary.pair,
        "When one annotator chose a category, how often did {the other|another} choose it too? "
        "Frequent categories do not inflate it: it is {2a / (2a + b + c), which equals the F-measure "
        "over the same units|the share of the other annotators' labels on the same units that are of "
        "this category too}.",
    )


def _specific(layer: LayerView) -> Iterator[Block]:
    primary = layer.primary
    label = _("Specific agreement by label") if layer.sets else _("Specific agreement by category")
    if layer.specific_figure:
        yield FigureBlock(layer.specific_figure, "", paper=True)
    yield Details(label, (TableBlock(primary.specific_shown, label),))
    if left_out := primary.specific_left_out:
        yield remark(left_out, File(primary.specific.file))
    of_categories = primary.unit_set.specific_agreement.items()
    undefined = gathered((category, figure.undefined) for category, figure in of_categories)
    for reason, names in undefined.items():
        figures, why = language.names(names), numbers.message(reason, {})
        yield remark(say("Undefined: {figures}, because {reason}.", figures=figures, reason=why))


# Categories that are sets of labels.


@as_section("sets", N_("Sets of labels"))
def sets(view: ReportView) -> Iterator[Block]:
    """Yield explicit and implicit agreement, and alpha by the distance between sets; nothing without sets."""
    of_sets = [layer for layer in view.layers if layer.sets]
    if not of_sets:
        return
    lead = _(
        "Annotators gave units any number of labels. Explicit agreement is 2|A ∩ B| / (|A| + |B|), the "
        "share of the labels given by either of two annotators that both gave. Implicit agreement counts "
        "every label of the inventory that both or neither gave, and nears 1 as the inventory grows."
    )
    yield paragraph(lead)
    yield from by_layer(view, _of_sets, of_sets)
    kappas = _(
        "Kappa compares either with the same sets given to units at random; that of implicit agreement "
        "does not depend on the inventory’s size. Over several annotators agreement, observed and by "
        "chance, is the mean over their pairs, and kappa comes from these two means."
    )
    between = _(
        "Two sets are apart by what is not common to both: of their union (Jaccard), the more so where "
        "neither contains the other (MASI), or of the sum of their sizes (Dice). Two empty sets are equal, "
        "and an empty one has nothing in common with any other. Figures without these names in brackets "
        "take sets as wholes: each different set, declared or used, is a category of its own."
    )
    yield Details(_("How sets are compared"), (paragraph(kappas), paragraph(between)))


def _of_sets(layer: LayerView) -> Iterator[Block]:
    agreement = matrices.set_agreement(layer.results, layer.members)
    alphas = matrices.set_distances(layer.results, layer.members)
    if agreement is None or alphas is None:
        return
    said = (
        say("{unit_set}: {sentence}", unit_set=unit_set.id, sentence=matrices.sets_sentence(unit_set.sets))
        for unit_set in layer.members
        if unit_set.sets
    )
    if given := matrices.labels_by_annotator(layer.primary.unit_set):
        yield TableBlock(given)
    yield TableBlock(agreement)
    yield remark(*said, File(agreement.file))
    file = remark(File(alphas.file), elsewhere=True)
    yield Details(_("Alpha by the distance between sets"), (TableBlock(alphas), file))


# Distances between categories, and where declared ones come from.


@as_section("distances", N_("Distances between categories"), N_("Distances"))
def distances(view: ReportView) -> Iterator[Block]:
    """Yield declared and computed distances; nothing where there are none."""
    declared = view.results.distances
    apart = [layer for layer in view.compared if layer.primary.distances]
    why: list[tuple[Block, ...]] = [
        (paragraph(Strong(distance.id)), ReasonBlock(distance.why)) for distance in declared if distance.why
    ]
    reasons = (*_origins(view), *chain.from_iterable(why))
    if not apart and not any(distance.origin for distance in declared):
        return
    lead = (paragraph(_nearest(view, apart[0].primary.unit_set)),) if apart else ()
    shown = by_layer(view, _distances, apart if declared else apart[:1])
    folded = (Details(_("Where declared distances come from"), reasons),) if reasons else ()
    yield from (*lead, *shown, *folded)


def _nearest(view: ReportView, unit_set: UnitSet) -> Text:
    """Return which categories annotators tell apart least, and what the distances are."""
    met = matrices.met(unit_set)
    pairs = [
        (value, met.categories[i], met.categories[j])
        for i, row in enumerate(met.computed_kappa if met else ())
        for j, value in enumerate(row)
        if met and i < j and value is not None
    ]
    what = say_either(
        view.results.distances,
        "{Declared distances say how far apart categories were meant to be, computed ones|Computed distances "
        "say} how well annotators tell {them|categories} apart (1: never confused).",
    )
    if len(pairs) <= 1:
        return what
    value, first, other = min(pairs)
    if value >= 1:
        return sentences(what, _("No two categories are ever confused."))
    nearest = say(
        "The smallest computed distance is between {first} and {second}: {value}.",
        first=first,
        second=other,
        value=numbers.figure(value),
    )
    return sentences(what, nearest)


def _origins(view: ReportView) -> Iterator[Block]:
    """Yield where distances come from that were computed of a taxonomy."""
    for distance in view.results.distances:
        if distance.origin:
            said = phrase(
                "{name}: {value}", name=Strong(distance.id), value=" ".join(_origin_in_words(distance.origin))
            )
            yield remark(said, File(f"bdm-{distance.id}.csv", _("The parameters of every two categories")))


def _origin_in_words(origin: DistanceOrigin) -> Iterator[str]:
    concepts = numbers.counted(origin.concepts, "concept", "concepts")
    if origin.kind == "taxonomy":
        yield say(
            "1 − BDM, the balanced distance metric (Maynard, Peters and Li 2006), computed from the taxonomy "
            "{file} ({form}): {concepts}, {roots}, chains of {chain} steps on average.",
            file=origin.file,
            form=_(origin.form),
            concepts=concepts,
            roots=numbers.counted(origin.roots or 0, "root", "roots"),
            chain=numbers.figure(origin.chain),
        )
        if (origin.roots or 0) > 1:
            yield _("Concepts below different roots have nothing in common.")
    else:
        yield say(
            "1 − BDM, the balanced distance metric (Maynard, Peters and Li 2006), read from the scores in "
            "{file} that GATE computed: {concepts}.",
            file=origin.file,
            concepts=concepts,
        )
    if origin.unplaced:
        yield say_many(
            "{names} {is|are} not {a concept|concepts}, and {has|have} distance 1 to all others.",
            len(origin.unplaced),
            names=listed(origin.unplaced),
        )


def _distances(layer: LayerView) -> Iterator[Block]:
    primary = layer.primary
    shown, every, conditional = (
        primary.distances_shown,
        primary.distances,
        matrices.conditional(primary.unit_set),
    )
    if shown is None or every is None or conditional is None:
        return
    yield TableBlock(replace(shown, caption=""), shown.caption)
    message = N_("The {shown} nearest of {all} pairs of categories.")
    yield from map(remark, some_of(message, len(shown.rows), len(every.rows)))
    # Of many categories it is in the CSV alone.
    readable = len(conditional.rows) <= matrices.MOST
    diagonal = primary.pair and readable and not layer.sets
    computed = _(
        "Computed distances are the mean (for alpha) and the product (for weighted kappa) of 1 − "
        "P(C2|C1) and 1 − P(C1|C2)."
    )
    about = remark(
        _("The diagonal is specific agreement.") if diagonal else "",
        computed,
        File(every.file),
        File(conditional.file, _("P(C2|C1) as CSV")),
    )
    shown_too = (TableBlock(conditional),) if readable else ()
    yield Details(_("Conditional probabilities"), (*shown_too, about))


# Whether two annotators use categories alike.


@as_section("symmetry", N_("Bias between annotators"))
def symmetry(view: ReportView) -> Iterator[Block]:
    """Yield tests of bias between two annotators; nothing where there are no two."""
    tested = [layer for layer in view.compared if layer.primary.pair]
    yield from by_layer(view, partial(_symmetry, view.results), tested)


# The test that a sentence goes by: that of how often categories are used, which few documents suffice for.
RATES = ids_by(lambda measure: measure.rate_place)


def _symmetry(results: Results, layer: LayerView) -> Iterator[Block]:
    pair = layer.primary.pair
    if pair is None:
        return
    table = contents.symmetry(results, layer.primary.unit_set, pair)
    tests = ((name, pair.symmetry[name]) for name in RATES if name in pair.symmetry)
    if tested_rate := next(((name, test.p) for name, test in tests if test.p is not None), None):
        first, second = pair.annotators
        yield paragraph(
            say_either(
                tested_rate[1] < LEVEL,
                "{first} and {second}{| are not shown to} use the categories at different rates ({test}, "
                "{p}).",
                first=first,
                second=second,
                test=figure_inside(results, tested_rate[0]),
                p=numbers.p_is(tested_rate[1]),
            )
        )
    about = _(
        "Kappa and pi close together do not show that annotators have the same habits; these tests do. "
        "They ask how often each category is used, Bowker's in which direction categories are confused, "
        "and none of them on which units. With few documents go by Bhapkar's: the statistic of Stuart "
        "and Maxwell can't exceed their number."
    )
    units = _("The p values take units to be independent, which a table without documents can't show.")
    alone = (remark(units),) if layer.primary.unit_set.documents_compared == 0 else ()
    shown = (remark(about, File(table.file)), TableBlock(table), *alone)
    yield Details(_("Tests of symmetry"), shown)
