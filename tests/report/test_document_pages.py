"""Pages of documents: the text as it is, every mark on it, and where annotators differ."""

import re
from pathlib import Path

import html5lib
import pytest

from reportgen.report.documents import DocumentViews
from tests.pages import check_links, parsed
from tests.rendered import version_files
from tests.report.made_texts import layer, texts
from tests.report.written_pages import MARKS, TEXTS, pages, report, two

NAMESPACE = "{http://www.w3.org/1999/xhtml}"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("documents")
    return pages(folder, report(folder, MARKS))


def words(page: Path) -> str:
    """Return a document's text as its page shows it, without the labels beside it."""
    tree = html5lib.parse(page.read_text(encoding="utf-8"))
    (block,) = [each for each in tree.iter(f"{NAMESPACE}div") if each.get("class") == "text"]
    for mark in block.iter(f"{NAMESPACE}mark"):
        for label in mark.findall(f"{NAMESPACE}small"):
            mark.remove(label)
    return "".join(block.itertext())


def test_a_page_shows_the_whole_text_once_with_its_line_breaks(site: Path) -> None:
    for number, text in enumerate(TEXTS.values(), 1):
        assert words(site / f"documents/D000{number}.html") == text


def test_an_address_leads_to_the_first_piece_that_differs_in_a_unit() -> None:
    made = layer(
        [[("A", "PER", ((5, 9),)), ("B", "LOC", ((21, 26),)), ("A", "GAP", ((10, 10),))]], [["A", "B"]]
    )
    (found,) = DocumentViews(texts({"d": TEXTS["d1"]}, made)).all
    assert found.href("main", [(0, 9)]) == "documents/D0001.html#u-1-5"
    assert found.href("main", [(21, 22)]) == "documents/D0001.html#u-1-21"
    assert found.href("main", [(10, 10)]) == "documents/D0001.html#u-1-10-point"
    assert found.href("main", [(14, 17)]) == "documents/D0001.html#layer-1"
    assert found.href("another", [(0, 9)]) == "documents/D0001.html"


def test_a_label_of_the_whole_document_is_shown_above_its_text() -> None:
    made = layer([[("A", "good", ()), ("B", "bad", ())]], [["A", "B"]])
    (found,) = DocumentViews(texts({"d": "x"}, made)).all
    (only,) = found.layers
    assert only.whole_document is not None
    assert (only.whole_document.state, only.whole_document.said) == (
        "different",
        (("A", "good"), ("B", "bad")),
    )
    assert found.href("main", ()) == "documents/D0001.html#u-1-whole"
    assert [row.offsets for row in only.differences] == ["whole document"]


@pytest.mark.slow
def test_without_texts_there_are_neither_pages_nor_links_to_them(tmp_path: Path) -> None:
    there = pages(tmp_path, report(tmp_path, two()), texts=False)
    assert not (there / "documents").exists()
    assert not (there / "disagreements").exists()
    assert not (there / "texts.json").exists()
    for page in there.rglob("*.html"):
        assert not [t for _, t in parsed(page).links if re.search(r"documents/|disagreements/", t)]
    check_links(there.parent)


@pytest.mark.slow
def test_texts_carry_the_language_that_the_campaign_says(tmp_path: Path) -> None:
    found = report(tmp_path, MARKS)
    facts = found.results.campaign
    said = facts.model_copy(update={"corpus": {**facts.corpus, "language": "de-AT"}})
    hostile = facts.model_copy(update={"corpus": {"language": '"><i>'}})
    for corpus, times in ((facts, 0), (said, 1), (hostile, 0)):
        results = found.results.model_copy(update={"campaign": corpus})
        files = dict(version_files(results, found.beside, found.texts))
        assert files["documents/D0001.html"].count('<div class="text" lang="de-AT">') == times
        assert ('<th scope=row class=kwic lang="de-AT">' in files["disagreements/tokens.html"]) == bool(times)


def test_a_heavy_text_has_several_pages_and_links_lead_to_the_right_one() -> None:
    text = "word " * 30_000
    made = layer([[("A", "X", ((140_000, 140_004),)), ("B", "X", ((10, 14),))]], [["A", "B"]])
    (found,) = DocumentViews(texts({"d": text}, made)).all
    assert list(found.parts) == ["D0001.html", "D0001-2.html"]
    assert "".join(piece.text for sheet in found.parts.values() for piece in sheet.pieces) == text
    assert found.href("main", [(10, 14)]) == "documents/D0001.html#u-1-10"
    assert found.href("main", [(140_000, 140_004)]) == "documents/D0001-2.html#u-1-140000"
    rows = [[row.anchor for row in sheet.differences(found.layers[0])] for sheet in found.parts.values()]
    assert rows == [["u-1-10"], ["u-1-140000"]]
