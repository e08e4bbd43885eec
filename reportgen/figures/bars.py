"""What changed between versions: bars to either side of nothing, bands from one version to the next."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from reportgen.figures.drawings import on_axes
from reportgen.figures.style import LIGHT, POINT, WIDTH, fitted, listed, widest, width_of
from reportgen.results.comparison import Flips, VersionComparison
from reportgen.words import numbers
from reportgen.words.language import _, say, told

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes

LONGEST = 160.0
HIGH, BAR, FOOT = 24.0, 0.58, 26.0


@dataclass(frozen=True)
class Bar:
    """A name, a value, and the value as it is written."""

    name: str
    value: float
    shown: str


@dataclass(frozen=True)
class BarPlot:
    """Bars under each other; `axis` says what is left and right of nothing."""

    title: str
    described: str
    bars: Sequence[Bar]
    axis: str

    @property
    def size(self) -> tuple[float, float]:
        """Return width and height in pixels."""
        return WIDTH, HIGH * len(self.bars) + FOOT

    @cached_property
    def margins(self) -> tuple[float, float, float, float]:
        """Return the room for names, and for what is written at either end of the bars."""
        names = 8 + widest(fitted(each.name, LONGEST) for each in self.bars)
        room = 8 + widest(each.shown for each in self.bars)
        falls, rises = (any(each.value * sign > 0 for each in self.bars) for sign in (-1, 1))
        return names + room * falls, 2 + room * rises, 0.0, FOOT

    def paint(self, axes: "Axes") -> None:
        """Paint the bars on axes."""
        values = [each.value for each in self.bars]
        low, high = min(0.0, *values), max(0.0, *values)
        axes.set(xlim=(low, high), ylim=(len(values) - 0.5, -0.5), xticks=[])
        axes.set_yticks(range(len(values)), [fitted(each.name, LONGEST) for each in self.bars])
        left, right, _top, _foot = self.margins
        inner = WIDTH - left - right
        names = 8 + widest(fitted(each.name, LONGEST) for each in self.bars)
        axes.tick_params(axis="y", labelcolor=LIGHT["ink"], pad=(left - names + 8) * POINT)
        for place, each in enumerate(self.bars):
            self._bar(axes, place, each, (high - low) * 4 / inner)
        axes.axvline(0, color=LIGHT["ink"], linewidth=0.7)
        half = width_of(self.axis) / 2
        middle = (max(half, min(left + inner / 2, WIDTH - half)) - left) / inner
        axes.set_xlabel(self.axis, x=middle)

    def _bar(self, axes: "Axes", place: int, each: Bar, gap: float) -> None:
        falls = each.value < 0
        colour = LIGHT["series-3" if falls else "series-6"]
        # In grey a bar that falls is lighter, and to the left; one that rises is full.
        (bar,) = axes.barh([place], [each.value], BAR, color=(colour, 0.45 if falls else 1.0))
        bar.set(edgecolor=colour, linewidth=0.75 * falls, gid=told(each.name, each.shown))
        side = "right" if falls else "left"
        axes.text(
            each.value - gap if falls else each.value + gap, place, each.shown, ha=side, va="center_baseline"
        )


# Where disagreements of one version go under the next: mended, broken, or disputed still


# Units that are agreed under both versions are most, and no flow: the figure leaves them to its caption.
BANDS, HEAD, SIDE, GAP = 150.0, 26.0, 96.0, 0.06


def disagreement_flow(comparison: VersionComparison, ax: "Axes | None" = None) -> "Axes | None":
    """Return how many units that were disputed are agreed now, and the other way round.

    None where no unit of both versions is disputed under either.
    """
    found = comparison.primary
    flips = found.flips if found else None
    return on_axes(of_flips(flips, (comparison.first.guidelines, comparison.second.guidelines)), ax)


def of_flips(flips: Flips | None, versions: tuple[str, str]) -> "FlowPlot | None":
    """Return the flow between two versions, None where nothing flows."""
    if flips is None or not flips.mended + flips.broken + flips.disputed:
        return None
    return FlowPlot(flips, versions)


@dataclass(frozen=True)
class FlowPlot:
    """Disputed units of two versions as bands: from disputed to agreed, the other way, and disputed still."""

    flips: Flips
    versions: tuple[str, str]
    size: tuple[float, float] = (WIDTH, HEAD + BANDS)
    margins: tuple[float, float, float, float] = (SIDE, SIDE, HEAD, 4.0)

    @property
    def title(self) -> str:
        """Return how many disagreements were settled, and how many are new."""
        return say(
            "{mended} disagreements of {first} are settled in {second}, {broken} are new",
            mended=numbers.count(self.flips.mended),
            broken=numbers.count(self.flips.broken),
            first=self.versions[0],
            second=self.versions[1],
        )

    @property
    def described(self) -> str:
        """Return all counts in words."""
        return listed(told(name, numbers.count(units)) for name, units, *_rest in self._bands())

    def _bands(self) -> "Iterator[tuple[str, int, str, bool, bool]]":
        """Yield name, units, colour, and whether a band is disputed before and after."""
        yield _("agreed before, disputed now"), self.flips.broken, "series-6", False, True
        yield _("disputed under both"), self.flips.disputed, "series-2", True, True
        yield _("disputed before, agreed now"), self.flips.mended, "series-3", True, False

    def paint(self, axes: "Axes") -> None:
        """Paint the bands on axes, disputed units below agreed ones on either side."""
        axes.set(xlim=(0, 1), ylim=(0, 1), xticks=[], yticks=[])
        bands = [each for each in self._bands() if each[1]]
        unit = (1 - GAP) / sum(units for _name, units, *_rest in bands)
        # Agreed above, disputed below; within a side in such an order that no two bands cross twice.
        starts = self._sides(bands, unit, before=True)
        ends = self._sides(bands, unit, before=False)
        for (name, units, colour, *_sides), start, end in zip(bands, starts, ends, strict=True):
            axes.add_patch(_ribbon(start, end, units * unit, LIGHT[colour], told(name, numbers.count(units))))
        for side, version in zip((0, 1), self.versions, strict=True):
            self._side(
                axes,
                side,
                version,
                [(each, at) for each, at in zip(bands, (starts, ends)[side], strict=True)],
                unit,
            )

    def _sides(
        self, bands: list[tuple[str, int, str, bool, bool]], unit: float, *, before: bool
    ) -> list[float]:
        """Return where each band begins on one side: its foot."""
        place, feet = 0.0, dict[int, float]()
        order = [number for number, each in enumerate(bands) if each[3 if before else 4]]
        rest = [number for number in range(len(bands)) if number not in order]
        for number in order if not before else order[::-1]:
            feet[number] = place
            place += bands[number][1] * unit
        place = max(place + GAP, 0.0) if order else 0.0
        for number in rest:
            feet[number] = place
            place += bands[number][1] * unit
        return [feet[number] for number in range(len(bands))]

    def _side(self, axes: "Axes", side: int, version: str, bands: list[Any], unit: float) -> None:
        """Write a version above its side, and beside it how many units are agreed or disputed."""
        x, align = (-0.05, "right") if side == 0 else (1.05, "left")
        name = fitted(version, LONGEST)
        axes.text(
            x, 1 + 10 / BANDS, name, ha=align, va="baseline", fontweight="bold", transform=axes.transAxes
        )
        for disputed, text in ((True, _("{units} disputed")), (False, _("{units} agreed"))):
            here = [(each, foot) for each, foot in bands if each[3 + side] == disputed]
            if here:
                low = min(foot for _each, foot in here)
                high = max(foot + each[1] * unit for each, foot in here)
                total = sum(each[1] for each, _foot in here)
                said = say(text, units=numbers.count(total))
                axes.text(x, (low + high) / 2, said, ha=align, va="center_baseline", color=LIGHT["muted"])


def _ribbon(start: float, end: float, high: float, colour: str, title: str) -> Any:  # noqa: ANN401 - matplotlib's
    """Return a band from one foot to another."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    points = [(0, start), (0.5, start), (0.5, end), (1, end)]
    points += [(1, end + high), (0.5, end + high), (0.5, start + high), (0, start + high), (0, start)]
    codes = [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3, Path.CLOSEPOLY]
    return PathPatch(Path(points, codes), facecolor=colour, alpha=0.6, linewidth=0, gid=title)
