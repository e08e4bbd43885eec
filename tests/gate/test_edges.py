"""The edges of the rules of [gate], on made results, and their statistics against libraries."""

import math
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower

from reportgen.campaign import Floor
from reportgen.cli import gate_check
from reportgen.cli.gate_check import as_text, sentence
from reportgen.measures import NoDifference
from reportgen.measures.estimate import t_at, t_below
from reportgen.results import Figure, Interval, Mean, Pair, Results, UnitSet
from reportgen.results.marks import SpanResults
from reportgen.results.parts import Change, DifferenceTest, Overlap
from reportgen.results.versions import SpanRevision, VersionComparison, VersionSide
from reportgen.versions.gate import (
    Case,
    FallTest,
    FigureChange,
    GateMessage,
    GateOutcome,
    MissingFigureReason,
    NotBefore,
    NotCompared,
    Rule,
    RuleFigure,
    clusters_needed,
    compares,
    falls,
    find,
    label,
    lowest,
    moved,
    outcomes_of,
    rule_text,
    same,
    unit_sets,
    unknown,
)
from tests.defaults import taken
from tests.findings.made_comparison import revision, sample, system
from tests.properties import examples

KAPPA = "cohen_kappa"


class Of:
    """Anything that has these attributes."""

    def __init__(self, **given: Any) -> None:  # noqa: ANN401 - any
        self.__dict__.update(given)


def figure(value: float | None, low: float | None = None) -> Figure:
    ends = None if low is None else Interval(low=low, high=1.0, level=0.95, method="t")
    return Figure(value=value, interval=ends, undefined=None if value is not None else "no units")


def pair(one: str, other: str, value: float, **more: Any) -> Pair:  # noqa: ANN401 - any field
    given = {"specific_agreement": {}, "against_rest": {}} | more
    return Pair.model_construct(annotators=(one, other), measures={KAPPA: figure(value)}, **given)


def units(layer: str = "main", name: str = "items", **more: Any) -> UnitSet:  # noqa: ANN401 - any field
    given: dict[str, Any] = {
        "primary": True,
        "annotators": ("A", "B"),
        "pairs": (),
        "measures": {},
        "mean_over_pairs": {},
        "specific_agreement": {},
        "against_rest": {},
    }
    return UnitSet.model_construct(layer=layer, id=name, **(given | more))


def results(*sets: UnitSet, **more: Any) -> Results:  # noqa: ANN401 - any field
    layers = list(dict.fromkeys(each.layer for each in sets)) or ["main"]
    given = {"spans": None, "comparisons": None, "replacement": None, "guidelines": "2.0"}
    return Results.model_construct(
        unit_sets=sets, coefficients=dict.fromkeys(layers, KAPPA), **(given | more)
    )


def rule(name: str = KAPPA, **floor: Any) -> Rule:  # noqa: ANN401 - any key of a floor
    return Rule(name, Floor.model_validate({"value": 0.5} | floor), 0, listed=False)


def values(found: list[RuleFigure]) -> list[tuple[str, str | None, float | None]]:
    return [(each.layer, each.unit_set, each.figure.value) for each in found]


def test_what_nobody_says_is_nothing() -> None:
    assert taken("versions/gate*.py", "cli/gate_check.py") == {}


# Which figure a rule is about


def test_of_unit_sets_it_is_the_primary_one_or_the_named_one_of_its_layer() -> None:
    sets = [
        units("a", "one"),
        units("a", "two", primary=False),
        units("b", "one"),
        units("b", "two", primary=False),
    ]
    chosen = {
        (layer, name): [
            (each.layer, each.id) for each in unit_sets(results(*sets), rule(layer=layer, unit_set=name))
        ]
        for layer in (None, "a", "b")
        for name in (None, "two")
    }
    assert chosen == {
        (None, None): [("a", "one"), ("b", "one")],
        (None, "two"): [("a", "two"), ("b", "two")],
        ("a", None): [("a", "one")],
        ("a", "two"): [("a", "two")],
        ("b", None): [("b", "one")],
        ("b", "two"): [("b", "two")],
    }


def test_without_a_figure_one_answer_is_given_in_the_layer_of_the_rule_or_the_first() -> None:
    of_two = results(units("a"), units("b"))
    assert values(find(of_two, rule())) == [("a", None, None)]
    assert values(find(of_two, rule(layer="b"))) == [("b", None, None)]


def test_the_figure_of_all_comes_before_that_of_the_only_pair_and_this_before_a_mean() -> None:
    everything: dict[str, Any] = {
        "measures": {KAPPA: figure(0.1)},
        "pairs": (pair("A", "B", 0.2),),
        "mean_over_pairs": {KAPPA: Mean(value=0.3, pairs=1)},
    }
    assert values(find(results(units(**everything)), rule())) == [("main", "items", 0.1)]
    assert values(find(results(units(**everything | {"measures": {}})), rule())) == [("main", "items", 0.2)]
    means = everything | {"measures": {}, "pairs": ()}
    assert values(find(results(units(**means)), rule())) == [("main", "items", 0.3)]
    assert values(find(results(units(**means)), rule(category="x"))) == [("main", None, None)]
    (mean,) = outcomes_of([rule(value=None, low=0.1)], results(units(**means)), None)
    assert (mean.met, mean.message) == (False, GateMessage.NO_INTERVAL)
    assert "mean over pairs" in sentence(mean)


NOWHERE: Any = Of(folder="nowhere", file="campaign.toml")


def named_in_vain(found: Results, name: str, **floor: Any) -> list[str]:  # noqa: ANN401 - any key of a floor
    problems = unknown(NOWHERE, [rule(name, **floor)], found, ["A", "m"], {})
    assert {(each.file, each.line) for each in problems} <= {("campaign.toml", 0)}, "there is no file"
    return [each.message for each in problems]


def test_figures_of_whoever_is_compared_are_known_in_their_layer() -> None:
    compared = [
        Of(layer="main", measures={KAPPA: figure(0.1)}, by_category=("x",)),
        Of(layer="b", measures={"own": figure(0.1)}, by_category=("y",)),
    ]
    found = results(units(categories=("z",)), units("b", categories=()), comparisons=Of(pairs=compared))
    in_vain = partial(named_in_vain, found)
    assert in_vain("precision") == in_vain("recall") == in_vain("own") == in_vain("own", layer="b") == []
    assert in_vain("f_measure") == ['no figure is called "f_measure".']
    assert in_vain("own", layer="main") == ['no figure is called "own" in the layer main.']
    assert in_vain(KAPPA, category="x") == in_vain(KAPPA, category="y") == in_vain(KAPPA, category="z") == []
    assert in_vain(KAPPA, category="y", layer="main") == ['2.0 has no category "y".']
    assert in_vain("precision", unit_set="items", layer="b") == []
    assert in_vain("precision", unit_set="two") == ['no unit set is called "two".']
    assert in_vain(KAPPA, annotators=["A", "B"]) == ['no export has an annotator "B".']
    # A figure that could not be computed is not unknown.
    assert unknown(NOWHERE, [rule("gwet_ac1")], found, ["A"], {"main": ["gwet_ac1"]}) == []
    assert in_vain("precision", model="n") == ['no export has an annotator "n".']


def test_figures_of_marks_are_known_in_their_layer() -> None:
    marks = [Of(layer="b", types=("X",))]
    unitizing = [Of(layer="c", measures={"alpha_u": None}, by_category={"Y": {"u": None}}, categories=("Y",))]
    sets = [units(layer, categories=()) for layer in ("main", "b", "c")]
    found = results(*sets, spans=Of(layers=marks, unitizing=unitizing))
    in_vain = partial(named_in_vain, found)
    for name in ("f_measure[strict]", "recall[lenient]", "precision[average]"):
        assert in_vain(name, layer="b", category="X") == []
        assert in_vain(name, layer="c") == [f'no figure is called "{name}" in the layer c.']
    assert in_vain("alpha_u", layer="c", category="Y") == in_vain("u", category="Y") == []
    assert in_vain("u", layer="b") == ['no figure is called "u" in the layer b.']
    assert in_vain("u", layer="c", category="X") == ['2.0 has no category "X".']


def test_a_category_has_its_own_figures() -> None:
    found = results(
        units(specific_agreement={"x": figure(0.1)}, against_rest={"x": {KAPPA: figure(0.2)}, "y": {}})
    )
    assert values(find(found, rule("specific_agreement", category="x"))) == [("main", "items", 0.1)]
    assert values(find(found, rule(category="x"))) == [("main", "items", 0.2)]
    assert values(find(found, rule(category="y"))) == [("main", None, None)]


def test_two_people_are_a_pair_in_whatever_order_or_are_compared_with_each_other() -> None:
    pairs = (pair("A", "B", 0.1), pair("A", "C", 0.2))
    compared = [
        Of(layer=layer, unit_set=name, key="gold", other="A", measures={KAPPA: figure(value)})
        for layer, name, value in (("b", "items", 0.3), ("main", "other", 0.4), ("main", "items", 0.5))
    ]
    found = results(
        units(annotators=("A", "B", "C"), pairs=pairs, measures={KAPPA: figure(0.9)}),
        comparisons=Of(pairs=compared),
    )
    assert values(find(found, rule(annotators=["C", "A"]))) == [("main", "items", 0.2)]
    assert values(find(found, rule(annotators=["A", "gold"]))) == [("main", "items", 0.5)]
    assert values(find(found, rule(annotators=["B", "C"]))) == [("main", None, None)]
    # Two who are all annotators have the figures of all.
    both = units(measures={KAPPA: figure(0.9)}, pairs=(pair("A", "B", 0.1),))
    assert values(find(results(both), rule(annotators=["B", "A"]))) == [("main", "items", 0.9)]
    assert values(find(results(both), rule(annotators=["B", "C"]))) == [("main", None, None)]


def test_scores_of_a_category_against_a_reference_are_its_own_figures() -> None:
    scores = Of(precision=figure(0.4), key=7)
    compared = Of(layer="main", unit_set="items", key="gold", other="A", by_category={"x": scores})
    found = results(units(), comparisons=Of(pairs=[compared]))

    def of(name: str, category: str) -> float | None:
        (only,) = find(found, rule(name, annotators=["A", "gold"], category=category))
        return only.figure.value

    assert of("precision", "x") == 0.4
    assert of("precision", "y") is of("recall", "x") is of("key", "x") is None


@pytest.mark.parametrize(
    ("names", "asked", "equal"), [("AB", "BA", True), ("AB", "AA", False), ("AB", "A", False)]
)
def test_two_are_the_same_in_any_order(names: str, asked: str, *, equal: bool) -> None:
    assert same(names, asked) is equal


# Why there is none


@pytest.mark.parametrize(
    ("sets", "floor", "why"),
    [
        ([units()], {"unit_set": "tokens"}, MissingFigureReason.NO_UNIT_SET),
        ([units(annotators=("A", "B", "C"))], {"annotators": ["A", "B"]}, MissingFigureReason.CROWD),
        (
            [units(annotators=("A", "B", "C"), pairs=(pair("A", "C", 0.1),))],
            {"annotators": ["A", "B"]},
            MissingFigureReason.NO_PAIR,
        ),
        ([units()], {"annotators": ["A", "B"]}, MissingFigureReason.NO_PAIR),
        (
            [units("other", annotators=("A", "B", "C")), units()],
            {"annotators": ["A", "B"], "layer": "main"},
            MissingFigureReason.NO_PAIR,
        ),
        ([units()], {"category": "x"}, MissingFigureReason.NOT_OF_CATEGORY),
        ([units()], {}, MissingFigureReason.NOT_COMPUTED),
    ],
)
def test_a_missing_figure_says_why(
    sets: list[UnitSet], floor: dict[str, Any], why: MissingFigureReason
) -> None:
    (found,) = find(results(*sets), rule(**floor))
    assert found.figure.undefined == why


# Marks in texts


def spans(**more: Any) -> SpanResults:  # noqa: ANN401 - any field
    layers = [Of(layer="main"), Of(layer="b")]
    given: dict[str, Any] = {"layers": layers, "pairs": (), "mean_over_pairs": {}, "unitizing": None}
    return SpanResults.model_construct(**(given | more))


def marked(one: str, other: str, value: float, roles: tuple[str, str] = ("annotator", "annotator")) -> Of:
    shares = {"f_measure": figure(value, 0.1)}
    by_type = {"x": Of(strict={"f_measure": figure(value + 0.25)})}
    return Of(layer="main", annotators=(one, other), roles=roles, strict=shares, lenient={}, by_type=by_type)


STRICT = "f_measure[strict]"


def test_of_marks_the_only_pair_of_annotators_is_all_else_the_mean_is() -> None:
    mean = Of(overall={"strict": {"f_measure": Mean(value=0.9, pairs=3)}}, by_type={})
    one = [marked("A", "B", 0.5), marked("gold", "A", 0.7, ("reference", "annotator"))]
    alone = results(units(), spans=spans(pairs=one, mean_over_pairs={"main": mean}))
    assert values(find(alone, rule(STRICT))) == [("main", None, 0.5)]
    assert values(find(alone, rule(STRICT, annotators=["A", "gold"]))) == [("main", None, 0.7)]
    assert values(find(alone, rule(STRICT, category="x"))) == [("main", None, 0.5 + 0.25)]
    assert values(find(alone, rule(STRICT, annotators=["B", "gold"]))) == [("main", None, None)]
    two = results(units(), spans=spans(pairs=[*one, marked("A", "C", 0.6)], mean_over_pairs={"main": mean}))
    assert values(find(two, rule(STRICT))) == [("main", None, 0.9)]
    assert values(find(two, rule(STRICT, category="x"))) == [("main", None, None)]
    assert values(find(two, rule("f_measure[lenient]"))) == [("main", None, None)]
    assert values(find(two, rule("f_measure"))) == [("main", None, None)]
    # Marks are in no unit set, and each layer has its own.
    assert values(find(two, rule(STRICT, unit_set="items"))) == [("main", "items", None)]
    assert values(find(two, rule(STRICT, layer="b"))) == [("b", None, None)]


def test_of_unitizing_it_is_all_two_or_a_category() -> None:
    unitizing = Of(
        layer="main",
        annotators=("A", "B", "C"),
        measures={"alpha_u": figure(0.1)},
        by_category={"x": {"alpha_u": figure(0.2)}},
        pairs=[Of(annotators=("A", "B"), measures={"alpha_u": figure(0.3)})],
    )
    other = Of(layer="b", annotators=("A", "B"), measures={}, by_category={}, pairs=[])
    found = results(units(), spans=spans(unitizing=(other, unitizing)))
    assert values(find(found, rule("alpha_u"))) == [("main", None, 0.1)]
    assert values(find(found, rule("alpha_u", category="x"))) == [("main", None, 0.2)]
    assert values(find(found, rule("alpha_u", category="y"))) == [("main", None, None)]
    assert values(find(found, rule("alpha_u", annotators=["B", "A"]))) == [("main", None, 0.3)]
    assert values(find(found, rule("alpha_u", annotators=["B", "C"]))) == [("main", None, None)]
    assert values(find(found, rule("alpha_u", layer="b"))) == [("b", None, None)]


# A model's winning rate


def test_a_model_is_held_to_its_rate_by_document_where_that_is_known() -> None:
    rates = [Of(value=value, undefined=None, beaten=2, tested=3) for value in (0.6, 0.4)]
    models = [
        Of(model="m", clustered=rates[0], independent=rates[1], advantage=Of(undefined=None)),
        Of(model="n", clustered=None, independent=rates[1], advantage=Of(undefined=None)),
        Of(model="o", clustered=None, independent=None, advantage=Of(undefined="too few units")),
    ]
    layers = [Of(layer=layer, unit_set="items", models=models, epsilon=0.2) for layer in ("main", "b")]
    found = results(replacement=layers)
    asked = {"winning_rate": 0.5, "value": None, "layer": "main"}
    shown = {name: find(found, rule("replacement", model=name, **asked)) for name in "mno"}
    assert [each.figure.value for (each,) in shown.values()] == [0.6, 0.4, None]
    assert shown["m"][0].model_counts == {"beaten": 2, "tested": 3, "price": "0.2"}
    assert shown["o"][0].figure.undefined == "too few units"
    both = find(found, rule("replacement", **asked | {"model": "m", "layer": None}))
    assert [each.layer for each in both] == ["main", "b"]
    nobody = find(found, rule("replacement", model="p", **asked))
    assert [each.figure.undefined for each in nobody] == [MissingFigureReason.NO_REPLACEMENT]


# How a figure moved


def change(
    difference: float | None,
    error: float | None = 0.05,
    *,
    method: Any = "paired",  # noqa: ANN401 - one of three words
    degrees: float = 9,
    interval: Interval | None = None,
    untested: str | None = None,
    ends: Interval | None = None,
) -> Change:
    tested = error is not None and difference is not None
    return Change.model_construct(
        first=Figure(value=0.8, interval=ends),
        second=Figure(value=0.8 + (difference or 0), interval=ends),
        difference=difference,
        standard_error=error,
        interval=interval,
        test=DifferenceTest(method=method, statistic=difference / error, degrees=degrees, p=0.5)
        if tested and error and difference is not None
        else None,
        untested=untested,
    )


def comparison(**more: Any) -> VersionComparison:  # noqa: ANN401 - any field
    given: dict[str, Any] = {"unit_sets": (), "spans": (), "systems": (), "missing": {}}
    side = VersionSide.model_construct(guidelines="1.0")
    return VersionComparison.model_construct(first=side, **(given | more))


HERE = RuleFigure("main", "items", figure(0.5))
MARKS = RuleFigure("main", None, figure(0.5))
MOVED: dict[str, Any] = {"layer": "main", "unit_set": "items"}


def test_what_was_annotated_again_is_compared_on_the_units_in_both() -> None:
    everything = revision(**MOVED, basis="all", measures={KAPPA: change(0.2)}, clusters="unit")
    shared = revision(**MOVED, basis="shared", measures={KAPPA: change(0.1)}, clusters="unit")
    elsewhere = revision(layer="b", unit_set="items", basis="shared", measures={KAPPA: change(0.3)})
    found = moved(comparison(unit_sets=(elsewhere, everything, shared)), rule(), HERE)
    assert isinstance(found, FigureChange)
    assert (found.change.difference, found.shared, found.noun) == (0.1, True, "units")
    found = moved(comparison(unit_sets=(elsewhere, everything)), rule(), HERE)
    assert isinstance(found, FigureChange)
    assert (found.change.difference, found.shared) == (0.2, False)


@pytest.mark.parametrize(
    ("clusters", "documents", "expected"),
    [("document", 7, (True, (30, 30), 7)), ("unit", 7, (False, (300, 300), 40))],
)
def test_documents_are_counted_where_they_are_independent_else_units(
    clusters: str, documents: int, expected: tuple[bool, tuple[int, int], int]
) -> None:
    overlap = Overlap.model_construct(documents=documents, units=40, annotators=())
    one = revision(**MOVED, clusters=clusters, overlap=overlap, measures={KAPPA: change(0.1)})
    found = moved(comparison(unit_sets=(one,)), rule(), HERE)
    assert isinstance(found, FigureChange)
    assert (found.by_document, found.clusters, found.in_both) == expected


def test_two_people_have_their_own_change_or_that_of_all_where_they_are_all() -> None:
    pairs = (Of(annotators=("A", "B"), measures={KAPPA: change(0.1)}),)
    three = (("A", "B", "C"), ("A", "B", "C"))
    of_all = {KAPPA: change(0.2)}
    everybody = revision(people=three, **MOVED).model_copy(update={"pairs": pairs, "measures": of_all})
    two = revision(**MOVED).model_copy(update={"pairs": (), "measures": of_all})
    other = revision(people=(("A", "B"), ("A", "C")), **MOVED).model_copy(
        update={"pairs": (), "measures": of_all}
    )

    def of(one: Any, **floor: Any) -> Any:  # noqa: ANN401 - what moved
        found = moved(comparison(unit_sets=(one,)), rule(**floor), HERE)
        return found.change.difference if isinstance(found, FigureChange) else found

    assert of(everybody) == 0.2
    assert of(everybody, annotators=["B", "A"]) == 0.1
    assert of(everybody, annotators=["B", "C"]) is NotCompared.NOT_TESTED
    assert of(everybody, annotators=["B", "A"], category="Former") is NotCompared.NOT_TESTED
    assert of(two, annotators=["B", "A"]) == 0.2
    assert of(two, annotators=["B", "C"]) is NotBefore.PEOPLE
    assert of(other, annotators=["A", "B"]) is NotCompared.NOT_TESTED
    assert of(other) == 0.2


def test_of_a_category_specific_agreement_is_compared_and_of_a_type_strict_f() -> None:
    of_units = revision(**MOVED, specific_agreement={"Former": change(0.1)}, measures={KAPPA: change(0.4)})
    of_marks = SpanRevision.model_construct(
        layer="main",
        basis="shared",
        pairs=(),
        first=sample(),
        second=sample(),
        overlap=Overlap.model_construct(documents=3, units=9, annotators=()),
        measures={STRICT: change(0.2)},
        by_type={"Former": change(0.3)},
    )
    both = comparison(unit_sets=(of_units,), spans=(of_marks,))

    def of(name: str, where: RuleFigure, category: str | None) -> Any:  # noqa: ANN401 - what moved
        found = moved(both, rule(name, category=category), where)
        return found.change.difference if isinstance(found, FigureChange) else found

    assert of("specific_agreement", HERE, "Former") == 0.1
    assert of(KAPPA, HERE, "Former") is NotCompared.NOT_TESTED
    assert of("specific_agreement", HERE, "Late") is NotBefore.CATEGORY
    assert of(STRICT, MARKS, None) == 0.2
    assert of(STRICT, MARKS, "Former") == 0.3
    assert of("specific_agreement", MARKS, "Former") is NotCompared.NOT_TESTED


@pytest.mark.parametrize("floor", [{"category": "Late"}, {"annotators": ["A", "C"]}])
def test_what_one_of_several_comparisons_has_is_not_new(floor: dict[str, Any]) -> None:
    late = sample(annotators=("A", "C")).model_copy(update={"categories": ("Late",)})
    without, having = revision(**MOVED), revision(**MOVED, basis="all").model_copy(update={"first": late})
    asked = rule(**floor)
    assert moved(comparison(unit_sets=(without,)), asked, HERE) in {NotBefore.CATEGORY, NotBefore.PEOPLE}
    assert moved(comparison(unit_sets=(without, having)), asked, HERE) is NotCompared.NOT_TESTED


def test_a_system_has_the_change_between_it_and_its_reference() -> None:
    one = system(change(0.1), **MOVED).model_copy(
        update={"measures": {KAPPA: change(0.1)}, "documents": (4, 5)}
    )
    names = [one.key, one.second]
    found = moved(comparison(systems=(one,)), rule(annotators=names), HERE)
    assert isinstance(found, FigureChange)
    assert (found.clusters, found.by_document) == ((4, 5), True)
    # Of a system alone nobody knows who else was there before.
    assert moved(comparison(systems=(one,)), rule(annotators=["A", "B"]), HERE) is NotCompared.NOT_TESTED


@pytest.mark.parametrize(
    ("where", "missing", "layer", "expected"),
    [
        (HERE, ("main/items",), "other", NotBefore.UNITS),
        (HERE, ("main/tokens",), "other", NotCompared.NOT_TESTED),
        (MARKS, ("main/items",), "other", NotBefore.UNITS),
        (MARKS, ("b/items", "main/items"), "other", NotBefore.UNITS),
        (MARKS, ("main/items",), "main", NotCompared.NOT_TESTED),
        (MARKS, ("mainly/items",), "other", NotCompared.NOT_TESTED),
    ],
)
def test_only_what_is_known_to_be_new_can_not_have_fallen(
    where: RuleFigure, missing: tuple[str, ...], layer: str, expected: object
) -> None:
    found = comparison(unit_sets=(revision(layer=layer, unit_set="tokens"),), missing={"second": missing})
    assert moved(found, rule(), where) is expected


@pytest.mark.parametrize(
    ("demand", "ends", "message", "reason"),
    [
        ("low", Interval(low=0.5, high=1.0, level=0.95, method="t"), GateMessage.ALL_ABOVE, None),
        ("low", Interval(low=0.499, high=1.0, level=0.95, method="t"), GateMessage.REACHES_BELOW, None),
        ("half_width", Interval(low=0, high=1, level=0.95, method="t"), GateMessage.REACHES_AS_FAR, None),
        ("half_width", Interval(low=0, high=1.1, level=0.95, method="t"), GateMessage.REACHES_FARTHER, None),
        ("low", Interval(undefined="too few"), GateMessage.NO_INTERVAL, "too few"),
        ("half_width", Interval(undefined="too few"), GateMessage.NO_INTERVAL, "too few"),
        ("low", None, GateMessage.NO_INTERVAL, "none is computed"),
    ],
)
def test_an_interval_is_there_and_neither_below_its_floor_nor_wider(
    demand: str, ends: Interval | None, message: GateMessage, reason: str | None
) -> None:
    own = units(measures={KAPPA: Figure(value=0.6, interval=ends)})
    (found,) = outcomes_of([rule(KAPPA, value=None, **{demand: 0.5})], results(own), None)
    assert (found.message, found.values.get("reason")) == (message, reason)
    assert found.met is (message in {GateMessage.ALL_ABOVE, GateMessage.REACHES_AS_FAR})


def test_each_layer_has_an_answer_whatever_the_one_before_has() -> None:
    found = results(units("a", measures={KAPPA: figure(None)}), units("b", measures={KAPPA: figure(0.8)}))
    outcomes = outcomes_of([rule(low=0.1)], found, None)
    assert [(each.message, each.rule_figure.layer) for each in outcomes] == [
        (GateMessage.UNDEFINED, "a"),
        (GateMessage.NOT_BELOW, "b"),
        (GateMessage.NO_INTERVAL, "b"),
    ]


def test_rules_of_falls_and_margins_need_the_version_before() -> None:
    assert not compares([rule(), rule(low=0.4)])
    assert compares([rule(), rule(fall="significant")])
    assert compares([rule(margin=0.1)])
    several = rule(fall="significant", margin=0.1, low=0.2)
    assert several.demands == ("value", "low", "fall", "margin")
    outcomes = outcomes_of([several], results(units(measures={KAPPA: figure(0.8, 0.1)})), None)
    assert [(each.demand, each.met) for each in outcomes[:3]] == [
        ("value", True),
        ("low", False),
        ("fall", True),
    ]
    assert outcomes[1].written == "cohen_kappa = { low = 0.2 }"
    (undefined,) = outcomes_of([several], results(units(measures={KAPPA: figure(None)})), None)
    assert (undefined.demand, undefined.written) == ("", rule_text(several, several.demands))
    assert sentence(undefined) == "cohen_kappa is undefined in 2.0: no units."


# What became of it


def test_only_a_rule_about_falls_rests_on_a_test() -> None:
    known = FigureChange(change(0.1), (3, 3), by_document=True, shared=True, in_both=3)
    asked = rule(fall="significant", margin=0.1, at=0.01)
    assert Case(asked, HERE, "fall", known).test == FallTest(0.1 / 0.05, 9, 0.01)
    assert Case(asked, HERE, "margin", known).test is None
    assert Case(asked, HERE, "fall", NotBefore.UNITS).test is None
    untested = FigureChange(change(0.1, None), (3, 3), by_document=True, shared=True, in_both=3)
    assert Case(asked, HERE, "fall", untested).test is None


def answered(one: Change, **floor: Any) -> tuple[GateMessage, bool, GateOutcome]:  # noqa: ANN401 - any key of a floor
    found = results(units(measures={KAPPA: figure(0.8, 0.5)}))
    revised = revision(**MOVED, clusters="document").model_copy(update={"measures": {KAPPA: one}})
    given = {"value": None} | floor
    (outcome,) = outcomes_of([rule(**given)], found, comparison(unit_sets=(revised,)))
    return outcome.message, outcome.met, outcome


@pytest.mark.parametrize(
    ("compared", "message", "met"),
    [
        (None, GateMessage.FIRST, True),
        (comparison(missing={"second": ("main/items",)}), GateMessage.NOT_BEFORE, True),
        (comparison(), GateMessage.NOT_COMPARED, False),
    ],
)
def test_what_is_new_has_not_fallen_and_what_is_not_compared_is_broken(
    compared: VersionComparison | None, message: GateMessage, *, met: bool
) -> None:
    found = results(units(measures={KAPPA: figure(0.8)}))
    (outcome,) = outcomes_of([rule(value=None, fall="significant")], found, compared)
    assert (outcome.message, outcome.met) == (message, met)


NO_VARIATION, ONE_DOCUMENT = str(NoDifference.NO_VARIATION), str(NoDifference.ONE_DOCUMENT)
SOME = Interval(low=0.6, high=0.9, level=0.95, method="t")
UNKNOWN = Interval(undefined="one document")


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (change(-0.3), (GateMessage.FELL, False)),
        (change(-0.01), (GateMessage.FELL_BY_CHANCE, True)),
        (change(0.0), (GateMessage.DID_NOT_FALL, True)),
        (change(0.1), (GateMessage.DID_NOT_FALL, True)),
        (change(0.0, None, untested=ONE_DOCUMENT), (GateMessage.DID_NOT_FALL, True)),
        (change(0.1, None, untested=NO_VARIATION), (GateMessage.DID_NOT_FALL, True)),
        (change(-0.1, None, untested=NO_VARIATION), (GateMessage.UNTESTED, False)),
        (change(0.1, None, untested="other categories"), (GateMessage.UNTESTED, False)),
        (change(None, None, untested=NO_VARIATION), (GateMessage.UNTESTED, False)),
    ],
)
def test_a_fall_is_broken_where_it_is_significant_or_can_not_be_tested(
    one: Change, expected: tuple[GateMessage, bool]
) -> None:
    *found, outcome = answered(one, fall="significant")
    assert tuple(found) == expected
    assert ("Holm over 1 rule." in sentence(outcome)) == ("FELL" in outcome.message.name)


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (change(0.0, None, untested=NO_VARIATION, ends=SOME), (GateMessage.THE_SAME, True)),
        (change(0.0, None, untested=NO_VARIATION, ends=UNKNOWN), (GateMessage.UNTESTED, False)),
        (change(0.0, None, untested=NO_VARIATION), (GateMessage.UNTESTED, False)),
        (change(0.1, None, untested=NO_VARIATION, ends=SOME), (GateMessage.UNTESTED, False)),
        (change(0.0, None, untested=ONE_DOCUMENT, ends=SOME), (GateMessage.UNTESTED, False)),
        (change(0.0, 0.01), (GateMessage.WITHIN, True)),
        (change(0.0, 0.1), (GateMessage.TOO_FEW, False)),
        (change(-0.5, 0.01), (GateMessage.MAY_EXCEED, False)),
    ],
)
def test_a_margin_is_held_where_the_fall_is_shown_to_be_smaller(
    one: Change, expected: tuple[GateMessage, bool]
) -> None:
    assert answered(one, margin=0.05)[:2] == expected


@pytest.mark.parametrize("side", ["first", "second"])
def test_a_figure_that_varies_in_one_version_alone_is_not_the_same_in_both(side: str) -> None:
    one = change(0.0, None, untested=NO_VARIATION, ends=SOME)
    alone = one.model_copy(update={side: getattr(one, side).model_copy(update={"interval": UNKNOWN})})
    assert answered(alone, margin=0.05)[:2] == (GateMessage.UNTESTED, False)


def test_a_margin_is_broken_where_the_bound_is_on_it() -> None:
    one = change(0.0, 0.1)
    bound = lowest(0.0, 0.1, 9, 0.05)
    assert answered(one, margin=-bound)[1] is False
    assert answered(one, margin=math.nextafter(-bound, 1))[1] is True


@pytest.mark.parametrize(
    ("method", "degrees", "clusters"),
    [("paired", 9, 30), ("unpaired", 9, 60), ("paired", 29, 30), ("paired", 99, 100), ("unpaired", 60, 61)],
)
def test_what_it_takes_to_show_it_is_counted_as_documents_are(
    method: str, degrees: float, clusters: int
) -> None:
    """Documents without a category are none of the clusters, and one of the degrees of freedom each."""
    outcome = answered(change(0.0, 0.1, method=method, degrees=degrees), margin=0.05)[2]
    needed = clusters_needed(0.1, degrees, clusters, 0.05, 0.05)
    where = "annotated under both versions" if method == "paired" else "of both versions together"
    assert outcome.values["needed"] == f"{needed:,} documents {where}"


@pytest.mark.parametrize(
    ("degrees", "clusters", "at"), [(9, 10, 0.05), (2, 3, 0.1), (9, 19, 0.05), (199, 200, 0.01)]
)
def test_clusters_needed_are_the_least_that_are_enough(degrees: float, clusters: int, at: float) -> None:
    needed = clusters_needed(0.1, degrees, clusters, 0.05, at)
    assert needed

    def half(n: int) -> float:
        own = degrees * (n - 1) / (clusters - 1)
        return (t_at(own, 1 - at) + t_at(own, 0.8)) * 0.1 * math.sqrt(clusters / n)

    assert half(needed) <= 0.05 < half(needed - 1)
    for n in range(2, 35):
        assert clusters_needed(0.1, degrees, clusters, half(n), at) == n


@pytest.mark.parametrize(("error", "known"), [(110, True), (160, False), (1e9, False)])
def test_what_nobody_could_annotate_is_no_number(error: float, *, known: bool) -> None:
    """The first takes 300 million, the second 600 million."""
    assert (clusters_needed(error, 9, 10, 0.05, 0.05) is not None) is known


@pytest.mark.parametrize(("level", "cut_at"), [(0.95, 0.025), (0.9, 0.05), (None, 0.025)])
def test_whether_a_bound_is_cut_shows_at_the_level_of_the_interval(
    level: float | None, cut_at: float
) -> None:
    for moved_by, cut in ((0.0, False), (0.01, True)):
        low = lowest(-0.05, 0.1, 9, cut_at) + moved_by
        interval = Interval(low=low, high=0.2, level=level, method="t")
        outcome = answered(change(-0.05, 0.1, interval=interval), margin=0.05, at=0.01)[2]
        expected = low if cut else lowest(-0.05, 0.1, 9, 0.01)
        assert outcome.values["bound"] == pytest.approx(expected, abs=1e-12)


def test_where_there_are_as_many_as_it_takes_it_was_a_fall() -> None:
    error = 0.05 / (t_at(9, 0.95) + t_at(9, 0.8))
    assert clusters_needed(error, 9, 30, 0.05, 0.05) == 30
    assert answered(change(-0.04, error), margin=0.05)[0] is GateMessage.MAY_EXCEED
    assert answered(change(-0.04, error * 1.02), margin=0.05)[0] is GateMessage.TOO_FEW


@pytest.mark.parametrize("demand", [{"fall": "significant"}, {"margin": 0.05}])
def test_why_a_change_is_not_tested_is_told(demand: dict[str, Any]) -> None:
    assert answered(change(0.1, None, untested="other texts"), **demand)[2].values["reason"] == "other texts"
    assert answered(change(0.1, None), **demand)[2].values["reason"] == "no test is known"


@pytest.mark.parametrize(
    ("floor", "layers", "expected"),
    [
        ({}, 1, "cohen_kappa"),
        ({}, 2, "cohen_kappa (layer main)"),
        ({"unit_set": "items"}, 1, "cohen_kappa (unit set items)"),
        ({"unit_set": "items"}, 2, "cohen_kappa (layer main, unit set items)"),
        ({"category": "x", "annotators": ["A", "B"]}, 1, "cohen_kappa of x between A and B"),
    ],
)
def test_a_figure_is_called_by_what_tells_it_from_others(
    floor: dict[str, Any], layers: int, expected: str
) -> None:
    assert label(Case(rule(**floor), HERE, "value"), layers) == expected


def test_a_rule_is_written_with_its_level_only_where_that_matters() -> None:
    asked = rule(fall="significant", at=0.01)
    assert rule_text(asked, ["value"]) == "cohen_kappa = { value = 0.5 }"
    assert rule_text(asked, ["fall"]) == 'cohen_kappa = { fall = "significant", at = 0.01 }'
    assert rule_text(rule(fall="significant"), ["fall"]) == 'cohen_kappa = { fall = "significant" }'
    both = rule("f_measure[strict]", category="Ä", annotators=["A", "é"], value=1e-7)
    assert rule_text(both, ["value"]) == (
        '"f_measure[strict]" = { value = 1e-07, category = "Ä", annotators = ["A", "é"] }'
    )
    assert rule_text(rule("κ"), ["value"]) == '"κ" = { value = 0.5 }'
    assert rule_text(rule("a-b"), ["value"]) == "a-b = { value = 0.5 }"


def test_what_became_of_a_rule_has_nothing_that_is_not_there() -> None:
    def row(*asked: Rule) -> dict[str, Any]:
        found = results(units(measures={KAPPA: figure(0.8, 0.7)}))
        (only,) = gate_check._rules(NOWHERE, outcomes_of(asked, found, None))  # noqa: SLF001 - without a campaign
        return only

    met = row(rule())
    assert met | {"value": None} == {
        "rule": "cohen_kappa = { value = 0.5 }",
        "line": 0,
        "figure": KAPPA,
        "demand": "value",
        "layer": "main",
        "unit_set": "items",
        "held": True,
        "found": "cohen_kappa 0.800 [0.700, 1.000] is not below value = 0.5 in 2.0.",
        "message": GateMessage.NOT_BELOW.value,
        "values": {"figure": KAPPA, "version": "2.0", "floor": "0.5"},
        "value": None,
    }
    assert met["value"]["interval"]["low"] == 0.7
    first = row(rule(fall="significant", value=None))
    assert (first["held"], first["note"], first["demand"]) == (True, True, "fall")
    undefined = row(rule(category="x"))
    assert (undefined["held"], "demand" in undefined, undefined["category"]) == (False, False, "x")


# What is said


@pytest.mark.parametrize(
    ("value", "floor", "shown"),
    [
        (0.7, 0.7, "0.700"),
        (0.69996, 0.7, "0.69996"),
        (0.6996, 0.7, "0.6996"),
        (0.6994, 0.7, "0.699"),
        (-0.30004, -0.3, "−0.30004"),
        (0.7004, 0.7, "0.700"),
        (0.7 - 1e-12, 0.7, "0.699999999999"),
        (0.7 - 1e-13, 0.7, "0.700"),
        (0.7003, 0.7004, "0.7003"),
        (0.70004, 0.70004, "0.700"),
    ],
)
def test_digits_show_on_which_side_of_its_floor_a_figure_is(value: float, floor: float, shown: str) -> None:
    found = results(units(measures={KAPPA: figure(value)}))
    (outcome,) = outcomes_of([rule(value=floor)], found, None)
    assert outcome.met is (value >= floor)
    side = "is not below" if outcome.met else "is below"
    assert f"cohen_kappa {shown} {side} value = " in sentence(outcome)


def test_what_is_broken_comes_first_and_is_counted() -> None:
    rules = [
        {"rule": "a", "held": True, "found": "a is well"},
        {"rule": "b", "held": False, "found": "b is low"},
    ]
    one = {"campaign": "c", "version": "2.0", "rules": rules}
    whole = {"campaign": "d", "version": "1.0", "rules": rules[:1]}
    checks = {"campaigns": [one, whole], "without_gate": ["e/campaign.toml"]}
    assert list(as_text(checks)) == [
        ("broken", "c 2.0: broken: b: b is low"),
        ("held", "c 2.0: held: a is well"),
        ("broken", "c 2.0: 1 held, 1 broken."),
        ("held", "d 1.0: held: a is well"),
        ("held", "d 1.0: 1 held, 0 broken."),
        ("no gate", "e/campaign.toml: passed over: it has no [gate]."),
    ]


DIFFERENCES = [-0.3, 0.1, -0.2, -0.25, 0.05, -0.1, -0.15, 0.02]


def paired(differences: list[float]) -> tuple[float, float, float, float]:
    """The mean, its standard error, t and degrees of freedom."""
    values = np.asarray(differences)
    error = float(values.std(ddof=1)) / math.sqrt(len(values))
    return float(values.mean()), error, float(values.mean()) / error, len(values) - 1


@given(st.lists(st.tuples(st.floats(-8, 8), st.integers(1, 60)), min_size=1, max_size=8))
@examples(40)
def test_with_one_level_the_correction_is_that_of_holm(drawn: list[tuple[float, int]]) -> None:
    found = falls([FallTest(statistic, degrees, 0.05) for statistic, degrees in drawn])
    p = [t_below(degrees, statistic) for statistic, degrees in drawn]
    rejected, adjusted, _, _ = multipletests(p, alpha=0.05, method="holm")
    assert [each.adjusted for each in found] == pytest.approx(adjusted.tolist(), rel=1e-9)
    assert [each.significant for each in found] == rejected.tolist()


@given(
    st.lists(st.tuples(st.floats(-6, 2), st.sampled_from([0.01, 0.025, 0.05, 0.1])), min_size=1, max_size=6)
)
@examples(40)
def test_with_several_levels_it_is_the_closed_test(drawn: list[tuple[float, float]]) -> None:
    """A rule is broken where every set of rules that it is in has one with p <= at / their number."""
    found = falls([FallTest(statistic, 20, at) for statistic, at in drawn])
    for place, answer in enumerate(found):
        sets = [
            [other for other in range(len(drawn)) if mask >> other & 1]
            for mask in range(1, 2 ** len(drawn))
            if mask >> place & 1
        ]
        closed = all(any(found[each].p <= drawn[each][1] / len(s) for each in s) for s in sets)
        assert answer.significant == closed


def test_on_noise_some_rule_breaks_no_more_often_than_its_level() -> None:
    """3,000 campaigns of three rules, each of 15 documents: .05, and three standard errors of the share."""
    drawn = np.random.default_rng(6).standard_normal((3000, 3, 15))
    statistics = drawn.mean(axis=2) / (drawn.std(axis=2, ddof=1) / math.sqrt(15))
    broken = sum(
        any(each.significant for each in falls([FallTest(float(t), 14, 0.05) for t in campaign]))
        for campaign in statistics
    )
    assert 0.03 < broken / 3000 < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 3000)


@given(st.floats(0.01, 0.6), st.sampled_from([0.01, 0.05, 0.1]))
@examples(40)
def test_the_bound_is_above_the_margin_where_a_test_of_non_inferiority_says_so(
    margin: float, at: float
) -> None:
    value, error, _, degrees = paired(DIFFERENCES)
    p = stats.ttest_1samp(DIFFERENCES, -margin, alternative="greater").pvalue
    assert (lowest(value, error, degrees, at) > -margin) == (p < at)


def test_that_number_has_the_power_that_it_promises() -> None:
    """Held against the noncentral t distribution."""
    deviation = 0.12
    needed = clusters_needed(deviation / math.sqrt(20), 19, 20, 0.05, 0.05)
    exact = TTestPower().solve_power(
        effect_size=0.05 / deviation, power=0.8, alpha=0.05, alternative="larger"
    )
    assert needed is not None
    assert exact <= needed <= exact + 2


def test_without_rules_there_is_no_answer() -> None:
    assert falls([]) == []
