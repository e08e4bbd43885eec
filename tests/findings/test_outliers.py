"""Who contradicts the others, gives one label, drifts: the edges of each rule, on results made here."""

from collections import Counter

import pytest

from reportgen.findings import annotators as annotator_rules
from reportgen.findings.annotators import Constant
from reportgen.findings.layer_facts import LayerFacts
from reportgen.results import Finding, UnitSet
from reportgen.results.annotators import (
    AnnotatorErrors,
    AnnotatorVsRest,
    Block,
    Controls,
    Copies,
    DawidSkene,
    Drift,
    WithoutNearest,
)
from reportgen.results.unit_sets import AggregateReliability, EnoughAnnotators
from tests.findings.made_results import KAPPA, Table, beside, facts, figure, pair, quality, told, unit_set

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


def of_three(third: Table, others: Table, **changes: object) -> UnitSet:
    """A and B beside each other, and C, in the columns, beside both."""
    pairs = pair(others, ("A", "B")), pair(third, ("A", "C")), pair(third, ("B", "C"))
    return unit_set(*pairs, measures={KAPPA: figure(0.5)}, **changes)


ALL_X = {("x", "x"): 20, ("y", "x"): 20}
MIXED = {("x", "x"): 20, ("y", "y"): 18, ("x", "y"): 2}


def test_of_several_one_label_is_told_where_agreement_is_better_without() -> None:
    own = of_three(ALL_X, MIXED)
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
    varied = of_three({**ALL_X, ("x", "y"): 1}, MIXED)
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
    one_label = of_three(ALL_X, MIXED)
    assert told(annotator_rules.disagreeing, one_label, quality=(quality(*known),)) == []
    crossed = {("x", "y"): 20, ("y", "x"): 20}
    assert told(annotator_rules.disagreeing, of_three(crossed, MIXED), quality=(quality(*people),)) == []
    assert told(annotator_rules.disagreeing, of_three(MIXED, MIXED), quality=(quality(*people),)) != []
    assert annotator_rules.outliers(facts(one_label, quality=(quality(*known),))) == {"C"}
    assert annotator_rules.outliers(facts(of_three(MIXED, MIXED), quality=(quality(*people),))) == set()
    assert annotator_rules.outliers(facts(of_three(MIXED, MIXED), quality=(quality(*known),))) == {"C"}


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
