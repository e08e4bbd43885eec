"""Models at every price of an annotator: how many annotators each beats."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from reportgen.figures.drawings import on_axes
from reportgen.figures.style import (
    LIGHT,
    MARKERS,
    POINT,
    WIDTH,
    Look,
    fitted,
    legend_columns,
    listed,
    series,
    written,
)
from reportgen.results import Results
from reportgen.results.annotators import RateByEpsilon, Replacement
from reportgen.words import numbers
from reportgen.words.language import _, say, told

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# The procedure's own line: who beats half of the annotators may take a place.
HALF = 0.5
LEFT, RIGHT, FOOT, HIGH, LINE = 44.0, 12.0, 44.0, 150.0, 18.0
LONGEST = 140.0


def winning_rates(results: Results, ax: "Axes | None" = None, *, layer: str | None = None) -> "Axes | None":
    """Return the winning rate ω of each model or system of a layer over the price ε of an annotator."""
    chosen = layer or results.layers[0]
    found = next((each for each in results.replacement or () if each.layer == chosen), None)
    return on_axes(of_prices(found) if found else None, ax)


def of_prices(found: Replacement) -> "RatesPlot | None":
    """Return the models by how many annotators they beat; None where none is tested."""
    curves = {each.called or each.model: each.curve for each in found.models if each.curve}
    few = dict(list(curves.items())[: len(MARKERS)])
    return RatesPlot(few, found.epsilon) if few else None


@dataclass(frozen=True)
class RatesPlot:
    """A line for each model, ω over ε; `price` is the ε that is declared."""

    curves: Mapping[str, RateByEpsilon]
    price: float | None

    @property
    def title(self) -> str:
        """Return what is drawn."""
        return _("The share of annotators that each model beats, by the margin ε that it is allowed")

    @property
    def described(self) -> str:
        """Return from which ε on each model beats half of the annotators."""
        return listed(told(name, self._first(each)) for name, each in self.curves.items())

    @staticmethod
    def _first(curve: RateByEpsilon) -> str:
        known = zip(curve.epsilon, curve.independent, strict=True)
        found = next((price for price, rate in known if rate >= HALF), None)
        if found is None:
            return _("never half of them")
        return say("half of them from ε = {price}", price=numbers.short(found))

    @cached_property
    def _columns(self) -> int:
        return legend_columns(self._names, WIDTH - LEFT)

    @property
    def _names(self) -> Sequence[str]:
        return [fitted(each, LONGEST) for each in self.curves]

    @property
    def margins(self) -> tuple[float, float, float, float]:
        """Return the room for numbers, and for the names of lines."""
        return LEFT, RIGHT, 12 + LINE * -(-len(self.curves) // self._columns), FOOT

    @property
    def size(self) -> tuple[float, float]:
        """Return width and height in pixels."""
        return WIDTH, self.margins[2] + HIGH + FOOT

    def paint(self, axes: "Axes") -> None:
        """Paint the lines on axes."""
        shares, last = (0.0, 0.5, 1.0), max(each.epsilon[-1] for each in self.curves.values())
        prices = tuple(each / 10 for each in range(int(last * 10) + 1))
        axes.set(xlim=(-0.01, last + 0.01), ylim=(-0.04, 1.04))
        axes.set_yticks(shares, written(shares))
        axes.set_xticks(prices, written(prices))
        axes.tick_params(pad=5 * POINT)
        axes.set_xlabel(_("ω by the margin ε that is allowed"))
        axes.axhline(HALF, color=LIGHT["muted"], linewidth=1, linestyle="--")
        if self.price is not None and self.price <= last:
            axes.axvline(self.price, color=LIGHT["muted"], linewidth=1)
        for number, (name, each) in enumerate(self.curves.items()):
            look: Look = {"where": "post", "color": series(number), "linewidth": 1.4}
            axes.step(each.epsilon, each.independent, gid=told(name, self._first(each)), **look)
            axes.plot(
                each.epsilon[::5],
                each.independent[::5],
                linestyle="",
                color=series(number),
                marker=MARKERS[number],
                markersize=5,
                clip_on=False,
                label=self._names[number],
            )
        place: Look = {"loc": "upper left", "bbox_to_anchor": (-0.09, 1 + (self.margins[2] - 2) / HIGH)}
        axes.legend(ncols=self._columns, handletextpad=0.4, **place)
