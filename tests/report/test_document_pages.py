"""Pages of documents: the text as it is, every mark on it, and where annotators differ."""

import re
from pathlib import Path

import html5lib
import pytest

from reportgen.report.documents import DocumentViews, marked_text
from tests.conftest import CHECKOUT
from tests.pages import check_ids, check_links, parsed
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


def test_who_says_what_stands_beside_each_disagreement(site: Path) -> None:
    page = (site / "documents/D0001.html").read_text(encoding="utf-8")
    assert '<mark class=boundary id=u-1-0>Anna<small>≈ <i class="p1 p3">A01, A03 <b>PER…</b></i>' in page
    assert "<i class=p2>A02 <b>PER</b></i></small></mark>" in page
    assert '<mark class=different id=u-1-4> Berg<small>≠ <i class="p1 p3">A01, A03 <b>…PER</b></i>' in page
    assert '<mark class=different id=u-1-21>Paris<small>≠ <i class="p1 p3">A01, A03 <b>LOC</b></i>' in page
    agreed = (site / "documents/D0003.html").read_text(encoding="utf-8")
    assert '<mark class=agreed title="PER">Cleo</mark>' in agreed


def test_a_page_says_who_saw_the_document_and_who_did_not(site: Path) -> None:
    assert "Seen by A01, A02, A03." in (site / "documents/D0001.html").read_text(encoding="utf-8")
    page = (site / "documents/D0003.html").read_text(encoding="utf-8")
    assert "Seen by A01, A02. Not seen by A03." in page


def test_a_document_links_to_its_neighbours_the_list_and_the_report(site: Path) -> None:
    targets = [target for _, target in parsed(site / "documents/D0002.html").links]
    assert {"../index.html", "index.html", "D0001.html", "D0003.html"} <= set(targets)
    assert "D0002.html" not in targets
    assert check_links(site.parent) > 40
    check_ids(site)


def test_the_list_has_the_documents_with_most_disagreement_first(site: Path) -> None:
    page = (site / "documents/index.html").read_text(encoding="utf-8")
    assert re.findall(r'<a href="(D\d+)\.html">', page) == ["D0001", "D0002", "D0003"]
    views = DocumentViews(
        texts({"a": "x", "b": "y z"}, layer([[], [("A", "X", ((0, 1),))]], [["A", "B"]] * 2))
    )
    assert [view.name for view in views.index[0].documents] == ["b", "a"]


def test_the_table_below_names_overlapping_marks_with_their_offsets() -> None:
    made = layer(
        [
            [
                ("A", "PER", ((0, 9),)),
                ("B", "PER", ((0, 4),)),
                ("A", "LOC", ((14, 17),)),
                ("B", "LOC", ((14, 17),)),
            ]
        ],
        [["A", "B"]],
    )
    (found,) = DocumentViews(texts({"d": TEXTS["d1"]}, made)).all
    (only,) = found.layers
    assert [(row.offsets, row.labels, row.anchor) for row in only.differences] == [
        ("0–4", ("≈ PER 0–9", "PER"), "u-1-0"),
        ("0–9", ("PER", "≈ PER 0–4"), "u-1-0"),
    ]
    assert (found.stretches, found.differing) == (3, 2)


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


def test_a_reference_is_named_as_one_and_one_reader_has_nothing_to_compare() -> None:
    made = layer([[("G", "X", ((0, 1),))], [("A", "X", ((0, 1),))]], [["A", "G"], ["A"]], G="reference")
    first, second = DocumentViews(texts({"d": "x", "e": "x"}, made)).all
    assert first.readers == ("A", "G (reference)")
    assert [piece.state for piece in second.layers[0].pieces] == ["alone"]
    assert (second.differing, second.single) == (0, True)


def test_documents_without_texts_have_no_pages() -> None:
    views = DocumentViews(texts({"a": None, "b": "x"}, layer([[], []], [[], ["A"]])))
    assert [view.file for view in views.all] == ["D0002.html"]


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


def test_marks_of_all_layers_are_on_one_text_and_each_layer_is_shown_by_itself() -> None:
    """Pieces are cut where marks of any layer begin or end; classes say what each layer says of a piece."""
    names = layer([[("A", "PER", ((0, 9),)), ("B", "PER", ((0, 4),))]], [["A", "B"]], "names")
    roles = layer([[("A", "agent", ((5, 13),)), ("B", "agent", ((5, 13),))]], [["A", "B"]], "roles")
    (found,) = DocumentViews(texts({"d": TEXTS["d1"]}, names, roles)).all
    (sheet,) = found.parts.values()
    assert "".join(each.text for each in sheet.pieces) == TEXTS["d1"]
    shown = str(marked_text(found, sheet))
    assert '<mark class="o b1" id=u-1-0>Anna<small class=k1>≈ ' in shown
    assert '<mark class="o d1" id=u-1-4> </mark>' in shown
    assert '<mark class="o d1 a2" title="agent">Berg<small class=k1>≠ ' in shown
    assert '<mark class="o a2" title="agent"> met</mark>' in shown
    assert found.href("names", [(5, 9)]) == "documents/D0001.html#u-1-4"
    assert found.href("roles") == "documents/D0001.html#layer-2"


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


def test_choices_have_no_attribute_that_only_fields_of_text_may_have() -> None:
    """Validators count one error for each: a page of a document has dozens of choices."""
    for template in (CHECKOUT / "templates").rglob("*.j2"):
        radios = re.findall(r"<input\b[^>]*radio[^>]*>", template.read_text(encoding="utf-8"))
        assert not [each for each in radios if "autocomplete" in each]
