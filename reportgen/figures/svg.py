"""SVG from matplotlib for pages: text as text, colours as the page's variables, titles and links, few bytes.

A renderer for matplotlib's artists, not the one that it comes with: that one writes a `style` on every
element, which a page's Content-Security-Policy refuses, and places letters by a machine's fonts. This one
measures words by a table (`style.width_of`), so that a figure has the same bytes everywhere.
"""

import gc
import math
import sys
from collections.abc import Iterable
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import matplotlib as mpl
from matplotlib.artist import Artist

# matplotlib writes the help of each kind of artist, and of its methods, as it is imported, which takes longer
# than anything else there. Nobody asks a command for it.
if "reportgen.cli" in sys.modules and hasattr(Artist, "_update_set_signature_and_docstring"):
    Artist._update_set_signature_and_docstring = classmethod(lambda _: None)  # noqa: SLF001
    helps = getattr(mpl, "_docstring", None)
    for kind in (helps.Substitution, type(helps.interpd)) if helps else ():
        kind.__call__ = lambda _, described: described

from matplotlib.backend_bases import GraphicsContextBase, RendererBase
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.transforms import Affine2D

from reportgen.figures.style import LETTERS, LIGHT, PER_INCH, width_of
from reportgen.words.language import printable

if TYPE_CHECKING:
    from matplotlib.font_manager import FontProperties
    from matplotlib.path import Path
    from matplotlib.text import Text
    from matplotlib.transforms import Transform

# What was imported stays: to look for cycles in it takes a twentieth of a build. DuckDB complains of objects
# that are left.
if "reportgen.cli" in sys.modules and "duckdb" not in sys.modules:
    gc.freeze()

NAMES = {value: name for name, value in LIGHT.items()}
ANCHORS = {"center": "middle", "right": "end"}
# How far below its place a text's line is, as a share of its size.
BASELINES = {"center": 0.35, "center_baseline": 0.35, "top": 0.8, "bottom": -0.2}
ASCENT, DESCENT = 0.95, 0.2
LETTERS_OF_PATHS, CURVE = {1: "M", 2: "L", 3: "Q", 4: "C", 79: "Z"}, 4
# Ties are rounded up, whatever a machine's last bit is.
TIE = 1e-6


def parts_of(figure: Figure) -> list[ET.Element]:
    """Return what is drawn of a figure, as elements of SVG."""
    width, height = (inches * PER_INCH for inches in figure.get_size_inches())
    renderer = SvgRenderer(width, height)
    figure.draw(renderer)
    return _tidied(renderer.root)


# How texts of a kind look, such as the numbers at an axis.
OF_A_KIND = ("text-anchor", "font-size", "font-weight", "fill", "fill-opacity")


def _tidied(root: ET.Element) -> list[ET.Element]:
    """Return elements in fewer bytes: lines that look alike as one path, and words, above all, by kind."""
    drawn: list[ET.Element] = []
    for element in root:
        if element.tag == "text":
            continue
        before = drawn[-1] if drawn else None
        if before is not None and _lines(before) and _lines(element) and _look(before) == _look(element):
            before.set("d", before.get("d", "") + element.get("d", ""))
        else:
            drawn.append(element)
    kinds = groupby(root.findall("text"), key=lambda text: {name: text.get(name) for name in OF_A_KIND})
    marks = ((fill, list(elements)) for fill, elements in groupby(drawn, key=_colour))
    words = ((look, list(elements)) for look, elements in kinds)
    return [
        *chain(*(_together({"fill": fill}, elements, chain(*elements)) for fill, elements in marks)),
        *chain(*(_together(look, elements, elements) for look, elements in words)),
    ]


def _colour(element: ET.Element) -> str | None:
    """Return the colour of all that is in a titled mark; None where its parts have several, or none."""
    fills = {part.get("fill") for part in element if part.tag != "title"}
    return fills.pop() if element.tag in ("g", "a") and len(fills) == 1 else None


def _together(
    shared: dict[str, str | None], elements: list[ET.Element], parts: Iterable[ET.Element]
) -> list[ET.Element]:
    """Return elements in a group that says once what `parts` of them say each; one alone stays as it is."""
    attributes = {name: value for name, value in shared.items() if value is not None}
    if not attributes or len(elements) <= 1:
        return elements
    for part in parts:
        for name in attributes:
            part.attrib.pop(name, None)
    group = ET.Element("g", attributes)
    group.extend(elements)
    return [group]


def _lines(element: ET.Element) -> bool:
    """Tell whether an element is nothing but lines: surfaces that overlap are darker where they do."""
    return element.tag == "path" and "fill" not in element.attrib


def _look(path: ET.Element) -> dict[str, str]:
    return {name: value for name, value in path.attrib.items() if name != "d"}


def short(value: float) -> str:
    """Return a length with at most one decimal."""
    return f"{math.floor(value * 10 + 0.5 + TIE) / 10:g}"


class SvgRenderer(RendererBase):
    """Draws a figure as elements below `root`; an artist's `gid` is the title that hovering shows."""

    def __init__(self, width: float, height: float) -> None:
        super().__init__()
        self.width, self.height = width, height
        self.root = ET.Element("svg")
        self._parents = [self.root]

    def get_canvas_width_height(self) -> tuple[float, float]:
        """Return the size in pixels."""
        return self.width, self.height

    def points_to_pixels(self, points: float) -> float:  # type: ignore[override]
        """Return points as pixels."""
        return points * PER_INCH / 72

    def get_text_width_height_descent(
        self,
        s: str,
        prop: "FontProperties",
        ismath: bool | str,  # noqa: FBT001
    ) -> tuple[float, float, float]:
        """Return about how large a text is, without asking for a font."""
        del ismath
        size = self.points_to_pixels(prop.get_size_in_points())
        return width_of(s, size), size * ASCENT, size * DESCENT

    def _get_font_height_metrics(self, prop: "FontProperties") -> tuple[float, float, float]:
        """Return how high any text is; matplotlib asks for it so that it need not open a font."""
        size = self.points_to_pixels(prop.get_size_in_points())
        return size * ASCENT, size * DESCENT, 0.0

    def open_group(self, s: str, gid: str | None = None) -> None:
        """Begin an artist; one with a title is a group that has it."""
        del s
        parent = self._parents[-1]
        if gid:
            parent = ET.SubElement(parent, "g")
            ET.SubElement(parent, "title").text = printable(gid)
        self._parents.append(parent)

    def close_group(self, s: str) -> None:
        """End an artist."""
        del s
        self._parents.pop()

    def draw_path(
        self,
        gc: GraphicsContextBase,
        path: "Path",
        transform: "Transform",
        rgbFace: Any = None,  # noqa: ANN401, N803 - as matplotlib calls it
    ) -> None:
        """Draw a line or a surface."""
        d = self._strokes(path, transform)
        if d and (look := self._look(gc, rgbFace)):
            self._add(gc, "path", {"d": d} | look)

    def draw_markers(  # noqa: PLR0913, PLR0917 - as matplotlib calls it
        self,
        gc: GraphicsContextBase,
        marker_path: "Path",
        marker_trans: "Transform",
        path: "Path",
        trans: "Transform",
        rgbFace: Any = None,  # noqa: ANN401, N803 - as matplotlib calls it
    ) -> None:
        """Draw a mark at every point of a path; those with curves are circles."""
        look = self._look(gc, rgbFace)
        round_mark = any(code == CURVE for _points, code in marker_path.iter_segments())
        strokes = []
        for points, _code in path.iter_segments(trans, simplify=False):
            x, y = points[-2:]
            if round_mark:
                radius = marker_path.get_extents(marker_trans).width / 2
                position = {"cx": short(x), "cy": short(self.height - y), "r": short(radius)}
                self._add(gc, "circle", position | look)
            else:
                strokes.append(self._strokes(marker_path, marker_trans + Affine2D().translate(x, y)))
        if strokes:
            self._add(gc, "path", {"d": "".join(strokes)} | look)

    def draw_text(  # noqa: PLR0913, PLR0917 - as matplotlib calls it
        self,
        gc: GraphicsContextBase,
        x: float,
        y: float,
        s: str,
        prop: "FontProperties",
        angle: float,
        ismath: bool | str = False,  # noqa: FBT001, FBT002
        mtext: "Text | None" = None,
    ) -> None:
        """Draw a text where it is anchored; the browser's font says how wide it is."""
        del ismath
        size, look = self.points_to_pixels(prop.get_size_in_points()), dict[str, str]()
        if mtext is not None:
            x, y = mtext.get_transform().transform(mtext.get_unitless_position())
            down = size * BASELINES.get(mtext.get_verticalalignment(), 0.0)
            turned = math.radians(angle)
            x, y = x + down * math.sin(turned), self.height - y + down * math.cos(turned)
            if anchor := ANCHORS.get(mtext.get_horizontalalignment()):
                look["text-anchor"] = anchor
        position = {"x": short(x), "y": short(y)}
        if abs(size - LETTERS) > TIE:
            look["font-size"] = short(size)
        if prop.get_weight() in ("bold", 700):
            look["font-weight"] = "bold"
        if angle:
            look["transform"] = f"rotate({short(-angle)} {position['x']} {position['y']})"
        paint, opacity = self._paint(gc, gc.get_rgb())
        text = self._add(gc, "text", position | look | {"fill": paint} | _seen("fill", opacity))
        text.text = printable(s)

    def _add(self, gc: GraphicsContextBase, tag: str, attributes: dict[str, str]) -> ET.Element:
        parent, url = self._parents[-1], gc.get_url()
        if url and parent.tag == "g":
            # For the pointer: with the keyboard the same links are reached in the table beside.
            parent.tag, parent.attrib["href"], parent.attrib["tabindex"] = "a", url, "-1"
        return ET.SubElement(parent, tag, attributes)

    def _strokes(self, path: "Path", transform: "Transform") -> str:
        """Return a path's strokes; a straight one across or down says one number."""
        strokes, before = list[str](), ("", "")
        for points, code in path.iter_segments(transform, simplify=False):
            letter = LETTERS_OF_PATHS[int(code)]
            if letter == "Z":
                strokes.append(letter)
                continue
            flat = [
                short(self.height - coordinate if number % 2 else coordinate)
                for number, coordinate in enumerate(points)
            ]
            x, y = flat[-2:]
            if letter == "L" and y == before[1]:
                strokes.append(f"H{x}")
            elif letter == "L" and x == before[0]:
                strokes.append(f"V{y}")
            else:
                strokes.append(letter + " ".join(flat))
            before = x, y
        return "".join(strokes)

    def _look(self, gc: GraphicsContextBase, face: Any) -> dict[str, str]:  # noqa: ANN401
        """Return how a path looks; empty where nothing of it is seen."""
        look: dict[str, str] = {}
        if face is not None and len(face):
            paint, opacity = self._paint(gc, face)
            look |= {"fill": paint} | _seen("fill", opacity)
        width = self.points_to_pixels(gc.get_linewidth())
        paint, opacity = self._paint(gc, gc.get_rgb())
        if width and opacity:
            look |= {"stroke": paint, "stroke-width": short(width)} | _seen("stroke", opacity)
            dashes: Any = gc.get_dashes()[1]
            if dashes is not None:
                look["stroke-dasharray"] = " ".join(short(self.points_to_pixels(dash)) for dash in dashes)
            if gc.get_capstyle() == "round":
                look["stroke-linecap"] = "round"
        return look

    def _paint(self, gc: GraphicsContextBase, colour: Any) -> tuple[str, float]:  # noqa: ANN401
        """Return a colour, by its name where it is one of ours, and how much of it is seen."""
        value = to_hex(colour[:3])
        opacity = gc.get_alpha() if gc.get_forced_alpha() else (colour[3] if len(colour) > 3 else 1.0)
        return (f"var(--{NAMES[value]})" if value in NAMES else value), float(opacity)


def _seen(kind: str, opacity: float) -> dict[str, str]:
    return {} if opacity >= 1 else {f"{kind}-opacity": f"{opacity:.2f}"}
