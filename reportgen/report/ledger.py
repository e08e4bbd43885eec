"""The ledger: a row for each layer, category or system, with its figure, who differs there, and what to do.

What would help most comes first. Nothing is computed here: figures, counts and findings are those of
results.json, marks those of texts.json.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from reportgen.base.dataclass import dataclass
from reportgen.figures.agreement_plots import ALPHA, AT_A_GLANCE, F, f_of_documents, standing
from reportgen.figures.intervals import span
from reportgen.figures.style import THRESHOLDS
from reportgen.findings.subjects import LEAST_PEOPLE
from reportgen.findings.systems import by_kind
from reportgen.findings.verdicts import first_cause, unweighted
from reportgen.report.against_reference import layers as compared_layers
from reportgen.report.disagreements import ReportTexts
from reportgen.report.documents import DisagreementRow, whole_marks
from reportgen.results import SEVERITIES, Figure, Finding, Results, UnitSet
from reportgen.results.annotators import Comparison
from reportgen.results.marks import Outcomes, PairCases, cases_by_kind, omissions_of_each
from reportgen.results.model import Ask
from reportgen.results.texts import GuidelinesRule
from reportgen.words import headline, numbers
from reportgen.words.language import N_, _, category_word, listed, say, say_many
from reportgen.words.names import figure_name
from reportgen.words.numbers import Note, count, counted, counted_in, note

# So much of a passage is shown, without signs of Markdown.
LONGEST_RULE, EMPHASIS = 120, re.compile(r"[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}")
BALANCE = N_("Go through what only one of {people} marked, and decide together.")
# What findings ask for that are about the same thing, by the places of their advice.
ACTS: dict[Ask, str] = {
    "mark": N_("Decide when to mark {names}."),
    "ends": N_("Decide where marks of {names} begin and end."),
    "revise": N_("Decide what counts as {names}."),
    "choose": N_("Decide when to choose {names}."),
    "apart": N_("Decide how to tell these apart: {names}."),
    "balance": BALANCE,
    "export": N_("Look at the exports of {names}: labels may be missing, or the task misunderstood."),
}
ALONE = N_("{first} alone marked {first_only} {noun}, {second} alone {second_only}.")
# What is said instead where only shares are known.
SHARES_IN_WORDS = {
    "agreement_share": N_("How often another annotator agreed: {names}."),
    "disagreement_share": N_("Share of disagreements: {names}."),
    "difference_share": N_("Share of disagreements: {names}."),
}
MORE_THAN_CHANCE = N_("Each has a larger share of the disagreements than chance would give: {names}.")
# What guidelines may say already.
TOPICS_NEEDING_DISCUSSION = {"mark", "choose", "revise", "apart", "ends"}
NAMES_SHOWN = 3
# What of the disagreements is too little to help alone, and what gain is worth a word.
SHARES = ("disagreement_share", "difference_share")
LEAST_SHARE, LEAST_GAIN = 0.25, 0.01
# Where an advice's second sentence begins.
SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-ZÀ-Ý])")


@dataclass(frozen=True)
class Advice:
    """Findings that ask for the same thing, the one with most effect first.

    `also` are those about the same units that ask for something else, such as who should look at them.
    `rules` are what the guidelines say of it already, a passage for each finding.
    """

    topic: Ask | None
    findings: tuple[Finding, ...]
    also: tuple[Finding, ...] = ()
    rules: tuple[GuidelinesRule, ...] = ()

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
        return list(dict.fromkeys(advice_note.advice for advice_note in self.notes[: len(self.findings)]))

    @property
    def title(self) -> str:
        """Return what to do, in one sentence; empty where nothing is to be done."""
        if self.rules:
            # What the guidelines say is not to be written into them.
            names = _first_names(list(dict.fromkeys(map(name_of, self.findings))))
            lines = sorted({rule.line for rule in self.rules})
            return say_many(
                "Check whether {line|lines} {lines} of the guidelines, on {names}, {is|are} followed and "
                "precise enough.",
                len(lines),
                names=names,
                lines=listed(list(map(numbers.count, lines))),
            )
        if self.topic is None:
            return SENTENCE.split(self._advice_texts[0], maxsplit=1)[0]
        # The categories that they are about, those with most cases first.
        if self.topic == "apart" and len(self.findings) == 1 and len(self.findings[0].categories) == 2:
            first, second = map(category_word, self.findings[0].categories)
            return say("Decide how to tell {first} from {second}.", first=first, second=second)
        ranked = sorted(self.findings, key=lambda finding: -(finding.cases or 0))
        if (
            self.topic == "apart"
            and len(shared := set.intersection(*(set(own.categories) for own in ranked))) == 1
        ):
            others = [category_word(name) for own in ranked for name in own.categories if name not in shared]
            first, second = category_word(*shared), _first_names(list(dict.fromkeys(others)))
            return say("Decide how to tell {first} from {second}.", first=first, second=second)
        names = _first_names(list(dict.fromkeys(map(name_of, ranked))))
        message = ACTS[self.topic]
        people = {"people": listed(sorted(self.findings[0].people))} if "{people}" in message else {}
        return say(message, names=names, **people)

    @property
    def ruled(self) -> str:
        """Return what the guidelines say already, of several passages the first; empty without any."""
        return say("The guidelines say: “{text}”", text=_cut(self.rules[0].text)) if self.rules else ""

    @property
    def more(self) -> str:
        """Return what else the advice says."""
        if self.rules:
            return self.ruled
        if self.also:
            return say(BALANCE, people=listed(sorted(self.also[0].people)))
        one = self.topic is None and len(self._advice_texts) == 1
        return self._advice_texts[0].removeprefix(self.title).strip() if one else ""

    @property
    def gaining(self) -> Finding:
        """Return the finding that would gain most."""
        return max(self.findings, key=lambda finding: finding.gain or 0.0)

    @property
    def gain(self) -> float:
        """Return by how much a layer's coefficient would rise if that one were settled."""
        return self.gaining.gain or 0.0

    @property
    def is_slight(self) -> bool:
        """Tell whether it is about a small share of the disagreements, and would gain little."""
        shares = [
            finding.values.get(key) for finding in self.findings for key in SHARES if key in finding.values
        ]
        known = [share for share in shares if isinstance(share, float)]
        return len(known) == len(self.findings) and sum(known) < LEAST_SHARE and self.gain < LEAST_GAIN

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
        if len(cases) == 1:
            return self.notes[0].claim
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
                more = all(_beyond_chance(finding) for finding in self.findings)
                return say(
                    MORE_THAN_CHANCE if more else message, names=_first_names(list(dict.fromkeys(parts)))
                )
        return ""


def _beyond_chance(finding: Finding) -> bool:
    """Tell whether a confusion has more of all disagreements than chance gives it."""
    share, chance = finding.values.get("disagreement_share"), finding.values.get("chance_share")
    return isinstance(share, float) and isinstance(chance, float) and share > chance


def _rules_for(
    topic: Ask | None, findings: Sequence[Finding], rules: Sequence[GuidelinesRule]
) -> tuple[GuidelinesRule, ...]:
    """Return what the guidelines say of each finding already; empty where a rule is missing."""
    if topic not in TOPICS_NEEDING_DISCUSSION:
        return ()
    about = [rule for rule in rules if rule.ends == (topic == "ends")]
    found = [_rule_on(finding.categories, about) for finding in findings]
    return tuple(rule for rule in found if rule) if all(found) else ()


def _rule_on(categories: Sequence[str], rules: Sequence[GuidelinesRule]) -> GuidelinesRule | None:
    """Return the passage on all of some categories, the one that names fewest others; else on any mark."""
    about = [rule for rule in rules if categories and set(categories) <= set(rule.categories)]
    anything = next((rule for rule in rules if rule.ends and not rule.categories), None)
    return min(about, key=lambda rule: len(rule.categories), default=anything)


def _cut(text: str) -> str:
    plain = EMPHASIS.sub("", text)
    if len(plain) <= LONGEST_RULE:
        return plain
    start = plain[:LONGEST_RULE]
    words, _space, _rest = start.rpartition(" ")
    return f"{words} …" if 2 * len(words) > LONGEST_RULE else f"{start}…"


def advices(findings: Iterable[Finding], rules: Sequence[GuidelinesRule] = ()) -> list[Advice]:
    """Return what to do, ranked by what it would change: gain, then severity, then how many cases.

    What only campaign.toml has to say comes last, unless figures are wrong without it. `rules` are what the
    guidelines say of categories.
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
            _rules_for(_topic(alike[0]), sorted(alike, key=most_first), rules),
        )
        for key, alike in groups.items()
    ]
    return sorted(advice, key=_rank)


def limits(findings: Iterable[Finding]) -> list[Advice]:
    """Return what limits the figures, the gravest first; what is said of several layers as one."""
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.kind == "limit":
            groups.setdefault(finding.id, []).append(finding)
    remarks = [Advice(None, tuple(alike)) for alike in groups.values()]
    return sorted(remarks, key=lambda advice: SEVERITIES.index(advice.severity))


def _key(finding: Finding) -> tuple[object, ...]:
    """Return what findings have in common that ask for the same thing."""
    topic = _topic(finding)
    if topic == "balance":
        return topic, frozenset(finding.people)
    if topic == "choose":
        return topic, finding.layers
    if topic:
        return (topic,)
    advice = numbers.message(finding.advice, finding.values)
    return finding.id, advice or numbers.message(finding.claim, finding.values)


def _topic(finding: Finding) -> Ask | None:
    return finding.asks if finding.asks in ACTS else None


def _rank(advice: Advice) -> tuple[bool, float, int, int]:
    settings = all(finding.asks in {"declare", "account"} for finding in advice.findings)
    setting = settings and advice.severity != SEVERITIES[0]
    cases = sum(finding.cases or 0 for finding in advice.findings)
    return setting, -round(advice.gain, 3), SEVERITIES.index(advice.severity), -cases


def name_of(finding: Finding) -> str:
    """Return the category that a finding is about, or the two that are confused; else whom, or its layers."""
    whom = finding.people[0] if len(finding.people) == 1 else listed(finding.layers)
    return " / ".join(map(category_word, finding.categories)) or whom


def _first_names(names: Sequence[str]) -> str:
    """Return names in words, the first few of many."""
    more = len(names) - NAMES_SHOWN
    if more <= 1:
        return listed(names)
    return listed([*names[:NAMES_SHOWN], say("{count} more", count=numbers.count(more))])


# So many rows are on the page; the coefficients of all are in the tables below.
MOST_ROWS = 12
EXAMPLES = 3
# By so much more something else has to help to come before the rows.
LEAST_MORE = 0.01
# What to do and why are not longer together: all of it is below.
LONG_SAID = 330
# Documents of about the same figure are dots on each other, in so many columns with room for so many; where
# there are more, they are piles in so many columns.
COLUMNS, MOST_HIGH, PILES = 34, 7, 20
ANNOTATOR = "annotator"
ONLY = N_("only {name}")
LOOK_AT = N_("Check the {cases} that only {who} called {name}: who is right?")
# Of more cases so many are to be looked at, and so many people are named.
MOST_LOOKED_AT, MOST_NAMED = 20, 3
SLIGHT = N_("Go through what was labelled differently, case by case: no single label explains much of it.")
SLIGHT_OF_COUNTS = N_("See which labels were confused: no single one explains much of it.")
# Verdicts with which something is to be done.
GRAVE = {"problem", "warning"}
# Rows that nothing is advised for, by how grave their verdicts are; of those without a threshold nothing.
NOTHING = {
    "good": N_("Nothing to do."),
    "note": N_("Nothing urgent."),
    "warning": N_(
        "It is undecided whether agreement is high enough: talk over what was labelled differently."
    ),
    "problem": N_("Go through what was labelled differently, and look for the rule that is missing."),
    "": N_("Go through what was labelled differently."),
}
# Where counts were read nobody can go through cases.
NOTHING_OF_COUNTS = NOTHING | {
    "warning": N_("It is undecided whether agreement is high enough: see which labels were confused."),
    "problem": N_("See which labels were confused, and look for the rule that is missing."),
    "": N_("See which labels were confused."),
}
ALIKE = N_("Nothing was labelled differently.")
ALONE_LEDGER = N_("No two annotators labelled the same here, so nothing is compared.")


class Slice(NamedTuple):
    """A part of a bar: how it looks, what it is, how many cases, and who alone has them.

    A look that is another label in every row `means` the same in all of them; `label` is which one it is.
    """

    look: str
    name: str
    cases: float
    who: str = ""
    means: str = ""
    label: str = ""


@dataclass(frozen=True)
class LedgerRow:
    """A layer, a category, or a system: its figure, who differs, its documents, and what to do.

    `settled` is what the figure would be if the cause of most disagreements were settled; `documents` has a
    figure from 0 to 1 for each. A row `at_ease` can be relied on, where others can't; `otherwise` is what to
    do where nothing is advised. Nothing was `compared` where no two labelled the same; cases are
    `listed_singly` where somebody can look at them.
    """

    name: str
    size: str
    figure: Figure | None
    word: str = ""
    severity: str = ""
    slices: tuple[Slice, ...] = ()
    of_marks: bool = False
    apart: tuple[str, float, float] | None = None
    at_ease: bool = False
    documents: tuple[float, ...] = ()
    settled: float | None = None
    advice: tuple[Advice, ...] = ()
    examples: tuple[DisagreementRow, ...] = ()
    listed: str = ""
    otherwise: str = ""
    people: tuple[str, ...] = ()
    differing: int = 0
    compared: bool = True
    listed_singly: bool = True

    @property
    def value(self) -> float | None:
        """Return the value of its figure."""
        return self.figure.value if self.figure else None

    @property
    def ends(self) -> tuple[float, float] | None:
        """Return the ends of its figure's interval; None without one."""
        own = span(self.figure)
        return (own.low, own.high) if own and own.low < own.high else None

    @property
    def alike(self) -> bool:
        """Tell whether nothing was labelled differently."""
        apart: float = self.differing or sum(part.cases for part in self.slices if part.look != "same")
        return self.compared and not apart and (self.value == 1 or bool(self.slices))

    @property
    def act(self) -> str:
        """Return what to do first, in a sentence."""
        if self.advice and not self.at_ease:
            slight = SLIGHT if self.listed_singly else SLIGHT_OF_COUNTS
            return _(slight) if self.advice[0].is_slight else self.advice[0].title
        if not self.compared:
            return _(ALONE_LEDGER)
        nothing = NOTHING if self.listed_singly else NOTHING_OF_COUNTS
        return _(ALIKE) if self.alike else self.otherwise or _(nothing[self.severity])

    @property
    def how(self) -> str:
        """Return who is to do that together, and on how many cases; empty where the act says it."""
        advice = self.advice[0] if self.advice else None
        if not self.asks or self.otherwise or not self.listed_singly:
            return ""
        if advice and advice.topic not in TOPICS_NEEDING_DISCUSSION:
            return ""
        own = sum(finding.cases or 0 for finding in advice.findings) if advice and not advice.is_slight else 0
        return how(self.people, own or self.differing, units=not own and not self.of_marks)

    @property
    def asks(self) -> bool:
        """Tell whether there is something to do."""
        wrong = self.compared and not self.alike and (bool(self.otherwise) or self.severity in GRAVE)
        return not self.at_ease and (bool(self.advice) or wrong)

    @property
    def why(self) -> str:
        """Return what it was concluded from, and what the guidelines say of it already."""
        ruled = self.advice[0].ruled if self.advice and not self.at_ease else ""
        return " ".join(filter(None, (self.how, self._found, ruled)))

    @property
    def _found(self) -> str:
        """Return what was found first; who alone made marks as the bar counts them."""
        if not self.advice:
            return ""
        alone = sorted((part for part in self.slices if part.who), key=lambda part: -part.cases)
        if self.of_marks and self.advice[0].topic in {"mark", "balance"} and len(alone) == 2:
            more, less = alone
            return say(
                "{first} alone made {first_only} of {all} marks, {second} alone {second_only}.",
                first=more.who,
                first_only=count(int(more.cases)),
                second=less.who,
                second_only=count(int(less.cases)),
                all=count(int(self.cases)),
            )
        found = "" if self.at_ease else self.advice[0].summary
        # Long names of categories are said once.
        return found if len(found) + len(self.act) < LONG_SAID else ""

    @property
    def dots(self) -> list[tuple[float, float]]:
        """Return where its documents are in a field of 1 by 1: by their figure, those alike on each other."""
        columns = self._columns(COLUMNS)
        return [
            ((column + 0.5) / COLUMNS, (place + 0.5) / MOST_HIGH)
            for column, many in columns.items()
            for place in range(many)
        ]

    @property
    def piles(self) -> list[tuple[float, int]]:
        """Return where piles of documents begin, from 0 to 1, and how many are in each."""
        return [(column / PILES, many) for column, many in self._columns(PILES).items()]

    @property
    def pile(self) -> tuple[float, int]:
        """Return the highest pile."""
        return max(self.piles, key=lambda pile: pile[1])

    @property
    def crowded(self) -> bool:
        """Tell whether so many documents are alike that dots would fuse."""
        return max(self._columns(COLUMNS).values(), default=0) > MOST_HIGH

    def _columns(self, number: int) -> Counter[int]:
        return Counter(min(int(max(value, 0.0) * number), number - 1) for value in self.documents)

    @property
    def median(self) -> float:
        """Return the median of its documents."""
        middle = len(self.documents) // 2
        even = len(self.documents) % 2 == 0
        return (self.documents[middle] + self.documents[middle - even]) / 2

    @property
    def cases(self) -> float:
        """Return how many cases its bar is of."""
        return sum(part.cases for part in self.slices)

    @property
    def gain(self) -> float:
        """Return by how much its figure would rise: if the cause were settled, else what is advised."""
        if self.settled is not None and self.value is not None:
            return self.settled - self.value
        return max((advice.gain for advice in self.advice), default=0.0)


def how(people: Sequence[str], cases: int, *, units: bool = False) -> str:
    """Return who is to look together at how many cases, or `units`; empty where that is not known.

    A crowd is not asked to meet.
    """
    if not cases:
        return ""
    if cases > MOST_LOOKED_AT:
        some = (
            N_("{some} of the {count} units on which labels differ")
            if units
            else N_("{some} of the {count} cases")
        )
        what = say(some, some=count(MOST_LOOKED_AT), count=count(cases))
    elif units:
        what = say_many("{the only unit|all {count} units} on which labels differ", cases)
    else:
        what = say_many("{the only case|all {count} cases}", cases)
    if not 1 < len(people) < LEAST_PEOPLE:
        return say("To begin with, look at {cases}.", cases=what)
    who = (
        listed(people)
        if len(people) <= MOST_NAMED
        else say("all {number} annotators", number=headline.number(len(people)))
    )
    return say("Have {people} do this together, on {cases}.", people=who, cases=what)


def scale_begin(values: Iterable[float]) -> float:
    """Return where the scale of small charts begins: at 0, or below it; what is lower still has an arrow."""
    return -0.25 if min(values, default=0.0) < 0 else 0.0


@dataclass(frozen=True)
class Ledger:
    """All rows: what they are, what their figures and documents are, and what is advised besides.

    Names `of_annotators`, people or systems, need no quotation marks, as those of layers and categories do.
    """

    title: str
    head: str
    heads: str
    figure: str
    figure_said: str
    bars: str
    rows: tuple[LedgerRow, ...]
    besides: tuple[Advice, ...]
    documents: str = ""
    banded: bool = False
    left_out: int = 0
    of_annotators: bool = False

    @property
    def looks(self) -> list[Slice]:
        """Return what the colours of the bars mean, each once, in the order of the bars."""
        longest = sorted(self.rows, key=lambda row: -sum(part.cases > 0 for part in row.slices))
        return list({part.look: part for row in longest for part in row.slices if part.cases}.values())

    @property
    def lowest(self) -> float:
        """Return where the scale of the figures begins: at 0, or below what is below it."""
        return scale_begin(
            value for row in self.rows for value in (row.value, row.ends and row.ends[0]) if value
        )

    @property
    def documents_said(self) -> str:
        """Return what a dot or a pile is."""
        if self.piled:
            return say(
                "documents by their {figure}, the highest pile counted; line: median", figure=self.documents
            )
        return say("one document: its {figure}, 0 to 1; line: median", figure=self.documents)

    @property
    def piled(self) -> bool:
        """Tell whether documents are piles: in some row dots would fuse."""
        return any(row.crowded for row in self.rows)

    @property
    def besides_first(self) -> bool:
        """Tell whether what is advised besides comes before the rows: it is grave, or helps more."""
        gain = max((row.gain for row in self.rows), default=0.0)
        return any(
            advice.severity == SEVERITIES[0] or advice.gain > gain + LEAST_MORE for advice in self.besides
        )

    @property
    def besides_title(self) -> str:
        """Return the heading of what is advised besides."""
        return _("What to do first") if self.besides_first else _("What else to do")

    @property
    def with_documents(self) -> bool:
        """Tell whether some row has documents."""
        return any(row.documents for row in self.rows)

    @property
    def with_settled(self) -> bool:
        """Tell whether some row says what its figure would be if the cause were settled."""
        return any(row.settled is not None for row in self.rows)


@dataclass(frozen=True)
class Known:
    """What a ledger is made of: results, what asks for something, and texts where they may be shown."""

    results: Results
    findings: Sequence[Finding]
    texts: ReportTexts | None = None

    @property
    def rules(self) -> Sequence[GuidelinesRule]:
        """Return what the guidelines say of categories, where that may be shown."""
        return (self.texts.texts.rules if self.texts else None) or ()

    @property
    def subjects(self) -> set[str]:
        """Return what the layers of the report are about."""
        return {self.results.subject_of(layer) for layer in self.results.layers}


def ledger(results: Results, findings: Sequence[Finding], texts: ReportTexts | None = None) -> Ledger | None:
    """Return the ledger of a report; None where it has no two rows to compare."""
    known = Known(results, [finding for finding in findings if finding.kind is None], texts)
    for made in (_of_systems, _of_layers, _of_categories, _of_passes):
        found = made(known)
        if found is not None and len(found.rows) > 1:
            singly = not results.is_table_of_counts
            return replace(found, rows=tuple(replace(row, listed_singly=singly) for row in found.rows))
    return None


# Rows of layers


def _of_layers(known: Known) -> Ledger | None:
    """Return a row for each of several layers whose labels are compared one by one."""
    results = known.results
    if len(results.layers) == 1:
        return None
    standings = [_answering(results, standing) for standing in headline.standings(results)]
    own, besides = assign_advice_to_rows(
        known, lambda finding: finding.layers, [layer.layer for layer in standings]
    )
    cause = first_cause(results)
    values = unweighted(results) if cause else {}
    rows = []
    for layer in standings:
        value = values.get(layer.layer)
        rows.append(
            replace(
                _layer_row(known, layer, own[layer.layer]),
                settled=cause.without(layer.layer, value) if cause and value is not None else None,
            )
        )
    names = {figure_name(results, layer.coefficient) for layer in standings}
    figure = names.pop() if len(names) == 1 else _("primary coefficient")
    banded = all(layer.corrected for layer in standings)
    return _ordered(
        Ledger(
            title=_("Layer by layer, what would help most first"),
            head=_("Layer"),
            heads=_("Layers"),
            figure=_("Agreement beyond chance") if banded else _("Agreement"),
            figure_said=_scale_said(figure, banded=banded),
            bars=_("Who marked it") if any(row.of_marks for row in rows) else _("Same label or not"),
            documents=_("strict F") if any(row.of_marks for row in rows) else _("observed agreement"),
            banded=banded,
            rows=tuple(rows),
            besides=besides,
        ),
        MOST_ROWS,
    )


def _answering(results: Results, standing: headline.Standing) -> headline.Standing:
    """Return a layer's verdict with the figure that it is about, where that is no coefficient of units."""
    answer = results.answer_of(standing.layer)
    if answer is None or results.subject_of(standing.layer) not in {"recordings", "stability"}:
        return standing
    return replace(standing, coefficient=answer.figure, symbol=answer.symbol, figure=answer.value)


def _scale_said(figure: str, *, banded: bool) -> str:
    """Return what the scale of the figures is."""
    if banded:
        return say("{figure}: 0 is no better than chance, 1 is perfect.", figure=figure)
    return say("{figure}: from 0 to 1.", figure=figure)


def _layer_row(known: Known, layer: headline.Standing, advice: Sequence[Advice]) -> LedgerRow:
    results, unit_set = known.results, known.results.primary_of(layer.layer)
    # Nobody ends at the same millisecond: in recordings units are what is near.
    recorded = results.subject_of(layer.layer) == "recordings"
    of_marks = () if recorded else tuple(_of_marks(results, layer.layer))
    marks = int(sum(part.cases for part in of_marks))
    # Bars of two layers may be alike where their figures, of other units, are not.
    differ = len({results.primary_of(name).id for name in results.layers}) > 1
    return LedgerRow(
        name=layer.layer,
        size=counted(marks, "mark", "marks") if marks else counted_in(unit_set.units_compared, unit_set.noun),
        figure=layer.figure,
        word=_(headline.WORDS[layer.severity]),
        severity=layer.severity,
        slices=of_marks or tuple(_of_labels(unit_set)),
        of_marks=bool(of_marks),
        apart=_apart(layer, unit_set) if differ else None,
        documents=_documents(results, layer.layer),
        advice=tuple(advice),
        examples=tuple(_examples(known, layer.layer, advice, _most_alone(of_marks))),
        listed=_listed(known, layer.layer, advice),
        people=unit_set.annotators,
        differing=int(sum(part.cases for part in of_marks if part.look != "same"))
        or _differing(results, layer.layer),
        compared=unit_set.units_compared > 0,
    )


def _differing(results: Results, layer: str) -> int:
    """Return on how many units of a layer labels differ."""
    hard = (own.difficulty for own in results.quality or () if own.layer == layer)
    return sum(own.differing for own in hard if own)


def _apart(layer: headline.Standing, unit_set: UnitSet) -> tuple[str, float, float] | None:
    """Return how often labels differ and would by chance, as shares of the greater; None but of alpha."""
    figure = layer.figure
    if layer.coefficient != ALPHA or figure is None or not figure.observed or not figure.expected:
        return None
    said = say(
        "Labels differ on {share} of {units} (lower bar); by chance on {chance} (upper bar)",
        share=numbers.percent(figure.observed),
        units=numbers.noun(unit_set.noun, 2),
        chance=numbers.percent(figure.expected),
    )
    most = max(figure.observed, figure.expected)
    return said, figure.observed / most, figure.expected / most


def _of_marks(results: Results, layer: str) -> list[Slice]:
    """Return who made a layer's marks: of two annotators who alone, of more how many one alone."""
    spans = results.spans
    disagreements = spans.disagreements_of(layer) if spans else None
    pairs = [
        pair
        for pair in (spans.pairs if spans else ())
        if pair.layer == layer and set(pair.roles) == {ANNOTATOR}
    ]
    if disagreements is None or not pairs:
        return []
    between = disagreements.of_annotators
    kinds = Counter[str]()
    for pair in between:
        kinds.update(cases_by_kind(pair.cases))
    middle = [
        Slice("same", _("both, the same"), sum(pair.counts.match for pair in pairs)),
        Slice("ends", _("both, different boundaries"), kinds["boundary"]),
        Slice("label", _("both, different labels"), kinds["type"] + kinds["both"]),
    ]
    if len(between) == 1:
        (first, second), alone = between[0].annotators, omissions_of_each(between[0].cases)
        parts = [
            Slice("first", say(ONLY, name=first), alone[0], first),
            *middle,
            Slice("second", say(ONLY, name=second), alone[1], second),
        ]
    else:
        parts = [*middle, Slice("second", _("only one of two"), kinds["omission"])]
    return [part for part in parts if part.cases]


def _of_labels(unit_set: UnitSet) -> Iterator[Slice]:
    """Yield on how many units labels are alike, and which two differ most often."""
    if unit_set.sets:
        # The pairs of a unit's n sets are divided by n - 1, as those that differ are: they count n / 2.
        rated = unit_set.units_by_annotators.items()
        met = sum(int(many) * units for many, units in rated if int(many) > 1) / 2
        yield Slice("same", _("same label"), max(met - unit_set.sets.differing, 0.0))
        yield Slice("second", _("different labels"), unit_set.sets.differing)
        return
    names, cells = _cells(unit_set)
    yield Slice("same", _("same label"), sum(cases for (i, j), cases in cells.items() if i == j))
    apart: dict[tuple[int, int], float] = {}
    for (i, j), cases in cells.items():
        if i != j:
            key = (min(i, j), max(i, j))
            apart[key] = apart.get(key, 0.0) + cases
    pairs = {f"{names[i]} / {names[j]}": cases for (i, j), cases in apart.items()}
    yield from _ranked(pairs, (_("confused most often"), _("confused next most often")))


def _cells(unit_set: UnitSet) -> tuple[Sequence[str], dict[tuple[int, int], float]]:
    """Return how often labels meet on a unit: of two annotators their table, of more coincidences."""
    pair = unit_set.only_pair
    if pair is not None:
        return pair.confusion.categories, dict(pair.confusion.filled)
    if unit_set.coincidences is not None:
        return unit_set.coincidences.categories, dict(unit_set.coincidences.filled)
    return (), {}


def _ranked(
    cases: Mapping[str, float], means: tuple[str, str], named: Callable[[str], str] = str
) -> Iterator[Slice]:
    """Yield the two most frequent parts, which each row has others of, and the rest as one."""
    ranked = sorted(cases, key=lambda name: (-cases[name], name))
    for number, (name, meant) in enumerate(zip(ranked, means, strict=False), 1):
        yield Slice(f"other-{number}", named(name), cases[name], means=meant, label=name)
    rest = sum(cases[name] for name in ranked[len(means) :])
    if rest:
        yield Slice("rest", _("others"), rest)


def _documents(results: Results, layer: str) -> tuple[float, ...]:
    """Return the strict F of marks in each document, of labels the observed agreement; none of very many."""
    of_marks = f_of_documents(results, layer)
    if of_marks and results.subject_of(layer) != "recordings":
        return tuple(value for _name, value in of_marks)
    for own in results.by_document or ():
        if own.layer == layer and own.key is None and own.documents_in_all == len(own.documents):
            return tuple(sorted(document.observed_agreement for document in own.documents))
    return ()


# Rows of categories


def _of_categories(known: Known) -> Ledger | None:
    """Return a row for each of the most frequent categories of the only layer, all of them together first."""
    results = known.results
    (layer, *others), subject = results.layers, results.subject_of(results.layers[0])
    if others or subject not in {ANNOTATOR + "s", "crowd", "recordings"}:
        return None
    unit_set, (overall,) = results.primary_of(layer), headline.standings(results, layer)
    names = [name for name in unit_set.judged if name != unit_set.non_annotated]
    figures, figure = _of_each(known, unit_set, sorted(names, key=lambda name: -unit_set.uses(name)))
    # What is confused is advised where agreement is lowest.
    names = sorted(figures, key=lambda name: (figures[name].value or 0.0, -unit_set.uses(name)))
    own, besides = assign_advice_to_rows(known, lambda finding: finding.categories, names)
    banded = figure is not None and overall.corrected
    rows = [
        LedgerRow(
            name=name,
            size=counted(unit_set.uses(name), "label", "labels"),
            figure=figures.get(name),
            word=_word(figures.get(name), banded=banded),
            severity=_severity(figures.get(name)) if banded else "",
            slices=tuple(_of_category(unit_set, name)),
            advice=tuple(own[name]),
            examples=tuple(_examples(known, layer, own[name])),
            listed=_listed(known, layer, own[name]),
            otherwise="" if banded or results.is_table_of_counts else _alone_first(unit_set, name),
            people=unit_set.annotators,
        )
        for name in names
    ]
    # Sets may hardly agree where each of their labels does: "nothing to do" is untrue beside such a verdict.
    if overall.severity in GRAVE and not any(row.severity in GRAVE for row in rows):
        rows = [replace(row, severity="") for row in rows]
    coefficient = figure or overall.coefficient
    shares = _near(results, layer) or _("specific agreement")
    return _ordered(
        Ledger(
            title=_("Label by label, what would help most first")
            if unit_set.sets
            else _("Category by category, what would help most first"),
            head=_("Label") if unit_set.sets else _("Category"),
            heads=_("Labels") if unit_set.sets else _("Categories"),
            figure=_("Agreement beyond chance") if banded else _("Agreement"),
            figure_said=_scale_said(
                say("{figure} against all others", figure=figure_name(results, coefficient)), banded=banded
            )
            if figure
            else _scale_said(shares, banded=False),
            bars=_("Who chose it"),
            banded=banded,
            rows=tuple(rows),
            besides=besides,
        ),
        AT_A_GLANCE,
    )


def _of_each(known: Known, unit_set: UnitSet, names: Sequence[str]) -> tuple[dict[str, Figure], str | None]:
    """Return each category's figure, and which coefficient it is against all others.

    It is the primary one, where categories have none alpha, else specific agreement, which is no coefficient.
    Of recordings that is F of stretches with their label.
    """
    recorded = known.results.subject_of(unit_set.layer) == "recordings"
    for figure in () if recorded else (known.results.coefficients[unit_set.layer], ALPHA):
        found = {name: own for name in names if (own := unit_set.against_rest.get(name, {}).get(figure))}
        found = {name: own for name, own in found.items() if own.value is not None}
        if len(found) > 1:
            return found, figure
    specific = {name: unit_set.specific_agreement.get(name) for name in names}
    return {name: own for name, own in specific.items() if own and own.value is not None}, None


def _of_category(unit_set: UnitSet, name: str) -> Iterator[Slice]:
    """Yield how often annotators chose a category alike, and who alone, or what others chose instead."""
    pair = unit_set.only_pair
    if pair is not None and not pair.withheld:
        both = pair.labels[name].both if name in pair.labels else pair.confusion.count(name, name)
        yield from _of_two(pair.annotators, pair.uses(name), both)
    elif unit_set.sets and name in unit_set.sets.labels:
        own = unit_set.sets.labels[name]
        yield Slice("same", _("both"), max(own.chosen - own.apart, 0.0))
        yield Slice("second", _("only one of two"), own.apart)
    elif unit_set.coincidences is not None:
        names, cells = _cells(unit_set)
        place = names.index(name) if name in names else -1
        yield Slice("same", _("both"), cells.get((place, place), 0.0))
        met = {names[j]: cases for (i, j), cases in cells.items() if i == place != j}
        means = _("chosen instead most often"), _("chosen instead next most often")
        yield from _ranked(met, means, lambda other: say(N_("another chose {name}"), name=other))


def _of_two(names: tuple[str, str], uses: tuple[int, int], both: int) -> tuple[Slice, ...]:
    (first, second), (by_first, by_second) = names, uses
    return (
        Slice("first", say(ONLY, name=first), by_first - both),
        Slice("same", _("both"), both),
        Slice("second", say(ONLY, name=second), by_second - both),
    )


def _near(results: Results, layer: str) -> str:
    """Return what specific agreement is in recordings; empty elsewhere."""
    found = (results.spans.boundaries if results.spans else None) or ()
    near = next((own.tolerance for own in found if own.layer == layer), None)
    return say("F within {tolerance} ms", tolerance=count(near)) if near is not None else ""


def _alone_first(unit_set: UnitSet, name: str) -> str:
    """Return whose labels of a category to look at where nothing is advised; empty where all are alike."""
    pair, parts = unit_set.only_pair, {part.look: part.cases for part in _of_category(unit_set, name)}
    first, second = parts.get("first", 0), parts.get("second", 0)
    if pair is None or not first + second:
        return ""
    return _look_at(pair.annotators, (int(first), int(second)), name)


def _look_at(people: Sequence[str], alone: tuple[int, int], name: str) -> str:
    """Return whose labels of a category to check: those of whoever gave it alone more often."""
    more = alone[1] > alone[0]
    return say(LOOK_AT, cases=counted(alone[more], "case", "cases"), who=people[more], name=name)


def _severity(figure: Figure | None) -> str:
    """Return how grave a category's figure is by the thresholds, as the verdict on a layer is."""
    own, (low, high) = span(figure), THRESHOLDS
    if own is None:
        return "warning"
    if own.high < low:
        return "problem"
    if own.low < low:
        return "warning"
    return "good" if own.low >= high else "note"


def _word(figure: Figure | None, *, banded: bool) -> str:
    own = span(figure) if banded else None
    return standing(own) if own else ""


# Rows of systems, and of a judge's categories


def _of_systems(known: Known) -> Ledger | None:
    """Return a row for each system beside the reference, or for each category of the only one."""
    if not known.subjects & {"systems", "judge"}:
        return None
    compared = next((own.drawn for own in compared_layers(known.results) if own.drawn), None)
    if compared is None:
        return None
    pairs = [pair for pair in compared.every if pair.role != ANNOTATOR]
    if len(pairs) == 1:
        return _of_one_system(known, pairs[0])
    names = [pair.shown_name for pair in pairs]
    own, besides = assign_advice_to_rows(known, _every_value, names)
    rows = [_system_row(known, pair, compared.whole.figure, own[pair.shown_name]) for pair in pairs]
    return Ledger(
        title=_("System by system, the best first"),
        head=_("System"),
        heads=_("Systems"),
        figure=compared.figure,
        figure_said=_scale_said(compared.figure, banded=False),
        bars=_("Marks of reference and system") if compared.of_marks else _("Same label or not"),
        documents=_("strict F"),
        rows=tuple(sorted(rows, key=lambda row: -(row.value or 0.0))[:MOST_ROWS]),
        besides=besides,
        left_out=max(len(pairs) - MOST_ROWS, 0),
        of_annotators=True,
    )


def _system_row(known: Known, pair: Comparison, figure: str, advice: Sequence[Advice]) -> LedgerRow:
    of_marks = known.results.spans.pairs if known.results.spans and pair.unit_set is None else ()
    own = (pair.layer, (pair.key, pair.other))
    marks = next((marks for marks in of_marks if (marks.layer, marks.annotators) == own), None)
    documents = (marks.by_document or {}).values() if marks else ()
    values = [value for document in documents if (value := document.strict.get(F)) is not None]
    of_documents = counted(pair.documents, "document", "documents")
    known_cases = known.results.spans.disagreements_of(pair.layer) if marks and known.results.spans else None
    cases = known_cases.of_pair(pair.key, pair.other) if known_cases else None
    slices = tuple(_of_outcomes(marks.counts, cases)) if marks else ()
    return LedgerRow(
        name=pair.shown_name,
        size=of_documents if pair.units is None else counted(pair.units, "unit", "units"),
        figure=pair.measures.get(figure),
        slices=slices,
        documents=tuple(sorted(values)),
        advice=tuple(advice),
        otherwise=_errors_first(slices) if cases else "",
    )


ERRORS = {
    "first": N_("Read the {marks} that it missed, and find what they have in common."),
    "label": N_("Read the {marks} that it gave another type, and find what they have in common."),
    "ends": N_("Read the {marks} that it begins or ends elsewhere, and find what they have in common."),
    "second": N_("Read the {marks} that it made alone, and find what they have in common."),
}


MISSED_AND_TYPED = N_("Read the {marks} that it missed and the {others} that it gave another type.")


def _errors_first(slices: Sequence[Slice]) -> str:
    """Return which errors of a system to look at first: the most frequent ones; empty where none is."""
    errors = {part.look: int(part.cases) for part in slices if part.look in ERRORS and part.cases > 1}
    if not errors:
        return ""
    most = max(errors, key=lambda look: errors[look])
    marks = counted(errors[most], "mark", "marks")
    if most in {"first", "label"} and {"first", "label"} <= set(errors):
        marks = counted(errors["first"], "mark", "marks")
        return say(MISSED_AND_TYPED, marks=marks, others=count(errors["label"]))
    return say(ERRORS[most], marks=marks)


def _of_outcomes(counts: Outcomes, cases: PairCases | None) -> Iterator[Slice]:
    """Yield what became of the marks of two, those that differ in type once where it is known."""
    if cases is None:
        yield Slice("first", _("missed, or given another type"), counts.only_first)
        yield Slice("same", _("right"), counts.match)
        yield Slice("ends", _("different boundaries"), counts.overlap)
        yield Slice("second", _("the system alone, or of another type"), counts.only_second)
        return
    kinds = by_kind(cases)
    yield Slice("first", _("missed"), kinds["missed"])
    yield Slice("same", _("right"), counts.match)
    yield Slice("ends", _("different boundaries"), kinds["ends"])
    yield Slice("label", _("another type"), kinds["type"] + kinds["both"])
    yield Slice("second", _("the system alone"), kinds["spurious"])


def _of_one_system(known: Known, pair: Comparison) -> Ledger:
    """Return a row for each category of the only system or model, the one that it misses most first."""
    names = sorted(pair.by_category, key=lambda name: -pair.by_category[name].key)[:MOST_ROWS]
    own, besides = assign_advice_to_rows(known, lambda finding: finding.categories, names)
    who = pair.shown_name
    # Of two categories what is not the one is the other: the rarer is enough.
    asked = names if len(names) != 2 else names[-1:]
    rows = [
        LedgerRow(
            name=name,
            size=counted(scores.key, "label", "labels"),
            figure=scores.specific_agreement,
            slices=_of_two((pair.key, who), (scores.key, scores.other), scores.both),
            advice=tuple(own[name]),
            otherwise=_look_at((pair.key, who), (scores.key - scores.both, scores.other - scores.both), name)
            if name in asked
            and scores.both < max(scores.key, scores.other)
            and not known.results.is_table_of_counts
            else "",
        )
        for name, scores in ((name, pair.by_category[name]) for name in names)
    ]
    return Ledger(
        title=_("Category by category, the worst first"),
        head=_("Category"),
        heads=_("Categories"),
        figure=_("F (specific agreement)"),
        figure_said=_scale_said(_("F (specific agreement)"), banded=False),
        bars=_("Who chose it"),
        rows=tuple(sorted(rows, key=lambda row: row.value or 0.0)),
        besides=besides,
    )


# Rows of people who labelled twice

AGAIN = {
    "warning": N_(
        "It is undecided whether {name} labels the same way again: more units labelled twice would say more."
    ),
    "problem": N_("Ask {name} to review the {units} labelled differently the second time."),
}


def _of_passes(known: Known) -> Ledger | None:
    """Return a row for each annotator beside themselves, whoever repeats themselves least first."""
    results, layers = known.results, known.results.layers
    if len(layers) > 1 or known.subjects != {"stability"}:
        return None
    coefficient = results.coefficients[layers[0]]
    people = [person for own in results.quality or () for person in own.intra_annotator]
    own, besides = assign_advice_to_rows(known, _every_value, [person.annotator for person in people])
    rows = []
    for person in people:
        figure, observed = person.measures.get(coefficient), person.measures.get("observed_agreement")
        severity = _severity(figure)
        alike = round(observed.value * person.units) if observed and observed.value is not None else 0
        differing = counted(person.units - alike, "unit", "units")
        parts = (
            Slice("same", _("same label"), alike),
            Slice("second", _("different labels"), person.units - alike),
        )
        rows.append(
            LedgerRow(
                name=person.annotator,
                size=counted(person.units, "unit twice", "units twice"),
                figure=figure,
                word=_word(figure, banded=True),
                severity=severity,
                slices=parts if observed else (),
                advice=tuple(own[person.annotator]),
                otherwise=say(AGAIN[severity], name=person.annotator, units=differing)
                if severity in AGAIN
                else "",
            )
        )
    return _ordered(
        Ledger(
            title=_("Annotator by annotator, whoever repeats themselves least first"),
            head=_("Annotator"),
            heads=_("Annotators"),
            figure=_("Agreement with themselves"),
            figure_said=_scale_said(figure_name(results, coefficient), banded=True),
            bars=_("Same label or not"),
            banded=True,
            rows=tuple(rows),
            besides=besides,
            of_annotators=True,
        ),
        MOST_ROWS,
    )


# What is advised, row by row


def assign_advice_to_rows(
    known: Known, about: Callable[[Finding], Sequence[str]], names: Sequence[str]
) -> tuple[dict[str, list[Advice]], tuple[Advice, ...]]:
    """Return what is advised for each row, and what is advised besides; nothing is advised twice.

    What is about several rows of layers belongs to none; of two categories the first of `names` has it.
    """
    own: dict[str, list[Finding]] = {name: [] for name in names}
    others: list[Finding] = []
    for finding in known.findings:
        named = about(finding)
        rows = [name for name in names if name in named]
        layers = len(finding.layers) > 1 and set(rows) == set(finding.layers)
        (own[rows[0]] if rows and not layers else others).append(finding)
    rules = known.rules
    return {name: advices(found, rules) for name, found in own.items()}, tuple(advices(others, rules))


def _every_value(finding: Finding) -> tuple[str, ...]:
    return tuple(map(str, finding.values.values()))


def _ordered(found: Ledger, most: int) -> Ledger:
    """Return a ledger with what would help most first, what one can rely on last, and not too many rows."""

    def rank(row: LedgerRow) -> tuple[bool, float, float]:
        relied_on = found.banded and row.severity in {"good", "note"}
        return relied_on, -round(row.gain, 3), row.value if row.value is not None else 1.0

    rows = sorted(found.rows, key=rank)
    if found.banded and not all(rank(row)[0] for row in rows):
        rows = [replace(row, at_ease=rank(row)[0]) for row in rows]
    return replace(found, rows=tuple(rows[:most]), left_out=max(len(rows) - most, 0))


def _most_alone(slices: Sequence[Slice]) -> str | None:
    alone = [part for part in slices if part.who]
    return max(alone, key=lambda part: part.cases).who if alone else None


def _examples(
    known: Known, layer: str, advice: Sequence[Advice], who: str | None = None
) -> Iterable[DisagreementRow]:
    """Return a few examples of what is advised first: whole marks of one alone, else units."""
    texts = known.texts
    if texts is None:
        return ()
    first = advice[0].findings[0] if advice else None
    if first is not None and first.asks in {"mark", "balance"} and texts.documents.all:
        name = first.categories[0] if len(first.categories) == 1 else None
        alone = whole_marks(texts.texts, texts.documents, layer, who, name)
        if alone:
            return alone[:: max(len(alone) // EXAMPLES, 1)][:EXAMPLES]
    section = texts.section_of(first) if first else None
    if section is None:
        unit_set = known.results.primary_of(layer)
        listed = texts.of(layer, unit_set.id)
        section = listed.sections[0] if listed and listed.sections else None
    return section.examples[:EXAMPLES] if section else ()


def _listed(known: Known, layer: str, advice: Sequence[Advice]) -> str:
    """Return where all units are listed that show what is advised first, else all of the layer."""
    texts = known.texts
    if texts is None:
        return ""
    section = texts.section_of(advice[0].findings[0]) if advice else None
    listed = texts.of(layer, known.results.primary_of(layer).id)
    return section.href if section else listed.href if listed else ""


def shown_count(cases: float) -> str:
    """Return a number of cases; of more than two annotators they are parts of units."""
    return numbers.decimal(cases) if 0 < cases < 1 else count(round(cases))
