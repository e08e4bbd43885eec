"""Progress: agreement day by day, how much has two labels, where the pace leads, and who drifts."""

from collections.abc import Iterator

from reportgen.annotators.over_time import LEAST_DOCUMENTS, LEAST_UNITS
from reportgen.figures.over_time import of_time
from reportgen.report.blocks import (
    Block,
    FigureBlock,
    File,
    Items,
    Link,
    Paragraph,
    SectionPage,
    Strong,
    TableBlock,
    paragraph,
    phrase,
    remark,
)
from reportgen.report.tables import ReportTable, of_layer, table_of
from reportgen.report.view import ReportView, named
from reportgen.results import Results
from reportgen.results.times import Forecast, LayerTimes
from reportgen.words import numbers
from reportgen.words.language import N_, _, date, say, say_many
from reportgen.words.names import figure_inside, figure_name
from reportgen.words.numbers import count, estimate, figure, short

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
    if drifting := _drifting(view.results, layer.layer):
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
        N_(
            "By {day}, after {days}, {doubled} of {labelled} documents have labels of two annotators; "
            "{figure} is {value}."
        )
        if layer.by_document
        else N_(
            "By {day}, after {days}, {doubled} of {labelled} units have labels of two annotators; "
            "{figure} is {value}."
        ),
        day=date(last.last),
        days=say_many("{count} day with work", "{count} days with work", layer.days or 0),
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
    """Return what a target is, and how much more it takes."""
    width = short(forecast.half_width)
    if forecast.demand is None and by_document:
        return say_many(
            "An interval of about ± {width} takes {count} more document like these with two labels.",
            "An interval of about ± {width} takes {count} more documents like these with two labels.",
            forecast.more,
            width=width,
        )
    if forecast.demand is None:
        return say_many(
            "An interval of about ± {width} takes {count} more unit like these with two labels.",
            "An interval of about ± {width} takes {count} more units like these with two labels.",
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
            "If agreement stays as it is, that takes {count} more document like these with two labels.",
            "If agreement stays as it is, that takes {count} more documents like these with two labels.",
            forecast.more,
        )
        if by_document
        else say_many(
            "If agreement stays as it is, that takes {count} more unit like these with two labels.",
            "If agreement stays as it is, that takes {count} more units like these with two labels.",
            forecast.more,
        )
    )
    return f"{asked} {takes}"


def _drifting(results: Results, layer: str) -> tuple[str, ...]:
    """Return whose agreement with the others changes, as the findings have it."""
    return tuple(
        numbers.message(finding.claim, finding.values)
        for finding in results.findings
        if finding.repeated == "progress" and finding.values.get("names_layer", layer) == layer
    )


def by_period(results: Results, layer: LayerTimes) -> ReportTable:
    """Return agreement in each stretch of the calendar, and by all labels until its end."""
    return table_of(
        of_layer("progress", layer.layer),
        say(
            "{figure} in each stretch, and by all labels until its end.",
            figure=figure_name(results, layer.coefficient),
        ),
        layer.periods,
        ("first", _("From"), "text", lambda row: row.first),
        ("last", _("To"), "text", lambda row: row.last),
        (
            "units",
            _("Documents finished") if layer.by_document else _("Units finished"),
            "count",
            lambda row: row.units,
        ),
        ("figure", _("In the stretch"), "estimate", lambda row: row.figure),
        ("labelled", _("With a label by then"), "count", lambda row: row.labelled),
        ("doubled", _("With two labels"), "count", lambda row: row.doubled),
        ("so_far", _("So far"), "estimate", lambda row: row.so_far),
        file=f"progress.{layer.layer}.csv",
        what="Agreement in stretches of the calendar and by all labels so far, and how much had two labels.",
    )
