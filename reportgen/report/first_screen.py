"""The chart that answers the question of a report that is not about single labels of annotators."""

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

from markupsafe import Markup

from reportgen.figures.intervals import span
from reportgen.findings.of_judges import rarest
from reportgen.findings.systems import by_kind
from reportgen.report.against_reference import layers
from reportgen.report.charts import (
    ChartPoint,
    ChartRow,
    Course,
    Slice,
    bar,
    chart,
    key,
    lines,
    mirrored,
    places,
    rows,
    threshold_said,
)
from reportgen.results import Figure, Results
from reportgen.results.annotators import Comparison, Judge
from reportgen.results.marks import BoundaryShift
from reportgen.results.model import SubjectId
from reportgen.results.unit_sets import AggregateReliability, VotePattern
from reportgen.words import numbers
from reportgen.words.language import _, say, say_either
from reportgen.words.numbers import count, counted, p_is, percent

# So many systems, categories of a judge, and ways in which labels are divided are on the first screen.
MOST_ROWS, TWO = 8, 2


def screen(results: Results) -> Markup:
    """Return the charts of the first layer with a subject of its own; empty without any."""
    for layer in results.layers:
        draw = OF.get(results.subject_of(layer))
        if draw and (drawn := Markup().join(draw(results, layer))):
            return drawn
    return Markup()


# Systems: what becomes of the marks of the reference, all of one whole; beside them what they invent.


def _systems(results: Results, layer: str) -> Iterator[Markup]:
    own = next((each.drawn for each in layers(results) if each.layer == layer and each.drawn), None)
    pairs = [pair for pair in own.every if pair.role != "annotator"][:MOST_ROWS] if own else []
    found = {pair.shown_name: parts for pair in pairs if (parts := list(_outcomes(results, pair)))}
    if not found:
        return
    whole = max(sum(part.cases for part in parts) for parts in found.values())
    of_key = {sum(part.cases for part in parts if not part.aside) for parts in found.values()}
    title = say(
        "What becomes of the {marks} of {key}",
        marks=counted(
            round(max(of_key)), *("mark", "marks") if pairs[0].unit_set is None else ("unit", "units")
        ),
        key=pairs[0].key,
    )
    shown = (ChartRow(name, bar(parts, whole), _in_words(parts)) for name, parts in found.items())
    every = max(found.values(), key=lambda parts: sum(part.cases > 0 for part in parts))
    yield chart(title, "", key(every) + rows(shown))


def _outcomes(results: Results, pair: Comparison) -> Iterator[Slice]:
    spans = results.spans
    marks = next(
        (
            own
            for own in (spans.pairs if spans and pair.unit_set is None else ())
            if (own.layer, own.annotators) == (pair.layer, (pair.key, pair.other))
        ),
        None,
    )
    if marks is None or spans is None:
        observed = pair.measures.get("observed_agreement")
        if pair.units and observed and observed.value is not None:
            right = round(observed.value * pair.units)
            yield Slice("same", _("right"), right)
            yield Slice("label", _("wrong"), pair.units - right)
        return
    counts, cases = marks.counts, spans.disagreements_of(pair.layer)
    known = cases.of_pair(pair.key, pair.other) if cases else None
    yield Slice("same", _("found"), counts.match)
    if known is None:
        yield Slice("label", _("found with other ends"), counts.overlap)
        yield Slice("first", _("not found, or given another type"), counts.only_first)
        yield Slice("second", _("invented, or of another type"), counts.only_second, aside=True)
        return
    kinds = by_kind(known)
    other = counts.overlap + counts.only_first - kinds["missed"]
    yield Slice("label", _("found with another type or other ends"), other)
    yield Slice("first", _("not found"), kinds["missed"])
    yield Slice("second", _("invented, beside them"), kinds["spurious"], aside=True)


def _in_words(parts: list[Slice]) -> str:
    """Return the parts of a bar with their numbers, and the shares of the whole that they are."""
    whole = sum(part.cases for part in parts if not part.aside) or 1
    return _("; ").join(
        f"{part.name} {count(round(part.cases))}"
        + (f" ({percent(part.cases / whole)})" if not part.aside else "")
        for part in parts
        if part.cases
    )


# A crowd: what more labels would bring, and how units divide theirs.


def _crowd(results: Results, layer: str) -> Iterator[Markup]:
    own = next((each for each in results.aggregates or () if each.layer == layer), None)
    single = results.primary_of(layer).measures.get(own.coefficient) if own else None
    if own is None or single is None:
        return
    if own.of_majority is not None:
        known = {number.annotators: number.majority for number in own.by_annotators if number.majority}
        figures = {1: single, **known, own.usual or 1: own.of_majority}
        yield from _by_labels(figures, own.usual or 1)
    if own.patterns:
        yield _patterns(results, own, own.patterns)


def _by_labels(figures: Mapping[int, Figure], usual: int) -> Iterator[Markup]:
    spans = {number: own for number in sorted(figures) if (own := span(figures[number]))}
    if len(spans) <= 1:
        return
    most = max(spans)
    points = [
        ChartPoint(
            number / most,
            own.value,
            (own.low, own.high),
            numbers.short(own.value) if number in {1, usual, most} else "",
            guessed=number > usual,
        )
        for number, own in spans.items()
    ]
    below = [
        (number / most, counted(number, "label", "labels")) for number in spans if number in {1, usual, most}
    ]
    about = say_either(
        most > usual,
        "Units have {usual}{; dashed, what more would bring|}. Estimated from how labels of one unit differ, "
        "with 95% intervals.",
        usual=count(usual),
    )
    yield chart(
        _("Agreement of two majority votes, by labels per unit"),
        f"{about} {threshold_said()}",
        lines(
            [Course("", points, strong=True)],
            below,
            _("; ").join(
                f"{counted(number, 'label', 'labels')} {own.in_words}" for number, own in spans.items()
            ),
            banded=True,
        ),
    )


def _patterns(results: Results, own: AggregateReliability, patterns: tuple[VotePattern, ...]) -> Markup:
    """Return on how many units labels are divided how, and on how many of them the weakest label is."""
    against = results.primary_of(own.layer).against_rest
    figures = {name: each[own.coefficient].value for name, each in against.items() if own.coefficient in each}
    values = {name: value for name, value in figures.items() if value is not None}
    weakest = min(values, key=lambda name: (values[name], name)) if len(values) > TWO else None
    ranked = sorted(patterns, key=lambda each: -each.units)[:MOST_ROWS]
    shown = [each for each in patterns if each in ranked]
    whole = max(each.units for each in shown)

    def parts(each: VotePattern) -> list[Slice]:
        with_it = each.given.get(weakest, 0) if weakest else 0
        said = say("somebody chose {name}", name=weakest or "")
        return [Slice("label", said, with_it), Slice("same", _("others"), each.units - with_it)]

    drawn = [
        ChartRow(
            " : ".join(map(str, each.labels)),
            bar(parts(each), whole),
            _("; ").join((counted(each.units, "unit", "units"), *[_("no majority")] * _tied(each))),
        )
        for each in shown
    ]
    title = say("How units divide their {count} labels", count=count(sum(shown[0].labels)))
    keys = key(max(map(parts, shown), key=lambda own: sum(part.cases > 0 for part in own))) if weakest else ""
    return chart(title, "", keys + rows(drawn))


def _tied(pattern: VotePattern) -> bool:
    return any(one == other for one, other in pairwise(pattern.labels[:2]))


# A judge: the share of each category by the person, by the model, and corrected.


def _judge(results: Results, layer: str) -> Iterator[Markup]:
    judges = [each for each in results.judges or () if each.layer == layer and not each.selected]
    for judge in judges[:1]:
        yield _shares(judge)
    if not judges:
        yield from _systems(results, layer)


def _shares(judge: Judge) -> Markup:
    ranked = sorted(judge.categories, key=lambda name: (-judge.categories[name].human, name))[:MOST_ROWS]
    names = [rarest(judge)[0]] if len(judge.categories) == TWO else ranked
    looks = {"who-1": judge.human, "who-2": judge.model, "settled": _("corrected")}
    shown = {}
    for name in names:
        own = judge.categories[name]
        figures = zip(looks, (own.human_share, own.reported_share, own.corrected_share), strict=True)
        shown[name] = {look: each for look, figure in figures if (each := span(figure))}
    high = max(max(each.high, each.value) for dots in shown.values() for each in dots.values())
    high = min(1.0, (int(high * 10) + 1) / 10)
    drawn = (
        ChartRow(
            name,
            places(((look, own.value, (own.low, own.high)) for look, own in dots.items()), high),
            _("; ").join(
                say(
                    "{name} {value} ({low} to {high})",
                    name=looks[look],
                    value=percent(own.value),
                    low=percent(own.low),
                    high=percent(own.high),
                )
                for look, own in dots.items()
            ),
        )
        for name, dots in shown.items()
    )
    keys = key(
        (Slice(look, name, any(look in dots for dots in shown.values())) for look, name in looks.items()),
        "circle",
    )
    about = say("Shares of units from 0 to {high}, with 95% intervals.", high=percent(high))
    return chart(_("What share to report"), about, keys + rows(drawn))


# Recordings: who sets boundaries early or late.


def _recordings(results: Results, layer: str) -> Iterator[Markup]:
    found = (results.spans.boundaries if results.spans else None) or ()
    own = next((each for each in found if each.layer == layer), None)
    shifts = [shift for shift in own.shifts if shift.histogram] if own else []
    if own is None or not shifts:
        return
    shown = (
        ChartRow(shift.annotator, mirrored(shift.histogram, own.tolerance), _shift(shift))
        for shift in shifts[:MOST_ROWS]
    )
    about = say(
        "Each boundary and the nearest of others, up to {tolerance} ms away.", tolerance=count(own.tolerance)
    )
    yield chart(_("Who sets boundaries early or late"), about, rows(shown))


def _shift(shift: BoundaryShift) -> str:
    later = shift.later or 0.0
    said = say_either(later < 0, "{size} ms {earlier|later} in the mean", size=numbers.decimal(abs(later)))
    if shift.low is None or shift.high is None:
        return said
    ends = (
        sorted((abs(shift.low), abs(shift.high))) if shift.low * shift.high > 0 else (shift.low, shift.high)
    )
    low, high = map(numbers.decimal, ends)
    span_said = say("{low} to {high}", low=low, high=high)
    return f"{said} ({span_said}{', ' + p_is(shift.p) if shift.p is not None else ''})"


OF: Mapping[SubjectId, Callable[[Results, str], Iterator[Markup]]] = {
    "crowd": _crowd,
    "judge": _judge,
    "recordings": _recordings,
    "systems": _systems,
}
