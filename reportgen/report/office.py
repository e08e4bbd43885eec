"""For papers written in a word processor: a report as a Word document, its tables as a workbook."""

import datetime as dt
import io
import re
import tempfile
import zipfile
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportgen.base.dataclass import dataclass
from reportgen.report import citation
from reportgen.report.blocks import (
    Cited,
    FigureBlock,
    Inline,
    PaperTable,
    Text,
    paper_figures_in,
    parts,
    tables_in,
)
from reportgen.report.paper import CITED, leading_tables
from reportgen.report.sections import whole
from reportgen.report.sections.method import methods_details, methods_paragraph
from reportgen.report.tables import Kind, ReportTable, cell_text, csv_columns, csv_rows, unbroken
from reportgen.report.view import ReportView
from reportgen.results import Work
from reportgen.words import numbers
from reportgen.words.language import _, edition, printable, say

if TYPE_CHECKING:
    from docx.document import Document
    from docx.opc.packuri import PackURI
    from docx.table import Table
    from xlsxwriter import Workbook
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

# The same bytes whatever the clock: the earliest moment that a zip file can say.
MOMENT = dt.datetime(1980, 1, 1)  # noqa: DTZ001 - neither format has a zone


# The document: what was measured and how, the tables of the main figures, a figure, the works.

FONT, SIZE, SMALL = "Times New Roman", 11, 9
# Wider tables are set in smaller letters.
MOST_COLUMNS = 4
# Eighths of a point: the rules above and below a table, and the one below its head.
OUTER_RULE, INNER_RULE = 8, 4
# Inches that a page has between its margins, and pixels of a page's figure for each.
WIDTH, PIXELS = 6, 110
SEVERAL_AUTHORS = 2
# Letters of what a document or a workbook says of itself.
LONGEST_PROPERTY = 255


def paper_docx(view: ReportView) -> bytes:
    """Return the methods, the main tables, a figure and the references of a report as a Word document."""
    from docx import Document

    document = Document()
    _dress(document, view)
    paragraph, details = methods_paragraph(view), methods_details(view)
    document.add_heading(_("Agreement"), 1)
    document.add_paragraph(printable(with_citations(paragraph)))
    tables = leading_tables(view)
    for number, table in enumerate(tables, 1):
        _add_table(document, number, table, layer=table.layer if len(view.layers) > 1 else "")
    for number, figure in enumerate([*paper_figures_in(whole(view))][:1], 1):
        _add_figure(document, number, figure)
    document.add_heading(_("Technical details"), 1)
    document.add_paragraph(printable(with_citations(details)))
    document.add_heading(_("References"), 1)
    for line in references(view, (*parts(paragraph), *parts(details))):
        document.add_paragraph(printable(line), style="List")
    return _saved(document)


def with_citations(text: Text) -> str:
    """Return a text as papers have it, works in brackets."""
    return "".join(map(_inline, parts(text)))


def references(view: ReportView, text: Text) -> list[str]:
    """Return the works that a text cites and the report itself, in the order of the alphabet."""
    works = {work for part in parts(text) if isinstance(part, Cited) for work in part.works}
    cited = (f"{work.citation}.{f' https://doi.org/{work.doi}' * bool(work.doi)}" for work in works)
    return sorted([*cited, citation.text(view.results)], key=str.casefold)


def _inline(part: Inline) -> str:
    """Return a part of a text; works come in brackets before its last full stop."""
    if isinstance(part, str):
        return part
    if not isinstance(part, Cited) or not part.works:
        return part.text
    stop = "." * part.text.endswith(".")
    return f"{part.text.removesuffix('.')} ({'; '.join(map(_in_brackets, part.works))}){stop}"


def _in_brackets(work: Work) -> str:
    """Return how a text names a work: Krippendorff 2004, Hayes et al. 2007."""
    match = CITED.match(work.citation)
    if not match:
        return work.citation
    authors = re.split(", | and ", match["authors"])
    shown = match["authors"] if len(authors) <= SEVERAL_AUTHORS else f"{authors[0]} et al."
    return f"{shown} {match['year']}"


def _dress(document: "Document", view: ReportView) -> None:
    """Set the letters and the language of a document, and what it says of itself."""
    from docx.oxml.ns import qn
    from docx.shared import Pt, RGBColor

    about = document.core_properties
    about.title, about.comments = printable(citation.report_title(view.results))[:LONGEST_PROPERTY], ""
    authors = "; ".join(author.name for author in view.results.campaign.authors)
    about.author = printable(authors)[:LONGEST_PROPERTY]
    about.language, about.created, about.modified = edition().language, MOMENT, MOMENT
    for name, size in (("Normal", SIZE), ("List", SIZE), ("Caption", SIZE), ("Heading 1", SIZE + 3)):
        style = document.styles[name]
        style.font.name, style.font.size, style.font.color.rgb = FONT, Pt(size), RGBColor(0, 0, 0)
        fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
        for script in ("ascii", "hAnsi", "eastAsia", "cs"):
            fonts.attrib.pop(qn(f"w:{script}Theme"), None)
            fonts.set(qn(f"w:{script}"), FONT)
    document.styles["Caption"].font.bold = False
    document.styles["Heading 1"].paragraph_format.space_after = Pt(SIZE / 2)
    for element in document.styles.element.iter(qn("w:lang")):
        element.set(qn("w:val"), edition().language)


def _add_table(document: "Document", number: int, chosen: PaperTable, layer: str) -> None:
    """Add a table in the usual style of journals: its number above it, three rules, its notes below."""
    from docx.oxml import OxmlElement
    from docx.shared import Pt

    caption = say("Table {number}. {caption}", number=numbers.count(number), caption=chosen.caption)
    if layer:
        caption = say("{caption} Layer {layer}.", caption=caption, layer=layer)
    above = document.add_paragraph(printable(caption), style="Caption")
    above.paragraph_format.keep_with_next = True
    above.paragraph_format.space_before = Pt(SIZE)
    columns, rows = chosen.table.columns, chosen.table.rows
    table = document.add_table(len(rows) + 1, len(columns))
    size = SIZE if len(columns) <= MOST_COLUMNS else SMALL
    _fill(table, 0, [column.title for column in columns], [column.kind for column in columns], size)
    for index, row in enumerate(rows, 1):
        shown = [cell_text(cell, column.kind) for cell, column in zip(row, columns, strict=True)]
        _fill(table, index, shown, [column.kind for column in columns], size)
    _rule(table, 0, top=OUTER_RULE, bottom=INNER_RULE)
    _rule(table, -1, bottom=OUTER_RULE)
    if chosen.table.total and len(rows) > 1:
        _rule(table, -1, top=INNER_RULE, bottom=OUTER_RULE)
    # On each page the head is there again, for screen readers too.
    table.rows[0]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))  # noqa: SLF001 - as above
    for note in chosen.notes:
        document.add_paragraph().add_run(printable(note)).font.size = Pt(SMALL)


def _fill(table: "Table", index: int, texts: Sequence[str], kinds: Sequence[Kind], size: int) -> None:
    from docx.enum.text import WD_ALIGN_PARAGRAPH
    from docx.shared import Pt

    for cell, text, kind in zip(table.rows[index].cells, texts, kinds, strict=True):
        line = cell.paragraphs[0]
        line.paragraph_format.space_after = Pt(1)
        line.alignment = WD_ALIGN_PARAGRAPH.LEFT if kind == "text" else WD_ALIGN_PARAGRAPH.RIGHT
        line.add_run(unbroken(printable(text))).font.size = Pt(size)


def _rule(table: "Table", index: int, **widths: int) -> None:
    """Draw rules above or below a row."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    for cell in table.rows[index].cells:
        properties = cell._tc.get_or_add_tcPr()  # noqa: SLF001 - python-docx draws no rules itself
        for old in properties.findall(qn("w:tcBorders")):
            properties.remove(old)
        borders: Any = OxmlElement("w:tcBorders")
        for side, width in widths.items():
            rule = OxmlElement(f"w:{side}")
            for key, value in {"val": "single", "sz": str(width), "space": "0", "color": "000000"}.items():
                rule.set(qn(f"w:{key}"), value)
            borders.append(rule)
        properties.append(borders)


def _add_figure(document: "Document", number: int, figure: FigureBlock) -> None:
    """Add a figure with its caption, and its data in words for those who don't see it."""
    from docx.shared import Inches, Pt

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "figure.png"
        figure.drawing.save(file)
        document.add_picture(str(file), width=Inches(min(figure.drawing.plot.size[0] / PIXELS, WIDTH)))
    picture = document.inline_shapes[-1]._inline.docPr  # noqa: SLF001 - python-docx has no other way
    picture.set("title", printable(figure.drawing.title))
    picture.set("descr", printable(figure.drawing.plot.described))
    document.paragraphs[-1].paragraph_format.keep_with_next = True
    document.paragraphs[-1].paragraph_format.space_before = Pt(SIZE)
    words = [
        f"{figure.drawing.title}." * bool(figure.drawing.title),
        "".join(map(_inline, parts(figure.caption))),
    ]
    caption = say(
        "Figure {number}. {caption}", number=numbers.count(number), caption=" ".join(filter(None, words))
    )
    document.add_paragraph(printable(caption), style="Caption")


def _saved(document: "Document") -> bytes:
    """Return a document as a zip file that is dated by no clock: one before 1980 can't be written there."""
    from docx.opc.pkgwriter import PackageWriter

    package = document.part.package
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        package_writer: Any = PackageWriter
        writer = _UndatedMembers(archive)
        # python-docx has no other way: `save` dates every member by the clock.
        package_writer._write_content_types_stream(writer, package.parts)  # noqa: SLF001
        package_writer._write_pkg_rels(writer, package.rels)  # noqa: SLF001
        package_writer._write_parts(writer, package.parts)  # noqa: SLF001
    return buffer.getvalue()


@dataclass(frozen=True)
class _UndatedMembers:
    """What python-docx writes the members of a document to."""

    archive: zipfile.ZipFile

    def write(self, name: "PackURI", content: bytes) -> None:
        """Write a member, dated as all are."""
        entry = zipfile.ZipInfo(name.membername, MOMENT.timetuple()[:6])
        self.archive.writestr(entry, content, zipfile.ZIP_DEFLATED)


# The workbook: a sheet for each table of the report, and before them what there is.

# What Excel takes: letters of a sheet's name and of a cell, rows of a sheet.
LONGEST_NAME, LONGEST_CELL, MOST_ROWS = 31, 32_767, 1_048_576
NOT_IN_NAMES = re.compile(r"[\[\]:*?/\\']")
# Excel keeps this name for itself.
RESERVED = "history"
WIDEST, NARROWEST = 60, 8
FORMATS: dict[Kind, str] = {
    "count": "#,##0",
    "figure": "0.000",
    "estimate": "0.000",
    "decimal": "0.00",
    "percent": "0.0%",
    "p": "0.000",
}


def tables_xlsx(view: ReportView) -> bytes:
    """Return every table of a report as a workbook: a sheet each, numbers as numbers at full precision."""
    from xlsxwriter import Workbook

    tables = tables_in(whole(view))
    buffer = io.BytesIO()
    # What a campaign says is text: no formula, no number, no link.
    plain = dict.fromkeys(("strings_to_formulas", "strings_to_numbers", "strings_to_urls"), False)
    book = Workbook(buffer, {"in_memory": True, **plain})
    title = printable(citation.report_title(view.results))[:LONGEST_PROPERTY]
    book.set_properties({"title": title, "created": MOMENT})
    styles = {kind: book.add_format({"num_format": shape}) for kind, shape in FORMATS.items()}
    head = book.add_format({"bold": True, "bottom": 1})
    first = _("Contents")
    names = sheet_names(table.file.removesuffix(".csv") for table in tables)
    _add_contents(book, first if first.casefold() not in names else "0", names, tables)
    for name, table in zip(names, tables, strict=True):
        _add_sheet(book.add_worksheet(name), table, styles, head)
    book.close()
    return buffer.getvalue()


def sheet_names(files: Iterable[str]) -> list[str]:
    """Return a name for each sheet that Excel takes, no two alike."""
    names: list[str] = []
    taken = {RESERVED, _("Contents").casefold()}
    for file in files:
        base = NOT_IN_NAMES.sub("-", printable(file))[:LONGEST_NAME]
        name, number = base, 2
        while name.casefold() in taken:
            end = f"~{number}"
            name, number = f"{base[: LONGEST_NAME - len(end)]}{end}", number + 1
        taken.add(name.casefold())
        names.append(name)
    return names


def _add_contents(book: "Workbook", name: str, names: Sequence[str], tables: Sequence[ReportTable]) -> None:
    sheet, bold = book.add_worksheet(name), book.add_format({"bold": True})
    sheet.set_column(0, 0, LONGEST_NAME)
    sheet.set_column(1, 1, 2 * WIDEST)
    for column, title in enumerate((_("Sheet"), _("What it is"))):
        sheet.write_string(0, column, title, bold)
    for row, (sheet_name, table) in enumerate(zip(names, tables, strict=True), 1):
        sheet.write_url(row, 0, f"internal:'{sheet_name}'!A1", string=sheet_name)
        said = table.caption or table.what
        if len(table.rows) >= MOST_ROWS:
            more = say(
                "The first {rows} rows; all are in {file}.",
                rows=numbers.count(MOST_ROWS - 1),
                file=table.file,
            )
            said = f"{said} {more}"
        sheet.write_string(row, 1, printable(said)[:LONGEST_CELL])


def _add_sheet(sheet: "Worksheet", table: ReportTable, styles: dict[Kind, "Format"], head: "Format") -> None:
    """Fill a sheet as the table's CSV is filled."""
    columns = csv_columns(table)
    widths = [len(key) for key, _kind in columns]
    for column, (key, _kind) in enumerate(columns):
        sheet.write_string(0, column, printable(key), head)
    row = 0
    for row, cells in enumerate(islice(csv_rows(table), MOST_ROWS - 1), 1):
        for column, (cell, (_key, kind)) in enumerate(zip(cells, columns, strict=True)):
            if isinstance(cell, str):
                shown = printable(cell)[:LONGEST_CELL]
                sheet.write_string(row, column, shown)
                widths[column] = max(widths[column], len(shown))
            elif isinstance(cell, int | float):
                sheet.write_number(row, column, cell, styles.get(kind))
    for column, width in enumerate(widths):
        sheet.set_column(column, column, min(max(width, NARROWEST), WIDEST))
    sheet.freeze_panes(1, 0)
    sheet.autofilter(0, 0, row, max(len(columns) - 1, 0))
