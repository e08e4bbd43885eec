"""Agreement of layers, categories and pairs, a row each with its interval; that of documents as a strip."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reportgen.figures.drawings import PlainPlot, on_axes
from reportgen.figures.intervals import Dot, DotPlot, DotPlotRow, Span, boxes, described, span, value_of
from reportgen.figures.style import LIGHT, THRESHOLDS, WIDTH, Look, listed
from reportgen.findings.causes import first_cause, often_used, unweighted
from reportgen.results import Figure, Pair, Results, UnitSet
from reportgen.words import headline, numbers
from reportgen.words.language import N_, _, named_value, say
from reportgen.words.names import figure_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# No figure has many more rows: one with more is read in its table.
MOST_ROWS = 30
# On the first screen there are no more categories than these.
AT_A_GLANCE = 8
ALPHA, ALPHA_SIGN = "krippendorff_alpha", "α"


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
    unit_set = results.primary_of(layer or results.layers[0])
    coefficient = results.coefficients[unit_set.layer]
    return on_axes(pairs_by(coefficient, figure_name(results, coefficient), unit_set.pairs), ax)


# On the bands


def of_layers(results: Results) -> DotPlot | None:
    """Return each layer's primary coefficient, of one layer each category's."""
    if len(results.layers) == 1:
        (layer,) = results.layers
        return of_categories_on_bands(results, layer)
    layers = headline.standings(results)
    names = {figure_name(results, layer.coefficient) for layer in layers}
    axis = names.pop() if len(names) == 1 else _("primary coefficient of each layer")
    figures = {layer.layer: layer.figure for layer in layers}
    words = {layer.layer: _(headline.WORDS[layer.severity]) for layer in layers}
    banded = all(layer.corrected for layer in layers)
    plot = _on_bands(_with_values(figures), words, axis, _("Agreement by layer"), banded=banded)
    missing = [
        DotPlotRow(name, [], shown=numbers.NONE, word=words[name])
        for name in figures
        if not _has(figures[name])
    ]
    rows = [*_settled(results, plot.rows), *missing] if plot else []
    return replace(plot, rows=rows[:MOST_ROWS]) if plot else None


def _settled(results: Results, rows: Iterable[DotPlotRow]) -> Iterator[DotPlotRow]:
    """Yield rows of layers with what each would be if what most disagreements have in common were settled."""
    cause = first_cause(results)
    values = unweighted(results) if cause else {}
    for row in rows:
        value = values.get(row.name)
        yield replace(row, settled=cause.without(row.name, value)) if cause and value is not None else row


def of_categories_on_bands(results: Results, layer: str) -> DotPlot | None:
    """Return each category against all others by a coefficient, else its specific agreement.

    The coefficient is the primary one, where categories have none Krippendorff's alpha; specific agreement
    has no thresholds. Above them is the coefficient of all together; that of what nobody marked is left out.
    """
    unit_set, coefficient = results.primary_of(layer), results.coefficients[layer]
    (overall,) = headline.standings(results, layer)
    names, every = often_used(unit_set), len(unit_set.judged)
    title = _("Agreement by category")
    if len(names) > AT_A_GLANCE:
        message = N_("Agreement by category, the {shown} most frequent of {count}")
        title = say(message, shown=str(AT_A_GLANCE), count=numbers.count(every))
    for figure in (coefficient, ALPHA):
        by_category = _with_values({name: unit_set.against_rest.get(name, {}).get(figure) for name in names})
        if len(by_category) > 1 and overall.corrected:
            words = {name: standing(interval) for name, interval in _spans(by_category).items()}
            alike = overall.symbol == ALPHA_SIGN or figure == coefficient
            symbol, name = "" if alike else overall.symbol, figure_name(results, figure)
            axis = say("{figure}, each category against all others", figure=name)
            if symbol:
                axis = say("{figure} against all others; together {symbol}", figure=name, symbol=symbol)
            plot = _on_bands(_few(by_category, unit_set), words, axis, title)
            if plot and _has(overall.figure):
                plot = _with_overall(plot, overall, symbol)
            return plot
    specific = _few(_with_values({name: unit_set.specific_agreement.get(name) for name in names}), unit_set)
    return _on_bands(specific, {}, _("specific agreement"), title, banded=False)


def _with_overall(plot: DotPlot, overall: headline.Standing, symbol: str) -> DotPlot:
    """Return a plot of categories with all of them together above, by `symbol` where it is another."""
    interval = span(overall.figure)
    # A verdict that answers another question judges another figure.
    word = standing(interval) if overall.answer and interval else _(headline.WORDS[overall.severity])
    value = interval.value if interval else 0.0
    dots = [Dot(interval, _mark(interval))] if interval else []
    name = say("together ({symbol})", symbol=symbol) if symbol else _("together")
    row = DotPlotRow(name, dots, shown=numbers.short(value), word=word)
    description = f"{named_value(name, numbers.estimate(overall.figure))}{_('; ')}{plot.described}"
    return replace(plot, described=description, rows=[row, *plot.rows], divided=True)


def _few(by_category: Mapping[str, Figure], unit_set: UnitSet) -> dict[str, Figure]:
    """Return the most frequent categories, as many as can be read at a glance."""
    frequent = sorted(by_category, key=lambda name: -unit_set.uses(name))[:AT_A_GLANCE]
    return {name: by_category[name] for name in frequent}


def _on_bands(
    figures: Mapping[str, Figure], words: Mapping[str, str], axis: str, title: str, *, banded: bool = True
) -> DotPlot | None:
    if not figures:
        return None
    shown = _by_value(_least(figures), sign=-1)
    rows = [
        DotPlotRow(
            name,
            [Dot(interval, _mark(interval) if banded else "plain")],
            shown=numbers.short(interval.value),
            word=words.get(name, ""),
        )
        for name, interval in _spans(shown).items()
    ]
    return DotPlot(title, described(shown, _("; ")), rows, axis, banded=banded)


def _has(figure: Figure | None) -> bool:
    return figure is not None and figure.value is not None


def _spans(figures: Mapping[str, Figure]) -> dict[str, Span]:
    return {name: interval for name, figure in figures.items() if (interval := span(figure))}


def _mark(interval: Span) -> str:
    # Without an interval nothing is known to be too low.
    return "short" if interval.low < interval.high < THRESHOLDS[0] else "plain"


def standing(interval: Span) -> str:
    """Return in a word where a value lies with its interval: what may be concluded from it."""
    low, high = THRESHOLDS
    if interval.high < low:
        return _("too low")
    if interval.low < low:
        return _("undecided")
    return _("high") if interval.low >= high else _("with caution")


# Categories and pairs


def of_categories(unit_set: UnitSet) -> DotPlot | None:
    """Return each category's specific agreement, None where there is none to draw.

    Of many categories the most frequent are shown, in their order.
    """
    by_category = _with_values(
        {category: unit_set.specific_agreement[category] for category in unit_set.judged}
    )
    if not by_category:
        return None
    frequent = _few(by_category, unit_set)
    shown = {name: figure for name, figure in by_category.items() if name in frequent}
    axis = _("specific agreement, with 95% interval")
    return DotPlot(_of_categories(by_category, shown), described(shown, _("; ")), _rows(shown), axis)


def pairs_by(figure: str, name: str, pairs: Sequence[Pair]) -> DotPlot | None:
    """Return one figure of each pair, by its id and name; of very many pairs those that agree least."""
    by_pair = _with_values({f"{' / '.join(pair.annotators)}": pair.measures.get(figure) for pair in pairs})
    if len(by_pair) <= 1:
        return None
    shown = _by_value(_least(by_pair))
    axis = say("{figure}, with 95% interval", figure=name)
    return DotPlot(_of_pairs(by_pair, shown), described(shown, _("; ")), _rows(shown), axis)


def _with_values(figures: Mapping[str, Figure | None]) -> dict[str, Figure]:
    return {name: figure for name, figure in figures.items() if figure and figure.value is not None}


def _by_value(figures: Mapping[str, Figure], sign: int = 1) -> dict[str, Figure]:
    """Return figures from the lowest on; with a `sign` of -1 from the highest on."""
    order = sorted(figures, key=lambda name: sign * value_of(figures[name]))
    return {name: figures[name] for name in order}


def _least(figures: Mapping[str, Figure]) -> dict[str, Figure]:
    """Return the lowest figures of many, in the order in which they are given."""
    lowest = list(_by_value(figures))[:MOST_ROWS]
    return {name: figure for name, figure in figures.items() if name in lowest}


def _rows(shown: Mapping[str, Figure]) -> list[DotPlotRow]:
    return [DotPlotRow(name, [Dot(interval)]) for name, interval in _spans(shown).items()]


def _of_categories(by_category: Mapping[str, Figure], shown: Mapping[str, Figure]) -> str:
    """Return what the figure of categories shows, in a sentence."""
    name = next(iter(_by_value(by_category)))
    value = numbers.figure(by_category[name].value)
    if len(shown) < len(by_category):
        return say(
            "Specific agreement on the {shown} most frequent of {count} categories",
            shown=numbers.count(len(shown)),
            count=numbers.count(len(by_category)),
        )
    if len({numbers.figure(figure.value) for figure in by_category.values()}) == 1:
        return say("Specific agreement is {value} on every category", value=value)
    return say("Annotators agree least on {category}: {value}", category=name, value=value)


def _of_pairs(by_pair: Mapping[str, Figure], shown: Mapping[str, Figure]) -> str:
    """Return what the figure of pairs shows, in a sentence."""
    if len(shown) < len(by_pair):
        return say(
            "The {shown} pairs of {count} that agree least",
            shown=numbers.count(len(shown)),
            count=numbers.count(len(by_pair)),
        )
    least, most = (numbers.figure(best(map(value_of, by_pair.values()))) for best in (min, max))
    return say(
        "{count} pairs of annotators agree between {least} and {most}",
        count=numbers.count(len(by_pair)),
        least=least,
        most=most,
    )


# Documents as a strip of bars, those with least agreement first, each a link to its marks


# Of more documents than these the worst are drawn.
MOST_BARS = 120
FEWEST, MOST_DESCRIBED = 2, 10
HIGH, FOOT = 56.0, 20.0
# The share of its room that a bar fills, the widest room, and the height of a bar of nothing: it is seen.
FULL, WIDEST, STUMP = 0.8, 14.0, 0.03
F = "f_measure"


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


def f_of_documents(results: Results, layer: str) -> list[tuple[str, float]]:
    """Return each document's strict F, the mean over a layer's pairs of annotators, the lowest first."""
    values: dict[str, list[float]] = {}
    for pair in results.spans.pairs if results.spans else ():
        if pair.layer == layer and set(pair.roles) == {"annotator"}:
            for name, document in (pair.by_document or {}).items():
                value = document.strict.get(F)
                if value is not None:
                    values.setdefault(name, []).append(value)
    means = {name: sum(of_pairs) / len(of_pairs) for name, of_pairs in values.items()}
    return [(name, means[name]) for name in sorted(means, key=lambda name: (means[name], name))]


def of_documents(
    results: Results, layer: str, links: Mapping[str, str], width: float = WIDTH
) -> PlainPlot | None:
    """Return the strip of a layer's documents, None where there are no two to compare."""
    means = f_of_documents(results, layer)
    if len(means) < FEWEST:
        return None
    worst = means[:MOST_BARS]
    least, most = (numbers.short(mean) for _name, mean in (worst[0], worst[-1]))
    ends = {"count": numbers.count(len(means)), "least": least, "most": most}
    title = say("Strict F of {count} documents: from {least} to {most}", **ends)
    if len(worst) < len(means):
        title = say(
            "The {shown} documents of {count} that agree least: strict F from {least} to {most}",
            shown=numbers.count(len(worst)),
            **ends,
        )
    titles = {name: named_value(name, numbers.short(value)) for name, value in worst}

    def paint(axes: "Axes") -> None:
        step = min(1 / len(worst), WIDEST / width)
        axes.set(xlim=(0, 1), ylim=(0, 1), xticks=[], yticks=[])
        for position, (name, value) in enumerate(worst):
            box = (position * step, max(value, STUMP), (position + FULL) * step, 0)
            look: Look = {"facecolor": LIGHT["wash"], "alpha": 0.6, "gid": titles[name]}
            axes.add_patch(boxes([box], url=links.get(name), **look))
        if foot:
            for x, side, text in ((0, "left", least), (len(worst) * step, "right", most)):
                axes.text(x, -14 / (HIGH - 2), text, color=LIGHT["muted"], ha=side, va="baseline")

    # A wide one may be shown small: its numbers are those of its title.
    foot = FOOT if width <= WIDTH else 0.0
    described = listed(list(titles.values())[:MOST_DESCRIBED])
    return PlainPlot(title, described, (width, HIGH + foot), (0.0, 0.0, 2.0, foot), paint)
