"""Figures are SVG that a page can restyle and that runs nothing."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

import matplotlib as mpl
import pytest

from reportgen.report import figures
from reportgen.report.view import ReportView
from reportgen.results import Confusion, Pair, Results
from tests.campaigns import GENE_RENAMING, results_of

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def found() -> Results:
    return results_of(GENE_RENAMING)


@pytest.fixture(scope="module")
def drawn(found: Results) -> dict[str, str]:
    return {drawing.name: drawing.svg for drawing in ReportView(found).drawings()}


def elements(svg: str) -> Iterator[ET.Element]:
    yield from ET.fromstring(svg).iter()  # noqa: S314 - our own figure


def relabelled(pair: Pair, *names: str) -> Pair:
    table = pair.confusion
    confusion = Confusion(rows=names[0], columns=names[0], categories=names, counts=table.counts)
    return pair.model_copy(update={"confusion": confusion})


def test_the_report_draws_matrix_specific_agreement_and_size_curve(drawn: dict[str, str]) -> None:
    assert list(drawn) == ["confusion-tokens", "specific-agreement-tokens", "size-curve-tokens"]


def test_figures_carry_no_style_that_a_content_security_policy_forbids(drawn: dict[str, str]) -> None:
    for svg in drawn.values():
        assert not any("style" in each.attrib for each in elements(svg))
        assert not any(each.tag in (f"{SVG}style", f"{SVG}script", f"{SVG}image") for each in elements(svg))


def test_ids_are_unique_over_all_figures_of_a_page_and_references_find_them(drawn: dict[str, str]) -> None:
    everything = [each for svg in drawn.values() for each in elements(svg)]
    ids = [each.attrib["id"] for each in everything if "id" in each.attrib]
    assert len(ids) == len(set(ids))
    values = [value for each in everything for value in each.attrib.values()]
    used = {name for value in values for name in re.findall(r"url\(#([^)]+)\)", value)}
    used |= {each.attrib["href"][1:] for each in everything if "href" in each.attrib}
    assert used
    assert used <= set(ids)


def test_every_colour_has_a_class_by_which_the_dark_changes_it(drawn: dict[str, str]) -> None:
    rules = figures.dark_rules()
    for svg in drawn.values():
        for each in elements(svg):
            for kind in ("fill", "stroke"):
                if each.attrib.get(kind, "none").startswith("#"):
                    name = next(word for word in each.attrib["class"].split() if word.startswith(kind))
                    assert f".{name}{{{kind}:" in rules


def test_a_figure_has_a_title_and_its_data_as_text(drawn: dict[str, str]) -> None:
    root = ET.fromstring(drawn["confusion-tokens"])  # noqa: S314 - our own figure
    title, description = root[0], root[1]
    assert root.attrib["aria-labelledby"] == f"{title.attrib['id']} {description.attrib['id']}"
    assert "Former and Rien: 23" in (description.text or "")
    curve = drawn["size-curve-tokens"]
    assert "κ at 19,054 units: 0.801" in curve
    assert "limit of κ 0.803" in curve


def test_text_stays_text_and_formulas_in_labels_are_not_set(found: Results) -> None:
    pair = relabelled(found.primary.pairs[0], "$x_1$", "a & <b>", r"\frac")
    svg = figures.confusion_heat_map("m", pair) or ""
    texts = [each.text for each in elements(svg) if each.tag == f"{SVG}text"]
    assert {"$x_1$", "a & <b>", r"\frac"} <= set(texts)


def test_labels_that_no_font_has_and_very_long_ones_do_no_harm(found: Results) -> None:
    pair = relabelled(found.primary.pairs[0], "\U0001f600" * 3, "long " * 40, "שלום")
    svg = figures.confusion_heat_map("m", pair) or ""
    assert "…" in svg
    assert "שלום" in svg


def test_a_matrix_of_very_many_categories_is_left_to_its_table(found: Results) -> None:
    pair = found.primary.pairs[0]
    names = tuple(map(str, range(40)))
    table = Confusion(rows="A", columns="B", categories=names, counts=((1,) * 40,) * 40)
    assert figures.confusion_heat_map("m", pair.model_copy(update={"confusion": table})) is None


def test_the_readers_own_matplotlibrc_changes_nothing(found: Results) -> None:
    before = figures.specific_agreement("f", found.primary)
    with mpl.rc_context({"font.size": 30, "axes.grid": True, "lines.linewidth": 9, "svg.fonttype": "path"}):
        assert figures.specific_agreement("f", found.primary) == before
        assert mpl.rcParams["font.size"] == 30


def test_a_figure_of_its_own_knows_the_dark(drawn: dict[str, str]) -> None:
    alone = figures.standalone(drawn["confusion-tokens"])
    assert "prefers-color-scheme:dark" in alone
    assert list(elements(alone))
