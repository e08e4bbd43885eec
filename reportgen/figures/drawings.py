"""How figures look and become SVG: palette, sizes, text as text.

How figures look: colours by name, sizes, room for words, and matplotlib's settings.

A figure of a page: its name, its SVG with a text alternative, and the same as a file of its own.

SVG from matplotlib for pages: text as text, colours as the page's variables, titles and links, few bytes.

A renderer for matplotlib's artists, not the one that it comes with: that one writes a `style` on every
element, which a page's Content-Security-Policy refuses, and places letters by a machine's fonts. This one
measures words by a table (`style.width_of`), so that a figure has the same bytes everywhere.
"""

import gc
import math
import re
import sys
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from functools import cache, cached_property, lru_cache
from itertools import accumulate, chain, groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from xml.etree import ElementTree as ET

import matplotlib as mpl
from matplotlib.artist import Artist
from matplotlib.backend_bases import GraphicsContextBase, RendererBase
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.transforms import Affine2D

from reportgen.base.dataclass import dataclass
from reportgen.words import numbers
from reportgen.words.language import Edition, _, edition, printable, writing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.font_manager import FontProperties
    from matplotlib.path import Path as DrawnPath
    from matplotlib.text import Text
    from matplotlib.ticker import Formatter
    from matplotlib.transforms import Transform

# How an artist looks, as matplotlib takes it.
Look = dict[str, Any]

# Colours by the names of the page's variables, in the light and in the dark; no two of a theme are the same.
COLOURS = {
    "ink": ("#1f242b", "#e5e7ea"),
    "muted": ("#565e69", "#a5adb8"),
    "rule": ("#cfd2d4", "#434b55"),
    "paper": ("#fdfdfb", "#15181c"),
    "series-1": ("#0b5fa5", "#6cb2f2"),
    "series-2": ("#b4530a", "#f0a35e"),
    "series-3": ("#1a7a4c", "#5cc795"),
    "series-4": ("#8a3b8f", "#d596da"),
    "series-5": ("#6d6a12", "#c9c25a"),
    "series-6": ("#a3243b", "#f08a9c"),
    "wash": ("#0b5fa4", "#6cb2f1"),
    "too-low": ("#e5e6e3", "#2a3037"),
    "between": ("#f2e4c4", "#43371d"),
    "enough": ("#d3e7e1", "#1d3d35"),
    "short": ("#b0261c", "#ff9a90"),
}
LIGHT, DARK = ({name: colours[theme] for name, colours in COLOURS.items()} for theme in (0, 1))
# In high contrast words and marks are as the system writes, and grounds as its paper.
GROUNDS = ("paper", "too-low", "between", "enough")

# How wide figures are drawn, in pixels: in a box on a phone, 305 wide, letters of 12 are 11 high still.
# A wider page shows them larger.
WIDTH, LETTERS = 330.0, 12.0
LARGER = 1.25
# What a pixel of a page is in inches and in points, matplotlib's measures.
PER_INCH = 96
POINT = 72 / PER_INCH
# Krippendorff's (2004) thresholds: below the first no conclusion, from the second on reliable ones.
THRESHOLDS = (0.667, 0.8)
# Lines are told apart by their marks and dashes where colours are not.
MARKERS = ("o", "s", "D", "^", "v", "_")
DASHES: tuple[tuple[float, ...], ...] = ((), (6, 3), (1.5, 2), (8, 3, 2, 3), (3, 1.5, 1, 1.5), (11, 3))
SERIES = 6
# The handle of a line's name.
HANDLE = 26.0
# matplotlib's own font, and what else a label may be written in where a machine has it.
FAMILY, FAMILIES = "DejaVu Sans", ("Noto Sans CJK SC", "Noto Sans Arabic")
SETTINGS: Look = {
    "font.size": LETTERS * POINT,
    "text.parse_math": False,
    "text.color": LIGHT["ink"],
    "figure.dpi": PER_INCH,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "axes.edgecolor": LIGHT["rule"],
    "axes.labelcolor": LIGHT["muted"],
    "axes.labelpad": 4,
    "axes.labelsize": LETTERS * POINT,
    "axes.unicode_minus": True,
    **{f"axes.spines.{side}": False for side in ("top", "right", "left", "bottom")},
    "axes.axisbelow": True,
    "grid.color": LIGHT["rule"],
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.5,
    "lines.solid_capstyle": "butt",
    "lines.dash_capstyle": "butt",
    "lines.scale_dashes": False,
    "lines.markersize": 6.6,
    "lines.markeredgewidth": 0,
    "legend.frameon": False,
    "legend.fontsize": LETTERS * POINT,
    "legend.handlelength": 1.8,
    "legend.columnspacing": 1.2,
    "legend.borderpad": 0,
    "legend.borderaxespad": 0,
    "legend.labelspacing": 0.3,
    **{f"{axis}tick.color": LIGHT["muted"] for axis in "xy"},
    **{f"{axis}tick.labelsize": LETTERS * POINT for axis in "xy"},
    **{f"{axis}tick.{kind}.size": 0 for axis in "xy" for kind in ("major", "minor")},
    "pdf.fonttype": 42,
    "savefig.facecolor": "#ffffff",
}


@cache
def _settings() -> dict[str, Any]:
    """Return all of matplotlib's settings as figures need them, but the backend: figures have none."""
    import matplotlib as mpl
    from matplotlib.font_manager import fontManager

    installed = {font.name for font in fontManager.ttflist}
    families = [FAMILY, *(family for family in FAMILIES if family in installed)]
    default = {key: value for key, value in mpl.rcParamsDefault.items() if not key.startswith("backend")}
    return default | SETTINGS | {"font.family": families}


@contextmanager
def our_style() -> Iterator[None]:
    """Draw by our settings, whatever a user's matplotlibrc says, and leave theirs as they were."""
    import matplotlib as mpl

    with mpl.rc_context():
        ours: Any = _settings()
        mpl.rcParams.update({key: value for key, value in ours.items() if mpl.rcParams[key] != value})
        yield


def name_below(axes: "Axes", text: str, width: float, margins: Sequence[float]) -> None:
    """Write what a scale says below it: in its middle, but inside the figure, `width` pixels wide."""
    left, half = margins[0], width_of(text) / 2
    inner = width - left - margins[1]
    axes.set_xlabel(text, x=(max(half, min(left + inner / 2, width - half)) - left) / inner)


def new_axes(size: tuple[float, float], margins: tuple[float, float, float, float]) -> "Axes":
    """Return axes of a new figure; size and margins (left, right, top, bottom) are in pixels."""
    from matplotlib.figure import Figure

    (width, height), (left, right, top, bottom) = size, margins
    figure = Figure(figsize=(width / PER_INCH, height / PER_INCH))
    bounds = (left / width, bottom / height, (width - left - right) / width, (height - top - bottom) / height)
    return figure.add_axes(bounds)


def marker_look(marker: str, size: float) -> Look:
    """Return how a marker looks; one that is a mere stroke is thicker."""
    look: Look = {"marker": marker, "markersize": size}
    return look | {"markeredgewidth": 1.6} if marker == "_" else look


def series(number: int) -> str:
    """Return the colour of a line by its number, from 0."""
    return LIGHT[f"series-{number % SERIES + 1}"]


# The widths of letters as shares of the font's size, rather too wide than too narrow: fonts differ.
NARROW, USUAL, CAPITAL, FULL = 0.38, 0.62, 0.74, 1.0
BROADER = 0.95
THIN = frozenset("iljtfrI.,:;'’|()[]! \N{NARROW NO-BREAK SPACE}\N{NO-BREAK SPACE}")
BROAD = frozenset("mwMW%@…")


def width_of(text: str, size: float = LETTERS) -> float:
    """Return about how wide a text is, in pixels."""
    return size * sum(map(_share, text))


def widest(texts: Iterable[str], size: float = LETTERS) -> float:
    """Return about how wide the widest of some texts is, 0 where there is none."""
    return max((width_of(text, size) for text in texts), default=0.0)


@lru_cache(maxsize=4096)
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


def fitted(text: str, room: float, size: float = LETTERS) -> str:
    """Return a text on one line, cut where it is wider than there is room."""
    one_line = " ".join(text.split())
    widths = [size * share for share in accumulate(map(_share, one_line))]
    if not widths or widths[-1] <= room:
        return one_line
    letters = bisect_right(widths, room, key=lambda width: width + size * USUAL)
    return f"{one_line[:letters].rstrip()}…"


def all_fitted(texts: Sequence[str], room: float) -> list[str]:
    """Return texts that fit; of those that would look alike the middle is cut, not the end."""
    texts_cut = [fitted(text, room) for text in texts]
    times = Counter(texts_cut)
    return [
        text_cut if times[text_cut] == 1 else _ends(text, room)
        for text, text_cut in zip(texts, texts_cut, strict=True)
    ]


def _ends(text: str, room: float) -> str:
    """Return as much of a text's beginning and of its end as fits."""
    one_line = " ".join(text.split())

    def shown(letters: int) -> str:
        return f"{one_line[:letters].rstrip()}…{one_line[-letters:].lstrip()}"

    possible = range(1, len(one_line) // 2)
    letters = bisect_right(possible, room, key=lambda letters: width_of(shown(letters)))
    return shown(letters) if letters else fitted(text, room)


def legend_columns(names: Sequence[str], room: float) -> int:
    """Return how many names of lines there is room for beside each other, with their handles and gaps."""
    return max(1, min(len(names), int(room / (HANDLE + widest(names) + 12))))


def listed(parts: Iterable[str]) -> str:
    """Return what is said of marks as one sentence: the text alternative of a figure."""
    return f"{_('; ').join(parts)}."


# Scales from 0, or below where something is, to 1.

# With values far below 0 there is room for fewer numbers.
FAR = -0.2


def lowest(values: Iterable[float]) -> float:
    """Return where a scale begins that has to show some values: at 0, or at a round number below."""
    low = min(values, default=0.0)
    if low >= 0:
        return 0.0
    return FAR if low >= FAR else max(-1.0, -0.5 * -(low // 0.5))


def ticks(low: float) -> list[float]:
    """Return the values that are written on a scale from `low` to 1."""
    step = 0.2 if low >= FAR else 0.5
    return [round(step * number, 1) for number in range(round(low / step), round(1 / step) + 1)]


def written(values: Sequence[float]) -> list[str]:
    """Return numbers as they are written at a scale."""
    return [numbers.pointed(f"{value:g}".replace("-", "−")) for value in values]


FONT = "-apple-system, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif"
# What is wider keeps its size, so that its letters do: the page scrolls it.
KEEP = "keep"
VARIABLE = re.compile(r"var\(--([a-z0-9-]+)\)")
DPI = 300
MARK = "\ufeff"


class Plot(Protocol):
    """What can be drawn: made from results, painted on axes.

    `title` says what is seen, `described` its data in words; `size` and `margins` (left, right, top, bottom)
    are those of a page's figure, in pixels.
    """

    @property
    def title(self) -> str: ...  # noqa: D102

    @property
    def described(self) -> str: ...  # noqa: D102

    @property
    def size(self) -> tuple[float, float]: ...  # noqa: D102

    @property
    def margins(self) -> tuple[float, float, float, float]: ...  # noqa: D102

    def paint(self, axes: "Axes", /) -> None: ...  # noqa: D102


@dataclass(frozen=True)
class PlainPlot:
    """A plot of which all is known before it is painted."""

    title: str
    described: str
    size: tuple[float, float]
    margins: tuple[float, float, float, float]
    paint: Callable[["Axes"], None]


def on_axes(plot: Plot | None, ax: "Axes | None" = None) -> "Axes | None":
    """Return a plot painted on axes, where none are given a new figure's; None where nothing is drawn."""
    if plot is None:
        return None
    with our_style():
        axes = new_axes(plot.size, plot.margins) if ax is None else ax
        plot.paint(axes)
        _without_marks(axes)
    return axes


def _without_marks(axes: "Axes") -> None:
    """Take byte order marks out of texts: nobody sees one, and matplotlib has no letter to write to a PDF."""
    from matplotlib.text import Text

    texts = [text for text in axes.findobj(Text) if MARK in text.get_text()]
    for text in texts:
        text.set_text(text.get_text().replace(MARK, ""))
    for axis in (axes.xaxis, axes.yaxis) if texts else ():
        # What ticks say is asked for again whenever they are drawn.
        axis.set_major_formatter(_without_mark(axis.get_major_formatter()))


def _without_mark(shown: "Formatter") -> Callable[[float, Any], str]:
    return lambda value, place: shown(value, place).replace(MARK, "")


@dataclass(frozen=True)
class Drawing:
    """A figure of a page: its name, which is that of its file, its plot, and what it shows in a sentence.

    With links it is a group and not an image; one that `fits` takes all the room that it needs; a `panel` has
    its title above it, and screen readers read its data.
    """

    name: str
    plot: Plot = field(repr=False, compare=False)
    title: str
    role: str = "img"
    fits: bool = False
    panel: bool = False
    made_in: Edition = field(default_factory=edition)

    @cached_property
    def svg(self) -> str:
        """Return its SVG, drawn when it is asked for first; the name makes its ids unique on a page."""
        with writing(self.made_in):
            return svg_of(self.name, self.plot, self.role, fits=self.fits, panel=self.panel)

    def save(self, to: Path) -> None:
        """Write the figure as PNG or PDF, by the ending."""
        import warnings

        with our_style(), warnings.catch_warnings():
            # A letter that no font has stops nothing.
            warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
            axes = on_axes(self.plot)
            figure = axes.figure.figure if axes else None
            if figure:
                metadata = {"CreationDate": None} if to.suffix == ".pdf" else None
                figure.savefig(to, dpi=DPI, metadata=metadata)


def drawing(
    name: str, plot: Plot | None, role: str = "img", *, fits: bool = False, panel: bool = False
) -> Drawing | None:
    """Return a plot as the figure of a page, None where there is none."""
    return Drawing(name, plot, printable(plot.title), role, fits=fits, panel=panel) if plot else None


def svg_of(  # noqa: PLR0913 - each is one choice
    name: str, plot: Plot, role: str = "img", kind: str = "", *, fits: bool = False, panel: bool = False
) -> str:
    """Return a plot as SVG with its title and its data in words; `kind` is a class that it has.

    What is wider than a phone keeps its size, so that the page scrolls it, unless it `fits`.
    """
    import logging

    # What it says of its cache and of a user's settings concerns no page.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)

    width, height = plot.size
    wide = width > WIDTH and not fits
    attributes = {
        "viewBox": f"0 0 {width:.0f} {height:.0f}",
        "width": f"{width if kind or wide else width * LARGER:.0f}",
        "role": role,
        **_heard(name, plot, panel=panel),
        "font-size": f"{LETTERS:g}",
        "fill": "none",
    }
    kind = kind or KEEP * wide
    root = ET.Element("svg", attributes | ({"class": kind} if kind else {}))
    ids = attributes.get("aria-labelledby", "").split()
    for tag, element_id, text in zip(("title", "desc"), ids, (plot.title, plot.described), strict=False):
        ET.SubElement(root, tag, {"id": element_id}).text = printable(text)
    with our_style():
        axes = new_axes(plot.size, plot.margins)
        plot.paint(axes)
        root.extend(parts_of(axes.figure.figure))
    # In texts and in values ET writes ">" as "&gt;".
    return ET.tostring(root, encoding="unicode").replace(" />", "/>") + "\n"


def _heard(name: str, plot: Plot, *, panel: bool) -> dict[str, str]:
    """Return what names a figure for those who hear the page: its title and its data, of a panel these."""
    if panel:
        return {"aria-label": printable(plot.described)}
    return {"aria-labelledby": f"{name}-title" + f" {name}-description" * bool(plot.described)}


def standalone(svg: str) -> str:
    """Return a figure as a file of its own, with its type and its colours for light and dark."""
    dark = "".join(
        f'[{kind}="{LIGHT[name]}"]{{{kind}:{DARK[name]}}}'
        for name in dict.fromkeys(VARIABLE.findall(svg))
        for kind in ("fill", "stroke")
        if f'{kind}="var(--{name})"' in svg
    )
    coloured = VARIABLE.sub(lambda variable: LIGHT[variable[1]], svg)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" font-family="{FONT}" stroke-linejoin="round" '
    style = f"<style>@media screen and (prefers-color-scheme:dark){{{dark}}}</style>"
    return coloured.replace("<svg ", head, 1).replace(">", f">{style}", 1)


# The page's own variables: its style sheet says what they are in the light, in the dark and on paper.
OF_PAGES = ("ink", "muted", "rule", "paper")


def rules() -> str:
    """Return the style rules that give a page's figures their colours, and wide ones their width."""
    light, dark = (
        "".join(f"--{name}:{value};" for name, value in theme.items() if name not in OF_PAGES)
        for theme in (LIGHT, DARK)
    )
    forced = "".join(f"--{name}:{'Canvas' if name in GROUNDS else 'CanvasText'};" for name in LIGHT)
    return (
        f"figure svg{{stroke-linejoin:round}}figure svg.{KEEP}{{max-width:none}}:root{{{light}}}"
        f"@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}"
        f"@media (forced-colors:active){{figure svg{{{forced}}}}}"
    )


# matplotlib writes the help of each kind of artist, and of its methods, as it is imported, which takes longer
# than anything else there. Nobody asks a command for it.
if "reportgen.cli" in sys.modules and hasattr(Artist, "_update_set_signature_and_docstring"):
    Artist._update_set_signature_and_docstring = classmethod(lambda _: None)  # noqa: SLF001
    helps = getattr(mpl, "_docstring", None)
    for kind in (helps.Substitution, type(helps.interpd)) if helps else ():
        kind.__call__ = lambda _, described: described


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
        path: "DrawnPath",
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
        marker_path: "DrawnPath",
        marker_trans: "Transform",
        path: "DrawnPath",
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

    def _strokes(self, path: "DrawnPath", transform: "Transform") -> str:
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
