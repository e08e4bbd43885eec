"""Signed values as bars to the left and right of nothing, each with its number."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from reportgen.report.figures.elements import box, fitted, rule, width_of, words
from reportgen.report.figures.svg import TEXT, WIDTH, Drawing, Said, drawing

LONGEST = 160.0
HIGH, BAR = 24.0, 14.0


@dataclass(frozen=True)
class Bar:
    """A name, a value, and the value as it is written."""

    name: str
    value: float
    shown: str


def bars(name: str, said: Said, found: Sequence[Bar], axis: str) -> Drawing:
    """Return bars as a figure; `axis` says what is left and right of nothing."""
    return drawing(name, said, (WIDTH, HIGH * len(found) + 26), _parts(found, axis))


def _parts(found: Sequence[Bar], axis: str) -> Iterator[ET.Element]:
    foot = HIGH * len(found)
    left = 8 + max(width_of(fitted(each.name, LONGEST)) for each in found)
    room = 8 + max(width_of(each.shown) for each in found)
    low, high = (best(0.0, *(each.value for each in found)) for best in (min, max))
    # What is written stands at a bar's end, on either side.
    start, end = left + room * (low < 0), WIDTH - room * (high > 0) - 2
    zero = start + (end - start) * -low / ((high - low) or 1)
    for place, each in enumerate(found):
        y = HIGH * (place + 0.5)
        yield words((left - 8, y + TEXT / 3), fitted(each.name, LONGEST), text_anchor="end", fill="ink")
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
