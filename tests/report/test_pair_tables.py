"""Who agrees with whom: the table of annotators by annotators, and a page for each pair."""

from fractions import Fraction
from pathlib import Path

import pytest

from reportgen.report.pairs import Pairs
from tests.campaigns import Marks, results
from tests.report.written_pages import MARKS, report, two

GOLD = '[annotators.cat]\nrole = "reference"\n'


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


def test_names_that_no_file_can_have_become_numbers(tmp_path: Path) -> None:
    names = ["../x", "a/b", "A-B"]
    rows = [f"{n},{who},{n % 2}" for n in range(4) for who in names]
    toml = '[privacy]\nannotators = "names"\n'
    found = results(tmp_path, toml, "\n".join(["unit,annotator,label", *rows]))
    assert [page.file for page in Pairs(found).pages()] == ["1-2.html", "1-3.html", "2-3.html"]
