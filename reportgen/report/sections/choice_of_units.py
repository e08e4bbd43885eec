"""What counts as a unit, and what the number of units makes of the figures."""

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from reportgen.figures.curve import Explore
from reportgen.report import contents, uncertainty
from reportgen.report.blocks import (
    Beside,
    Block,
    Details,
    FigureBlock,
    RawBlock,
    ReasonBlock,
    Section,
    TableBlock,
)
from reportgen.report.layer_view import PAIR, LayerView, UnitSetView
from reportgen.report.phrases import File, Strong, Text, commas, paragraph, phrase, remark
from reportgen.report.sections.specific_agreement import by_layer
from reportgen.report.tables import ReportTable, table_of
from reportgen.report.view import ReportView
from reportgen.results import Candidates, UnitSet
from reportgen.words import language, numbers
from reportgen.words.language import _, say, say_many
from reportgen.words.names import figure_name
from reportgen.words.numbers import count


def unit_sets(view: ReportView) -> Section:
    """Return what counts as a unit and why, with the primary coefficient on each unit set."""
    lead = _(
        "Coefficients depend on which units count, above all on how many that nobody marked. All unit "
        "sets come from the same export."
    )
    files = (File(contents.choices(each.members).file) for each in view.layers)
    found = [each for layer in view.layers for each in layer.unit_sets]
    blocks = (
        paragraph(lead, *files),
        paragraph(_only(found[0].unit_set)) if len(found) == 1 else TableBlock(_sets(view)),
        *_reasons(found),
        *(_details(view, layer) for layer in view.layers),
    )
    return Section("choices", _("What counts as a unit, and why"), blocks, short=_("What counts as a unit"))


def _only(unit_set: UnitSet) -> Text:
    """Return what counts in the only unit set, instead of a table of one row."""
    return phrase(
        "One unit set, {unit_set}: {what}, {units} in all, {compared} rated by two or more annotators.",
        unit_set=Strong(unit_set.id),
        what=contents.what_counts(unit_set),
        units=numbers.counted_in(unit_set.units, unit_set.noun),
        compared=count(unit_set.units_compared),
    )


def _sets(view: ReportView) -> ReportTable:
    """Return each unit set with what counts, how many there are, and the primary coefficient."""
    results, several = view.results, len(view.layers) > 1
    names = {figure_name(results, results.coefficients[layer.id]) for layer in view.layers}
    value = names.pop() if len(names) == 1 else _("Primary coefficient")
    heading = say("{figure} [95% interval]", figure=value)
    name = f"unit-sets{contents.suffix(view.layers[0].members)}" if view.only else "unit-sets"

    def named(unit_set: UnitSet) -> str:
        if several or not unit_set.primary:
            return unit_set.id
        return say("{unit_set} (primary)", unit_set=unit_set.id)

    return table_of(
        name,
        "",
        [each for layer in view.layers for each in layer.members],
        ("layer", _("Layer"), "text", lambda each: each.layer) if several else None,
        ("unit_set", _("Unit set"), "text", named),
        ("kind", _("What counts"), "text", contents.what_counts),
        ("units", _("Units"), "count", lambda each: each.units_compared),
        ("value", heading, "estimate", lambda each: each.measures.get(results.coefficients[each.layer])),
    )


def _reasons(found: Sequence[UnitSetView]) -> Iterator[Block]:
    """Yield each reason once, below the unit sets that it is for."""
    layers = len({each.unit_set.layer for each in found})
    sets: dict[str, list[UnitSetView]] = {}
    for each in found:
        sets.setdefault(each.unit_set.why.strip(), []).append(each)
    for why, own in sets.items():
        names = [each.unit_set.id if layers == 1 else each.slug for each in own]
        if why:
            primary = _("primary") if any(each.unit_set.primary for each in own) and len(found) > 1 else ""
            yield Section(f"unit-set-{own[0].slug}", language.names(names), (ReasonBlock(why),), tag=primary)
        else:
            told = language.names(names)
            missing = say("No reason is given in campaign.toml: {unit_sets}.", unit_sets=told)
            yield ReasonBlock(missing, missing=True)


def _details(view: ReportView, layer: LayerView) -> Details:
    """Return what each unit set leaves out, and the confusion matrices of those beside the primary."""
    blocks: list[Block] = [TableBlock(contents.choices_shown(layer.members))]
    for each in layer.unit_sets:
        said = " ".join(remarks(each.unit_set))
        matrix = each.matrix_shown if each.pair and each is not layer.primary else None
        name = Strong(each.unit_set.id)
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
        yield _candidates(unit_set.candidates)
        yield (
            _("Marked stretches outside them are units too.")
            if unit_set.candidates.keep_marked
            else _("Marks outside them are left out.")
        )
    if unit_set.boundary is not None:
        yield say_many(
            "Boundary cases: {count} of the {marks} marks begins or ends inside a token, and counts for the "
            "whole of it.",
            "Boundary cases: {count} of the {marks} marks begin or end inside a token, and count for the "
            "whole of it.",
            unit_set.boundary,
            marks=count(unit_set.marks.used),
        )
    if unit_set.units_left_out:
        yield from _left_out(unit_set)
    # The size of the non-annotated category was a choice, but ratings of many are missing.
    some = any(PAIR <= int(each) < len(unit_set.annotators) for each in unit_set.units_by_annotators)
    if unit_set.non_annotated is not None and unit_set.size_curve is None and some:
        yield _(
            "What other sizes would make of the coefficients is not shown: not everybody rated every unit "
            "compared, and who would rate a further one is not known."
        )


def _candidates(found: Candidates) -> str:
    if not found.file:
        return say("Candidates are the marks of {layer} by any annotator.", layer=found.layer)
    return say_many(
        "Candidates are the occurrences of the {count} term in {file}.",
        "Candidates are the occurrences of the {count} terms in {file}.",
        found.terms or 0,
        file=found.file,
    )


def _left_out(unit_set: UnitSet) -> Iterator[str]:
    reasons = (
        say("{count} ({reason})", count=count(units), reason=numbers.message(reason, {}))
        for reason, units in unit_set.units_left_out.items()
    )
    yield say_many(
        "Left out of the export's {count} unit: {reasons}.",
        "Left out of the export's {count} units: {reasons}.",
        unit_set.units_read,
        reasons=_("; ").join(reasons),
    )
    if unit_set.units_added:
        yield say_many(
            "Added: {count} unit that nobody marked.",
            "Added: {count} units that nobody marked.",
            unit_set.units_added,
        )


# What the number of units that nobody marked makes of each coefficient.


def size_curve(view: ReportView) -> Section | None:
    """Return coefficients against the size of the non-annotated category; None where that was no choice."""
    if not view.layers[0].sizes:
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
        (paragraph(lead), *by_layer(view, _sizes, [each for each in view.layers if each.sizes])),
        short=size,
    )


def _sizes(layer: LayerView) -> Iterator[Block]:
    if layer.curve_figure:
        caption = _("Vertical lines are the sizes of the unit sets.")
        explore = (RawBlock(slider(layer.explore)),) if layer.explore else ()
        yield Beside((FigureBlock(layer.curve_figure, caption), *explore))
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
        several = len(layer.primary.unit_set.annotators) > PAIR
        pooled = _("Both are of all pairs of annotators, their counts added up.") if several else ""
        yield remark(why, pooled, File(limits.file))
    curves = ((each.id, uncertainty.size_curve_rows(layer.results, each)) for each in layer.members)
    if files := [File(table.file, name) for name, table in curves if table]:
        said = phrase("The whole curve as CSV: {files}", files=commas(files))
        yield remark((*said, "."), elsewhere=True)


def slider(found: Explore) -> str:
    """Return the slider that moves coefficients along their curve. Without scripts it is not shown."""
    name, habits = f"explore-{found.figure}", language.habits()
    data = {
        "explore": found.figure,
        "sizes": f"{found.first} {found.last}",
        "marked": found.marked,
        "axes": " ".join(found.axes),
        "signs": f"{habits.decimal}{habits.group}",
        "other": _("{units} units"),
        "first": _("{units} units: only those that somebody marked"),
        "limit": _("Without bound: the limit"),
        "own": _("{units} units: the size of {names}"),
    }
    options = Markup().join(
        Markup('<option value="{}" label="{}" data-size="{}"></option>').format(
            each.step, each.names, each.size
        )
        for each in found.stops
    )
    return Markup(
        '<div class="explore on-screen" hidden{data}>\n<p><label for="{name}">{move}</label> '
        '<input type="range" '
        'id="{name}" min="0" max="{most}" value="{start}" list="{name}-sizes"> '
        '<input type="number" min="{first}" '
        'step="1" aria-label="{number}"></p>\n<datalist id="{name}-sizes">{options}</datalist>\n'
        '<output for="{name}"><span></span>{moved}</output>\n</div>\n'
    ).format(
        data=Markup().join(Markup(' data-{}="{}"').format(key, value) for key, value in data.items()),
        name=name,
        move=_("Move the number of units"),
        most=found.steps + 1,
        start=found.start.step,
        first=found.first,
        number=_("Number of units"),
        options=options,
        moved=Markup().join(_moved(found, each) for each in found.moved),
    )


def _moved(found: Explore, figure: str) -> Markup:
    """Return where the script writes a figure, with what it computes it from."""
    limit = found.limits[figure]
    bound = Markup(' data-limit="{}"').format(limit) if limit is not None else ""
    return Markup(
        ' <span data-moved="{} {}" data-quotient="{}"{}><i class="symbol">{}</i> <b></b></span>'
    ).format(figure, found.series[figure], found.quotients[figure], bound, found.moved[figure])
