"""Pages in Chromium: they open from disk, fetch and run nothing, and read well for everybody."""

import base64
import hashlib
import re
from itertools import product
from pathlib import Path

import html5lib
import pytest

from reportgen.base.files import templates
from reportgen.report.page import minified_style, pruned
from tests.conftest import OpenPage
from tests.pages import SCROLLS, parsed, violations, watched
from tests.sites import IN_TEXTS
from tests.slowly import slow_but

pytestmark = pytest.mark.browser

VERSION = "gene-renaming/1.0/index.html"
PAGES = ("index.html", "gene-renaming/index.html", VERSION, "gene-renaming/1.0/report.html")
MEASURES = "gene-renaming/1.0/measures/index.html"
MOST_BYTES = 150_000


@pytest.fixture
def site(example_site: Path) -> Path:
    return example_site


@pytest.fixture
def in_texts(example_site: Path) -> Path:
    """The site of the campaign with most sections: two layers, three annotators, six unit sets."""
    return example_site / IN_TEXTS.name


# Reading


@pytest.mark.parametrize(("name", "scripts"), slow_but(product(PAGES, (True, False)), (VERSION, True)))
def test_a_page_opens_from_disk_and_fetches_nothing(
    site: Path, open_page: OpenPage, name: str, *, scripts: bool
) -> None:
    page = open_page(java_script_enabled=scripts)
    seen = watched(page)
    address = (site / name).as_uri()
    page.goto(address, wait_until="networkidle")
    assert (seen.requests, seen.spoke) == ([address], [])
    assert page.title()
    assert page.locator("h1").count() == 1
    if "1.0" in name:
        assert "0.80" in page.locator("#verdict").inner_text()
        page.locator("#confusion-matrix > summary").click()
        assert page.locator("#confusion-matrix table").first.is_visible()
        assert page.locator("figure svg").count() == 3
        assert page.locator("#ledger .row svg").count() == 4, "a scale and a bar for each category"


@pytest.mark.parametrize(("width", "scheme"), slow_but([(375, "dark"), (1280, "light")], (375, "dark")))
def test_a_folded_page_has_no_axe_violation_and_does_not_scroll_sideways(
    site: Path, open_page: OpenPage, width: int, scheme: str
) -> None:
    """Each kind of page, unfolded, is looked at in test_every_page.py."""
    page = open_page(width=width, color_scheme=scheme)
    page.goto((site / VERSION).as_uri())
    assert violations(page) == []
    assert page.evaluate(SCROLLS) == [0, 0]
    menu, contents = page.locator("nav .menu"), page.locator("nav.sections ol")
    assert (menu.is_visible(), contents.is_visible()) == (width == 375, width != 375)
    if width == 375:
        assert menu.inner_text() == "Categories", "that is where one is"
        menu.click()
        assert contents.is_visible()
        page.keyboard.press("Escape")
        assert not contents.is_visible()


@pytest.mark.slow
def test_dark_and_light_are_different(site: Path, open_page: OpenPage) -> None:
    colours = set()
    for scheme in ("light", "dark"):
        page = open_page(color_scheme=scheme)
        page.goto((site / VERSION).as_uri())
        colours.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(colours) == 2


# What a page is made of


@pytest.mark.parametrize("name", [*PAGES, MEASURES])
def test_a_page_is_valid_and_small(site: Path, name: str) -> None:
    check_valid_and_small((site / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("version", ["0.9", "1.0"])
@pytest.mark.parametrize("name", ["index.html", "report.html", "measures/index.html"])
def test_a_page_of_many_sections_is_valid_and_small(in_texts: Path, version: str, name: str) -> None:
    # The one file has means over documents too, for which pages have a file beside them.
    most = MOST_BYTES + 19_000 if name == "report.html" else MOST_BYTES
    check_valid_and_small((in_texts / version / name).read_text(encoding="utf-8"), most)


def check_valid_and_small(text: str, most: int = MOST_BYTES) -> None:
    html5lib.HTMLParser(strict=True).parse(text)
    without_figures = re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL)
    assert len(without_figures.encode()) <= most


def test_a_report_of_several_annotators_says_nothing_three_times(in_texts: Path) -> None:
    text = (in_texts / "1.0/index.html").read_text(encoding="utf-8")
    order = [text.index(f'id="{name}"') for name in ("confusion-matrix", "specific-agreement", "choices")]
    assert order == sorted(order)
    matrix = text[order[0] : order[1]]
    assert matrix.count("<table") == 2, "the coincidence matrix of each layer, and no list of pairs"
    assert 'id="table-confused' not in text
    assert text.count('id="ledger"') == 1
    # What to begin with, and in its row.
    assert text.count("Check whether line 12 of the guidelines, on “Renames (Former, New)”, is followed") == 2
    for sentence in ("Computed distances say", "The primary coefficient is"):
        assert text.count(sentence) == 1, sentence
    quality = (in_texts / "1.0/quality/index.html").read_text(encoding="utf-8")
    assert quality.count("Where annotators share an error") == 1


@pytest.mark.parametrize("name", PAGES)
def test_a_page_runs_nothing_but_its_own_style_and_script(site: Path, name: str) -> None:
    page = parsed(site / name)
    directives = dict(part.strip().split(" ", 1) for part in page.policy.split(";") if part.strip())
    for directive, (text,) in (("style-src", page.sheets), ("script-src", page.scripts)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert directives[directive] == f"'sha256-{digest}'"
    assert directives["default-src"] == "'none'"
    assert (directives["base-uri"], directives["form-action"]) == ("'none'", "'none'")
    assert "unsafe" not in page.policy
    assert {"iframe", "object", "embed", "link", "img", "form", "base"}.isdisjoint(page.tags)
    assert page.handlers == []


def test_every_page_of_a_version_has_the_same_navigation(in_texts: Path) -> None:
    def contents(name: str) -> list[str]:
        text = (in_texts / "1.0" / name).read_text(encoding="utf-8")
        navigation = text[text.index('<nav class="sections"') : text.index("</nav>")]
        return re.findall(r">([^<>\n]+)</a>", navigation)

    assert "Documents" in contents("index.html")
    for name in ("documents/index.html", "documents/D0041.html", "measures/index.html", "clarify/index.html"):
        assert contents(name) == contents("index.html"), name


def test_one_self_contained_file_links_to_no_other(site: Path) -> None:
    targets = [target for _, target in parsed(site / "gene-renaming/1.0/report.html").links]
    assert targets
    assert [target for target in targets if not target.startswith(("#", "https://"))] == []


def test_the_margins_of_paper_are_no_rule_of_a_class_called_page() -> None:
    sheet = "@page{margin:16mm}\n@media print{.page{display:block}\n.no{color:red}\n}"
    assert pruned(sheet, {"list"}) == "@page{margin:16mm}\n"
    assert pruned(sheet, {"page"}) == "@page{margin:16mm}\n@media print{.page{display:block}\n}"


# What a selector asks of elements, without their states and what is drawn beside them.
UNMET = """(whole) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(whole);
    const flat = (rules) => [...rules].flatMap(each =>
        each.selectorText ? [each] : flat(each.cssRules ?? []));
    const states = /::?(?!is|not|has|first|last|nth)[a-z-]+(\\([^()]*\\))?/g;
    const bare = (rule) => rule.selectorText.replace(states, "").replace(/(^|[,>+ (])(?=[,)]|$)/g, "$1*");
    const meets = (rule) => { try { return document.querySelector(bare(rule)); } catch { return null; } };
    const here = new Set(flat(document.styleSheets[0].cssRules).map(each => each.cssText));
    const lost = flat(sheet.cssRules).filter(each => meets(each) && !here.has(each.cssText));
    return lost.map(each => each.selectorText);
}"""


@pytest.mark.parametrize(
    "name", slow_but(["1.0/index.html", "1.0/documents/D0041.html", "index.html"], "1.0/index.html")
)
def test_a_page_has_every_rule_of_the_style_sheet_that_it_can_meet(
    in_texts: Path, open_page: OpenPage, name: str
) -> None:
    page = open_page()
    page.goto((in_texts / name).as_uri())
    whole = (templates() / "style.css").read_text(encoding="utf-8")
    assert page.evaluate(UNMET, minified_style(whole)) == []
    assert page.evaluate(UNMET, "main { color: red } .no-such { color: red }") == ["main"]
    assert len(parsed(in_texts / name).sheets[0]) < 0.8 * len(minified_style(whole))


# On paper

# Sheets of A4 are 180 mm wide between their margins.
PAPER = 680
CUT = """[...document.querySelectorAll('table, pre, figure svg')]
    .filter(each => each.getBoundingClientRect().width > 0
        && each.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
    .map(each => each.id || each.outerHTML.slice(0, 80))"""
CLIPPED = """[...document.querySelectorAll('.scroll, pre')]
    .filter(each => getComputedStyle(each).overflowX !== 'visible').length"""


@pytest.mark.parametrize(
    "name", slow_but(["index.html", "measures/index.html", "disagreements/names~tokens.html"], "index.html")
)
def test_nothing_is_cut_or_folded_on_paper(in_texts: Path, open_page: OpenPage, name: str) -> None:
    page = open_page(width=PAPER)
    page.goto((in_texts / "1.0" / name).as_uri())
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(CUT) == []
    assert page.evaluate(CLIPPED) == 0
    assert page.locator("main details:not([open]):not(.tools)").count() == 0
    assert page.locator(":is(.tools, .filter, .anchor, .tip, input[type=search]):visible").count() == 0
