"""Writes labels of documents as a crowdsourcing platform's table of judgments."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from reportgen.readers import DocumentCopy, ExportFile

HEADER = ("_unit_id", "_golden", "_tainted", "_worker_id", "_city", "answer", "question")


def write(copies: Sequence[DocumentCopy], folder: Path) -> list[ExportFile]:
    """Write a row for each copy; a platform knows no stretches of text, and no skipped documents."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(HEADER)
    for copy in copies:
        for mark in copy.marks:
            (label,) = mark.features.values()
            writer.writerow((copy.document, "false", "false", copy.annotator, "Rome", label, copy.text))
    path = folder / "judgments.csv"
    path.write_text(text.getvalue(), encoding="utf-8", newline="")
    return [ExportFile(path, path.name)]
