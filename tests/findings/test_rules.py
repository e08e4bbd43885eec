"""Each rule speaks where its figure calls for it, and is silent elsewhere."""

import inspect
import re
from pathlib import Path
from types import ModuleType

import pytest

from reportgen import findings
from reportgen import results as findings_module
from reportgen.findings import (
    FindingTemplate,
    annotator_pairs,
    annotators,
    causes,
    confusions,
    marks,
    of_crowds,
    of_judges,
    of_recordings,
    of_stability,
    protocol,
    systems,
    units,
    verdicts,
)
from reportgen.findings.subjects import SUBJECTS
from reportgen.report import sections
from reportgen.results import Finding
from tests.campaigns import GENE_RENAMING, finding, results_of

MODULES = (
    protocol,
    annotators,
    annotator_pairs,
    verdicts,
    systems,
    confusions,
    units,
    causes,
    marks,
    of_crowds,
    of_judges,
    of_recordings,
    of_stability,
    systems,
    annotators,
)


def ids(found: tuple[Finding, ...]) -> set[str]:
    return {each.id for each in found}


def messages() -> list[FindingTemplate]:
    values = [value for module in MODULES for _, value in inspect.getmembers(module)]
    tables = [each for value in values if isinstance(value, dict) for each in value.values()]
    return [each for each in (*values, *tables) if isinstance(each, FindingTemplate)]


def test_every_rule_of_every_module_is_registered() -> None:
    def rules(module: ModuleType) -> set[str]:
        functions = inspect.getmembers(module, inspect.isfunction)
        local = [(name, each) for name, each in functions if each.__module__ == module.__name__]
        return {name for name, each in local if "Finding]" in str(inspect.signature(each)) and name[0] != "_"}

    # What is said of all layers together, and ranked, is made of what was said of each.
    rest = {"over_layers", "ranked", "numbered"}
    by_subject = [rule for own in SUBJECTS.values() for rule in (*own.opening, *own.rules)]
    everywhere = (*findings.LAYER_RULES, *findings.CAMPAIGN_RULES)
    known = rest | {rule.__name__ for rule in (*everywhere, *by_subject)}
    assert set().union(*(rules(module) for module in MODULES)) == known


def test_the_papers_campaign_gets_every_finding_that_its_table_calls_for() -> None:
    found = results_of(GENE_RENAMING)
    assert ids(found.findings) == {
        "verdict",
        "cause",
        "prevalence",
        "uninformative",
        "choice-of-units",
        "size-limit",
        "confused",
        "bias",
        "distance",
        "circular",
        "straddles",
        "no-documents",
        "independence-unknown",
        "sample-unknown",
    }


def test_messages_name_sections_that_the_report_has() -> None:
    folder = Path(__file__).parents[2] / "templates"
    template = "".join(each.read_text(encoding="utf-8") for each in sorted(folder.glob("*.html.j2")))
    made = "".join(
        each.read_text(encoding="utf-8") for each in sorted(Path(sections.__file__).parent.glob("*.py"))
    )
    for message in messages():
        there = f'id="{message.evidence}"'
        own = there in template + made or re.search(rf'[Ss]ection\(\s*"{message.evidence}"', made)
        assert own, message


def test_the_verdict_comes_first_then_causes_in_their_order_then_all_else_the_gravest_first() -> None:
    found = results_of(GENE_RENAMING).findings
    assert found[0].id == "verdict"
    numbers = [each.cause for each in found if each.cause]
    assert numbers == sorted(numbers)
    assert {each.id for each in found if each.cause == 1} == {"cause", "confused", "bias"}
    last = max(place for place, each in enumerate(found) if each.cause)
    order = [findings_module.SEVERITIES.index(each.severity) for each in found[last + 1 :]]
    assert order == sorted(order)


def test_fort_2010_annotator_bias_is_tested_and_not_read_off_kappa_minus_pi() -> None:
    found = finding(results_of(GENE_RENAMING), "bias")
    assert found is not None
    values = found.values
    assert (values["first_marks"], values["second_marks"]) == (199, 176)
    assert (values["first_only"], values["second_only"]) == (38, 15)
    assert values["test"] == "Bhapkar"
    # Stuart and Maxwell's is .0026670; with the covariance about the mean it is a little less.
    assert values["margins_p"] == pytest.approx(0.0026572, abs=1e-7)
    assert values["mcnemar_p"] == pytest.approx(0.00158152, abs=1e-7)
    assert found.claim.endswith(annotator_pairs.BY_UNIT)


def test_fort_2010_s_would_stay_high_without_any_agreement_on_gene_names() -> None:
    found = finding(results_of(GENE_RENAMING), "uninformative")
    assert found is not None
    assert found.values["observed_floor"] == pytest.approx(18840 / 19054)
    assert found.values["s_floor"] == pytest.approx(1.5 * 18840 / 19054 - 0.5)


def test_fort_2010_the_choice_of_units_moves_kappa_between_table_3_and_table_1() -> None:
    found = finding(results_of(GENE_RENAMING), "choice-of-units")
    assert found is not None
    assert found.severity == "warning"
    assert found.values["lowest"] == pytest.approx(0.73934, abs=5e-6)
    assert found.values["highest"] == pytest.approx(0.80121, abs=5e-6)
    limit = finding(results_of(GENE_RENAMING), "size-limit")
    assert limit is not None
    assert limit.values["limit"] == pytest.approx(0.802667, abs=1e-6)


def test_settling_the_commonest_confusion_brings_what_it_costs() -> None:
    found = finding(results_of(GENE_RENAMING), "confused")
    assert found is not None
    assert (found.values["first"], found.values["second"], found.values["units"]) == ("Former", "Rien", 30)
    # 44 disagreements would be left of 74, chance being the same.
    assert found.values["reached"] == pytest.approx(1 - (1 - 0.8012058520651528) * 44 / 74)
    assert found.gain == pytest.approx((1 - 0.8012058520651528) * 30 / 74)
