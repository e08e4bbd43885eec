"""Figures are SVG that a page can restyle and that runs nothing."""

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from reportgen import figures
from reportgen.figures import Drawing, drawing, heatmaps
from reportgen.figures import agreement_plots as agreement
from reportgen.figures.intervals import Dot, DotPlot, DotPlotRow, Span
from reportgen.figures.style import DARK, LIGHT
from reportgen.report import sections
from reportgen.report.blocks import FigureBlock, drawings_in
from reportgen.report.html_blocks import Place, blocks
from reportgen.report.page import style
from reportgen.report.view import ReportView
from reportgen.results import Confusion, Figure, Interval, Pair, Results
from tests.campaigns import GENE_RENAMING, results_of
from tests.present import present


@pytest.fixture(scope="module")
def found() -> Results:
    return results_of(GENE_RENAMING)


@pytest.fixture(scope="module")
def drawn(found: Results) -> dict[str, str]:
    return {each.name: each.svg for each in drawings_in(sections.whole(ReportView(found)))}


def svg_of(made: Drawing | None) -> str:
    assert made is not None
    return made.svg


def texts(svg: str) -> set[str]:
    return {each.text or "" for each in elements(svg) if each.tag == "text"}


def elements(svg: str) -> Iterator[ET.Element]:
    yield from ET.fromstring(svg).iter()  # noqa: S314 - our own figure


def relabelled(pair: Pair, *names: str) -> Pair:
    table = pair.confusion
    confusion = Confusion(rows=names[0], columns=names[0], categories=names, counts=table.counts)
    return pair.model_copy(update={"confusion": confusion})


def test_figures_carry_no_style_that_a_content_security_policy_forbids(drawn: dict[str, str]) -> None:
    for svg in drawn.values():
        assert not any("style" in each.attrib for each in elements(svg))
        assert not any(each.tag in ("style", "script", "image") for each in elements(svg))


def test_ids_are_unique_over_all_figures_of_a_page_and_references_find_them(drawn: dict[str, str]) -> None:
    everything = [each for svg in drawn.values() for each in elements(svg)]
    ids = [each.attrib["id"] for each in everything if "id" in each.attrib]
    assert len(ids) == len(set(ids))
    used = {name for each in everything for name in each.attrib.get("aria-labelledby", "").split()}
    assert used
    assert used <= set(ids)


def test_every_colour_is_a_variable_that_the_dark_and_high_contrast_change(drawn: dict[str, str]) -> None:
    assert set(DARK) == set(LIGHT)
    rules = figures.rules() + style(frozenset())
    for svg in drawn.values():
        paints = {
            each.attrib[kind] for each in elements(svg) for kind in ("fill", "stroke") if kind in each.attrib
        }
        assert paints - {"none"}
        for paint in paints - {"none"}:
            name = paint.removeprefix("var(").removesuffix(")")
            assert paint == f"var({name})"
            # In the light, in the dark, and in high contrast.
            assert rules.count(f"{name}:") >= 3


def test_a_figure_has_a_title_and_its_data_as_text(drawn: dict[str, str]) -> None:
    root = ET.fromstring(drawn["confusion-tokens"])  # noqa: S314 - our own figure
    title, description = root[0], root[1]
    assert title.text == "A2 and A1 agree on 18,980 of 19,054 units"
    assert root.attrib["aria-labelledby"] == f"{title.attrib['id']} {description.attrib['id']}"
    assert "Former and Rien: 23" in (description.text or "")
    curve = drawn["size-curve-tokens"]
    assert "π, κ, α at 19,054 units: 0.801" in curve
    assert "π, κ, α → 0.803" in curve


def test_in_the_drawn_matrix_only_disagreements_are_shaded_by_the_largest_of_them(
    drawn: dict[str, str],
) -> None:
    cells = re.findall(
        r"<title>([^<]*)</title><path [^>]*fill-opacity=\"([.0-9]*)\"", drawn["confusion-tokens"]
    )
    shades = {cell: float(shade) for cell, shade in cells}
    agreed = {f"{name} and {name}" for name in ("Former", "New", "Rien")}
    palest = {shade for cell, shade in shades.items() if cell.partition(":")[0] in agreed}
    assert len(palest) == 1
    assert max(shades, key=lambda cell: shades[cell]) == "Former and Rien: 23"
    assert min(shade for cell, shade in shades.items() if cell.partition(":")[0] not in agreed) > palest.pop()


def test_an_interval_far_below_the_estimates_is_cut_with_an_arrow() -> None:
    """One that begins at −1 would leave the others a fifth of the scale."""
    spans = {"a": Span(0.6, -1.0, 0.9), "b": Span(0.5, -0.1, 0.8)}
    rows = [DotPlotRow(name, [Dot(each)]) for name, each in spans.items()]
    plot = DotPlot("T", "D.", rows, "axis", banded=True)
    made = present(drawing("layers", plot))
    assert plot.low == -0.25
    assert "−0.25" in made.svg
    whole = present(drawing("layers", replace(plot, rows=rows[1:])))
    arrows = [svg.count("Z") for svg in (made.svg, whole.svg)]
    assert arrows[0] == arrows[1] + 1 + 3, "an arrow, and a row more on three bands"
    lowest = [DotPlotRow("a", [Dot(Span(-0.4, -1.0, 0.2))])]
    assert DotPlot("T", "D.", lowest, banded=True).low == -0.45


def test_text_stays_text_and_formulas_in_labels_are_not_set(found: Results) -> None:
    pair = relabelled(found.primary.pairs[0], "$x_1$", "a & <b>", r"\frac")
    svg = svg_of(drawing("m", heatmaps.of_pair(pair)))
    assert {"$x_1$", "a & <b>", r"\frac"} <= texts(svg)


def test_a_matrix_of_very_many_categories_is_left_to_its_table(found: Results) -> None:
    pair = found.primary.pairs[0]
    names = tuple(map(str, range(40)))
    table = Confusion(rows="A", columns="B", categories=names, counts=((1,) * 40,) * 40)
    assert heatmaps.of_pair(pair.model_copy(update={"confusion": table})) is None


@pytest.mark.slow
def test_a_wide_figure_keeps_its_size_and_others_fit_a_phones_column(found: Results) -> None:
    pair = found.primary.pairs[0]
    names = tuple(f"category number {place}" for place in range(20))
    table = Confusion(rows="A", columns="B", categories=names, counts=((1234,) * 20,) * 20)
    whole = svg_of(drawing("m", heatmaps.of_pair(pair.model_copy(update={"confusion": table}))))
    wide = ET.fromstring(whole)  # noqa: S314 - our own figure
    assert wide.get("class") == "keep"
    view = ReportView(found)
    for each in drawings_in(sections.whole(view)):
        root = ET.fromstring(each.svg)  # noqa: S314 - our own figure
        assert float(root.attrib["viewBox"].split()[2]) <= 330
        sizes = [float(text.attrib.get("font-size", "12")) for text in root.iter("text")]
        assert min(sizes) >= 12


def test_every_interval_is_drawn_as_wide_as_it_is(drawn: dict[str, str], found: Results) -> None:
    paths = [each.attrib for each in elements(drawn["specific-agreement-tokens"]) if each.tag == "path"]
    ends = [
        [float(each) for each in re.findall(r"[MH]([\d.]+)", path["d"])]
        for path in paths
        if path.get("stroke") == "var(--series-1)"
    ]
    wide = [max(each) - min(each) for each in ends]
    rules = "".join(path["d"] for path in paths if path.get("stroke") == "var(--rule)")
    whole = [float(each) for each in re.findall(r"M([\d.]+)", rules)]
    intervals = [found.primary.specific_agreement[each].interval for each in found.primary.categories]
    shares = [each.high - each.low for each in intervals if each and each.high and each.low]
    assert len(wide) == len(shares)
    for drawn_share, share in zip(wide, shares, strict=True):
        assert drawn_share / (max(whole) - min(whole)) == pytest.approx(share, abs=0.002)


def many(values: dict[str, float]) -> dict[str, Figure]:
    interval = Interval(low=0.1, high=0.9, level=0.95, method="t")
    return {name: Figure(value=value, interval=interval, units=10) for name, value in values.items()}


def test_of_many_categories_the_most_frequent_are_in_the_figure(found: Results) -> None:
    values = {f"c{place:02}": place / 100 for place in range(90)}
    update = {"categories": tuple(values), "specific_agreement": many(values)}
    update["labels"] = {name: 100 - abs(place - 50) for place, name in enumerate(values)}
    made = present(drawing("s", agreement.of_categories(found.primary.model_copy(update=update))))
    assert made.title == "Specific agreement on the 8 most frequent of 90 categories"
    shown = [each for each in texts(made.svg) if each.startswith("c")]
    assert sorted(shown) == [f"c{place}" for place in range(46, 54)]


@pytest.mark.slow
def test_nothing_but_drawing_loads_the_library_that_draws() -> None:
    code = "import sys, reportgen.figures, reportgen.report.site; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_figure_of_its_own_knows_the_dark(drawn: dict[str, str]) -> None:
    alone = figures.standalone(drawn["confusion-tokens"])
    assert "prefers-color-scheme:dark" in alone
    assert list(elements(alone))


def test_in_a_report_of_one_file_no_mark_leads_to_a_page_beside_it() -> None:
    mark = '<a href="pairs/A01-A02.html" tabindex="-1"><title>A01 / A02: 0.5</title></a>'
    made = Drawing("pairwise", DotPlot("Pairs", "", ()), "Pairs", role="group")
    vars(made)["svg"] = f'<svg role="group">{mark}</svg>'
    figure = FigureBlock(made, "")
    assert mark in blocks([figure], Place())
    alone = blocks([figure], Place(alone=True))
    assert '<svg role="img"><g><title>A01 / A02: 0.5</title></g></svg>' in alone
    assert "href" not in alone
