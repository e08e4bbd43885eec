"""When annotators labelled, how long it took, and how agreement went day by day."""

from collections.abc import Iterator

from reportgen.annotators.over_time import LEAST_DOCUMENTS, LEAST_UNITS
from reportgen.figures.over_time import of_time
from reportgen.report.blocks import (
    Block,
    Details,
    FigureBlock,
    File,
    FilesBlock,
    Items,
    TableBlock,
    as_section,
    paragraph,
    remark,
)
from reportgen.report.tables import ReportTable, of_layer, some_of, table_if, table_of
from reportgen.report.view import ReportView, named
from reportgen.results import Results
from reportgen.results.times import LayerTimes, PaidFor, Times
from reportgen.words import numbers
from reportgen.words.language import N_, _, date, say, say_either, say_many
from reportgen.words.names import figure_name
from reportgen.words.numbers import count, decimal, figure, pointed


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
    table = by_period(view.results, layer)
    yield FilesBlock(lambda: (table,))
    how = say(
        "A stretch is made of whole days (UTC), joined until {units} units of {documents} documents were "
        "finished in it; where that makes too many stretches, twice as many, and so on. What is too little "
        "at the end belongs to the last. A unit is finished with its last label.",
        units=count(LEAST_UNITS),
        documents=count(LEAST_DOCUMENTS),
    )
    yield remark(how, File(table.file))


def by_period(results: Results, layer: LayerTimes) -> ReportTable:
    """Return agreement in each stretch of the calendar, and by all labels until its end."""
    finished = say_either(layer.by_document, "{Documents|Units} finished")
    return table_of(
        of_layer("progress", layer.layer),
        say(
            "{figure} in each stretch, and by all labels until its end.",
            figure=figure_name(results, layer.coefficient),
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
