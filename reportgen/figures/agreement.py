"""Agreement of layers, categories and pairs of annotators: each a row with its interval."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from reportgen.figures.drawings import on_axes
from reportgen.figures.intervals import Dot, DotPlot, DotPlotRow, Span, described, span, value_of
from reportgen.figures.style import THRESHOLDS
from reportgen.results import Figure, Pair, Results, UnitSet
from reportgen.words import numbers
from reportgen.words.language import _, say, say_many
from reportgen.words.names import figure_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# No figure has many more rows: one with more is read in its table.
MOST_ROWS = 30


def agreement_by_layer(results: Results, ax: "Axes | None" = None) -> "Axes | None":
    """Return each layer's primary coefficient on the three bands, of one layer its categories.

    None where there are fewer than two to compare.
    """
    return on_axes(of_layers(results), ax)


def specific_agreement(
    results: Results, ax: "Axes | None" = None, *, layer: str | None = None
) -> "Axes | None":
    """Return the specific agreement of each category of a layer, of very many those that agree least."""
    return on_axes(of_categories(results.primary_of(layer or results.layers[0])), ax)


def pairs(results: Results, ax: "Axes | None" = None, *, layer: str | None = None) -> "Axes | None":
    """Return the primary coefficient of each pair of annotators, the lowest first."""
    chosen = layer or results.layers[0]
    return on_axes(of_pairs(results, results.primary_of(chosen)), ax)


# On the bands


def of_layers(results: Results) -> DotPlot | None:
    """Return each layer's primary coefficient, of one layer each category's."""
    if len(results.layers) == 1:
        return of_categories_on_bands(results, results.layers[0])
    primaries = {each: results.primary_of(each) for each in results.layers}
    found = {name: each.measures.get(results.coefficients[name]) for name, each in primaries.items()}
    names = {figure_name(results, each) for each in results.coefficients.values()}
    axis = names.pop() if len(names) == 1 else _("primary coefficient of each layer")
    return _on_bands(_known(found), axis, _("Agreement by layer"))


def of_categories_on_bands(results: Results, layer: str) -> DotPlot | None:
    """Return each category against all others by the primary coefficient, else its specific agreement."""
    unit_set, coefficient = results.primary_of(layer), results.coefficients[layer]
    against = {
        name: figures.get(coefficient)
        for name, figures in unit_set.against_rest.items()
        if name in unit_set.judged
    }
    title = _("Agreement by category")
    if known := _known(against):
        axis = say("{figure}, each category against all others", figure=figure_name(results, coefficient))
        return _on_bands(known, axis, title)
    specific = {each: unit_set.specific_agreement[each] for each in unit_set.judged}
    return _on_bands(_known(specific), _("specific agreement"), title)


def _on_bands(known: Mapping[str, Figure], axis: str, title: str) -> DotPlot | None:
    if len(known) <= 1:
        return None
    shown = dict(sorted(_least(known).items(), key=lambda each: -value_of(each[1])))
    rows = [
        DotPlotRow(name, [Dot(found, _mark(found))], shown=numbers.short(found.value), word=standing(found))
        for name, each in shown.items()
        if (found := span(each))
    ]
    return DotPlot(title, described(shown, _("; ")), rows, axis, banded=True)


def _mark(found: Span) -> str:
    return "short" if found.value < THRESHOLDS[0] else "plain"


def standing(found: Span) -> str:
    """Return in a word where a value lies with its interval: what may be concluded from it."""
    low, high = THRESHOLDS
    if found.high < low:
        return _("too low")
    if found.low < low:
        return _("undecided")
    return _("high") if found.low >= high else _("with caution")


# Categories and pairs


def of_categories(unit_set: UnitSet) -> DotPlot | None:
    """Return each category's specific agreement, None where there is none to draw.

    Of very many categories those are shown on which annotators agree least.
    """
    known = _known({each: unit_set.specific_agreement[each] for each in unit_set.judged})
    if not known:
        return None
    shown = _least(known)
    axis = _("specific agreement, with 95% interval")
    return DotPlot(_of_categories(known, shown), described(shown, _("; ")), _rows(shown), axis)


def of_pairs(results: Results, unit_set: UnitSet) -> DotPlot | None:
    """Return a figure of each pair, the lowest first; None where fewer than two pairs have one."""
    coefficient = results.coefficients[unit_set.layer]
    return pairs_by(coefficient, figure_name(results, coefficient), unit_set.pairs)


def pairs_by(figure: str, name: str, found: Sequence[Pair]) -> DotPlot | None:
    """Return one figure of each pair, by its id and name; of very many pairs those that agree least."""
    known = _known({f"{' / '.join(each.annotators)}": each.measures.get(figure) for each in found})
    if len(known) <= 1:
        return None
    shown = dict(sorted(_least(known).items(), key=lambda each: value_of(each[1])))
    axis = say("{figure}, with 95% interval", figure=name)
    return DotPlot(_of_pairs(known, shown), described(shown, _("; ")), _rows(shown), axis)


def _known(found: Mapping[str, Figure | None]) -> dict[str, Figure]:
    return {name: each for name, each in found.items() if each and each.value is not None}


def _least(known: Mapping[str, Figure]) -> dict[str, Figure]:
    """Return the lowest figures of many, in the order in which they are given."""
    lowest = sorted(known, key=lambda name: value_of(known[name]))[:MOST_ROWS]
    return {name: each for name, each in known.items() if name in lowest}


def _rows(shown: Mapping[str, Figure]) -> list[DotPlotRow]:
    return [DotPlotRow(name, [Dot(found)]) for name, each in shown.items() if (found := span(each))]


def _of_categories(known: Mapping[str, Figure], shown: Mapping[str, Figure]) -> str:
    """Return what the figure of categories shows, in a sentence."""
    name, least = min(known.items(), key=lambda each: value_of(each[1]))
    value = numbers.figure(least.value)
    if len(shown) < len(known):
        return say_many(
            "The category of {count} on which annotators agree least",
            "The {shown} categories of {count} on which annotators agree least",
            len(shown),
            shown=numbers.count(len(shown)),
            count=numbers.count(len(known)),
        )
    if len({numbers.figure(each.value) for each in known.values()}) == 1:
        return say("Specific agreement is {value} on every category", value=value)
    return say("Annotators agree least on {category}: {value}", category=name, value=value)


def _of_pairs(known: Mapping[str, Figure], shown: Mapping[str, Figure]) -> str:
    """Return what the figure of pairs shows, in a sentence."""
    if len(shown) < len(known):
        return say(
            "The {shown} pairs of {count} that agree least",
            shown=numbers.count(len(shown)),
            count=numbers.count(len(known)),
        )
    least, most = (numbers.figure(best(map(value_of, known.values()))) for best in (min, max))
    return say(
        "{count} pairs of annotators agree between {least} and {most}",
        count=numbers.count(len(known)),
        least=least,
        most=most,
    )
