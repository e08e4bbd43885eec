"""Who exchanged labels, is a copy, or prefers a category: the edges of each rule, on tables made here."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from reportgen.annotators import copies as copies_rule
from reportgen.findings import annotator_pairs
from reportgen.findings.annotator_pairs import Crossing, _meets_a_third, copies, standings, swaps, without
from reportgen.measures.distributions import binomial_below
from reportgen.measures.symmetry import NoTest
from reportgen.results import Finding, Pair, UnitSet
from reportgen.results.annotators import CategoryUse
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
    assert finding.claim == annotator_pairs.SWAPPED_BY_WITHOUT.claim
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


def copied(same: int = 30, second: int = 5, differ: int = 0) -> Pair:
    """Two who agree on so many units, of which so many have the second label, and differ on some."""
    return pair({("x", "x"): same - second, ("y", "y"): second, ("x", "y"): differ})


@pytest.mark.parametrize(
    ("same", "second", "copy"), [(30, 5, True), (29, 5, False), (30, 4, False), (60, 30, True)]
)
def test_two_who_always_agree_on_thirty_units_are_asked_about(same: int, second: int, *, copy: bool) -> None:
    own = unit_set(copied(same, second))
    found = told(annotator_pairs.identical, own)
    assert bool(found) is copy
    if found:
        assert (found[0].values["units"], found[0].values["first"], found[0].cases) == (same, "A", same)
    blank = own.model_copy(update={"non_annotated": "x"})
    assert copies(blank) == [], "what is left unmarked is no sign"
    assert copies(unit_set(copied(differ=1))) == [], "nobody tells how often two would differ"


RANDOM = {("x", "x"): 30, ("y", "y"): 30, ("x", "y"): 20, ("y", "x"): 20}


def among_four(of_first: Table, others: Table = RANDOM) -> UnitSet:
    """Four annotators: the first two beside each other, and everybody else."""
    names = [("A", "B"), ("A", "C"), ("A", "D"), ("B", "C"), ("B", "D"), ("C", "D")]
    return unit_set(*(pair(of_first if both == ("A", "B") else others, both) for both in names))


def differing(by: int, units: int = 100) -> Table:
    return {("x", "x"): units // 2 - by, ("y", "y"): units // 2, ("x", "y"): by}


@pytest.mark.parametrize(("differ", "copy"), [(10, True), (11, False)])
def test_a_copy_may_differ_on_a_tenth(differ: int, *, copy: bool) -> None:
    """By what they agree with others, two would differ on 40 of 100 units."""
    found = copies(among_four(differing(differ)))
    assert bool(found) is copy
    if found:
        (only,) = found
        assert only.pair.annotators == ("A", "B")
        # κ of all others is 0.2, and so κ of the two would be 0.2 · 0.2 / 0.2.
        assert only.expected == pytest.approx((1 - 0.2) * 0.5 * 100, rel=0.01)
        (said,) = told(annotator_pairs.identical, among_four(differing(differ)))
        assert (said.values["differ"], said.values["expected"]) == (10, 40)


def test_among_several_who_always_agree_do_not_differ_on_few() -> None:
    (said,) = told(annotator_pairs.identical, among_four(differing(0)))
    assert (said.claim, said.values.get("differ")) == (annotator_pairs.SAME.claim, None)


def test_of_two_who_agree_with_others_as_well_as_with_each_other_nobody_is_a_copy() -> None:
    careful = {("x", "x"): 48, ("y", "y"): 48, ("x", "y"): 2, ("y", "x"): 2}
    assert copies(among_four(careful, careful)) == []


@pytest.mark.parametrize("without", [("A", "C"), ("B", "C"), ("C", "D")])
def test_others_who_gave_one_label_tell_nothing(without: tuple[str, str]) -> None:
    own = among_four(differing(2))
    constant = pair({("x", "x"): 100}, without, categories=("x", "y"))
    pairs = tuple(constant if each.annotators == without else each for each in own.pairs)
    found = copies(own.model_copy(update={"pairs": pairs}))
    assert len(found) == (0 if without == ("C", "D") else 1)


def test_others_whose_own_kappa_is_small_tell_nothing() -> None:
    def with_kappa(agree: int) -> UnitSet:
        weak = {("x", "x"): agree, ("y", "y"): agree, ("x", "y"): 50 - agree, ("y", "x"): 50 - agree}
        return among_four(differing(2), weak)

    assert len(copies(with_kappa(28))) == 1, "κ is 0.12"
    assert copies(with_kappa(27)) == [], "κ is 0.08"


@pytest.mark.parametrize(("differ", "expected", "unlikely"), [(9, 20, True), (10, 20, False), (3, 8, False)])
def test_fewer_than_half_as_many_as_expected_has_to_be_no_chance(
    differ: int, expected: int, *, unlikely: bool
) -> None:
    """Of 9 of 100 where 20 are expected p is 0.002: it takes more units."""
    units = 1000 if unlikely else 100
    scale = units // 100
    table = differing(differ * scale, units)
    found = copies_rule._is_unlikely(pair(table).confusion, expected * scale)  # noqa: SLF001 - the edge of the rule
    assert found is unlikely
    assert copies_rule.BY_CHANCE == 0.001
    assert binomial_below(3, 100, 0.08) > 0.001


def test_of_many_units_half_as_many_as_expected_are_no_copy_though_that_is_no_chance() -> None:
    for differ, unlikely in ((999, True), (1000, False)):
        table = pair(differing(differ, 10_000))
        assert copies_rule._is_unlikely(table.confusion, 2000) is unlikely  # noqa: SLF001 - the edge of the rule


def test_of_three_copies_are_those_who_differ_from_the_third_too_often_for_chance() -> None:
    def among_three(apart: int) -> UnitSet:
        third = {("x", "x"): 15 - apart, ("y", "y"): 15, ("x", "y"): apart}
        return unit_set(copied(30, 15), pair(third, ("A", "C")), pair(third, ("B", "C")))

    # (1 - a / 30)³⁰ is 0.0003 of 7 and 0.0012 of 6.
    assert [each.pair.annotators for each in copies(among_three(7))] == [("A", "B")]
    assert copies(among_three(6)) == []
    assert all(each.expected is None for each in copies(among_three(7)))


def test_several_copies_are_named_together() -> None:
    same = {("x", "x"): 25, ("y", "y"): 25}
    everybody = [("A", "B"), ("A", "C"), ("B", "C")]
    (found,) = told(annotator_pairs.identical, unit_set(*(pair(same, names) for names in everybody)))
    assert (found.values["count"], found.values["names_list"]) == (3, ("A = B", "A = C", "B = C"))
    assert told(annotator_pairs.identical, unit_set()) == []


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


@pytest.mark.parametrize(
    ("kappa", "pi", "close"),
    [
        (0.7, 0.6801, True),
        (0.68, 0.7, True),
        (0.7, 0.67, False),
        (0.67, 0.7, False),
        (None, 0.7, False),
        (0.7, None, False),
    ],
)
def test_kappa_and_pi_that_hardly_differ_are_said_to_hide_a_bias(
    kappa: float | None, pi: float | None, *, close: bool
) -> None:
    (found,) = of_two(kappa=kappa, pi=pi, bhapkar=symmetry(0.01))
    assert (annotator_pairs.THOUGH in found.claim) is close
    assert found.cases == 100


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
        assert (found.cases, found.asks, found.people) == (14, "balance", ("A", "B"))


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
