"""What a report says of all disagreements: each cause in its sentence, and what settling it brings."""

import pytest

from reportgen.findings import verdicts
from reportgen.findings.annotators import apart as apart_by
from reportgen.findings.verdicts import cause, first_cause
from reportgen.results import Finding
from reportgen.results.annotators import Copies
from reportgen.results.model import AllDisagreements, Cause, CauseKind, LayerSubject
from tests.findings.made_results import KAPPA, facts, figure, quality, results, told, unit_set


def found(*causes: Cause, **changes: object) -> AllDisagreements:
    given: dict[str, object] = {
        "total": 200,
        "compared": 900,
        "of_marks": False,
        "parts": (),
        "causes": causes,
        "candidates": 12,
    }
    return AllDisagreements.model_validate(given | changes)


def cause_of(kind: CauseKind, **changes: object) -> Cause:
    given: dict[str, object] = {
        "kind": kind,
        "cases": 120,
        "expected": 40.0,
        "p": 0.001,
        "explained": 1.0,
        "by_layer": {"main": 0.6},
    }
    return Cause.model_validate(given | changes)


def part(kind: str, cases: int) -> dict[str, object]:
    return {"kind": kind, "cases": cases}


OWN = unit_set(measures={KAPPA: figure(0.6, 0.5, 0.7)})


@pytest.mark.parametrize(
    ("kind", "about", "said"),
    [
        ("one-sided", {"annotators": ("A",)}, "what only A marked"),
        ("marks-more", {"annotators": ("A",)}, "A marked and another did not"),
        ("marks-less", {"annotators": ("A",)}, "others marked and A did not"),
        ("annotator", {"annotators": ("A",)}, "between A and the others; it would be 0.2 if A"),
        ("direction", {"annotators": ("A", "B"), "labels": ("x", "y")}, "A chose x and B y"),
        ("labels", {"labels": ("x", "y")}, "between x and y; chance would put 0.2 there"),
        ("label", {"labels": ("x",)}, "about x; it"),
        ("document", {"document": "d1"}, "in one document, d1; it"),
        ("layer", {"layer": "main"}, "in one layer, main; it"),
        ("ends", {}, "where marks begin and end"),
    ],
)
def test_each_cause_has_its_sentence_and_an_act(kind: CauseKind, about: dict[str, object], said: str) -> None:
    own, settled = told(cause, OWN, disagreements=found(cause_of(kind, **about)))
    assert said in own.claim.format(**own.values)
    assert (own.kind, own.values["total"], own.values["cause_share"]) == ("cause", 200, 0.6)
    due: dict[object, dict[str, str]] = {
        ("A",): {"annotator": "A"},
        ("A", "B"): {"first": "A", "second": "B"},
    }
    people = {name: own.values.get(name) for name in ("annotator", "first", "second")}
    assert {name: who for name, who in people.items() if who} == due.get(about.get("annotators"), {})
    assert own.advice
    assert bool(own.people) == (kind in {"one-sided", "marks-more", "marks-less"})
    assert settled.values["now"] == 0.6
    assert settled.values["reached"] == pytest.approx(1 - 0.4 * 0.4)


def test_what_chance_would_put_there_stays_when_a_label_is_settled() -> None:
    label = cause_of("label", labels=("x",), explained=0.5)
    _own, settled = told(cause, OWN, disagreements=found(label))
    assert settled.values["reached"] == pytest.approx(1 - 0.4 * (1 - 0.5 * 0.6))


def test_of_several_layers_the_lowest_and_the_highest_are_told() -> None:
    other = unit_set(layer="b", measures={KAPPA: figure(0.9, 0.8, 1.0)})
    about = cause_of("one-sided", annotators=("A",), by_layer={"main": 0.5})
    _own, settled = told(cause, OWN, other, disagreements=found(about))
    assert dict(settled.values) == {
        "low_reached": pytest.approx(0.8),
        "high_reached": pytest.approx(0.9),
    }


def test_two_causes_are_both_named_and_the_first_is_settled() -> None:
    causes = cause_of("annotator", annotators=("A",)), cause_of("labels", labels=("x", "y"))
    claims = [each.claim[:60] for each in told(cause, OWN, disagreements=found(*causes))]
    assert len(claims) == 3
    assert claims[2].startswith("If that were settled")


def test_no_single_cause_is_said_only_where_some_were_looked_for() -> None:
    (none,) = told(cause, OWN, disagreements=found())
    assert "no single cause" in none.claim
    (most,) = told(cause, OWN, disagreements=found(parts=(part("omission", 101), part("rest", 99))))
    assert most.claim.startswith("Most of the {total} disagreements are marks that only one")
    (fewer,) = told(cause, OWN, disagreements=found(parts=(part("omission", 100), part("rest", 100))))
    assert fewer.claim == none.claim
    assert told(cause, OWN, disagreements=found(candidates=0)) == []
    assert told(cause, OWN) == []


def below(name: str, **values: object) -> Finding:
    given: dict[str, object] = {"id": name, "severity": "warning", "claim": "", "evidence": "quality"}
    return Finding.model_validate(given | {"values": values})


def test_beside_a_finding_on_a_person_disagreements_are_not_said_to_be_on_nobody() -> None:
    def said(*findings: Finding, layers: int = 1) -> tuple[str, object]:
        others = [unit_set(layer=f"l{number}") for number in range(1, layers)]
        names, farthest = apart_by(*findings)
        (one,) = cause(facts(OWN, *others, disagreements=found()), names, farthest=farthest)
        return one.claim, one.values.get("annotator") or one.values.get("names_list")

    apart = below("disagrees-with-everyone", names="B", names_list=("B",), annotator="B")
    assert said(apart) == (verdicts.ONE_DIFFERS.claim, "B")
    # In one of two layers nobody differs most in all.
    assert said(apart, layers=2) == (verdicts.SOME_DIFFER.claim, ("B",))
    several = below("disagrees-with-everyone", names="A and B", names_list=("A", "B"), annotator="A")
    assert said(several) == (verdicts.SOME_DIFFER.claim, ("A", "B"))
    # One label throughout is no test of who differs most.
    constant = below("one-label", annotator="C")
    assert said(constant) == (verdicts.SOME_DIFFER.claim, ("C",))
    assert said(apart, constant, apart) == (verdicts.SOME_DIFFER.claim, ("B", "C"))
    # Two who swapped labels are a pair, and what is on nobody names nobody.
    for other in (below("swapped-labels", first="A", second="B"), below("agrees-more", names_list=("A",))):
        assert said(other) == (verdicts.NO_SINGLE.claim, None)


def test_where_nobody_could_be_compared_people_are_not_said_to_be_alike() -> None:
    (unknown,) = told(cause, OWN, disagreements=found(people_compared=False))
    assert "one person is not known" in unknown.claim
    (known,) = told(cause, OWN, disagreements=found(people_compared=True))
    assert "one person, label or document" in known.claim


def test_beside_copies_nobody_is_a_cause() -> None:
    copy = Copies(first="B", second="C", units=60, differ=0)
    person, labels = cause_of("annotator", annotators=("A",)), cause_of("labels", labels=("x", "y"))
    beside = {"quality": (quality(copies=(copy,)),)}
    assert told(cause, OWN, disagreements=found(person), **beside) == [], "nor is it said that there is none"
    first, _settled = told(cause, OWN, disagreements=found(person, labels), **beside)
    assert first.values["category"] == "x"
    shown = results(OWN, disagreements=found(person, labels), findings=(first,), **beside)
    assert first_cause(shown) == labels


def test_a_weighted_figure_or_a_share_is_not_foreseen() -> None:
    for name in ("weighted_kappa[linear]", "observed_agreement"):
        own = unit_set(measures={name: figure(0.6, 0.5, 0.7)})
        about = found(cause_of("labels", labels=("x", "y")))
        (only,) = told(cause, own, disagreements=about, coefficient=name, coefficients={"main": name})
        assert "cause_share" in only.values


def test_another_subject_asks_another_question() -> None:
    subject = LayerSubject.model_validate({"subject": "crowd", "declared": True, "reason": "-"})
    assert told(cause, OWN, disagreements=found(), subjects={"main": subject}) == []
    assert told(cause, OWN, unit_set(layer="b"), disagreements=found(), subjects={"b": subject}) == []


def test_a_figure_shows_what_is_named_alone() -> None:
    own = cause_of("labels", labels=("x", "y"))
    unnamed = results(OWN, disagreements=found(own))
    assert first_cause(unnamed) is None
    findings = tuple(told(cause, OWN, disagreements=found(own)))
    assert first_cause(results(OWN, disagreements=found(own), findings=findings)) == own
    assert first_cause(results(OWN, findings=findings)) is None
    assert first_cause(results(OWN, disagreements=found(), findings=findings)) is None
