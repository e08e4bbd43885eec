"""Each rule speaks where its figure calls for it, and is silent elsewhere."""

import inspect
import re
import string
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from reportgen import findings
from reportgen import results as findings_module
from reportgen.findings import (
    FindingTemplate,
    annotator_pairs,
    annotators,
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
from tests.campaigns import GENE_RENAMING, finding, results, results_of

MODULES = (
    protocol,
    annotators,
    annotator_pairs,
    verdicts,
    systems,
    confusions,
    units,
    marks,
    marks,
    of_crowds,
    of_judges,
    of_recordings,
    of_stability,
    systems,
    annotators,
)

PREVALENT = "A\\B,yes,no\nyes,5,3\nno,2,990\n"
BALANCED = "A\\B,yes,no\nyes,480,20\nno,20,480\n"


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

    # What is said of all layers together is made of what was said of each.
    rest = {"over_layers"}
    by_subject = [rule for own in SUBJECTS.values() for rule in (*own.opening, *own.rules)]
    everywhere = (*findings.LAYER_RULES, *findings.CAMPAIGN_RULES)
    known = rest | {rule.__name__ for rule in (*everywhere, *by_subject)}
    assert set().union(*(rules(module) for module in MODULES)) == known


def test_the_papers_campaign_gets_every_finding_that_its_table_calls_for() -> None:
    found = results_of(GENE_RENAMING)
    assert ids(found.findings) == {
        "verdict",
        "caveat",
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
        "finn",
        "independence-unknown",
        "sample-unknown",
    }


def test_every_finding_has_a_value_for_every_place_of_its_messages() -> None:
    for each in results_of(GENE_RENAMING).findings:
        places = {name for _, name, _, _ in string.Formatter().parse(each.claim + each.advice) if name}
        assert places <= set(each.values), each.id


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


def test_findings_come_the_gravest_first_after_the_two_opening_sentences() -> None:
    found = results_of(GENE_RENAMING).findings
    assert [each.id for each in found[:2]] == ["verdict", "caveat"]
    order = [findings_module.SEVERITIES.index(each.severity) for each in found if not each.is_opening]
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
    assert values["difference"] == pytest.approx(6.8e-6, abs=1e-7)
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


def test_perfect_agreement_on_many_units_is_high_and_on_few_is_open(tmp_path: Path) -> None:
    many = results(tmp_path / "many", "", "A\\B,x,y\nx,250,0\ny,0,250\n")
    assert many.findings[0].claim == verdicts.HIGH.claim
    low = many.findings[0].values["low"]
    # At least .05 ** (1 / 500) of the units agree, and half of the labels do by chance.
    assert low == pytest.approx(1 - (1 - 0.05 ** (1 / 500)) / (0.5 * 1000 / 999), abs=1e-9)
    few = results(tmp_path / "few", "", "A\\B,x,y\nx,5,0\ny,0,5\n")
    assert few.findings[0].claim == verdicts.OPEN.claim


@pytest.mark.parametrize(
    "export",
    [
        "A\\B,yes,no\nyes,0,1\nno,0,99\n",
        "A\\B,yes,no\nyes,1,0\nno,0,499\n",
        "A\\B,yes,no\nyes,2,1\nno,1,96\n",
    ],
)
def test_a_label_too_rare_to_tell_gets_no_verdict(tmp_path: Path, export: str) -> None:
    found = results(tmp_path, "", export)
    said = found.findings[0]
    assert said.claim == verdicts.RARE_LABELS.claim
    assert said.values["category"] == "no"
    figure = found.primary.measures["krippendorff_alpha"]
    assert figure.interval is not None
    assert figure.interval.low is None
    assert figure.standard_error is None
    assert "rarer label" in str(figure.interval.undefined)


def _in_documents(of_unit: Callable[[int], str], units: int = 120) -> str:
    """Return ratings of units, with the document of each."""
    rows = ["document,unit,annotator,label"]
    for unit in range(units):
        one, other = "xy"[unit % 2], "xy"[(unit + (unit % 5 == 0 or unit % 12 == 3)) % 2]
        rows += [f"{of_unit(unit)},u{unit},{who},{label}" for who, label in (("A", one), ("B", other))]
    return "\n".join(rows)


def test_units_without_a_document_are_counted_and_never_mixed_in_silence(tmp_path: Path) -> None:
    """Documents that are named in their first row only leave all other units on their own."""
    first_rows = results(tmp_path / "first", "", _in_documents(lambda n: f"d{n}" if n % 4 == 0 else ""))
    alone = finding(first_rows, "no-documents")
    assert alone is not None
    assert (alone.values["alone"], alone.values["units"]) == (90, 120)
    assert "fill_down" in alone.advice
    one = finding(
        results(tmp_path / "one", "", _in_documents(lambda n: f"d{n // 4}" if n else "")), "no-documents"
    )
    assert one is not None
    assert one.values["alone"] == 1
    every = results(tmp_path / "every", "", _in_documents(lambda n: f"d{n // 4}"))
    assert "no-documents" not in ids(every.findings)


def test_a_distance_table_weighs_only_the_layer_whose_categories_it_knows(tmp_path: Path) -> None:
    rows = ["unit,annotator,tone,stance"]
    rows += [
        f"{n},{who},{'xy'[n % 2]},{'pq'[(n + (who == 'B' and n == 0)) % 2]}" for n in range(9) for who in "AB"
    ]
    toml = '[[layers]]\nid = "tone"\n[[layers]]\nid = "stance"\n[[distances]]\nid = "d"\nfile = "d.csv"\n'
    found = results(tmp_path, toml, "\n".join(rows), {"d.csv": ",x,y\nx,0,1\ny,1,0\n"})
    weighted = {each.layer: "krippendorff_alpha[d]" in each.measures for each in found.unit_sets}
    assert weighted == {"tone": True, "stance": False}


def long_table(documents: int, twice: int) -> str:
    """Return ratings of which both annotators made only those of the first `twice` documents."""
    rows = ["document,unit,annotator,label"]
    for document in range(documents):
        for unit in range(6):
            one = "xy"[(document + unit) % 2]
            rows.append(f"d{document},u{unit},A,{one}")
            if document < twice:
                rows.append(f"d{document},u{unit},B,{one if unit else 'x'}")
    return "\n".join(rows)


def test_documents_that_one_annotator_alone_read_are_not_counted_as_compared(tmp_path: Path) -> None:
    found = results(tmp_path, "[corpus]\ndocuments = 100\n", long_table(30, 5))
    assert (found.primary.documents, found.primary.documents_compared) == (30, 5)
    assert (found.primary.units, found.primary.units_compared) == (180, 30)
    caveat = finding(found, "caveat")
    assert caveat is not None
    assert caveat.values["units"] == found.primary.measures["krippendorff_alpha"].units == 30
    few = finding(found, "few-documents")
    assert few is not None
    assert few.values["documents"] == 5
    sample = finding(found, "sample-unknown")
    assert sample is not None
    assert (sample.values["done"], sample.values["corpus_share"]) == (5, 0.05)


def test_the_size_curve_marks_the_sizes_at_which_figures_were_computed(tmp_path: Path) -> None:
    sets = (
        '[[unit_sets]]\nid = "a"\nunits = "items"\n[[unit_sets]]\nid = "b"\nunits = "declared"\nsize = 900\n'
    )
    export = long_table(30, 5).replace(",y", ",none")
    found = results(tmp_path, f'[task]\nnon_annotated = "none"\n{sets}', export)
    for each in found.unit_sets:
        assert each.size_curve is not None
        assert each.size_curve.declared == each.units_compared
        for other in found.unit_sets:
            assert other.size_curve is not None
            value = other.size_curve.value_at("cohen_kappa", each.units_compared)
            assert value == pytest.approx(each.measures["cohen_kappa"].value)


def test_units_of_a_size_declared_as_one_number_are_each_their_own(tmp_path: Path) -> None:
    toml = '[task]\nnon_annotated = "none"\n[[unit_sets]]\nid = "all"\nunits = "declared"\nsize = 500\n'
    found = results(tmp_path, toml, long_table(25, 25)).primary
    assert (found.documents_compared, found.units_alone) == (25, 500 - 150)


def test_what_can_be_done_is_a_warning_and_a_missing_why_a_note() -> None:
    actionable = (
        protocol.BY_CAUSE["slip"],
        protocol.BY_CAUSE["text ambiguous"],
        confusions.CONFUSED,
        protocol.UNREAD,
    )
    assert {each.severity for each in actionable} == {"warning"}
    missing = (units.UNJUSTIFIED, protocol.UNKNOWN, protocol.SAMPLE_UNKNOWN)
    assert {each.severity for each in missing} == {"note"}
