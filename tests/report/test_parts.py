"""What is too heavy for one page is shared out, and every link finds its part."""

from pathlib import Path

import pytest

from reportgen.report.documents import DocumentViews
from reportgen.report.parts import shared_out
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
    assert [weights[each] for each in shared_out(weights, 10)] == expected


LAYERS = "".join(f'[[layers]]\nid = "{name.lower()}"\nsource = "{name}"\n' for name in ("PER", "LOC", "ORG"))
LONG = {"long": "letter " * 8572}


def made(person: int) -> list[tuple[str, int, int]]:
    """Return an annotator's marks of three layers; on every fifth stretch one of two makes none."""
    return [
        (label, 70 * number, 70 * number + 6)
        for number in range(60)
        if person or number % 5
        for label in ("PER", "LOC", "ORG")
    ]


def test_layers_of_a_heavy_document_stand_on_several_light_pages(tmp_path: Path) -> None:
    found = report(tmp_path, {"ann": {"long": made(0)}, "bob": {"long": made(1)}}, LAYERS, LONG)
    assert found.texts
    (document,) = DocumentViews(found.texts).all
    assert list(document.parts) == ["D0001.html", "D0001-2.html", "D0001-3.html"]
    first, second, third = (layer.layer for layer in found.texts.layers)
    assert document.page(first) == "documents/D0001.html#layer-1"
    assert document.page(second) == "documents/D0001-2.html#layer-2"
    assert document.href(third, [(0, 6)]) == "documents/D0001-3.html#u-3-0"
    folder = pages(tmp_path, found)
    written = sorted((folder / "documents").glob("D*.html"))
    assert [path.name for path in written] == sorted(document.parts)
    for number, path in enumerate(map((folder / "documents").joinpath, document.parts), 1):
        text = path.read_text(encoding="utf-8")
        assert len(text.encode()) <= MOST_BYTES
        assert f"Page {number} of 3." in text
    check_links(folder.parent)
    check_ids(folder)


def test_a_light_document_stands_on_one_page(tmp_path: Path) -> None:
    found = report(tmp_path, two())
    assert found.texts
    for document in DocumentViews(found.texts).all:
        assert list(document.parts) == [document.file]
