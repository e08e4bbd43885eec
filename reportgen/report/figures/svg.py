"""What every figure has in common: colours as classes that pages restyle, a size, and a text alternative.

Figures are written by hand as SVG: a rule, a mark and a label are a line each, the same bytes on every
machine, in the page's own type; a library that draws takes longer to load than a report to be made.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from reportgen.report.markup import printable

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
