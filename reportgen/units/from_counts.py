"""What counts say of a layer, as the types that any other export becomes."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from reportgen.base.errors import BadInput, Problem, did_you_mean
from reportgen.campaign import ALL
from reportgen.readers import CountedLayer
from reportgen.readers.counted import (
    CountedUnits,
    EverybodyDescribed,
    LayerDescribed,
    SpansDescribed,
    UnitSetDescribed,
)
from reportgen.results.marks import Spelling
from reportgen.units.categories import order_categories
from reportgen.units.coded import (
    ANNOTATOR,
    NO_CATEGORY,
    NO_PLACE,
    UNITS_DESCRIBED,
    CodedUnits,
    MarkSums,
    attributes,
)
from reportgen.units.compared import ComparedUnits
from reportgen.units.marked_spans import SPANS_DESCRIBED, Credit, SpanFrame
from reportgen.units.unit_kinds import Declaration, Request

# Marks in texts of which only counts are known.


def counted_spans(content: CountedLayer, request: Request) -> SpanFrame | None:
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


def wrong_marks(described: LayerDescribed, request: Request) -> Iterator[Problem]:
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


def _wrong_rules(spans: SpansDescribed, request: Request) -> Iterator[Problem]:
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


def require_fitting(content: CountedLayer, request: Request) -> None:
    """Raise BadInput with all in which campaign and counts contradict each other."""
    problems = [*_contradictions(content, request), *wrong_marks(content.described, request)]
    if problems:
        raise BadInput(problems)


def counted_unit_sets(content: CountedLayer, request: Request) -> tuple[CodedUnits, ...]:
    """Return the unit sets of a layer, those that the campaign declares in its words and its order."""
    chosen = _chosen(content.described, request)
    return tuple(_unit_set(content.kinds[unit_set.id], unit_set, request) for unit_set in chosen)


def counted_comparisons(content: CountedLayer, request: Request) -> tuple[ComparedUnits, ...]:
    """Return everybody's labels on each unit set in which somebody is no annotator."""
    described = {everybody.units.id: everybody for everybody in content.described.everybody}
    chosen = [unit_set for unit_set in _chosen(content.described, request) if unit_set.id in described]
    return tuple(_compared_units(content, described[unit_set.id], unit_set, request) for unit_set in chosen)


def _compared_units(
    content: CountedLayer, described: EverybodyDescribed, chosen: UnitSetDescribed, request: Request
) -> ComparedUnits:
    """Return a unit set with everybody's labels, called primary or not as the chosen one is."""
    described_units = described.units.model_copy(update={"why": chosen.why, "primary": chosen.primary})
    units = _unit_set(content.marks.everybody[chosen.id], described_units, request)
    absent = NO_CATEGORY if described.absent is None else described.absent
    return ComparedUnits(units, described.roles, described.derived, described.choice, absent)


def _chosen(described: LayerDescribed, request: Request) -> list[UnitSetDescribed]:
    """Return the unit sets that the campaign declares, in its words; all of them where it declares none."""
    if not request.unit_sets:
        return list(described.unit_sets)
    counted = {unit_set.id: unit_set for unit_set in described.unit_sets}
    declared = [declaration.unit_set for declaration in request.unit_sets]
    return [
        counted[unit_set.id].model_copy(update={"why": unit_set.why or "", "primary": unit_set.primary})
        for unit_set in declared
    ]


def _unit_set(counted: CountedUnits, described: UnitSetDescribed, request: Request) -> CodedUnits:
    absent = described.non_annotated
    return replace(
        request.nothing,
        documents=counted.documents,
        categories=described.categories,
        non_annotated=NO_CATEGORY if absent is None else described.categories.index(absent),
        sets=None if described.sets is None else tuple(map(frozenset, described.sets)),
        unit_document=counted.document,
        unit_weight=counted.n,
        unit=counted.kind,
        annotator=counted.annotator,
        label=counted.label,
        unit_place=np.full(len(counted.n), NO_PLACE, dtype=np.int64),
        given=counted.given,
        sums=MarkSums(described.marks_used, described.marks_left_out, described.boundary),
        **attributes(described, UNITS_DESCRIBED),
    )


# Where campaign and counts contradict each other


def _contradictions(content: CountedLayer, request: Request) -> Iterator[Problem]:
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


def _task_problems(content: CountedLayer, described: UnitSetDescribed, request: Request) -> Iterator[Problem]:
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
    declaration: Declaration, described: UnitSetDescribed, content: CountedLayer
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


def _annotator_problems(described: LayerDescribed, request: Request) -> Iterator[Problem]:
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
