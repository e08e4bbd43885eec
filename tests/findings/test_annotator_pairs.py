"""Who exchanged labels, is a copy, or prefers a category: the edges of each rule, on tables made here."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from reportgen.findings import annotator_pairs
from reportgen.findings.annotator_pairs import Crossing, _meets_a_third, standings, swaps, without
from reportgen.measures.significance_tests import NoTest
from reportgen.results import Finding, UnitSet
from reportgen.results.annotators import CategoryUse, Copies
from reportgen.results.unit_sets import SymmetryTest
from tests.findings.made_results import (
    KAPPA,
    Table,
    beside,
    facts,
    figure,
    pair,
    quality,
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
