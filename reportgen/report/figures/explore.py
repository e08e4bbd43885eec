"""What a page needs to move coefficients along the size curve: two polynomials of each."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from reportgen.report.figures.curve import LEFT, RIGHT, Axes, CurveLabels, axes_of
from reportgen.report.figures.elements import short
from reportgen.results import SizeCurve

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
    """The slider over the sizes of a curve, from `first` to `last`.

    `moved` has the symbol of each figure, `quotients` the coefficients of its two polynomials, as results
    have them, and `limits` what it tends to, where it tends to anything.
    """

    figure: str
    first: int
    last: int
    marked: int
    axes: tuple[str, ...]
    moved: Mapping[str, str]
    quotients: Mapping[str, str]
    limits: Mapping[str, float | None]
    series: Mapping[str, int]
    own: tuple[Own, ...]
    start: Own
    steps: int = STEPS


def explore(name: str, curve: SizeCurve, labels: CurveLabels) -> Explore | None:
    """Return what the page needs; None where the curve has nothing that moves."""
    moved = {each: labels.shown[each] for each in MOVED if each in labels.shown and each in curve.quotients}
    if not moved or len(curve.sizes) <= 1:
        return None
    axes, places = axes_of(curve, labels), list(labels.shown)
    own = tuple(_own(axes, labels.sizes))
    return Explore(
        figure=name,
        first=curve.sizes[0],
        last=curve.sizes[-1],
        marked=curve.marked,
        axes=tuple(map(short, (LEFT, RIGHT, axes.foot, axes.top, axes.low))),
        moved=moved,
        quotients={each: _written(curve.quotients[each]) for each in moved},
        limits={each: curve.limit[each] for each in moved},
        series={each: places.index(each) + 1 for each in moved},
        own=own,
        start=max(own, key=lambda each: each.size == curve.declared),
    )


def _written(quotient: Iterable[Iterable[int]]) -> str:
    return "/".join(" ".join(map(str, part)) for part in quotient)


def _own(axes: Axes, sizes: Mapping[str, int]) -> Iterator[Own]:
    before = -1
    for size in sorted(set(sizes.values())):
        names = ", ".join(each for each, found in sizes.items() if found == size)
        # Two sizes that are almost the same have two places still, and the first of all sizes has its own.
        least = before + 1 if size == axes.first else max(before + 1, 1)
        before = max(least, round((axes.x(size) - LEFT) / (RIGHT - LEFT) * STEPS))
        yield Own(names, size, before)
