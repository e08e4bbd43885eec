"""What is looked at? Figures by matplotlib, one function each from results to Axes: for pages and papers.

Each draws on the axes that it is given, else on those of a new figure, and returns them; where there is
nothing to draw it returns None. `drawing` makes the SVG of a page.
"""

from functools import partial
from typing import TYPE_CHECKING

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import did_you_mean, refused, warn
from reportgen.figures.agreement_plots import agreement_by_layer, documents, pairs, specific_agreement
from reportgen.figures.annotator_plots import (
    agreement_over_time,
    annotators,
    causes,
    drift,
    histogram,
)
from reportgen.figures.bars import boundary_distances
from reportgen.figures.curve import size_curve
from reportgen.figures.drawings import FONT, Drawing, drawing, rules, standalone
from reportgen.figures.heatmaps import FEWEST, MOST_PEOPLE, confusion_matrix, pairwise_agreement
from reportgen.figures.lines import agreement_over_versions, categories_over_versions, f_over_versions
from reportgen.figures.style import our_style
from reportgen.results import Results

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

__all__ = [
    "FONT",
    "Drawing",
    "Plots",
    "agreement_by_layer",
    "agreement_over_time",
    "agreement_over_versions",
    "annotators",
    "boundary_distances",
    "categories_over_versions",
    "causes",
    "confusion_matrix",
    "documents",
    "drawing",
    "drift",
    "f_over_versions",
    "histogram",
    "pairs",
    "pairwise_agreement",
    "rules",
    "size_curve",
    "specific_agreement",
    "standalone",
]


# The figures of results, for those who work in Python: `found.plot.confusion()`.

# An error names no more pairs than these.
MOST_PAIRS = 20


@dataclass(frozen=True)
class Plots:
    """The figures of one layer of results, by default of the first.

    Every method draws on the axes that it is given, else on those of a new figure of pyplot, which a notebook
    shows by itself, and returns them. Where there is nothing to draw it warns of what that takes, and returns
    None.
    """

    results: Results
    layer: str | None = None

    def __post_init__(self) -> None:
        """Raise BadInput for a layer that there is not."""
        if self.layer not in {None, *self.results.layers}:
            message, remedy = (
                f'no layer is called "{self.layer}".',
                did_you_mean(str(self.layer), self.results.layers),
            )
            raise refused("the figure", key="layer", message=message, remedy=remedy)

    def confusion(
        self, first: str | None = None, second: str | None = None, *, ax: "Axes | None" = None
    ) -> "Axes | None":
        """Return the confusion matrix of two annotators, of the first pair where one or none is named."""
        # The number of the first pair with some annotators; raise BadInput where there is none.
        named = {first, second} - {None}
        pairs = [
            pair.annotators for pair in self.results.primary_of(self.layer or self.results.layers[0]).pairs
        ]
        position = next((number for number, names in enumerate(pairs) if named <= set(names)), None)
        if named and position is None:
            there = "; ".join(" and ".join(names) for names in pairs[:MOST_PAIRS])
            message = f"{' and '.join(sorted(map(str, named)))} are not a pair of annotators."
            remedy = f"There are {there}." if there else ""
            raise refused("the figure", message=message, remedy=remedy)
        number = position or 0
        needs = "two annotators with units in common, and two labels or more, but not very many"
        return self._draw(partial(confusion_matrix, pair=number), ax, needs)

    def size_curve(self, *, ax: "Axes | None" = None) -> "Axes | None":
        """Return coefficients against the number of units, only jointly unmarked ones being added."""
        return self._draw(
            size_curve, ax, "units that nobody marked, and the name of their category, non_annotated"
        )

    def categories(self, *, ax: "Axes | None" = None) -> "Axes | None":
        """Return each category's specific agreement."""
        return self._draw(specific_agreement, ax, "a category with specific agreement")

    def pairs(self, *, ax: "Axes | None" = None) -> "Axes | None":
        """Return the primary coefficient of every two annotators with its interval, the lowest first."""
        return self._draw(pairs, ax, "two pairs of annotators; of two annotators measures have the value")

    def pairwise(self, *, ax: "Axes | None" = None) -> "Axes | None":
        """Return the agreement of every two of at least three annotators as a matrix of shades."""
        return self._draw(
            pairwise_agreement, ax, f"{FEWEST} to {MOST_PEOPLE} annotators with a value for each pair"
        )

    def layers(self, *, ax: "Axes | None" = None) -> "Axes | None":
        """Return the primary coefficient of every layer."""
        return _shown(partial(agreement_by_layer, self.results), ax, "two layers or categories with a value")

    def documents(self, *, ax: "Axes | None" = None) -> "Axes | None":
        """Return the agreement on marks in every document, the worst first."""
        return self._draw(documents, ax, "two documents with marks")

    def boundaries(self, *, ax: "Axes | None" = None) -> "Axes | None":
        """Return by how much the starts and the ends of annotators' marks differ."""
        return self._draw(boundary_distances, ax, "marks of one type whose ends lie apart")

    def annotators(self, *, ax: "Axes | None" = None) -> "Axes | None":
        """Return how much each annotator agrees with the others."""
        return self._draw(annotators, ax, "a campaign of which three annotators labelled the same units")

    def progress(self, *, ax: "Axes | None" = None) -> "Axes | None":
        """Return agreement over the calendar, and how much had two labels by then."""
        return self._draw(agreement_over_time, ax, "a campaign whose labels have dates")

    def _draw(self, figure: "Callable[..., Axes | None]", ax: "Axes | None", needs: str) -> "Axes | None":
        return _shown(partial(figure, self.results, layer=self.layer), ax, needs)


def _shown(draw: "Callable[[Axes | None], Axes | None]", ax: "Axes | None", needs: str) -> "Axes | None":
    """Return a figure on axes, or as pyplot's newest figure, in the size that it has on a page.

    Where there is none, warn of what it `needs`.
    """
    drawn = draw(ax)
    if drawn is None:
        warn(f"There is nothing to draw: this figure needs {needs}.")
    if drawn is None or ax is not None:
        return drawn
    from matplotlib import pyplot as plt

    # A notebook shows no figure that was made without pyplot: it shows this twin, in the same style.
    width, height = drawn.figure.figure.get_size_inches()
    with our_style():
        figure = plt.figure(figsize=(float(width), float(height)))
        axes = figure.add_axes(drawn.get_position().bounds)
    return draw(axes)
