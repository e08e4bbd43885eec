"""What is counted, distances, and labels that are sets: the edges of each rule, on results made here."""

from collections.abc import Mapping
from typing import Any

import pytest

from reportgen.findings import units
from reportgen.measures.sets import are_single
from reportgen.results import DistanceTable, Figure, UnitSet
from reportgen.results.marks import DistanceOrigin
from reportgen.results.unit_sets import Distances, LabelCounts, LabelOfSets, SizeCurve, UnitSetMarks
from tests.findings.made_results import ALPHA, KAPPA, compared_sets, figure, met, pair, told, unit_set

# The choice of units


def of_kappa(value: float | None, **changes: object) -> UnitSet:
    return unit_set(measures={KAPPA: figure(value)}, units_compared=10, **changes)


@pytest.mark.parametrize(
    ("highest", "severity"), [(0.5004, None), (0.501, "note"), (0.54, "note"), (0.56, "warning")]
)
def test_the_choice_of_units_is_told_where_it_moves_the_figure(highest: float, severity: str | None) -> None:
    three = of_kappa(0.5, id="low"), of_kappa(highest, id="high"), of_kappa(None, id="none")
    found = told(units.choice, *three)
    assert [each.severity for each in found] == ([severity] if severity else [])
    if found:
        values = found[0].values
        assert (values["lowest_set"], values["highest_set"], values["lowest"]) == ("low", "high", 0.5)
        assert values["difference"] == pytest.approx(highest - 0.5)
        assert (values["lowest_units"], values["highest_noun"]) == (10, "units")
    (moves, same) = (
        [each.severity for each in told(units.choice, of_kappa(0.0, id="low"), of_kappa(high, id="high"))]
        for high in (units.MOVES, units.SAME)
    )
    assert (moves, same) == (["note"], ["note"])
    assert told(units.choice, three[0], three[2]) == []
    assert told(units.choice, three[0], three[1].model_copy(update={"layer": "other"})) == []
    assert told(units.choice, three[0], unit_set(id="x")) == []


@pytest.mark.parametrize(
    ("limit", "value", "values", "falls"),
    [
        (0.9, 0.8, (0.7, 0.8, 0.9), False),
        (0.9, 0.8, (0.7, 0.91, None), True),
        (1.0, 0.8, (0.7,), None),
        (None, 0.8, (0.7,), None),
        (0.9, None, (0.7,), None),
        (0.7, 0.8, (), True),
        (0.9, 0.8, (None,), False),
    ],
)
def test_where_the_figure_tends_to_is_told(
    limit: float | None, value: float | None, values: tuple[float | None, ...], *, falls: bool | None
) -> None:
    curve = SizeCurve(declared=77, marked=5, sizes=(), values={KAPPA: values}, limit={KAPPA: limit})
    found = told(units.limit, of_kappa(value, size_curve=curve))
    claims = {None: [], True: [units.FALLS.claim], False: [units.LIMIT.claim]}
    assert [each.claim for each in found] == claims[falls]
    if found:
        assert (found[0].values["limit"], found[0].values["units"], found[0].values["value"]) == (
            limit,
            77,
            value,
        )
    assert told(units.limit, of_kappa(value)) == []


def test_a_reason_of_blanks_is_none_and_marks_of_anybody_measure_omission() -> None:
    sets = unit_set(id="a", why=" \n"), unit_set(id="b"), unit_set(id="c", kind="annotated-by-any", why="")
    assert [each.values["unit_set"] for each in told(units.unjustified, *sets)] == ["a", "c"]
    assert [each.values["unit_set"] for each in told(units.omission, *sets)] == ["c"]


def test_what_counting_tokens_does_to_marks_is_said_once() -> None:
    inside = unit_set(id="inside", base="tokens", boundary=3, marks=UnitSetMarks(read=9, used=8, left_out={}))
    tokens, other = unit_set(id="tokens", base="tokens", boundary=0), unit_set(base="sentences")
    (found,) = told(units.length, other, inside, tokens)
    assert (found.values["unit_set"], found.values["boundary"], found.values["marks"]) == ("inside", 3, 8)
    (found,) = told(units.length, other, tokens, inside)
    assert found.values == {"unit_set": "tokens"}
    assert told(units.length, other) == []


@pytest.mark.parametrize("base", ["tokens", "sentences", "candidates", "units", "marks"])
def test_units_of_texts_under_several_marks_are_counted(base: str) -> None:
    in_text = base in {"tokens", "sentences", "candidates"}
    for changes, template in (
        ({"joined": True}, units.JOINED),
        ({"joined": False}, units.RANKED),
        ({"joined": True, "sets": compared_sets()}, units.EACH),
    ):
        found = told(units.several_labels, unit_set(base=base, several=2, **changes))
        assert [each.claim for each in found] == ([template.claim] if in_text else [])
    assert told(units.several_labels, unit_set(base=base)) == []


# Distances


def table(**changes: object) -> DistanceTable:
    """x and y are half as far from each other as the others are."""
    given: dict[str, object] = {
        "id": "expert",
        "why": "",
        "categories": ("x", "y", "z"),
        "rows": ((0, 1, 2), (1, 0, 2), (2, 2, 0)),
    }
    return DistanceTable.model_validate(given | changes)


def computed(x_y: float | None) -> UnitSet:
    rows = ((0.0, x_y, 1.0), (x_y, 0.0, None), (1.0, None, 0.0))
    own = pair({("x", "y"): 1, ("z", "z"): 1}, distances=Distances(computed_alpha=rows, computed_kappa=()))
    return unit_set(own)


@pytest.mark.parametrize(
    ("x_y", "template"),
    [(0.6, None), (0.61, units.CLOSER), (0.4, None), (0.39, units.FARTHER), (None, None)],
)
def test_distances_that_differ_by_more_than_a_tenth_are_told(x_y: float | None, template: Any) -> None:  # noqa: ANN401 - a template
    found = told(units.compared, computed(x_y), distances=(table(),))
    assert [each.claim for each in found] == ([template.claim] if template else [])
    if found:
        values = found[0].values
        assert (values["first"], values["second"], values["table"]) == ("x", "y", "expert")
        assert (values["declared"], values["computed"]) == (0.5, x_y)


def test_distances_of_a_taxonomy_another_layer_or_without_any_are_not_compared() -> None:
    origin = DistanceOrigin(kind="taxonomy", form="x", file="f", concepts=3)
    near = table(rows=((0, 0, 2), (0, 0, 2), (2, 2, 0)))
    assert told(units.compared, computed(0.1), distances=(near,)) == [], "a tenth is not more"
    for other in (table(origin=origin), table(categories=("x", "y", "q")), table(rows=((0, 0, 0),) * 3)):
        assert told(units.compared, computed(0.9), distances=(other,)) == []
    assert told(units.compared, unit_set(pair({("x", "y"): 1})), distances=(table(),)) == []
    assert told(units.compared, unit_set(), distances=(table(),)) == []


@pytest.mark.parametrize(("second", "speaks"), [(1, True), (0, False)])
def test_weights_from_their_own_table_are_circular_where_there_are_several_confusions(
    second: int, *, speaks: bool
) -> None:
    names = f"{ALPHA}[computed]", "weighted_kappa[computed]"
    measures = dict.fromkeys(names, figure(0.5))
    own = pair({("x", "y"): 3, ("y", "z"): second, ("z", "z"): 5})
    found = told(units.circular, unit_set(own, measures=measures))
    assert [each.evidence for each in found] == (["coefficients"] if speaks else [])
    of_three = met({("x", "y"): 3, ("y", "z"): second}, measures=measures)
    assert [each.evidence for each in told(units.circular, of_three)] == (["coefficients"] if speaks else [])
    for name in names:
        for missing in ({}, {name: figure(None)}):
            others = {other: each for other, each in measures.items() if other != name} | missing
            assert told(units.circular, unit_set(own, measures=others)) == []
    crowd = unit_set(measures=measures)
    assert [each.evidence for each in told(units.circular, crowd)] == ["coefficients"]


# Sets


def sets(apart: dict[str, float], **changes: object) -> UnitSet:
    return unit_set(units_compared=50, scale="set", sets=compared_sets(apart), **changes)


def weak(*names: str) -> dict[str, object]:
    rest = {name: {ALPHA: figure(0.4, 0.3, 0.5)} for name in names}
    return {"against_rest": rest, "specific_agreement": {name: figure(0.5) for name in "uvwxyz"}}


@pytest.mark.parametrize(("apart", "speaks"), [(10.0, True), (9.9, False)])
def test_a_label_is_weak_on_which_annotators_differ_ten_times(apart: float, *, speaks: bool) -> None:
    found = told(units.weak_labels, sets({"x": apart, "y": 50}, **weak("x")))
    assert [each.values["category"] for each in found] == (["x"] if speaks else [])
    if found:
        assert (found[0].asks, found[0].categories, found[0].id) == ("choose", ("x",), "weak-category")
    assert told(units.weak_labels, unit_set(**weak("x"))) == []


def test_three_weak_labels_are_told_that_differ_most_often() -> None:
    apart = dict(zip("uvwxyz", (20.0, 50.0, 30.0, 40.0, 10.0, 60.0), strict=True))
    found = told(units.weak_labels, sets(apart, **weak(*"uvwxy")))
    assert [each.values.get("category") for each in found] == ["v", "x", "w", None]
    assert (found[-1].values["names"], found[-1].values["all"]) == ("u and y", 6)
    assert found[-1].values["threshold"] == "0.667"


@pytest.mark.parametrize(
    ("x", "y", "speaks"), [(10, 90, True), (9.9, 90.1, False), (2, 2, True), (1.9, 2, False)]
)
def test_labels_differ_from_a_tenth_of_all_differences_and_two_units_on(
    x: float, y: float, *, speaks: bool
) -> None:
    found = told(units.differing, sets({"x": x, "y": y}))
    assert ("x" in {each.values["category"] for each in found}) is speaks
    if speaks:
        told_of = {each.values["category"]: each for each in found}
        assert told_of["x"].values["difference_share"] == pytest.approx(x / (x + y))
        assert (told_of["x"].claim, told_of["x"].cases) == (units.DIFFERS_AMONG.claim, None)
    assert [each.values["category"] for each in found][:1] == (["y"] if y > x else ["x"])


def test_three_labels_are_told_that_differ_of_several_and_who_chose_them_alone() -> None:
    assert len(told(units.differing, sets(dict.fromkeys("uvwxyz", 20.0)))) == 3
    assert told(units.differing, sets({"x": 20.0})) == []
    assert told(units.differing, unit_set()) == []
    both = pair({("x", "x"): 5}, labels={name: LabelCounts(first=9, second=7, both=4) for name in "xy"})
    own = unit_set(both, scale="set", sets=compared_sets({"x": 8.0, "y": 8.0}))
    found = told(units.differing, own)[0]
    assert (found.values["first_only"], found.values["second_only"], found.values["units"]) == (5, 3, 8)
    assert (found.values["first"], found.values["second"], found.cases) == ("A", "B", 8)


def test_labels_that_nobody_chose_are_told() -> None:
    never = {"x": LabelOfSets(chosen=0, apart=0.0), "y": LabelOfSets(chosen=1, apart=0.0)}
    own = unit_set(units_compared=5, sets=compared_sets(labels=never, names=("x", "y")))
    (found,) = told(units.unused_labels, own)
    assert (found.values["category"], found.evidence) == ("x", "specific-agreement")
    two = own.model_copy(update={"sets": compared_sets(labels=never, names=("x", "y", "z"))})
    assert [each.values["count"] for each in told(units.unused_labels, two)] == [2]
    assert told(units.unused_labels, own.model_copy(update={"units_compared": 0})) == []
    assert told(units.unused_labels, unit_set(units_compared=5)) == []


@pytest.mark.parametrize(("x", "speaks"), [(81, True), (80, False)])
def test_one_set_that_prevails_is_told(x: int, *, speaks: bool) -> None:
    labels = {"x": x, "x|y": 100 - x}
    own = unit_set(categories=tuple(labels), labels=labels, sets=compared_sets())
    found = told(units.one_set, own)
    assert [each.values["category"] for each in found] == (["x"] if speaks else [])
    assert told(units.one_set, own.model_copy(update={"sets": None})) == []


def divided(members: Mapping[str, tuple[str, ...]], *names: str, **changes: object) -> UnitSet:
    labels = {name: LabelOfSets(chosen=9, apart=0.0) for name in names}
    return unit_set(sets=compared_sets(members=members, names=names, labels=labels), **changes)


def test_sets_that_nothing_divides_are_told_with_the_sign() -> None:
    single = {name: (name,) for name in ("a;b", "a;c", "b;c", "a")}
    (found,) = told(units.not_divided, divided(single, *single))
    assert (found.values["sign"], found.claim) == (";", units.NOT_DIVIDED.claim)
    plain = {name: (name,) for name in ("a", "b")}
    assert [each.claim for each in told(units.not_divided, divided(plain, *plain))] == [units.SINGLE.claim]
    gathered = divided({**single, "a;b c": ("a;b", "c")}, *single, several=1)
    assert [each.claim for each in told(units.not_divided, gathered)] == [units.SOME_NOT_DIVIDED.claim]
    assert told(units.not_divided, gathered.model_copy(update={"several": 0})) == []
    assert told(units.not_divided, divided({"a b": ("a", "b")}, "a", "b", several=1)) == []
    assert told(units.not_divided, divided(plain)) == told(units.not_divided, unit_set()) == []
    assert are_single(compared_sets(members={"": (), "a": ("a",)}))
    assert not are_single(compared_sets(members={"a": ("a",), "ab": ("a", "b")}))


def test_rows_that_became_one_set_are_counted_in_tables_alone() -> None:
    own = unit_set(sets=compared_sets(), several=4)
    (found,) = told(units.gathered, own)
    assert found.values == {"unit_set": "items", "several": 4}
    for changes in ({"sets": None}, {"several": 0}, {"base": "tokens"}):
        assert told(units.gathered, own.model_copy(update=changes)) == []


@pytest.mark.parametrize(
    ("measure", "scale", "changes", "severity"),
    [
        (KAPPA, "set", {}, "warning"),
        (KAPPA, "nominal", {}, None),
        (f"{ALPHA}[masi]", "set", {}, None),
        ("explicit_kappa", "set", {}, None),
        ("implicit_kappa", "set", {}, None),
        (KAPPA, "set", {"joined": True, "base": "tokens"}, "note"),
        (KAPPA, "set", {"joined": True}, "warning"),
        (KAPPA, "set", {"base": "tokens"}, "warning"),
    ],
)
def test_sets_that_are_compared_as_wholes_are_told(
    measure: str, scale: str, changes: dict[str, Any], severity: str | None
) -> None:
    measures: dict[str, Figure] = {measure: figure(0.5)}
    own = unit_set(scale=scale, measures=measures, **changes)
    found = told(units.whole_sets, own, coefficients={"main": measure})
    assert [each.severity for each in found] == ([severity] if severity else [])
