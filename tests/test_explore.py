"""Explore the choice: a slider moves coefficients along the size curve, and says what results.json says."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from reportgen.pipeline.build import build_site
from reportgen.results import Results, SizeCurve
from reportgen.words import numbers
from reportgen.words.language import Edition, writing
from tests.campaigns import written
from tests.conftest import OpenPage
from tests.slowly import slow_but

pytestmark = pytest.mark.browser

MOVED = ("cohen_kappa", "scott_pi", "krippendorff_alpha", "bennett_s")
# All values of a small table end in fives somewhere: 16 and 32 units give exact ties.
MATRIX = 'A2\\A1,a,b,"not, ever"\na,3,1,0\nb,1,2,1\n"not, ever",0,1,7\n'
TOML = 'language = ["fr", "en"]\n[task]\nnon_annotated = "not, ever"\n'


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, example_site: Path) -> Path:
    folder = tmp_path_factory.mktemp("explored")
    small = written(folder / "small", TOML, {"exports/1.0/m.csv": MATRIX})
    build_site([small], folder / "site")
    (folder / "site" / "gene-renaming").symlink_to(example_site / "gene-renaming")
    return folder / "site"


def curve_of(version: Path) -> SizeCurve:
    results = Results.model_validate_json((version / "results.json").read_text(encoding="utf-8"))
    found = [each.size_curve for each in results.unit_sets if each.size_curve]
    return max(found, key=lambda each: each.declared)


def shown(page: Page) -> dict[str, str]:
    """Return the figures that stand beside the slider."""
    found: dict[str, str] = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("[data-moved]")]
        .map(each => [each.dataset.moved.split(" ")[0], each.querySelector("b").textContent]))"""
    )
    return found


def at_sizes(page: Page, sizes: tuple[int, ...]) -> list[dict[str, str]]:
    """Return the figures at each size, written into the field beside the slider."""
    found: list[dict[str, str]] = page.evaluate(
        """sizes => sizes.map(size => {
          const field = document.querySelector(".explore [type=number]");
          field.value = size;
          field.dispatchEvent(new Event("input"));
          return Object.fromEntries([...document.querySelectorAll("[data-moved]")]
            .map(each => [each.dataset.moved.split(" ")[0], each.querySelector("b").textContent]));
        })""",
        list(sizes),
    )
    return found


def expected(curve: SizeCurve) -> Iterator[dict[str, str]]:
    for place in range(len(curve.sizes)):
        yield {name: numbers.figure(curve.values[name][place]) for name in MOVED}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page_of", "tongue"),
    slow_but(
        [("gene-renaming/1.0", "en"), ("small/1.0", "fr"), ("small/1.0/en", "en")],
        ("gene-renaming/1.0", "en"),
        ("small/1.0", "fr"),
    ),
)
def test_figures_are_those_of_results_at_every_size(
    site: Path, open_page: OpenPage, page_of: str, tongue: str
) -> None:
    page = open_page()
    page.goto((site / page_of / "index.html").as_uri())
    curve = curve_of(site / page_of.removesuffix("/en"))
    with writing(Edition(tongue)):
        assert at_sizes(page, curve.sizes) == list(expected(curve))


def slide(page: Page, place: int) -> None:
    page.locator(".explore [type=range]").fill(str(place))


def told(page: Page) -> str:
    return page.locator(".explore output > span").first.inner_text()


@pytest.mark.slow
def test_the_slider_goes_from_nothing_unmarked_over_the_unit_sets_to_the_limit(
    site: Path, open_page: OpenPage
) -> None:
    page = open_page()
    page.goto((site / "gene-renaming" / "1.0" / "index.html").as_uri())
    page.locator("#size-curve > summary").click()
    curve = curve_of(site / "gene-renaming" / "1.0")
    assert told(page) == "19,054 units: the size of tokens"
    slide(page, 0)
    assert told(page) == "214 units: only those that somebody marked"
    assert shown(page) == next(expected(curve))
    place = page.locator('.explore option[label="gene-names"]').get_attribute("value")
    slide(page, int(place or 0))
    assert told(page) == "1,165 units: the size of gene-names"
    assert page.locator(".explore [type=range]").get_attribute("aria-valuetext") == told(page)
    slide(page, 241)
    assert told(page) == "Without bound: the limit"
    assert shown(page) == {name: numbers.figure(curve.limit[name]) for name in MOVED}


@pytest.mark.slow
def test_keys_move_it_and_a_marker_moves_along_the_curve(site: Path, open_page: OpenPage) -> None:
    page = open_page()
    page.goto((site / "gene-renaming" / "1.0" / "index.html").as_uri())
    page.locator("#size-curve > summary").click()
    kappa = page.locator("circle.explored[stroke='var(--series-4)']")
    before = [float(kappa.get_attribute(name) or 0) for name in ("cx", "cy")]
    page.locator(".explore [type=range]").focus()
    page.keyboard.press("Home")
    after = [float(kappa.get_attribute(name) or 0) for name in ("cx", "cy")]
    assert after[0] < before[0]
    assert after[1] > before[1]
    page.locator(".explore").get_by_role("button", name="gene-names").click()
    assert told(page) == "1,165 units: the size of gene-names"


@pytest.mark.slow
def test_without_scripts_nothing_of_it_is_shown(site: Path, open_page: OpenPage) -> None:
    page = open_page(java_script_enabled=False)
    page.goto((site / "gene-renaming" / "1.0" / "index.html").as_uri())
    page.locator("#size-curve > summary").click()
    assert not page.locator(".explore").is_visible()
    page.locator("#size-curve summary").nth(1).click()
    assert page.locator("#size-curve table").first.is_visible()
    assert page.locator("#size-curve figure svg").is_visible()


@pytest.mark.slow
def test_letters_of_figures_are_eleven_pixels_high_on_a_phone(site: Path, open_page: OpenPage) -> None:
    page = open_page(width=375)
    page.goto((site / "gene-renaming" / "1.0" / "index.html").as_uri())
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    sizes: list[float] = page.evaluate(
        """() => [...document.querySelectorAll("figure svg")]
          .filter(svg => svg.checkVisibility()).flatMap(svg => {
          const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
          return [...svg.querySelectorAll("text")]
            .map(each => parseFloat(getComputedStyle(each).fontSize) * scale);
        })"""
    )
    assert len(sizes) > 12
    assert min(sizes) >= 11


@pytest.mark.slow
def test_no_letter_of_a_figure_stands_outside_it(site: Path, open_page: OpenPage) -> None:
    for width in (375, 1280):
        page = open_page(width=width)
        page.goto((site / "small" / "1.0" / "index.html").as_uri())
        cut: list[str] = page.evaluate(
            """() => [...document.querySelectorAll("figure svg")].flatMap(svg => {
              const frame = svg.getBoundingClientRect();
              return [...svg.querySelectorAll("text")].filter(each => {
                const box = each.getBoundingClientRect();
                return box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 2;
              }).map(each => each.textContent);
            })"""
        )
        assert cut == []
