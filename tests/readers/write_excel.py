"""Writes labels of documents as an Excel workbook."""

from collections.abc import Sequence
from pathlib import Path

from openpyxl import Workbook

from reportgen.readers import DocumentCopy, ExportFile


def write(copies: Sequence[DocumentCopy], folder: Path) -> list[ExportFile]:
    """Write a long table, a row a label; a workbook knows no stretches of text, and no skipped documents."""
    book = Workbook()
    (sheet,) = book.worksheets
    sheet.append(("item", "annotator", "label"))
    for copy in copies:
        for mark in copy.marks:
            sheet.append((copy.document, copy.annotator, *mark.features.values()))
    path = folder / "labels.xlsx"
    book.save(path)
    return [ExportFile(path, path.name)]
