"""Pages in Chromium: they open from disk, fetch and run nothing, and read well for everybody."""

from pathlib import Path

import pytest

from reportgen.base.files import templates
from reportgen.report.page import minified_style, pruned
from tests.conftest import OpenPage
from tests.pages import SCROLLS, parsed, violations
from tests.sites import IN_TEXTS
from tests.slowly import slow_but

pytestmark = pytest.mark.browser

VERSION = "gene-renaming/1.0/index.html"


@pytest.fixture
def site(example_site: Path) -> Path:
    return example_site


@pytest.fixture
def in_texts(example_site: Path) -> Path:
    """The site of the campaign with most sections: two layers, three annotators, six unit sets."""
    return example_site / IN_TEXTS.name


# Reading


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


# What a page is made of


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
