"""Each rule speaks where its figure calls for it, and is silent elsewhere."""

import inspect
import math
import re
import string
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from scipy.stats import norm

from reportgen import findings
from reportgen import results as findings_module
from reportgen.findings import (
    FindingTemplate,
    annotator_pairs,
    certainty,
    confusions,
    mark_habits,
    outliers,
    protocol,
    systems_and_models,
    units,
)
from reportgen.report import sections
from reportgen.report.uncertainty import planned
from reportgen.results import Finding
from reportgen.words.numbers import message as in_words
from tests.campaigns import GENE_RENAMING, facts_of, finding, results, results_of

MODULES = (
    protocol,
    outliers,
    annotator_pairs,
    certainty,
    systems_and_models,
    confusions,
    units,
    mark_habits,
)

PREVALENT = "A\\B,yes,no\nyes,5,3\nno,2,990\n"
TOKENS = '[[unit_sets]]\nid = "tokens"\nunits = "items"\n'
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
    known = rest | {
        rule.__name__ for rule in (*findings.LAYER_RULES, *findings.CAMPAIGN_RULES, *findings.OPENING)
    }
    assert set().union(*(rules(module) for module in MODULES)) == known


def test_the_papers_campaign_gets_every_finding_that_its_table_calls_for() -> None:
    found = results_of(GENE_RENAMING)
    assert ids(found.findings) == {
        "verdict",
        "caveat",
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


def test_circular_weights_lead_to_a_section_that_is_there(tmp_path: Path) -> None:
    """Distances of very many categories are not shown."""
    rows = "".join(
        f"{number},{who},{(number + (who == 'C' and number % 2)) % 3}\n"
        for number in range(12)
        for who in "ABC"
    )
    found = results(tmp_path, "", f"unit,annotator,label\n{rows}8,D,1\n")
    hidden = found.primary.model_copy(update={"coincidences": None})
    unshown = found.model_copy(update={"unit_sets": (hidden,)})
    assert [each.evidence for each in units.circular(facts_of(found))] == ["distances"]
    assert [each.evidence for each in units.circular(facts_of(unshown))] == ["coefficients"]


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
        own = there in template + made or re.search(rf'Section\(\s*"{message.evidence}"', made)
        assert own, message


def test_findings_come_the_gravest_first_after_the_two_opening_sentences() -> None:
    found = results_of(GENE_RENAMING).findings
    assert [each.id for each in found[:2]] == ["verdict", "caveat"]
    order = [findings_module.SEVERITIES.index(each.severity) for each in found[2:]]
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


@pytest.mark.parametrize(
    ("export", "severity"),
    [
        ("A\\B,x,y\nx,500,2\ny,2,500\n", "good"),
        ("A\\B,x,y\nx,440,60\ny,60,440\n", "note"),
        ("A\\B,x,y\nx,44,7\ny,7,42\n", "warning"),
        ("A\\B,x,y\nx,300,200\ny,200,300\n", "problem"),
    ],
)
def test_the_verdict_goes_by_where_the_interval_lies(tmp_path: Path, export: str, severity: str) -> None:
    found = results(tmp_path, "", export).findings[0]
    assert (found.id, found.severity) == ("verdict", severity)


def test_a_verdict_without_a_value_or_an_interval_says_why(tmp_path: Path) -> None:
    one = results(tmp_path / "one", "", "A\\B,x,y\nx,9,0\ny,0,0\n").findings[0]
    assert one.claim == certainty.UNDEFINED.claim
    assert "only one category was used" in str(one.values["reason"])
    files = {
        "exports/1.0/e.csv": "document,item,annotator,label\n"
        + "".join(f"d,{n},{who},{n % 2}\n" for n in range(18) for who in "AB")
    }
    perfect = results(tmp_path / "perfect", "", files["exports/1.0/e.csv"]).findings[0]
    assert perfect.claim == certainty.NO_INTERVAL.claim
    assert perfect.values["value"] == 1


def test_perfect_agreement_on_many_units_is_high_and_on_few_is_open(tmp_path: Path) -> None:
    many = results(tmp_path / "many", "", "A\\B,x,y\nx,250,0\ny,0,250\n")
    assert many.findings[0].claim == certainty.HIGH.claim
    low = many.findings[0].values["low"]
    # At least .05 ** (1 / 500) of the units agree, and half of the labels do by chance.
    assert low == pytest.approx(1 - (1 - 0.05 ** (1 / 500)) / (0.5 * 1000 / 999), abs=1e-9)
    few = results(tmp_path / "few", "", "A\\B,x,y\nx,5,0\ny,0,5\n")
    assert few.findings[0].claim == certainty.OPEN.claim


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
    assert said.claim == certainty.RARE_LABELS.claim
    assert said.values["category"] == "no"
    figure = found.primary.measures["krippendorff_alpha"]
    assert figure.interval is not None
    assert figure.interval.low is None
    assert figure.standard_error is None
    assert "rarer label" in str(figure.interval.undefined)


def test_prevalence_is_a_matter_of_the_labels(tmp_path: Path) -> None:
    prevalent = results(tmp_path / "prevalent", "", PREVALENT)
    assert {"prevalence", "uninformative"} <= ids(prevalent.findings)
    assert not {"prevalence", "uninformative"} & ids(results(tmp_path / "balanced", "", BALANCED).findings)


def test_a_difference_that_no_test_shows_is_no_claim_of_equality(tmp_path: Path) -> None:
    found = results(tmp_path, "", BALANCED)
    said = finding(found, "no-bias")
    assert said is not None
    assert said.claim.startswith("No test shows that")
    assert finding(found, "bias") is None


def slips(names: str, times: dict[str, int], prevalence: tuple[int, ...] = (100, 100, 100)) -> str:
    """Return a table of two annotators, who agree on so many units of each category and differ as told."""
    cells = {(name, name): many for name, many in zip(names, prevalence, strict=True)}
    cells |= {(pair[0], pair[1]): many for pair, many in times.items()}
    rows = (",".join([one, *(str(cells.get((one, other), 0)) for other in names)]) for one in names)
    return "\n".join([f"A\\B,{','.join(names)}", *rows, ""])


@pytest.mark.parametrize(
    ("times", "prevalence", "said"),
    [
        # All slips are as frequent, or go by how often categories are used, or are even.
        ({"xy": 30, "yz": 30, "xz": 30}, (100, 100, 100), False),
        ({"xy": 60, "xz": 30, "yz": 10}, (700, 200, 100), False),
        ({"xy": 45, "xz": 40, "yz": 15}, (700, 200, 100), False),
        # Chance gives 32.5 of 90, and three standard deviations more are 46.1.
        ({"xy": 45, "yz": 23, "xz": 22}, (100, 100, 100), False),
        ({"xy": 49, "yz": 21, "xz": 20}, (100, 100, 100), True),
    ],
)
def test_advice_on_a_confusion_is_given_beyond_chance_alone(
    tmp_path: Path, times: dict[str, int], prevalence: tuple[int, ...], *, said: bool
) -> None:
    found = [
        each
        for each in results(tmp_path, "", slips("xyz", times, prevalence)).findings
        if each.id == "confused"
    ]
    assert [(each.values["first"], each.values["second"]) for each in found] == ([("x", "y")] if said else [])


def test_all_categories_at_once_and_names_for_none_get_no_definition_to_revise(tmp_path: Path) -> None:
    """It is the coefficient that is low, and nobody defines "don't know"."""
    even = results(tmp_path / "even", "", slips("xyz", {"xy": 60, "yz": 60, "xz": 60}))
    assert not {"weak-category", "weak-categories"} & ids(even.findings)
    export = "A\\B,x,y,Don't know,z\nx,60,0,40,0\ny,0,200,0,0\nDon't know,40,0,60,0\nz,0,0,0,200\n"
    blank = results(tmp_path / "blank", "", export)
    assert {each.values["category"] for each in blank.findings if each.id == "weak-category"} == {"x"}
    said = finding(blank, "confused")
    assert said is not None
    assert (said.values["first"], said.values["second"]) == ("x", "Don't know")
    assert said.advice == confusions.WHEN


def test_lowest_and_highest_are_named_where_the_interval_of_their_difference_says_so(tmp_path: Path) -> None:
    for times, claim in ((30, certainty.BETWEEN), (32, certainty.CATEGORIES)):
        found = results(tmp_path / str(times), "", slips("xyz", {"xy": times, "yz": 10, "xz": 10}))
        assert found.findings[1].claim == claim.claim
        figures = found.primary.specific_agreement
        low, high = figures["x"], figures["z"]
        assert (found.findings[1].values["lowest"], found.findings[1].values["highest"]) == (
            low.value,
            high.value,
        )
        # The square-and-add interval of the difference, of three differences at once.
        assert low.interval is not None
        assert high.interval is not None
        half = math.hypot(
            (low.interval.high or 0) - (low.value or 0), (high.value or 0) - (high.interval.low or 0)
        )
        wider = float(norm.ppf(1 - 0.05 / 3 / 2) / norm.ppf(1 - 0.05 / 2))
        assert ((high.value or 0) - (low.value or 0) > half * wider) is (claim is certainty.CATEGORIES)


@pytest.mark.parametrize(
    ("name", "blank"), [("N/A", True), ("None", True), ("1", False), ("?!", False), ("no", False)]
)
def test_names_that_say_that_no_category_applies(name: str, *, blank: bool) -> None:
    assert confusions.names_no_category(name) is blank


def test_a_category_below_the_threshold_with_its_whole_interval_is_a_problem(tmp_path: Path) -> None:
    export = "A\\B,x,y,z\nx,30,40,0\ny,40,30,0\nz,0,0,200\n"
    weak = [
        each.values["category"]
        for each in results(tmp_path, "", export).findings
        if each.id == "weak-category"
    ]
    assert weak == ["x", "y"]


def test_a_declared_category_that_nobody_used_is_named(tmp_path: Path) -> None:
    found = finding(
        results(tmp_path, '[task]\ncategories = ["yes", "no", "maybe"]', BALANCED), "unused-category"
    )
    assert found is not None
    assert found.values["category"] == "maybe"


def test_a_unit_set_without_a_reason_is_reported(tmp_path: Path) -> None:
    justified = '[[unit_sets]]\nid = "a"\nunits = "items"\nwhy = "Because."\n'
    toml = justified + '[[unit_sets]]\nid = "b"\nunits = "annotated-by-any"\n'
    found = results(tmp_path, f'[task]\nnon_annotated = "no"\n{toml}', PREVALENT)
    assert [each.values["unit_set"] for each in found.findings if each.id == "unjustified"] == ["b"]
    assert [each.values["unit_set"] for each in found.findings if each.id == "omission"] == ["b"]


def test_distances_are_compared_with_those_that_the_annotations_show(tmp_path: Path) -> None:
    table = ",x,y,z\nx,0,2,2\ny,2,0,1\nz,2,1,0\n"
    toml = '[[distances]]\nid = "d"\nfile = "d.csv"\n'
    export = "A\\B,x,y,z\nx,30,40,0\ny,40,30,0\nz,0,0,200\n"
    found = results(tmp_path, toml, export, {"d.csv": table}).findings
    compared = {
        (each.values["first"], each.values["second"]): each for each in found if each.id == "distance"
    }
    assert compared["x", "y"].severity == "warning"
    assert compared["x", "y"].values["declared"] == 1
    assert compared["y", "z"].severity == "note"
    assert ("x", "z") not in compared


def test_a_threshold_that_more_material_would_decide_says_how_much_more(tmp_path: Path) -> None:
    found = finding(results(tmp_path, "", "A\\B,x,y\nx,46,7\ny,7,40\n"), "straddles")
    assert found is not None
    assert found.claim == certainty.STRADDLES.claim
    assert found.advice == certainty.STRADDLES_BY_UNIT.advice


def test_material_for_a_threshold_is_planned_so_that_four_cases_of_five_tell(tmp_path: Path) -> None:
    """A plan for an interval that just leaves out the threshold would fail every second time."""
    found = results(tmp_path, "", "A\\B,x,y\nx,46,7\ny,7,40\n")
    said = finding(found, "straddles")
    figure = found.primary.measures[found.coefficient]
    assert said is not None
    assert figure.value is not None
    assert figure.standard_error is not None
    gap = abs(figure.value - float(str(said.values["threshold"])))
    half = figure.standard_error * (1.96 + 0.8416)
    assert said.values["needed"] == pytest.approx(100 * (half / gap) ** 2, rel=0.05)
    assert said.values["more"] == said.values["needed"] - 100  # type: ignore[operator]  # both are numbers


def test_a_figure_close_to_a_threshold_gets_the_same_account_of_what_more_material_does(
    tmp_path: Path,
) -> None:
    said = finding(results(tmp_path, "", "A\\B,x,y\nx,15,3\ny,3,15\n"), "straddles")
    assert said is not None
    shown = in_words(said.advice, said.values)
    assert "units like these" in shown
    assert "no realistic" not in shown


def test_few_documents_are_warned_of_and_many_are_not(tmp_path: Path) -> None:
    def export(documents: int) -> str:
        rows = ["document,unit,annotator,label"]
        for document in range(documents):
            for unit in range(5):
                one = "xy"[(document + unit) % 2]
                other = one if unit else "x"
                rows += [f"d{document},u{unit},A,{one}", f"d{document},u{unit},B,{other}"]
        return "\n".join(rows)

    assert "few-documents" in ids(results(tmp_path / "few", "", export(19)).findings)
    many = ids(results(tmp_path / "many", "", export(20)).findings)
    assert not {"few-documents", "no-documents"} & many


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


def test_a_document_for_each_unit_is_said(tmp_path: Path) -> None:
    own = finding(results(tmp_path, "", _in_documents(lambda n: f"d{n}")), "no-documents")
    assert own is not None
    assert own.values["units"] == 120
    assert "a document of its own" in own.claim
    two = results(tmp_path / "two", "", _in_documents(lambda n: f"d{max(n, 1)}"))
    assert "no-documents" not in ids(two.findings)


@pytest.mark.parametrize(("documents", "units", "are"), [(4, 120, True), (4, 39, False), (12, 120, False)])
def test_of_a_few_conditions_nobody_is_asked_to_annotate_one_more(
    tmp_path: Path, *, documents: int, units: int, are: bool
) -> None:
    found = results(tmp_path, "", _in_documents(lambda n: f"topic{n % documents}", units))
    few = finding(found, "few-documents")
    assert few is not None
    assert ("conditions" in few.advice) == are
    advice = " ".join(in_words(each.advice, each.values) for each in found.findings)
    assert ("more documents like these" in advice) != are
    assert bool(planned(found, found.primary)) != are


@pytest.mark.parametrize(
    ("toml", "expected"),
    [
        ("", "independence-unknown"),
        ("[protocol]\nindependent = false", "not-independent"),
        ('[protocol]\nindependent = true\npre_annotated_by = "a tagger"', "pre-annotated"),
        (f"[corpus]\ntokens = 100000\n{TOKENS}", "sample-unknown"),
        (f'[corpus]\ntokens = 100000\nsampled = "random"\n{TOKENS}', "sample"),
    ],
)
def test_the_protocol_is_weighed(tmp_path: Path, toml: str, expected: str) -> None:
    assert expected in ids(results(tmp_path, toml, BALANCED).findings)


def test_labels_and_files_that_were_read_past_are_counted(tmp_path: Path) -> None:
    export = "unit,annotator,label\nu1,A,x\nu1,B,x\nu1,B,y\nu2,A,y\nu2,B,y\n"
    found = results(tmp_path, "", export, {"exports/1.0/notes.md": "# notes"})
    left_out = finding(found, "left-out")
    assert left_out is not None
    assert (left_out.values["left_out"], left_out.values["read"]) == (1, 5)
    unread = finding(found, "unread")
    assert unread is not None
    assert unread.values["names"] == "exports/1.0/notes.md"


def test_finns_r_is_doubted_where_it_hangs_on_the_order_of_names(tmp_path: Path) -> None:
    three = "A\\B,1,2,3\n1,160,20,0\n2,20,160,20\n3,0,20,160\n"
    alike = "A\\B,1,2,3\n1,160,0,0\n2,0,160,0\n3,0,0,160\n"
    assert "finn" in ids(results(tmp_path / "nominal", "", three).findings)
    assert "finn" not in ids(results(tmp_path / "ordinal", '[task]\nscale = "ordinal"', three).findings)
    assert "finn" not in ids(results(tmp_path / "two", "", BALANCED).findings)
    assert "finn" not in ids(results(tmp_path / "alike", "", alike).findings)


def test_weights_forgive_nothing_where_nobody_differs_or_of_two_categories(tmp_path: Path) -> None:
    alike = "A\\B,x,y,z\nx,9,0,0\ny,0,9,0\nz,0,0,9\n"
    assert "circular" not in ids(results(tmp_path / "two", "", BALANCED).findings)
    assert "circular" not in ids(results(tmp_path / "alike", "", alike).findings)


def test_unused_categories_are_not_among_those_that_have_the_rest_of_the_labels(tmp_path: Path) -> None:
    toml = '[task]\ncategories = ["yes", "no", "perhaps"]'
    said = finding(results(tmp_path, toml, PREVALENT), "prevalence")
    assert said is not None
    assert said.values["others_list"] == ("yes",)


def test_documents_are_known_where_one_annotator_alone_labelled_them(tmp_path: Path) -> None:
    rows = "".join(f"u{number},d{number % 3},A,{number % 2}\n" for number in range(9))
    found = results(tmp_path, "", f"unit,document,annotator,label\n{rows}")
    assert not {"no-documents", "few-documents"} & ids(found.findings)


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


def test_units_that_are_no_tokens_are_not_set_against_the_tokens_of_the_corpus(tmp_path: Path) -> None:
    found = results(tmp_path, "[corpus]\ntokens = 100000", BALANCED)
    assert finding(found, "sample-unknown") is None


def test_units_of_a_size_declared_as_one_number_are_each_their_own(tmp_path: Path) -> None:
    toml = '[task]\nnon_annotated = "none"\n[[unit_sets]]\nid = "all"\nunits = "declared"\nsize = 500\n'
    found = results(tmp_path, toml, long_table(25, 25)).primary
    assert (found.documents_compared, found.units_alone) == (25, 500 - 150)


@pytest.mark.parametrize("coefficient", ["observed_agreement", "bennett_s", "finn_r"])
def test_a_figure_that_prevalence_blows_up_is_never_called_high(tmp_path: Path, coefficient: str) -> None:
    found = results(tmp_path, f'[task]\ncoefficient = "{coefficient}"', PREVALENT)
    assert found.findings[0].claim in {each.claim for each in certainty.UNFIT.values()}
    assert found.findings[0].severity == "warning"
    assert finding(found, "straddles") is None


def test_s_is_held_against_the_thresholds_where_no_category_prevails(tmp_path: Path) -> None:
    found = results(tmp_path, '[task]\ncoefficient = "bennett_s"', BALANCED)
    assert found.findings[0].claim == certainty.HIGH.claim


def test_a_coefficient_that_falls_towards_its_limit_is_not_said_to_stay_below_it(tmp_path: Path) -> None:
    # Taking x for y weighs more than missing either twice: no metric, and the curve comes from above.
    table = ",x,y,none\nx,0,9,1\ny,9,0,1\nnone,1,1,0\n"
    toml = (
        '[task]\ncategories = ["x", "y"]\nnon_annotated = "none"\ncoefficient = "weighted_kappa[d]"\n'
        '[[distances]]\nid = "d"\nfile = "d.csv"\n'
    )
    export = "A\\B,x,y,none\nx,40,1,2\ny,1,40,2\nnone,2,2,90\n"
    found = finding(results(tmp_path, toml, export, {"d.csv": table}), "size-limit")
    assert found is not None
    assert found.claim == units.FALLS.claim
    assert float(str(found.values["value"])) > float(str(found.values["limit"]))


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
