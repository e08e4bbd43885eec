"""Reading the disagreements in Chromium: from the matrix to the sentence, for everybody, hostile text too."""

import re
from pathlib import Path

import html5lib
import pytest
from playwright.sync_api import Page, expect

from reportgen.results.texts import Clarify, Disagreement, Disagreements, Form, Texts
from tests.campaigns import report_of
from tests.conftest import OpenPage
from tests.hostile import ATTACK, LINES, LONG_WORD, NONE, write
from tests.pages import check_ids, check_links, parsed, watched
from tests.rendered import write_version
from tests.report.made_texts import layer, texts
from tests.report.written_pages import pages, report, two
from tests.slowly import slow_but

pytestmark = pytest.mark.browser

# Our own script, and the fields that it makes, are no strangers.
FOREIGN = (
    "script:not(body > script), img, iframe, object, embed, form, "
    "input:not([type=search], [type=range], [type=number], [type=radio]), link, base, "
    "foreignObject, animate, set"
)
HANDLERS = """[...document.querySelectorAll('*')].flatMap(element => [...element.attributes])
    .filter(each => each.name.startsWith('on') || /^\\s*(javascript|data|vbscript):/i.test(each.value))
    .map(each => each.name + '=' + each.value)"""


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pair")
    return pages(folder, report(folder, two(), "[privacy]\nsmallest = 1\n"))


@pytest.mark.slow
@pytest.mark.parametrize("scripts", slow_but([(True,), (False,)], (True,)))
def test_two_clicks_lead_from_the_matrix_cell_to_the_sentence(
    pair: Path, open_page: OpenPage, *, scripts: bool
) -> None:
    page = open_page(java_script_enabled=scripts)
    seen = watched(page)
    page.goto((pair / "index.html").as_uri())
    page.locator("#table-confusion-tokens tbody tr", has_text="LOC").first.locator("td a").first.click()
    expect(page.locator("h2:target")).to_have_text("A01 LOC, A02 ORG")
    page.locator("section", has=page.locator("h2:target")).locator("tbody a").first.click()
    assert page.url.endswith("documents/D0001.html#u-1-21")
    expect(page.locator("mark:target")).to_have_text("Paris≠ A01 LOC A02 ORG")
    expect(page.locator("mark:target")).to_be_in_viewport()
    assert seen.spoke == []
    assert all(address.startswith("file:") for address in seen.requests)


# Hostile text


def hostile_texts(categories: tuple[str, ...], people: tuple[str, ...], unit_set: str) -> Texts:
    """Return texts whose every field is an attack."""
    text = f"{ATTACK}\n{LONG_WORD} {ATTACK}\r\n\u202e{LINES}"
    first, second = categories[0], categories[1]
    made = layer(
        [
            [
                (people[0], first, ((0, 30),)),
                (people[1], second, ((8, 40), (60, 65))),
                (people[0], ATTACK, ((50, 50),)),
                (people[1], NONE, ()),
            ],
            [],
        ],
        [people, people[:1]],
    )
    found = texts({ATTACK: text, f"{LINES} {LONG_WORD}": f"{ATTACK}</div></main>"}, made)
    labels = {people[0]: first, people[1]: second}
    units = (
        Disagreement(document=0, spans=((0, 8), (20, 21)), labels=labels),
        Disagreement(name=ATTACK, labels={people[0]: second, people[1]: ATTACK}),
    )
    clarify = Clarify(
        layer="main",
        unit_set=unit_set,
        forms=(Form(form=ATTACK, units=2, labels={ATTACK: 3}, example=0),),
        alone={ATTACK: people[0]},
    )
    disputed = Disagreements(layer="main", unit_set=unit_set, units=units)
    return found.model_copy(update={"disagreements": (disputed,), "clarify": (clarify,)})


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("hostile-texts")
    write(root)
    found = report_of(root / "long")
    primary = found.results.primary
    made = hostile_texts(primary.categories, primary.annotators, primary.id)
    folder = root / "site/campaign/1.0"
    write_version(folder, found.results, found.beside, made)
    (folder.parent / "index.html").write_text("<!doctype html><title>Up</title>", encoding="utf-8")
    return folder


def hostile_pages(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.html") if path.parent != folder)


@pytest.mark.slow
def test_hostile_texts_run_nothing(hostile: Path, unprotected: Page) -> None:
    assert {path.parent.name for path in hostile_pages(hostile)} >= {"documents", "disagreements", "clarify"}
    for path in [hostile / "index.html", *hostile_pages(hostile)]:
        seen = watched(unprotected)
        unprotected.goto(path.as_uri(), wait_until="networkidle")
        assert (seen.requests[:1], seen.spoke) == ([path.as_uri()], []), path
        assert unprotected.evaluate("document.title") != "RAN"
        assert unprotected.evaluate(f"document.querySelectorAll('{FOREIGN}').length") == 0, path
        assert unprotected.evaluate(HANDLERS) == [], path


@pytest.mark.slow
def test_hostile_texts_show_as_they_are_written(hostile: Path, open_page: OpenPage) -> None:
    page = open_page()
    page.goto((hostile / "documents/D0002.html").as_uri())
    assert page.locator(".text").text_content() == f"{ATTACK}</div></main>"
    for path in hostile_pages(hostile):
        html5lib.HTMLParser(strict=True).parse(path.read_text(encoding="utf-8"))
        for target in (target for _, target in parsed(path).links):
            assert re.match(r"[#.A-Za-z0-9]", target), target
    check_ids(hostile)
    check_links(hostile.parent)
