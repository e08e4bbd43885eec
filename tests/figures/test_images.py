"""Figures as PNG and PDF: the same as the SVG, beside it, and no part of what a site promises."""

import hashlib
from pathlib import Path

import pytest
from PIL import Image

from reportgen.figures import agreement_plots, drawing, heatmaps
from reportgen.figures.drawings import on_axes
from reportgen.pipeline.build import build_site
from reportgen.report.view import ReportView
from reportgen.results import Results
from tests.campaigns import GENE_RENAMING, results_of
from tests.commands import run
from tests.findings.made_results import figure, pair, unit_set
from tests.present import present


@pytest.fixture(scope="module")
def found() -> Results:
    return results_of(GENE_RENAMING)


@pytest.mark.slow
def test_every_mark_and_letter_is_painted_in_its_colour(found: Results, tmp_path: Path) -> None:
    made = present(ReportView(found).layers[0].specific_figure)
    made.save(tmp_path / "one.png")
    with Image.open(tmp_path / "one.png") as image:
        assert image.width == pytest.approx(330 / 96 * 300, abs=2)
        colours = {colour for _count, colour in image.convert("RGB").getcolors(1 << 24) or []}
    assert {(11, 95, 165), (31, 36, 43), (86, 94, 105), (255, 255, 255)} <= colours
    made.save(tmp_path / "one.pdf")
    assert (tmp_path / "one.pdf").read_bytes().startswith(b"%PDF")


STRANGE = (
    "𓀀",
    "$x_1$",
    "中",
    "\ufeffyes",
    "y\ufeffes",
    "\ufeff",
    "\ue000",
    "\u0378",
    "😀",
    "y\x01s",
    "שלום",
    "\u200b",
)


@pytest.mark.parametrize("ending", ["pdf", "png"])
def test_a_label_with_signs_that_no_font_has_stops_nothing(tmp_path: Path, ending: str) -> None:
    two = pair({(name, name): 3 for name in STRANGE})
    labels = dict.fromkeys(STRANGE, 6)
    of_two = unit_set(two, labels=labels, specific_agreement=dict.fromkeys(STRANGE, figure(0.5, 0.4, 0.6)))
    for number, plot in enumerate((heatmaps.of_pair(two), agreement_plots.of_categories(of_two))):
        made = present(drawing("one", plot))
        made.save(tmp_path / f"{number}.{ending}")
        assert (tmp_path / f"{number}.{ending}").stat().st_size > 500
        axes = present(on_axes(plot))
        shown = [text.get_text() for text in axes.get_yticklabels()]
        assert {"yes", "中"} <= {*shown}
        assert not any("\ufeff" in text for text in shown)


def bytes_of(site: Path) -> dict[str, str]:
    return {
        each.relative_to(site).as_posix(): hashlib.sha256(each.read_bytes()).hexdigest()
        for each in sorted(site.rglob("*"))
        if each.is_file()
    }


@pytest.mark.slow
def test_build_writes_them_beside_each_svg_and_the_next_build_leaves_them_out(tmp_path: Path) -> None:
    plain, site = tmp_path / "plain", tmp_path / "site"
    build_site([GENE_RENAMING], plain)
    assert run("build", str(GENE_RENAMING), "--out", str(site), "--figures").exit_code == 0
    with_images, without = bytes_of(site), bytes_of(plain)
    more = set(with_images) - set(without)
    drawn = {name.removesuffix(".svg") for name in without if "/figures/" in name and name.endswith(".svg")}
    assert more == {f"{name}.{kind}" for name in drawn for kind in ("png", "pdf")}
    assert {name: with_images[name] for name in without} == without
    assert run("build", str(GENE_RENAMING), "--out", str(site)).exit_code == 0
    assert bytes_of(site) == without


@pytest.mark.slow
def test_a_picture_that_stands_beside_no_figure_of_ours_is_somebody_elses(tmp_path: Path) -> None:
    site = tmp_path / "site"
    build_site([GENE_RENAMING], site)
    foreign = site / GENE_RENAMING.name / "1.0" / "figures" / "holiday.png"
    foreign.write_bytes(b"")
    found = run("build", str(GENE_RENAMING), "--out", str(site))
    assert found.exit_code == 2
    assert foreign.exists()
