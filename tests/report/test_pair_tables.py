"""Who agrees with whom: the table of annotators by annotators, and a page for each pair."""

from fractions import Fraction
from pathlib import Path

import pytest

from reportgen.report.pairs import Pairs, shade
from tests.campaigns import Marks, results
from tests.pages import check_ids, check_links
from tests.report.written_pages import MARKS, pages, report, two

GOLD = '[annotators.cat]\nrole = "reference"\n'


def test_cells_are_micro_and_macro_f_and_means_are_over_all_others(tmp_path: Path) -> None:
    found = report(tmp_path, MARKS).results
    (table,) = Pairs(found).tables
    assert found.spans is not None
    known = {frozenset(pair.annotators): pair for pair in found.spans.pairs}
    pooled, means = table.shown
    names = [row[0] for row in pooled.rows]
    for name, cells, macros in zip(names, pooled.rows, means.rows, strict=True):
        for other, cell, macro in zip(names, cells[1:4], macros[1:4], strict=True):
            if name != other:
                pair = known[frozenset((str(name), str(other)))]
                assert cell == pair.strict["f_measure"].value
                assert macro == pair.macro_documents["strict"]["f_measure"].value
        others = [known[frozenset((str(name), str(other)))] for other in names if other != name]
        assert cells[4] == pytest.approx(sum(p.strict["f_measure"].value or 0 for p in others) / 2)


def test_micro_and_macro_f_by_hand(tmp_path: Path) -> None:
    # d1: 1 match of 4 and 5 marks; d2: 1 and 0; d3: 2 and 2 all match.
    (table,) = Pairs(report(tmp_path, two()).results).tables
    pooled, means = table.shown
    assert pooled.rows[0][2] == pytest.approx(float(Fraction(2 * 3, 7 + 7)))
    assert means.rows[0][2] == pytest.approx(float((Fraction(2, 9) + 0 + 1) / 3))


def test_the_reference_has_a_column_of_its_own_and_is_no_other(tmp_path: Path) -> None:
    found = report(tmp_path, MARKS, GOLD).results
    (table,) = Pairs(found).tables
    pooled = table.shown[0]
    assert [column.key for column in pooled.columns][4:] == ["others", "reference"]
    assert [column.title for column in pooled.columns][1:4] == ["A01", "A02", "A03 (reference)"]
    first, second, gold = pooled.rows
    assert first[5] == first[3]
    assert first[4] == second[4] == first[2]
    assert gold[4] is None


def test_pairs_without_a_shared_document_are_blank(tmp_path: Path) -> None:
    apart: Marks = {
        "ann": {"d1": MARKS["ann"]["d1"]},
        "bob": {"d1": MARKS["bob"]["d1"], "d3": []},
        "cat": {"d3": []},
    }
    (table,) = Pairs(report(tmp_path, apart).results).tables
    pooled = table.shown[0]
    known = [[value is not None for value in row[1:4]] for row in pooled.rows]
    # Nobody marked anything in the document that the last two share.
    assert known == [[False, True, False], [True, False, False], [False, False, False]]


@pytest.mark.slow
def test_a_pair_s_page_has_its_documents_the_worst_first_and_leads_to_them(tmp_path: Path) -> None:
    there = pages(tmp_path, report(tmp_path, MARKS))
    check_links(there.parent)
    check_ids(there)
    page = (there / "pairs/A01-A02.html").read_text(encoding="utf-8")
    places = [page.index(f'href="../documents/D000{number}.html#layer-1"') for number in (2, 1, 3)]
    assert places == sorted(places)
    assert 'href="pairs/A01-A02.html"' in (there / "index.html").read_text(encoding="utf-8")


def test_layers_stand_in_the_order_of_the_campaign_each_with_its_primary_unit_set(tmp_path: Path) -> None:
    rows = [f"{n},{who},{n % 2},{n % 3}" for n in range(12) for who in "ABC"]
    layers = '[[layers]]\nid = "zeal"\n[[layers]]\nid = "anger"\n'
    sets = (
        '[[unit_sets]]\nid = "all"\nunits = "items"\n[[unit_sets]]\nid = "some"\nunits = "annotated-by-any"\n'
    )
    found = results(tmp_path, layers + sets, "\n".join(["unit,annotator,zeal,anger", *rows]))
    assert [each.layer for each in Pairs(found).tables] == ["zeal", "anger"]


def test_ratings_show_observed_agreement_and_each_pair_s_matrix(tmp_path: Path) -> None:
    rows = [f"{n},{who},{n % 2 if who != 'C' else n % 3}" for n in range(12) for who in "ABC"]
    found = results(tmp_path, "", "\n".join(["unit,annotator,label", *rows]))
    pairs = Pairs(found)
    (table,) = pairs.tables
    (shown,) = table.shown
    assert not table.spans
    assert shown.rows[0][2] == 1
    (standing, *_) = found.standings or ()
    assert standing.figure == "observed_agreement"
    assert standing.others["micro"].pairs == 2
    assert [page.file for page in pairs.pages()] == ["A01-A02.html", "A01-A03.html", "A02-A03.html"]
    assert all(page.layers[0].units for page in pairs.pages())


def test_two_who_rated_units_need_no_table(tmp_path: Path) -> None:
    found = results(tmp_path, "", "unit,annotator,label\n1,A,x\n1,B,y\n2,A,x\n2,B,x\n")
    assert (Pairs(found).tables, list(Pairs(found).pages()), found.standings) == ((), [], None)


def test_names_that_no_file_can_have_become_numbers(tmp_path: Path) -> None:
    names = ["../x", "a/b", "A-B"]
    rows = [f"{n},{who},{n % 2}" for n in range(4) for who in names]
    toml = '[privacy]\nannotators = "names"\n'
    found = results(tmp_path, toml, "\n".join(["unit,annotator,label", *rows]))
    assert [page.file for page in Pairs(found).pages()] == ["1-2.html", "1-3.html", "2-3.html"]


@pytest.mark.slow
@pytest.mark.parametrize(("people", "beside", "tables"), [(12, True, 1), (13, False, 1), (51, False, 0)])
def test_many_annotators_have_a_page_of_their_own_and_too_many_none(
    tmp_path: Path, people: int, *, beside: bool, tables: int
) -> None:
    rows = [f"{n},p{who:02},{(n + who) % 2}" for n in range(3) for who in range(people)]
    found = results(tmp_path, "", "\n".join(["unit,annotator,label", *rows]))
    pairs = Pairs(found)
    assert len(pairs.tables) == tables
    assert not tables or pairs.beside == beside


def test_a_cell_is_the_darker_the_higher_its_figure() -> None:
    values = (-0.3, 0.0, 0.19, 0.2, 0.5, 0.64, 0.99, 1.0, None)
    assert [shade(value) for value in values] == [0, 0, 1, 2, 5, 6, 9, 9, None]


def test_the_page_of_all_pairs_has_pooled_figures_and_means_over_documents(tmp_path: Path) -> None:
    (table,) = Pairs(report(tmp_path, MARKS, GOLD).results).tables
    pooled, mean = table.shown
    assert [row[0] for row in pooled.rows] == [row[0] for row in mean.rows]
    assert [shades[2] for shades in pooled.shades] == [shade(row[2]) for row in pooled.rows]  # type: ignore[arg-type]
