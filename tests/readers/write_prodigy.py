"""Writes copies as Prodigy's JSON Lines."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reportgen.readers import DocumentCopy, ExportFile
from tests.readers.given_files import written


def write(copies: Sequence[DocumentCopy], folder: Path) -> list[ExportFile]:
    """Write one data set with an answer for each copy.

    Documents are numbers, for a question about a label with the label behind. Marks are of the type
    "spans", "accept" or "answer", with a feature "label". Prodigy can't carry discontinuous marks.
    """
    lines = [json.dumps({**_about(copy), **_said(copy)}, ensure_ascii=False) for copy in copies]
    return written(folder, {"set.jsonl": "".join(f"{line}\n" for line in lines)})


def _about(copy: DocumentCopy) -> dict[str, Any]:
    number = int(copy.document.partition(" ")[0])
    session = f"a-set-{copy.annotator}"
    answer = "ignore" if copy.state == "skipped" else "accept"
    about = {"text": copy.text, "_input_hash": number, "_task_hash": number, "answer": answer}
    return {**about, "_annotator_id": session, "_session_id": session, "_timestamp": 1}


def _said(copy: DocumentCopy) -> dict[str, Any]:
    label = copy.document.partition(" ")[2]
    if label:
        answers = [mark.features["label"] for mark in copy.marks] or ["ignore"]
        return {"label": label, "answer": answers[0], "_view_id": "classification"}
    if any(mark.type == "accept" for mark in copy.marks):
        chosen = copy.marks[0].features["label"]
        accept = [] if chosen == "{}" else chosen.split("|")
        return {"options": [], "accept": accept, "_view_id": "choice"}
    spans = [
        {"start": start, "end": end, "label": mark.features["label"]}
        for mark in copy.marks
        for start, end in mark.spans
    ]
    return {"spans": spans, "_view_id": "spans_manual"}
