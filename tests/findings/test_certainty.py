"""How far figures can be trusted, how labels came about, what is counted: the edges of each rule."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from reportgen.findings import protocol, units, verdicts
from reportgen.findings.layer_facts import LayerFacts
from reportgen.findings.protocol import ADVICE
from reportgen.findings.verdicts import are_conditions, prevalent, unfit_for_thresholds
from reportgen.measures import NoInterval
from reportgen.measures.sets import are_single
from reportgen.readers.inline_xml import A_COMMENT
from reportgen.readers.layers_of_marks import OF_CHAIN
from reportgen.readers.naming import OF_FAULTY
from reportgen.readers.reader import HEADS, TIMES
from reportgen.results import Adjudication, DistanceTable, Figure, Finding, Interval, SuggestedScale, UnitSet
from reportgen.results.marks import DistanceOrigin
from reportgen.results.model import CampaignFacts, DifferentTexts, LeftOut, Marks
from reportgen.results.parts import Goal, Plan
from reportgen.results.unit_sets import Distances, LabelCounts, LabelOfSets, SizeCurve, UnitSetMarks
from tests.findings.made_results import (
    ALPHA,
    KAPPA,
    compared_sets,
    facts,
    figure,
    material,
    met,
    pair,
    told,
    unit_set,
)

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


def said(**protocol_says: object) -> list[str]:
    campaign = CampaignFacts.model_validate({"id": "c", "title": "C", "protocol": protocol_says})
    return [each.id for each in told(protocol.independence, campaign=campaign)]


def test_independence_is_what_the_campaign_says() -> None:
    assert said() == ["independence-unknown"]
    assert said(independent=True) == []
    assert said(independent=False) == ["not-independent"]
    assert said(independent=True, pre_annotated_by="a model") == ["pre-annotated"]
    assert said(independent=True, pre_annotated_by="") == []


# The sample


def sampled(own: UnitSet, **corpus: object) -> list[Finding]:
    return told(
        protocol.sample,
        own,
        campaign=CampaignFacts.model_validate({"id": "c", "title": "C", "corpus": corpus}),
    )


@pytest.mark.parametrize(
    ("whole", "done", "name"),
    [
        (10, 10, "sample"),
        (10, 9, "sample-unknown"),
        (10, 1, "sample-unknown"),
        (10, 0, None),
        (10, 11, None),
        (None, 5, None),
        ("many", 5, None),
    ],
)
def test_the_share_of_the_corpus_that_was_annotated_twice(whole: object, done: int, name: str | None) -> None:
    own = unit_set(documents=20, documents_compared=done)
    found = sampled(own, **({} if whole is None else {"documents": whole}))
    assert [each.id for each in found] == ([name] if name else [])
    if name == "sample-unknown":
        assert (found[0].values["corpus_share"], found[0].values["done"], found[0].values["of"]) == (
            done / 10,
            done,
            "documents",
        )
        (chosen,) = sampled(own, documents=10, sampled="at random")
        assert (chosen.values["chosen"], chosen.claim) == ("at random", protocol.SAMPLE.claim)


def test_a_corpus_of_one_document_and_one_of_tokens() -> None:
    one = unit_set(documents=1, documents_compared=1)
    assert [each.claim for each in sampled(one, documents=1)] == [protocol.WHOLE_ONE.claim]
    assert [each.claim for each in sampled(unit_set(documents=2, documents_compared=2), documents=2)] == [
        protocol.WHOLE.claim
    ]
    for own in (unit_set(units_compared=50, id="tokens"), unit_set(units_compared=50, kind="tokens")):
        (found,) = sampled(own, tokens=100)
        assert (found.values["corpus_share"], found.values["of"]) == (0.5, "tokens")
    assert sampled(unit_set(units_compared=50), tokens=100) == []


# What was left out


def place(reason: str, marks: int) -> LeftOut:
    return LeftOut(file="f", line=1, annotator="A", reason=reason, marks=marks)


def left(read: int = 20, out: int = 0, *places: LeftOut, unread: int = 0) -> list[Finding]:
    marks = Marks(read=read, used=read - out, left_out=out)
    return told(protocol.left_out, marks=marks, left_out=places, unread=unread)


def test_labels_that_are_not_used_are_counted_without_what_is_no_label() -> None:
    (found,) = left(20, 5, place("x", 3), place(A_COMMENT, 2))
    assert found.values == {"left_out": 3, "read": 18}
    assert left(20, 2, place(A_COMMENT, 2)) == left() == []
    assert [each.id for each in left(20, 2, place(OF_CHAIN, 2))] == ["chains"]


def test_files_that_no_reader_knows_are_counted_and_not_named() -> None:
    (found,) = left(unread=2)
    assert found.values == {"files": 2}
    assert left(unread=0) == []


@pytest.mark.parametrize(("number", "ends"), [(1, "0.csv:7"), (5, "4.csv:7"), (6, "4.csv:7 …")])
def test_files_with_faults_are_named_with_their_first_line(number: int, ends: str) -> None:
    places = [
        LeftOut(file=f"{each}.csv", line=7, annotator="A", reason=OF_FAULTY, marks=0)
        for each in range(number)
    ]
    (found,) = told(protocol.faulty_files, left_out=places)
    assert str(found.values["names"]).endswith(ends)
    assert found.values.get("files") == (number if number > 1 else None)
    assert told(protocol.faulty_files, left_out=(place("x", 3),)) == []
    whole = replace(places[0], line=0)
    (found,) = told(protocol.faulty_files, left_out=(whole,))
    assert found.values["names"] == "0.csv"


def test_documents_whose_copies_differ_are_counted_with_all() -> None:
    texts = tuple(DifferentTexts(document=name, file="f", other="g", character=1, marks=4) for name in "ab")
    (found,) = told(
        protocol.different_texts,
        different_texts=texts,
        material=(material(documents=5), material(documents=7)),
    )
    assert found.values == {"documents": 2, "whole": 9, "labels": 8}
    assert told(protocol.different_texts, different_texts=texts)[0].values["whole"] == 2
    assert told(protocol.different_texts) == []


def test_what_exports_have_besides_has_its_own_sentence_where_there_is_one() -> None:
    heads, other = told(protocol.not_compared, not_compared={HEADS: 5, "smileys": 3})
    assert (heads.claim, heads.values) == (protocol.OF_KIND[HEADS].claim, {"number": 5})
    assert other.values == {"kind": "smileys", "number": 3}
    assert told(protocol.not_compared) == []
    with_times = facts(not_compared={TIMES: 5, "smileys": 3})
    assert len(list(protocol.not_compared(with_times))) == 2
    read = with_times.results.model_copy(update={"times": "read"})
    assert [each.values["number"] for each in protocol.not_compared(LayerFacts(read, "main"))] == [3]


# Labels that are not declared


def given(labels: dict[str, int], *declared: str, **changes: object) -> UnitSet:
    return unit_set(categories=tuple(labels), labels=labels, categories_declared=declared, **changes)


def test_labels_that_are_not_declared_are_told_the_commonest_first() -> None:
    own = given(
        {"Former": 9, "Forner": 2, "zebra": 5, "apple": 5, "gone": 0, "{}": 4, "Rien": 3},
        "Former",
        non_annotated="Rien",
    )
    found = told(protocol.undeclared, own)
    assert [(each.values["label"], each.values.get("nearest")) for each in found] == [
        ("apple", None),
        ("zebra", None),
        ("Forner", "Former"),
    ]
    assert [each.values["times"] for each in found] == [5, 5, 2]
    assert told(protocol.undeclared, given({"a": 9})) == []


def test_five_are_named_and_the_others_counted() -> None:
    labels = {"known": 9} | {f"{letter * 5}": 20 - place for place, letter in enumerate("abcdefg")}
    found = told(protocol.undeclared, given(labels, "known"))
    assert [each.id for each in found] == ["undeclared-label"] * 5 + ["undeclared-labels"]
    assert found[-1].values == {"count": 2, "times": 15 + 14}
    exactly = {name: labels[name] for name in list(labels)[:6]}
    assert len(told(protocol.undeclared, given(exactly, "known"))) == 5


def test_labels_are_counted_as_the_material_of_their_layer_has_them() -> None:
    own = given({"a": 1, "b": 1}, "a")
    both = material(layer="other", labels={"q": 7}), material(labels={"b": 33})
    (found,) = told(protocol.undeclared, own, material=both)
    assert (found.values["label"], found.values["times"]) == ("b", 33)


def test_members_of_sets_are_declared_one_by_one() -> None:
    members = {"x|y": ("x", "y"), "y|q": ("y", "q"), "z": ("z",)}
    own = given({"x|y": 4, "y|q": 3, "z": 2}, "x|y", sets=compared_sets(members=members), scale="set")
    found = told(protocol.undeclared, own)
    assert [(each.values["label"], each.values["times"]) for each in found] == [("q", 3), ("z", 2)]


def test_oversights_are_named_where_nothing_is_declared() -> None:
    labels = {"Yes": 30, "yes": 5, "no": 30, "n/a": 4, "{}": 3, "never": 0}
    alike, missing = sorted(told(protocol.oversights, given(labels)), key=lambda each: each.id)
    assert alike.values == {"labels": '"Yes", "yes"'}
    assert missing.values["times"] == 4
    assert told(protocol.oversights, given(labels, "Yes")) == []
    assert told(protocol.oversights, given({"yes": 30, "no": 30})) == []


def test_labels_that_contradict_others_are_counted() -> None:
    marks = UnitSetMarks(read=9, used=9, left_out={}, contradicting=2)
    (found,) = told(protocol.contradicting, unit_set(marks=marks))
    assert found.values == {"contradicting": 2}
    assert told(protocol.contradicting, unit_set()) == []


# Causes


def noted(by_cause: dict[str, int], causes: dict[str, dict[str, int]]) -> Adjudication:
    return Adjudication(layer="main", open=0, listed=False, by_cause=by_cause, causes=causes)


def causes(by_cause: dict[str, int], by_category: dict[str, dict[str, int]], **changes: Any) -> list[Finding]:  # noqa: ANN401 - any field of the model
    return told(protocol.causes, unit_set(**changes), adjudication=(noted(by_cause, by_category),))


def test_the_commonest_cause_is_told_of_five_with_its_category() -> None:
    of_categories = {"x": {"slip": 1}, "y": {"slip": 3, "other": 9}, "z": {"slip": 3}}
    (found,) = causes({"slip": 3, "other": 2}, of_categories)
    assert (found.values["cause"], found.values["times"], found.values["causes"]) == ("slip", 3, 5)
    assert (found.values["category"], found.values["layer"], found.categories) == ("y", "main", ("y",))
    assert found.advice == ADVICE["slip"]
    assert found.severity == "warning"
    assert causes({"slip": 4}, of_categories) == []
    assert told(protocol.causes) == []


def test_of_equal_causes_the_first_is_told_and_other_is_a_note() -> None:
    of_categories = {"x": {"slip": 3, "other": 3, "guideline silent": 3}}
    (found,) = causes({"slip": 3, "guideline silent": 3}, of_categories)
    assert found.values["cause"] == "guideline silent"
    (found,) = causes({"other": 5}, of_categories)
    assert found.severity == "note"


def test_what_stays_unmarked_is_named_only_where_nothing_else_is() -> None:
    of_categories = {"none": {"slip": 9}, "x": {"slip": 1}}
    (found,) = causes({"slip": 9}, of_categories, non_annotated="none")
    assert found.values["category"] == "x"
    (found,) = causes({"slip": 9}, {"none": {"slip": 9}}, non_annotated="none")
    assert found.values["category"] == "none"
    elsewhere = unit_set(), unit_set(layer="other", non_annotated="none")
    (found,) = told(protocol.causes, *elsewhere, adjudication=(noted({"slip": 9}, of_categories),))
    assert found.values["category"] == "none", "it is unmarked in another layer"


# The choice of units


def set_of_kappa(value: float | None, **changes: object) -> UnitSet:
    return unit_set(measures={KAPPA: figure(value)}, units_compared=10, **changes)


@pytest.mark.parametrize(
    ("highest", "severity"), [(0.5004, None), (0.501, "note"), (0.54, "note"), (0.56, "warning")]
)
def test_the_choice_of_units_is_told_where_it_moves_the_figure(highest: float, severity: str | None) -> None:
    three = set_of_kappa(0.5, id="low"), set_of_kappa(highest, id="high"), set_of_kappa(None, id="none")
    found = told(units.choice, *three)
    assert [each.severity for each in found] == ([severity] if severity else [])
    if found:
        values = found[0].values
        assert (values["lowest_set"], values["highest_set"], values["lowest"]) == ("low", "high", 0.5)
        assert values["difference"] == pytest.approx(highest - 0.5)
        assert (values["lowest_units"], values["highest_noun"]) == (10, "units")
    (moves, same) = (
        [
            each.severity
            for each in told(units.choice, set_of_kappa(0.0, id="low"), set_of_kappa(high, id="high"))
        ]
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
    found = told(units.limit, set_of_kappa(value, size_curve=curve))
    claims = {None: [], True: [units.FALLS.claim], False: [units.LIMIT.claim]}
    assert [each.claim for each in found] == claims[falls]
    if found:
        assert (found[0].values["limit"], found[0].values["units"], found[0].values["value"]) == (
            limit,
            77,
            value,
        )
    assert told(units.limit, set_of_kappa(value)) == []


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
