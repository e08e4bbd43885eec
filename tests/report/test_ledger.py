"""The ledger: a row for each layer, category or system; what would help most is first, nothing is twice."""

from typing import Any

import pytest

from reportgen.figures.bars import shown_parts
from reportgen.report.ledger import (
    Ledger,
    LedgerRow,
    _errors_first,
    _of_labels,
    _of_outcomes,
    how,
    ledger,
)
from reportgen.report.sections.chosen_coefficients import _how_computed
from reportgen.report.uncertainty import answers
from reportgen.report.view import ReportView
from reportgen.results import Finding, Results
from reportgen.results.marks import MarkCase, Outcomes, PairCases
from reportgen.results.model import AllDisagreements, DisagreementPart
from reportgen.results.unit_sets import SetsCompared
from tests.findings.made_results import KAPPA, against, by, by_label, figure, pair, results, unit_set
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


SAME, APART = {"figure": figure(1.0, 0.5, 1.0)}, {"figure": figure(0.7, 0.5, 0.9), "differing": 4}


@pytest.mark.parametrize(
    ("severity", "changes", "said", "asks"),
    [
        ("warning", APART, "It is undecided", True),
        ("problem", APART, "Go through", True),
        ("note", APART, "Nothing urgent.", False),
        ("good", APART, "Nothing to do.", False),
        # No threshold is for it: nobody knows whether something is urgent.
        ("", APART, "Go through", False),
        # What nobody labelled differently is not to be talked over, nor what one person alone labelled.
        ("warning", SAME, "Nothing was labelled differently.", False),
        ("", {**SAME, "otherwise": "Read."}, "Nothing was labelled differently.", False),
        ("problem", {"figure": figure(None), "compared": False}, "No two annotators", False),
        # Where counts were read nobody can look at a case.
        ("problem", {**APART, "listed_singly": False}, "See which labels", True),
        ("", {**APART, "otherwise": "Read."}, "Read.", True),
    ],
)
def test_what_is_said_where_nothing_is_advised_is_true_of_the_row(
    severity: str, changes: dict[str, Any], said: str, *, asks: bool
) -> None:
    row = LedgerRow("a", "", severity=severity, people=("A", "B"), **changes)
    assert row.act.startswith(said)
    assert row.asks is asks
    assert bool(row.how) is (asks and row.listed_singly and not row.otherwise)
