"""Matplotlib's SVG made fit for a page: no style attributes, colours as classes, ids of its own."""

import io
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from reportgen.report.markup import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"

# One name a colour, so that pages can restyle figures for the dark and for print.
COLOURS = {
    "ink": "#22272e",
    "muted": "#5b6470",
    "rule": "#c9ced6",
    "paper": "#fefefe",
    "series-1": "#0b5fa5",
    "series-2": "#b4530a",
    "series-3": "#1a7a4c",
    "series-4": "#8a3b8f",
    "series-5": "#6d6a12",
    "series-6": "#a3243b",
    "shade": "#0b5fa4",
}
CLASSES = {value: name for name, value in COLOURS.items()}
DARK = {
    "ink": "#e6e9ed",
    "muted": "#a7b0bb",
    "rule": "#454d58",
    "paper": "#16191d",
    "series-1": "#6cb2f2",
    "series-2": "#f0a35e",
    "series-3": "#5cc795",
    "series-4": "#d596da",
    "series-5": "#c9c25a",
    "series-6": "#f08a9c",
    "shade": "#6cb2f1",
}
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
SETTINGS: dict[str, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "reportgen",
    "font.family": "DejaVu Sans",
    "font.size": 11,
    "text.parse_math": False,
    "text.color": COLOURS["ink"],
    "axes.edgecolor": COLOURS["rule"],
    "axes.labelcolor": COLOURS["muted"],
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "figure.facecolor": "none",
    "savefig.facecolor": "none",
    "grid.color": COLOURS["rule"],
    "grid.linewidth": 0.6,
    "xtick.color": COLOURS["rule"],
    "ytick.color": COLOURS["rule"],
    "xtick.labelcolor": COLOURS["muted"],
    "ytick.labelcolor": COLOURS["muted"],
}
DECLARATION = re.compile(r"\s*([a-z-]+)\s*:\s*([^;]+)")
PIXELS_PER_POINT = 4 / 3
FONT_SIZE = re.compile(r"([\d.]+)px")


@dataclass(frozen=True)
class Frame:
    """The size of a figure's axes and the room around them for labels, in inches."""

    width: float
    height: float
    left: float
    bottom: float
    right: float = 0.15
    top: float = 0.15

    @property
    def size(self) -> tuple[float, float]:
        """Return the width and height of the whole figure."""
        return self.left + self.width + self.right, self.bottom + self.height + self.top

    @property
    def place(self) -> tuple[float, float, float, float]:
        """Return left, bottom, width and height of the axes as shares of the figure."""
        width, height = self.size
        return self.left / width, self.bottom / height, self.width / width, self.height / height


def draw(name: str, frame: Frame, title: str, description: str, paint: Callable[["Axes"], None]) -> str:
    """Return a figure as SVG: `paint` draws on its axes, under matplotlib's own defaults.

    `name` makes its ids unique on a page; `title` and `description` are its text alternative.
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    buffer = io.StringIO()
    with mpl.rc_context(), warnings.catch_warnings():
        # A label in a script that the bundled font lacks is measured roughly; the page's font has it.
        warnings.simplefilter("ignore", UserWarning)
        mpl.rcdefaults()
        mpl.rcParams.update(SETTINGS)  # type: ignore[arg-type] # keys are checked when they are set
        figure = Figure(figsize=frame.size)
        FigureCanvasSVG(figure)
        paint(figure.add_axes(frame.place))
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return _for_page(printable(buffer.getvalue()), name, printable(title), printable(description))


def _for_page(svg: str, name: str, title: str, description: str) -> str:
    ET.register_namespace("", SVG)
    ET.register_namespace("xlink", XLINK)
    root = ET.fromstring(svg)  # noqa: S314 - what matplotlib has just written
    _drop(root, "metadata")
    _drop(root, "style")
    for element in root.iter():
        _unstyle(element)
        _rename(element, name)
    _label(root, name, title, description)
    return ET.tostring(root, encoding="unicode") + "\n"


def _drop(root: ET.Element, tag: str) -> None:
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag == f"{{{SVG}}}{tag}":
                parent.remove(child)


def _unstyle(element: ET.Element) -> None:
    """Turn a style attribute into attributes, and our colours into classes beside them."""
    for key, value in DECLARATION.findall(element.attrib.pop("style", "")):
        if key == "font":
            found = FONT_SIZE.search(value)
            element.set("font-size", found.group(1) if found else "11")
            if value.startswith("bold"):
                element.set("font-weight", "bold")
        else:
            element.set(key, value.strip())
    if element.tag == f"{{{SVG}}}text":
        element.attrib.setdefault("fill", COLOURS["ink"])
    names = [
        f"{key}-{CLASSES[element.get(key, '')]}" for key in ("fill", "stroke") if element.get(key) in CLASSES
    ]
    if names:
        element.set("class", " ".join(names))


def _rename(element: ET.Element, name: str) -> None:
    """Put the figure's name before its ids and what refers to them."""
    for key, value in list(element.attrib.items()):
        if key == "id":
            element.set(key, f"{name}-{value}")
        elif value.startswith("url(#"):
            element.set(key, f"url(#{name}-{value[5:]}")
        elif key == f"{{{XLINK}}}href" and value.startswith("#"):
            del element.attrib[key]
            element.set("href", f"#{name}-{value[1:]}")


def _label(root: ET.Element, name: str, title: str, description: str) -> None:
    """Give the figure its text alternative and its natural width; a narrow page makes it smaller."""
    width = float(root.attrib.pop("width").removesuffix("pt"))
    for key in ("height", "version"):
        root.attrib.pop(key, None)
    root.attrib |= {
        "width": f"{width * PIXELS_PER_POINT:.0f}",
        "role": "img",
        "aria-labelledby": f"{name}-title {name}-description",
        "font-family": FONT,
        "stroke-linejoin": "round",
        "stroke-linecap": "butt",
    }
    for place, (tag, text) in enumerate((("title", title), ("desc", description))):
        element = ET.Element(
            f"{{{SVG}}}{tag}", {"id": f"{name}-{'title' if tag == 'title' else 'description'}"}
        )
        element.text = text
        root.insert(place, element)


def standalone(svg: str) -> str:
    """Return a figure as a file of its own, with its colours for light and dark."""
    return svg.replace(">", f"><style>{dark_rules()}</style>", 1)


def dark_rules() -> str:
    """Return the style rules that give figures their colours in the dark."""
    rules = "".join(
        f".fill-{name}{{fill:{value}}}.stroke-{name}{{stroke:{value}}}" for name, value in DARK.items()
    )
    return f"@media (prefers-color-scheme:dark){{{rules}}}"
