"""How marks in texts disagree: ends, types, omissions, whose they are; and which words have other heads."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from reportgen.base.dataclass import dataclass
from reportgen.findings.layer_facts import LEVEL as ALPHA_LEVEL
from reportgen.findings.layer_facts import FindingTemplate, LayerFacts, Values
from reportgen.measures.estimate import significant
from reportgen.results import Finding, Habit, MarkDisagreements, cases_by_kind, omissions_of_each
from reportgen.results.marks import DifferingHeads, TreeAgreement

SHOWN = 3
LEAST_SHARE = 0.1
# A single case is no pattern.
LEAST_CASES = 2
# Everybody is tested for several habits, and tests of sums over few documents err less often than their
# level: at this level all tests together err in fewer than 5% of campaigns in which nobody has a habit.
LEVEL = 0.02

WHERE = "Agree on where marks of {category} begin and end."
BOUNDARIES = FindingTemplate(
    *("mark-boundaries", "warning", "spans"),
    asks="ends",
    categories=("category",),
    cases=("boundary",),
    examples=("category",),
).saying(
    "In {boundary} of the {cases} disagreements about marks of {category}, both annotators marked it with "
    "different boundaries.",
    WHERE,
)
WHETHER = "Agree on when to mark {category}."
OMISSIONS = replace(BOUNDARIES, id="mark-omissions", asks="mark", cases=("omission",)).saying(
    "{omission} of the {cases} disagreements about marks of {category} are omissions: {first} alone made "
    "{first_only} of these marks, {second} alone {second_only}.",
    WHETHER,
)
OMISSIONS_AMONG = OMISSIONS.saying(
    "{omission} of the {cases} disagreements about marks of {category} are omissions: one annotator made a "
    "mark, the other none.",
    WHETHER,
)

# Whose marks begin or end elsewhere, and who makes more: the kinds of cases with a direction.
HOLM = "(p = {p} by document, Holm; most often {category})."
BEGIN_APART = "of {cases} pairs of marks that end together and begin apart,"
END_APART = "of {cases} pairs of marks that begin together and end apart,"
AGREE_ON_MARKS, AGREE_ON_ENDS = "Agree on what should be marked.", "Agree on where marks begin and end."
EARLIER = FindingTemplate(
    *("earlier-begins", "warning", "spans"),
    asks="ends",
    categories=("category",),
    cases=("own",),
    habit="begins",
).saying(
    f"{{annotator}}'s marks begin before {{other}}'s: "
    f"{BEGIN_APART} {{annotator}}'s begins first in {{own}} {HOLM}",
    AGREE_ON_ENDS,
)
EARLIER_AMONG = replace(EARLIER, examples=("category",)).saying(
    f"{{annotator}}'s marks begin before the others': "
    f"{BEGIN_APART} {{annotator}}'s begins first in {{own}} {HOLM}",
    AGREE_ON_ENDS,
)
LATER_AMONG = EARLIER_AMONG.saying(
    f"{{annotator}}'s marks begin after the others': "
    f"{BEGIN_APART} {{annotator}}'s begins last in {{own}} {HOLM}",
    AGREE_ON_ENDS,
)
LATER_ENDS = replace(EARLIER, id="later-ends", habit="ends").saying(
    f"{{annotator}}'s marks end after {{other}}'s: {END_APART} {{annotator}}'s ends last in {{own}} {HOLM}",
    AGREE_ON_ENDS,
)
LATER_ENDS_AMONG = replace(LATER_ENDS, examples=("category",)).saying(
    f"{{annotator}}'s marks end after the others': {END_APART} {{annotator}}'s ends last in {{own}} {HOLM}",
    AGREE_ON_ENDS,
)
EARLIER_ENDS_AMONG = LATER_ENDS_AMONG.saying(
    f"{{annotator}}'s marks end before the others': {END_APART} {{annotator}}'s ends first in {{own}} {HOLM}",
    AGREE_ON_ENDS,
)
ALONE = "of {cases} marks that only one of the two made,"
ALONE_AMONG = "in pairs with {annotator}, {own} of {cases} marks that only one of the two made"
MORE = FindingTemplate(
    *("more-marks", "warning", "spans"),
    asks="balance",
    cases=("own",),
    examples=(),
    habit="number",
).saying(
    f"{{annotator}} marks what {{other}} leaves out: {ALONE} {{own}} are {{annotator}}'s {HOLM}",
    AGREE_ON_MARKS,
)
MORE_AMONG = replace(MORE, people=()).saying(
    f"{{annotator}} marks what the others leave out: {ALONE_AMONG} are {{annotator}}'s {HOLM}",
    AGREE_ON_MARKS,
)
FEWER_AMONG = MORE_AMONG.saying(
    f"{{annotator}} leaves out what the others mark: {ALONE_AMONG} are the others' {HOLM}",
    MORE_AMONG.advice,
)
# What is said of each kind: between two, of who does it among several, and of who does the reverse.
DIRECTED = {
    "right": (LATER_ENDS, LATER_ENDS_AMONG, EARLIER_ENDS_AMONG),
    "left": (EARLIER, EARLIER_AMONG, LATER_AMONG),
    "omitted": (MORE, MORE_AMONG, FEWER_AMONG),
}


TYPED = (
    "{annotator} and another annotator labelled {cases} marks differently, one of the two as {category}; "
    "in {own} of these that was"
)
TELL_TYPES = "Agree on how to tell {category} from {instead}."
OTHER_TYPE = FindingTemplate(
    *("other-type", "warning", "spans"),
    asks="apart",
    categories=("category", "instead"),
    cases=("own",),
    examples=("category", "instead"),
    habit="type",
).saying(
    "{annotator} chooses {category} where {other} chooses another label, mostly {instead}: they labelled "
    "{cases} marks differently, one of the two as {category}; in {own} of these that was {annotator} (p = "
    "{p} by document, Holm).",
    TELL_TYPES,
)
OTHER_TYPE_AMONG = OTHER_TYPE.saying(
    "{annotator} chooses {category} where the others choose another label, mostly {instead}: "
    f"{TYPED} {{annotator}} (p = {{p}} by document, Holm).",
    TELL_TYPES,
)
AVOIDED_AMONG = OTHER_TYPE.saying(
    "{annotator} chooses another label, mostly {instead}, where the others choose {category}: "
    f"{TYPED} the other (p = {{p}} by document, Holm).",
    TELL_TYPES,
)


def of_marks(facts: LayerFacts) -> MarkDisagreements | None:
    """Return in what way the layer's marks disagree; None where it has none, or nobody knows."""
    spans = facts.results.spans
    return spans.disagreements_of(facts.layer) if spans else None


def mostly_boundaries(facts: LayerFacts, category: str) -> bool:
    """Tell whether marks of a category are disputed for their ends more often than they are left out."""
    disagreements = of_marks(facts)
    cases = cases_by_kind(disagreements.cases, category) if disagreements else None
    return cases is not None and cases["boundary"] > cases["omission"]


def boundaries(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the types whose marks begin and end differently in a good part of their disagreements."""
    for _disagreements, name, cases in _types(facts, "boundary"):
        yield BOUNDARIES.finding(category=name, boundary=cases["boundary"], cases=sum(cases.values()))


def omissions(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the types whose marks one annotator made and the other left out."""
    for disagreements, name, cases in _types(facts, "omission"):
        values: Values = {"category": name, "omission": cases["omission"], "cases": sum(cases.values())}
        pairs = disagreements.of_annotators
        if len(_people(facts)) == 2:
            first, second = omissions_of_each(pairs[0].cases, name)
            yield OMISSIONS.finding(first_only=first, second_only=second, **_named(facts), **values)
        else:
            yield OMISSIONS_AMONG.finding(**values)


def _types(facts: LayerFacts, kind: str) -> Iterator[tuple[MarkDisagreements, str, dict[str, int]]]:
    """Yield the types with most cases of a kind, with all their cases, where it is a good part of those."""
    disagreements = of_marks(facts)
    if disagreements is None:
        return
    by_type = [(name, cases_by_kind(disagreements.cases, name)) for name in disagreements.types]
    for name, cases in sorted(by_type, key=lambda type_and_cases: -type_and_cases[1][kind])[:SHOWN]:
        if cases[kind] >= max(LEAST_CASES, LEAST_SHARE * sum(cases.values())):
            yield disagreements, name, cases


def _people(facts: LayerFacts) -> Sequence[str]:
    """Return the annotators whose marks are compared."""
    disagreements = of_marks(facts)
    return (
        list(dict.fromkeys(name for pair in disagreements.of_annotators for name in pair.annotators))
        if disagreements
        else []
    )


def _named(facts: LayerFacts) -> Values:
    people = _people(facts)
    return {"first": people[0], "second": people[1]} if len(people) == 2 else {}


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

    @property
    def is_theirs(self) -> bool:
        """Say whether the mark is theirs in most cases."""
        return self.balance > 0


def directions(facts: LayerFacts) -> Iterator[Finding]:
    """Yield whose marks begin or end elsewhere, and who makes more or fewer."""
    # Who is on one side of a kind of case beyond chance, the most cases first, one of each kind.
    disagreements = of_marks(facts)
    tested = [
        (habit, kind)
        for habit in (disagreements.habits if disagreements else ())
        for kind in DIRECTED
        if habit.type is None and kind in habit.kinds
    ]
    shown = significant([habit.kinds[kind].p for habit, kind in tested], LEVEL)
    found = [_Directed(*tested[place], p) for place, p in shown.items()]
    found.sort(key=lambda own: -abs(own.balance))
    # Where one of several ends later, all others end earlier than that one, which is no habit of theirs.
    first = {own.kind: own.is_theirs for own in reversed(found)}
    for own in [own for own in found if own.is_theirs == first[own.kind]]:
        habit, case = own.habit, own.habit.kinds[own.kind]
        between, among, reverse = DIRECTED[own.kind]
        values: Values = {"cases": case.own + case.others, "p": own.p, "category": _mostly(facts, own)}
        if other := _other(facts, habit):
            who = (habit.annotator, other) if own.is_theirs else (other, habit.annotator)
            most = max(case.own, case.others)
            yield between.finding(annotator=who[0], other=who[1], own=most, **values)
        else:
            most = case.own if own.is_theirs else case.others
            message = among if own.is_theirs else reverse
            yield message.finding(
                annotator=habit.annotator, own=most, **values, **_f_without(facts, habit.annotator)
            )


def _mostly(facts: LayerFacts, own: _Directed) -> str:
    """Return the label of most of the cases."""
    disagreements = of_marks(facts)
    of_types = {
        str(habit.type): abs(habit.kinds[own.kind].own - habit.kinds[own.kind].others)
        for habit in (disagreements.habits if disagreements else ())
        if habit.annotator == own.habit.annotator and habit.type is not None and own.kind in habit.kinds
    }
    return max(sorted(of_types), key=of_types.__getitem__)


def _f_without(facts: LayerFacts, annotator: str) -> Values:
    """Return the mean of strict F over pairs with an annotator, and over those without."""
    spans = facts.results.spans
    pairs = [pair for pair in spans.pairs if pair.layer == facts.layer] if spans else []
    sides: dict[str, list[float]] = {"f_with": [], "f_without": []}
    for pair in pairs:
        value = pair.strict["f_measure"].value
        if set(pair.roles) == {"annotator"} and value is not None:
            sides["f_with" if annotator in pair.annotators else "f_without"].append(value)
    return {name: math.fsum(values) / len(values) for name, values in sides.items() if values}


def other_types(facts: LayerFacts) -> Iterator[Finding]:
    """Yield who chooses a label where others choose another, beyond chance; at most one label of a person."""
    disagreements = of_marks(facts)
    tested = [
        habit
        for habit in (disagreements.habits if disagreements else ())
        if habit.type is not None and "another" in habit.kinds
    ]
    shown = _beyond_chance([(habit, habit.kinds["another"].p) for habit in tested])

    def balance(habit: Habit) -> int:
        return habit.kinds["another"].own - habit.kinds["another"].others

    named: set[str] = set()
    # Who chooses one label for another chooses the other too seldom: only the former is reported.
    for habit, p in sorted(_of_their_own(shown, balance), key=lambda row: -balance(row[0])):
        other, case = _other(facts, habit), habit.kinds["another"]
        if named & {habit.annotator, other}:
            continue
        named.add(habit.annotator)
        values: Values = {
            "category": str(habit.type),
            "cases": case.own + case.others,
            "own": max(case.own, case.others),
            "p": p,
        }
        if other:
            who = (habit.annotator, other) if balance(habit) > 0 else (other, habit.annotator)
            instead = _instead(facts, who[0], str(habit.type), other=False)
            yield OTHER_TYPE.finding(annotator=who[0], other=who[1], instead=instead, **values)
        else:
            instead = _instead(facts, habit.annotator, str(habit.type), other=balance(habit) < 0)
            message = OTHER_TYPE_AMONG if balance(habit) > 0 else AVOIDED_AMONG
            yield message.finding(
                annotator=habit.annotator, instead=instead, **values, **_f_without(facts, habit.annotator)
            )


def _instead(facts: LayerFacts, annotator: str, label: str, *, other: bool) -> str:
    """Return what is mostly chosen instead of a label that somebody chose, or `other`s beside them."""
    disagreements, times = of_marks(facts), Counter[str]()
    for pair in disagreements.of_annotators if disagreements else ():
        if annotator not in pair.annotators:
            continue
        for case in pair.cases:
            labels = (case.first, case.second)
            mine = pair.annotators.index(annotator) ^ other
            if case.kind in {"type", "both"} and labels[mine] == label != labels[1 - mine]:
                times[str(labels[1 - mine])] += case.cases
    return max(sorted(times), key=times.__getitem__, default="")


def _other(facts: LayerFacts, habit: Habit) -> str | None:
    """Return with whom somebody is compared, where that is one person."""
    people = _people(facts)
    return next(name for name in people if name != habit.annotator) if len(people) == 2 else None


def _of_their_own(
    shown: Iterable[tuple[Habit, float]], by: Callable[[Habit], int]
) -> Iterator[tuple[Habit, float]]:
    """Yield the habits that go the way of the largest one of their type.

    Where one of several chooses a label, all others choose it less often, which is no habit of theirs.
    """
    habits = list(shown)
    for habit, p in habits:
        largest = max(
            (other for other, _ in habits if other.type == habit.type), key=lambda other: abs(by(other))
        )
        if by(habit) * by(largest) > 0:
            yield habit, p


def _beyond_chance(tested: Iterable[tuple[Habit, float | None]]) -> Iterator[tuple[Habit, float]]:
    """Yield the habits whose p value is small even though many were tested (Holm 1979), with it corrected.

    The surest come first.
    """
    habits = sorted(((habit, p) for habit, p in tested if p is not None), key=lambda row: row[1])
    for place, p in significant([p for _, p in habits], LEVEL).items():
        yield habits[place][0], p


# A relation is named that has a quarter of all differing heads more than its words would have.
EXCESS, LEAST = 0.25, 10
HEADS = FindingTemplate("differing-heads", "warning", "trees", cases=("words",))
OF_RELATION = HEADS.saying(
    "{difference_share} of the {differing} differing heads are of words that are {relation}: on {words} of "
    "{all} such words heads differ.",
    "Agree on what {relation} is attached to.",
)
OF_SPEECH = HEADS.saying(
    "{difference_share} of the {differing} differing heads are of words that are {speech}: on {words} of "
    "{all} such words heads differ.",
    "Agree on what {speech} is attached to.",
)
CONFUSED = FindingTemplate("relations-confused", "note", "trees", cases=("words",)).saying(
    "Of words with the same head, {first} and {second} are confused most often: {words} of {all}.",
    "Agree on how to tell {first} from {second}.",
)


def heads(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the relation, else the part of speech, on which heads differ far more often than elsewhere."""
    own = _trees(facts)
    if own is None or own.differing < LEAST:
        return
    relation = _most(own, own.by_relation)
    speech = _most(own, own.by_part_of_speech)
    if relation:
        yield OF_RELATION.finding(relation=relation.name, **_values(own, relation))
    elif speech:
        yield OF_SPEECH.finding(speech=speech.name, **_values(own, speech))


def confused(facts: LayerFacts) -> Iterator[Finding]:
    """Yield the two relations that are confused on most words with the same head, where they are many."""
    own = _trees(facts)
    pairs = own.relations_confused if own else ()
    every = sum(pair.words for pair in pairs)
    if every >= LEAST and len(pairs) > 1 and pairs[0].words >= 2 * EXCESS * every:
        first = pairs[0]
        yield CONFUSED.finding(first=first.first, second=first.second, words=first.words, all=every)


def _trees(facts: LayerFacts) -> TreeAgreement | None:
    return next((own for own in facts.results.trees or () if own.layer == facts.layer), None)


def _most(own: TreeAgreement, parts: Sequence[DifferingHeads]) -> DifferingHeads | None:
    """Return what has most differing heads beyond those of the other words, where that is no chance."""
    tested = [(part.p, part) for part in parts if part.p is not None]
    named = [
        part
        for p, part in tested
        if p * len(tested) < ALPHA_LEVEL
        and part.words < own.words
        and _excess(own, part) >= EXCESS * own.differing
    ]
    if not named:
        return None
    most = max(_excess(own, part) for part in named)
    # Where one says another relation each time, the one that is on more words says more.
    return max((part for part in named if _excess(own, part) >= 0.9 * most), key=_words)


def _words(part: DifferingHeads) -> int:
    return part.words


def _excess(own: TreeAgreement, part: DifferingHeads) -> float:
    """Return how many differing heads it has beyond the rate of all other words."""
    others = own.words - part.words
    return part.differing - (own.differing - part.differing) / others * part.words


def _values(own: TreeAgreement, part: DifferingHeads) -> dict[str, int | float]:
    return {
        "difference_share": part.differing / own.differing,
        "differing": own.differing,
        "words": part.differing,
        "all": part.words,
    }
