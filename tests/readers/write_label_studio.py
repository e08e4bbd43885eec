"""Writes copies as Label Studio's JSON, JSON-MIN and CSV."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reportgen.readers import DocumentCopy, ExportFile, ParsedMark
from tests.readers.given_files import written
from tests.readers.utf16 import to_utf16


def write(copies: Sequence[DocumentCopy], folder: Path) -> list[ExportFile]:
    """Write one file of tasks, each with an annotation for each copy of it.

    Marks need one feature, called as the type of the result. Label Studio can't carry discontinuous marks,
    and documents that an annotator never opened.
    """
    tasks: dict[str, dict[str, Any]] = {}
    for copy in copies:
        task = {"id": copy.document, "data": {"text": copy.text}, "annotations": [], "predictions": []}
        annotations: list[Any] = tasks.setdefault(copy.document, task)["annotations"]
        annotations.append(_annotation(copy))
    return written(folder, {"tasks.json": json.dumps(list(tasks.values()))})


def write_min(copies: Sequence[DocumentCopy], folder: Path) -> list[ExportFile]:
    """Write JSON-MIN: a record a copy, which can't say that it was skipped."""
    return written(folder, {"min.json": json.dumps([_flat(copy) for copy in copies], ensure_ascii=False)})


def write_table(copies: Sequence[DocumentCopy], folder: Path) -> list[ExportFile]:
    """Write CSV with the columns sorted by name, which has to hold a mark to say which hold labels."""
    rows = [_flat(copy) for copy in copies]
    text = io.StringIO()
    names = sorted({name for row in rows for name in row})
    writer = csv.DictWriter(text, names, quoting=csv.QUOTE_NONNUMERIC)
    writer.writeheader()
    writer.writerows(
        {name: json.dumps(cell) if isinstance(cell, list | dict) else cell for name, cell in row.items()}
        for row in rows
    )
    return written(folder, {"table.csv": text.getvalue()})


def _annotation(copy: DocumentCopy) -> dict[str, Any]:
    return {
        "completed_by": {"id": 1, "email": copy.annotator},
        "was_cancelled": copy.state == "skipped",
        "ground_truth": False,
        "result": [
            {
                "id": f"r{number}",
                "from_name": mark.type,
                "to_name": "text",
                "type": next(iter(mark.features)),
                "value": _value(copy, mark),
            }
            for number, mark in enumerate(copy.marks)
        ],
    }


def _value(copy: DocumentCopy, mark: ParsedMark) -> dict[str, Any]:
    ((kind, label),) = mark.features.items()
    text = copy.text or ""
    place = {
        name: found
        for start, end in mark.spans
        for name, found in (
            ("start", to_utf16(text, start)),
            ("end", to_utf16(text, end)),
            ("text", text[start:end]),
        )
    }
    return {**place, kind: [label] if mark.spans else label.split("|")}


def _flat(copy: DocumentCopy) -> dict[str, Any]:
    said: dict[str, Any] = {}
    for mark in copy.marks:
        value = _value(copy, mark)
        if mark.spans:
            said.setdefault(mark.type, []).append(value)
        else:
            said[mark.type] = value["choices"][0] if len(value["choices"]) == 1 else value
    about = {
        "annotator": copy.annotator,
        "annotation_id": 1,
        "created_at": "",
        "updated_at": "",
        "lead_time": 1.5,
    }
    return {"text": copy.text, "id": copy.document, **said, **about}
