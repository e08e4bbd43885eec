"""What a report opens with: what to fix first, what to do, and what limits its figures.

Findings that ask for the same thing are one, ranked by effect.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from reportgen.report.blocks import Block, Details, FindingBlock, Items, Section
from reportgen.report.phrases import Link, Strong, Text, paragraph, sentences
from reportgen.report.uncertainty import verdict
from reportgen.report.view import OPENING, ReportView
from reportgen.results import SEVERITIES, Finding, Value
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
# What limits the figures and what is said of them; all other findings are about what to do.
LIMITS = frozenset(
    (
        *("bias-unknown", "caveat", "choice-of-units", "circular", "distance"),
        *("few-documents", "finn", "gathered-sets", "independence-unknown", "left-out"),
        *("mark-kinds", "no-bias", "no-documents", "omission", "prevalence"),
        *("reference-not-independent", "sample", "sample-unknown", "several-labels"),
        *("size-limit", "straddles", "system-few-documents", "system-within-humans"),
        *("tokens", "unjustified", "uninformative", "unreliable-aggregate", "wide"),
    )
)
BALANCE = N_("Have {people} go through what only one of them marked, and write the rule into the guidelines.")
# What several findings that ask for the same thing ask for together, by the places of their advice.
TOGETHER = {
    "mark": N_("Write into the guidelines when to mark {names}."),
    "ends": N_("Write into the guidelines where marks of {names} begin and end."),
    "revise": N_("Revise the definitions of {names}."),
    "choose": N_("Write into the guidelines when to choose {names}."),
    "apart": N_("Write into the guidelines how to tell these apart: {names}."),
    "balance": BALANCE,
    "export": N_("Look at the exports of {names}: labels may be missing, or the task misunderstood."),
    "reach": N_("Show {people} their marks of {names} side by side, and agree on how far they reach."),
}
APART = "Write into the guidelines how to tell"
# How the advice of each begins, in the order in which they are asked.
BEGINNINGS = (
    ("Write into the guidelines when to mark", "mark"),
    ("Write into the guidelines where marks", "ends"),
    ("Write into the guidelines when to choose", "choose"),
    (APART, "apart"),
    ("Revise the definition of", "revise"),
    ("Look at the export of", "export"),
    ("Have {first} and {second} go through", "balance"),
    ("Have {annotator} and {other} go through", "balance"),
    ("Show {annotator} and {other}", "reach"),
)
# The values that say how many cases a finding is about, or how often another annotator agreed.
COUNTS = ("units", "omission", "boundary", "pairs", "crossed")
ALONE = N_("{first} alone marked {first_only} {noun}, {second} alone {second_only}.")
# What stands for them where only shares are known.
SHARES = {
    "agreement_share": N_("How often another annotator agreed: {names}."),
    "disagreement_share": N_("Share of disagreements: {names}."),
    "difference_share": N_("Share of disagreements: {names}."),
}
# What advice names that is about how the campaign is described, and not about annotation.
SETTINGS = "campaign.toml"
NAMES_SHOWN = 3
# Where an advice's second sentence begins.
SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-ZÀ-Ý])")


@dataclass(frozen=True)
class Advice:
    """Findings that ask for the same thing, the one with most effect first.

    `also` are those about the same units that ask for something else, such as who should look at them.
    """

    topic: str
    findings: tuple[Finding, ...]
    also: tuple[Finding, ...] = ()

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """Return all of them in words."""
        return tuple(map(note, (*self.findings, *self.also)))

    @property
    def severity(self) -> str:
        """Return how grave the gravest is."""
        return min((each.severity for each in (*self.findings, *self.also)), key=SEVERITIES.index)

    @cached_property
    def _asked(self) -> list[str]:
        """Return what each asks for, once."""
        return list(dict.fromkeys(each.advice for each in self.notes[: len(self.findings)]))

    @property
    def title(self) -> str:
        """Return what to do, in one sentence; empty where nothing is to be done."""
        if len(self._asked) == 1 or self.topic not in TOGETHER:
            return SENTENCE.split(self._asked[0], maxsplit=1)[0]
        # The categories that they are about, those with most cases first.
        ranked = sorted(self.findings, key=lambda each: -(count_of(each) or 0))
        names = _some(list(dict.fromkeys(map(name_of, ranked))))
        return say(TOGETHER[self.topic], names=names, people=listed(_people(self.findings[0].values)))

    @property
    def more(self) -> str:
        """Return what else the advice says."""
        if self.also:
            return say(BALANCE, people=listed(_people(self.also[0].values)))
        return self._asked[0].removeprefix(self.title).strip() if len(self._asked) == 1 else ""

    @property
    def gaining(self) -> Finding:
        """Return the finding that would gain most."""
        return max(self.findings, key=lambda each: each.gain or 0.0)

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
        known: dict[str, int] = {}
        for each in self.findings:
            known[name_of(each)] = max(known.get(name_of(each), 0), count_of(each) or 0)
        if not all(known.values()):
            return self._shares()
        ranked = sorted(known.items(), key=lambda each: -each[1])
        names = _some([f"{name} {numbers.count(number)}" for name, number in ranked])
        total = sum(known.values())
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
        for key, said in SHARES.items():
            known = [(name_of(each), each.values.get(key)) for each in self.findings]
            parts = [f"{name} {numbers.percent(share)}" for name, share in known if isinstance(share, float)]
            if parts:
                return say(said, names=_some(list(dict.fromkeys(parts))))
        return ""


def advices(found: Iterable[Finding]) -> list[Advice]:
    """Return what to do, ranked by what it would change: gain, then severity, then how many cases.

    What only campaign.toml has to say comes last, unless figures are wrong without it.
    """
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for each in found:
        if each.id not in LIMITS and each.id not in OPENING:
            groups.setdefault(_key(each), []).append(each)

    def most_first(each: Finding) -> tuple[float, int]:
        return -(each.gain or 0), -(count_of(each) or 0)

    # What two annotators mark alone are the omissions once more.
    balances = [key for key in groups if key[0] == "balance"]
    also = groups.pop(balances[0]) if len(balances) == 1 and ("mark",) in groups else []
    made = [
        Advice(
            str(key[0]),
            tuple(sorted(own, key=most_first)),
            tuple(sorted(also, key=most_first)) if key == ("mark",) else (),
        )
        for key, own in groups.items()
    ]
    return sorted(made, key=_rank)


def limits(found: Iterable[Finding]) -> list[Advice]:
    """Return what limits the figures, the gravest first; what is said of several layers as one."""
    groups: dict[str, list[Finding]] = {}
    for each in found:
        if each.id in LIMITS:
            groups.setdefault(each.id, []).append(each)
    made = [Advice(topic, tuple(own)) for topic, own in groups.items()]
    return sorted(made, key=lambda each: SEVERITIES.index(each.severity))


def _key(finding: Finding) -> tuple[object, ...]:
    """Return what findings have in common that ask for the same thing."""
    topic = next((topic for start, topic in BEGINNINGS if finding.advice.startswith(start)), "")
    if topic in {"balance", "reach"}:
        return topic, frozenset(_people(finding.values))
    if topic == "choose":
        return topic, finding.layers
    if topic:
        return (topic,)
    advice = numbers.message(finding.advice, finding.values)
    return finding.id, advice or numbers.message(finding.claim, finding.values)


def _rank(each: Advice) -> tuple[bool, float, int, int]:
    setting = each.severity != SEVERITIES[0] and all(SETTINGS in found.advice for found in each.findings)
    cases = sum(count_of(found) or 0 for found in each.findings)
    return setting, -round(each.gain, 3), SEVERITIES.index(each.severity), -cases


def count_of(finding: Finding) -> int | None:
    """Return how many cases a finding is about, None where it does not say."""
    alone = [finding.values.get(key) for key in ("first_only", "second_only")]
    if finding.id != "mark-omissions" and all(isinstance(each, int) for each in alone):
        return sum(each for each in alone if isinstance(each, int))
    if finding.id == "more-marks":
        marks, others = finding.values["marks"], finding.values["others"]
        return abs(int(str(marks)) - int(str(others)))
    known = (finding.values.get(key) for key in COUNTS)
    return next((each for each in known if isinstance(each, int)), None)


def name_of(finding: Finding) -> str:
    """Return the category that a finding is about, or the two that are confused; else its layers."""
    values = finding.values
    if finding.id == "one-label":
        return str(values["annotator"])
    if "category" in values:
        return str(values["category"])
    if finding.id != "confused":
        return listed(finding.layers)
    apart = finding.advice.startswith(APART)
    return f"{values['first']} / {values['second']}" if apart else str(values["first"])


def _people(values: Mapping[str, Value]) -> list[str]:
    """Return the two whom a finding is about."""
    keys = ("annotator", "other") if "other" in values else ("first", "second")
    return sorted(str(values[key]) for key in keys if key in values)


def _some(names: Sequence[str]) -> str:
    """Return names in words, the first few of many."""
    more = len(names) - NAMES_SHOWN
    if more <= 1:
        return listed(names)
    return listed([*names[:NAMES_SHOWN], say("{count} more", count=numbers.count(more))])


# What the page says of it.


def fix_first(view: ReportView, way: Way | None = None) -> Section | None:
    """Return the three things to do first, with what each is about and would change."""
    found = [each for each in advices(view.findings) if each.title][:FIXES]
    if not found:
        return None
    items = tuple(
        sentences(Strong(_title(view, each)), each.summary, _gain(view, each), _examples(view, each, way))
        for each in found
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
    level, title = _(numbers.SEVERITIES[advice.severity]), _title(view, advice)
    if len(claims) == 1:
        return FindingBlock(advice.severity, level, sentences(claims[0], advice.more), title)
    said = sentences(advice.summary, _gain(view, advice), advice.more)
    return FindingBlock(advice.severity, level, said, title, claims)


def _claims(view: ReportView, advice: Advice, way: Way | None) -> tuple[Text, ...]:
    """Return what was found in each; evidence that is the same of all is linked once."""
    ways = [way(each) if way else "" for each in advice.notes]
    return tuple(
        _claim(view, finding, note, way if href not in ways[:place] else None)
        for place, (finding, note, href) in enumerate(
            zip((*advice.findings, *advice.also), advice.notes, ways, strict=True)
        )
    )


def _claim(view: ReportView, finding: Finding, note: Note, way: Way | None) -> Text:
    """Return what was found, behind the layers that it is about, with a link to its evidence."""
    link = Link(_("Evidence"), way(note)) if way and note.evidence else ""
    several = len(view.results.layers) > 1 and note.layers
    where = Strong(say("{name}:", name=note.where(view.results.layers))) if several else None
    # The layer is named once: here, or at the head of its page.
    values = {
        key: each
        for key, each in finding.values.items()
        if not (key.endswith("_layer") and (each,) == note.layers)
    }
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
