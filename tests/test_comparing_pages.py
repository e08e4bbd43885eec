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
from tests.conftest import OpenPage
from tests.hostile import HTML, LINES, PEOPLE, attack
from tests.pages import SCROLLS, SMALLEST, check_ids, check_links, in_turn, parsed, violations, watched
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
    for site, make in SITES.items():
        for name, text in comparison_files(*make()):
            path = root / site / PLACE / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        for name in ("index.html", "0.9/index.html", "1.0/index.html"):
            path = root / site / "genes" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("<!doctype html><title>There</title>", encoding="utf-8")
    return root


@pytest.mark.parametrize("site", slow_but(SITES, "hostile"))
def test_a_comparison_opens_from_disk_and_runs_and_fetches_nothing(
    sites: Path, open_page: OpenPage, site: str
) -> None:
    page = open_page()
    seen = watched(page)
    address = (sites / site / PLACE / "index.html").as_uri()
    page.goto(address, wait_until="networkidle")
    assert (seen.requests, seen.spoke) == ([address], [])
    assert page.locator("h1").count() == 1
    assert page.evaluate(ELEMENTS) == 0
    assert parsed(sites / site / PLACE / "index.html").handlers == []


@pytest.mark.slow
def test_letters_in_its_figures_are_large_enough_on_a_phone(sites: Path, open_page: OpenPage) -> None:
    page = open_page(width=375)
    page.goto((sites / "made" / PLACE / "index.html").as_uri())
    assert page.evaluate(SMALLEST) >= 10


@pytest.mark.parametrize(
    ("site", "width", "scheme"),
    slow_but(in_turn(SITES)),
)
def test_a_comparison_has_no_axe_violation_and_does_not_scroll_sideways(
    sites: Path, open_page: OpenPage, site: str, width: int, scheme: str
) -> None:
    page = open_page(width=width, color_scheme=scheme)
    page.goto((sites / site / PLACE / "index.html").as_uri())
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


@pytest.mark.slow
def test_a_comparison_prints_on_white_without_its_contents(sites: Path, open_page: OpenPage) -> None:
    page = open_page(color_scheme="dark")
    page.goto((sites / "made" / PLACE / "index.html").as_uri())
    page.emulate_media(media="print")
    assert not page.locator("nav").is_visible()
    assert page.locator("#verdict h1").is_visible()
