"""The ledger: a row for each layer, category or system; what would help most is first, nothing is twice."""

from dataclasses import replace
from typing import Any

import pytest

from reportgen.figures.bars import shown_parts
from reportgen.report.ledger import (
    Ledger,
    LedgerRow,
    Slice,
    _errors_first,
    _of_labels,
    _of_outcomes,
    how,
    ledger,
)
from reportgen.report.sections.chosen_coefficients import _how_computed
from reportgen.report.uncertainty import answers
from reportgen.report.view import ReportView
from reportgen.results import Finding, Results, UnitSet
from reportgen.results.marks import MarkCase, Outcomes, PairCases
from reportgen.results.model import AllDisagreements, Cause, DisagreementPart
from reportgen.results.unit_sets import SetsCompared
from tests.findings.made_results import KAPPA, by_label, figure, met, pair, results, unit_set
from tests.findings.test_subjects import against, by
from tests.report.test_advice import asking

TABLE = {("x", "x"): 40, ("x", "y"): 8, ("y", "x"): 2, ("y", "y"): 30, ("z", "z"): 15, ("z", "y"): 5}


def of_layers(**severities: str) -> Results:
    """Layers of one pair each, whose verdicts are so grave, and whose kappas fall from .9 on."""
    sets = [
        unit_set(pair(TABLE), layer=name, measures={KAPPA: figure(0.9 - 0.2 * place, 0.5, 0.95)})
        for place, name in enumerate(severities)
    ]
    verdicts = [
        {"id": "v", "severity": severity, "claim": "", "evidence": "coefficients", "kind": "layer-verdict"}
        | {"layers": (name,), "values": {}}
        for name, severity in severities.items()
    ]
    return results(*sets, findings=tuple(map(Finding.model_validate, verdicts)))


def made(found: Results, *findings: Finding) -> Ledger:
    """The ledger of results, of which there is one."""
    own = ledger(found, findings)
    assert own is not None
    return own


def names(own: Ledger) -> list[str]:
    return [row.name for row in own.rows]


def test_layers_that_can_be_relied_on_are_last_and_of_others_the_largest_gain_is_first() -> None:
    found = of_layers(good="good", short="problem", other="problem", low="problem")
    assert names(made(found)) == ["low", "other", "short", "good"], "without a gain the lowest is first"
    own = made(found, asking("mark", "x", gain=0.2, layers=("short",)))
    assert names(own) == ["short", "low", "other", "good"]


def test_what_is_advised_is_in_one_row_and_nowhere_twice() -> None:
    found = of_layers(a="problem", b="problem")
    own_a, both = asking("mark", "x", layers=("a",)), asking("choose", "y", layers=("a", "b"))
    nobody = asking(None, "z", layers=())
    own = made(found, own_a, both, nobody)
    rows = {row.name: row for row in own.rows}
    assert [advice.findings for advice in rows["a"].advice] == [(own_a,)]
    assert rows["b"].advice == ()
    assert sorted(advice.findings[0].values["category"] for advice in own.besides) == ["y", "z"]
    assert rows["a"].act == "Decide when to mark x."
    assert "look for the rule that is missing" in rows["b"].act


def test_nothing_is_urgent_where_others_can_not_be_relied_on() -> None:
    found = of_layers(good="note", short="problem")
    finding = asking("mark", "x", layers=("good",))
    assert {row.name: row.act for row in made(found, finding).rows}["good"] == "Nothing urgent."
    alone = of_layers(good="note", better="note")
    assert {row.name: row.act for row in made(alone, finding).rows}["good"] == "Decide when to mark x."


def of_categories(**changes: float) -> Results:
    own = unit_set(
        pair(TABLE),
        measures={KAPPA: figure(0.7, 0.6, 0.8)},
        against_rest={
            name: {KAPPA: figure(value, value - 0.1, value + 0.05)} for name, value in changes.items()
        },
        specific_agreement=by_label(x=0.9, y=0.5, z=0.8),
    )
    verdict = Finding.model_validate(
        {"id": "v", "severity": "note", "claim": "", "evidence": "", "kind": "verdict"}
        | {"layers": ("main",), "values": {}}
    )
    return results(own, findings=(verdict,))


def test_categories_of_one_layer_with_who_chose_them() -> None:
    own = made(of_categories(x=0.95, y=0.4, z=0.72))
    assert names(own) == ["y", "z", "x"]
    assert [row.word for row in own.rows] == ["too low", "undecided", "high"]
    y = own.rows[0]
    assert [(part.look, part.cases) for part in y.slices] == [("first", 2), ("same", 30), ("second", 13)]
    assert y.cases == 45
    assert y.size == "75 labels"


def test_categories_without_a_coefficient_have_specific_agreement_and_no_thresholds() -> None:
    own = made(of_categories())
    assert not own.banded
    assert {row.name: row.value for row in own.rows} == {"x": 0.9, "y": 0.5, "z": 0.8}
    assert {row.word for row in own.rows} == {""}


def test_a_finding_on_two_categories_is_in_the_row_of_the_one_with_least_agreement() -> None:
    two = asking("apart", "x", categories=("x", "y"))
    own = made(of_categories(x=0.95, y=0.4, z=0.72), two)
    assert [row.name for row in own.rows if row.advice] == ["y"]
    assert own.rows[0].act == "Decide how to tell x from y."


@pytest.mark.parametrize(
    ("people", "cases", "said"),
    [
        (2, 1, "Have A and B do this together, on the only case."),
        (2, 20, "Have A and B do this together, on all 20 cases."),
        (3, 21, "Have A, B and C do this together, on 20 of the 21 cases."),
        (4, 5, "Have all four annotators do this together, on all 5 cases."),
        (9, 5, "Have all nine annotators do this together, on all 5 cases."),
        (10, 21, "To begin with, look at 20 of the 21 cases."),
        (1, 5, "To begin with, look at all 5 cases."),
        (2, 0, ""),
    ],
)
def test_an_act_says_who_does_it_and_on_how_many_cases(people: int, cases: int, said: str) -> None:
    assert how("ABCDEFGHIJ"[:people], cases) == said


def test_only_what_is_to_be_decided_is_done_together() -> None:
    row = made(of_layers(b="problem", a="problem"), asking("mark", "x", layers=("a",))).rows[0]
    assert row.how == "Have A and B do this together, on all 7 cases."
    assert row.why.startswith(row.how)
    assert (replace(row, at_ease=True).how, replace(row, otherwise="Do so.").how) == ("", "")
    unknown = made(of_layers(b="problem", a="problem"), asking(None, "x", layers=("a",))).rows[0]
    assert unknown.how == "", "what it asks for says how"
    nothing = made(of_layers(a="good", b="good")).rows[0]
    assert replace(nothing, differing=9).how == "", "nothing is to be done"
    grave = replace(nothing, severity="problem", differing=9)
    assert grave.how == "Have A and B do this together, on all 9 units on which labels differ."
    assert replace(grave, differing=21).how.endswith("on 20 of the 21 units on which labels differ.")
    assert replace(grave, differing=1).how.endswith("on the only unit on which labels differ.")
    assert replace(grave, of_marks=True).how.endswith("on all 9 cases.")


APART = figure(0.7, 0.5, 0.9)
SAME = figure(1.0, 0.5, 1.0)
NOTHING_ADVISED = [
    ("warning", {"figure": APART, "differing": 4}, "It is undecided whether agreement is high enough", True),
    (
        "problem",
        {"figure": APART, "differing": 4},
        "Go through what was labelled differently, and look",
        True,
    ),
    ("note", {"figure": APART, "differing": 4}, "Nothing urgent.", False),
    ("good", {"figure": APART, "differing": 4}, "Nothing to do.", False),
    # No threshold is for it: nobody knows whether something is urgent.
    ("", {"figure": figure(0.4), "differing": 4}, "Go through what was labelled differently.", False),
    # What nobody labelled differently is not to be talked over, nor what one person alone labelled.
    ("warning", {"figure": SAME}, "Nothing was labelled differently.", False),
    (
        "problem",
        {"figure": figure(None), "compared": False},
        "No two annotators labelled the same here",
        False,
    ),
    ("warning", {"figure": None, "compared": False}, "No two annotators labelled the same here", False),
    (
        "warning",
        {"figure": None, "slices": (Slice("same", "both", 9),)},
        "Nothing was labelled differently.",
        False,
    ),
    ("warning", {"figure": figure(None), "differing": 1}, "It is undecided whether", True),
    # Where counts were read nobody can look at a case.
    *(
        (severity, {"figure": APART, "differing": 4, "listed_singly": False}, said, asks)
        for severity, said, asks in (
            ("problem", "See which labels were confused, and look", True),
            ("warning", "It is undecided whether agreement is high enough: see which", True),
            ("", "See which labels were confused.", False),
            ("good", "Nothing to do.", False),
        )
    ),
    ("", {"figure": SAME, "otherwise": "Read the marks."}, "Nothing was labelled differently.", False),
    ("", {"figure": APART, "differing": 1, "otherwise": "Read the marks."}, "Read the marks.", True),
]


@pytest.mark.parametrize(("severity", "changes", "said", "asks"), NOTHING_ADVISED)
def test_what_is_said_where_nothing_is_advised_is_true_of_the_row(
    severity: str, changes: dict[str, Any], said: str, *, asks: bool
) -> None:
    row = LedgerRow("a", "", severity=severity, people=("A", "B"), **changes)
    assert row.act.startswith(said)
    assert row.asks is asks
    assert bool(row.how) is (asks and row.listed_singly and not row.otherwise)


def test_a_page_begins_with_no_layer_where_nothing_was_labelled_differently() -> None:
    same = {("x", "x"): 40, ("y", "y"): 30}
    sets = [unit_set(pair(same), layer=name, measures={KAPPA: SAME}) for name in "ab"]
    found = of_layers(a="warning", b="warning").model_copy(update={"unit_sets": tuple(sets)})
    assert ReportView(with_findings(found)).begin_with == "Nothing was labelled differently."
    alone = [own.model_copy(update={"units_compared": 0, "measures": {KAPPA: figure(None)}}) for own in sets]
    found = found.model_copy(update={"unit_sets": tuple(alone)})
    assert ReportView(with_findings(found)).begin_with == ""


@pytest.mark.parametrize(
    ("missed", "typed", "alone", "said"),
    [
        (49, 48, 9, "Read the 49 marks that it missed and the 48 that it gave another type."),
        (4, 48, 9, "Read the 4 marks that it missed and the 48 that it gave another type."),
        (49, 1, 9, "Read the 49 marks that it missed, and find what they have in common."),
        (1, 48, 9, "Read the 48 marks that it gave another type, and find what they have in common."),
        (4, 8, 9, "Read the 9 marks that it made alone, and find what they have in common."),
        (1, 1, 1, ""),
    ],
)
def test_marks_of_another_type_are_not_said_to_be_missed(
    missed: int, typed: int, alone: int, said: str
) -> None:
    made = (
        MarkCase(kind="omission", first="P", cases=missed),
        MarkCase(kind="omission", second="P", cases=alone),
        MarkCase(kind="type", first="P", second="L", cases=typed),
    )
    cases = PairCases(annotators=("gold", "t"), roles=("reference", "system"), cases=made)
    counts = Outcomes(match=70, overlap=0, only_first=missed + typed, only_second=alone + typed)
    slices = tuple(_of_outcomes(counts, cases))
    assert {part.look: part.cases for part in slices if part.cases} == {
        "first": missed,
        "same": 70,
        "label": typed,
        "second": alone,
    }
    assert _errors_first(slices) == said
    # Where kinds of errors are not known, the bar says what its parts are.
    unknown = {part.name: part.cases for part in _of_outcomes(counts, None)}
    assert unknown["missed, or given another type"] == missed + typed
    assert unknown["the system alone, or of another type"] == alone + typed


@pytest.mark.parametrize(
    ("of_annotators", "begins"), [(True, "Begin with A03. "), (False, "Begin with “A03”. ")]
)
def test_names_of_people_have_no_quotation_marks(
    monkeypatch: pytest.MonkeyPatch, begins: str, *, of_annotators: bool
) -> None:
    view = ReportView(of_layers(good="note", short="problem"))
    row = LedgerRow("A03", "", figure(0.4, 0.3, 0.5), severity="problem", differing=2)
    assert view.ledger is not None
    monkeypatch.setattr(view, "ledger", replace(view.ledger, rows=(row,), of_annotators=of_annotators))
    assert view.begin_with.startswith(begins)


@pytest.mark.parametrize(
    ("verdict", "low", "said"),
    [
        ("problem", 0.78, {"Go through what was labelled differently."}),
        ("note", 0.78, {"Nothing urgent."}),
        ("problem", 0.4, {"Nothing urgent.", "Go through what was labelled differently, and look for"}),
    ],
)
def test_beside_a_bad_verdict_it_is_not_said_of_every_label_that_nothing_is_urgent(
    verdict: str, low: float, said: set[str]
) -> None:
    found = of_categories(x=0.78, y=low, z=0.78)
    (own,) = found.findings
    found = found.model_copy(update={"findings": (own.model_copy(update={"severity": verdict}),)})
    acts = {row.act for row in made(found).rows}
    assert all(any(act.startswith(one) for one in said) for act in acts)
    assert len(acts) == len(said)


def test_of_a_table_of_counts_no_cases_are_gone_through() -> None:
    matrix = "Confusion matrix: one annotator's categories in rows, the other's in columns; JSON."
    counts = "Counts that reportgen wrote beside a report: how many units have which labels."
    for reading, looked_at in ((matrix, False), (counts, False), ("Wide table: each row is a unit.", True)):
        found = of_layers(b="problem", a="problem").model_copy(update={"reading": reading})
        assert bool(made(found, asking("mark", "x", layers=("a",))).rows[0].how) is looked_at
        categories = made(of_categories().model_copy(update={"reading": reading}))
        assert any(row.act.startswith("Check the") for row in categories.rows) is looked_at


def sharing(*shares: float, gain: float = 0.0) -> list[Finding]:
    """Findings on labels with so large shares of the disagreements of layer a."""
    return [
        asking("choose", name, layers=("a",), gain=gain, values={"category": name, "difference_share": share})
        for name, share in zip("xyz", shares, strict=False)
    ]


@pytest.mark.parametrize(
    ("findings", "slight"),
    [
        (sharing(0.24), True),
        (sharing(0.25), False),
        (sharing(0.12, 0.12), True),
        (sharing(0.12, 0.13), False),
        (sharing(0.1, gain=0.0099), True),
        (sharing(0.1, gain=0.01), False),
        ([*sharing(0.1), asking("choose", "z", layers=("a",))], False),
        ([asking("choose", "z", layers=("a",))], False),
    ],
)
def test_what_explains_little_is_not_advised(findings: list[Finding], *, slight: bool) -> None:
    rows = {each.name: each for each in made(of_layers(a="problem", b="problem"), *findings).rows}
    assert rows["a"].advice[0].is_slight is slight
    assert ("no single label explains much" in rows["a"].act) is slight


def test_one_row_is_no_ledger() -> None:
    assert ledger(of_layers(only="problem"), ()) is None


ROW = LedgerRow("a", "", figure(0.5), "", "note", documents=(0.0, 0.1, 0.11, 0.5, 1.0))


def test_documents_are_dots_by_their_figure() -> None:
    assert ROW.median == 0.11
    assert replace(ROW, documents=(0.2, 0.4)).median == pytest.approx(0.3)
    places = ROW.dots
    assert len(places) == 5
    assert all(0 < across < 1 and 0 < up < 1 for across, up in places)
    assert places[1][0] == places[2][0], "alike are on each other"
    assert places[1][1] < places[2][1]
    few, more = (replace(ROW, documents=(0.5,) * number) for number in (7, 8))
    assert max(up for _across, up in few.dots) < 1
    assert (few.crowded, more.crowded) == (False, True), "more than seven would fuse"
    piles = replace(ROW, documents=(0.0, *(0.5,) * 8, 0.52, 1.0))
    assert (piles.piles, piles.pile) == ([(0.0, 1), (0.5, 9), (0.95, 1)], (0.5, 9))


def test_layers_whose_figures_are_of_different_units_say_how_often_labels_differ_and_by_chance() -> None:
    alpha = figure(0.25).model_copy(update={"observed": 0.3, "expected": 0.4})
    coefficients = dict.fromkeys("ab", "krippendorff_alpha")
    found = of_layers(a="problem", b="problem").model_copy(update={"coefficients": coefficients})
    first, second = (
        own.model_copy(update={"measures": {"krippendorff_alpha": alpha}}) for own in found.unit_sets
    )
    alike = found.model_copy(update={"unit_sets": (first, second)})
    assert {row.apart for row in made(alike).rows} == {None}
    sets = (first, second.model_copy(update={"id": "marked"}))
    (apart,) = {row.apart for row in made(alike.model_copy(update={"unit_sets": sets})).rows}
    assert apart is not None
    assert apart[0] == "Labels differ on 30.0% of units (lower bar); by chance on 40.0% (upper bar)"
    assert apart[1:] == pytest.approx((0.75, 1))


def test_a_scale_begins_below_zero_only_where_a_figure_does() -> None:
    own = made(of_layers(a="problem", b="problem"))
    assert own.lowest == 0
    below = replace(own, rows=(replace(own.rows[0], figure=figure(0.1, -0.1, 0.3)),))
    assert below.lowest == -0.25


def test_all_disagreements_add_up_and_each_part_has_a_look() -> None:
    found = of_layers(a="problem")
    parts = [("omission", "A", 50), ("omission", "B", 20), ("boundary", None, 15), ("type", None, 5)]
    every = AllDisagreements(
        total=90,
        compared=300,
        of_marks=True,
        parts=tuple(
            DisagreementPart(kind=kind, annotator=who, cases=cases, layer="a") for kind, who, cases in parts
        ),
        causes=(),
        candidates=3,
    )
    own = shown_parts(found.model_copy(update={"disagreements": every}))
    assert sum(cases for *_part, cases in own) == 90
    assert [look for look, *_part in own] == ["first", "second", "ends", "label"]
    assert shown_parts(found) == []


def test_a_bar_of_which_most_is_all_others_is_not_drawn() -> None:
    def shown(rest: int) -> list[tuple[str, str, int]]:
        parts = [("boundary", 15), ("type", 10), ("rest", rest)]
        every = AllDisagreements(
            total=25 + rest,
            compared=300,
            of_marks=True,
            parts=tuple(DisagreementPart(kind=kind, cases=cases) for kind, cases in parts),
            causes=(),
            candidates=3,
        )
        return shown_parts(of_layers(a="problem").model_copy(update={"disagreements": every}))

    assert [cases for *_part, cases in shown(25)] == [15, 10, 25]
    assert shown(26) == []


def test_the_open_circle_is_where_the_figure_would_be_without_the_cause() -> None:
    found = of_layers(a="problem", b="problem")
    cause = Cause(
        kind="one-sided",
        cases=50,
        expected=9.0,
        p=0.001,
        explained=1.0,
        annotators=("A",),
        by_layer={"a": 0.5},
    )
    every = AllDisagreements(total=90, compared=300, of_marks=True, parts=(), causes=(cause,), candidates=3)
    told = Finding.model_validate(
        {"id": "c", "severity": "note", "claim": "", "evidence": "", "kind": "cause", "values": {}}
    )
    found = found.model_copy(update={"disagreements": every, "findings": (*found.findings, told)})
    rows = {row.name: row for row in made(found).rows}
    assert rows["a"].settled == pytest.approx(1 - 0.5 * 0.1)
    assert rows["b"].settled == pytest.approx(0.7), "it has nothing of the cause"
    assert made(found).with_settled


def titles(found: Results) -> list[str]:
    return [answer.title for answer in answers(found)]


def test_trust_says_of_how_many_documents_layers_have_figures() -> None:
    found = of_layers(a="good", b="good")
    first, second = found.unit_sets
    sets = [
        each.model_copy(update={"documents_compared": many}) for each, many in ((first, 35), (second, 48))
    ]
    own = next(iter(answers(found.model_copy(update={"unit_sets": tuple(sets)}))))
    assert "35 to 48 documents are enough for the verdict on each layer." in str(own.text)
    alike = [each.model_copy(update={"documents_compared": 48}) for each in sets]
    own = next(iter(answers(found.model_copy(update={"unit_sets": tuple(alike)}))))
    assert "48 documents are enough for the verdict on each layer." in str(own.text)


@pytest.mark.parametrize(
    ("known", "with_key", "said", "unknown"),
    [
        (0, 0, "100 units", True),
        (7, 0, "100 units", False),
        (0, 7, "7 documents", False),
        (9, 7, "7 doc", False),
    ],
)
def test_no_document_is_said_to_be_known_only_where_none_is(
    known: int, with_key: int, said: str, *, unknown: bool
) -> None:
    """Two systems and a judge are compared with gold: no two annotators share a document."""
    (alone,) = of_layers(main="warning").unit_sets
    alone = alone.model_copy(update={"units_compared": 0, "documents": known})
    pairs = by(*(against(name, units=100, documents=with_key) for name in ("one", "two")))
    found = of_layers(main="warning").model_copy(update={"unit_sets": (alone,), **pairs})
    text = str(next(iter(answers(found))).text)
    assert said in text
    assert ("No document is known" in text) is unknown
    computed = " ".join(map(str, _how_computed(ReportView(found).layers[0])))
    assert ("because no document is known" in computed) is (not known)


def test_trust_says_whether_the_verdict_is_settled_for_other_texts() -> None:
    assert titles(of_layers(a="good", b="problem"))[0].startswith("Yes, for other texts")
    assert titles(of_layers(a="good", b="warning"))[0].startswith("In part, for other texts")
    assert titles(of_layers(a="warning", b="warning"))[0].startswith("Not yet, for other texts")


@pytest.mark.parametrize(
    ("people", "begins"),
    [(2, "Not for other"), (3, "Hardly"), (4, "Hardly"), (5, "With care")],
)
def test_trust_says_how_far_figures_are_about_other_annotators(people: int, begins: str) -> None:
    found = of_layers(a="good", b="good")
    sets = [each.model_copy(update={"annotators": tuple("ABCDE"[:people])}) for each in found.unit_sets]
    assert titles(found.model_copy(update={"unit_sets": tuple(sets)}))[1].startswith(begins)


@pytest.mark.parametrize(
    ("other", "title"),
    [(None, "One way"), (0.86, "It hardly depends"), (0.849, "It depends"), (0.2, "It depends")],
)
def test_trust_says_whether_it_depends_on_what_is_counted(other: float | None, title: str) -> None:
    found = of_layers(a="good")
    more = [
        found.unit_sets[0].model_copy(
            update={"id": "marked", "primary": False, "measures": {KAPPA: figure(other)}}
        )
    ]
    sets = (*found.unit_sets, *(more if other is not None else []))
    assert titles(found.model_copy(update={"unit_sets": sets}))[2].startswith(title)


@pytest.mark.parametrize(
    ("severity", "gain", "first"),
    [("warning", 0.0, False), ("warning", 0.21, False), ("warning", 0.22, True), ("problem", 0.0, True)],
)
def test_what_is_grave_or_helps_more_than_any_row_comes_before_them(
    severity: str, gain: float, *, first: bool
) -> None:
    row = asking("mark", "x", gain=0.2, layers=("a",))
    besides = asking(None, "z", gain=gain, layers=(), severity=severity)
    assert made(of_layers(a="problem", b="problem"), row, besides).besides_first is first


MET = {("x", "x"): 60, ("y", "y"): 40, ("z", "z"): 30, ("w", "w"): 5}
CONFUSED = {("x", "y"): 12, ("x", "z"): 3, ("y", "z"): 9, ("w", "z"): 2}


def of_several(layer: str = "main") -> UnitSet:
    """Several annotators' labels, of which some meet others."""
    names = ("x", "y", "z")
    kappas = {name: {KAPPA: figure(0.7, 0.6, 0.75)} for name in names}
    measures = {KAPPA: figure(0.7, 0.6, 0.8)}
    return met(MET | CONFUSED, layer=layer, measures=measures, against_rest=kappas)


def test_a_colour_means_the_same_in_every_row_and_its_label_is_in_the_row() -> None:
    verdict = Finding.model_validate(
        {"id": "v", "severity": "note", "claim": "", "evidence": "", "kind": "verdict"}
        | {"layers": ("main",), "values": {}}
    )
    own = made(results(of_several(), findings=(verdict,)))
    rows = {row.name: row for row in own.rows}
    others = {name: [(part.look, part.label) for part in row.slices] for name, row in rows.items()}
    assert others["x"] == [("same", ""), ("other-1", "y"), ("other-2", "z")]
    assert others["z"] == [("same", ""), ("other-1", "y"), ("other-2", "x"), ("rest", "")]
    meanings = {(part.look, part.means) for row in own.rows for part in row.slices if part.label}
    assert len(meanings) == 2
    assert [part.look for part in own.looks if part.means] == ["other-1", "other-2"]


def test_of_several_layers_too() -> None:
    verdicts = [
        {"id": "v", "severity": "note", "claim": "", "evidence": "coefficients", "kind": "layer-verdict"}
        | {"layers": (name,), "values": {}}
        for name in ("one", "two")
    ]
    found = results(
        of_several("one"), of_several("two"), findings=tuple(map(Finding.model_validate, verdicts))
    )
    for row in made(found).rows:
        assert [(part.look, part.label, part.cases) for part in row.slices] == [
            ("same", "", 135),
            ("other-1", "x / y", 24),
            ("other-2", "y / z", 18),
            ("rest", "", 10),
        ]


def test_what_no_bar_shows_has_no_colour() -> None:
    own = made(of_categories(x=0.95, y=0.4))
    assert {part.look for row in own.rows for part in row.slices if not part.cases} == set()
    nobody_alone = replace(own, rows=tuple(replace(row, slices=row.slices[:2]) for row in own.rows))
    assert [part.look for part in nobody_alone.looks] == ["first", "same"]
    emptied = [replace(row, slices=tuple(part._replace(cases=0) for part in row.slices)) for row in own.rows]
    assert replace(own, rows=tuple(emptied)).looks == []


def test_the_page_says_what_to_begin_with_where_no_cause_does() -> None:
    found = of_layers(good="note", short="problem")
    view = ReportView(with_findings(found, asking("mark", "x", layers=("short",))))
    assert view.begin_with == (
        "Begin with “short”. Decide when to mark x. Have A and B do this together, on all 7 cases."
    )
    caused = Finding.model_validate(
        {"id": "c", "severity": "note", "claim": "All.", "evidence": "", "kind": "cause", "values": {}}
        | {"layers": ("short",), "advice": "Decide together."}
    )
    assert not ReportView(with_findings(found, caused)).begin_with
    assert not ReportView(of_layers(good="note", better="good")).begin_with


def with_findings(found: Results, *more: Finding) -> Results:
    """The same results with findings beside the verdicts."""
    return found.model_copy(update={"findings": (*found.findings, *more)})


@pytest.mark.parametrize(
    ("about", "side"), [(("A",), "first"), (("B",), "second"), (("A", "B"), ""), (("C",), ""), (None, "")]
)
def test_a_cause_that_is_one_of_two_annotators_has_their_colour(
    about: tuple[str, ...] | None, side: str
) -> None:
    own = Cause(
        kind="annotator", cases=9, expected=1.0, p=0.001, explained=1.0, annotators=about, by_layer={}
    )
    every = AllDisagreements(total=20, compared=90, parts=(), causes=(own,), candidates=3, of_marks=False)
    named = {"id": "c", "severity": "note", "claim": "All.", "evidence": "", "kind": "cause", "values": {}}
    found = of_layers(one="problem", two="problem").model_copy(update={"disagreements": every})
    assert (
        ReportView(with_findings(found, Finding.model_validate(named | {"layers": ("one",)}))).cause_side
        == side
    )


def test_bars_of_sets_show_how_many_pairs_of_annotators_gave_the_same_set() -> None:
    """Of ten units with four annotators half of the pairs differ: the bar is half and half."""
    sets = SetsCompared(
        categories=2,
        declared=False,
        units_left_out=0,
        meetings=60,
        meetings_left_out=0,
        pairs=6,
        members={},
        names=(),
        labels={},
        differing=10.0,
    )
    own = unit_set(pair(TABLE)).model_copy(
        update={"sets": sets, "units_compared": 10, "units_by_annotators": {"1": 3, "4": 10}}
    )
    assert [(part.look, part.cases) for part in _of_labels(own)] == [("same", 10.0), ("second", 10.0)]
