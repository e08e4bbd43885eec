"""Pages of single layers: all but the one whose evidence is on the page of the report."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import html5lib
import pytest

from reportgen.pipeline.version_reports import Report
from reportgen.report.escaping import climbing
from reportgen.report.site import pages, version_pages
from reportgen.report.view import ReportView
from reportgen.words.language import Edition, writing
from tests.campaigns import report_of, results, written
from tests.conftest import OpenPage
from tests.pages import SCROLLS, check_ids, check_links, parsed, violations, watched
from tests.rendered import write_version
from tests.slowly import slow_but

pytestmark = pytest.mark.slow

LANGUAGES = ("en", "fr")
HEAVIEST, HEAVIEST_FILE = 150_000, 400_000
LAYERS = [f"l{number}" for number in range(7)]
# Two annotators label this one, which has tests of symmetry therefore.
ALONE = "l6"
# Folded parts are looked at too.
UNFOLD = "document.querySelectorAll('details').forEach(each => { each.open = true })"
EVIL = "<script>alert(1)</script>"


def export(draw: random.Random) -> Iterator[str]:
    """Yield rows of seven layers of twelve categories; two label all of them, a third all but the last."""
    yield f"item,document,worker,{','.join(LAYERS)}"
    for unit in range(240):
        true = {name: draw.randrange(12) for name in LAYERS}
        for who in "ABC":
            said = {name: true[name] if draw.random() < 0.7 else draw.randrange(12) for name in LAYERS}
            cells = ["" if who == "C" and name == ALONE else f"{name}-{said[name]:02}" for name in LAYERS]
            yield ",".join([f"u{unit}", f"d{unit // 12}", who, *cells])


@pytest.fixture(scope="module")
def seven(tmp_path_factory: pytest.TempPathFactory) -> Report:
    toml = f"language = {list(LANGUAGES)}\n" + "".join(
        f'[[layers]]\nid = "layer-{name}"\nsource = "{name}"\n' for name in LAYERS
    )
    text = "\n".join(export(random.Random(7)))  # noqa: S311 - a test's data
    return report_of(
        written(tmp_path_factory.mktemp("seven") / "campaign", toml, {"exports/1.0/e.csv": text})
    )


@pytest.fixture(scope="module")
def site(seven: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "campaign/1.0"
    write_version(folder, seven.results, seven.beside, seven.texts)
    for name, text in version_pages(seven.results, seven.beside, seven.texts, LANGUAGES):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for up in (folder.parent, folder.parent / "fr"):
        up.mkdir(exist_ok=True)
        (up / "index.html").write_text("<!doctype html><title>Up</title>", encoding="utf-8")
    return folder


def weight(path: Path) -> int:
    """Return how heavy a page is without its drawings."""
    return len(re.sub(r"<svg.*?</svg>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL).encode())


def test_no_page_of_seven_layers_is_heavier_than_a_page_may_be(site: Path) -> None:
    for folder in (site, site / "fr"):
        names = ["index.html", *(f"layers/{page.name}" for page in (folder / "layers").iterdir())]
        assert len(names) == len(LAYERS)
        assert max(weight(folder / name) for name in names) <= HEAVIEST
        assert (folder / "report.html").stat().st_size <= HEAVIEST_FILE
        # Of so many layers one file has what their first pages have, and says so.
        alone = (folder / "report.html").read_text(encoding="utf-8")
        assert all(f'id="table-coefficients~layer-{name}"' in alone for name in LAYERS)
        assert "report.md." in alone[: alone.index("<main")]


def test_every_link_of_their_pages_leads_somewhere(site: Path) -> None:
    assert check_links(site.parent) > 500
    check_ids(site.parent)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_layer_has_a_row_on_the_first_page_that_leads_to_its_page(site: Path, language: str) -> None:
    folder = site if language == "en" else site / "fr"
    page = parsed(folder / "index.html")
    leading = [target for _, target in page.links if target.startswith("layers/")]
    others = {target.partition("#")[0] for target in leading}
    assert len(others) == len(LAYERS) - 1
    assert others < {f"layers/layer-{name}.html" for name in LAYERS}
    rows = re.search(r'id="table-layers".*?</table>', (folder / "index.html").read_text("utf-8"), re.DOTALL)
    assert rows
    assert rows[0].count("<tr>") == 1 + len(LAYERS)
    assert page.ids.count("confusion-matrix") == 1
    (shown,) = (name for name in page.ids if name.startswith("table-coefficients~"))
    assert f"layers/{shown.partition('~')[2]}.html" not in others


@pytest.mark.parametrize(
    "name",
    slow_but(["index.html", "fr/layers/layer-l6.html"]),
)
def test_their_pages_are_valid_and_have_no_axe_violation(site: Path, open_page: OpenPage, name: str) -> None:
    html5lib.HTMLParser(strict=True).parse((site / name).read_text(encoding="utf-8"))
    page = open_page(width=320)
    seen = watched(page)
    page.goto((site / name).as_uri())
    page.evaluate(UNFOLD)
    assert violations(page) == []
    assert seen.spoke == []
    assert page.evaluate(SCROLLS) == [0, 0]


@pytest.mark.parametrize(("layers", "expected"), [(1, 0), (2, 1)])
def test_each_layer_but_the_first_has_a_page_of_its_own(tmp_path: Path, layers: int, expected: int) -> None:
    toml = "".join(f'[[layers]]\nid = "{name}"\nsource = "{name}"\n' for name in "ab"[:layers])
    rows = [f"u{u},{who},{'xy'[u % 2]},{'xy'[u % 3 == 0]}" for u in range(30) for who in "AB"]
    found = results(tmp_path, toml, "\n".join(["item,worker,a,b", *rows]))
    names = [name for name, _ in version_pages(found, ())]
    assert names.count("index.html") == 1
    assert sum(name.startswith("layers/") for name in names) == expected


def test_hostile_labels_run_nothing_on_a_layer_s_page(tmp_path: Path) -> None:
    toml = '[[layers]]\nid = "a"\nsource = "a"\n[[layers]]\nid = "b"\nsource = "b"\n'
    rows = [f"u{u},{who},x,{EVIL if (u + n) % 3 else 'y'}" for u in range(30) for n, who in enumerate("AB")]
    found = results(tmp_path, toml, "\n".join(["item,worker,a,b", *rows]))
    for language in LANGUAGES:
        with writing(Edition(language)):
            made = dict(pages(ReportView(found)))
        assert len(made) == 2
        assert any("&lt;script&gt;" in text for text in made.values())
        assert all(EVIL not in text for text in made.values())


@pytest.mark.parametrize(
    ("link", "climbed"),
    [
        ('<a class="file" href="tables/a.csv">', '<a class="file" href="../tables/a.csv">'),
        ('<a href="../index.html">', '<a href="../../index.html">'),
        ('<a href="#data">', '<a href="#data">'),
        ('<a href="https://doi.org/1">', '<a href="https://doi.org/1">'),
        ('<a href="mailto:a@b">', '<a href="mailto:a@b">'),
        ('<p>href="a"</p>', '<p>href="a"</p>'),
        ('<p>&lt;a href="a"</p>', '<p>&lt;a href="a"</p>'),
    ],
)
def test_links_of_sections_climb_to_the_folder_of_the_version(link: str, climbed: str) -> None:
    assert climbing(link) == climbed
