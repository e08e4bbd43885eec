"""Marks that disagree, and whose: the edges of each rule, on results made here."""

from collections.abc import Sequence

import pytest

from reportgen.findings import annotators, marks
from reportgen.findings.marks import _of_their_own
from reportgen.results import Finding, Habit
from reportgen.results.marks import (
    KindOfCase,
    MarkCase,
    Outcomes,
    SpanPair,
)
from tests.findings.made_results import Case, facts, marked, material, span_pair, told


def habit(name: str, label: str | None = None, **changes: object) -> Habit:
    given: dict[str, object] = {
        "annotator": name,
        "type": label,
        "marks": 50,
        "others": 50,
    }
    return Habit.model_validate(given | changes)


def test_references_are_no_annotators_to_name() -> None:
    spans = marked(("omission", "x", 5), people="ABC")
    (own,) = spans.disagreements or ()
    roles = [("annotator", "annotator"), ("annotator", "reference"), ("annotator", "reference")]
    pairs = tuple(
        each.model_copy(update={"roles": role}) for each, role in zip(own.pairs, roles, strict=True)
    )
    two = spans.model_copy(update={"disagreements": (own.model_copy(update={"pairs": pairs}),)})
    (found,) = told(marks.omissions, spans=two)
    assert (found.values["first"], found.values["second"]) == ("A", "B")


def ends(*cases: Case, people: str = "AB", texts: bool = True) -> list[Finding]:
    own = material(tokens=100 if texts else None), material(layer="other", tokens=None if texts else 9)
    return told(marks.boundaries, spans=marked(*cases, people=people), material=own)


@pytest.mark.parametrize(
    ("boundary", "omission", "speaks"), [(2, 18, True), (2, 19, False), (1, 1, False), (2, 0, True)]
)
def test_ends_and_omissions_are_told_from_a_tenth_of_the_cases_on(
    boundary: int, omission: int, *, speaks: bool
) -> None:
    found = ends(("boundary", "x", boundary), ("omission", "x", omission))
    assert bool(found) is speaks
    if found:
        values = found[0].values
        assert (values["boundary"], values["cases"]) == (boundary, boundary + omission)
    turned = told(marks.omissions, spans=marked(("omission", "x", boundary), ("boundary", "x", omission)))
    assert bool(turned) is speaks
    if turned:
        assert (turned[0].values["first_only"], turned[0].values["second_only"]) == (boundary, 0)
        assert (turned[0].cases, turned[0].asks) == (boundary, "mark")


def test_three_types_are_told_those_with_most_cases_first() -> None:
    found = ends(*(("boundary", label, number) for label, number in zip("abcd", (3, 9, 5, 7), strict=True)))
    assert [each.values["category"] for each in found] == ["b", "d", "c"]
    assert ends() == []
    assert told(marks.boundaries) == told(marks.omissions) == []


def test_marks_among_several_have_their_own_words() -> None:
    case = ("boundary", "x", 5)
    for texts in (True, False):
        (found,) = ends(case, texts=texts)
        assert (found.claim, found.asks) == (marks.BOUNDARIES.claim, "ends")
    (omitted,) = told(marks.omissions, spans=marked(("omission", "x", 5), people="ABC"))
    assert (omitted.claim, "first_only" in omitted.values) == (marks.OMISSIONS_AMONG.claim, False)


def test_marks_are_disputed_for_their_ends_where_these_are_more_than_omissions() -> None:
    def mostly(boundary: int, omission: int) -> bool:
        spans = marked(("boundary", "x", boundary), ("omission", "x", omission), ("omission", "y", 99))
        return marks.mostly_boundaries(facts(spans=spans), "x")

    assert mostly(3, 2)
    assert not mostly(2, 2)
    assert not marks.mostly_boundaries(facts(), "x")


# Who is on one side of a kind of case


def on_one_side(name: str, kind: str, own: int, others: int, p: float | None) -> tuple[Habit, Habit]:
    """What somebody does, over all types and for one."""
    case = KindOfCase(own=own, others=others, p=p)
    small = KindOfCase(own=1, others=0, p=0.9)
    every = habit(name, kinds={kind: case})
    return every, habit(name, "x", kinds={kind: case.model_copy(update={"p": 0.9}), "around": small})


KINDS = [
    ("left", "earlier-begins", marks.EARLIER_AMONG, marks.LATER_AMONG),
    ("right", "later-ends", marks.LATER_ENDS_AMONG, marks.EARLIER_ENDS_AMONG),
    ("omitted", "more-marks", marks.MORE_AMONG, marks.FEWER_AMONG),
]


@pytest.mark.parametrize(("kind", "name", "among", "reverse"), KINDS)
def test_who_is_on_one_side_is_named(kind: str, name: str, among: object, reverse: object) -> None:
    for own, others, who in ((9, 8, ("A", "B")), (8, 9, ("B", "A"))):
        (found,) = told(marks.directions, spans=marked(habits=on_one_side("A", kind, own, others, 0.01)))
        assert (found.id, found.values["annotator"], found.values["other"]) == (name, *who)
        assert (found.values["own"], found.values["cases"], found.values["category"]) == (9, 17, "x")
        assert (found.cases, found.values["p"]) == (9, 0.01)
        (of_three,) = told(
            marks.directions,
            spans=marked(habits=on_one_side("A", kind, own, others, 0.01), people="ABC"),
        )
        assert of_three.claim == (among if own > others else reverse).claim  # type: ignore[attr-defined]
        assert (of_three.values["annotator"], of_three.values["own"]) == ("A", 9)


@pytest.mark.parametrize(("p", "speaks"), [(0.0199, True), (0.02, False), (None, False)])
def test_a_side_is_told_beyond_chance(p: float | None, *, speaks: bool) -> None:
    assert bool(told(marks.directions, spans=marked(habits=on_one_side("A", "right", 9, 1, p)))) is speaks
    assert told(marks.directions) == []


def test_sides_are_corrected_for_their_number_and_the_most_cases_come_first() -> None:
    def sides(p: float) -> list[tuple[object, object]]:
        habits = (
            *on_one_side("A", "left", 7, 1, 0.005),
            *on_one_side("B", "right", 9, 1, p),
            *on_one_side("C", "omitted", 2, 1, 0.9),
        )
        found = told(marks.directions, spans=marked(habits=habits, people="ABC"))
        return [(each.id, each.values["p"]) for each in found]

    assert sides(0.005) == [
        ("later-ends", pytest.approx(0.015)),
        ("earlier-begins", pytest.approx(0.015)),
    ]
    assert sides(0.011) == [("earlier-begins", pytest.approx(0.015))], "0.011 becomes 0.022"


def test_where_one_ends_later_the_others_end_earlier_which_is_no_habit_of_theirs() -> None:
    habits = (
        *on_one_side("A", "right", 20, 2, 0.001),
        *on_one_side("B", "right", 1, 9, 0.001),
        *on_one_side("C", "right", 9, 1, 0.001),
    )
    found = told(marks.directions, spans=marked(habits=habits, people="ABC"))
    assert [each.values["annotator"] for each in found] == ["A", "C"]


def test_the_label_with_most_of_the_cases_is_named() -> None:
    every, _ = on_one_side("A", "right", 9, 1, 0.01)

    def of(label: str, own: int, others: int, name: str = "A") -> Habit:
        return habit(name, label, kinds={"right": KindOfCase(own=own, others=others)})

    labels = (
        of("x", 3, 0),
        of("z", 5, 0),
        of("y", 0, 5),
        of("w", 4, 4),
        of("q", 99, 0, "B"),
        habit("A", "r", kinds={"left": KindOfCase(own=99, others=0)}),
    )
    (found,) = told(marks.directions, spans=marked(habits=(every, *labels), people="ABC"))
    assert found.values["category"] == "y", "of equal ones the first"


def test_one_label_of_a_person_is_told_that_with_most_cases() -> None:
    def chooses(name: str, label: str, own: int) -> Habit:
        return habit(name, label, kinds={"another": KindOfCase(own=own, others=1, p=0.001)})

    habits = chooses("A", "x", 8), chooses("A", "y", 9), chooses("B", "z", 7)
    found = told(marks.other_types, spans=marked(habits=habits, people="ABC"))
    assert [(each.values["annotator"], each.values["category"]) for each in found] == [("A", "y"), ("B", "z")]


def test_f_with_somebody_and_without_is_a_mean_over_pairs_of_annotators() -> None:
    pairs = (
        span_pair(("A", "B"), 0.5),
        span_pair(("C", "A"), 0.7),
        span_pair(("B", "C"), 0.9),
        span_pair(("B", "D"), None),
        span_pair(("B", "gold"), 0.1, roles=("annotator", "reference")),
        span_pair(("B", "C"), 0.1, layer="other"),
    )
    spans = marked(habits=on_one_side("A", "right", 9, 1, 0.01), people="ABC", pairs=pairs)
    (found,) = told(marks.directions, spans=spans)
    assert found.values["f_with"] == pytest.approx(0.6)
    assert found.values["f_without"] == 0.9


def outcomes(first: str, second: str, *counts: int, **changes: object) -> SpanPair:
    """Two people's marks: the same, one by the first alone, one by the second alone."""
    match, only_first, only_second = counts
    both = Outcomes(match=match, overlap=0, only_first=only_first, only_second=only_second)
    return span_pair((first, second), 0.5, counts=both, **changes)


SILENT = [
    # One of three marks; so does one of two; all mark something; nobody marks anything.
    ((("A", "B", 0, 9, 0), ("A", "C", 0, 9, 0), ("B", "C", 0, 0, 0)), ["B", "C"]),
    ((("A", "B", 0, 0, 1),), ["A"]),
    ((("A", "B", 0, 1, 1),), []),
    ((("A", "B", 0, 0, 0),), []),
    # Who marked nothing in one document, and something in those of others; and who met nobody that marked.
    ((("A", "B", 0, 9, 0), ("B", "C", 1, 0, 0)), []),
    ((("A", "B", 0, 0, 0), ("C", "D", 5, 1, 0)), []),
]


@pytest.mark.parametrize(("pairs", "names"), SILENT)
def test_who_marked_nothing_where_others_did_is_named(
    pairs: Sequence[tuple[str, str, int, int, int]], names: list[str]
) -> None:
    spans = marked(people="ABCD", pairs=[outcomes(*each) for each in pairs])
    found = told(annotators.silent, spans=spans)
    assert [name for each in found for name in each.values["names_list"]] == names  # type: ignore[union-attr]
    # References and other layers are not looked at.
    roles = outcomes("A", "gold", 0, 0, 9, roles=("annotator", "reference"))
    elsewhere = outcomes("A", "B", 0, 0, 9, layer="other")
    assert told(annotators.silent, spans=marked(people="AB", pairs=[roles, elsewhere])) == []


def test_who_makes_fewer_marks_than_the_one_who_makes_more_is_not_named() -> None:
    counts = (
        *on_one_side("A", "omitted", 90, 20, 0.001),
        *on_one_side("B", "omitted", 20, 50, 0.001),
    )
    found = told(marks.directions, spans=marked(habits=counts, people="ABC"))
    assert [each.values["annotator"] for each in found] == ["A"]


# Who chooses another type


def types(name: str, label: str, own: int, others: int, p: float | None = 0.001) -> Habit:
    return habit(name, label, kinds={"another": KindOfCase(own=own, others=others, p=p)})


def exchanged(*habits: Habit, people: str = "ABC") -> list[Finding]:
    """What is said where the first of each two chose x, and the second y in 5 cases and z in 3."""
    spans = marked(habits=habits, people=people)
    rows = tuple(
        MarkCase(kind=kind, cases=number, first="x", second=label)
        for kind, number, label in (
            ("type", 4, "y"),
            ("both", 1, "y"),
            ("type", 3, "z"),
            ("boundary", 9, "x"),
        )
    )
    (own,) = spans.disagreements or ()
    pairs = tuple(pair.model_copy(update={"cases": rows}) for pair in own.pairs)
    changed = own.model_copy(update={"pairs": pairs})
    return told(marks.other_types, spans=spans.model_copy(update={"disagreements": (changed,)}))


def test_who_chooses_another_label_is_named_with_what_the_others_choose() -> None:
    (found,) = exchanged(types("A", "x", 20, 2), types("A", "y", 2, 18))
    assert found.claim == marks.OTHER_TYPE_AMONG.claim
    shown = [found.values[name] for name in ("annotator", "category", "instead", "own", "cases")]
    assert shown == ["A", "x", "y", 20, 22]
    # Only that somebody avoids a label is beyond chance.
    (avoids,) = exchanged(types("C", "x", 2, 20), types("C", "y", 9, 7, 0.5))
    assert (avoids.claim, avoids.values["instead"]) == (marks.AVOIDED_AMONG.claim, "y")
    (two,) = exchanged(types("A", "x", 20, 2), types("A", "y", 2, 18), people="AB")
    assert (two.claim, two.values["other"]) == (marks.OTHER_TYPE.claim, "B")
    assert exchanged(types("A", "x", 20, 2, 0.02)) == []
    assert exchanged(types("A", "x", 20, 2, 0.0199)) != []
    # The others choose y where A chooses x, which is no habit of theirs.
    names = exchanged(types("A", "x", 20, 2), types("B", "x", 1, 10), types("C", "x", 1, 10))
    assert [each.values["annotator"] for each in names] == ["A"]


def test_habits_are_of_those_who_go_the_way_of_the_largest_of_their_type() -> None:
    by = {"A": 5, "B": 2, "C": -4, "D": 0}
    habits = [(habit(name, "x"), 0.01) for name in by]
    others = [(habit(name, "y"), 0.02) for name in "CD"]

    def own(some: Sequence[tuple[Habit, float]]) -> list[tuple[str, str | None]]:
        found = _of_their_own(some, lambda each: by[each.annotator])
        return [(each.annotator, each.type) for each, _ in found]

    assert own(habits) == [("A", "x"), ("B", "x")]
    assert own([*others, *habits]) == [("C", "y"), ("A", "x"), ("B", "x")]
    assert own(habits[3:]) == []
