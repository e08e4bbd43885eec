"""Marks in texts that disagree: about ends, types, or whether they are there; who marks longer or more."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from reportgen.findings.facts import Facts, FindingTemplate, Values
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
    found = of_marks(facts)
    cases = cases_by_kind(found.cases, category) if found else None
    return cases is not None and cases["boundary"] > cases["omission"]


def kinds(facts: Facts) -> Iterator[Finding]:
    """Yield how many disagreements about marks are of each kind."""
    found = of_marks(facts)
    by_kind = cases_by_kind(found.cases) if found else {}
    whole = sum(by_kind.values())
    if found and whole >= LEAST_CASES:
        message = KINDS if len(_people(facts)) == TWO else KINDS_AMONG
        yield message.found(cases=whole, **_named(facts), **by_kind)


def boundaries(facts: Facts) -> Iterator[Finding]:
    """Yield the types whose marks begin and end differently in a good part of their disagreements."""
    in_texts = any(each.tokens is not None for each in facts.results.material if each.layer == facts.layer)
    if len(_people(facts)) == TWO:
        message = BOUNDARIES if in_texts else BOUNDARIES_IN_TIME
    else:
        message = BOUNDARIES_AMONG if in_texts else BOUNDARIES_AMONG_IN_TIME
    for found, name, cases in _types(facts, "boundary"):
        ends = next(each for each in found.boundaries if each.label == name)
        yield message.found(
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
    for found, name, cases in _types(facts, "omission"):
        values: Values = {"category": name, "omission": cases["omission"], "cases": sum(cases.values())}
        pairs = found.of_annotators
        if len(_people(facts)) == TWO and pairs:
            first, second = omissions_of_each(pairs[0].cases, name)
            yield OMISSIONS.found(first_only=first, second_only=second, **_named(facts), **values)
        else:
            yield OMISSIONS_AMONG.found(**values)


def _types(facts: Facts, kind: str) -> Iterator[tuple[MarkDisagreements, str, dict[str, int]]]:
    """Yield the types with most cases of a kind, with all their cases, where it is a good part of those."""
    found = of_marks(facts)
    if found is None:
        return
    known = [(name, cases_by_kind(found.cases, name)) for name in found.types]
    for name, cases in sorted(known, key=lambda each: -each[1][kind])[:SHOWN]:
        if cases[kind] >= max(LEAST_CASES, LEAST_SHARE * sum(cases.values())):
            yield found, name, cases


def _people(facts: Facts) -> Sequence[str]:
    """Return the annotators whose marks are compared."""
    found = of_marks(facts)
    return (
        list(dict.fromkeys(name for each in found.of_annotators for name in each.annotators)) if found else []
    )


def _named(facts: Facts) -> Values:
    people = _people(facts)
    return {"first": people[0], "second": people[1]} if len(people) == TWO else {}


def longer(facts: Facts) -> Iterator[Finding]:
    """Yield who marks longer than the others, by type, where that is more than chance."""
    found = of_marks(facts)
    tested = [each for each in found.habits if each.type is not None] if found else []
    shown = _beyond_chance([(each, each.longer_p) for each in tested])
    for each, p in _of_their_own(shown, lambda each: each.longer - each.shorter):
        values: Values = {"category": str(each.type), "pairs": each.longer + each.shorter, "p": p}
        if other := _other(facts, each):
            who = (each.annotator, other) if each.longer > each.shorter else (other, each.annotator)
            most = max(each.longer, each.shorter)
            yield LONGER.found(annotator=who[0], other=who[1], longer=most, **values)
        elif each.longer > each.shorter:
            yield LONGER_AMONG.found(annotator=each.annotator, longer=each.longer, **values)
        else:
            yield SHORTER_AMONG.found(annotator=each.annotator, shorter=each.shorter, **values)


def more(facts: Facts) -> Iterator[Finding]:
    """Yield who makes more marks than the others, where that is more than chance."""
    found = of_marks(facts)
    tested = [each for each in found.habits if each.type is None] if found else []
    shown = _beyond_chance([(each, each.more_p) for each in tested])
    for each, p in _of_their_own(shown, lambda each: each.marks - each.others):
        if other := _other(facts, each):
            who = (each.annotator, other) if each.marks > each.others else (other, each.annotator)
            marks, others = max(each.marks, each.others), min(each.marks, each.others)
            yield MORE.found(annotator=who[0], other=who[1], marks=marks, others=others, p=p)
        else:
            message = MORE_AMONG if each.marks > each.others else FEWER_AMONG
            yield message.found(annotator=each.annotator, marks=each.marks, others=each.others, p=p)


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
    known = list(shown)
    for each, p in known:
        largest = max((other for other, _ in known if other.type == each.type), key=lambda one: abs(by(one)))
        if by(each) * by(largest) > 0:
            yield each, p


def _beyond_chance(tested: Iterable[tuple[Habit, float | None]]) -> Iterator[tuple[Habit, float]]:
    """Yield the habits whose p value is small even though many were tested (Holm 1979), with it corrected."""
    known = list(tested)
    adjusted = zip(holm([p for _, p in known]), known, strict=True)
    shown = ((each, p, alone or 0.0) for p, (each, alone) in adjusted if p is not None and p < LEVEL)
    for each, p, _ in sorted(shown, key=lambda found: found[2]):
        yield each, p
