"""For word processors: the document says what the report says, the workbook has its figures."""

import csv
import io
import re
import zipfile
from datetime import datetime
from pathlib import Path

import pytest
from docx import Document
from docx.document import Document as WordDocument
from docx.oxml.ns import qn
from openpyxl import load_workbook

from reportgen.report import paper
from reportgen.report.blocks import parts, tables_in
from reportgen.report.paper import leading_tables, paper_docx, references, tables_xlsx
from reportgen.report.sections import whole
from reportgen.report.sections.method import methods_details, methods_paragraph
from reportgen.report.tables import ReportTable, TableColumn, to_csv
from reportgen.report.view import ReportView
from reportgen.results import Results
from reportgen.results.model import Author
from reportgen.words.language import Edition, writing
from tests.campaigns import GENE_RENAMING, results_of
from tests.commands import run
from tests.hostile import attack
from tests.report.test_latex import ORDERS_OF_TEX
from tests.six_subjects import campaign

CELL = re.compile(r'<c r="([A-Z]+)(\d+)"[^>]*?(?:/>|>(?:<f>.*?</f>)?<v>(.*?)</v>)')


@pytest.fixture(scope="module")
def view() -> ReportView:
    return ReportView(results_of(GENE_RENAMING))


@pytest.fixture(scope="module")
def content(view: ReportView) -> bytes:
    return paper_docx(view)


@pytest.fixture(scope="module")
def document(content: bytes) -> WordDocument:
    return Document(io.BytesIO(content))


def hostile(found: Results) -> Results:
    """Return results whose title and authors attack, and would be formulas of a spreadsheet."""
    facts = found.campaign
    author = Author(name='=HYPERLINK("http://x.invalid")\x00\x1b')
    changed = {"title": f"=1+1 {attack('title')} {' '.join(ORDERS_OF_TEX)}", "authors": (author,)}
    return found.model_copy(update={"campaign": facts.model_copy(update=changed)})


def test_the_document_has_the_paragraph_with_works_in_brackets(document: WordDocument) -> None:
    said = document.paragraphs[1].text
    assert said.startswith("2 annotators labelled 19,054 units (tokens) with 3 categories.")
    assert "by Cohen's kappa (Cohen 1960; Artstein and Poesio 2008): it is " in said
    details = next(each.text for each in document.paragraphs[2:] if "Intervals come from" in each.text)
    assert "from each annotator's own distribution (Cohen 1960; Artstein and Poesio 2008)." in details
    assert "(Hripcsak and Heitjan 2002; Fort et al. 2010)." in details


def test_works_that_the_paragraph_cites_are_below_with_the_report_and_no_others(view: ReportView) -> None:
    found = references(view, (*parts(methods_paragraph(view)), *parts(methods_details(view))))
    assert [line.split(" (")[0] for line in found] == [
        "Artstein and Poesio",
        "Cohen",
        "Fort, François and Ghribi",
        "Gene renaming in Bacillus subtilis abstracts: agreement report, guidelines 1.0",
        "Hripcsak and Heitjan",
        "Krippendorff",
    ]
    assert found[1].endswith("https://doi.org/10.1177/001316446002000104")


def test_the_table_has_the_figures_of_the_report_between_three_rules(document: WordDocument) -> None:
    (table,) = document.tables
    rows = [[cell.text.replace("\N{NO-BREAK SPACE}", " ") for cell in row.cells] for row in table.rows]
    assert rows[0] == [
        "Figure",
        "tokens (19,054 units)",
        "gene-names (1,165 units)",
        "annotated-by-both (161 units)",
    ]
    assert rows[1][:2] == ["Cohen's kappa", "0.801 [0.755, 0.840]"]
    borders = document.element.body.iter(qn("w:tcBorders"))
    rules = [[side.tag.rpartition("}")[2] for side in cell] for cell in borders]
    width = len(rows[0])
    assert rules == [["top", "bottom"]] * width + [["bottom"]] * width
    assert any(line.text.startswith("Table 1. Agreement by unit set") for line in document.paragraphs)


def test_the_figure_has_its_data_in_words(document: WordDocument) -> None:
    (figure,) = document.element.body.iter(qn("wp:docPr"))
    assert "Former" in figure.get("descr")
    assert "0.736" in figure.get("descr")
    caption = "Figure 1. Annotators agree least on Former: 0.736. Specific agreement in “tokens”"
    assert any(line.text.startswith(caption) for line in document.paragraphs)


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


def test_a_document_in_french_says_so_and_writes_numbers_so(view: ReportView) -> None:
    with writing(Edition("fr")):
        document = Document(io.BytesIO(paper_docx(view)))
    assert document.core_properties.language == "fr"
    assert document.tables[0].rows[1].cells[1].text.startswith("0,801 [0,755")
    heads = [line.text for line in document.paragraphs if line.style and line.style.name == "Heading 1"]
    assert heads == ["Accord", "Détails techniques", "Références"]


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


def test_another_reading_of_the_workbook_gives_the_figures_of_results(view: ReportView) -> None:
    """Without a library: the numbers of the sheet `coefficients` as they are in its XML."""
    content = tables_xlsx(view)
    book = load_workbook(io.BytesIO(content))
    place = book.sheetnames.index("coefficients") + 1
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        numbers = {
            float(value)
            for _column, _row, value in CELL.findall(archive.read(f"xl/worksheets/sheet{place}.xml").decode())
            if value
        }
    kappa = view.results.primary.measures["cohen_kappa"].value
    assert kappa is not None
    assert any(number == pytest.approx(kappa, rel=1e-15, abs=0) for number in numbers)


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


def test_a_table_without_any_figure_is_in_no_paper(tmp_path: Path) -> None:
    found = results_of(campaign(tmp_path, "systems"))
    tables = leading_tables(ReportView(found))
    assert [table.name for table in tables] == ["spans"]


@pytest.mark.slow
def test_the_command_writes_both_and_replaces_nothing(tmp_path: Path) -> None:
    for name in ("paper.docx", "tables.xlsx"):
        out = tmp_path / name
        done = run("paper", GENE_RENAMING, "--out", out, "--json")
        assert done.exit_code == 0, done.output
        assert out.stat().st_size > 1000
        out.write_bytes(b"edited")
        again = run("paper", GENE_RENAMING, "--out", out)
        assert again.exit_code == 2
        assert "is there already, and may have been edited." in again.output
        assert out.read_bytes() == b"edited"


def test_all_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    done = run("paper", GENE_RENAMING, "9", "--out", tmp_path / "paper.doc", "--language", "xx")
    assert done.exit_code == 2
    for message in (
        "ends in .doc, which is not written",
        '"xx" is not a language',
        'no guidelines version "9"',
    ):
        assert message in done.output
    assert not list(tmp_path.iterdir())


def test_without_the_package_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reportgen.publish.exported_files.find_spec", lambda _name: None)
    done = run("paper", GENE_RENAMING, "--out", tmp_path / "paper.docx")
    assert 'Install reportgen with the extra "office".' in done.output
