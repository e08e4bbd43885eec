"""When annotators labelled and how long it took: seconds, who is fast, and where the work is."""

from collections.abc import Iterator

from reportgen.report.blocks import Block, Details, File, Link, Section, TableBlock, paragraph, remark
from reportgen.report.sections.progress_section import PROGRESS, over_time, so_far
from reportgen.report.tables import ReportTable, of_layer, table_if
from reportgen.report.view import ReportView, named
from reportgen.results import Results
from reportgen.results.times import Cost, LayerTimes, PaidFor, Times
from reportgen.words.language import N_, _, date, say, say_many
from reportgen.words.numbers import count, decimal, figure, pointed


def times(view: ReportView, *, whole: bool = False) -> Section | None:
    """Return when labels were given and how long that took; None where no export says so.

    `whole`: with all that the page of progress has.
    """
    found = view.results.times
    if found is None:
        return None
    blocks: list[Block] = [paragraph(_how_long(found))] if found.minutes is not None else []
    if cost := _cost(view.results, found):
        blocks.append(paragraph(cost))
    for layer in found.layers:
        blocks += named(view, layer.layer, _of_layer(view, layer, whole=whole))
    return Section("times", _("When, and how long"), tuple(blocks), short=_("Times"))


def _how_long(found: Times) -> str:
    """Return how long all of it took, and what of it are pauses."""
    took = say("Labelling took {hours} hours in all.", hours=decimal((found.minutes or 0.0) / 60))
    if not found.pauses:
        return took
    return f"{took} " + say_many(
        "{pauses} time is longer than ten times the annotator’s median: it counts as the median, since "
        "somebody was away ({recorded} hours with it).",
        "{pauses} times are longer than ten times the annotator’s median: each counts as the median, since "
        "somebody was away ({recorded} hours with them).",
        found.pauses,
        pauses=count(found.pauses),
        recorded=decimal((found.recorded or 0.0) / 60),
    )


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
        say_many("{count} document", "{count} documents", cost.labels)
        if by_document
        else say_many("{count} label", "{count} labels", cost.labels)
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
        crowd = say(
            "Shown are {shown} of {all} annotators, the surest to be fast.",
            shown=count(len(layer.annotators)),
            all=count(layer.annotators_in_all),
        )
        yield remark(
            fast if any(pace.compared for pace in layer.annotators) else None,
            crowd if layer.annotators_in_all > len(layer.annotators) else None,
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
        yield say(
            N_("{dated} of {all} documents have a date: {first} to {last} (UTC), {days}.")
            if layer.by_document
            else N_("{dated} of {all} labels have a date: {first} to {last} (UTC), {days}."),
            dated=count(layer.dated),
            all=count(layer.ratings),
            first=date(layer.first),
            last=date(layer.last),
            days=say_many("{count} day with work", "{count} days with work", layer.days or 0),
        )
    if layer.timed:
        yield say(
            N_("Of {timed} it is known how long they took.")
            if layer.dated
            else N_("Of {timed} labels or documents it is known how long they took."),
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
