"""Pages of a hostile campaign: in every field an attack, and none of them runs, hides or breaks the page."""

import re
from collections.abc import Callable
from itertools import product
from pathlib import Path

import html5lib
import markdown
import pytest
from markdown_it import MarkdownIt
from playwright.sync_api import Page

from tests.campaigns import written
from tests.commands import run
from tests.conftest import OpenPage
from tests.hostile import ATTACK, LINES, NONE, PEOPLE, PLAIN, SHORT, as_csv, attack, write
from tests.pages import SCROLLS, check_ids, in_turn, linked, violations, watched
from tests.slowly import slow_but

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("hostile")
    write(root)
    answer = run("build", root / "marks", root / "long", "--out", root / "site")
    assert answer.exit_code == 0, answer.output
    return root / "site"


HOSTILE = (
    "index.html",
    "marks/index.html",
    "marks/1.0/index.html",
    "marks/1.0/report.html",
    "marks/1.0/checklists/index.html",
    "long/1.0/index.html",
    "long/1.0/report.html",
)
# Our own script stands in the body of a page, with the fields that it makes or moves.
FOREIGN = (
    "script:not(body > script), img, iframe, object, embed, form, "
    "input:not([type=search], [type=range], [type=number], [type=radio]), link, base, "
    "foreignObject, animate, set"
)
ELEMENTS = f"document.querySelectorAll('{FOREIGN}').length"
HANDLERS = """[...document.querySelectorAll('*')].flatMap(element => [...element.attributes])
    .filter(each => each.name.startsWith('on') || /^\\s*(javascript|data|vbscript):/i.test(each.value))
    .map(each => each.name + '=' + each.value)"""
PROD = """for (const element of document.querySelectorAll('*'))
    for (const kind of ['mouseover', 'focus', 'click', 'error', 'load', 'toggle'])
        element.dispatchEvent(new Event(kind, {bubbles: false}))"""


def hold_nothing_ran(page: Page, address: str) -> None:
    seen = watched(page)
    page.goto(address, wait_until="networkidle")
    page.evaluate(PROD)
    page.wait_for_timeout(50)
    assert (seen.requests, seen.spoke) == ([address], [])
    assert page.evaluate("document.title") != "RAN"
    assert page.evaluate(ELEMENTS) == 0
    assert page.evaluate(HANDLERS) == []


def test_an_attack_would_be_noticed(unprotected: Page, tmp_path: Path) -> None:
    """The net catches: the same text unescaped, under a policy that forbids scripts, runs here."""
    page = tmp_path / "page.html"
    policy = "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'\">"
    page.write_text(f"<!doctype html>{policy}<body>{ATTACK}", encoding="utf-8")
    seen = watched(unprotected)
    unprotected.goto(page.as_uri(), wait_until="networkidle")
    assert "a dialog was opened" in seen.spoke
    assert unprotected.evaluate("document.title") == "RAN"
    assert unprotected.evaluate(ELEMENTS) > 0
    assert unprotected.evaluate(HANDLERS) != []


def test_hostile_text_does_not_run_on_any_page_in_any_language(hostile: Path, unprotected: Page) -> None:
    seen, others = watched(unprotected), sorted(hostile.rglob("*.html"))
    assert sum("fr" in each.parts for each in others) > 10
    for path in others:
        seen.requests.clear()
        unprotected.goto(path.as_uri())
        unprotected.evaluate(PROD)
        assert (seen.requests, seen.spoke) == ([path.as_uri()], []), path
        assert unprotected.evaluate("document.title") != "RAN", path
        assert (unprotected.evaluate(ELEMENTS), unprotected.evaluate(HANDLERS)) == (0, []), path


# Everything that the script offers is used: folds, sorting, filters, the search, explanations, copying.
USED = """async () => {
    const every = (which) => [...document.querySelectorAll(which)];
    const tell = (each, kind) => each.dispatchEvent(new Event(kind, { bubbles: true }));
    every("details").forEach((each) => { each.open = true; });
    for (const wanted of ["<img", "onerror", "e", ""]) {
        for (const box of every("input[type=search]")) {
            box.value = wanted;
            tell(box, "input");
        }
    }
    every("nav input[type=search]").forEach((box) => { box.value = "<img"; tell(box, "input"); });
    await new Promise((done) => setTimeout(done, 400));
    const hits = [...CSS.highlights.get("found")].length;
    every(".find button").forEach((each) => each.click());
    every("thead button").forEach((each) => each.click());
    every("[data-why]").forEach((each) => { tell(each, "mouseover"); tell(each, "focusin"); });
    for (const each of every(".tools button, .anchor")) {
        each.click();
        await new Promise((done) => setTimeout(done));
    }
    every("input[type=range], input[type=number]").forEach((each) => tell(each, "input"));
    return { hits, sorts: every("thead button").length, told: every("[data-why]").length };
}"""
COPIED = """window.copied = [];
const clipboard = { writeText: async (text) => { copied.push(text); } };
Object.defineProperty(navigator, "clipboard", { value: clipboard });"""


@pytest.mark.parametrize(
    "name",
    slow_but(
        ["long/1.0/index.html", "long/1.0/fr/index.html", "marks/1.0/index.html", "marks/1.0/fr/index.html"],
        "long/1.0/index.html",
    ),
)
def test_the_script_never_takes_hostile_text_for_markup(hostile: Path, unprotected: Page, name: str) -> None:
    unprotected.add_init_script(COPIED)
    seen = watched(unprotected)
    unprotected.goto((hostile / name).as_uri())
    used = unprotected.evaluate(USED)
    assert min(used["hits"], used["sorts"]) > 0
    # Where every figure has a value there is no reason to tell.
    assert used["told"] > 0 or name.startswith("long/")
    assert any("<img src=x onerror=ran(2)>" in each for each in unprotected.evaluate("copied"))
    unprotected.wait_for_timeout(50)
    assert seen.spoke == []
    assert unprotected.evaluate("document.title") != "RAN"
    assert (unprotected.evaluate(ELEMENTS), unprotected.evaluate(HANDLERS)) == (0, [])


def squeezed(text: str) -> str:
    return " ".join(text.split())


def test_hostile_text_shows_as_it_is_written(hostile: Path, open_page: OpenPage) -> None:
    page = open_page()

    def text_of(name: str) -> str:
        page.goto((hostile / name).as_uri())
        return squeezed(page.evaluate("document.body.textContent"))

    fields = [f"{table} {name}" for table, names in PLAIN.items() for name in names]
    expected = [attack(where) for where in ("title", "category", "work", "its author", "author", *fields)]
    expected += [LINES, NONE, PEOPLE[0], PEOPLE[1], f"exports/{SHORT}.csv"]
    for name in ("marks/1.0/index.html", "marks/1.0/report.html", "marks/1.0/fr/index.html"):
        shown = text_of(name)
        assert [text for text in expected if squeezed(text) not in shown] == [], name
    for name in ("index.html", "marks/index.html"):
        assert squeezed(attack("title")) in text_of(name), name
    for name in ("long/1.0/index.html", "long/1.0/fr/index.html"):
        shown = text_of(name)
        for text in (*PEOPLE, attack("category"), f"unit {SHORT}", f"what {SHORT}"):
            assert squeezed(text) in shown, (name, text)


def test_hostile_text_is_not_taken_for_a_template(hostile: Path) -> None:
    for path in sorted(hostile.rglob("*")):
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            assert "<class '" not in text.replace("&lt;", "<").replace("&#39;", "'"), path
            assert "{{ 49 }}" not in text, path
    assert "7*7" in (hostile / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "width", "scheme"),
    slow_but(in_turn(name for name in HOSTILE if not name.endswith("report.html"))),
)
def test_pages_of_hostile_text_read_well(
    hostile: Path, open_page: OpenPage, name: str, width: int, scheme: str
) -> None:
    page = open_page(width=width, color_scheme=scheme)
    seen = watched(page)
    page.goto((hostile / name).as_uri())
    assert seen.spoke == []
    assert violations(page) == []
    for each in (1280, 375):
        page.set_viewport_size({"width": each, "height": 900})
        assert page.evaluate(SCROLLS) == [0, 0], each


def test_pages_of_hostile_text_are_valid(hostile: Path) -> None:
    for path in sorted(hostile.rglob("*.html")):
        html5lib.HTMLParser(strict=True).parse(path.read_text(encoding="utf-8"))
    check_ids(hostile)
    for path, tag, target in linked(hostile):
        assert tag == "a", path
        assert re.match(r"https://|mailto:|[#.A-Za-z0-9]", target), target
        assert not re.match(r"(?i)(javascript|data|vbscript):", target), target


def permissive(text: str) -> str:
    """Return the HTML of Markdown as a renderer makes it that lets HTML and any link through."""
    return markdown.markdown(text, extensions=["extra", "sane_lists"])


def common(text: str) -> str:
    """Return the HTML of Markdown by CommonMark, where every sign can be escaped."""
    return str(MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(text))


MARKDOWN = ("marks/1.0/checklists", *(f"{each}/report" for each in ("marks/1.0", "long/1.0", "long/1.0/fr")))


@pytest.mark.parametrize(
    ("name", "render"), slow_but(product(MARKDOWN, [permissive, common]), ("long/1.0/fr/report", common))
)
def test_markdown_of_hostile_text_runs_nothing(
    hostile: Path, unprotected: Page, tmp_path: Path, name: str, render: Callable[[str], str]
) -> None:
    text = (hostile / f"{name}.md").read_text(encoding="utf-8")
    page = tmp_path / "report.html"
    page.write_text(f'<!doctype html><meta charset="utf-8"><body>{render(text)}', encoding="utf-8")
    hold_nothing_ran(unprotected, page.as_uri())
    assert unprotected.locator("h1").count() == 1
    shown = squeezed(unprotected.evaluate("document.body.textContent"))
    if name.endswith("checklists"):
        assert "corpus purpose <script>ran(1)" in shown
    elif render is common:
        fields = [f"{table} {name}" for table, names in PLAIN.items() for name in names]
        title = "title" if name.startswith("marks") else "long"
        expected = [attack(where) for where in (title, "work", "author", "category", *fields)]
        assert [each for each in expected if squeezed(each) not in shown] == []


def test_figures_of_hostile_text_run_nothing_on_their_own(hostile: Path, unprotected: Page) -> None:
    # Of figures with the same name, which pages of several versions and languages have, one.
    figures = {path.name: path for path in sorted(hostile.rglob("*.svg"))}
    assert len(figures) > 4
    for path in figures.values():
        hold_nothing_ran(unprotected, path.as_uri())


def test_control_characters_in_labels_are_no_traceback(tmp_path: Path, open_page: OpenPage) -> None:
    rows = [
        ["item", "a", "b\x1b[31m"],
        ["1\x01", "x\x01", "y"],
        ["2", "\x1b[2J", "x\x01"],
        ["3", "\ufffe\x0c", "y"],
    ]
    folder = written(tmp_path / "one", "", {"exports/1.0/e.csv": as_csv(rows)})
    answer = run("build", folder, "--out", tmp_path / "site")
    assert answer.exit_code == 0, answer.output
    page = open_page()
    seen = watched(page)
    page.goto((tmp_path / "site/one/1.0/index.html").as_uri())
    assert seen.spoke == []
    for path in sorted((tmp_path / "site").rglob("*.svg")):
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.localName") == "svg", path
