"""In what order findings are told, what of several layers is one, and when each rule speaks."""

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
    merged,
    of_crowds,
    of_judges,
    of_recordings,
    of_stability,
    protocol,
    systems,
    units,
    verdicts,
)
from reportgen.findings.layer_facts import (
    counted,
    gravest_first,
    in_role,
    listed,
    name_values,
    of_layer,
    of_units,
)
from reportgen.findings.subjects import SUBJECTS
from reportgen.report import sections
from reportgen.results import Finding, Severity
from tests.campaigns import GENE_RENAMING, finding, results_of, written
from tests.findings.made_results import KAPPA, by_label, figure, results, unit_set


def told(severity: Severity = "note", gain: float | None = None, layer: str = "a", **values: str) -> Finding:
    return Finding(
        id="x", severity=severity, claim="C", values=values, evidence="e", gain=gain, layers=(layer,)
    )


def test_the_gravest_come_first_then_the_largest_gain_then_as_rules_come() -> None:
    first, second = told("note", at="1"), told("note", at="2")
    less, more = told("warning", 0.1), told("warning", 0.2)
    good, problem = told("good", 0.9), told("problem")
    ordered = gravest_first([first, good, less, second, more, problem])
    assert ordered == [problem, more, less, first, second, good]


def test_the_same_of_several_layers_is_one() -> None:
    same, other = told(layer="a"), told(layer="b")
    apart = told(layer="c", at="1")
    assert [each.layers for each in merged([same, apart, other, same])] == [("a", "b"), ("c",)]


def test_of_one_layer_its_verdict_comes_first() -> None:
    own = unit_set(
        measures={KAPPA: figure(0.9, 0.85, 0.95)},
        units_compared=9,
        specific_agreement=by_label(a=0.9),
        why="",
    )
    found = findings.find(results(own))
    assert [each.kind for each in found if each.is_opening] == ["verdict"]
    assert (found[0].kind, found[0].layers) == ("verdict", ("main",))
    assert "unjustified" in {each.id for each in found}
    ranks = [("problem", "warning", "note", "good").index(each.severity) for each in found[1:]]
    assert ranks == sorted(ranks)
    assert all("noun" not in each.values or each.values["noun"] == "units" for each in found)


def test_of_several_layers_the_verdict_on_all_comes_before_each_one_s() -> None:
    high = unit_set(measures={KAPPA: figure(0.9, 0.85, 0.95)}, units_compared=9, why="")
    low = unit_set(layer="low", measures={KAPPA: figure(0.1, 0.0, 0.2)}, units_compared=9, why="")
    found = findings.find(results(high, low))
    opening = [(each.id, each.kind, each.layers) for each in found if each.is_opening]
    assert opening == [
        ("verdict", "verdict", ("low",)),
        ("verdict", "verdict", ("main",)),
        ("layer-verdict", "layer-verdict", ("main",)),
        ("layer-verdict", "layer-verdict", ("low",)),
    ]
    assert {each.of_data for each in found if each.kind == "layer-verdict"} == {None}
    (unjustified,) = [each for each in found if each.id == "unjustified"]
    assert unjustified.layers == ("main", "low")


# Words


@pytest.mark.parametrize(
    ("names", "most", "words"),
    [
        ([], 3, ""),
        (["a"], 3, "a"),
        (["a", "b"], 3, "a and b"),
        (["a", "b", "c"], 3, "a, b and c"),
        (["a", "b", "c", "d"], 3, "a, b, c and 1 more"),
        (["a, b"], 3, "a, b"),
        (["a, b", "c"], 3, "“a, b” and c"),
    ],
)
def test_names_are_words(names: list[str], most: int, words: str) -> None:
    assert listed(names, most) == words
    values = name_values("key", names, most)
    assert (values["key"], values["key_list"]) == (words, tuple(names[:most]))
    assert values.get("key_more") == (len(names) - most if len(names) > most else None)


def test_three_names_are_words_where_no_number_is_asked_for() -> None:
    assert listed("abcd") == name_values("key", "abcd")["key"] == "a, b, c and 1 more"


def test_names_with_their_layer_or_role_have_both_apart() -> None:
    assert of_layer("who", "l", {"who": "A"}) == {"who": "A (layer l)", "who_name": "A", "who_layer": "l"}
    listed_values = name_values("who", ["A", "B"])
    assert of_layer("who", "l", listed_values) == listed_values | {
        "who": "A and B (layer l)",
        "who_layer": "l",
    }
    assert in_role("who", "A", "system") == {"who": "A (system)", "who_name": "A", "who_role": "system"}
    found = counted(["a"] * 7, 9)
    assert (found["count"], found["all"], found["names_more"]) == (7, 9, 2)


def test_what_is_said_of_documents_is_said_of_units() -> None:
    said = "Have {more} more documents annotated; the documents of {earlier} annotated again were annotated"
    assert (
        of_units(said)
        == "Have {more} more units labelled; the units of {earlier} labelled again were annotated"
    )


def test_a_template_gives_its_traits_to_findings() -> None:
    template = FindingTemplate(
        *("x", "note", "e"), categories=("a", "b"), people=("who",), cases=("n", "m"), examples=("a", "b")
    )
    found = template.finding(a="A", who="W", n=2, m=3, nothing=None)
    assert (found.categories, found.people, found.cases, found.examples) == (("A",), ("W",), 5, ("A",))
    assert "nothing" not in found.values
    bare = template.finding(n="two")
    assert (bare.categories, bare.cases, bare.examples) == ((), None, None)
    everything = FindingTemplate("x", "note", "e", examples=()).finding()
    assert (everything.examples, everything.kind) == ((), None)
    assert template.gaining(0.5, a="A").gain == 0.5
    assert template.saying("C", severity="good").severity == "good"


LAYER = '[[layers]]\nid = "gene"\n'
TEXT = "<d><section><title>T</title><p>{}</p></section><!-- c --></d>"


def test_another_layer_structure_and_comments_are_no_labels_that_are_missing(tmp_path: Path) -> None:
    files = {
        f"exports/1.0/{who}/d.xml": TEXT.format("a <gene>b</gene> <place>c</place> d")
        for who in ("anna", "bob")
    }
    found = results_of(written(tmp_path / "one", LAYER, files))
    assert found.primary.categories[0] == "gene"
    assert finding(found, "left-out") is None
    assert (found.marks.read, found.marks.used, found.marks.left_out) == (6, 2, 4)


def test_marks_of_those_not_asked_for_are_counted_without_other_layers(tmp_path: Path) -> None:
    files = {
        f"exports/1.0/{who}/d.xml": TEXT.format("a <gene>b</gene> <place>c</place> d")
        for who in ("anna", "bob", "cara")
    }
    made = written(tmp_path / "two", LAYER, files)
    toml = made / "campaign.toml"
    toml.write_text(f'{toml.read_text(encoding="utf-8")}annotators = ["anna", "bob"]\n', encoding="utf-8")
    left_out = finding(results_of(made), "left-out")
    assert left_out is not None
    assert (left_out.values["left_out"], left_out.values["read"]) == (2, 4)


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
