"""Workbooks that openpyxl does not write: of LibreOffice, and of Excel 97."""

from collections.abc import Sequence
from struct import pack
from xml.sax.saxutils import escape

from reportgen.readers.string_tables import OLD_MAGIC
from tests.readers.samples import zipped

Table = Sequence[Sequence[object]]
OPEN_DOCUMENT = "urn:oasis:names:tc:opendocument:xmlns"
NAMES = " ".join(f'xmlns:{name}="{OPEN_DOCUMENT}:{name}:1.0"' for name in ("office", "table", "text"))
# What LibreOffice writes behind the last column and below the last row.
BEHIND = '<table:table-cell table:number-columns-repeated="16000"/>'
BELOW = f'<table:table-row table:number-rows-repeated="1048000">{BEHIND}</table:table-row>'


def spreadsheet(table: Table, rows: int = 1, columns: int = 1) -> bytes:
    """Return an OpenDocument spreadsheet of one sheet.

    Its last row is said to come again in `rows` rows, and the last cell of it in `columns` columns.
    """
    *first, last = [[_cell(value) for value in row] for row in table]
    repeated = f'<table:table-cell table:number-columns-repeated="{columns}"'
    last[-1] = last[-1].replace("<table:table-cell", repeated, 1)
    body = "".join(f"<table:table-row>{''.join(row)}{BEHIND}</table:table-row>" for row in first)
    body += f'<table:table-row table:number-rows-repeated="{rows}">{"".join(last)}{BEHIND}</table:table-row>'
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "META-INF/manifest.xml": f'<manifest xmlns="{OPEN_DOCUMENT}:manifest:1.0"/>',
            "content.xml": f"<office:document-content {NAMES}><office:body><office:spreadsheet>"
            f'<table:table table:name="Sheet">{body}{BELOW}</table:table>'
            "</office:spreadsheet></office:body></office:document-content>",
        }
    )


def _cell(value: object) -> str:
    if value is None:
        return "<table:table-cell/>"
    text = escape(str(value))
    is_text = isinstance(value, str)
    kind = "string" if is_text else f'float" office:value="{text}'
    return f'<table:table-cell office:value-type="{kind}"><text:p>{text}</text:p></table:table-cell>'


SECTOR, LEAST = 512, 4096
NONE, LAST, OF_TABLE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
BOOK, SHEET = 0x05, 0x10


def old_workbook(table: Table) -> bytes:
    """Return a workbook of Excel 97: records of cells in the one stream of a compound file."""
    cells = b"".join(
        _old_cell(row, column, value)
        for row, values in enumerate(table)
        for column, value in enumerate(values)
        if value is not None
    )
    start, end = _begins(BOOK), _record(0x0A, b"")
    sheet = _record(0x85, pack("<IHBB", len(start) + 17 + len(end), 0, 5, 0) + b"Sheet")
    stream = start + sheet + end + _begins(SHEET) + cells + end
    stream = stream.ljust(max(LEAST, -(-len(stream) // SECTOR) * SECTOR), b"\0")
    sectors = [OF_TABLE, LAST, *range(3, len(stream) // SECTOR + 2), LAST]
    assert len(sectors) <= SECTOR // 4, "one sector says where all others are"
    directory = _entry("Root Entry", 5, 1, LAST, 0) + _entry("Workbook", 2, NONE, 2, len(stream))
    head = OLD_MAGIC + bytes(16) + pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    head += pack("<9I", 0, 1, 1, 0, LEAST, LAST, 0, LAST, 0) + pack("<I", 0)
    allocation = pack(f"<{len(sectors)}I", *sectors)
    return (
        head.ljust(SECTOR, b"\xff")
        + allocation.ljust(SECTOR, b"\xff")
        + directory.ljust(SECTOR, b"\0")
        + stream
    )


def _record(kind: int, content: bytes) -> bytes:
    return pack("<HH", kind, len(content)) + content


def _begins(kind: int) -> bytes:
    return _record(0x0809, pack("<HHHHII", 0x0600, kind, 0, 1997, 0, 6))


def _old_cell(row: int, column: int, value: object) -> bytes:
    place = pack("<HHH", row, column, 0)
    if isinstance(value, str):
        return _record(
            0x0204, place + pack("<HB", len(value.encode("utf-16-le")) // 2, 1) + value.encode("utf-16-le")
        )
    return _record(0x0203, place + pack("<d", float(str(value))))


def _entry(name: str, kind: int, child: int, first: int, size: int) -> bytes:
    text = name.encode("utf-16-le")
    head = pack("<64sHBBIII", text, len(text) + 2, kind, 1, NONE, NONE, child)
    return head + bytes(36) + pack("<IQ", first, size)
