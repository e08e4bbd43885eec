"""Rules against results of small campaigns, and against comparisons made by hand."""

import functools
import tempfile
from pathlib import Path
from typing import Any

import pytest

from reportgen.campaign import Campaign, load
from reportgen.cli import gate_check
from reportgen.cli.gate_check import sentence
from reportgen.results import Interval, Results
from reportgen.results.parts import DifferenceTest
from reportgen.results.versions import VersionComparison
from reportgen.versions.gate import GateMessage, GateOutcome, outcomes_of, rules_of, unknown
from tests.campaigns import results_of, written
from tests.findings.made_comparison import changed, comparison, revision

MATRIX = "A2\\A1,Former,New,Rien\nFormer,71,13,23\nNew,8,69,15\nRien,7,8,18840\n"


def ratings(head: str, units: int, *every: int) -> str:
    """A table of ratings: x, but y on each unit whose number an annotator's own number divides."""
    rows = (
        ",".join([str(unit), *("y" if unit % number == 0 else "x" for number in every)])
        for unit in range(units)
    )
    return "\n".join([head, *rows]) + "\n"


THREE = ratings("item,A,B,C", 18, 2, 3, 2)
ONE = "document,item,A,B\nd1,1,x,x\nd1,2,x,x\n"
NAMES = '[privacy]\nannotators = "names"\n'


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


# Undefined


def asked_line(asked: Campaign, line: int) -> str:
    return (asked.folder / "campaign.toml").read_text(encoding="utf-8").splitlines()[line - 1].strip()


def test_an_undefined_figure_breaks_all_demands_at_once_and_says_why(tmp_path: Path) -> None:
    asked = campaign(tmp_path, "cohen_kappa = { value = 0.7, low = 0.5 }", ONE)
    (found,) = outcomes_of(rules_of(asked), computed(ONE, ""), None)
    assert (found.met, found.demand) == (False, "")
    assert "is undefined in 1.0: only one category" in sentence(found)
    assert found.written == "cohen_kappa = { value = 0.7, low = 0.5 }"
    (row,) = gate_check._rules(asked, [found])  # noqa: SLF001 - without its command
    assert asked_line(asked, row["line"]) == found.written


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


FALL = Interval(low=-0.28, high=-0.08, level=0.95, method="t")


def test_a_significant_fall_names_both_versions(tmp_path: Path) -> None:
    test = DifferenceTest(method="paired", statistic=-3.6, degrees=9, p=0.5)
    fell = changed(0.8, 0.62).model_copy(update={"standard_error": 0.05, "test": test, "interval": FALL})
    compared = comparison(revision(layer="main", unit_set="items", measures={"cohen_kappa": fell}))
    held, said = only(tmp_path, 'cohen_kappa = { fall = "significant" }', compared=compared)
    assert not held
    assert said == (
        "cohen_kappa fell from 0.800 [0.700, 0.900] (0.9) to 0.620 [0.520, 0.720] (1.0) on the 30 documents "
        "that are in both: difference −0.180 [−0.280, −0.080], one-sided p = 0.003, Holm over 1 rule."
    )
