"""Chromium opens pages from disk as the tests ask for them."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.conftest import OpenPage

pytestmark = pytest.mark.browser

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'">
<title>Agreement</title>
<main><h1>κ = .80</h1></main>
<script>document.querySelector("h1").textContent = "scripted"</script>
</html>
"""


@pytest.fixture
def address(tmp_path: Path) -> str:
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return path.as_uri()


@pytest.mark.slow
def test_a_page_opens_from_disk_without_network(open_page: OpenPage, address: str) -> None:
    page = open_page()
    page.goto(address)
    assert page.title() == "Agreement"
    assert page.inner_text("h1") == "scripted"


@pytest.mark.slow
def test_scripts_can_be_switched_off(open_page: OpenPage, address: str) -> None:
    page = open_page(java_script_enabled=False)
    page.goto(address)
    assert page.inner_text("h1") == "κ = .80"


def test_a_page_can_be_narrow_and_dark(open_page: OpenPage, address: str) -> None:
    page = open_page(width=375, color_scheme="dark")
    page.goto(address)
    assert page.evaluate("[innerWidth, matchMedia('(prefers-color-scheme: dark)').matches]") == [375, True]


@pytest.mark.slow
def test_axe_runs_under_a_content_security_policy(open_page: OpenPage, address: str) -> None:
    page = open_page()
    page.goto(address)
    assert Axe().run(page).response["violations"] == []
