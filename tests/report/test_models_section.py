"""A report with models among the annotators: may one of them take a place, and what does it say of that?"""

import csv
import functools
from pathlib import Path

import numpy as np
import pytest

from reportgen.base.errors import BadInput
from reportgen.figures import winning_rates
from reportgen.findings.systems import DIFFER, MAY, MAY_NOT, verdict_on
from reportgen.publish.verify.differences import REASONS, WITHOUT_EXPORTS
from reportgen.report.page import report_html, report_markdown
from reportgen.report.paper import methods_tex, paper
from reportgen.report.sections import evidence
from reportgen.report.sections.systems import cautions, nearer_to, verdicts
from reportgen.report.site import LayerReport
from reportgen.report.view import ReportView
from reportgen.results import Results
from reportgen.results.annotators import Replacement
from reportgen.words.language import Edition, writing
from reportgen.words.numbers import estimate, figure, interval
from tests.campaigns import finding, results_of, written
from tests.commands import run
from tests.pages import check_ids
from tests.rendered import version_files

NAMES = ("anna", "ben", "cleo", "gpt", "llama")
MODELS = """
[privacy]
annotators = "names"

[annotators.gpt]
role = "model"
model = "gpt-4.1"
version = "2025-04"
prompt = "prompt.md"

[annotators.llama]
role = "model"
"""
PRICED = f'{MODELS}[replacement]\nepsilon = 0.1\nwhy = "They are *trained*."\n'


@functools.cache
def export(names: tuple[str, ...] = NAMES) -> str:
    """Return a table of three people, a good model and a bad one, in documents of four units."""
    draw = np.random.default_rng(2)
    rows = ["item,document," + ",".join(f'"{name}"' for name in names)]
    for item in range(120):
        truth, *guesses = ("abc"[place] for place in draw.integers(0, 3, 6))
        sure = draw.random(5) < (0.8, 0.8, 0.7, 0.95, 0.2)
        labels = [truth if known else guess for known, guess in zip(sure, guesses, strict=True)]
        rows.append(",".join([str(item), f"d{item // 4}", *labels]))
    return "\n".join(rows)


def campaign(folder: Path, toml: str, table: str = "") -> Path:
    files = {"exports/1.0/e.csv": table or export(), "prompt.md": "Label it.\n"}
    return written(folder / "campaign", toml, files)


def of(folder: Path, toml: str, table: str = "") -> Results:
    return results_of(campaign(folder, toml, table))


@pytest.fixture(scope="module")
def priced(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return of(tmp_path_factory.mktemp("priced"), PRICED)


def only(results: Results) -> Replacement:
    """Return the test of the only layer."""
    (found,) = results.replacement or ()
    return found


def section(page: str, end: str = '\n<details id="') -> str:
    return page.partition('<details id="models"')[2].partition(end)[0]


def test_results_have_the_test_of_the_primary_unit_set(priced: Results) -> None:
    found = only(priced)
    assert (found.layer, found.unit_set, found.epsilon) == ("main", "items", 0.1)
    assert found.annotators == ("anna", "ben", "cleo")
    good, bad = found.models
    assert (good.model, good.called, good.prompt) == ("gpt", "gpt-4.1 2025-04", "prompt.md")
    assert (bad.model, bad.called, bad.prompt) == ("llama", None, None)
    assert good.independent is not None
    assert bad.independent is not None
    assert (good.independent.beaten, bad.independent.beaten) == (3, 0)
    # What is rounded is the same when it is read again.
    assert float(f"{good.advantage.value:.12g}") == good.advantage.value


def test_the_curve_over_epsilon_is_that_of_results(priced: Results) -> None:
    found = only(priced)
    axes = winning_rates(priced)
    assert axes is not None
    named = [each for each in axes.lines if each.get_gid()]
    assert [each.get_gid() for each in named] == [
        "gpt-4.1 2025-04: half of them from ε = 0.00",
        "llama: never half of them",
    ]
    for line, model in zip(named, found.models, strict=True):
        assert model.curve is not None
        assert np.asarray(line.get_xdata()).tolist() == list(model.curve.epsilon)
        assert np.asarray(line.get_ydata()).tolist() == list(model.curve.independent)
    straight = [np.asarray(each.get_xdata()).tolist() for each in axes.lines if not each.get_gid()]
    assert [0.1, 0.1] in straight, "the declared ε"
    assert winning_rates(priced.model_copy(update={"replacement": None})) is None
    assert 'href="figures/winning-rates-' in section(report_html(ReportView(priced), alone=False))


def test_figures_on_the_page_are_those_of_results(priced: Results) -> None:
    found = only(priced)
    text = report_markdown(ReportView(priced)).partition("## May a model")[2].partition("## ")[0]
    lines = [" ".join(line.split()) for line in text.splitlines()]
    for each in found.models:
        name = each.called or each.model
        row = next(line for line in lines if line.startswith(f"| {name} (") and "[" in line)
        own, other = each.independent, each.clustered
        assert own is not None
        assert other is not None
        assert estimate(each.advantage) in row
        assert f"{own.beaten} of {own.tested} | {figure(own.value)} | {figure(other.value)}" in row
        assert each.cross_replication is not None
        assert estimate(each.cross_replication.between) in row
        for human in each.humans:
            shares = " | ".join(map(figure, (human.model, human.human, human.difference)))
            assert any(f"| {human.annotator} | {human.instances} | {shares} |" in line for line in lines)
    (behind,) = found.behind
    assert any(line.startswith(f"| llama | {estimate(behind.difference)} |") for line in lines)
    assert "Why ε is 0.1:\n\nThey are *trained*." in text


@pytest.mark.parametrize("alone", [True, False])
def test_the_section_says_the_verdicts_and_what_they_do_not_mean(priced: Results, *, alone: bool) -> None:
    page = report_html(ReportView(priced), alone=alone)
    shown = section(page)
    assert "gpt-4.1 2025-04 (gpt) may replace an annotator at ε = 0.1: it beat 3 of 3" in shown
    assert "llama may not replace an annotator at ε = 0.1: it beat 0 of 3" in shown
    assert "None of this says that labels are right" in shown
    assert "There are two annotators" not in shown
    assert ("tables/models.csv" in shown) != alone
    assert "<svg" in shown
    assert "alternative annotator test of Calderon, Reichart and Dror (2025), with" in page


@pytest.mark.parametrize(("epsilon", "template"), [("0.0", MAY_NOT), ("0.3", MAY)])
def test_the_price_decides(tmp_path: Path, epsilon: str, template: object) -> None:
    # Whoever is as good as people passes at a price alone.
    table = export(("gpt", "ben", "cleo", "anna", "llama"))
    found = of(tmp_path, f"{MODELS}[replacement]\nepsilon = {epsilon}\n", table)
    said = next(each for each in found.findings if str(each.values.get("model", "")).startswith("gpt"))
    assert said.claim == getattr(template, "claim", None)
    assert said.values["price"] == f"{float(epsilon):g}"
    said_of_each = verdicts(only(found))
    assert any("gpt-4.1" in each and f"ε = {float(epsilon):g}: it beat" in each for each in said_of_each)


@pytest.mark.slow
def test_without_a_price_there_is_no_verdict_but_the_price_at_which_it_would_pass(tmp_path: Path) -> None:
    found = of(tmp_path, MODELS)
    assert not finding(found, MAY.id)
    assert not finding(found, MAY_NOT.id)
    curve = only(found).models[0].curve
    assert curve is not None
    least = next(price for price, rate in zip(curve.epsilon, curve.independent, strict=True) if rate >= 0.5)
    assert verdicts(only(found)) == [
        f"gpt-4.1 2025-04 (gpt) would pass from ε = {least:g} on.",
        "llama would not pass at any ε up to 0.3.",
    ]
    assert "No ε is declared, so there is no verdict." in section(report_html(ReportView(found), alone=True))


def test_where_documents_decide_otherwise_that_is_the_finding(priced: Results) -> None:
    found = only(priced)
    good = found.models[0]
    assert good.clustered is not None
    none = good.clustered.model_copy(update={"beaten": 0, "value": 0.0, "passes": False})
    other = good.model_copy(update={"clustered": none, "differ": True})
    said = verdict_on(found, other)
    assert said is not None
    assert (said.id, said.severity, said.values["by_document"]) == (DIFFER.id, "warning", 0)
    (caution,) = cautions(found.model_copy(update={"models": (other,)}))
    assert "trust that one" in caution


def test_a_model_whose_prompt_is_not_declared_is_a_finding(priced: Results, tmp_path: Path) -> None:
    said = finding(priced, "prompt-undeclared")
    assert said is not None
    assert said.values["models"] == "llama"
    declared = PRICED.replace("[annotators.llama]\n", '[annotators.llama]\nprompt = "prompt.md"\n')
    assert finding(of(tmp_path, declared), "prompt-undeclared") is None


def test_two_annotators_are_a_comparison_and_no_consensus(tmp_path: Path) -> None:
    found = of(tmp_path, f'{PRICED}[annotators.cleo]\nrole = "reference"\n')
    assert cautions(only(found)) == [
        "There are two annotators: each is compared with the other alone, which is no consensus."
    ]


def test_an_expert_is_named_by_the_name_that_the_report_shows(tmp_path: Path) -> None:
    hidden = PRICED.replace('"names"', '"pseudonyms"')
    found = of(tmp_path, f'{hidden}expert = "ben"\n')
    assert only(found).expert == "A02"
    assert only(found).annotators == ("A01", "A03")
    assert nearer_to(only(found)) == "A02, who is trusted, by the share of equal labels"


@pytest.mark.parametrize(
    "toml",
    [
        (
            '[replacement]\nepsilon = 0.1\n[annotators.gpt]\nrole = "reference"\n'
            '[annotators.llama]\nrole = "reference"\n'
        ),
        '[annotators.gpt]\nrole = "model"\n'
        + "".join(f'[annotators.{name}]\nrole = "reference"\n' for name in NAMES[:2])
        + '[annotators.llama]\nrole = "system"\n',
    ],
)
def test_without_models_or_people_enough_there_is_no_section(tmp_path: Path, toml: str) -> None:
    found = of(tmp_path, toml)
    assert found.replacement is None
    page = report_html(ReportView(found), alone=True)
    assert 'id="models"' not in page
    assert "Calderon" not in page
    assert "calderon" not in dict(paper(ReportView(found)))["latex/references.bib"]


def test_a_score_that_the_scale_does_not_have_is_said_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as raised:
        of(tmp_path, f'{PRICED}score = "neg_rmse"\n')
    (problem,) = raised.value.problems
    lines = (tmp_path / "campaign/campaign.toml").read_text(encoding="utf-8").splitlines()
    assert problem.key == "replacement.score"
    assert lines[problem.line - 1].startswith("score")


@pytest.mark.slow
def test_names_are_escaped(tmp_path: Path) -> None:
    attack = "<img src=x onerror=ran(1)>|*b*"
    toml = PRICED.replace("[annotators.llama]", f"[annotators.'{attack}']").replace("gpt-4.1", attack)
    found = of(tmp_path, toml, export((*NAMES[:4], attack)))
    assert only(found).models[1].model == attack
    page = report_html(ReportView(found), alone=True)
    assert "<img" not in page
    assert "&lt;img src=x onerror=ran(1)&gt;|*b*" in section(page)
    text = report_markdown(ReportView(found))
    assert "<img" not in text
    assert "|*b*" not in text


def test_the_works_for_a_paper_have_the_test(priced: Results) -> None:
    view = ReportView(priced)
    assert r"\cite{calderon2025}" in methods_tex(view)
    assert "@inproceedings{calderon2025," in dict(paper(view))["latex/references.bib"]


def test_a_layer_has_its_own_models(priced: Results) -> None:
    view = ReportView(priced)
    assert LayerReport(view, "main").models == view.models
    assert ("models", "Models") in [(each.id, each.short) for each in evidence(view, alone=True)]


def test_the_french_edition_has_the_section(priced: Results) -> None:
    with writing(Edition("fr", first=False), [Edition("en"), Edition("fr", first=False)]):
        page = report_html(ReportView(priced), alone=False)
    shown = section(page)
    assert "0,1" in shown
    assert "gpt-4.1 2025-04 (gpt" in shown


@pytest.mark.slow
def test_a_site_has_the_tables_and_is_verified(tmp_path: Path) -> None:
    made = campaign(tmp_path, PRICED)
    assert run("build", made, "--out", tmp_path / "site").exit_code == 0
    tables = tmp_path / "site/campaign/1.0/tables"
    found = only(results_of(made))

    def rows(name: str) -> list[dict[str, str]]:
        return list(csv.DictReader((tables / name).read_text(encoding="utf-8").splitlines()))

    for row, each in zip(rows("models.csv"), found.models, strict=True):
        assert (row["model"], row["role"]) == (each.model, each.role)
        assert float(row["advantage"]) == each.advantage.value
        assert each.independent is not None
        assert (int(row["beaten"]), int(row["tested"])) == (each.independent.beaten, each.independent.tested)
    humans = [(each.model, human) for each in found.models for human in each.humans]
    for row, (model, human) in zip(rows("models-by-annotator.csv"), humans, strict=True):
        assert (row["model"], row["annotator"]) == (model, human.annotator)
        assert float(row["difference"]) == human.difference
        assert human.independent is not None
        assert float(row["adjusted_p"]) == human.independent.adjusted_p
    prices = [each.curve.independent for each in found.models if each.curve]
    assert [float(row["winning_rate"]) for row in rows("models-by-price.csv")] == [
        r for each in prices for r in each
    ]
    check_ids(tmp_path / "site")
    answer = run("verify", tmp_path / "site")
    assert answer.exit_code == 3, answer.output
    assert REASONS["replacement",] == WITHOUT_EXPORTS


@pytest.mark.slow
def test_a_bundle_with_its_exports_is_computed_anew(tmp_path: Path) -> None:
    made = campaign(tmp_path, PRICED.replace('"names"', '"pseudonyms"'))
    assert run("bundle", made, "1.0", "--with-exports", "--out", tmp_path / "b.zip").exit_code == 0
    answer = run("verify", tmp_path / "b.zip")
    assert answer.exit_code == 0, answer.output
    assert "replacement" not in answer.output


@pytest.mark.slow
def test_each_of_several_layers_has_its_own(tmp_path: Path) -> None:
    rows = [line.split(",") for line in export().splitlines()]
    long = [
        f"{item},{document},{name},{label},{label if name == 'gpt' else 'a'}"
        for item, document, *labels in rows[1:]
        for name, label in zip(NAMES, labels, strict=True)
    ]
    table = "\n".join(["item,document,annotator,one,two", *long])
    layers = '[[layers]]\nid = "first"\nsource = "one"\n[[layers]]\nid = "second"\nsource = "two"\n'
    made = campaign(tmp_path, PRICED + layers, table)
    assert run("build", made, "--out", tmp_path / "site").exit_code == 0
    check_ids(tmp_path / "site")
    found = results_of(made)
    assert [each.layer for each in found.replacement or ()] == ["first", "second"]
    said = [each for each in found.findings if each.values.get("model") == "gpt-4.1 2025-04 (gpt)"]
    assert {(each.id, each.layers) for each in said} == {(MAY.id, ("first",)), (MAY_NOT.id, ("second",))}
    undeclared = [each for each in found.findings if each.id == "prompt-undeclared"]
    assert [each.layers for each in undeclared] == [("first", "second")]
    shown = section(report_html(ReportView(found), alone=True))
    assert shown.index("Layer first") < shown.index("Layer second")


def test_units_that_everybody_marked_have_no_place_for_what_nobody_marked(tmp_path: Path) -> None:
    marked = '[task]\nnon_annotated = "a"\n[[unit_sets]]\nid = "marked"\nunits = "annotated-by-all"\n'
    (whole,) = of(tmp_path, PRICED + marked).replacement or ()
    rows = [line.split(",") for line in export().splitlines()[1:]]
    instances = {
        each.model: sum("a" not in (*row[2:5], row[2 + NAMES.index(each.model)]) for row in rows)
        for each in whole.models
    }
    assert {each.model: each.instances for each in whole.models} == instances
    assert min(instances.values()) > 0


def test_what_stands_beside_the_test_is_that_of_results(priced: Results) -> None:
    """Alpha with the model, its labels' distribution, and where it parts from annotators: page and CSV."""
    found = only(priced)
    text = report_markdown(ReportView(priced)).partition("## May a model")[2].partition("\n## ")[0]
    lines = [" ".join(line.split()) for line in text.splitlines()]
    files = dict(version_files(priced, {}))
    table, of_category = (
        list(csv.DictReader(files[f"tables/models{name}.csv"].splitlines())) for name in ("", "-by-category")
    )
    for each, row in zip(found.models, table, strict=True):
        change, spread = each.agreement, each.distribution
        assert change is not None
        assert spread is not None
        shown = (change.first.value, change.second.value, change.difference)
        named = [line for line in lines if line.startswith(f"| {each.called or each.model} (")]
        assert any(f"{figure(shown[0])} | {figure(shown[1])} |" in line for line in named)
        columns = ("annotators_alone", "with_model", "with_model_difference")
        assert [float(row[key]) for key in columns] == list(shown)
        assert float(row["label_distance"]) == spread.distance
        mine = [line for line in of_category if line["model"] == each.model]
        assert [line["category"] for line in mine] == ["a", "b", "c"]
        assert [float(line["model_agrees"]) for line in mine] == [part.with_model for part in each.categories]
    bad = found.models[1]
    assert all((part.adjusted_p or 1) < 0.05 for part in bad.categories)
    said = f"{bad.model} agrees less with annotators than another annotator does where they say: a, b, c."
    assert said in text


def test_a_paper_has_the_models(priced: Results) -> None:
    tex = dict(paper(ReportView(priced)))["latex/tables.tex"]
    assert r"\label{tab:agreement-models}" in tex
    assert r"\label{tab:agreement-models-beside}" in tex
    assert "Nearer to the other annotators of the unit, by the share of equal labels." in tex


def test_a_second_run_of_a_model_tells_of_its_reliability(tmp_path: Path) -> None:
    """llama is the second run of gpt: its agreement with itself is a second pass, and divides xRR."""
    llama = '[annotators.llama]\nrole = "model"\n'
    found = of(tmp_path, PRICED.replace(llama, f'{llama}same_as = "gpt"\n'))
    (model,) = only(found).models
    (twice,) = (found.quality or ())[0].intra_annotator
    own = twice.measures["krippendorff_alpha"].value
    cross = model.cross_replication
    assert cross is not None
    assert (twice.annotator, twice.units) == ("gpt", 120)
    assert cross.model == own
    assert own is not None
    assert cross.normalised == pytest.approx((cross.between.value or 0) / ((cross.humans or 0) * own) ** 0.5)


@pytest.mark.slow
def test_with_five_annotators_an_interval_covers_their_choice(tmp_path: Path) -> None:
    """And on units with five labels it is said how far a label is from the others."""
    names = ("anna", "ben", "cleo", "dora", "emil", "gpt", "llama")
    draw = np.random.default_rng(4)
    rows = [f"item,document,{','.join(names)}"]
    for item in range(90):
        truth, *guesses = ("abc"[place] for place in draw.integers(0, 3, 8))
        labels = [truth if sure else guess for sure, guess in zip(draw.random(7) < 0.7, guesses, strict=True)]
        rows.append(",".join([str(item), f"d{item // 3}", *labels]))
    found = of(tmp_path, PRICED, "\n".join(rows) + "\n")
    text = (
        report_markdown(ReportView(found))
        .partition("## May a model")[2]
        .partition("\n## ")[0]
        .replace("\\", "")
    )
    for each in only(found).models:
        assert each.for_any_humans is not None
        assert each.distribution is not None
        assert (each.distribution.many, each.distribution.units) == (90, 90)
        assert f"{each.shown_name} {interval(each.for_any_humans)}" in text
        assert figure(each.distribution.model) in text
    assert "Model from the others" in text


@pytest.mark.slow
def test_a_bundle_does_not_ask_its_counts_for_what_models_beat(tmp_path: Path) -> None:
    gate = (
        '[gate]\nkrippendorff_alpha = { value = 0.1 }\nreplacement = { model = "gpt", winning_rate = 0.5 }\n'
    )
    made = campaign(tmp_path, PRICED + gate)
    assert run("check", made).exit_code == 0
    assert run("bundle", made, "1.0", "--out", tmp_path / "b").exit_code == 0
    text = (tmp_path / "b/campaign.toml").read_text(encoding="utf-8")
    assert "krippendorff_alpha" in text
    assert "winning_rate" not in text
    assert run("check", tmp_path / "b").exit_code == 0
