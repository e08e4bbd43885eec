"""Rows of values with their intervals on one scale: categories, pairs, annotators, systems."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from reportgen.report.comparisons import ANNOTATOR, ComparedView
from reportgen.report.figures.svg import (
    TEXT,
    WIDTH,
    AxisScale,
    Drawing,
    Said,
    Span,
    box,
    drawing,
    fitted,
    lowest,
    rule,
    shape,
    span,
    tick,
    width_of,
    words,
)
from reportgen.report.tables import role_in_words
from reportgen.results import Figure, Pair, UnitSet
from reportgen.results.annotators import Comparison
from reportgen.words import numbers
from reportgen.words.language import _, say, say_many, told

# A mark's colour and shape, and whether it is hollow: whoever does not see the colours apart sees the shapes.
MARKS = {
    "one": ("series-1", "circle", False),
    "other": ("series-2", "diamond", False),
    "earlier": ("series-2", "diamond", True),
}
# No figure has many more rows: one with more is read in its table.
MOST_ROWS = 30
LONGEST = 165.0
HIGH, HIGHER, LINE = 24.0, 34.0, 14.0
APART = 7.0
RADIUS, STROKE = 4.5, "2.4"


@dataclass(frozen=True)
class Dot:
    """A value with its interval, and how it is marked."""

    span: Span
    mark: str = "one"


@dataclass(frozen=True)
class DotPlotRow:
    """A name, perhaps with a second line, and its values; the band behind is what they are held against."""

    name: str
    dots: Sequence[Dot]
    band: Span | None = None
    second: str = ""


@dataclass(frozen=True)
class DotPlot:
    """Rows under each other; `keys` say what marks mean, and the first row may stand apart from others."""

    rows: Sequence[DotPlotRow]
    axis: str
    keys: Sequence[tuple[str, str]] = ()
    divided: bool = False

    @property
    def high(self) -> float:
        """Return how high a row is."""
        several = any(len(each.dots) > 1 or each.second for each in self.rows)
        return HIGHER if several else HIGH

    @property
    def top(self) -> float:
        """Return where the rows begin."""
        return 22.0 if self.keys else 4.0

    @property
    def foot(self) -> float:
        """Return where they end."""
        return self.top + self.high * len(self.rows)

    @property
    def values(self) -> list[str]:
        """Return the values as they are written beside rows of one each."""
        if any(len(each.dots) > 1 for each in self.rows):
            return []
        return [numbers.figure(dot.span.value) for each in self.rows for dot in each.dots]

    @property
    def scale(self) -> AxisScale:
        """Return the scale, between the names and the values."""
        texts = [text for each in self.rows for text in (each.name, each.second)]
        left = 10 + max(width_of(fitted(each, LONGEST)) for each in texts)
        beside = max(map(width_of, self.values), default=0.0)
        ends = [
            each
            for row in self.rows
            for one in (*(dot.span for dot in row.dots), row.band)
            if one
            for each in (one.low, one.value)
        ]
        return AxisScale(lowest(ends), left, WIDTH - 14 - beside)


def draw(name: str, said: Said, rows: DotPlot) -> Drawing:
    """Return rows as a figure."""
    return drawing(name, said, (WIDTH, rows.foot + 40), _parts(rows))


def _parts(rows: DotPlot) -> Iterator[ET.Element]:
    scale = rows.scale
    yield from _keys(rows)
    yield from _axis(rows, scale)
    for place, row in enumerate(rows.rows):
        middle = rows.top + rows.high * (place + 0.5)
        yield from _names(row, (scale.start - 8, middle))
        yield from _band(row, scale, (middle, rows.high))
        yield from _dots(row, scale, middle)
    for place, text in enumerate(rows.values):
        middle = rows.top + rows.high * (place + 0.5)
        yield words((WIDTH - 1, middle + TEXT / 3), text, text_anchor="end", fill="ink")


def _axis(rows: DotPlot, scale: AxisScale) -> Iterator[ET.Element]:
    """Yield the rules with their numbers, and what they count."""
    for value in scale.ticks:
        x = scale.at(value)
        yield rule((x, rows.top, x, rows.foot), "muted" if value == 0 > scale.low else "rule", "0.7")
        yield words((x, rows.foot + TEXT + 2), tick(value), text_anchor="middle")
    if rows.divided and len(rows.rows) > 1:
        y = rows.top + rows.high
        yield rule((0, y, scale.end, y), "rule", "0.9")
    middle = (scale.start + scale.end) / 2
    half = width_of(rows.axis) / 2
    yield words((max(half, min(middle, WIDTH - half)), rows.foot + 34), rows.axis, text_anchor="middle")


def _keys(rows: DotPlot) -> Iterator[ET.Element]:
    x = 6.0
    for text, mark in rows.keys:
        shown = fitted(text, LONGEST)
        yield from _mark(MARKS[mark], (x, 8))
        yield words((x + 10, 8 + TEXT / 3), shown, fill="ink")
        x += 30 + width_of(shown)


def _names(row: DotPlotRow, place: tuple[float, float]) -> Iterator[ET.Element]:
    x, middle = place
    y = middle + TEXT / 3 - (LINE / 2 if row.second else 0)
    yield words((x, y), fitted(row.name, LONGEST), text_anchor="end", fill="ink")
    if row.second:
        yield words((x, y + LINE), fitted(row.second, LONGEST), text_anchor="end")


def _band(row: DotPlotRow, scale: AxisScale, place: tuple[float, float]) -> Iterator[ET.Element]:
    """Yield the interval as a band over the row's height, and its figure as a rule in it."""
    if row.band is None:
        return
    middle, high = place
    low, value, far = (scale.at(each) for each in (row.band.low, row.band.value, row.band.high))
    top = middle - high / 2
    yield box((low, top), (max(far - low, 0.5), high), fill="shade", fill_opacity="0.16")
    yield rule((value, top, value, top + high), "muted", "1.2")


def _dots(row: DotPlotRow, scale: AxisScale, middle: float) -> Iterator[ET.Element]:
    """Yield the row's values, several below each other and joined."""
    ys = [middle + APART * (2 * place - len(row.dots) + 1) for place in range(len(row.dots))]
    points = [(scale.at(each.span.value), y) for each, y in zip(row.dots, ys, strict=True)]
    if len(points) > 1:
        yield rule((*points[0], *points[-1]), "muted", "1")
    for dot, point in zip(row.dots, points, strict=True):
        low, high = scale.at(dot.span.low), scale.at(dot.span.high)
        colour = MARKS[dot.mark][0]
        if high - low > 0:
            yield rule((low, point[1], high, point[1]), colour, STROKE)
        yield from _mark(MARKS[dot.mark], point)


def _mark(mark: tuple[str, str, bool], point: tuple[float, float]) -> Iterator[ET.Element]:
    colour, kind, hollow = mark
    yield shape(kind, [point], RADIUS, colour, hollow=hollow)


# Categories and pairs of annotators, a row each: a value with its interval.


def specific_agreement(name: str, unit_set: UnitSet) -> Drawing | None:
    """Return each category's specific agreement; None where there is none to draw.

    Of very many categories those stand in the figure on which annotators agree least.
    """
    found = {each: unit_set.specific_agreement[each] for each in unit_set.judged}
    known = _known(found)
    if not known:
        return None
    shown = _least(known)
    axis = _("specific agreement, with 95% interval")
    lines = [_row(category, figure) for category, figure in shown.items()]
    title = _of_categories(known, shown)
    return draw(name, Said(title, _described(shown)), DotPlot(lines, axis))


def pairs(name: str, figures: tuple[str, str], found: Sequence[Pair]) -> Drawing | None:
    """Return a figure of each pair, the lowest first; None where fewer than two pairs have one.

    `figures` are the figure's id and its name. Of very many pairs those stand in it that agree least.
    """
    own = {f"{' / '.join(each.annotators)}": each.measures.get(figures[0]) for each in found}
    known = _known(own)
    if len(known) <= 1:
        return None
    shown = dict(sorted(_least(known).items(), key=lambda each: _value(each[1])))
    axis = say("{figure}, with 95% interval", figure=figures[1])
    lines = [_row(pair, figure) for pair, figure in shown.items()]
    return draw(name, Said(_of_pairs(known, shown), _described(shown)), DotPlot(lines, axis))


def _known(found: Mapping[str, Figure | None]) -> dict[str, Figure]:
    return {name: each for name, each in found.items() if each and each.value is not None}


def _value(figure: Figure) -> float:
    return 0.0 if figure.value is None else figure.value


def _least(known: Mapping[str, Figure]) -> dict[str, Figure]:
    """Return the lowest figures of many, in the order in which they stand."""
    lowest = sorted(known, key=lambda name: _value(known[name]))[:MOST_ROWS]
    return {name: each for name, each in known.items() if name in lowest}


def _row(name: str, figure: Figure) -> DotPlotRow:
    found = span(figure)
    return DotPlotRow(name, [Dot(found)] if found else [])


def _described(shown: Mapping[str, Figure]) -> str:
    return f"{_('; ').join(told(name, numbers.estimate(each)) for name, each in shown.items())}."


def _of_categories(known: Mapping[str, Figure], shown: Mapping[str, Figure]) -> str:
    """Return what the figure of categories shows, in a sentence."""
    name, least = min(known.items(), key=lambda each: _value(each[1]))
    value = numbers.figure(least.value)
    if len(shown) < len(known):
        return say_many(
            "The category of {count} on which annotators agree least",
            "The {shown} categories of {count} on which annotators agree least",
            len(shown),
            shown=numbers.count(len(shown)),
            count=numbers.count(len(known)),
        )
    if len({numbers.figure(each.value) for each in known.values()}) == 1:
        return say("Specific agreement is {value} on every category", value=value)
    return say("Annotators agree least on {category}: {value}", category=name, value=value)


def _of_pairs(known: Mapping[str, Figure], shown: Mapping[str, Figure]) -> str:
    """Return what the figure of pairs shows, in a sentence."""
    if len(shown) < len(known):
        return say(
            "The {shown} pairs of {count} that agree least",
            shown=numbers.count(len(shown)),
            count=numbers.count(len(known)),
        )
    least, most = (numbers.figure(best(map(_value, known.values()))) for best in (min, max))
    return say(
        "{count} pairs of annotators agree between {least} and {most}",
        count=numbers.count(len(known)),
        least=least,
        most=most,
    )


# Signed values as bars to the left and right of nothing, each with its number.

BARS_LONGEST = 160.0
BARS_HIGH, BAR = 24.0, 14.0


@dataclass(frozen=True)
class Bar:
    """A name, a value, and the value as it is written."""

    name: str
    value: float
    shown: str


def bars(name: str, said: Said, found: Sequence[Bar], axis: str) -> Drawing:
    """Return bars as a figure; `axis` says what is left and right of nothing."""
    return drawing(name, said, (WIDTH, BARS_HIGH * len(found) + 26), _bars_parts(found, axis))


def _bars_parts(found: Sequence[Bar], axis: str) -> Iterator[ET.Element]:
    foot = BARS_HIGH * len(found)
    left = 8 + max(width_of(fitted(each.name, BARS_LONGEST)) for each in found)
    room = 8 + max(width_of(each.shown) for each in found)
    low, high = (best(0.0, *(each.value for each in found)) for best in (min, max))
    # What is written stands at a bar's end, on either side.
    start, end = left + room * (low < 0), WIDTH - room * (high > 0) - 2
    zero = start + (end - start) * -low / ((high - low) or 1)
    for place, each in enumerate(found):
        y = BARS_HIGH * (place + 0.5)
        yield words((left - 8, y + TEXT / 3), fitted(each.name, BARS_LONGEST), text_anchor="end", fill="ink")
        yield from _bar(each, (zero, y), (end - start) / ((high - low) or 1))
    yield rule((zero, 0, zero, foot), "ink", "0.9")
    middle = max(width_of(axis) / 2, min((left + WIDTH) / 2, WIDTH - width_of(axis) / 2))
    yield words((middle, foot + 20), axis, text_anchor="middle")


def _bar(each: Bar, place: tuple[float, float], unit: float) -> Iterator[ET.Element]:
    (zero, y), falls = place, each.value < 0
    long = abs(each.value) * unit
    colour = "series-3" if falls else "series-6"
    # In grey a bar that falls is lighter, and to the left; one that rises is full.
    look = {"fill_opacity": "0.45", "stroke": colour} if falls else {}
    yield box((zero - long * falls, y - BAR / 2), (long, BAR), fill=colour, **look)
    end = zero - long - 4 if falls else zero + long + 4
    yield words((end, y + TEXT / 3), each.shown, text_anchor="end" if falls else "start", fill="ink")


# Everybody against the reference, drawn: a mark with its interval each, and human agreement as a band.

# More rows than these are read in the table, not in a figure.
COMPARISONS_MOST_ROWS = 48


def comparisons(name: str, view: ComparedView) -> Drawing | None:
    """Return the figure of one unit set or of marks; None where there is nothing, or too much, to draw."""
    known = [pair for pair in view.shown if _figure(view, pair).value is not None]
    if not 0 < len(known) <= COMPARISONS_MOST_ROWS:
        return None
    axis = say("{figure}, with 95% interval", figure=view.figure)
    lines = DotPlot([_comparisons_row(view, pair) for pair in known], axis)
    data = _("; ").join(_comparisons_described(view, pair) for pair in known)
    return draw(name, Said(_title(view, known), f"{data}."), lines)


def _figure(view: ComparedView, pair: Comparison) -> Figure:
    return pair.measures[view.whole.figure]


def _title(view: ComparedView, known: list[Comparison]) -> str:
    """Return what the figure shows, in a sentence."""
    best = max(known, key=lambda pair: _figure(view, pair).value or -1.0)
    message = (
        say("{name} is closest to the reference: {figure} {value}", **_best(view, best))
        if view.against_reference
        else say("{name} agrees most with annotators: {figure} {value}", **_best(view, best))
    )
    return message if len(known) > 1 else told(_label(view, best), view.figure)


def _best(view: ComparedView, best: Comparison) -> dict[str, str]:
    value = numbers.figure(_figure(view, best).value)
    return {"name": _label(view, best), "figure": view.figure, "value": value}


def _comparisons_row(view: ComparedView, pair: Comparison) -> DotPlotRow:
    found = span(_figure(view, pair))
    mark = "one" if pair.role == ANNOTATOR else "other"
    return DotPlotRow(_label(view, pair), [Dot(found, mark)] if found else [], span(_humans(view, pair)))


def _label(view: ComparedView, pair: Comparison) -> str:
    name = " ".join(filter(None, (pair.system, pair.release))) or pair.other
    return f"{name} / {pair.key}" if view.several_keys else name


def _humans(view: ComparedView, pair: Comparison) -> Figure | None:
    """Return how annotators agree on the same units; beside annotators, on all units of the reference."""
    humans = pair.humans or view.whole.humans.get(pair.key)
    found = humans.measures.get(view.whole.figure) if humans else None
    return found if found and found.value is not None else None


def _comparisons_described(view: ComparedView, pair: Comparison) -> str:
    humans, own = _humans(view, pair), numbers.estimate(_figure(view, pair))
    name = _label(view, pair)
    if pair.role != ANNOTATOR:
        name = f"{name} ({role_in_words(pair.role)})"
    if humans is None:
        return told(name, own)
    return say(
        "{name}: {value}, annotators with each other {humans}",
        name=name,
        value=own,
        humans=numbers.estimate(humans),
    )
