"""Lists of disagreements: a section for each two categories, pages of a few hundred rows, and a CSV."""

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from reportgen.report import disagreements
from reportgen.report.disagreements import DisagreementList, ReportTexts
from reportgen.results import Results
from reportgen.results.texts import Disagreement, Disagreements, Texts
from tests.campaigns import results
from tests.pages import check_ids, check_links
from tests.rendered import version_files
from tests.report.written_pages import MARKS, pages, report, two


def ratings(folder: Path, people: str = "AB") -> Results:
    """Return the results of ratings on which two annotators differ in every third unit."""
    rows = [f"{n},{who},{n % 2 if who == 'A' or n % 3 else 1 - n % 2}" for n in range(12) for who in people]
    return results(folder, "", "\n".join(["unit,annotator,label", *rows]))


def listed(found: Results, units: Sequence[dict[str, str]]) -> DisagreementList:
    made = tuple(Disagreement(name=f"unit {n}", labels=labels) for n, labels in enumerate(units))
    disputed = Disagreements(layer="main", unit_set=found.primary.id, units=made)
    (only,) = ReportTexts(found, Texts(guidelines="1.0", documents=(), disagreements=(disputed,))).lists
    return only


def test_two_annotators_have_a_section_for_each_cell_the_most_frequent_first(tmp_path: Path) -> None:
    zero_one = {"A01": "0", "A02": "1"}
    one_zero = {"A01": "1", "A02": "0"}
    found = listed(ratings(tmp_path), [zero_one, one_zero, one_zero])
    sections = [(each.first, each.second, len(each.rows), each.href) for each in found.sections]
    slug = found.unit_set.id
    assert sections == [
        ("1", "0", 2, f"disagreements/{slug}.html#confused-2-1"),
        ("0", "1", 1, f"disagreements/{slug}.html#confused-1-2"),
    ]
    assert [row.name for row in found.sections[0].rows] == ["unit 1", "unit 2"]


def test_a_list_is_split_into_pages_and_its_csv_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = ratings(tmp_path)
    monkeypatch.setattr(disagreements, "MOST_ROWS", 1000)
    monkeypatch.setattr(disagreements, "MOST_BYTES", 1_000_000)
    monkeypatch.setattr(disagreements, "MOST_SHOWN", 3000)
    units = [{"A01": "0", "A02": "1"}] * 1500 + [{"A01": "1", "A02": "0"}] * 700
    found = listed(base, units)
    slug = found.unit_set.id
    parts = [[(len(each.rows), each.continued) for each in page.extracts] for page in found.pages]
    assert parts == [[(1000, False)], [(500, True), (500, False)], [(200, True)]]
    assert [page.file for page in found.pages] == [f"{slug}.html", f"{slug}-2.html", f"{slug}-3.html"]
    assert found.sections[1].file == f"{slug}-2.html"
    texts = Texts(guidelines="1.0", documents=(), disagreements=(found.disagreements,))
    files = dict(version_files(base, {}, texts))
    rows = list(csv.reader(io.StringIO(files[f"tables/disagreements.{slug}.csv"])))
    assert rows[0] == ["document", "offsets", "unit", "A01", "A02"]
    assert len(rows) == 2201
    links = {target for _, target in parsed_text(files[f"disagreements/{slug}-2.html"])}
    assert {f"{slug}.html", f"{slug}-3.html"} <= links
    assert all(len(text.encode()) < 10**6 for name, text in files.items() if name.endswith(".html"))


def parsed_text(page: str) -> list[tuple[str, str]]:
    return [("a", target) for target in re.findall(r'href="([^"]*)"', page)]


@pytest.mark.slow
@pytest.mark.parametrize("people", [2, 3])
def test_every_cell_of_the_matrix_leads_to_as_many_units_as_it_counts(tmp_path: Path, people: int) -> None:
    found = report(tmp_path, two() if people == 2 else MARKS, "[privacy]\nsmallest = 1\n")
    there = pages(tmp_path, found)
    check_links(there.parent)
    check_ids(there)
    assert found.texts is not None
    primary = found.results.primary
    disputed = ReportTexts(found.results, found.texts).of(primary.layer, primary.id)
    assert disputed is not None
    index = (there / "index.html").read_text(encoding="utf-8")
    if people == 2:
        (pair,) = primary.pairs
        counts = {
            (row, column): pair.confusion.count(row, column)
            for row in pair.confusion.categories
            for column in pair.confusion.categories
            if row != column and pair.confusion.count(row, column)
        }
        assert {(each.first, each.second): len(each.rows) for each in disputed.sections} == counts
    else:
        assert primary.coincidences is not None
        assert 'id="table-confused' not in index, "the matrix has all of it"
    for each in disputed.sections:
        assert f'<a href="{each.href}">' in index
        assert people > 2 or f'<a href="{each.href}">{len(each.rows)}</a>' in index
        for row in each.rows:
            assert row.href is not None
            assert "#u-1-" in row.href
