"""Writes copies as doccano does from 1.6 on, and as doccano 1.0 did."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reportgen.readers import DocumentCopy, ExportFile, ParsedMark
from tests.readers.given_files import written
from tests.readers.utf16 import to_utf16


def write(copies: Sequence[DocumentCopy], folder: Path) -> list[ExportFile]:
    """Write a file for each annotator, with a record for each copy.

    Marks are of the type "label" with a feature "label". doccano can't carry discontinuous marks, and
    does not tell documents without a mark from those that nobody opened.
    """
    lines: dict[str, list[str]] = {}
    for copy in copies:
        labels = [each for mark in copy.marks for each in _new(copy, mark)]
        row = {"id": copy.document, "text": copy.text, "label": labels}
        lines.setdefault(copy.annotator, []).append(f"{json.dumps(row, ensure_ascii=False)}\n")
    return written(folder, {f"{name}.jsonl": "".join(lines[name]) for name in sorted(lines)})


def write_old(copies: Sequence[DocumentCopy], folder: Path) -> list[ExportFile]:
    """Write one file of doccano 1.0, whose labels are numbers and whose annotators stand with the marks."""
    rows: dict[str, dict[str, Any]] = {}
    for copy in copies:
        row = rows.setdefault(copy.document, {"id": copy.document, "text": copy.text, "annotations": []})
        row["annotations"] += [each for mark in copy.marks for each in _old(copy, mark)]
    return written(folder, {"project.jsonl": "".join(f"{json.dumps(row)}\n" for row in rows.values())})


def _offsets(copy: DocumentCopy, mark: ParsedMark) -> list[int]:
    return [to_utf16(copy.text or "", edge) for span in mark.spans for edge in span]


def _new(copy: DocumentCopy, mark: ParsedMark) -> list[Any]:
    label = mark.features["label"]
    return [[*_offsets(copy, mark), label]] if mark.spans else label.split("|")


def _old(copy: DocumentCopy, mark: ParsedMark) -> list[dict[str, Any]]:
    place = dict(zip(("start_offset", "end_offset"), _offsets(copy, mark), strict=False))
    labels = [mark.features["label"]] if mark.spans else mark.features["label"].split("|")
    return [{"label": int(label), "user": copy.annotator, **place} for label in labels]
