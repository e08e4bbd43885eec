"""The one file of a bundle that is to be read in ten years opens alone, and wants nothing."""

from pathlib import Path

import pytest

from reportgen.publish.bundle import BundleOptions
from tests.bundled import of
from tests.conftest import OpenPage
from tests.pages import watched
from tests.slowly import slow_but

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# What a reader would miss: pictures that did not come, and words that are not there.
MISSING = "[...document.images].filter(each => !each.complete || !each.naturalWidth).length"


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the file and nothing else."""
    folder = tmp_path_factory.mktemp("alone")
    (folder / "report.html").write_bytes(of(BundleOptions()).files["report/report.html"])
    return folder


@pytest.mark.parametrize("scripts", slow_but([(True,), (False,)], (False,)))
def test_the_file_opens_in_an_empty_folder_and_asks_for_nothing(
    alone: Path, open_page: OpenPage, *, scripts: bool
) -> None:
    address = (alone / "report.html").as_uri()
    page = open_page(java_script_enabled=scripts)
    seen = watched(page)
    page.goto(address, wait_until="networkidle")
    assert (seen.requests, seen.spoke) == ([address], [])
    assert page.locator("h1").first.is_visible()
    assert page.locator("svg").count() > 0
    if scripts:
        assert page.evaluate(MISSING) == 0
