"""A campaign's page and the list of campaigns in Chromium, for everybody, with hostile text too."""

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import html5lib
import pytest

from reportgen.figures import drawing
from reportgen.figures.lines import lines_of_strict_f, plot_of
from reportgen.figures.style import LIGHT
from reportgen.report.site import index_html
from reportgen.results import Figure
from reportgen.results.versions import History
from tests.commands import on_disk
from tests.conftest import OpenPage
from tests.pages import SCROLLS, SMALLEST, check_ids, check_links, in_turn, parsed, violations, watched
from tests.present import present
from tests.rendered import campaign_files, rows_of
from tests.report.made_history import history, state, version

pytestmark = pytest.mark.slow

LIMIT = 150_000
FIGURE = re.compile(r"<svg.*?</svg>", re.DOTALL)
CATEGORIES = tuple(f"Category {place}" for place in range(40))
VALUES = tuple(None if place == 7 else 0.3 + 0.02 * place for place in range(30))


MADE: dict[str, Callable[[], History]] = {
    "one": lambda: history((0.5,)),
    "undefined": lambda: history((None, None)),
    "two": lambda: history(systems=True),
    "layers": lambda: history((0.2, -0.3, 0.6), layers=3),
    "many": lambda: history(VALUES, CATEGORIES, layers=2, systems=True),
}


def write(site: Path, name: str, found: History) -> None:
    """Write a campaign's files, and stubs of the pages that they link to."""
    stub = '<!doctype html><title>A page</title><p id="verdict">'
    places = (*found.names, *(f"compare/{one.first}...{one.second}" for one in found.comparisons))
    stubs = {f"{each}/index.html": stub for each in places}
    on_disk(site / name, {**dict(campaign_files(found)), **stubs})


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


def test_pages_are_valid_and_light_and_their_links_lead_somewhere(site: Path) -> None:
    for name in PAGES:
        text = (site / name).read_text(encoding="utf-8")
        html5lib.HTMLParser(strict=True).parse(text)
        assert len(FIGURE.sub("", text).encode()) < LIMIT, name
        assert parsed(site / name).handlers == []
    check_ids(site)
    assert check_links(site) > 150


@pytest.mark.browser
@pytest.mark.parametrize(("name", "width", "scheme"), in_turn(PAGES))
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
        if each == 375 and page.locator("figure svg text:visible").count():
            assert page.evaluate(SMALLEST) >= 10


@pytest.mark.browser
def test_figures_and_the_badge_are_images_of_their_own(site: Path, open_page: OpenPage) -> None:
    page = open_page()
    images = sorted(site.rglob("*.svg"))
    assert len(images) >= 8
    seen = watched(page)
    for path in images:
        page.goto(path.as_uri())
        assert seen.spoke == [], path
        assert page.evaluate("document.documentElement.localName") == "svg", path
        assert page.evaluate("document.querySelectorAll('script, image, foreignObject').length") == 0


# What the page says


def test_one_version_has_no_empty_sections_and_many_say_what_is_not_compared(site: Path) -> None:
    page = text_of(site, "one")
    assert re.findall(r'<section id="([^"]+)"', page) == ["now", "changes"]
    assert "Once a second version of the guidelines is declared" in page
    assert not list((site / "one").glob("figures/*"))
    now = text_of(site, "two").partition('id="verdict"')[2].partition("</header>")[0]
    assert "rose from 0.400 to 0.690 on the 14 documents of both versions, by 0.290" in now
    assert 'href="compare/1.0...1.1/index.html"' in now
    assert "406 pairs of versions have no such page" in text_of(site, "many")
    assert re.findall(r'<h2><a href="([^/]+)/', text_of(site, "")) == sorted(MADE)
    assert "reportgen init" in index_html([])


def test_what_is_undefined_is_a_gap_and_no_zero(site: Path) -> None:
    rows = rows_of(text_of(site, "many", "tables/versions.csv"))
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
    drawn, older = page.split('<ol class="notes">')[1].split("</ol>", 1)
    # The newest are below the line, others behind it, the newest first.
    assert re.findall(r"<b>([^<]+)</b>", drawn) == [f"1.{place}" for place in range(21, 30)]
    listed = re.findall(r"<em>([^<]+)</em> changed", older)
    assert listed == [f"1.{place}" for place in range(20, -1, -1)]


def test_csv_files_hold_every_figure(site: Path) -> None:
    assert len(rows_of(text_of(site, "many", "tables/specific-agreement.csv"))) == 30 * 40 * 2
    changes = rows_of(text_of(site, "two", "tables/changes.csv"))
    assert (changes[0]["category"], changes[0]["p"]) == ("", "0.004")
    systems = rows_of(text_of(site, "two", "tables/systems.csv"))
    assert [(row["version"], row["release"]) for row in systems] == [("1.0", "0"), ("1.1", "1")]


def test_a_mean_without_an_interval_is_drawn_without_one() -> None:
    layer = state(0.5).model_copy(update={"f_measure": Figure(value=0.6)})
    found = history((0.4, 0.5))
    versions = (found.versions[0], version("1.1", 0.5, layers=(layer,)))
    whole = found.model_copy(update={"versions": versions})
    drawn = present(drawing("f", plot_of(whole, lines_of_strict_f(whole)[0])))
    marks = re.findall(r"<g><title>.*?</g>", drawn.svg)
    assert marks
    assert all("<circle" in each and "<path" not in each for each in marks)
