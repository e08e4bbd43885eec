"""Confusions, weak categories, relations of trees, what to clarify: the edges of each rule."""

from collections.abc import Sequence
from typing import Any

import pytest

from reportgen.findings import confusions, marks
from reportgen.findings.confusions import ConfusedCategories, clarify, names_no_category, weakness
from reportgen.findings.layer_facts import confusions as confused_pairs
from reportgen.results import Figure, Finding, UnitSet
from reportgen.results.marks import DifferingHeads, RelationConfusion, TreeAgreement
from reportgen.results.texts import (
    Clarify,
    Disagreement,
    Disagreements,
    Document,
    DocumentMarks,
    LayerMarks,
    Mark,
    Texts,
)
from reportgen.results.unit_sets import LabelConfusion, LabelCounts
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
    results,
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


def attached(*, layer: str = "main", words: int = 1000, differing: int = 40, **parts: Any) -> dict[str, Any]:  # noqa: ANN401 - of the model
    own = TreeAgreement(
        layer=layer,
        words=words,
        differing=differing,
        pairs=(),
        relations_confused=parts.get("confused", ()),
        by_relation=parts.get("relations", ()),
        by_part_of_speech=parts.get("speech", ()),
        documents=(),
    )
    return {"trees": (own,)}


def part(name: str, words: int, differing: int, p: float | None = 0.001) -> DifferingHeads:
    return DifferingHeads(name=name, words=words, differing=differing, p=p)


def named(*relations: DifferingHeads, **changes: Any) -> str | None:  # noqa: ANN401 - of `attached`
    """Return the relation that is named."""
    found = told(marks.heads, **attached(relations=relations, **changes))
    return str(found[0].values["relation"]) if found else None


def test_a_relation_is_named_that_has_a_quarter_of_all_differing_heads_more_than_its_words_would() -> None:
    """Of the other 500 words 15 have differing heads: 25 are ten more than that."""
    (found,) = told(marks.heads, **attached(relations=(part("obl", 500, 25),)))
    assert found.claim == marks.OF_RELATION.claim
    assert found.values == {
        "relation": "obl",
        "difference_share": 0.625,
        "differing": 40,
        "words": 25,
        "all": 500,
    }
    assert found.cases == 25
    assert named(part("obl", 500, 24)) is None
    # Rates are of the words without the part, never of all.
    assert (named(part("obl", 100, 14)), named(part("obl", 100, 12))) == ("obl", None)
    assert named(part("obl", 1000, 40)) is None


@pytest.mark.parametrize(("differing", "speaks"), [(10, True), (9, False)])
def test_of_few_differing_heads_nothing_is_named(differing: int, *, speaks: bool) -> None:
    relation = part("obl", 100, differing)
    assert bool(named(relation, differing=differing)) is speaks


def test_what_stands_out_is_no_chance_among_all_that_were_tested() -> None:
    untested, other = part("det", 100, 0, None), part("det", 100, 0, 1.0)
    assert named(part("obl", 500, 30, 0.0499), untested) == "obl"
    assert named(part("obl", 500, 30, 0.05), untested) is None
    assert named(part("obl", 500, 30, 0.0249), other) == "obl"
    assert named(part("obl", 500, 30, 0.025), other) is None
    assert named(part("obl", 500, 30, None)) is None
    assert named(part("obl", 500, 30, 0.0)) == "obl"


def test_of_two_that_are_nearly_alike_the_one_on_more_words_is_named() -> None:
    """The first has 20 heads too many; nine tenths of these are 18."""
    assert named(part("obl", 200, 24), part("nmod", 500, 29)) == "nmod"
    assert named(part("obl", 200, 24), part("nmod", 500, 28)) == "obl"
    assert named(part("nmod", 500, 28), part("obl", 200, 24)) == "obl"


def test_a_part_of_speech_is_named_where_no_relation_is() -> None:
    speech = (part("ADP", 500, 30),)
    (found,) = told(marks.heads, **attached(relations=(part("obl", 500, 24),), speech=speech))
    assert (found.claim, found.values["speech"]) == (marks.OF_SPEECH.claim, "ADP")
    (both,) = told(marks.heads, **attached(relations=(part("obl", 500, 25),), speech=speech))
    assert both.claim == marks.OF_RELATION.claim


def confused(*words: int, **changes: Any) -> list[Finding]:  # noqa: ANN401 - of `attached`
    pairs = tuple(
        RelationConfusion(first=f"a{place}", second=f"b{place}", words=number)
        for place, number in enumerate(words)
    )
    return told(marks.confused, **attached(confused=pairs, **changes))


def test_two_relations_are_confused_where_half_of_all_confusions_are_theirs() -> None:
    (found,) = confused(5, 3, 2)
    assert found.values == {"first": "a0", "second": "b0", "words": 5, "all": 10}
    assert found.cases == 5
    assert confused(5, 5)[0].values["words"] == 5
    assert confused(5, 4) == confused(4, 3, 3) == confused(10) == confused() == []


def test_another_layers_trees_say_nothing_of_this_one() -> None:
    assert told(marks.heads, **attached(layer="other", relations=(part("obl", 500, 30),))) == []
    assert confused(9, 9, layer="other") == []
    assert told(marks.heads) == told(marks.confused) == []


TEXT = "One  and two and Three"


def clarified(
    *units: Disagreement,
    marks: tuple[Mark, ...] | None = None,
    roles: dict[str, str] | None = None,
    text: str | None = TEXT,
) -> Clarify:
    """What is to be clarified of a layer with these disagreements and marks in one document."""
    documents = (DocumentMarks(document=0, seen=("A", "B"), marks=marks or ()),)
    layer = LayerMarks(layer="main", annotators=("A", "B"), roles=roles or {}, documents=documents)
    elsewhere = layer.model_copy(update={"layer": "elsewhere", "roles": {}, "documents": documents * 3})
    texts = Texts(
        guidelines="1.0",
        documents=(Document(name="d", text=text),),
        layers=() if marks is None else (elsewhere, layer),
        disagreements=(
            Disagreements(layer="elsewhere", unit_set="items", units=units * 3),
            Disagreements(layer="main", unit_set="other", units=()),
            Disagreements(layer="main", unit_set="items", units=units),
        ),
    )
    others = unit_set(layer="elsewhere"), unit_set(id="other", primary=False)
    beside, own = clarify(results(*others, unit_set(pair({("x", "x"): 1}))), texts)
    assert (beside.layer, beside.unit_set, own.layer) == ("elsewhere", "items", "main")
    return own


def at(start: int, end: int, **labels: str) -> Disagreement:
    return Disagreement(document=0, spans=((start, end),), labels=labels or {"A": "x", "B": "y"})


def test_a_form_is_a_case_for_the_guidelines_that_is_disputed_twice() -> None:
    found = clarified(at(5, 8), at(9, 12), at(13, 16, A="x", B="z"), at(0, 3), at(17, 22))
    (only,) = found.forms
    assert (only.form, only.units, dict(only.labels), only.example) == ("and", 2, {"x": 2, "y": 1, "z": 1}, 0)
    assert found.unit_set == "items"


def test_forms_are_in_small_letters_with_single_blanks_the_most_frequent_first() -> None:
    whole = [Disagreement(text=text, labels={"A": "x"}) for text in ("b  B", "B b", "a", "A", "c", "C", "C")]
    assert [each.form for each in clarified(*whole).forms] == ["c", "a", "b b"]
    parts = Disagreement(document=0, spans=((0, 3), (9, 12)), labels={"A": "x"})
    assert [each.form for each in clarified(parts, parts).forms] == ["one … two"]
    many = [Disagreement(text=f"w{number:02}", labels={"A": "x"}) for number in range(25) for _ in "AB"]
    assert [each.form for each in clarified(*many).forms] == [f"w{number:02}" for number in range(20)]


def test_units_without_a_text_have_no_form() -> None:
    nowhere = Disagreement(labels={"A": "x"})
    assert clarified(nowhere, nowhere).forms == ()
    assert clarified(at(5, 8), at(13, 16), text=None).forms == ()
    spanless = Disagreement(document=0, labels={"A": "x"})
    assert clarified(spanless, spanless).forms == ()
    assert [each.form for each in clarified(spanless, nowhere, at(5, 8), at(13, 16)).forms] == ["and"]


def mark(who: str, start: int, end: int, label: str = "x") -> Mark:
    return Mark(annotator=who, label=label, spans=((start, end),))


def test_a_label_that_one_of_several_uses_twice_is_told() -> None:
    marks = (
        mark("A", 0, 3, "y"),
        mark("A", 9, 12, "y"),
        mark("A", 0, 3, "z"),
        mark("A", 0, 3),
        mark("B", 0, 3),
    )
    assert clarified(marks=marks).alone == {"y": "A"}
    reference = *marks, mark("B", 0, 3, "y")
    assert clarified(marks=reference).alone == {}
    assert clarified(marks=reference, roles={"B": "reference"}).alone == {"y": "A"}


def test_without_marks_units_tell_who_uses_a_category() -> None:
    def alone(table: dict[tuple[str, str], int], **changes: object) -> dict[str, str]:
        texts = Texts(
            guidelines="1",
            documents=(),
            disagreements=(Disagreements(layer="main", unit_set="items", units=()),),
        )
        (found,) = clarify(results(unit_set(pair(table), **changes)), texts)
        return dict(found.alone)

    assert alone({("x", "x"): 5, ("y", "x"): 2, ("x", "z"): 1}) == {"y": "A"}
    assert alone({("x", "x"): 5, ("y", "x"): 2}, annotators=("A",)) == {}
    both = pair(
        {("s", "s"): 1},
        labels={"m": LabelCounts(first=3, second=0, both=0), "n": LabelCounts(first=2, second=2, both=2)},
    )
    texts = Texts(
        guidelines="1", documents=(), disagreements=(Disagreements(layer="main", unit_set="items", units=()),)
    )
    (of_sets,) = clarify(results(unit_set(both)), texts)
    assert of_sets.alone == {"m": "A"}
    others = pair({("x", "x"): 9}), pair({("y", "x"): 1}, ("A", "C")), pair({("y", "x"): 1}, ("A", "D"))
    (largest,) = clarify(results(unit_set(*others)), texts)
    assert largest.alone == {}, "once in each pair is once"


def test_boundaries_are_those_of_the_marks() -> None:
    texts = Texts(
        guidelines="1", documents=(), disagreements=(Disagreements(layer="main", unit_set="items", units=()),)
    )
    (found,) = clarify(results(unit_set(), spans=marked(("boundary", "x", 3))), texts)
    assert [each.label for each in found.boundaries] == ["x"]
    (bare,) = clarify(results(unit_set()), texts)
    assert bare.boundaries == ()
