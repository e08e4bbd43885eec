"""What a page needs to move coefficients along the size curve: a few whole numbers of the pair's table.

With n units, d of them disagreed on, R and S marked by each annotator, M = R + S, X the sum of the products
of both totals over the marked categories and Y that of the squares of their sums, the page computes
kappa 1 - dn / (nM - RS - X), pi 1 - 4dn / (4nM - M² - Y), alpha 1 - 2d(2n - 1) / (4nM - M² - Y) and, with q
categories, S 1 - dq / (n(q - 1)).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from reportgen.report.figures.curve import LEFT, RIGHT, Axes, CurveLabels, axes_of
from reportgen.report.figures.elements import short
from reportgen.results import Confusion, SizeCurve

# What is moved; whatever else a curve has is drawn.
MOVED = ("cohen_kappa", "scott_pi", "krippendorff_alpha", "bennett_s")
# The places of the slider: the first size, those between at even proportions, the last; then the limit.
STEPS = 240


@dataclass(frozen=True)
class Own:
    """A unit set's size, and its place on the slider."""

    names: str
    size: int
    place: int


@dataclass(frozen=True)
class Explore:
    """The slider over the sizes of a curve, from `first` to `last`; `integers` are d, R, S, X, Y and q."""

    figure: str
    first: int
    last: int
    integers: tuple[int, ...]
    axes: tuple[str, ...]
    moved: Mapping[str, str]
    series: Mapping[str, int]
    own: tuple[Own, ...]
    start: Own
    steps: int = STEPS


def explore(
    name: str, curve: SizeCurve, labels: CurveLabels, table: Confusion, non_annotated: str
) -> Explore | None:
    """Return what the page needs; None where the curve has nothing that moves."""
    moved = {each: labels.shown[each] for each in MOVED if each in labels.shown}
    if not moved or non_annotated not in table.categories or len(curve.sizes) <= 1:
        return None
    axes, places = axes_of(curve, labels), list(labels.shown)
    own = tuple(_own(axes, labels.sizes))
    return Explore(
        figure=name,
        first=curve.sizes[0],
        last=curve.sizes[-1],
        integers=_integers(table, non_annotated),
        axes=tuple(map(short, (LEFT, RIGHT, axes.foot, axes.top, axes.low))),
        moved=moved,
        series={each: places.index(each) + 1 for each in moved},
        own=own,
        start=max(own, key=lambda each: each.size == curve.declared),
    )


def _own(axes: Axes, sizes: Mapping[str, int]) -> Iterator[Own]:
    before = -1
    for size in sorted(set(sizes.values())):
        names = ", ".join(each for each, found in sizes.items() if found == size)
        # Two sizes that are almost the same have two places still, and the first of all sizes has its own.
        least = before + 1 if size == axes.first else max(before + 1, 1)
        before = max(least, round((axes.x(size) - LEFT) / (RIGHT - LEFT) * STEPS))
        yield Own(names, size, before)


def _integers(table: Confusion, non_annotated: str) -> tuple[int, ...]:
    """Return the whole numbers that the formulas above need."""
    last = table.categories.index(non_annotated)
    rows = [sum(row) for row in table.counts]
    columns = [sum(row[place] for row in table.counts) for place in range(len(rows))]
    marked = [(r, c) for place, (r, c) in enumerate(zip(rows, columns, strict=True)) if place != last]
    agreed = sum(row[place] for place, row in enumerate(table.counts))
    return (
        table.units - agreed,
        sum(r for r, _ in marked),
        sum(c for _, c in marked),
        sum(r * c for r, c in marked),
        sum((r + c) ** 2 for r, c in marked),
        len(rows),
    )
