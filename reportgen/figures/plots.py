"""The figures of results, for those who work in Python: `found.plot.confusion()`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reportgen.base.errors import BadInput, Problem
from reportgen.figures.agreement import agreement_by_layer, documents, pairs, specific_agreement
from reportgen.figures.curve import size_curve
from reportgen.figures.heatmaps import confusion_matrix, pairwise_agreement
from reportgen.figures.people import annotators
from reportgen.figures.style import our_style
from reportgen.results import Results

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Plots:
    """The figures of one layer of results, by default of the first.

    Every method draws on the axes that it is given, else on those of a new figure of pyplot, which a notebook
    shows by itself, and returns them; None where there is nothing to draw.
    """

    results: Results
    layer: str | None = None

    def confusion(
        self, first: str | None = None, second: str | None = None, *, ax: "Axes | None" = None
    ) -> "Axes | None":
        """Return the confusion matrix of two annotators, by default of the first two."""
        number = 0 if first is None or second is None else self._pair(first, second)
        return _shown(lambda axes: confusion_matrix(self.results, axes, layer=self.layer, pair=number), ax)

    def size_curve(self, *, ax: "Axes | None" = None) -> "Axes | None":
        """Return coefficients against the number of units, only jointly unmarked ones being added."""
        return _shown(lambda axes: size_curve(self.results, axes, layer=self.layer), ax)

    def categories(self, *, ax: "Axes | None" = None) -> "Axes | None":
        """Return each category's specific agreement."""
        return _shown(lambda axes: specific_agreement(self.results, axes, layer=self.layer), ax)

    def pairs(self, *, ax: "Axes | None" = None) -> "Axes | None":
        """Return the primary coefficient of every two annotators with its interval, the lowest first."""
        return _shown(lambda axes: pairs(self.results, axes, layer=self.layer), ax)

    def pairwise(self, *, ax: "Axes | None" = None) -> "Axes | None":
        """Return the agreement of every two of at least three annotators as a matrix of shades."""
        return _shown(lambda axes: pairwise_agreement(self.results, axes, layer=self.layer), ax)

    def layers(self, *, ax: "Axes | None" = None) -> "Axes | None":
        """Return the primary coefficient of every layer."""
        return _shown(lambda axes: agreement_by_layer(self.results, axes), ax)

    def documents(self, *, ax: "Axes | None" = None) -> "Axes | None":
        """Return the agreement on marks in every document, the worst first."""
        return _shown(lambda axes: documents(self.results, axes, layer=self.layer), ax)

    def annotators(self, *, ax: "Axes | None" = None) -> "Axes | None":
        """Return how much each annotator agrees with the others."""
        return _shown(lambda axes: annotators(self.results, axes, layer=self.layer), ax)

    def _pair(self, first: str, second: str) -> int:
        """Return the number of a pair, named in either order; raise BadInput where there is none."""
        known = [
            each.annotators for each in self.results.primary_of(self.layer or self.results.layers[0]).pairs
        ]
        for number, names in enumerate(known):
            if {first, second} == set(names):
                return number
        there = "; ".join(" and ".join(names) for names in known[:20])
        message = f"{first} and {second} are no pair of annotators."
        raise BadInput([Problem("the figure", message=message, mend=f"There are {there}." if there else "")])


def _shown(draw: "Callable[[Axes | None], Axes | None]", ax: "Axes | None") -> "Axes | None":
    """Return a figure on axes, or as pyplot's newest figure, in the size that it has on a page."""
    drawn = draw(ax)
    if drawn is None or ax is not None:
        return drawn
    from matplotlib import pyplot as plt

    # A notebook shows no figure that was made without pyplot: it shows this twin, in the same style.
    width, height = drawn.figure.figure.get_size_inches()
    with our_style():
        figure = plt.figure(figsize=(float(width), float(height)))
        axes = figure.add_axes(drawn.get_position().bounds)
    return draw(axes)
