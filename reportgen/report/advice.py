"""What findings ask for: those that ask for the same thing as one, ranked by what it would change."""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from reportgen.base.dataclass import dataclass
from reportgen.results import SEVERITIES, Finding
from reportgen.results.model import Ask
from reportgen.results.texts import GuidelinesRule
from reportgen.words import numbers
from reportgen.words.language import N_, category_word, listed, say, say_many
from reportgen.words.numbers import Note, note

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
RULED = {"mark", "choose", "revise", "apart", "ends"}
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
    if topic not in RULED:
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
        if finding.kind in {"limit", "caveat"}:
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
