"""The study of one layer: every unit set, what there is, and what became of every mark."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, for_each
from reportgen.readers import ATTENDANCE, Annotations, Codes, CountedLayer, ExcludedMarks, Ratings, TextMarks
from reportgen.readers.annotations import Location
from reportgen.readers.counted import AttendanceDescribed, MaterialDescribed
from reportgen.results.facts import Marks
from reportgen.results.model import csv_text
from reportgen.units.categories import is_of_sets
from reportgen.units.coded import (
    SEEN,
    CodedUnits,
    ControlUnits,
    Mask,
    Passes,
    attributes,
    different,
    everybody,
    left_out,
    sums_by,
)
from reportgen.units.compared import ComparedUnits, as_annotators, compared, duplicates, no_texts
from reportgen.units.from_counts import counted_comparisons, counted_spans, counted_unit_sets, require_fitting
from reportgen.units.labelled import MarkedTexts, controls_of, from_ratings, rated_by_everybody
from reportgen.units.marked_spans import SpanFrame, Spans, spans
from reportgen.units.segmentation import tokenise
from reportgen.units.unit_kinds import (
    IN_TEXTS,
    Declaration,
    Request,
    needs_items,
    needs_texts,
    participants_of,
    select,
)


@dataclass(frozen=True, eq=False)
class Study:
    """Every unit set of one layer, the marks that none of them uses, and what there is.

    `passed_over` counts, by reason, the marks that are left out before any unit set is made. `spans` are the
    marks themselves, of everybody; None where the export has no marks in texts. `compared` has everybody's
    labels for each unit set; it is empty where all are annotators. `controls` are the control
    items, which are in no unit set, and `passes` the units that somebody labelled twice. `missing` counts
    cells of a table without a label; `repeated` and `contradicting` labels that somebody gave a unit again in
    the same pass, as they gave it before or otherwise; `marks_again` counts marks read that an earlier layer
    has too; `not_compared` says how much of each kind the exports have besides labels. `declared` are the
    categories that the campaign declares. Where units are only counted, `disputed` has those of each unit set
    that are listed.
    """

    layer: str
    unit_sets: tuple[CodedUnits, ...]
    marks_read: int
    marks_used: int
    left_out: tuple[ExcludedMarks, ...]
    passed_over: Mapping[str, int]
    material: MaterialDescribed
    spans: SpanFrame | None = None
    compared: tuple[ComparedUnits, ...] = ()
    controls: ControlUnits | None = None
    passes: Passes | None = None
    declared: tuple[str, ...] = ()
    marks_again: int = 0
    missing: int = 0
    repeated: int = 0
    contradicting: int = 0
    contradicting_at: Location = ("", 0)
    disputed: tuple[CodedUnits, ...] = ()
    not_compared: Mapping[str, int] | None = None


# What counts.json says of a study under the same names.
STUDY_DESCRIBED = (
    *("marks_read", "marks_used", "marks_again", "passed_over", "missing", "not_compared"),
    *("repeated", "contradicting"),
    "material",
)


# What became of every mark: used, or left out for a reason, and none lost.

# With more places of marks left out than these, results.json joins those of one file and reason.
MOST_LEFT_OUT = 1000


def sum_of_marks(studies: Sequence[Study]) -> Marks:
    """Return the sums of marks, and see that nothing was lost."""
    read = sum(study.marks_read for study in studies)
    used = sum(study.marks_used for study in studies)
    missed = sum(marks.marks for marks in _left_out(studies))
    beside = sum(not_compared(studies).values())
    if read != used + missed + beside:
        message = (
            f"{read} marks were read, {used} used, {missed} left out and {beside} not compared: "
            f"{read - used - missed - beside} are lost"
        )
        raise AssertionError(message)
    missing = sum(study.missing for study in studies)
    again = sum(study.marks_again for study in studies)
    return Marks(
        read=read,
        used=used,
        left_out=missed,
        again=again or None,
        not_compared=beside or None,
        missing=missing,
    )


def not_compared(studies: Sequence[Study]) -> dict[str, int]:
    """Return how much of each kind the exports have besides labels, in the order of the layers."""
    kinds = Counter[str]()
    for study in studies:
        kinds.update(study.not_compared or {})
    return dict(kinds)


def _left_out(studies: Sequence[Study]) -> list[ExcludedMarks]:
    return [marks for study in studies for marks in study.left_out]


def marks_left_out(studies: Sequence[Study]) -> tuple[ExcludedMarks, ...]:
    """Return what is left out; where it is much, one row for each file, annotator and reason.

    Such a row has the line of the first mark. The whole list is in tables/left-out.csv.
    """
    joined: dict[tuple[str, str, str], ExcludedMarks] = {}
    left_out = _left_out(studies)
    if len(left_out) > MOST_LEFT_OUT:
        for marks in left_out:
            key = marks.file, marks.annotator, marks.reason
            first = joined.get(key)
            joined[key] = replace(first, marks=first.marks + marks.marks) if first else marks
    return tuple(joined.values() or left_out)


def left_out_csv(studies: Sequence[Study]) -> str | None:
    """Return every mark that is left out with its place, None where results.json has them all."""
    left_out = _left_out(studies)
    if len(left_out) <= MOST_LEFT_OUT:
        return None
    head = ("annotator", "reason", "marks", "file", "line")
    rows = ((marks.annotator, marks.reason, marks.marks, marks.file, marks.line or "") for marks in left_out)
    return csv_text(head, rows)


# The study of one layer: whose marks count, what the units are, and what none of them uses.

# How much there is, and how scattered the marks are.


def material(
    annotations: Annotations,
    content: Ratings | TextMarks,
    request: Request,
    unit_sets: Sequence[CodedUnits],
) -> MaterialDescribed:
    """Return how much there is in one layer of an export.

    Marks are those that a unit set uses or leaves out: annotators' first passes.
    """
    participants = participants_of(annotations, request)
    marks = different(unit_sets[0].mark, *(lost for _, lost in unit_sets[0].marks_lost))
    weight = unit_sets[0].mark_weight
    labels = sums_by(content.label[marks], weight[marks], len(content.labels))
    texts = () if isinstance(content, Ratings) else content.texts
    recorded = isinstance(content, TextMarks) and bool(content.lengths)
    tokens = np.bincount(tokenise(texts).document, minlength=len(texts))
    attendance, saw, unmarked = annotations.attendance, np.zeros((len(texts), 0), dtype=np.bool_), None
    if texts and attendance is not None:
        saw = attendance[:, participants.counts] >= SEEN
        unmarked = int((attendance.max(axis=1, initial=0) == SEEN).sum())
    return MaterialDescribed(
        documents=(isinstance(content, Ratings) and content.grouped) or len(content.documents),
        documents_unmarked=unmarked,
        tokens=int(tokens.sum()) if texts and not recorded else None,
        copies=int(saw.sum()),
        tokens_seen=int((saw.sum(axis=1) * tokens).sum()),
        marks=int(weight[marks].sum()),
        labels={name: count for name, count in zip(content.labels, labels.tolist(), strict=True) if count},
        attendance=tuple(_attendance(annotations, participants.counts)),
    )


def _attendance(annotations: Annotations, counts: Mask) -> list[AttendanceDescribed]:
    """Return what each annotator did with how many documents, by name."""
    if annotations.attendance is None:
        return []
    described = [
        AttendanceDescribed(
            annotator=name,
            **{state: int((column == code).sum()) for code, state in enumerate(ATTENDANCE)},
        )
        for name, column, annotator in zip(
            annotations.content.annotators, annotations.attendance.T, counts.tolist(), strict=True
        )
        if annotator
    ]
    return sorted(described, key=lambda attendance: attendance.annotator)


# The study of one layer: whose marks count, what the units are, and what none of them uses.

Units = Callable[[Declaration], CodedUnits]


def build_study(annotations: Annotations, request: Request) -> Study:
    """Return every unit set of a layer, with what none of them uses.

    Raises BadInput, all at once, for unit sets that can't be made from this export.
    """
    content = annotations.content
    if isinstance(content, CountedLayer):
        return _study_of_counts(content, request)
    marked: Spans | None = None
    controls: ControlUnits | None = None
    named: list[CodedUnits] = []
    if isinstance(content, TextMarks):
        if request.controls is not None:
            raise BadInput([no_texts(request)])
        texts = MarkedTexts(annotations, content, request)
        unit_sets = _unit_sets(request, texts.units_of)
        others = texts.left_out
        marked = spans(annotations, content, request)
    else:
        roles = replace(request, roles={**annotations.roles, **request.roles})
        all_units, others = from_ratings(content, roles, annotations.derived)
        controls = controls_of(content, roles)
        unit_sets = _unit_sets(request, lambda _: all_units)
        if content.disputed is not None and content.disputed.unit_names:
            listed = from_ratings(content.disputed, roles)[0]
            named = _unit_sets(request, lambda _: listed)
    passed_over, by_reason = (*annotations.left_out, *others), Counter[str]()
    for marks in passed_over:
        by_reason[marks.reason] += marks.marks
    used = different(*(unit_set.mark for unit_set in unit_sets))
    unused = tuple(_used_nowhere(content, unit_sets[0], used))
    again = (0, 0, ("", 0)) if isinstance(content, TextMarks) or is_of_sets(request) else duplicates(content)
    return Study(
        layer=request.layer,
        unit_sets=tuple(unit_sets),
        marks_read=annotations.marks_read,
        marks_again=annotations.marks_again,
        marks_used=int(unit_sets[0].mark_weight[used].sum()),
        left_out=(*passed_over, *unused),
        passed_over=dict(by_reason),
        material=material(annotations, content, request, unit_sets),
        spans=marked,
        compared=_compared(annotations, content, request),
        controls=controls,
        passes=_passes(annotations, content, request),
        declared=request.task.categories,
        missing=annotations.missing,
        not_compared=annotations.not_compared or None,
        repeated=again[0],
        contradicting=again[1],
        contradicting_at=again[2],
        disputed=tuple(named),
    )


def _study_of_counts(content: CountedLayer, request: Request) -> Study:
    """Return the study of a layer of which only counts are known: all is as it was counted."""
    require_fitting(content, request)
    described = content.described
    return Study(
        layer=request.layer,
        unit_sets=counted_unit_sets(content, request),
        left_out=tuple(
            ExcludedMarks(content.file, 0, marks.annotator, marks.reason, marks.marks)
            for marks in described.left_out
        ),
        declared=request.task.categories or described.declared,
        spans=counted_spans(content, request),
        compared=counted_comparisons(content, request),
        **attributes(described, STUDY_DESCRIBED),
    )


def _passes(annotations: Annotations, content: Ratings | TextMarks, request: Request) -> Passes | None:
    """Return what annotators said twice, on units as the primary unit set makes them; None without any."""
    repeated = as_annotators(annotations, content, request)
    if repeated is None:
        return None
    names, twice, passes_request = repeated
    declared = [declaration for declaration in request.unit_sets if declaration.unit_set.primary]
    primary = (declared or request.unit_sets)[0]
    if isinstance(twice.content, TextMarks):
        return Passes(names, MarkedTexts(twice, twice.content, passes_request).units_of(primary))
    return Passes(names, from_ratings(twice.ratings, passes_request)[0])


def _compared(
    annotations: Annotations, content: Ratings | TextMarks, request: Request
) -> tuple[ComparedUnits, ...]:
    """Return everybody's labels on the units of each unit set, nothing where all are annotators."""
    participants = participants_of(annotations, request)
    if participants.counts.all():
        return ()
    as_one = everybody(participants)
    if isinstance(content, TextMarks):
        units = list(map(MarkedTexts(annotations, content, request, as_one).units_of, request.unit_sets))
    else:
        units = [rated_by_everybody(content, as_one, request)] * len(request.unit_sets)
    return tuple(
        compared(set_units, declaration, participants, annotations.derived)
        for set_units, declaration in zip(units, request.unit_sets, strict=True)
    )


def _unit_sets(request: Request, units: Units) -> list[CodedUnits]:
    return for_each(request.unit_sets, lambda declared: _select(units(declared), declared))


def _select(units: CodedUnits, declaration: Declaration) -> CodedUnits:
    chosen = declaration.unit_set
    if units.base == "units" and chosen.units in IN_TEXTS:
        raise BadInput([needs_texts(declaration)])
    if units.base != "units" and chosen.units == "items":
        raise BadInput([needs_items(declaration)])
    named = replace(units, id=chosen.id, kind=chosen.units, why=chosen.why or "", primary=chosen.primary)
    return select(named, declaration)


def _used_nowhere(content: Ratings | TextMarks, first: CodedUnits, used: Codes) -> Iterator[ExcludedMarks]:
    """Yield the marks that every unit set leaves out, for the reason of the first; `used` are all others."""
    for reason, marks in first.marks_lost:
        lost = np.zeros(len(content.label), dtype=np.bool_)
        lost[np.setdiff1d(marks, used)] = True
        yield from left_out(content, lost, reason)
