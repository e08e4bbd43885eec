"""Which subject a layer has, its verdicts, and systems and models beside humans: edges of the rules."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from reportgen.findings import find, of_crowds, of_judges, of_recordings, of_stability, systems, verdicts
from reportgen.findings.layer_facts import FindingTemplate, marks_or_primary
from reportgen.findings.subjects import SubjectReason, subject_of
from reportgen.results import Figure, Finding, Interval
from reportgen.results.annotators import (
    CategoryScores,
    Comparison,
    Humans,
    IntraAnnotatorAgreement,
    Judge,
    JudgedCategory,
    ModelReplacement,
    Replacement,
    SelectedUnits,
    WinningRate,
)
from reportgen.results.marks import (
    BoundaryAgreement,
    BoundaryShift,
    MarkDisagreements,
    Outcomes,
    SpanPair,
    SpanResults,
    Unitizing,
)
from reportgen.results.model import LayerSubject, Level, SubjectId
from reportgen.results.parts import Change, DifferenceTest, Overlap, SystemRevision
from reportgen.results.unit_sets import AggregateOfAnnotators, AggregateReliability
from reportgen.words.headline import ABOUT, subject_line
from reportgen.words.numbers import note
from tests.findings.made_results import (
    ALPHA,
    KAPPA,
    Rule,
    against,
    by,
    compared,
    facts,
    figure,
    pair,
    quality,
    results,
    span_pair,
    symmetry,
    told,
    unit_set,
)

ALONE = unit_set(units_compared=0, units_by_annotators={"1": 100}, annotators=("A",))
TWO = unit_set(pair({("x", "x"): 5, ("x", "y"): 5}))


def crowd(people: int, labels: int, units: int = 100, **changes: object) -> dict[str, Any]:
    names = tuple(f"w{number}" for number in range(people))
    return {
        "annotators": names,
        "units_by_annotators": {str(labels): units},
        "units_compared": units,
        **changes,
    }


def subject(*unit_sets: object, **changes: object) -> tuple[SubjectId, str]:
    found = subject_of(results(*unit_sets, **changes), "main", None)  # type: ignore[arg-type]
    return found.subject, found.reason


# Which subject


@pytest.mark.parametrize(
    ("people", "labels", "expected"),
    [(10, 3, "crowd"), (9, 3, "annotators"), (10, 2, "annotators"), (14, 5, "annotators"), (15, 5, "crowd")],
)
def test_a_crowd_is_many_people_who_label_a_small_part_each(
    people: int, labels: int, expected: SubjectId
) -> None:
    assert subject(unit_set(**crowd(people, labels)))[0] == expected


def test_what_a_crowd_gave_is_said_where_that_makes_it_one() -> None:
    def said(declared: SubjectId | None = None, people: int = 11, **units: int) -> dict[str, Any]:
        many = {number.removeprefix("by_"): times for number, times in units.items()}
        own = unit_set(**crowd(people, 3, units_by_annotators=many))
        return dict(subject_of(results(own), "main", declared).values)

    assert said(by_0=500, by_3=50, by_4=50) == {"annotators": 11, "labels": 350, "per_unit": 4}
    assert said(by_3=70, by_4=30) == {"annotators": 11, "labels": 330, "per_unit": 3}
    assert said(by_3=50, by_4=50, people=10) == {}, "each labels more than a third"
    assert said("crowd", by_3=100) == {}


def test_tokens_of_texts_are_no_crowds() -> None:
    assert subject(unit_set(**crowd(30, 5, base="tokens")))[0] == "annotators"


def test_two_annotators_of_the_same_units_are_what_it_is_about_whoever_else_there_is() -> None:
    assert subject(TWO, **by(against("tagger"), against("m", "model"))) == (
        "annotators",
        SubjectReason.SEVERAL,
    )


def test_without_two_annotators_roles_decide() -> None:
    beside = {"key": "A", "key_role": "annotator"}
    cases: list[tuple[tuple[Comparison, ...], SubjectId, SubjectReason]] = [
        ((against("tagger"),), "systems", SubjectReason.SYSTEM),
        ((against("t1"), against("t2")), "systems", SubjectReason.SYSTEMS),
        ((against("A", "annotator"),), "systems", SubjectReason.PERSON),
        ((against("m", "model", **beside),), "judge", SubjectReason.MODEL),
        ((against("m", "model"),), "judge", SubjectReason.MODEL_AND_REFERENCE),
        ((against("m", "model"), against("t1")), "systems", SubjectReason.SYSTEM),
    ]
    for pairs, expected, reason in cases:
        assert subject(ALONE, **by(*pairs)) == (expected, reason)
    assert subject(ALONE) == ("annotators", SubjectReason.NO_OTHER)


@pytest.mark.parametrize(
    ("layer", "roles", "several"),
    [
        ("main", ("annotator", "annotator"), True),
        ("other", ("annotator", "annotator"), False),
        ("main", ("reference", "annotator"), False),
    ],
)
def test_two_who_marked_the_same_texts_are_several_whatever_units_there_are(
    layer: str, roles: tuple[str, str], *, several: bool
) -> None:
    pairs = (span_pair(("A", "B"), 0.5, layer=layer, roles=roles),)
    marks = SpanResults(layers=(), pairs=pairs, mean_over_pairs={})
    reason = SubjectReason.SEVERAL if several else SubjectReason.NO_OTHER
    assert subject(ALONE, spans=marks) == ("annotators", reason)


def test_stretches_of_recordings_are_found_by_how_the_export_was_read() -> None:
    read = {"reading": "Tiers of TextGrids, in milliseconds."}
    assert subject(TWO, **read) == ("recordings", SubjectReason.RECORDINGS)
    assert subject(ALONE, **read)[0] == "annotators"


def again(name: str, value: float | None, *ends: float) -> IntraAnnotatorAgreement:
    return IntraAnnotatorAgreement(annotator=name, units=50, measures={KAPPA: figure(value, *ends)})


def test_second_passes_alone_are_stability() -> None:
    twice = quality(intra_annotator=(again("A", 0.9, 0.8, 0.95),))
    assert subject(ALONE, quality=(twice,)) == ("stability", SubjectReason.STABILITY)
    assert subject(TWO, quality=(twice,))[0] == "annotators"
    assert subject(ALONE, quality=(quality(),))[0] == "annotators"


def test_a_declared_subject_counts() -> None:
    assert subject_of(results(TWO), "main", "crowd") == LayerSubject(
        subject="crowd", declared=True, reason=SubjectReason.DECLARED
    )


def test_the_line_names_layers_that_have_other_subjects() -> None:
    made = {
        "main": LayerSubject(subject="annotators", declared=False, reason=SubjectReason.SEVERAL),
        "b": LayerSubject(subject="systems", declared=True, reason=SubjectReason.DECLARED),
    }
    two = results(TWO, unit_set(layer="b"), subjects=made)
    line = subject_line(two)
    assert line.startswith("On “main” this report asks what one annotator's labels are worth. Several")
    asked = "this report asks how closely labels match the reference"
    assert f"On “b” {asked}. campaign.toml declares it." in line
    assert subject_line(two, "b").startswith("This report asks how closely")
    assert subject_line(results(TWO, subjects={"main": made["main"]})) == "", "that is what readers expect"
    assert subject_line(results(TWO)) == ""
    assert len(set(ABOUT.values())) == len(ABOUT) == 6


# Systems


def claim(found: Finding) -> str:
    return found.claim.format(**found.values)


def release(p: float | None, difference: float, **changes: object) -> SystemRevision:
    test = None if p is None else DifferenceTest(method="paired", p=p, statistic=1.0, degrees=29.0)
    change = Change(first=figure(0.5), second=figure(0.5 + difference), difference=difference, test=test)
    given: dict[str, object] = {
        "layer": "main",
        "unit_set": "items",
        "system": "tagger 2",
        "role": "system",
        "key": "gold",
        "first": "t1",
        "second": "t2",
        "releases": ("1", "2"),
        "basis": "shared",
        "figure": KAPPA,
        "documents": (30, 30),
        "overlap": Overlap(documents=30, units=200, annotators=()),
        "measures": {KAPPA: change},
        "by_category": {},
        "by_document": (),
    }
    return SystemRevision.model_validate(given | changes)


FIRST, SECOND = (against(f"t{number}", system="tagger", release=str(number)) for number in (1, 2))


@pytest.mark.parametrize(
    ("p", "by_how_much", "template"),
    [
        (0.049, 0.2, systems.ROSE),
        (0.049, -0.2, systems.ON_BOTH["fell"]),
        (0.05, 0.2, systems.LIKE_BEFORE),
        (None, 0.2, systems.UNTESTED),
        (0.5, 0.0, systems.AS_BEFORE),
        # What was compared is what both labelled: its figure is named where it is not the one that is said.
        (0.01, 0.25, systems.ON_BOTH["rose"]),
        (0.05, 0.25, systems.ON_BOTH["open"]),
        (None, 0.25, systems.ON_BOTH["untested"]),
        (0.01, 0.2004, systems.ROSE),
    ],
)
def test_the_newest_release_is_said_with_its_change(
    p: float | None, by_how_much: float, template: FindingTemplate
) -> None:
    (found,) = told(systems.verdict, ALONE, **by(FIRST, SECOND), releases=(release(p, by_how_much),))
    assert (found.claim, found.severity, found.subject) == (template.claim, template.severity, "systems")
    assert (found.values["before"], found.values.get("p"), found.values["value"]) == (0.5, p, 0.7)
    assert found.values.get("after", 0.5 + by_how_much) == 0.5 + by_how_much
    assert claim(found)


def behind(p: float | None, by_how_much: float = 0.1) -> Change:
    return release(p, by_how_much).measures[KAPPA]


@pytest.mark.parametrize(
    ("near", "far", "template", "beside", "p"),
    [
        (behind(0.049), behind(0.01), systems.BEST, "near", 0.049),
        (behind(0.05), behind(0.01), systems.BESIDE["open"], "near", 0.05),
        (behind(0.01), behind(0.3), systems.BESIDE["open"], "far", 0.3),
        (behind(0.2), behind(0.3), systems.BESIDE["open"], "far", 0.3),
        (behind(0.01), behind(None), systems.BESIDE["untested"], "far", None),
        (None, behind(0.01), systems.BESIDE["untested"], "near", None),
        (behind(0.04, -0.1), behind(0.3), systems.BESIDE["fell"], "near", 0.04),
        (behind(None, 0.0), behind(0.01), systems.BESIDE["same"], "near", None),
    ],
)
def test_the_first_of_several_systems_is_the_best_where_a_test_beside_each_other_says_so(
    near: Change | None, far: Change, template: FindingTemplate, beside: str, p: float | None
) -> None:
    best = against("best", measures={KAPPA: figure(0.9, 0.8, 0.95)})
    others = against("near", behind=near), against("far", measures={KAPPA: figure(0.1, 0.0, 0.2)}, behind=far)
    (found,) = told(systems.verdict, ALONE, **by(others[0], best, others[1]))
    assert (found.claim, found.values["system"]) == (template.claim, "best")
    assert (found.values["next"], found.values.get("p")) == (beside, p)
    assert found.values["reached"] == {"near": 0.7, "far": 0.1}[beside]


def compared_with(*pairs: Comparison) -> list[str] | None:
    """Return whom a report on systems judges, as they are ordered."""
    found = systems.compared(facts(ALONE, **by(*pairs)))
    return None if found is None else [f"{pair.key} {pair.other}" for pair in found[1]]


def test_systems_are_judged_before_annotators_and_against_the_first_reference() -> None:
    system, ann, other = against("t"), against("A", "annotator"), against("u", key="gold2")
    beside = against("m", "model", key="A", key_role="annotator")
    assert compared_with(beside, ann, system, other) == ["gold t"]
    assert compared_with(other, system) == ["gold2 u"]
    assert compared_with(system, against("u")) == ["gold t", "gold u"]
    assert compared_with(beside, ann) == ["gold A"]
    assert compared_with(beside) == ["A m"]
    assert compared_with(against("t", measures={KAPPA: figure(None)}), ann) == ["gold A"]
    assert compared_with(against("t", measures={})) is None
    assert compared_with(against("t", layer="b"), against("u", unit_set="other")) is None


@pytest.mark.parametrize(("worse", "better"), [(0.0, 0.5), (-0.5, 0.0)])
def test_a_system_at_chance_is_above_one_below_it_and_below_one_above_it(worse: float, better: float) -> None:
    both = [against(f"at {value}", measures={KAPPA: figure(value)}) for value in (worse, better)]
    for pairs in (both, both[::-1]):
        (found,) = told(systems.verdict, ALONE, **by(*pairs))
        assert found.values["system"] == f"at {better}"


def test_a_release_is_said_beside_the_one_just_before_on_the_same_figure() -> None:
    third = against("t3", system="tagger", release="3")
    newest = release(0.01, 0.1, first="t2", second="t3", releases=("2", "3"))
    (found,) = told(systems.verdict, ALONE, **by(FIRST, SECOND, third), releases=(release(0.01, 0.3), newest))
    assert (found.values["earlier"], found.values["system"]) == ("2", "tagger 3")
    unnamed = release(0.01, 0.1, releases=None)
    (found,) = told(systems.verdict, ALONE, **by(FIRST, SECOND), releases=(unnamed,))
    assert found.values["earlier"] == "t1"
    others: tuple[dict[str, object], ...] = (
        {"layer": "b"},
        {"unit_set": "other"},
        {"key": "gold2"},
        {"first": "t0"},
        {"second": "t3"},
        {"measures": {}},
    )
    for changes in others:
        other = release(0.01, 0.1).model_copy(update=changes)
        (found,) = told(systems.verdict, ALONE, **by(FIRST, SECOND), releases=(other,))
        assert found.claim == systems.NOW.claim, changes
    (found,) = told(systems.verdict, ALONE, **by(FIRST, SECOND))
    assert found.claim == systems.NOW.claim
    (found,) = told(systems.verdict, ALONE, **by(FIRST, SECOND), releases=(release(None, 0.1),))
    assert "p" not in found.values


def test_a_system_without_an_interval_or_without_a_figure_says_why() -> None:
    bare = against("t", measures={KAPPA: figure(0.9, interval={"undefined": "one document"})})
    (found,) = told(systems.verdict, ALONE, **by(bare))
    assert claim(found) == "Against gold, t reaches Cohen's kappa 0.9, without an interval: one document."
    nothing = against("t", measures={KAPPA: figure(None, undefined="no unit")})
    (found,) = told(systems.verdict, ALONE, **by(nothing))
    assert claim(found).startswith("Nobody can be compared with a reference")


def test_why_nobody_is_compared_is_why_the_layer_has_no_figure() -> None:
    bare = ALONE.model_copy(update={"measures": {KAPPA: figure(None, undefined="one annotator")}})
    for own, reason in ((bare, "one annotator"), (ALONE, verdicts.ABSENT)):
        (found,) = told(systems.verdict, own)
        assert (found.claim, found.values["reason"]) == (systems.NOTHING.claim, reason)


def test_marks_are_judged_by_f_with_precision_and_recall() -> None:
    made = of_marks()
    (found,) = told(systems.verdict, ALONE, **made)
    assert claim(found).startswith("Against gold, t reaches F 0.8 (")
    (use,) = told(systems.use, ALONE, **made)
    assert (use.kind, use.subject, use.advice) == ("cause", "systems", "")
    shares_wrong = [round(float(str(use.values[name])), 9) for name in ("recall_share", "wrong_share")]
    assert (use.claim, shares_wrong) == (systems.FINDS.claim, [0.7, 0.1])
    assert told(systems.caveat, ALONE, **made) == [], "that is all"
    two = {"coefficients": {"main": KAPPA, "b": KAPPA}}
    assert told(systems.use, ALONE, unit_set(layer="b"), **made, **two) == []
    (rests,) = told(systems.caveat, ALONE, unit_set(layer="b"), **made, **two)
    assert claim(rests) == (
        "t finds 0.7 of the marks of gold with the right type and boundaries, and 0.9 of its own are right."
    )


def test_what_a_system_does_not_find_at_all_is_not_what_it_gives_another_type() -> None:
    shares = {"f_measure": 0.8, "precision": 0.86, "recall": 0.78}
    measures = {f"{name}[strict]": figure(value) for name, value in shares.items()}
    made = by(against("t", unit_set=None, measures=measures), unit_set_id=None, figure="f_measure[strict]")
    counts = Outcomes(match=78, overlap=4, only_first=18, only_second=9)
    pairs = (span_pair(("gold", "t"), 0.8, counts=counts, roles=("reference", "system")),)
    cases: list[dict[str, object]] = [
        {"kind": "omission", "first": "P", "cases": 10},
        {"kind": "type", "first": "P", "second": "L", "cases": 8},
        {"kind": "boundary", "first": "P", "second": "P", "cases": 4},
    ]
    found = spans(cases)["spans"].model_copy(update={"pairs": pairs})
    (use,) = told(systems.use, ALONE, **made, spans=found)
    assert use.claim == systems.OUTCOMES.claim
    told_of = {"marks": 100, "found": 78, "other": 12, "lost": 10, "invented": 0}
    assert {name: use.values[name] for name in told_of} == told_of
    assert use.advice == systems.LOOK["missed"].advice
    assert use.values["missed"] == 10
    # Where kinds of errors are not known, nothing says what is not found at all.
    (use,) = told(systems.use, ALONE, **made, spans=spans(cases)["spans"])
    assert use.claim == systems.FINDS.claim


@pytest.mark.parametrize(
    ("precision", "recall", "template"),
    [
        (0.9, 1.0, systems.FINDS),
        (1.0, 0.7, systems.FINDS),
        (1.0, 1.0, None),
    ],
)
def test_what_a_system_does_without_errors_is_said_so(
    precision: float, recall: float, template: FindingTemplate | None
) -> None:
    measures = {
        "f_measure[strict]": figure(0.8, 0.7, 0.9),
        "precision[strict]": figure(precision),
        "recall[strict]": figure(recall),
    }
    marks = against("t", unit_set=None, units=None, measures=measures)
    found = told(systems.use, ALONE, **by(marks, unit_set_id=None, figure="f_measure[strict]"))
    assert [each.claim for each in found] == ([template.claim] if template else [])


def spans(cases: list[dict[str, object]]) -> dict[str, Any]:
    own = {"annotators": ("gold", "t"), "roles": ("reference", "system"), "cases": cases}
    disagreements = MarkDisagreements.model_validate(
        {"layer": "main", "documents": 9, "cases": (), "pairs": (own,), "boundaries": (), "habits": ()}
    )
    return {"spans": SpanResults(layers=(), pairs=(), disagreements=(disagreements,), mean_over_pairs={})}


def test_errors_are_counted_by_kind_and_the_commonest_comes_first() -> None:
    cases: list[dict[str, object]] = [
        {"kind": "omission", "first": "P", "cases": 4},
        {"kind": "omission", "second": "P", "cases": 9},
        {"kind": "type", "first": "P", "second": "L", "cases": 2},
        {"kind": "boundary", "first": "P", "second": "P", "cases": 1},
        {"kind": "both", "first": "P", "second": "L", "cases": 3},
    ]
    marks = against("t", unit_set=None, measures={"f_measure[strict]": figure(0.8)})
    made = by(marks, unit_set_id=None, figure="f_measure[strict]") | spans(cases)
    (found,) = told(systems.errors, ALONE, **made)
    assert found.cases == 19
    assert claim(found) == "t differs from gold in 19 cases."
    assert note(found).advice == "Read the 9 marks that only t has."
    assert (
        told(systems.errors, ALONE, **(by(marks, unit_set_id=None, figure="f_measure[strict]") | spans([])))
        == []
    )
    assert told(systems.errors, ALONE, **by(against("t"))) == []
    assert told(systems.errors, ALONE, **(by(against("t")) | spans(cases))) == []
    assert told(systems.errors, ALONE) == told(systems.errors, ALONE, **spans(cases)) == []


def scores(value: float, low: float, high: float) -> CategoryScores:
    own = figure(value, low, high)
    return CategoryScores(key=9, other=9, both=8, precision=own, recall=own, specific_agreement=own)


@pytest.mark.parametrize(("high", "said"), [(0.69, True), (0.7, False)])
def test_a_category_is_weak_where_its_interval_is_below_all_together(high: float, *, said: bool) -> None:
    by_category = {"x": scores(0.5, 0.4, high), "y": scores(0.9, 0.8, 0.95)}
    measures = {KAPPA: figure(0.7, 0.6, 0.8), "specific_agreement[macro]": figure(0.7, 0.6, 0.8)}
    found = told(systems.weak_category, ALONE, **by(against("t", by_category=by_category, measures=measures)))
    assert [each.categories for each in found] == ([("x",)] if said else [])
    alone = against("t", by_category={"x": scores(0.5, 0.4, high)}, measures=measures)
    assert told(systems.weak_category, ALONE, **by(alone)) == []


def of_marks(**changes: object) -> dict[str, Any]:
    """A system that is compared on marks in texts."""
    shares = {"f_measure": 0.8, "precision": 0.9, "recall": 0.7}
    measures = {f"{name}[strict]": figure(value, value - 0.1, value + 0.05) for name, value in shares.items()}
    given: dict[str, object] = {"unit_set": None, "units": None, "measures": measures}
    marks = against("t").model_copy(update=given | changes)
    return by(marks, unit_set_id=None, figure="f_measure[strict]")


@pytest.mark.parametrize("missing", ["precision[strict]", "recall[strict]"])
def test_precision_and_recall_are_said_where_both_are_known(missing: str) -> None:
    made = of_marks()
    measures: dict[str, Figure] = made["comparisons"].pairs[0].measures
    assert told(systems.use, ALONE, **made)
    measures[missing] = figure(None)
    assert told(systems.use, ALONE, **made) == []
    del measures[missing]
    assert told(systems.use, ALONE, **made) == told(systems.caveat, ALONE, **made) == []


@pytest.mark.parametrize(
    ("humans", "place"), [(0.59, "above"), (0.6, "like"), (0.8, "like"), (0.81, "below"), (None, "")]
)
def test_a_system_can_be_used_as_annotators_are_where_it_comes_as_near(
    humans: float | None, place: str
) -> None:
    right = {KAPPA: figure(0.7, 0.6, 0.8), "observed_agreement": figure(0.75)}
    beside = {"documents": 9, "units": 200, "pairs": 3, "measures": {KAPPA: figure(humans)}}
    made = by(against("t", measures=right, humans=beside))
    (found,) = told(systems.use, ALONE, **made)
    template = systems.LIKE_HUMANS[place] if place else systems.MISTAKES
    assert found.claim == template.claim
    assert found.values.get("humans", 0.25) == (humans or 0.25)
    rests = [claim(each) for each in told(systems.caveat, ALONE, **made)]
    assert rests == (["t gives 0.75 of 200 units the label of gold."] if place else [])


def test_nothing_is_said_of_labels_that_are_all_right_or_of_which_nothing_is_known() -> None:
    assert told(systems.use, ALONE, **by(against("t"))) == []
    for value in (1.0, None):
        right = {KAPPA: figure(0.7), "observed_agreement": figure(value)}
        assert told(systems.use, ALONE, **by(against("t", measures=right))) == []
    assert told(systems.use, ALONE) == told(systems.caveat, ALONE) == []


def test_another_layers_marks_say_nothing_of_this_one() -> None:
    made = of_marks(layer="b")
    (own,) = made["comparisons"].sets
    other = made["comparisons"].model_copy(update={"sets": (own.model_copy(update={"layer": "b"}),)})
    (found,) = told(systems.verdict, ALONE, comparisons=other)
    assert claim(found).startswith("Nobody can be compared")
    assert systems.answer(facts(ALONE, comparisons=other)) is None


def by_documents(
    *errors: tuple[int, int], people: tuple[str, str] = ("gold", "t"), layer: str = "main"
) -> dict[str, Any]:
    """Marks of a system by document: how many do not match, and how many do."""
    nothing: dict[str, object] = {"strict": {}, "lenient": {}, "average": {}}
    documents = {
        f"d{number}": nothing
        | {
            "counts": {
                "match": match,
                "overlap": wrong % 2,
                "only_first": wrong // 2,
                "only_second": wrong // 2,
            }
        }
        for number, (wrong, match) in enumerate(errors)
    }
    own = nothing | {
        "counts": {"match": 0, "overlap": 0, "only_first": 0, "only_second": 0},
        "lenient": {"f_measure": figure(0.85)},
        "layer": layer,
        "annotators": people,
        "roles": ("reference", "system"),
        "documents": len(errors),
        "false_positives": figure(0.0),
        "macro_documents": {},
        "macro_types": {},
        "by_type": {},
        "by_document": documents,
        "differs_from_greedy": 0,
    }
    pairs = (SpanPair.model_validate(own),)
    return {"spans": SpanResults(layers=(), pairs=pairs, mean_over_pairs={})}


def worst(*errors: tuple[int, int], **changes: object) -> list[Finding]:
    return told(systems.worst_documents, ALONE, **of_marks(), **by_documents(*errors, **changes))  # type: ignore[arg-type]


def test_where_marks_need_only_overlap_f_is_said_too() -> None:
    for layer, people, said in (
        ("main", ("gold", "t"), True),
        ("other", ("gold", "t"), False),
        ("main", ("gold", "u"), False),
    ):
        found = told(systems.caveat, ALONE, **of_marks(), **by_documents(layer=layer, people=people))
        assert [claim(each) for each in found] == ["Where marks need only overlap, F is 0.85."] * said
    same = of_marks()
    same["comparisons"].pairs[0].measures["f_measure[strict]"] = figure(0.85, 0.8, 0.9)
    assert told(systems.caveat, ALONE, **same, **by_documents()) == []


def test_documents_with_more_errors_than_the_others_are_named_those_with_most_first() -> None:
    few = [(2, 18)] * 6
    (found,) = worst(*few, (15, 5), (17, 3))
    assert found.values["names_list"] == ("d7", "d6")
    # At the rate of the others, a tenth, there would be four.
    assert (found.values["there"], found.values["errors"], found.values["expected"]) == (32, 44, 4)
    assert worst(*few, (3, 17)) == []
    # What nobody marked anything in is no document here.
    assert worst(*few, (15, 5), (0, 0))[0].values["names_list"] == ("d6",)
    assert worst((0, 20), (0, 20), (0, 20), (0, 20), (15, 5))[0].values["expected"] == 0


def test_a_document_is_named_beside_four_others_at_least() -> None:
    assert worst((2, 18), (2, 18), (2, 18), (2, 18), (15, 5))
    assert worst((2, 18), (2, 18), (2, 18), (0, 0), (15, 5)) == []


@pytest.mark.parametrize(("marks", "speaks"), [(19, True), (20, False)])
def test_a_document_has_more_errors_than_chance_gives_after_holm(marks: int, *, speaks: bool) -> None:
    """P(X ≥ 7) at the rate .1 is .0017 of 19 marks, and .0024 of 20: times five documents .0085 and .0119."""
    assert bool(worst(*[(2, 18)] * 4, (7, marks - 7))) is speaks


def test_worst_documents_are_those_of_the_system_that_is_judged_on_marks() -> None:
    errors = [(2, 18)] * 6 + [(15, 5)]
    assert worst(*errors, layer="other") == worst(*errors, people=("gold", "u")) == []
    assert told(systems.worst_documents, ALONE, **of_marks()) == []
    assert told(systems.worst_documents, ALONE, **by_documents(*errors)) == []
    assert told(systems.worst_documents, ALONE, **by(against("t")), **by_documents(*errors)) == []


def test_the_weakest_category_is_one_that_is_marked_and_has_an_interval() -> None:
    bare = CategoryScores.model_validate(
        dict.fromkeys(("key", "other", "both"), 9)
        | dict.fromkeys(("precision", "recall", "specific_agreement"), figure(0.1))
    )
    by_category = {
        "a": scores(0.9, 0.8, 0.95),
        "none": scores(0.1, 0.05, 0.2),
        "bare": bare,
        "x": scores(0.5, 0.4, 0.6),
        "w": scores(0.5, 0.45, 0.6),
    }
    own = ALONE.model_copy(update={"non_annotated": "none"})
    (found,) = told(systems.weak_category, own, **of_marks(by_category=by_category))
    assert found.values["category"] == "w"
    assert (found.values["value"], found.values["low"], found.values["whole"]) == (0.5, 0.45, 0.8)
    measures = {KAPPA: figure(0.7), "specific_agreement[macro]": figure(0.59)}
    marked = against("t", by_category=by_category, measures=measures)
    assert told(systems.weak_category, own, **by(marked)) == []
    of_kappa = against("t", by_category=by_category, measures={KAPPA: figure(0.7)})
    assert told(systems.weak_category, own, **by(of_kappa)) == []
    assert told(systems.weak_category, own) == []


# A judge


def judged(**changes: object) -> JudgedCategory:
    given: dict[str, object] = {
        "human": 20,
        "model": 30,
        "both": 18,
        "sensitivity": figure(0.9, 0.8, 0.95),
        "specificity": figure(0.85, 0.8, 0.9),
        "positive_value": figure(0.6, 0.4, 0.7),
        "negative_value": figure(0.97, 0.9, 0.99),
        "phi": figure(0.6, 0.5, 0.66),
        "human_share": figure(0.1, 0.06, 0.14),
        "reported_share": figure(0.15, 0.1, 0.2),
    }
    return JudgedCategory.model_validate(given | changes)


def judge(kappa: Figure, own: JudgedCategory | None = None, units: int = 200) -> dict[str, Any]:
    part = Judge(
        layer="main",
        unit_set="items",
        model="m",
        human="A",
        annotators=1,
        units=units,
        alone=0,
        categories={"yes": own or judged(), "no": judged(human=180, phi=figure(0.9, 0.8, 0.95))},
    )
    beside = against("m", "model", key="A", key_role="annotator", measures={KAPPA: kappa})
    return {"judges": (part,), **by(beside)}


def test_of_units_that_are_no_random_part_nothing_else_is_said_first() -> None:
    made = judge(figure(0.9, 0.85, 0.95), judged(model=50, human_share=figure(0.1, 0.06, 0.14)))
    selected = SelectedUnits(category="yes", labelled_share=0.75, further_share=0.15, p=1e-9)
    own = made["judges"][0].model_copy(update={"selected": selected, "alone": 2000})
    made["judges"] = (own,)
    (found,) = told(of_judges.verdict, ALONE, **made)
    assert (found.severity, found.kind, found.subject) == ("problem", "verdict", "judge")
    assert claim(found).startswith(
        "The 200 units that A labelled are no random part of those that m labelled"
    )
    assert "m calls 0.75 of them yes, and 0.15 of the 2000 others" in claim(found)
    assert told(of_judges.caveat, ALONE, **made) == []
    assert told(of_judges.shares, ALONE, **made) == []


def test_the_share_that_a_model_reports_stands_beside_the_humans_or_the_corrected_one() -> None:
    (found,) = told(of_judges.caveat, ALONE, **judge(figure(0.7, 0.6, 0.8)))
    assert claim(found) == "m would report 0.15 yes, where A finds 0.1 in the same 200 units."
    own = judged(corrected_share=figure(0.11, 0.08, 0.14))
    (found,) = told(of_judges.caveat, ALONE, **judge(figure(0.7, 0.6, 0.8), own))
    assert "the corrected share is 0.11 (0.08 to 0.14), over 200 units of which A labelled 200" in claim(
        found
    )
    # A corrected share without an interval is nothing to report.
    own = judged(corrected_share=figure(0.11))
    (found,) = told(of_judges.caveat, ALONE, **judge(figure(0.7, 0.6, 0.8), own))
    assert claim(found).startswith("m would report 0.15 yes, where A finds 0.1")


@pytest.mark.parametrize(
    ("alone", "missed", "template"),
    [
        (6, 0, of_judges.TOO_MANY),
        (0, 6, of_judges.TOO_FEW),
        (5, 0, None),
        (9, 8, None),
        (0, 0, None),
    ],
)
def test_a_model_errs_in_one_direction_where_that_is_more_than_chance(
    alone: int, missed: int, template: FindingTemplate | None
) -> None:
    """Six of six one way have p = 0.031 by the exact test, five of five 0.062."""
    yes = judged(human=20 + missed, model=20 + alone, both=20)
    made = of_categories(no=judged(human=60 + alone, model=60 + missed, both=60), yes=yes)
    found = told(of_judges.leans, ALONE, **made)
    assert [each.claim for each in found] == ([template.claim] if template else [])
    assert all((each.kind, each.categories, bool(each.advice)) == ("cause", ("yes",), True) for each in found)
    assert told(of_judges.leans, ALONE) == []


@pytest.mark.parametrize(("high", "said"), [(0.666, True), (0.667, False)])
def test_where_a_model_errs_is_said_by_the_interval_of_phi(high: float, *, said: bool) -> None:
    made = judge(figure(0.7, 0.6, 0.8), judged(phi=figure(0.6, 0.5, high)))
    assert [each.categories for each in told(of_judges.errs, ALONE, **made)] == ([("yes",)] if said else [])


def test_of_two_categories_the_rarer_one_is_named() -> None:
    """Both have one φ, and one is too many by as much as the other is too few."""
    same = figure(0.5, 0.4, 0.6)
    made = judge(figure(0.7, 0.6, 0.8), judged(model=50, phi=same, human_share=figure(0.1, 0.06, 0.14)))
    frequent = judged(human=180, model=150, phi=same, human_share=figure(0.9, 0.86, 0.94))
    made["judges"][0].categories["no"] = frequent
    assert [each.categories for each in told(of_judges.errs, ALONE, **made)] == [("yes",)]
    assert [each.values["category"] for each in told(of_judges.shares, ALONE, **made)] == ["yes"]


def judges(*models: tuple[str, float | None, str], human: str = "A", measure: str = KAPPA) -> dict[str, Any]:
    """Models, each with its agreement with a human and its layer."""
    parts = tuple(
        judge(figure(None))["judges"][0].model_copy(update={"model": name, "layer": layer, "human": human})
        for name, _, layer in models
    )
    pairs = tuple(
        against(name, "model", key="A", key_role="annotator", layer=layer, measures={measure: figure(value)})
        for name, value, layer in models
    )
    return {"judges": parts, **by(*pairs)}


def test_of_several_models_the_one_that_agrees_most_is_judged() -> None:
    made = judges(("m", 0.0, "main"), ("n", 0.4, "main"), ("o", 0.9, "b"), ("p", None, "main"))
    (found,) = told(of_judges.verdict, ALONE, **made)
    assert (found.values["model"], found.values["value"]) == ("n", 0.4)
    worst = judges(("p", None, "main"), ("m", -1.0, "main"))
    assert told(of_judges.verdict, ALONE, **worst)[0].values["model"] == "m"
    assert of_judges.judge_of(facts(ALONE, **judges(("o", 0.9, "b")))) is None
    assert of_judges.judge_of(facts(ALONE)) is None


def test_a_model_is_judged_by_kappa_or_by_the_primary_coefficient() -> None:
    (found,) = told(of_judges.verdict, ALONE, **judges(("m", 0.4, "main")))
    assert found.values["coefficient"] == "Cohen's kappa"
    made = judges(("m", 0.4, "main"), measure=ALPHA)
    (found,) = told(of_judges.verdict, ALONE, **made, coefficient=ALPHA, coefficients={"main": ALPHA})
    assert (found.values["coefficient"], found.values["value"]) == ("Krippendorff's alpha", 0.4)
    answer = of_judges.answer(facts(ALONE, **judges(("m", 0.4, "main"))))
    assert answer is not None
    assert (answer.figure, answer.who, answer.against, answer.units) == (KAPPA, "m", "A", 200)
    assert answer.documents == 30, "those of the comparison, so that nobody says that none is known"
    beside = against("m", "model", key="A", key_role="annotator", documents=0)
    nowhere = of_judges.answer(facts(ALONE, **(judge(figure(0.7)) | by(beside))))
    assert nowhere is not None
    assert nowhere.documents is None


def test_a_model_that_can_not_be_compared_says_why() -> None:
    (found,) = told(of_judges.verdict, ALONE, **judge(figure(None, undefined="no unit")))
    assert (found.claim, found.values["reason"]) == (of_judges.UNDEFINED.claim, "no unit")
    nothing = judge(figure(0.7)) | by()
    (found,) = told(of_judges.verdict, ALONE, **nothing)
    assert (found.claim, found.values["reason"]) == (of_judges.UNDEFINED.claim, verdicts.ABSENT)
    (found,) = told(of_judges.verdict, ALONE, **judge(figure(0.7)))
    assert (found.claim, found.values["reason"]) == (of_judges.NO_INTERVAL.claim, verdicts.ABSENT)
    for changes in ({"layer": "b"}, {"unit_set": "other"}, {"other": "n"}, {"key": "B"}):
        made = judge(figure(0.7))
        pairs = made["comparisons"].pairs
        other = by(pairs[0].model_copy(update=changes))
        assert told(of_judges.verdict, ALONE, **(made | other))[0].claim == of_judges.UNDEFINED.claim
    # Of several humans the majority is one, beside each of whom the model is compared.
    majority = judges(("m", 0.4, "main"), human=of_judges.MANY)
    assert told(of_judges.verdict, ALONE, **majority)[0].values["value"] == 0.4


def of_categories(**categories: JudgedCategory) -> dict[str, Any]:
    made = judge(figure(0.7, 0.6, 0.8))
    (own,) = made["judges"]
    return made | {"judges": (own.model_copy(update={"categories": categories}),)}


def test_the_rarest_category_is_the_first_that_the_human_gave_least() -> None:
    own = {"b": judged(human=3), "a": judged(human=3), "none": judged(human=0), "c": judged(human=2)}
    made = of_categories(**own)["judges"][0]
    assert of_judges.rarest(made)[0] == "c"
    without_c = {name: own[name] for name in ("b", "a", "none")}
    assert of_judges.rarest(made.model_copy(update={"categories": without_c}))[0] == "a"
    assert (
        of_judges.rarest(made.model_copy(update={"categories": {"z": own["none"], "y": own["none"]}}))[0]
        == "y"
    )


def test_a_model_errs_most_where_phi_is_lowest_and_its_interval_below_what_is_acceptable() -> None:
    def named(**categories: JudgedCategory) -> list[tuple[str, ...]]:
        return [each.categories for each in told(of_judges.errs, ALONE, **of_categories(**categories))]

    low, lower = judged(phi=figure(0.5, 0.4, 0.6)), judged(phi=figure(0.4, 0.3, 0.6), human=90)
    assert named(a=low, b=lower) == [("b",)]
    assert named(a=low, b=judged(phi=figure(0.1))) == named(a=low, b=judged(phi=figure(None))) == [("a",)]
    assert named(b=low, a=low) == [("a",)]
    assert named(a=judged(phi=figure(0.5, 0.4, 0.6), positive_value=figure(None))) == []
    assert named(a=judged(phi=figure(0.5, 0.4, 0.6), sensitivity=figure(None))) == []
    assert told(of_judges.errs, ALONE) == []


@pytest.mark.parametrize(
    ("model", "low", "high", "said"),
    [(104, 0.4, 0.519, True), (104, 0.4, 0.52, False), (96, 0.481, 0.6, True), (96, 0.48, 0.6, False)],
)
def test_a_share_is_wrong_by_two_hundredths_and_outside_of_the_interval(
    model: int, low: float, high: float, *, said: bool
) -> None:
    """The human gives it to half of 200 units."""
    made = of_categories(yes=judged(model=model, human_share=figure(0.5, low, high)))
    assert bool(told(of_judges.shares, ALONE, **made)) is said
    for reported, told_of in ((4, 1), (3, 0)):
        none = of_categories(yes=judged(model=reported, human_share=figure(0.0, 0.0, 0.01)))
        assert len(told(of_judges.shares, ALONE, **none)) == told_of
    less = of_categories(yes=judged(model=103, human_share=figure(0.5, 0.49, 0.51)))
    assert told(of_judges.shares, ALONE, **less) == []
    for share in (figure(0.1), figure(None)):
        assert told(of_judges.shares, ALONE, **of_categories(yes=judged(human_share=share))) == []
    assert told(of_judges.shares, ALONE) == []


def test_the_share_that_is_wrong_by_most_is_named_with_both() -> None:
    wrong, more = judged(model=30), judged(model=80, human=90)
    (found,) = told(of_judges.shares, ALONE, **of_categories(a=wrong, b=more))
    assert found.values["category"] == "b"
    assert (found.values["reported_share"], found.values["found_share"]) == (0.4, 0.1)
    (same,) = told(of_judges.shares, ALONE, **of_categories(b=wrong, a=wrong))
    assert same.values["category"] == "a"


def test_a_corrected_share_is_that_of_all_units_that_the_model_labelled() -> None:
    made = of_categories(yes=judged(corrected_share=figure(0.11, 0.08, 0.14)))
    (own,) = made["judges"]
    (found,) = told(of_judges.caveat, ALONE, **(made | {"judges": (own.model_copy(update={"alone": 55}),)}))
    assert (found.values["every"], found.values["units"]) == (255, 200)


# A crowd


def together(value: float, *ends: float, scale: str = "names", later: float = 0.6) -> dict[str, Any]:
    numbers = [(1, 0.3), (5, value), (15, later)]
    part = AggregateReliability(
        layer="main",
        unit_set="items",
        coefficient=KAPPA,
        units=100,
        labels=5.0,
        reliability=figure(value, *ends),
        by_annotators=tuple(
            AggregateOfAnnotators(annotators=number, reliability=figure(0.9), majority=figure(own))
            for number, own in numbers
        ),
        enough=(),
        of_majority=figure(value, *ends) if scale == "names" else None,
        usual=5 if scale == "names" else None,
    )
    return {"aggregates": (part,)}


@pytest.mark.parametrize(("high", "said"), [(0.29, True), (0.3, False)])
def test_the_category_on_which_a_crowd_agrees_least_is_named_where_it_is_below_all_others(
    high: float, *, said: bool
) -> None:
    figures = {"a": figure(0.5, 0.3, 0.6), "b": figure(0.2, 0.1, high), "c": figure(0.4, 0.35, 0.45)}
    own = unit_set(against_rest={name: {KAPPA: value} for name, value in figures.items()})
    found = told(of_crowds.cause, own)
    assert [(each.categories, each.values["least"]) for each in found] == ([(("b",), 0.4)] if said else [])
    # Where more labels would not be enough, that is the decision.
    never = crowded(**by_numbers((7, 0.79)))
    (decided,) = told(of_crowds.cause, own, **never)
    assert (decided.kind, decided.categories, decided.values["most"]) == ("cause", ("b",) if said else (), 7)
    assert told(of_crowds.more_labels, own, **never) == [], "it is said once"
    assert [each.kind for each in told(of_crowds.more_labels, own, unit_set(layer="b"), **never)] == [None]
    two = unit_set(against_rest={name: {KAPPA: figures[name]} for name in ("b", "c")})
    assert told(of_crowds.cause, two) == []


def test_a_crowd_of_which_nothing_is_known_together_is_judged_by_one_label() -> None:
    (found,) = told(of_crowds.verdict, TWO)
    assert found.subject is None


def crowded(**changes: object) -> dict[str, Any]:
    (own,) = together(0.7, 0.6, 0.75)["aggregates"]
    return {"aggregates": (own.model_copy(update=changes),)}


def by_numbers(*numbers: tuple[int, float | None]) -> dict[str, Any]:
    return {
        "by_annotators": tuple(
            AggregateOfAnnotators(
                annotators=number, reliability=figure(0.9), majority=None if value is None else figure(value)
            )
            for number, value in numbers
        )
    }


def test_a_verdict_on_a_crowd_needs_its_figure_and_says_where_it_has_no_interval() -> None:
    (found,) = told(of_crowds.verdict, TWO, **crowded(of_majority=figure(0.7)))
    assert (found.claim, found.values) == (of_crowds.ALONE.claim, {"per_unit": 5, "value": 0.7})
    (found,) = told(of_crowds.verdict, TWO, **crowded(of_majority=figure(None)))
    assert found.subject is None
    (found,) = told(of_crowds.verdict, TWO, **crowded(layer="b"))
    assert found.subject is None
    (low,) = told(of_crowds.verdict, TWO, **together(-0.3, -0.5, -0.1))
    assert low.claim == of_crowds.OF_MAJORITY["low"].claim
    (mean,) = told(of_crowds.verdict, TWO, **crowded(of_majority=None, labels=4.567))
    assert mean.values["per_unit"] == "4.57"


def test_what_a_report_on_a_crowd_answers_is_how_reliable_labels_are_together() -> None:
    found = of_crowds.answer(facts(TWO, **crowded()))
    assert found is not None
    assert (found.figure, found.labels, found.units, found.value.value) == (KAPPA, 5, 100, 0.7)
    mean = of_crowds.answer(facts(TWO, **crowded(of_majority=None)))
    assert mean is not None
    assert mean.labels is None
    for nothing in ({}, crowded(of_majority=figure(None)), crowded(layer="b")):
        assert of_crowds.answer(facts(TWO, **nothing)) is None


def test_what_one_label_is_worth_is_said_beside_a_crowd() -> None:
    own = unit_set(measures={KAPPA: figure(0.3)})
    (found,) = told(of_crowds.caveat, own, **crowded())
    assert (found.claim, found.values["single"], found.values["per_unit"]) == (of_crowds.RESTS.claim, 0.3, 5)
    (found,) = told(of_crowds.caveat, own, **crowded(usual=None, labels=4.5))
    assert found.values["per_unit"] == "4.5"
    for other in (unit_set(), unit_set(measures={KAPPA: figure(None)})):
        assert told(of_crowds.caveat, other, **crowded()) == []
    assert told(of_crowds.caveat, own, **crowded(layer="b")) == []


@pytest.mark.parametrize(
    ("numbers", "enough", "most"),
    [
        (((5, 0.9), (7, 0.8), (9, 0.9)), 7, None),
        (((5, 0.9), (7, 0.79), (9, 0.8)), 9, None),
        (((5, 0.9), (7, 0.79)), None, 7),
        (((7, 0.79), (9, None)), None, 7),
        (((7, 0.6), (9, 0.79)), None, 9),
        (((5, 0.9),), None, None),
        (((3, 0.9), (4, 0.9)), None, None),
        ((), None, None),
    ],
)
def test_enough_labels_are_the_fewest_beyond_those_at_hand(
    numbers: tuple[tuple[int, float | None], ...], enough: int | None, most: int | None
) -> None:
    made = crowded(**by_numbers(*numbers))
    found = [*told(of_crowds.cause, TWO, **made), *told(of_crowds.more_labels, TWO, **made)]
    assert [each.values.get("enough") for each in found] == ([enough] if enough or most else [])
    assert [each.values.get("most") for each in found] == ([most] if enough or most else [])
    if found:
        assert found[0].values["reached"] == dict(numbers)[enough or most or 0]


def test_more_labels_are_nothing_to_ask_for_without_a_majority_or_where_it_is_reliable() -> None:
    more = by_numbers((7, 0.9))
    assert told(of_crowds.more_labels, TWO, **crowded(of_majority=figure(0.799), **more))
    assert told(of_crowds.more_labels, TWO, **crowded(of_majority=figure(0.8), **more)) == []
    assert told(of_crowds.more_labels, TWO, **crowded(of_majority=None, **more)) == []
    assert told(of_crowds.more_labels, TWO, **crowded(layer="b", **more)) == []
    assert told(of_crowds.more_labels, TWO) == []


# Recordings


def recorded(
    alpha: Figure, *shifts: BoundaryShift, stretches: Figure | None = None, labels: Figure | None = None
) -> dict[str, Any]:
    near = BoundaryAgreement(
        layer="main",
        tolerance=200,
        declared=False,
        documents=20,
        boundaries=figure(0.97),
        stretches=stretches or figure(0.95),
        labels=labels or figure(0.95),
        shifts=shifts,
    )
    names = ("documents", "documents_alone", "characters", "characters_read")
    given: dict[str, object] = dict.fromkeys((*names, "units", "joined", "empty", "several"), 0)
    given |= {"layer": "main", "annotators": ("A", "B"), "measures": {"alpha_u": alpha}}
    cut = Unitizing.model_validate({**given, "by_category": {}, "categories": (), "pairs": ()})
    own = SpanResults(layers=(), pairs=(), mean_over_pairs={}, unitizing=(cut,), boundaries=(near,))
    return {"spans": own}


def test_without_recordings_that_can_be_compared_that_is_said() -> None:
    (found,) = told(of_recordings.verdict, TWO)
    assert found.claim == of_recordings.UNDEFINED.claim


@pytest.mark.parametrize(
    ("stretches", "labels", "said"),
    [
        (figure(0.97, 0.96, 0.98), figure(0.951, 0.94, 0.96), None),
        (figure(1.0), figure(0.95), "Labels"),
        (figure(0.94), figure(0.94), "Boundaries"),
        (figure(0.7, 0.6, 0.8), figure(0.65, 0.61, 0.7), "Boundaries"),
        (figure(0.7, 0.6, 0.8), figure(0.65, 0.6, 0.7), None),
        (figure(0.9, 0.86, 0.95), figure(0.6, 0.5, 0.7), "Labels"),
        (figure(0.9, 0.85, 0.95), figure(0.6, 0.5, 0.7), None),
        (figure(0.9), figure(0.6), None),
    ],
)
def test_boundaries_or_labels_are_the_cause_where_their_intervals_tell_them_apart(
    stretches: Figure, labels: Figure, said: str | None
) -> None:
    """Missed are 1 - stretches, labelled otherwise stretches - labels: 1 + .61 > 2 · .8, 1 + .7 < 2 · .86."""
    own = recorded(figure(0.5), stretches=stretches, labels=labels)
    found = told(of_recordings.cause, TWO, **own)
    assert [claim(each).split()[0] for each in found] == ([said] if said else [])
    assert all(
        (each.kind, each.subject, bool(each.advice)) == ("cause", "recordings", True) for each in found
    )
    assert told(of_recordings.each, TWO, **own) == [], "it is said once"
    two = {"coefficients": {"main": KAPPA, "b": KAPPA}}
    assert told(of_recordings.cause, TWO, unit_set(layer="b"), **own, **two) == []
    each_layer = told(of_recordings.each, TWO, unit_set(layer="b"), **own, **two)
    assert [claim(each).split()[0] for each in each_layer] == ([said] if said else [])
    assert all(each.kind is None for each in each_layer)


def early(**made: object) -> list[Finding]:
    """Who is early or late, which comes before what else is the cause."""
    found = told(of_recordings.cause, TWO, **made)
    shifts = [each for each in found if "distance" in each.values]
    assert found[: len(shifts)] == shifts
    assert all((each.kind, each.people) == ("cause", ("A",)) for each in shifts)
    return shifts


@pytest.mark.parametrize(
    ("later", "p", "words"),
    [
        (-60.0, 0.01, "60 ms earlier"),
        (60.0, 0.01, "60 ms later"),
        (60.0, 0.05, ""),
        (19.0, 0.01, ""),
        (60.0, None, ""),
    ],
)
def test_who_sets_boundaries_early_or_late_is_named_beyond_chance(
    later: float, p: float | None, words: str
) -> None:
    shift = BoundaryShift(annotator="A", boundaries=300, later=later, low=later - 5, high=later + 5, p=p)
    found = early(**recorded(figure(0.5), shift))
    assert [words in claim(each) for each in found] == ([True] if words else [])


def test_the_p_values_of_several_are_adjusted() -> None:
    shifts = [
        BoundaryShift(annotator=name, boundaries=300, later=50.0, low=40.0, high=60.0, p=0.02)
        for name in "ABC"
    ]
    assert early(**recorded(figure(0.5), *shifts)) == []


def shifted(later: float | None, low: float | None, high: float | None, p: float = 0.01) -> BoundaryShift:
    return BoundaryShift(annotator="A", boundaries=300, later=later, low=low, high=high, p=p)


def test_how_much_earlier_or_later_is_told_from_the_least_to_the_most() -> None:
    (later,) = early(**recorded(figure(0.5), shifted(60.4, 52.4, 67.4)))
    assert later.values.items() >= {"distance": 60, "least": 52, "most": 67}.items()
    (earlier,) = early(**recorded(figure(0.5), shifted(-60.4, -67.4, -52.4)))
    assert earlier.values.items() >= {"distance": 60, "least": 52, "most": 67, "annotator": "A"}.items()


@pytest.mark.parametrize(
    ("tolerance", "later", "said"),
    [(200, 20.0, True), (200, 19.9, False), (20, 5.0, True), (20, 4.9, False), (20, -5.0, True)],
)
def test_a_shift_below_a_tenth_of_the_tolerance_or_five_milliseconds_is_nothing_to_mend(
    tolerance: int, later: float, *, said: bool
) -> None:
    made = recorded(figure(0.5), shifted(later, later - 1, later + 1))
    (near,) = made["spans"].boundaries
    changed = near.model_copy(update={"tolerance": tolerance})
    own = made["spans"].model_copy(update={"boundaries": (changed,)})
    assert bool(early(spans=own)) is said
    elsewhere = made["spans"].model_copy(update={"boundaries": (changed.model_copy(update={"layer": "b"}),)})
    assert early(spans=elsewhere) == []


@pytest.mark.parametrize("shift", [(None, 1.0, 2.0), (60.0, None, 70.0), (60.0, 50.0, None)])
def test_a_shift_without_a_mean_or_an_interval_is_not_told(
    shift: tuple[float | None, float | None, float | None],
) -> None:
    assert early(**recorded(figure(0.5), shifted(*shift))) == []
    assert early() == []
    small, large = shifted(1.0, 0.9, 1.1), shifted(60.0, 50.0, 70.0)
    both = recorded(figure(0.5), shifted(*shift), small, large)
    assert [each.values["distance"] for each in early(**both)] == [60]


def test_without_an_interval_or_a_figure_of_recordings_the_reason_is_given() -> None:
    for bare, reason in (
        (figure(0.5), verdicts.ABSENT),
        (figure(0.5, interval={"undefined": "few"}), "few"),
    ):
        (found,) = told(of_recordings.verdict, TWO, **recorded(bare))
        assert (found.claim, found.values["reason"]) == (of_recordings.NO_INTERVAL.claim, reason)
    for bare, reason in ((figure(None), verdicts.ABSENT), (figure(None, undefined="none"), "none")):
        (found,) = told(of_recordings.verdict, TWO, **recorded(bare))
        assert (found.claim, found.values["reason"]) == (of_recordings.UNDEFINED.claim, reason)


def test_what_recordings_rest_on_is_said_where_boundaries_and_stretches_have_figures() -> None:
    (found,) = told(of_recordings.caveat, TWO, **recorded(figure(0.5)))
    assert found.values.items() >= {"tolerance": 200, "boundaries": 0.97, "stretches": 0.95}.items()
    own = recorded(figure(0.5))["spans"]
    (near,) = own.boundaries
    for name in ("boundaries", "stretches"):
        without = near.model_copy(update={name: figure(None)})
        changed = own.model_copy(update={"boundaries": (without,)})
        assert told(of_recordings.caveat, TWO, spans=changed) == []
    assert told(of_recordings.caveat, TWO) == []


def test_alpha_is_said_to_be_lower_than_f_only_where_it_is() -> None:
    (lower,) = told(of_recordings.caveat, TWO, **recorded(figure(0.5), labels=figure(0.51)))
    (higher,) = told(of_recordings.caveat, TWO, **recorded(figure(0.5), labels=figure(0.5)))
    assert lower.claim.startswith(higher.claim)
    assert "Alpha is lower" in lower.claim.removeprefix(higher.claim)


def test_what_is_missed_and_what_is_labelled_otherwise_are_shares_of_stretches() -> None:
    made = recorded(figure(0.5), stretches=figure(0.75, 0.9, 0.95), labels=figure(0.5, 0.4, 0.7))
    (found,) = told(of_recordings.cause, TWO, **made)
    assert found.values["wrong_share"] == pytest.approx(1 / 3)
    (missed,) = told(of_recordings.cause, TWO, **recorded(figure(0.5), stretches=figure(0), labels=figure(0)))
    assert missed.values["missed_share"] == 1
    assert told(of_recordings.cause, TWO) == []
    (near,) = made["spans"].boundaries
    for name in ("labels", "stretches"):
        without = near.model_copy(update={name: figure(None)})
        changed = made["spans"].model_copy(update={"boundaries": (without,)})
        assert told(of_recordings.cause, TWO, spans=changed) == []


def test_what_a_report_on_recordings_answers_is_alpha_for_unitizing() -> None:
    own = TWO.model_copy(update={"documents_compared": 20})
    found = of_recordings.answer(facts(own, **recorded(figure(0.5))))
    assert found is not None
    assert (found.figure, found.documents, found.value.value) == ("alpha_u", 20, 0.5)
    without = of_recordings.answer(facts(TWO, **recorded(figure(0.5))))
    assert without is not None
    assert without.documents is None


# Stability


def test_a_report_on_second_passes_rests_on_all_that_was_labelled_twice() -> None:
    (rests,) = told(of_stability.caveat, ALONE, **repeated(again("A", 0.97), again("B", 0.9)))
    assert rests.values.items() >= {"units": 100, "annotators_list": ("A", "B")}.items()


def test_nobodys_passes_can_be_compared_where_no_figure_is_defined() -> None:
    (found,) = told(of_stability.verdict, ALONE, **repeated(again("A", None)))
    assert found.claim == of_stability.UNDEFINED.claim


def repeated(*people: IntraAnnotatorAgreement) -> dict[str, Any]:
    return {"quality": (quality(intra_annotator=people),)}


def test_whose_interval_reaches_lowest_decides_and_who_has_none_before_all() -> None:
    def named(*people: IntraAnnotatorAgreement) -> list[object]:
        (found,) = told(of_stability.verdict, ALONE, **repeated(*people))
        own = of_stability.answer(facts(ALONE, **repeated(*people)))
        assert own is not None
        assert (own.who, own.units) == (found.values["annotator"], 50)
        return [found.values["annotator"], found.values.get("reason")]

    assert named(again("A", 0.9, 0.5, 0.95), again("B", 0.8, 0.6, 0.95)) == ["A", None]
    assert named(again("A", 0.1, 0.0, 0.2), again("B", 0.9)) == ["B", verdicts.ABSENT]
    assert named(again("A", 0.9, 0.5, 0.95), again("B", 0.8, 0.5, 0.95)) == ["B", None]
    assert named(again("B", 0.8, 0.5, 0.95), again("A", 0.8, 0.5, 0.95)) == ["A", None]
    assert named(again("A", 0.0, -1.0, 1.0), again("B", -0.5, -1.0, 1.0)) == ["B", None]
    assert named(again("A", 0.5, -1.0, 1.0), again("B", 0.0, -1.0, 1.0)) == ["B", None]
    # Who has no figure is not there.
    assert named(again("A", 0.9, 0.5, 0.95), again("B", None)) == ["A", None]


def test_of_nobody_nothing_is_answered_and_the_reason_is_given() -> None:
    assert of_stability.answer(facts(ALONE)) is None
    assert told(of_stability.caveat, ALONE) == []
    for own, reason in (
        (ALONE, verdicts.ABSENT),
        (
            ALONE.model_copy(update={"measures": {KAPPA: figure(None, undefined="one annotator")}}),
            "one annotator",
        ),
    ):
        (found,) = told(of_stability.verdict, own)
        assert found.values["reason"] == reason
    elsewhere = quality(layer="b", intra_annotator=(again("A", 0.9, 0.8, 0.95),))
    assert of_stability.passes(facts(ALONE, quality=(elsewhere,))) == []


@pytest.mark.parametrize(
    ("between", "lowest", "template"),
    [
        (figure(-0.01, -0.2, 0.2), 0.21, of_stability.OTHER_RULES),
        (figure(0.0, -0.2, 0.2), 0.2, of_stability.BESIDE_OTHERS),
        (figure(0.1, 0.0, 0.2), 0.5, of_stability.OTHER_RULES),
        (figure(0.1, 0.01, 0.2), 0.5, of_stability.BESIDE_OTHERS),
        (figure(-0.01), 0.5, of_stability.BESIDE_OTHERS),
    ],
)
def test_people_who_repeat_themselves_and_agree_by_chance_may_follow_other_rules(
    between: Figure, lowest: float, template: FindingTemplate
) -> None:
    people = repeated(again("A", 0.9, lowest, 0.95), again("B", 0.9, 0.8, 0.95))
    (found,) = told(of_stability.caveat, unit_set(measures={KAPPA: between}), **people)
    assert found.claim == template.claim
    # One of them without an interval may repeat nothing.
    bare = repeated(again("A", 0.9), again("B", 0.9, 0.8, 0.95))
    (found,) = told(of_stability.caveat, unit_set(measures={KAPPA: between}), **bare)
    assert found.claim == of_stability.BESIDE_OTHERS.claim


def test_how_people_agree_with_each_other_is_said_beside_how_they_repeat_themselves() -> None:
    own = unit_set(measures={KAPPA: figure(0.4)})
    (found,) = told(of_stability.caveat, own, **repeated(again("A", 0.9), again("B", 0.8)))
    assert (found.claim, found.values["between"]) == (of_stability.BESIDE_OTHERS.claim, 0.4)
    assert (found.values["units"], found.values["annotators_list"]) == (100, ("A", "B"))
    seven = [again(name, 0.9) for name in "ABCDEFG"]
    (found,) = told(of_stability.caveat, ALONE, **repeated(*seven))
    assert (found.claim, found.values["annotators_list"]) == (of_stability.ONE_PERSON.claim, (*"ABCDEF",))


def wavering(*labels: tuple[float, float], name: str = "A") -> IntraAnnotatorAgreement:
    by_category = {
        each: figure((low + high) / 2, low, high) for each, (low, high) in zip("xyz", labels, strict=False)
    }
    return again(name, 0.5, 0.3, 0.6).model_copy(update={"by_category": by_category})


@pytest.mark.parametrize(
    ("people", "words"),
    [
        ((again("A", 0.5, 0.3, 0.6), again("B", 0.8, 0.61, 0.9)), "A changes more than anybody"),
        ((again("A", 0.5, 0.3, 0.6), again("B", 0.8, 0.6, 0.9)), ""),
        ((again("A", 0.5, 0.3, 0.6), again("B", 0.9)), ""),
        ((again("A", 0.5, 0.3, 0.6),), ""),
        ((wavering((0.2, 0.4), (0.41, 0.6), (0.5, 0.9)),), "A wavers most over “x”"),
        ((wavering((0.2, 0.4), (0.4, 0.6), (0.5, 0.9)),), ""),
        ((wavering((0.2, 0.4), (0.41, 0.6)),), ""),
        ((wavering((0.2, 0.4), (0.41, 0.6), (0.5, 0.9)), again("B", 0.8, 0.61, 0.9)), "A changes more"),
        ((wavering((0.2, 0.4), (0.41, 0.6), (0.5, 0.9)), again("B", 0.8, 0.6, 0.9)), "A wavers most"),
    ],
)  # fmt: skip
def test_who_or_which_label_is_behind_what_changes_between_passes(
    people: tuple[IntraAnnotatorAgreement, ...], words: str
) -> None:
    found = told(of_stability.cause, ALONE, **repeated(*people))
    assert [claim(each).startswith(words) for each in found] == [True] * bool(words)
    assert all((each.kind, bool(each.advice)) == ("cause", True) for each in found)


@pytest.mark.parametrize(
    ("low", "observed", "differing"),
    [(0.666, 0.75, 25), (0.667, 0.75, None), (0.5, 1.0, None), (0.5, None, None)],
)
def test_whoever_the_verdict_names_is_asked_where_it_is_grave(
    low: float, observed: float | None, differing: int | None
) -> None:
    person = again("A", 0.7, low, 0.9)
    measures = {**person.measures, "observed_agreement": figure(observed)}
    person = person.model_copy(update={"units": 100, "measures": measures})
    found = told(of_stability.cause, ALONE, **repeated(person))
    assert [each.values["differing"] for each in found] == ([differing] if differing else [])


def test_where_all_is_repeated_nothing_is_behind_what_changes() -> None:
    assert told(of_stability.cause, ALONE, **repeated(again("A", 1.0))) == []
    assert told(of_stability.cause, ALONE) == []


# All of them


Ends = tuple[float, float]
Judged = Callable[[Figure], dict[str, Any]]
VERDICTS: dict[str, tuple[Rule, Mapping[Level, FindingTemplate], Judged]] = {
    "judge": (of_judges.verdict, of_judges.BY_LEVEL, judge),
    "majority": (of_crowds.verdict, of_crowds.OF_MAJORITY, lambda value: crowded(of_majority=value)),
    "mean": (
        of_crowds.verdict,
        of_crowds.OF_MEAN,
        lambda value: crowded(of_majority=None, reliability=value),
    ),
    "recordings": (of_recordings.verdict, of_recordings.BY_LEVEL, recorded),
    "stability": (
        of_stability.verdict,
        of_stability.BY_LEVEL,
        lambda value: repeated(again("B", 0.9).model_copy(update={"measures": {KAPPA: value}})),
    ),
}


@pytest.mark.parametrize("subject", VERDICTS)
@pytest.mark.parametrize(
    ("ends", "level"),
    [
        ((0.8, 0.9), "high"),
        ((0.7, 0.9), "tentative"),
        ((0.5, 0.7), "open"),
        ((0.1, 0.6), "low"),
        ((-0.5, -0.1), "below-chance"),
    ],
)
def test_each_subject_s_verdict_goes_by_the_ends_of_its_own_interval(
    subject: str, ends: Ends, level: Level
) -> None:
    rule, templates, made = VERDICTS[subject]
    (found,) = told(rule, ALONE, **made(figure(0.5, *ends)))
    template = templates.get(level, templates["low"])
    assert (found.claim, found.severity, found.subject) == (
        template.claim,
        template.severity,
        template.subject,
    )
    assert found.values.items() >= {"value": 0.5, "low": ends[0], "high": ends[1]}.items()


def test_a_subject_decides_what_comes_first_and_which_rules_are_asked() -> None:
    made = {"main": LayerSubject(subject="systems", declared=False, reason=SubjectReason.SYSTEM)}
    found = find(results(ALONE, **by(against("t")), subjects=made, material=()))
    assert (found[0].kind, found[0].subject) == ("verdict", "systems")
    assert "independence-undeclared" not in {each.id for each in found}


def test_each_of_several_layers_answers_its_own_question() -> None:
    made = {"main": LayerSubject(subject="systems", declared=False, reason=SubjectReason.SYSTEM)}
    tests = {name: symmetry(0.5) for name in ("bhapkar", "stuart_maxwell")}
    measures = {name: figure(0.5) for name in (KAPPA, "observed_agreement", "bennett_s")}
    two = pair({("x", "x"): 5, ("x", "y"): 5}, measures=measures, symmetry=tests)
    other = unit_set(two, layer="b", measures={KAPPA: figure(0.5, 0.4, 0.6)})
    found = find(results(ALONE, other, **by(against("t")), subjects=made, material=()))
    verdicts = [each for each in found if each.kind == "verdict"]
    assert {(each.subject, each.layers) for each in verdicts} == {(None, ("b",)), ("systems", ("main",))}
    assert sum(each.kind == "layer-verdict" for each in found) == 2


def test_marks_are_looked_at_or_else_the_primary_unit_set() -> None:
    marks, items, other = compared(None), compared(), compared("other")
    primary = {("main", "items")}
    assert marks_or_primary([items, other], primary) == [items]
    assert marks_or_primary([items, other, marks], primary) == [marks]
    second = compared(None, layer="second")
    assert marks_or_primary([items, other, second], primary) == [items, second]


def test_a_reference_made_from_annotators_own_marks_is_told_once() -> None:
    pairs = [
        against(name, "annotator", independent=told_so)
        for name, told_so in (("A", False), ("B", False), ("C", None), ("D", True))
    ]
    found = told(systems.not_independent, **by(*pairs))
    assert [each.values["reference"] for each in found] == ["gold"]
    assert told(systems.not_independent, **by(*pairs[2:])) == []
    assert told(systems.not_independent) == []
    elsewhere = [
        pairs[0].model_copy(update=changes) for changes in ({"unit_set": "other"}, {"layer": "other"})
    ]
    assert told(systems.not_independent, **by(*elsewhere)) == []


@pytest.mark.parametrize(("documents", "speaks"), [(0, False), (1, True), (19, True), (20, False)])
def test_a_system_on_few_documents_is_told(documents: int, *, speaks: bool) -> None:
    found = told(systems.few_documents, **by(against("S", documents=documents)))
    assert bool(found) is speaks
    if found:
        assert found[0].values["system"] == "S (system)"
        assert (found[0].values["documents"], found[0].values["least"]) == (documents, 20)
    assert told(systems.few_documents, **by(against("A", "annotator", documents=5))) == []


def test_of_more_than_six_systems_nothing_is_told_one_by_one() -> None:
    people = [against(f"P{number}", "annotator", documents=5) for number in range(9)]
    six = [against(f"S{number}", documents=5) for number in range(6)]
    assert len(told(systems.few_documents, **by(*people, *six))) == 6
    assert told(systems.few_documents, **by(*six, against("S6", documents=5))) == []


def test_a_system_is_called_by_its_release() -> None:
    for changes, name in (
        ({"system": "tagger", "release": "2.0"}, "tagger 2.0"),
        ({"system": "tagger"}, "tagger"),
        ({}, "S (system)"),
    ):
        (found,) = told(systems.few_documents, **by(against("S", documents=5, **changes)))
        assert found.values["system"] == name


# Beside humans


def difference(
    low: float | None, high: float | None, value: float | None = 0.1, *, tested: bool = True
) -> Change:
    interval = None if low is None else Interval(low=low, high=high, level=0.95, method="t")
    test = DifferenceTest(method="paired", statistic=1.0, degrees=9, p=0.01) if tested else None
    return Change(first=figure(0.7), second=figure(0.8), difference=value, interval=interval, test=test)


HUMANS = Humans(
    pairs=3,
    documents=9,
    measures={},
    against_reference={
        "A": {KAPPA: figure(0.6)},
        "B": {KAPPA: figure(0.9)},
        "C": {KAPPA: figure(None)},
        "D": {},
    },
)


def above(change: Change | None, **changes: object) -> list[Finding]:
    pair = against("S").model_copy(update={"against_humans": change, **changes})
    return told(systems.beside_humans, unit_set(), **by(pair))


@pytest.mark.parametrize(
    ("low", "high", "finding"),
    [
        (0.001, 0.2, "system-above-humans"),
        (0.0, 0.2, "system-within-humans"),
        (-0.2, 0.0, "system-within-humans"),
        (-0.2, -0.001, None),
    ],
)
def test_a_system_is_set_beside_humans_by_the_interval_of_the_difference(
    low: float, high: float, finding: str | None
) -> None:
    found = above(difference(low, high))
    assert [each.id for each in found] == ([finding] if finding else [])
    if found:
        values = found[0].values
        assert (values["value"], values["humans"], values["low"], values["high"]) == (0.8, 0.7, low, high)
        assert (values["noun"], values["figure"]) == ("units", "Cohen's kappa")


def test_without_a_test_a_difference_or_an_interval_nothing_is_said() -> None:
    for change in (
        None,
        difference(0.1, 0.2, tested=False),
        difference(0.1, 0.2, None),
        difference(None, None),
    ):
        assert above(change) == []


def test_other_unit_sets_than_the_primary_one_are_not_looked_at() -> None:
    sets = unit_set(), unit_set(id="other", primary=False)
    pair = against("S", documents=5, unit_set="other")
    both = by(pair, sets=(compared(), compared("other")))
    assert told(systems.few_documents, *sets, **both) == []


def test_what_single_annotators_reach_is_told_against_a_reference() -> None:
    (found,) = above(difference(0.1, 0.2), humans=HUMANS)
    assert (found.claim, found.values["least"], found.values["most"]) == (
        systems.ABOVE.claim,
        0.6,
        0.9,
    )
    (without,) = above(difference(0.1, 0.2))
    assert without.advice == systems.ABOVE_ANNOTATORS.advice


def test_an_interval_over_annotators_too_comes_first() -> None:
    wide = Interval(low=-0.1, high=0.3, level=0.95, method="t")
    (found,) = above(difference(0.1, 0.2), for_any_annotators=wide)
    assert (found.claim, found.values["low"]) == (systems.WITHIN.claim, -0.1)
    narrow = wide.model_copy(update={"low": 0.05})
    (found,) = above(difference(-0.1, 0.2), for_any_annotators=narrow)
    assert found.advice == systems.ABOVE_ANNOTATORS.advice
    (found,) = above(difference(-0.1, 0.2), for_any_annotators=narrow, humans=HUMANS)
    assert found.advice == systems.ABOVE.advice


def test_systems_on_marks_are_compared_on_documents() -> None:
    pair = against("S", unit_set=None, against_humans=difference(0.1, 0.2))
    (found,) = told(systems.beside_humans, **by(pair, sets=(compared(None),)))
    assert (found.values["noun"], found.values["figure"]) == ("documents", "F")


# Models


def model(name: str = "M", *, passes: bool | None = True, **changes: object) -> ModelReplacement:
    given: dict[str, object] = {
        "model": name,
        "role": "model",
        "instances": 50,
        "documents": 5,
        "humans": (),
        "advantage": figure(0.8),
        "independent": WinningRate(value=0.6, beaten=3, tested=5, passes=passes),
    }
    return ModelReplacement.model_validate(given | changes)


def replaced(*models: ModelReplacement, **changes: object) -> Mapping[str, tuple[Replacement, ...]]:
    given: dict[str, object] = {
        "layer": "main",
        "unit_set": "items",
        "score": "rmse",
        "epsilon": 0.2,
        "q": 0.05,
        "minimum_humans": 2,
        "minimum_instances": 30,
        "annotators": ("A", "B"),
        "comparison_only": False,
        "models": models,
    }
    return {"replacement": (Replacement.model_validate(given | changes),)}


def test_a_model_may_replace_an_annotator_at_a_price_where_it_passes() -> None:
    found = told(systems.replacing, **replaced(model(), model("N", passes=False)))
    assert [(each.id, each.values["model"]) for each in found] == [
        ("model-may-replace", "M"),
        ("model-may-not-replace", "N"),
    ]
    assert (found[0].values["price"], found[0].values["beaten"], found[0].values["tested"]) == ("0.2", 3, 5)
    assert told(systems.replacing, **replaced(model(), epsilon=None)) == []
    assert told(systems.replacing, **replaced(model(passes=None))) == []
    assert told(systems.replacing, **replaced(model(independent=None))) == []
    assert told(systems.replacing, **replaced(model(), layer="other")) == []
    assert told(systems.replacing) == []


def test_tests_that_differ_by_document_leave_it_open() -> None:
    clustered = WinningRate(value=0.2, beaten=1, tested=5, passes=False)
    (found,) = told(systems.replacing, **replaced(model(differ=True, clustered=clustered)))
    assert (found.id, found.values["by_document"], found.values["beaten"]) == (
        "model-differs-by-document",
        1,
        3,
    )
    for changes in ({"differ": False, "clustered": clustered}, {"clustered": clustered}, {"differ": True}):
        (found,) = told(systems.replacing, **replaced(model(**changes)))
        assert found.id == "model-may-replace"


def test_six_models_are_judged_one_by_one() -> None:
    assert len(told(systems.replacing, **replaced(*(model(f"M{number}") for number in range(8))))) == 6


def test_models_without_a_prompt_are_named() -> None:
    models = (
        model("M"),
        model("N", prompt="prompts/n.txt"),
        model("S", role="system"),
        model("P", called="llm 3"),
    )
    (found,) = told(systems.prompts, **replaced(*models))
    assert found.values["models"] == "M and llm 3 (P)"
    assert (found.asks, found.kind) == ("account", None)
    assert told(systems.prompts, **replaced(models[1])) == []
