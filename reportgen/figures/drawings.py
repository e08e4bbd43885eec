"""A figure of a page: its name, its SVG with a text alternative, and the same as a file of its own."""

import re
from collections.abc import Callable
from dataclasses import field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from xml.etree import ElementTree as ET

from reportgen.base.dataclass import dataclass
from reportgen.figures.style import DARK, GROUNDS, LARGER, LETTERS, LIGHT, WIDTH, new_axes, our_style
from reportgen.words.language import Edition, edition, printable, writing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.ticker import Formatter


# Scales from 0, or below where something is, to 1.


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
        # Take byte order marks out of texts: nobody sees one, and matplotlib has no letter to write to a PDF.
        from matplotlib.text import Text

        texts = [text for text in axes.findobj(Text) if MARK in text.get_text()]
        for text in texts:
            text.set_text(text.get_text().replace(MARK, ""))
        for axis in (axes.xaxis, axes.yaxis) if texts else ():
            # What ticks say is asked for again whenever they are drawn.
            axis.set_major_formatter(_without_mark(axis.get_major_formatter()))
    return axes


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
    from reportgen.figures.svg import parts_of

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
