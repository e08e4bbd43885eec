"""Confusions and weak categories: the edges of each rule, on tables made here."""

from collections.abc import Sequence
from typing import Any

import pytest

from reportgen.findings import confusions
from reportgen.findings.confusions import ConfusedCategories, names_no_category, weakness
from reportgen.findings.layer_facts import confusions as confused_pairs
from reportgen.results import Figure, UnitSet
from reportgen.results.unit_sets import LabelConfusion
from tests.findings.made_results import (
    ALPHA,
    KAPPA,
    Table,
    beside,
    compared_sets,
    figure,
    marked,
    met,
    pair,
    quality,
    told,
    unit_set,
)


def with_kappa(
    table: Table, value: float | None = 0.6, *, categories: Sequence[str] = (), **changes: object
) -> UnitSet:
    return unit_set(pair(table, categories=categories), measures={KAPPA: figure(value)}, **changes)


# Most is agreement; x and y are confused above all.
DIAGONAL = {(name, name): 100 for name in "xyz"}
CONFUSED = DIAGONAL | {("x", "y"): 12, ("y", "x"): 8, ("x", "z"): 2, ("z", "y"): 3}


def test_confusions_are_counted_both_ways_the_most_frequent_first() -> None:
    assert list(confused_pairs(with_kappa(CONFUSED))) == [("x", "y", 20), ("y", "z", 3), ("x", "z", 2)]
    assert list(confused_pairs(met({("x", "y"): 5, ("x", "x"): 9, ("y", "z"): 7}))) == [
        ("y", "z", 7),
        ("x", "y", 5),
    ]
    assert list(confused_pairs(unit_set())) == []
    equal = {("x", "x"): 1, ("y", "z"): 4, ("x", "y"): 4}
    assert list(confused_pairs(with_kappa(equal))) == [("x", "y", 4), ("y", "z", 4)]


def test_a_confusion_beyond_chance_is_told_with_what_settling_it_brings() -> None:
    (found,) = told(confusions.confused, with_kappa(CONFUSED))
    values = found.values
    assert (values["first"], values["second"], values["units"]) == ("x", "y", 20)
    assert (values["disagreement_share"], values["value"]) == (0.8, 0.6)
    assert found.gain == pytest.approx(0.4 * 0.8)
    assert values["reached"] == pytest.approx(0.6 + 0.4 * 0.8)
    assert (found.asks, found.categories, found.cases, found.examples) == (
        "apart",
        ("x", "y"),
        20,
        ("x", "y"),
    )
    weighted = with_kappa(CONFUSED).model_copy(update={"measures": {"weighted_kappa[linear]": figure(0.6)}})
    (shares,) = told(confusions.confused, weighted, coefficients={"main": "weighted_kappa[linear]"})
    assert (shares.gain, shares.claim, "units" in shares.values) == (
        None,
        confusions.CONFUSED_AMONG.claim,
        False,
    )
    among = met(
        {("x", "x"): 90, ("y", "y"): 90, ("z", "z"): 90, ("x", "y"): 20, ("x", "z"): 2, ("y", "z"): 3}
    )
    (of_three,) = told(confusions.confused, among.model_copy(update={"measures": {KAPPA: figure(0.6)}}))
    assert (of_three.claim, "units" in of_three.values) == (confusions.CONFUSED_AMONG.claim, False)


@pytest.mark.parametrize(
    ("changes", "value", "speaks"),
    [
        ({}, 0.6, True),
        ({}, None, False),
        ({"scale": "interval"}, 0.6, False),
        ({"scale": "ratio"}, 0.6, False),
        ({"scale": "set"}, 0.6, False),
        ({"labels": {"x": 9, "y": 9, "z": 0}}, 0.6, False),
        ({"scale": "ordinal"}, 0.6, False),
        ({"scale": "ordinal", "categories": ("x", "z", "y")}, 0.6, True),
        ({"scale": "ordinal", "categories": ("y", "x", "z")}, 0.6, False),
    ],
)
def test_confusions_are_told_of_three_categories_in_use_without_an_order_between_them(
    changes: dict[str, Any], value: float | None, *, speaks: bool
) -> None:
    assert bool(told(confusions.confused, with_kappa(CONFUSED, value, **changes))) is speaks


@pytest.mark.parametrize(
    ("units", "chance", "beyond"),
    [(35, 0.2, True), (32, 0.2, False), (20, 0.0, True), (0, 0.0, False), (33, 0.2, True)],
)
def test_beyond_chance_is_more_than_three_standard_deviations(
    units: float, chance: float, *, beyond: bool
) -> None:
    """Of 100 disagreements 20 are expected, give or take 4."""
    assert ConfusedCategories("x", "y", units, units / 100, chance, 100).beyond_chance is beyond


def names(
    table: Table, *, non_annotated: str | None = None, categories: Sequence[str] = ()
) -> list[tuple[object, object]]:
    own = with_kappa(table, categories=categories, non_annotated=non_annotated)
    found = told(confusions.confused, own)
    return [(each.values["first"], each.values["second"]) for each in found]


def many(*counts: int) -> Table:
    """Ten categories in equal use, of which the first are confused with the next so often."""
    people = {(f"c{number}", f"c{number}"): 200 for number in range(10)}
    return people | {(f"c{number}", f"c{number + 1}"): count for number, count in enumerate(counts)}


def test_a_confusion_takes_a_tenth_of_all_disagreements_and_two_units() -> None:
    assert names(many(40, 5, 0)) == [("c0", "c1"), ("c1", "c2")]
    assert names(many(46, 5, 0)) == [("c0", "c1")], "5 of 51 is less than a tenth"
    assert names(many(1)) == []
    assert names(many(2)) == [("c0", "c1")]


def test_three_are_told_the_most_frequent_first() -> None:
    assert names(many(20, 30, 25, 22)) == [("c1", "c2"), ("c2", "c3"), ("c3", "c4")]


def test_what_chance_gives_is_no_confusion() -> None:
    even = DIAGONAL | {(one, other): 5 for one in "xyz" for other in "xyz" if one != other}
    assert names(even) == []
    # z is used by one of ten: slips into x and y in proportion are no confusion of these two.
    often = {
        ("x", "x"): 450,
        ("y", "y"): 450,
        ("z", "z"): 100,
        ("x", "y"): 9,
        ("y", "x"): 9,
        ("x", "z"): 2,
        ("y", "z"): 2,
    }
    assert names(often) == []


@pytest.mark.parametrize(
    ("times", "prevalence", "beyond"),
    [
        # All slips are as frequent, or go by how often categories are used, or are even.
        ({"xy": 30, "yz": 30, "xz": 30}, (100, 100, 100), False),
        ({"xy": 60, "xz": 30, "yz": 10}, (700, 200, 100), False),
        ({"xy": 45, "xz": 40, "yz": 15}, (700, 200, 100), False),
        # By use chance gives 9 of 100 to y and z, evenly 15, and three standard deviations more are 25.7.
        ({"xy": 50, "xz": 26, "yz": 24}, (700, 200, 100), False),
        # Chance gives 32.5 of 90, and three standard deviations more are 46.1.
        ({"xy": 45, "yz": 23, "xz": 22}, (100, 100, 100), False),
        ({"xy": 49, "yz": 21, "xz": 20}, (100, 100, 100), True),
    ],
)
def test_slips_by_use_or_as_often_into_all_are_chance(
    times: dict[str, int], prevalence: tuple[int, ...], *, beyond: bool
) -> None:
    table = {(name, name): many for name, many in zip("xyz", prevalence, strict=True)}
    slips = {(both[0], both[1]): many for both, many in times.items()}
    assert names(table | slips) == ([("x", "y")] if beyond else [])
    three = {cell: float(many) for cell, many in (table | slips).items()}
    among = met(three, measures={KAPPA: figure(0.6)})
    assert bool(told(confusions.confused, among)) is beyond


def test_where_units_may_stay_unmarked_slips_are_not_even() -> None:
    table = {("x", "x"): 700, ("y", "y"): 200, ("z", "z"): 100, ("none", "none"): 10}
    slips = {("x", "y"): 53, ("x", "z"): 27, ("y", "z"): 20}
    assert names(table | slips, non_annotated="none") == [("y", "z")]
    assert names(table | slips) == []


def test_marks_that_only_some_made_are_told_whatever_chance_is() -> None:
    table = {
        ("x", "x"): 100,
        ("y", "y"): 100,
        ("none", "none"): 100,
        ("x", "none"): 10,
        ("y", "none"): 10,
        ("x", "y"): 10,
    }
    own = with_kappa(table, non_annotated="none")
    found = told(confusions.confused, own)
    assert [(each.values["first"], each.asks, each.categories) for each in found] == [
        ("x", "mark", ("x",)),
        ("y", "mark", ("y",)),
    ]
    assert {each.claim for each in found} == {confusions.MISSED.claim}
    among = met(
        {names: float(count) for names, count in table.items()},
        non_annotated="none",
        measures={KAPPA: figure(0.6)},
    )
    assert confusions.MISSED_AMONG.claim in {each.claim for each in told(confusions.confused, among)}
    weighted = own.model_copy(update={"measures": {"weighted_kappa[linear]": figure(0.6)}})
    shares = told(confusions.confused, weighted, coefficients={"main": "weighted_kappa[linear]"})
    assert confusions.MISSED_AMONG.claim in {each.claim for each in shares}
    one = {cell: units for cell, units in table.items() if "y" not in cell}
    assert names(one, non_annotated="none") == [], "one category and nothing is one confusion"
    # Marks in texts tell what is marked or not.
    assert told(confusions.confused, own, spans=marked()) == []
    often = {**table, ("x", "y"): 40, ("y", "x"): 40}
    (types,) = told(confusions.confused, with_kappa(often, non_annotated="none"), spans=marked())
    assert (types.values["first"], types.values["second"]) == ("x", "y")


def test_what_is_beyond_chance_comes_before_what_is_only_unmarked() -> None:
    table = DIAGONAL | {("x", "none"): 30, ("none", "none"): 900, ("x", "y"): 28, ("y", "z"): 1}
    found = names(table, non_annotated="none", categories=("x", "y", "z", "none"))
    assert found[0] == ("x", "y")
    assert ("x", "none") in found


def test_a_category_that_says_nothing_has_no_definition_to_tell_apart() -> None:
    blank = {
        tuple("unclear" if name == "y" else name for name in cell): units for cell, units in CONFUSED.items()
    }
    for categories in (("x", "unclear", "z"), ("unclear", "x", "z")):
        (found,) = told(confusions.confused, with_kappa(blank, categories=categories))  # type: ignore[arg-type]
        assert (found.values["first"], found.values["second"]) == ("x", "unclear")
        assert (found.asks, found.categories, found.advice) == ("choose", ("x",), confusions.WHEN)


@pytest.mark.parametrize(
    ("name", "says_nothing"),
    [
        ("None of these", True),
        ("don't know", True),
        ("N/A", True),
        ("Not-sure!", True),
        ("Nonesuch", False),
        ("", False),
    ],
)
def test_names_that_say_that_nothing_applies(name: str, *, says_nothing: bool) -> None:
    assert names_no_category(name) is says_nothing


def test_exchanged_labels_are_no_confusion() -> None:
    table = DIAGONAL | {("x", "x"): 0, ("y", "y"): 2, ("x", "y"): 40, ("y", "x"): 40, ("x", "z"): 3}
    assert names(table) == []


# Labels of sets


def of_sets(*confused: LabelConfusion, people: int = 2, **changes: object) -> UnitSet:
    """A unit set of sets of which labels are confused."""
    sets = compared_sets(None, **{"members": {}, "confusions": confused, **changes})
    table = {("x", "x"): 20}
    pairs = (pair(table),) if people == 2 else (pair(table), pair(table, ("A", "C")), pair(table, ("B", "C")))
    return unit_set(*pairs, scale="set", sets=sets)


def meeting(first: str, second: str | None, units: float) -> LabelConfusion:
    return LabelConfusion(first=first, second=second, units=units)


def test_labels_of_sets_are_confused_on_a_tenth_of_what_differs() -> None:
    two = meeting("x", "y", 4), meeting("y", "z", 3.9), meeting("x", None, 30)
    (found,) = told(confusions.confused_labels, of_sets(*two))
    assert (found.values["first"], found.values["second"]) == ("x", "y")
    assert (found.values["units"], found.values["difference_share"]) == (4, 0.1)
    assert (found.asks, found.categories, found.cases) == ("apart", ("x", "y"), 4)
    assert told(confusions.confused_labels, of_sets(meeting("x", "y", 1.9), differing=5.0)) == []
    assert len(told(confusions.confused_labels, of_sets(meeting("x", "y", 2), differing=5.0))) == 1
    four = [meeting("x", second, 9) for second in "abcd"]
    assert len(told(confusions.confused_labels, of_sets(*four))) == 3
    (among,) = told(confusions.confused_labels, of_sets(meeting("x", "y", 4), people=3))
    assert among.claim == confusions.CONFUSED_LABELS_AMONG.claim
    assert "units" not in among.values
    assert told(confusions.confused_labels, unit_set()) == []


def test_labels_of_sets_that_somebody_exchanged_are_not_confused_too() -> None:
    crossed = pair({("x", "y"): 10, ("y", "x"): 10})
    own = of_sets(meeting("x", "y", 20)).model_copy(update={"pairs": (crossed,), "categories": ("x", "y")})
    assert told(confusions.confused_labels, own) == []


# Weak categories


def against(value: float | None = 0.4, low: float = 0.3, high: float = 0.5) -> dict[str, Figure]:
    return {ALPHA: figure(value, low, high)}


def weak_in(
    names: str, table: Table = CONFUSED, *, categories: Sequence[str] = (), **changes: object
) -> UnitSet:
    """A unit set of x, y and z in which some are weak."""
    given: dict[str, object] = {
        "against_rest": {name: against() if name in names else against(0.9, 0.8, 0.95) for name in "xyz"},
        "specific_agreement": {name: figure(0.5) for name in ("x", "y", "z", "none")},
        "measures": {KAPPA: figure(0.6)},
    }
    return unit_set(pair(table, categories=categories), **(given | changes))


@pytest.mark.parametrize(("high", "weak"), [(0.6669, True), (0.667, False)])
def test_a_category_is_weak_whose_whole_interval_is_below_the_minimum(high: float, *, weak: bool) -> None:
    own = weak_in("", against_rest={"x": against(0.5, 0.4, high)})
    found = weakness(own, "x")
    assert bool(found) is weak
    if weak:
        assert found == {
            "agreement_share": 0.5,
            "value": 0.5,
            "low": 0.4,
            "high": high,
            "category": "x",
            "threshold": "0.667",
        }
    for figures in ({}, {ALPHA: figure(0.5)}, {ALPHA: figure(None)}, {KAPPA: figure(0.1, 0.0, 0.2)}):
        assert weakness(weak_in("", against_rest={"x": figures}), "x") == {}
    unknown = weak_in("", against_rest={"x": against()}, specific_agreement={"x": figure(None)})
    assert weakness(unknown, "x") == {}


def test_weak_categories_are_told_with_what_they_are_confused_with_the_largest_first() -> None:
    second, first = told(confusions.weak, weak_in("yz"))[::-1]
    assert (first.values["category"], first.values["other"]) == ("y", "x")
    assert (second.values["category"], second.values["other"]) == ("z", "y")
    # y is in 23 of 25 disagreements, z in 5.
    assert first.gain == pytest.approx(0.4 * 23 / 25)
    assert second.gain == pytest.approx(0.4 * 5 / 25)
    assert (first.asks, first.examples, first.categories) == ("revise", ("y", "x"), ("y",))
    weighted = weak_in("y").model_copy(update={"measures": {"weighted_kappa[linear]": figure(0.6)}})
    by = {"coefficients": {"main": "weighted_kappa[linear]"}}
    assert [each.gain for each in told(confusions.weak, weighted, **by)] == [None]
    bare = weak_in("y").model_copy(update={"measures": {}})
    assert [each.gain for each in told(confusions.weak, bare)] == [None]
    equal = DIAGONAL | {("x", "y"): 5, ("y", "z"): 5}
    assert told(confusions.weak, weak_in("y", equal))[0].values["other"] == "x", "the first of equal ones"


def test_what_is_in_most_disagreements_comes_before_what_is_in_the_most_frequent_confusion() -> None:
    table = {(name, name): 100 for name in "wxyz"} | {("w", "y"): 12, ("x", "z"): 10, ("w", "x"): 10}
    rest = {name: against() if name in "xy" else against(0.9, 0.8, 0.95) for name in "wxyz"}
    own = weak_in("", table, against_rest=rest, specific_agreement={name: figure(0.5) for name in "wxyz"})
    assert [each.values["category"] for each in told(confusions.weak, own)] == ["x", "y"]


@pytest.mark.parametrize(
    ("changes", "speaks"),
    [
        ({}, True),
        ({"scale": "ordinal"}, False),
        ({"labels": {"x": 9, "y": 9, "z": 0}}, False),
    ],
)
def test_weakness_is_asked_of_three_categories_without_an_order(
    changes: dict[str, Any], *, speaks: bool
) -> None:
    assert bool(told(confusions.weak, weak_in("y", **changes))) is speaks


def test_where_all_are_weak_no_definition_is_to_blame() -> None:
    assert told(confusions.weak, weak_in("xyz")) == []
    assert len(told(confusions.weak, weak_in("xy"))) == 2
    unmarked = {
        tuple("none" if name == "z" else name for name in cell): units for cell, units in CONFUSED.items()
    }
    rest = {name: against() for name in ("x", "y", "none")}
    all_marked = weak_in("", unmarked, against_rest=rest, non_annotated="none")  # type: ignore[arg-type]
    assert told(confusions.weak, all_marked) == []


def test_what_stays_unmarked_or_says_nothing_is_no_weak_category() -> None:
    unmarked = {
        tuple("none" if name == "z" else name for name in cell): units for cell, units in CONFUSED.items()
    }
    rest = {"x": against(0.9, 0.8, 0.95), "y": against(), "none": against()}
    own = weak_in("", unmarked, against_rest=rest, non_annotated="none")  # type: ignore[arg-type]
    assert [each.values["category"] for each in told(confusions.weak, own)] == ["y"]
    named = own.model_copy(update={"non_annotated": None})
    assert [each.values["category"] for each in told(confusions.weak, named)] == ["y"], (
        "its name says nothing"
    )
    rest = {"x": against(0.9, 0.8, 0.95), "y": against(), "z": against()}
    assert len(told(confusions.weak, weak_in("", against_rest=rest))) == 2
    unmarked_z = weak_in("", against_rest=rest, non_annotated="z")
    assert [each.values["category"] for each in told(confusions.weak, unmarked_z)] == ["y"]


def test_a_weak_category_that_is_often_left_unmarked_is_to_be_marked() -> None:
    table = {("x", "x"): 50, ("y", "y"): 50, ("none", "none"): 50, ("y", "none"): 20, ("x", "y"): 3}
    rest = {"x": against(0.9, 0.8, 0.95), "y": against(), "none": against(0.9, 0.8, 0.95)}
    own = weak_in("", table, against_rest=rest, non_annotated="none")
    (found,) = told(confusions.weak, own)
    assert (found.asks, found.values["other"]) == ("mark", "none")
    (ends,) = told(confusions.weak, own, spans=marked(("boundary", "y", 5), ("omission", "y", 4)))
    assert ends.asks == "ends"
    (omitted,) = told(confusions.weak, own, spans=marked(("boundary", "y", 5), ("omission", "y", 5)))
    assert omitted.asks == "mark"


def test_an_exchanged_label_is_not_weak() -> None:
    table = DIAGONAL | {("x", "x"): 0, ("y", "y"): 2, ("x", "y"): 40, ("y", "x"): 40, ("x", "z"): 3}
    assert told(confusions.weak, weak_in("xy", table)) == []


def test_a_category_is_not_weak_on_which_all_agree_but_one() -> None:
    names = [("A", "B"), ("A", "C"), ("B", "C")]

    def of_three(kappa: float | None, name: str = KAPPA) -> UnitSet:
        own, low = {"y": {name: figure(kappa)}}, {"y": {KAPPA: figure(0.1)}}
        pairs = [pair(CONFUSED, both, against_rest=own if both == ("A", "B") else low) for both in names]
        rows = {cell: float(units) for cell, units in CONFUSED.items()}
        return weak_in("y").model_copy(
            update={
                "pairs": tuple(pairs),
                "annotators": ("A", "B", "C"),
                "coincidences": met(rows).coincidences,
            }
        )

    apart = beside("C", -0.3, adjusted_p=0.01, without=figure(0.9)), beside("A", 0.1), beside("B", 0.1)
    by = {"quality": (quality(*apart),)}
    assert told(confusions.weak, of_three(0.667), **by) == []
    assert len(told(confusions.weak, of_three(0.6669), **by)) == 1
    assert len(told(confusions.weak, of_three(None), **by)) == 1
    assert len(told(confusions.weak, of_three(0.9, ALPHA), **by)) == 1, "of another figure"
    assert len(told(confusions.weak, of_three(0.9))) == 1, "nobody is to blame"


@pytest.mark.parametrize(("last", "weak"), [(1.0, False), (0.99, True)])
def test_kappa_without_somebody_is_the_mean_over_the_pairs_of_the_others(last: float, *, weak: bool) -> None:
    """Without D, 0.5, 0.502 and 1.0 are more than 0.667 on average."""
    kappas = {("A", "B"): 0.5, ("A", "C"): 0.502, ("B", "C"): last}
    pairs = [
        pair(CONFUSED, both, against_rest={"y": {KAPPA: figure(kappas.get(both, 0.0))}})
        for both in [*kappas, ("A", "D"), ("B", "D"), ("C", "D")]
    ]
    rows = {cell: float(units) for cell, units in CONFUSED.items()}
    own = weak_in("y").model_copy(
        update={
            "pairs": tuple(pairs),
            "annotators": ("A", "B", "C", "D"),
            "coincidences": met(rows).coincidences,
        }
    )
    apart = beside("D", -0.3, adjusted_p=0.01, without=figure(0.9)), *map(beside, "ABC")
    assert bool(told(confusions.weak, own, quality=(quality(*apart),))) is weak


def test_three_weak_categories_are_told_and_the_others_counted() -> None:
    letters = "abcdefg"
    table = {(name, name): 50 for name in letters} | {
        (name, "g"): 5 + place for place, name in enumerate("abcdef")
    }
    rest = {name: against() for name in "abcde"} | {
        "f": against(0.9, 0.8, 0.95),
        "g": against(0.9, 0.8, 0.95),
    }
    own = weak_in("", table, against_rest=rest, specific_agreement={name: figure(0.5) for name in letters})
    found = told(confusions.weak, own)
    assert [each.values.get("category") for each in found] == ["e", "d", "c", None]
    assert (found[-1].values["count"], found[-1].values["all"], found[-1].values["names"]) == (
        2,
        7,
        "b and a",
    )
    assert found[-1].values["threshold"] == "0.667"


# Categories that nobody used


def test_categories_that_nobody_used_are_told() -> None:
    one = unit_set(pair({("x", "x"): 5}, categories=("x", "y")))
    (found,) = told(confusions.unused, one)
    assert (found.values["category"], found.categories) == ("y", ("y",))
    several = unit_set(pair({("x", "x"): 5}, categories=("x", "y", "z", "none")), non_annotated="none")
    (found,) = told(confusions.unused, several)
    assert (found.values["count"], found.values["all"], found.values["names"]) == (2, 4, "y and z")
    for scale in ("interval", "ratio", "set"):
        assert told(confusions.unused, one.model_copy(update={"scale": scale})) == []
    assert told(confusions.unused, one.model_copy(update={"units_compared": 0})) == []
    assert told(confusions.unused, unit_set(pair({("x", "x"): 5}))) == []
