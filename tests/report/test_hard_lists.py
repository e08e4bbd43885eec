"""Hard cases of the report: crowds, thousands of documents, other scripts, nothing to compare."""

import re
from collections.abc import Iterator
from itertools import pairwise, takewhile
from pathlib import Path

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.report.disagreements import MOST_SECTIONS
from reportgen.report.documents import MOST_ROWS, DocumentViews
from reportgen.report.pairs import MOST_DOCUMENTS, Pairs, documents
from reportgen.report.site import AROUND, nearby, pages_behind
from reportgen.report.view import ReportView
from reportgen.results.texts import Disagreement, Disagreements, Texts
from reportgen.words.language import Edition, writing
from tests.campaigns import Marks, results
from tests.pages import check_ids, check_links
from tests.properties import examples
from tests.rendered import write_version
from tests.report.made_texts import layer, texts
from tests.report.written_pages import MARKS, pages, report
from tests.slowly import slow_but

MOST_BYTES = 150_000
LONG = "Категория-" * 8


def view(folder: Path, found: Texts) -> ReportView:
    """Return a report of a few marks with other texts behind it."""
    return ReportView(report(folder, MARKS).results, found)


def many_documents(number: int) -> Texts:
    """Return short documents, every third of which has a disagreement; names do not stand in their order."""
    names = {f"{(place * 7919) % number:05}-{'long ' * 12}": "Anna slept" for place in range(number)}
    marks = [
        [("A01", "PER", ((0, 4),)), ("A02", "PER" if place % 3 else "LOC", ((0, 4),))]
        for place in range(number)
    ]
    return texts(names, layer(marks, [("A01", "A02")] * number))


@pytest.fixture(scope="module", params=slow_but([1_000, 10_000], 1_000))
def number(request: pytest.FixtureRequest) -> int:
    """Of how many documents a list is."""
    found: int = request.param
    return found


@pytest.fixture(scope="module")
def lists(tmp_path_factory: pytest.TempPathFactory, number: int) -> dict[str, str]:
    """The pages of the list of many documents, in French."""
    found = view(tmp_path_factory.mktemp("many"), many_documents(number))
    with writing(Edition("fr", first=False)):
        return dict(takewhile(lambda each: not each[0].startswith("documents/D"), pages_behind(found)))


def rows(page: str) -> int:
    """Return how many rows the tables of a page have."""
    return len(re.findall(r"<th scope=\W?row", page))


def test_thousands_of_documents_stand_on_pages_of_a_few_hundred(lists: dict[str, str], number: int) -> None:
    assert len(lists) == 2 * number // MOST_ROWS
    assert {rows(page) for page in lists.values()} == {MOST_ROWS}
    assert max(len(page.encode()) for page in lists.values()) < MOST_BYTES


def test_the_first_page_says_how_many_there_are_and_how_to_find_one(
    lists: dict[str, str], number: int
) -> None:
    first = lists["documents/index.html"]
    assert f"{number // 1000}\N{NARROW NO-BREAK SPACE}000 documents" in first
    assert 'href="by-name.html"' in first
    by_name = lists["documents/by-name.html"]
    assert len(re.findall(r"<li><a href=.by-name", by_name)) >= number // MOST_ROWS
    assert by_name.index("00000-long") < by_name.index("00250-long")
    assert rows(by_name) == MOST_ROWS


def test_a_short_list_has_no_second_one_by_name() -> None:
    assert DocumentViews(many_documents(MOST_ROWS)).by_name == ()


@examples(40)
@given(st.integers(1, 5000).flatmap(lambda pages: st.tuples(st.just(pages), st.integers(1, pages))))
def test_a_list_leads_to_near_pages_and_to_both_ends(where: tuple[int, int]) -> None:
    pages_of_it, here = where
    found = nearby(pages_of_it, here)
    shown = [number for number in found if number]
    assert shown == sorted(set(shown))
    assert {1, here, pages_of_it} <= set(shown)
    assert len(found) <= 2 * AROUND + 5
    for before, after in pairwise(found):
        assert 0 in (before, after) or after == before + 1


def test_below_a_text_the_first_differences_are_listed_and_the_text_has_them_all(tmp_path: Path) -> None:
    number = 110
    marks = [("A01", "PER", ((2 * place, 2 * place + 1),)) for place in range(number)]
    made = texts({"d": "x " * number}, layer([marks], [("A01", "A02")]))
    page = dict(pages_behind(view(tmp_path, made)))["documents/D0001.html"]
    assert rows(page) == 60
    assert page.count("class=different id") == number
    assert "Shown are the first 60; the text has them all." in page


def test_readers_of_a_crowd_are_named_only_as_far_as_a_line_goes(tmp_path: Path) -> None:
    crowd = [f"p{place:03}" for place in range(200)]
    marks = [(who, "PER", ((0, 4),)) for who in crowd[:120]]
    page = dict(pages_behind(view(tmp_path, texts({"d": "Anna slept"}, layer([marks], [crowd])))))
    text = page["documents/D0001.html"]
    assert "and 190 more" in text
    assert "120 annotators <b>PER</b> · 80 annotators <b>–</b>" in text
    assert "p150" not in text


@pytest.mark.slow
def test_a_table_of_fifty_people_is_light_and_leads_to_each_pair_once(tmp_path: Path) -> None:
    ratings = [f"{n},p{who:02},{(n + who) % 2}" for n in range(3) for who in range(50)]
    found = ReportView(results(tmp_path, "", "\n".join(["unit,annotator,label", *ratings])))
    page = next(text for name, text in pages_behind(found) if name == "pairs/index.html")
    assert len(page.encode()) < MOST_BYTES
    leads = re.findall(r"href=\W?\.\./pairs/(A\d\d-A\d\d\.html)", page)
    assert len(leads) == len(set(leads)) == 50 * 49 / 2


@pytest.mark.slow
def test_of_many_documents_of_a_pair_the_worst_are_shown(tmp_path: Path) -> None:
    number = MOST_DOCUMENTS + 10
    made = {f"d{place:03}": "Anna slept\n" for place in range(number)}
    marks: Marks = {
        "ann": {name: [("PER", 0, 4)] for name in made},
        "bob": {name: [("PER", 0, 4)] if place else [] for place, name in enumerate(made)},
    }
    ((page,),) = [tuple(Pairs(report(tmp_path, marks, texts=made).results).pages())]
    (own,) = page.layers
    assert own.spans is not None
    table = documents("main", own.spans, {})
    assert table is not None
    assert own.spans.by_document is not None
    assert len(own.spans.by_document) == number
    assert len(table.rows) == MOST_DOCUMENTS
    assert table.rows[0][0] == "d000"


def test_many_confused_categories_are_listed_as_far_as_a_page_goes(tmp_path: Path) -> None:
    ratings = [f"{n},{who},{n % 20 if who == 'A' else n // 20}" for n in range(400) for who in "AB"]
    rated = results(tmp_path, "", "\n".join(["unit,annotator,label", *ratings]))
    units = tuple(
        Disagreement(name=f"u{n}", labels={"A01": str(n % 20), "A02": str(n // 20)})
        for n in range(400)
        if n % 20 != n // 20
    )
    disputed = Disagreements(layer="main", unit_set=rated.primary.id, units=units)
    found = Texts(guidelines="1.0", documents=(), disagreements=(disputed,))
    first = next(text for _, text in pages_behind(ReportView(rated, found)))
    assert first.count("</a> (1)") == MOST_SECTIONS
    assert f"{380 - MOST_SECTIONS} more that are rarer are on the pages that follow" in first


def scripts() -> Iterator[tuple[str, Marks, dict[str, str]]]:
    """Yield what is hard to set: other scripts, nothing marked, nobody to compare with."""
    made = {
        "مقال": "ذهب أحمد إلى القاهرة يوم الجمعة .\nسطر ثان : 3 كتب .\n",
        "中文": "张伟昨天去了北京后回到上海。\n",
        "empty": "Nothing is marked here .\n",
    }
    ann = {"مقال": [("شخص", 4, 8)], "中文": [("人名", 0, 2), (LONG, 6, 8)], "empty": []}
    bob = {"مقال": [("مكان", 4, 8)], "中文": [("人名", 0, 2), ("地名", 5, 8)], "empty": []}
    yield "two", {"منى": ann, "bob": bob}, made
    yield "alone", {"bob": bob}, made
    yield "apart", {"ann": {"中文": ann["中文"]}, "bob": {"مقال": bob["مقال"]}, "cat": {"empty": []}}, made


@pytest.mark.slow
@pytest.mark.parametrize("case", list(scripts()), ids=lambda case: case[0])
def test_other_scripts_and_nothing_to_compare_make_valid_pages(
    tmp_path: Path, case: tuple[str, Marks, dict[str, str]]
) -> None:
    _, marks, made = case
    there = pages(tmp_path, report(tmp_path, marks, texts=made))
    check_links(there.parent)
    check_ids(there)
    for path in sorted(there.rglob("*.html")):
        page = path.read_text(encoding="utf-8")
        html5lib.HTMLParser(strict=True).parse(page)
        assert len(page.encode()) < MOST_BYTES, path


def test_a_document_without_marks_says_so(tmp_path: Path) -> None:
    _, marks, made = next(scripts())
    there = pages(tmp_path, report(tmp_path, marks, texts=made))
    found = [path.read_text(encoding="utf-8") for path in (there / "documents").glob("D*.html")]
    (empty,) = [page for page in found if "Nothing is marked here ." in page]
    assert "Nobody marked anything here. Seen by A01, A02." in empty


def test_labels_from_right_to_left_do_not_turn_the_words_beside_them(tmp_path: Path) -> None:
    _, marks, made = next(scripts())
    there = pages(tmp_path, report(tmp_path, marks, texts=made))
    page = (there / "disagreements/tokens.html").read_text(encoding="utf-8")
    # Marks overlap there, so that labels are members of sets, each isolated by signs of its own.
    either = "<bdi>\u2068?(شخص|مكان)\u2069?</bdi>"
    assert re.search(f"A01 {either}, A02 {either}", page)
    assert re.search(r"\bb\{unicode-bidi:plaintext", page)


def test_undefined_figures_say_why_in_words(tmp_path: Path) -> None:
    _, marks, made = list(scripts())[2]
    found = report(tmp_path, marks, texts=made)
    write_version(tmp_path / "site/campaign/1.0", found.results, found.beside, found.texts)
    page = (tmp_path / "site/campaign/1.0/index.html").read_text(encoding="utf-8")
    assert "No two share a document." in page
    assert "Undefined: " in page
