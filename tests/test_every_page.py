"""Every kind of page of a whole site, in both languages: for every eye, every key and every sheet."""

import re
from itertools import cycle, product
from pathlib import Path

import html5lib
import pytest

from tests.conftest import OpenPage
from tests.pages import SCROLLS, SMALLEST, check_ids, check_links, parsed, violations, watched
from tests.slowly import slow_but

pytestmark = pytest.mark.browser

OURS = "gene-renaming-in-texts"
# One page of each kind; a page of the site that is like none of them fails a test.
KINDS = {
    "site": "index.html",
    "history": f"{OURS}/index.html",
    "comparison": f"{OURS}/compare/0.9...1.0/index.html",
    "report": f"{OURS}/1.0/index.html",
    "file": "gene-renaming/1.0/report.html",
    "layer": f"{OURS}/1.0/layers/names.html",
    "measures": "gene-renaming/1.0/measures/index.html",
    "clarify": f"{OURS}/1.0/clarify/index.html",
    "checklists": f"{OURS}/1.0/checklists/index.html",
    "quality": f"{OURS}/1.0/quality/index.html",
    "documents": f"{OURS}/1.0/documents/index.html",
    "document": f"{OURS}/1.0/documents/D0041.html",
    "disagreements": f"{OURS}/1.0/disagreements/names~tokens.html",
    "French report": "gene-renaming/1.0/fr/index.html",
    "French history": "gene-renaming/fr/index.html",
}
LIKE = re.compile(
    rf"(index\.html|(gene-renaming|{OURS})/((fr/)?index\.html|compare/[^/]+/index\.html"
    r"|[0-9.]+/(fr/)?(index|report|(measures|clarify|checklists|quality|documents)/index"
    r"|documents/D\d+|disagreements/[\w~]+|layers/\w+)\.html))"
)
# Kinds that have the parts, and so the colours, of others.
LIKE_OTHERS = {"file", "French report", "French history"}
FOREIGN = {"iframe", "object", "embed", "link", "img", "image", "form", "base"}
MOST_BYTES, MOST_BYTES_ALONE = 150_000, 400_000
UNFOLD = "document.querySelectorAll('details').forEach(each => { each.open = true })"

# What a keyboard should reach, and what it does reach and how that is seen, from one Tab to the next.
REACHABLE = """() => [...document.querySelectorAll("a[href], button, input, summary, [tabindex='0']")]
    // Of a group of choices Tab reaches the chosen one; arrows lead to the others.
    .filter(each => each.type !== "radio" || each.checked)
    .filter(each => each.tabIndex >= 0 && each.checkVisibility({ visibilityProperty: true })).length"""
# Tables that scroll take the keyboard once their sizes are observed: a frame after the page is there.
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
FOCUSED = """() => {
    const each = document.activeElement, style = getComputedStyle(each);
    if (each === document.body || each === document.documentElement) return null;
    window.reached ??= new Set();
    if (reached.has(each)) return null;
    reached.add(each);
    const [drawn, seen] = [style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0,
        each.checkVisibility({ opacityProperty: true, visibilityProperty: true })];
    return drawn && seen ? "" : each.outerHTML.slice(0, 120);
}"""


@pytest.fixture
def site(example_site: Path) -> Path:
    """The whole site of both example campaigns, one of them in English and French."""
    return example_site


def test_every_page_of_the_site_is_of_a_kind_that_is_tested(site: Path) -> None:
    names = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    assert set(KINDS.values()) <= names
    assert [name for name in sorted(names) if not LIKE.fullmatch(name)] == []


def test_no_link_or_anchor_of_the_whole_site_is_broken(site: Path) -> None:
    assert check_links(site) > 2000
    check_ids(site)


def test_every_page_is_light_and_runs_nothing_but_its_own(site: Path) -> None:
    for path in sorted(site.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        most = MOST_BYTES_ALONE if path.name == "report.html" else MOST_BYTES
        assert len(text.encode()) <= most, path
        page = parsed(path)
        assert "unsafe" not in page.policy, path
        assert "default-src 'none'" in page.policy, path
        assert page.handlers == [], path
        assert FOREIGN.isdisjoint(page.tags), path
    figures = sorted(site.rglob("*.svg"))
    assert len(figures) > 20
    for path in figures:
        assert not re.search(r"<image|data:|@import|url\((?!#)", path.read_text(encoding="utf-8")), path


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_of_each_kind_is_valid(site: Path, kind: str) -> None:
    html5lib.HTMLParser(strict=True).parse((site / KINDS[kind]).read_text(encoding="utf-8"))


# All have one style sheet: each kind is looked at in the light or in the dark, what has most colours in both.
SCHEMES = {*zip(KINDS, cycle(("light", "dark")), strict=False)} | set(
    product(("report", "comparison", "document"), ("light", "dark"))
)
WITHOUT_SCRIPTS = ("report", "file", "documents", "comparison")


@pytest.mark.parametrize(("kind", "scheme"), slow_but(sorted(SCHEMES), ("document", "dark")))
def test_pages_have_no_axe_violation(site: Path, open_page: OpenPage, kind: str, scheme: str) -> None:
    page = open_page(width=1280 if scheme == "light" else 375, color_scheme=scheme)
    seen = watched(page)
    address = (site / KINDS[kind]).as_uri()
    page.goto(address)
    page.evaluate(UNFOLD)
    assert violations(page, contrast=kind not in LIKE_OTHERS) == []
    assert (seen.requests, seen.spoke) == ([address], [])


@pytest.mark.parametrize(
    ("kind", "scripts"),
    slow_but([*product(KINDS, [True]), *product(WITHOUT_SCRIPTS, [False])], ("report", True)),
)
def test_pages_fit_a_small_phone(site: Path, open_page: OpenPage, kind: str, *, scripts: bool) -> None:
    page = open_page(width=320, java_script_enabled=scripts)
    page.goto((site / KINDS[kind]).as_uri())
    page.evaluate(UNFOLD)
    assert page.evaluate(SCROLLS) == [0, 0]
    assert page.locator("h1").count() == 1
    page.set_viewport_size({"width": 375, "height": 900})
    if page.locator("figure svg text:visible").count():
        assert page.evaluate(SMALLEST) >= 10


@pytest.mark.parametrize(
    "kind", slow_but(["history", "report", "documents", "document", "comparison"], "document")
)
def test_a_keyboard_reaches_everything_visibly(site: Path, open_page: OpenPage, kind: str) -> None:
    page = open_page()
    page.goto((site / KINDS[kind]).as_uri())
    page.evaluate(DRAWN)
    wanted: int = page.evaluate(REACHABLE)
    unseen, reached = [], 0
    for _ in range(wanted):
        page.keyboard.press("Tab")
        found = page.evaluate(FOCUSED)
        if found is None:
            break
        reached += 1
        unseen += [found] if found else []
    assert unseen == []
    assert reached == wanted


# On paper

PAPER = 680
CUT = """[...document.querySelectorAll('table, pre, figure svg, p, dl')]
    .filter(each => each.getBoundingClientRect().width > 0
        && each.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
    .map(each => each.id || each.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("kind", slow_but(KINDS, "comparison"))
def test_nothing_of_a_page_of_each_kind_is_cut_on_paper(site: Path, open_page: OpenPage, kind: str) -> None:
    page = open_page(width=PAPER, color_scheme="dark")
    page.goto((site / KINDS[kind]).as_uri())
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(CUT) == []
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator(":is(nav, .tools, .filter, .anchor, .tip, input):visible").count() == 0
