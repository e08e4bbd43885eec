"""Rules against results of small campaigns, and against comparisons made by hand."""

import functools
import tempfile
from pathlib import Path
from typing import Any

import pytest

from reportgen.campaign import Campaign, load
from reportgen.cli.gate_check import sentence
from reportgen.results import Figure, Interval, Results
from reportgen.results.parts import Change, DifferenceTest
from reportgen.results.versions import PairChange, VersionComparison
from reportgen.versions.gate import GateMessage, GateOutcome, outcomes_of, rules_of, unknown
from tests.campaigns import results_of, written
from tests.findings.made_comparison import comparison, revision, system

MATRIX = "A2\\A1,Former,New,Rien\nFormer,71,13,23\nNew,8,69,15\nRien,7,8,18840\n"


def ratings(head: str, units: int, *every: int) -> str:
    """A table of ratings: x, but y on each unit whose number an annotator's own number divides."""
    rows = (
        ",".join([str(unit), *("y" if unit % number == 0 else "x" for number in every)])
        for unit in range(units)
    )
    return "\n".join([head, *rows]) + "\n"


THREE = ratings("item,A,B,C", 18, 2, 3, 2)
GOLD = ratings("item,A1,A2,gold,tagger", 30, 2, 3, 2, 5)
ONE = "document,item,A,B\nd1,1,x,x\nd1,2,x,x\n"
NAMES = '[privacy]\nannotators = "names"\n'
ROLES = '[annotators.gold]\nrole = "reference"\n[annotators.tagger]\nrole = "system"\n'


def campaign(folder: Path, gate: str, export: str = MATRIX, toml: str = "") -> Campaign:
    where = written(folder / "c", f"{NAMES}{toml}\n[gate]\n{gate}\n", {"exports/1.0/e.csv": export})
    return load(where)


@functools.cache
def computed(export: str, toml: str) -> Results:
    """The results of an export, which no rule changes."""
    with tempfile.TemporaryDirectory() as folder:
        return results_of(campaign(Path(folder), "", export, toml).folder)


def outcomes(
    folder: Path,
    gate: str,
    export: str = MATRIX,
    toml: str = "",
    compared: VersionComparison | None = None,
) -> list[GateOutcome]:
    found = campaign(folder, gate, export, toml)
    return outcomes_of(rules_of(found), computed(export, toml), compared)


def only(*given: Any, **named: Any) -> tuple[bool, str]:  # noqa: ANN401 - as outcomes
    (outcome,) = outcomes(*given, **named)
    return outcome.met, sentence(outcome)


# Floors of values and of intervals


def test_a_value_below_its_floor_is_broken(tmp_path: Path) -> None:
    held, said = only(tmp_path, "cohen_kappa = { value = 0.9 }")
    assert not held
    assert said == "cohen_kappa 0.801 [0.755, 0.840] is below value = 0.9 in 1.0."


def test_a_value_on_its_floor_is_held(tmp_path: Path) -> None:
    value = computed(MATRIX, "").unit_sets[0].measures
    held, _ = only(tmp_path, f"cohen_kappa = {{ value = {value['cohen_kappa'].value} }}")
    assert held


def test_an_interval_may_be_as_wide_as_the_rule_asks(tmp_path: Path) -> None:
    interval = computed(MATRIX, "").unit_sets[0].measures["cohen_kappa"].interval
    assert interval is not None
    half = ((interval.high or 0) - (interval.low or 0)) / 2
    met, said = only(tmp_path, f"cohen_kappa = {{ half_width = {half} }}")
    assert (met, "is not wider than ± half_width" in said) == (True, True)
    assert only(tmp_path, "cohen_kappa = { half_width = 0.04 }") == (
        False,
        "cohen_kappa 0.801 [0.755, 0.840]: its interval is wider than ± half_width = 0.04 in 1.0.",
    )


def test_a_category_has_its_own_floor(tmp_path: Path) -> None:
    held, said = only(tmp_path, 'specific_agreement = [{ category = "New", value = 0.9 }]')
    assert not held
    assert said.startswith("specific_agreement[New] 0.7")
    of_rest = only(tmp_path, 'cohen_kappa = { category = "New", value = 0.9 }')
    assert of_rest[1].startswith("cohen_kappa of New 0.7")


def test_a_rule_of_several_demands_has_an_outcome_for_each(tmp_path: Path) -> None:
    found = outcomes(tmp_path, 'krippendorff_alpha = { value = 0.75, low = 0.9, fall = "significant" }')
    assert [(each.demand, each.met) for each in found] == [("value", True), ("low", False), ("fall", True)]
    assert [each.written for each in found] == [
        "krippendorff_alpha = { value = 0.75 }",
        "krippendorff_alpha = { low = 0.9 }",
        'krippendorff_alpha = { fall = "significant" }',
    ]


def test_a_figure_that_pairs_alone_have_is_the_mean_over_pairs(tmp_path: Path) -> None:
    found = outcomes(tmp_path, "cohen_kappa = { value = 0.1, low = 0.1 }", THREE)
    assert [each.met for each in found] == [True, False]
    assert found[1].message is GateMessage.NO_INTERVAL
    assert "mean over pairs" in sentence(found[1])


def test_a_system_is_held_to_its_agreement_with_the_reference(tmp_path: Path) -> None:
    gate = 'cohen_kappa = { value = 0.9, annotators = ["gold", "tagger"] }'
    held, said = only(tmp_path, gate, GOLD, ROLES)
    assert not held
    assert said.startswith("cohen_kappa between gold and tagger 0.")
    by_category = 'recall = { category = "x", value = 0.5, annotators = ["gold", "tagger"] }'
    assert only(tmp_path, by_category, GOLD, ROLES)[0]


def test_without_a_layer_every_layer_that_has_the_figure_is_held(tmp_path: Path) -> None:
    export = "item,annotator,a,b\n" + "".join(
        f"{unit},{who},{'xy'[unit % 2]},{'xy'[(unit + place) % 2]}\n"
        for unit in range(6)
        for place, who in enumerate("AB")
    )
    toml = '[[layers]]\nid = "a"\n[[layers]]\nid = "b"\n'
    found = outcomes(tmp_path, "cohen_kappa = { value = 0.5 }", export, toml)
    assert [(each.rule_figure.layer, each.met) for each in found] == [("a", True), ("b", False)]
    one = outcomes(tmp_path, 'cohen_kappa = { value = 0.5, layer = "b" }', export, toml)
    assert [each.values["figure"] for each in one] == ["cohen_kappa (layer b)"]


# Undefined


def test_an_undefined_figure_breaks_all_demands_at_once_and_says_why(tmp_path: Path) -> None:
    (found,) = outcomes(tmp_path, "cohen_kappa = { value = 0.7, low = 0.5 }", ONE)
    assert (found.met, found.demand) == (False, "")
    assert "is undefined in 1.0: only one category" in sentence(found)
    assert found.written == "cohen_kappa = { value = 0.7, low = 0.5 }"


@pytest.mark.parametrize("demand", ["low", "half_width"])
def test_a_value_without_interval_breaks_what_is_asked_of_it_and_says_why(
    demand: str, tmp_path: Path
) -> None:
    export = "document,item,A,B\nd1,1,x,x\nd1,2,y,y\nd1,3,x,y\n"
    held, said = only(tmp_path, f"cohen_kappa = {{ {demand} = 0.1 }}", export)
    assert not held
    assert "has no interval in 1.0: one document or unit alone" in said


def test_a_figure_that_could_not_be_computed_is_broken_not_unknown(tmp_path: Path) -> None:
    toml = '[annotators.B]\nrole = "system"\n'
    found = campaign(tmp_path, "cohen_kappa = { value = 0.1 }", ratings("item,A,B", 6, 2, 3), toml)
    results = results_of(found.folder)
    assert unknown(found, rules_of(found), results, ["A"], {"main": ["cohen_kappa"]}) == []
    (outcome,) = outcomes_of(rules_of(found), results, None)
    assert (outcome.met, outcome.message) == (False, GateMessage.UNDEFINED)


# What there is not


def names_in_vain(folder: Path, gate: str) -> list[str]:
    found = campaign(folder, gate, THREE)
    results: Results = results_of(found.folder)
    problems = unknown(found, rules_of(found), results, ["A", "B", "C"], {"main": ["gwet_ac1"]})
    return [f"{each.line}: {each.key}: {each.message} {each.remedy}" for each in problems]


def test_everything_that_is_not_there_is_named_at_once(tmp_path: Path) -> None:
    gate = (
        "cohen_kapa = { value = 0.5 }\n"
        'specific_agreement = [{ category = "Y", value = 0.5 }, { category = "y", value = 0, '
        'annotators = ["A", "D"] }]\n'
        "krippendorff_alpha = { value = 0.5, unit_set = 'tokens' }"
    )
    first, second, third, fourth = names_in_vain(tmp_path, gate)
    assert first == '6: gate.cohen_kapa: no figure is called "cohen_kapa". Did you mean "cohen_kappa"?'
    assert second.startswith('7: gate.specific_agreement.1.category: 1.0 has no category "Y". Did you mean')
    assert third.startswith(
        '7: gate.specific_agreement.2.annotators: no export has an annotator "D". Known: A, B'
    )
    assert fourth.startswith('8: gate.krippendorff_alpha.unit_set: no unit set is called "tokens".')


# Since the version before


def change(
    first: float | None,
    second: float | None,
    error: float | None = 0.05,
    degrees: float = 19,
    *,
    method: str = "paired",
    untested: str | None = None,
) -> Change:
    """A change with the t test of its difference; without an error it is untested."""
    known = first is not None and second is not None
    difference = (second or 0) - (first or 0)
    test = (
        {"method": method, "statistic": difference / error, "degrees": degrees, "p": 0.5} if error else None
    )
    ends = Interval(low=0.4, high=0.9, level=0.95, method="t")
    return Change(
        first=Figure(value=first, interval=ends) if known else Figure(value=None, undefined="no units"),
        second=Figure(value=second, interval=ends),
        difference=difference if known else None,
        standard_error=error,
        interval=Interval(low=difference - 0.1, high=difference + 0.1, level=0.95, method="t"),
        test=DifferenceTest.model_validate(test) if test else None,
        untested=untested,
    )


def since(measures: dict[str, Change] | None = None, **changes: Any) -> VersionComparison:  # noqa: ANN401 - any field
    given = {"layer": "main", "unit_set": "items", "measures": measures or {}} | changes
    return comparison(revision(**given))


def test_a_significant_fall_names_both_versions(tmp_path: Path) -> None:
    held, said = only(
        tmp_path, 'cohen_kappa = { fall = "significant" }', compared=since({"cohen_kappa": change(0.8, 0.62)})
    )
    assert not held
    assert said == (
        "cohen_kappa fell from 0.800 [0.400, 0.900] (0.9) to 0.620 [0.400, 0.900] (1.0) on the 30 documents "
        "that are in both: difference −0.180 [−0.280, −0.080], one-sided p < 0.001, Holm over 1 rule."
    )


def test_holm_goes_over_all_rules_of_fall(tmp_path: Path) -> None:
    """One-sided p of .03 alone is significant, with another that is not it is no more."""
    gate = 'cohen_kappa = { fall = "significant" }\nobserved_agreement = { fall = "significant" }'
    changes = {"cohen_kappa": change(0.8, 0.7), "observed_agreement": change(0.8, 0.8)}
    assert not only(tmp_path, gate.splitlines()[0], compared=since(changes))[0]
    found = outcomes(tmp_path, gate, compared=since(changes))
    assert [each.met for each in found] == [True, True]
    assert "Holm over 2 rules" in sentence(found[0])


def test_what_was_annotated_again_is_compared_before_all(tmp_path: Path) -> None:
    units: dict[str, Any] = {"layer": "main", "unit_set": "items"}
    shared = revision(**units, basis="shared", measures={"cohen_kappa": change(0.8, 0.4)})
    everything = revision(**units, basis="all", measures={"cohen_kappa": change(0.8, 0.8)})
    gate = 'cohen_kappa = { fall = "significant" }'
    assert not only(tmp_path, gate, compared=comparison(everything, shared))[0]


def test_a_change_that_is_not_tested_is_broken_and_says_why(tmp_path: Path) -> None:
    gate = 'cohen_kappa = { fall = "significant", margin = 0.1 }'
    reason = "the two versions have different categories, and the figure depends on which there are"
    compared = since({"cohen_kappa": change(0.8, 0.8, None, untested=reason)})
    found = outcomes(tmp_path, gate, compared=compared)
    assert [each.met for each in found] == [False, False]
    assert all(
        "can't be tested: the two versions have different categories" in sentence(each) for each in found
    )
    undefined = since(
        {"cohen_kappa": change(None, 0.8, None, untested="one of the two figures is undefined")}
    )
    assert not only(tmp_path, 'cohen_kappa = { fall = "significant" }', compared=undefined)[0]


def test_with_too_few_data_a_margin_is_broken_with_the_documents_needed(tmp_path: Path) -> None:
    """t of 1 - .05 and of .8 at 19 (n - 1) / 29 degrees, times .05 sqrt(30 / n), is .05 at n = 188.

    The figure is about 20 of the 30 documents; those to be annotated will have as few.
    """
    gate = "cohen_kappa = { margin = 0.05 }"
    (found,) = outcomes(tmp_path, gate, compared=since({"cohen_kappa": change(0.8, 0.8)}))
    assert (found.met, found.values["clusters"]) == (False, 188)
    assert "it takes 188 documents annotated under both versions to show it" in sentence(found)
    apart = since({"cohen_kappa": change(0.8, 0.8, method="unpaired", degrees=50)})
    assert "documents of both versions together" in only(tmp_path, gate, compared=apart)[1]


def test_two_annotators_systems_and_marks_are_looked_up_where_they_stand(tmp_path: Path) -> None:
    fell = {"cohen_kappa": change(0.8, 0.4), "f_measure[strict]": change(0.8, 0.4)}
    pair = PairChange(annotators=("A1", "A2"), measures=fell)
    gate = 'cohen_kappa = { fall = "significant", annotators = ["A2", "A1"] }'
    assert not only(tmp_path, gate, compared=since(pairs=(pair,)))[0]
    versus = system(fell["cohen_kappa"], unit_set="items", measures=fell, by_category={"x": change(0.9, 0.2)})
    apart = comparison(revision(layer="main", unit_set="items"), systems=(versus,))
    gate = 'cohen_kappa = { fall = "significant", annotators = ["gold", "tagger"] }'
    assert not only(tmp_path, gate, GOLD, ROLES, apart)[0]
    by_category = gate.replace("cohen_kappa", "specific_agreement").replace("{ ", '{ category = "x", ')
    assert not only(tmp_path, by_category, GOLD, ROLES, apart)[0]


# Marks in texts

BRAT = {
    f"exports/1.0/{who}/d{place}.{kind}": text
    for place in range(6)
    for who in ("A", "B")
    for kind, text in (
        ("txt", "one two three four"),
        ("ann", "T1\tNew 0 3\tone\n" + ("" if who == "B" and place % 2 else "T2\tOld 4 7\ttwo\n")),
    )
}


def of_marks(folder: Path, gate: str, compared: VersionComparison | None = None) -> list[GateOutcome]:
    found = load(written(folder / "m", f"{NAMES}[gate]\n{gate}\n", BRAT))
    return outcomes_of(rules_of(found), results_of(found.folder), compared)


def test_marks_in_texts_are_held_with_the_interval_of_the_only_pair(tmp_path: Path) -> None:
    found = of_marks(tmp_path, '"f_measure[strict]" = { value = 0.9, low = 0.1 }')
    assert [each.met for each in found] == [False, True]
    assert found[0].rule_figure.unit_set is None
    by_type = of_marks(
        tmp_path,
        '"f_measure[strict]" = [{ value = 0.9, category = "New" }, { value = 0.9, category = "Old", '
        'annotators = ["A", "B"] }]',
    )
    assert [each.met for each in by_type] == [True, False]


# A model that would take an annotator's place
