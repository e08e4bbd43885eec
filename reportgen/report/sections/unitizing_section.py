"""How annotators cut texts into units: unitizing figures, in short and in full."""

from collections.abc import Iterable, Iterator, Sequence

from reportgen.report.blocks import Block, Details, FactsBlock, Section, TableBlock
from reportgen.report.phrases import File, Text, commas, paragraph, phrase, remark, sentences
from reportgen.report.tables import ReportTable, columns_of, least, of_layer, setting, table_if, table_of
from reportgen.report.view import ReportView
from reportgen.results import Results
from reportgen.results.marks import Gamma, Unitizing
from reportgen.words import numbers
from reportgen.words.language import _, say, say_many
from reportgen.words.names import figure_name
from reportgen.words.numbers import count

# What is smaller is said to be smaller.
LEAST = 0.001


def unitizing(view: ReportView) -> Section | None:
    """Return how annotators cut the texts into units, in short; None where no texts were marked."""
    results, shown = view.results, {each.id for each in view.layers}
    known = (results.spans and results.spans.unitizing) or ()
    found = [each for each in known if each.layer in shown]
    if not found:
        return None
    lead = sentences(
        _(
            "How annotators cut the recordings into units and gaps. These figures compare durations, so that "
            "a boundary that is a moment off costs little and a long unit that is missed costs much; unlike "
            "F, they are corrected for chance."
        )
        if results.recorded
        else _(
            "How annotators cut the text into units and gaps. These figures compare lengths, so that a "
            "boundary that is a word off costs little and a long unit that is missed costs much; unlike F, "
            "they are corrected for chance."
        ),
        File("unitizing.csv"),
        File("unitizing-pairs.csv", _("By pair")) if any(each.pairs for each in found) else None,
    )
    if len(found) == 1:
        short: Block = paragraph(_values(results, found[0]))
        folded: Iterable[Block] = _unitized(results, found[0])
    else:
        short = TableBlock(_by_layer(results, found), _("Unitizing figures"))
        folded = (
            Section("", say("Layer {layer}", layer=each.layer), tuple(_unitized(results, each)))
            for each in found
        )
    details = Details(_("Definitions, categories and pairs"), (_definitions(results), *folded))
    return Section("unitizing", _("Unitizing"), (paragraph(lead), short, details))


def _values(results: Results, layer: Unitizing) -> Text:
    """Return the figures of all annotators in a sentence."""
    found = (
        f"{figure_name(results, name)} {numbers.estimate(layer.measures[name])}"
        for name in results.in_order(layer.measures)
        if layer.measures[name].value is not None
    )
    return phrase("All annotators together: {figures}.", figures=commas(found))


def _definitions(results: Results) -> Block:
    return remark(
        _(
            "Alpha for unitizing compares, type by type, where units begin and end; u-alpha compares what "
            "every millisecond is taken for, gaps included, and its binary form only whether it is marked; "
            "cu-alpha and (k)u-alpha look at the time alone that two annotators marked. Intervals are "
            "clustered by document; observed and expected are disagreements."
        )
        if results.recorded
        else _(
            "Alpha for unitizing compares, type by type, where units begin and end; u-alpha compares what "
            "every character is taken for, gaps included, and its binary form only whether it is marked; "
            "cu-alpha and (k)u-alpha look at the text alone that two annotators marked. Intervals are "
            "clustered by document; observed and expected are disagreements."
        )
    )


def _unitized(results: Results, layer: Unitizing) -> Iterator[Block]:
    yield FactsBlock(tuple(_material(layer, in_time=results.recorded)))
    yield TableBlock(_of_all(results, layer), _("Unitizing figures"))
    for name in results.in_order(layer.measures):
        if reason := layer.measures[name].undefined:
            why, figure = numbers.message(reason, {}), figure_name(results, name)
            yield remark(say("{name} is undefined: {reason}.", name=figure, reason=why))
    if categories := _categories(results, layer):
        yield TableBlock(categories, _("Unitizing figures by category"))
    if pairs := _pairs(results, layer):
        yield TableBlock(pairs, _("Unitizing figures by pair"))
        if len(pairs.rows) < len(layer.pairs):
            least = say("Shown are the pairs that agree least, of {count}.", count=count(len(layer.pairs)))
            yield remark(least)
    if layer.gamma:
        yield remark(_gamma(layer.gamma))


def _material(layer: Unitizing, *, in_time: bool) -> Iterator[tuple[str, Text]]:
    known = (
        (_("Units"), layer.units),
        (_("Annotators"), len(layer.annotators)),
        (_("Documents that at least two saw"), layer.documents),
        (_("Their milliseconds") if in_time else _("Their characters"), layer.characters),
        (_("Documents that one alone saw, left out"), layer.documents_alone),
        (_("Stretches joined with another of the same annotator and type"), layer.joined),
        (
            _("Marks without duration, left out") if in_time else _("Marks without a character, left out"),
            layer.empty,
        ),
        (_("Segments with several types of one annotator"), layer.several),
    )
    yield from ((name, count(value)) for name, value in known if value)


def _gamma(gamma: Gamma) -> Text:
    marked = gamma.documents - gamma.left_out
    settings = {
        "seed": str(gamma.seed),
        "α": setting(gamma.alpha),
        "β": setting(gamma.beta),
        "Δ∅": setting(gamma.delta_empty),
        "ε": setting(gamma.precision) if gamma.precision else "",
    }
    programs = (gamma.solver, *(f"{name} {version}" for name, version in gamma.libraries.items()))
    return sentences(
        say_many(
            "Gamma is that of {count} document with marks.",
            "Gamma is the mean over {count} documents with marks, weighted by their numbers of units.",
            marked,
        ),
        say(
            "Chance is {samples} sampled continua a document ({settings}; {programs}).",
            samples=count(gamma.samples),
            settings=", ".join(f"{name} = {value}" for name, value in settings.items() if value),
            programs=", ".join(programs),
        ),
        _("Unlike every other figure it need not come out the same to the last digit on another machine."),
    )


# Tables


def _of_all(results: Results, layer: Unitizing) -> ReportTable:
    """Return the figures of all annotators, with observed and expected disagreement."""
    known = layer.measures
    return table_of(
        of_layer("unitizing", layer.layer),
        _("All annotators together."),
        results.in_order(known),
        ("figure", _("Figure"), "text", lambda name: figure_name(results, name)),
        ("value", _("Value [95% interval]"), "estimate", lambda name: known[name]),
        ("observed", _("Observed disagreement"), "text", lambda name: _small(known[name].observed)),
        ("expected", _("Expected disagreement"), "text", lambda name: _small(known[name].expected)),
        ("units", _("Units"), "count", lambda name: known[name].units),
    )


def _small(value: float | None) -> str:
    """Return a share of the text, or of its square, which may be very small."""
    if value is None or value == 0 or value >= LEAST:
        return numbers.NONE if value is None else numbers.figure(value)
    return say("under {number}", number=numbers.pointed(f"{LEAST:g}"))


def _by_layer(results: Results, layers: Sequence[Unitizing]) -> ReportTable:
    """Return several layers, a row each, a column for every figure."""
    titles = _symbols(results, {name for each in layers for name in each.measures})
    return table_of(
        "unitizing-by-layer",
        _("Value and 95% interval."),
        layers,
        ("layer", _("Layer"), "text", lambda each: each.layer),
        *columns_of(titles, "estimate", lambda each, name: each.measures.get(name)),
    )


def _symbols(results: Results, figures: Iterable[str]) -> dict[str, str]:
    return {name: results.catalogue[name].symbol for name in results.in_order(figures)}


def _categories(results: Results, layer: Unitizing) -> ReportTable | None:
    """Return the figures of each category; None where there is one, whose figures are those of all."""
    found = layer.by_category
    titles = {
        name: say("{figure} [95% interval]", figure=figure_name(results, name))
        for name in results.in_order({name for own in found.values() for name in own})
    }
    made = table_of(
        of_layer("unitizing-categories", layer.layer),
        _("By category."),
        layer.categories,
        ("category", _("Category"), "text", str),
        *columns_of(titles, "estimate", lambda each, name: found[each].get(name)),
    )
    return made if len(layer.categories) > 1 else None


def _pairs(results: Results, layer: Unitizing) -> ReportTable | None:
    """Return the figures of every two annotators, or of those that agree least where they are many."""
    shown = least(layer.pairs, lambda pair: pair.measures["alpha_u"].value)
    titles = _symbols(results, shown[0].measures if shown else ())
    return table_if(
        of_layer("unitizing-pairs", layer.layer),
        _("Every two annotators."),
        shown,
        ("first", _("First annotator"), "text", lambda pair: pair.annotators[0]),
        ("second", _("Second annotator"), "text", lambda pair: pair.annotators[1]),
        ("documents", _("Documents"), "count", lambda pair: pair.documents),
        *columns_of(titles, "estimate", lambda pair, name: pair.measures[name]),
    )
