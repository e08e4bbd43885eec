"""What claims on marks in texts say, held against the marks."""

from collections import Counter
from collections.abc import Mapping
from functools import partial

from reportgen.findings import annotators, marks, units
from tests.truth.case import Case, Check, Values, near, number
from tests.truth.marked import WORD, cases, meetings

KINDS = ("boundary", "type", "both", "omission")
LEVEL = marks.LEVEL
Mark = tuple[str, int, int]


def counted(case: Case, name: str | None = None) -> dict[str, int]:
    """Return the cases of each kind, of all types or of those about one."""
    found = dict.fromkeys(KINDS, 0)
    for (kind, names), many in cases(case.layer.marks).items():
        if name is None or name in names:
            found[kind] += many
    return found


def of_type(case: Case, values: Values, kind: str) -> None:
    """A kind of cases of a type, of all cases of that type, no other type having more unsaid."""
    name = str(values["category"])
    found = counted(case, name)
    assert values[kind] == found[kind]
    assert values["cases"] == sum(found.values())


def boundaries(case: Case, values: Values) -> None:
    of_type(case, values, "boundary")


def omissions(case: Case, values: Values) -> None:
    of_type(case, values, "omission")
    if "first_only" in values:
        name, people = str(values["category"]), sorted(case.layer.marks)
        assert [values["first"], values["second"]] == people
        met = [(one, other) for one, other, _ in meetings(case.layer.marks)]
        assert values["first_only"] == sum(
            other is None and one is not None and one[0] == name for one, other in met
        )
        assert values["second_only"] == sum(
            one is None and other is not None and other[0] == name for one, other in met
        )


def own_habit(case: Case, who: str, habit: str) -> None:
    """Of several annotators the one is named who has the habit, not those who differ from that one alone."""
    if f"habit={habit}" in case.made.name and len(case.layer.marks) > 2:
        assert who == max(case.layer.marks)


BEGIN, END = 1, 2


def apart(end: int, way: int, case: Case, values: Values) -> None:
    """Of pairs of one type that are alike at the other end: in how many somebody's goes a way at this one."""
    who, other_end = str(values["annotator"]), BEGIN + END - end
    ways = []
    for one, other, people in meetings(case.layer.marks):
        if one and other and one[0] == other[0] and who in people and one[other_end] == other[other_end]:
            own, their = (one, other) if people[0] == who else (other, one)
            apart_by = int(own[end]) - int(their[end])
            ways += [apart_by // abs(apart_by)] if apart_by else []
    assert number(values["p"]) < LEVEL
    assert values["cases"] == len(ways)
    assert values["own"] == ways.count(way) > len(ways) / 2
    beside_others(case, values)


def strict_f(case: Case) -> dict[tuple[str, str], float]:
    """Return F of every two annotators: marks that are the same twice, of all."""
    same: Counter[tuple[str, str]] = Counter()
    every: Counter[tuple[str, str]] = Counter()
    for one, other, people in meetings(case.layer.marks):
        same[people] += 2 * (one == other)
        every[people] += (one is not None) + (other is not None)
    return {people: same[people] / many for people, many in every.items()}


def alone(case: Case, values: Values, *, whose: bool) -> None:
    """Of marks that one of two made alone, how many are somebody's, or the others'."""
    who = str(values["annotator"])
    lone = [
        (people[0] if other is None else people[1]) == who
        for one, other, people in meetings(case.layer.marks)
        if who in people and (one is None or other is None)
    ]
    assert number(values["p"]) < LEVEL
    own_habit(case, who, "fewer")
    assert values["cases"] == len(lone)
    assert values["own"] == lone.count(whose) > len(lone) / 2
    beside_others(case, values)


def typed(case: Case, values: Values, *, whose: bool) -> None:
    """Of marks that two labelled differently, one as is said, how often it is somebody's, or the other's."""
    who, label = str(values["annotator"]), values["category"]
    instead: Counter[str] = Counter()
    own = 0
    for one, other, people in meetings(case.layer.marks):
        if one and other and who in people and one[0] != other[0] and label in (one[0], other[0]):
            mine, their = (one, other) if people[0] == who else (other, one)
            is_so = ((mine if whose else their)[0]) == label
            own += is_so
            instead["" if not is_so else (their if whose else mine)[0]] += 1
    assert number(values["p"]) < LEVEL
    own_habit(case, who, "type")
    assert values["cases"] == instead.total()
    assert values["own"] == own > instead.total() / 2
    del instead[""]
    assert instead[str(values["instead"])] == max(instead.values())
    beside_others(case, values)


def beside_others(case: Case, values: Values) -> None:
    """F of marks with somebody, and of the others, is what is said; of two the other is named."""
    who = str(values["annotator"])
    if "other" in values:
        assert {who, values["other"]} == set(case.layer.marks)
        return
    f = strict_f(case)
    sides = [[value for pair, value in f.items() if (who in pair) == inside] for inside in (True, False)]
    assert near(values["f_with"], sum(sides[0]) / len(sides[0]))
    assert near(values["f_without"], sum(sides[1]) / len(sides[1]))


def f_of_all(case: Case, who: str) -> tuple[float, float]:
    """Return F of somebody's marks with all others', and of theirs: over all pairs together."""
    same, every = Counter[bool](), Counter[bool]()
    for one, other, people in meetings(case.layer.marks):
        same[who in people] += 2 * (one == other)
        every[who in people] += (one is not None) + (other is not None)
    return same[True] / every[True], same[False] / every[False]


def apart_from_others(way: int, case: Case, values: Values) -> None:
    """The marks of each one named agree less, or more, with the others' than these with one another."""
    names = values["names_list"]
    assert isinstance(names, tuple)
    assert number(values["p"]) < 2 * LEVEL
    for who in names:
        own, rest = f_of_all(case, str(who))
        assert (own - rest) * way > 0
    own, rest = f_of_all(case, str(names[0]))
    assert "f_with" not in values or near(values["f_with"], own)
    assert "f_without" not in values or near(values["f_without"], rest)


def tokens_of_marks(case: Case, _: Values) -> None:
    """No mark begins or ends inside a token."""
    found = [mark for own in case.layer.marks.values() for each in own.values() for mark in each]
    assert all(start % WORD == 0 and (end + 1) % WORD == 0 for _, start, end in found)


CHECKS: Mapping[str, Check] = {
    marks.BOUNDARIES.claim: boundaries,
    marks.OMISSIONS.claim: omissions,
    marks.OMISSIONS_AMONG.claim: omissions,
    marks.EARLIER.claim: partial(apart, BEGIN, -1),
    marks.EARLIER_AMONG.claim: partial(apart, BEGIN, -1),
    marks.LATER_AMONG.claim: partial(apart, BEGIN, 1),
    marks.LATER_ENDS.claim: partial(apart, END, 1),
    marks.LATER_ENDS_AMONG.claim: partial(apart, END, 1),
    marks.EARLIER_ENDS_AMONG.claim: partial(apart, END, -1),
    marks.MORE.claim: partial(alone, whose=True),
    marks.MORE_AMONG.claim: partial(alone, whose=True),
    marks.FEWER_AMONG.claim: partial(alone, whose=False),
    marks.OTHER_TYPE.claim: partial(typed, whose=True),
    marks.OTHER_TYPE_AMONG.claim: partial(typed, whose=True),
    marks.AVOIDED_AMONG.claim: partial(typed, whose=False),
    annotators.MARKS_APART.claim: partial(apart_from_others, -1),
    annotators.SEVERAL_MARKS_APART.claim: partial(apart_from_others, -1),
    annotators.MARKS_MORE.claim: partial(apart_from_others, 1),
    units.LENGTH.claim: tokens_of_marks,
}
