"""How figures look: colours by name, sizes, room for words, and matplotlib's settings."""

import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from reportgen.words import numbers
from reportgen.words.language import _

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
