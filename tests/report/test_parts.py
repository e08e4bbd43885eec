"""What is too heavy for one page is shared out, and every link finds its part."""

import html
import re
from pathlib import Path

import pytest

from reportgen.pipeline.version_reports import Report
from reportgen.report.documents import DocumentViews, split_by_weight
from tests.pages import check_ids, check_links
from tests.report.written_pages import pages, report, two

MOST_BYTES = 150_000


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ([], [[]]),
        ([3], [[3]]),
        ([30], [[30]]),
        ([4, 6], [[4, 6]]),
        ([4, 7], [[4], [7]]),
        ([30, 1, 30, 5, 5, 1], [[30], [1], [30], [5, 5], [1]]),
    ],
)
def test_a_page_is_filled_as_far_as_it_may_weigh(weights: list[int], expected: list[list[int]]) -> None:
    assert [weights[each] for each in split_by_weight(weights, 10)] == expected


LAYERS = "".join(f'[[layers]]\nid = "{name.lower()}"\nsource = "{name}"\n' for name in ("PER", "LOC", "ORG"))
LONG = {"long": "letter " * 30_000}


def made(person: int) -> list[tuple[str, int, int]]:
    """Return an annotator's marks of three layers; on every fifth stretch one of two makes none."""
    return [
        (label, 3_500 * number, 3_500 * number + 6)
        for number in range(60)
        if person or number % 5
        for label in ("PER", "LOC", "ORG")
    ]


@pytest.mark.slow
def test_a_heavy_document_with_layers_is_shared_out_over_light_pages(tmp_path: Path) -> None:
    found = report(tmp_path, {"ann": {"long": made(0)}, "bob": {"long": made(1)}}, LAYERS, LONG)
    assert found.texts
    (document,) = DocumentViews(found.texts).all
    assert len(document.parts) == 3
    third = found.texts.layers[2].layer
    assert document.href(third) == "documents/D0001.html#layer-3"
    assert document.href(third, [(0, 6)]) == "documents/D0001.html#u-3-0"
    last = 3_500 * 55
    assert document.href(third, [(last, last + 6)]) == f"documents/D0001-3.html#u-3-{last}"
    folder = pages(tmp_path, found)
    written = sorted((folder / "documents").glob("D*.html"))
    assert [path.name for path in written] == sorted(document.parts)
    for number, path in enumerate(map((folder / "documents").joinpath, document.parts), 1):
        text = path.read_text(encoding="utf-8")
        assert len(text.encode()) <= MOST_BYTES
        assert f"Page {number} of 3." in text
    check_links(folder.parent)
    check_ids(folder)


WORDS = 28_000
VERY_LONG = {"long": "".join(f"<{number:05}>" for number in range(WORDS))}
TEXT_OF_A_PAGE = re.compile(r'<div class="text">(.*?)</div>', re.DOTALL)
LABELS = re.compile(r"<small>.*?</small>|<[^>]*>", re.DOTALL)


def often(person: int) -> list[tuple[str, int, int]]:
    """Return marks on every fifth word; on every third of these one of two has another label."""
    return [
        ("PER" if person or number % 3 else "LOC", 7 * number, 7 * number + 7)
        for number in range(0, WORDS, 5)
        if number < WORDS // 2
    ]


@pytest.fixture(scope="module")
def very_long(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, Path]:
    """Return a document of 196 KB, half of it marked by two, with its version's folder."""
    root = tmp_path_factory.mktemp("long")
    found = report(root, {"ann": {"long": often(0)}, "bob": {"long": often(1)}}, "", VERY_LONG)
    return found, pages(root, found)


@pytest.mark.slow
def test_a_very_long_text_is_shared_out_over_light_pages(very_long: tuple[Report, Path]) -> None:
    found, folder = very_long
    assert found.texts
    (document,) = DocumentViews(found.texts).all
    texts = [(folder / "documents" / name).read_text(encoding="utf-8") for name in document.parts]
    assert len(texts) > 3
    assert max(len(each.encode()) for each in texts) <= MOST_BYTES
    shown = "".join(LABELS.sub("", "".join(TEXT_OF_A_PAGE.findall(each))) for each in texts)
    assert html.unescape(shown) == VERY_LONG["long"]
    assert all("Page 2 of" in each for each in texts[1:2])
    check_links(folder.parent)
    check_ids(folder)


@pytest.mark.slow
def test_places_in_a_very_long_text_are_found_on_their_page(very_long: tuple[Report, Path]) -> None:
    found, folder = very_long
    assert found.texts
    (document,) = DocumentViews(found.texts).all
    (layer,) = document.layers
    assert len(layer.differences) == sum(1 for number in range(0, WORDS // 2, 5) if not number % 3)
    rows = [row for sheet in document.parts.values() for row in sheet.differences(layer)]
    assert rows == list(layer.differences)
    for number in (0, 1500, WORDS // 2 - 5 - (WORDS // 2 - 5) % 15):
        name, _, place = document.href(layer.id, [(7 * number, 7 * number + 7)]).partition("#")
        assert place == f"u-1-{7 * number}"
        assert f"id={place}>" in (folder / name).read_text(encoding="utf-8")


def test_a_long_text_without_any_mark_is_cut_too(tmp_path: Path) -> None:
    found = report(tmp_path, {"ann": {"long": []}, "bob": {"long": [("PER", 0, 7)]}}, "", VERY_LONG)
    folder = pages(tmp_path, found)
    written = sorted((folder / "documents").glob("D*.html"))
    assert len(written) > 1
    assert max(path.stat().st_size for path in written) <= MOST_BYTES
    check_links(folder.parent)


def test_a_light_document_stands_on_one_page(tmp_path: Path) -> None:
    found = report(tmp_path, two())
    assert found.texts
    for document in DocumentViews(found.texts).all:
        assert list(document.parts) == [document.file]
