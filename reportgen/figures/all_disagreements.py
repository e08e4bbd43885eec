"""All disagreements of a report as one bar: what they are, from the most frequent to the rest."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from reportgen.figures.drawings import PlainPlot, on_axes
from reportgen.figures.style import LIGHT, WIDTH, Look, fitted, listed
from reportgen.results import Results
from reportgen.results.causes import AllDisagreements, DisagreementPart
from reportgen.words.language import N_, _, named_value, say
from reportgen.words.numbers import count, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# So many parts have a colour of their own; what is left is the last.
MOST_PARTS = 4
BAR_HIGH, ROW_HIGH, GAP = 26.0, 19.0, 8.0
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
    high = BAR_HIGH + GAP + ROW_HIGH * len(parts)

    def paint(axes: "Axes") -> None:
        _paint(axes, parts, written, found.total)

    return PlainPlot(title(found), described, (WIDTH, high), (0.0, 0.0, 0.0, 0.0), paint)


def _paint(axes: "Axes", parts: Sequence[tuple[str, str, int]], written: Sequence[str], total: int) -> None:
    """Paint the bar, and below it what each part is."""
    axes.set(xlim=(0, WIDTH), ylim=(BAR_HIGH + GAP + ROW_HIGH * len(parts), 0), xticks=[], yticks=[])
    axes.axis("off")
    left = 0.0
    for number, ((look, name, cases), share) in enumerate(zip(parts, written, strict=True)):
        shade: Look = {"color": LIGHT[COLOURS[look]], "alpha": PALE.get(look)}
        wide = cases / total * WIDTH
        (bar,) = axes.barh([BAR_HIGH / 2], [max(wide - 1, 0.5)], BAR_HIGH, left=left, **shade)
        bar.set_gid(named_value(name, share))
        left += wide
        at = BAR_HIGH + GAP + ROW_HIGH * (number + 0.5)
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
