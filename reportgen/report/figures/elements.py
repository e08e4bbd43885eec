"""Elements of SVG with our colours as classes: rules, labels, and marks that differ in shape."""

import unicodedata
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from reportgen.report.figures.svg import COLOURS, TEXT
from reportgen.report.markup import printable

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
