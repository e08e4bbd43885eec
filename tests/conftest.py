"""What all tests share: the worked cases, a folder that anybody may enter, and pages opened in Chromium."""

import functools
import gc
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

import tests.properties  # noqa: F401 - its profiles
from tests.sites import once

CHECKOUT = Path(__file__).resolve().parent.parent
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

# The profiles of tests/properties.py try the same examples each time: `make test-all` the thorough one, and
# `pytest --hypothesis-profile=all` twice as many. `--hypothesis-profile=default` looks for new ones.
hypothesis.settings.load_profile("quick")

OpenPage = Callable[..., Page]


def pytest_collection_finish() -> None:
    """Look for cycles as seldom as the command line does, and never among modules and collected tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)


def pytest_unconfigure() -> None:
    """Let go of modules again: at the end DuckDB lists in 45 lines what it thinks is left of it."""
    gc.unfreeze()


@pytest.fixture(scope="session")
def example_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of both example campaigns, for all tests that read it: nobody changes a file of it."""
    own = tmp_path_factory.getbasetemp()
    return once(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)


@pytest.fixture(scope="session")
def shared_or_none() -> Path | None:
    """The folder `shared` beside the checkout, or REPORTGEN_SHARED, for what it adds to a test."""
    folder = Path(os.environ.get("REPORTGEN_SHARED") or CHECKOUT.parent / "shared")
    return folder if folder.is_dir() else None


@pytest.fixture(scope="session")
def shared(shared_or_none: Path | None) -> Path:
    """The folder `shared`: cases that are not ours to ship. Without it, the test is skipped, loudly."""
    if shared_or_none is None:
        pytest.skip("NOT TESTED against the worked cases: no folder 'shared' beside the checkout")
    return shared_or_none


@pytest.fixture
def anybodys() -> Iterator[Path]:
    """A folder that anybody may enter, for what is done by somebody who is not root."""
    root = Path(tempfile.mkdtemp(prefix="reportgen-"))
    root.chmod(0o777)
    yield root
    for path in root.rglob("*"):
        if path.is_dir():
            path.chmod(stat.S_IRWXU)
    shutil.rmtree(root)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One Chromium for the whole run: REPORTGEN_CHROMIUM, else one on PATH, else playwright's own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium_path(playwright), args=list(CHROMIUM_ARGUMENTS)
        )
        yield browser
        browser.close()


def chromium_path(playwright: Playwright) -> str | None:
    """Return where Chromium is, None for playwright's own."""
    if named := os.environ.get("REPORTGEN_CHROMIUM"):
        return named
    if found := next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None):
        return found
    if not Path(playwright.chromium.executable_path).exists():
        pytest.skip("NOT TESTED in a browser: no Chromium; 'make test' installs one")
    return None


@pytest.fixture(scope="session")
def contexts(chromium: Browser) -> Callable[..., BrowserContext]:
    """Return a function that has one browser context of each kind: our pages keep nothing in it."""

    @functools.cache
    def context(
        width: int, height: int, color_scheme: str, *, scripts: bool, offline: bool
    ) -> BrowserContext:
        return chromium.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if color_scheme == "dark" else "light",
            java_script_enabled=scripts,
            offline=offline,
        )

    return context


@pytest.fixture
def open_page(contexts: Callable[..., BrowserContext]) -> Iterator[OpenPage]:
    """Return a function that opens a blank page, offline unless told."""
    pages: list[Page] = []

    def open_one(
        *,
        width: int = 1280,
        height: int = 900,
        color_scheme: str = "light",
        java_script_enabled: bool = True,
        offline: bool = True,
    ) -> Page:
        context = contexts(width, height, color_scheme, scripts=java_script_enabled, offline=offline)
        pages.append(context.new_page())
        return pages[-1]

    yield open_one
    for page in pages:
        page.close()


@pytest.fixture
def unprotected(chromium: Browser) -> Iterator[Page]:
    """A page without the protection of its Content-Security-Policy, where attacks have their function."""
    context = chromium.new_context(bypass_csp=True, offline=True)
    context.add_init_script("window.ran = n => { document.title = 'RAN'; alert(n); };")
    yield context.new_page()
    context.close()
