"""What a report opens with: what to fix first, what to do, and what limits its figures."""

from collections.abc import Callable, Iterator

from reportgen.report.advice import Advice, advices, limits, name_of
from reportgen.report.blocks import (
    Block,
    Details,
    FindingBlock,
    Items,
    Link,
    Section,
    Strong,
    Text,
    paragraph,
    sentences,
)
from reportgen.report.uncertainty import verdict
from reportgen.report.view import ReportView
from reportgen.results import Finding
from reportgen.words import numbers
from reportgen.words.language import N_, _, say, say_many

# The way from a page to the section that a finding names as its evidence.
Way = Callable[[numbers.Note], str]

FIXES = 3
# Smaller gains are none on the page.
LEAST_GAIN = 0.005
# So many are open; more are folded.
OPEN = 5


def fix_first(view: ReportView, way: Way | None = None) -> Section | None:
    """Return the three things to do first, with what each is about and would change."""
    found = [each for each in advices(view.findings) if each.title][:FIXES]
    if not found:
        return None
    items = tuple(
        sentences(Strong(each.title), each.summary, _gain(view, each), _examples(view, each, way))
        for each in found
    )
    return Section("fix-first", _("Fix first"), (Items(items, numbered=True),))


def _gain(view: ReportView, advice: Advice) -> Text:
    """Return by how much the primary coefficient would rise, empty where that is not known."""
    finding, results = advice.gaining, view.results
    # A single finding has it in its own claim.
    if advice.gain < LEAST_GAIN or (len(advice.findings) == 1 and "reached" in finding.values):
        return ""
    layer = finding.layers[0] if finding.layers else results.layers[0]
    return say(
        N_("Settling {name} would raise {symbol} by about {gain}.")
        if len(results.layers) == 1
        else N_("Settling {name} would raise {symbol} of {layer} by about {gain}."),
        symbol=results.catalogue[results.coefficients[layer].partition("[")[0]].symbol,
        gain=numbers.short(advice.gain),
        layer=layer,
        name=name_of(finding) if len(advice.findings) > 1 else _("this"),
    )


def _examples(view: ReportView, advice: Advice, way: Way | None) -> Text:
    """Return a link to examples, where there are none to the figures behind it."""
    if way is None:
        return ""
    note, finding = advice.notes[0], advice.findings[0]
    if href := view.examples_of(finding):
        return Link(_("Examples"), href)
    return Link(_("Figures"), way(note)) if note.evidence else ""


def what_to_do(view: ReportView, way: Way | None = None) -> Section | None:
    """Return what to do, ranked by what it would change."""
    notes = [_note(view, each, way) for each in advices(view.findings)]
    if view.only and not notes:
        return None
    blocks: list[Block] = list(notes[:OPEN]) or [paragraph(_("Nothing in the figures calls for a change."))]
    if more := notes[OPEN:]:
        summary = say_many("{count} more", "{count} more", len(more))
        blocks.append(Details(summary, tuple(more)))
    return Section("findings", _("What to do"), tuple(blocks))


def _note(view: ReportView, advice: Advice, way: Way | None) -> FindingBlock:
    """Return findings as one: what to do, and what was found in each."""
    claims = _claims(view, advice, way)
    level = _(numbers.SEVERITIES[advice.severity])
    if len(claims) == 1:
        return FindingBlock(advice.severity, level, sentences(claims[0], advice.more), advice.title)
    said = sentences(advice.summary, _gain(view, advice), advice.more)
    return FindingBlock(advice.severity, level, said, advice.title, claims)


def _claims(view: ReportView, advice: Advice, way: Way | None) -> tuple[Text, ...]:
    """Return what was found in each; evidence that is the same of all is linked once."""
    ways = [way(each) if way else "" for each in advice.notes]
    return tuple(
        _claim(view, finding, note, way if href not in ways[:place] else None)
        for place, (finding, note, href) in enumerate(zip(advice.findings, advice.notes, ways, strict=True))
    )


def _claim(view: ReportView, finding: Finding, note: numbers.Note, way: Way | None) -> Text:
    """Return what was found, behind the layers that it is about, with a link to its evidence."""
    link = Link(_("Evidence"), way(note)) if way and note.evidence else ""
    if len(view.results.layers) == 1 or not note.layers:
        return sentences(note.claim, link)
    # The layer is named once.
    values = {
        key: each
        for key, each in finding.values.items()
        if not (key.endswith("_layer") and (each,) == note.layers)
    }
    where = Strong(say("{name}:", name=note.where(view.results.layers)))
    return sentences(where, numbers.message(finding.claim, values), link)


def limits_of_figures(view: ReportView, way: Way | None = None) -> Section | None:
    """Return what the figures do not cover, and what else limits them."""
    found = limits(view.findings)
    if view.only and not found:
        return None
    blocks: list[Block] = [] if view.only else list(_covered(view))
    if notes := tuple(_limit(view, each, way) for each in found):
        summary = say_many("{count} remark on these figures", "{count} remarks on these figures", len(notes))
        blocks.append(Details(summary, notes))
    return Section("limits", _("Limits of these figures"), tuple(blocks))


def _limit(view: ReportView, advice: Advice, way: Way | None) -> FindingBlock:
    """Return what limits the figures, what follows from it behind each remark."""
    asked = {each.advice for each in advice.notes}
    claims: list[Text] = list(_claims(view, advice, way))
    if len(asked) > 1:
        claims = [sentences(claim, each.advice) for claim, each in zip(claims, advice.notes, strict=True)]
    else:
        claims[0] = sentences(claims[0], *asked)
    level = _(numbers.SEVERITIES[advice.severity])
    return FindingBlock(advice.severity, level, claims[0], more=tuple(claims[1:]))


def _covered(view: ReportView) -> Iterator[Block]:
    """Yield what the intervals cover, what the thresholds are, and what the usual scales call the figure."""
    results, primary = view.results, view.results.primary
    headline = primary.measures.get(results.coefficient)
    said: list[str] = [view.caveat.claim] if view.caveat else []
    if headline and headline.interval and headline.interval.low is not None:
        said += (
            _(
                "Intervals cover the sampling of documents: what other documents of the same kind would have "
                "given with these annotators. They do not cover the choice of annotators."
            )
            if primary.documents_compared
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
    yield paragraph(*said)
    yield paragraph(verdict(results, primary) if len(results.layers) == 1 else "", _why(view))


def _why(view: ReportView) -> Text:
    """Return how the coefficient was chosen."""
    results = view.results
    said = (
        _("The campaign declares this coefficient.")
        if results.coefficient_declared
        else _("The coefficient follows from the design of the campaign, never from its value.")
    )
    why = Link(_("Why this one"), "#choice") if results.choice else ""
    return sentences(said if len(results.layers) == 1 else "", why)
