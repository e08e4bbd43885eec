"""Annotators by annotators: the agreement of every two of them, and of each with the others by layer."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from reportgen.figures.drawings import on_axes
from reportgen.figures.grid import GridCell, GridPlot
from reportgen.results import Results
from reportgen.words import numbers
from reportgen.words.language import _, say, told
from reportgen.words.names import figure_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Fewer annotators are one pair, more are too wide for a page.
FEWEST, MOST = 3, 12
# More layers than these are too wide.
MOST_LAYERS = 14
STRICT = "f_measure"

# Two people, by their names in either order, and their agreement.
ByPair = Mapping[frozenset[str], float]
Links = Mapping[frozenset[str], str]


def pairwise_agreement(
    results: Results, ax: "Axes | None" = None, *, layer: str | None = None, links: Links | None = None
) -> "Axes | None":
    """Return the agreement of every two annotators of a layer as a matrix of shades.

    It is the primary coefficient; of marks whose units nobody can count, the F-measure. `links` are the
    addresses of pairs. None where there is one pair, or more than a page is wide.
    """
    return on_axes(of_pairs(results, layer or results.layers[0], links or {}), ax)


def agreement_with_others(results: Results, ax: "Axes | None" = None) -> "Axes | None":
    """Return each annotator's mean agreement with the others in each of several layers, as shades."""
    return on_axes(of_layers(results), ax)


def of_pairs(results: Results, layer: str, links: Links) -> "PairwisePlot | None":
    """Return the matrix of a layer, None where it has too few or too many annotators."""
    unit_set, coefficient = results.primary_of(layer), results.coefficients[layer]
    known = {
        frozenset(pair.annotators): found.value
        for pair in unit_set.pairs
        if (found := pair.measures.get(coefficient)) and found.value is not None
    }
    name, people = figure_name(results, coefficient), list(unit_set.annotators)
    if not known:
        known, name = _of_marks(results, layer), _("F, strict")
    people = [each for each in people if any(each in pair for pair in known)]
    if not FEWEST <= len(people) <= MOST:
        return None
    return PairwisePlot(name, people, known, links)


def _of_marks(results: Results, layer: str) -> dict[frozenset[str], float]:
    return {
        frozenset(pair.annotators): value
        for pair in (results.spans.pairs if results.spans else ())
        if pair.layer == layer and (value := pair.strict[STRICT].value) is not None
    }


@dataclass(frozen=True)
class PairwisePlot(GridPlot):
    """Every two annotators, the darker the higher their figure; `name` is what it is called."""

    name: str
    people: Sequence[str]
    known: ByPair
    links: Links

    @property
    def title(self) -> str:
        """Return who agree least."""
        least = min(self.known, key=lambda pair: (self.known[pair], sorted(pair)))
        first, second = sorted(least)
        return say(
            "{first} and {second} agree least: {figure} {value}",
            first=first,
            second=second,
            figure=self.name,
            value=numbers.short(self.known[least]),
        )

    @property
    def described(self) -> str:
        """Return every pair in words, each once."""
        said = (each.told for each in self.cells if each.row < each.column)
        return f"{_('; ').join(said)}."

    @property
    def names(self) -> tuple[Sequence[str], Sequence[str]]:
        """Return the annotators."""
        return self.people, self.people

    @cached_property
    def cells(self) -> Sequence[GridCell]:
        """Return a cell for each two whose figure is known."""
        return list(self._cells())

    def _cells(self) -> Iterator[GridCell]:
        for row, one in enumerate(self.people):
            for column, other in enumerate(self.people):
                pair = frozenset((one, other))
                if pair in self.known:
                    value = self.known[pair]
                    shown = numbers.short(value)
                    link = self.links.get(pair)
                    yield GridCell(row, column, shown, _share(value), told(f"{one} / {other}", shown), link)


def of_layers(results: Results) -> "OthersPlot | None":
    """Return annotators by layers; None where there is one layer, or more than a page is wide."""
    found = {
        (each.annotator, each.layer): mean.value
        for each in results.standings or ()
        if (mean := each.others.get("micro")) and mean.value is not None
    }
    people = sorted({name for name, _layer in found})
    layers = [layer for layer in results.layers if any(each == layer for _name, each in found)]
    if not FEWEST <= len(people) <= MOST or not 1 < len(layers) <= MOST_LAYERS:
        return None
    return OthersPlot(people, layers, found)


@dataclass(frozen=True)
class OthersPlot(GridPlot):
    """Annotators by layers: the darker, the more the others agree with them."""

    people: Sequence[str]
    layers: Sequence[str]
    known: Mapping[tuple[str, str], float]

    @property
    def title(self) -> str:
        """Return who agrees least with the others, and where."""
        name, layer = min(self.known, key=lambda each: (self.known[each], each))
        return say(
            "{name} agrees least with the others, in layer {layer}: {value}",
            name=name,
            layer=layer,
            value=numbers.short(self.known[name, layer]),
        )

    @property
    def described(self) -> str:
        """Return every cell in words."""
        return f"{_('; ').join(each.told for each in self.cells)}."

    @property
    def names(self) -> tuple[Sequence[str], Sequence[str]]:
        """Return annotators, and layers."""
        return self.people, self.layers

    @cached_property
    def cells(self) -> Sequence[GridCell]:
        """Return each annotator's mean in each layer."""
        return [
            GridCell(
                self.people.index(name),
                self.layers.index(layer),
                numbers.short(value),
                _share(value),
                told(f"{name}, {layer}", numbers.short(value)),
            )
            for (name, layer), value in sorted(self.known.items())
        ]


def _share(value: float) -> float:
    return min(1.0, max(0.0, value))
