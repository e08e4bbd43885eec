"""counts.json: what rows of numbers can't say of what was counted."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from reportgen.counts.described_marks import Marked, describe_everybody, describe_spans
from reportgen.formats import (
    Annotations,
    AttendanceDescribed,
    CandidatesDescribed,
    CountsDescribed,
    LayerDescribed,
    LeftOutDescribed,
    MaterialDescribed,
    UnitSetDescribed,
)
from reportgen.study import NO_CATEGORY, CodedUnits, Study


def counts_json(layers: Sequence[LayerDescribed]) -> str:
    """Return the text of counts.json."""
    content = CountsDescribed(layers=tuple(layers)).model_dump(mode="json", by_alias=True)
    return json.dumps(content, sort_keys=True, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def describe(
    study: Study, annotations: Annotations, names: Mapping[str, str], marked: Marked | None = None
) -> LayerDescribed:
    """Return what counts.json says of a layer; `names` are the pseudonyms, which the study has already.

    `marked` is what was counted of its marks in texts.
    """
    documents = _joined([each.documents for each in study.unit_sets])
    material = asdict(study.material)
    attendance = tuple(AttendanceDescribed(**each) for each in material["attendance"])
    known = {name: material[name] for name in MaterialDescribed.model_fields if name != "attendance"}
    return LayerDescribed(
        id=study.material.layer,
        compared=annotations.compared,
        annotators=tuple(names.get(name, name) for name in annotations.content.annotators),
        labels=tuple(map(str, annotations.content.labels)),
        documents=documents,
        marks_read=study.marks_read,
        marks_used=study.marks_used,
        left_out=tuple(_left_out(study)),
        passed_over=dict(study.passed_over),
        declared=study.declared,
        missing=study.missing,
        repeated=study.repeated,
        contradicting=study.contradicting,
        material=MaterialDescribed(**known, attendance=attendance),
        unit_sets=tuple(_unit_set(each, documents) for each in study.unit_sets),
        spans=marked and describe_spans(marked, documents),
        everybody=tuple(
            describe_everybody(each, _unit_set(each.units, documents)) for each in study.compared
        ),
    )


def _left_out(study: Study) -> list[LeftOutDescribed]:
    """Return how many marks of whom were left out for which reason, in the order of the first of each."""
    marks: Counter[tuple[str, str]] = Counter()
    for each in study.left_out:
        marks[each.annotator, each.reason] += each.marks
    return [LeftOutDescribed(annotator=who, reason=why, marks=n) for (who, why), n in marks.items()]


def _joined(documents: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the documents of all unit sets, each once: those of the largest first, in its order."""
    largest_first = sorted(documents, key=len, reverse=True)
    return tuple(dict.fromkeys(name for each in largest_first for name in each))


def _unit_set(units: CodedUnits, documents: Sequence[str]) -> UnitSetDescribed:
    absent = units.non_annotated
    return UnitSetDescribed(
        id=units.id,
        kind=units.kind,
        primary=units.primary,
        why=units.why,
        scale=units.scale,
        base=units.base,
        annotators=units.annotators,
        categories=tuple(map(str, units.categories)),
        non_annotated=None if absent == NO_CATEGORY else units.categories[absent],
        non_annotated_name=units.non_annotated_name,
        sets=None if units.sets is None else tuple(tuple(sorted(map(str, each))) for each in units.sets),
        category_count=units.category_count,
        documents=None if units.documents == tuple(documents) else units.documents,
        units_read=units.units_read,
        units_added=units.units_added,
        units_left_out=dict(units.units_left_out),
        boundary=units.boundary,
        several=units.several,
        joined=units.joined,
        candidates=CandidatesDescribed(**asdict(units.candidates)) if units.candidates else None,
        marks_used=units.marks_used,
        marks_left_out=units.marks_left_out,
    )
