"""Documents as a strip of bars, those with least agreement first, each a link to its marks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reportgen.figures.drawings import on_axes
from reportgen.figures.intervals import boxes
from reportgen.figures.style import LIGHT, WIDTH, Look
from reportgen.results import Results
from reportgen.words import numbers
from reportgen.words.language import _, say, told

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Of more documents than these the worst are drawn.
MOST_BARS = 120
FEWEST, MOST_DESCRIBED = 2, 10
HIGH, FOOT = 56.0, 20.0
# The share of its room that a bar fills, the widest room, and the height of a bar of nothing: it is seen.
FULL, WIDEST, STUMP = 0.8, 14.0, 0.03
F, MODE = "f_measure", "strict"


def documents(
    results: Results,
    ax: "Axes | None" = None,
    *,
    layer: str | None = None,
    links: Mapping[str, str] | None = None,
) -> "Axes | None":
    """Return the strict F of a layer's marks in each document, the mean over pairs, worst first.

    `links` are the addresses of documents by name. None where marks were not compared document by document.
    """
    return on_axes(of_documents(results, layer or results.layers[0], links or {}), ax)


def of_documents(
    results: Results, layer: str, links: Mapping[str, str], width: float = WIDTH
) -> "StripPlot | None":
    """Return the strip of a layer's documents, None where there are no two to compare."""
    values: dict[str, list[float]] = {}
    for pair in results.spans.pairs if results.spans else ():
        if pair.layer == layer and set(pair.roles) == {"annotator"}:
            for name, found in (pair.by_document or {}).items():
                value = found.strict.get(F)
                if value is not None:
                    values.setdefault(name, []).append(value)
    means = {name: sum(each) / len(each) for name, each in values.items()}
    if len(means) < FEWEST:
        return None
    worst = sorted(means.items(), key=lambda each: (each[1], each[0]))
    plot = StripPlot(worst[:MOST_BARS], links, len(means))
    # A wide one may be shown small: its numbers are those of its title.
    return plot if width <= WIDTH else replace(plot, size=(width, HIGH), margins=(0.0, 0.0, 2.0, 0.0))


@dataclass(frozen=True)
class StripPlot:
    """Values of documents, the lowest first, the addresses of their pages, and how many there are."""

    values: Sequence[tuple[str, float]]
    links: Mapping[str, str]
    total: int
    size: tuple[float, float] = (WIDTH, HIGH + FOOT)
    margins: tuple[float, float, float, float] = (0.0, 0.0, 2.0, FOOT)

    @property
    def title(self) -> str:
        """Return from where to where the values go."""
        ends = {"least": numbers.short(self.values[0][1]), "most": numbers.short(self.values[-1][1])}
        if len(self.values) < self.total:
            return say(
                "The {shown} documents of {count} that agree least: strict F from {least} to {most}",
                shown=numbers.count(len(self.values)),
                count=numbers.count(self.total),
                **ends,
            )
        return say(
            "Strict F of {count} documents: from {least} to {most}", count=numbers.count(self.total), **ends
        )

    @property
    def described(self) -> str:
        """Return the values of the worst documents."""
        return f"{_('; ').join(self._told(*each) for each in self.values[:MOST_DESCRIBED])}."

    def _told(self, name: str, value: float) -> str:
        return told(name, numbers.short(value))

    def paint(self, axes: "Axes") -> None:
        """Paint a bar for each document on axes."""
        step = min(1 / len(self.values), WIDEST / self.size[0])
        axes.set(xlim=(0, 1), ylim=(0, 1), xticks=[], yticks=[])
        for place, (name, value) in enumerate(self.values):
            box = (place * step, max(value, STUMP), (place + FULL) * step, 0)
            look: Look = {"facecolor": LIGHT["wash"], "alpha": 0.6, "gid": self._told(name, value)}
            axes.add_patch(boxes([box], url=self.links.get(name), **look))
        if not self.margins[-1]:
            return
        end = len(self.values) * step
        for x, side, (_name, value) in ((0, "left", self.values[0]), (end, "right", self.values[-1])):
            look = {"color": LIGHT["muted"], "ha": side, "va": "baseline"}
            axes.text(x, -14 / (HIGH - 2), numbers.short(value), **look)
