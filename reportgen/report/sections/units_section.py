"""Units: which count and why, how many that nobody marked, and how annotators cut texts into units."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from reportgen.report import contents, uncertainty
from reportgen.report.blocks import (
    Block,
    Details,
    FigureBlock,
    File,
    FilesBlock,
    PaperTable,
    ReasonBlock,
    Section,
    Strong,
    TableBlock,
    Text,
    as_section,
    commas,
    paragraph,
    phrase,
    remark,
    sentences,
)
from reportgen.report.sections.subject_sections import boundaries
from reportgen.report.tables import ReportTable, as_declared, columns_of, least, of_layer, table_if, table_of
from reportgen.report.view import LayerView, ReportView, UnitSetView, by_layer
from reportgen.results import Results, UnitSet
from reportgen.results.marks import Gamma, Unitizing
from reportgen.words import language, numbers
from reportgen.words.language import N_, _, listed, say, say_either, say_many
from reportgen.words.names import figure_name
from reportgen.words.numbers import count

# What is smaller is said to be smaller.
LEAST = 0.001


@as_section("choices", N_("What counts as a unit, and why"), N_("What counts as a unit"))
def unit_sets(view: ReportView) -> Iterator[Block]:
    """Yield what counts as a unit and why, with the primary coefficient on each unit set."""
    lead = _(
        "Coefficients depend on which units count, above all on how many of them nobody marked. All "
        "unit sets come from the same export."
    )
    files = (File(contents.choices(layer.members).file) for layer in view.layers)
    unit_set_views = [unit_set_view for layer in view.layers for unit_set_view in layer.unit_sets]
    yield paragraph(lead, *files)
    only = unit_set_views[0].unit_set if len(unit_set_views) == 1 else None
    yield paragraph(_only_unit_set(only)) if only else TableBlock(_sets(view))
    near = view.of_layers(view.results.spans.boundaries if view.results.spans else None)
    if tolerances := sorted({own.tolerance for own in near}):
        message = N_("Marks of several annotators whose ends are within {tolerance} ms are one unit.")
        yield paragraph(say(message, tolerance=listed(list(map(count, tolerances)))))
    yield from _reasons(unit_set_views)
    yield from (_details(view, layer) for layer in view.layers)
    yield FilesBlock(
        lambda: chain.from_iterable(map(_files, view.layers)),
        paper=lambda: chain.from_iterable(map(_in_paper, view.layers)),
    )


def _files(layer: LayerView) -> Iterator[ReportTable | None]:
    """Yield what counts in each unit set, and what another size would make of the figures."""
    yield contents.choices(layer.members)
    yield uncertainty.limits(layer.members)
    yield from (uncertainty.size_curve_rows(layer.results, unit_set) for unit_set in layer.members)


def _in_paper(layer: LayerView) -> Iterator[PaperTable]:
    yield PaperTable(layer.id, contents.choices_shown(layer.members), _("What counts as a unit."), "units")
    if layer.sizes:
        caption = _("Agreement at other sizes of the non-annotated category.")
        yield PaperTable(layer.id, layer.sizes, caption, "sizes")


def _only_unit_set(unit_set: UnitSet) -> Text:
    """Return what counts in the only unit set, instead of a table of one row."""
    return phrase(
        "One unit set, {unit_set}: {what}, {units} in all, {compared} rated by two or more annotators.",
        unit_set=Strong(unit_set.id),
        what=contents.what_counts(unit_set),
        units=numbers.counted_in(unit_set.units, unit_set.noun),
        compared=count(unit_set.units_compared),
    )


def _sets(view: ReportView) -> ReportTable:
    results, several_layers = view.results, len(view.layers) > 1
    names = {figure_name(results, results.coefficients[layer.id]) for layer in view.layers}
    value = names.pop() if len(names) == 1 else _("Primary coefficient")
    heading = say("{figure} [95% interval]", figure=value)
    name = f"unit-sets{contents.suffix(view.layers[0].members)}" if view.only else "unit-sets"

    def named(unit_set: UnitSet) -> str:
        if several_layers or not unit_set.primary:
            return unit_set.id
        return say("{unit_set} (primary)", unit_set=unit_set.id)

    return table_of(
        name,
        "",
        [unit_set for layer in view.layers for unit_set in layer.members],
        ("layer", _("Layer"), "text", lambda unit_set: unit_set.layer) if several_layers else None,
        ("unit_set", _("Unit set"), "text", named),
        ("kind", _("What counts"), "text", contents.what_counts),
        ("units", _("Units"), "count", lambda unit_set: unit_set.units_compared),
        ("value", heading, "estimate", lambda row: row.measures.get(results.coefficients[row.layer])),
    )


def _reasons(views: Sequence[UnitSetView]) -> Iterator[Block]:
    """Yield each reason once, below the unit sets that it is for."""
    layers = len({view.unit_set.layer for view in views})
    sets: dict[str, list[UnitSetView]] = {}
    for view in views:
        sets.setdefault(view.unit_set.why.strip(), []).append(view)
    for why, alike in sets.items():
        names = [view.unit_set.id if layers == 1 else view.slug for view in alike]
        if why:
            primary = _("primary") if any(view.unit_set.primary for view in alike) and len(views) > 1 else ""
            yield Section(
                f"unit-set-{alike[0].slug}", language.names(names), (ReasonBlock(why),), tag=primary
            )
        else:
            missing = say(
                "Nobody has said yet why these are the units: {unit_sets}.", unit_sets=language.names(names)
            )
            yield ReasonBlock(missing, missing=True)


def _details(view: ReportView, layer: LayerView) -> Details:
    """Return what each unit set leaves out, and the confusion matrices of those beside the primary."""
    blocks: list[Block] = [TableBlock(contents.choices_shown(layer.members))]
    for unit_set_view in layer.unit_sets:
        said = " ".join(remarks(unit_set_view.unit_set))
        matrix = (
            unit_set_view.matrix_shown if unit_set_view.pair and unit_set_view is not layer.primary else None
        )
        name = Strong(unit_set_view.unit_set.id)
        if said:
            blocks.append(remark(phrase("{name}: {value}", name=name, value=said)))
        elif matrix:
            blocks.append(remark(name))
        if matrix:
            blocks.append(TableBlock(matrix))
    title = _("Units and marks in figures")
    if len(view.layers) > 1:
        title = say("{title}, layer {layer}", title=title, layer=layer.id)
    return Details(title, tuple(blocks))


# What a unit set counts and leaves out, in sentences.


def remarks(unit_set: UnitSet) -> Iterator[str]:
    """Yield what is to be said of a unit set beside its reason."""
    if unit_set.candidates:
        of_layer, file = unit_set.candidates.layer, unit_set.candidates.file
        yield (
            say_many(
                "Candidates are the occurrences of the {count} {term|terms} in {file}.",
                unit_set.candidates.terms or 0,
                file=file,
            )
            if file
            else say("Candidates are the marks of {layer} by any annotator.", layer=of_layer)
        )
        yield (
            _("Marked stretches outside them are units too.")
            if unit_set.candidates.keep_marked
            else _("Marks outside them are left out.")
        )
    if unit_set.boundary is not None and unit_set.marks.used:
        yield say_many(
            "Boundary cases: {count} of the {marks} marks {begins|begin} or {ends|end} inside a token, and "
            "{counts|count} for the whole of it.",
            unit_set.boundary,
            marks=count(unit_set.marks.used),
        )
    if unit_set.units_left_out:
        reasons = (
            say("{count} ({reason})", count=count(units), reason=numbers.message(reason, {}))
            for reason, units in unit_set.units_left_out.items()
        )
        yield say_many(
            "Left out of the export's {count} {unit|units}: {reasons}.",
            unit_set.units_read,
            reasons=_("; ").join(reasons),
        )
    if unit_set.units_left_out and unit_set.units_added:
        yield say_many("Added: {count} {unit|units} that nobody marked.", unit_set.units_added)
    # The size of the non-annotated category was a choice, but ratings of many are missing.
    incomplete = any(2 <= int(raters) < len(unit_set.annotators) for raters in unit_set.units_by_annotators)
    if unit_set.non_annotated is not None and unit_set.size_curve is None and incomplete:
        yield _(
            "The report does not show how the coefficients would change with more or fewer unmarked "
            "units: not everybody rated every unit."
        )


# What the number of units that nobody marked makes of each coefficient.


def size_curve(view: ReportView) -> Section | None:
    """Return coefficients against the size of the non-annotated category; None where that was no choice."""
    # How many moments of a recording nobody marked is no number of units.
    layers = [layer for layer in view.layers if layer.sizes]
    if view.recorded or not view.layers[0].sizes:
        return None
    lead = _(
        "How many unmarked units count is a choice. With more of them kappa, pi and alpha tend to a "
        "limit that depends on the marked units alone; observed agreement, S, AC1 and Finn's R tend to "
        "1, whatever the labels."
    )
    category = view.results.primary.non_annotated or view.layers[0].primary.unit_set.non_annotated
    size = say("Size of “{category}”", category=category) if category else _("Size of what is not annotated")
    return Section(
        "size-curve",
        _("How much the size of the non-annotated category matters"),
        (paragraph(lead), *by_layer(view, _curve_of_layer, layers)),
        short=size,
    )


def _curve_of_layer(layer: LayerView) -> Iterator[Block]:
    if layer.curve_figure:
        caption = _("Vertical lines are the sizes of the unit sets.")
        yield FigureBlock(layer.curve_figure, caption)
    yield Details(_("The curve in figures"), tuple(_size_tables(layer)))


def _size_tables(layer: LayerView) -> Iterator[Block]:
    if layer.sizes:
        yield TableBlock(layer.sizes)
    if limits := uncertainty.limits(layer.members):
        yield TableBlock(limits)
        why = _(
            "Where both annotators marked a unit but labelled it differently, kappa counts one "
            "disagreement and F two errors. Kappa's limit is therefore half-way between F with the label "
            "and F of being marked at all."
        )
        several_pairs = len(layer.primary.unit_set.annotators) > 2
        pooled = _("Both are of all pairs of annotators, their counts added up.") if several_pairs else ""
        yield remark(why, pooled, File(limits.file))
    curves = (
        (unit_set.id, uncertainty.size_curve_rows(layer.results, unit_set)) for unit_set in layer.members
    )
    if files := [File(table.file, name) for name, table in curves if table]:
        said = phrase("The whole curve as CSV: {files}", files=commas(files))
        yield remark((*said, "."), elsewhere=True)


# How annotators cut texts into units.


def unitizing(view: ReportView) -> Section | None:
    """Return how annotators cut the texts into units, in short; None where no texts were marked."""
    results, shown = view.results, {layer.id for layer in view.layers}
    unitized = (results.spans and results.spans.unitizing) or ()
    layers = [layer for layer in unitized if layer.layer in shown]
    if not layers:
        return None
    lead = paragraph(
        say_either(
            results.recorded,
            "How annotators cut the {recordings|text} into units and gaps. These figures compare "
            "{durations|lengths}, so a boundary that is {a moment|one word} off costs little and a missed "
            "long unit costs a lot; unlike F, they are corrected for chance.",
        ),
        File("unitizing.csv"),
        File("unitizing-pairs.csv", _("By pair")) if any(layer.pairs for layer in layers) else None,
    )
    if len(layers) == 1:
        own = layers[0].measures
        known = [name for name in results.in_order(own) if own[name].value is not None]
        said = commas(f"{figure_name(results, name)} {numbers.estimate(own[name])}" for name in known)
        short: Block = paragraph(phrase("All annotators together: {figures}.", figures=said) if known else "")
        folded: Iterable[Block] = _unitizing_in_full(results, layers[0])
    else:
        short = TableBlock(_unitizing_by_layer(results, layers), _("Unitizing figures"))
        folded = (
            Section("", say("Layer {layer}", layer=layer.layer), tuple(_unitizing_in_full(results, layer)))
            for layer in layers
        )
    near = boundaries(view.of_layers(results.spans.boundaries if results.spans else None))
    defined = say_either(
        results.recorded,
        "Alpha for unitizing compares, type by type, where units begin and end; u-alpha compares "
        "{what every millisecond is taken for|the category of every character}, gaps included, and "
        "its binary form only whether it is marked; cu-alpha and (k)u-alpha look {at the time "
        "alone|only at the text} that two annotators marked. Intervals treat each document as a "
        "cluster. Observed and expected values are of disagreement.",
    )
    details = Details(_("Definitions, categories and pairs"), (remark(defined), *folded))
    return Section("unitizing", _("Unitizing"), (lead, short, *near, details))


def _unitizing_in_full(results: Results, layer: Unitizing) -> Iterator[Block]:
    yield TableBlock(_unitizing_table(results, layer), _("Unitizing figures"))
    for name in results.in_order(layer.measures):
        if reason := layer.measures[name].undefined:
            why, figure = numbers.message(reason, {}), figure_name(results, name)
            yield remark(say("{name} is undefined: {reason}.", name=figure, reason=why))
    # The figures of each category; None where there is one, whose figures are those of all.
    by_category = layer.by_category
    titles = {
        name: say("{figure} [95% interval]", figure=figure_name(results, name))
        for name in results.in_order({name for figures in by_category.values() for name in figures})
    }
    table = table_of(
        of_layer("unitizing-categories", layer.layer),
        _("By category."),
        layer.categories,
        ("category", _("Category"), "text", str),
        *columns_of(titles, "estimate", lambda category, name: by_category[category].get(name)),
    )
    if categories := (table if len(layer.categories) > 1 else None):
        yield TableBlock(categories, _("Unitizing figures by category"))
    if pairs := _unitizing_by_pair(results, layer):
        yield TableBlock(pairs, _("Unitizing figures by pair"))
        if len(pairs.rows) < len(layer.pairs):
            least = say("Shown are the pairs that agree least, of {count}.", count=count(len(layer.pairs)))
            yield remark(least)
    if layer.gamma:
        yield remark(_gamma(layer.gamma))


def _gamma(gamma: Gamma) -> Text:
    marked = gamma.documents - gamma.left_out
    settings = {
        "seed": str(gamma.seed),
        "α": as_declared(gamma.alpha),
        "β": as_declared(gamma.beta),
        "Δ∅": as_declared(gamma.delta_empty),
        "ε": as_declared(gamma.precision) if gamma.precision else "",
    }
    programs = (gamma.solver, *(f"{name} {version}" for name, version in gamma.libraries.items()))
    return sentences(
        say_many(
            "Gamma is {that of|the mean over} {count} {document|documents} with {marks|marks, weighted by "
            "their numbers of units}.",
            marked,
        ),
        say(
            "Chance is {samples} sampled continua a document ({settings}; {programs}).",
            samples=count(gamma.samples),
            settings=", ".join(f"{name} = {value}" for name, value in settings.items() if value),
            programs=", ".join(programs),
        ),
        _("Unlike every other figure it need not come out the same to the last digit on another machine."),
    )


# Unitizing as tables.


def _unitizing_table(results: Results, layer: Unitizing) -> ReportTable:
    measures = layer.measures
    return table_of(
        of_layer("unitizing", layer.layer),
        _("All annotators together."),
        results.in_order(measures),
        ("figure", _("Figure"), "text", lambda name: figure_name(results, name)),
        ("value", _("Value [95% interval]"), "estimate", lambda name: measures[name]),
        ("observed", _("Observed disagreement"), "text", lambda name: _small_share(measures[name].observed)),
        ("expected", _("Expected disagreement"), "text", lambda name: _small_share(measures[name].expected)),
        ("units", _("Units"), "count", lambda name: measures[name].units),
    )


def _small_share(value: float | None) -> str:
    """Return a share of the text, or of its square, which may be very small."""
    if value is None or value == 0 or value >= LEAST:
        return numbers.NONE if value is None else numbers.figure(value)
    return say("under {number}", number=numbers.pointed(f"{LEAST:g}"))


def _unitizing_by_layer(results: Results, layers: Sequence[Unitizing]) -> ReportTable:
    titles = _symbols(results, {name for layer in layers for name in layer.measures})
    return table_of(
        "unitizing-by-layer",
        _("Value and 95% interval."),
        layers,
        ("layer", _("Layer"), "text", lambda layer: layer.layer),
        *columns_of(titles, "estimate", lambda layer, name: layer.measures.get(name)),
    )


def _symbols(results: Results, figures: Iterable[str]) -> dict[str, str]:
    return {name: results.catalogue[name].symbol for name in results.in_order(figures)}


def _unitizing_by_pair(results: Results, layer: Unitizing) -> ReportTable | None:
    """Return the figures of every two annotators, or of those that agree least where they are many."""
    shown = least(layer.pairs, lambda pair: pair.measures["alpha_u"].value)
    titles = _symbols(results, shown[0].measures if shown else ())
    return table_if(
        of_layer("unitizing-pairs", layer.layer),
        _("Every two annotators."),
        shown,
        ("first", _("First annotator"), "text", lambda pair: pair.annotators[0]),
        ("second", _("Second annotator"), "text", lambda pair: pair.annotators[1]),
        ("documents", _("Documents"), "count", lambda pair: pair.documents),
        *columns_of(titles, "estimate", lambda pair, name: pair.measures[name]),
    )
