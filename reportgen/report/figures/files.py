"""Figures as PNG and PDF beside their SVG, for papers and slides: the same figure, painted by matplotlib.

These files depend on the version of a library and on a machine's arithmetic: they are no part of what a site
promises byte by byte, no SHA256SUMS lists them, and a build that is not asked for them leaves them out.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from xml.etree import ElementTree as ET

from reportgen.report.figures.svg import TEXT

if TYPE_CHECKING:
    from matplotlib.figure import Figure


KINDS = ("png", "pdf")
DPI = 300
# A pixel of a page is a 96th of an inch, a point a 72nd.
PIXEL, POINT = 1 / 96, 72 / 96
STROKE = re.compile(r"([MLHVZhvlz])([^MLHVZhvlz]*)")
TURN = re.compile(r"(translate|rotate)\(([^)]*)\)")
ANCHORS: dict[str, Literal["left", "center", "right"]] = {"start": "left", "middle": "center", "end": "right"}
# The text's own font, and what else a label may be written in; fonts that a machine lacks are passed over.
FAMILIES = ["DejaVu Sans", "Noto Sans CJK SC", "Noto Sans Arabic", "sans-serif"]
SETTINGS: dict[str, Any] = {
    "font.family": FAMILIES,
    "text.parse_math": False,
    "pdf.fonttype": 42,
    "savefig.facecolor": "#ffffff",
}


@dataclass(frozen=True)
class Place:
    """Where a group of elements stands in the whole figure."""

    x: float = 0.0
    y: float = 0.0


def write_images(site: Path) -> int:
    """Write PNG and PDF beside every SVG of a site's figures; return how many figures there are."""
    found = sorted(site.rglob("figures/*.svg"))
    for path in found:
        for kind in KINDS:
            write_image(path, path.with_suffix(f".{kind}"))
    return len(found)


def write_image(svg: Path, to: Path) -> None:
    """Write one figure of ours as PNG or PDF."""
    import logging

    import matplotlib as mpl

    root = ET.parse(svg).getroot()  # noqa: S314 - a figure that was just written
    # A font that a machine lacks, or a letter that a font lacks, stops nothing.
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(SETTINGS)  # type: ignore[arg-type] # keys are checked when they are set
        figure = _painted(root)
        metadata = {"CreationDate": None} if to.suffix == ".pdf" else None
        figure.savefig(to, dpi=DPI, metadata=metadata)


def _painted(root: ET.Element) -> "Figure":
    import warnings

    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
    width, height = map(float, root.attrib["viewBox"].split()[2:])
    figure = Figure(figsize=(width * PIXEL, height * PIXEL))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()
    for order, (element, place) in enumerate(_leaves(root, Place(), dict(root.attrib))):
        artist = _artist(element, place)
        if artist is not None:
            artist.set(zorder=order, clip_on=False)
            axes.add_artist(artist)
    return figure


def _leaves(parent: ET.Element, place: Place, above: Mapping[str, str]) -> Iterator[tuple[ET.Element, Place]]:
    """Yield what is drawn, with where its group stands; letters have their group's size."""
    for each in parent:
        tag = each.tag.rpartition("}")[2]
        if tag in ("g", "svg"):
            yield from _leaves(each, _moved(each, place), dict(above) | dict(each.attrib))
        elif tag not in ("title", "desc", "style"):
            if "font-size" in above:
                each.attrib.setdefault("font-size", above["font-size"])
            yield each, place


def _moved(group: ET.Element, place: Place) -> Place:
    x, y = float(group.get("x", 0)), float(group.get("y", 0))
    found = TURN.search(group.get("transform", ""))
    if found and found[1] == "translate":
        dx, dy = map(float, found[2].split())
        x, y = x + dx, y + dy
    return replace(place, x=place.x + x, y=place.y + y)


def _artist(element: ET.Element, place: Place) -> Any:  # noqa: ANN401 - matplotlib's artists have many types
    tag = element.tag.rpartition("}")[2]
    if tag == "text":
        return _text(element, place)
    if element.get("stroke-linecap") == "round":
        return _dots(element, place)
    path = {"path": _path, "line": _line, "rect": _rect}.get(tag)
    return _patch(element, path(element, place)) if path else None


def _dots(element: ET.Element, place: Place) -> Any:  # noqa: ANN401 - as above
    """Return strokes of no length with round ends, which are dots; a library draws none of no length."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Strokes

    places = [point for code, point in _path(element, place) if code == Strokes.MOVETO]
    radius = float(element.get("stroke-width", 1)) / 2
    whole = Strokes.make_compound_path(*(Strokes.circle(each, radius) for each in places))
    return PathPatch(whole, facecolor=element.get("stroke"), linewidth=0)


def _path(element: ET.Element, place: Place) -> list[tuple[int, tuple[float, float]]]:
    """Return the strokes of a path; ours have straight ones alone."""
    from matplotlib.path import Path as Strokes

    found: list[tuple[int, tuple[float, float]]] = []
    x = y = 0.0
    for letter, rest in STROKE.findall(element.get("d", "")):
        numbers = list(map(float, re.findall(r"-?\d*\.?\d+", rest)))
        if letter in "Zz":
            found.append((int(Strokes.CLOSEPOLY), found[-1][1]))
            continue
        x, y = _to(letter, numbers, (x, y))
        code = int(Strokes.MOVETO if letter == "M" else Strokes.LINETO)
        found.append((code, (place.x + x, place.y + y)))
    return found


def _to(letter: str, numbers: list[float], at: tuple[float, float]) -> tuple[float, float]:
    x, y = at
    match letter:
        case "H":
            return numbers[0], y
        case "V":
            return x, numbers[0]
        case "h":
            return x + numbers[0], y
        case "v":
            return x, y + numbers[0]
        case "l":
            return x + numbers[0], y + numbers[1]
    return numbers[0], numbers[1]


def _line(element: ET.Element, place: Place) -> list[tuple[int, tuple[float, float]]]:
    x1, y1, x2, y2 = (float(element.get(each, 0)) for each in ("x1", "y1", "x2", "y2"))
    return [(1, (place.x + x1, place.y + y1)), (2, (place.x + x2, place.y + y2))]


def _rect(element: ET.Element, place: Place) -> list[tuple[int, tuple[float, float]]]:
    x, y, width, height = (float(element.get(each, 0)) for each in ("x", "y", "width", "height"))
    x, y = x + place.x, y + place.y
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y))
    return [(1 if not at else 2, each) for at, each in enumerate(corners)]


def _patch(element: ET.Element, strokes: list[tuple[int, tuple[float, float]]]) -> Any:  # noqa: ANN401 - as above
    from matplotlib.colors import to_rgba
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Strokes

    if not strokes:
        return None
    fill, stroke = element.get("fill", "none"), element.get("stroke", "none")
    width = float(element.get("stroke-width", 1)) * POINT
    patch = PathPatch(Strokes([point for _, point in strokes], [code for code, _ in strokes]))
    patch.set(
        facecolor=to_rgba(fill, float(element.get("fill-opacity", 1))) if fill != "none" else "none",
        edgecolor=to_rgba(stroke, float(element.get("stroke-opacity", 1))) if stroke != "none" else "none",
        linewidth=width if stroke != "none" else 0,
        capstyle=element.get("stroke-linecap", "butt"),
    )
    dashes = [float(each) for each in element.get("stroke-dasharray", "none").split() if each != "none"]
    if dashes:
        patch.set_linestyle((0, [each * POINT / width for each in dashes]))
    return patch


def _text(element: ET.Element, place: Place) -> Any:  # noqa: ANN401 - as above
    from matplotlib.text import Text

    turn = next(
        (found for found in TURN.finditer(element.get("transform", "")) if found[1] == "rotate"), None
    )
    return Text(
        place.x + float(element.get("x", 0)),
        place.y + float(element.get("y", 0)),
        element.text or "",
        color=element.get("fill", "#000000"),
        fontsize=float(element.get("font-size", TEXT)) * POINT,
        fontweight=element.get("font-weight", "normal"),
        horizontalalignment=ANCHORS[element.get("text-anchor", "start")],
        verticalalignment="baseline",
        rotation=-float(turn[2].split()[0]) if turn else 0,
        rotation_mode="anchor",
    )
