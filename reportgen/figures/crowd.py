"""How many of many annotators agree how much with the others."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reportgen.figures.drawings import on_axes
from reportgen.figures.intervals import boxes
from reportgen.figures.style import LIGHT, POINT, WIDTH, Look, written
from reportgen.results import Quality, Results
from reportgen.words import numbers
from reportgen.words.language import _, say, told
from reportgen.words.numbers import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Fewer annotators are drawn one by one.
FEWEST = 13
# Classes of agreement from 0 to 1.
CLASSES = 20
HIGH, LEFT, RIGHT, TOP, FOOT = 120.0, 34.0, 10.0, 6.0, 40.0


def histogram(results: Results, ax: "Axes | None" = None, *, layer: str | None = None) -> "Axes | None":
    """Return how many annotators of a layer agree how much with the others.

    None where they are few, or so many that results have the worst of them alone.
    """
    chosen = layer or results.layers[0]
    found = next((each for each in results.quality or () if each.layer == chosen), None)
    return on_axes(of_crowd(found) if found else None, ax)


def of_crowd(quality: Quality) -> "HistogramPlot | None":
    """Return the annotators of a layer by their agreement; None where not all of many are known."""
    values = [each.agreement.value for each in quality.annotators if each.agreement.value is not None]
    if len(values) < FEWEST or len(quality.annotators) < quality.annotators_in_all:
        return None
    return HistogramPlot(sorted(values))


@dataclass(frozen=True)
class HistogramPlot:
    """Shares of labels that agree, one of each annotator, the lowest first."""

    values: Sequence[float]
    size: tuple[float, float] = (WIDTH, TOP + HIGH + FOOT)
    margins: tuple[float, float, float, float] = (LEFT, RIGHT, TOP, FOOT)

    @property
    def title(self) -> str:
        """Return between which figures half of the annotators are."""
        count = len(self.values)
        return say(
            "Half of {count} annotators agree with the others between {low} and {high}, the least {least}",
            count=numbers.count(count),
            low=numbers.short(self.values[count // 4]),
            high=numbers.short(self.values[-1 - count // 4]),
            least=numbers.short(self.values[0]),
        )

    @property
    def described(self) -> str:
        """Return how many annotators are in each class that has some."""
        return f"{_('; ').join(self._told(place, many) for place, many in enumerate(self.counts) if many)}."

    @property
    def counts(self) -> list[int]:
        """Return how many annotators are in each class; the last has those who always agree."""
        found = [0] * CLASSES
        for each in self.values:
            found[min(CLASSES - 1, max(0, int(each * CLASSES)))] += 1
        return found

    def _told(self, place: int, many: int) -> str:
        low, high = (numbers.short(each / CLASSES) for each in (place, place + 1))
        stretch = say("{first} to {last}", first=low, last=high)
        return told(stretch, counted(many, "annotator", "annotators"))

    def paint(self, axes: "Axes") -> None:
        """Paint a bar for each class on axes."""
        counts = self.counts
        most = max(counts)
        axes.set(xlim=(0, 1), ylim=(0, most))
        values = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
        axes.set_xticks(values, written(values))
        axes.set_yticks([0, most], ["0", numbers.count(most)])
        axes.tick_params(pad=5 * POINT)
        axes.set_xlabel(_("share of labels that agree with the others"))
        for place, many in enumerate(counts):
            if many:
                box = (place / CLASSES + 0.004, many, (place + 1) / CLASSES - 0.004, 0)
                look: Look = {"facecolor": LIGHT["wash"], "alpha": 0.6, "gid": self._told(place, many)}
                axes.add_patch(boxes([box], **look))
