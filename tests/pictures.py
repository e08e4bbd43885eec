"""The pictures of README and docs, taken of the site as it was built: `make pictures`."""

import io
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests import commands
from tests.conftest import CHROMIUM_ARGUMENTS, chromium_path
from tests.six_subjects import campaign

ROOT = Path(__file__).resolve().parent.parent
TEXTS, TABLE = "gene-renaming-in-texts", "gene-renaming"
SITE = Path(os.environ.get("REPORTGEN_SITE") or ROOT / "site")
COLOURS = 256
# Campaigns made for the gallery, one for each subject that those of the site do not have.
MADE: Mapping[str, str] = {
    "crowd": "Moods of messages",
    "judge": "Harmful answers, by a model",
    "recordings": "Sounds in interviews",
    "stability": "Poems labelled twice",
    "systems": "Places in news",
}


@dataclass(frozen=True)
class Picture:
    """One picture: a page of the site, from the top of an element or of the page, so wide and so high."""

    name: str
    page: str
    width: int
    height: int
    scheme: Literal["light", "dark"] = "light"
    start: str = "body"


PICTURES = (
    Picture("report", f"{TABLE}/1.0/index.html", 1200, 760),
    Picture("french", f"{TABLE}/1.0/fr/index.html", 1200, 760, "dark"),
    Picture("size-curve", f"{TABLE}/1.0/index.html", 1100, 620, start="#size-curve"),
    Picture("document", f"{TEXTS}/1.0/documents/D0005.html", 1000, 760),
    Picture("marks", f"{TEXTS}/1.0/index.html", 1200, 900),
    Picture("disagreements", f"{TEXTS}/1.0/disagreements/names~marked.html", 1000, 760),
    Picture("clarify", f"{TEXTS}/1.0/clarify/index.html", 1000, 760),
    Picture("quality", f"{TEXTS}/1.0/quality/index.html", 1000, 760),
    Picture("history", f"{TEXTS}/index.html", 1200, 1000),
    Picture("comparison", f"{TEXTS}/compare/0.9...1.0/index.html", 1200, 1000),
)
SUBJECTS = tuple(Picture(f"subject-{name}", f"{name}/1.0/index.html", 1200, 620) for name in MADE)


@contextmanager
def opened(picture: Picture, site: Path) -> Iterator[Page]:
    """Open a picture's page of a site in Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium_path(playwright), args=list(CHROMIUM_ARGUMENTS)
        )
        size = {"width": picture.width, "height": picture.height}
        page = browser.new_context(viewport=size, color_scheme=picture.scheme).new_page()  # type: ignore[arg-type]
        page.goto((site / picture.page).as_uri())
        yield page
        browser.close()


def taken(picture: Picture, site: Path) -> bytes:
    """Return a picture as a small PNG."""
    with opened(picture, site) as page:
        top = page.locator(picture.start).first.evaluate(
            "each => { each.open = true; return each.getBoundingClientRect().top + scrollY; }"
        )
        clip = {"x": 0, "y": top, "width": picture.width, "height": picture.height}
        shot = page.screenshot(full_page=True, clip=clip)  # type: ignore[arg-type]
    buffer = io.BytesIO()
    Image.open(io.BytesIO(shot)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(
        buffer, "PNG", optimize=True
    )
    return buffer.getvalue()


def built(folder: Path) -> Path:
    """Build the campaigns made for the gallery and return their site."""
    for name, title in MADE.items():
        toml = campaign(folder / "campaigns", name) / "campaign.toml"
        toml.write_text(toml.read_text(encoding="utf-8").replace("A campaign", title), encoding="utf-8")
    site = folder / "site"
    commands.run("build", *(str(folder / "campaigns" / name) for name in MADE), "--out", str(site))
    return site


def main() -> None:
    """Take all pictures."""
    with tempfile.TemporaryDirectory() as folder:
        site = built(Path(folder))
        for each in (*PICTURES, *SUBJECTS):
            picture = taken(each, site if each in SUBJECTS else SITE)
            (ROOT / "docs" / f"{each.name}.png").write_bytes(picture)


if __name__ == "__main__":
    main()
