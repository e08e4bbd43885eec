"""The ledger: a row for each layer, category or system; most disagreements are first, nothing is twice."""

from typing import Any

import pytest

from reportgen.figures.bars import shown_parts
from reportgen.findings.causes import cause, ranked
from reportgen.findings.layer_facts import LayerFacts
from reportgen.report.ledger import (
    Ledger,
    LedgerRow,
    _of_labels,
    ledger,
)
from reportgen.report.sections.chosen_coefficients import _how_computed
from reportgen.report.uncertainty import answers
from reportgen.report.view import ReportView
from reportgen.results import Finding, Results
from reportgen.results.model import AllDisagreements, DisagreementPart
from reportgen.results.unit_sets import SetsCompared
from tests.findings.made_results import KAPPA, against, by, by_label, figure, pair, results, unit_set
from tests.findings.test_causes import cause_of
from tests.findings.test_causes import found as every_cause
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
    whole = found.model_copy(update={"findings": (*found.findings, *findings)})
    own = ledger(whole, ranked(whole))
    assert own is not None
    return own


def names(own: Ledger) -> list[str]:
    return [row.name for row in own.rows]


def test_layers_that_can_be_relied_on_are_last_and_of_others_that_with_most_disagreements_is_first() -> None:
    found = of_layers(good="good", short="problem", other="problem", low="problem")
    assert names(made(found)) == ["low", "other", "short", "good"], "of as many the lowest figure is first"
    table = {**TABLE, ("x", "y"): 9}
    (more,) = [own for own in found.unit_sets if own.layer == "other"]
    more = unit_set(pair(table), layer="other", measures=more.measures)
    sets = tuple(more if own.layer == "other" else own for own in found.unit_sets)
    assert names(made(found.model_copy(update={"unit_sets": sets})))[0] == "other"


def test_the_first_cause_is_said_above_and_others_in_one_row_or_below_all() -> None:
    found = of_layers(a="problem", b="problem", c="note")
    first, second = asking("choose", "x", layers=("a",), gain=0.2), asking("revise", "y", layers=("b",))
    both, nobody = asking(None, "v", layers=("a", "b")), asking(None, "z", layers=())
    own = made(found, first, second, both, nobody, asking("revise", "w", layers=("c",)))
    rows = {row.name: row for row in own.rows}
    assert (rows["a"].act, rows["a"].instead) == ("", "as said above")
    assert (rows["b"].act, rows["b"].instead) == ("Agree on what counts as y.", "")
    assert (rows["c"].act, rows["c"].instead) == ("", ""), "nothing is urgent beside the others"
    assert sorted(cause.first.values["category"] for cause in own.besides) == ["v", "z"]
    assert own.with_acts
    assert not made(found, first).with_acts


@pytest.mark.parametrize(("share", "covered"), [(0.49, False), (0.5, True)])
def test_a_row_is_covered_by_a_cause_of_half_of_its_disagreements(share: float, *, covered: bool) -> None:
    found = of_layers(a="problem", b="problem")
    proven = every_cause(cause_of("annotator", annotators=("A",), by_layer={"a": share, "b": 0.9}))
    whole = found.model_copy(update={"disagreements": proven})
    own = made(whole, *cause(LayerFacts(whole, "a")))
    rows = {row.name: row for row in own.rows}
    assert (rows["a"].covered, rows["b"].covered) == (covered, True)
    assert rows["a"].instead == ("as said above" if covered else "no cause of its own")


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


def test_what_is_about_two_categories_is_in_the_row_of_the_one_with_least_agreement() -> None:
    first, two = asking(None, "q", gain=0.5, categories=()), asking("apart", "x", categories=("x", "y"))
    own = made(of_categories(x=0.75, y=0.4, z=0.72), first, two)
    assert [row.name for row in own.rows if row.act] == ["y"]
    # The first cause of all is said above each row that it is about.
    alone = made(of_categories(x=0.75, y=0.4, z=0.72), two)
    assert {row.name for row in alone.rows if row.covered} == {"x", "y"}


def test_of_many_labels_those_that_were_hardly_used_have_no_row() -> None:
    def rows(many: int, uses: int) -> int:
        labels = [f"l{number}" for number in range(many)]
        table = {(name, name): 5 for name in labels[:-1]} | {(labels[-1],) * 2: uses // 2}
        if uses % 2:
            table[labels[-1], labels[0]] = 1
        own = unit_set(
            pair(table, categories=tuple(labels)),
            categories=tuple(labels),
            labels=dict.fromkeys(labels, 10) | {labels[-1]: uses},
            measures={KAPPA: figure(0.5, 0.4, 0.6)},
            specific_agreement=by_label(**dict.fromkeys(labels, 0.5)),
        )
        verdict = of_categories().findings
        found = made(results(own, findings=verdict))
        return len(found.rows) + found.left_out

    assert (rows(12, 10), rows(12, 9), rows(11, 9)) == (12, 11, 11)


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
    assert ("Nothing says which units" in text) is unknown
    computed = " ".join(map(str, _how_computed(ReportView(found).layers[0])))
    assert ("because no document is known" in computed) is (not known)


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
    ("severity", "changes", "said"),
    [
        ("warning", APART, "no cause of its own"),
        ("problem", APART, "no cause of its own"),
        ("note", APART, ""),
        ("good", APART, ""),
        # No threshold is for it: nobody knows whether something is urgent.
        ("", APART, ""),
        # What nobody labelled differently needs no cause, nor what one person alone labelled.
        ("warning", SAME, ""),
        ("problem", {"figure": figure(None), "compared": False}, "labelled by one annotator alone"),
        ("problem", {**APART, "covered": True}, "as said above"),
        ("problem", {**APART, "act": "Read."}, ""),
    ],
)
def test_what_stands_in_place_of_an_act_is_true_of_the_row(
    severity: str, changes: dict[str, Any], said: str
) -> None:
    row = LedgerRow("a", "", severity=severity, **changes)
    assert row.instead == said
    assert row.alike is (changes is SAME)
