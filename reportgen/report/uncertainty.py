"""Can I trust these figures? Words for coefficients, other sizes, and answers in short."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from reportgen.figures.curve import coefficients_of_sizes, curves_of_pairs, symbol_of, widest_set
from reportgen.report.blocks import Text, sentences
from reportgen.report.contents import primary_first, slug, suffix, unmarked_share
from reportgen.report.tables import (
    ReportTable,
    columns_of,
    table_if,
    table_of,
)
from reportgen.results import Figure, Results, UnitSet
from reportgen.results.parts import Benchmarks
from reportgen.results.unit_sets import SizeCurve
from reportgen.words import headline, numbers
from reportgen.words.headline import GOOD, Standing, number, quoted
from reportgen.words.language import N_, _, listed, pgettext, say, say_either, say_many
from reportgen.words.names import figure_inside, figure_name
from reportgen.words.numbers import count, counted, counted_in

# Words of benchmark scales, which say what agreement is; the same words elsewhere may say something else.


def band(word: str) -> str:
    """Return the word of a benchmark scale in the language that is being written."""
    return {
        "almost perfect": pgettext("agreement is", "almost perfect"),
        "substantial": pgettext("agreement is", "substantial"),
        "moderate": pgettext("agreement is", "moderate"),
        "fair": pgettext("agreement is", "fair"),
        "slight": pgettext("agreement is", "slight"),
        "poor": pgettext("agreement is", "poor"),
        "very good": pgettext("agreement is", "very good"),
        "good": pgettext("agreement is", "good"),
        "excellent": pgettext("agreement is", "excellent"),
        "fair to good": pgettext("agreement is", "fair to good"),
        "reliable": pgettext("agreement is", "reliable"),
        "tentative conclusions only": pgettext("agreement is", "tentative conclusions only"),
        "no conclusions": pgettext("agreement is", "no conclusions"),
    }.get(word, word)


SCALES = {
    "landis_koch": N_("Landis and Koch (1977)"),
    "altman": "Altman (1991)",
    "fleiss": "Fleiss (1981)",
    "krippendorff": "Krippendorff (2004)",
}


def benchmarks(results: Results, unit_set: UnitSet) -> ReportTable | None:
    """Return what benchmark scales say of each coefficient, or why there is no word."""
    by_figure = unit_set.benchmarks or {}
    named = primary_first(results, unit_set, by_figure)
    return table_if(
        f"benchmarks-{slug(unit_set)}",
        _("Words that describe each coefficient with a probability of 95%."),
        named,
        ("figure", pgettext("a number", "Figure"), "text", lambda name: figure_name(results, name)),
        *columns_of(
            {scale: _(title) for scale, title in SCALES.items()},
            "text",
            lambda name, scale: words(by_figure[name], scale),
        ),
        file=f"benchmarks.{slug(unit_set)}.csv",
        what="Words of benchmark scales for each coefficient, with their probabilities.",
    )


def words(benchmark: Benchmarks, scale: str) -> str:
    """Return the band that is sure, and that of the value where it is another; else why there is none."""
    if benchmark.bands is None:
        return numbers.message(benchmark.undefined or "", {})
    said = benchmark.bands[scale]
    if said.word == said.of_value:
        return band(said.word)
    return say("{word} (value: {other})", word=band(said.word), other=band(said.of_value))


# Means over documents beside the figures of all units pooled.


def over_documents(results: Results, unit_set: UnitSet) -> ReportTable | None:
    """Return the table, None where no document is known."""
    means = unit_set.macro_over_documents or {}
    return table_if(
        f"over-documents-{slug(unit_set)}",
        _("Mean over documents beside the figure of all units pooled [95% interval]."),
        results.in_order(means),
        ("figure", pgettext("a number", "Figure"), "text", lambda name: figure_name(results, name)),
        ("mean", _("Mean over documents"), "estimate", lambda name: means[name]),
        ("documents", _("Documents"), "count", lambda name: means[name].units),
        ("left_out", _("Left out, undefined there"), "count", lambda name: means[name].left_out),
        ("pooled", _("Pooled"), "estimate", unit_set.measures.get),
        file=f"mean-over-documents.{slug(unit_set)}.csv",
        what="Figures as means over documents, beside those of all units pooled.",
    )


# Figures by the number of units, which the size of the non-annotated category decides.


def by_unit_set(results: Results, unit_sets: Sequence[UnitSet]) -> ReportTable:
    """Return coefficients on each unit set of a layer, the share of it that nobody marked, and their limits.

    The primary coefficient has its interval. Where not everybody rated every unit, limits are those of pairs.
    """
    primary = results.coefficients[unit_sets[0].layer]
    ids = coefficients_of_sizes(results, unit_sets)
    category = next((own.non_annotated for own in unit_sets if own.non_annotated), None)
    rows: list[SizeRow] = [
        SizeRow(
            say("{unit_set} (primary)", unit_set=own.id) if own.primary else own.id,
            own.measures,
            own.units_compared,
            unmarked_share(own),
        )
        for own in unit_sets
    ]
    rows += [
        SizeRow(name, {figure: Figure(value=value) for figure, value in curve.limit.items()})
        for name, curve in _curves_to_limits(results, unit_sets)
    ]
    return table_of(
        f"unit-sets{suffix(unit_sets)}",
        say(
            "{figures}; in brackets a 95% interval.",
            figures=listed([figure_name(results, ids[0]), *(figure_inside(results, i) for i in ids[1:])]),
        ),
        rows,
        ("unit_set", _("Unit set"), "text", lambda row: row.name),
        ("units", _("Units"), "count", lambda row: row.units),
        ("share", category, "percent", lambda row: row.share) if category else None,
        *(
            (
                *(name, symbol_of(results, name), "estimate" if name == primary else "figure"),
                lambda row, name=name: row.cell(name, whole=name == primary),
            )
            for name in ids
        ),
    )


# Of more pairs the lowest limit and the highest are shown.
MOST_LIMITS = 3


class SizeRow(NamedTuple):
    """Figures of one unit set, or their limits."""

    name: str
    figures: Mapping[str, Figure]
    units: int | None = None
    share: float | None = None

    def cell(self, name: str, *, whole: bool) -> Figure | float | None:
        """Return a figure, its value alone where not the `whole` is asked for."""
        figure = self.figures.get(name)
        return figure if whole or figure is None else figure.value


def _curves_to_limits(results: Results, unit_sets: Sequence[UnitSet]) -> Iterator[tuple[str, SizeCurve]]:
    """Yield the curves whose limits are shown: the largest unit set's, else the extremes of its pairs."""
    largest = widest_set(unit_sets)
    if largest and largest.size_curve:
        yield _("limit"), largest.size_curve
    of_pairs = curves_of_pairs(results, largest) if largest and not largest.size_curve else []
    for pair, curve in of_pairs if len(of_pairs) <= MOST_LIMITS else (of_pairs[0], of_pairs[-1]):
        yield say("limit, {pair}", pair=" / ".join(pair.annotators)), curve


def size_curve_rows(results: Results, unit_set: UnitSet) -> ReportTable | None:
    """Return the whole size curve, for the CSV."""
    curve = unit_set.size_curve
    if curve is None:
        return None
    return table_of(
        f"size-curve-{slug(unit_set)}",
        "",
        [*curve.sizes, None],
        ("size", _("Units"), "count", lambda size: "limit" if size is None else size),
        *columns_of(
            {name: name for name in results.in_order(curve.values)},
            "figure",
            lambda size, name: _value_at_size(curve, name, size),
        ),
        file=f"size-curve.{slug(unit_set)}.csv",
        what="Figures at each number of units that nobody marked.",
    )


def _value_at_size(curve: SizeCurve, name: str, size: int | None) -> float | None:
    return curve.limit.get(name) if size is None else curve.value_at(name, size)


# Few annotators say little about others.
FEW, SOME = 2, 4


class TrustAnswer(NamedTuple):
    """What one may conclude, in a few words, and why."""

    title: str
    text: Text


def answers(results: Results) -> Iterator[TrustAnswer]:
    """Yield for what else the figures of a report are true."""
    standings = headline.standings(results)
    yield _other_texts(results, standings)
    # Whether the figures say something about other people.
    subject, number_of = results.subject_of(results.primary.layer), len(results.primary.annotators)
    people = counted(number_of, "person", "people")
    if subject == "systems":
        title = _("As far as the reference is right")
        said = _("Errors in the reference count as errors of the systems.")
    elif subject == "judge":
        title = _("Not for other people")
        said = _("The model is compared with the labels of one person.")
    elif subject == "crowd":
        title = _("Yes, for others of this crowd")
        message = N_(
            "Different people labelled different units, {people} in all: the figures are about the crowd."
        )
        said = say(message, people=people)
    elif number_of <= FEW:
        title = _("Not for other annotators")
        said = _("Two people do not show how a third would label.")
    elif number_of <= SOME:
        title = _("Hardly, for other annotators")
        message = N_(
            "{people} are too few to represent others: the intervals do not cover the choice of annotators."
        )
        said = say(message, people=people)
    else:
        title = _("With care, for other annotators")
        said = say("Intervals do not cover the choice of these {people}.", people=people)
    yield TrustAnswer(title, said)
    if results.subject_of(results.primary.layer) == "systems":
        yield TrustAnswer(
            _("Enough for what?"),
            _("No minimum says which figure is enough: that depends on what missed and wrong labels cost."),
        )


def _other_texts(results: Results, standings: Sequence[Standing]) -> TrustAnswer:
    """Return whether the intervals settle the verdicts."""
    primary = results.primary
    answer = results.answer_of(primary.layer)
    primaries = [results.primary_of(layer) for layer in results.layers]
    by_layer = [own.documents_compared if own.document_groups is None else own.documents for own in primaries]
    pairs = results.comparisons.pairs if results.comparisons else ()
    # Where no two annotators share a document, those are counted that somebody and a key share.
    compared_with_key = max((pair.documents for pair in pairs), default=0)
    documents = answer.documents if answer and answer.documents else max(by_layer) or compared_with_key
    compared = primary.units_compared or max((pair.units or 0 for pair in pairs), default=0)
    units = answer.units if answer and answer.units else compared
    what = counted(documents, "document", "documents") if documents else counted_in(units, primary.noun)
    if 0 < min(by_layer) < documents == max(by_layer):
        what = say("{least} to {documents}", least=count(min(by_layer)), documents=what)
    unsettled = [standing.layer for standing in standings if standing.severity == "warning"]
    caution = (
        ""
        if documents or any(own.documents for own in primaries)
        else _("Nothing says which units come from one text; if several do, the intervals are too narrow.")
    )
    said: Text
    if results.subject_of(primary.layer) == "systems":
        # Below is why it is not settled what is enough.
        title = _("For other texts like these, within the intervals")
        said = say("The figures come from {what}.", what=what)
    elif not unsettled:
        title = _("Yes, for other texts like these")
        said = sentences(
            say_either(len(standings) > 1, "{what} are enough for the verdict{ on each layer|}.", what=what),
            _whether_reliable(results, standings),
        )
    elif len(unsettled) == len(standings):
        title = _("Not yet, for other texts like these")
        said = say("With {what}, the verdict stays open.", what=what)
    else:
        title = _("In part, for other texts like these")
        said = say_many(
            "{what} are enough for the verdict on {settled} of {all} layers; {names} {needs|need} more.",
            len(unsettled),
            what=what,
            settled=number(len(standings) - len(unsettled)),
            all=number(len(standings)),
            names=listed(quoted(unsettled)),
        )
    return TrustAnswer(title, sentences(said, caution))


def _whether_reliable(results: Results, standings: Sequence[Standing]) -> str:
    """Return whose intervals include the threshold of reliable labels; empty where none does."""
    straddling = {
        layer
        for finding in results.findings
        if finding.kind == "limit" and finding.values.get("threshold") == GOOD
        for layer in finding.layers
    }
    layers = [standing.layer for standing in standings if standing.layer in straddling]
    return (
        say_either(
            len(standings) > 1,
            "They do not show whether agreement{ in {names}|} reaches {good}.",
            names=listed(quoted(layers)),
            good=numbers.pointed(GOOD),
        )
        if layers
        else ""
    )
