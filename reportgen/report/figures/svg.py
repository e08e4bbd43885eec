"""What every figure has in common: colours as classes that pages restyle, a size, and a text alternative.

Figures are written by hand as SVG: a rule, a mark and a label are a line each, the same bytes on every
machine, in the page's own type; a library that draws takes longer to load than a report to be made.
"""

import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from reportgen.report.escaping import printable
from reportgen.results import Figure
from reportgen.words import numbers

SVG = "http://www.w3.org/2000/svg"

# One name a colour, so that pages can restyle figures for the dark and for print.
COLOURS = {
    "ink": "#1f242b",
    "muted": "#565e69",
    "rule": "#cfd2d4",
    "paper": "#fdfdfb",
    "series-1": "#0b5fa5",
    "series-2": "#b4530a",
    "series-3": "#1a7a4c",
    "series-4": "#8a3b8f",
    "series-5": "#6d6a12",
    "series-6": "#a3243b",
    "shade": "#0b5fa4",
}
DARK = {
    "ink": "#e5e7ea",
    "muted": "#a5adb8",
    "rule": "#434b55",
    "paper": "#15181c",
    "series-1": "#6cb2f2",
    "series-2": "#f0a35e",
    "series-3": "#5cc795",
    "series-4": "#d596da",
    "series-5": "#c9c25a",
    "series-6": "#f08a9c",
    "shade": "#6cb2f1",
}
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
# How wide figures are drawn, and the size of their letters: in a phone's column, 335 pixels wide, letters are
# then still 10 pixels high; on a wider page a figure is shown larger, its letters as large as a caption's.
WIDTH, TEXT = 400.0, 12.0
LARGER = 1.15
# What is wider keeps its size, so that its letters do: the page scrolls it.
KEEP = "keep"


@dataclass(frozen=True)
class Drawing:
    """A figure: its name, which is that of its file, its SVG, and what it shows in a sentence."""

    name: str
    svg: str
    title: str = ""


@dataclass(frozen=True)
class Said:
    """A figure's text alternative: what it shows, and its data in words."""

    title: str
    data: str


def drawing(name: str, said: Said, size: tuple[float, float], parts: Iterable[ET.Element]) -> Drawing:
    """Return a figure of some width and height; `name` makes its ids unique on a page."""
    width, height = size
    attributes = {
        "xmlns": SVG,
        "viewBox": f"0 0 {width:.0f} {height:.0f}",
        "width": f"{width if width > WIDTH else width * LARGER:.0f}",
        "role": "img",
        "aria-labelledby": f"{name}-title {name}-description",
        "font-family": FONT,
        "font-size": f"{TEXT:g}",
    }
    root = ET.Element("svg", attributes | ({"class": KEEP} if width > WIDTH else {}))
    for tag, ending, text in (("title", "title", said.title), ("desc", "description", said.data)):
        ET.SubElement(root, tag, {"id": f"{name}-{ending}"}).text = printable(text)
    root.extend(parts)
    return Drawing(name, ET.tostring(root, encoding="unicode") + "\n", printable(said.title))


def standalone(svg: str) -> str:
    """Return a figure as a file of its own, with its colours for light and dark."""
    return svg.replace(">", f"><style>{dark_rules()}</style>", 1)


def dark_rules() -> str:
    """Return the style rules that give figures their colours in the dark, and wide ones their width."""
    rules = "".join(
        f".fill-{name}{{fill:{value}}}.stroke-{name}{{stroke:{value}}}" for name, value in DARK.items()
    )
    return f"figure svg.{KEEP}{{max-width:none}}@media screen and (prefers-color-scheme:dark){{{rules}}}"


# Elements of SVG with our colours as classes: rules, labels, and marks that differ in shape.

SHAPES = ("circle", "square", "diamond", "triangle", "down", "bar")
# The widths of letters as shares of the font's size, rather too wide than too narrow: fonts differ.
NARROW, USUAL, CAPITAL, FULL = 0.38, 0.62, 0.74, 1.0
BROADER = 0.95
THIN = frozenset("iljtfrI.,:;'’|()[]! \N{NARROW NO-BREAK SPACE}\N{NO-BREAK SPACE}")
BROAD = frozenset("mwMW%@…")


def element(tag: str, **attributes: str) -> ET.Element:
    """Return an element; an underscore in an attribute's name stands for a hyphen."""
    found = ET.Element(tag, {key.replace("_", "-"): value for key, value in attributes.items()})
    for kind in ("fill", "stroke"):
        if (name := found.get(kind)) in COLOURS:
            found.set(kind, COLOURS[name])
            found.set("class", " ".join(filter(None, (found.get("class"), f"{kind}-{name}"))))
    return found


def text_element(tag: str, text: str, **attributes: str) -> ET.Element:
    """Return an element that holds text."""
    found = element(tag, **attributes)
    found.text = printable(text)
    return found


def short(value: float) -> str:
    """Return a length with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")


def rule(ends: tuple[float, float, float, float], colour: str, width: str, **more: str) -> ET.Element:
    """Return a straight line; `ends` are x and y of one end and of the other."""
    x1, y1, x2, y2 = map(short, ends)
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=colour, stroke_width=width, **more)


def label(place: tuple[float, float], text: str, size: float, **more: str) -> ET.Element:
    """Return a text at x and y, muted unless `fill` says otherwise."""
    x, y = map(short, place)
    return text_element("text", text, x=x, y=y, font_size=short(size), **({"fill": "muted"} | more))


def words(place: tuple[float, float], text: str, **more: str) -> ET.Element:
    """Return a text of the figure's own size at x and y, muted unless `fill` says otherwise."""
    x, y = map(short, place)
    return text_element("text", text, x=x, y=y, **({"fill": "muted"} | more))


def box(place: tuple[float, float], size: tuple[float, float], **more: str) -> ET.Element:
    """Return a rectangle: its left upper corner, its width and height."""
    (x, y), (width, height) = map(short, place), map(short, size)
    return element("rect", x=x, y=y, width=width, height=height, **more)


def shape(
    kind: str, places: Sequence[tuple[float, float]], radius: float, colour: str, *, hollow: bool = False
) -> ET.Element:
    """Return points as marks of one shape: lines are told apart by it where colour does not."""
    if kind == "circle" and not hollow:
        # A stroke of no length with round ends is a dot.
        dots = "".join(f"M{short(x)} {short(y)}h0" for x, y in places)
        return element("path", d=dots, stroke=colour, stroke_width=short(2 * radius), stroke_linecap="round")
    inside = {"fill": "paper", "stroke": colour, "stroke_width": "1.6"} if hollow else {"fill": colour}
    return element("path", d="".join(_corners(kind, x, y, radius) for x, y in places), **inside)


def _corners(kind: str, x: float, y: float, radius: float) -> str:
    far = radius * 1.25
    corners = {
        "square": ((-radius, -radius), (radius, -radius), (radius, radius), (-radius, radius)),
        "diamond": ((0, -far), (far, 0), (0, far), (-far, 0)),
        "triangle": ((0, -far), (far, radius), (-far, radius)),
        "down": ((0, far), (far, -radius), (-far, -radius)),
        "bar": ((-far, -1), (far, -1), (far, 1), (-far, 1)),
    }[kind]
    return f"M{'L'.join(f'{short(x + dx)} {short(y + dy)}' for dx, dy in corners)}Z"


def width_of(text: str, size: float = TEXT) -> float:
    """Return about how wide a text is."""
    return size * sum(map(_share, text))


def _share(sign: str) -> float:
    if sign in THIN:
        return NARROW
    if unicodedata.east_asian_width(sign) in "WF":
        return FULL
    if sign in BROAD:
        return BROADER
    if unicodedata.combining(sign):
        return 0
    return CAPITAL if sign.isupper() else USUAL


def fitted(text: str, room: float, size: float = TEXT) -> str:
    """Return a text on one line, cut where it is wider than there is room."""
    one_line = " ".join(text.split())
    if width_of(one_line, size) <= room:
        return one_line
    kept = one_line
    while kept and width_of(kept, size) + size * USUAL > room:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"


# A scale from 0, or below where something is, to 1: where values stand on it, and which are written.

# With values far below 0 there is room for fewer numbers.
FAR = -0.2


@dataclass(frozen=True)
class Span:
    """A value with the ends of its interval, which are the value itself where there is none."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class AxisScale:
    """Values from `low` to 1 between two places of a figure; what is below stands at the end."""

    low: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return where a value stands."""
        share = (min(1.0, max(self.low, value)) - self.low) / (1 - self.low)
        return self.start + share * (self.end - self.start)

    @property
    def ticks(self) -> list[float]:
        """Return the values that are written."""
        step = 0.2 if self.low >= FAR else 0.5
        return [round(step * each, 1) for each in range(round(self.low / step), round(1 / step) + 1)]


def lowest(values: Iterable[float]) -> float:
    """Return where a scale begins that has to show some values: at 0, or at a round number below."""
    low = min(values, default=0.0)
    if low >= 0:
        return 0.0
    return FAR if low >= FAR else max(-1.0, math.floor(low * 2) / 2)


def tick(value: float) -> str:
    """Return a number as it is written at a scale."""
    return numbers.pointed(f"{value:g}".replace("-", "−"))


def span(figure: Figure | None) -> Span | None:
    """Return a figure's value and interval; None where it has no value."""
    if figure is None or figure.value is None:
        return None
    found = figure.interval
    if found is None or found.low is None or found.high is None:
        return Span(figure.value, figure.value, figure.value)
    return Span(figure.value, found.low, found.high)
