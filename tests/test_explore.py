"""Explore the choice: a slider moves coefficients along the size curve, and says what results.json says."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from reportgen.results import Results, SizeCurve
from reportgen.words import numbers
from tests.conftest import OpenPage
from tests.slowly import slow_in_chromium

pytestmark = pytest.mark.browser

MOVED = ("cohen_kappa", "scott_pi", "krippendorff_alpha", "bennett_s")


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


def told(page: Page) -> str:
    return page.locator(".explore output > span").first.inner_text()


@slow_in_chromium
def test_the_slider_goes_from_marked_units_to_the_limit(example_site: Path, open_page: OpenPage) -> None:
    """That it says the right figures at each size is in tests/report/test_hard_slider.py."""
    page, version = open_page(), example_site / "gene-renaming" / "1.0"
    page.goto((version / "index.html").as_uri())
    page.locator("#size-curve > summary").click()
    curve = curve_of(version)
    assert told(page) == "19,054 units: the size of tokens"
    marker = page.locator("circle.explored[stroke='var(--series-4)']")
    before = [float(marker.get_attribute(name) or 0) for name in ("cx", "cy")]
    page.locator(".explore [type=range]").focus()
    page.keyboard.press("Home")
    after = [float(marker.get_attribute(name) or 0) for name in ("cx", "cy")]
    assert (after[0] < before[0], after[1] > before[1]) == (True, True)
    assert told(page) == "214 units: only those that somebody marked"
    assert shown(page) == {name: numbers.figure(curve.values[name][0]) for name in MOVED}
    page.locator(".explore").get_by_role("button", name="gene-names").click()
    assert told(page) == "1,165 units: the size of gene-names"
    assert page.locator(".explore [type=range]").get_attribute("aria-valuetext") == told(page)
    page.locator(".explore [type=range]").fill("241")
    assert told(page) == "Without bound: the limit"
    assert shown(page) == {name: numbers.figure(curve.limit[name]) for name in MOVED}
