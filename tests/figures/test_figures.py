"""Every public figure draws on axes of its own or on those given, says its values, and is an image too."""

import hashlib
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image

from reportgen import figures
from reportgen.figures import agreement_plots, bars, drawing, heatmaps, style
from reportgen.figures import agreement_plots as agreement
from reportgen.figures import annotator_plots as people
from reportgen.figures.drawings import on_axes
from reportgen.figures.intervals import Span
from reportgen.pipeline.build import build_site
from reportgen.report.view import ReportView
from reportgen.results import Figure as Estimate
from reportgen.results import Pair, Quality, Results
from reportgen.results.annotators import AnnotatorVsRest, DawidSkene
from reportgen.results.marks import EndDistances
from tests.campaigns import GENE_RENAMING, results_of
from tests.commands import run
from tests.findings.made_results import figure, pair, unit_set
from tests.present import present
from tests.slowly import slow_but

OF_RESULTS: tuple[Callable[..., Axes | None], ...] = (
    figures.agreement_by_layer,
    figures.confusion_matrix,
    figures.size_curve,
    figures.specific_agreement,
)


@pytest.fixture(scope="module")
def found() -> Results:
    return results_of(GENE_RENAMING)


@pytest.fixture(scope="module")
def in_texts() -> Results:
    return results_of(GENE_RENAMING.parent / "gene-renaming-in-texts")


@pytest.mark.parametrize("function", OF_RESULTS)
def test_a_figure_is_drawn_on_axes_that_are_given_and_leaves_settings_alone(
    function: Callable[..., Axes | None], found: Results
) -> None:
    before = dict(mpl.rcParams)
    axes = Figure().subplots()
    assert function(found, axes) is axes
    assert axes.lines or axes.patches
    own = present(function(found))
    assert own.figure is not axes.figure
    assert dict(mpl.rcParams) == before


def test_without_data_there_is_no_figure(found: Results) -> None:
    assert figures.pairs(found) is None
    assert figures.boundary_distances(found) is None
    assert figures.documents(found) is None
    assert figures.causes(found.model_copy(update={"adjudication": ()})) is None
    assert figures.annotators(found.model_copy(update={"quality": ()})) is None
    assert figures.drift(found.model_copy(update={"quality": ()})) is None
    assert figures.histogram(found) is None
    assert figures.pairwise_agreement(found) is None


@pytest.mark.slow
def test_pyplot_is_never_loaded() -> None:
    code = (
        "import sys; from reportgen.figures.drawings import svg_of; "
        "from reportgen.figures.bars import Bar, bar_plot; "
        "svg_of('f', bar_plot('t', 'd', [Bar('a', 1.0, '1')], 'x')); "
        "sys.exit('matplotlib.pyplot' in sys.modules or 'matplotlib.figure' not in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.slow
def test_every_mark_says_its_value(in_texts: Results) -> None:
    made = present(drawing("layers", agreement.of_layers(in_texts)))
    for layer in in_texts.layers:
        value = present(in_texts.primary_of(layer).measures[in_texts.coefficients[layer]].value)
        assert re.search(f"<g><title>{layer}: −?{abs(value):.3f}".replace("−?−", "−"), made.svg)
        assert f">{f'{value:.2f}'.replace('-', '−')}</text>" in made.svg


@pytest.mark.parametrize(
    ("span", "word"),
    [
        ((0.5, 0.4, 0.6), "too low"),
        ((0.7, 0.6, 0.75), "undecided"),
        ((0.7, 0.667, 0.75), "with caution"),
        ((0.9, 0.8, 0.95), "high"),
    ],
)
def test_a_word_says_where_an_interval_lies_on_the_bands(span: tuple[float, float, float], word: str) -> None:
    assert agreement.standing(Span(*span)) == word


def test_documents_are_bars_that_lead_to_their_pages_the_worst_first(in_texts: Results) -> None:
    layer = in_texts.layers[0]
    documents = agreement.f_of_documents(in_texts, layer)
    assert documents == sorted(documents, key=lambda each: each[1])
    worst, _value = documents[0]
    linked = agreement.of_documents(in_texts, layer, {worst: "documents/D1.html"})
    made = present(drawing("strip", linked, role="group"))
    assert made.svg.count("<a ") == 1
    assert re.search(rf'<a href="documents/D1.html" tabindex="-1"><title>{re.escape(worst)}: ', made.svg)


def marks_apart(found: Results, *distances: EndDistances) -> Results:
    """Return results whose first layer's marks lie apart as they are told to."""
    assert found.spans is not None
    assert found.spans.disagreements is not None
    first, *others = found.spans.disagreements
    changed = (first.model_copy(update={"distances": distances}), *others)
    return found.model_copy(update={"spans": found.spans.model_copy(update={"disagreements": changed})})


APART = (
    EndDistances(label="PER", starts=((0, 80), (1, 5), (2, 2), (3, 1), (70, 2)), ends=((0, 88), (9, 2))),
    EndDistances(label="LOC", starts=((0, 10),), ends=((0, 9), (1, 1))),
)


def test_starts_and_ends_are_bars_by_how_far_they_lie_apart(in_texts: Results) -> None:
    """Those of all labels together: every bar says its class and how many pairs of marks are in it."""
    results = marks_apart(in_texts, *APART)
    made = present(drawing("apart", bars.of_boundaries(results, results.layers[0])))
    assert made.title == "90.0% of 100 pairs of marks begin at the same place, 97.0% end at the same place"
    titles = re.findall(r"<title>((?:starts|ends): [^<]+)</title>", made.svg)
    assert titles[:4] == ["starts: 1: 5", "ends: 1: 1", "starts: 2–3: 3", "ends: 2–3: 0"]
    assert titles[-2:] == ["starts: 64 or more: 2", "ends: 64 or more: 0"]
    assert len(titles) == 2 * len(bars.CHARACTERS)
    assert "1: starts 5, ends 1; 2–3: starts 3, ends 0; " in made.svg
    assert ">pairs of marks by distance, in characters</text>" in made.svg


def test_marks_that_begin_and_end_alike_make_no_figure(in_texts: Results) -> None:
    alike = EndDistances(label="PER", starts=((0, 8),), ends=((0, 8),))
    for distances in ((), (alike,)):
        assert figures.boundary_distances(marks_apart(in_texts, *distances)) is None


def crowd_of(values: list[float], more: int = 0) -> Quality:
    nothing = Estimate(value=None)
    people = tuple(
        AnnotatorVsRest(annotator=f"w{place}", agreement=Estimate(value=value), difference=nothing)
        for place, value in enumerate(values)
    )
    return Quality(
        layer="main",
        unit_set="items",
        dawid_skene=DawidSkene(),
        by_document=False,
        annotators=people,
        annotators_in_all=len(people) + more,
    )


def test_a_crowd_is_a_histogram_whose_bars_say_how_many_annotators_they_are() -> None:
    values = [0.02, *[0.51] * 4, *[0.72] * 8, 1.0]
    made = present(drawing("crowd", people.of_crowd(crowd_of(values))))
    assert made.title == "Half of 14 annotators share between 0.51 and 0.72 of their labels with another"
    bars = re.findall(r"<g><title>([^<]+)</title>", made.svg)
    assert bars == [
        "0.00 to 0.05: 1 annotator",
        "0.50 to 0.55: 4 annotators",
        "0.70 to 0.75: 8 annotators",
        "0.95 to 1.00: 1 annotator",
    ]
    assert people.of_crowd(crowd_of(values, more=1)) is None, "results have the worst of them alone"
    assert people.of_crowd(crowd_of(values[:12])) is None, "so few are drawn one by one"


def test_every_two_annotators_are_cells_that_lead_to_their_pages(in_texts: Results) -> None:
    layer = in_texts.layers[0]
    links = {
        frozenset(each.annotators): f"pairs/{number}.html" for number, each in enumerate(pairs(in_texts))
    }
    made = present(drawing("pairs", heatmaps.of_pairs(in_texts, layer, links), role="group"))
    for each in pairs(in_texts):
        value = present(each.measures[in_texts.coefficients[layer]].value)
        cell = f"{' / '.join(each.annotators)}: {value:.2f}"
        assert made.svg.count(f"<title>{cell}</title>") == 1
        assert made.svg.count(f'<a href="{links[frozenset(each.annotators)]}"') == 2
    assert " agree least: " in made.title


def pairs(results: Results) -> tuple[Pair, ...]:
    return results.primary_of(results.layers[0]).pairs


def cut(text: str, room: float) -> str:
    """Return what `style.fitted` does, letter by letter."""
    line = " ".join(text.split())
    letters = len(line)
    while letters and style.width_of(line[:letters]) + style.LETTERS * style.USUAL > room:
        letters -= 1
    return line if style.width_of(line) <= room else f"{line[:letters].rstrip()}…"


@given(st.text("aiW é日\u0301.", max_size=30), st.sampled_from([0.0, 7.0, 40.0, 90.0]))
def test_a_text_is_cut_where_the_room_ends(text: str, room: float) -> None:
    assert style.fitted(text, room) == cut(text, room)


def test_texts_of_any_length_are_cut_at_once() -> None:
    texts = ["a" * 200_000, "a" * 199_999 + "b", "c"]
    begun = time.monotonic()
    first, second, third = style.all_fitted(texts, 150)
    assert time.monotonic() - begun < 3
    assert first.endswith("…aaaaaaaaa")
    assert (second, third) == (f"{first[:-1]}b", "c")


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


@pytest.mark.parametrize("ending", slow_but(["pdf", "png"], "png"))
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
