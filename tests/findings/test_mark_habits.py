"""Marks that disagree, and whose: the edges of each rule, on results made here."""

from collections.abc import Sequence

import pytest

from reportgen.findings import mark_habits
from reportgen.results import Finding, Habit, MarkDisagreements
from reportgen.results.marks import (
    AcrossLayers,
    Boundary,
    KindOfCase,
    MarkCase,
    Outcomes,
    PairCases,
    SpanPair,
    SpanResults,
)
from tests.findings.made_results import facts, figure, material, told

Case = tuple[str, str, int]


def marked(
    *cases: Case,
    people: Sequence[str] = ("A", "B"),
    habits: Sequence[Habit] = (),
    boundaries: Sequence[Boundary] = (),
    **changes: object,
) -> SpanResults:
    """Marks that disagree: cases by kind and label, of omissions those of the first annotator."""
    rows = tuple(
        MarkCase(kind=kind, cases=number, first=label, second=None if kind == "omission" else label)
        for kind, label, number in cases
    )
    pairs = tuple(
        PairCases(annotators=(one, other), roles=("annotator", "annotator"), cases=rows)
        for place, one in enumerate(people)
        for other in people[place + 1 :]
    )
    disagreements = MarkDisagreements(
        layer="main",
        documents=9,
        cases=rows,
        pairs=pairs,
        boundaries=tuple(boundaries)
        or tuple(Boundary(label=label, left=1, right=2, both=3) for _, label, _ in cases),
        habits=tuple(habits),
    )
    given: dict[str, object] = {
        "layers": (),
        "pairs": (),
        "mean_over_pairs": {},
        "disagreements": (disagreements,),
    }
    return SpanResults.model_validate(given | changes)


def habit(name: str, label: str | None = None, **changes: object) -> Habit:
    given: dict[str, object] = {
        "annotator": name,
        "type": label,
        "longer": 0,
        "shorter": 0,
        "marks": 50,
        "others": 50,
    }
    return Habit.model_validate(given | changes)


# Across layers


@pytest.mark.parametrize(
    ("cases", "omissions", "speaks"), [(2, 20, True), (2, 21, False), (1, 2, False), (3, 30, True)]
)
def test_labels_are_exchanged_across_layers_from_a_fifth_of_the_omissions_on(
    cases: int, omissions: int, *, speaks: bool
) -> None:
    two = AcrossLayers(
        first_layer="l", first="x", second_layer="m", second="y", cases=cases, omissions=omissions
    )
    found = told(mark_habits.across, spans=marked(across=(two,)))
    assert bool(found) is speaks
    if found:
        assert (found[0].values["exchanged"], found[0].values["omissions"]) == (2 * cases, omissions)
        assert (found[0].layers, found[0].categories) == (("l", "m"), ("x", "y"))
        assert len(told(mark_habits.across, spans=marked(across=(two,) * 5))) == 3
    assert told(mark_habits.across) == told(mark_habits.across, spans=marked()) == []


# Kinds of cases


def test_kinds_are_counted_from_two_cases_on() -> None:
    (found,) = told(mark_habits.kinds, spans=marked(("boundary", "x", 1), ("omission", "y", 1)))
    assert found.values == {
        "cases": 2,
        "first": "A",
        "second": "B",
        "boundary": 1,
        "type": 0,
        "both": 0,
        "omission": 1,
    }
    (among,) = told(mark_habits.kinds, spans=marked(("type", "x", 2), people="ABC"))
    assert (among.claim, "first" in among.values) == (mark_habits.KINDS_AMONG.claim, False)
    assert told(mark_habits.kinds, spans=marked(("boundary", "x", 1))) == []
    assert told(mark_habits.kinds) == []


def test_references_are_no_annotators_to_name() -> None:
    spans = marked(("boundary", "x", 5), people="ABC")
    (own,) = spans.disagreements or ()
    roles = [("annotator", "annotator"), ("annotator", "reference"), ("annotator", "reference")]
    pairs = tuple(
        each.model_copy(update={"roles": role}) for each, role in zip(own.pairs, roles, strict=True)
    )
    two = spans.model_copy(update={"disagreements": (own.model_copy(update={"pairs": pairs}),)})
    (found,) = told(mark_habits.kinds, spans=two)
    assert (found.values["first"], found.values["second"]) == ("A", "B")


def ends(*cases: Case, people: str = "AB", texts: bool = True) -> list[Finding]:
    own = material(tokens=100 if texts else None), material(layer="other", tokens=None if texts else 9)
    return told(mark_habits.boundaries, spans=marked(*cases, people=people), material=own)


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
        assert (values["left"], values["right"], values["both_ends"]) == (1, 2, 3)
        assert (values["first"], values["second"]) == ("A", "B")
    turned = told(
        mark_habits.omissions, spans=marked(("omission", "x", boundary), ("boundary", "x", omission))
    )
    assert bool(turned) is speaks
    if turned:
        assert (turned[0].values["first_only"], turned[0].values["second_only"]) == (boundary, 0)
        assert (turned[0].cases, turned[0].asks) == (boundary, "mark")


def test_three_types_are_told_those_with_most_cases_first() -> None:
    found = ends(*(("boundary", label, number) for label, number in zip("abcd", (3, 9, 5, 7), strict=True)))
    assert [each.values["category"] for each in found] == ["b", "d", "c"]
    assert ends() == []
    assert told(mark_habits.boundaries) == told(mark_habits.omissions) == []


def test_marks_in_recordings_and_among_several_have_their_own_words() -> None:
    case = ("boundary", "x", 5)
    (in_text,) = ends(case)
    assert (in_text.claim, in_text.asks) == (mark_habits.BOUNDARIES.claim, "ends")
    assert [(each.advice, each.asks) for each in ends(case, texts=False)] == [(mark_habits.IN_TIME, None)]
    (among,) = ends(case, people="ABC")
    assert (among.claim, among.asks) == (mark_habits.BOUNDARIES_AMONG.claim, "ends")
    (in_time,) = ends(case, people="ABC", texts=False)
    assert (in_time.claim, in_time.advice) == (mark_habits.BOUNDARIES_AMONG.claim, mark_habits.IN_TIME)
    (omitted,) = told(mark_habits.omissions, spans=marked(("omission", "x", 5), people="ABC"))
    assert (omitted.claim, "first_only" in omitted.values) == (mark_habits.OMISSIONS_AMONG.claim, False)


def test_marks_are_disputed_for_their_ends_where_these_are_more_than_omissions() -> None:
    def mostly(boundary: int, omission: int) -> bool:
        spans = marked(("boundary", "x", boundary), ("omission", "x", omission), ("omission", "y", 99))
        return mark_habits.mostly_boundaries(facts(spans=spans), "x")

    assert mostly(3, 2)
    assert not mostly(2, 2)
    assert not mark_habits.mostly_boundaries(facts(), "x")


# Who is on one side of a kind of case


def on_one_side(name: str, kind: str, own: int, others: int, p: float | None) -> tuple[Habit, Habit]:
    """What somebody does, over all types and for one."""
    case = KindOfCase(own=own, others=others, p=p)
    small = KindOfCase(own=1, others=0, p=0.9)
    every = habit(name, kinds={kind: case})
    return every, habit(name, "x", kinds={kind: case.model_copy(update={"p": 0.9}), "around": small})


KINDS = [
    ("joins", "joined-marks", mark_habits.JOINS_AMONG, mark_habits.SPLITS_AMONG),
    ("left", "earlier-begins", mark_habits.EARLIER_AMONG, mark_habits.LATER_AMONG),
    ("right", "later-ends", mark_habits.LATER_ENDS_AMONG, mark_habits.EARLIER_ENDS_AMONG),
]


@pytest.mark.parametrize(("kind", "name", "among", "reverse"), KINDS)
def test_who_is_on_one_side_is_named(kind: str, name: str, among: object, reverse: object) -> None:
    for own, others, who in ((9, 8, ("A", "B")), (8, 9, ("B", "A"))):
        (found,) = told(
            mark_habits.directions, spans=marked(habits=on_one_side("A", kind, own, others, 0.04))
        )
        assert (found.id, found.values["annotator"], found.values["other"]) == (name, *who)
        assert (found.values["own"], found.values["cases"], found.values["category"]) == (9, 17, "x")
        assert (found.cases, found.values["p"]) == (9, 0.04)
        (of_three,) = told(
            mark_habits.directions,
            spans=marked(habits=on_one_side("A", kind, own, others, 0.04), people="ABC"),
        )
        assert of_three.claim == (among if own > others else reverse).claim  # type: ignore[attr-defined]
        assert (of_three.values["annotator"], of_three.values["own"]) == ("A", 9)


@pytest.mark.parametrize(("p", "speaks"), [(0.0499, True), (0.05, False), (None, False)])
def test_a_side_is_told_beyond_chance(p: float | None, *, speaks: bool) -> None:
    assert (
        bool(told(mark_habits.directions, spans=marked(habits=on_one_side("A", "joins", 9, 1, p)))) is speaks
    )
    assert told(mark_habits.directions) == []


def test_sides_are_corrected_for_their_number_and_the_most_cases_come_first() -> None:
    def sides(p: float) -> list[tuple[object, object]]:
        habits = (
            *on_one_side("A", "left", 7, 1, 0.01),
            *on_one_side("B", "joins", 9, 1, p),
            *on_one_side("C", "right", 2, 1, 0.9),
        )
        found = told(mark_habits.directions, spans=marked(habits=habits, people="ABC"))
        return [(each.id, each.values["p"]) for each in found]

    assert sides(0.01) == [("joined-marks", pytest.approx(0.03)), ("earlier-begins", pytest.approx(0.03))]
    assert sides(0.026) == [("earlier-begins", pytest.approx(0.03))], "0.026 becomes 0.052"


def test_where_one_joins_the_others_split_which_is_no_habit_of_theirs() -> None:
    habits = (
        *on_one_side("A", "joins", 20, 2, 0.001),
        *on_one_side("B", "joins", 1, 9, 0.001),
        *on_one_side("C", "joins", 9, 1, 0.001),
    )
    found = told(mark_habits.directions, spans=marked(habits=habits, people="ABC"))
    assert [each.values["annotator"] for each in found] == ["A", "C"]


def test_the_label_with_most_of_the_cases_is_named() -> None:
    every, _ = on_one_side("A", "joins", 9, 1, 0.01)

    def of(label: str, own: int, others: int, name: str = "A") -> Habit:
        return habit(name, label, kinds={"joins": KindOfCase(own=own, others=others)})

    labels = (
        of("x", 3, 0),
        of("y", 0, 5),
        of("z", 5, 0),
        of("w", 4, 4),
        of("q", 99, 0, "B"),
        habit("A", "r", kinds={"left": KindOfCase(own=99, others=0)}),
    )
    (found,) = told(mark_habits.directions, spans=marked(habits=(every, *labels), people="ABC"))
    assert found.values["category"] == "y", "of equal ones the first"


def span_pair(people: tuple[str, str], strict: float | None, **changes: object) -> SpanPair:
    shares = {"f_measure": figure(strict)}
    given: dict[str, object] = {
        "layer": "main",
        "annotators": people,
        "roles": ("annotator", "annotator"),
        "documents": 9,
        "false_positives": figure(0.0),
        "macro_documents": {},
        "macro_types": {},
        "by_type": {},
        "differs_from_greedy": 0,
        "counts": Outcomes(match=1, overlap=0, only_first=0, only_second=0),
        "strict": shares,
        "lenient": shares,
        "average": shares,
    }
    return SpanPair.model_validate(given | changes)


def test_f_with_somebody_and_without_is_a_mean_over_pairs_of_annotators() -> None:
    pairs = (
        span_pair(("A", "B"), 0.5),
        span_pair(("C", "A"), 0.7),
        span_pair(("B", "C"), 0.9),
        span_pair(("B", "D"), None),
        span_pair(("B", "gold"), 0.1, roles=("annotator", "reference")),
        span_pair(("B", "C"), 0.1, layer="other"),
    )
    spans = marked(habits=on_one_side("A", "joins", 9, 1, 0.01), people="ABC", pairs=pairs)
    (found,) = told(mark_habits.directions, spans=spans)
    assert found.values["f_with"] == pytest.approx(0.6)
    assert found.values["f_without"] == 0.9


# Who marks longer, or more


@pytest.mark.parametrize(("p", "speaks"), [(0.0499, True), (0.05, False), (None, False)])
def test_who_marks_longer_or_more_is_told_beyond_chance(p: float | None, *, speaks: bool) -> None:
    longer = habit("A", "x", longer=9, shorter=2, longer_p=p)
    found = told(mark_habits.longer, spans=marked(habits=(longer,)))
    assert bool(found) is speaks
    more = habit("A", marks=60, others=40, more_p=p)
    counted = told(mark_habits.more, spans=marked(habits=(more,)))
    assert bool(counted) is speaks
    if speaks:
        values = found[0].values
        assert (values["annotator"], values["other"], values["longer"], values["pairs"]) == ("A", "B", 9, 11)
        assert (found[0].people, found[0].asks, found[0].cases) == (("A", "B"), "reach", 11)
        values = counted[0].values
        assert (values["annotator"], values["other"], values["marks"], values["others"]) == ("A", "B", 60, 40)
        assert (counted[0].people, counted[0].asks, counted[0].cases) == (("A", "B"), "balance", 20)
    assert told(mark_habits.longer) == told(mark_habits.more) == []


def test_who_is_shorter_or_marks_less_is_said_of_the_other_of_two() -> None:
    shorter = habit("A", "x", longer=2, shorter=9, longer_p=0.01)
    (found,) = told(mark_habits.longer, spans=marked(habits=(shorter,)))
    assert (found.values["annotator"], found.values["other"], found.values["longer"]) == ("B", "A", 9)
    (of_three,) = told(mark_habits.longer, spans=marked(habits=(shorter,), people="ABC"))
    assert (of_three.values["annotator"], of_three.values["shorter"]) == ("A", 9)
    assert of_three.claim == mark_habits.SHORTER_AMONG.claim
    fewer = habit("A", marks=40, others=60, more_p=0.01)
    (found,) = told(mark_habits.more, spans=marked(habits=(fewer,)))
    assert (found.values["annotator"], found.values["marks"], found.values["others"]) == ("B", 60, 40)
    (of_three,) = told(mark_habits.more, spans=marked(habits=(fewer,), people="ABC"))
    assert (of_three.claim, of_three.values["marks"], of_three.cases) == (
        mark_habits.FEWER_AMONG.claim,
        40,
        20,
    )
    many = habit("A", marks=60, others=40, more_p=0.01)
    (of_three,) = told(mark_habits.more, spans=marked(habits=(many,), people="ABC"))
    assert of_three.claim == mark_habits.MORE_AMONG.claim
    long = habit("A", "x", longer=9, shorter=2, longer_p=0.01)
    (of_three,) = told(mark_habits.longer, spans=marked(habits=(long,), people="ABC"))
    assert (of_three.claim, of_three.values["longer"]) == (mark_habits.LONGER_AMONG.claim, 9)


def test_lengths_are_of_types_numbers_of_all_and_the_surest_comes_first() -> None:
    habits = (
        habit("A", longer=9, longer_p=0.001, marks=60, more_p=0.9),
        habit("A", "x", longer=9, longer_p=0.02, marks=60, more_p=0.001),
        habit("A", "y", longer=9, longer_p=0.01),
    )
    found = told(mark_habits.longer, spans=marked(habits=habits))
    assert [(each.values["category"], each.values["p"]) for each in found] == [("y", 0.02), ("x", 0.02)]
    assert told(mark_habits.more, spans=marked(habits=habits)) == []
    large = habits[1].model_copy(update={"longer_p": 0.06}), habits[2].model_copy(update={"longer_p": 0.026})
    assert told(mark_habits.longer, spans=marked(habits=large)) == [], "0.026 becomes 0.052"


def test_the_habits_of_others_that_follow_from_somebody_s_are_none() -> None:
    habits = (
        habit("A", "x", longer=30, shorter=2, longer_p=0.001),
        habit("B", "x", longer=1, shorter=12, longer_p=0.001),
        habit("C", "x", longer=9, shorter=2, longer_p=0.001),
        habit("B", "y", longer=1, shorter=12, longer_p=0.001),
    )
    found = told(mark_habits.longer, spans=marked(habits=habits, people="ABC"))
    assert [(each.values["annotator"], each.values["category"]) for each in found] == [
        ("A", "x"),
        ("C", "x"),
        ("B", "y"),
    ]
    counts = habit("A", marks=90, others=20, more_p=0.001), habit("B", marks=20, others=50, more_p=0.001)
    found = told(mark_habits.more, spans=marked(habits=counts, people="ABC"))
    assert [each.values["annotator"] for each in found] == ["A"]


def test_who_joins_has_longer_and_fewer_marks_which_is_said_once() -> None:
    joining = on_one_side("A", "joins", 9, 1, 0.001)
    longer = habit("A", "y", longer=9, shorter=2, longer_p=0.001)
    assert told(mark_habits.longer, spans=marked(habits=(*joining, longer), people="ABC")) == []
    beside = longer.model_copy(update={"annotator": "B"})
    assert len(told(mark_habits.longer, spans=marked(habits=(*joining, beside), people="ABC"))) == 1

    def counted(marks: int, others: int, kind: str = "joins", own: int = 9) -> int:
        every, of_x = on_one_side("A", kind, own, 10 - own, 0.001)
        every = every.model_copy(update={"marks": marks, "others": others, "more_p": 0.001})
        return len(told(mark_habits.more, spans=marked(habits=(every, of_x), people="ABC")))

    assert counted(40, 60) == 0
    assert counted(60, 40) == 1
    assert counted(60, 40, own=1) == 0
    assert counted(40, 60, own=1) == 1
    assert counted(40, 60, "left") == 1
