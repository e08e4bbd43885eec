"""When annotators labelled, how long it took, who is fast, and how agreement went day by day."""

from collections.abc import Iterator

from reportgen.annotators.over_time import LEAST_DOCUMENTS, LEAST_UNITS
from reportgen.figures.over_time import of_time
from reportgen.report.blocks import (
    Block,
    Details,
    FigureBlock,
    File,
    Items,
    Link,
    Paragraph,
    SectionPage,
    Strong,
    TableBlock,
    as_section,
    paragraph,
    phrase,
    remark,
)
from reportgen.report.tables import ReportTable, of_layer, some_of, table_if, table_of
from reportgen.report.view import ReportView, named
from reportgen.results import Results
from reportgen.results.times import Cost, Forecast, LayerTimes, PaidFor, Times
from reportgen.words import numbers
from reportgen.words.language import N_, _, date, one_of, say, say_either, say_many
from reportgen.words.names import figure_inside, figure_name
from reportgen.words.numbers import count, decimal, estimate, figure, pointed, short


@as_section("times", N_("When, and how long"), N_("Times"))
def times(view: ReportView, *, whole: bool = False) -> Iterator[Block]:
    """Yield when labels were given and how long that took; nothing where no export says so.

    `whole`: with all that the page of progress has.
    """
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
        yield from named(view, layer.layer, _of_layer(view, layer, whole=whole))


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


def _of_layer(view: ReportView, layer: LayerTimes, *, whole: bool) -> Iterator[Block]:
    yield paragraph(*_known(layer))
    cost = view.results.times.cost if view.results.times else None
    people, categories = by_annotator(layer), by_category(layer, cost)
    if people:
        yield TableBlock(people)
        fast = _(
            "Fast are those that took less than a third of the median of two others or more who did the "
            "same. p tests whether most of an annotator’s are (sign test, by document where documents are "
            "known). Who is quick need not be careless."
        )
        message = N_("Shown are {shown} of {all} annotators, the surest to be fast.")
        yield remark(
            fast if any(pace.compared for pace in layer.annotators) else None,
            *some_of(message, len(layer.annotators), layer.annotators_in_all),
            File(people.file),
        )
    if categories:
        yield Details(_("By category"), (TableBlock(categories), remark(File(categories.file))))
    if layer.periods:
        if whole:
            yield Details(_("Progress"), tuple(over_time(view, layer)))
        else:
            yield so_far(view.results, layer)
            yield paragraph(Link(_("Agreement day by day"), PROGRESS), elsewhere=True)


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
    compared = any(pace.compared for pace in layer.annotators)
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
        ("compared", _("Beside two others"), "count", lambda pace: pace.compared) if compared else None,
        ("fast", _("Fast"), "count", lambda pace: pace.fast) if compared else None,
        ("p", "p", "p", lambda pace: pace.p) if compared else None,
        ("adjusted_p", _("p, Holm"), "p", lambda pace: pace.adjusted_p) if compared else None,
        file=f"seconds.{layer.layer}.csv",
        what="How long each annotator takes, and how often that is implausibly short.",
    )


def by_category(layer: LayerTimes, cost: Cost | None) -> ReportTable | None:
    """Return how many seconds a label of each category takes, and what all of it cost; None for no times."""
    return table_if(
        of_layer("seconds-by-category", layer.layer),
        _("Seconds for a label of each category."),
        layer.categories,
        ("category", _("Category"), "text", lambda row: row.category),
        ("times", _("Times"), "count", lambda row: row.seconds.times),
        ("median", _("Median"), "decimal", lambda row: row.seconds.median),
        ("low", _("Lower quartile"), "decimal", lambda row: row.seconds.low),
        ("high", _("Upper quartile"), "decimal", lambda row: row.seconds.high),
        ("minutes", _("Minutes"), "decimal", lambda row: row.minutes),
        ("cost", say("Cost in {currency}", currency=cost.currency), "decimal", lambda row: row.cost)
        if cost
        else None,
        file=f"seconds-by-category.{layer.layer}.csv",
        what="How long labels of each category take.",
    )


# Progress: agreement day by day, how much has two labels, where the pace leads, and who drifts.

PROGRESS = "progress/index.html"


def progress_page(view: ReportView) -> SectionPage | None:
    """Return the page of what was done by when; None where labels have no dates, or too few of them."""
    layers = view.results.times.layers if view.results.times else ()
    blocks = tuple(
        block
        for layer in layers
        if layer.periods
        for block in named(view, layer.layer, over_time(view, layer))
    )
    parent = Link(_("Times"), "index.html#times")
    return SectionPage(_("Progress"), blocks, parent=parent) if blocks else None


def over_time(view: ReportView, layer: LayerTimes) -> Iterator[Block]:
    """Yield what is known of a layer over the calendar: in a sentence, drawn, and as a table."""
    yield so_far(view.results, layer)
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
    yield TableBlock(table)
    how = say(
        "A stretch is made of whole days (UTC), joined until {units} units of {documents} documents were "
        "finished in it; where that makes too many stretches, twice as many, and so on. What is too little "
        "at the end belongs to the last. A unit is finished with its last label; the last column is by all "
        "labels that there were then.",
        units=count(LEAST_UNITS),
        documents=count(LEAST_DOCUMENTS),
    )
    yield remark(how, File(table.file))


def so_far(results: Results, layer: LayerTimes) -> Paragraph:
    """Return how much has two labels, how well they agree, and when that is known well enough."""
    last = layer.periods[-1]
    done = phrase(
        one_of(
            layer.by_document,
            "By {day}, after {days}, {doubled} of {labelled} {documents|units} have labels of two "
            "annotators; {figure} is {value}.",
        ),
        day=date(last.last),
        days=say_many("{count} {day|days} with work", layer.days or 0),
        doubled=count(last.doubled),
        labelled=count(last.labelled),
        figure=figure_inside(results, layer.coefficient),
        value=Strong(estimate(last.so_far)),
    )
    by_document = bool(results.primary_of(layer.layer).documents_compared)
    return paragraph(done, _when(layer.forecast, by_document=by_document) if layer.forecast else None)


# Why no day is given.
UNKNOWN = {
    "short": N_("When that is cannot be said yet: there are too few days with work."),
    "irregular": N_("When that is cannot be said: the pace is irregular."),
    "far": N_("When that is cannot be said: it is more than four times what was done."),
    "undated": N_("When that is cannot be said: too few labels have a date."),
}


def _when(forecast: Forecast, *, by_document: bool) -> str:
    """Return what it takes for a narrower interval, and when that is done at the pace so far."""
    takes = _takes(forecast, by_document=by_document)
    if forecast.undefined:
        return f"{takes} {_(UNKNOWN[forecast.undefined])}"
    at_pace = say(
        "At the pace so far that is on about {reached}; between {earliest} and {latest} at the pace of the "
        "fastest and of the slowest third of the time.",
        reached=date(forecast.reached or ""),
        earliest=date(forecast.earliest or ""),
        latest=date(forecast.latest or ""),
    )
    return f"{takes} {at_pace}"


def _takes(forecast: Forecast, *, by_document: bool) -> str:
    width = short(forecast.half_width)
    if forecast.demand is None and by_document:
        return say_many(
            "An interval of about ± {width} takes {count} more {document|documents} like these with two "
            "labels.",
            forecast.more,
            width=width,
        )
    if forecast.demand is None:
        return say_many(
            "An interval of about ± {width} takes {count} more {unit|units} like these with two labels.",
            forecast.more,
            width=width,
        )
    if forecast.demand == "low":
        asked = say(
            "[gate] asks for an interval that begins at {least} or above.", least=figure(forecast.least)
        )
    else:
        asked = say("[gate] asks for an interval of ± {width} or less.", width=figure(forecast.half_width))
    takes = (
        say_many(
            "If agreement stays as it is, that takes {count} more {document|documents} like these with two "
            "labels.",
            forecast.more,
        )
        if by_document
        else say_many(
            "If agreement stays as it is, that takes {count} more {unit|units} like these with two labels.",
            forecast.more,
        )
    )
    return f"{asked} {takes}"


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
