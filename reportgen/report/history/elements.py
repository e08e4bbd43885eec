"""Elements of SVG with our colours as classes: rules, labels, and marks that differ in shape."""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from reportgen.report.figures.svg import COLOURS
from reportgen.report.markup import printable

SHAPES = ("circle", "square", "diamond", "triangle", "down", "bar")


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


def shape(kind: str, places: Sequence[tuple[float, float]], radius: float, colour: str) -> ET.Element:
    """Return points as marks of one shape: lines are told apart by it where colour does not."""
    if kind == "circle":
        # A stroke of no length with round ends is a dot.
        dots = "".join(f"M{short(x)} {short(y)}h0" for x, y in places)
        return element("path", d=dots, stroke=colour, stroke_width=short(2 * radius), stroke_linecap="round")
    return element("path", d="".join(_corners(kind, x, y, radius) for x, y in places), fill=colour)


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
