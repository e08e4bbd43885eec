"""A report in several languages: the first where there is only one, others in their own folder, data once."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from reportgen.pipeline.build import build_site
from reportgen.words.language import Edition, edition, editions, in_languages, writing
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


def _files(folder: Path) -> dict[str, bytes]:
    return {
        each.relative_to(folder).as_posix(): each.read_bytes() for each in folder.rglob("*") if each.is_file()
    }


def _is_data(name: str) -> bool:
    return name.endswith((".csv", *DATA[:-1])) or name == "badge.json"


def test_data_are_the_same_in_every_language(english: Path, sites: dict[str, Path]) -> None:
    ours, french = _files(english), _files(sites["fr"])
    data = {name for name in ours if _is_data(name)}
    assert len(data) > 50
    assert {name: ours[name] for name in data if name != "badge.json"} == {
        name: french[name] for name in data if name != "badge.json"
    }


def test_data_stand_once(sites: dict[str, Path]) -> None:
    assert [name for name in _files(sites["both"]) if "en/" in name and _is_data(name)] == []


def test_the_first_language_stands_where_there_is_only_one(sites: dict[str, Path]) -> None:
    french, both = _files(sites["fr"]), _files(sites["both"])
    assert set(french) <= set(both)
    others = {name for name in both if re.search(r"(^|/)en/", name)}
    assert set(both) - set(french) == others
    pages = {name for name in french if name.endswith(PAGES)} - {"badge.svg", "feed.xml"}
    assert {re.sub(r"(^|/)en/", r"\1", name) for name in others} == pages


def test_pages_say_which_language_they_are_in(sites: dict[str, Path]) -> None:
    for name, content in _files(sites["both"]).items():
        if name.endswith(".html"):
            spoken = "en" if re.search(r"(^|/)en/", name) else "fr"
            assert f'<html lang="{spoken}"'.encode() in content, name


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
    folder = sites["both"]
    led = 0
    for path in folder.rglob("*.html"):
        found = re.search(r'<a href="([^"]*)" hreflang="(\w\w)"', path.read_text(encoding="utf-8"))
        if path.name == "report.html":
            assert found is None
            continue
        assert found, path
        other = (path.parent / found[1]).resolve()
        assert other.is_file(), path
        assert f'<html lang="{found[2]}"' in other.read_text(encoding="utf-8")
        assert other.name == path.name
        led += 1
    assert led > 100


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


def test_every_link_leads_somewhere_in_both_languages(sites: dict[str, Path]) -> None:
    broken = []
    for path in sites["both"].rglob("*.html"):
        for href in re.findall(r'(?:href|src)="([^"]+)"', path.read_text(encoding="utf-8")):
            name = href.partition("#")[0]
            if name and ":" not in name and not (path.parent / name).exists():
                broken.append((path.relative_to(sites["both"]).as_posix(), href))
    assert broken == []


def test_editions_of_one_language_have_no_folder() -> None:
    (only,) = editions(["fr"])
    assert (only.folder, only.data) == ("", "")


def test_the_second_edition_has_a_folder_of_its_own() -> None:
    first, second = editions(["fr", "en"])
    assert (first.folder, first.data) == ("", "")
    assert (second.folder, second.data) == ("en/", "../")


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
