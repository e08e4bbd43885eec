"""What a report opens with: what to fix first, what to do, and what limits its figures.

Findings that ask for the same thing are one, ranked by effect.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

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
from reportgen.results import SEVERITIES, Finding
from reportgen.results.model import Ask
from reportgen.words import numbers
from reportgen.words.language import N_, _, listed, say, say_many
from reportgen.words.numbers import Note, note

# The way from a page to the section that a finding names as its evidence.
Way = Callable[[Note], str]

FIXES = 3
# Smaller gains are none on the page.
LEAST_GAIN = 0.005
# So many are open; more are folded.
OPEN = 5
BALANCE = N_("Have {people} go through what only one of them marked, and write the rule into the guidelines.")
# What several findings that ask for the same thing ask for together, by the places of their advice.
TOGETHER: dict[Ask, str] = {
    "mark": N_("Write into the guidelines when to mark {names}."),
    "ends": N_("Write into the guidelines where marks of {names} begin and end."),
    "revise": N_("Revise the definitions of {names}."),
    "choose": N_("Write into the guidelines when to choose {names}."),
    "apart": N_("Write into the guidelines how to tell these apart: {names}."),
    "balance": BALANCE,
    "export": N_("Look at the exports of {names}: labels may be missing, or the task misunderstood."),
    "reach": N_("Show {people} their marks of {names} side by side, and agree on how far they reach."),
}
ALONE = N_("{first} alone marked {first_only} {noun}, {second} alone {second_only}.")
# What is said instead where only shares are known.
SHARES_IN_WORDS = {
    "agreement_share": N_("How often another annotator agreed: {names}."),
    "disagreement_share": N_("Share of disagreements: {names}."),
    "difference_share": N_("Share of disagreements: {names}."),
}
NAMES_SHOWN = 3
# Where an advice's second sentence begins.
SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-ZÀ-Ý])")


@dataclass(frozen=True)
class Advice:
    """Findings that ask for the same thing, the one with most effect first.

    `also` are those about the same units that ask for something else, such as who should look at them.
    """

    topic: Ask | None
    findings: tuple[Finding, ...]
    also: tuple[Finding, ...] = ()

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """Return all of them in words."""
        return tuple(map(note, (*self.findings, *self.also)))

    @property
    def severity(self) -> str:
        """Return how grave the gravest is."""
        return min((finding.severity for finding in (*self.findings, *self.also)), key=SEVERITIES.index)

    @cached_property
    def _advice_texts(self) -> list[str]:
        """Return what each asks for, once."""
        return list(dict.fromkeys(advice_note.advice for advice_note in self.notes[: len(self.findings)]))

    @property
    def title(self) -> str:
        """Return what to do, in one sentence; empty where nothing is to be done."""
        if len(self._advice_texts) == 1 or self.topic is None:
            return SENTENCE.split(self._advice_texts[0], maxsplit=1)[0]
        # The categories that they are about, those with most cases first.
        ranked = sorted(self.findings, key=lambda finding: -(finding.cases or 0))
        names = _first_names(list(dict.fromkeys(map(name_of, ranked))))
        message = TOGETHER[self.topic]
        people = {"people": listed(sorted(self.findings[0].people))} if "{people}" in message else {}
        return say(message, names=names, **people)

    @property
    def more(self) -> str:
        """Return what else the advice says."""
        if self.also:
            return say(BALANCE, people=listed(sorted(self.also[0].people)))
        return self._advice_texts[0].removeprefix(self.title).strip() if len(self._advice_texts) == 1 else ""

    @property
    def gaining(self) -> Finding:
        """Return the finding that would gain most."""
        return max(self.findings, key=lambda finding: finding.gain or 0.0)

    @property
    def gain(self) -> float:
        """Return by how much a layer's coefficient would rise if that one were settled."""
        return self.gaining.gain or 0.0

    @property
    def summary(self) -> str:
        """Return what was found, in short: of several the cases of each."""
        values = self.findings[0].values
        if len(self.findings) == 1:
            by_two = self.topic == "balance" and "first_only" in values
            return numbers.message(ALONE, values) if by_two else self.notes[0].claim
        cases: dict[str, int] = {}
        for finding in self.findings:
            name = name_of(finding)
            cases[name] = max(cases.get(name, 0), finding.cases or 0)
        if not all(cases.values()):
            return self._shares()
        ranked = sorted(cases, key=lambda name: -cases[name])
        names = _first_names([f"{name} {numbers.count(cases[name])}" for name in ranked])
        total = sum(cases.values())
        if self.topic == "balance" and values.get("noun"):
            return say(
                "{count} {what} that only one of them marked: {names}.",
                count=numbers.count(total),
                what=numbers.noun(str(values["noun"]), total),
                names=names,
            )
        return say("{count} cases: {names}.", count=numbers.count(total), names=names)

    def _shares(self) -> str:
        """Return the share of disagreements of each, or how often others agreed; empty where unknown."""
        for key, message in SHARES_IN_WORDS.items():
            shares = [(name_of(finding), finding.values.get(key)) for finding in self.findings]
            parts = [f"{name} {numbers.percent(share)}" for name, share in shares if isinstance(share, float)]
            if parts:
                return say(message, names=_first_names(list(dict.fromkeys(parts))))
        return ""


def advices(findings: Iterable[Finding]) -> list[Advice]:
    """Return what to do, ranked by what it would change: gain, then severity, then how many cases.

    What only campaign.toml has to say comes last, unless figures are wrong without it.
    """
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        if finding.kind is None:
            groups.setdefault(_key(finding), []).append(finding)

    def most_first(finding: Finding) -> tuple[float, int]:
        return -(finding.gain or 0), -(finding.cases or 0)

    # What two annotators mark alone are the omissions once more.
    balances = [key for key in groups if key[0] == "balance"]
    also = groups.pop(balances[0]) if len(balances) == 1 and ("mark",) in groups else []
    advice = [
        Advice(
            _topic(alike[0]),
            tuple(sorted(alike, key=most_first)),
            tuple(sorted(also, key=most_first)) if key == ("mark",) else (),
        )
        for key, alike in groups.items()
    ]
    return sorted(advice, key=_rank)


def limits(findings: Iterable[Finding]) -> list[Advice]:
    """Return what limits the figures, the gravest first; what is said of several layers as one."""
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.kind in {"limit", "caveat"}:
            groups.setdefault(finding.id, []).append(finding)
    remarks = [Advice(None, tuple(alike)) for alike in groups.values()]
    return sorted(remarks, key=lambda advice: SEVERITIES.index(advice.severity))


def _key(finding: Finding) -> tuple[object, ...]:
    """Return what findings have in common that ask for the same thing."""
    topic = _topic(finding)
    if topic in {"balance", "reach"}:
        return topic, frozenset(finding.people)
    if topic == "choose":
        return topic, finding.layers
    if topic:
        return (topic,)
    advice = numbers.message(finding.advice, finding.values)
    return finding.id, advice or numbers.message(finding.claim, finding.values)


def _topic(finding: Finding) -> Ask | None:
    """Return what a finding asks for where others may ask for it too."""
    return finding.asks if finding.asks in TOGETHER else None


def _rank(advice: Advice) -> tuple[bool, float, int, int]:
    settings = all(finding.asks in {"declare", "account"} for finding in advice.findings)
    setting = settings and advice.severity != SEVERITIES[0]
    cases = sum(finding.cases or 0 for finding in advice.findings)
    return setting, -round(advice.gain, 3), SEVERITIES.index(advice.severity), -cases


def name_of(finding: Finding) -> str:
    """Return the category that a finding is about, or the two that are confused; else whom, or its layers."""
    whom = finding.people[0] if len(finding.people) == 1 else listed(finding.layers)
    return " / ".join(finding.categories) or whom


def _first_names(names: Sequence[str]) -> str:
    """Return names in words, the first few of many."""
    more = len(names) - NAMES_SHOWN
    if more <= 1:
        return listed(names)
    return listed([*names[:NAMES_SHOWN], say("{count} more", count=numbers.count(more))])


# What the page says of it.


def fix_first(view: ReportView, way: Way | None = None) -> Section | None:
    """Return the three things to do first, with what each is about and would change."""
    advised = [advice for advice in advices(view.findings) if advice.title][:FIXES]
    if not advised:
        return None
    items = tuple(
        sentences(
            Strong(_title(view, advice)), advice.summary, _gain(view, advice), _examples(view, advice, way)
        )
        for advice in advised
    )
    return Section("fix-first", _("Fix first"), (Items(items, numbered=True),))


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
    notes = [_note(view, advice, way) for advice in advices(view.findings)]
    if view.only and not notes:
        return None
    blocks: list[Block] = list(notes[:OPEN]) or [paragraph(_(_nothing(view)))]
    if more := notes[OPEN:]:
        summary = say_many("{count} more", "{count} more", len(more))
        blocks.append(Details(summary, tuple(more)))
    return Section("findings", _("What to do"), tuple(blocks))


def _nothing(view: ReportView) -> str:
    """Return what is said where no finding asks for anything: it depends on the verdict."""
    return NOTHING.get(min((own.severity for own in view.verdicts), key=SEVERITIES.index), NOTHING["good"])


NOTHING: dict[str, str] = {
    "good": N_("Nothing in the figures calls for a change."),
    "warning": N_("No single thing stands out. More units labelled would settle the verdict."),
    "problem": N_(
        "No single thing stands out. Go through some of what differs together, and look for the rule that is "
        "missing."
    ),
}


def _note(view: ReportView, advice: Advice, way: Way | None) -> FindingBlock:
    """Return findings as one: what to do, and what was found in each."""
    claims = _claims(view, advice, way)
    level, title = _(numbers.SEVERITIES[advice.severity]), _title(view, advice)
    if len(claims) == 1:
        return FindingBlock(advice.severity, level, sentences(claims[0], advice.more), title)
    claim = sentences(advice.summary, _gain(view, advice), advice.more)
    return FindingBlock(advice.severity, level, claim, title, claims)


def _claims(view: ReportView, advice: Advice, way: Way | None) -> tuple[Text, ...]:
    """Return what was found in each; evidence that is the same of all is linked once."""
    ways = [way(advice_note) if way else "" for advice_note in advice.notes]
    return tuple(
        _claim(view, finding, note, way if href not in ways[:index] else None)
        for index, (finding, note, href) in enumerate(
            zip((*advice.findings, *advice.also), advice.notes, ways, strict=True)
        )
    )


def _claim(view: ReportView, finding: Finding, note: Note, way: Way | None) -> Text:
    """Return what was found, behind the layers that it is about, with a link to its evidence."""
    link = Link(_("Evidence"), way(note)) if way and note.evidence else ""
    several_layers = len(view.results.layers) > 1 and note.layers
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
    blocks: list[Block] = [] if view.only else list(_covered(view))
    if notes := tuple(_limit(view, advice, way) for advice in limiting):
        summary = say_many("{count} remark on these figures", "{count} remarks on these figures", len(notes))
        blocks.append(Details(summary, notes))
    return Section("limits", _("Limits of these figures"), tuple(blocks))


def _limit(view: ReportView, advice: Advice, way: Way | None) -> FindingBlock:
    """Return what limits the figures, what follows from it behind each remark."""
    asked = {advice_note.advice for advice_note in advice.notes}
    claims: list[Text] = list(_claims(view, advice, way))
    if len(asked) > 1:
        claims = [sentences(claim, remark.advice) for claim, remark in zip(claims, advice.notes, strict=True)]
    else:
        claims[0] = sentences(claims[0], *asked)
    level = _(numbers.SEVERITIES[advice.severity])
    return FindingBlock(advice.severity, level, claims[0], more=tuple(claims[1:]))


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
