"""Marks in texts that disagree: about ends, types, or whether they are there; who marks longer or more."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from reportgen.findings.layer_facts import Facts, FindingTemplate, Values
from reportgen.measures.distributions import holm
from reportgen.results import Finding, Habit, MarkDisagreements, cases_by_kind, omissions_of_each

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
KINDS = FindingTemplate("mark-kinds", "note", "spans").saying(
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
BOUNDARIES = FindingTemplate("mark-boundaries", "warning", "spans").saying(
    "In {boundary} of the {cases} disagreements about marks of {category}, "
    f"{{first}} and {{second}} both marked it with different ends; {ENDS}",
    WHERE,
)
# Recordings have no words.
IN_TIME = "Write into the guidelines when marks of {category} begin and end, with examples."
BOUNDARIES_IN_TIME = replace(BOUNDARIES, advice=IN_TIME)
BOUNDARIES_AMONG = BOUNDARIES.saying(
    "In {boundary} of the {cases} disagreements about marks of {category}, "
    f"both annotators marked it with different ends; {ENDS}",
    WHERE,
)
BOUNDARIES_AMONG_IN_TIME = replace(BOUNDARIES_AMONG, advice=IN_TIME)
WHETHER = "Write into the guidelines when to mark {category}, and have annotators check for omissions."
OMISSIONS = FindingTemplate("mark-omissions", "warning", "spans").saying(
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
LONGER = FindingTemplate("longer-marks", "warning", "spans").saying(
    "{annotator}'s marks of {category} are longer than {other}'s: of {pairs} overlapping pairs of different "
    "length, {annotator}'s mark is the longer one in {longer} (p = {p} by document, Holm).",
    REACH,
)
LONGER_AMONG = LONGER.saying(
    "{annotator}'s marks of {category} are longer than those of the others: of {pairs} pairs of such marks "
    "that overlap with other ends and are not equally long, {annotator}'s is the longer one in {longer} "
    "(p = {p} by document, Holm).",
    "Show {annotator} the others' marks of {category}, and agree on how far they reach.",
)
SHORTER_AMONG = LONGER.saying(
    "{annotator}'s marks of {category} are shorter than those of the others: of {pairs} pairs of such marks "
    "that overlap with other ends and are not equally long, {annotator}'s is the shorter one in {shorter} "
    "(p = {p} by document, Holm).",
    LONGER_AMONG.advice,
)
THROUGH = "go through the marks that only one of them made, and write the rule for them into the guidelines."
MORE = FindingTemplate("more-marks", "warning", "spans").saying(
    "{annotator} marks more than {other}: {marks} marks against {others} in the same documents (p = {p} by "
    "document, Holm).",
    f"Have {{annotator}} and {{other}} {THROUGH}",
)
BESIDE = (
    "counted beside each other annotator in turn, in the documents that both saw, {marks} marks against "
    "{others} "
)
MORE_AMONG = MORE.saying(
    f"{{annotator}} marks more than the others on average: {BESIDE}(p = {{p}} by document, Holm).",
    f"Have {{annotator}} and another annotator {THROUGH}",
)
FEWER_AMONG = MORE.saying(
    f"{{annotator}} marks less than the others on average: {BESIDE}(p = {{p}} by document, Holm).",
    MORE_AMONG.advice,
)


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
        if len(_people(facts)) == TWO and pairs:
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


def longer(facts: Facts) -> Iterator[Finding]:
    """Yield who marks longer than the others, by type, where that is more than chance."""
    disagreements = of_marks(facts)
    tested = [habit for habit in disagreements.habits if habit.type is not None] if disagreements else []
    shown = _beyond_chance([(habit, habit.longer_p) for habit in tested])
    for habit, p in _of_their_own(shown, lambda habit: habit.longer - habit.shorter):
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
    shown = _beyond_chance([(habit, habit.more_p) for habit in tested])
    for habit, p in _of_their_own(shown, lambda habit: habit.marks - habit.others):
        if other := _other(facts, habit):
            who = (habit.annotator, other) if habit.marks > habit.others else (other, habit.annotator)
            marks, others = max(habit.marks, habit.others), min(habit.marks, habit.others)
            yield MORE.finding(annotator=who[0], other=who[1], marks=marks, others=others, p=p)
        else:
            message = MORE_AMONG if habit.marks > habit.others else FEWER_AMONG
            yield message.finding(annotator=habit.annotator, marks=habit.marks, others=habit.others, p=p)


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
