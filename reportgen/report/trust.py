"""Can I trust these figures? Three short answers: for other texts, other annotators, other units."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from reportgen.report.blocks import Text, see, sentences
from reportgen.results import Results
from reportgen.words import headline, numbers
from reportgen.words.headline import GOOD, Standing, number, quoted
from reportgen.words.language import N_, _, listed, say, say_either, say_many
from reportgen.words.names import figure_inside, figure_name
from reportgen.words.numbers import count, counted, counted_in

# From how large a difference between unit sets on a figure depends on what is counted.
DEPENDS = 0.05
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
    yield _other_annotators(results)
    if results.subject_of(results.primary.layer) == "systems":
        yield TrustAnswer(
            _("Enough for what?"),
            _("No minimum says which figure is enough: that depends on what missed and wrong labels cost."),
        )
    yield from _other_units(results, standings)


def _other_texts(results: Results, standings: Sequence[Standing]) -> TrustAnswer:
    """Return whether the intervals settle the verdicts."""
    primary = results.primary
    answer = results.answer_of(primary.layer)
    primaries = [results.primary_of(layer) for layer in results.layers]
    by_layer = [own.documents_compared if own.document_groups is None else own.documents for own in primaries]
    documents = answer.documents if answer and answer.documents else max(by_layer)
    pairs = results.comparisons.pairs if results.comparisons else ()
    compared = primary.units_compared or max((pair.units or 0 for pair in pairs), default=0)
    units = answer.units if answer and answer.units else compared
    what = counted(documents, "document", "documents") if documents else counted_in(units, primary.noun)
    if 0 < min(by_layer) < documents == max(by_layer):
        what = say("{least} to {documents}", least=count(min(by_layer)), documents=what)
    unsettled = [standing.layer for standing in standings if standing.severity == "warning"]
    caution = (
        ""
        if documents
        else _("No document is known: where several units come from one text, intervals are too narrow.")
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


def _other_annotators(results: Results) -> TrustAnswer:
    """Return whether the figures say something about other people."""
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
            "Each unit was labelled by other people, out of {people}: the figures are about the crowd."
        )
        said = say(message, people=people)
    elif number_of <= FEW:
        title = _("Not for other annotators")
        said = _(
            "Two people do not show how a third would label. If other people will annotate, add a third "
            "annotator."
        )
    elif number_of <= SOME:
        title = _("Hardly, for other annotators")
        message = N_(
            "{people} are too few to represent others: the intervals do not cover the choice of annotators."
        )
        said = say(message, people=people)
    else:
        title = _("With care, for other annotators")
        said = say("Intervals do not cover the choice of these {people}.", people=people)
    return TrustAnswer(title, said)


def _other_units(results: Results, standings: Sequence[Standing]) -> Iterator[TrustAnswer]:
    """Yield whether the primary figure depends on what counts as a unit; nothing about systems and models."""
    if results.subject_of(results.primary.layer) in {"systems", "judge", "recordings"}:
        return
    why = see(_("What counts as a unit, and why"), "#choices")
    by_layer = {standing.layer: _over_sets(results, standing.layer) for standing in standings}
    spread = {layer: max(values)[0] - min(values)[0] for layer, values in by_layer.items() if len(values) > 1}
    if not spread:
        yield TrustAnswer(
            _("One way of counting"),
            sentences(
                _("Units are those of the export: no other choice was tried.")
                if results.primary.noun == "units"
                else say(
                    "Units are {noun}: no other choice was tried.", noun=numbers.noun(results.primary.noun, 2)
                ),
                why,
            ),
        )
        return
    layer = max(spread, key=lambda name: spread[name])
    (low, low_set), (high, high_set) = min(by_layer[layer]), max(by_layer[layer])
    claim = say(
        "{coefficient} is {high} over {high_set} and {low} over {low_set}.",
        coefficient=(figure_inside if len(spread) > 1 else figure_name)(results, results.coefficients[layer]),
        high=numbers.short(high),
        low=numbers.short(low),
        high_set=quoted([high_set])[0],
        low_set=quoted([low_set])[0],
    )
    several = say("In {layer}:", layer=quoted([layer])[0]) if len(spread) > 1 else ""
    title = (
        _("It depends on what is counted")
        if spread[layer] >= DEPENDS
        else _("It hardly depends on what is counted")
    )
    yield TrustAnswer(title, sentences(several, claim, why))


def _over_sets(results: Results, layer: str) -> list[tuple[float, str]]:
    """Return the primary coefficient of a layer over each unit set, where it is defined."""
    name = results.coefficients[layer]
    figures = {own.id: own.measures.get(name) for own in results.unit_sets if own.layer == layer}
    return [(own.value, unit_set) for unit_set, own in figures.items() if own and own.value is not None]
