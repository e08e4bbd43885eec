"""The study of one layer, from labels, marks or counts: its unit sets, and what became of every mark."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, did_you_mean, for_each
from reportgen.campaign import ALL
from reportgen.readers import ATTENDANCE, Annotations, Codes, CountedLayer, ExcludedMarks, Ratings, TextMarks
from reportgen.readers.annotations import Location
from reportgen.readers.counted import (
    AttendanceDescribed,
    CountedUnits,
    EverybodyDescribed,
    LayerDescribed,
    MaterialDescribed,
    SpansDescribed,
    UnitSetDescribed,
)
from reportgen.results.marks import Spelling
from reportgen.results.model import Marks, csv_text
from reportgen.units.categories import is_of_sets, order_categories
from reportgen.units.labelled import (
    ComparedUnits,
    MarkedTexts,
    compared,
    controls_of,
    duplicates,
    from_ratings,
    no_texts,
    passes_as_annotators,
    rated_by_everybody,
)
from reportgen.units.labels import NO_CATEGORY, Mask, distinct_codes, sums_by
from reportgen.units.segmentation import tokenise
from reportgen.units.spans import SPANS_DESCRIBED, Credit, SpanFrame, Spans, spans
from reportgen.units.unit_sets import (
    ANNOTATOR,
    IN_TEXTS,
    NO_PLACE,
    SEEN,
    UNITS_DESCRIBED,
    CodedUnits,
    ControlUnits,
    DeclaredUnitSet,
    LayerSettings,
    MarkSums,
    Passes,
    UnitMarks,
    attributes,
    everybody,
    left_out,
    needs_items,
    needs_texts,
    participants_of,
    select,
)

# Marks in texts of which only counts are known.


def counted_spans(content: CountedLayer, request: LayerSettings) -> SpanFrame | None:
    """Return a layer's marks as they were counted; None where it has none in texts."""
    described, table = content.described.spans, content.marks.spans
    if described is None or table is None:
        return None
    documents = content.described.documents if described.documents is None else described.documents
    differs = {
        (described.people.index(first), described.people.index(second)): times
        for first, second, times in described.differs_from_greedy
    }
    tokens = np.zeros(len(documents), dtype=np.int64)
    tokens[table.seen_document] = table.tokens
    # Nothing is compared in documents that fewer than two saw.
    saw = np.zeros((len(documents), len(described.people)), dtype=np.bool_)
    saw[table.seen_document, table.seen_first] = saw[table.seen_document, table.seen_second] = True
    return SpanFrame(
        layer=request.layer,
        documents=documents,
        tokens=tokens,
        saw=saw,
        beta=request.task.beta,
        spellings=tuple(Spelling(**dict(spelling)) for spelling in described.spellings),
        derived=described.derived,
        counts=replace(table, differs=differs),
        credits=tuple(
            (Credit(credit.distance, np.array(credit.earned)), content.marks.credits[credit.distance])
            for credit in described.credits
        ),
        **attributes(described, SPANS_DESCRIBED),
    )


def wrong_marks(described: LayerDescribed, request: LayerSettings) -> Iterator[Problem]:
    """Yield where campaign and counts contradict each other on whose marks are compared, and how."""
    if described.spans is not None:
        yield from _wrong_rules(described.spans, request)
    people = [(described.spans.people, described.spans.roles)] if described.spans else []
    people += [(everybody.units.annotators, everybody.roles) for everybody in described.everybody]
    roles_counted = {name: role for names, roles in people for name, role in zip(names, roles, strict=True)}
    for name, role in roles_counted.items():
        declared = request.roles.get(name, role)
        if role not in {declared, "annotator"}:  # annotators are told of with their unit sets
            message = f'is "{declared}", and the counts have them as {role}.'
            remedy = f'Write role = "{role}": what was counted is counted.'
            yield request.problem(f"annotators.{name}.role", message, remedy)


def _wrong_rules(spans: SpansDescribed, request: LayerSettings) -> Iterator[Problem]:
    task = request.task
    if ALL not in task.features and tuple(task.features) != spans.features:
        shown = ", ".join(f'"{name}"' for name in spans.features)
        message = "are not those by which marks were matched when they were counted."
        yield request.problem("task.features", message, f"Write features = [{shown}].")
    if spans.features and task.feature_match != spans.feature_match:
        message = f'is "{task.feature_match}", and what was counted is "{spans.feature_match}".'
        remedy = f'Write feature_match = "{spans.feature_match}".'
        yield request.problem("task.feature_match", message, remedy)


# The unit sets of a layer as they were counted.


def require_fitting(content: CountedLayer, request: LayerSettings) -> None:
    """Raise BadInput with all in which campaign and counts contradict each other."""
    problems = [*_contradictions(content, request), *wrong_marks(content.described, request)]
    if problems:
        raise BadInput(problems)


def counted_unit_sets(content: CountedLayer, request: LayerSettings) -> tuple[CodedUnits, ...]:
    """Return the unit sets of a layer, those that the campaign declares in its words and its order."""
    chosen = _chosen(content.described, request)
    return tuple(_unit_set(content.kinds[unit_set.id], unit_set, request) for unit_set in chosen)


def counted_comparisons(content: CountedLayer, request: LayerSettings) -> tuple[ComparedUnits, ...]:
    """Return everybody's labels on each unit set in which somebody is no annotator."""
    described = {everybody.units.id: everybody for everybody in content.described.everybody}
    chosen = [unit_set for unit_set in _chosen(content.described, request) if unit_set.id in described]
    return tuple(_compared_units(content, described[unit_set.id], unit_set, request) for unit_set in chosen)


def _compared_units(
    content: CountedLayer, described: EverybodyDescribed, chosen: UnitSetDescribed, request: LayerSettings
) -> ComparedUnits:
    """Return a unit set with everybody's labels, called primary or not as the chosen one is."""
    described_units = described.units.model_copy(update={"why": chosen.why, "primary": chosen.primary})
    units = _unit_set(content.marks.everybody[chosen.id], described_units, request)
    absent = NO_CATEGORY if described.absent is None else described.absent
    return ComparedUnits(units, described.roles, described.derived, described.choice, absent)


def _chosen(described: LayerDescribed, request: LayerSettings) -> list[UnitSetDescribed]:
    """Return the unit sets that the campaign declares, in its words; all of them where it declares none."""
    if not request.unit_sets:
        return list(described.unit_sets)
    counted = {unit_set.id: unit_set for unit_set in described.unit_sets}
    declared = [declaration.unit_set for declaration in request.unit_sets]
    return [
        counted[unit_set.id].model_copy(update={"why": unit_set.why or "", "primary": unit_set.primary})
        for unit_set in declared
    ]


def _unit_set(counted: CountedUnits, described: UnitSetDescribed, request: LayerSettings) -> CodedUnits:
    absent = described.non_annotated
    return replace(
        request.nothing,
        documents=counted.documents,
        categories=described.categories,
        non_annotated=NO_CATEGORY if absent is None else described.categories.index(absent),
        sets=None if described.sets is None else tuple(map(frozenset, described.sets)),
        document=counted.document,
        weight=counted.n,
        unit=counted.kind,
        annotator=counted.annotator,
        label=counted.label,
        unit_place=np.full(len(counted.n), NO_PLACE, dtype=np.int64),
        margins=counted.margins,
        marks=UnitMarks(sums=MarkSums(described.marks_used, described.marks_left_out, described.boundary)),
        **attributes(described, UNITS_DESCRIBED),
    )


# Where campaign and counts contradict each other


def _contradictions(content: CountedLayer, request: LayerSettings) -> Iterator[Problem]:
    described = content.described
    counted = {unit_set.id: unit_set for unit_set in described.unit_sets}
    for unit_set in described.unit_sets:
        yield from _task_problems(content, unit_set, request)
        yield from _lost_units(content, unit_set)
    for declaration in request.unit_sets:
        if declaration.unit_set.id in counted:
            yield from _unit_set_problems(declaration, counted[declaration.unit_set.id], content)
        else:
            message = f'the counts have no unit set "{declaration.unit_set.id}".'
            yield declaration.problem("id", message, did_you_mean(declaration.unit_set.id, list(counted)))
    yield from _annotator_problems(described, request)
    if request.controls is not None:
        message = "control items are units with a name, and counts have none."
        yield request.problem("controls.file", message, "Take [controls] away.")


def _task_problems(
    content: CountedLayer, described: UnitSetDescribed, request: LayerSettings
) -> Iterator[Problem]:
    """Yield where the task is another one than that which was counted."""
    task = request.task
    # Where marks overlap, labels are sets although the campaign says nothing of it.
    overlap = described.scale == "set" and described.joined and task.scale == "nominal"
    if task.scale != described.scale and not overlap:
        message = f'is "{task.scale}", and what was counted is "{described.scale}".'
        remedy = f'Write scale = "{described.scale}".'
        yield request.problem("task.scale", message, remedy)
        return
    categories = [name for name in task.categories if name != described.non_annotated_name]
    if categories != [name for name in described.categories if name in categories]:
        message = "has other categories than were counted, or in another order."
        remedy = f"The counts have {', '.join(described.categories[: len(categories) or None])}."
        yield request.problem("task.categories", message, remedy)
    absent = task.non_annotated
    if absent is not None and absent != described.non_annotated_name:
        remedy = f'Write non_annotated = "{described.non_annotated_name}".'
        message = f'is "{absent}", and the counts call unmarked units "{described.non_annotated_name}".'
        yield request.problem("task.non_annotated", message, remedy)
    # What is no number is refused on scales of numbers, as in any export.
    plain = task.model_copy(update={"categories": (), "non_annotated": described.non_annotated})
    order_categories(described.categories, plain, content.file, ordered=True)


def _lost_units(content: CountedLayer, described: UnitSetDescribed) -> Iterator[Problem]:
    """Yield a problem where units counted and left out are not those that were read and added."""
    counted = int(content.kinds[described.id].n.sum())
    left_out = sum(described.units_left_out.values())
    listed = described.units_read + described.units_added
    if counted + left_out != listed:
        message = (
            f'ratings.csv has {counted:,} units of "{described.id}", and {left_out:,} were left out: not the '
            f"{listed:,} that were read or added."
        )
        remedy = "Take the folder of counts as reportgen wrote it."
        yield Problem(content.file, key=f"unit set {described.id}", message=message, remedy=remedy)


def _unit_set_problems(
    declaration: DeclaredUnitSet, described: UnitSetDescribed, content: CountedLayer
) -> Iterator[Problem]:
    """Yield where a declared unit set is of another kind, or another size, than that which was counted."""
    declared, size = declaration.unit_set, declaration.size
    if declared.units != described.kind:
        message = f'is "{declared.units}", and the counts are of "{described.kind}".'
        remedy = f'Write units = "{described.kind}".'
        yield declaration.problem("units", message, remedy)
    counted = int(content.kinds[described.id].n.sum())
    total = size if isinstance(size, int) or size is None else sum(size.values())
    if total is not None and total != counted:
        message = f"is {total:,} in all, and {counted:,} units were counted."
        remedy = "Counts have the size that they were made with: take it."
        yield declaration.problem("size", message, remedy)


def _annotator_problems(described: LayerDescribed, request: LayerSettings) -> Iterator[Problem]:
    """Yield each annotator in the counts who is something else in the campaign."""
    counted = dict.fromkeys(name for unit_set in described.unit_sets for name in unit_set.annotators)
    for name in counted:
        role = request.roles.get(name, ANNOTATOR)
        if role != ANNOTATOR:
            message = f'is "{role}", and the counts have them among the annotators.'
            remedy = 'Write role = "annotator": who was counted can\'t be taken out of counts.'
            yield request.problem(f"annotators.{name}.role", message, remedy)
        if request.same_as.get(name) in counted:
            message = "is somebody of their own in the counts."
            yield request.problem(f"annotators.{name}.same_as", message, "Remove it.")


@dataclass(frozen=True, eq=False)
class LayerUnits:
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


def sum_of_marks(studies: Sequence[LayerUnits]) -> Marks:
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


def not_compared(studies: Sequence[LayerUnits]) -> dict[str, int]:
    """Return how much of each kind the exports have besides labels, in the order of the layers."""
    kinds = Counter[str]()
    for study in studies:
        kinds.update(study.not_compared or {})
    return dict(kinds)


def _left_out(studies: Sequence[LayerUnits]) -> list[ExcludedMarks]:
    return [marks for study in studies for marks in study.left_out]


def marks_left_out(studies: Sequence[LayerUnits]) -> tuple[ExcludedMarks, ...]:
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


def left_out_csv(studies: Sequence[LayerUnits]) -> str | None:
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
    request: LayerSettings,
    unit_sets: Sequence[CodedUnits],
) -> MaterialDescribed:
    """Return how much there is in one layer of an export.

    Marks are those that a unit set uses or leaves out: annotators' first passes.
    """
    participants = participants_of(annotations, request)
    known = unit_sets[0].marks
    marks, weight = distinct_codes(known.mark, *(lost for _, lost in known.lost)), known.weight
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

Units = Callable[[DeclaredUnitSet], CodedUnits]


def build_study(annotations: Annotations, request: LayerSettings) -> LayerUnits:
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
    used = distinct_codes(*(unit_set.marks.mark for unit_set in unit_sets))
    unused = tuple(_used_nowhere(content, unit_sets[0], used))
    again = (0, 0, ("", 0)) if isinstance(content, TextMarks) or is_of_sets(request) else duplicates(content)
    return LayerUnits(
        layer=request.layer,
        unit_sets=tuple(unit_sets),
        marks_read=annotations.marks_read,
        marks_again=annotations.marks_again,
        marks_used=int(unit_sets[0].marks.weight[used].sum()),
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


def _study_of_counts(content: CountedLayer, request: LayerSettings) -> LayerUnits:
    """Return the study of a layer of which only counts are known: all is as it was counted."""
    require_fitting(content, request)
    described = content.described
    return LayerUnits(
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


def _passes(annotations: Annotations, content: Ratings | TextMarks, request: LayerSettings) -> Passes | None:
    """Return what annotators said twice, on units as the primary unit set makes them; None without any."""
    repeated = passes_as_annotators(annotations, content, request)
    if repeated is None:
        return None
    names, twice, passes_request = repeated
    declared = [declaration for declaration in request.unit_sets if declaration.unit_set.primary]
    primary = (declared or request.unit_sets)[0]
    if isinstance(twice.content, TextMarks):
        return Passes(names, MarkedTexts(twice, twice.content, passes_request).units_of(primary))
    return Passes(names, from_ratings(twice.ratings, passes_request)[0])


def _compared(
    annotations: Annotations, content: Ratings | TextMarks, request: LayerSettings
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


def _unit_sets(request: LayerSettings, units: Units) -> list[CodedUnits]:
    return for_each(request.unit_sets, lambda declared: _select(units(declared), declared))


def _select(units: CodedUnits, declaration: DeclaredUnitSet) -> CodedUnits:
    chosen = declaration.unit_set
    if units.base == "units" and chosen.units in IN_TEXTS:
        raise BadInput([needs_texts(declaration)])
    if units.base != "units" and chosen.units == "items":
        raise BadInput([needs_items(declaration)])
    named = replace(units, id=chosen.id, kind=chosen.units, why=chosen.why or "", primary=chosen.primary)
    return select(named, declaration)


def _used_nowhere(content: Ratings | TextMarks, first: CodedUnits, used: Codes) -> Iterator[ExcludedMarks]:
    """Yield the marks that every unit set leaves out, for the reason of the first; `used` are all others."""
    for reason, marks in first.marks.lost:
        lost = np.zeros(len(content.label), dtype=np.bool_)
        lost[np.setdiff1d(marks, used)] = True
        yield from left_out(content, lost, reason)
