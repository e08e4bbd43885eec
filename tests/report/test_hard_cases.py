"""Campaigns that are empty or hard to show: one annotator, one category, sixty, letters of other scripts."""

import json
import random
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from reportgen.pipeline.build import build_site
from reportgen.report import contents, page
from reportgen.report.matrices import MOST, by_confusion
from reportgen.report.matrices import confusion as matrix_of
from reportgen.report.matrices import shown as matrix_shown
from reportgen.report.site import pages_behind
from reportgen.report.view import ReportView
from reportgen.results import Results
from reportgen.words.language import Edition, isolated, writing
from tests.campaigns import results, written
from tests.commands import run

LIGHTEST = 150_000
Rows = Sequence[tuple[str, str, str, str]]


def export(rows: Rows) -> str:
    """Return labels as a long CSV of units, documents, annotators and labels."""
    return "item,document,worker,label\n" + "".join(f"{','.join(row)}\n" for row in rows)


def labelled(labels: Sequence[tuple[str, str]]) -> str:
    """Return what two annotators said of units, ten units a document."""
    said = ((who, label) for pair in labels for who, label in zip("AB", pair, strict=True))
    return export(
        [(f"u{place // 2}", f"d{place // 20}", who, label) for place, (who, label) in enumerate(said)]
    )


def many(categories: int, units: int = 1200) -> list[tuple[str, str]]:
    """Return two annotators' labels of very many categories; neighbours are confused, the first ones most."""
    draw = random.Random(7)  # noqa: S311 - a test's data
    names = [f"label-{place:02d}" for place in range(categories)]

    def other(place: int) -> str:
        wrong = draw.random() < (0.4 if place < categories // 10 else 0.1)
        return names[(place + (1 if place % 2 == 0 else -1)) % categories] if wrong else names[place]

    return [(names[place % categories], other(place % categories)) for place in range(units)]


def of(folder: Path, text: str, toml: str = "") -> Results:
    """Return the results of an export."""
    return results(folder, toml, text)


def shown(found: Results, language: str = "en", *, alone: bool = False) -> str:
    """Return a report's page."""
    with writing(Edition(language)):
        return page.report_html(ReportView(found), alone=alone)


def without_drawings(text: str) -> str:
    return re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL)


@pytest.fixture(scope="module")
def sixty(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return of(tmp_path_factory.mktemp("sixty"), labelled(many(60)))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_one_annotator_has_nothing_to_compare_and_the_page_says_so(tmp_path: Path, language: str) -> None:
    rows = [(f"u{place}", "d1", "A", "xy"[place % 2]) for place in range(8)]
    text = shown(of(tmp_path, export(rows)), language)
    said = {"en": "there is nothing to compare", "fr": "il n’y a rien à comparer"}
    assert said[language] in text
    assert ">nan<" not in text.lower()


@pytest.mark.parametrize("language", ["en", "fr"])
def test_annotators_without_a_common_unit_are_not_compared(tmp_path: Path, language: str) -> None:
    rows = [(f"u{place}", f"d{place // 4}", "AB"[place % 2], "xyz"[place % 3]) for place in range(24)]
    text = shown(of(tmp_path, export(rows)), language)
    assert {"en": "there is nothing to compare", "fr": "il n’y a rien à comparer"}[language] in text


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_figure_without_a_value_says_why_in_words(tmp_path: Path, language: str) -> None:
    found = of(tmp_path, labelled([("x", "x")] * 30))
    text = shown(found, language)
    reason = found.primary.measures[found.coefficient].undefined
    assert reason
    with writing(Edition(language)):
        (said, *_) = contents.undefined(found, found.unit_sets)
    assert said in text


def test_a_large_matrix_shows_the_most_confused_categories_and_the_others_together(sixty: Results) -> None:
    found = ReportView(sixty).layers[0].primary
    assert found.matrix_shown is not None
    heads = [column.title for column in found.matrix_shown.columns]
    assert len(heads) == MOST + 3
    assert heads[-2:] == ["48 others", "Total"]
    assert {"label-00", "label-01", "label-02", "label-03"} <= set(heads)


def test_a_folded_matrix_counts_every_unit(sixty: Results) -> None:
    found = ReportView(sixty).layers[0].primary
    table, whole = found.matrix_shown, found.matrix
    assert table is not None
    assert whole is not None
    assert table.rows[-1][-1] == whole.rows[-1][-1] == sixty.primary.units
    for row in table.rows:
        assert sum(cell for cell in row[1:-1] if isinstance(cell, int)) == row[-1]


def test_a_single_category_beyond_those_shown_is_folded_too(tmp_path: Path) -> None:
    found = of(tmp_path, labelled(many(MOST + 1, 300)))
    matrix = matrix_of(found.primary, found.primary.pairs[0])
    assert matrix
    table = matrix_shown(matrix)
    assert table
    assert [column.title for column in table.columns][-2:] == ["1 other", "Total"]
    assert [row[0] for row in table.rows][-2:] == ["1 other", "Total"]


def test_categories_that_are_confused_stand_beside_each_other(sixty: Results) -> None:
    pair = sixty.primary.only_pair
    assert pair is not None
    whole = matrix_of(sixty.primary, pair)
    assert whole is not None
    order = by_confusion(whole)
    assert sorted(order) == list(range(60))
    for even in range(0, 60, 2):
        assert abs(order.index(even) - order.index(even + 1)) == 1


def test_the_whole_matrix_has_a_light_page_of_its_own(sixty: Results) -> None:
    pages = dict(pages_behind(ReportView(sixty)))
    text = pages[f"confusion/{sixty.primary.id}.html"]
    assert len(text.encode()) <= LIGHTEST
    assert text.count("<tr") == 60 + 2
    assert f'href="confusion/{sixty.primary.id}.html"' in shown(sixty)


def test_a_matrix_of_many_annotators_shows_tenths_and_numbers_where_names_are_long(tmp_path: Path) -> None:
    names = [f"a category whose name has very many letters: number {place}" for place in range(40)]
    rows = [
        (f"u{place}", f"d{place % 9}", who, names[(place + place % 2 * shift) % 40])
        for place in range(40)
        for shift, who in enumerate("ABC")
    ]
    found = of(tmp_path, export(rows))
    text = dict(pages_behind(ReportView(found)))[f"confusion/{found.primary.id}.html"]
    assert "A column has the number of its row." in text
    assert f">1. {names[0][:5]}" in text
    cells = re.findall(r"<td>(?:<a [^>]*>)?([\d.]+)", text)
    assert {"0.5", "3.0"} <= set(cells), "three labels on a unit: each pair of them counts for a half"
    assert "0" not in cells


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_page_with_sixty_categories_stays_light(sixty: Results, language: str) -> None:
    assert len(without_drawings(shown(sixty, language)).encode()) <= LIGHTEST


def test_a_small_matrix_keeps_the_declared_order(tmp_path: Path) -> None:
    found = of(tmp_path, labelled([("b", "a"), ("a", "a"), ("c", "b")] * 8))
    view = ReportView(found).layers[0].primary
    assert view.matrix_shown == view.matrix
    assert view.unfolded is None


def test_very_long_labels_do_not_head_columns_without_end(tmp_path: Path) -> None:
    names = [f"{'a very long label that goes on ' * 6}{place}" for place in range(6)]
    labels = [(names[place % 6], names[(place + place % 5 // 4) % 6]) for place in range(60)]
    text = shown(of(tmp_path, labelled(labels)))
    assert "too long to head the columns" in text


@pytest.mark.parametrize("label", ["اسم!", "שם?"])
def test_labels_from_right_to_left_leave_signs_around_them_in_place(tmp_path: Path, label: str) -> None:
    labels = [(label, label), (label, "مكان"), ("مكان", "مكان")] * 10
    text = shown(of(tmp_path, labelled(labels)))
    assert isolated(label) in text
    assert isolated(label) != label


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


def test_no_title_turns_what_a_page_or_search_engines_say_behind_it(tmp_path: Path) -> None:
    folder = written(tmp_path / "many", "", {"exports/1.0/e.csv": labelled([("a", "a"), ("a", "b")])})
    toml = (folder / "campaign.toml").read_text(encoding="utf-8")
    turned = re.sub("(?m)^title = .*", 'title = "T\u2066\u202e"', toml)
    (folder / "campaign.toml").write_text(turned, encoding="utf-8")
    assert run("build", folder, "--out", tmp_path / "site").exit_code == 0
    page = next((tmp_path / "site").glob("many/1.0/index.html")).read_text(encoding="utf-8")
    assert "<title>T\u2066\u202e\u202c\u2069" in page
    data = page.split('<script type="application/ld+json">')[1].split("</script>")[0]
    assert "T\u2066\u202e\u202c\u2069" in json.loads(data)["name"]


@pytest.mark.slow
def test_every_hard_campaign_builds_with_links_that_lead_somewhere(tmp_path: Path, sixty: Results) -> None:
    del sixty
    folder = written(tmp_path / "many", "", {"exports/1.0/e.csv": labelled(many(60, 300))})
    build_site([folder], tmp_path / "site")
    made = tmp_path / "site" / "many" / "1.0"
    for name in ("index.html", "report.html", "coefficients/index.html", "confusion/items.html"):
        text = (made / name).read_text(encoding="utf-8")
        for href in re.findall(r'href="([^"#:]+)', text):
            assert (made / name).parent.joinpath(href).resolve().exists(), (name, href)


@pytest.mark.slow
def test_one_file_has_the_means_over_documents_of_any_number_of_layers(tmp_path: Path) -> None:
    """The pages beside it are not there for who has that file alone."""
    layers = [f"column{place}" for place in range(6)]
    toml = "".join(f'[[layers]]\nid = "l{place}"\nsource = "{name}"\n' for place, name in enumerate(layers))
    rows = [
        f"d{place % 8},{place},{who},{','.join('xy'[(place * (who == 'A') + 1) // 3 % 2] for _ in layers)}"
        for place in range(24)
        for who in "AB"
    ]
    export = "\n".join((",".join(("document", "unit", "annotator", *layers)), *rows, ""))
    found = of(tmp_path, export, toml)
    assert shown(found, alone=True).count("Means over documents") == len(layers)
    assert page.report_markdown(ReportView(found)).count("Means over documents") == len(layers)
