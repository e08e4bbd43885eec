"""What was decided, who does well, what is hard; when annotators labelled and how long it took."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from reportgen.figures.annotator_plots import of_causes, of_time
from reportgen.report import quality_tables as tables
from reportgen.report.blocks import (
    Block,
    Details,
    FigureBlock,
    File,
    FilesBlock,
    Items,
    Link,
    Section,
    SectionPage,
    Strong,
    TableBlock,
    Text,
    as_section,
    paragraph,
    phrase,
    phrase_many,
    remark,
)
from reportgen.report.tables import ReportTable, as_declared, of_layer, some_of, table_if, table_of
from reportgen.report.view import OF_QUALITY, ReportView, named
from reportgen.results import Adjudication, Results
from reportgen.results.annotators import (
    LEAST_DOCUMENTS,
    LEAST_UNITS,
    Controls,
    DawidSkene,
    Difficulty,
    LayerTimes,
    PaidFor,
    Quality,
    Times,
)
from reportgen.words import language, numbers
from reportgen.words.language import N_, _, date, names, one_of, say, say_either, say_many
from reportgen.words.names import cause_in_words, figure_name
from reportgen.words.numbers import count, counted, decimal, figure, pointed

QUALITY = "quality/index.html"
# More annotators are drawn on the page of quality alone.
MOST_DRAWN = 12


# Adjudication


@as_section("adjudication", N_("Adjudication"))
def adjudication(view: ReportView) -> Iterator[Block]:
    """Yield what was decided of the disagreements and why there were any; nothing where there are none."""
    adjudications = view.adjudications
    untouched = [layer for layer in adjudications if not layer.filled]
    people = any(len(view.results.primary_of(layer.layer).annotators) > 1 for layer in untouched)
    # Where there are no two annotators, what is open is between a reference, or a person, and another one.
    of_two = not people and any(layer.open for layer in untouched)
    if untouched:
        yield paragraph(_undecided(untouched, of_two=of_two))
    for layer in adjudications:
        if layer.filled:
            yield from named(view, layer.layer, _decided(view, layer))


def _link_to_sheet() -> Link:
    return Link(_("the adjudication sheet"), f"{language.edition().data}tables/adjudication.csv")


def _undecided(adjudications: Sequence[Adjudication], *, of_two: bool) -> Text:
    """Return on how many units people differ, of layers in which nothing is decided."""
    number, sheet = sum(layer.open for layer in adjudications), _link_to_sheet()
    if of_two:
        return phrase_many(
            "The two who are compared differ on {count} {unit|units}; nothing is decided yet. To decide, "
            "fill in {sheet} (tables/adjudication.csv), name it under adjudication in campaign.toml, and "
            "build the report again.",
            number,
            sheet=sheet,
        )
    return phrase_many(
        "Annotators differ on {count} {unit|units}; nothing is decided yet. To decide, fill in {sheet} "
        "(tables/adjudication.csv), name it under adjudication in campaign.toml, and build the report again.",
        number,
        sheet=sheet,
    )


def _decided(view: ReportView, adjudication: Adjudication) -> Iterator[Block]:
    # The category of the layer's unmarked units, over which all missed marks are disagreements.
    sets = (unit_set for unit_set in view.results.unit_sets if unit_set.layer == adjudication.layer)
    unmarked = next((unit_set.non_annotated for unit_set in sets if unit_set.non_annotated), None)
    if first := tables.commonest(adjudication, unmarked):
        rule = say_many(
            "of the disagreements over {category}, {count} {has|have} the cause “{cause}”; of all that "
            "guidelines can prevent, nothing is more frequent.",
            first.times,
            category=first.category,
            cause=cause_in_words(first.cause),
        )
        yield paragraph(Strong(_("What the guidelines should say first:")), rule)
    done = phrase(
        "Decided: {decided}; open: {open}; all of two or more annotators agree on {agreed}.",
        decided=Strong(count(adjudication.decided or 0)),
        open=count(adjudication.open),
        agreed=count(adjudication.agreed or 0),
    )
    remaining = phrase("The open ones are listed in {sheet}.", sheet=_link_to_sheet())
    yield paragraph(done, remaining if adjudication.open and adjudication.listed else None)
    name = of_layer("causes", adjudication.layer)
    if drawing := view.drawn(name, lambda: of_causes(adjudication)):
        yield FigureBlock(drawing, _("Units by the cause of disagreement that adjudication noted."))
    for most in (tables.missing_rules(adjudication), tables.outcomes(adjudication)):
        if most:
            whole = len(most.rows) <= SHOWN_OUTCOMES
            yield TableBlock(most if whole else replace(most, rows=most.rows[:SHOWN_OUTCOMES]))
            yield remark(File(most.file))
    # Who was right less often than the others, as findings have it, or that a test shows nobody.
    own = [finding for finding in view.results.findings if finding.repeated == "adjudication"]
    named_here = [finding for finding in own if finding.values.get("layer") == adjudication.layer]
    if named_here:
        yield paragraph(*(numbers.message(finding.claim, finding.values) for finding in named_here))
    elif any(decided.p is not None for decided in (adjudication.annotators or {}).values()):
        yield paragraph(
            _("Of the decided units, a test shows nobody to have been right less often than the others.")
        )
    folded: list[Block] = []
    for table in filter(None, (tables.causes(adjudication), tables.against_decisions(adjudication))):
        folded += (TableBlock(table), remark(File(table.file)))
    if adjudication.decided:
        says = _(
            "The decisions are the reference “adjudicated”. It is made from the annotators’ own marks: what "
            "compares them with it says who made the slips, not how good they are."
        )
        folded.append(remark(says))
    if folded:
        yield Details(_("Causes by category, and annotators against the decisions"), tuple(folded))


# More disputes than these are in the CSV.
SHOWN_OUTCOMES = 10


# Quality, in short on the report's page and in full on its own


@as_section("quality", N_("Quality of annotators and items"), N_("Quality"))
def quality(view: ReportView, *, whole: bool = False) -> Iterator[Block]:
    """Yield who does well and what is hard, in short; `whole`: in full, where no page is beside it."""
    if qualities := view.quality:
        yield paragraph(_lead())
        yield from _folded(view, qualities) if whole else _in_short(view, qualities)
        yield FilesBlock(
            drawings=lambda: (view.quality_figure(kind, layer) for layer in qualities for kind in OF_QUALITY)
        )


def _lead() -> str:
    return _(
        "The figures in this section do not measure agreement. They show who does well and which "
        "units are hard, in the primary unit set of each layer. They need the labels of single units, "
        "not counts."
    )


def _in_short(view: ReportView, qualities: Sequence[Quality]) -> Iterator[Block]:
    several_layers = len(view.layers) > 1
    for layer in qualities:
        if layer.controls:
            where = say("Layer {layer}: ", layer=layer.layer).rstrip() if several_layers else ""
            yield paragraph(where, *_controls(layer.controls))
    hard = [layer for layer in qualities if layer.difficulty]
    if len(hard) > 1:
        yield TableBlock(tables.difficulty_by_layer(hard))
    elif hard and hard[0].difficulty:
        yield paragraph(_difficulty(hard[0].difficulty))
    if not several_layers:
        yield from _figures_of_annotators(view, qualities[0], most=MOST_DRAWN)
        yield from _who_differs(view, qualities[0])
    yield paragraph(Link(_("Everything on the quality of annotators and items"), QUALITY))


def _figures_of_annotators(view: ReportView, layer: Quality, most: int | None = None) -> Iterator[Block]:
    """Yield annotators beside the others drawn, a crowd as a histogram; with `most`, one figure of both."""
    if many := view.quality_figure("agreement-of-annotators", layer):
        caption = (
            _("Annotators by the strict F of their marks with those of others.")
            if layer.compared_by
            else _("Annotators by the share of their labels that another gave too.")
        )
        yield FigureBlock(many, caption)
    if most and (many or len(layer.annotators) > most):
        return
    if drawing := view.quality_figure("annotators", layer):
        caption = say_either(
            layer.compared_by,
            "{Strict F|Labels shared} with the others, with 95% intervals, and {that|those} of the others "
            "among themselves.",
        )
        yield FigureBlock(drawing, caption)


def _who_differs(view: ReportView, layer: Quality) -> Iterator[Block]:
    if everybody := tables.beside_others(view.results, layer):
        first = tables.first_rows(everybody)
        note = _(
            "Where the difference is negative, the annotator agrees less with the others than they do with "
            "each other."
        )
        most = say_many("The {annotator|{count} annotators} who {differs|differ} most", len(first.rows))
        yield Details(most, (TableBlock(first), remark(note)))


def quality_page(view: ReportView) -> SectionPage | None:
    """Return the page that has all of the quality of annotators and items."""
    if not view.quality:
        return None
    said: set[str] = set()
    own = [(layer.layer, tuple(_in_full(view, layer, said))) for layer in view.quality]
    blocks: tuple[Block, ...] = own[0][1]
    if len(view.layers) > 1:
        blocks = tuple(
            Section(f"layer-{number}", say("Layer {layer}", layer=layer), parts)
            for number, (layer, parts) in enumerate(own, 1)
        )
    parent = Link(_("Quality"), "index.html#quality")
    return SectionPage(_("Quality of annotators and items"), blocks, _lead(), parent)


def _folded(view: ReportView, qualities: Sequence[Quality]) -> Iterator[Block]:
    said: set[str] = set()
    for layer in qualities:
        parts = tuple(_in_full(view, layer, said, drawn=False))
        if len(view.layers) > 1:
            yield Details(say("Quality in layer {layer}", layer=layer.layer), parts)
        else:
            yield from (Details(part.title, part.blocks) for part in parts)


def _in_full(view: ReportView, layer: Quality, said: set[str], *, drawn: bool = True) -> Iterator[Section]:
    """Yield the parts of a layer's quality; what a figure means is said where `said` does not have it yet."""
    parts = (
        ("controls", _("Control items"), _of_controls(view, layer)),
        ("annotators", _("Who disagrees with everyone"), _of_annotators(view, layer, said, drawn=drawn)),
        ("drift", _("Drift"), _of_drift(view, layer, said, drawn=drawn)),
        ("errors", _("Errors of annotators, estimated by a model"), _of_errors(layer, said)),
        ("difficulty", _("How hard the units are"), _of_difficulty(view, layer)),
        ("intra", _("Intra-annotator agreement"), _of_second_passes(view, layer)),
    )
    for name, title, blocks in parts:
        if own := tuple(blocks):
            yield Section("" if len(view.layers) > 1 else f"quality-{name}", title, own)


def _once(said: set[str], text: str) -> str:
    """Return what is said once on a page, empty where it has been."""
    if text in said:
        return ""
    said.add(text)
    return text


def _of_controls(view: ReportView, layer: Quality) -> Iterator[Block]:
    controls = layer.controls
    if controls is None:
        return
    yield paragraph(*_controls(controls))
    if everybody := tables.control_items(layer):
        yield TableBlock(everybody)
        shown, every = len(controls.annotators), controls.annotators_in_all
        if shown < every:
            worst = say("Shown are the {shown} worst of {all}.", shown=count(shown), all=count(every))
            yield remark(worst, File(everybody.file))
    if agreement := tables.without_rejected(view.results, layer):
        yield TableBlock(agreement)


def _controls(controls: Controls) -> Iterator[str]:
    yield say_many(
        "{count} {unit is a|units are} control {item|items}, whose right label is known. {It is|They are} "
        "left out of every figure of agreement.",
        controls.items,
    )
    if controls.reject_below is not None:
        yield say(
            one_of(
                controls.rejected,
                "Rejected are annotators who labelled at least {minimum} of them, and whose accuracy has an "
                "interval that ends below {below}: {{names}. Their marks count in no other figure on this "
                "page, those against references and systems included, and are listed among those left out"
                "|nobody}.",
            ),
            minimum=count(controls.minimum),
            below=as_declared(controls.reject_below),
            names=names(controls.rejected),
        )
    if controls.absent:
        yield say_many(
            "{count} further {item of the file is not a unit|items of the file are not units} of this "
            "version’s export.",
            controls.absent,
        )


def _of_annotators(view: ReportView, layer: Quality, said: set[str], *, drawn: bool) -> Iterator[Block]:
    everybody = tables.beside_others(view.results, layer)
    if everybody is None:
        return
    what = (
        _(
            "Strict F between each annotator's marks and those of the others, over all pairs together "
            "and, beside it, strict F among those others in the same documents. Where the difference "
            "is negative, the annotator agrees less with the others than they do with each other. p "
            "values are two-sided and by document; those of Holm (1979) take into account that "
            "everybody is tested."
        )
        if layer.compared_by
        else _(
            "How often each annotator gives the label of another on the same unit; beside it, how often "
            "these others do so among themselves there. Where the difference is negative, the annotator "
            "agrees less with the others than they do with each other. p values are two-sided; those of "
            "Holm (1979) take into account that everybody is tested."
        )
    )
    message = N_(
        "Shown are {shown} of {all} annotators: those whom a test singles out, then those who most "
        "clearly agree less."
    )
    some = some_of(message, len(layer.annotators), layer.annotators_in_all)
    yield paragraph(_once(said, what), *some, File(everybody.file))
    if drawn:
        yield from _figures_of_annotators(view, layer)
    yield TableBlock(everybody)


def _of_drift(view: ReportView, layer: Quality, said: set[str], *, drawn: bool) -> Iterator[Block]:
    blocks = tables.by_blocks(layer)
    if blocks is None:
        return
    what = say_either(
        layer.in_time,
        "How often each gave the label of another as the work went on, in the order of {each annotator’s own "
        "times|the export: when each unit was labelled is not known}. The change is that of a straight line "
        "from the first to the last, less that of the others among themselves where three or more rated a "
        "unit: hard material late in the order is not drift. Its interval is a jackknife.",
    )
    yield paragraph(_once(said, what), File(blocks.file))
    if drawn and (drawing := view.quality_figure("drift", layer)):
        caption = _("Agreement of each annotator with the others, from the first to the last.")
        yield FigureBlock(drawing, caption)
    yield TableBlock(blocks)


def _of_errors(layer: Quality, said: set[str]) -> Iterator[Block]:
    model, accuracy = layer.dawid_skene, tables.modelled_accuracy(layer)
    if accuracy is None:
        if model.undefined:
            why = numbers.message(model.undefined, {})
            yield remark(say("The results of Dawid and Skene's model are not shown: {reason}.", reason=why))
        return
    what = _(
        "The model of Dawid and Skene (1979) takes each unit to have one true category, and "
        "annotators to err independently of each other, each in their own way. From everybody's "
        "labels, it estimates the true categories and the errors at the same time. Where annotators "
        "share an error, the model takes it for the truth."
    )
    every = phrase("Every estimate: {file}", file=File(f"dawid-skene.{layer.layer}.csv"))
    yield paragraph(_once(said, what), *_about_fit(model), *_without(layer), every)
    yield TableBlock(accuracy)


def _about_fit(model: DawidSkene) -> Iterator[str]:
    yield say("It was fitted to {units}.", units=counted(model.units or 0, "unit", "units"))
    if model.known:
        yield say(
            "The labels of {known} are taken as known.",
            known=counted(model.known, "control item", "control items"),
        )
    yield say(
        N_("Starting from the shares of labels, it converged after {times}.")
        if model.converged
        else N_("It was stopped after {times} without having settled."),
        times=counted(model.iterations or 0, "iteration", "iterations"),
    )
    message = N_(
        "Shown are {shown} of {all} annotators: those near or below chance, then those of least accuracy."
    )
    yield from some_of(message, len(model.annotators), model.annotators_in_all)


def _without(layer: Quality) -> Iterator[str]:
    """Yield how many annotators the model is without, whose errors nothing tells."""
    if without := layer.annotators_in_all - layer.dawid_skene.annotators_in_all:
        yield say_many(
            "It leaves out {number} {annotator|annotators}: too few of their units have labels of three "
            "people, and where two differ, nothing shows which of them is wrong.",
            without,
            number=count(without),
        )


def _difficulty(difficulty: Difficulty) -> str:
    return say_many(
        "Of {units} {unit|units} that two or more annotators rated, {differing} {has|have} different labels; "
        "the mean disagreement is {disagreement}, the mean entropy {entropy} bits.",
        difficulty.units,
        units=count(difficulty.units),
        differing=count(difficulty.differing),
        disagreement=figure(difficulty.disagreement),
        entropy=figure(difficulty.entropy),
    )


def _of_difficulty(view: ReportView, layer: Quality) -> Iterator[Block]:
    if layer.difficulty is None:
        return
    yield paragraph(_difficulty(layer.difficulty))
    if hardest := tables.hardest(layer, view.listed(layer)):
        every, rows = len(hardest.rows), hardest.rows[: tables.MOST_HARD]
        shown = tuple((row[0] or numbers.NONE, *row[1:]) for row in rows)
        yield TableBlock(replace(hardest, rows=shown, links=hardest.links[: tables.MOST_HARD]))
        more = say("{count} of them:", count=count(every)) if every > len(shown) else ""
        yield remark(more, File(hardest.file))
    yield FilesBlock(lambda: (hardest,))


def _of_second_passes(view: ReportView, layer: Quality) -> Iterator[Block]:
    table = tables.second_passes(view.results, layer)
    if table is None:
        return
    what = _(
        "What annotators said of the same units a second time. Only first labels count in agreement between "
        "annotators."
    )
    yield paragraph(what, File(table.file))
    yield TableBlock(table)


@as_section("times", N_("When, and how long"), N_("Times"))
def times(view: ReportView) -> Iterator[Block]:
    """Yield when labels were given and how long that took; nothing where no export says so."""
    found = view.results.times
    # A page of one layer has the times of that one, and results of no other.
    layers = view.of_layers(found.layers) if found else []
    if found is None or not layers:
        return
    if found.minutes is not None:
        took = say("Labelling took {hours} hours in all.", hours=decimal(found.minutes / 60))
        away = say_many(
            "{pauses} {time is|times are} longer than ten times the annotator’s median: {it|each} counts as "
            "the median, since somebody was away ({recorded} hours with {it|them}).",
            found.pauses or 0,
            pauses=count(found.pauses or 0),
            recorded=decimal((found.recorded or 0.0) / 60),
        )
        yield paragraph(took, away if found.pauses else "")
    if cost := _cost(view.results, found):
        yield paragraph(cost)
    for layer in layers:
        yield from named(view, layer.layer, _of_layer(view, layer))


PAID: dict[PaidFor, str] = {
    "hour": N_(
        "At {amount} {currency} an hour that cost {total} {currency} for {labels}, {each} {currency} each."
    ),
    "minute": N_(
        "At {amount} {currency} a minute that cost {total} {currency} for {labels}, {each} {currency} each."
    ),
    "label": N_("At {amount} {currency} a label that cost {total} {currency} for {labels}."),
    "document": N_("At {amount} {currency} a document that cost {total} {currency} for {labels}."),
}


def _cost(results: Results, found: Times) -> str:
    """Return what labelling cost, by the times and the pay; empty where nobody asks for either."""
    per, cost = results.campaign.protocol.get("pay_per"), found.cost
    if found.minutes is None or not per:
        return ""
    if cost is None:
        return say(
            "What that cost does not follow from pay per {per}: it would from pay per hour or minute, or per "
            "what was timed.",
            per=str(per),
        )
    by_document = found.layers[0].by_document
    labels = (
        say_many("{count} {document|documents}", cost.labels)
        if by_document
        else say_many("{count} {label|labels}", cost.labels)
    )
    shown = say(
        PAID[cost.per],
        amount=pointed(f"{cost.amount:g}"),
        currency=cost.currency,
        total=decimal(cost.total),
        each=figure(cost.each),
        labels=labels,
    )
    if cost.per in {"hour", "minute"}:
        return " ".join((shown, _("It is for what has a time, a pause counting as the median.")))
    hourly = decimal(cost.hourly)
    return f"{shown} " + say(
        "By the times that is {hourly} {currency} an hour.", hourly=hourly, currency=cost.currency
    )


def _of_layer(view: ReportView, layer: LayerTimes) -> Iterator[Block]:
    yield paragraph(*_known(layer))
    if people := by_annotator(layer):
        yield TableBlock(people)
        message = N_("Shown are {shown} of {all} annotators, the fastest.")
        yield remark(*some_of(message, len(layer.annotators), layer.annotators_in_all), File(people.file))
    if layer.periods:
        yield Details(_("Agreement day by day"), tuple(over_time(view, layer)))


def _known(layer: LayerTimes) -> Iterator[str]:
    """Yield of how many labels it is known when they were given, and how long they took."""
    if layer.dated and layer.first and layer.last:
        yield say_either(
            layer.by_document,
            "{dated} of {all} {documents|labels} have a date: {first} to {last} (UTC), {days}.",
            dated=count(layer.dated),
            all=count(layer.ratings),
            first=date(layer.first),
            last=date(layer.last),
            days=say_many("{count} {day|days} with work", layer.days or 0),
        )
    if layer.timed:
        yield say_either(
            layer.dated,
            "Of {timed}{| labels or documents} it is known how long they took.",
            timed=count(layer.timed),
        )


def by_annotator(layer: LayerTimes) -> ReportTable | None:
    """Return how many seconds each annotator takes; None where nothing says so."""
    what = _("Seconds for a document.") if layer.by_document else _("Seconds for a label.")
    return table_if(
        of_layer("seconds", layer.layer),
        " ".join((what, _("The median, and the quartiles."))),
        layer.annotators,
        ("annotator", _("Annotator"), "text", lambda pace: pace.annotator),
        ("times", _("Times"), "count", lambda pace: pace.seconds.times),
        ("median", _("Median"), "decimal", lambda pace: pace.seconds.median),
        ("low", _("Lower quartile"), "decimal", lambda pace: pace.seconds.low),
        ("high", _("Upper quartile"), "decimal", lambda pace: pace.seconds.high),
        file=f"seconds.{layer.layer}.csv",
        what="How long each annotator takes.",
    )


def over_time(view: ReportView, layer: LayerTimes) -> Iterator[Block]:
    """Yield what is known of a layer over the calendar: drawn, and in a table for the CSV."""
    if drawing := view.drawn(of_layer("progress", layer.layer), lambda: of_time(view.results, layer)):
        caption = _(
            "Above, agreement on what was finished in each stretch, with 95% intervals; below, what had "
            "labels at its end. Intervals that overlap widely show no change."
        )
        yield FigureBlock(drawing, caption)
    drifting = tuple(
        numbers.message(finding.claim, finding.values)
        for finding in view.results.findings
        if finding.repeated == "progress" and finding.values.get("names_layer", layer.layer) == layer.layer
    )
    if drifting:
        yield Items(drifting)
    # Agreement in each stretch of the calendar, and by all labels until its end.
    finished = say_either(layer.by_document, "{Documents|Units} finished")
    table = table_of(
        of_layer("progress", layer.layer),
        say(
            "{figure} in each stretch, and by all labels until its end.",
            figure=figure_name(view.results, layer.coefficient),
        ),
        layer.periods,
        ("first", _("From"), "text", lambda row: row.first),
        ("last", _("To"), "text", lambda row: row.last),
        ("units", finished, "count", lambda row: row.units),
        ("figure", _("In the stretch"), "estimate", lambda row: row.figure),
        ("labelled", _("With a label by then"), "count", lambda row: row.labelled),
        ("doubled", _("With two labels"), "count", lambda row: row.doubled),
        ("so_far", _("So far"), "estimate", lambda row: row.so_far),
        file=f"progress.{layer.layer}.csv",
        what="Agreement in stretches of the calendar and by all labels so far, and how much had two labels.",
    )
    yield FilesBlock(lambda: (table,))
    how = say(
        "A stretch is made of whole days (UTC), joined until {units} units of {documents} documents were "
        "finished in it; where that makes too many stretches, twice as many, and so on. What is too little "
        "at the end belongs to the last. A unit is finished with its last label.",
        units=count(LEAST_UNITS),
        documents=count(LEAST_DOCUMENTS),
    )
    yield remark(how, File(table.file))
