"""Large and hard campaigns: pages stay light, nothing is lost, and every link finds its part."""

import html
import random
import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path

import html5lib
import pytest

from reportgen.measures.annotators import dawid_skene
from reportgen.measures.annotators.dawid_skene import NotFitted, refused
from reportgen.pipeline.version_reports import Report
from reportgen.report import matrices, page, site
from reportgen.report.documents import MOST_PAGES, MOST_ROWS, DocumentViews, rows_of, split_by_weight
from reportgen.report.site import pages_behind
from reportgen.report.view import ReportView
from reportgen.results import Results
from reportgen.results.parts import Withheld
from reportgen.results.texts import Disagreement, Disagreements, Texts
from reportgen.results.unit_sets import Confusion
from reportgen.words.language import Edition, isolated, writing
from tests.campaigns import Marks, results
from tests.findings.made_results import pair, unit_set
from tests.measures.made import annotations, units_of
from tests.pages import check_ids, check_links
from tests.report.made_texts import layer, texts
from tests.report.written_pages import MARKS, pages, report
from tests.slowly import slow_but

# Hard cases of the report: crowds, thousands of documents, other scripts, nothing to compare


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
    assert len(lists) == 2 * min(number, MOST_PAGES) // MOST_ROWS
    assert {rows(page) for page in lists.values()} == {MOST_ROWS}
    assert max(len(page.encode()) for page in lists.values()) < MOST_BYTES


def test_of_too_many_documents_the_most_disputed_have_pages_and_a_table_has_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = many_documents(7)
    assert DocumentViews(found).table() is None
    monkeypatch.setattr("reportgen.report.documents.MOST_PAGES", 3)
    views = DocumentViews(found)
    assert list(views.shown) == ["D0001", "D0004", "D0007"]
    table = views.table()
    assert table
    assert [(row[1], row[-1]) for row in table.rows][2:5] == [("D0007", 1), ("D0002", 0), ("D0003", 0)]
    every = [Disagreement(document=place, spans=((0, 4),), labels={}) for place in range(7)]
    listed = Disagreements(layer="main", unit_set="marked", units=tuple(every))
    hrefs = [row.href for row in rows_of(found, views, listed, ())]
    assert [place for place, href in enumerate(hrefs) if href] == [0, 3, 6]
    written = dict(pages_behind(view(tmp_path, found)))
    assert sum(name.startswith("documents/D") for name in written) == 3
    assert 'href="../tables/documents.csv"' in written["documents/index.html"]


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


# What is too heavy for one page is shared out, and every link finds its part


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


# Campaigns that are empty or hard to show: one annotator, one category, sixty, letters of other scripts


def labelled(labels: Sequence[tuple[str, str]]) -> str:
    """Return what two annotators said of units, ten units a document, as a long CSV."""
    said = ((who, label) for pair in labels for who, label in zip("AB", pair, strict=True))
    rows = [f"u{place // 2},d{place // 20},{who},{label}\n" for place, (who, label) in enumerate(said)]
    return "".join(["item,document,worker,label\n", *rows])


def many(categories: int, units: int = 1200) -> list[tuple[str, str]]:
    """Return two annotators' labels of very many categories; neighbours are confused, the first ones most."""
    draw = random.Random(7)  # noqa: S311 - a test's data
    names = [f"label-{place:02d}" for place in range(categories)]

    def other(place: int) -> str:
        wrong = draw.random() < (0.4 if place < categories // 10 else 0.1)
        return names[(place + (1 if place % 2 == 0 else -1)) % categories] if wrong else names[place]

    return [(names[place % categories], other(place % categories)) for place in range(units)]


def shown(found: Results, language: str = "en") -> str:
    """Return a report's page."""
    with writing(Edition(language)):
        return page.report_html(ReportView(found), alone=False)


def without_drawings(text: str) -> str:
    return re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL)


@pytest.fixture(scope="module")
def sixty(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return results(tmp_path_factory.mktemp("sixty"), "", labelled(many(60)))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_page_with_sixty_categories_stays_light(sixty: Results, language: str) -> None:
    assert len(without_drawings(shown(sixty, language)).encode()) <= MOST_BYTES


@pytest.mark.parametrize("text", ["Former", "名前", "é", ""])
def test_other_labels_stay_as_they_are(text: str) -> None:
    assert isolated(text) == text


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("a\u2066b", "a\u2066b\u2069"),
        ("a\u2067b\u202ec", "a\u2067b\u202ec\u202c\u2069"),
        ("a\u202ab\u202bc\u202c", "a\u202ab\u202bc\u202c\u202c"),
        ("a\u202db\u2069c", "a\u202dbc\u202c"),
        ("a\u2068\u202eb\u2069c\u202c\u2069", "a\u2068\u202eb\u2069c"),
        ("a\u2066b\u2069\u202ec\u202c", "a\u2066b\u2069\u202ec\u202c"),
        ("\u2069שם", "\u2068שם\u2069"),
    ],
)
def test_no_text_turns_what_follows_it(text: str, closed: str) -> None:
    assert isolated(text) == closed


# Pages that would be too heavy, or say of one what is said of several


HEAVIEST = 167_000
# Of five layers each has its own page; a report in one file has the tables of all, and its own style.
HEAVIEST_OF_LAYERS, HEAVIEST_ALONE = 100_000, 220_000


@pytest.fixture(scope="module")
def layers(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """Five layers of thirty categories, labelled by three."""
    draw = random.Random(5)  # noqa: S311 - a test's data
    names = [f"l{number}" for number in range(5)]
    rows = [
        ",".join([f"u{unit}", f"d{unit // 20}", who, *(f"{name}-{draw.randrange(30):02}" for name in names)])
        for unit in range(400)
        for who in "ABC"
    ]
    toml = "".join(f'[[layers]]\nid = "layer-{name}"\nsource = "{name}"\n' for name in names)
    export = "\n".join([f"item,document,worker,{','.join(names)}", *rows])
    return results(tmp_path_factory.mktemp("layers"), toml, export)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr"])
def test_several_layers_of_many_categories_have_light_pages_of_their_own(
    layers: Results, language: str
) -> None:
    with writing(Edition(language)):
        found = dict(site.pages(ReportView(layers)))
        alone = page.report_html(ReportView(layers), alone=True)
    assert len(found) == 5
    assert max(len(without_drawings(text).encode()) for text in found.values()) <= HEAVIEST_OF_LAYERS
    assert len(without_drawings(alone).encode()) <= HEAVIEST_ALONE
    # Of each layer the largest confusions, eight of them, instead of thirty categories by thirty.
    for text, number in (*((text, 1) for text in found.values()), (alone, 5)):
        largest = re.findall(r"<table id=.table-largest-.*?</table>", text, re.DOTALL)
        assert [len(re.findall("<th scope=row>", table)) for table in largest] == [matrices.MOST] * number
        assert not re.search("id=.table-(compared|coincidences)-", text)


@pytest.mark.slow
def test_a_list_of_units_with_very_long_labels_has_light_pages(tmp_path: Path) -> None:
    names = [f"{'категория' * 22}{place}" for place in range(20)]
    draw = random.Random(1)  # noqa: S311 - a test's data
    pairs = [tuple(draw.sample(names, 2)) for _ in range(500)]
    ratings = [
        f"u{n},{who},{label}" for n, pair in enumerate(pairs) for who, label in zip("AB", pair, strict=True)
    ]
    rated = results(tmp_path, "", "\n".join(["unit,annotator,label", *ratings]))
    units = tuple(
        Disagreement(name=f"u{n}", labels=dict(zip(("A01", "A02"), pair, strict=True)))
        for n, pair in enumerate(pairs)
    )
    disputed = Disagreements(layer="main", unit_set=rated.primary.id, units=units)
    found = Texts(guidelines="1.0", documents=(), disagreements=(disputed,))
    pages = {name: text for name, text in pages_behind(ReportView(rated, found)) if "disagreements/" in name}
    assert max(len(text.encode()) for text in pages.values()) <= HEAVIEST
    assert sum(len(re.findall(r"<th scope=\W?row", text)) for text in pages.values()) == 500
    for href, anchor in set(
        re.findall(r'href="?([^"#> ]*)#(confused-[\d-]+)', pages["disagreements/items.html"])
    ):
        assert re.search(rf'id="?{anchor}\b', pages[f"disagreements/{href or 'items.html'}"])


@pytest.mark.slow
@pytest.mark.parametrize("both", [True, False])
def test_one_unit_is_never_said_in_the_plural(tmp_path: Path, both: bool) -> None:  # noqa: FBT001 - a case
    marked = {(3, "A"), (3, "B")} if both else {(3, "A")}
    rows = [f"u{u},{who},{'a' if (u, who) in marked else '-'}" for u in range(40) for who in "AB"]
    found = results(tmp_path, '[task]\nnon_annotated = "-"\n', "\n".join(["item,worker,label", *rows]))
    for language, wrong in (("en", "1 units"), ("fr", "1 unités")):
        text = shown(found, language)
        assert not re.search(rf"(?<![\d,.]){wrong}", text)


# Very many categories of two annotators: no table of all of them by all of them is made


MANY = tuple(f"c{number:03}" for number in range(200))
SPARSE = Confusion(rows="A", columns="B", categories=MANY, cells=((0, 0, 5), (1, 0, 1), (150, 3, 2)))


def test_labels_that_are_withheld_join_without_a_table_of_all_cells() -> None:
    joined = SPARSE.joined({"c001", "c150"}, "others")
    assert joined.counts is None
    assert joined.categories == (*(name for name in MANY if name not in {"c001", "c150"}), "others")
    assert joined.filled == {(0, 0): 5, (198, 0): 1, (198, 2): 2}
    assert (joined.units, joined.count("others", "c003")) == (8, 2)
    # A table of all cells stays one.
    few = Confusion(
        rows="A", columns="B", categories=("x", "y", "z"), counts=((4, 1, 0), (0, 2, 3), (1, 0, 0))
    )
    assert few.joined({"y", "z"}, "rest").counts == ((4, 1), (1, 5))


@pytest.mark.parametrize("withheld", [None, Withheld(labels=("c001",), below=3)])
def test_no_page_has_a_matrix_of_hundreds_of_categories(withheld: Withheld | None) -> None:
    two = pair({("x", "x"): 1}).model_copy(update={"confusion": SPARSE, "withheld": withheld})
    assert matrices.confusion(unit_set(two), two) is None


def test_errors_of_annotators_among_very_many_categories_are_not_estimated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    units = units_of(annotations(["xxy", "yyy"]), categories=tuple("abcdefxyz"))
    assert refused(units) is None
    monkeypatch.setattr(dawid_skene, "MOST_CELLS", len(units.categories) ** 2 - 1)
    assert refused(units) is NotFitted.TOO_LARGE
