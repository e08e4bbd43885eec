"""How far figures can be trusted: the edges of each rule, on results made here."""

from typing import Any

import pytest

from reportgen.findings import verdicts
from reportgen.findings.verdicts import are_conditions, prevalent, unfit_for_thresholds
from reportgen.measures import NoInterval
from reportgen.results import Interval, SuggestedScale, UnitSet
from reportgen.results.parts import Goal, Plan
from tests.findings.made_results import ALPHA, KAPPA, facts, figure, pair, told, unit_set

Span = tuple[float, float, float] | float
OBSERVED, S = "observed_agreement", "bennett_s"


def of_kappa(
    value: float | None, low: float | None = None, high: float | None = None, **more: object
) -> UnitSet:
    """A unit set of a hundred units with kappa alone."""
    return unit_set(
        measures={KAPPA: figure(value, low, high, **more)}, units_compared=100, labels={"a": 50, "b": 50}
    )


# Prevalence


@pytest.mark.parametrize(
    ("a", "b", "common"), [(80, 20, None), (81, 19, "a"), (19, 81, "b"), (100, 0, "a"), (0, 0, None)]
)
def test_a_category_prevails_above_four_fifths(a: int, b: int, common: str | None) -> None:
    found = prevalent(facts(unit_set(categories=("a", "b"), labels={"a": a, "b": b})))
    assert (found[0] if found else None) == common
    assert found is None or found[1] == max(a, b) / (a + b)


def test_a_single_category_prevails_over_nothing() -> None:
    assert prevalent(facts(unit_set(categories=("a",), labels={"a": 9}))) is None


def test_prevalence_names_the_others_that_are_used() -> None:
    labels = {"a": 90, "b": 6, "c": 4, "d": 0}
    (found,) = told(verdicts.prevalence, unit_set(categories=tuple(labels), labels=labels))
    assert (found.values["category"], found.values["label_share"], found.values["others"]) == (
        "a",
        0.9,
        "b and c",
    )
    assert told(verdicts.prevalence, unit_set(categories=("a", "b"), labels={"a": 9, "b": 0})) == []
    assert told(verdicts.prevalence, unit_set(categories=("a", "b"), labels={"a": 5, "b": 5})) == []
    many = {"a": 900} | {f"b{number}": 1 for number in range(7)}
    (found,) = told(verdicts.prevalence, unit_set(categories=tuple(many), labels=many))
    assert found.values["others_list"] == ("b0", "b1", "b2", "b3", "b4")


@pytest.mark.parametrize(
    ("joint", "observed", "speaks"), [(90, 0.95, True), (90, 1.0, True), (89, 1.0, False), (100, 1.0, False)]
)
def test_observed_agreement_says_little_where_it_could_fall_by_a_tenth_at_most(
    joint: int,
    observed: float,
    *,
    speaks: bool,
) -> None:
    table = {("a", "a"): joint, ("b", "b"): 100 - joint}
    of_two = pair(table, measures={OBSERVED: figure(observed), S: figure(0.9)})
    found = told(verdicts.uninformative, unit_set(of_two))
    assert bool(found) is speaks
    if found:
        values = found[0].values
        assert (values["rare_units"], values["observed_floor"], values["category"]) == (10, 0.9, "a")
        assert values["s_floor"] == pytest.approx(0.8)


def test_a_fall_by_just_that_much_is_little(monkeypatch: pytest.MonkeyPatch) -> None:
    table = pair({("a", "a"): 14, ("b", "b"): 2}, measures={OBSERVED: figure(1.0), S: figure(1.0)})
    monkeypatch.setattr(verdicts, "HARDLY", 1 / 8)
    assert told(verdicts.uninformative, unit_set(table))
    monkeypatch.setattr(verdicts, "HARDLY", 1 / 8 - 1e-9)
    assert told(verdicts.uninformative, unit_set(table)) == []


@pytest.mark.parametrize("missing", [OBSERVED, S])
def test_nothing_is_said_of_floors_without_both_figures_or_prevalence(missing: str) -> None:
    table = {("a", "a"): 95, ("b", "b"): 5}
    measures = {OBSERVED: figure(1.0), S: figure(1.0)}
    assert told(verdicts.uninformative, unit_set(pair(table, measures=measures)))
    assert (
        told(verdicts.uninformative, unit_set(pair(table, measures=measures | {missing: figure(None)}))) == []
    )
    even = pair({("a", "a"): 50, ("b", "b"): 50}, measures=measures)
    assert told(verdicts.uninformative, unit_set(even)) == []


@pytest.mark.parametrize(
    ("measure", "share", "unfit"),
    [
        (OBSERVED, 50, "chance"),
        ("weighted_observed", 90, None),
        (S, 90, "prevalence"),
        (S, 50, None),
        ("gwet_ac2[ordinal]", 90, "prevalence"),
        (KAPPA, 90, None),
    ],
)
def test_thresholds_are_for_agreement_beyond_chance(measure: str, share: int, unfit: str | None) -> None:
    own = unit_set(categories=("a", "b"), labels={"a": share, "b": 100 - share})
    assert unfit_for_thresholds(facts(own, coefficients={"main": measure})) == unfit


# Thresholds in intervals


@pytest.mark.parametrize(
    ("low", "high", "thresholds"),
    [
        (0.7, 0.79, []),
        (0.6, 0.667, ["0.667"]),
        (0.6, 0.6669, []),
        (0.667, 0.7, []),
        (0.6669, 0.7, ["0.667"]),
        (0.7, 0.8, ["0.8"]),
        (0.8, 0.9, []),
        (0.5, 0.9, ["0.667", "0.8"]),
    ],
)
def test_a_threshold_straddles_from_above_the_lower_end_up_to_the_upper(
    low: float, high: float, thresholds: list[str]
) -> None:
    found = told(verdicts.straddles, of_kappa(0.7, low, high))
    assert [each.values["threshold"] for each in found] == thresholds
    assert all((each.values["low"], each.values["high"]) == (low, high) for each in found)


def test_no_threshold_straddles_without_interval_value_or_fitness() -> None:
    assert told(verdicts.straddles, of_kappa(0.7)) == []
    assert told(verdicts.straddles, unit_set()) == []
    unfit = unit_set(measures={OBSERVED: figure(0.7, 0.5, 0.9)}, labels={"a": 1, "b": 1})
    assert told(verdicts.straddles, unfit, coefficients={"main": OBSERVED}) == []


def planned(value: float, error: float | None, **changes: object) -> tuple[str, object, object]:
    """What is advised for a threshold in an interval: its beginning, how many more, and how many in all."""
    own = of_kappa(value, 0.6, 0.75, standard_error=error)
    (found,) = told(verdicts.straddles, own.model_copy(update=changes))
    return found.advice[:20], found.values.get("more"), found.values.get("needed")


def test_how_much_more_material_decides_goes_by_the_gap_and_the_standard_error() -> None:
    # About (1.96 + 0.84)² · (0.05 / 0.05)² times the hundred units at hand.
    by_unit, more, needed = planned(0.717, 0.05)
    assert by_unit == "Have {more} more uni"
    assert (more, needed) == (687, 787)
    by_document, more, needed = planned(0.717, 0.05, documents_compared=30)
    assert by_document == "Have {more} more docu"[:20]
    assert needed == 30 + int(str(more))
    assert planned(0.717, None)[0] == "Argue from the lower"
    # At the threshold, or close to it, no amount of material is worth asking for.
    for value in (0.667, 0.672):
        assert planned(value, 0.05) == ("Argue from the lower", None, None)


@pytest.mark.parametrize(("needed", "asked"), [(2000, True), (2001, False), (100, True), (50, True)])
def test_more_than_twenty_times_as_much_is_not_asked_for(
    needed: int, monkeypatch: pytest.MonkeyPatch, *, asked: bool
) -> None:
    monkeypatch.setattr(verdicts, "clusters_to_show", lambda *_: needed)
    advice, more, in_all = planned(0.717, 0.05)
    assert advice.startswith("Have") is asked
    assert (more, in_all) == ((max(needed - 100, 1), max(needed, 101)) if asked else (None, None))


def test_of_conditions_nobody_is_asked_for_more() -> None:
    assert planned(0.717, 0.05, documents_compared=3)[0] == "Argue from the lower"


@pytest.mark.parametrize(
    ("documents", "units", "base", "are"),
    [
        (10, 100, "units", True),
        (11, 200, "units", False),
        (10, 99, "units", False),
        (0, 100, "units", False),
        (1, 10, "units", True),
        (3, 100, "tokens", False),
    ],
)
def test_conditions_are_at_most_ten_with_ten_units_each(
    documents: int, units: int, base: str, *, are: bool
) -> None:
    own = unit_set(documents_compared=documents, units_compared=units, base=base)
    assert are_conditions(facts(own)) is are


# Documents


@pytest.mark.parametrize(
    ("changes", "beginning"),
    [
        ({"documents": 0, "units_compared": 5}, "The data name no documents"),
        ({"documents": 0, "units_compared": 0}, None),
        ({"documents": 30, "units_alone": 1, "documents_compared": 30}, "{alone} of {units} units name no"),
        ({"documents": 30, "units_alone": 1, "documents_compared": 30, "base": "tokens"}, None),
        ({"documents": 100, "documents_compared": 100}, "Each of the {units} units"),
        ({"documents": 99, "documents_compared": 99}, None),
        ({"documents": 5, "documents_compared": 5}, "All {units} units are in"),
        ({"documents": 19, "documents_compared": 19}, "Only {documents} documents"),
        ({"documents": 20, "documents_compared": 20}, None),
        ({"documents": 5, "documents_compared": 0}, None),
        (
            {"documents": 1, "units_by_annotators": {"2": 1}, "units_compared": 1, "documents_compared": 1},
            "Only",
        ),
    ],
)
def test_documents_that_are_unknown_or_few(changes: dict[str, object], beginning: str | None) -> None:
    given = {"units_by_annotators": {"2": 60, "1": 40}, "units_compared": 60} | changes
    found = told(verdicts.documents, unit_set(**given))
    assert [each.claim[: len(beginning or "")] for each in found] == ([beginning] if beginning else [])
    if found and "units" in found[0].values:
        assert found[0].values["units"] == 100


# Width


def plan(half_width: float = 0.2) -> dict[str, Plan]:
    goals = (Goal(half_width=0.1, clusters=300, more=200), Goal(half_width=0.05, clusters=900, more=800))
    return {KAPPA: Plan(clusters=100, half_width=half_width, goals=goals)}


@pytest.mark.parametrize(
    ("low", "high", "half_width", "speaks"),
    [(0.5, 0.71, 0.2, True), (0.5, 0.7, 0.2, False), (0.5, 0.8, 0.1, False), (0.5, 0.8, 0.1001, True)],
)
def test_an_interval_is_wide_where_its_half_and_its_plan_are_beyond_a_tenth(
    low: float,
    high: float,
    half_width: float,
    *,
    speaks: bool,
) -> None:
    own = of_kappa(0.6, low, high).model_copy(update={"planning": plan(half_width)})
    found = told(verdicts.wide, own)
    assert bool(found) is speaks
    if found:
        values = found[0].values
        assert (values["low"], values["high"]) == (low, high)
        assert (values["width"], values["half_width"], values["more"], values["many_more"]) == (
            "0.1",
            "0.05",
            200,
            800,
        )
        assert "units" in found[0].advice
        (by_document,) = told(verdicts.wide, own.model_copy(update={"documents_compared": 30}))
        assert "documents" in by_document.advice


def test_width_is_no_matter_without_a_plan_an_interval_or_of_conditions() -> None:
    own = of_kappa(0.6, 0.3, 0.9)
    assert told(verdicts.wide, own) == []
    assert told(verdicts.wide, of_kappa(0.6).model_copy(update={"planning": plan()})) == []
    assert told(verdicts.wide, own.model_copy(update={"planning": plan(), "documents_compared": 3})) == []


# The verdict


@pytest.mark.parametrize(
    ("low", "high", "level", "severity"),
    [
        (0.8, 0.9, "high", "good"),
        (0.799, 0.9, "tentative", "note"),
        (0.667, 0.7, "tentative", "note"),
        (0.666, 0.7, "open", "warning"),
        (0.5, 0.667, "open", "warning"),
        (0.5, 0.666, "low", "problem"),
        (-0.2, 0.0, "low", "problem"),
        (-0.2, -0.001, "below-chance", "problem"),
    ],
)
def test_the_verdict_goes_by_the_ends_of_the_interval(
    low: float, high: float, level: str, severity: str
) -> None:
    (found,) = told(verdicts.verdict, of_kappa(0.7, low, high))
    assert (found.level, found.severity) == (level, severity)
    assert {"value": 0.7, "low": low, "high": high}.items() <= found.values.items()


def test_a_figure_that_thresholds_do_not_fit_gets_no_level() -> None:
    chance = unit_set(measures={OBSERVED: figure(0.9, 0.85, 0.95)}, labels={"a": 1, "b": 1})
    (found,) = told(verdicts.verdict, chance, coefficients={"main": OBSERVED})
    assert (found.level, found.severity) == (None, "warning")
    assert "agreement by chance" in found.claim
    prevails = unit_set(measures={S: figure(0.9, 0.85, 0.95)}, categories=("a", "b"), labels={"a": 9, "b": 1})
    (found,) = told(verdicts.verdict, prevails, coefficients={"main": S})
    assert (found.level, found.values["category"], found.values["label_share"]) == (None, "a", 0.9)


def suggested(kind: str, value: float | None = 0.9, **ends: object) -> dict[str, SuggestedScale]:
    given = {"scale": "ordinal", "evidence": "ranks", "kind": kind, "figure": ALPHA, "value": value}
    return {"main": SuggestedScale.model_validate(given | ends)}


@pytest.mark.parametrize("kind", ["ranks", "numbers", "words", "sets"])
def test_labels_that_seem_to_be_on_a_scale_get_no_verdict_as_names(kind: str) -> None:
    own = of_kappa(0.9, 0.85, 0.95)
    ends: dict[str, Any] = {} if kind == "sets" else {"low": "1", "high": "5"}
    (found,) = told(verdicts.verdict, own, suggested_scales=suggested(kind, **ends))
    assert (found.severity, found.level, found.values["on_scale"]) == ("warning", None, 0.9)
    assert found.claim == verdicts.ON_SCALE[kind].claim
    assert ("lowest" in found.values) == bool(ends)
    for without in (suggested(kind, None), None):
        (plain,) = told(verdicts.verdict, own, suggested_scales=without)
        assert plain.level == "high"
    (undefined,) = told(verdicts.verdict, of_kappa(None, undefined="x"), suggested_scales=suggested(kind))
    assert "can't be computed" in undefined.claim


def test_what_another_scale_would_bring_is_said_in_one_layer_or_in_several() -> None:
    own = of_kappa(0.4, 0.3, 0.5)
    (found,) = told(verdicts.other_scale, own, suggested_scales=suggested("ranks", 0.9))
    assert (found.claim, found.gain) == (verdicts.OTHER_SCALE.claim, 0.5)
    assert found.values.items() >= {"value": 0.4, "reached": 0.9, "scale": "ordinal"}.items()
    assert found.values.get("layer") is None
    (less,) = told(verdicts.other_scale, own, suggested_scales=suggested("ranks", 0.1))
    assert less.gain == pytest.approx(0.3)
    several = own, unit_set(layer="b")
    (of_one,) = told(verdicts.other_scale, *several, suggested_scales=suggested("ranks", 0.9))
    assert (of_one.advice, of_one.values["layer"]) == (verdicts.OTHER_SCALE_OF_ONE.advice, "main")
    for without in (suggested("ranks", None), None, {"b": suggested("ranks")["main"]}):
        assert told(verdicts.other_scale, own, suggested_scales=without) == []
    assert told(verdicts.other_scale, of_kappa(None), suggested_scales=suggested("ranks", 0.9)) == []


def test_without_a_value_or_an_interval_the_reason_is_given() -> None:
    (found,) = told(verdicts.verdict, of_kappa(None, undefined="no units"))
    assert (found.values["reason"], found.level, found.severity) == ("no units", None, "warning")
    (found,) = told(verdicts.verdict, unit_set())
    assert found.values["reason"] == verdicts.ABSENT
    (found,) = told(verdicts.verdict, of_kappa(0.5, interval=Interval(undefined="few")))
    assert found.values["reason"] == "few"
    (found,) = told(verdicts.verdict, of_kappa(0.5))
    assert found.values["reason"] == ""


@pytest.mark.parametrize(
    ("a", "why", "rare"), [(81, NoInterval.RARE, True), (80, NoInterval.RARE, False), (81, "few", False)]
)
def test_labels_too_rare_for_an_interval_are_counted(a: int, why: str, *, rare: bool) -> None:
    own = of_kappa(0.5, interval=Interval(undefined=why)).model_copy(
        update={"categories": ("a", "b"), "labels": {"a": a, "b": 100 - a}}
    )
    (found,) = told(verdicts.verdict, own)
    assert ("others" in found.values) is rare
    if rare:
        assert (found.values["others"], found.values["labels"], found.values["category"]) == (19, 100, "a")


def test_layers_of_the_same_verdict_are_one_the_gravest_first() -> None:
    ends = {"a": (0.8, 0.9), "b": (0.1, 0.2), "c": (-0.3, -0.1), "d": (0.5, 0.9), "e": (0.7, 0.75), "f": None}
    own = {
        layer: next(verdicts.verdict(facts(of_kappa(0.5, *(span or ())).model_copy(update={"layer": layer}))))
        for layer, span in ends.items()
    }
    found = list(verdicts.over_layers(own))
    assert [(each.layers, each.level, each.severity) for each in found] == [
        (("b", "c"), "low", "problem"),
        (("f",), None, "warning"),
        (("d",), "open", "warning"),
        (("e",), "tentative", "note"),
        (("a",), "high", "good"),
    ]
    assert [each.values["count"] for each in found] == [2, 1, 1, 1, 1]
    assert all(each.values["all"] == 6 for each in found)
    many = {f"l{number}": own["a"] for number in range(9)}
    (of_many,) = verdicts.over_layers(many)
    assert of_many.values["names_list"] == tuple(many)[:8]
    assert of_many.values["names_more"] == 1
