"""Counts as CSV: what a third party needs to recompute every figure, without texts or unit names."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import repeat

import numpy as np

from reportgen.counts.marks import MarkCounts
from reportgen.counts.tables import Cell, Counts, named, ratings_rows
from reportgen.readers import (
    Annotations,
    AttendanceDescribed,
    CandidatesDescribed,
    Codes,
    CountsDescribed,
    LayerDescribed,
    LeftOutDescribed,
    MaterialDescribed,
    UnitSetDescribed,
)
from reportgen.readers.counted import (
    ANNOTATORS,
    ESCAPES,
    HEADS,
    PAIRS,
    PROFILES,
    RATINGS,
    CreditDescribed,
    EverybodyDescribed,
    SpansDescribed,
    SpellingDescribed,
)
from reportgen.units import NO_CATEGORY, CodedUnits, ComparedUnits, Study


def counts_csv(counted: Iterable[tuple[CodedUnits, Counts]]) -> dict[str, str]:
    r"""Return the texts of ratings.csv and of the tables that follow from it, of all unit sets of a version.

    A profile is written as labels with their numbers, "Former:1|New:1"; in it a label's own \, | and :
    stand behind a \. A document is empty where each unit is its own.
    """
    texts = {name: [",".join(head)] for name, head in HEADS.items()}
    for units, counts in counted:
        # Names are written as cells once: of a crowd there are millions of pairs.
        own = {RATINGS: ratings_rows(units, quoted), **derived_rows(units, counts, quoted)}
        for name, rows in own.items():
            texts[name].extend(map(",".join, rows))
    return {name: "\n".join((*lines, "")) for name, lines in texts.items()}


def quoted(name: str) -> str:
    """Return a name as a cell of a CSV file."""
    buffer = io.StringIO(newline="")
    # What ends a line is quoted only where the writer ends its own with it.
    csv.writer(buffer, lineterminator="\n").writerow((name, ""))
    return buffer.getvalue().removesuffix(",\n")


def derived_rows(units: CodedUnits, counts: Counts, cell: Cell = str) -> dict[str, Iterator[tuple[str, ...]]]:
    """Return the rows of the tables that follow from the ratings of a unit set.

    `cell` says how a name is written.
    """
    return {
        PAIRS: _pairs(units, counts, cell),
        PROFILES: _profiles(units, counts, cell),
        ANNOTATORS: _annotators(units, counts, cell),
    }


def _own(units: CodedUnits, document: Codes, cell: Cell) -> tuple[Iterator[str], ...]:
    """Return the columns that say what a row is of."""
    where = named(document, (*units.documents, ""), cell)
    return repeat(cell(units.layer)), repeat(cell(units.id)), where


def _pairs(units: CodedUnits, counts: Counts, cell: Cell) -> Iterator[tuple[str, ...]]:
    table = counts.pairs
    return zip(
        *_own(units, table.document, cell),
        named(table.first, units.annotators, cell),
        named(table.second, units.annotators, cell),
        named(table.first_label, units.categories, cell),
        named(table.second_label, units.categories, cell),
        map(str, table.n.tolist()),
        strict=False,
    )


def _profiles(units: CodedUnits, counts: Counts, cell: Cell) -> Iterator[tuple[str, ...]]:
    table = counts.profiles
    profiles = [_profile(units, row) for row in table.labels.tolist()]
    which = named(table.profile, profiles, cell)
    return zip(*_own(units, table.document, cell), which, map(str, table.n.tolist()), strict=False)


def _profile(units: CodedUnits, labels: Sequence[int]) -> str:
    present = [label for label in labels if label != NO_CATEGORY]
    names = {label: units.categories[label].translate(ESCAPES) for label in present}
    return "|".join(f"{name}:{present.count(label)}" for label, name in names.items())


def _annotators(units: CodedUnits, counts: Counts, cell: Cell) -> Iterator[tuple[str, ...]]:
    table = counts.annotators
    return zip(
        *_own(units, table.document, cell),
        named(table.annotator, units.annotators, cell),
        named(table.label, units.categories, cell),
        map(str, table.n.tolist()),
        strict=False,
    )


# What counts.json says of marks in texts, and of everybody held against references.


def describe_spans(marked: MarkCounts, documents: Sequence[str]) -> SpansDescribed:
    """Return what rows can't say of a layer's marks; `documents` are those that the layer tells of."""
    spans, counts = marked.spans, marked.outcomes
    seen = tuple(spans.documents[code] for code in np.unique(counts.seen_document).tolist())
    return SpansDescribed(
        people=spans.people,
        roles=spans.roles,  # type: ignore[arg-type]  # checked when it is made
        derived=tuple(name for name in spans.people if name in spans.derived),
        types=spans.types,
        documents=None if seen == tuple(documents) else seen,
        features=spans.features,
        feature_match=spans.feature_match,  # type: ignore[arg-type]  # checked when it is made
        doubled=spans.doubled,
        spellings=tuple(
            SpellingDescribed(feature=each.feature, values=each.values, marks=each.marks)
            for each in spans.spellings
        ),
        differs_from_greedy=tuple(
            (spans.people[first], spans.people[second], times)
            for (first, second), times in sorted(counts.differs.items())
        ),
        credits=tuple(
            CreditDescribed(distance=each.credit.id, earned=tuple(map(tuple, each.credit.matrix.tolist())))
            for each in marked.credits
        ),
    )


def describe_everybody(compared: ComparedUnits, units: UnitSetDescribed) -> EverybodyDescribed:
    """Return what rows can't say of a unit set with everybody's labels; `units` is what they say of any."""
    return EverybodyDescribed(
        units=units,
        roles=compared.roles,  # type: ignore[arg-type]  # checked when it is made
        derived=compared.derived,
        choice=compared.choice,
        absent=None if compared.absent == NO_CATEGORY else compared.absent,
    )


# counts.json: what rows of numbers can't say of what was counted.


def counts_json(layers: Sequence[LayerDescribed]) -> str:
    """Return the text of counts.json."""
    content = CountsDescribed(layers=tuple(layers)).model_dump(mode="json", by_alias=True)
    return json.dumps(content, sort_keys=True, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def describe(
    study: Study, annotations: Annotations, names: Mapping[str, str], marked: MarkCounts | None = None
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
        spans=describe_spans(marked, documents) if marked else None,
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
