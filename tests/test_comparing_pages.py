"""The page of a comparison in Chromium: it opens from disk, reads well for everybody, and runs nothing."""

from pathlib import Path

import html5lib
import pytest

from reportgen.results.parts import Categories
from reportgen.results.versions import (
    Changed,
    ChangedUnits,
    ComparedCampaign,
    ConfusionChange,
    DisagreementChange,
    GuidelinesCompared,
    PairChange,
    Passage,
    Sample,
    VersionComparison,
    VersionSide,
)
from tests.commands import on_disk
from tests.conftest import OpenPage
from tests.hostile import HTML, LINES, PEOPLE, attack
from tests.pages import SCROLLS, check_ids, check_links, in_turn, parsed, violations, watched
from tests.rendered import comparison_files
from tests.report import made_comparison as made
from tests.slowly import slow_but

pytestmark = pytest.mark.browser

PLACE = "genes/compare/0.9...1.0"
# The page's own script stands at its end, and puts fields to search in.
ELEMENTS = """document.querySelectorAll(
    'script:not(body > :last-of-type), img, iframe, object, embed, form, input:not([type=search]), link, base'
).length"""
UNFOLD = "document.querySelectorAll('details').forEach(each => { each.open = true })"


def hostile() -> tuple[VersionComparison, Changed]:
    """Return a comparison whose every text is an attack."""
    names = (attack("category"), LINES, "\u202e#x\n\n# y")
    sample = Sample(documents=14, units=99, annotators=PEOPLE, categories=names)
    confusion = ConfusionChange(categories=(names[0], names[1]), first=4, second=2, contribution=-0.02)
    change = made.change(None, 0.5, untested=attack("untested"))
    unit_set = made.unit_set(
        first=sample,
        second=sample,
        categories=Categories(how="names", first_only=names, second_only=names, merged={names[0]: names[1]}),
        measures={"krippendorff_alpha": made.change(0.2, 0.4), f"krippendorff_alpha[{LINES}]": change},
        specific_agreement={name: made.change(0.2, 0.4, 0.01, 0.03) for name in names},
        pairs=(
            PairChange(annotators=(PEOPLE[0], PEOPLE[1]), measures={"cohen_kappa": made.change(0.1, 0.2)}),
        ),
        disagreement=DisagreementChange(
            first=0.04, second=0.02, change=-0.02, denominators=(100, 100), confusions=(confusion,)
        ),
    )
    said = dict.fromkeys(PEOPLE, names[0]) | {PEOPLE[0]: names[1]}
    unit = made.unit(attack("unit"), said, said).model_copy(update={"document": attack("document")})
    lists = ChangedUnits(layer="names", unit_set="tokens", mended=(unit,), broken=(unit,))
    passages = (
        Passage(kind="added", text=attack("added"), categories=names),
        Passage(kind="removed", text=HTML.replace("\n", " ")),
    )
    comparison = made.comparison(
        campaign=ComparedCampaign(id="genes", title=attack("title")),
        second=VersionSide(guidelines="1.0", changes=HTML + attack("changes")),
        unit_sets=(unit_set,),
        guidelines=GuidelinesCompared(first=attack("file"), second="2.md", passages=passages),
        findings=(made.finding("verdict", "good", "figures", "Agreement rose."),),
    )
    return comparison, Changed(first="0.9", second="1.0", unit_sets=(lists,))


def empty() -> tuple[VersionComparison, None]:
    return made.comparison(unit_sets=(), spans=(), findings=(), guidelines=None), None


SITES = {"made": lambda: (made.comparison(), made.changed()), "hostile": hostile, "empty": empty}


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders with a comparison each, between the pages that it links to."""
    root = tmp_path_factory.mktemp("comparisons")
    stub = "<!doctype html><title>There</title>"
    for site, make in SITES.items():
        on_disk(root / site / PLACE, dict(comparison_files(*make())))
        stubs = dict.fromkeys(("index.html", "0.9/index.html", "1.0/index.html"), stub)
        on_disk(root / site / "genes", stubs)
    return root


@pytest.mark.parametrize(("site", "width", "scheme"), slow_but(in_turn(SITES), ("hostile", 375, "dark")))
def test_a_comparison_opens_from_disk_runs_nothing_and_reads_well(
    sites: Path, open_page: OpenPage, site: str, width: int, scheme: str
) -> None:
    page = open_page(width=width, color_scheme=scheme)
    seen = watched(page)
    address = (sites / site / PLACE / "index.html").as_uri()
    page.goto(address, wait_until="networkidle")
    assert (seen.requests, seen.spoke) == ([address], [])
    assert page.locator("h1").count() == 1
    assert page.evaluate(ELEMENTS) == 0
    assert parsed(sites / site / PLACE / "index.html").handlers == []
    page.evaluate(UNFOLD)
    assert violations(page) == []
    for each in (1280, 375, 320):
        page.set_viewport_size({"width": each, "height": 900})
        assert page.evaluate(SCROLLS) == [0, 0], each


@pytest.mark.parametrize("site", SITES)
def test_a_comparison_is_valid_and_its_links_lead_somewhere(sites: Path, site: str) -> None:
    text = (sites / site / PLACE / "index.html").read_text(encoding="utf-8")
    html5lib.HTMLParser(strict=True).parse(text)
    assert check_links(sites / site) >= 5
    check_ids(sites / site)


@pytest.mark.slow
def test_hostile_text_shows_as_it_is_written(sites: Path, open_page: OpenPage) -> None:
    page = open_page()
    page.goto((sites / "hostile" / PLACE / "index.html").as_uri())
    shown = " ".join(page.evaluate("document.body.textContent").split())
    for text in (attack("title"), attack("category"), LINES, *PEOPLE, attack("file")):
        assert " ".join(text.split()) in shown


def test_what_was_added_and_removed_can_be_told_without_colour(sites: Path, open_page: OpenPage) -> None:
    page = open_page()
    page.goto((sites / "made" / PLACE / "index.html").as_uri())
    lines = [
        page.evaluate(f"getComputedStyle(document.querySelector('{tag}')).textDecorationLine")
        for tag in ("ins", "del")
    ]
    assert lines == ["underline", "line-through"]
    page.evaluate(UNFOLD)
    kinds = page.locator("#guidelines li > strong").all_inner_texts()
    assert kinds == ["Removed:", "Added:", "Removed:", "Added:"]
