"""For word processors: the document says what the report says, the workbook has its figures."""

import csv
import io
import zipfile
from datetime import datetime

import pytest
from docx import Document
from openpyxl import load_workbook

from reportgen.report import paper
from reportgen.report.blocks import tables_in
from reportgen.report.paper import paper_docx, tables_xlsx
from reportgen.report.sections import whole
from reportgen.report.tables import ReportTable, TableColumn, to_csv
from reportgen.report.view import ReportView
from reportgen.results import Results
from reportgen.results.model import Author
from tests.campaigns import GENE_RENAMING, results_of
from tests.hostile import attack
from tests.report.test_latex import ORDERS_OF_TEX


@pytest.fixture(scope="module")
def view() -> ReportView:
    return ReportView(results_of(GENE_RENAMING))


@pytest.fixture(scope="module")
def content(view: ReportView) -> bytes:
    return paper_docx(view)


def hostile(found: Results) -> Results:
    """Return results whose title and authors attack, and would be formulas of a spreadsheet."""
    facts = found.campaign
    author = Author(name='=HYPERLINK("http://x.invalid")\x00\x1b')
    changed = {"title": f"=1+1 {attack('title')} {' '.join(ORDERS_OF_TEX)}", "authors": (author,)}
    return found.model_copy(update={"campaign": facts.model_copy(update=changed)})


@pytest.mark.slow
@pytest.mark.parametrize("moment", [0, 4_116_000_000], ids=["1970", "2100"])
def test_the_same_bytes_whatever_the_clock(
    view: ReportView, content: bytes, moment: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheets = tables_xlsx(view)
    monkeypatch.setattr("time.time", lambda: moment)
    for once, again in ((content, paper_docx(view)), (sheets, tables_xlsx(view))):
        assert once == again
        with zipfile.ZipFile(io.BytesIO(once)) as archive:
            assert {member.date_time for member in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
            year = str(datetime.now().astimezone().year)
            about = archive.read("docProps/core.xml").decode()
            assert f"{year}-" not in about


@pytest.mark.slow
def test_nothing_from_a_campaign_is_more_than_text(view: ReportView) -> None:
    attacked = ReportView(hostile(view.results))
    document = Document(io.BytesIO(paper_docx(attacked)))
    assert any("<script>ran(1)</script>" in line.text for line in document.paragraphs)
    book = load_workbook(io.BytesIO(tables_xlsx(attacked)))
    kinds = {cell.data_type for sheet in book for row in sheet for cell in row}
    assert kinds <= {"s", "n"}
    with zipfile.ZipFile(io.BytesIO(paper_docx(attacked))) as archive:
        assert not [name for name in archive.namelist() if "vba" in name.casefold()]
        links = archive.read("word/_rels/document.xml.rels").decode()
    assert "x.invalid" not in links


def test_every_table_of_the_report_is_a_sheet_with_the_cells_of_its_csv(view: ReportView) -> None:
    content = tables_xlsx(view)
    book, tables = load_workbook(io.BytesIO(content)), tables_in(whole(view))
    assert len(book.sheetnames) == len(tables) + 1
    for sheet, table in zip(book.worksheets[1:], tables, strict=True):
        rows = list(csv.reader(io.StringIO(to_csv(table))))
        for row, cells in zip(rows, sheet.iter_rows(values_only=True), strict=True):
            for text, cell in zip(row, cells, strict=True):
                if isinstance(cell, int | float):
                    assert cell == pytest.approx(float(text), rel=1e-15, abs=0)
                else:
                    assert text == (cell or "")


def test_names_of_sheets_are_such_as_excel_takes_and_no_two_alike() -> None:
    files = ["a" * 40, "a" * 41, "History", "x[1]:*?/y", "Contents", "A" * 40]
    names = paper.sheet_names(files)
    assert names == ["a" * 31, f"{'a' * 29}~2", "History~2", "x-1-----y", "Contents~2", f"{'A' * 29}~3"]


def test_a_table_longer_than_a_sheet_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = tuple((f"unit {index}", index) for index in range(5))
    columns = (TableColumn("unit", "Unit"), TableColumn("number", "Number", "count"))
    table = ReportTable("long", "Long.", columns, rows, file="long.csv")
    monkeypatch.setattr(paper, "MOST_SHEET_ROWS", 4)
    monkeypatch.setattr(paper, "whole", lambda _view: ())
    monkeypatch.setattr(paper, "tables_in", lambda _blocks: [table])
    view = ReportView(results_of(GENE_RENAMING))
    book = load_workbook(io.BytesIO(tables_xlsx(view)))
    assert [row[0].value for row in book["long"]] == ["unit", "unit 0", "unit 1", "unit 2"]
    assert book["Contents"]["B2"].value == "Long. The first 3 rows; all are in long.csv."
