"""A campaign's page and the list of campaigns in Chromium, for everybody, with hostile text too."""

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import html5lib
import pytest
from markdown_it import MarkdownIt

from reportgen.figures.style import LIGHT
from reportgen.report.site import index_html
from reportgen.results import Figure
from reportgen.results.versions import Attendants, Coverage, Group, History, SystemState
from tests.conftest import OpenPage
from tests.hostile import ATTACK, LINES, LONG_WORD, NONE
from tests.pages import SCROLLS, SMALLEST, check_ids, check_links, in_turn, parsed, violations, watched
from tests.rendered import campaign_files, history_markdown
from tests.report.made_history import figure, history, state, version
from tests.slowly import slow_but

pytestmark = pytest.mark.slow

LIMIT = 150_000
FIGURE = re.compile(r"<svg.*?</svg>", re.DOTALL)
CATEGORIES = tuple(f"Category {place}" for place in range(40))
VALUES = tuple(None if place == 7 else 0.3 + 0.02 * place for place in range(30))


def hostile() -> History:
    """Return a history whose every text is an attack."""
    names = (f"{ATTACK} {LONG_WORD}", LINES, NONE)
    found = history((0.3, 0.5, 0.7), names, systems=True, title=f"{ATTACK} {LONG_WORD}")
    system = SystemState(
        system=f"{ATTACK} {LONG_WORD}",
        role="system",
        key=ATTACK,
        figure="f_measure[strict]",
        name="F, strict",
        value=figure(0.4),
        humans=figure(0.6),
    )
    versions = []
    for each in found.versions:
        layer = each.first.model_copy(update={"systems": (system,), "name": ATTACK})
        changes = f"{ATTACK}\n\n# {ATTACK}\n\n<script>ran(14)</script>\n\n{LONG_WORD}"
        versions.append(each.model_copy(update={"layers": (layer,), "changes": changes}))
    attacks = tuple(f"{ATTACK}{name}" for name in (1, 2))
    people = (Attendants(annotators=attacks, documents={"1.0": 3, "1.2": 4}),)
    groups = (
        Group(versions=("1.0",), documents=(ATTACK, LINES)),
        Group(versions=("1.0", "1.2"), documents=(LONG_WORD,)),
    )
    step = found.steps[-1].model_copy(update={"left": (ATTACK,), "joined": (LINES, LONG_WORD)})
    return found.model_copy(
        update={
            "versions": tuple(versions),
            "steps": (found.steps[0], step),
            "coverage": Coverage(documents=groups, annotators=people),
        }
    )


MADE: dict[str, Callable[[], History]] = {
    "one": lambda: history((0.5,)),
    "undefined": lambda: history((None, None)),
    "two": lambda: history(systems=True),
    "layers": lambda: history((0.2, -0.3, 0.6), layers=3),
    "many": lambda: history(VALUES, CATEGORIES, layers=2, systems=True),
    "hostile": hostile,
}


def write(site: Path, name: str, found: History) -> None:
    """Write a campaign's files, and stubs of the pages that they link to."""
    for file, text in campaign_files(found):
        path = site / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    stub = '<!doctype html><title>A page</title><p id="findings">'
    for each in (*found.names, *(f"compare/{one.first}...{one.second}" for one in found.comparisons)):
        (site / name / each).mkdir(parents=True)
        (site / name / each / "index.html").write_text(stub, encoding="utf-8")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("histories")
    histories = []
    for name, make in MADE.items():
        found = make()
        campaign = found.campaign.model_copy(update={"id": name})
        found = found.model_copy(update={"campaign": campaign})
        write(folder, name, found)
        histories.append(found)
    (folder / "index.html").write_text(index_html(histories), encoding="utf-8")
    return folder


def text_of(site: Path, name: str, file: str = "index.html") -> str:
    return (site / name / file).read_text(encoding="utf-8")


PAGES = ["index.html", *(f"{name}/index.html" for name in MADE)]


def test_pages_are_valid_and_their_links_lead_somewhere(site: Path) -> None:
    for name in PAGES:
        html5lib.HTMLParser(strict=True).parse((site / name).read_text(encoding="utf-8"))
        assert parsed(site / name).handlers == []
    check_ids(site)
    assert check_links(site) > 150


def test_a_page_stays_light_with_thirty_versions_and_forty_categories(site: Path) -> None:
    for name in MADE:
        assert len(FIGURE.sub("", text_of(site, name)).encode()) < LIMIT, name


@pytest.mark.browser
@pytest.mark.parametrize(
    ("name", "width", "scheme"),
    slow_but(in_turn(PAGES)),
)
def test_pages_read_well_wide_and_narrow_in_light_and_dark(
    site: Path, open_page: OpenPage, name: str, width: int, scheme: str
) -> None:
    page = open_page(width=width, color_scheme=scheme)
    seen = watched(page)
    address = (site / name).as_uri()
    page.goto(address)
    assert (seen.requests, seen.spoke) == ([address], [])
    assert violations(page) == []
    assert page.locator("h1").count() == 1
    for each in (1280, 375, 320):
        page.set_viewport_size({"width": each, "height": 900})
        assert page.evaluate(SCROLLS) == [0, 0], each


@pytest.mark.browser
@pytest.mark.parametrize("name", slow_but(["two", "many", "layers"], "many"))
def test_letters_in_figures_are_large_enough_on_a_phone(site: Path, open_page: OpenPage, name: str) -> None:
    page = open_page(width=375)
    page.goto((site / name / "index.html").as_uri())
    assert page.evaluate(SMALLEST) >= 10


@pytest.mark.browser
def test_figures_and_the_badge_are_images_of_their_own(site: Path, open_page: OpenPage) -> None:
    page = open_page()
    images = sorted(site.rglob("*.svg"))
    assert len(images) > 12
    seen = watched(page)
    for path in images:
        page.goto(path.as_uri())
        assert seen.spoke == [], path
        assert page.evaluate("document.documentElement.localName") == "svg", path
        assert page.evaluate("document.querySelectorAll('script, image, foreignObject').length") == 0


@pytest.mark.browser
def test_hostile_text_shows_as_it_is_written(site: Path, open_page: OpenPage) -> None:
    for name in ("hostile/index.html", "index.html"):
        page = open_page()
        page.goto((site / name).as_uri())
        shown = " ".join(page.evaluate("document.body.textContent").split())
        assert " ".join(ATTACK.split()) in shown
        assert page.evaluate("document.querySelectorAll('script, img, iframe').length") == 1, "ours"
        assert page.title() != "RAN"


def test_hostile_markdown_has_no_html(site: Path) -> None:
    html = (
        MarkdownIt("commonmark", {"html": True})
        .enable("table")
        .render(text_of(site, "hostile", "history.md"))
    )
    assert not re.search(r"<(script|svg|iframe|a href=.javascript)", html)
    assert html.count("<h1>") == 1


# What the page says


def test_one_version_has_no_empty_sections_and_says_what_will_be_here(site: Path) -> None:
    page = text_of(site, "one")
    assert re.findall(r'<section id="([^"]+)"', page) == ["now", "changes", "badge"]
    assert "2 annotators, 20 documents, 2,000 units." in page
    assert "Once a second version of the guidelines is declared" in page
    assert not list((site / "one").glob("figures/*"))
    assert "Change from the version before" not in page


def test_the_page_opens_with_the_newest_state_and_how_it_came_there(site: Path) -> None:
    page = text_of(site, "two")
    now = page[page.index('id="now"') : page.index("</section>")]
    assert "Krippendorff&#39;s alpha is 0.710" in now
    assert "rose from 0.400 to 0.690 on the 14 documents of both versions, by 0.290" in now
    assert "(95% interval 0.190 to 0.390)" in now
    assert "more than chance explains (p\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}0.004)" in now
    assert 'href="compare/1.0...1.1/index.html"' in now
    assert "This comparison leaves out 6 documents of 1.1 only." in now
    assert "The material differs" not in now
    assert 'href="compare/1.0...1.1/index.html"' in now
    assert "A02 left and A03 joined" in now


def test_figures_have_their_titles_in_bold_as_on_every_other_page(site: Path) -> None:
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", text_of(site, "two"), re.DOTALL)
    assert captions
    for caption in captions:
        assert re.match(r"<b>[^<]+[.:]</b>", caption), caption


def test_what_chance_may_explain_and_what_is_not_tested_say_so() -> None:
    close = history_markdown(history((0.5, 0.52)))
    assert "chance alone may do as much" in close
    broken = history_markdown(history((0.5, None)))
    assert "can't be said: a figure is undefined" in broken


def test_what_is_undefined_is_a_gap_and_no_zero(site: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(text_of(site, "many", "tables/versions.csv"))))
    assert [row["version"] for row in rows if row["value"] == ""] == ["1.7", "1.7"]
    svg = ET.fromstring(text_of(site, "many", "figures/agreement.svg"))  # noqa: S314 - our own figure
    paths = [each.attrib for each in svg.iter("{http://www.w3.org/2000/svg}path")]
    joints = [each["d"] for each in paths if "L" in each["d"] and each["stroke"] == LIGHT["series-1"]]
    assert "".join(joints).count("M") == 4, "two stretches of each of two layers"


def test_lines_are_not_joined_where_the_coefficient_is_another() -> None:
    other = state(0.6).model_copy(update={"coefficient": "cohen_kappa", "name": "Cohen's kappa"})
    found = history((0.4, 0.6))
    changed = (found.versions[0], version("1.1", 0.6, layers=(other,)))
    files = dict(campaign_files(found.model_copy(update={"versions": changed})))
    assert "L" not in "".join(re.findall(r' d="([^"]+)"', files["figures/agreement.svg"]))
    assert re.search("<th[^>]*>Coefficient<", files["index.html"])


def test_versions_stand_in_their_order_and_not_by_name(site: Path) -> None:
    page = text_of(site, "many")
    changes = page[page.index('<section id="changes"') :]
    newest, *listed = re.findall(r"<em>([^<]+)</em> changed", changes)
    assert newest == "1.29"
    assert listed == [f"1.{place}" for place in range(28, -1, -1)]
    linked = re.findall(r'<a href="([^/]+)/index.html">Report of', changes)
    assert linked == listed


def test_many_versions_say_which_are_not_compared(site: Path) -> None:
    page = text_of(site, "many")
    assert "406 pairs of versions have no such page" in page
    assert "<code>reportgen compare campaigns/many 1.0 1.2</code>" in page
    assert "406 pairs of versions have no such page" in text_of(site, "many", "history.md")


def test_other_material_is_a_warning_only_where_the_comparison_rests_on_it() -> None:
    found = history()
    step = found.steps[0]
    layer = step.layers[0]
    apart = layer.model_copy(update={"coefficient": layer.coefficient.model_copy(update={"basis": "all"})})
    other = found.model_copy(update={"steps": (step.model_copy(update={"layers": (apart,)}),)})
    said = history_markdown(other)
    assert "The material differs: 14 documents of both and 6 documents of 1.1 only." in said
    assert "leaves out" not in said


def test_what_warns_is_introduced_once_in_markdown() -> None:
    found = history()
    step = found.steps[0].model_copy(update={"edited": 1})
    said = history_markdown(found.model_copy(update={"steps": (step,)}))
    assert said.count("Before reading this as better or worse guidelines") == 1


def test_a_category_without_a_figure_under_the_versions_shown_has_no_row() -> None:
    found = history((0.4, 0.5, 0.6, 0.7, 0.8))
    versions = list(found.versions)
    layer = versions[1].first
    versions[1] = versions[1].model_copy(update={"layers": (state(0.5, ("Former", "New", "Once")),)})
    page = dict(campaign_files(found.model_copy(update={"versions": tuple(versions)})))["index.html"]
    table = page[page.index('id="table-categories-main"') :]
    assert layer.layer == "main"
    assert "Once" in page
    assert "Once" not in table[: table.index("</table>")]
    assert "of 5 versions the first and the last two" in page


def test_a_model_is_called_one_beside_its_pseudonym() -> None:
    found = history(systems=True)
    versions = []
    for each in found.versions:
        own = each.first.systems[0].model_copy(update={"system": "A02", "role": "model"})
        layer = each.first.model_copy(update={"systems": (own,)})
        versions.append(each.model_copy(update={"layers": (layer,)}))
    assert "| A02 (model) |" in history_markdown(found.model_copy(update={"versions": tuple(versions)}))


def test_nobody_under_every_version_is_said_in_a_word() -> None:
    people = tuple(
        Attendants(annotators=(name,), documents={version: 3})
        for name, version in (("A01", "1.0"), ("A02", "1.1"))
    )
    found = history().model_copy(update={"coverage": Coverage(documents=(), annotators=people)})
    assert "2 annotators, none of them under every version" in history_markdown(found)


def test_documents_are_counted_by_their_versions_and_listed_in_a_file() -> None:
    groups = (
        Group(versions=("1.0", "1.1"), documents=tuple(f"d{place}" for place in range(12))),
        Group(versions=("1.1",), documents=tuple(f"e{place}" for place in range(1036))),
    )
    many = history().model_copy(update={"coverage": Coverage(documents=groups)})
    files = dict(campaign_files(many))
    assert "1,048 documents: 1,036 in 1.1 only; 12 in every version." in files["index.html"]
    assert files["tables/documents.csv"].count("\n") == 1 + 1036 + 24


def test_csv_files_hold_every_figure(site: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(text_of(site, "many", "tables/specific-agreement.csv"))))
    assert len(rows) == 30 * 40 * 2
    changes = list(csv.DictReader(io.StringIO(text_of(site, "two", "tables/changes.csv"))))
    assert [row["category"] for row in changes] == ["", "Former", "New"]
    assert changes[0]["p"] == "0.004"
    systems = list(csv.DictReader(io.StringIO(text_of(site, "two", "tables/systems.csv"))))
    assert [(row["version"], row["release"]) for row in systems] == [("1.0", "0"), ("1.1", "1")]


def test_the_list_of_campaigns_is_by_id_and_says_how_to_begin(site: Path) -> None:
    page = (site / "index.html").read_text(encoding="utf-8")
    assert re.findall(r'<h2><a href="([^/]+)/', page) == sorted(MADE)
    for link in ("two/badge.svg", "two/feed.xml", "two/1.1/index.html"):
        assert f'href="{link}"' in page
    assert "0.710 [0.630, 0.790]" in page
    assert "rose from 0.400 to 0.690" in page
    empty = index_html([])
    assert "reportgen build" in empty
    assert "reportgen init" in empty


def test_a_mean_without_an_interval_is_drawn_without_one() -> None:
    layer = state(0.5).model_copy(update={"f_measure": Figure(value=0.6)})
    found = history((0.4, 0.5))
    versions = (found.versions[0], version("1.1", 0.5, layers=(layer,)))
    files = dict(campaign_files(found.model_copy(update={"versions": versions})))
    marks = re.findall(r"<g><title>.*?</g>", files["figures/f-measure.svg"])
    assert marks
    assert all("<circle" in each and "<path" not in each for each in marks)
