"""A report in several languages: the first where there is only one, others in their own folder, data once."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from reportgen.pipeline.build import build_site
from reportgen.words.language import Edition, edition, editions, in_languages, writing
from tests.commands import files
from tests.pages import check_links
from tests.sites import some_of_the_texts

pytestmark = pytest.mark.slow

DATA = ("results.json", "texts.json", "history.json", "comparison.json", "changed.json", "SHA256SUMS")
PAGES = (".html", ".md", ".svg", ".tex", ".bib", ".xml")


def _campaign(folder: Path, languages: str) -> Path:
    some_of_the_texts(folder / "in-texts", 10)
    toml = folder / "in-texts" / "campaign.toml"
    toml.write_text(f"language = {languages}\n{toml.read_text(encoding='utf-8')}", encoding="utf-8")
    return folder / "in-texts"


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the campaign's part of a site in English."""
    folder = tmp_path_factory.mktemp("en")
    build_site([_campaign(folder, '"en"')], folder / "site")
    return folder / "site" / "in-texts"


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the same campaign's part of a site in French, and in French and English.

    The last is built over the first: nothing but the English pages is made for it.
    """
    found: dict[str, Path] = {}
    for name, languages in {"fr": '"fr"', "both": '["fr", "en"]'}.items():
        folder = tmp_path_factory.mktemp(name)
        if name == "both":
            shutil.copytree(found["fr"].parent, folder / "site")
        build_site([_campaign(folder, languages)], folder / "site")
        found[name] = folder / "site" / "in-texts"
    return found


def _is_data(name: str) -> bool:
    return name.endswith((".csv", *DATA[:-1])) or name == "badge.json"


def test_data_are_the_same_in_every_language_and_stand_once(english: Path, sites: dict[str, Path]) -> None:
    ours, french = files(english), files(sites["fr"])
    data = {name for name in ours if _is_data(name)} - {"badge.json"}
    assert len(data) > 50
    assert {name: ours[name] for name in data} == {name: french[name] for name in data}
    assert [name for name in files(sites["both"]) if "en/" in name and _is_data(name)] == []


def test_the_first_language_stands_where_there_is_only_one(sites: dict[str, Path]) -> None:
    french, both = files(sites["fr"]), files(sites["both"])
    assert set(french) <= set(both)
    others = {name for name in both if re.search(r"(^|/)en/", name)}
    assert set(both) - set(french) == others
    pages = {name for name in french if name.endswith(PAGES)} - {"badge.svg", "feed.xml"}
    assert {re.sub(r"(^|/)en/", r"\1", name) for name in others} == pages


def test_what_is_in_another_language_than_its_page_says_so(sites: dict[str, Path]) -> None:
    """Texts are in the corpus's language, reasons in the campaign's first one, whatever a page is in."""
    first, second = (
        (sites["both"] / "1.0" / name).read_text(encoding="utf-8") for name in ("index.html", "en/index.html")
    )
    assert '<span lang="fr">Former</span>' in second
    assert '<div class="why" lang="fr">' in second
    assert "<h1 lang=" not in first
    assert '<div class="why">' in first
    for name in ("documents/D0001.html", "en/documents/D0001.html"):
        assert '<div class="text" lang="en">' in (sites["both"] / "1.0" / name).read_text(encoding="utf-8")


def test_each_page_leads_to_itself_in_the_other_language(sites: dict[str, Path]) -> None:
    folder, led = sites["both"], 0
    assert check_links(folder.parent) > 80
    for path in folder.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        spoken = "en" if "en" in path.relative_to(folder).parts else "fr"
        assert f'<html lang="{spoken}"' in text, path
        found = re.search(r'<a href="([^"]*)" hreflang="(\w\w)"', text)
        if path.name == "report.html":
            assert found is None
            continue
        assert found, path
        other = (path.parent / found[1]).resolve()
        assert f'<html lang="{found[2]}"' in other.read_text(encoding="utf-8")
        assert (other.name, found[2] == spoken) == (path.name, False)
        led += 1
    assert led > 80


def test_pages_of_one_language_stay_in_it(sites: dict[str, Path]) -> None:
    folder = sites["both"]
    for path in (*folder.rglob("*.html"),):
        text = path.read_text(encoding="utf-8")
        own = "en" if re.search(r'<html lang="en"', text) else "fr"
        for attributes in re.findall(r"<a ([^>]*)>", text):
            href = re.search(r'href="([^"#]+)', attributes)
            if href is None or "hreflang" in attributes or ":" in href[1] or not href[1].endswith(".html"):
                continue
            other = (path.parent / href[1]).resolve()
            if other.is_relative_to(folder):
                assert f'<html lang="{own}"' in other.read_text(encoding="utf-8"), (path, href[1])


def test_the_second_edition_has_a_folder_of_its_own() -> None:
    shown = [[(each.folder, each.data) for each in editions(some)] for some in (["fr"], ["fr", "en"])]
    assert shown == [[("", "")], [("", ""), ("en/", "../")]]


def test_pages_are_rendered_one_at_a_time_each_in_its_own_language() -> None:
    """Of thousands of documents the pages of a whole language would fill memory."""
    rendered: list[str] = []

    def pages() -> Iterator[tuple[str, str]]:
        for name in ("a.html", "b.html"):
            rendered.append(name)
            yield name, edition().language

    written = in_languages(["fr", "en"], pages)
    assert next(written) == ("a.html", "fr")
    assert (rendered, edition().language) == (["a.html"], "en")
    with writing(Edition("en")):
        assert list(written) == [("b.html", "fr"), ("en/a.html", "en"), ("en/b.html", "en")]
