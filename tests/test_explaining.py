"""What reportgen says of its figures: on pages, in Markdown, at the command line."""

import json
import re
from pathlib import Path
from typing import Any

import html5lib
import pytest

from reportgen.base.errors import BadInput
from reportgen.campaign import load
from reportgen.campaign.guidelines import BY_SCALE, Reason, by_design, choose
from reportgen.catalogue import (
    BRACKETS,
    CATALOGUE,
    DECLARED,
    SCALES,
    Bracket,
    Measure,
    explanation,
    figures_on,
)
from reportgen.cli.understand import catalogue_markdown
from reportgen.report.escaping import mathml
from reportgen.report.sections.chosen_coefficients import _figure_of_measure
from reportgen.results import Choice
from tests.campaigns import written
from tests.commands import run
from tests.conftest import OpenPage
from tests.pages import SCROLLS, violations

LIKERT = "document,unit,A,B,C\n" + "".join(
    f"d{i % 6},{i},{1 + i % 5},{1 + (i + (i % 7 == 0)) % 5},{1 + i % 5 if i % 4 else ''}\n" for i in range(36)
)
PLAIN = "document,unit,A,B\n" + "".join(f"d{i % 6},{i},{'xyz'[i % 3]},{'xyzx'[i % 4]}\n" for i in range(36))
ORDINAL = '[task]\nscale = "ordinal"\n'


def built(folder: Path, toml: str, *exports: str) -> Path:
    """Build a campaign of one version for each export; return its folder in the site."""
    files = {f"exports/{place}.0/ratings.csv": text for place, text in enumerate(exports, 1)}
    versions = "".join(f'[[guidelines]]\nversion = "{place}.0"\n' for place in range(2, len(exports) + 1))
    written(folder / "c", toml, files)
    path = folder / "c/campaign.toml"
    path.write_text(path.read_text(encoding="utf-8") + versions, encoding="utf-8")
    answer = run("build", folder / "c", "--out", folder / "site")
    assert answer.exit_code == 0, answer.stderr
    return folder / "site/c"


def results(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    return found


# Formulas


@pytest.mark.parametrize("entry", [*CATALOGUE, *BRACKETS, DECLARED], ids=lambda each: each.name)
def test_every_formula_is_typeset(entry: Measure | Bracket) -> None:
    found = mathml(entry.latex)
    assert found.startswith("<math ")
    html5lib.HTMLParser(strict=True).parse(f"<!doctype html><title>t</title><p>{found}</p>")
    shown = re.sub(r"<[^>]*>", "", found)
    assert "\\" not in shown
    assert "{" not in shown.replace("{1,", "")


@pytest.mark.parametrize(
    "latex",
    [
        "",
        r"\frac{",
        r"\text{<script>alert(1)</script>}",
        r"\text{<img src=x onerror=alert(1)>}",
        r"\href{javascript:alert(1)}{x}",
        r"\style{background:url(x)}{x}",
        "x" * 5000,
    ],
)
def test_a_formula_that_is_none_of_ours_is_not_typeset(latex: str) -> None:
    assert mathml(latex) == ""


# The choice of the primary coefficient


@pytest.mark.parametrize("scale", sorted(BY_SCALE))
def test_a_scale_decides(scale: str) -> None:
    chosen = by_design([scale, scale])
    assert (chosen.coefficient, chosen.reason) == BY_SCALE[scale]
    assert chosen == by_design([scale])
    assert not chosen.declared


def test_versions_on_different_scales_are_taken_as_names() -> None:
    chosen = by_design(["nominal", "ordinal"])
    assert (chosen.coefficient, chosen.reason) == ("krippendorff_alpha", Reason.SCALES)
    assert chosen.values == {"scales": "nominal, ordinal"}


def test_the_reason_fills_all_its_places() -> None:
    for reason in Reason:
        assert set(re.findall(r"{(\w+)}", reason)) <= {"version", "scales"}


TASK = '[task]\ncoefficient = "scott_pi"\n'
LAYERS = (
    '[[layers]]\nid = "own"\nsource = "A"\ncoefficient = "bennett_s"\n'
    '[[layers]]\nid = "other"\nsource = "B"\n'
)
SECOND = '[[guidelines]]\nversion = "2.0"\n'


@pytest.mark.parametrize(
    ("toml", "layer", "first", "second"),
    [
        ("", "main", ("krippendorff_alpha", Reason.NOMINAL), ("krippendorff_alpha", Reason.NOMINAL)),
        (TASK, "main", ("scott_pi", Reason.DECLARED), ("scott_pi", Reason.DECLARED)),
        (TASK + LAYERS, "own", ("bennett_s", Reason.DECLARED), ("bennett_s", Reason.DECLARED)),
        (TASK + LAYERS, "other", ("scott_pi", Reason.DECLARED), ("scott_pi", Reason.DECLARED)),
    ],
)
def test_a_declared_coefficient_stands(
    tmp_path: Path, toml: str, layer: str, first: tuple[str, Reason], second: tuple[str, Reason]
) -> None:
    path = written(tmp_path / "c", toml, {"exports/1.0/r.csv": PLAIN, "exports/2.0/r.csv": PLAIN})
    file = path / "campaign.toml"
    file.write_text(file.read_text(encoding="utf-8") + SECOND, encoding="utf-8")
    campaign = load(path)
    chosen = [choose(campaign, version, layer) for version in campaign.versions]
    assert [(each.coefficient, each.reason) for each in chosen] == [first, second]


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ('coefficient = "scott_pi"\n', ("scott_pi", Reason.ELSEWHERE)),
        ('scale = "ordinal"\n', ("krippendorff_alpha", Reason.SCALES)),
        ('scale = "ordinal"\ncoefficient = "scott_pi"\n', ("krippendorff_alpha", Reason.SCALES)),
    ],
)
def test_what_one_version_declares_is_weighed_for_the_others(
    tmp_path: Path, own: str, expected: tuple[str, Reason]
) -> None:
    path = written(tmp_path / "c", "", {"exports/1.0/r.csv": PLAIN, "exports/2.0/r.csv": PLAIN})
    file = path / "campaign.toml"
    file.write_text(file.read_text(encoding="utf-8") + SECOND + own, encoding="utf-8")
    chosen = choose(load(path), "1.0", "main")
    assert (chosen.coefficient, chosen.reason) == expected


@pytest.mark.slow
def test_the_choice_is_the_same_in_all_versions_whatever_the_values(tmp_path: Path) -> None:
    skewed = "document,unit,A,B\n" + "".join(f"d{i % 6},{i},x,{'y' if i == 3 else 'x'}\n" for i in range(36))
    site = built(tmp_path, "", PLAIN, skewed)
    first, second = (results(site / version)["choice"] for version in ("1.0", "2.0"))
    assert first == second
    choice = Choice.model_validate(first["main"])
    assert (choice.coefficient, choice.declared) == ("krippendorff_alpha", False)
    assert choice.reason == Reason.NOMINAL


# results.json, the page and the Markdown report


@pytest.fixture(scope="module")
def likert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("likert"), ORDINAL, LIKERT) / "1.0"


def test_results_explain_each_measure_and_what_stands_in_brackets(likert: Path) -> None:
    found = results(likert)
    entry = found["catalogue"]["krippendorff_alpha"]
    for key in ("latex", "use", "avoid", "elsewhere", "family", "annotators", "missing"):
        assert entry[key]
    ordinal = found["weightings"]["krippendorff_alpha[ordinal]"]
    assert ordinal["figures"] == ["krippendorff_alpha[ordinal]"]
    figures = {name for each in found["unit_sets"] for name in each["measures"] if "[" in name}
    explained = {name for each in found["weightings"].values() for name in each["figures"]}
    assert figures <= explained


@pytest.mark.parametrize("name", ["index.html", "report.html", "report.md"])
def test_a_report_says_why_this_coefficient_and_which_figure_answers_what(likert: Path, name: str) -> None:
    text = (likert / name).read_text(encoding="utf-8")
    for part in (
        "number of annotators, the scale and the missing labels, and is the same for all versions",
        Reason.ORDINAL,
        "9 of 36 units lack the rating of some annotator",
        "Another choice would give ",
        "On what share of the units do annotators give the same label?",
        "Krippendorff (2004)" if name == "report.html" else "",
    ):
        assert part in text, part


def test_a_page_of_measures_defines_each_with_what_libraries_return(likert: Path) -> None:
    text = (likert / "measures/index.html").read_text(encoding="utf-8")
    assert "kripp.alpha" in text
    assert text.count("<math ") > 10
    index = (likert / "index.html").read_text(encoding="utf-8")
    assert "<math " not in index, "definitions stand once"
    assert 'href="measures/index.html"' in index


def test_a_declared_coefficient_is_said_to_be_declared(tmp_path: Path) -> None:
    site = built(tmp_path, TASK, PLAIN)
    text = (site / "1.0/index.html").read_text(encoding="utf-8")
    assert "The primary coefficient is Scott&#39;s pi. The campaign declares it." in text
    assert "The campaign declares this coefficient." in text


@pytest.mark.slow
@pytest.mark.browser
def test_definitions_read_well_unfolded(likert: Path, open_page: OpenPage) -> None:
    page = open_page(width=375, color_scheme="dark")
    page.goto((likert / "index.html").as_uri())
    page.locator("#coefficients > summary").click()
    page.locator("#coefficients table a").first.click()
    assert page.url.endswith("measures/index.html#measure-krippendorff_alpha")
    assert page.locator("#measure-krippendorff_alpha math").is_visible()
    height = page.locator("#measure-krippendorff_alpha math").evaluate("each => each.clientHeight")
    assert height > 20, "a fraction is drawn as one"
    assert violations(page) == []
    assert page.evaluate(SCROLLS) == [0, 0]


# The command line


@pytest.mark.parametrize("name", [each.id for each in CATALOGUE])
def test_explain_tells_all_of_a_measure(name: str) -> None:
    entry = json.loads(run("explain", name, "--json").stdout)[name]
    shown = " ".join(run("explain", name).stdout.split())
    keys = ("name", "formula", "chance", "assumptions", "answers", "missing")
    parts = [entry[key] for key in keys] + [work["citation"] for work in entry["works"]]
    parts += [text for each in entry["elsewhere"] for text in (each["library"], each["returns"])]
    assert [part for part in parts if " ".join(part.split()) not in shown] == []


@pytest.mark.parametrize("each", [*BRACKETS, DECLARED], ids=lambda each: each.key)
def test_explain_takes_brackets(each: Bracket) -> None:
    assert each.name in run("explain", each.key).stdout
    if each.id == "nominal":
        return
    behind = next(
        one.id for one in CATALOGUE if each.scales_behind(one) or (each.declared and one.takes_tables)
    )
    figure = f"{behind}[{'expert' if each is DECLARED else each.id}]"
    assert list(json.loads(run("explain", figure, "--json").stdout)) == sorted([behind, each.key])


def is_explained(figure: str) -> bool:
    try:
        return bool(explanation(figure))
    except BadInput:
        return False


@pytest.mark.parametrize(
    "measure", [each for each in CATALOGUE if not each.by_category], ids=lambda each: each.id
)
def test_a_figure_is_explained_where_one_is_computed(measure: Measure) -> None:
    """What scales and a declared table give, and of marks each mode, alone and with a table."""
    there = {figure for scale in SCALES for figure in figures_on(scale, ["expert", "bdm"])}
    modes = ("strict", "lenient", "average") if measure.modes else ()
    there |= {f"{measure.id}[{mode}{table}]" for mode in modes for table in ("", ",expert", ",bdm")}
    inside = {
        *(each.id for each in BRACKETS),
        "expert",
        *(f"strict,{each}" for each in ("expert", "masi", "nominal")),
    }
    for name in inside:
        figure = f"{measure.id}[{name}]"
        assert is_explained(figure) == (figure in there), figure


@pytest.mark.parametrize(
    ("asked", "instead"),
    [
        ("scott_pi[mytable]", "weighted_kappa[mytable]"),
        ("randolph_kappa[mytable]", "bennett_s[mytable]"),
        ("scott_pi[masi]", "krippendorff_alpha[masi]"),
        ("scott_pi[ordnal]", "scott_pi"),
        ("krippendorff_alpha[nominal]", "krippendorff_alpha"),
        ("krippendorff_alpha[linear]", "krippendorff_alpha[interval]"),
        ("kappa_max[]", "kappa_max"),
        ("f_measure[strict,masi]", "f_measure[strict]"),
    ],
)
def test_a_figure_that_is_never_computed_is_refused_for_those_that_are(asked: str, instead: str) -> None:
    answer = run("explain", asked)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert f'"{asked}" is never computed.' in answer.stderr
    advised = re.findall(r"\w+(?:\[[^]]*\])?", answer.stderr.partition("computed.")[2])
    figures = [each for each in advised if each.partition("[")[0] in {one.id for one in CATALOGUE}]
    assert instead in figures
    assert all(map(is_explained, figures))


@pytest.mark.parametrize(
    ("asked", "ids"),
    [
        ("kappa[masi]", {"weighted_kappa", "fleiss_kappa", "conger_kappa"}),
        ("alpha[masi]", {"krippendorff_alpha"}),
        ("percent agreement", {"observed_agreement"}),
        ("specific_agreement[NP]", {"specific_agreement"}),
    ],
)
def test_a_name_stands_for_the_measures_that_have_what_is_in_brackets(asked: str, ids: set[str]) -> None:
    found = json.loads(run("explain", asked, "--json").stdout)
    assert {name for name in found if "[" not in name} == ids


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("cohen_kapa", "cohen_kappa"),
        ("krippendorff_alpha[ordnal]", "krippendorff_alpha[ordinal]"),
        ("scott_pi[ordinal", ""),
        ("[massi]", "[masi]"),
    ],
)
def test_explain_suggests_what_was_meant(asked: str, meant: str) -> None:
    answer = run("explain", asked)
    if meant:
        assert (answer.exit_code, answer.stdout) == (2, "")
        assert f'Did you mean "{meant}"?' in answer.stderr
    else:
        assert "Traceback" not in answer.stderr


def test_the_page_of_measures_has_every_formula_and_no_address() -> None:
    text = run("explain", "--markdown").stdout
    entries: list[Measure | Bracket] = [*CATALOGUE, *BRACKETS, DECLARED]
    assert [each.name for each in entries if f"\n{each.formula}\n" not in text] == []
    assert not re.search(r"https?://", text)


def test_markdown_of_nothing_is_its_head_alone() -> None:
    assert catalogue_markdown({}).startswith("# The measures\n")


@pytest.mark.parametrize(
    ("names", "primary", "expected"),
    [
        (["krippendorff_alpha", "krippendorff_alpha[ordinal]"], "krippendorff_alpha[ordinal]", 1),
        (["krippendorff_alpha", "krippendorff_alpha[expert]"], "cohen_kappa", 0),
        (["weighted_kappa[bipolar]", "weighted_kappa[ordinal]"], "krippendorff_alpha[ordinal]", 1),
        (["weighted_kappa[bipolar]", "weighted_kappa[quadratic]"], "krippendorff_alpha[interval]", 1),
        (["weighted_kappa[computed]", "weighted_kappa[expert]"], "cohen_kappa", 1),
        (["weighted_kappa[computed]"], "cohen_kappa", None),
    ],
)
def test_one_figure_stands_for_a_measure(names: list[str], primary: str, expected: int | None) -> None:
    assert _figure_of_measure(names, primary) == (None if expected is None else names[expected])


@pytest.mark.parametrize(
    ("misspelt", "meant"), [("alfa", "alpha"), ("krippendorf", "krippendorff"), ("cohen_kapa", "cohen_kappa")]
)
def test_a_misspelt_name_of_any_kind_is_answered_with_the_nearest(misspelt: str, meant: str) -> None:
    answer = run("explain", misspelt)
    assert answer.exit_code == 2
    assert f'Did you mean "{meant}"?' in answer.stderr
