"""How much there is, and how scattered the marks are."""

from collections.abc import Sequence

import numpy as np

from reportgen.formats import ATTENDANCE, Annotations, Codes, Ratings, TextMarks
from reportgen.study.coded import Attendance, CodedUnits, Material, different
from reportgen.study.people import Mask, people
from reportgen.study.request import Request
from reportgen.study.tokens import tokenise


def material(
    annotations: Annotations,
    content: Ratings | TextMarks,
    request: Request,
    unit_sets: Sequence[CodedUnits],
) -> Material:
    """Return how much one layer of an export holds.

    Marks are those that a unit set uses or leaves out: annotators' first passes.
    """
    known = people(content.annotators, {**annotations.roles, **request.roles}, request.same_as)
    marks = _marks(unit_sets)
    labels = np.zeros(len(content.labels), dtype=np.int64)
    weight = unit_sets[0].mark_weight if unit_sets else np.zeros(0, dtype=np.int64)
    np.add.at(labels, content.label[marks], weight[marks])
    texts = () if isinstance(content, Ratings) else content.texts
    tokens = np.bincount(tokenise(texts).document, minlength=len(texts))
    seen = _seen(annotations, known.counts) if texts else np.zeros((0, 0), dtype=np.bool_)
    return Material(
        layer=request.layer,
        documents=len(content.documents),
        documents_unmarked=_unmarked(annotations) if texts else None,
        tokens=int(tokens.sum()) if texts else None,
        copies=int(seen.sum()),
        tokens_seen=int((seen.sum(axis=1) * tokens).sum()) if texts else 0,
        marks=int(weight[marks].sum()),
        labels={name: count for name, count in zip(content.labels, labels.tolist(), strict=True) if count},
        attendance=tuple(_attendance(annotations, known.counts)),
    )


def _marks(unit_sets: Sequence[CodedUnits]) -> Codes:
    if not unit_sets:
        return np.zeros(0, dtype=np.int64)
    first = unit_sets[0]
    return different(first.mark, *(lost for _, lost in first.marks_lost))


def _seen(annotations: Annotations, counts: Mask) -> Mask:
    """Return which documents (documents, annotators) who is an annotator saw."""
    if annotations.attendance is None:
        return np.zeros((len(annotations.content.documents), 0), dtype=np.bool_)
    seen: Mask = annotations.attendance[:, counts] >= ATTENDANCE.index("empty")
    return seen


def _unmarked(annotations: Annotations) -> int | None:
    """Return how many documents somebody saw and nobody marked."""
    if annotations.attendance is None:
        return None
    most = annotations.attendance.max(axis=1, initial=0)
    return int((most == ATTENDANCE.index("empty")).sum())


def _attendance(annotations: Annotations, counts: Mask) -> list[Attendance]:
    """Return what each annotator did with how many documents, by name."""
    if annotations.attendance is None:
        return []
    found = [
        Attendance(
            annotator=name,
            **{state: int((column == code).sum()) for code, state in enumerate(ATTENDANCE)},
        )
        for name, column, annotator in zip(
            annotations.content.annotators, annotations.attendance.T, counts.tolist(), strict=True
        )
        if annotator
    ]
    return sorted(found, key=lambda each: each.annotator)
