"""What a report says of all disagreements: each cause in its sentence, and what settling it brings."""

import pytest

from reportgen.findings import causes as rules
from reportgen.findings.causes import cause, first_cause, ranked, too_fine
from reportgen.results import Finding, UnitSet
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
        ("one-sided", {"annotators": ("A",)}, "A marked something that B left out"),
        ("marks-more", {"annotators": ("A",)}, "A marked something that another left out"),
        ("marks-less", {"annotators": ("A",)}, "A left out something that another marked"),
        ("annotator", {"annotators": ("A",)}, "between A and the others; it would be 0.2 if A"),
        ("direction", {"annotators": ("A", "B"), "labels": ("x", "y")}, "A chose x where B chose y"),
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
    assert own.people == (about.get("annotators", ()) if kind != "direction" else ())
    assert own.cases == 120
    assert own.gain == pytest.approx(1 - 0.4 * 0.4 - 0.6)
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


def test_no_single_cause_is_said_only_where_some_were_looked_for_and_nothing_else_is_one() -> None:
    (none,) = told(cause, OWN, disagreements=found())
    assert none.claim == rules.NO_SINGLE.claim
    assert told(cause, OWN, disagreements=found(candidates=0)) == []
    assert told(cause, OWN) == []
    other = rules.TOO_FINE.finding(labels=20, times=1).model_copy(update={"kind": "cause"})
    assert list(cause(facts(OWN, disagreements=found()), [other])) == []


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


# The one list


def below(ask: str | None = None, advice: str = "Do {this}.", **traits: object) -> Finding:
    """A finding that asks for something."""
    given: dict[str, object] = {
        "id": "x",
        "severity": "warning",
        "claim": "",
        "evidence": "e",
        "advice": advice,
    }
    return Finding.model_validate(
        given | {"values": {"this": "it"}, "asks": ask, "layers": ("main",)} | traits
    )


def listed(
    *findings: Finding, causes: tuple[Cause, ...] = (), layers: tuple[str, ...] = ()
) -> list[list[str]]:
    """The ids of the findings of each cause, in the order of the list."""
    sets = [OWN, *(unit_set(layer=name, measures={KAPPA: figure(0.6, 0.5, 0.7)}) for name in layers)]
    given = {"disagreements": found(*causes)} if causes else {}
    proven = told(cause, *sets, **given) if causes else []
    every = (*proven, *findings)
    return [[own.id for own in each.findings] for each in ranked(results(*sets, findings=every, **given))]


@pytest.mark.parametrize(
    ("kind", "about", "finding", "same"),
    [
        ("one-sided", {"annotators": ("A",)}, below("mark", categories=("x",)), True),
        ("one-sided", {"annotators": ("A",)}, below("balance"), True),
        ("one-sided", {"annotators": ("A",)}, below(habit="number"), True),
        ("one-sided", {"annotators": ("A",)}, below("ends", categories=("x",)), False),
        ("one-sided", {"annotators": ("A",), "by_layer": {"main": 0.49}}, below("mark"), False),
        ("one-sided", {"annotators": ("A",), "by_layer": {"main": 0.5}}, below("mark"), True),
        ("annotator", {"annotators": ("A",)}, below(values={"names_list": ("A",)}), True),
        ("annotator", {"annotators": ("A",)}, below(values={"annotator": "A", "this": "it"}), True),
        ("annotator", {"annotators": ("A",)}, below(values={"names_list": ("A", "B")}), False),
        ("annotator", {"annotators": ("A",)}, below("choose", categories=("x",)), False),
        ("labels", {"labels": ("x", "y"), "layer": "main"}, below("apart", categories=("y", "x")), True),
        ("labels", {"labels": ("x", "y"), "layer": "main"}, below("revise", categories=("x",)), True),
        ("labels", {"labels": ("x", "y"), "layer": "main"}, below("apart", categories=("x", "z")), False),
        ("label", {"labels": ("x",), "layer": "main"}, below("apart", categories=("x", "z")), True),
        ("label", {"labels": ("x",), "layer": "main"}, below("revise", categories=("z",)), False),
        ("label", {"labels": ("x",), "layer": "b"}, below("revise", categories=("x",)), False),
        ("ends", {}, below("ends", categories=("x",)), True),
        ("ends", {}, below(habit="begins"), True),
        ("ends", {}, below("mark", categories=("x",)), False),
    ],
)
def test_what_a_cause_explains_is_of_that_cause(
    kind: CauseKind, about: dict[str, object], finding: Finding, *, same: bool
) -> None:
    together, apart = [["cause", "x"]], [["cause"], ["x"]]
    assert listed(finding, causes=(cause_of(kind, **about),)) == (together if same else apart)


def test_findings_that_ask_for_the_same_are_one_cause_the_one_with_most_gain_first() -> None:
    less, more = below("choose", id="less", gain=0.1), below("choose", id="more", gain=0.2)
    assert listed(less, more) == [["more", "less"]]
    assert listed(less, below("revise", id="other")) == [["less"], ["other"]]
    # Labels of another layer are other labels; marks are marked, or end, in all of them.
    assert listed(less, below("choose", id="b", layers=("b",)), layers=("b",)) == [["less"], ["b"]]
    both = below("mark", id="a"), below("balance", id="b", layers=("b",))
    assert listed(*both, layers=("b",)) == [["a", "b"]]
    assert listed(below(id="a"), below(id="b", layers=("b",)), below(id="c", values={"this": "that"})) == [
        ["a", "b"],
        ["c"],
    ]


def test_first_is_what_makes_figures_wrong_then_what_is_found_then_what_gains_most() -> None:
    found_out = cause_of("annotator", annotators=("A",))
    wrong = below("declare", id="wrong", severity="problem", advice="Write {this}.")
    gains, grave = below(id="gains", gain=0.3), below(id="grave", severity="problem", advice="Mend {this}.")
    few, many = below(id="few", cases=2, advice="A"), below(id="many", cases=3, advice="B")
    setting = below("account", id="setting", gain=0.9, advice="Say {this}.")
    assert listed(setting, few, many, grave, gains, wrong, causes=(found_out,)) == [
        ["wrong"],
        ["cause"],
        ["gains"],
        ["grave"],
        ["many"],
        ["few"],
        ["setting"],
    ]


def test_what_is_about_a_layer_that_can_be_relied_on_comes_behind_what_is_about_others() -> None:
    def verdict(layer: str, severity: str) -> Finding:
        return below(kind="layer-verdict", severity=severity, layers=(layer,), advice="")

    good, short = below("choose", id="good", gain=0.3), below("choose", id="short", layers=("b",))
    every = good, short, verdict("main", "note"), verdict("b", "problem")
    assert listed(*every, layers=("b",)) == [["short"], ["good"]]
    assert listed(good, short, layers=("b",)) == [["good"], ["short"]]


def test_limits_and_what_asks_for_nothing_are_no_causes() -> None:
    assert listed(below(kind="limit"), below(kind="caveat"), below(advice="")) == []


# The list of labels


def of_labels(*uses: int, name: str = "l{}", **changes: object) -> UnitSet:
    """Units of two labels that differ, where labels were used so often."""
    labels = {name.format(number): times for number, times in enumerate(uses)}
    return unit_set(
        categories=tuple(labels), labels=labels, measures={KAPPA: figure(0.2, 0.1, 0.3)}, **changes
    )


@pytest.mark.parametrize(
    ("uses", "changes", "said"),
    [
        ((9,) * 12, {}, True),
        ((9,) * 11, {}, False),
        ((9,) * 11 + (0,), {}, False),
        ((10,) * 12, {}, False),
        ((9,) * 6 + (10,) * 6, {}, True),
        ((9,) * 5 + (10,) * 7, {}, False),
        ((9,) * 12, {"scale": "ordinal"}, False),
        ((9,) * 12, {"name": "{}"}, False),
        ((9,) * 12, {"units_compared": 0}, False),
    ],
)
def test_a_list_is_too_fine_where_half_of_many_labels_are_hardly_used(
    uses: tuple[int, ...], changes: dict[str, object], *, said: bool
) -> None:
    name = str(changes.pop("name", "l{}"))
    own = of_labels(*uses, name=name, **({"units_compared": 40} | changes))
    assert [each.values["labels"] for each in told(too_fine, own)] == ([12] if said else [])
    if said:
        assert {each.kind for each in told(too_fine, own)} == {"cause"}
        assert {each.kind for each in told(too_fine, own, unit_set(layer="b"))} == {None}


def test_findings_have_the_number_of_their_cause_in_the_order_of_the_list() -> None:
    less, more, other = below("choose", gain=0.1), below("choose", gain=0.2), below("revise")
    own = ranked(results(OWN, findings=(less, more, other)))
    assert [(each.gain, each.cause) for each in rules.numbered(own)] == [(0.2, 1), (0.1, 1), (None, 2)]


def test_what_is_wrong_with_somebody_s_labels_names_the_cause() -> None:
    wrong = below("export", id="wrong", people=("A",))
    person = cause_of("annotator", annotators=("A",))
    given = {"disagreements": found(person)}
    (first,) = told(cause, OWN, **given)[:1]
    (own,) = ranked(results(OWN, findings=(first, wrong), **given))
    assert [each.id for each in own.findings] == ["wrong", "cause"]
    assert own.is_found
    # Ranked again it is the same.
    assert ranked(results(OWN, findings=own.findings, **given)) == [own]


def test_layers_that_would_reach_the_same_are_not_told_from_where_to_where() -> None:
    about = cause_of("annotator", annotators=("A",), by_layer={"main": 0.5, "b": 0.5})
    for value, told_too in ((0.6, False), (0.6199, False), (0.63, True)):
        other = unit_set(layer="b", measures={KAPPA: figure(value, 0.5, 0.7)})
        said = told(cause, OWN, other, disagreements=found(about))
        assert len(said) == 1 + told_too, "by as much as two decimals show"
