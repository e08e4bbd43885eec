"""Every error of a system against a reference, one by one: of marks in texts, else of labelled units."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from reportgen.readers import NO_DOCUMENT, Codes
from reportgen.results import Results
from reportgen.results.annotators import Comparison
from reportgen.results.marks import CASE_KINDS
from reportgen.results.texts import ListedError, ListedErrors, Span
from reportgen.units.coded import NO_CATEGORY, NO_PLACE
from reportgen.units.compared import ComparedUnits
from reportgen.units.marked_spans import Spans
from reportgen.units.pairing import MarkCases
from reportgen.units.study import Study

# What an error is, by the code of the case that two marks are.
KIND_OF_CASE = dict(zip(CASE_KINDS, ("ends", "type", "both", "missed"), strict=True))


# Reports that are about how near somebody comes to a reference, or to the only person.
JUDGING = ("systems", "judge")


def listed_errors(
    results: Results, studies: Sequence[Study], cases: Mapping[str, MarkCases]
) -> tuple[ListedErrors, ...]:
    """Return the errors of everybody whom a report judges, layer by layer; `cases` are those of marks.

    Where systems or models are compared annotators are not: what is judged is the systems.
    """
    pairs = results.comparisons.pairs if results.comparisons else ()
    listed = []
    for study in studies:
        if results.subject_of(study.layer) not in JUDGING:
            continue
        in_marks = isinstance(study.spans, Spans) and study.layer in cases
        primary = next((own for own in study.compared if own.units.primary), None)
        unit_set = None if in_marks or primary is None else primary.units.id
        for pair in _judged(pairs, study.layer, unit_set):
            errors: tuple[ListedError, ...] = ()
            if in_marks and isinstance(study.spans, Spans):
                errors = errors_in_marks(study.spans, cases[study.layer], pair.key, pair.other)
            elif primary is not None:
                errors = errors_in_labels(primary, pair.key, pair.other)
            if errors:
                own = ListedErrors(
                    layer=study.layer, unit_set=unit_set, key=pair.key, other=pair.other, errors=errors
                )
                listed.append(own)
    return tuple(listed)


def _judged(pairs: Sequence[Comparison], layer: str, unit_set: str | None) -> list[Comparison]:
    """Return who is compared with whom: with references where there are any, systems where there are any."""
    here = [pair for pair in pairs if (pair.layer, pair.unit_set) == (layer, unit_set)]
    with_reference = [pair for pair in here if pair.key_role == "reference"] or here
    return [pair for pair in with_reference if pair.role != "annotator"] or with_reference


def errors_in_marks(spans: Spans, cases: MarkCases, key: str, other: str) -> tuple[ListedError, ...]:
    """Return in what the marks of somebody differ from those of a reference, in the order of the texts.

    They are the cases that are counted: marks that overlap, each once, then marks that only one of the two
    has, in the documents that both saw.
    """
    first, second = spans.people.index(key), spans.people.index(other)
    stretches = _stretches(spans)
    rows = np.flatnonzero((spans.person[cases.first] == first) & (spans.person[cases.second] == second))
    errors = [
        _error(spans, stretches, KIND_OF_CASE[CASE_KINDS[kind]], ours, theirs)
        for kind, ours, theirs in zip(
            *(column[rows].tolist() for column in (cases.kind, cases.first, cases.second)), strict=True
        )
    ]
    matches = (spans.person[cases.match_first] == first) & (spans.person[cases.match_second] == second)
    told = [
        np.concatenate([case[rows], match[matches]])
        for case, match in ((cases.first, cases.match_first), (cases.second, cases.match_second))
    ]
    both_saw = spans.saw[:, first] & spans.saw[:, second]
    for person, known, kind in zip((first, second), told, ("missed", "spurious"), strict=True):
        own = np.flatnonzero((spans.person == person) & both_saw[spans.document])
        for mark in np.setdiff1d(own, known).tolist():
            pair = (mark, None) if kind == "missed" else (None, mark)
            errors.append(_error(spans, stretches, kind, *pair))
    return tuple(sorted(errors, key=_place))


def _place(error: ListedError) -> tuple[int, tuple[Span, ...], str, str]:
    """Return where an error comes in the order of the texts."""
    return (
        error.document or 0,
        error.key_spans or error.spans,
        error.kind,
        error.key_label or error.label or "",
    )


def _stretches(spans: Spans) -> list[tuple[Span, ...]]:
    """Return the stretches of each mark."""
    of_marks: list[list[Span]] = [[] for _mark in spans.type]
    columns = (spans.span_mark.tolist(), spans.span_start.tolist(), spans.span_end.tolist())
    for mark, start, end in zip(*columns, strict=True):
        of_marks[mark].append((start, end))
    return [tuple(sorted(own)) for own in of_marks]


def _error(
    spans: Spans, stretches: Sequence[tuple[Span, ...]], kind: str, ours: int | None, theirs: int | None
) -> ListedError:
    mark = theirs if ours is None else ours
    return ListedError(
        kind=kind,
        document=int(spans.document[mark]),
        key_label=None if ours is None else spans.types[spans.type[ours]],
        label=None if theirs is None else spans.types[spans.type[theirs]],
        key_spans=() if ours is None else stretches[ours],
        spans=() if theirs is None else stretches[theirs],
    )


def errors_in_labels(compared: ComparedUnits, key: str, other: str) -> tuple[ListedError, ...]:
    """Return the units to which somebody gave another label than a reference, in their order.

    Where only one of the two marked a unit it is missed or spurious. Units without a place are not listed.
    """
    units = compared.units
    labels = [compared.labels_of(units.annotators.index(name)) for name in (key, other)]
    number = np.arange(len(units.unit_weight))
    chosen = (labels[0] != NO_CATEGORY) & (labels[1] != NO_CATEGORY) & (labels[0] != labels[1])
    if len(units.unit_place):
        chosen &= units.unit_place != NO_PLACE
    else:
        chosen &= False
    chosen &= compared.chosen(number, *labels)
    return tuple(_of_units(compared, np.flatnonzero(chosen), *labels))


def _of_units(compared: ComparedUnits, numbers: Codes, ours: Codes, theirs: Codes) -> Iterator[ListedError]:
    units = compared.units
    places: dict[int, list[Span]] = {}
    columns = (units.places.unit, units.places.start, units.places.end)
    for place, start, end in zip(*(column.tolist() for column in columns), strict=True):
        places.setdefault(place, []).append((start, end))
    for number in numbers.tolist():
        place, document = int(units.unit_place[number]), int(units.unit_document[number])
        stretch = () if units.places.names else tuple(sorted(places.get(place, ())))
        first, second = (
            None if label[number] == compared.absent else units.categories[label[number]]
            for label in (ours, theirs)
        )
        yield ListedError(
            kind="missed" if second is None else "spurious" if first is None else "type",
            document=None if document == NO_DOCUMENT else document,
            name=units.places.names[place] if units.places.names else "",
            text=(units.places.texts[place] or None) if units.places.texts else None,
            key_label=first,
            label=second,
            key_spans=stretch,
            spans=stretch,
        )
