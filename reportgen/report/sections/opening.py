"""What a report says of its findings: what to do besides the ledger, and what limits its figures."""

from collections.abc import Callable, Iterator

from reportgen.report import trust
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
    see,
    sentences,
)
from reportgen.report.uncertainty import verdict
from reportgen.report.view import ReportView
from reportgen.results import SEVERITIES, Finding
from reportgen.words import numbers
from reportgen.words.language import N_, _, say, say_many
from reportgen.words.numbers import Note

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
        summary = say_many("{count} more", len(more))
        blocks.append(Details(summary, (Items(tuple(more)),)))
    title = rows.besides_title if rows else _("What to do")
    return Section("findings", title, tuple(blocks))


def _nothing(view: ReportView) -> str:
    return NOTHING.get(min((own.severity for own in view.verdicts), key=SEVERITIES.index), NOTHING["good"])


NOTHING: dict[str, str] = {
    "good": N_("Nothing in the figures calls for a change."),
    "warning": N_("No single thing stands out, and the verdict is open: more units labelled would say more."),
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
        blocks.append(ShortAnswers(tuple(trust.answers(view.results))))
    covered = () if view.only else tuple(_covered(view))
    if notes := [advice for advice in limiting if advice not in grave]:
        summary = say_many("{count} {remark|remarks} on these figures", len(notes))
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
    why = see(_("Coefficients"), "#choice") if results.choice else ""
    return sentences(reason if len(results.layers) == 1 else "", why)
