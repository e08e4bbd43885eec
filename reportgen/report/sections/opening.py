"""What a report says of its findings: what to do besides the ledger, and what limits its figures."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from reportgen.report.advice import Advice, advices, limits, name_of
from reportgen.report.blocks import (
    Block,
    Details,
    Items,
    Link,
    Section,
    ShortAnswers,
    Strong,
    Text,
    paragraph,
    sentences,
)
from reportgen.report.uncertainty import verdict
from reportgen.report.view import ReportView
from reportgen.results import SEVERITIES, Finding, Results
from reportgen.words import headline, numbers
from reportgen.words.headline import Standing, number, quoted
from reportgen.words.language import N_, _, listed, say, say_many
from reportgen.words.names import figure_inside, figure_name
from reportgen.words.numbers import Note, counted, counted_in

# The way from a page to the section that a finding names as its evidence.
Way = Callable[[Note], str]

# Smaller gains are none on the page.
LEAST_GAIN = 0.005
# So many are open; more are folded, and so are more remarks of one kind.
OPEN, MOST_CLAIMS = 3, 4
# Remarks that are not folded among the remarks.
MOST_NOTES = 3


def _title(view: ReportView, advice: Advice) -> str:
    """Return what to do; the same labels may be those of several layers."""
    if advice.topic != "choose" or len(view.results.layers) == 1:
        return advice.title
    layer = advice.notes[0].where(view.results.layers)
    return say("{advice} ({layer}).", advice=advice.title.removesuffix("."), layer=layer)


def _gain(view: ReportView, advice: Advice) -> Text:
    """Return by how much the primary coefficient would rise, empty where that is not known."""
    finding, results = advice.gaining, view.results
    # A single finding has it in its own claim.
    if advice.gain < LEAST_GAIN or (len(advice.findings) == 1 and "reached" in finding.values):
        return ""
    layer = finding.layers[0] if finding.layers else results.layers[0]
    return say(
        N_("If everyone agreed on {name}, {symbol} would rise by about {gain}.")
        if len(results.layers) == 1
        else N_("If everyone agreed on {name}, {symbol} of {layer} would rise by about {gain}."),
        symbol=results.catalogue[results.coefficients[layer].partition("[")[0]].symbol,
        gain=numbers.short(advice.gain),
        layer=layer,
        name=name_of(finding) if len(advice.findings) > 1 else _("this"),
    )


def what_to_do(view: ReportView, way: Way | None = None) -> Section | None:
    """Return what to do that no row of the ledger says, ranked by what it would change."""
    rows, rules = view.ledger, (view.passages.texts.rules if view.passages else None) or ()
    advised = rows.besides if rows else advices(view.findings, rules)
    items = [_item(view, advice, way) for advice in advised]
    if (view.only or rows) and not items:
        return None
    shown = tuple(items[:OPEN])
    blocks: list[Block] = [Items(shown) if shown else paragraph(_(_nothing(view)))]
    if more := items[OPEN:]:
        summary = say_many("{count} more", "{count} more", len(more))
        blocks.append(Details(summary, (Items(tuple(more)),)))
    title = _("What to do")
    if rows:
        title = _("What to do first") if rows.besides_first else _("What else to do")
    return Section("findings", title, tuple(blocks))


def _nothing(view: ReportView) -> str:
    return NOTHING.get(min((own.severity for own in view.verdicts), key=SEVERITIES.index), NOTHING["good"])


NOTHING: dict[str, str] = {
    "good": N_("Nothing in the figures calls for a change."),
    "warning": N_("No single thing stands out. More units labelled would settle the verdict."),
    "problem": N_(
        "No single thing stands out. Go through some of the disagreements together, and look for the rule "
        "that is missing."
    ),
}


def _item(view: ReportView, advice: Advice, way: Way | None) -> Text:
    """Return findings as one: what to do, and what was found in each."""
    found = claims(view, advice, way)
    several = (advice.summary, _gain(view, advice)) if len(found) > 1 else ()
    return sentences(Strong(_title(view, advice)), *several, *(found if not several else ()), advice.more)


def claims(view: ReportView, advice: Advice, way: Way | None, *, named: bool = True) -> tuple[Text, ...]:
    """Return what was found in each, `named` by its layers; the same evidence is linked once."""
    ways = [way(advice_note) if way else "" for advice_note in advice.notes]
    return tuple(
        _claim(view, finding, note, way if href not in ways[:index] else None, named=named)
        for index, (finding, note, href) in enumerate(
            zip((*advice.findings, *advice.also), advice.notes, ways, strict=True)
        )
    )


def _claim(view: ReportView, finding: Finding, note: Note, way: Way | None, *, named: bool) -> Text:
    """Return what was found, behind the layers that it is about, with a link to its evidence."""
    link = Link(_("Evidence"), way(note)) if way and note.evidence else ""
    several_layers = named and len(view.results.layers) > 1 and note.layers
    where = Strong(say("{name}:", name=note.where(view.results.layers))) if several_layers else None
    # The layer is named once: here, or at the head of its page.
    values = {
        key: value
        for key, value in finding.values.items()
        if not (key.endswith("_layer") and (value,) == note.layers)
    }
    return sentences(where, numbers.message(finding.claim, values), link)


def limits_of_figures(view: ReportView, way: Way | None = None) -> Section | None:
    """Return what the figures do not cover, and what else limits them."""
    limiting = limits(view.findings)
    if view.only and not limiting:
        return None
    grave = [advice for advice in limiting if advice.severity == SEVERITIES[0]]
    blocks: list[Block] = [block for advice in grave for block in _limit(view, advice, way)]
    if not view.only:
        blocks.append(ShortAnswers(tuple(answers(view.results))))
    covered = () if view.only else tuple(_covered(view))
    if notes := [advice for advice in limiting if advice not in grave]:
        summary = say_many("{count} remark on these figures", "{count} remarks on these figures", len(notes))
        first, others = (
            [block for advice in some for block in _limit(view, advice, way)]
            for some in (notes[:MOST_NOTES], notes[MOST_NOTES:])
        )
        if rest := (*others, *covered):
            first.append(Details(_("The others, and what intervals cover"), rest))
        blocks.append(Details(summary, tuple(first)))
    else:
        blocks += covered
    return Section("limits", _("Can I trust this?"), tuple(blocks))


def _limit(view: ReportView, advice: Advice, way: Way | None) -> Iterator[Block]:
    """Yield what limits the figures, what follows from it behind each remark; of many all but one folded."""
    asked = {advice_note.advice for advice_note in advice.notes}
    found: list[Text] = list(claims(view, advice, way))
    if len(asked) > 1:
        found = [sentences(claim, remark.advice) for claim, remark in zip(found, advice.notes, strict=True)]
    else:
        found[0] = sentences(found[0], *asked)
    yield paragraph(found[0])
    if more := (Items(tuple(found[1:])),) if found[1:] else ():
        summary = say("In detail: {count}", count=numbers.count(len(found) - 1))
        yield from more if len(found) <= MOST_CLAIMS else (Details(summary, more),)


def _covered(view: ReportView) -> Iterator[Block]:
    """Yield what the intervals cover, what the thresholds are, and what the usual scales call the figure."""
    results, primary = view.results, view.results.primary
    answer, subject = results.answer_of(primary.layer), results.subject_of(primary.layer)
    headline = answer.value if answer else primary.measures.get(results.coefficient)
    documents = answer.documents if answer else primary.documents_compared
    # The first screen has it behind a verdict that has its figures.
    said_above = any(finding.subject for finding in results.findings if finding.kind == "verdict")
    limits_said: list[str] = [view.caveat.claim] if view.caveat and not said_above else []
    known = headline and headline.interval and headline.interval.low is not None
    if known and subject in {"systems", "judge"}:
        limits_said += (
            _(
                "Intervals cover the sampling of documents: what other documents of the same kind would have "
                "given."
            )
            if documents
            else _(
                "Intervals cover the sampling of units: what other units of the same kind would have given. "
                "They take units to be independent because no document is known."
            ),
        )
    elif known:
        limits_said += (
            _(
                "Intervals cover the sampling of documents: what other documents of the same kind would have "
                "given with these annotators. They do not cover the choice of annotators."
            )
            if documents
            else _(
                "Intervals cover the sampling of units: what other units of the same kind would have given "
                "with these annotators. They do not cover the choice of annotators, and take units to be "
                "independent because no document is known."
            ),
            say(
                "The thresholds {low} and {high} are Krippendorff's (2004).",
                low=numbers.figure(0.667),
                high=numbers.pointed("0.8"),
            ),
        )
    # What single labels of annotators are called by the usual scales is no answer to another question.
    answered = answer is not None
    yield paragraph(*limits_said)
    yield paragraph(
        verdict(results, primary) if len(results.layers) == 1 and not answered else "",
        "" if answered else _why_this_coefficient(view),
    )


def _why_this_coefficient(view: ReportView) -> Text:
    """Return how the coefficient was chosen."""
    results = view.results
    reason = (
        _("The campaign declares this coefficient.")
        if results.coefficient_declared
        else _("The coefficient follows from the design of the campaign, never from its value.")
    )
    why = Link(_("Why this one"), "#choice") if results.choice else ""
    return sentences(reason if len(results.layers) == 1 else "", why)


# Can I trust these figures? Three short answers: for other texts, other annotators, other units.

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
    yield from _other_units(results, standings)


def _other_texts(results: Results, standings: Sequence[Standing]) -> TrustAnswer:
    """Return whether the intervals settle the verdicts."""
    primary = results.primary
    answer = results.answer_of(primary.layer)
    primaries = [results.primary_of(layer) for layer in results.layers]
    documents = max(
        own.documents_compared if own.document_groups is None else own.documents for own in primaries
    )
    documents = answer.documents if answer and answer.documents else documents
    pairs = results.comparisons.pairs if results.comparisons else ()
    compared = primary.units_compared or max((pair.units or 0 for pair in pairs), default=0)
    units = answer.units if answer and answer.units else compared
    what = counted(documents, "document", "documents") if documents else counted_in(units, primary.noun)
    unsettled = [standing.layer for standing in standings if standing.severity == "warning"]
    caution = (
        ""
        if documents
        else _("No document is known: where several units come from one text, intervals are too narrow.")
    )
    if results.subject_of(primary.layer) == "systems":
        # No minimum says what is enough of a system.
        title = _("For other texts like these, within the intervals")
        said = say("They come from {what}.", what=what)
    elif not unsettled:
        title = _("Yes, for other texts like these")
        said = say("With {what}, the verdict is settled.", what=what)
    elif len(unsettled) == len(standings):
        title = _("Not yet, for other texts like these")
        said = say("With {what}, the verdict stays open.", what=what)
    else:
        title = _("In part, for other texts like these")
        said = say_many(
            "With {what}, the verdict is settled on {settled} of {all} layers; {names} needs more.",
            "With {what}, the verdict is settled on {settled} of {all} layers; {names} need more.",
            len(unsettled),
            what=what,
            settled=number(len(standings) - len(unsettled)),
            all=number(len(standings)),
            names=listed(quoted(unsettled)),
        )
    return TrustAnswer(title, sentences(said, caution))


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
        message = N_("Different ones of {people} labelled each unit: the figures are about the crowd.")
        said = say(message, people=people)
    elif number_of <= FEW:
        title = _("Not for other annotators")
        said = _(
            "Two people do not show how a third would label. If other people will annotate, add a third "
            "annotator."
        )
    elif number_of <= SOME:
        title = _("Hardly, for other annotators")
        message = N_("{people} are too few to speak for others: intervals do not cover who was chosen.")
        said = say(message, people=people)
    else:
        title = _("With care, for other annotators")
        said = say("Intervals do not cover the choice of these {people}.", people=people)
    return TrustAnswer(title, said)


def _other_units(results: Results, standings: Sequence[Standing]) -> Iterator[TrustAnswer]:
    """Yield whether the primary figure depends on what counts as a unit; nothing about systems and models."""
    if results.subject_of(results.primary.layer) in {"systems", "judge", "recordings"}:
        return
    why = Link(_("What counts"), "#choices")
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
        "{coefficient} is {high} over {high_set}, and {low} over {low_set}.",
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
