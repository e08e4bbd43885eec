"""Units: which count and why, how many that nobody marked, and how annotators cut texts into units."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from reportgen.report import contents, matrices, uncertainty
from reportgen.report.blocks import (
    Block,
    Details,
    FigureBlock,
    File,
    FilesBlock,
    PaperTable,
    RawBlock,
    ReasonBlock,
    Section,
    TableBlock,
    Text,
    as_section,
    commas,
    paragraph,
    phrase,
    remark,
    sentences,
)
from reportgen.report.escaping import escape_markdown
from reportgen.report.sections.subject_sections import boundaries
from reportgen.report.tables import ReportTable, as_declared, columns_of, of_layer, table_of
from reportgen.report.view import LayerView, ReportView, by_layer
from reportgen.results import Confusion, Results, UnitSet
from reportgen.results.marks import Gamma, Unitizing
from reportgen.words import numbers
from reportgen.words.language import N_, _, listed, named_value, say, say_either, say_many
from reportgen.words.names import figure_name
from reportgen.words.numbers import count

# Between the first sentence of a reason and what follows it.
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[^\sa-z])|\n\s*\n")
# What is a smaller part of a bar has no number in it, in per cent.
NARROWEST = 6
# What is smaller is said to be smaller.
LEAST = 0.001


@as_section("choices", N_("What counts as a unit, and why"), N_("What counts as a unit"))
def unit_sets(view: ReportView) -> Iterator[Block]:
    """Yield each layer's unit sets side by side, with the coefficients on each, their limits, and why."""
    yield from by_layer(view, _choices)
    near = view.of_layers(view.results.spans.boundaries if view.results.spans else None)
    if tolerances := sorted({own.tolerance for own in near}):
        message = N_("Marks of several annotators whose ends are within {tolerance} ms are one unit.")
        yield paragraph(say(message, tolerance=listed(list(map(count, tolerances)))))
    yield FilesBlock(
        lambda: chain.from_iterable(map(_files, view.layers)),
        paper=lambda: chain.from_iterable(map(_in_paper, view.layers)),
    )


def _choices(layer: LayerView) -> Iterator[Block]:
    yield TableBlock(layer.choices, kind="units")
    folded: list[Block] = [TableBlock(contents.choices_shown(layer.members))]
    for unit_set in layer.members:
        why, said = unit_set.why.strip(), " ".join(remarks(unit_set))
        first = SENTENCE.split(why, maxsplit=1)[0]
        if why:
            name = f"{escape_markdown(unit_set.id)} ({escape_markdown(contents.what_counts(unit_set))})"
            yield ReasonBlock(f"**{name}** {first}")
        parts = (ReasonBlock(why) if why != first else None, paragraph(said) if said else None)
        if any(parts):
            folded.append(Section("", unit_set.id, tuple(filter(None, parts))))
    yield Details(_("Reasons in full, units and marks"), tuple(folded))


def _files(layer: LayerView) -> Iterator[ReportTable | None]:
    """Yield what counts in each unit set, and what another size would make of the figures."""
    yield contents.choices(layer.members)
    yield from (uncertainty.size_curve_rows(layer.results, unit_set) for unit_set in layer.members)


def _in_paper(layer: LayerView) -> Iterator[PaperTable]:
    yield PaperTable(layer.id, contents.choices_shown(layer.members), _("What counts as a unit."), "units")
    caption = _("Coefficients by unit set, with the share of units that nobody marked, and their limits.")
    yield PaperTable(layer.id, layer.choices, caption, "sizes")


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


# What the number of units that nobody marked makes of each coefficient.


@as_section("non-annotated", N_("The non-annotated category"))
def non_annotated(view: ReportView) -> Iterator[Block]:
    """Yield what is not annotated: its name, its size and its share; nothing where everything is labelled."""
    layers = [layer for layer in view.compared if layer.primary.unit_set.non_annotated]
    # How many moments of a recording nobody marked is no number of units.
    yield from () if view.recorded else by_layer(view, _not_annotated, layers)


def _not_annotated(layer: LayerView) -> Iterator[Block]:
    unit_set, name = layer.primary.unit_set, layer.primary.unit_set.non_annotated or ""
    share = say(
        "“{category}” is {share} of all labels.",
        category=name,
        share=numbers.percent(contents.unmarked_share(unit_set) or 0.0),
    )
    pair = unit_set.only_pair
    met = pair.confusion if pair and not pair.withheld else matrices.meetings(unit_set)
    if met is None or name not in met.categories:
        yield paragraph(share)
        return
    left, parts = met.count(name, name), _marked(met, name)
    yield RawBlock(_to_scale(left, parts))
    values = {name: count(units) for name, units in parts.items()}
    message = N_(
        "Neither {row} nor {column} marked {left} of {all} {noun}. Of the other {marked}, {row} marked "
        "{by_row} and {column} {by_column}: {same} alike, {label} differently, {first} only {row} and "
        "{second} only {column}."
    )
    if not pair:
        message = N_(
            "In {left} of {all} comparisons neither annotator marked the unit. In the other {marked}, both "
            "marked it {same} times alike and {label} times differently, and only one {first} times."
        )
    said = say(
        message,
        row=met.rows,
        column=met.columns,
        left=count(left),
        all=count(met.units),
        noun=numbers.noun(unit_set.noun, met.units),
        marked=count(met.units - left),
        by_row=count(parts["same"] + parts["label"] + parts["first"]),
        by_column=count(parts["same"] + parts["label"] + parts["second"]),
        **values,
    )
    yield paragraph(share, said)


def _marked(met: Confusion, name: str) -> dict[str, int]:
    """Return the units that somebody marked by how a page paints them: alike, differently, by one alone."""
    none, parts = met.categories.index(name), dict.fromkeys(("same", "label", "first", "second"), 0)
    for (row, column), units in met.filled.items():
        if row != none or column != none:
            alone = "first" if column == none else "second"
            both = "same" if row == column else "label"
            parts[alone if none in (row, column) else both] += units
    return parts


def _to_scale(left: int, parts: Mapping[str, int]) -> str:
    """Return all units as a bar to scale, and below it those that somebody marked, as in the bar of all."""
    marked = sum(parts.values()) or 1
    split, at, drawn = 100 * left / (left + marked), 0.0, []
    for look, units in parts.items():
        wide = 100 * units / marked
        rect = f'<rect class="{look}" x="{at:.2f}%" y="30" width="{wide:.2f}%" height="26"/>'
        text = f'<text class="on-{look}" x="{at + wide / 2:.2f}%" y="48">{count(units)}</text>'
        drawn += [rect, text * (wide > NARROWEST)]
        at += wide
    return (
        '<svg class="to-scale" aria-hidden="true">'
        f'<rect class="same" width="{split:.2f}%" height="18"/><rect class="marked" x="{split:.2f}%" '
        f'width="{100 - split:.2f}%" height="18"/><svg y="18" height="12" viewBox="0 0 100 12" '
        f'preserveAspectRatio="none"><path d="M{split:.2f} 0H100V12H0z"/></svg>{"".join(drawn)}</svg>'
    )


@as_section(
    "size-curve",
    N_("How much the size of the non-annotated category matters"),
    N_("Size of what is not annotated"),
)
def size_curve(view: ReportView) -> Iterator[Block]:
    """Yield coefficients against the size of the non-annotated category; nothing where that was no choice."""
    yield from () if view.recorded else by_layer(view, _curve_of_layer)


def _curve_of_layer(layer: LayerView) -> Iterator[Block]:
    if not layer.curve_figure:
        return
    if layer.by_pairs:
        said = _(
            "Not everybody rated every unit: each line is a pair of annotators, over the units that both "
            "rated. With more unmarked units it nears a limit that depends on the marked ones alone."
        )
        yield paragraph(said)
    rows = ((own.id, uncertainty.size_curve_rows(layer.results, own)) for own in layer.members)
    files = (File(table.file, named_value("CSV", name)) for name, table in rows if table)
    yield FigureBlock(layer.curve_figure, commas(files))


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
    details = Details(_("Definitions and parts"), (remark(defined), *folded))
    return Section("unitizing", _("Unitizing"), (lead, short, *near, details))


def _unitizing_in_full(results: Results, layer: Unitizing) -> Iterator[Block]:
    yield TableBlock(_unitizing_table(results, layer), _("Unitizing figures"))
    for name in results.in_order(layer.measures):
        if reason := layer.measures[name].undefined:
            why, figure = numbers.message(reason, {}), figure_name(results, name)
            yield remark(say("{name} is undefined: {reason}.", name=figure, reason=why))
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
