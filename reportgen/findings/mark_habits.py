"""Marks in texts that disagree: about ends, types, or whether they are there; who marks longer or more."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from reportgen.findings.layer_facts import Facts, FindingTemplate, Values
from reportgen.measures.distributions import holm
from reportgen.results import (
    Finding,
    Habit,
    MarkDisagreements,
    cases_by_kind,
    omissions_of_each,
)

SHOWN = 3
LEAST_SHARE = 0.1
# A single case is no pattern.
LEAST_CASES = 2
LEVEL = 0.05
TWO = 2

COUNTS = (
    "boundary (the same type, other ends) {boundary}, type (the same ends, another type) {type}, "
    "both {both}, omission (one has a mark, the other none for it) {omission}."
)
KINDS = FindingTemplate("mark-kinds", "note", "spans", kind="limit").saying(
    f"{{first}} and {{second}} disagree about marks in {{cases}} cases: {COUNTS}"
)
KINDS_AMONG = KINDS.saying(
    f"Over all pairs of annotators there are {{cases}} cases of disagreement about marks: {COUNTS}"
)
ENDS = "at the beginning only in {left}, at the end only in {right}, at both in {both_ends}."
WHERE = (
    "Write into the guidelines where marks of {category} begin and end: which articles, "
    "titles, modifiers and punctuation belong to them."
)
BOUNDARIES = FindingTemplate(
    *("mark-boundaries", "warning", "spans"),
    asks="ends",
    categories=("category",),
    cases=("boundary",),
    examples=("category",),
).saying(
    "In {boundary} of the {cases} disagreements about marks of {category}, "
    f"{{first}} and {{second}} both marked it with different ends; {ENDS}",
    WHERE,
)
# Recordings have no words.
IN_TIME = "Write into the guidelines when marks of {category} begin and end, with examples."
BOUNDARIES_IN_TIME = replace(BOUNDARIES, advice=IN_TIME, asks=None)
BOUNDARIES_AMONG = BOUNDARIES.saying(
    "In {boundary} of the {cases} disagreements about marks of {category}, "
    f"both annotators marked it with different ends; {ENDS}",
    WHERE,
)
BOUNDARIES_AMONG_IN_TIME = replace(BOUNDARIES_AMONG, advice=IN_TIME, asks=None)
WHETHER = "Write into the guidelines when to mark {category}, and have annotators check for omissions."
OMISSIONS = replace(BOUNDARIES, id="mark-omissions", asks="mark", cases=("omission",)).saying(
    "Omissions make up {omission} of the {cases} disagreements about marks of {category}: {first} alone made "
    "{first_only} of these marks, {second} alone {second_only}.",
    WHETHER,
)
OMISSIONS_AMONG = OMISSIONS.saying(
    "Omissions make up {omission} of the {cases} disagreements about marks of {category}: one annotator made "
    "a mark, the other none.",
    WHETHER,
)
REACH = (
    "Show {annotator} and {other} their marks of {category} side by side, and agree on how far they reach."
)
LONGER = FindingTemplate(
    *("longer-marks", "warning", "spans"),
    asks="reach",
    categories=("category",),
    people=("annotator", "other"),
    cases=("pairs",),
    habit="length",
).saying(
    "{annotator}'s marks of {category} are longer than {other}'s: of {pairs} overlapping pairs of different "
    "length, {annotator}'s mark is the longer one in {longer} (p = {p} by document, Holm).",
    REACH,
)
LONGER_AMONG = replace(LONGER, asks=None, people=(), examples=("category",)).saying(
    "{annotator}'s marks of {category} are longer than those of the others: of {pairs} pairs of such marks "
    "that overlap with other ends and are not equally long, {annotator}'s is the longer one in {longer} "
    "(p = {p} by document, Holm).",
    "Show {annotator} the others' marks of {category}, and agree on how far they reach.",
)
SHORTER_AMONG = LONGER_AMONG.saying(
    "{annotator}'s marks of {category} are shorter than those of the others: of {pairs} pairs of such marks "
    "that overlap with other ends and are not equally long, {annotator}'s is the shorter one in {shorter} "
    "(p = {p} by document, Holm).",
    LONGER_AMONG.advice,
)
THROUGH = "go through the marks that only one of them made, and write the rule for them into the guidelines."
MORE = FindingTemplate(
    *("more-marks", "warning", "spans"),
    asks="balance",
    people=("annotator", "other"),
    examples=(),
    habit="number",
).saying(
    "{annotator} marks more than {other}: {marks} marks against {others} in the same documents (p = {p} by "
    "document, Holm).",
    f"Have {{annotator}} and {{other}} {THROUGH}",
)
BESIDE = (
    "counted beside each other annotator in turn, in the documents that both saw, {marks} marks against "
    "{others} "
)
MORE_AMONG = replace(MORE, asks=None, people=()).saying(
    f"{{annotator}} marks more than the others on average: {BESIDE}(p = {{p}} by document, Holm).",
    f"Have {{annotator}} and another annotator {THROUGH}",
)
FEWER_AMONG = MORE_AMONG.saying(
    f"{{annotator}} marks less than the others on average: {BESIDE}(p = {{p}} by document, Holm).",
    MORE_AMONG.advice,
)

# Who joins what others split, and whose marks begin or end elsewhere: the kinds of cases with a direction.
ONE_OR_SEVERAL = (
    "Write into the guidelines whether lists and words beside each other are one mark or several, with "
    "examples."
)
COVERING = "of {cases} cases in which one mark covers several of another's,"
HOLM = "(p = {p} by document, Holm; most often {category})."
F_WITHOUT = "F of marks is {f_with} on average in pairs with {annotator}, and {f_without} in the others."
JOINS = FindingTemplate(
    *("joined-marks", "warning", "spans"), categories=("category",), cases=("own",), habit="joins"
).saying(
    f"{{annotator}} joins what {{other}} splits: "
    f"{COVERING} the one mark is {{annotator}}'s in {{own}} {HOLM}",
    ONE_OR_SEVERAL,
)
JOINS_AMONG = replace(JOINS, examples=("category",)).saying(
    f"{{annotator}} joins what the others split: "
    f"{COVERING} the one mark is {{annotator}}'s in {{own}} {HOLM} "
    f"{F_WITHOUT}",
    ONE_OR_SEVERAL,
)
SPLITS_AMONG = JOINS_AMONG.saying(
    f"{{annotator}} splits what the others join: "
    f"{COVERING} the several are {{annotator}}'s in {{own}} {HOLM} "
    f"{F_WITHOUT}",
    ONE_OR_SEVERAL,
)
BEGIN_APART = "of {cases} pairs of marks that end together and begin apart,"
END_APART = "of {cases} pairs of marks that begin together and end apart,"
WHERE_BEGIN = "Show {annotator} where marks begin, and write that into the guidelines, with examples."
WHERE_END = "Show {annotator} where marks end, and write that into the guidelines, with examples."
EARLIER = replace(JOINS, id="earlier-begins", habit="begins").saying(
    f"{{annotator}}'s marks begin before {{other}}'s: "
    f"{BEGIN_APART} {{annotator}}'s begins first in {{own}} {HOLM}",
    WHERE_BEGIN,
)
EARLIER_AMONG = replace(EARLIER, examples=("category",)).saying(
    f"{{annotator}}'s marks begin before the others': "
    f"{BEGIN_APART} {{annotator}}'s begins first in {{own}} {HOLM} "
    f"{F_WITHOUT}",
    WHERE_BEGIN,
)
LATER_AMONG = EARLIER_AMONG.saying(
    f"{{annotator}}'s marks begin after the others': "
    f"{BEGIN_APART} {{annotator}}'s begins last in {{own}} {HOLM} "
    f"{F_WITHOUT}",
    WHERE_BEGIN,
)
LATER_ENDS = replace(JOINS, id="later-ends", habit="ends").saying(
    f"{{annotator}}'s marks end after {{other}}'s: {END_APART} {{annotator}}'s ends last in {{own}} {HOLM}",
    WHERE_END,
)
LATER_ENDS_AMONG = replace(LATER_ENDS, examples=("category",)).saying(
    f"{{annotator}}'s marks end after the others': {END_APART} {{annotator}}'s ends last in {{own}} {HOLM} "
    f"{F_WITHOUT}",
    WHERE_END,
)
EARLIER_ENDS_AMONG = LATER_ENDS_AMONG.saying(
    f"{{annotator}}'s marks end before the others': "
    f"{END_APART} {{annotator}}'s ends first in {{own}} {HOLM} "
    f"{F_WITHOUT}",
    WHERE_END,
)
# What is said of each kind: between two, of who does it among several, and of who does the reverse.
DIRECTED = {
    "joins": (JOINS, JOINS_AMONG, SPLITS_AMONG),
    "right": (LATER_ENDS, LATER_ENDS_AMONG, EARLIER_ENDS_AMONG),
    "left": (EARLIER, EARLIER_AMONG, LATER_AMONG),
}


ACROSS = FindingTemplate(
    "across-layers", "warning", "spans", asks="apart", categories=("first", "second"), examples=()
).saying(
    "Of {omissions} marks of {first} and {second} that one annotator alone made in their layers "
    "({first_layer} and {second_layer}), {exchanged} lie where another annotator gave the other of the two "
    "labels: they are exchanged, not omitted.",
    "Write into the guidelines how to tell {first} from {second}, and make them categories of one layer: "
    "name both types in its source, under [[layers]] in campaign.toml.",
)
# Of the marks that one annotator alone made so many are exchanged where that is told.
LEAST_EXCHANGED = 0.2


def across(facts: Facts) -> Iterator[Finding]:
    """Yield the labels of two layers that annotators exchange, which each layer takes for omissions."""
    spans = facts.results.spans
    shown = [
        two
        for two in (spans.across if spans else None) or ()
        if two.cases >= LEAST_CASES and TWO * two.cases >= LEAST_EXCHANGED * two.omissions
    ]
    for two in shown[:SHOWN]:
        finding = ACROSS.finding(
            first=two.first,
            second=two.second,
            first_layer=two.first_layer,
            second_layer=two.second_layer,
            exchanged=TWO * two.cases,
            omissions=two.omissions,
        )
        yield finding.model_copy(update={"layers": (two.first_layer, two.second_layer)})


def of_marks(facts: Facts) -> MarkDisagreements | None:
    """Return in what way the layer's marks disagree; None where it has none, or nobody knows."""
    spans = facts.results.spans
    return spans.disagreements_of(facts.layer) if spans else None


def mostly_boundaries(facts: Facts, category: str) -> bool:
    """Tell whether marks of a category are disputed for their ends more often than they are left out."""
    disagreements = of_marks(facts)
    cases = cases_by_kind(disagreements.cases, category) if disagreements else None
    return cases is not None and cases["boundary"] > cases["omission"]


def kinds(facts: Facts) -> Iterator[Finding]:
    """Yield how many disagreements about marks are of each kind."""
    disagreements = of_marks(facts)
    by_kind = cases_by_kind(disagreements.cases) if disagreements else {}
    total = sum(by_kind.values())
    if disagreements and total >= LEAST_CASES:
        message = KINDS if len(_people(facts)) == TWO else KINDS_AMONG
        yield message.finding(cases=total, **_named(facts), **by_kind)


def boundaries(facts: Facts) -> Iterator[Finding]:
    """Yield the types whose marks begin and end differently in a good part of their disagreements."""
    in_texts = any(
        material.tokens is not None for material in facts.results.material if material.layer == facts.layer
    )
    if len(_people(facts)) == TWO:
        message = BOUNDARIES if in_texts else BOUNDARIES_IN_TIME
    else:
        message = BOUNDARIES_AMONG if in_texts else BOUNDARIES_AMONG_IN_TIME
    for disagreements, name, cases in _types(facts, "boundary"):
        ends = next(boundary for boundary in disagreements.boundaries if boundary.label == name)
        yield message.finding(
            category=name,
            boundary=cases["boundary"],
            cases=sum(cases.values()),
            left=ends.left,
            right=ends.right,
            both_ends=ends.both,
            **_named(facts),
        )


def omissions(facts: Facts) -> Iterator[Finding]:
    """Yield the types whose marks one annotator made and the other left out."""
    for disagreements, name, cases in _types(facts, "omission"):
        values: Values = {"category": name, "omission": cases["omission"], "cases": sum(cases.values())}
        pairs = disagreements.of_annotators
        if len(_people(facts)) == TWO:
            first, second = omissions_of_each(pairs[0].cases, name)
            yield OMISSIONS.finding(first_only=first, second_only=second, **_named(facts), **values)
        else:
            yield OMISSIONS_AMONG.finding(**values)


def _types(facts: Facts, kind: str) -> Iterator[tuple[MarkDisagreements, str, dict[str, int]]]:
    """Yield the types with most cases of a kind, with all their cases, where it is a good part of those."""
    disagreements = of_marks(facts)
    if disagreements is None:
        return
    by_type = [(name, cases_by_kind(disagreements.cases, name)) for name in disagreements.types]
    for name, cases in sorted(by_type, key=lambda type_and_cases: -type_and_cases[1][kind])[:SHOWN]:
        if cases[kind] >= max(LEAST_CASES, LEAST_SHARE * sum(cases.values())):
            yield disagreements, name, cases


def _people(facts: Facts) -> Sequence[str]:
    """Return the annotators whose marks are compared."""
    disagreements = of_marks(facts)
    return (
        list(dict.fromkeys(name for pair in disagreements.of_annotators for name in pair.annotators))
        if disagreements
        else []
    )


def _named(facts: Facts) -> Values:
    people = _people(facts)
    return {"first": people[0], "second": people[1]} if len(people) == TWO else {}


@dataclass(frozen=True)
class _Directed:
    """A kind of case in which somebody is nearly always on one side, and how probable that is by chance."""

    habit: Habit
    kind: str
    p: float

    @property
    def balance(self) -> int:
        """Return in how many more cases the mark is theirs than another's."""
        case = self.habit.kinds[self.kind]
        return case.own - case.others


def _directed(facts: Facts) -> list[_Directed]:
    """Return who is on one side of a kind of case beyond chance, the most cases first, one of each kind."""
    disagreements = of_marks(facts)
    tested = [
        (habit, kind, habit.kinds[kind].p)
        for habit in (disagreements.habits if disagreements else ())
        for kind in DIRECTED
        if habit.type is None and kind in habit.kinds
    ]
    adjusted = holm([p for *_, p in tested])
    found = [
        _Directed(habit, kind, p)
        for (habit, kind, _), p in zip(tested, adjusted, strict=True)
        if p is not None and p < LEVEL
    ]
    found.sort(key=lambda own: -abs(own.balance))
    # Where one of several joins, all others split what that one joins, which is no habit of theirs.
    first = {own.kind: own.balance > 0 for own in reversed(found)}
    return [own for own in found if (own.balance > 0) == first[own.kind]]


def directions(facts: Facts) -> Iterator[Finding]:
    """Yield who joins what others split, and whose marks begin or end before or after the others'."""
    for own in _directed(facts):
        habit, case = own.habit, own.habit.kinds[own.kind]
        between, among, reverse = DIRECTED[own.kind]
        values: Values = {"cases": case.own + case.others, "p": own.p, "category": _mostly(facts, own)}
        if other := _other(facts, habit):
            who = (habit.annotator, other) if own.balance > 0 else (other, habit.annotator)
            most = max(case.own, case.others)
            yield between.finding(annotator=who[0], other=who[1], own=most, **values)
        else:
            most = case.own if own.balance > 0 else case.others
            message = among if own.balance > 0 else reverse
            yield message.finding(
                annotator=habit.annotator, own=most, **values, **_f_without(facts, habit.annotator)
            )


def _mostly(facts: Facts, own: _Directed) -> str:
    """Return the label of most of the cases."""
    disagreements = of_marks(facts)
    of_types = {
        str(habit.type): abs(habit.kinds[own.kind].own - habit.kinds[own.kind].others)
        for habit in (disagreements.habits if disagreements else ())
        if habit.annotator == own.habit.annotator and habit.type is not None and own.kind in habit.kinds
    }
    return max(sorted(of_types), key=of_types.__getitem__)


def _f_without(facts: Facts, annotator: str) -> Values:
    """Return the mean of strict F over pairs with an annotator, and over those without."""
    spans = facts.results.spans
    pairs = [pair for pair in spans.pairs if pair.layer == facts.layer] if spans else []
    sides: dict[str, list[float]] = {"f_with": [], "f_without": []}
    for pair in pairs:
        value = pair.strict["f_measure"].value
        if set(pair.roles) == {"annotator"} and value is not None:
            sides["f_with" if annotator in pair.annotators else "f_without"].append(value)
    return {name: math.fsum(values) / len(values) for name, values in sides.items() if values}


def longer(facts: Facts) -> Iterator[Finding]:
    """Yield who marks longer than the others, by type, where that is more than chance."""
    disagreements = of_marks(facts)
    # Who joins, or whose marks end later, has longer marks too: that has been said.
    said = {own.habit.annotator for own in _directed(facts)}
    tested = [habit for habit in disagreements.habits if habit.type is not None] if disagreements else []
    shown = _beyond_chance([(habit, habit.longer_p) for habit in tested])
    for habit, p in _of_their_own(shown, lambda habit: habit.longer - habit.shorter):
        if habit.annotator in said:
            continue
        values: Values = {"category": str(habit.type), "pairs": habit.longer + habit.shorter, "p": p}
        if other := _other(facts, habit):
            who = (habit.annotator, other) if habit.longer > habit.shorter else (other, habit.annotator)
            most = max(habit.longer, habit.shorter)
            yield LONGER.finding(annotator=who[0], other=who[1], longer=most, **values)
        elif habit.longer > habit.shorter:
            yield LONGER_AMONG.finding(annotator=habit.annotator, longer=habit.longer, **values)
        else:
            yield SHORTER_AMONG.finding(annotator=habit.annotator, shorter=habit.shorter, **values)


def more(facts: Facts) -> Iterator[Finding]:
    """Yield who makes more marks than the others, where that is more than chance."""
    disagreements = of_marks(facts)
    tested = [habit for habit in disagreements.habits if habit.type is None] if disagreements else []
    # Who joins what others split makes fewer marks, which is no omission.
    joining = {own.habit.annotator: own.balance > 0 for own in _directed(facts) if own.kind == "joins"}
    shown = _beyond_chance([(habit, habit.more_p) for habit in tested])
    for habit, p in _of_their_own(shown, lambda habit: habit.marks - habit.others):
        if joining.get(habit.annotator) is (habit.marks < habit.others):
            continue
        if other := _other(facts, habit):
            who = (habit.annotator, other) if habit.marks > habit.others else (other, habit.annotator)
            marks, others = max(habit.marks, habit.others), min(habit.marks, habit.others)
            found = MORE.finding(annotator=who[0], other=who[1], marks=marks, others=others, p=p)
        else:
            message = MORE_AMONG if habit.marks > habit.others else FEWER_AMONG
            found = message.finding(annotator=habit.annotator, marks=habit.marks, others=habit.others, p=p)
        yield found.model_copy(update={"cases": abs(habit.marks - habit.others)})


def _other(facts: Facts, habit: Habit) -> str | None:
    """Return with whom somebody is compared, where that is one person."""
    people = _people(facts)
    return next(name for name in people if name != habit.annotator) if len(people) == TWO else None


def _of_their_own(
    shown: Iterable[tuple[Habit, float]], by: Callable[[Habit], int]
) -> Iterator[tuple[Habit, float]]:
    """Yield the habits that go the way of the largest one of their type.

    Where one of several marks longer, all others mark shorter than that one, which is no habit of theirs.
    """
    habits = list(shown)
    for habit, p in habits:
        largest = max(
            (other for other, _ in habits if other.type == habit.type), key=lambda other: abs(by(other))
        )
        if by(habit) * by(largest) > 0:
            yield habit, p


def _beyond_chance(tested: Iterable[tuple[Habit, float | None]]) -> Iterator[tuple[Habit, float]]:
    """Yield the habits whose p value is small even though many were tested (Holm 1979), with it corrected."""
    habits = list(tested)
    adjusted = zip(holm([p for _, p in habits]), habits, strict=True)
    shown = ((habit, p, alone or 0.0) for p, (habit, alone) in adjusted if p is not None and p < LEVEL)
    for habit, p, _ in sorted(shown, key=lambda row: row[2]):
        yield habit, p
