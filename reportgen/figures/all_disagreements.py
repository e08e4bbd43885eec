"""All disagreements of a report as one bar: what they are, from the most frequent to the rest."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from reportgen.figures.drawings import PlainPlot, on_axes
from reportgen.figures.style import LIGHT, WIDTH, fitted, listed
from reportgen.results import Results
from reportgen.results.causes import AllDisagreements, DisagreementPart
from reportgen.words.language import N_, _, named_value, say
from reportgen.words.numbers import count, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# So many parts have a colour of their own; what is left is the last.
MOST_PARTS = 4
BAR_HIGH, ROW_HIGH, GAP = 26.0, 19.0, 8.0
SHADES = ("series-2", "series-1", "series-3", "series-4", "muted")
KINDS = {
    "boundary": N_("other ends"),
    "type": N_("another label"),
    "both": N_("another label and other ends"),
    "omission": N_("only one marked"),
}
ONLY, TWO, OTHERS = N_("only {name} marked"), N_("{first} / {second}"), N_("all others")


def disagreements(results: Results, ax: "Axes | None" = None) -> "Axes | None":
    """Return all disagreements as one bar: who alone marked, other ends, which labels; None without any."""
    return on_axes(of_disagreements(results), ax)


def of_disagreements(results: Results) -> PlainPlot | None:
    """Return the bar of all disagreements; None where there are none, or all are of one kind."""
    found = results.disagreements
    shown = shown_parts(found, len(results.layers)) if found else []
    if found is None or len(shown) < 2:
        return None
    title = say("All {count} disagreements", count=count(found.total))
    rows = [
        (name, cases, say("{count} ({share})", count=count(cases), share=percent(cases / found.total)))
        for name, cases in shown
    ]
    described = listed(named_value(name, written) for name, _cases, written in rows)
    high = BAR_HIGH + GAP + ROW_HIGH * len(rows)

    def paint(axes: "Axes") -> None:
        _paint(axes, rows, found.total, high)

    return PlainPlot(title, described, (WIDTH, high), (0.0, 0.0, 0.0, 0.0), paint)


def _paint(axes: "Axes", rows: Sequence[tuple[str, int, str]], total: int, high: float) -> None:
    """Paint the bar, and below it what each part is."""
    axes.set(xlim=(0, WIDTH), ylim=(high, 0), xticks=[], yticks=[])
    axes.axis("off")
    left = 0.0
    for number, (name, cases, written) in enumerate(rows):
        colour = LIGHT[SHADES[-1] if name == _(OTHERS) else SHADES[number]]
        wide = cases / total * WIDTH
        (bar,) = axes.barh([BAR_HIGH / 2], [max(wide - 1, 0.5)], BAR_HIGH, left=left, color=colour)
        bar.set_gid(named_value(name, written))
        left += wide
        at = BAR_HIGH + GAP + ROW_HIGH * (number + 0.5)
        axes.barh([at], [10], 10, left=0, color=colour)
        axes.text(16, at, fitted(name, WIDTH - 120), va="center_baseline")
        axes.text(WIDTH, at, written, va="center_baseline", ha="right")


def shown_parts(found: AllDisagreements, layers: int) -> list[tuple[str, int]]:
    """Return what disagreements are, with how many of each there are: the most frequent, then all others."""
    times: Counter[str] = Counter()
    for part in found.parts:
        times[part_name(part, layers)] += part.cases
    rest = times.pop(_(OTHERS), 0)
    ranked = sorted(times.items(), key=lambda item: (-item[1], item[0]))
    many = ranked if len(ranked) <= MOST_PARTS + (not rest) else ranked[:MOST_PARTS]
    rest += sum(cases for _name, cases in ranked[len(many) :])
    return [*many, *([(_(OTHERS), rest)] if rest else [])]


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
