"""What a page needs to move coefficients along the size curve: a few whole numbers of the ratings.

With n units that m annotators rated, d disagreements of every two of them and M marks, X the sum over pairs
of the product of what both marked and of how often both gave each marked category, Y that of the squares of
how often all gave each, and U = 2nmM - M² - Y, the page computes kappa (Cohen, Conger)
1 - dn / (n(m - 1)M - X), pi and Fleiss' kappa 1 - 2dnm / ((m - 1)U), alpha 1 - 2d(nm - 1) / ((m - 1)U) and,
with q categories, S 1 - 2dq / (nm(m - 1)(q - 1)) and AC1 1 - 2dnm(q - 1) / ((m - 1)((q - 1)n²m² - U)).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from reportgen.report.figures.curve import LEFT, RIGHT, Axes, CurveLabels, axes_of
from reportgen.report.figures.elements import short
from reportgen.results import Confusion, SizeCurve, Sums

# What is moved; whatever else a curve has is drawn.
MOVED = (
    *("cohen_kappa", "scott_pi", "conger_kappa", "fleiss_kappa"),
    *("krippendorff_alpha", "bennett_s", "gwet_ac1"),
)
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
    """The slider over the sizes of a curve, from `first` to `last`; `integers` are d, M, X, Y, q and m."""

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


def explore(name: str, curve: SizeCurve, labels: CurveLabels, sums: Sums) -> Explore | None:
    """Return what the page needs; None where the curve has nothing that moves."""
    moved = {each: labels.shown[each] for each in MOVED if each in labels.shown}
    if not moved or len(curve.sizes) <= 1:
        return None
    axes, places = axes_of(curve, labels), list(labels.shown)
    own = tuple(_own(axes, labels.sizes))
    return Explore(
        figure=name,
        first=curve.sizes[0],
        last=curve.sizes[-1],
        integers=(
            *(sums.disagreements, sums.marks, sums.products, sums.squares),
            *(sums.categories, sums.annotators),
        ),
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


def sums_of_pair(table: Confusion, non_annotated: str) -> Sums | None:
    """Return the whole numbers that the formulas above need; None where no unit can be unmarked by both."""
    if non_annotated not in table.categories:
        return None
    last = table.categories.index(non_annotated)
    rows, columns = table.margins
    marked = [(r, c) for place, (r, c) in enumerate(zip(rows, columns, strict=True)) if place != last]
    agreed = sum(units for (row, column), units in table.filled.items() if row == column)
    each = [sum(own) for own in zip(*marked, strict=True)] or [0, 0]
    return Sums(
        annotators=2,
        categories=len(rows),
        disagreements=table.units - agreed,
        marks=sum(each),
        squares=sum((r + c) ** 2 for r, c in marked),
        products=each[0] * each[1] + sum(r * c for r, c in marked),
    )
