"""Which subject a layer has, and what each verdict says: edges of the rules, on results made here."""

import pytest

from reportgen.findings import find, of_crowds, of_judges, of_recordings, of_stability, of_systems
from reportgen.findings.subjects import SubjectReason, subject_of
from reportgen.results import Figure, Finding
from reportgen.results.annotators import (
    CategoryScores,
    ComparedSet,
    Comparison,
    Comparisons,
    IntraAnnotatorAgreement,
    Judge,
    JudgedCategory,
)
from reportgen.results.marks import (
    BoundaryAgreement,
    BoundaryShift,
    MarkDisagreements,
    SpanPair,
    SpanResults,
    Unitizing,
)
from reportgen.results.model import LayerSubject, SubjectId
from reportgen.results.parts import Change, DifferenceTest, Overlap, SystemRevision
from reportgen.results.unit_sets import AggregateOfAnnotators, AggregateReliability
from reportgen.words.subjects import ABOUT, subject_line
from tests.findings.made_results import KAPPA, figure, pair, quality, results, symmetry, told, unit_set

ALONE = unit_set(units_compared=0, units_by_annotators={"1": 100}, annotators=("A",))
TWO = unit_set(pair({("x", "x"): 5, ("x", "y"): 5}))


def crowd(people: int, labels: int, units: int = 100, **changes: object) -> dict[str, object]:
    names = tuple(f"w{number}" for number in range(people))
    return {
        "annotators": names,
        "units_by_annotators": {str(labels): units},
        "units_compared": units,
        **changes,
    }


def against(name: str, role: str = "system", **changes: object) -> Comparison:
    given: dict[str, object] = {
        "layer": "main",
        "unit_set": "items",
        "key": "gold",
        "key_role": "reference",
        "other": name,
        "role": role,
        "documents": 30,
        "units": 200,
        "measures": {KAPPA: figure(0.7, 0.6, 0.8)},
        "by_category": {},
    }
    return Comparison.model_validate(given | changes)


def by(*pairs: Comparison, set_of: str | None = "items", shown: str = KAPPA) -> dict[str, object]:
    own = ComparedSet(
        layer="main",
        unit_set=set_of,
        figure=shown,
        references=("gold",),
        people=len(pairs),
        crowded=False,
        humans={},
    )
    return {"comparisons": Comparisons(sets=(own,), pairs=pairs)}


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
    assert line.startswith("Subject of “main”: what one annotator's labels are worth. Several")
    assert "Subject of “b”: how near labels come to the reference. campaign.toml declares it." in line
    assert subject_line(two, "b").startswith("Subject: how near")
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
    ("p", "by_how_much", "severity", "words"),
    [
        (0.049, 0.2, "good", "up from 0.5 in release 1"),
        (0.049, -0.2, "problem", "down from 0.5 in release 1"),
        (0.05, 0.2, "note", "no difference is shown"),
        (0.5, 0.0, "note", "as release 1 did"),
        (None, 0.2, "note", "could not be tested"),
    ],
)
def test_the_newest_release_is_said_with_its_change(
    p: float | None, by_how_much: float, severity: str, words: str
) -> None:
    (found,) = told(of_systems.verdict, ALONE, **by(FIRST, SECOND), releases=(release(p, by_how_much),))
    assert (found.severity, found.subject, found.kind) == (severity, "systems", "verdict")
    assert claim(found).startswith("Against gold, tagger 2 reaches Cohen's kappa 0.7 (0.6 to 0.8)")
    assert words in claim(found)


def test_of_several_systems_the_nearest_is_named() -> None:
    best = against("best", measures={KAPPA: figure(0.9, 0.8, 0.95)})
    (found,) = told(of_systems.verdict, ALONE, **by(against("worse"), best))
    assert claim(found) == "Of 2 systems, best comes nearest to gold: Cohen's kappa 0.9 (0.8 to 0.95)."


def test_a_system_without_an_interval_or_without_a_figure_says_why() -> None:
    bare = against("t", measures={KAPPA: figure(0.9, interval={"undefined": "one document"})})
    (found,) = told(of_systems.verdict, ALONE, **by(bare))
    assert claim(found) == "Against gold, t reaches Cohen's kappa 0.9, without an interval: one document."
    nothing = against("t", measures={KAPPA: figure(None, undefined="no unit")})
    (found,) = told(of_systems.verdict, ALONE, **by(nothing))
    assert claim(found).startswith("Nobody can be compared with a reference")


def test_marks_are_judged_by_f_with_precision_and_recall() -> None:
    shares = {"f_measure": 0.8, "precision": 0.9, "recall": 0.7}
    measures = {f"{name}[strict]": figure(value, value - 0.1, value + 0.05) for name, value in shares.items()}
    marks = against("t", unit_set=None, units=None, measures=measures)
    made = by(marks, set_of=None, shown="f_measure[strict]")
    (found,) = told(of_systems.verdict, ALONE, **made)
    assert claim(found).startswith("Against gold, t reaches F 0.8 (")
    (rests,) = told(of_systems.caveat, ALONE, **made)
    assert claim(rests) == "t finds 0.7 of the marks of gold, and 0.9 of its own are right."


def spans(cases: list[dict[str, object]]) -> dict[str, object]:
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
    made = by(marks, set_of=None, shown="f_measure[strict]") | spans(cases)
    (found,) = told(of_systems.errors, ALONE, **made)
    assert found.cases == 19
    assert claim(found).startswith("t differs from gold in 19 cases: 4 marks missed, 9 that gold does not")
    assert found.advice == "Begin with the marks that only {system} has."
    assert (
        told(of_systems.errors, ALONE, **(by(marks, set_of=None, shown="f_measure[strict]") | spans([])))
        == []
    )
    assert told(of_systems.errors, ALONE, **by(against("t"))) == []


def scores(value: float, low: float, high: float) -> CategoryScores:
    own = figure(value, low, high)
    return CategoryScores(key=9, other=9, both=8, precision=own, recall=own, specific_agreement=own)


@pytest.mark.parametrize(("high", "said"), [(0.69, True), (0.7, False)])
def test_a_category_is_weak_where_its_interval_is_below_all_together(high: float, *, said: bool) -> None:
    by_category = {"x": scores(0.5, 0.4, high), "y": scores(0.9, 0.8, 0.95)}
    measures = {KAPPA: figure(0.7, 0.6, 0.8), "specific_agreement[macro]": figure(0.7, 0.6, 0.8)}
    found = told(
        of_systems.weak_category, ALONE, **by(against("t", by_category=by_category, measures=measures))
    )
    assert [each.categories for each in found] == ([("x",)] if said else [])
    alone = against("t", by_category={"x": scores(0.5, 0.4, high)}, measures=measures)
    assert told(of_systems.weak_category, ALONE, **by(alone)) == []


def of_marks(**changes: object) -> dict[str, object]:
    """A system that is compared on marks in texts."""
    shares = {"f_measure": 0.8, "precision": 0.9, "recall": 0.7}
    measures = {f"{name}[strict]": figure(value, value - 0.1, value + 0.05) for name, value in shares.items()}
    given: dict[str, object] = {"unit_set": None, "units": None, "measures": measures}
    marks = against("t").model_copy(update=given | changes)
    return by(marks, set_of=None, shown="f_measure[strict]")


@pytest.mark.parametrize("missing", ["precision[strict]", "recall[strict]"])
def test_precision_and_recall_are_said_where_both_are_known(missing: str) -> None:
    made = of_marks()
    measures: dict[str, Figure] = made["comparisons"].pairs[0].measures  # type: ignore[attr-defined]
    assert told(of_systems.caveat, ALONE, **made)
    measures[missing] = figure(None)
    assert told(of_systems.caveat, ALONE, **made) == []
    del measures[missing]
    assert told(of_systems.caveat, ALONE, **made) == []


def test_the_share_of_right_labels_is_said_beside_how_annotators_agree() -> None:
    right = {KAPPA: figure(0.7), "observed_agreement": figure(0.8)}
    (found,) = told(of_systems.caveat, ALONE, **by(against("t", measures=right)))
    assert claim(found) == "t gives 0.8 of 200 units the label of gold."
    for value, words in ((0.6, "Annotators reach 0.6 with each other"), (None, "the label of gold.")):
        humans = {"documents": 9, "units": 200, "pairs": 3, "measures": {KAPPA: figure(value)}}
        (found,) = told(of_systems.caveat, ALONE, **by(against("t", measures=right, humans=humans)))
        assert words in claim(found)
        assert ("Annotators" in claim(found)) is (value is not None)
    assert told(of_systems.caveat, ALONE, **by(against("t"))) == []
    undefined = right | {"observed_agreement": figure(None)}
    assert told(of_systems.caveat, ALONE, **by(against("t", measures=undefined))) == []
    assert told(of_systems.caveat, ALONE) == []


def by_documents(
    *errors: tuple[int, int], people: tuple[str, str] = ("gold", "t"), layer: str = "main"
) -> dict[str, object]:
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
    return told(of_systems.worst_documents, ALONE, **of_marks(), **by_documents(*errors, **changes))  # type: ignore[arg-type]


def test_where_marks_need_only_overlap_f_is_said_too() -> None:
    for layer, people, said in (
        ("main", ("gold", "t"), True),
        ("other", ("gold", "t"), False),
        ("main", ("gold", "u"), False),
    ):
        (found,) = told(of_systems.caveat, ALONE, **of_marks(), **by_documents(layer=layer, people=people))
        assert ("need only overlap, F is 0.85" in claim(found)) is said


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


@pytest.mark.parametrize(("wrong", "speaks"), [(7, True), (6, False)])
def test_a_document_has_more_errors_than_chance_gives_after_holm(wrong: int, *, speaks: bool) -> None:
    """P(X ≥ 7) of 20 at the rate .1 is .0024, P(X ≥ 6) .0113: times five documents .012 and .056."""
    assert worst(*[(2, 18)] * 4, (wrong, 20 - wrong)) == []
    assert bool(worst(*[(2, 18)] * 4, (wrong + 1, 19 - wrong))) is speaks


def test_worst_documents_are_those_of_the_system_that_is_judged_on_marks() -> None:
    errors = [(2, 18)] * 6 + [(15, 5)]
    assert worst(*errors, layer="other") == worst(*errors, people=("gold", "u")) == []
    assert told(of_systems.worst_documents, ALONE, **of_marks()) == []
    assert told(of_systems.worst_documents, ALONE, **by_documents(*errors)) == []
    assert told(of_systems.worst_documents, ALONE, **by(against("t")), **by_documents(*errors)) == []


def test_the_weakest_category_is_one_that_is_marked_and_has_an_interval() -> None:
    bare = CategoryScores.model_validate(
        dict.fromkeys(("key", "other", "both"), 9)
        | dict.fromkeys(("precision", "recall", "specific_agreement"), figure(0.1))
    )
    by_category = {
        "y": scores(0.9, 0.8, 0.95),
        "none": scores(0.1, 0.05, 0.2),
        "bare": bare,
        "x": scores(0.5, 0.4, 0.6),
        "w": scores(0.5, 0.45, 0.6),
    }
    own = ALONE.model_copy(update={"non_annotated": "none"})
    (found,) = told(of_systems.weak_category, own, **of_marks(by_category=by_category))
    assert found.values["category"] == "w"
    assert (found.values["value"], found.values["low"], found.values["whole"]) == (0.5, 0.45, 0.8)
    measures = {KAPPA: figure(0.7), "specific_agreement[macro]": figure(0.59)}
    marked = against("t", by_category=by_category, measures=measures)
    assert told(of_systems.weak_category, own, **by(marked)) == []
    of_kappa = against("t", by_category=by_category, measures={KAPPA: figure(0.7)})
    assert told(of_systems.weak_category, own, **by(of_kappa)) == []
    assert told(of_systems.weak_category, own) == []


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


def judge(kappa: Figure, own: JudgedCategory | None = None, units: int = 200) -> dict[str, object]:
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


@pytest.mark.parametrize(
    ("low", "high", "severity", "words"),
    [
        (0.8, 0.9, "good", "may be used in place of a human's"),
        (0.667, 0.8, "note", "only with caution"),
        (0.6, 0.7, "warning", "It is undecided"),
        (0.5, 0.666, "problem", "not to be used one by one"),
        (-0.3, -0.1, "problem", "of no use"),
    ],
)
def test_a_models_labels_may_be_used_by_the_interval_of_kappa(
    low: float, high: float, severity: str, words: str
) -> None:
    (found,) = told(of_judges.verdict, ALONE, **judge(figure((low + high) / 2, low, high)))
    assert (found.severity, found.subject) == (severity, "judge")
    assert words in claim(found)


def test_a_judge_without_an_interval_still_says_how_often_it_is_right() -> None:
    bare = figure(0.7, interval={"undefined": "too few"})
    (found,) = told(of_judges.verdict, ALONE, **judge(bare))
    assert claim(found).endswith("Sensitivity is 0.9 and specificity 0.85 for yes.")


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


@pytest.mark.parametrize(("high", "said"), [(0.666, True), (0.667, False)])
def test_where_a_model_errs_is_said_by_the_interval_of_phi(high: float, *, said: bool) -> None:
    made = judge(figure(0.7, 0.6, 0.8), judged(phi=figure(0.6, 0.5, high)))
    assert [each.categories for each in told(of_judges.errs, ALONE, **made)] == ([("yes",)] if said else [])


@pytest.mark.parametrize(("model", "said"), [(30, True), (28, False), (8, True), (12, False)])
def test_a_share_is_wrong_outside_of_the_humans_interval(model: int, *, said: bool) -> None:
    made = judge(figure(0.7, 0.6, 0.8), judged(model=model))
    made["judges"][0].categories["no"] = judged(human=180, model=180, human_share=figure(0.9, 0.8, 0.95))  # type: ignore[index]
    assert bool(told(of_judges.shares, ALONE, **made)) is said


def test_of_two_categories_the_rarer_one_is_named() -> None:
    """Both have one φ, and one is too many by as much as the other is too few."""
    same = figure(0.5, 0.4, 0.6)
    made = judge(figure(0.7, 0.6, 0.8), judged(model=50, phi=same, human_share=figure(0.1, 0.06, 0.14)))
    frequent = judged(human=180, model=150, phi=same, human_share=figure(0.9, 0.86, 0.94))
    made["judges"][0].categories["no"] = frequent  # type: ignore[index]
    assert [each.categories for each in told(of_judges.errs, ALONE, **made)] == [("yes",)]
    assert [each.categories for each in told(of_judges.shares, ALONE, **made)] == [("yes",)]


# A crowd


def together(value: float, *ends: float, scale: str = "names", later: float = 0.6) -> dict[str, object]:
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


@pytest.mark.parametrize(
    ("low", "high", "severity"),
    [(0.8, 0.9, "good"), (0.667, 0.9, "note"), (0.5, 0.667, "warning"), (0.1, 0.66, "problem")],
)
def test_the_majority_is_judged_by_its_interval(low: float, high: float, severity: str) -> None:
    (found,) = told(of_crowds.verdict, TWO, **together((low + high) / 2, low, high))
    assert (found.severity, found.subject) == (severity, "crowd")
    assert "two majorities of 5 labels each would agree with alpha" in claim(found)
    (found,) = told(of_crowds.verdict, TWO, **together((low + high) / 2, low, high, scale="numbers"))
    assert (found.severity, found.subject) == (severity, "crowd")
    assert "the mean of 5 labels has a reliability of" in claim(found)


def test_a_crowd_of_which_nothing_is_known_together_is_judged_by_one_label() -> None:
    (found,) = told(of_crowds.verdict, TWO)
    assert found.subject is None


@pytest.mark.parametrize(
    ("value", "later", "words"), [(0.79, 0.8, "With 15 labels"), (0.79, 0.79, "Even with 15")]
)
def test_more_labels_are_enough_or_no_number_is(value: float, later: float, words: str) -> None:
    (found,) = told(of_crowds.more_labels, TWO, **together(value, 0.7, 0.9, later=later))
    assert words in claim(found)
    assert told(of_crowds.more_labels, TWO, **together(0.8, 0.7, 0.9)) == []


# Recordings


def recorded(
    alpha: Figure, *shifts: BoundaryShift, stretches: float = 0.95, labels: float = 0.95
) -> dict[str, object]:
    near = BoundaryAgreement(
        layer="main",
        tolerance=200,
        declared=False,
        documents=20,
        boundaries=figure(0.97),
        stretches=figure(stretches),
        labels=figure(labels),
        shifts=shifts,
    )
    names = ("documents", "documents_alone", "characters", "characters_read")
    given: dict[str, object] = dict.fromkeys((*names, "units", "joined", "empty", "several"), 0)
    given |= {"layer": "main", "annotators": ("A", "B"), "measures": {"alpha_u": alpha}}
    cut = Unitizing.model_validate({**given, "by_category": {}, "categories": (), "pairs": ()})
    own = SpanResults(layers=(), pairs=(), mean_over_pairs={}, unitizing=(cut,), boundaries=(near,))
    return {"spans": own}


def test_recordings_are_judged_by_alpha_for_unitizing() -> None:
    for low, high, severity in (
        (0.8, 0.9, "good"),
        (0.7, 0.9, "note"),
        (0.6, 0.7, "warning"),
        (0.1, 0.6, "problem"),
    ):
        (found,) = told(of_recordings.verdict, TWO, **recorded(figure(0.5, low, high)))
        assert (found.severity, found.subject) == (severity, "recordings")
    (found,) = told(of_recordings.verdict, TWO)
    assert claim(found).startswith("How alike recordings are cut can't be computed")


@pytest.mark.parametrize(
    ("stretches", "labels", "problem"),
    [
        (0.95, 0.91, None),
        (0.85, 0.8, "boundaries-apart"),
        (0.95, 0.7, "labels-of-stretches"),
        (0.8, 0.61, "boundaries-apart"),
    ],
)
def test_boundaries_or_labels_are_the_problem(stretches: float, labels: float, problem: str | None) -> None:
    found = told(of_recordings.cut_or_label, TWO, **recorded(figure(0.5), stretches=stretches, labels=labels))
    assert [each.id for each in found] == ([problem] if problem else [])


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
    found = told(of_recordings.early, TWO, **recorded(figure(0.5), shift))
    assert [words in claim(each) for each in found] == ([True] if words else [])


def test_the_p_values_of_several_are_adjusted() -> None:
    shifts = [
        BoundaryShift(annotator=name, boundaries=300, later=50.0, low=40.0, high=60.0, p=0.02)
        for name in "ABC"
    ]
    assert told(of_recordings.early, TWO, **recorded(figure(0.5), *shifts)) == []


# Stability


@pytest.mark.parametrize(
    ("low", "high", "severity"),
    [
        (0.8, 0.95, "good"),
        (0.7, 0.95, "note"),
        (0.5, 0.7, "warning"),
        (0.2, 0.6, "problem"),
        (-0.6, -0.1, "problem"),
    ],
)
def test_whose_interval_reaches_lowest_decides(low: float, high: float, severity: str) -> None:
    twice = quality(intra_annotator=(again("A", 0.97, 0.9, 0.99), again("B", 0.9, low, high)))
    (found,) = told(of_stability.verdict, ALONE, quality=(twice,))
    assert (found.severity, found.subject) == (severity, "stability")
    assert "B" in claim(found)
    (rests,) = told(of_stability.caveat, ALONE, quality=(twice,))
    assert claim(rests) == "A and B labelled 100 units twice."


def test_nobodys_passes_can_be_compared_where_no_figure_is_defined() -> None:
    (found,) = told(of_stability.verdict, ALONE, quality=(quality(intra_annotator=(again("A", None),)),))
    assert claim(found).startswith("Nobody's two passes can be compared")


# All of them


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
