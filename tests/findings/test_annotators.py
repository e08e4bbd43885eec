"""Who exchanged labels, contradicts others, drifts, marks otherwise: the edges of each rule, on made data."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from reportgen.findings import annotator_pairs, annotators, marks
from reportgen.findings import annotators as annotator_rules
from reportgen.findings.annotator_pairs import Crossing, _meets_a_third, standings, swaps, without
from reportgen.findings.annotators import Constant
from reportgen.findings.layer_facts import LayerFacts
from reportgen.findings.marks import _of_their_own
from reportgen.measures.significance_tests import NoTest
from reportgen.results import Finding, Habit, UnitSet
from reportgen.results.annotators import (
    AnnotatorErrors,
    AnnotatorVsRest,
    Block,
    CategoryUse,
    Controls,
    Copies,
    DawidSkene,
    Drift,
    WithoutNearest,
)
from reportgen.results.marks import (
    KindOfCase,
    MarkCase,
    Outcomes,
    SpanPair,
)
from reportgen.results.unit_sets import AggregateReliability, EnoughAnnotators, SymmetryTest
from tests.findings.made_results import (
    KAPPA,
    Case,
    Table,
    beside,
    facts,
    figure,
    marked,
    material,
    pair,
    quality,
    span_pair,
    symmetry,
    told,
    unit_set,
)

# Without somebody


@pytest.mark.parametrize(("alone", "gains"), [(0.501, True), (0.5009, False), (0.4, False), (None, False)])
def test_the_figure_without_somebody_is_told_where_a_reader_sees_that_it_is_more(
    alone: float | None, *, gains: bool
) -> None:
    compared = quality(beside("A", without=figure(alone)), beside("B"))
    other = quality(beside("A", without=figure(0.9)), layer="other")
    own = facts(unit_set(measures={KAPPA: figure(0.5)}), quality=(compared, other))
    found = without(own, "A")
    assert (
        {**found} == {"annotator": "A", "coefficient": "Cohen's kappa", "without": alone, "value": 0.5}
    ) is gains
    assert bool(found) is gains
    assert without(own, "B") == {}
    assert without(own, "C") == {}
    assert without(facts(quality=(compared,)), "A") == {}
    assert set(standings(own)) == {"A", "B"}
    assert standings(facts()) == {}


# Exchanged labels


@pytest.mark.parametrize(
    ("ways", "agreed", "others", "swap"),
    [
        ((3, 3), 0, 1, False),
        ((5, 5), 0, 1, True),
        ((5, 4), 0, 1, False),
        ((7, 3), 0, 1, True),
        ((8, 2), 0, 1, False),
        ((10, 10), 4, 1, True),
        ((10, 10), 5, 1, False),
        ((10, 10), 0, 2, True),
        ((9, 9), 0, 2, False),
    ],
)
def test_labels_are_exchanged_that_cross_more_than_they_agree_beyond_chance(
    ways: tuple[int, int], agreed: int, others: int, *, swap: bool
) -> None:
    assert Crossing("x", "y", ways, agreed).is_swap(others) is swap
    assert Crossing("x", "y", ways, agreed).crossed == sum(ways)


def crossing(third: int = 0, **changes: object) -> UnitSet:
    """Two who exchanged x and y, and of whom one gave z to some of the other's x."""
    table = {("x", "y"): 10, ("y", "x"): 9, ("x", "x"): 1, ("x", "z"): third, ("z", "z"): 20}
    return unit_set(pair(table), measures={KAPPA: figure(0.5)}, **changes)


def test_two_who_exchanged_labels_are_both_named_with_what_settling_it_brings() -> None:
    (found,) = told(annotator_pairs.swapped, crossing())
    values = found.values
    assert (values["first"], values["second"], values["label"], values["other"]) == ("A", "B", "x", "y")
    assert (values["units"], values["crossed"], found.cases) == (20, 19, 20)
    assert found.gain == pytest.approx(0.5)
    (among,) = told(annotator_pairs.swapped, crossing(third=1))
    assert among.gain == pytest.approx(0.5 * 19 / 20)
    weighted = {"coefficients": {"main": "weighted_kappa[linear]"}}
    assert told(annotator_pairs.swapped, crossing(), **weighted)[0].gain is None
    bare = crossing().model_copy(update={"measures": {}})
    assert told(annotator_pairs.swapped, bare)[0].gain is None


def test_exchanged_labels_are_told_in_the_order_of_the_categories() -> None:
    exchanged = [("a", "l"), ("b", "k"), ("c", "j"), ("d", "i"), ("e", "h"), ("f", "g")]
    table = dict.fromkeys([*exchanged, *((other, label) for label, other in exchanged)], 9)
    own = unit_set(pair(table, categories="abcdefghijkl"))
    assert [(found.label, found.other) for _, found in swaps(own)] == exchanged


@pytest.mark.parametrize("scale", ["nominal", "set", "ordinal", "interval", "ratio"])
def test_labels_of_numbers_are_no_names_to_exchange(scale: str) -> None:
    assert bool(list(swaps(crossing(scale=scale)))) is (scale in {"nominal", "set", "ordinal"})


@pytest.mark.parametrize(("third", "swap"), [(2, True), (3, False), (20, False)])
def test_who_gives_third_labels_as_often_has_exchanged_nothing(third: int, *, swap: bool) -> None:
    """(10 - 3) / √13 is less than 2 standard deviations, (10 - 2) / √12 more."""
    assert bool(list(swaps(crossing(third)))) is swap


@pytest.mark.parametrize("pairs", [1, 2, 4])
def test_of_several_pairs_third_labels_are_those_of_one_on_average(pairs: int) -> None:
    for third, meets in ((2, False), (3, True)):
        met = [Counter({("x", "y"): 10, ("y", "x"): 9, ("x", "z"): third})] * pairs
        assert _meets_a_third(met, Crossing("x", "y", (10 * pairs, 9 * pairs), 0)) is meets


def test_units_that_stay_unmarked_are_exchanged_with_nothing() -> None:
    assert list(swaps(crossing(non_annotated="x"))) == []
    assert len(list(swaps(crossing(non_annotated="z")))) == 1


def of_three(own: Table, others: Table, **changes: object) -> UnitSet:
    """Three annotators: C beside A and B, and these beside each other."""
    pairs = pair(others, ("A", "B")), pair(own, ("A", "C")), pair(own, ("B", "C"))
    return unit_set(*pairs, measures={KAPPA: figure(0.5)}, **changes)


CROSSED = {("x", "y"): 20, ("y", "x"): 20, ("x", "x"): 2}
AGREED = {("x", "x"): 21, ("y", "y"): 20}


def test_of_three_the_one_is_named_against_whom_the_others_agree() -> None:
    own = of_three(CROSSED, AGREED)
    ((names, found),) = swaps(own)
    assert (names, found.crossed, found.agreed) == (("C",), 80, 4)
    (finding,) = told(annotator_pairs.swapped, own, quality=(quality(beside("C", without=figure(0.9))),))
    assert (finding.values["annotator"], finding.values["without"], finding.cases) == ("C", 0.9, 80)
    assert finding.claim == annotator_pairs.SWAPPED_BY.claim
    (plain,) = told(annotator_pairs.swapped, own)
    assert plain.claim == annotator_pairs.SWAPPED_BY.claim
    nothing = own.model_copy(update={"measures": {KAPPA: figure(0.0)}})
    assert told(annotator_pairs.swapped, nothing)[0].gain == pytest.approx(2 * (plain.gain or 0.0))
    weighted = {"coefficients": {"main": "weighted_kappa[linear]"}}
    weighing = own.model_copy(update={"measures": {"weighted_kappa[linear]": figure(0.5)}})
    by = {"quality": (quality(beside("C", without=figure(0.9))),)}
    assert told(annotator_pairs.swapped, weighing, **weighted, **by)[0].gain == pytest.approx(0.4)
    even = {("x", "x"): 10, ("x", "y"): 5, ("y", "x"): 5}
    assert list(swaps(of_three(CROSSED, even))) == [], "the others agree no more than they cross"


def test_third_labels_are_those_that_others_have_where_somebody_has_one_of_the_two() -> None:
    assert list(swaps(of_three(CROSSED | {("z", "x"): 15}, AGREED))) == [], "C has x where others have z"
    ((names, _),) = swaps(of_three(CROSSED | {("x", "z"): 15}, AGREED))
    assert names == ("C",)


# Copies


@pytest.mark.parametrize(("same", "copy"), [(30, True), (29, False)])
def test_of_counts_two_who_always_agree_on_thirty_units_are_asked_about(same: int, *, copy: bool) -> None:
    alike = pair({("x", "x"): same - 5, ("y", "y"): 5})
    found = told(annotator_pairs.identical, unit_set(alike))
    assert bool(found) is copy
    if found:
        assert found[0].claim == annotator_pairs.SAME.claim
        assert (found[0].values["units"], found[0].values["first"], found[0].cases) == (same, "A", same)
    third = pair({("x", "x"): 20, ("x", "y"): 20}, ("A", "C"))
    assert told(annotator_pairs.identical, unit_set(alike, third)) == [], "who labelled the same is unknown"


def test_who_differs_less_than_others_let_expect_is_asked_about() -> None:
    nearly = Copies(first="A", second="B", units=100, differ=10, expected=39.6)
    (found,) = told(annotator_pairs.identical, quality=(quality(copies=(nearly,)),))
    assert found.claim == annotator_pairs.NEARLY_SAME.claim
    assert {name: found.values[name] for name in ("first", "second", "units", "differ", "expected")} == {
        "first": "A",
        "second": "B",
        "units": 100,
        "differ": 10,
        "expected": 40,
    }
    same = Copies(first="A", second="B", units=90, differ=0)
    (found,) = told(annotator_pairs.identical, quality=(quality(copies=(same,)),))
    assert (found.claim, found.values["units"]) == (annotator_pairs.SAME.claim, 90)
    assert told(annotator_pairs.identical, quality=(quality(),)) == []


def test_several_copies_are_named_together() -> None:
    both = [Copies(first="A", second=name, units=50, differ=0) for name in "BC"]
    (found,) = told(annotator_pairs.identical, quality=(quality(copies=tuple(both)),))
    assert (found.values["count"], found.values["names_list"]) == (2, ("A = B", "A = C"))


# Does one of two use a category more often?

TABLE = {("x", "x"): 50, ("x", "none"): 12, ("none", "x"): 2, ("none", "none"): 36}


def of_two(
    *,
    marks: bool = False,
    kappa: float | None = 0.7,
    pi: float | None = 0.6,
    mcnemar: SymmetryTest | None = None,
    **tests: SymmetryTest,
) -> list[Finding]:
    """What is said of two who differ, given the tests of their margins."""
    measures = {KAPPA: figure(kappa), "scott_pi": figure(pi)}
    shown = tests | ({"mcnemar": mcnemar} if mcnemar else {})
    both = pair(TABLE, measures=measures, symmetry=shown)
    return told(annotator_pairs.bias, unit_set(both, non_annotated="none" if marks else None))


@pytest.mark.parametrize(("p", "finding"), [(0.0499, "bias"), (0.05, "no-bias"), (None, None)])
def test_a_bias_is_told_by_the_test(p: float | None, finding: str | None) -> None:
    found = of_two(bhapkar=symmetry(p), stuart_maxwell=symmetry(0.9))
    assert [each.id for each in found] == ([finding] if finding else [])
    if found:
        assert (found[0].values["test"], found[0].values["margins_p"]) == ("Bhapkar", p)
        assert (found[0].values["differ"], found[0].values["units"]) == (10, 100)


def test_where_nothing_varies_between_documents_stuart_and_maxwell_decide() -> None:
    (found,) = of_two(bhapkar=symmetry(undefined=NoTest.NO_VARIATION), stuart_maxwell=symmetry(0.01))
    assert (found.id, found.values["test"]) == ("bias", "Stuart and Maxwell")
    assert of_two(bhapkar=symmetry(undefined="x"), stuart_maxwell=symmetry(0.01)) == []


@pytest.mark.parametrize("by_document", [True, False])
def test_whether_units_were_taken_as_independent_is_said(*, by_document: bool) -> None:
    for p in (0.01, 0.5):
        (found,) = of_two(bhapkar=symmetry(p, by_document=by_document))
        assert (annotator_pairs.BY_UNIT in found.claim) is not by_document
    main = symmetry(0.5, by_document=by_document)
    (found,) = of_two(marks=True, bhapkar=main, mcnemar=symmetry(0.02))
    assert (annotator_pairs.BY_UNIT in found.claim) is not by_document


@pytest.mark.parametrize(
    ("test", "unknown"),
    [
        ({"undefined": NoTest.FEW_DOCUMENTS}, True),
        ({"undefined": NoTest.MANY_CATEGORIES}, True),
        ({"p": 0.5, "least_p": 0.05}, True),
        ({"p": 0.5, "least_p": 0.049}, False),
    ],
)
def test_too_little_to_show_a_bias_is_no_proof_of_none(test: Mapping[str, Any], *, unknown: bool) -> None:
    (found,) = of_two(bhapkar=symmetry(**test))
    assert found.id == ("bias-unknown" if unknown else "no-bias")


@pytest.mark.parametrize(
    ("p", "mcnemar", "finding"),
    [(0.01, 0.5, "bias"), (0.5, 0.0249, "bias-in-marks"), (0.5, 0.025, "no-bias")],
)
def test_who_marks_more_is_counted(p: float, mcnemar: float, finding: str) -> None:
    (found,) = of_two(marks=True, bhapkar=symmetry(p), mcnemar=symmetry(mcnemar))
    assert found.id == finding
    values = found.values
    if finding != "no-bias":
        assert (values["first_marks"], values["second_marks"]) == (62, 52)
        assert (values["first_only"], values["second_only"], values["mcnemar_p"]) == (12, 2, mcnemar)
        assert (found.cases, found.asks) == (14, "balance")


def test_without_unmarked_units_or_a_test_of_them_nothing_is_said_of_marks() -> None:
    for test in (None, symmetry()):
        (found,) = of_two(marks=True, bhapkar=symmetry(0.01), mcnemar=test)
        assert "first_marks" not in found.values
    (found,) = of_two(bhapkar=symmetry(0.01), mcnemar=symmetry(0.01))
    assert "first_marks" not in found.values


def used(category: str, p: float, own: float = 0.3, others: float = 0.1) -> CategoryUse:
    return CategoryUse(
        category=category, own=own, others=others, difference=figure(own - others, units=40), adjusted_p=p
    )


def test_of_three_each_one_s_use_is_compared_with_that_of_the_others() -> None:
    own = of_three(AGREED, AGREED, non_annotated="none")
    compared = quality(
        beside("A", bias=used("x", 0.03)),
        beside("B", bias=used("none", 0.01)),
        beside("C"),
        beside("D", bias=used("y", 0.01)),
    )
    marks, second, first = told(annotator_pairs.bias, own, quality=(compared,))
    assert (marks.values["annotator"], marks.values["own_share"], marks.values["others_share"]) == (
        "B",
        0.7,
        0.9,
    )
    assert (marks.categories, marks.examples) == ((), ())
    assert (first.values["annotator"], first.values["category"], first.values["own_share"]) == ("A", "x", 0.3)
    assert (first.values["p"], first.values["units"], first.cases) == (0.03, 40, 40)
    assert second.values["annotator"] == "D"
    for scale, speaks in (("ordinal", True), ("set", False), ("interval", False)):
        scaled = own.model_copy(update={"scale": scale})
        assert bool(told(annotator_pairs.bias, scaled, quality=(compared,))) is speaks


def test_who_exchanged_labels_is_not_said_to_prefer_one() -> None:
    compared = quality(beside("C", bias=used("x", 0.01)), beside("A", bias=used("x", 0.02)))
    found = told(annotator_pairs.bias, of_three(CROSSED, AGREED), quality=(compared,))
    assert [each.values["annotator"] for each in found] == ["A"]


# One label throughout


@pytest.mark.parametrize(
    ("units", "others", "people", "chance"),
    [
        # 0.5¹⁰ + 0.5¹⁰ is 0.00195, and half that for each further unit.
        (10, {"x": 50, "y": 50}, 1, True),
        (11, {"x": 50, "y": 50}, 1, False),
        (11, {"x": 50, "y": 50}, 2, True),
        (12, {"x": 50, "y": 50}, 2, False),
        (9, {"y": 100}, 2, True),
        (10, {"y": 100}, 2, False),
        (10, {"x": 1, "y": 99}, 2, True),
    ],
)
def test_one_label_is_no_chance_where_drawn_labels_would_hardly_be_one(
    units: int, others: dict[str, int], people: int, *, chance: bool
) -> None:
    constant = Constant("A", "x", units, Counter(others))
    assert constant.no_chance(people) is not chance
    assert constant.other_share == pytest.approx(1 - others.get("x", 0) / 100)


def test_what_is_as_likely_as_the_limit_may_be_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    constant = Constant("A", "x", 10, Counter(x=50, y=50))
    monkeypatch.setattr(annotator_rules, "BY_CHANCE", 0.5**9)
    assert not constant.no_chance(1)
    monkeypatch.setattr(annotator_rules, "BY_CHANCE", 0.5**8)
    assert constant.no_chance(1)


def constant(units: int = 40, **changes: object) -> UnitSet:
    """B gives x to everything, A half of it y."""
    table = {("x", "x"): units // 2, ("y", "x"): units - units // 2}
    return unit_set(pair(table), measures={KAPPA: figure(0.2)}, **changes)


def test_of_two_who_gives_one_label_is_told_with_all_that_it_costs() -> None:
    (found,) = told(annotator_rules.one_label, constant())
    assert (found.values["annotator"], found.values["category"], found.values["units"]) == ("B", "x", 40)
    assert (found.values["other_share"], found.gain) == (0.5, 0.8)
    assert (found.asks, found.people, found.cases, found.examples) == ("export", ("B",), 40, ("x",))
    assert told(annotator_rules.one_label, constant(10)) == []
    assert told(annotator_rules.one_label, constant(0)) == []
    bare = constant().model_copy(update={"measures": {}})
    assert told(annotator_rules.one_label, bare)[0].gain is None
    (nothing,) = told(annotator_rules.one_label, constant(non_annotated="x"))
    assert nothing.claim == annotator_rules.NOTHING.claim
    assert "category" not in nothing.values
    assert nothing.examples is None
    turned = unit_set(pair({("x", "x"): 20, ("x", "y"): 20}), measures={KAPPA: figure(0.2)})
    assert [each.values["annotator"] for each in told(annotator_rules.one_label, turned)] == ["A"]


def beside_a_third(third: Table, others: Table, **changes: object) -> UnitSet:
    """A and B beside each other, and C, in the columns, beside both."""
    pairs = pair(others, ("A", "B")), pair(third, ("A", "C")), pair(third, ("B", "C"))
    return unit_set(*pairs, measures={KAPPA: figure(0.5)}, **changes)


ALL_X = {("x", "x"): 20, ("y", "x"): 20}
MIXED = {("x", "x"): 20, ("y", "y"): 18, ("x", "y"): 2}


def test_of_several_one_label_is_told_where_agreement_is_better_without() -> None:
    own = beside_a_third(ALL_X, MIXED)
    assert told(annotator_rules.one_label, own) == []
    better = quality(
        beside("C", without=figure(0.9), agreement=figure(0.5, units=40)), beside("A"), beside("B")
    )
    (found,) = told(annotator_rules.one_label, own, quality=(better,))
    assert (found.values["annotator"], found.values["without"], found.values["units"]) == ("C", 0.9, 40)
    assert found.gain == pytest.approx(0.4)
    assert found.claim == annotator_rules.ALWAYS.claim
    shared = quality(better.annotators[0].model_copy(update={"units": 60}), *better.annotators[1:])
    assert told(annotator_rules.one_label, own, quality=(shared,))[0].values["units"] == 60
    unmarked = own.model_copy(update={"non_annotated": "x"})
    assert (
        told(annotator_rules.one_label, unmarked, quality=(better,))[0].claim == annotator_rules.NOTHING.claim
    )
    varied = beside_a_third({**ALL_X, ("x", "y"): 1}, MIXED)
    assert told(annotator_rules.one_label, varied, quality=(better,)) == []


# Who agrees less, or more, than the others


def apart(
    *differences: tuple[str, float | None, float | None], next_p: tuple[float | None, ...] = ()
) -> tuple[AnnotatorVsRest, ...]:
    """Annotators by name, difference and p; `next_p` has those of each and the next."""
    after = (*next_p, *[None] * (len(differences) - len(next_p)))
    return tuple(
        beside(name, difference, adjusted_p=p, next_p=own)
        for (name, difference, p), own in zip(differences, after, strict=True)
    )


def who(*annotators: AnnotatorVsRest, **changes: object) -> list[Finding]:
    """What is said of who agrees less or more."""
    own = unit_set(measures={KAPPA: figure(0.6)}, labels={"x": 1, "y": 1}, **changes)
    return told(annotator_rules.disagreeing, own, quality=(quality(*annotators),))


def test_whose_marks_stand_apart_is_said_with_f_of_the_farthest() -> None:
    def found(*annotators: AnnotatorVsRest) -> Finding:
        own = quality(*annotators, compared_by="f_measure")
        (only,) = told(annotator_rules.disagreeing, unit_set(measures={KAPPA: figure(0.6)}), quality=(own,))
        return only

    people = apart(
        *(("A", -0.3, 0.01), ("B", -0.2, 0.02), ("C", 0.05, 0.9), ("D", 0.05, 0.9), ("E", 0.05, 0.9))
    )
    others = tuple(each.model_copy(update={"others": 0.8}) for each in people)
    several = found(*others)
    assert (several.claim, several.values["people"]) == (annotator_rules.SEVERAL_MARKS_APART.claim, 2)
    assert (several.values["f_with"], several.values["f_without"]) == (0.7, 0.8)
    assert several.values["names_list"] == ("A", "B")
    one = found(others[0], *others[2:])
    assert (one.claim, one.values.get("people")) == (annotator_rules.MARKS_APART.claim, None)


@pytest.mark.parametrize(
    ("p", "difference", "speaks"),
    [
        (0.049, -0.1, True),
        (0.05, -0.1, False),
        (0.01, 0.1, False),
        (0.01, 0.0, False),
        (None, -0.1, False),
        (0.01, None, False),
    ],
)
def test_who_agrees_less_is_told_by_p_after_holm(
    p: float | None, difference: float | None, *, speaks: bool
) -> None:
    found = who(*apart(("A", difference, p), ("B", 0.05, 0.9), ("C", 0.05, 0.9)))
    assert [each.id for each in found] == (["disagrees-with-everyone"] if speaks else [])
    if found:
        assert (found[0].values["names"], found[0].values["p"], found[0].severity) == ("A", p, "warning")


def test_the_surest_comes_first_and_the_largest_gain_is_told() -> None:
    one, two = apart(("B", -0.2, 0.02), ("A", -0.3, 0.02))
    three = apart(("C", -0.1, 0.01))
    rest = apart(("D", 0.1, 0.9), ("E", 0.1, 0.9), ("F", 0.1, 0.9), ("G", 0.1, 0.9))
    less = (
        one.model_copy(update={"without": figure(0.62)}),
        two.model_copy(update={"without": figure(0.64)}),
    )
    (found,) = who(*less, *three, *rest)
    assert (found.values["names_list"], found.values["people"], found.values["p"]) == (
        ("C", "A", "B"),
        3,
        0.01,
    )
    assert (found.values["annotator"], found.values["without"]) == ("A", 0.64)
    assert found.gain == pytest.approx(0.04)
    assert found.claim == annotator_rules.SEVERAL_APART.claim
    assert found.severity == "warning", "no threshold is reached"
    (plain,) = who(one, two, *three, *rest)
    assert (plain.claim, plain.gain) == (annotator_rules.SEVERAL_APART.claim, None)


@pytest.mark.parametrize(
    ("value", "alone", "severity"),
    [
        (0.6, 0.667, "problem"),
        (0.6, 0.6669, "warning"),
        (0.667, 0.7, "warning"),
        (0.7, 0.8, "problem"),
        (0.8, 0.9, "warning"),
        (0.6, 0.9, "problem"),
    ],
)
def test_it_is_a_problem_where_a_threshold_would_be_reached(
    value: float, alone: float, severity: str
) -> None:
    people = apart(("A", -0.3, 0.01), ("B", 0.1, 0.9), ("C", 0.1, 0.9))
    with_alone = people[0].model_copy(update={"without": figure(alone)}), *people[1:]
    own = unit_set(measures={KAPPA: figure(value)}, labels={"x": 1, "y": 1})
    (found,) = told(annotator_rules.disagreeing, own, quality=(quality(*with_alone),))
    assert (found.severity, found.claim) == (severity, annotator_rules.APART.claim)
    measures = {"observed_agreement": figure(value)}
    unfit = own.model_copy(update={"measures": measures})
    by = {"coefficients": {"main": "observed_agreement"}}
    (found,) = told(annotator_rules.disagreeing, unfit, quality=(quality(*with_alone),), **by)
    assert found.severity == "warning", "thresholds are not for chance"


def test_who_is_next_to_somebody_alike_is_no_outlier() -> None:
    five = [("A", -0.4, 0.001), ("B", -0.3, 0.001), ("C", -0.2, 0.001), ("D", 0.3, 0.9), ("E", 0.4, 0.9)]

    def named(*next_p: float | None) -> list[str]:
        found = who(*apart(*five, next_p=next_p))
        return [name for each in found for name in each.values["names_list"]]  # type: ignore[union-attr]

    assert named(0.04, 0.9, 0.9, 0.9) == ["A"]
    assert named(0.9, 0.04, 0.9, 0.9) == ["A", "B"], "the two differ from the third"
    assert named(0.04, 0.04, 0.9, 0.9) == ["A", "B"]
    assert named(0.05, 0.05, 0.9, 0.9) == []
    assert named(0.9, 0.9, 0.04, 0.9) == [], "three are no fewer than half"
    four = *apart(*five[:2], *five[3:], next_p=(0.9, 0.04, 0.9)), beside("X", None)
    assert who(*four) == [], "of four known two are half"
    assert named(None, None, None, None) == ["A", "B", "C"], "of a crowd nobody is compared with the next"


def test_nobody_disagrees_beside_copies() -> None:
    same = {("x", "x"): 30, ("y", "y"): 30}
    third = {("x", "x"): 15, ("y", "y"): 15, ("x", "y"): 15, ("y", "x"): 15}
    people = apart(("C", -0.3, 0.001), ("A", 0.1, 0.9), ("B", 0.1, 0.9))
    own = unit_set(
        pair(same), pair(third, ("A", "C")), pair(third, ("B", "C")), measures={KAPPA: figure(0.5)}
    )
    copy = Copies(first="A", second="B", units=60, differ=0)
    assert told(annotator_rules.disagreeing, own, quality=(quality(*people, copies=(copy,)),)) == []
    alone = unit_set(
        pair(third), pair(third, ("A", "C")), pair(third, ("B", "C")), measures={KAPPA: figure(0.5)}
    )
    assert len(told(annotator_rules.disagreeing, alone, quality=(quality(*people),))) == 1


def test_who_has_another_finding_is_not_said_to_disagree_too() -> None:
    people = apart(("C", -0.3, 0.001), ("A", 0.1, 0.9), ("B", 0.1, 0.9))
    known = (
        people[0].model_copy(update={"without": figure(0.9), "agreement": figure(0.5, units=40)}),
        *people[1:],
    )
    one_label = beside_a_third(ALL_X, MIXED)
    assert told(annotator_rules.disagreeing, one_label, quality=(quality(*known),)) == []
    crossed = {("x", "y"): 20, ("y", "x"): 20}
    assert (
        told(annotator_rules.disagreeing, beside_a_third(crossed, MIXED), quality=(quality(*people),)) == []
    )
    assert told(annotator_rules.disagreeing, beside_a_third(MIXED, MIXED), quality=(quality(*people),)) != []
    assert annotator_rules.outliers(facts(one_label, quality=(quality(*known),))) == {"C"}
    assert annotator_rules.outliers(facts(beside_a_third(MIXED, MIXED), quality=(quality(*people),))) == set()
    assert annotator_rules.outliers(facts(beside_a_third(MIXED, MIXED), quality=(quality(*known),))) == {"C"}


@pytest.mark.parametrize(("p", "speaks"), [(0.0099, True), (0.01, False)])
def test_of_four_who_agrees_more_is_told_where_that_is_beyond_doubt(p: float, *, speaks: bool) -> None:
    four = [("A", 0.3, p), ("B", -0.1, 0.9), ("C", -0.1, 0.9), ("D", -0.1, 0.9)]
    found = who(*apart(*four))
    assert [each.id for each in found] == (["agrees-more"] if speaks else [])
    if found:
        assert (found[0].values["names"], found[0].values["p"]) == ("A", p)
    assert who(*apart(*four[:3])) == [], "of three a careless one makes another look better"
    # The p value is with the lower of two neighbours.
    assert bool(who(*apart(*four, next_p=(None, 0.9, 0.9, 0.9)))) is False
    assert bool(who(*apart(*four, next_p=(0.9, 0.04, 0.9, 0.9)))) is speaks


@pytest.mark.parametrize(("left", "speaks"), [(0.15, True), (0.149, False), (-0.1, False), (None, True)])
def test_who_agrees_more_with_one_other_only_does_not(left: float | None, *, speaks: bool) -> None:
    first, *others = apart(("A", 0.3, 0.001), ("B", -0.1, 0.9), ("C", -0.1, 0.9), ("D", -0.1, 0.9))
    first = first.model_copy(update={"without_nearest": WithoutNearest(nearest="D", difference=left)})
    assert bool(who(first, *others)) is speaks
    of_marks = quality(first, *others, compared_by="f_measure")
    assert told(annotator_rules.disagreeing, unit_set(), quality=(of_marks,)), (
        "it is of labels of units alone"
    )


def test_of_several_who_agree_more_the_surest_comes_first() -> None:
    five = apart(*[("A", 0.3, 0.002), ("B", 0.3, 0.001)], *[(name, -0.1, 0.9) for name in "CDE"])
    (found,) = who(*five)
    assert (found.claim, found.values["names"]) == (annotator_rules.MORE.claim, "B and A")
    assert found.values["p"] == 0.001
    (of_marks,) = told(
        annotator_rules.disagreeing, unit_set(), quality=(quality(*five, compared_by="f_measure"),)
    )
    assert of_marks.claim == annotator_rules.MARKS_MORE.claim


# Rejected, at random, drifting


def test_who_failed_the_controls_is_named_with_the_layer_of_several() -> None:
    controls = Controls(
        items=10, absent=0, minimum=5, rejected=("A", "B"), annotators=(), annotators_in_all=9
    )
    (found,) = told(annotator_rules.rejected, quality=(quality(controls=controls), quality()))
    assert (found.values["people"], found.values["all"], found.values["names"]) == (2, 9, "A and B")
    nobody = controls.model_copy(update={"rejected": ()})
    assert told(annotator_rules.rejected, quality=(quality(controls=nobody),)) == []
    two = unit_set(), unit_set(layer="other")
    (found,) = told(annotator_rules.rejected, *two, quality=(quality(controls=controls),))
    assert found.values["names"] == "A and B (layer main)"
    assert told(annotator_rules.rejected) == told(annotator_rules.near_chance) == []


def test_who_is_right_no_oftener_than_chance_is_named() -> None:
    def errors(name: str, *, near: bool = False, below: bool = False) -> AnnotatorErrors:
        return AnnotatorErrors(
            annotator=name,
            labelled=9,
            accuracy=0.5,
            blind=0.5,
            expected_right=4,
            near_chance=near,
            below_chance=below,
        )

    model = DawidSkene(annotators=(errors("A", near=True), errors("B", below=True), errors("C")))
    below, near = told(annotator_rules.near_chance, quality=(quality(dawid_skene=model),))
    assert (below.id, below.values["names"]) == ("below-chance", "B")
    assert (near.id, near.values["names"]) == ("near-chance", "A")
    assert (
        told(
            annotator_rules.near_chance, quality=(quality(dawid_skene=DawidSkene(annotators=(errors("C"),))),)
        )
        == []
    )


def drifting(
    name: str, slope: float | None, p: float | None, moved: float, others: float | None = None
) -> AnnotatorVsRest:
    blocks = tuple(Block(documents=5, units=20, agreement=agreement) for agreement in (0.5, 0.9, 0.5 + moved))
    return beside(
        name, others=others, drift=Drift(documents=15, blocks=blocks, slope=figure(slope), adjusted_p=p)
    )


def drift(*annotators: AnnotatorVsRest, ordered: bool = True, **changes: object) -> list[Finding]:
    found = facts(quality=(quality(*annotators, **changes),))
    campaign = found.results.campaign.model_copy(update={"protocol": {"in_order": ordered}})
    in_order = found.results.model_copy(update={"campaign": campaign})
    return list(annotator_rules.drift(LayerFacts(in_order, "main")))


@pytest.mark.parametrize(
    ("slope", "p", "moved", "speaks"),
    [
        (-0.2, 0.049, -0.1, True),
        (-0.2, 0.05, -0.1, False),
        (-0.2, 0.01, 0.1, False),
        (0.2, 0.01, 0.1, True),
        (0.2, 0.01, -0.1, False),
        (-0.2, None, -0.1, False),
        (0.2, 0.01, 0.0, False),
    ],
)
def test_drift_is_told_where_agreement_itself_moves_so(
    slope: float, p: float | None, moved: float, *, speaks: bool
) -> None:
    found = drift(drifting("A", slope, p, moved))
    assert bool(found) is speaks
    if found:
        assert found[0].claim == (annotator_rules.DRIFT if slope < 0 else annotator_rules.RISES).claim
        assert found[0].values == {
            "over": "documents",
            "change": slope,
            "p": p,
            "names": "A",
            "names_list": ("A",),
        }
    assert drift(drifting("A", slope, p, moved), ordered=False) == []


def test_a_trend_without_a_slope_is_no_drift() -> None:
    assert drift(drifting("A", None, 0.01, -0.1)) == []
    assert drift(beside("A")) == []


def test_of_those_who_drift_the_surest_comes_first() -> None:
    people = [
        drifting(name, -0.1, p, -0.1, 0.7)
        for name, p in zip("ABCDEFG", (0.04, 0.01, 0.02, 0.03, 0.03, 0.03, 0.03), strict=True)
    ]
    found = drift(*people, by_document=False)
    assert [each.values["names"] for each in found] == ["B", "C", "D", "E", "F"]
    assert {each.claim for each in found} == {annotator_rules.DRIFT.claim}
    assert {each.values["over"] for each in found} == {"units"}
    assert drift(drifting("A", 0.1, 0.01, 0.1, 0.7))[0].claim == annotator_rules.RISES.claim


def test_drift_is_told_of_each_layer_whose_labels_are_in_the_order_of_the_work() -> None:
    layers = [
        quality(drifting(name, -0.1, 0.01, -0.1), layer=layer, in_time=in_time)
        for name, layer, in_time in (("A", "main", False), ("B", "b", True))
    ]
    (found,) = told(annotator_rules.drift, quality=tuple(layers))
    assert found.values["names"] == "B"


@pytest.mark.parametrize(("left", "speaks"), [(-0.05, True), (-0.049, False), (0.1, False), (None, True)])
def test_who_drifts_beside_one_other_only_does_not(left: float | None, *, speaks: bool) -> None:
    own = drifting("A", -0.1, 0.01, -0.1).model_copy(
        update={"without_nearest": WithoutNearest(nearest="B", slope=left)}
    )
    assert bool(drift(own)) is speaks


def test_beside_copies_nobody_drifts() -> None:
    copy = Copies(first="B", second="C", units=60, differ=0)
    assert drift(drifting("A", -0.1, 0.01, -0.1))
    assert drift(drifting("A", -0.1, 0.01, -0.1), copies=(copy,)) == []


def test_beside_somebody_who_falls_nobody_is_said_to_rise() -> None:
    """The others rise then, compared with those among whom that one is."""
    fall, rise = drifting("A", -0.4, 0.001, -0.4, 0.7), drifting("B", 0.1, 0.03, 0.1, 0.7)
    assert [each.values["names"] for each in drift(fall, rise)] == ["A"]
    assert [each.values["names"] for each in drift(rise)] == ["B"]


# Labels together


@pytest.mark.parametrize(
    ("value", "annotators", "labels", "speaks"),
    [
        (0.799, 6, 5.0, True),
        (0.8, 6, 5.0, False),
        (None, 6, 5.0, False),
        (0.5, 5, 5.0, False),
        (0.5, 5, 4.96, False),
        (0.5, 5, 4.94, True),
        (0.5, None, 5.0, False),
        (0.5, 20, 5.0, True),
        (0.5, 21, 5.0, True),
    ],
)
def test_how_many_annotators_would_be_enough(
    value: float | None, annotators: int | None, labels: float, *, speaks: bool
) -> None:
    aggregate = AggregateReliability(
        layer="main",
        unit_set="items",
        coefficient="krippendorff_alpha",
        units=100,
        labels=labels,
        reliability=figure(value),
        by_annotators=(),
        enough=(
            EnoughAnnotators(reliability=0.7, annotators=2),
            EnoughAnnotators(reliability=0.75, annotators=3),
            EnoughAnnotators(reliability=0.8, annotators=annotators),
        ),
    )
    found = told(annotator_rules.unreliable_aggregate, aggregates=(aggregate,))
    assert bool(found) is speaks
    if found:
        assert (found[0].values["enough"], found[0].values["threshold"]) == (annotators, "0.8")
        assert found[0].advice.startswith("Have" if (annotators or 0) <= 20 else "Make")
    other = aggregate.model_copy(update={"layer": "other"})
    assert told(annotator_rules.unreliable_aggregate, aggregates=(other,)) == []


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
