"""Bars: all disagreements as one, bars to either side of nothing, how far apart ends of marks are."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from reportgen.base.dataclass import dataclass
from reportgen.figures.drawings import PlainPlot, on_axes
from reportgen.figures.style import LIGHT, POINT, WIDTH, Look, fitted, listed, name_below, widest
from reportgen.results import Results
from reportgen.results.model import AllDisagreements, DisagreementPart
from reportgen.words import numbers
from reportgen.words.language import N_, _, named_value, say
from reportgen.words.numbers import count, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LONGEST = 160.0
HIGH, BAR, FOOT = 24.0, 0.58, 26.0
# A bar's colour, and how much of it is seen: one that is light has an edge, for those who see no colours.
Shade = tuple[str, float]


@dataclass(frozen=True)
class Bar:
    """A name, a value, and the value as it is written."""

    name: str
    value: float
    shown: str


def bar_plot(title: str, described: str, bars: Sequence[Bar], axis: str) -> PlainPlot:
    """Return bars under each other; `axis` says what is left and right of nothing."""
    names = [fitted(bar.name, LONGEST) for bar in bars]
    ends = min(0.0, *(bar.value for bar in bars)), max(0.0, *(bar.value for bar in bars))
    beside, room = 8 + widest(names), 8 + widest(bar.shown for bar in bars)
    margins = beside + room * (ends[0] < 0), 2 + room * (ends[1] > 0), 0.0, FOOT

    def paint(axes: "Axes") -> None:
        gap = (ends[1] - ends[0]) * 4 / (WIDTH - margins[0] - margins[1])
        for row, bar in enumerate(bars):
            # In grey a bar that falls is lighter, and to the left; one that rises is full.
            falls = bar.value < 0
            shade = ("series-3", 0.45) if falls else ("series-6", 1.0)
            _bar(axes, bar, (row, BAR, -gap if falls else gap), shade)
        _scale(axes, names, ends, margins[0] - beside + 8)
        name_below(axes, axis, WIDTH, margins)

    return PlainPlot(title, described, (WIDTH, HIGH * len(bars) + FOOT), margins, paint)


def _bar(axes: "Axes", bar: Bar, where: tuple[float, float, float], shade: Shade) -> None:
    """Paint a bar, its number behind it; `where` is its row, its thickness and the gap before its number."""
    (at, thick, gap), colour = where, LIGHT[shade[0]]
    (painted,) = axes.barh([at], [bar.value], thick, color=(colour, shade[1]))
    painted.set(edgecolor=colour, linewidth=0.75 * (shade[1] < 1), gid=named_value(bar.name, bar.shown))
    axes.text(bar.value + gap, at, bar.shown, ha="right" if gap < 0 else "left", va="center_baseline")


def _scale(axes: "Axes", names: Sequence[str], ends: tuple[float, float], pad: float) -> None:
    """Write the names of rows, and draw where nothing is."""
    axes.set(xlim=ends, ylim=(len(names) - 0.5, -0.5), xticks=[])
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(axis="y", labelcolor=LIGHT["ink"], pad=pad * POINT)
    axes.axvline(0, color=LIGHT["ink"], linewidth=0.7)


# How far apart annotators' marks of one label begin and end: how many pairs of marks by distance.

# Where each class of distances begins: a letter or two, a word, a phrase; of recordings in milliseconds.
CHARACTERS = (1, 2, 4, 8, 16, 32, 64)
MILLISECONDS = (1, 20, 50, 100, 200, 500, 1000)
HIGH_OF_TWO, BAR_OF_TWO, KEYS = 36.0, 0.36, 22.0
STARTS, ENDS = ("series-1", 1.0), ("series-2", 0.35)


def boundary_distances(
    results: Results, ax: "Axes | None" = None, *, layer: str | None = None
) -> "Axes | None":
    """Return by how much the starts and the ends of annotators' marks differ, in classes of distances.

    The marks are those of one label that match or overlap, two annotators' each, of all labels of the layer
    together. None where no texts or recordings were marked, or where all starts and ends are the same.
    """
    return on_axes(of_boundaries(results, layer or results.layers[0]), ax)


def of_boundaries(results: Results, layer: str) -> PlainPlot | None:
    """Return the distances of a layer's marks as two bars for each class; None where nothing lies apart.

    Pairs that begin, or end, at the same place are in the title alone: no other bar would show beside them.
    """
    disagreements = results.spans.disagreements_of(layer) if results.spans else None
    distances = (disagreements.distances if disagreements else None) or ()
    starts = [distance_count for of_label in distances for distance_count in of_label.starts]
    ends = [distance_count for of_label in distances for distance_count in of_label.ends]
    limits = MILLISECONDS if results.recorded else CHARACTERS
    # The last class of all has no upper end.
    classes = [
        (_class_name(low, high), _within(starts, low, high), _within(ends, low, high))
        for low, high in zip(limits, [*(limit - 1 for limit in limits[1:]), None], strict=True)
    ]
    while classes and not classes[-1][1] + classes[-1][2]:
        classes.pop()
    pairs = sum(times for _apart, times in starts)
    if not classes or not pairs:
        return None
    title = say(
        "{starts} of {count} pairs of marks begin at the same place, {ends} end at the same place",
        count=count(pairs),
        starts=numbers.percent(1 - sum(distance_class[1] for distance_class in classes) / pairs),
        ends=numbers.percent(1 - sum(distance_class[2] for distance_class in classes) / pairs),
    )
    described = listed(
        named_value(name, say("starts {starts}, ends {ends}", starts=count(begun), ends=count(ended)))
        for name, begun, ended in classes
    )
    axis = _("pairs of marks by distance, in characters")
    if results.recorded:
        axis = _("pairs of marks by distance, in milliseconds")
    values = [value for _name, *both in classes for value in both]
    room = 10 + widest(name for name, *_both in classes), 10 + widest(map(count, values))
    size = WIDTH, KEYS + HIGH_OF_TWO * len(classes) + FOOT
    return PlainPlot(title, described, size, (*room, KEYS, FOOT), _paint_boundaries(classes, room, axis))


def _within(counts: Sequence[tuple[int, int]], low: int, high: int | None) -> int:
    """Return how many pairs of marks have a distance in a class."""
    return sum(times for apart, times in counts if low <= apart <= (high or apart))


def _class_name(low: int, high: int | None) -> str:
    if high is None:
        return say("{number} or more", number=count(low))
    return count(low) if low == high else f"{count(low)}–{count(high)}"


def _paint_boundaries(
    classes: Sequence[tuple[str, int, int]], room: tuple[float, float], axis: str
) -> Callable[["Axes"], None]:
    """Return what paints classes with their starts and ends, and says above which bars are which."""

    def paint(axes: "Axes") -> None:
        inner, most = WIDTH - sum(room), max(value for _name, *both in classes for value in both)
        for row, (name, *both) in enumerate(classes):
            for side, value, kind, shade in zip(
                (-1, 1), both, (_("starts"), _("ends")), (STARTS, ENDS), strict=True
            ):
                where = (row + side * BAR_OF_TWO / 2, BAR_OF_TWO * 0.86, 4 * most / inner)
                _bar(axes, Bar(named_value(kind, name), value, count(value)), where, shade)
        _scale(axes, [name for name, *_both in classes], (0, most), 8)
        for text, (name, opacity) in ((_("starts"), STARTS), (_("ends"), ENDS)):
            colour, edge = LIGHT[name], 0.75 * (opacity < 1)
            look: Look = {
                "markerfacecolor": (colour, opacity),
                "markeredgecolor": colour,
                "markeredgewidth": edge,
            }
            axes.plot([], [], "s", label=fitted(text, WIDTH / 2), markersize=7, **look)
        axes.legend(loc="lower left", bbox_to_anchor=(-room[0] / inner, 1.0), ncols=2, handletextpad=0.2)
        name_below(axes, axis, WIDTH, room)

    return paint


# Where disagreements of one version go under the next: mended, broken, or disputed still


# Units that are agreed under both versions are most, and no flow: the figure leaves them to its caption.

# So many parts have a colour of their own; what is left is the last.
MOST_PARTS = 4
BAR_HIGH, ROW_HIGH, ROW_GAP = 26.0, 19.0, 8.0
# How parts look, here and on pages: what one of two alone has, other ends, labels, all others.
COLOURS = {
    "first": "series-1",
    "second": "series-2",
    "ends": "muted",
    "label": "series-4",
    "other-1": "series-4",
    "other-2": "series-4",
    "rest": "muted",
}
PALE = {"rest": 0.5, "other-2": 0.5}
SIDES = ("first", "second")
LOOKS_OF_KINDS = {"boundary": "ends", "type": "label", "both": "label", "omission": "second"}
LOOKS = ("other-1", "other-2", "second", "first", "label", "ends")
KINDS = {
    "boundary": N_("different boundaries"),
    "type": N_("another label"),
    "both": N_("another label and different boundaries"),
    "omission": N_("only one marked"),
}
ONLY, TWO, OTHERS = N_("only {name} marked"), N_("{first} / {second}"), N_("all others")


def disagreements(results: Results, ax: "Axes | None" = None) -> "Axes | None":
    """Return all disagreements as one bar: who alone marked, other ends, which labels; None without any."""
    return on_axes(of_disagreements(results), ax)


def of_disagreements(results: Results) -> PlainPlot | None:
    """Return the bar of all disagreements; None where there are none, or all are of one kind."""
    found, parts = results.disagreements, shown_parts(results)
    if found is None or not parts:
        return None
    written = [
        say("{count} ({share})", count=count(cases), share=percent(cases / found.total))
        for _look, _name, cases in parts
    ]
    described = listed(named_value(part[1], share) for part, share in zip(parts, written, strict=True))
    high = BAR_HIGH + ROW_GAP + ROW_HIGH * len(parts)

    def paint(axes: "Axes") -> None:
        _paint(axes, parts, written, found.total)

    return PlainPlot(title(found), described, (WIDTH, high), (0.0, 0.0, 0.0, 0.0), paint)


def _paint(axes: "Axes", parts: Sequence[tuple[str, str, int]], written: Sequence[str], total: int) -> None:
    """Paint the bar, and below it what each part is."""
    axes.set(xlim=(0, WIDTH), ylim=(BAR_HIGH + ROW_GAP + ROW_HIGH * len(parts), 0), xticks=[], yticks=[])
    axes.axis("off")
    left = 0.0
    for number, ((look, name, cases), share) in enumerate(zip(parts, written, strict=True)):
        shade: Look = {"color": LIGHT[COLOURS[look]], "alpha": PALE.get(look)}
        wide = cases / total * WIDTH
        (bar,) = axes.barh([BAR_HIGH / 2], [max(wide - 1, 0.5)], BAR_HIGH, left=left, **shade)
        bar.set_gid(named_value(name, share))
        left += wide
        at = BAR_HIGH + ROW_GAP + ROW_HIGH * (number + 0.5)
        axes.barh([at], [10], 10, left=0, **shade)
        axes.text(16, at, fitted(name, WIDTH - 120), va="center_baseline")
        axes.text(WIDTH, at, share, va="center_baseline", ha="right")


def title(found: AllDisagreements) -> str:
    """Return how many disagreements there are, and of how many comparisons."""
    message = (
        N_("All {count} disagreements in {compared} comparisons of two annotators' marks")
        if found.of_marks
        else N_("All {count} disagreements in {compared} comparisons of two annotators' labels")
    )
    return say(message, count=count(found.total), compared=count(found.compared))


def shown_parts(results: Results) -> list[tuple[str, str, int]]:
    """Return what disagreements are: how each part looks, its name and its cases; empty of a single kind.

    The most frequent come first, all others last. Where those are most, they are in no few parts: empty too.
    """
    found = results.disagreements
    if found is None:
        return []
    times: Counter[str] = Counter()
    for part in found.parts:
        times[part_name(part, len(results.layers))] += part.cases
    rest = times.pop(_(OTHERS), 0)
    ranked = sorted(times.items(), key=lambda item: (-item[1], item[0]))
    many = ranked if len(ranked) <= MOST_PARTS + (not rest) else ranked[:MOST_PARTS]
    rest += sum(cases for _name, cases in ranked[len(many) :])
    shown = [*many, *([(_(OTHERS), rest)] if rest else [])]
    looks = {_(name): LOOKS_OF_KINDS[kind] for kind, name in KINDS.items()} | {_(OTHERS): "rest"}
    people = {part.annotator for part in found.parts if part.annotator is not None}
    if len(people) == len(SIDES) and people <= {*results.primary.annotators}:
        ordered = sorted(people, key=results.primary.annotators.index)
        looks |= {say(ONLY, name=name): look for name, look in zip(ordered, SIDES, strict=True)}
    taken = {looks.get(name) for name, _cases in shown}
    free = iter(look for look in LOOKS if look not in taken)
    parts = [(looks.get(name) or next(free, "rest"), name, cases) for name, cases in shown]
    return parts if len(parts) > 1 and 2 * rest <= found.total else []


def part_name(part: DisagreementPart, layers: int) -> str:
    """Return what a part of the disagreements is, in a few words."""
    if part.annotator is not None:
        return say(ONLY, name=part.annotator)
    if part.kind in KINDS:
        return _(KINDS[part.kind])
    if part.first is None or part.second is None:
        return _(OTHERS)
    name = say(TWO, first=part.first, second=part.second)
    return name if layers == 1 else f"{part.layer}: {name}"
