"""What reportgen says of its figures: on pages, in Markdown and at the command line."""

import json
import re
from pathlib import Path

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
from reportgen.report.escaping import mathml
from reportgen.report.sections.chosen_coefficients import _figure_of_measure
from tests.campaigns import written
from tests.commands import run

LIKERT = "document,unit,A,B,C\n" + "".join(
    f"d{i % 6},{i},{1 + i % 5},{1 + (i + (i % 7 == 0)) % 5},{1 + i % 5 if i % 4 else ''}\n" for i in range(36)
)
PLAIN = "document,unit,A,B\n" + "".join(f"d{i % 6},{i},{'xyz'[i % 3]},{'xyzx'[i % 4]}\n" for i in range(36))
ORDINAL = '[task]\nscale = "ordinal"\n'


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
def test_a_scale_decides_and_versions_on_different_scales_are_taken_as_names(scale: str) -> None:
    chosen = by_design([scale, scale])
    assert (chosen.coefficient, chosen.reason) == BY_SCALE[scale]
    assert chosen == by_design([scale])
    assert not chosen.declared
    if scale != "nominal":
        mixed = by_design(["nominal", scale])
        assert (mixed.coefficient, mixed.reason) == ("krippendorff_alpha", Reason.SCALES)
        assert mixed.values == {"scales": f"nominal, {scale}"}


TASK = '[task]\ncoefficient = "scott_pi"\n'
LAYERS = (
    '[[layers]]\nid = "own"\nsource = "A"\ncoefficient = "bennett_s"\n'
    '[[layers]]\nid = "other"\nsource = "B"\n'
)
SECOND = '[[guidelines]]\nversion = "2.0"\n'


ALPHA, PI = "krippendorff_alpha", "scott_pi"


@pytest.mark.parametrize(
    ("toml", "layer", "second", "chosen"),
    [
        ("", "main", "", (ALPHA, Reason.NOMINAL)),
        (TASK, "main", "", (PI, Reason.DECLARED)),
        (TASK + LAYERS, "own", "", ("bennett_s", Reason.DECLARED)),
        (TASK + LAYERS, "other", "", (PI, Reason.DECLARED)),
        # What one version declares is weighed for the others.
        ("", "main", 'coefficient = "scott_pi"\n', (PI, Reason.ELSEWHERE)),
        ("", "main", 'scale = "ordinal"\n', (ALPHA, Reason.SCALES)),
        ("", "main", 'scale = "ordinal"\ncoefficient = "scott_pi"\n', (ALPHA, Reason.SCALES)),
    ],
)
def test_a_declared_coefficient_stands_in_all_versions(
    tmp_path: Path, toml: str, layer: str, second: str, chosen: tuple[str, Reason]
) -> None:
    exports = {"exports/1.0/r.csv": PLAIN, "exports/2.0/r.csv": PLAIN}
    campaign = load(written(tmp_path / "c", toml, exports, SECOND + second))
    first, last = (choose(campaign, version, layer) for version in campaign.versions)
    assert (first.coefficient, first.reason) == chosen
    assert last.coefficient == (chosen[0] if second == "" else last.coefficient)


# results.json, the page and the Markdown report


@pytest.fixture(scope="module")
def likert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a report on ordinal labels, of which some are missing."""
    folder = tmp_path_factory.mktemp("likert")
    campaign = written(folder / "c", ORDINAL, {"exports/1.0/ratings.csv": LIKERT})
    answer = run("build", campaign, "--out", folder / "site")
    assert answer.exit_code == 0, answer.stderr
    return folder / "site/c/1.0"


def test_results_explain_each_measure_and_what_stands_in_brackets(likert: Path) -> None:
    found = json.loads((likert / "results.json").read_text(encoding="utf-8"))
    entry = found["catalogue"]["krippendorff_alpha"]
    for key in ("latex", "use", "avoid", "elsewhere", "family", "annotators", "missing"):
        assert entry[key]
    figures = {name for each in found["unit_sets"] for name in each["measures"] if "[" in name}
    explained = {name for each in found["weightings"].values() for name in each["figures"]}
    assert figures <= explained
    page, index = (
        (likert / name).read_text(encoding="utf-8") for name in ("measures/index.html", "index.html")
    )
    assert page.count("<math ") > 10
    assert "<math " not in index, "definitions stand once"


@pytest.mark.parametrize("name", ["index.html", "report.html", "report.md"])
def test_a_report_says_why_this_coefficient_and_which_figure_answers_what(likert: Path, name: str) -> None:
    text = (likert / name).read_text(encoding="utf-8")
    for part in (
        "number of annotators, the scale and the missing labels, and is the same for all versions",
        Reason.ORDINAL,
        "9 of 36 units lack the rating of some annotator",
        "On what share of the units do annotators give the same label?",
        "Krippendorff (2004)" if name == "report.html" else "",
    ):
        assert part in text, part


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
        ("alfa", "alpha"),
        ("krippendorf", "krippendorff"),
        ("krippendorff_alpha[ordnal]", "krippendorff_alpha[ordinal]"),
        ("[massi]", "[masi]"),
    ],
)
def test_explain_suggests_what_was_meant(asked: str, meant: str) -> None:
    answer = run("explain", asked)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert f'Did you mean "{meant}"?' in answer.stderr
    assert "Traceback" not in run("explain", "scott_pi[ordinal").stderr


def test_the_list_has_every_measure_and_its_markdown_every_formula() -> None:
    listed = run("explain").stdout
    assert [each.id for each in CATALOGUE if not re.search(rf"^{each.id}\s", listed, re.MULTILINE)] == []
    text = run("explain", "--markdown").stdout
    entries: list[Measure | Bracket] = [*CATALOGUE, *BRACKETS, DECLARED]
    assert [each.name for each in entries if f"\n{each.formula}\n" not in text] == []
    assert not re.search(r"https?://", text)


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
